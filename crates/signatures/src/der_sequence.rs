//! Additions to ring's reader of DER.

use ring::io::der::{self, Tag};
use untrusted::{Input, Reader};

/// The error for malformed bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Malformed;

impl From<ring::error::Unspecified> for Malformed {
    fn from(_: ring::error::Unspecified) -> Self {
        Self
    }
}

impl From<untrusted::EndOfInput> for Malformed {
    fn from(_: untrusted::EndOfInput) -> Self {
        Self
    }
}

/// Reads a `SEQUENCE`.
pub(crate) fn sequence<'a>(input: &mut Reader<'a>) -> Result<Input<'a>, Malformed> {
    Ok(der::expect_tag_and_get_value(input, Tag::Sequence)?)
}
