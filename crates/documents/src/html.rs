//! The parts of HTML pages: tables of elements, types, samples. All text of a definition is
//! escaped.

use std::fmt::{self, Write};

use svcgen_model::{At, Binding, ComplexType, Element, Enumeration, Operation, Service, TypeAt};

use crate::binding::documented;
use crate::colour::coloured;
use crate::escape::escaped;
use crate::prose::{Span, paragraphs, spans};
use crate::rows::{FLAGS, Row, SET_OF_TABLES, anchor, derivation, note_of_value, rows};
use crate::samples::{Sample, Template};

/// The maximum number of element names in the summary of a folded type.
const MOST_NAMED: usize = 8;

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

    /// Returns the documentation, if the page contains any.
    pub fn words<'w>(&self, documentation: Option<&'w str>) -> Option<&'w str> {
        documentation.filter(|_| self.documented)
    }

    /// Writes the heading of the page.
    pub fn heading(&mut self, heading: &str) {
        put!(self, "<h1>{}</h1>\n", escaped(heading));
    }

    /// Writes a section, whose heading is a link to itself.
    pub fn section(&mut self, id: &str, heading: &str, inside: impl FnOnce(&mut Self)) {
        put!(
            self,
            "<section aria-labelledby=\"{id}\"><h2 id=\"{id}\"><a class=\"anchor\" href=\"#{id}\">{heading}</a></h2>\n"
        );
        inside(self);
        put!(self, "</section>\n");
    }

    pub fn table(&mut self, headings: &[&str], rows: impl FnOnce(&mut Self)) {
        put!(self, "<table class=\"of-{}\">\n<thead><tr>", headings.len());
        for heading in headings {
            put!(self, "<th scope=\"col\">{heading}</th>");
        }
        put!(self, "</tr></thead>\n<tbody>\n");
        rows(self);
        put!(self, "</tbody></table>");
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

    /// Writes a name and a value that callers can copy.
    pub fn exact_fact(&mut self, name: &str, value: &str) {
        put!(
            self,
            "<dt>{name}</dt><dd><code>{}</code> <button type=\"button\" class=\"copy\" data-copy hidden>Copy</button></dd>\n",
            escaped(value)
        );
    }

    /// Writes the operations in the order of the definition; each name links to `link` and the
    /// name.
    pub fn operations(&mut self, service: At<'_, Service<'_>>, link: &str) {
        self.section("operations", "Operations", |html| {
            put!(
                html,
                "<p class=\"order\" hidden><label>Order <select id=\"order\"><option value=\"\">of the definition</option><option value=\"name\">by name</option></select></label></p>\n\
                 <ul class=\"list\" data-operations>\n"
            );
            for operation in service.operations() {
                let name = escaped(operation.name);
                put!(html, "<li><a href=\"{link}{name}\">{name}</a> ");
                html.signature(operation);
                put!(html, "\n");
                html.documentation("", operation.documentation());
                html.bindings(operation);
                put!(html, "</li>\n");
            }
            put!(html, "</ul>");
        });
    }

    /// Writes the parameters and the result of an operation in a line.
    pub fn signature(&mut self, operation: At<'_, Operation<'_>>) {
        put!(self, "<code class=\"signature\">(");
        for (index, parameter) in operation.parameters().elements().enumerate() {
            let sign = if index > 0 { ", " } else { "" };
            put!(
                self,
                "{sign}{}: <i>{}</i>",
                escaped(parameter.name),
                escaped(&type_text(parameter))
            );
        }
        put!(self, ")");
        let results: Vec<_> = operation.results().map(type_text).collect();
        if !results.is_empty() {
            put!(self, " → <i>{}</i>", escaped(&results.join(", ")));
        }
        put!(self, "</code>");
    }

    /// Writes the names of the bindings of an operation.
    fn bindings(&mut self, operation: At<'_, Operation<'_>>) {
        put!(self, "<p class=\"badges\">");
        for binding in operation.bindings.iter() {
            put!(self, "<span class=\"badge\">{binding}</span> ");
        }
        put!(self, "</p>\n");
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
        self.fact("Bindings", &operation.bindings.to_string());
        if operation.bindings.has_soap() {
            self.exact_fact("SOAPAction", operation.action);
        }
        if !operation.faults.is_empty() {
            let links = operation.faults().map(|fault| {
                let name = escaped(fault.row().name);
                format!("<a href=\"#fault-{name}\">{name}</a>")
            });
            let links: Vec<_> = links.collect();
            put!(self, "<dt>Faults</dt><dd>{}</dd>\n", links.join(", "));
        }
        put!(self, "</dl>\n");
    }

    /// Writes the parameters of an operation.
    pub fn parameters(&mut self, operation: At<'_, Operation<'_>>) {
        self.elements(operation.parameters(), "None.");
    }

    /// Writes a message in a box that scrolls, with buttons.
    pub fn sample(&mut self, label: &str, template: &Template) {
        put!(
            self,
            "<div class=\"box\"><pre tabindex=\"0\" role=\"region\" aria-label=\"{}\">{}</pre><button type=\"button\" class=\"copy\" data-copy hidden>Copy</button></div>\n",
            escaped(label),
            coloured(template),
        );
    }

    /// Writes the samples of an operation, by binding; the first may be open.
    pub fn samples(
        &mut self,
        operation: At<'_, Operation<'_>>,
        samples: &[Sample],
        level: usize,
        is_open: bool,
    ) {
        for (index, sample) in samples.iter().enumerate() {
            let binding = sample.binding;
            let open = if is_open && index == 0 { " open" } else { "" };
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

    /// Writes the SOAP headers of requests, answers and faults, with their rules.
    pub fn soap_headers(&mut self, operation: At<'_, Operation<'_>>, level: usize) {
        let all = [
            ("SOAP headers of requests", operation.headers()),
            ("SOAP headers of answers", operation.response_headers()),
            ("SOAP headers of faults", operation.fault_headers()),
        ];
        for (heading, headers) in all {
            let Some(headers) = headers else { continue };
            put!(self, "<h{level}>{heading}</h{level}>\n");
            let rows = headers.elements().map(|(element, rule)| {
                let marks = [
                    (rule.required, "required"),
                    (rule.must_understand, "must be understood"),
                ];
                let marks = marks.into_iter().filter(|(holds, _)| *holds);
                let notes = marks.map(|(_, mark)| mark.to_owned());
                Row {
                    element,
                    notes: notes
                        .chain(element.secret.then(|| "secret".to_owned()))
                        .collect(),
                }
            });
            self.rows(&rows.collect::<Vec<_>>());
        }
    }

    /// Writes the faults of an operation with the fields of their details, each at an anchor.
    pub fn faults(&mut self, operation: At<'_, Operation<'_>>, level: usize) {
        if operation.faults.is_empty() {
            return;
        }
        put!(self, "<h{level}>Faults</h{level}>\n<dl class=\"faults\">\n");
        for fault in operation.faults() {
            let name = escaped(fault.row().name);
            self.fault_name(&name);
            self.type_name(fault);
            put!(self, "</dt><dd>");
            self.documentation("", fault.documentation());
            if let TypeAt::Complex(complex) = fault.type_at() {
                self.elements(complex, "Nothing is in it.");
            }
            put!(self, "</dd>\n");
        }
        put!(self, "</dl>\n");
    }

    /// Writes the start of the description of a fault, which links to itself.
    fn fault_name(&mut self, name: &str) {
        put!(
            self,
            "<dt id=\"fault-{name}\"><a class=\"anchor\" href=\"#fault-{name}\"><code>{name}</code></a> "
        );
    }

    /// Writes the faults of a service, with links to the operations that have them.
    pub fn all_faults(
        &mut self,
        service: At<'_, Service<'_>>,
        link: impl Fn(&str, &str) -> String,
    ) {
        let faults: Vec<_> = service.each(service.row().faults).collect();
        if faults.is_empty() {
            return;
        }
        self.section("faults", "Faults", |html| {
            put!(html, "<dl class=\"card faults\">\n");
            for (index, fault) in faults.iter().enumerate() {
                let name = escaped(fault.row().name);
                html.fault_name(&name);
                html.type_name(*fault);
                put!(html, "</dt><dd>\n");
                html.documentation("", fault.documentation());
                let having = service.operations();
                let having = having.filter(|operation| operation.faults.contains(&index));
                let links = having.map(|operation| {
                    let operation = operation.row().name;
                    let to = link(operation, fault.row().name);
                    format!("<a href=\"{}\">{}</a>", escaped(&to), escaped(operation))
                });
                let links: Vec<_> = links.collect();
                put!(html, "<p>Operations: {}</p></dd>\n", links.join(", "));
            }
            put!(html, "</dl>\n");
        });
    }

    /// Writes the parts of an operation that each binding cannot carry, and the reasons why it is
    /// not offered over others.
    pub fn limits(
        &mut self,
        service: At<'_, Service<'_>>,
        operation: At<'_, Operation<'_>>,
        level: usize,
    ) {
        let lines = Binding::ALL.into_iter().filter_map(|binding| {
            let words = if operation.bindings.contains(binding) {
                documented(binding).not_carried(operation).join("; ")
            } else if service.bindings().contains(binding) {
                format!("off: {}", documented(binding).why_not(operation))
            } else {
                String::new()
            };
            (!words.is_empty()).then_some((binding, words))
        });
        let lines: Vec<_> = lines.collect();
        if lines.is_empty() {
            return;
        }
        put!(
            self,
            "<h{level}>What bindings do not carry</h{level}>\n<dl class=\"facts limits\">"
        );
        for (binding, words) in lines {
            self.fact(&binding.to_string(), &words);
        }
        put!(self, "</dl>\n");
    }

    /// Writes a table of the members that a type does not inherit, or the text for no members.
    fn elements(&mut self, complex: At<'_, ComplexType<'_>>, nothing: &str) {
        if let Some(set) = complex.data_set {
            put!(self, "<p>{SET_OF_TABLES}</p>\n");
            let mut schema = Template::default();
            schema.text(set.schema);
            return self.sample(&format!("Schema of {}", complex.name), &schema);
        }
        match rows(complex).as_slice() {
            [] => put!(self, "<p class=\"muted\">{nothing}</p>\n"),
            rows => self.rows(rows),
        }
    }

    /// Writes a table of elements, with a column for documentation if any has some.
    fn rows(&mut self, rows: &[Row<'_>]) {
        let mut words = rows.iter().map(|row| row.element.documentation());
        let has_words = words.any(|words| self.words(words).is_some());
        let headings: &[_] = if has_words {
            &["Name", "Type", "Meaning"]
        } else {
            &["Name", "Type"]
        };
        self.table(headings, |html| {
            for Row { element, notes } in rows {
                let name = escaped(element.name);
                put!(html, "<tr><th scope=\"row\">{name}</th><td>");
                html.type_name(*element);
                for note in notes {
                    put!(html, " <span class=\"badge\">{}</span>", escaped(note));
                }
                put!(html, "</td>");
                if has_words {
                    put!(html, "<td>");
                    html.documentation("", element.documentation());
                    put!(html, "</td>");
                }
                put!(html, "</tr>\n");
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
            TypeAt::Dictionary(value) => {
                put!(self, "dictionary of ");
                self.type_name(value);
            }
        }
    }

    /// Writes the name of a type, with a link to its section.
    fn link(&mut self, definition: TypeAt<'_>) {
        let (to, name) = (anchor(definition), definition.name());
        let [to, name] = [&to, name].map(escaped);
        put!(self, "<a class=\"type\" href=\"#{to}\">{name}</a>");
    }

    /// Writes types and enumerations, each folded.
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
        put!(self, "<details class=\"of-type\"><summary><h3>{name}</h3>");
        let badge = match definition {
            TypeAt::Complex(complex) if complex.is_abstract => "abstract",
            TypeAt::Complex(complex) if complex.unordered => "in any order",
            TypeAt::Enumeration(_) => "enumeration",
            _ => "",
        };
        if !badge.is_empty() {
            put!(self, " <span class=\"badge\">{badge}</span>");
        }
        if let TypeAt::Complex(complex) = definition {
            let names: Vec<_> = complex
                .elements()
                .take(MOST_NAMED)
                .map(|one| one.row().name)
                .collect();
            put!(
                self,
                "<span class=\"muted\">{}</span>",
                escaped(&names.join(", "))
            );
        }
        // The anchor is in the folded part, so that a link to it unfolds it.
        put!(self, "</summary><div id=\"{id}\">\n");
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
            TypeAt::Simple(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => {}
        }
        put!(self, "</div></details>\n");
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

/// The type of an element as one word: `Article[]`, `string?`, `int{}`.
pub(crate) fn type_text(element: At<'_, Element<'_>>) -> String {
    let is_list = element.repeated || element.texts;
    let text = match element.type_at() {
        TypeAt::List(item) => format!("{}[]", type_text(item).trim_end_matches('?')),
        TypeAt::Dictionary(value) => format!("{}{{}}", type_text(value)),
        other => other.name().to_owned(),
    };
    let list = if is_list { "[]" } else { "" };
    let optional = if element.is_omitted() || element.is_nillable() {
        "?"
    } else {
        ""
    };
    format!("{text}{list}{optional}")
}
