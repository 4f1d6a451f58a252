//! The comparison of two JSON documents.

use serde_json::{Map, Value as Json};
use svcgen::mask::{CUT, Masked, SECRET};
use svcgen_messages::Operation;

use crate::content::{Content, quoted, words};
use crate::decode::Decoded;
use crate::description::Description;
use crate::findings::{Findings, NIL, NOTHING, is_placeholder};
use crate::kind::DifferenceKind as Kind;
use crate::value_path::ValuePath;
use crate::xml::kind_of_texts;

/// Compares two documents. Returns the expected one, with values that do not count replaced by the
/// found ones; `None` if a document is not well-formed.
pub(crate) fn compare(
    bodies: [&Decoded; 2],
    operation: Option<Operation>,
    is_fault: bool,
    findings: &mut Findings<'_>,
) -> Option<Json> {
    crate::xml::encodings(bodies, findings);
    let content = findings.content;
    let texts = bodies.map(|body| body.text.as_str());
    let [expected, found] = texts.map(serde_json::from_str::<Json>);
    let (mut expected, mut found) = match (expected, found) {
        (Ok(expected), Ok(found)) => (expected, found),
        (expected, found) => {
            let told = |parsed: Result<Json, serde_json::Error>| match parsed {
                Ok(_) => words("a document of JSON"),
                Err(error) => content.text(&error.to_string()),
            };
            let is_cut = texts[0].trim_end().ends_with(CUT);
            let kind = if is_cut {
                Kind::CutOff
            } else {
                Kind::Malformed
            };
            if texts[0] != texts[1] {
                findings.add(kind, "body", [told(expected), told(found)]);
            }
            return None;
        }
    };
    let before = findings.found.len();
    let row = operation.and_then(|operation| operation.row().result());
    let known = match operation {
        _ if is_fault => Description::Free,
        None => Description::Free,
        Some(_) => row.map_or(Description::Undescribed, Description::Element),
    };
    let place = match row {
        _ if is_fault => ValuePath::of("Fault"),
        Some(row) => ValuePath::of(row.name),
        None => ValuePath::default(),
    };
    let [wrapped, other_wrapped] = [&expected, &found].map(|json| json.get("d").is_some());
    if wrapped && other_wrapped {
        let (one, other) = (&mut expected["d"], &mut found["d"]);
        walk(one, other, known, &place, findings);
    } else {
        walk(&mut expected, &mut found, known, &place, findings);
    }
    if findings.found.len() == before {
        let known = operation.map_or(Description::Free, |_| Description::Undescribed);
        notation(texts, expected == found, known, findings);
    }
    Some(expected)
}

/// Compares the notation of equal documents. With a definition values are not shown, as the place
/// of a text is not known here.
fn notation(texts: [&str; 2], is_same: bool, known: Description, findings: &mut Findings<'_>) {
    let content = findings.content;
    let [one, other] = texts.map(|text| parts(text, false));
    if one != other {
        let told = |text: String| content.text(text.trim_matches('"')).map(quoted);
        findings.add(Kind::WhiteSpace, "body", [one, other].map(told));
        return;
    }
    // The texts of values that do not count may differ.
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
        let told = [one, other].map(|text| {
            let part: String = text.chars().skip(at).take(10).collect();
            content.value(known, &part)
        });
        findings.add(kind, "body", told);
    }
}

/// Returns the characters outside of strings.
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

/// Returns the strings and other values of a document, or the characters around them.
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

/// Compares two values. Found values that do not count are copied into the expected value.
pub(crate) fn walk(
    expected: &mut Json,
    found: &mut Json,
    known: Description,
    place: &ValuePath,
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
    let content = findings.content;
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
            let told = |json: &Json| {
                let shown = shown(content, known, json);
                if kind == Kind::Type && json.is_string() {
                    // The quotes distinguish `"7"` from `7`.
                    return shown.map(|text| format!("{text:?}"));
                }
                shown
            };
            findings.add_at(kind, place, [told(one), told(other)]);
        }
    }
}

fn objects(
    expected: &mut Map<String, Json>,
    found: &mut Map<String, Json>,
    known: Description,
    place: &ValuePath,
    findings: &mut Findings<'_>,
) {
    let names = [&*expected, &*found].map(|map| map.keys().cloned().collect::<Vec<_>>());
    let common_in_order = |one: &Map<String, Json>, other: &Map<String, Json>| {
        let names = one.keys().filter(|name| other.contains_key(*name));
        names.map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    let common = [
        common_in_order(expected, found),
        common_in_order(found, expected),
    ];
    let content = findings.content;
    if common[0] != common[1] {
        let told = common.map(|names| content.text(&names));
        findings.add_at(Kind::MemberOrder, place, told);
    }
    for name in &names[0] {
        let inner = place.member(name);
        let child = member(known, name);
        let one = expected.get_mut(name);
        match (one, found.get_mut(name)) {
            (Some(one), Some(other)) if name == "__type" && one != other => {
                let told = [one, other].map(|one| shown(content, Description::Free, one));
                findings.add_at(Kind::Type, place, told);
            }
            (Some(one), Some(other)) => walk(one, other, child, &inner, findings),
            (Some(one), None) if !findings.rules.ignores(&inner) => {
                let kind = match one {
                    Json::Null => Kind::AbsentForNil,
                    Json::String(text) if text.is_empty() => Kind::AbsentForEmpty,
                    _ => Kind::MissingElement,
                };
                let one = shown(content, child, one);
                findings.add_at(kind, &inner, [one, words(NOTHING)]);
            }
            _ => findings.settle(&inner),
        }
    }
    for name in names[1].iter().filter(|name| !expected.contains_key(*name)) {
        let inner = place.member(name);
        if findings.rules.ignores(&inner) {
            findings.settle(&inner);
            continue;
        }
        let child = member(known, name);
        let kind = match (&found[name], child) {
            (_, Description::Undescribed) => Kind::UnknownElement,
            (Json::Null, _) => Kind::NilForAbsent,
            (Json::String(text), _) if text.is_empty() => Kind::EmptyForAbsent,
            _ => Kind::ExtraElement,
        };
        let other = shown(content, child, &found[name]);
        findings.add_at(kind, &inner, [words(NOTHING), other]);
    }
}

/// Returns the description of a member. Attributes and texts are members, too.
fn member(known: Description, name: &str) -> Description {
    match known.child(name) {
        // A value with an explicit type is the member of an object, with the name of the type.
        Description::Undescribed if known.may_be(name) => known,
        Description::Undescribed => known.attribute(name),
        child => child,
    }
}

/// Compares two lists. If their lengths differ, equal items at the beginning and at the end are
/// paired.
fn lists(
    expected: &mut [Json],
    found: &mut [Json],
    known: Description,
    place: &ValuePath,
    findings: &mut Findings<'_>,
) {
    let item = if known.is_list() {
        known.child("")
    } else {
        known
    };
    let content = findings.content;
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
                let one = shown(content, item, one);
                findings.add_at(Kind::MissingItem, &inner, [one, words(NOTHING)]);
            }
            (None, Some(other)) => {
                let other = shown(content, item, other);
                findings.add_at(Kind::ExtraItem, &inner, [words(NOTHING), other]);
            }
            (None, None) => {}
        }
    }
}

/// Returns the text of a value that contains no other values.
fn text(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(is) => Some(is.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

fn shown(content: &Content<'_>, known: Description, json: &Json) -> Masked<String> {
    match json {
        Json::Null => words(NIL),
        _ if known.is_secret() => words(SECRET),
        Json::Array(items) => content.text(&format!("[{} items]", items.len())),
        Json::Object(map) => {
            let names: Vec<_> = map.keys().take(20).map(String::as_str).collect();
            content.text(&format!("{{{}}}", names.join(", ")))
        }
        json => content.value(known, &text(json).unwrap_or_default()),
    }
}
