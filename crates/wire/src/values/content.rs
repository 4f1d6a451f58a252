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

/// A writer of values as XML on one line, XML indented by two spaces, or form fields.
///
/// Writing cannot fail midway; [`finish`](Self::finish) returns the first error.
pub struct Content<'a> {
    pub(super) out: &'a mut Vec<u8>,
    /// How each element starts a line, if it does.
    line: Option<&'static LineStart>,
    /// The number of open elements.
    depth: usize,
    /// The end of the last start tag: an element is empty if nothing was written after that.
    started: usize,
    /// The place that the next value is written to.
    pub(super) place: ValuePlace,
    /// The writer for long bytes, if they are not written as base64.
    pub(super) parts: Option<&'a mut dyn BinaryPartsWriter>,
    /// The writer for a document in another notation.
    pub(super) sink: Option<&'a mut dyn Sink>,
    /// The attributes of start tags that depend on their place, if there are any.
    extras: Option<Extras<'a>>,
    /// The open elements, if not all are in one namespace; `extras` is then set as well.
    levels: Option<Box<Levels<'a>>>,
    /// The namespace of the message, if it is known.
    namespace: Option<&'a str>,
    /// The time zone of the service.
    #[doc(hidden)]
    pub time_zone: TimeZone,
    /// The names of nested lists, each after its name in SOAP, if other names are written.
    pub list_names: &'a [(&'a str, &'a str)],
    /// The form of texts that have no row.
    pub text_form: TextForm,
    /// The row of the items of the next list, if their names differ from those in the code.
    pub items: Option<&'a model::Element<'a>>,
    /// Whether references to characters that XML forbids are written, as in .NET, instead of
    /// reporting an error.
    pub any_characters: bool,
    /// The offset of the first element.
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
    /// A document in another notation.
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
    /// The attributes that were given to [`start`](Content::start).
    Started,
    /// None.
    Bare,
    /// The declarations of `xsd` and `xsi`.
    Schema,
    /// The attribute `mustUnderstand`, if the element is one of these SOAP headers.
    Header {
        must_understand: &'a [&'a str],
        /// The name of the attribute with the receiver of a header.
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

/// Does not show the text, which may contain secrets.
impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content")
            .field("len", &self.out.len())
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

impl<'a> Content<'a> {
    /// Creates a writer of XML without white space between elements, as in SOAP messages. The
    /// prefix `xsi` must be declared around it.
    #[inline]
    pub fn compact(out: &'a mut Vec<u8>) -> Self {
        Self::with_lines(out, None)
    }

    /// Creates a writer of XML with every element on a line of its own, indented by two spaces, as
    /// in the answers of the HTTP bindings. There is no line end after the root.
    pub fn indented(out: &'a mut Vec<u8>) -> Self {
        Self::with_lines(out, Some(&LF))
    }

    /// Like [`indented`](Self::indented), with CR LF as line end.
    pub fn indented_crlf(out: &'a mut Vec<u8>) -> Self {
        Self::with_lines(out, Some(&CR_LF))
    }

    /// Creates a writer of form fields, `a=1&b=x+y`, as in a query or an
    /// `application/x-www-form-urlencoded` body.
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

    /// Sets the namespaces of elements. By default, all are in that of the outermost one.
    #[must_use]
    #[inline]
    pub fn with_levels(mut self, levels: Option<Levels<'a>>) -> Self {
        if let Some(levels) = levels {
            self.extras = Some(Extras::new("", Outermost::Started));
            self.levels = Some(Box::new(levels));
        }
        self
    }

    /// Writes long bytes as parts next to the message, which refers to them (`xop:Include`).
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
    /// Returns an error if a value contains a character that XML cannot carry, or was written at a
    /// place that cannot hold it, such as an object in a form.
    #[inline]
    pub fn finish(self) -> Result<(), WriteError> {
        self.error.map_or(Ok(()), Err)
    }

    /// Calls `write`, which writes values to another place.
    pub(crate) fn at_place(&mut self, place: ValuePlace, write: impl FnOnce(&mut Self)) {
        if self.is_sink() {
            return write(self);
        }
        let before = std::mem::replace(&mut self.place, place);
        write(self);
        self.place = before;
    }

    /// Calls `write`, which writes elements that no row describes into the innermost open element,
    /// with exactly the names and attributes that it states.
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
        // The default namespace is then the service's, so the type needs no prefix.
        let none = Extras::new("", Outermost::Started);
        let extras = self.extras.get_or_insert(none);
        extras.derived = Some(type_name);
        write(self);
        self.extras = before;
    }
}

/// Writing elements, attributes and fields.
impl<'a> Content<'a> {
    /// The number of bytes in the buffer.
    #[inline]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether the buffer is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// The text that was written so far.
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

    /// Whether values are written as the text of an element.
    #[doc(hidden)]
    pub fn is_text(&self) -> bool {
        self.place == ValuePlace::Text
    }

    /// Whether values are written as form fields.
    pub(crate) fn is_form(&self) -> bool {
        matches!(self.place, ValuePlace::Field { .. })
    }

    /// The name that a parameter is written with: in a form, its name in .NET code.
    pub fn field_name<'n>(&self, name: &'n str, net: &'n str) -> &'n str {
        if self.is_form() { net } else { name }
    }

    /// Whether values are written as elements.
    #[doc(hidden)]
    #[inline]
    pub fn is_element(&self) -> bool {
        self.place == ValuePlace::Element
    }

    /// Whether a value is written as an attribute.
    pub(crate) fn is_attribute(&self) -> bool {
        self.place == ValuePlace::Attribute
    }

    /// Writes markup unchanged.
    #[inline]
    pub fn raw(&mut self, markup: &str) {
        self.out.extend_from_slice(markup.as_bytes());
    }

    /// Removes and returns the text that was written from an offset on.
    pub(super) fn split_off(&mut self, start: usize) -> String {
        // The writer only writes UTF-8.
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

    /// Records an error for the value that is to be written; [`finish`](Self::finish) returns the
    /// first one.
    pub fn fail(&mut self, message: String) {
        self.error.get_or_insert_with(|| WriteError::new(message));
    }
}
