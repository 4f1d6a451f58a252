//! The texts that simple types are read from and written as, in XML and in forms.

#[cfg(feature = "time")]
mod date_time;
#[cfg(feature = "decimal")]
mod decimal;
mod duration;
mod fragment;
#[cfg(feature = "guid")]
mod guid;
mod names;
mod numbers;
mod text;

use std::borrow::Cow;

use svcgen::codegen::{Content, Element, FormFields, Reader, Value};
use svcgen::{Limits, ReadError, ReadErrorKind};

/// Reads `<v>content</v>`.
fn read<T: Value + Default>(content: &str) -> Result<T, ReadError> {
    read_document(&format!("<v>{content}</v>"))
}

fn read_document<T: Value + Default>(document: &str) -> Result<T, ReadError> {
    let mut reader = Reader::new(document, &Limits::default());
    let mut value = T::default();
    reader.root()?;
    reader.read(&mut value)?;
    reader.finish()?;
    Ok(value)
}

/// Reads the form `v=text`.
fn read_field<T: Value + Default>(text: &str) -> Result<T, ReadError> {
    let fields: &FormFields<'_> = &[(Cow::Borrowed("v"), Cow::Borrowed(text))];
    let mut value = T::default();
    Element::from_form("v", fields).read(&mut value)?;
    Ok(value)
}

/// Writes the element `v`. Returns its content.
fn write<T: Value>(value: &T) -> String {
    let markup = try_write(value).unwrap_or_else(|message| panic!("{message}"));
    if markup == "<v />" {
        return String::new();
    }
    let content = markup
        .strip_prefix("<v>")
        .and_then(|markup| markup.strip_suffix("</v>"));
    content.unwrap_or_else(|| panic!("{markup}")).to_owned()
}

fn try_write<T: Value>(value: &T) -> Result<String, String> {
    finish(value, |out| Content::compact(out))
}

fn write_field<T: Value>(value: &T) -> String {
    finish(value, |out| Content::form(out)).unwrap_or_else(|message| panic!("{message}"))
}

fn finish<T: Value>(
    value: &T,
    layout: for<'o> fn(&'o mut Vec<u8>) -> Content<'o>,
) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut out = layout(&mut bytes);
    out.element("v", value);
    out.finish().map_err(|error| error.to_string())?;
    Ok(String::from_utf8(bytes).unwrap())
}

/// Fails unless each text is read, and written as the other text.
fn rewrites<T: Value + Default>(rows: &[(&str, &str)]) {
    for (text, canonical) in rows {
        let value: T = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(write(&value), *canonical, "written after reading {text:?}");
        let again: T = read(canonical).unwrap_or_else(|error| panic!("{canonical:?}: {error}"));
        assert_eq!(
            write(&again),
            *canonical,
            "written after reading {canonical:?}"
        );
    }
}

/// Fails unless each text is read, and written as the same text.
fn keeps<T: Value + Default>(texts: &[&str]) {
    let rows: Vec<_> = texts.iter().map(|text| (*text, *text)).collect();
    rewrites::<T>(&rows);
}

/// Returns the line and column of the end of a document.
fn end_of(document: &str) -> (Option<usize>, Option<usize>) {
    let lines: Vec<_> = document.split('\n').collect();
    let last = lines[lines.len() - 1];
    (Some(lines.len()), Some(last.chars().count() + 1))
}

/// Fails unless each text is refused; `{}` in the message is the text.
fn refuses<T: Value + Default>(texts: &[&str], message: &str) {
    for text in texts {
        let Err(error) = read::<T>(text) else {
            panic!("{text:?} was read")
        };
        assert_eq!(error.message(), message.replace("{}", text), "{text:?}");
        assert_eq!(error.kind(), ReadErrorKind::Value, "{text:?}");
        assert_eq!(
            (error.line(), error.column()),
            end_of(&format!("<v>{text}</v>")),
            "{text:?}"
        );
    }
}

/// Fails unless each field is read, and written in XML as the other text.
fn reads_fields<T: Value + Default>(rows: &[(&str, &str)]) {
    for (text, canonical) in rows {
        let value: T = read_field(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(write(&value), *canonical, "{text:?}");
    }
}

/// Fails unless each field is refused.
fn refuses_fields<T: Value + Default>(texts: &[&str], kind: &str, why: &str) {
    for text in texts {
        let Err(error) = read_field::<T>(text) else {
            panic!("{text:?} was read")
        };
        let message =
            format!("Cannot convert {text} to {kind}.\r\nParameter name: type ---> {why}");
        assert_eq!(error.message(), message.replace("{}", text), "{text:?}");
    }
}
