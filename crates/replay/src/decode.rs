//! Bodies as text, and messages without compression and packages.

use std::borrow::Cow;
use std::io::Read;

use bytes::Bytes;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use http::header::CONTENT_ENCODING;
use http::{HeaderMap, Request, Response};
use svcgen_attachments::Attachments;

use crate::headers::MediaType;

/// A body as text.
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) encoding: &'static str,
    pub(crate) has_mark: bool,
}

impl Decoded {
    /// Returns the byte order mark before the text.
    pub(crate) fn mark(&self) -> &'static str {
        if self.has_mark { "\u{feff}" } else { "" }
    }
}

/// Decodes a body by its byte order mark, its charset, or its XML declaration.
pub(crate) fn decode(body: &[u8], charset: Option<&str>) -> Result<Decoded, String> {
    let marked = Encoding::for_bom(body);
    let encoding = match (marked, body) {
        (Some((encoding, _)), _) => encoding,
        (None, [b'<', 0, ..]) => UTF_16LE,
        (None, [0, b'<', ..]) => UTF_16BE,
        (None, _) => {
            let label = charset.or_else(|| svcgen::codegen::declared_encoding(body));
            match label {
                None => UTF_8,
                Some(label) => Encoding::for_label(label.as_bytes())
                    .ok_or_else(|| format!("the encoding {label} is not known"))?,
            }
        }
    };
    let start = marked.map_or(0, |(_, length)| length);
    let text = encoding
        .decode_without_bom_handling_and_without_replacement(&body[start..])
        .ok_or_else(|| format!("it is not text in {}", encoding.name()))?;
    Ok(Decoded {
        text: text.into_owned(),
        encoding: encoding.name(),
        has_mark: marked.is_some(),
    })
}

/// Returns the name of the encoding of a body, and the byte order mark before its text, to write
/// another text like it. A body that cannot be decoded counts as UTF-8.
pub fn encoding_of(headers: &HeaderMap, body: &[u8]) -> [&'static str; 2] {
    match decode(body, MediaType::of(headers).charset.as_deref()) {
        Ok(decoded) => [decoded.encoding, decoded.mark()],
        Err(_) => [UTF_8.name(), ""],
    }
}

/// Encodes a text like a body ([`encoding_of`]).
pub fn encode([encoding, mark]: [&'static str; 2], text: &str) -> Vec<u8> {
    let text = format!("{mark}{text}");
    // `encoding_rs` does not write UTF-16.
    match encoding {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        label => {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(UTF_8);
            encoding.encode(&text).0.into_owned()
        }
    }
}

/// The maximum length of a decompressed body in bytes.
pub(crate) const MOST: u64 = 64 << 20;

/// Returns a request as masks read it and as masked recordings contain it: uncompressed, with the
/// bytes of included parts (MTOM), and without other attachments. A compressed body of `most` bytes
/// or more, and what cannot be read, stay as they are.
pub fn readable_request(request: Request<Bytes>, most: u64) -> Request<Bytes> {
    let (mut head, mut body) = request.into_parts();
    make_readable(&mut head.headers, &mut body, most);
    Request::from_parts(head, body)
}

/// Returns a response as masks read it, like [`readable_request`].
pub fn readable_response(response: Response<Bytes>, most: u64) -> Response<Bytes> {
    let (mut head, mut body) = response.into_parts();
    make_readable(&mut head.headers, &mut body, most);
    Response::from_parts(head, body)
}

fn make_readable(headers: &mut HeaderMap, body: &mut Bytes, most: u64) {
    uncompress(headers, body, most);
    Attachments::new().inline(headers, body);
}

/// Replaces a compressed body (gzip, deflate) by its content of fewer than `most` bytes, and removes
/// `Content-Encoding`. Leaves a body that cannot be decompressed, or is longer, unchanged.
pub(crate) fn uncompress(headers: &mut HeaderMap, body: &mut Bytes, most: u64) {
    if let Ok(Cow::Owned(whole)) = uncompressed(headers, body, most) {
        *body = whole.into();
        headers.remove(CONTENT_ENCODING);
    }
}

/// Decompresses a body of fewer than `most` bytes.
pub(crate) fn uncompressed<'b>(
    headers: &HeaderMap,
    body: &'b [u8],
    most: u64,
) -> Result<Cow<'b, [u8]>, String> {
    let Some(coding) = headers.get(CONTENT_ENCODING) else {
        return Ok(body.into());
    };
    let coding = String::from_utf8_lossy(coding.as_bytes());
    if coding.eq_ignore_ascii_case("identity") || body.is_empty() {
        return Ok(body.into());
    }
    let mut whole = Vec::new();
    let read = match coding.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => MultiGzDecoder::new(body).take(most).read_to_end(&mut whole),
        "deflate" => ZlibDecoder::new(body).take(most).read_to_end(&mut whole),
        _ => return Err(format!("it is compressed by {coding}, which is not known")),
    };
    read.map_err(|error| format!("it is no {coding}: {error}"))?;
    if whole.len() as u64 == most {
        return Err(format!("it is longer than {} MiB", most >> 20));
    }
    Ok(whole.into())
}
