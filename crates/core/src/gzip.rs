//! Bodies in gzip (RFC 1952), for servers and clients. They need the feature `gzip`.

#[cfg(feature = "gzip")]
use std::io::{Read, Write};

use bytes::Bytes;
#[cfg(feature = "gzip")]
use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, VARY};
use http::{HeaderMap, HeaderValue};

use crate::body::BodyError;

/// The length of the longest answer that is not compressed, in bytes.
const SHORTEST: usize = 1024;

/// The coding of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    /// Answers are never coded.
    Off,
    /// This answer is not coded, but others may be.
    Identity,
    Gzip,
}

impl Coding {
    /// Returns the coding of the answer to a request with these headers (RFC 9110 §12.5.3), if the
    /// answer may be in gzip at all.
    pub(crate) fn of(may_be_gzip: bool, headers: &HeaderMap) -> Self {
        if !may_be_gzip {
            return Self::Off;
        }
        let mut weights = [None; 3];
        for header in headers.get_all(ACCEPT_ENCODING) {
            for accepted in header.to_str().unwrap_or_default().split(',') {
                let (name, weight) = accepted.split_once(';').unwrap_or((accepted, "q=1"));
                let weight = weight.trim().trim_start_matches(['q', 'Q']);
                let weight = weight
                    .strip_prefix('=')
                    .and_then(|weight| weight.parse().ok());
                let of = match &*name.trim().to_ascii_lowercase() {
                    "gzip" | "x-gzip" => 0,
                    "identity" => 1,
                    "*" => 2,
                    _ => continue,
                };
                weights[of] = Some(weight.unwrap_or(0.0));
            }
        }
        let [gzip, identity, any]: [Option<f32>; 3] = weights;
        let gzip = gzip.or(any).unwrap_or(0.0);
        if gzip > 0.0 && gzip >= identity.unwrap_or(0.0) {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    /// Writes an answer in this coding if it is long enough, with the header `Vary`.
    pub(crate) fn apply(self, headers: &mut HeaderMap, body: &mut Bytes) {
        let is_short = body.len() <= SHORTEST;
        if self == Self::Off || is_short || headers.contains_key(CONTENT_ENCODING) {
            return;
        }
        headers.append(VARY, HeaderValue::from_static("Accept-Encoding"));
        if self == Self::Identity {
            return;
        }
        let Some(deflated) = deflated(body) else {
            return;
        };
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        headers.insert(CONTENT_LENGTH, HeaderValue::from(deflated.len()));
        *body = deflated.into();
    }
}

#[cfg(feature = "gzip")]
fn deflated(body: &[u8]) -> Option<Vec<u8>> {
    let mut deflating = GzEncoder::new(Vec::new(), Compression::fast());
    deflating.write_all(body).ok()?;
    deflating.finish().ok()
}

#[cfg(not(feature = "gzip"))]
fn deflated(_: &[u8]) -> Option<Vec<u8>> {
    None
}

/// Decompresses a body in gzip, up to the limit. It never decompresses more than that, and
/// allocates at most twice as much.
///
/// # Errors
///
/// The content is too long, or the body is not gzip, or is truncated.
#[cfg(feature = "gzip")]
pub fn inflated(body: &[u8], limit: usize) -> Result<Bytes, BodyError<std::io::Error>> {
    let mut whole = Vec::new();
    let one_more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let mut inflating = MultiGzDecoder::new(body).take(one_more);
    inflating
        .read_to_end(&mut whole)
        .map_err(BodyError::Broken)?;
    if whole.len() > limit {
        return Err(BodyError::TooLong);
    }
    Ok(whole.into())
}

/// Fails: without the feature, such a body is never requested, and routing refuses it.
///
/// # Errors
///
/// Always, because the body cannot be read.
#[cfg(not(feature = "gzip"))]
pub fn inflated(_: &[u8], _: usize) -> Result<Bytes, BodyError<std::io::Error>> {
    Err(BodyError::Broken(std::io::ErrorKind::Unsupported.into()))
}

/// The number of bytes of a body that are decompressed at once. A gzip bomb expands these bytes to
/// up to 4 MiB.
pub(crate) const STEP: usize = 4 << 10;

/// Decompresses a body in gzip while it arrives.
#[cfg(feature = "gzip")]
pub(crate) struct Inflating {
    decoder: flate2::write::MultiGzDecoder<Vec<u8>>,
    /// The number of decompressed bytes that may still come.
    left: usize,
}

#[cfg(feature = "gzip")]
impl Inflating {
    /// Starts a body of up to `limit` decompressed bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            decoder: flate2::write::MultiGzDecoder::new(Vec::new()),
            left: limit,
        }
    }

    /// Decompresses the next bytes, at most [`STEP`].
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>, BodyError<std::io::Error>> {
        let written = self.decoder.write_all(bytes);
        let flushed = written.and_then(|()| self.decoder.flush());
        flushed.map_err(BodyError::Broken)?;
        self.take()
    }

    /// Returns the rest at the end of the body.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, BodyError<std::io::Error>> {
        self.decoder.try_finish().map_err(BodyError::Broken)?;
        self.take()
    }

    fn take(&mut self) -> Result<Vec<u8>, BodyError<std::io::Error>> {
        let inflated = std::mem::take(self.decoder.get_mut());
        let left = self.left.checked_sub(inflated.len());
        self.left = left.ok_or(BodyError::TooLong)?;
        Ok(inflated)
    }
}

/// Fails like `inflated`: without the feature, routing refuses such a body.
#[cfg(not(feature = "gzip"))]
pub(crate) struct Inflating;

#[cfg(not(feature = "gzip"))]
impl Inflating {
    pub(crate) fn new(_: usize) -> Self {
        Self
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>, BodyError<std::io::Error>> {
        inflated(bytes, 0).map(Vec::from)
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>, BodyError<std::io::Error>> {
        inflated(&[], 0).map(Vec::from)
    }
}

/// Removes the headers of a body in gzip, after it was decompressed.
pub fn forget(headers: &mut HeaderMap) {
    headers.remove(CONTENT_ENCODING);
    headers.remove(CONTENT_LENGTH);
}

#[cfg(all(test, feature = "gzip"))]
mod tests {
    use super::*;

    fn deflated(body: &[u8]) -> Vec<u8> {
        let mut deflating = GzEncoder::new(Vec::new(), Compression::default());
        deflating.write_all(body).unwrap();
        deflating.finish().unwrap()
    }

    #[test]
    fn bodies_are_inflated_up_to_the_limit() {
        let body = vec![b' '; 10_000];
        let once = deflated(&body);
        assert_eq!(inflated(&once, 10_000).unwrap(), body);
        assert!(matches!(inflated(&once, 9_999), Err(BodyError::TooLong)));
        let twice = [&once[..], &once[..]].concat();
        assert_eq!(inflated(&twice, 20_000).unwrap().len(), 20_000);
        assert!(matches!(inflated(&twice, 19_999), Err(BodyError::TooLong)));
        assert!(inflated(&deflated(b""), 0).unwrap().is_empty());
    }

    /// Decompresses a body that arrives in pieces of this length.
    fn inflated_in_pieces(
        body: &[u8],
        length: usize,
        limit: usize,
    ) -> Result<Vec<u8>, BodyError<std::io::Error>> {
        let (mut inflating, mut whole) = (Inflating::new(limit), Vec::new());
        for piece in body.chunks(length) {
            whole.extend(inflating.push(piece)?);
        }
        whole.extend(inflating.finish()?);
        Ok(whole)
    }

    #[test]
    fn pieces_hold_what_the_whole_body_holds() {
        let bytes: Vec<u8> = (0..100_000_u32)
            .map(|at| (at.wrapping_mul(at) >> 7) as u8)
            .collect();
        let (one, other) = (deflated(&bytes), deflated(b"more"));
        for length in [1, 7, STEP] {
            let pieces = |body: &[u8], limit| inflated_in_pieces(body, length, limit);
            assert_eq!(pieces(&one, 100_000).unwrap(), bytes);
            let too_long = pieces(&one, 99_999);
            assert!(matches!(too_long, Err(BodyError::TooLong)));
            let two = pieces(&[&*one, &*other].concat(), 200_000).unwrap();
            assert_eq!(two, [&*bytes, b"more"].concat());
            for broken in [
                &one[..one.len() - 1],
                &one[..50],
                b"<xml/>",
                b"",
                &[&*one, b"more"].concat(),
            ] {
                let error = pieces(broken, 200_000);
                assert!(
                    matches!(error, Err(BodyError::Broken(_))),
                    "{length} {error:?}"
                );
            }
        }
    }

    #[test]
    fn broken_gzip_is_told() {
        let whole = deflated(b"a body that is cut off");
        for end in 1..whole.len() {
            let cut = inflated(&whole[..end], 1_000);
            assert!(matches!(cut, Err(BodyError::Broken(_))), "{end}");
        }
        let mut wrong = whole.clone();
        *wrong.last_mut().unwrap() ^= 1;
        for broken in [&wrong[..], b"<xml/>", &[&whole[..], b"more"].concat()] {
            assert!(matches!(inflated(broken, 1_000), Err(BodyError::Broken(_))));
        }
    }

    #[test]
    fn callers_accept_gzip_by_weights() {
        let coding = |may_be_gzip, header: &'static str| {
            let header = (ACCEPT_ENCODING, HeaderValue::from_static(header));
            Coding::of(may_be_gzip, &HeaderMap::from_iter([header]))
        };
        assert_eq!(coding(false, "gzip"), Coding::Off);
        for (header, accepted) in [
            ("gzip", true),
            ("deflate, GZIP;q=0.5, br", true),
            ("x-gzip", true),
            ("*", true),
            ("*;q=0.1", true),
            ("identity;q=0.5, gzip ; q=1.0", true),
            ("", false),
            ("identity", false),
            ("gzip;q=0", false),
            ("gzip;q=0.000, *", false),
            ("*;q=0", false),
            ("gzip;q=0.4, identity;q=0.5", false),
            ("gzip;q=x", false),
            ("gzippo", false),
        ] {
            let expected = if accepted {
                Coding::Gzip
            } else {
                Coding::Identity
            };
            assert_eq!(coding(true, header), expected, "{header}");
        }
    }
}
