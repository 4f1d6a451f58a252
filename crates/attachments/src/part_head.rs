//! The head of a part.

use svcgen_core::internals::printable;

use crate::encoding::TransferEncoding;

/// The maximum number of header fields of a part.
const FIELDS: usize = 32;

/// The content of the head of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartHead {
    /// The `Content-ID` without its angle brackets.
    pub id: Option<String>,
    /// The `Content-Type`; empty if there is none.
    pub content_type: String,
    pub(crate) encoding: TransferEncoding,
}

impl PartHead {
    /// Reads the lines of a head, without the empty line that ends it.
    ///
    /// # Errors
    ///
    /// The lines are not header fields, or name an unsupported encoding.
    pub(crate) fn read(lines: &[u8]) -> Result<Self, String> {
        let mut head = Self::default();
        let lines = unfolded(lines);
        let mut fields = [httparse::EMPTY_HEADER; FIELDS];
        let parsed = httparse::parse_headers(&lines, &mut fields);
        let fields = match parsed {
            Ok(httparse::Status::Complete((end, fields))) if end == lines.len() => fields,
            Err(httparse::Error::TooManyHeaders) => {
                return Err(format!("has more than {FIELDS} fields"));
            }
            Err(error) => return Err(format!("is malformed: {error}")),
            // A line that ends with LF alone is empty.
            Ok(_) => return Err("is malformed".to_owned()),
        };
        let mut seen = [false; 3];
        for field in fields {
            let value = String::from_utf8_lossy(field.value);
            let known = ["content-id", "content-type", "content-transfer-encoding"];
            let index = known
                .iter()
                .position(|name| field.name.eq_ignore_ascii_case(name));
            let Some(index) = index else { continue };
            if std::mem::replace(&mut seen[index], true) {
                return Err(format!("has {} twice", printable(field.name)));
            }
            match index {
                0 => head.id = Some(without_brackets(&value).to_owned()),
                1 => head.content_type = value.into_owned(),
                _ => head.encoding = TransferEncoding::named(&value)?,
            }
        }
        Ok(head)
    }
}

/// Returns the id of a `Content-ID` or a `start` parameter without its angle brackets, which some
/// senders omit.
pub(crate) fn without_brackets(id: &str) -> &str {
    let id = id.trim();
    id.strip_prefix('<')
        .and_then(|id| id.strip_suffix('>'))
        .unwrap_or(id)
}

/// Returns the lines of a head with each field on one line (RFC 5322 §2.2.3), and an empty line.
fn unfolded(lines: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(lines.len() + 4);
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        if matches!(line, [b' ' | b'\t', ..]) && !out.is_empty() {
            let end = out.trim_ascii_end().len();
            out.truncate(end);
        }
        out.extend_from_slice(line);
    }
    if !out.is_empty() {
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"\r\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_unfolded_and_of_any_case() {
        let head = PartHead::read(
            b"content-id:\r\n <a@b>\r\nX-Other: 1\r\nCONTENT-TYPE: application/xop+xml;\r\n\ttype=\"text/xml\"",
        )
        .unwrap();
        assert_eq!(head.id.as_deref(), Some("a@b"));
        assert_eq!(head.content_type, "application/xop+xml;\ttype=\"text/xml\"");
        assert_eq!(PartHead::read(b"").unwrap(), PartHead::default());
    }

    #[test]
    fn what_is_no_head_is_refused() {
        let many = "A: b\r\n".repeat(FIELDS + 1);
        for (lines, why) in [
            (&b"no field"[..], "is malformed"),
            (b"A: b\0c", "is malformed"),
            (b"\n\r\nContent-ID: a", "is malformed"),
            (b"A: b\n\nContent-ID: a", "is malformed"),
            (b"Content-ID: a\r\ncontent-id: b", "content-id twice"),
            (many.trim_ascii_end().as_bytes(), "more than 32 fields"),
            (
                b"Content-Transfer-Encoding: gzip",
                "'gzip', which is not read",
            ),
        ] {
            let error = PartHead::read(lines).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
