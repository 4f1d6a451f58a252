//! Numbers and dates in forms, as `Convert.ChangeType` of .NET reads them in its invariant culture.

#[cfg(feature = "time")]
pub(crate) mod dates;

use std::borrow::Cow;

use super::lexical::take_digits;
use super::number::{split_sign, trim};
use super::text_value::Mismatch;

/// A number without blanks around it, and without commas after its first digit and before its point or exponent.
fn without_commas(text: &str) -> Cow<'_, str> {
    let text = trim(text);
    let mut rest = split_sign(text).1;
    if take_digits(&mut rest).is_empty() || !rest.starts_with(',') {
        return Cow::Borrowed(text);
    }
    let end = rest.find(|c: char| c != ',' && !c.is_ascii_digit());
    let (whole, rest) = text.split_at(text.len() - end.map_or(0, |end| rest.len() - end));
    Cow::Owned(whole.replace(',', "") + rest)
}

/// Reads a decimal number, which may have its sign at its end: it is returned as XML Schema writes it.
#[cfg(feature = "decimal")]
pub(crate) fn decimal(text: &str) -> Cow<'_, str> {
    let text = without_commas(text);
    let unsigned = text.strip_suffix(['-', '+']).map(trim);
    match unsigned.filter(|unsigned| unsigned.starts_with(|c: char| c == '.' || c.is_ascii_digit()))
    {
        Some(unsigned) if text.ends_with('-') => Cow::Owned(format!("-{unsigned}")),
        Some(unsigned) => Cow::Owned(unsigned.to_owned()),
        None => text,
    }
}

/// Reads a floating-point number: it is returned as XML Schema writes it.
pub(crate) fn float(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    let text = without_commas(text);
    // Infinity has a name of .NET's own in a form.
    if text.ends_with("INF") {
        return Err(Mismatch::Number);
    }
    Ok(text)
}
