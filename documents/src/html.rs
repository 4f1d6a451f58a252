//! What the pages of a service have in common: the frame, tables of elements, types, samples. Everything that comes from a definition is escaped.

use std::fmt::{self, Write};

use svcgen_model::{At, ComplexType, Element, Enumeration, Operation, Service, TypeAt};

use crate::escape::escaped;
use crate::prose::{Span, paragraphs, spans};
use crate::rows::{Row, rows};
use crate::samples::{Piece, Sample, Template};

/// The style sheet of every page.
pub(crate) const STYLE: &str = include_str!("page/style.css");

/// A page being written.
pub(crate) struct Html {
    markup: String,
    /// Whether documentation is part of it.
    documented: bool,
}

/// Writes markup as `format!` does; what is not constant is [`escaped`] by whoever writes it.
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

    /// A documentation, if it is part of the page.
    pub fn words<'w>(&self, documentation: Option<&'w str>) -> Option<&'w str> {
        documentation.filter(|_| self.documented)
    }

    /// From the doctype to the start of the body. A page that is a file says its policy itself.
    pub fn head(&mut self, title: &str, policy: Option<&str>) {
        put!(
            self,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        );
        if let Some(policy) = policy {
            put!(
                self,
                "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"
            );
        }
        put!(
            self,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to the content</a>\n",
            escaped(title),
        );
    }

    /// The end of the content, and what stands below.
    pub fn foot(&mut self) {
        put!(
            self,
            "</main>\n<footer><p>Written from the definition of the service.</p></footer>\n"
        );
    }

    /// A paragraph of documentation for each paragraph of the text.
    pub fn documentation(&mut self, class: &str, documentation: Option<&str>) {
        for paragraph in paragraphs(self.words(documentation)) {
            put!(self, "<p class=\"{class}\">");
            self.prose(&paragraph);
            put!(self, "</p>\n");
        }
    }

    fn prose(&mut self, paragraph: &str) {
        for span in spans(paragraph) {
            match span {
                Span::Text(text) => put!(self, "{}", escaped(text)),
                Span::Code(text) => put!(self, "<code>{}</code>", escaped(text)),
            }
        }
    }

    /// A name and its value in a list of facts.
    pub fn fact(&mut self, name: &str, value: &str) {
        put!(self, "<dt>{name}</dt><dd>{}</dd>\n", escaped(value));
    }

    /// A name and its value, to be copied letter for letter.
    pub fn exact_fact(&mut self, name: &str, value: &str) {
        put!(
            self,
            "<dt>{name}</dt><dd><code>{}</code></dd>\n",
            escaped(value)
        );
    }

    /// The operations; their names lead to `link` and the name.
    pub fn operations(&mut self, service: At<'_, Service<'_>>, link: &str) {
        put!(
            self,
            "<section aria-labelledby=\"operations\"><h2 id=\"operations\">Operations</h2>\n<ul class=\"list\">\n"
        );
        for operation in sorted(service) {
            let name = escaped(operation.name);
            put!(self, "<li><a href=\"{link}{name}\">{name}</a>\n");
            self.documentation("", operation.documentation());
            put!(self, "</li>\n");
        }
        put!(self, "</ul></section>\n");
    }

    /// What an operation answers, and over what it is called.
    pub fn facts(&mut self, operation: At<'_, Operation<'_>>) {
        put!(self, "<dl class=\"facts\">");
        if let Some(result) = operation.result() {
            put!(self, "<dt>Result</dt><dd>");
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

    /// The parameters of an operation.
    pub fn parameters(&mut self, operation: At<'_, Operation<'_>>) {
        put!(self, "<div class=\"card\">\n");
        self.elements(operation.parameters(), "None.");
        put!(self, "</div>\n");
    }

    /// A sample, or anything else with placeholders, in a box that scrolls.
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

    /// Samples of an operation, a binding at a time.
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

    /// A table of what a type has of its own; without anything, these words.
    fn elements(&mut self, complex: At<'_, ComplexType<'_>>, nothing: &str) {
        let rows = rows(complex);
        if rows.is_empty() {
            return put!(self, "<p class=\"muted\">{nothing}</p>\n");
        }
        put!(
            self,
            "<table>\n<thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Type</th><th scope=\"col\">Meaning</th></tr></thead>\n<tbody>\n"
        );
        for Row { element, notes } in rows {
            let name = escaped(element.name);
            put!(self, "<tr><th scope=\"row\">{name}</th><td>");
            self.type_name(element);
            for note in &notes {
                put!(self, " <span class=\"badge\">{}</span>", escaped(note));
            }
            put!(self, "</td><td>");
            self.documentation("", element.documentation());
            put!(self, "</td></tr>\n");
        }
        put!(self, "</tbody></table>\n");
    }

    /// The type of an element; the name of one that is defined leads to it.
    fn type_name(&mut self, element: At<'_, Element<'_>>) {
        let name = escaped(element.type_name());
        match element.type_at() {
            TypeAt::Simple(_) => put!(self, "<span class=\"type\">{name}</span>"),
            TypeAt::Complex(_) | TypeAt::Enumeration(_) => {
                put!(self, "<a class=\"type\" href=\"#type-{name}\">{name}</a>");
            }
            TypeAt::List(item) => {
                put!(self, "list of ");
                self.type_name(item);
            }
        }
    }

    /// Types and enumerations, each a section that links lead to.
    pub fn definitions(&mut self, definitions: &[TypeAt<'_>]) {
        if definitions.is_empty() {
            return;
        }
        put!(
            self,
            "<section aria-labelledby=\"types\"><h2 id=\"types\">Types</h2>\n"
        );
        for definition in definitions {
            match definition {
                TypeAt::Complex(complex) => self.complex_type(*complex),
                TypeAt::Enumeration(enumeration) => self.enumeration(*enumeration),
                TypeAt::Simple(_) | TypeAt::List(_) => {}
            }
        }
        put!(self, "</section>\n");
    }

    fn complex_type(&mut self, complex: At<'_, ComplexType<'_>>) {
        let name = escaped(complex.name);
        put!(
            self,
            "<section class=\"card\" id=\"type-{name}\" aria-labelledby=\"type-{name}-name\">\n<h3 id=\"type-{name}-name\">{name}"
        );
        if complex.is_abstract {
            put!(self, " <span class=\"badge\">abstract</span>");
        }
        put!(self, "</h3>\n");
        self.documentation("muted", complex.documentation());
        if let Some(base) = complex.base() {
            let base = escaped(base.name);
            put!(
                self,
                "<p>Extends <a class=\"type\" href=\"#type-{base}\">{base}</a>: its attributes and elements come first.</p>\n"
            );
        }
        self.elements(complex, "Nothing of its own is in it.");
        put!(self, "</section>\n");
    }

    fn enumeration(&mut self, enumeration: At<'_, Enumeration<'_>>) {
        let name = escaped(enumeration.name);
        put!(
            self,
            "<section class=\"card\" id=\"type-{name}\" aria-labelledby=\"type-{name}-name\">\n<h3 id=\"type-{name}-name\">{name} <span class=\"badge\">enumeration</span></h3>\n"
        );
        self.documentation("muted", enumeration.documentation());
        put!(self, "<ul class=\"values\">\n");
        for value in enumeration.values() {
            put!(self, "<li><code>{}</code>", escaped(value.name));
            for paragraph in paragraphs(self.words(value.documentation())) {
                put!(
                    self,
                    " <span class=\"muted\">{}</span>",
                    escaped(&paragraph)
                );
            }
            put!(self, "</li>\n");
        }
        put!(self, "</ul>\n</section>\n");
    }
}

/// The names of the bindings of an operation.
pub(crate) fn binding_names(operation: At<'_, Operation<'_>>) -> String {
    let names: Vec<_> = operation
        .bindings
        .iter()
        .map(|each| each.to_string())
        .collect();
    names.join(", ")
}

/// The operations in the order of their names.
pub(crate) fn sorted<'a>(service: At<'a, Service<'a>>) -> Vec<At<'a, Operation<'a>>> {
    let mut operations: Vec<_> = service.operations().collect();
    operations.sort_by_key(|operation| operation.name);
    operations
}
