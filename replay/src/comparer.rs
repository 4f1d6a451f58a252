//! Comparing answers.

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use http::{Request, Response};
use svcgen::Binding;
use svcgen::mask::{CUT, Mask, OMITTED, SECRET};
use svcgen_messages::{Operation, Service};

use crate::asked::Asked;
use crate::comparison::Comparison;
use crate::decode::{Decoded, decode, uncompressed};
use crate::findings::{Findings, NOTHING, is_placeholder, value};
use crate::headers::{self, MediaType};
use crate::kind::DifferenceKind as Kind;
use crate::likeness::Likeness;
use crate::rules::Rules;
use crate::{json, values, xml};

/// Compares answers, by a definition if there is one.
///
/// Without a definition answers are compared by their bytes and as documents. With one, differences are named by its places, secrets do not count and are not shown, and
/// answers of which it reads equal values are told from those that differ.
///
/// Masked answers (`svcgen record`) are compared but for what is masked in them.
#[derive(Debug, Clone)]
pub struct Comparer {
    service: Option<Service>,
    rules: Rules,
}

impl Comparer {
    /// Compares by a definition, if there is one, and rules.
    pub fn new(service: Option<Service>, rules: Rules) -> Self {
        Self { service, rules }
    }

    /// The service.
    pub fn service(&self) -> Option<Service> {
        self.service
    }

    /// What a request asks the service for.
    pub fn asked(&self, request: &Request<Bytes>) -> Asked {
        Asked::of(self.service, request)
    }

    /// Compares an answer to a request with the one that was expected.
    ///
    /// Headers of the moment, the machine and the connection do not count: [`IGNORED_HEADERS`](svcgen::testing::IGNORED_HEADERS). Compressed bodies (gzip, deflate) are compared
    /// decompressed. The work is linear in the length of the answers, but for lists of different lengths.
    pub fn compare(
        &self,
        request: &Request<Bytes>,
        expected: &Response<Bytes>,
        found: &Response<Bytes>,
    ) -> Comparison {
        let asked = self.asked(request).called();
        let mut findings = Findings::new(&self.rules);
        headers::compare(expected, found, &mut findings);
        if expected.body() != found.body() {
            findings.hides_fault_text = self.quotes_secret(request, [expected, found]);
            bodies(asked, [expected, found], &mut findings);
        }
        let differences: Vec<_> = findings
            .found
            .into_iter()
            .map(|one| one.difference)
            .collect();
        let likeness = differences.iter().map(|one| one.likeness).max();
        Comparison {
            likeness: likeness.unwrap_or(Likeness::Identical),
            operation: asked.map(|(operation, _)| operation.name().to_owned()),
            binding: asked.map(|(_, binding)| binding),
            differences,
            learned: findings.learned,
        }
    }

    /// Whether the text of a fault may quote a secret of the request.
    fn quotes_secret(&self, request: &Request<Bytes>, responses: [&Response<Bytes>; 2]) -> bool {
        let Some(service) = self.service else {
            return false;
        };
        let mask = Mask::new(service.row()).with_limit(usize::MAX);
        responses.into_iter().any(|response| {
            let may_fail =
                response.status().is_server_error() || response.status().is_client_error();
            if !may_fail && memchr::memmem::find(response.body(), b"Fault").is_none() {
                return false;
            }
            let masked = mask.response(request, response);
            let text = masked.body();
            let quoted = xml::fault_text(text).map_or_else(
                || may_fail && text.contains(SECRET),
                |text| is_placeholder(&text),
            );
            let said = String::from_utf8_lossy(response.body());
            quoted && !said.contains(SECRET)
        })
    }
}

fn bodies(
    asked: Option<(Operation, Binding)>,
    responses: [&Response<Bytes>; 2],
    findings: &mut Findings<'_>,
) {
    let codings = responses.map(|response| {
        let coding = response.headers().get(CONTENT_ENCODING);
        coding.map_or(NOTHING.into(), |coding| {
            String::from_utf8_lossy(coding.as_bytes())
        })
    });
    if codings[0] != codings[1] {
        findings.add(Kind::ContentCoding, "body", &*codings[0], &*codings[1]);
    }
    let lengths = responses.map(|response| response.body().len());
    let told = |length: usize| format!("{length} bytes");
    match lengths {
        [0, length] => return findings.add(Kind::ExtraBody, "body", NOTHING, told(length)),
        [length, 0] => return findings.add(Kind::MissingBody, "body", told(length), NOTHING),
        _ => {}
    }
    let types = responses.map(|response| MediaType::of(response.headers()));
    let [expected, found] = [0, 1].map(|side| {
        let response = responses[side];
        let body = uncompressed(response.headers(), response.body())?;
        decode(&body, types[side].charset.as_deref())
    });
    let (expected, found) = match (expected, found) {
        (Ok(expected), Ok(found)) => (expected, found),
        (expected, found) => {
            let told =
                |read: Result<Decoded, String>| read.err().unwrap_or_else(|| "text".to_owned());
            return findings.add(Kind::Malformed, "body", told(expected), told(found));
        }
    };
    let bodies = [&expected, &found];
    let has_failed =
        responses.map(|one| one.status().is_client_error() || one.status().is_server_error());
    let starts = bodies.map(|body| body.text.trim_start().chars().next());
    let is_json = types.iter().all(MediaType::is_json);
    let filled = if is_json {
        let is_fault = has_failed == [true; 2];
        let operation = asked.map(|(operation, _)| operation);
        json::compare(bodies, operation, is_fault, findings).map(|json| json.to_string())
    } else if starts == [Some('<'); 2] {
        let operation = asked.map(|(operation, _)| operation);
        let skipped = xml::compare(bodies, operation, findings);
        skipped.map(|skipped| skipped.filled(&expected.text))
    } else {
        texts(asked.is_some(), has_failed == [true; 2], bodies, findings);
        return;
    };
    let (Some((operation, binding)), Some(filled)) = (asked, filled) else {
        return;
    };
    if findings.found.iter().any(|one| one.place.is_some()) {
        let masks = [SECRET, OMITTED, CUT];
        let is_masked = masks.iter().any(|mask| expected.text.contains(mask));
        let responses = [(responses[0], filled), (responses[1], found.text.clone())];
        let [expected, found] = responses.map(|(response, text)| readable(response, text));
        values::refine(operation, binding, [&expected, &found], is_masked, findings);
    }
}

/// A response whose body is the text, in UTF-8.
fn readable(response: &Response<Bytes>, text: String) -> Response<Bytes> {
    let mut readable = Response::new(Bytes::from(text));
    *readable.status_mut() = response.status();
    readable.headers_mut().clone_from(response.headers());
    readable.headers_mut().remove(CONTENT_ENCODING);
    let media_type = MediaType::of(response.headers());
    if media_type.charset.is_some_and(|charset| charset != "utf-8")
        && let Ok(value) = HeaderValue::try_from(format!("{}; charset=utf-8", media_type.essence))
    {
        readable.headers_mut().insert(CONTENT_TYPE, value);
    }
    readable
}

/// Bodies that are neither XML nor JSON. A definition describes none of them but the texts of failures: they are not shown.
fn texts(is_described: bool, has_failed: bool, bodies: [&Decoded; 2], findings: &mut Findings<'_>) {
    xml::encodings(bodies, findings);
    let texts = bodies.map(|body| body.text.as_str());
    let [one, other] = texts;
    if one == other || is_placeholder(one) && !one.ends_with(CUT) {
        return;
    }
    if let Some(part) = one.strip_suffix(CUT)
        && other.starts_with(part)
    {
        let lengths = texts.map(|text| format!("{} bytes", text.len()));
        return findings.add(Kind::CutOff, "body", &lengths[0], &lengths[1]);
    }
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let at = same.count();
    let told = |text: &str| {
        if has_failed && findings.hides_fault_text {
            return SECRET.to_owned();
        }
        if is_described && !has_failed {
            return format!("{} bytes", text.len());
        }
        let around: String = text.chars().skip(at.saturating_sub(20)).collect();
        value(&around)
    };
    let kind = if has_failed {
        Kind::FaultText
    } else {
        Kind::Body
    };
    let (one, other) = (told(one), told(other));
    findings.add(kind, "body", one, other);
}
