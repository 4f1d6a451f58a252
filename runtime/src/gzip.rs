//! Bodies in gzip (RFC 1952), for servers and clients.

use std::io::Read;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;
#[cfg(feature = "client")]
use http::header::CONTENT_LENGTH;

use crate::body::BodyError;

/// Whether a body is in gzip, and in nothing else.
pub(crate) fn is_gzip(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    // RFC 9110 §8.4.1.3: `x-gzip` is the same.
    let names = ["gzip", "x-gzip"];
    let is_named = codings.next().is_some_and(|coding| {
        let coding = coding.as_bytes();
        names
            .iter()
            .any(|name| coding.eq_ignore_ascii_case(name.as_bytes()))
    });
    is_named && codings.next().is_none()
}

/// What a body of gzip holds, if that is not longer than the limit. No more than that is inflated, and at most twice as much is allocated.
///
/// # Errors
///
/// It is too long, or no gzip, or cut off.
pub(crate) fn inflated(body: &[u8], limit: usize) -> Result<Bytes, BodyError<std::io::Error>> {
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

/// Forgets that a body was in gzip, once it is inflated.
#[cfg(feature = "client")]
pub(crate) fn forget(headers: &mut HeaderMap) {
    headers.remove(CONTENT_ENCODING);
    headers.remove(CONTENT_LENGTH);
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

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
    fn only_gzip_is_gzip() {
        for (codings, expected) in [
            (&["gzip"][..], true),
            (&["X-GZip"], true),
            (&["deflate"], false),
            (&["gzip, gzip"], false),
            (&["gzip", "gzip"], false),
            (&[], false),
        ] {
            let headers = codings
                .iter()
                .map(|coding| (CONTENT_ENCODING, coding.parse().unwrap()));
            assert_eq!(is_gzip(&headers.collect()), expected, "{codings:?}");
        }
    }
}
