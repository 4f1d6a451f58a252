//! A written value is read again unchanged, another parser accepts the document, and characters
//! that XML cannot contain are refused.

use std::fmt::Debug;

use svcgen::Limits;
use svcgen::codegen::{Complex, Content, Reader};

use super::source::Source;

const NAMESPACE: &str = "urn:round-trip";

/// Checks an input whose first byte selects the type; the rest are its values.
pub fn check(input: &[u8]) {
    let mut source = Source(input);
    match source.below(3) {
        0 => check_value(&source.login()),
        1 => check_value(&source.encrypted_login()),
        _ => check_value(&source.response()),
    }
}

fn check_value<T: Complex + PartialEq + Debug>(value: &T) {
    for (indented, crlf) in [(false, false), (true, false), (true, true)] {
        let mut bytes = Vec::new();
        let mut out = match (indented, crlf) {
            (false, _) => Content::compact(&mut bytes),
            (true, false) => Content::indented(&mut bytes),
            (true, true) => Content::indented_crlf(&mut bytes),
        };
        out.root("Root", true, NAMESPACE, value);
        let written = out.finish();
        let document = String::from_utf8(bytes).expect("UTF-8");
        let other = roxmltree::Document::parse(&document);
        if written.is_err() {
            assert!(has_illegal_text(value), "refused: {value:?}");
            continue;
        }
        assert!(other.is_ok(), "{other:?}: {document}");
        let again: T = read(&document).unwrap_or_else(|error| panic!("{error}: {document}"));
        assert_eq!(&again, value, "{document}");
    }
}

/// Whether a text contains a character that XML cannot contain. As `Debug` escapes such characters
/// and hides secrets, this looks at the form, which can contain everything.
fn has_illegal_text<T: Complex>(value: &T) -> bool {
    let mut bytes = Vec::new();
    let mut out = Content::form(&mut bytes);
    value.write_elements(&mut out);
    if out.finish().is_err() {
        return true;
    }
    let form = String::from_utf8(bytes)
        .expect("ASCII")
        .to_ascii_uppercase();
    let control = (0..0x20)
        .filter(|code| !matches!(code, 9 | 10 | 13))
        .any(|code| form.contains(&format!("%{code:02X}")));
    control || form.contains("%EF%BF%BE") || form.contains("%EF%BF%BF")
}

pub fn read<T: Complex>(document: &str) -> Result<T, svcgen::ReadError> {
    let limits = Limits::default();
    let mut reader = Reader::new(document, &limits);
    let mut value = T::default();
    reader.root()?;
    reader.read(&mut value)?;
    reader.finish()?;
    Ok(value)
}
