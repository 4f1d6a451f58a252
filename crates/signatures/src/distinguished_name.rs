//! X.509 names as text.

use std::fmt::Write as _;

use ring::io::der::{self, Tag};
use untrusted::Input;

use crate::der_sequence::{Malformed, sequence};

/// The types of attributes that have a name in RFC 2253, and their object identifiers.
const TYPES: &[(&[u8], &str)] = &[
    (&[0x55, 4, 3], "CN"),
    (&[0x55, 4, 7], "L"),
    (&[0x55, 4, 8], "ST"),
    (&[0x55, 4, 10], "O"),
    (&[0x55, 4, 11], "OU"),
    (&[0x55, 4, 6], "C"),
    (&[0x55, 4, 9], "STREET"),
    (
        &[0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 25],
        "DC",
    ),
    (
        &[0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 1],
        "UID",
    ),
];

/// `SET`, which ring has no tag for.
const SET: u8 = 0x31;

/// Writes a name in the form of RFC 2253, the last part first: `CN=ann,O=Example`.
pub(crate) fn distinguished_name(name: Input<'_>) -> Result<String, Malformed> {
    let mut parts = name.read_all(Malformed, |name| {
        let mut parts = Vec::new();
        while !name.at_end() {
            let (tag, set) = der::read_tag_and_get_value(name)?;
            if tag != SET {
                return Err(Malformed);
            }
            parts.push(set.read_all(Malformed, |set| {
                let mut values = Vec::new();
                while !set.at_end() {
                    values.push(attribute(sequence(set)?)?);
                }
                Ok(values.join("+"))
            })?);
        }
        Ok(parts)
    })?;
    parts.reverse();
    Ok(parts.join(","))
}

fn attribute(pair: Input<'_>) -> Result<String, Malformed> {
    let (id, raw, tag, value) = pair.read_all(Malformed, |pair| {
        let id = der::expect_tag_and_get_value(pair, Tag::OID)?;
        let (raw, (tag, value)) = pair.read_partial(der::read_tag_and_get_value)?;
        Ok::<_, Malformed>((id, raw, tag, value))
    })?;
    let id = id.as_slice_less_safe();
    let known = TYPES.iter().find(|(known, _)| *known == id);
    // UTF8String, PrintableString and IA5String. Other types are written as DER in hexadecimal
    // digits (RFC 2253 §2.4).
    let text = match (known, tag) {
        (Some(_), 0x0C | 0x13 | 0x16) => std::str::from_utf8(value.as_slice_less_safe()).ok(),
        _ => None,
    };
    let name = known.map_or_else(|| dotted(id), |(_, name)| (*name).to_owned());
    Ok(match text {
        Some(text) => format!("{name}={}", escaped(text)),
        None => {
            let mut out = format!("{name}=#");
            for byte in raw.as_slice_less_safe() {
                // Writing to a text does not fail.
                let _ = write!(out, "{byte:02x}");
            }
            out
        }
    })
}

/// Writes an object identifier: `1.2.840.113549.1.9.1`.
fn dotted(id: &[u8]) -> String {
    let (mut numbers, mut number) = (Vec::new(), 0_u64);
    for byte in id {
        number = (number << 7) | u64::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            if numbers.is_empty() {
                let first = (number / 40).min(2);
                numbers.push(first.to_string());
                number -= first * 40;
            }
            numbers.push(number.to_string());
            number = 0;
        }
    }
    numbers.join(".")
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let is_last = at + character.len_utf8() == text.len();
        let is_special = matches!(character, ',' | '+' | '"' | '\\' | '<' | '>' | ';')
            || (character == '#' && at == 0)
            || (character == ' ' && (at == 0 || is_last));
        if is_special {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
