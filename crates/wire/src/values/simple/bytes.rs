//! base64Binary, and bytes in forms.

use super::number;
use super::text_value::{Simple, cannot_convert};
use crate::values::base64;
use crate::values::content::Content;
use crate::values::element::Element;
use crate::values::large_bytes::LargeBytes;
use crate::values::value::Value;
use crate::xml::error::{ReadError, ReadErrorKind};

/// Reads and writes base64Binary; in a form, one decimal field for each byte.
impl Value for Vec<u8> {
    const REPEATED: bool = true;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        if element.parts.is_some()
            && let Some(bytes) = element.take_part_in_memory()?
        {
            *self = bytes;
            return Ok(());
        }
        *self = read_base64(element)?;
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.bytes(name, self);
    }
}

/// Reads and writes base64Binary like `Vec<u8>`, with bytes that may be in a file.
impl Value for LargeBytes {
    const REPEATED: bool = true;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        *self = match element.take_part()? {
            Some(part) => part,
            None => read_base64(element)?.into(),
        };
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        match self.in_memory() {
            Some(bytes) => out.bytes(name, bytes),
            None => write_file(self, name, out),
        }
    }
}

/// The maximum number of bytes of a file in a message, because messages are in memory.
const MOST_IN_MESSAGE: u64 = 16 << 20;

/// Writes the bytes of a file: as a part if the message may have parts, or else like bytes in
/// memory.
fn write_file(file: &LargeBytes, name: &str, out: &mut Content<'_>) {
    if out.file_part(name, file) {
        return;
    }
    let length = file.len();
    if length > MOST_IN_MESSAGE {
        return out.fail(format!(
            "'{name}' has {length} bytes in a file, of which a message without attachments takes up to {MOST_IN_MESSAGE}. Callers that speak MTOM get them."
        ));
    }
    match file.clone().into_vec() {
        Ok(bytes) => out.bytes(name, &bytes),
        Err(error) => out.fail(format!("The file of '{name}' cannot be read: {error}.")),
    }
}

/// Reads base64, or form fields.
fn read_base64(element: &mut Element<'_>) -> Result<Vec<u8>, ReadError> {
    read_bytes(element, base64::decode, NOT_BASE64)
}

/// Reads bytes from their text, or from form fields.
pub(crate) fn read_bytes(
    element: &mut Element<'_>,
    decode: impl Fn(&str) -> Option<Vec<u8>>,
    refused: &str,
) -> Result<Vec<u8>, ReadError> {
    if element.is_form() {
        return read_byte_fields(element);
    }
    if let Some((source, node)) = element.source() {
        return source.bytes(node);
    }
    if let Some(bytes) = element.plain_text(&decode) {
        return Ok(bytes);
    }
    let text = element.text_to_check()?;
    let Some(bytes) = decode(&text) else {
        return Err(element.error(ReadErrorKind::Malformed, refused.to_owned()));
    };
    element.close();
    Ok(bytes)
}

const NOT_BASE64: &str = "Invalid base64: there are other characters than A-Z a-z 0-9 + / and white space, something after '=', or a character too few.";

/// Decodes a field as base64, unless it is a decimal byte.
fn decode_base64_field(field: &str) -> Option<Vec<u8>> {
    let text = number::trim(field);
    let digits = text.strip_prefix('+').unwrap_or(text);
    let decimal = digits.len() <= 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_base64 = !decimal && text.len().is_multiple_of(4);
    is_base64.then(|| base64::decode_plain(text))?
}

/// Whether a field is a number, or several, but not a byte: it is not part of a secret, and the
/// caller should see which one is wrong.
fn is_wrong_byte(field: &str) -> bool {
    field.len() <= 8
        && field
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b','))
}

/// Reads one decimal field for each byte, or base64, which never looks like a byte, because its
/// length is a multiple of 4 characters. A single empty field means no bytes.
fn read_byte_fields(element: &Element<'_>) -> Result<Vec<u8>, ReadError> {
    let mut fields = element.fields();
    let Some(first) = fields.next().filter(|_| !element.is_blank_field()) else {
        return Ok(Vec::new());
    };
    if let Some(bytes) = decode_base64_field(first) {
        return match fields.find(|field| *field != first) {
            None => Ok(bytes),
            Some(other) => Err(cannot_convert(
                element,
                other,
                u8::TYPE.row().net,
                "Base64 values of one parameter must be equal.",
            )),
        };
    }
    let byte = |field: &str| {
        u8::read_field(field).map_err(|mismatch| {
            let error =
                cannot_convert(element, field, u8::TYPE.row().net, &mismatch.message(field));
            if is_wrong_byte(field) {
                error.not_concealed()
            } else {
                error
            }
        })
    };
    element.fields().map(byte).collect()
}
