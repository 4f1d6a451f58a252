//! Base64 as .NET reads and writes it.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use crate::xml::characters::is_space;

/// Padding may be missing, as in .NET.
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
pub fn decode(text: &str) -> Option<Vec<u8>> {
    decode_plain(text).or_else(|| {
        let mut digits = Vec::with_capacity(text.len());
        for word in text.as_bytes().split(|byte| is_space(*byte)) {
            digits.extend_from_slice(word);
        }
        BASE64.decode(digits).ok()
    })
}

/// Appends base64.
pub fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    let written = BASE64.encode_slice(bytes, &mut out[start..]).unwrap_or(0);
    out.truncate(start + written);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_changes_nothing() {
        let mut texts: Vec<String> = [
            "", "=", "A", "AA", "AA=", "AA==", "AAA=", "A===", "AAAA=", "AAAA====", "AA==AAAA",
            "AA=A", "A?AA", "AAAAA",
        ]
        .map(String::from)
        .into();
        for length in [1, 2, 3, 57, 768, 1000, 5000] {
            let bytes: Vec<u8> = (0..length).map(|byte| (byte * 7 % 256) as u8).collect();
            let mut text = Vec::new();
            encode(&bytes, &mut text);
            texts.push(String::from_utf8(text).unwrap());
        }
        texts.push(texts.last().unwrap().replace('A', "="));
        for text in texts {
            for width in [1, 2, 3, 4, 76, 1023, 1024, 1025] {
                let lines: Vec<_> = text.as_bytes().chunks(width).collect();
                let spaced = String::from_utf8(lines.join(&b"\r\n"[..])).unwrap();
                let spaced = format!(" {spaced}\t");
                assert_eq!(decode(&spaced), decode_plain(&text), "{spaced:?}");
            }
        }
    }
}
