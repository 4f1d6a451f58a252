//! What the pages of a service have in common: the frame, tables of elements, types, samples. Everything that comes from a description is escaped.

use std::fmt::{self, Write};

use crate::description::{Binding, Description, Operation, TypeDefinition};
use crate::escape::escaped;
use crate::prose::{Span, paragraphs, spans};
use crate::rows::{Row, rows, rows_of};
use crate::samples::{Piece, Sample, Template};
use crate::schema::{ComplexType, Content, Element, Enumeration};
use crate::types::Types;

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
    pub fn operations(&mut self, description: &Description<'_>, link: &str) {
        put!(
            self,
            "<section aria-labelledby=\"operations\"><h2 id=\"operations\">Operations</h2>\n<ul class=\"list\">\n"
        );
        for operation in sorted(description) {
            let name = escaped(operation.name);
            put!(self, "<li><a href=\"{link}{name}\">{name}</a>\n");
            self.documentation("", operation.documentation);
            put!(self, "</li>\n");
        }
        put!(self, "</ul></section>\n");
    }

    /// What an operation answers, and over what it is called.
    pub fn facts(&mut self, operation: &Operation<'_>, types: &Types<'_>) {
        put!(self, "<dl class=\"facts\">");
        if let Some(result) = &operation.result {
            put!(self, "<dt>Result</dt><dd>");
            self.type_name(result, types);
            put!(self, "</dd>\n");
        }
        if operation.one_way {
            self.fact(
                "Answer",
                "none: over SOAP, 202 says that the request was read",
            );
        }
        self.fact("Bindings", &binding_names(operation));
        if operation.bindings.soap11 || operation.bindings.soap12 {
            self.exact_fact("SOAPAction", operation.action);
        }
        if !operation.faults.is_empty() {
            self.fact("Faults", &operation.faults.join(", "));
        }
        put!(self, "</dl>\n");
    }

    /// The parameters of an operation.
    pub fn parameters(&mut self, operation: &Operation<'_>, types: &Types<'_>) {
        put!(self, "<div class=\"card\">\n");
        match rows(operation.parameters) {
            rows if rows.is_empty() => put!(self, "<p class=\"muted\">None.</p>\n"),
            rows => self.elements(&rows, types),
        }
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
    pub fn samples(&mut self, operation: &Operation<'_>, samples: &[Sample], level: usize) {
        for (index, sample) in samples.iter().enumerate() {
            let binding = binding_name(sample.binding);
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

    /// A table of elements.
    pub fn elements(&mut self, rows: &[Row<'_>], types: &Types<'_>) {
        put!(
            self,
            "<table>\n<thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Type</th><th scope=\"col\">Meaning</th></tr></thead>\n<tbody>\n"
        );
        for row in rows {
            put!(self, "<tr><th scope=\"row\">{}</th><td>", escaped(row.name));
            self.type_name(row.element, types);
            for note in &row.notes {
                put!(self, " <span class=\"badge\">{}</span>", escaped(note));
            }
            put!(self, "</td><td>");
            self.documentation("", row.element.documentation);
            put!(self, "</td></tr>\n");
        }
        put!(self, "</tbody></table>\n");
    }

    /// The type of an element; the name of one that is defined leads to it.
    pub fn type_name(&mut self, element: &Element<'_>, types: &Types<'_>) {
        match element.content {
            Content::Type(name) => {
                let text = escaped(name);
                match types.find(name) {
                    Some(_) => put!(self, "<a class=\"type\" href=\"#type-{text}\">{text}</a>"),
                    None => put!(self, "<span class=\"type\">{text}</span>"),
                }
            }
            Content::List(item) => {
                put!(self, "list of ");
                self.type_name(item, types);
            }
            Content::Choice(_) => put!(self, "choice"),
        }
    }

    /// Types and enumerations, each a section that links lead to.
    pub fn definitions(&mut self, definitions: &[TypeDefinition<'_>], types: &Types<'_>) {
        if definitions.is_empty() {
            return;
        }
        put!(
            self,
            "<section aria-labelledby=\"types\"><h2 id=\"types\">Types</h2>\n"
        );
        for definition in definitions {
            match definition {
                TypeDefinition::Complex(complex) => self.complex_type(complex, types),
                TypeDefinition::Enumeration(enumeration) => self.enumeration(enumeration),
            }
        }
        put!(self, "</section>\n");
    }

    fn complex_type(&mut self, complex: &ComplexType<'_>, types: &Types<'_>) {
        let name = escaped(complex.name);
        put!(
            self,
            "<section class=\"card\" id=\"type-{name}\" aria-labelledby=\"type-{name}-name\">\n<h3 id=\"type-{name}-name\">{name}"
        );
        if complex.is_abstract {
            put!(self, " <span class=\"badge\">abstract</span>");
        }
        put!(self, "</h3>\n");
        self.documentation("muted", complex.documentation);
        if let Some(base) = complex.extends {
            let base = escaped(base);
            put!(
                self,
                "<p>Extends <a class=\"type\" href=\"#type-{base}\">{base}</a>: its attributes and elements come first.</p>\n"
            );
        }
        let rows = rows_of(complex);
        match rows.is_empty() {
            true => put!(
                self,
                "<p class=\"muted\">Nothing of its own is in it.</p>\n"
            ),
            false => self.elements(&rows, types),
        }
        put!(self, "</section>\n");
    }

    fn enumeration(&mut self, enumeration: &Enumeration<'_>) {
        let name = escaped(enumeration.name);
        put!(
            self,
            "<section class=\"card\" id=\"type-{name}\" aria-labelledby=\"type-{name}-name\">\n<h3 id=\"type-{name}-name\">{name} <span class=\"badge\">enumeration</span></h3>\n"
        );
        self.documentation("muted", enumeration.documentation);
        put!(self, "<ul class=\"values\">\n");
        for value in enumeration.values {
            put!(self, "<li><code>{}</code>", escaped(value.name));
            for paragraph in paragraphs(self.words(value.documentation)) {
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

/// The name of a binding, for people.
pub(crate) fn binding_name(binding: Binding) -> &'static str {
    match binding {
        Binding::Soap11 => "SOAP 1.1",
        Binding::Soap12 => "SOAP 1.2",
        Binding::HttpGet => "HTTP GET",
        Binding::HttpPost => "HTTP POST",
    }
}

/// The names of the bindings of an operation.
pub(crate) fn binding_names(operation: &Operation<'_>) -> String {
    let offered = Binding::ALL
        .into_iter()
        .filter(|binding| operation.bindings.contains(*binding));
    offered.map(binding_name).collect::<Vec<_>>().join(", ")
}

/// The operations in the order of their names.
pub(crate) fn sorted<'a>(description: &Description<'a>) -> Vec<&'a Operation<'a>> {
    let mut operations: Vec<_> = description.operations.iter().collect();
    operations.sort_by_key(|operation| operation.name);
    operations
}

/// All types and enumerations of a description.
pub(crate) fn all_definitions<'a>(description: &Description<'a>) -> Vec<TypeDefinition<'a>> {
    let types = description.types.iter().map(TypeDefinition::Complex);
    let enumerations = description.enumerations.iter();
    types
        .chain(enumerations.map(TypeDefinition::Enumeration))
        .collect()
}
