//! Lists as a single text: values separated by blanks, `xs:list` of XML Schema.

use std::borrow::Cow;

use svcgen_model::SimpleType;

use super::content::{Content, ValuePlace};
use super::element::{Element, Given};
use super::value::Value;
use crate::xml::error::ReadError;

/// A type that can hold the values of a text: `Vec<T>`, or an `Option` of it if the text may be
/// absent.
pub trait Texts {
    /// Reads the values of a text.
    fn read_texts(&mut self, element: &mut Element<'_>) -> Result<(), ReadError>;

    /// Writes the values as an element or an attribute. An absent list is left out, and so is an
    /// attribute without values, which .NET does not read.
    fn write_texts(&self, name: &str, out: &mut Content<'_>);

    /// Writes the values as an element; an absent list is `xsi:nil`.
    fn write_texts_nillable(&self, name: &str, out: &mut Content<'_>) {
        self.write_texts(name, out);
    }
}

impl<T: Value + Default> Texts for Vec<T> {
    fn read_texts(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        self.clear();
        element.each_text(&mut |element| element.add(self)?.read(element))
    }

    fn write_texts(&self, name: &str, out: &mut Content<'_>) {
        out.texts_of(name, self);
    }
}

impl<T: Value + Default> Texts for Option<Vec<T>> {
    fn read_texts(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        if element.take_absent(false)? {
            *self = None;
            return Ok(());
        }
        self.insert(Vec::new()).read_texts(element)
    }

    fn write_texts(&self, name: &str, out: &mut Content<'_>) {
        match self {
            Some(values) => values.write_texts(name, out),
            None => out.absent(name, true),
        }
    }

    fn write_texts_nillable(&self, name: &str, out: &mut Content<'_>) {
        match self {
            Some(values) => values.write_texts(name, out),
            None => out.nil(name),
        }
    }
}

impl<'i> Element<'i> {
    /// Reads values that are separated by blanks. As in .NET, there is an empty value between two
    /// blanks; an empty text has no values.
    pub fn texts<T: Texts>(&mut self, values: &mut T) -> Result<(), ReadError> {
        self.no_field("A list in one text")?;
        values.read_texts(self)
    }

    /// Calls `read` with each of the values in the text, which are separated by blanks, as if it
    /// were an attribute value.
    ///
    /// # Errors
    ///
    /// Returns the errors of `read`.
    pub fn each_text(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'i>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if let Some(list) = self.source() {
            return self.each_item(list, &mut |_, element| read(element));
        }
        // The text is split before it is decoded, as in .NET.
        let form = std::mem::take(&mut self.text_form);
        let text = self.text_to_check()?;
        let around = self.given.take();
        let name = match around {
            Some(Given::Attribute(name, _)) => name,
            _ => None,
        };
        for value in divide(&text) {
            self.given = Some(Given::Attribute(name, value));
            self.text_form = form;
            read(self)?;
        }
        self.given = around;
        self.close();
        Ok(())
    }
}

impl Content<'_> {
    /// Writes values with blanks between them at this place, as [`texts`](Self::texts) does for a
    /// `Vec`.
    pub fn texts_of<T: Value>(&mut self, name: &str, values: &[T]) {
        if values.is_empty() && self.is_attribute() {
            return;
        }
        if self.is_sink() {
            return self.items(name, values);
        }
        let form = self.form_of_text(name);
        let mut joined = Vec::new();
        for (index, value) in values.iter().enumerate() {
            joined.extend((index > 0).then_some(b' '));
            let start = joined.len();
            let mut content = Content::compact(&mut joined);
            content.text_form = form;
            content.any_characters = self.any_characters;
            content.at_place(ValuePlace::Text, |out| value.write(name, out));
            if let Err(error) = content.finish() {
                return self.fail(format!("'{name}': {error}"));
            }
            let text = &joined[start..];
            let is_blank = |at: &[u8]| {
                let references = [&b"&#x9;"[..], b"&#xA;", b"&#xD;"];
                at[0].is_ascii_whitespace() || references.iter().any(|one| at.starts_with(one))
            };
            if text.is_empty() || (0..text.len()).any(|at| is_blank(&text[at..])) {
                return self.fail(format!(
                    "A value of '{name}' is empty or holds a blank, which divides its values."
                ));
            }
        }
        if self.is_attribute() && joined.contains(&b'"') {
            let text = String::from_utf8_lossy(&joined).replace('"', "&quot;");
            joined = text.into_bytes();
        }
        self.plain(name, &joined, SimpleType::String);
    }

    /// Writes values with blanks between them as an element; an absent list is left out.
    pub fn texts<T: Texts>(&mut self, name: &str, values: &T) {
        values.write_texts(name, self);
    }

    /// Writes values with blanks between them as an element; an absent list is `xsi:nil`.
    pub fn nillable_texts<T: Texts>(&mut self, name: &str, values: &T) {
        values.write_texts_nillable(name, self);
    }

    /// Writes values with blanks between them as the text of the element that was started last.
    pub fn content_texts<T: Texts>(&mut self, values: &T) {
        self.at_place(ValuePlace::Text, |out| values.write_texts("text", out));
    }

    /// Writes values with blanks between them as an attribute of the element that was started last.
    pub fn attribute_texts<T: Texts>(&mut self, name: &str, values: &T) {
        self.at_place(ValuePlace::Attribute, |out| values.write_texts(name, out));
    }
}

/// Splits a text into its values.
fn divide<'i>(text: &Cow<'i, str>) -> Vec<Cow<'i, str>> {
    let is_blank = |c: char| c.is_ascii_whitespace();
    match text {
        _ if text.is_empty() => Vec::new(),
        Cow::Borrowed(text) => text.split(is_blank).map(Cow::Borrowed).collect(),
        Cow::Owned(text) => {
            let values = text.split(is_blank);
            values.map(|value| Cow::Owned(value.to_owned())).collect()
        }
    }
}
