//! The comparison of answers.

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use http::{Request, Response};
use svcgen::Binding;
use svcgen::mask::{CUT, OMITTED, SECRET};
use svcgen_attachments::Attachments;
use svcgen_messages::{Operation, Service};

use crate::asked::Asked;
use crate::comparison::Comparison;
use crate::content::{Content, quoted, words};
use crate::decode::{Decoded, MOST, decode, uncompress, uncompressed};
use crate::findings::{Findings, NOTHING, is_placeholder};
use crate::headers::{self, MediaType};
use crate::kind::DifferenceKind as Kind;
use crate::likeness::Likeness;
use crate::rules::Rules;
use crate::{json, values, xml};

/// Compares answers, using a definition if there is one.
///
/// Without a definition, answers are compared by their bytes and as documents. With a definition,
/// differences have the places that it describes, secrets do not count and are not shown, and
/// answers with equal values are distinguished from answers that differ.
///
/// In masked answers (`svcgen record`), the masked parts are not compared.
#[derive(Debug, Clone)]
pub struct Comparer {
    service: Option<Service>,
    rules: Rules,
}

impl Comparer {
    /// Creates a comparer with a definition, if there is one, and rules.
    pub fn new(service: Option<Service>, rules: Rules) -> Self {
        Self { service, rules }
    }

    /// Returns the service.
    pub fn service(&self) -> Option<Service> {
        self.service
    }

    /// Classifies a request to the service.
    pub fn asked(&self, request: &Request<Bytes>) -> Asked {
        Asked::of(self.service, request)
    }

    /// Compares an answer to a request with the expected one.
    ///
    /// Headers that depend on the moment, the machine or the connection do not count:
    /// [`IGNORED_HEADERS`](svcgen_testing::IGNORED_HEADERS), and the SOAP headers `wsa:MessageID`
    /// and `wsu:Timestamp`. Compressed bodies (gzip, deflate) are compared decompressed. The work
    /// is linear in the length of the answers, except for lists of different lengths.
    pub fn compare(
        &self,
        request: &Request<Bytes>,
        expected: &Response<Bytes>,
        found: &Response<Bytes>,
    ) -> Comparison {
        let asked = self.asked(request).called();
        let content = Content::new(self.service, request);
        let mut findings = Findings::new(&self.rules, &content);
        let packed = [expected, found];
        let inlined = packed.map(Inlined::of);
        let message = |side: usize| inlined[side].as_ref().map(|inlined| &inlined.message);
        let [expected, found] = [0, 1].map(|side| message(side).unwrap_or(packed[side]));
        // The headers of packages differ in their boundaries, so the headers of the messages are
        // compared, unless only one answer has parts: this is a difference.
        if inlined.iter().all(Option::is_some) {
            headers::compare(expected, found, &mut findings);
        } else {
            headers::compare(packed[0], packed[1], &mut findings);
        }
        if packed[0].body() != packed[1].body() {
            codings(packed, &mut findings);
        }
        if expected.body() != found.body() {
            bodies(asked, [expected, found], &mut findings);
        }
        attachments(
            inlined.map(|inlined| inlined.map_or(Vec::new(), |inlined| inlined.attachments)),
            &mut findings,
        );
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
}

/// A response with parts.
struct Inlined {
    /// The uncompressed response as a message that contains the bytes of included parts (MTOM).
    message: Response<Bytes>,
    /// The media types and bytes of the other parts.
    attachments: Vec<(String, Vec<u8>)>,
}

impl Inlined {
    fn of(response: &Response<Bytes>) -> Option<Self> {
        let (mut head, mut body) = response.clone().into_parts();
        uncompress(&mut head.headers, &mut body, MOST);
        let parts = Attachments::new().inline(&mut head.headers, &mut body)?;
        let mut attachments = Vec::new();
        for one in parts.iter() {
            let Some(bytes) = one.take() else { continue };
            if let Some(id) = one.id() {
                let numbered = format!(">cid:{}<", attachments.len() + 1);
                number(&mut body, &format!(">cid:{id}<"), &numbered);
            }
            attachments.push((one.content_type().to_owned(), bytes.into_vec().ok()?));
        }
        Some(Self {
            message: Response::from_parts(head, body),
            attachments,
        })
    }
}

/// Replaces the references to an attachment by its number, because each answer has new ids.
fn number(body: &mut Bytes, reference: &str, numbered: &str) {
    let text = String::from_utf8_lossy(body);
    if text.contains(reference) {
        *body = text.replace(reference, numbered).into();
    }
}

/// Compares the attachments of two answers by their order, because each answer has new ids.
fn attachments([expected, found]: [Vec<(String, Vec<u8>)>; 2], findings: &mut Findings<'_>) {
    let content = findings.content;
    for index in 0..expected.len().max(found.len()) {
        let both = [expected.get(index), found.get(index)];
        if both[0] == both[1] {
            continue;
        }
        let [one, other] = both.map(|one| match one {
            Some((media_type, bytes)) => format!("{media_type}, {} bytes", bytes.len()),
            None => NOTHING.to_owned(),
        });
        let other = if one == other {
            other.replace(" bytes", " other bytes")
        } else {
            other
        };
        let told = [one, other].map(|text| content.text(&text));
        findings.add(Kind::Attachment, format!("attachment {}", index + 1), told);
    }
}

/// Compares how bodies are compressed.
fn codings(responses: [&Response<Bytes>; 2], findings: &mut Findings<'_>) {
    let codings = responses.map(|response| response.headers().get(CONTENT_ENCODING));
    if codings[0] != codings[1] {
        let told = responses.map(|response| headers::shown(response.headers(), &CONTENT_ENCODING));
        findings.add(Kind::ContentCoding, "body", told);
    }
}

fn bodies(
    asked: Option<(Operation, Binding)>,
    responses: [&Response<Bytes>; 2],
    findings: &mut Findings<'_>,
) {
    let content = findings.content;
    let lengths = responses.map(|response| response.body().len());
    let told = |length: usize| content.text(&format!("{length} bytes"));
    let nothing = words(NOTHING);
    match lengths {
        [0, length] => return findings.add(Kind::ExtraBody, "body", [nothing, told(length)]),
        [length, 0] => return findings.add(Kind::MissingBody, "body", [told(length), nothing]),
        _ => {}
    }
    if responses[0].body().trim_ascii() == OMITTED.as_bytes() {
        return;
    }
    let types = responses.map(|response| MediaType::of(response.headers()));
    let [expected, found] = [0, 1].map(|side| {
        let response = responses[side];
        let body = uncompressed(response.headers(), response.body(), MOST)?;
        decode(&body, types[side].charset.as_deref())
    });
    let (expected, found) = match (expected, found) {
        (Ok(expected), Ok(found)) => (expected, found),
        (expected, found) => {
            let told = |read: Result<Decoded, String>| match read {
                Ok(_) => words("text"),
                Err(why) => content.text(&why),
            };
            return findings.add(Kind::Malformed, "body", [told(expected), told(found)]);
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

/// Returns a response with the text as its body, in UTF-8.
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

/// Compares bodies that are neither XML nor JSON. With a definition, only the texts of failures are
/// shown, as it does not describe such bodies.
fn texts(is_described: bool, has_failed: bool, bodies: [&Decoded; 2], findings: &mut Findings<'_>) {
    xml::encodings(bodies, findings);
    let texts = bodies.map(|body| body.text.as_str());
    let [one, other] = texts;
    if one == other || is_placeholder(one) && !one.ends_with(CUT) {
        return;
    }
    let content = findings.content;
    let lengths = texts.map(|text| content.text(&format!("{} bytes", text.len())));
    if let Some(part) = one.strip_suffix(CUT)
        && other.starts_with(part)
    {
        return findings.add(Kind::CutOff, "body", lengths);
    }
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let at = same.count();
    let around = texts.map(|text| {
        // A part of a secret would not be recognised.
        let whole = content.text(text);
        if *whole != text {
            return whole;
        }
        let around: String = text.chars().skip(at.saturating_sub(20)).collect();
        content.text(&around).map(quoted)
    });
    let (kind, told) = match has_failed {
        true => (Kind::FaultText, around),
        false if is_described => (Kind::Body, lengths),
        false => (Kind::Body, around),
    };
    findings.add(kind, "body", told);
}
