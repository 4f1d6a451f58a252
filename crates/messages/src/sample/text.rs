//! Sample texts of simple types.

use std::iter;

use svcgen_model::{Facet, SimpleType, TypeAt};

use super::pattern;
use crate::layouts::{Row, ServiceLayouts};

/// The maximum length of a text for a facet of length.
const LONGEST: usize = 1 << 16;

/// The sample of a type without facets: for text the name of its type, as in samples of documents.
pub(super) fn usual(simple: SimpleType) -> &'static str {
    use SimpleType as S;
    match simple {
        S::Boolean => "true",
        S::NonPositiveInteger | S::NegativeInteger => "-1",
        S::Float | S::Double | S::Decimal => "1",
        S::Char => "65",
        S::Base64Binary => "AQE=",
        S::HexBinary => "0101",
        S::Guid => "00112233-4455-6677-8899-aabbccddeeff",
        S::DateTime => "2024-01-31T12:30:00",
        S::Date => "2024-01-31",
        // .NET always writes an offset.
        S::Time => "12:30:00+00:00",
        S::GYear => "2024",
        S::GYearMonth => "2024-01",
        S::GMonth => "--01",
        S::GMonthDay => "--01-31",
        S::GDay => "---31",
        S::Duration => "P1D",
        S::Language => "en",
        S::AnyUri => "http://example.com/",
        S::QName => "{urn:example}name",
        simple if simple.is_integer() => "1",
        simple => simple.row().placeholder,
    }
}

/// A text that the facets of a row allow, or the usual one if none is found.
pub(super) fn sample(row: Row, simple: SimpleType, known: &ServiceLayouts) -> String {
    if !row.is_restricted() {
        return usual(simple).to_owned();
    }
    let is_allowed = |text: &String| {
        let is_value = !simple.has_texts() || simple.is_value(text);
        is_value && known.facets().violated(row, simple, text).is_none()
    };
    let members = row.union().flat_map(|member| of_member(member, known));
    let mut texts = candidates(row, simple).chain(members);
    texts
        .find(is_allowed)
        .unwrap_or_else(|| usual(simple).to_owned())
}

/// Texts of a member of a union.
fn of_member(member: Row, known: &ServiceLayouts) -> Vec<String> {
    match member.type_at() {
        TypeAt::Simple(simple) => vec![sample(member, simple, known)],
        TypeAt::Enumeration(one) => {
            let values = one.row().values.iter();
            values.map(|value| value.name.to_owned()).collect()
        }
        TypeAt::Complex(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => Vec::new(),
    }
}

/// Texts that may have the facets of a row, the simplest first.
fn candidates(row: Row, simple: SimpleType) -> impl Iterator<Item = String> {
    let usual = usual(simple).to_owned();
    let facets = row.row().facets.iter();
    let limits = facets.filter(|(facet, _)| is_limit(*facet));
    let limits = limits.flat_map(|(_, limit)| near(limit));
    let of_patterns = iter::once_with(move || {
        let facets = row.row().facets.iter();
        let patterns = facets.filter(|(facet, _)| *facet == Facet::Pattern);
        let patterns: Vec<_> = patterns.map(|(_, pattern)| *pattern).collect();
        let (least, most) = lengths(row);
        pattern::text_that_matches(&patterns, least, most)
    });
    let lengthened = lengthened(row, simple);
    iter::once(usual)
        .chain(lengthened)
        .chain(limits)
        .chain(of_patterns.flatten())
}

fn is_limit(facet: Facet) -> bool {
    matches!(
        facet,
        Facet::MinInclusive | Facet::MaxInclusive | Facet::MinExclusive | Facet::MaxExclusive
    )
}

/// The minimum and the maximum length that facets allow.
fn lengths(row: Row) -> (usize, usize) {
    let (mut least, mut most) = (0, usize::MAX);
    for (facet, limit) in row.row().facets {
        let Ok(limit) = limit.parse() else { continue };
        match facet {
            Facet::Length => (least, most) = (limit, limit),
            Facet::MinLength => least = limit,
            Facet::MaxLength => most = limit,
            _ => {}
        }
    }
    (least, most)
}

/// The usual text, adapted to a length that facets allow.
fn lengthened(row: Row, simple: SimpleType) -> Option<String> {
    let (least, most) = lengths(row);
    if least > LONGEST {
        return None;
    }
    let text = usual(simple);
    Some(match simple {
        SimpleType::HexBinary => "01".repeat(least.max(most.min(2))),
        SimpleType::Base64Binary => {
            // Bytes of zeros.
            let length = least.max(most.min(2));
            let digits = "A".repeat((length * 4).div_ceil(3));
            let padding = "=".repeat((4 - digits.len() % 4) % 4);
            digits + &padding
        }
        SimpleType::Nmtokens | SimpleType::Idrefs | SimpleType::Entities => {
            vec![text; least.max(1)].join(" ")
        }
        _ => {
            let count = text.chars().count().clamp(least, most.max(least));
            text.chars().cycle().take(count).collect()
        }
    })
}

/// The limit, and the texts in which one number in it is one less or more.
fn near(limit: &str) -> Vec<String> {
    let mut near = vec![limit.to_owned(), format!("{limit}.5"), format!("-{limit}")];
    let mut at = 0;
    while let Some(found) = limit[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + found;
        let rest = &limit[start..];
        let length = rest.find(|c: char| !c.is_ascii_digit());
        at = start + length.unwrap_or(rest.len());
        let digits = &limit[start..at];
        let Ok(number) = digits.parse::<u64>() else {
            continue;
        };
        let neighbours = [number.checked_add(1), number.checked_sub(1)];
        for neighbour in neighbours.into_iter().flatten() {
            let (before, after, width) = (&limit[..start], &limit[at..], digits.len());
            near.push(format!("{before}{neighbour:0width$}{after}"));
        }
    }
    // Below 0.
    near.extend(["-1".to_owned(), "-0.5".to_owned()]);
    near
}
