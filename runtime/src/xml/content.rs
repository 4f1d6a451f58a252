//! The writer: values to XML or to form fields, straight into one buffer.

use super::characters;
use super::error::WriteError;
use super::value::{Complex, Enumeration, ListValue, Value};
use super::{escape, form, simple};

/// Where values are written: XML on one line, XML indented by two spaces, or form fields.
///
/// Writing cannot fail midway; [`finish`](Self::finish) returns the first error.
pub struct Content<'a> {
    out: &'a mut Vec<u8>,
    layout: Layout,
    /// How many elements are open.
    depth: usize,
    /// Where the start tag that was written last ends: an element that ends there too is empty.
    started: usize,
    /// Whether the next value is written as an attribute of the start tag that was written last.
    attribute: bool,
    /// Attributes that the next start tag carries.
    declarations: Option<Declarations<'a>>,
    error: Option<WriteError>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Compact,
    Indented { line_end: &'static str },
    Form { start: usize },
}

/// What the start tag of a root element declares.
#[derive(Clone, Copy)]
struct Declarations<'a> {
    schema: bool,
    namespace: &'a str,
}

const SCHEMA_DECLARATIONS: &str = r#" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#;

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
        Self::with_layout(out, Layout::Form { start })
    }

    fn with_layout(out: &'a mut Vec<u8>, layout: Layout) -> Self {
        Self {
            out,
            layout,
            depth: 0,
            started: usize::MAX,
            attribute: false,
            declarations: None,
            error: None,
        }
    }

    /// Ends the writing.
    ///
    /// # Errors
    ///
    /// The first value that could not be written: a character that XML cannot carry, or an object in a form.
    pub fn finish(self) -> Result<(), WriteError> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Writes a value as an element; an absent one is left out.
    pub fn element<T: Value>(&mut self, name: &str, value: &T) {
        value.write(name, self);
    }

    /// Writes a value as an element; an absent one as `<name xsi:nil="true" />`.
    pub fn nillable<T: Value>(&mut self, name: &str, value: &Option<T>) {
        match value {
            Some(value) => value.write(name, self),
            None => self.nil(name),
        }
    }

    /// Writes a wrapped list: `<name><item>1</item><item>2</item></name>`. An absent list is left out, an absent item is `xsi:nil`.
    pub fn list<L: ListValue>(&mut self, name: &str, item: &str, values: &L) {
        values.write_list(name, item, self);
    }

    /// Writes an unwrapped list: one element `name` for each value.
    pub fn items<T: Value>(&mut self, name: &str, values: &[T]) {
        for value in values {
            value.write_nillable(name, self);
        }
    }

    /// Writes an enumeration by its name.
    pub fn enumeration<E: Enumeration>(&mut self, name: &str, value: E) {
        self.text(name, value.as_str());
    }

    /// Writes a value as an attribute of the element that was started last; an absent one is left out.
    pub fn attribute<T: Value>(&mut self, name: &str, value: &T) {
        self.attribute = true;
        value.write(name, self);
        self.attribute = false;
    }
}

/// What the implementations of [`Value`] and the envelopes are made of.
impl<'a> Content<'a> {
    /// How many bytes the buffer holds.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether the buffer holds nothing.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Whether form fields are written.
    pub(super) fn is_form(&self) -> bool {
        matches!(self.layout, Layout::Form { .. })
    }

    /// Whether an attribute is written.
    pub(super) fn is_attribute(&self) -> bool {
        self.attribute
    }

    /// Writes markup as it stands.
    pub fn raw(&mut self, markup: &str) {
        self.out.extend_from_slice(markup.as_bytes());
    }

    /// Writes escaped text as it stands between tags.
    pub fn escaped(&mut self, text: &str) {
        if !escape::text(self.out, text.as_bytes()) {
            self.refuse("text", text);
        }
    }

    /// Writes a start tag. In a form it writes nothing.
    pub fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        if self.is_form() {
            return;
        }
        self.open(name);
        for (name, value) in attributes {
            self.attribute_text(name, value);
        }
    }

    /// Writes an end tag, or makes an empty element of the start tag if nothing was written since.
    pub fn end(&mut self, name: &str) {
        if self.is_form() {
            return;
        }
        self.depth -= 1;
        if self.started == self.out.len() {
            self.out.pop();
            self.out.extend_from_slice(b" />");
            return;
        }
        if let Layout::Indented { .. } = self.layout {
            self.line();
        }
        self.close(name);
    }

    /// Writes text as an element.
    pub fn text(&mut self, name: &str, text: &str) {
        match self.layout {
            Layout::Form { .. } => {
                self.field(name);
                form::escape(self.out, text.as_bytes());
            }
            _ if self.attribute => self.attribute_text(name, text),
            _ => {
                self.open(name);
                if !escape::text(self.out, text.as_bytes()) {
                    self.refuse(name, text);
                }
                self.end_inline(name);
            }
        }
    }

    /// Writes a value that needs no escaping, such as a number, as an element.
    pub(super) fn plain(&mut self, name: &str, text: &[u8]) {
        match self.layout {
            Layout::Form { .. } => {
                self.field(name);
                form::escape(self.out, text);
            }
            _ if self.attribute => {
                self.start_attribute(name);
                self.out.extend_from_slice(text);
                self.end_attribute();
            }
            _ => {
                self.open(name);
                self.out.extend_from_slice(text);
                self.end_inline(name);
            }
        }
    }

    /// Writes bytes: base64 in XML, one decimal field for each byte in a form.
    pub(super) fn bytes(&mut self, name: &str, bytes: &[u8]) {
        match self.layout {
            Layout::Form { .. } if bytes.is_empty() => self.field(name),
            Layout::Form { .. } => {
                for byte in bytes {
                    byte.write(name, self);
                }
            }
            _ if self.attribute => {
                self.start_attribute(name);
                simple::encode_base64(bytes, self.out);
                self.end_attribute();
            }
            _ => {
                self.open(name);
                simple::encode_base64(bytes, self.out);
                self.end_inline(name);
            }
        }
    }

    /// Writes an object as an element.
    pub fn complex<T: Complex>(&mut self, name: &str, value: &T) {
        if self.is_form() {
            return self.fail(format!(
                "'{name}' is an object, and a form has no place for one."
            ));
        }
        self.open(name);
        value.write_attributes(self);
        value.write_elements(self);
        self.end(name);
    }

    pub(super) fn start_list(&mut self, name: &str) {
        self.start(name, &[]);
    }

    pub(super) fn end_list(&mut self, name: &str) {
        self.end(name);
    }

    /// What is written for an absent value: nothing, but a form has an empty field for it unless the field is repeated.
    pub(super) fn absent(&mut self, name: &str, repeated: bool) {
        if self.is_form() && !repeated {
            self.field(name);
        }
    }

    /// Writes `<name xsi:nil="true" />`.
    pub fn nil(&mut self, name: &str) {
        if self.is_form() || self.attribute {
            return self.absent(name, self.attribute);
        }
        self.open(name);
        self.attribute_text("xsi:nil", "true");
        self.end(name);
    }

    /// Writes the root element of an answer of the HTTP bindings. An object or a list (`complex`) declares `xsd` and `xsi` before the default namespace; an absent value is `xsi:nil`.
    pub fn root<T: Value>(&mut self, name: &str, complex: bool, namespace: &'a str, value: &T) {
        let before = self.out.len();
        self.declarations = Some(Declarations {
            schema: complex,
            namespace,
        });
        value.write(name, self);
        if self.out.len() == before {
            self.declarations = None;
            self.open(name);
            self.declare_schema();
            self.attribute_text("xsi:nil", "true");
            self.attribute_text("xmlns", namespace);
            self.end(name);
        }
    }

    /// `<name>`, on a line of its own if indented.
    fn open(&mut self, name: &str) {
        if let Layout::Indented { .. } = self.layout {
            self.line();
        }
        self.depth += 1;
        self.out.push(b'<');
        self.out.extend_from_slice(name.as_bytes());
        self.out.push(b'>');
        self.started = self.out.len();
        if let Some(declarations) = self.declarations.take() {
            if declarations.schema {
                self.declare_schema();
            }
            self.attribute_text("xmlns", declarations.namespace);
        }
    }

    fn declare_schema(&mut self) {
        self.out.pop();
        self.raw(SCHEMA_DECLARATIONS);
        self.out.push(b'>');
        self.started = self.out.len();
    }

    /// The end of an element that holds text or nothing.
    pub(super) fn end_inline(&mut self, name: &str) {
        self.depth -= 1;
        if self.started == self.out.len() {
            self.out.pop();
            self.out.extend_from_slice(b" />");
        } else {
            self.close(name);
        }
    }

    fn close(&mut self, name: &str) {
        self.out.extend_from_slice(b"</");
        self.out.extend_from_slice(name.as_bytes());
        self.out.push(b'>');
    }

    /// The line end and blanks before a tag; there are none before the root.
    fn line(&mut self) {
        let Layout::Indented { line_end } = self.layout else {
            return;
        };
        if self.depth > 0 || self.started != usize::MAX {
            self.raw(line_end);
            self.out.resize(self.out.len() + 2 * self.depth, b' ');
        }
    }

    /// ` name="value"` within the start tag that was written last.
    fn attribute_text(&mut self, name: &str, value: &str) {
        self.start_attribute(name);
        if !escape::attribute(self.out, value.as_bytes()) {
            self.refuse(name, value);
        }
        self.end_attribute();
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
        self.out.extend_from_slice(b"\">");
        self.started = self.out.len();
    }

    /// `name=`, after `&` unless it is the first field.
    fn field(&mut self, name: &str) {
        if let Layout::Form { start } = self.layout
            && self.out.len() > start
        {
            self.out.push(b'&');
        }
        form::escape(self.out, name.as_bytes());
        self.out.push(b'=');
    }

    fn refuse(&mut self, name: &str, text: &str) {
        let character = text
            .chars()
            .find(|character| !characters::is_char(*character))
            .map_or(0, u32::from);
        self.fail(format!(
            "'{name}' holds the character U+{character:04X}, which XML cannot carry."
        ));
    }

    /// Keeps the first error.
    pub(super) fn fail(&mut self, message: String) {
        self.error.get_or_insert_with(|| WriteError::new(message));
    }
}
