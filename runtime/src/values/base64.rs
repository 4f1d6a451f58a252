//! Base64 as .NET reads and writes it.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use crate::xml::characters::is_space;

/// Padding may be missing, as .NET reads it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes base64 without white space.
pub(crate) fn decode_plain(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text).ok()
}

/// Decodes base64 with white space anywhere.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    decode_plain(text).or_else(|| {
        let mut digits = Vec::with_capacity(text.len());
        digits.extend(text.bytes().filter(|byte| !is_space(*byte)));
        BASE64.decode(digits).ok()
    })
}

/// Appends base64.
pub(crate) fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    let written = BASE64.encode_slice(bytes, &mut out[start..]).unwrap_or(0);
    out.truncate(start + written);
}
