//! The writer of XML and form fields.

mod attributes;
mod outermost;
mod tags;
mod texts;

use std::fmt;

use svcgen_model::{self as model, TextForm};

use super::binary_parts::BinaryPartsWriter;
use super::levels::Levels;
use super::notation::Sink;
use super::time_zone::TimeZone;
use crate::form::encode::escape as escape_form;
use crate::xml::append::LineStart;
use crate::xml::error::WriteError;
use crate::xml::names::local_name;

/// Where values are written: XML on one line, XML indented by two spaces, or form fields.
///
/// Writing cannot fail midway; [`finish`](Self::finish) returns the first error.
pub struct Content<'a> {
    pub(super) out: &'a mut Vec<u8>,
    /// How each element starts a line, if it does.
    line: Option<&'static LineStart>,
    /// The number of open elements.
    depth: usize,
    /// The end of the last start tag: an element that ends there is empty.
    started: usize,
    /// Where the next value is written.
    pub(super) place: ValuePlace,
    /// Where long bytes are written, if not in base64.
    pub(super) parts: Option<&'a mut dyn BinaryPartsWriter>,
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
    /// Whether references to characters that XML does not have are written, as .NET writes them,
    /// and are no error.
    pub any_characters: bool,
    /// Where the first element starts.
    first: usize,
    error: Option<WriteError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValuePlace {
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

static LF: LineStart = LineStart::new(b"\n");
static CR_LF: LineStart = LineStart::new(b"\r\n");

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
    /// XML without white space between elements, as in SOAP messages. The prefix `xsi` must be
    /// declared around it.
    #[inline]
    pub fn compact(out: &'a mut Vec<u8>) -> Self {
        Self::with_lines(out, None)
    }

    /// XML with every element on a line of its own, indented by two spaces, as in the answers of
    /// the HTTP bindings. There is no line end after the root.
    pub fn indented(out: &'a mut Vec<u8>) -> Self {
        Self::with_lines(out, Some(&LF))
    }

    /// Like [`indented`](Self::indented), with CR LF as line end.
    pub fn indented_crlf(out: &'a mut Vec<u8>) -> Self {
        Self::with_lines(out, Some(&CR_LF))
    }

    /// Form fields, `a=1&b=x+y`, as in a query or an `application/x-www-form-urlencoded` body.
    pub fn form(out: &'a mut Vec<u8>) -> Self {
        let start = out.len();
        let mut content = Self::compact(out);
        content.place = ValuePlace::Field { start };
        content
    }

    fn with_lines(out: &'a mut Vec<u8>, line: Option<&'static LineStart>) -> Self {
        Self {
            first: out.len(),
            any_characters: false,
            out,
            line,
            depth: 0,
            started: usize::MAX,
            place: ValuePlace::Element,
            parts: None,
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
    #[inline]
    pub fn with_levels(mut self, levels: Option<Levels<'a>>) -> Self {
        if let Some(levels) = levels {
            self.extras = Some(Extras::new("", Outermost::Started));
            self.levels = Some(Box::new(levels));
        }
        self
    }

    /// Writes long bytes as parts beside the message, which refers to them (`xop:Include`).
    #[must_use]
    #[inline]
    pub fn with_parts(mut self, parts: Option<&'a mut dyn BinaryPartsWriter>) -> Self {
        self.parts = parts;
        self
    }

    /// Returns the first error.
    ///
    /// # Errors
    ///
    /// A value holds a character that XML cannot carry, or has no place where it was written, as an
    /// object in a form.
    #[inline]
    pub fn finish(self) -> Result<(), WriteError> {
        self.error.map_or(Ok(()), Err)
    }

    /// Writes the values that `write` writes at another place.
    pub(crate) fn at_place(&mut self, place: ValuePlace, write: impl FnOnce(&mut Self)) {
        if self.is_sink() {
            return write(self);
        }
        let before = std::mem::replace(&mut self.place, place);
        write(self);
        self.place = before;
    }

    /// Writes elements, which `write` does, that no row of a model describes, with the names and
    /// attributes that are given, in the innermost open one.
    #[doc(hidden)]
    pub fn undescribed(&mut self, write: impl FnOnce(&mut Self)) {
        let around = (self.extras.take(), self.levels.take());
        self.at_place(ValuePlace::Element, write);
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
    #[inline]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether the buffer holds nothing.
    #[inline]
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
    #[doc(hidden)]
    pub fn default_namespace(&self) -> Option<&'a str> {
        let namespace = self.namespace?;
        let levels = self.levels.as_ref();
        Some(levels.map_or(namespace, |levels| levels.default_namespace()))
    }

    /// Whether the text of an element is written.
    #[doc(hidden)]
    pub fn is_text(&self) -> bool {
        self.place == ValuePlace::Text
    }

    /// Whether form fields are written.
    pub(crate) fn is_form(&self) -> bool {
        matches!(self.place, ValuePlace::Field { .. })
    }

    /// The name under which a parameter is written: in a form that of .NET code.
    pub fn field_name<'n>(&self, name: &'n str, net: &'n str) -> &'n str {
        if self.is_form() { net } else { name }
    }

    /// Whether elements are written.
    #[doc(hidden)]
    #[inline]
    pub fn is_element(&self) -> bool {
        self.place == ValuePlace::Element
    }

    /// Whether an attribute is written.
    pub(crate) fn is_attribute(&self) -> bool {
        self.place == ValuePlace::Attribute
    }

    /// Writes markup as it stands.
    #[inline]
    pub fn raw(&mut self, markup: &str) {
        self.out.extend_from_slice(markup.as_bytes());
    }

    /// Takes back what was written since there were so many bytes.
    pub(super) fn split_off(&mut self, start: usize) -> String {
        // All that is written is UTF-8.
        String::from_utf8(self.out.split_off(start)).unwrap_or_default()
    }

    /// Refuses a value that only XML elements can hold.
    #[doc(hidden)]
    pub fn no_form(&mut self, name: &str, what: &str) {
        let place = match self.place {
            ValuePlace::Field { .. } => "a form",
            ValuePlace::Sink => "a document of this binding",
            _ => "an attribute or a text",
        };
        self.fail(format!(
            "'{name}' is {what}, and {place} has no place for one."
        ));
    }

    pub(crate) fn start_list(&mut self, name: &str) {
        match self.place {
            ValuePlace::Attribute | ValuePlace::Text => self.no_form(name, "a list"),
            ValuePlace::Sink => self.with_sink(|sink, out| sink.start_list(out, name)),
            ValuePlace::Element | ValuePlace::Field { .. } => self.start(name, &[]),
        }
    }

    pub(crate) fn end_list(&mut self, name: &str) {
        if self.place == ValuePlace::Element {
            self.end(name);
        } else {
            self.with_sink(|sink, out| sink.end_list(out));
        }
    }

    /// Writes an absent value: an empty field in a form, unless the field is
    /// [repeated](crate::Value::REPEATED), and nothing in XML.
    pub fn absent(&mut self, name: &str, repeated: bool) {
        if self.is_sink() {
            self.with_sink(|sink, out| sink.absent(out, name));
        } else if self.is_form() && !repeated {
            self.field(name);
        }
    }

    /// Writes `name=`, after `&` unless it is the first field.
    fn field(&mut self, name: &str) {
        if let ValuePlace::Field { start } = self.place
            && self.out.len() > start
        {
            self.out.push(b'&');
        }
        escape_form(self.out, local_name(name).as_bytes());
        self.out.push(b'=');
    }

    /// Refuses what is to be written; [`finish`](Self::finish) returns the first of these errors.
    pub fn fail(&mut self, message: String) {
        self.error.get_or_insert_with(|| WriteError::new(message));
    }
}
