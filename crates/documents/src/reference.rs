//! Reference documentation of a service for authors of clients: operations with samples, types, and
//! errors.

use svcgen_model::{
    At, Binding, ComplexType, Element, Enumeration, Operation, Service, SimpleType, TypeAt, Types,
};

use crate::escape::escaped;
use crate::frame::{self, Frame};
use crate::html::{Html, put};
use crate::markdown::{self, Markdown, code};
use crate::page::{PLACEHOLDERS, policy};
use crate::rows::{FLAGS, Row, SET_OF_TABLES, anchor, derivation, note_of_value, rows};
use crate::samples::Samples;

/// The host in samples.
const HOST: &str = "localhost";

/// Errors, with the status and the fault code or body of the runtime's answer over each binding.
const ERRORS: &str = "\
    The operation failed | 500, soap:Server | 500, soap:Receiver | 500, a line of text
    A value is wrong, or no operation is named | 500, soap:Client | 500, soap:Sender | 500, a line of text
    The message is not XML, or has a DTD | 400, soap:Client | 400, soap:Sender |
    A header that must be understood is not | 500, soap:MustUnderstand | 500, soap:MustUnderstand |
    The envelope is of no known version | 500, soap:VersionMismatch | the same, in SOAP 1.1 |
    The body is too long | 500, soap:Server | 500, soap:Receiver | 500, a line of text
    The media type is another one | 415, a line of text | 415, a line of text | 500, a line of text
    The method is another one | 405 | 405 | 405";

/// The rows of [`ERRORS`]: the error, and the answers over SOAP 1.1, SOAP 1.2 and HTTP GET and
/// POST.
fn errors() -> impl Iterator<Item = Vec<&'static str>> {
    ERRORS
        .lines()
        .map(|line| line.split('|').map(str::trim).collect())
}

/// Returns the documentation as Markdown.
pub fn markdown(service: At<'_, Service<'_>>) -> String {
    let samples = Samples::new(service);
    let mut out = Markdown::default();
    out.heading(1, "service", &format!("{} Web Service", service.name));
    out.documentation(service.documentation());
    let zone = service.time_zone.map(|zone| ("Time zone", zone));
    let facts = [("Path", service.path), ("Namespace", service.namespace)];
    let facts = facts.into_iter().chain(zone);
    let facts = facts.map(|(name, value)| [name.to_owned(), code(value)]);
    out.table("| | |", facts);
    let operations = sorted(service);
    out.heading(2, "operations", "Operations");
    let rows = operations.iter().map(|operation| {
        [
            format!("[{}](#operation-{})", code(operation.name), operation.name),
            operation.bindings.to_string(),
            markdown::line(operation.documentation()),
        ]
    });
    out.table("| Operation | Bindings | |", rows);
    for operation in operations {
        write_operation(&mut out, &samples, operation);
    }
    for (binding, guide) in samples.guides() {
        out.heading(2, binding.key(), &binding.to_string());
        out.documentation(Some(&guide));
    }
    write_types(&mut out, &samples.types);
    write_errors(&mut out, &samples);
    out.finish()
}

fn write_operation<'d>(
    out: &mut Markdown,
    samples: &'d Samples<'d>,
    operation: At<'d, Operation<'d>>,
) {
    let name = markdown::plain(operation.name);
    out.heading(3, &format!("operation-{}", operation.name), operation.name);
    out.documentation(operation.documentation());
    if operation.bindings.has_soap() {
        out.paragraph(&format!("SOAPAction: {}", code(operation.action)));
    }
    let parameters = operation.parameters();
    if !parameters.elements.is_empty() {
        out.paragraph("Parameters:");
    }
    write_table(out, parameters, "No parameters.");
    match (operation.result(), operation.one_way) {
        _ if operation.has_results() => {
            out.paragraph("Results:");
            write_table(out, operation.response(), "");
        }
        (Some(result), _) => {
            let about = after_dash(result.documentation());
            out.paragraph(&format!("Result: {}{about}", type_name(result)));
        }
        (None, true) => {
            out.paragraph("Nothing is answered: over SOAP, 202 says that the request was read.");
        }
        (None, false) => out.paragraph("No result."),
    }
    for sample in samples.of(operation, HOST) {
        out.paragraph(&format!("#### {name} over {}", sample.binding));
        out.block("http", sample.request.as_str());
        out.block("http", sample.response.as_str());
    }
    for (fault, binding, response) in samples.faults(operation) {
        let fault = markdown::plain(fault);
        out.paragraph(&format!("#### Fault {fault} over {binding}"));
        out.block("http", response.as_str());
    }
}

fn write_types(out: &mut Markdown, types: &Types<'_>) {
    let definitions: Vec<_> = types.definitions().collect();
    if definitions.is_empty() {
        return;
    }
    out.heading(2, "types", "Types");
    for definition in definitions {
        out.heading(3, &anchor(definition), definition.name());
        out.documentation(definition.documentation());
        if let (Some(namespace), _) = definition.qualified_name() {
            out.paragraph(&format!("Namespace: {}", code(namespace)));
        }
        match definition {
            TypeAt::Complex(complex) => write_complex_type(out, complex),
            TypeAt::Enumeration(enumeration) => write_values(out, enumeration),
            TypeAt::Simple(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => {}
        }
    }
}

fn write_complex_type(out: &mut Markdown, complex: At<'_, ComplexType<'_>>) {
    if complex.unordered {
        out.paragraph("Its elements stand in any order.");
    }
    if complex.is_abstract {
        out.paragraph("Abstract: `xsi:type` says which type that extends it a value is of.");
    }
    if let Some(base) = complex.base() {
        let base = link(TypeAt::Complex(base));
        let [what, of_that] = derivation(complex);
        out.paragraph(&format!("{what} {base}: {of_that}."));
    }
    write_table(out, complex, "Nothing of its own is in it.");
}

fn write_values(out: &mut Markdown, enumeration: At<'_, Enumeration<'_>>) {
    if enumeration.flags {
        out.paragraph(FLAGS);
    }
    if enumeration.base != SimpleType::String {
        out.paragraph(&format!("Values of the type {}.", enumeration.base.name()));
    }
    for value in enumeration.values() {
        let about = after_dash(value.documentation());
        let net = note_of_value(value);
        let net = net.map_or_else(String::new, |net| format!(" ({})", markdown::plain(&net)));
        put!(out, "- {}{net}{about}\n", code(value.name));
    }
    put!(out, "\n");
}

fn write_errors<'d>(out: &mut Markdown, samples: &'d Samples<'d>) {
    out.heading(2, "errors", "Errors");
    out.table(
        "| What happened | SOAP 1.1 | SOAP 1.2 | HTTP GET and POST |",
        errors(),
    );
    for (binding, sample) in samples.failures() {
        out.paragraph(&format!("A failure over {binding}:"));
        out.block("http", sample.as_str());
    }
}

/// Writes a table of the members that a type does not inherit, or the text for no members.
fn write_table(out: &mut Markdown, complex: At<'_, ComplexType<'_>>, nothing: &str) {
    if let Some(set) = complex.data_set {
        out.paragraph(SET_OF_TABLES);
        return out.block("xml", set.schema);
    }
    let rows = rows(complex);
    if rows.is_empty() {
        return out.paragraph(nothing);
    }
    let rows = rows.into_iter().map(|Row { element, notes }| {
        [
            code(element.name),
            type_name(element),
            markdown::plain(&notes.join(", ")),
            markdown::line(element.documentation()),
        ]
    });
    out.table("| Name | Type | | Meaning |", rows);
}

/// Documentation on one line, after a dash.
fn after_dash(documentation: Option<&str>) -> String {
    match markdown::line(documentation).as_str() {
        "" => String::new(),
        line => format!(" – {line}"),
    }
}

fn type_name(element: At<'_, Element<'_>>) -> String {
    match element.type_at() {
        TypeAt::Simple(simple) => code(simple.name()),
        definition @ (TypeAt::Complex(_) | TypeAt::Enumeration(_)) => link(definition),
        TypeAt::List(item) => format!("list of {}", type_name(item)),
        TypeAt::Dictionary(value) => format!("dictionary of {}", type_name(value)),
    }
}

fn link(definition: TypeAt<'_>) -> String {
    format!("[{}](#{})", code(definition.name()), anchor(definition))
}

/// Returns the documentation as one self-contained HTML page.
pub fn html(service: At<'_, Service<'_>>) -> String {
    let samples = Samples::new(service);
    let mut html = Html::new(true);
    let definitions: Vec<_> = samples.types.definitions().collect();
    let guides: Vec<_> = samples.guides().collect();
    let mut links = vec![("#operations".to_owned(), "Operations".to_owned())];
    let to_guides = guides.iter();
    links
        .extend(to_guides.map(|(binding, _)| (format!("#{}", binding.key()), binding.to_string())));
    if !definitions.is_empty() {
        links.push(("#types".to_owned(), "Types".to_owned()));
    }
    links.push(("#errors".to_owned(), "Errors".to_owned()));
    let rail = service.operations();
    let rail = rail.map(|operation| {
        (
            format!("#operation-{}", operation.name),
            operation.row().name,
        )
    });
    html.open(&Frame {
        title: &format!("{} Web Service", service.name),
        // A page in a file states its policy itself.
        head: &format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
            policy::FILE
        ),
        style: None,
        brand: service.name,
        home: "#main",
        logo: "",
        links: ("Parts", &links),
        rail: &rail.collect::<Vec<_>>(),
        current: None,
    });
    html.heading(service.name);
    html.documentation("lead", service.documentation());
    put!(html, "<dl class=\"facts\">");
    html.exact_fact("Path", service.path);
    html.exact_fact("Namespace", service.namespace);
    if let Some(zone) = service.time_zone {
        html.exact_fact("Time zone", zone);
    }
    put!(html, "</dl>\n");
    html.operations(service, "#operation-");
    for operation in service.operations() {
        put_operation(&mut html, &samples, operation);
    }
    for (binding, guide) in &guides {
        html.section(binding.key(), &binding.to_string(), |html| {
            html.documentation("", Some(guide));
        });
    }
    html.all_faults(service, |operation, _| format!("#operation-{operation}"));
    html.definitions(&definitions);
    put_errors(&mut html, &samples);
    html.close(&[frame::SCRIPT]);
    html.finish()
}

fn put_operation<'d>(html: &mut Html, samples: &'d Samples<'d>, operation: At<'d, Operation<'d>>) {
    let id = format!("operation-{}", escaped(operation.name));
    html.section(&id, &escaped(operation.name), |html| {
        put!(html, "<p class=\"under\">");
        html.signature(operation);
        put!(html, "</p>\n");
        html.documentation("lead", operation.documentation());
        html.facts(operation);
        put!(
            html,
            "<div class=\"columns\">\n<div class=\"reference\">\n<h3>Parameters</h3>\n"
        );
        html.parameters(operation);
        html.soap_headers(operation, 3);
        html.limits(samples.service, operation, 3);
        put!(
            html,
            "</div>\n<div class=\"side\">\n<h3>Samples</h3>\n<p class=\"muted\">{PLACEHOLDERS}</p>\n"
        );
        html.samples(operation, &samples.of(operation, HOST), 4, true);
        for (fault, binding, response) in samples.faults(operation) {
            let what = format!("Fault {fault} over {binding}");
            put!(
                html,
                "<details><summary>{}</summary><div>\n",
                escaped(&what)
            );
            html.sample(&what, &response);
            put!(html, "</div></details>\n");
        }
        put!(html, "</div>\n</div>\n");
    });
}

fn put_errors<'d>(html: &mut Html, samples: &'d Samples<'d>) {
    html.section("errors", "Errors", |html| {
        put!(html, "<div class=\"card\">");
        let [soap11, soap12] = Binding::SOAP.map(|binding| binding.to_string());
        let headings = ["What happened", &soap11, &soap12, "HTTP GET and POST"];
        html.table(&headings, |html| {
            for row in errors() {
                let (case, answers) = (row[0], row[1..].join("</td><td>"));
                put!(
                    html,
                    "<tr><th scope=\"row\">{case}</th><td>{answers}</td></tr>\n"
                );
            }
        });
        put!(html, "</div>\n");
        for (binding, sample) in samples.failures() {
            let what = format!("A failure over {binding}");
            put!(html, "<h3>{what}</h3>\n");
            html.sample(&what, &sample);
        }
    });
}

/// The operations, sorted by name.
fn sorted<'a>(service: At<'a, Service<'a>>) -> Vec<At<'a, Operation<'a>>> {
    let mut operations: Vec<_> = service.operations().collect();
    operations.sort_by_key(|operation| operation.name);
    operations
}
