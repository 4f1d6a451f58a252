//! The writer of XML and form fields.

mod outermost;

use std::fmt;

use svcgen_model::{self as model, ComplexType, SimpleType, TextForm};

use super::base64;
use super::levels::{Levels, Prefixed};
use super::name_text;
use super::nodes::open_elements;
use super::notation::Sink;
use super::time_zone::TimeZone;
use crate::form::encode::escape as escape_form;
use crate::xml::append::{SHORT_LINE, append};
use crate::xml::error::WriteError;
use crate::xml::names::local_name;
use crate::xml::{characters, escape};

/// Where values are written: XML on one line, XML indented by two spaces, or form fields.
///
/// Writing cannot fail midway; [`finish`](Self::finish) returns the first error.
pub struct Content<'a> {
    pub(super) out: &'a mut Vec<u8>,
    layout: Layout,
    /// The number of open elements.
    depth: usize,
    /// The end of the last start tag: an element that ends there is empty.
    started: usize,
    /// Where the next value is written.
    pub(super) place: Place,
    /// Where a document of another notation is written.
    pub(super) sink: Option<&'a mut dyn Sink>,
    /// The attributes of start tags that depend on their place, if there are any.
    extras: Option<Extras<'a>>,
    /// The open elements, if not all are in one namespace. There are extras then.
    levels: Option<Box<Levels<'a>>>,
    /// The namespace of the message, if it is known.
    namespace: Option<&'a str>,
    /// The time zone of the service.
    #[doc(hidden)]
    pub time_zone: TimeZone,
    /// The names of lists in lists, each after the one over SOAP, if others are written.
    pub list_names: &'a [(&'a str, &'a str)],
    /// What becomes of texts, where no row says it.
    pub text_form: TextForm,
    /// The row of the items of the next list, if they have other names than code says.
    pub items: Option<&'a model::Element<'a>>,
    /// Whether references to characters that XML does not have are written, as .NET writes them, and are no error.
    pub any_characters: bool,
    /// Where the first element starts.
    first: usize,
    error: Option<WriteError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Element,
    /// An attribute in the last start tag.
    Attribute,
    /// Text after the last start tag.
    Text,
    /// A field of the form that starts at this index.
    Field {
        start: usize,
    },
    /// A document of another notation.
    Sink,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Compact,
    Indented { line_end: &'static str },
}

/// The attributes of start tags that depend on their place.
#[derive(Clone, Copy)]
struct Extras<'a> {
    /// The namespace of the service.
    namespace: &'a str,
    outermost: Outermost<'a>,
    /// The type of the next element, if it extends the declared type.
    derived: Option<&'a str>,
    /// The length of the declarations of namespaces at the end of the last start tag.
    declaration: usize,
}

/// The attributes of the outermost element besides its namespace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outermost<'a> {
    /// The attributes given to [`start`](Content::start).
    Started,
    /// None.
    Bare,
    /// The declarations of `xsd` and `xsi`.
    Schema,
    /// The attribute `mustUnderstand`, if the element is one of these SOAP headers.
    Header {
        must_understand: &'a [&'a str],
        /// The name of the attribute that says whom a header is for.
        actor: &'static str,
    },
}

impl<'a> Extras<'a> {
    fn new(namespace: &'a str, outermost: Outermost<'a>) -> Self {
        Self {
            namespace,
            outermost,
            derived: None,
            declaration: 0,
        }
    }
}

/// Line ends, each with enough blanks to indent most elements.
const LINES: [&[u8]; 2] = [
    b"\n                                ",
    b"\r\n                                ",
];

/// A line end and the blanks before an element, unless there are many.
#[inline]
fn line_start(line_end: &str, depth: usize) -> Option<&'static [u8]> {
    LINES
        .get(line_end.len() - 1)?
        .get(..line_end.len() + 2 * depth)
}

/// `<name>text</name>`
#[inline]
fn leaf(out: &mut Vec<u8>, name: &str, text: &[u8]) {
    let name = name.as_bytes();
    append!(out, b"<", name, b">", text, b"</", name, b">");
}

const SCHEMA_DECLARATIONS: &str = r#" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#;

/// Does not show the text, which may hold secrets.
impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content")
            .field("len", &self.out.len())
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

impl<'a> Content<'a> {
    /// XML without white space between elements, as in SOAP messages. The prefix `xsi` must be declared around it.
    pub fn compact(out: &'a mut Vec<u8>) -> Self {
        Self::with_layout(out, Layout::Compact)
    }

    /// XML with every element on a line of its own, indented by two spaces, as in the answers of the HTTP bindings. There is no line end after the root.
    pub fn indented(out: &'a mut Vec<u8>) -> Self {
        Self::with_layout(out, Layout::Indented { line_end: "\n" })
    }

    /// Like [`indented`](Self::indented), with CR LF as line end.
    pub fn indented_crlf(out: &'a mut Vec<u8>) -> Self {
        Self::with_layout(out, Layout::Indented { line_end: "\r\n" })
    }

    /// Form fields, `a=1&b=x+y`, as in a query or an `application/x-www-form-urlencoded` body.
    pub fn form(out: &'a mut Vec<u8>) -> Self {
        let start = out.len();
        let mut content = Self::compact(out);
        content.place = Place::Field { start };
        content
    }

    fn with_layout(out: &'a mut Vec<u8>, layout: Layout) -> Self {
        Self {
            first: out.len(),
            any_characters: false,
            out,
            layout,
            depth: 0,
            started: usize::MAX,
            place: Place::Element,
            sink: None,
            extras: None,
            levels: None,
            namespace: None,
            time_zone: TimeZone::default(),
            list_names: &[],
            text_form: TextForm::AsIs,
            items: None,
            error: None,
        }
    }

    /// Sets the namespaces of elements. Without, all are in that of the outermost one.
    #[must_use]
    pub fn with_levels(mut self, levels: Option<Levels<'a>>) -> Self {
        if let Some(levels) = levels {
            self.extras = Some(Extras::new("", Outermost::Started));
            self.levels = Some(Box::new(levels));
        }
        self
    }

    /// Returns the first error.
    ///
    /// # Errors
    ///
    /// A value holds a character that XML cannot carry, or has no place where it was written, as an object in a form.
    pub fn finish(self) -> Result<(), WriteError> {
        self.error.map_or(Ok(()), Err)
    }

    /// Writes the values that `write` writes at another place.
    pub(crate) fn at_place(&mut self, place: Place, write: impl FnOnce(&mut Self)) {
        if self.is_sink() {
            return write(self);
        }
        let before = std::mem::replace(&mut self.place, place);
        write(self);
        self.place = before;
    }

    /// Writes elements, which `write` does, that no row of a model describes, with the names and attributes that are given.
    #[cfg(feature = "data-sets")]
    pub(crate) fn undescribed(&mut self, write: impl FnOnce(&mut Self)) {
        let around = (self.extras.take(), self.levels.take());
        write(self);
        (self.extras, self.levels) = around;
    }

    /// Adds `xsi:type` to the next element that `write` writes.
    pub(crate) fn with_derived_type(
        &mut self,
        type_name: &'static str,
        write: impl FnOnce(&mut Self),
    ) {
        if self.is_sink() {
            self.with_sink(|sink, _| sink.derived(type_name));
            return write(self);
        }
        let before = self.extras;
        // The default namespace is the service's then, so that the type needs no prefix.
        let none = Extras::new("", Outermost::Started);
        let extras = self.extras.get_or_insert(none);
        extras.derived = Some(type_name);
        write(self);
        self.extras = before;
    }
}

/// Writing elements, attributes and fields.
impl<'a> Content<'a> {
    /// How many bytes the buffer holds.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether the buffer holds nothing.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// What was written so far.
    pub(super) fn written(&self) -> &[u8] {
        self.out
    }

    /// Whether the namespace of the message is known.
    pub(super) fn has_namespace(&self) -> bool {
        self.namespace.is_some()
    }

    /// The default namespace in the innermost open element; `None` if it is not known.
    pub(super) fn default_namespace(&self) -> Option<&'a str> {
        let namespace = self.namespace?;
        let levels = self.levels.as_ref();
        Some(levels.map_or(namespace, |levels| levels.default_namespace()))
    }

    /// Whether the text of an element is written.
    #[cfg(feature = "data-sets")]
    pub(crate) fn is_text(&self) -> bool {
        self.place == Place::Text
    }

    /// Whether form fields are written.
    pub(crate) fn is_form(&self) -> bool {
        matches!(self.place, Place::Field { .. })
    }

    /// The name under which a parameter is written: in a form that of .NET code.
    pub fn field_name<'n>(&self, name: &'n str, net: &'n str) -> &'n str {
        if self.is_form() { net } else { name }
    }

    /// Whether elements are written.
    #[inline]
    pub(crate) fn is_element(&self) -> bool {
        self.place == Place::Element
    }

    /// Whether an attribute is written.
    pub(crate) fn is_attribute(&self) -> bool {
        self.place == Place::Attribute
    }

    /// Writes markup as it stands.
    pub fn raw(&mut self, markup: &str) {
        self.out.extend_from_slice(markup.as_bytes());
    }

    /// Writes escaped text as it stands between tags.
    pub fn escaped(&mut self, text: &str) {
        if !escape::text(self.out, text.as_bytes()) {
            self.refuse(None, text);
        }
    }

    /// The depth at which the next element is indented, if it is.
    pub(super) fn indented_depth(&self) -> Option<usize> {
        let is_indented = self.layout != Layout::Compact && self.depth > 0;
        is_indented.then_some(self.depth)
    }

    /// Takes back what was written since there were so many bytes.
    pub(super) fn split_off(&mut self, start: usize) -> String {
        // All that is written is UTF-8.
        String::from_utf8(self.out.split_off(start)).unwrap_or_default()
    }

    /// Leaves the rest of the innermost open element without white space: it has text between its elements.
    pub(super) fn stop_indenting(&mut self) {
        self.layout = Layout::Compact;
    }

    /// Ends an element that `write` fills with elements and text.
    #[inline(never)]
    pub(super) fn mixed(&mut self, name: &str, write: &mut dyn FnMut(&mut Self)) {
        let around = self.layout;
        write(self);
        self.end(name);
        self.layout = around;
    }

    /// Writes a start tag. In a form it writes nothing.
    pub fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        match self.place {
            Place::Field { .. } => return,
            Place::Sink => return self.with_sink(|sink, out| sink.start_object(out, name)),
            Place::Text => {}
            Place::Element | Place::Attribute => self.open(name),
        }
        for (name, value) in attributes {
            self.attribute_text(name, value);
        }
    }

    /// Writes an end tag, or turns the start tag into an empty element if nothing was written since.
    pub fn end(&mut self, name: &str) {
        if matches!(self.place, Place::Field { .. } | Place::Sink) {
            return self.end_elsewhere();
        }
        if self.layout != Layout::Compact && self.started != self.out.len() {
            self.line(self.depth - 1);
        }
        self.end_tag(name);
    }

    /// Writes text as an element.
    pub fn text(&mut self, name: &str, text: &str) {
        if self.is_straight() && !text.is_empty() && escape::is_plain(text.as_bytes()) {
            self.leaf(name, text.as_bytes());
        } else {
            self.other_text(name, text);
        }
    }

    /// What becomes of the text of an element or attribute of this name, or of the text of the object that was started last.
    pub(super) fn form_of_text(&self, name: &str) -> TextForm {
        let Some(levels) = &self.levels else {
            return self.text_form;
        };
        match self.place {
            Place::Element => levels.form_of_element(name),
            Place::Attribute => levels.form_of_attribute(name),
            Place::Text => levels.form_of_text(),
            Place::Field { .. } | Place::Sink => TextForm::AsIs,
        }
    }

    #[inline(never)]
    fn other_text(&mut self, name: &str, text: &str) {
        let text = &*name_text::write(self.form_of_text(name), text);
        match self.place {
            Place::Field { .. } => {
                self.field(name);
                escape_form(self.out, text.as_bytes());
            }
            Place::Sink => self.with_sink(|sink, out| {
                sink.simple(out, name, SimpleType::String, text.as_bytes());
            }),
            Place::Attribute => {
                self.named_attribute(name, |out, name| out.attribute_text(name, text))
            }
            Place::Element | Place::Text => {
                self.open_inline(name);
                if !escape::text(self.out, text.as_bytes()) {
                    self.refuse(None, text);
                }
                self.end_inline(name);
            }
        }
    }

    /// Writes a value that needs no escaping, such as a number, as an element.
    pub(crate) fn plain(&mut self, name: &str, text: &[u8], simple: SimpleType) {
        if self.is_straight() && !text.is_empty() {
            self.leaf(name, text);
        } else {
            self.other_plain(name, text, simple);
        }
    }

    #[inline(never)]
    fn other_plain(&mut self, name: &str, text: &[u8], simple: SimpleType) {
        match self.place {
            Place::Sink => self.with_sink(|sink, out| sink.simple(out, name, simple, text)),
            Place::Field { .. } => {
                self.field(name);
                escape_form(self.out, text);
            }
            Place::Attribute => {
                self.named_attribute(name, |out, name| out.plain_attribute(name, text))
            }
            Place::Element | Place::Text => {
                self.open_inline(name);
                self.out.extend_from_slice(text);
                self.end_inline(name);
            }
        }
    }

    /// Whether the next value is written as an element without extras, as most are.
    #[inline]
    fn is_straight(&self) -> bool {
        // There is no line end before the root.
        let has_line = self.layout == Layout::Compact || self.depth > 0;
        has_line && self.place == Place::Element && self.extras.is_none()
    }

    /// Writes an element of text that needs no escaping, if [`is_straight`](Self::is_straight).
    #[inline]
    fn leaf(&mut self, name: &str, text: &[u8]) {
        match self.layout {
            Layout::Compact => leaf(self.out, name, text),
            _ => self.indented_leaf(name, text),
        }
    }

    #[inline(never)]
    fn indented_leaf(&mut self, name: &str, text: &[u8]) {
        if let Layout::Indented { line_end } = self.layout
            && let Some(line) = line_start(line_end, self.depth)
        {
            let name = name.as_bytes();
            append!(up to SHORT_LINE, self.out, line, b"<", name, b">", text, b"</", name, b">");
            return;
        }
        self.line(self.depth);
        leaf(self.out, name, text);
    }

    /// Writes bytes: base64 in XML, one decimal field for each byte in a form.
    pub(crate) fn bytes(&mut self, name: &str, bytes: &[u8]) {
        match self.place {
            Place::Field { .. } if bytes.is_empty() => self.field(name),
            Place::Field { .. } => bytes.iter().for_each(|byte| {
                let mut digits = itoa::Buffer::new();
                let digits = digits.format(*byte).as_bytes();
                self.plain(name, digits, SimpleType::UnsignedByte);
            }),
            Place::Sink => self.with_sink(|sink, out| sink.bytes(out, name, bytes)),
            Place::Attribute => self.named_attribute(name, |out, name| {
                out.start_attribute(name);
                base64::encode(bytes, out.out);
                out.end_attribute();
            }),
            Place::Element | Place::Text => {
                self.open_inline(name);
                base64::encode(bytes, self.out);
                self.end_inline(name);
            }
        }
    }

    /// Refuses a value that only XML elements can hold.
    pub(crate) fn no_form(&mut self, name: &str, what: &str) {
        let place = match self.place {
            Place::Field { .. } => "a form",
            Place::Sink => "a document of this binding",
            _ => "an attribute or a text",
        };
        self.fail(format!(
            "'{name}' is {what}, and {place} has no place for one."
        ));
    }

    pub(crate) fn start_list(&mut self, name: &str) {
        match self.place {
            Place::Attribute | Place::Text => self.no_form(name, "a list"),
            Place::Sink => self.with_sink(|sink, out| sink.start_list(out, name)),
            Place::Element | Place::Field { .. } => self.start(name, &[]),
        }
    }

    pub(crate) fn end_list(&mut self, name: &str) {
        if self.place == Place::Element {
            self.end(name);
        } else {
            self.with_sink(|sink, out| sink.end_list(out));
        }
    }

    /// Writes an absent value: an empty field in a form, unless the field is [repeated](crate::codegen::Value::REPEATED), and nothing in XML.
    pub fn absent(&mut self, name: &str, repeated: bool) {
        if self.is_sink() {
            self.with_sink(|sink, out| sink.absent(out, name));
        } else if self.is_form() && !repeated {
            self.field(name);
        }
    }

    /// Writes `<name xsi:nil="true" />`.
    pub fn nil(&mut self, name: &str) {
        if self.place != Place::Element {
            return self.absent(name, false);
        }
        self.open(name);
        self.attribute_text("xsi:nil", "true");
        self.end(name);
    }

    /// `<name>`, on a line of its own if indented.
    #[inline]
    pub(crate) fn open(&mut self, name: &str) {
        if self.layout == Layout::Compact && self.extras.is_none() {
            self.open_tag(name);
        } else {
            self.open_otherwise(name);
        }
    }

    fn open_tag(&mut self, name: &str) {
        self.depth += 1;
        self.started = self.out.len() + name.len() + 2;
        append!(self.out, b"<", name.as_bytes(), b">");
    }

    #[inline(never)]
    fn open_otherwise(&mut self, name: &str) {
        if let Layout::Indented { .. } = self.layout {
            self.line(self.depth);
        }
        if self.levels.is_some() {
            return self.open_scoped(name);
        }
        self.open_tag(name);
        if self.extras.is_some() {
            self.add_extras(name);
        }
    }

    #[cold]
    fn open_scoped(&mut self, name: &str) {
        let Some(levels) = &mut self.levels else {
            return;
        };
        let declared = levels.start(name);
        let name = local_name(name);
        match levels.prefix().map(|prefix| format!("{prefix}:{name}")) {
            Some(prefixed) => self.open_tag(&prefixed),
            None => self.open_tag(name),
        }
        self.add_outermost(name);
        let derived = self
            .extras
            .as_mut()
            .and_then(|extras| extras.derived.take());
        if let (Some(derived), Some(levels)) = (derived, &mut self.levels) {
            let Prefixed { name, declared } = levels.type_name(derived);
            if let Some((prefix, namespace)) = declared {
                self.attribute_text(&format!("xmlns:{prefix}"), namespace);
            }
            self.attribute_text("xsi:type", &name);
        }
        if let Some(namespace) = declared {
            self.declare("xmlns", namespace);
        }
    }

    /// Declares a namespace after all attributes, as .NET does, and before other declarations.
    fn declare(&mut self, name: &str, namespace: &str) {
        let before = self.out.len();
        self.attribute_text(name, namespace);
        let length = self.out.len() - before;
        if let Some(extras) = &mut self.extras {
            extras.declaration += length;
        }
    }

    /// Writes an attribute of a type, with the prefix of its namespace.
    fn named_attribute(&mut self, name: &str, write: impl FnOnce(&mut Self, &str)) {
        let levels = self.levels.as_mut();
        let Some(prefixed) = levels.and_then(|levels| levels.attribute(name)) else {
            return write(self, local_name(name));
        };
        write(self, &prefixed.name);
        if let Some((prefix, namespace)) = prefixed.declared {
            self.declare(&format!("xmlns:{prefix}"), namespace);
        }
    }

    /// Says the type of the element that was started last.
    #[inline]
    pub(crate) fn describe(&mut self, complex: &'static ComplexType<'static>) {
        if let Some(levels) = &mut self.levels {
            levels.describe(complex);
        }
    }

    #[cold]
    fn add_extras(&mut self, name: &str) {
        let Some(extras) = &mut self.extras else {
            return;
        };
        let derived = extras.derived.take();
        let Extras {
            namespace,
            outermost,
            ..
        } = *extras;
        let is_outermost = self.depth == 1;
        let is_header = matches!(outermost, Outermost::Header { .. });
        if !is_outermost && derived.is_none() && !is_header {
            // No further element has extras.
            self.extras = None;
            return;
        }
        self.add_outermost(name);
        if let Some(derived) = derived {
            self.attribute_text("xsi:type", derived);
        }
        if is_outermost && outermost != Outermost::Started {
            self.declare("xmlns", namespace);
        }
    }

    /// Lets the next element, if it is the outermost one, be without the declarations of `xsd` and `xsi`.
    pub(super) fn declare_no_schema(&mut self) {
        if let Some(extras) = &mut self.extras
            && extras.outermost == Outermost::Schema
            && self.depth == 0
        {
            extras.outermost = Outermost::Bare;
        }
    }

    /// Adds the attributes of the outermost element but for its namespace.
    fn add_outermost(&mut self, name: &str) {
        let Some(extras) = &mut self.extras else {
            return;
        };
        extras.declaration = 0;
        match extras.outermost {
            _ if self.depth > 1 => {}
            Outermost::Schema => self.declare_schema(),
            Outermost::Header {
                must_understand, ..
            } if must_understand.contains(&name) => {
                self.attribute_text("soap:mustUnderstand", "1");
            }
            _ => {}
        }
    }

    /// Starts an element of text; at other places nothing is written before text.
    pub(crate) fn open_inline(&mut self, name: &str) {
        if self.place != Place::Text {
            self.open(name);
        }
    }

    fn declare_schema(&mut self) {
        self.out.pop();
        self.raw(SCHEMA_DECLARATIONS);
        self.out.push(b'>');
        self.started = self.out.len();
    }

    /// Ends an element of text.
    pub(crate) fn end_inline(&mut self, name: &str) {
        match self.place {
            Place::Element | Place::Attribute => self.end_tag(name),
            _ => self.end_elsewhere(),
        }
    }

    /// Writes `</name>`, or ` />` in the start tag if nothing was written since.
    fn end_tag(&mut self, name: &str) {
        if self.levels.is_some() {
            return self.end_scoped(name);
        }
        self.end_named(name);
    }

    #[cold]
    fn end_scoped(&mut self, name: &str) {
        let name = local_name(name);
        match self.levels.as_mut().and_then(|levels| levels.end()) {
            Some(prefix) => self.end_named(&format!("{prefix}:{name}")),
            None => self.end_named(name),
        }
    }

    #[inline]
    fn end_named(&mut self, name: &str) {
        self.depth -= 1;
        if self.started == self.out.len() {
            self.out.pop();
            self.out.extend_from_slice(b" />");
        } else {
            append!(self.out, b"</", name.as_bytes(), b">");
        }
    }

    /// Writes the line end and blanks before a tag, except before the root.
    #[inline(never)]
    fn line(&mut self, depth: usize) {
        if depth > 0 || self.started != usize::MAX {
            self.new_line(depth);
        }
    }

    /// Writes a line end and blanks.
    pub(super) fn new_line(&mut self, depth: usize) {
        let Layout::Indented { line_end } = self.layout else {
            return;
        };
        match line_start(line_end, depth) {
            Some(line) => append!(self.out, line),
            None => {
                self.raw(line_end);
                self.out.resize(self.out.len() + 2 * depth, b' ');
            }
        }
    }

    /// Writes ` name="value"` in the last start tag.
    pub(super) fn attribute_text(&mut self, name: &str, value: &str) {
        if escape::is_plain(value.as_bytes()) {
            return self.plain_attribute(name, value.as_bytes());
        }
        self.start_attribute(name);
        if !escape::attribute(self.out, value.as_bytes()) {
            self.refuse(Some(name), value);
        }
        self.end_attribute();
    }

    fn plain_attribute(&mut self, name: &str, value: &[u8]) {
        if self.extras.is_none() && self.started == self.out.len() {
            self.out.pop();
            append!(self.out, b" ", name.as_bytes(), b"=\"", value, b"\">");
            self.started = self.out.len();
        } else {
            self.start_attribute(name);
            self.out.extend_from_slice(value);
            self.end_attribute();
        }
    }

    fn start_attribute(&mut self, name: &str) {
        if self.started != self.out.len() {
            return self.fail(format!("The attribute '{name}' comes after content."));
        }
        self.out.pop();
        self.out.push(b' ');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"=\"");
    }

    fn end_attribute(&mut self) {
        self.out.push(b'"');
        // .NET declares the default namespace after all attributes.
        if let Some(extras) = &self.extras {
            let declaration_start = self.started - 1 - extras.declaration;
            self.out[declaration_start..].rotate_left(extras.declaration);
        }
        self.out.push(b'>');
        self.started = self.out.len();
    }

    /// Writes `name=`, after `&` unless it is the first field.
    fn field(&mut self, name: &str) {
        if let Place::Field { start } = self.place
            && self.out.len() > start
        {
            self.out.push(b'&');
        }
        escape_form(self.out, local_name(name).as_bytes());
        self.out.push(b'=');
    }

    /// Refuses a text, of an attribute of this name or of the innermost open element, in which there are characters that XML does not have.
    #[cold]
    fn refuse(&mut self, attribute: Option<&str>, text: &str) {
        // Of many errors the first one counts.
        if self.any_characters || self.error.is_some() {
            return;
        }
        let mut characters = text.chars();
        let character = characters.find(|character| !characters::is_char(*character));
        let character = character.map_or(0, u32::from);
        let mut path = open_elements(&self.out[self.first..], self.depth);
        path.extend(attribute.map(str::to_owned));
        let holder = match path.as_slice() {
            [] => "A text".to_owned(),
            path => format!("'{}'", path.join("/")),
        };
        self.fail(format!(
            "{holder} holds the character U+{character:04X}, which XML cannot carry."
        ));
    }

    /// Refuses what is to be written; [`finish`](Self::finish) returns the first of these errors.
    pub fn fail(&mut self, message: String) {
        self.error.get_or_insert_with(|| WriteError::new(message));
    }
}
