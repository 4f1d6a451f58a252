//! The parts of HTML pages: frame, tables of elements, types, samples. All text of a definition is escaped.

use std::fmt::{self, Write};

use svcgen_model::{At, ComplexType, Element, Enumeration, Operation, Service, TypeAt};

use crate::escape::escaped;
use crate::prose::{Span, paragraphs, spans};
use crate::rows::{FLAGS, Row, SET_OF_TABLES, anchor, derivation, note_of_value, rows};
use crate::samples::{Piece, Sample, Template};

/// The style sheet of every page.
pub(crate) const STYLE: &str = include_str!("page/style.css");

/// A page being written.
pub(crate) struct Html {
    markup: String,
    /// Whether it contains documentation.
    documented: bool,
}

/// Writes formatted markup; the caller passes text through [`escaped`].
macro_rules! put {
    ($html:expr, $($arguments:tt)*) => { $html.put(format_args!($($arguments)*)) };
}
pub(crate) use put;

impl Html {
    pub fn new(documented: bool) -> Self {
        Self {
            markup: String::with_capacity(16 * 1024),
            documented,
        }
    }

    pub fn put(&mut self, markup: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.markup.write_fmt(markup);
    }

    pub fn finish(self) -> String {
        self.markup
    }

    /// The documentation, if the page contains any.
    pub fn words<'w>(&self, documentation: Option<&'w str>) -> Option<&'w str> {
        documentation.filter(|_| self.documented)
    }

    /// Writes the page up to its content, with a line of its own in the head.
    pub fn head(&mut self, title: &str, line: fmt::Arguments<'_>) {
        put!(
            self,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{line}\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to the content</a>\n",
            escaped(title),
        );
    }

    /// Writes the header and the heading. The name of the service links to `home`.
    pub fn banner(&mut self, service: &str, home: &str, nav: &str, heading: &str) {
        put!(
            self,
            "<header><a class=\"brand\" href=\"{home}\">{} <span>Web Service</span></a>{nav}</header>\n",
            escaped(service),
        );
        self.heading(heading);
    }

    /// Writes the heading, which begins the content.
    pub fn heading(&mut self, heading: &str) {
        put!(self, "<main id=\"main\">\n<h1>{}</h1>\n", escaped(heading));
    }

    pub fn section(&mut self, id: &str, heading: &str, inside: impl FnOnce(&mut Self)) {
        put!(
            self,
            "<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{heading}</h2>\n"
        );
        inside(self);
        put!(self, "</section>\n");
    }

    pub fn table(&mut self, headings: &[&str], rows: impl FnOnce(&mut Self)) {
        put!(self, "<table>\n<thead><tr>");
        for heading in headings {
            put!(self, "<th scope=\"col\">{heading}</th>");
        }
        put!(self, "</tr></thead>\n<tbody>\n");
        rows(self);
        put!(self, "</tbody></table>");
    }

    /// Writes the end of the content and the footer.
    pub fn foot(&mut self) {
        put!(
            self,
            "</main>\n<footer><p>Written from the definition of the service.</p></footer>\n"
        );
    }

    /// Writes the paragraphs of documentation.
    pub fn documentation(&mut self, class: &str, documentation: Option<&str>) {
        for paragraph in paragraphs(self.words(documentation)) {
            put!(self, "<p class=\"{class}\">");
            for span in spans(&paragraph) {
                match span {
                    Span::Text(text) => put!(self, "{}", escaped(text)),
                    Span::Code(text) => put!(self, "<code>{}</code>", escaped(text)),
                }
            }
            put!(self, "</p>\n");
        }
    }

    /// Writes a name and its value in a list of facts.
    pub fn fact(&mut self, name: &str, value: &str) {
        put!(self, "<dt>{name}</dt><dd>{}</dd>\n", escaped(value));
    }

    /// Writes a name and a value that callers copy.
    pub fn exact_fact(&mut self, name: &str, value: &str) {
        put!(
            self,
            "<dt>{name}</dt><dd><code>{}</code></dd>\n",
            escaped(value)
        );
    }

    /// Writes the operations; each name links to `link` and the name.
    pub fn operations(&mut self, service: At<'_, Service<'_>>, link: &str) {
        self.section("operations", "Operations", |html| {
            put!(html, "<ul class=\"list\">\n");
            for operation in sorted(service) {
                let name = escaped(operation.name);
                put!(html, "<li><a href=\"{link}{name}\">{name}</a>\n");
                html.documentation("", operation.documentation());
                put!(html, "</li>\n");
            }
            put!(html, "</ul>");
        });
    }

    /// Writes result, bindings, SOAPAction and faults of an operation.
    pub fn facts(&mut self, operation: At<'_, Operation<'_>>) {
        put!(self, "<dl class=\"facts\">");
        for result in operation.results() {
            put!(self, "<dt>Result");
            if operation.has_results() {
                put!(self, " {}", escaped(result.name));
            }
            put!(self, "</dt><dd>");
            self.type_name(result);
            put!(self, "</dd>\n");
        }
        if operation.one_way {
            self.fact(
                "Answer",
                "none: over SOAP, 202 says that the request was read",
            );
        }
        self.fact("Bindings", &binding_names(operation));
        if operation.bindings.has_soap() {
            self.exact_fact("SOAPAction", operation.action);
        }
        if !operation.faults.is_empty() {
            let names: Vec<_> = operation.faults().map(|fault| fault.name).collect();
            self.fact("Faults", &names.join(", "));
        }
        put!(self, "</dl>\n");
    }

    /// Writes the parameters of an operation.
    pub fn parameters(&mut self, operation: At<'_, Operation<'_>>) {
        put!(self, "<div class=\"card\">\n");
        self.elements(operation.parameters(), "None.");
        put!(self, "</div>\n");
    }

    /// Writes a message in a box that scrolls.
    pub fn sample(&mut self, label: &str, template: &Template) {
        put!(
            self,
            "<pre tabindex=\"0\" role=\"region\" aria-label=\"{}\">",
            escaped(label)
        );
        for piece in template.pieces() {
            match piece {
                Piece::Text(text) => put!(self, "{}", escaped(text)),
                Piece::Placeholder(text) => put!(self, "<i>{}</i>", escaped(text)),
            }
        }
        put!(self, "</pre>\n");
    }

    /// Writes the samples of an operation, by binding.
    pub fn samples(&mut self, operation: At<'_, Operation<'_>>, samples: &[Sample], level: usize) {
        for (index, sample) in samples.iter().enumerate() {
            let binding = sample.binding;
            let open = if index == 0 { " open" } else { "" };
            put!(
                self,
                "<details{open}><summary>{binding}</summary><div>\n<h{level}>Request</h{level}>\n"
            );
            let of = |what| format!("{what} of {} over {binding}", operation.name);
            self.sample(&of("Sample request"), &sample.request);
            put!(self, "<h{level}>Response</h{level}>\n");
            self.sample(&of("Sample response"), &sample.response);
            put!(self, "</div></details>\n");
        }
    }

    /// Writes a table of the members that a type does not inherit, or the text for no members.
    fn elements(&mut self, complex: At<'_, ComplexType<'_>>, nothing: &str) {
        if let Some(set) = complex.data_set {
            put!(self, "<p>{SET_OF_TABLES}</p>\n");
            let mut schema = Template::default();
            schema.text(set.schema);
            return self.sample(&format!("Schema of {}", complex.name), &schema);
        }
        let rows = rows(complex);
        if rows.is_empty() {
            return put!(self, "<p class=\"muted\">{nothing}</p>\n");
        }
        self.table(&["Name", "Type", "Meaning"], |html| {
            for Row { element, notes } in rows {
                let name = escaped(element.name);
                put!(html, "<tr><th scope=\"row\">{name}</th><td>");
                html.type_name(element);
                for note in &notes {
                    put!(html, " <span class=\"badge\">{}</span>", escaped(note));
                }
                put!(html, "</td><td>");
                html.documentation("", element.documentation());
                put!(html, "</td></tr>\n");
            }
        });
        put!(self, "\n");
    }

    /// Writes the type of an element; the name of a complex type or an enumeration is a link.
    fn type_name(&mut self, element: At<'_, Element<'_>>) {
        match element.type_at() {
            TypeAt::Simple(simple) => {
                put!(self, "<span class=\"type\">{}</span>", simple.name());
            }
            definition @ (TypeAt::Complex(_) | TypeAt::Enumeration(_)) => self.link(definition),
            TypeAt::List(item) => {
                put!(self, "list of ");
                self.type_name(item);
            }
        }
    }

    /// Writes the name of a type, which leads to its section.
    fn link(&mut self, definition: TypeAt<'_>) {
        let (to, name) = (anchor(definition), definition.name());
        let [to, name] = [&to, name].map(escaped);
        put!(self, "<a class=\"type\" href=\"#{to}\">{name}</a>");
    }

    /// Writes types and enumerations, each a section.
    pub fn definitions(&mut self, definitions: &[TypeAt<'_>]) {
        if !definitions.is_empty() {
            self.section("types", "Types", |html| {
                definitions.iter().for_each(|each| html.definition(*each));
            });
        }
    }

    fn definition(&mut self, definition: TypeAt<'_>) {
        let (id, name) = (anchor(definition), definition.name());
        let [id, name] = [&id, name].map(escaped);
        put!(
            self,
            "<section class=\"card\" id=\"{id}\" aria-labelledby=\"{id}-name\">\n<h3 id=\"{id}-name\">{name}"
        );
        let badge = match definition {
            TypeAt::Complex(complex) if complex.is_abstract => "abstract",
            TypeAt::Complex(complex) if complex.unordered => "in any order",
            TypeAt::Enumeration(_) => "enumeration",
            _ => "",
        };
        if !badge.is_empty() {
            put!(self, " <span class=\"badge\">{badge}</span>");
        }
        put!(self, "</h3>\n");
        self.documentation("muted", definition.documentation());
        if let (Some(namespace), _) = definition.qualified_name() {
            put!(
                self,
                "<p>Namespace: <code>{}</code></p>\n",
                escaped(namespace)
            );
        }
        match definition {
            TypeAt::Complex(complex) => self.complex_type(complex),
            TypeAt::Enumeration(enumeration) => self.values(enumeration),
            TypeAt::Simple(_) | TypeAt::List(_) => {}
        }
        put!(self, "</section>\n");
    }

    fn complex_type(&mut self, complex: At<'_, ComplexType<'_>>) {
        if let Some(base) = complex.base() {
            let [what, of_that] = derivation(complex);
            put!(self, "<p>{what} ");
            self.link(TypeAt::Complex(base));
            put!(self, ": {of_that}.</p>\n");
        }
        self.elements(complex, "Nothing of its own is in it.");
    }

    fn values(&mut self, enumeration: At<'_, Enumeration<'_>>) {
        if enumeration.flags {
            put!(self, "<p>{FLAGS}</p>\n");
        }
        put!(self, "<ul class=\"values\">\n");
        for value in enumeration.values() {
            put!(self, "<li><code>{}</code>", escaped(value.name));
            if let Some(net) = note_of_value(value) {
                put!(self, " <span class=\"badge\">{}</span>", escaped(&net));
            }
            for text in paragraphs(self.words(value.documentation())) {
                put!(self, " <span class=\"muted\">{}</span>", escaped(&text));
            }
            put!(self, "</li>\n");
        }
        put!(self, "</ul>\n");
    }
}

/// The names of the bindings of an operation.
pub(crate) fn binding_names(operation: At<'_, Operation<'_>>) -> String {
    let bindings = operation.bindings.iter();
    let names: Vec<_> = bindings.map(|binding| binding.to_string()).collect();
    names.join(", ")
}

/// The operations, sorted by name.
pub(crate) fn sorted<'a>(service: At<'a, Service<'a>>) -> Vec<At<'a, Operation<'a>>> {
    let mut operations: Vec<_> = service.operations().collect();
    operations.sort_by_key(|operation| operation.name);
    operations
}
