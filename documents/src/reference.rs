//! Reference documentation of a service for people who write callers: operations with samples, types, and what goes wrong how.

use svcgen_model::{At, ComplexType, Element, Enumeration, Operation, Service, TypeAt};

use crate::errors::{ERRORS, Outcome};
use crate::escape::escaped;
use crate::html::{Html, binding_names, put, sorted};
use crate::markdown::{self, Markdown, code};
use crate::page::{PLACEHOLDERS, policy, section};
use crate::rows::{Row, rows};
use crate::samples;
use crate::types::Types;

/// The host in samples.
const HOST: &str = "localhost";

/// The documentation as Markdown.
pub fn markdown(service: At<'_, Service<'_>>) -> String {
    let mut out = Markdown::default();
    out.heading(1, "service", &format!("{} Web Service", service.name));
    out.documentation(service.documentation());
    out.put(format_args!("| | |\n|---|---|\n"));
    out.row(&["Path", &code(service.path)]);
    out.row(&["Namespace", &code(service.namespace)]);
    out.put(format_args!("\n"));
    let operations = sorted(service);
    out.heading(2, "operations", "Operations");
    out.put(format_args!("| Operation | Bindings | |\n|---|---|---|\n"));
    for operation in &operations {
        let link = format!("[{}](#operation-{})", code(operation.name), operation.name);
        out.row(&[
            &link,
            &binding_names(*operation),
            &markdown::line(operation.documentation()),
        ]);
    }
    out.put(format_args!("\n"));
    for operation in operations {
        write_operation(&mut out, service, operation);
    }
    write_types(&mut out, service);
    write_errors(&mut out, service);
    out.finish()
}

fn write_operation(
    out: &mut Markdown,
    service: At<'_, Service<'_>>,
    operation: At<'_, Operation<'_>>,
) {
    out.heading(3, &format!("operation-{}", operation.name), operation.name);
    out.documentation(operation.documentation());
    if operation.bindings.has_soap() {
        out.put(format_args!("SOAPAction: {}\n\n", code(operation.action)));
    }
    let parameters = operation.parameters();
    if !parameters.elements.is_empty() {
        out.put(format_args!("Parameters:\n\n"));
    }
    table(out, parameters, "No parameters.");
    match (operation.result(), operation.one_way) {
        (Some(result), _) => {
            let said = after_dash(result.documentation());
            out.put(format_args!("Result: {}{said}\n\n", type_name(result)));
        }
        (None, true) => out.put(format_args!(
            "Nothing is answered: over SOAP, 202 says that the request was read.\n\n"
        )),
        (None, false) => out.put(format_args!("No result.\n\n")),
    }
    for sample in samples::of(service, operation, HOST) {
        out.put(format_args!(
            "#### {} over {}\n\n",
            markdown::plain(operation.name),
            sample.binding
        ));
        out.block("http", sample.request.as_str());
        out.block("http", sample.response.as_str());
    }
    for fault in samples::faults(service, operation) {
        out.put(format_args!(
            "#### Fault {} over {}\n\n",
            markdown::plain(fault.name),
            fault.binding
        ));
        out.block("http", fault.response.as_str());
    }
}

fn write_types(out: &mut Markdown, service: At<'_, Service<'_>>) {
    let definitions: Vec<_> = Types::of(service).definitions().collect();
    if definitions.is_empty() {
        return;
    }
    out.heading(2, "types", "Types");
    for definition in definitions {
        let name = definition.name();
        out.heading(3, &format!("type-{name}"), name);
        match definition {
            TypeAt::Complex(complex) => write_complex_type(out, complex),
            TypeAt::Enumeration(enumeration) => write_enumeration(out, enumeration),
            TypeAt::Simple(_) | TypeAt::List(_) => {}
        }
    }
}

fn write_complex_type(out: &mut Markdown, complex: At<'_, ComplexType<'_>>) {
    out.documentation(complex.documentation());
    if complex.is_abstract {
        out.put(format_args!(
            "Abstract: `xsi:type` says which type that extends it a value is of.\n\n"
        ));
    }
    if let Some(base) = complex.base() {
        out.put(format_args!(
            "Extends {}: its attributes and elements come first.\n\n",
            link(base.name)
        ));
    }
    table(out, complex, "Nothing of its own is in it.");
}

fn write_enumeration(out: &mut Markdown, enumeration: At<'_, Enumeration<'_>>) {
    out.documentation(enumeration.documentation());
    for value in enumeration.values() {
        let said = after_dash(value.documentation());
        out.put(format_args!("- {}{said}\n", code(value.name)));
    }
    out.put(format_args!("\n"));
}

fn write_errors(out: &mut Markdown, service: At<'_, Service<'_>>) {
    out.heading(2, "errors", "Errors");
    out.put(format_args!(
        "| What happened | SOAP 1.1 | SOAP 1.2 | HTTP GET and POST |\n|---|---|---|---|\n"
    ));
    for Outcome {
        case,
        soap11,
        soap12,
        form,
    } in ERRORS
    {
        out.row(&[case, soap11, soap12, form]);
    }
    out.put(format_args!("\n"));
    for (binding, sample) in samples::failures(service) {
        out.put(format_args!("A failure over {binding}:\n\n"));
        out.block("http", sample.as_str());
    }
}

/// A table of what a type has of its own; without anything, these words.
fn table(out: &mut Markdown, complex: At<'_, ComplexType<'_>>, nothing: &str) {
    let rows = rows(complex);
    if rows.is_empty() {
        return out.put(format_args!("{nothing}\n\n"));
    }
    out.put(format_args!(
        "| Name | Type | | Meaning |\n|---|---|---|---|\n"
    ));
    for Row { element, notes } in rows {
        let notes = markdown::plain(&notes.join(", "));
        let documentation = markdown::line(element.documentation());
        let name = code(element.name);
        out.row(&[&name, &type_name(element), &notes, &documentation]);
    }
    out.put(format_args!("\n"));
}

/// Documentation behind what it is of.
fn after_dash(documentation: Option<&str>) -> String {
    match markdown::line(documentation).as_str() {
        "" => String::new(),
        line => format!(" – {line}"),
    }
}

fn type_name(element: At<'_, Element<'_>>) -> String {
    match element.type_at() {
        TypeAt::Simple(simple) => code(simple.name()),
        TypeAt::Complex(_) | TypeAt::Enumeration(_) => link(element.type_name()),
        TypeAt::List(item) => format!("list of {}", type_name(item)),
    }
}

fn link(name: &str) -> String {
    format!("[{}](#type-{name})", code(name))
}

/// The documentation as one HTML page that needs nothing else.
pub fn html(service: At<'_, Service<'_>>) -> String {
    let mut html = Html::new(true);
    html.head(&format!("{} Web Service", service.name), Some(policy::FILE));
    let definitions: Vec<_> = Types::of(service).definitions().collect();
    let to_types = if definitions.is_empty() {
        ""
    } else {
        "<a href=\"#types\">Types</a>"
    };
    put!(
        html,
        "<header><a class=\"brand\" href=\"#main\">{} <span>Web Service</span></a><nav aria-label=\"Parts\"><a href=\"#operations\">Operations</a>{to_types}<a href=\"#errors\">Errors</a></nav></header>\n<main id=\"main\">\n<h1>{}</h1>\n",
        escaped(service.name),
        escaped(service.name)
    );
    html.documentation("lead", service.documentation());
    put!(html, "<dl class=\"facts\">");
    html.exact_fact("Path", service.path);
    html.exact_fact("Namespace", service.namespace);
    put!(html, "</dl>\n");
    html.operations(service, "#operation-");
    for operation in sorted(service) {
        put_operation(&mut html, service, operation);
    }
    html.definitions(&definitions);
    put_errors(&mut html, service);
    html.foot();
    html.finish()
}

fn put_operation(html: &mut Html, service: At<'_, Service<'_>>, operation: At<'_, Operation<'_>>) {
    let id = format!("operation-{}", escaped(operation.name));
    section(html, &id, &escaped(operation.name), |html| {
        html.documentation("lead", operation.documentation());
        html.facts(operation);
        put!(html, "<h3>Parameters</h3>\n");
        html.parameters(operation);
        put!(
            html,
            "<h3>Samples</h3>\n<p class=\"muted\">{PLACEHOLDERS}</p>\n"
        );
        html.samples(operation, &samples::of(service, operation, HOST), 4);
        for fault in samples::faults(service, operation) {
            let what = format!("Fault {} over {}", fault.name, fault.binding);
            put!(
                html,
                "<details><summary>{}</summary><div>\n",
                escaped(&what)
            );
            html.sample(&what, &fault.response);
            put!(html, "</div></details>\n");
        }
    });
}

fn put_errors(html: &mut Html, service: At<'_, Service<'_>>) {
    section(html, "errors", "Errors", |html| {
        put!(
            html,
            "<div class=\"card\"><table>\n<thead><tr><th scope=\"col\">What happened</th><th scope=\"col\">SOAP 1.1</th><th scope=\"col\">SOAP 1.2</th><th scope=\"col\">HTTP GET and POST</th></tr></thead>\n<tbody>\n"
        );
        for Outcome {
            case,
            soap11,
            soap12,
            form,
        } in ERRORS
        {
            put!(
                html,
                "<tr><th scope=\"row\">{case}</th><td>{soap11}</td><td>{soap12}</td><td>{form}</td></tr>\n"
            );
        }
        put!(html, "</tbody></table></div>\n");
        for (binding, sample) in samples::failures(service) {
            let what = format!("A failure over {binding}");
            put!(html, "<h3>{what}</h3>\n");
            html.sample(&what, &sample);
        }
    });
}
