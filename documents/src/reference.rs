//! Reference documentation of a service for people who write callers: operations with samples, types, and what goes wrong how.

use crate::description::{Description, Operation};
use crate::errors::{ERRORS, Outcome};
use crate::escape::escaped;
use crate::html::{Html, all_definitions, binding_name, binding_names, put, sorted};
use crate::markdown::{self, Markdown, code};
use crate::page::{PLACEHOLDERS, policy, section};
use crate::rows::{Row, rows, rows_of};
use crate::samples;
use crate::schema::{Content, Element};
use crate::types::Types;

/// The host in samples.
const HOST: &str = "localhost";

/// The documentation as Markdown.
pub fn markdown(description: &Description<'_>) -> String {
    let mut out = Markdown::default();
    out.heading(1, "service", &format!("{} Web Service", description.name));
    out.documentation(description.documentation);
    out.put(format_args!("| | |\n|---|---|\n"));
    out.row(&["Path", &code(description.path)]);
    out.row(&["Namespace", &code(description.namespace)]);
    out.put(format_args!("\n"));
    let operations = sorted(description);
    out.heading(2, "operations", "Operations");
    out.put(format_args!("| Operation | Bindings | |\n|---|---|---|\n"));
    for operation in &operations {
        let link = format!("[{}](#operation-{})", code(operation.name), operation.name);
        out.row(&[
            &link,
            &binding_names(operation),
            &markdown::line(operation.documentation),
        ]);
    }
    out.put(format_args!("\n"));
    let types = Types::of(description);
    for operation in &operations {
        write_operation(&mut out, description, operation, &types);
    }
    write_types(&mut out, description, &types);
    write_errors(&mut out, description);
    out.finish()
}

fn write_operation(
    out: &mut Markdown,
    description: &Description<'_>,
    operation: &Operation<'_>,
    types: &Types<'_>,
) {
    out.heading(3, &format!("operation-{}", operation.name), operation.name);
    out.documentation(operation.documentation);
    if operation.bindings.soap11 || operation.bindings.soap12 {
        out.put(format_args!("SOAPAction: {}\n\n", code(operation.action)));
    }
    match operation.parameters {
        [] => out.put(format_args!("No parameters.\n\n")),
        parameters => {
            out.put(format_args!("Parameters:\n\n"));
            table(out, &rows(parameters), types);
        }
    }
    match (&operation.result, operation.one_way) {
        (Some(result), _) => {
            let documentation = markdown::line(result.documentation);
            let dash = if documentation.is_empty() {
                ""
            } else {
                " – "
            };
            out.put(format_args!(
                "Result: {}{dash}{documentation}\n\n",
                type_name(result, types)
            ));
        }
        (None, true) => out.put(format_args!(
            "Nothing is answered: over SOAP, 202 says that the request was read.\n\n"
        )),
        (None, false) => out.put(format_args!("No result.\n\n")),
    }
    for sample in samples::of(description, operation, HOST) {
        out.put(format_args!(
            "#### {} over {}\n\n",
            markdown::plain(operation.name),
            binding_name(sample.binding)
        ));
        out.block("http", sample.request.as_str());
        out.block("http", sample.response.as_str());
    }
    for fault in samples::faults(description, operation) {
        out.put(format_args!(
            "#### Fault {} over {}\n\n",
            markdown::plain(fault.name),
            binding_name(fault.binding)
        ));
        out.block("http", fault.response.as_str());
    }
}

fn write_types(out: &mut Markdown, description: &Description<'_>, types: &Types<'_>) {
    if description.types.is_empty() && description.enumerations.is_empty() {
        return;
    }
    out.heading(2, "types", "Types");
    for complex in description.types {
        out.heading(3, &format!("type-{}", complex.name), complex.name);
        out.documentation(complex.documentation);
        if complex.is_abstract {
            out.put(format_args!(
                "Abstract: `xsi:type` says which type that extends it a value is of.\n\n"
            ));
        }
        if let Some(base) = complex.extends {
            out.put(format_args!(
                "Extends {}: its attributes and elements come first.\n\n",
                link(base)
            ));
        }
        match rows_of(complex) {
            rows if rows.is_empty() => out.put(format_args!("Nothing of its own is in it.\n\n")),
            rows => table(out, &rows, types),
        }
    }
    for enumeration in description.enumerations {
        out.heading(3, &format!("type-{}", enumeration.name), enumeration.name);
        out.documentation(enumeration.documentation);
        for value in enumeration.values {
            let documentation = markdown::line(value.documentation);
            let dash = if documentation.is_empty() {
                ""
            } else {
                " – "
            };
            out.put(format_args!(
                "- {}{dash}{documentation}\n",
                code(value.name)
            ));
        }
        out.put(format_args!("\n"));
    }
}

fn write_errors(out: &mut Markdown, description: &Description<'_>) {
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
    for (binding, sample) in samples::failures(description) {
        out.put(format_args!(
            "A failure over {}:\n\n",
            binding_name(binding)
        ));
        out.block("http", sample.as_str());
    }
}

fn table(out: &mut Markdown, rows: &[Row<'_>], types: &Types<'_>) {
    out.put(format_args!(
        "| Name | Type | | Meaning |\n|---|---|---|---|\n"
    ));
    for Row {
        name,
        element,
        notes,
    } in rows
    {
        let documentation = markdown::line(element.documentation);
        let notes = markdown::plain(&notes.join(", "));
        out.row(&[
            &code(name),
            &type_name(element, types),
            &notes,
            &documentation,
        ]);
    }
    out.put(format_args!("\n"));
}

fn type_name(element: &Element<'_>, types: &Types<'_>) -> String {
    match element.content {
        Content::Type(name) if types.find(name).is_some() => link(name),
        Content::Type(name) => code(name),
        Content::List(item) => format!("list of {}", type_name(item, types)),
        Content::Choice(_) => "choice".to_owned(),
    }
}

fn link(name: &str) -> String {
    format!("[{}](#type-{name})", code(name))
}

/// The documentation as one HTML page that needs nothing else.
pub fn html(description: &Description<'_>) -> String {
    let types = Types::of(description);
    let mut html = Html::new(true);
    html.head(
        &format!("{} Web Service", description.name),
        Some(policy::FILE),
    );
    let definitions = all_definitions(description);
    let to_types = match definitions.is_empty() {
        true => "",
        false => "<a href=\"#types\">Types</a>",
    };
    put!(
        html,
        "<header><a class=\"brand\" href=\"#main\">{} <span>Web Service</span></a><nav aria-label=\"Parts\"><a href=\"#operations\">Operations</a>{to_types}<a href=\"#errors\">Errors</a></nav></header>\n<main id=\"main\">\n<h1>{}</h1>\n",
        escaped(description.name),
        escaped(description.name)
    );
    html.documentation("lead", description.documentation);
    put!(html, "<dl class=\"facts\">");
    html.exact_fact("Path", description.path);
    html.exact_fact("Namespace", description.namespace);
    put!(html, "</dl>\n");
    html.operations(description, "#operation-");
    for operation in sorted(description) {
        put_operation(&mut html, description, operation, &types);
    }
    html.definitions(&definitions, &types);
    put_errors(&mut html, description);
    html.foot();
    html.finish()
}

fn put_operation(
    html: &mut Html,
    description: &Description<'_>,
    operation: &Operation<'_>,
    types: &Types<'_>,
) {
    let id = format!("operation-{}", escaped(operation.name));
    section(html, &id, &escaped(operation.name), |html| {
        html.documentation("lead", operation.documentation);
        html.facts(operation, types);
        put!(html, "<h3>Parameters</h3>\n");
        html.parameters(operation, types);
        put!(
            html,
            "<h3>Samples</h3>\n<p class=\"muted\">{PLACEHOLDERS}</p>\n"
        );
        html.samples(operation, &samples::of(description, operation, HOST), 4);
        for fault in samples::faults(description, operation) {
            let what = format!("Fault {} over {}", fault.name, binding_name(fault.binding));
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

fn put_errors(html: &mut Html, description: &Description<'_>) {
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
        for (binding, sample) in samples::failures(description) {
            let what = format!("A failure over {}", binding_name(binding));
            put!(html, "<h3>{what}</h3>\n");
            html.sample(&what, &sample);
        }
    });
}
