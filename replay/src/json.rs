//! Comparing two documents of JSON.

use serde_json::{Map, Value as Json};
use svcgen::mask::{CUT, SECRET};
use svcgen_messages::Operation;

use crate::decode::Decoded;
use crate::findings::{Findings, NIL, NOTHING, is_placeholder, value};
use crate::kind::DifferenceKind as Kind;
use crate::known::Known;
use crate::place::Place;
use crate::xml::kind_of_texts;

/// Compares two documents. Returns the expected one, with found values in the place of those that do not count; `None` if one is not well-formed.
pub(crate) fn compare(
    bodies: [&Decoded; 2],
    operation: Option<Operation>,
    is_fault: bool,
    findings: &mut Findings<'_>,
) -> Option<Json> {
    crate::xml::encodings(bodies, findings);
    let texts = bodies.map(|body| body.text.as_str());
    let [expected, found] = texts.map(serde_json::from_str::<Json>);
    let (mut expected, mut found) = match (expected, found) {
        (Ok(expected), Ok(found)) => (expected, found),
        (expected, found) => {
            let told = |parsed: Result<Json, serde_json::Error>| match parsed {
                Ok(_) => "a document of JSON".to_owned(),
                Err(error) => error.to_string(),
            };
            let is_cut = texts[0].trim_end().ends_with(CUT);
            let kind = if is_cut {
                Kind::CutOff
            } else {
                Kind::Malformed
            };
            if texts[0] != texts[1] {
                findings.add(kind, "body", told(expected), told(found));
            }
            return None;
        }
    };
    let before = findings.found.len();
    let row = operation.and_then(|operation| operation.row().result());
    let known = match operation {
        _ if is_fault => Known::Free,
        None => Known::Free,
        Some(_) => row.map_or(Known::Undescribed, Known::Element),
    };
    let place = match row {
        _ if is_fault => Place::of("Fault"),
        Some(row) => Place::of(row.name),
        None => Place::default(),
    };
    let [wrapped, other_wrapped] = [&expected, &found].map(|json| json.get("d").is_some());
    if wrapped && other_wrapped {
        let (one, other) = (&mut expected["d"], &mut found["d"]);
        walk(one, other, known, &place, findings);
    } else {
        walk(&mut expected, &mut found, known, &place, findings);
    }
    if findings.found.len() == before {
        notation(texts, expected == found, findings);
    }
    Some(expected)
}

/// What documents do not tell apart.
fn notation(texts: [&str; 2], is_same: bool, findings: &mut Findings<'_>) {
    let [one, other] = texts.map(|text| parts(text, false));
    if one != other {
        let [one, other] = [one, other].map(|text| value(text.trim_matches(|c| c == '"')));
        findings.add(Kind::WhiteSpace, "body", one, other);
        return;
    }
    // The texts of what does not count may differ.
    if !findings.settled.is_empty() || !is_same {
        return;
    }
    let [one, other] = texts.map(|text| parts(text, true));
    if one != other {
        let kind = match texts.map(numbers) {
            [one, other] if one != other => Kind::LexicalForm,
            _ => Kind::CharacterReference,
        };
        let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
        let at = same.count().saturating_sub(3);
        let [one, other] =
            [one, other].map(|text| text.chars().skip(at).take(10).collect::<String>());
        findings.add(kind, "body", one, other);
    }
}

/// What is outside of strings.
fn numbers(text: &str) -> String {
    let (mut is_string, mut is_escaped) = (false, false);
    let outside = text.chars().filter(|c| {
        let was_string = is_string;
        if is_escaped {
            is_escaped = false;
        } else if is_string && *c == '\\' {
            is_escaped = true;
        } else if *c == '"' {
            is_string = !is_string;
        }
        !was_string
    });
    outside.collect()
}

/// The strings and values of a document, or what stands around them.
fn parts(text: &str, is_within: bool) -> String {
    let mut taken = String::new();
    let (mut is_string, mut is_escaped) = (false, false);
    for c in text.chars() {
        let is_around = !is_string && (c.is_ascii_whitespace() || "{}[]:,".contains(c));
        if is_within != is_around {
            taken.push(c);
        }
        if is_escaped {
            is_escaped = false;
        } else if is_string && c == '\\' {
            is_escaped = true;
        } else if c == '"' {
            is_string = !is_string;
        }
    }
    taken
}

/// Compares two values. What does not count is put into the first one.
pub(crate) fn walk(
    expected: &mut Json,
    found: &mut Json,
    known: Known,
    place: &Place,
    findings: &mut Findings<'_>,
) {
    let texts = [&*expected, &*found].map(text);
    let pair = match &texts {
        [Some(one), Some(other)] => Some((one.as_str(), other.as_str())),
        _ => None,
    };
    if texts[0].is_some() && *expected == *found {
        return;
    }
    let is_hidden = texts[0].as_deref().is_some_and(is_placeholder);
    if findings.passes(known, place, pair) || is_hidden {
        findings.settle(place);
        expected.clone_from(found);
        return;
    }
    match (expected, found) {
        (Json::Object(one), Json::Object(other)) => objects(one, other, known, place, findings),
        (Json::Array(one), Json::Array(other)) => lists(one, other, known, place, findings),
        (one, other) if one == other => {}
        (one, other) => {
            let kind = match (&*one, &*other) {
                (Json::Null, _) | (_, Json::Null) => Kind::Nil,
                (Json::String(one), Json::String(other)) if known.equates(one, other) => {
                    findings.settle(place);
                    Kind::LexicalForm
                }
                (Json::String(one), Json::String(other)) => kind_of_texts(one, other),
                (Json::Number(one), Json::Number(other)) if one.as_f64() == other.as_f64() => {
                    findings.settle(place);
                    Kind::LexicalForm
                }
                (Json::Number(_), Json::Number(_)) | (Json::Bool(_), Json::Bool(_)) => Kind::Value,
                _ => Kind::Type,
            };
            let kind = match (place.to_string().as_str(), kind) {
                ("Fault.Message", Kind::Value | Kind::TextCase | Kind::TextSpace) => {
                    Kind::FaultText
                }
                ("Fault.ExceptionType", Kind::Value) => Kind::FaultCode,
                (_, kind) => kind,
            };
            let is_quoting = kind == Kind::FaultText && findings.hides_fault_text;
            let told = |json: &Json| {
                if is_quoting {
                    SECRET.to_owned()
                } else if kind == Kind::Type && json.is_string() {
                    // `7` and `"7"` are not the same.
                    format!("{:?}", shown(known, json))
                } else {
                    shown(known, json)
                }
            };
            let (one, other) = (told(one), told(other));
            findings.add_at(kind, place, one, other);
        }
    }
}

fn objects(
    expected: &mut Map<String, Json>,
    found: &mut Map<String, Json>,
    known: Known,
    place: &Place,
    findings: &mut Findings<'_>,
) {
    let names = [&*expected, &*found].map(|map| map.keys().cloned().collect::<Vec<_>>());
    let common = [0, 1].map(|side| {
        let names = names[side]
            .iter()
            .filter(|name| names[1 - side].contains(name));
        names.cloned().collect::<Vec<_>>().join(" ")
    });
    if common[0] != common[1] {
        findings.add_at(Kind::MemberOrder, place, &common[0], &common[1]);
    }
    for name in &names[0] {
        let inner = place.member(name);
        let child = member(known, name);
        let one = expected.get_mut(name);
        match (one, found.get_mut(name)) {
            (Some(one), Some(other)) if name == "__type" && one != other => {
                let (one, other) = (shown(Known::Free, one), shown(Known::Free, other));
                findings.add_at(Kind::Type, place, one, other);
            }
            (Some(one), Some(other)) => walk(one, other, child, &inner, findings),
            (Some(one), None) if !findings.rules.ignores(&inner) => {
                let kind = match one {
                    Json::Null => Kind::AbsentForNil,
                    Json::String(text) if text.is_empty() => Kind::AbsentForEmpty,
                    _ => Kind::MissingElement,
                };
                let one = shown(child, one);
                findings.add_at(kind, &inner, one, NOTHING);
            }
            _ => findings.settle(&inner),
        }
    }
    for name in names[1].iter().filter(|name| !names[0].contains(name)) {
        let inner = place.member(name);
        if findings.rules.ignores(&inner) {
            findings.settle(&inner);
            continue;
        }
        let child = member(known, name);
        let kind = match (&found[name], child) {
            (_, Known::Undescribed) => Kind::UnknownElement,
            (Json::Null, _) => Kind::NilForAbsent,
            (Json::String(text), _) if text.is_empty() => Kind::EmptyForAbsent,
            _ => Kind::ExtraElement,
        };
        let other = shown(child, &found[name]);
        findings.add_at(kind, &inner, NOTHING, other);
    }
}

/// What is known of a member. Attributes and texts are members, too.
fn member(known: Known, name: &str) -> Known {
    match known.child(name) {
        // A value that says its type is an object with the name of that.
        Known::Undescribed if known.may_be(name) => known,
        Known::Undescribed => known.attribute(name),
        child => child,
    }
}

/// Of lists of different lengths, items that are equal at the beginning and at the end belong together.
fn lists(
    expected: &mut [Json],
    found: &mut [Json],
    known: Known,
    place: &Place,
    findings: &mut Findings<'_>,
) {
    let item = if known.is_list() {
        known.child("")
    } else {
        known
    };
    let shorter = expected.len().min(found.len());
    let mut after = 0;
    if expected.len() != found.len() {
        let pairs = expected.iter().zip(&*found);
        let before = pairs.take_while(|(one, other)| one == other).count();
        let pairs = expected.iter().rev().zip(found.iter().rev());
        let pairs = pairs.take(shorter - before);
        after = pairs.take_while(|(one, other)| one == other).count();
    }
    let (count, other_count) = (expected.len() - after, found.len() - after);
    for index in 0..count.max(other_count) {
        let inner = place.item(index);
        let (one, other) = (
            expected[..count].get_mut(index),
            found[..other_count].get_mut(index),
        );
        match (one, other) {
            (Some(one), Some(other)) => walk(one, other, item, &inner, findings),
            _ if findings.rules.ignores(&inner) => findings.settle(&inner),
            (Some(one), None) => {
                let one = shown(item, one);
                findings.add_at(Kind::MissingItem, &inner, one, NOTHING);
            }
            (None, Some(other)) => {
                let other = shown(item, other);
                findings.add_at(Kind::ExtraItem, &inner, NOTHING, other);
            }
            (None, None) => {}
        }
    }
}

/// The text of a value that holds no others.
fn text(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(is) => Some(is.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

fn shown(known: Known, json: &Json) -> String {
    match json {
        Json::Null => NIL.to_owned(),
        _ if known.is_secret() => SECRET.to_owned(),
        Json::Array(items) => format!("[{} items]", items.len()),
        Json::Object(map) => {
            let names: Vec<_> = map.keys().take(20).map(String::as_str).collect();
            format!("{{{}}}", names.join(", "))
        }
        json => crate::findings::shown(known, &text(json).unwrap_or_default()),
    }
}
