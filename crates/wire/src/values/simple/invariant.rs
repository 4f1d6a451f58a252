//! Numbers in forms, as `Convert.ChangeType` of .NET reads them in its invariant culture.

use std::borrow::Cow;

use super::lexical::take_digits;
use super::mismatch::Mismatch;
use super::number::{split_sign, trim};

/// A number without surrounding blanks, and without commas between its first digit and its point or
/// exponent.
pub(crate) fn without_commas(text: &str) -> Cow<'_, str> {
    let text = trim(text);
    let mut rest = split_sign(text).1;
    if take_digits(&mut rest).is_empty() || !rest.starts_with(',') {
        return Cow::Borrowed(text);
    }
    let end = rest.find(|c: char| c != ',' && !c.is_ascii_digit());
    let (whole, rest) = text.split_at(text.len() - end.map_or(0, |end| rest.len() - end));
    Cow::Owned(whole.replace(',', "") + rest)
}

/// Reads a floating-point number, and returns it as XML Schema writes it.
pub(crate) fn float(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    let text = without_commas(text);
    // In a form, infinity has .NET's own name.
    if text.ends_with("INF") {
        return Err(Mismatch::Number);
    }
    Ok(text)
}
