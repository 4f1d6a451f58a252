//! `Content-Transfer-Encoding` (RFC 2045 §6).

use svcgen_wire::internals::base64;
use svcgen_wire::internals::printable;

/// The encoding of the bytes of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TransferEncoding {
    /// Unencoded: `binary`, `8bit` or `7bit`.
    #[default]
    Plain,
    Base64,
    QuotedPrintable,
}

impl TransferEncoding {
    /// Returns the encoding with a name.
    ///
    /// # Errors
    ///
    /// No supported encoding has this name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        match &*name.trim().to_ascii_lowercase() {
            "binary" | "8bit" | "7bit" => Ok(Self::Plain),
            "base64" => Ok(Self::Base64),
            "quoted-printable" => Ok(Self::QuotedPrintable),
            other => Err(format!(
                "has the Content-Transfer-Encoding '{}', which is not read; send binary, 8bit, 7bit, base64 or quoted-printable",
                printable(other)
            )),
        }
    }

    /// Decodes bytes.
    ///
    /// # Errors
    ///
    /// The bytes are not in this encoding.
    pub(crate) fn decode(self, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        match self {
            Self::Plain => Ok(bytes),
            Self::Base64 => std::str::from_utf8(&bytes)
                .ok()
                .and_then(base64::decode)
                .ok_or_else(|| "is not base64, as its Content-Transfer-Encoding says".to_owned()),
            Self::QuotedPrintable => unquote(&bytes).ok_or_else(|| {
                "is not quoted-printable, as its Content-Transfer-Encoding says".to_owned()
            }),
        }
    }
}

/// Decodes quoted-printable: `=3D`, and `=` at the end of a line that continues.
fn unquote(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'=', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = match &rest[at + 1..] {
            [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => rest,
            [high, low, rest @ ..] => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                out.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
                rest
            }
            _ => return None,
        };
    }
    out.extend_from_slice(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_known_by_any_case_of_their_names() {
        let named = |name| TransferEncoding::named(name);
        assert_eq!(named(" BINARY "), Ok(TransferEncoding::Plain));
        assert_eq!(named("Base64"), Ok(TransferEncoding::Base64));
        let refused = named("x-uuencode").unwrap_err();
        assert!(
            refused.contains("'x-uuencode', which is not read"),
            "{refused}"
        );
    }

    #[test]
    fn bytes_are_decoded() {
        let decode = |encoding: TransferEncoding, text: &str| encoding.decode(text.into());
        let quoted = |text| decode(TransferEncoding::QuotedPrintable, text);
        assert_eq!(quoted("a=3Db=\r\nc=0a").unwrap(), b"a=bc\n");
        for broken in ["a=", "a=3", "a=3g", "=\r"] {
            assert!(quoted(broken).is_err(), "{broken}");
        }
        assert_eq!(
            decode(TransferEncoding::Base64, "AQ\r\nID").unwrap(),
            [1, 2, 3]
        );
        assert!(decode(TransferEncoding::Base64, "A").is_err());
        assert_eq!(decode(TransferEncoding::Plain, "a=").unwrap(), b"a=");
    }
}
