//! Samples in JSON: values generated from their types.

use std::iter::successors;

use svcgen_model::{
    At, ComplexType, Element, JsonSchema, Operation, SAMPLE_ITEMS, SampleExtent, SimpleType, TypeAt,
};

use crate::markup::Samples;
use crate::template::Template;

/// The layout of JSON.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Layout {
    /// A line for each member and item, except for items of simple types.
    Lines,
    /// A blank after each comma and colon.
    Line,
    /// No white space, for a query. An enumeration shows one value.
    Query,
}

/// The form in JSON of a value of a simple type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// A text.
    Text,
    /// A number, or `true` or `false`.
    Bare,
    /// A text of milliseconds since 1970.
    Date,
    /// A list of numbers.
    Bytes,
    /// A value of any type.
    Any,
}

/// The form of a value of a simple type. Types that .NET keeps as text are text.
pub(super) fn notation(simple: SimpleType) -> Notation {
    let row = simple.row();
    match (simple, row.json_schema) {
        (SimpleType::AnyType, _) => Notation::Any,
        _ if simple.is_bytes() => Notation::Bytes,
        _ if row.net == "System.DateTime" => Notation::Date,
        _ if row.net == row.name => Notation::Text,
        (SimpleType::Char, _) => Notation::Text,
        (_, JsonSchema::Range(..) | JsonSchema::Type("boolean" | "integer" | "number", _)) => {
            Notation::Bare
        }
        _ => Notation::Text,
    }
}

/// A name in quotes.
fn quoted(name: &str) -> String {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{name}\"")
}

/// JSON being written.
pub(super) struct Writer<'d> {
    samples: &'d Samples<'d>,
    out: Template,
    layout: Layout,
    depth: usize,
    /// Whether the innermost object or list is still empty.
    is_empty: bool,
    extent: SampleExtent<'d>,
    /// Whether every object of a known type contains its type, as in answers; in requests this is
    /// only necessary for one that extends the declared type.
    says_types: bool,
}

impl<'d> Writer<'d> {
    pub(super) fn new(samples: &'d Samples<'d>, layout: Layout) -> Self {
        Self {
            samples,
            out: Template::default(),
            layout,
            depth: 0,
            is_empty: true,
            extent: SampleExtent::default(),
            says_types: false,
        }
    }

    pub(super) fn finish(self) -> Template {
        self.out
    }

    /// Writes the body of a request.
    pub(super) fn parameters(&mut self, operation: At<'d, Operation<'d>>) {
        self.start("{");
        for parameter in operation.parameters().elements() {
            self.name(parameter.field_name());
            self.value(parameter);
        }
        self.end("}");
    }

    /// Writes the body of an answer.
    pub(super) fn answer(&mut self, result: Option<At<'d, Element<'d>>>) {
        self.says_types = true;
        self.start("{");
        self.name("d");
        match result {
            Some(result) => self.value(result),
            None => self.out.text("null"),
        }
        self.end("}");
    }

    /// Writes the value of an element; a list shows two items.
    pub(super) fn value(&mut self, element: At<'d, Element<'d>>) {
        match element.type_at() {
            one if element.repeated || element.texts => {
                self.list(one, |writer| writer.one(one));
            }
            TypeAt::List(item) => self.list(item.type_at(), |writer| writer.value(item)),
            one => self.one(one),
        }
    }

    fn one(&mut self, type_at: TypeAt<'d>) {
        match type_at {
            TypeAt::Simple(simple) => self.simple(simple),
            TypeAt::Enumeration(enumeration) => {
                let most = if self.layout == Layout::Query {
                    1
                } else {
                    usize::MAX
                };
                let numbers = enumeration.numbers().map(|number| number.to_string());
                let numbers: Vec<_> = numbers.take(most).collect();
                self.out.alternatives(numbers.iter().map(String::as_str));
            }
            TypeAt::Complex(complex) => self.object(complex),
            TypeAt::Dictionary(value) => self.dictionary(value),
            TypeAt::List(item) => self.list(item.type_at(), |writer| writer.value(item)),
        }
    }

    fn simple(&mut self, simple: SimpleType) {
        let placeholder = simple.row().placeholder;
        let (before, placeholder, after) = match notation(simple) {
            Notation::Text => ("\"", placeholder, "\""),
            Notation::Date => ("\"\\/Date(", "milliseconds", ")\\/\""),
            Notation::Bare | Notation::Any => ("", placeholder, ""),
            Notation::Bytes => {
                let byte = TypeAt::Simple(SimpleType::UnsignedByte);
                return self.list(byte, |writer| writer.one(byte));
            }
        };
        self.out.text(before);
        self.out.placeholder(placeholder);
        self.out.text(after);
    }

    fn list(&mut self, item: TypeAt<'d>, mut write: impl FnMut(&mut Self)) {
        let layout = self.layout;
        let is_plain = matches!(item, TypeAt::Simple(_) | TypeAt::Enumeration(_));
        if is_plain && layout == Layout::Lines {
            self.layout = Layout::Line;
        }
        self.start("[");
        for _ in 0..SAMPLE_ITEMS {
            self.next();
            write(self);
        }
        self.end("]");
        self.layout = layout;
    }

    /// Writes a dictionary with one entry.
    fn dictionary(&mut self, value: At<'d, Element<'d>>) {
        self.start("{");
        self.next();
        self.out.text("\"");
        self.out.placeholder("key");
        self.out.text(match self.layout {
            Layout::Query => "\":",
            Layout::Lines | Layout::Line => "\": ",
        });
        self.value(value);
        self.end("}");
    }

    fn object(&mut self, declared: At<'d, ComplexType<'d>>) {
        let members = self.samples.types.members(declared);
        let shown = self.extent.chosen(members).unwrap_or(declared);
        let name_of = |complex| {
            let mut known = self.samples.service.script_types();
            let known = known.find(|(known, _)| *known == TypeAt::Complex(complex));
            known.map(|(_, name)| name)
        };
        // A type that callers do not know cannot replace the declared one.
        let name = name_of(shown);
        let (complex, name) = match name {
            None if shown != declared => (declared, name_of(declared)),
            name => (shown, name),
        };
        if !self.extent.has_room_for(complex) {
            return self.out.placeholder(complex.name);
        }
        self.start("{");
        if let Some(name) = name.filter(|_| self.says_types || complex != declared) {
            self.name("__type");
            self.out.text(&quoted(name));
        }
        self.extent.enter(complex);
        // The members of the class itself come before those of its base.
        let classes = successors(Some(complex), |class| class.inherits());
        let members = classes.flat_map(|class| {
            (class.own_attributes().chain(class.own_text())).chain(class.own_elements())
        });
        for member in members.filter(|member| member.is_named()) {
            let name = member.field_name();
            self.name(name);
            self.value(member);
            if member.has_specified() {
                self.name(&format!("{name}Specified"));
                self.simple(SimpleType::Boolean);
            }
        }
        self.extent.leave();
        self.end("}");
    }

    fn start(&mut self, bracket: &str) {
        self.out.text(bracket);
        self.depth += 1;
        self.is_empty = true;
    }

    /// Begins the next member or item.
    fn next(&mut self) {
        if !self.is_empty {
            let comma = if self.layout == Layout::Line {
                ", "
            } else {
                ","
            };
            self.out.text(comma);
        }
        self.is_empty = false;
        self.line();
    }

    fn name(&mut self, name: &str) {
        self.extent.count();
        self.next();
        self.out.text(&quoted(name));
        let colon = if self.layout == Layout::Query {
            ":"
        } else {
            ": "
        };
        self.out.text(colon);
    }

    fn end(&mut self, bracket: &str) {
        self.depth -= 1;
        if !self.is_empty {
            self.line();
        }
        self.out.text(bracket);
        self.is_empty = false;
    }

    fn line(&mut self) {
        if self.layout == Layout::Lines {
            self.out.text("\n");
            self.out.text(&"  ".repeat(self.depth));
        }
    }
}
