//! Checks the facets of a text.

use std::borrow::Cow;
use std::cmp::Ordering;

use svcgen_model::{At, Element, Facet, Number, SimpleType, TypeAt};

use super::rules::FacetRules;

impl FacetRules {
    /// The first facet of a row that a text in XML violates, or the union if no member accepts the
    /// text: the name and the limit.
    ///
    /// ```
    /// use svcgen::codegen::FacetRules;
    /// use svcgen::codegen::model::{At, Facet, Module, Service, SimpleType, TypeRef};
    /// use svcgen::codegen::model::{complex_type, element, operation};
    ///
    /// static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
    ///     "Codes",
    ///     "urn:x",
    ///     "/Codes.asmx",
    ///     &[operation(
    ///         "Find",
    ///         "urn:x/Find",
    ///         complex_type("Find", &[element("code", TypeRef::Simple(SimpleType::String))
    ///             .facets(&[(Facet::Pattern, "[A-Z]{2}")])]),
    ///         "FindResponse",
    ///     )],
    /// ));
    ///
    /// let service = At::service(&MODULE, None).unwrap();
    /// let parameters = service.operations().next().unwrap().parameters();
    /// let code = parameters.elements().next().unwrap();
    /// let rules = FacetRules::of(service);
    /// assert!(rules.violated(code, SimpleType::String, "AB").is_none());
    /// let (facet, limit) = rules.violated(code, SimpleType::String, "abc").unwrap();
    /// assert_eq!((facet, &*limit), ("pattern", "[A-Z]{2}"));
    /// ```
    pub fn violated<'f>(
        &self,
        row: At<'f, Element<'f>>,
        simple: SimpleType,
        text: &str,
    ) -> Option<(&'static str, Cow<'f, str>)> {
        let facets = row.row().facets;
        let mut members = row.union();
        if members.len() > 0 && !members.any(|member| self.is_of_member(member, text)) {
            return Some(("union", Cow::Owned(row.union_name())));
        }
        let text = normalized(facets, simple, text);
        let has = |(facet, limit): &&(Facet, &str)| match facet {
            Facet::Pattern => self.is_match(limit, &text),
            Facet::Length | Facet::MinLength | Facet::MaxLength => {
                has_length(*facet, limit, length(simple, &text))
            }
            Facet::MinInclusive
            | Facet::MaxInclusive
            | Facet::MinExclusive
            | Facet::MaxExclusive => is_within(*facet, simple.compare(&text, limit)),
            Facet::TotalDigits | Facet::FractionDigits => {
                Number::parse(&text).is_some_and(|number| {
                    let digits = match facet {
                        Facet::TotalDigits => number.total_digits(),
                        _ => number.fraction_digits(),
                    };
                    limit.parse().is_ok_and(|most| digits <= most)
                })
            }
            Facet::WhiteSpace => true,
        };
        // Patterns come last, so that no time is spent on them if a text is too long.
        let is_pattern = |(facet, _): &&(Facet, &str)| *facet == Facet::Pattern;
        let others = facets.iter().filter(|facet| !is_pattern(facet));
        let mut facets = others.chain(facets.iter().filter(is_pattern));
        let (facet, limit) = facets.find(|facet| !has(facet))?;
        Some((facet.name(), Cow::Borrowed(limit)))
    }

    /// Whether a text is a value of a member of a union.
    fn is_of_member(&self, member: At<'_, Element<'_>>, text: &str) -> bool {
        match member.type_at() {
            TypeAt::Simple(simple) => {
                let value = normalized(member.facets, simple, text);
                simple.is_value(&value) && self.violated(member, simple, text).is_none()
            }
            TypeAt::Enumeration(one) => {
                let text = normalized(&[], one.base, text);
                let is_known = |text: &str| one.values.iter().any(|value| value.name == text);
                if one.flags {
                    text.split_ascii_whitespace().all(is_known)
                } else {
                    is_known(&text)
                }
            }
            TypeAt::Complex(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => false,
        }
    }
}

/// The first length facet that bytes of this number violate.
pub(crate) fn violated_length<'f>(
    facets: &[(Facet, &'f str)],
    length: usize,
) -> Option<(&'static str, &'f str)> {
    let mut facets = facets.iter();
    let (facet, limit) = facets.find(|(facet, limit)| !has_length(*facet, limit, length))?;
    Some((facet.name(), limit))
}

/// Whether a value of this length satisfies a facet; facets other than length always hold.
fn has_length(facet: Facet, limit: &str, length: usize) -> bool {
    let Ok(limit) = limit.parse() else {
        return false;
    };
    match facet {
        Facet::Length => length == limit,
        Facet::MinLength => length >= limit,
        Facet::MaxLength => length <= limit,
        _ => true,
    }
}

/// Whether a value is within a limit, given its order relative to the limit.
fn is_within(facet: Facet, order: Option<Ordering>) -> bool {
    match facet {
        Facet::MinInclusive => order.is_some_and(Ordering::is_ge),
        Facet::MaxInclusive => order.is_some_and(Ordering::is_le),
        Facet::MinExclusive => order.is_some_and(Ordering::is_gt),
        _ => order.is_some_and(Ordering::is_lt),
    }
}

/// A text after its white space is normalized according to its facet or its type (XML Schema 1.0
/// Part 2 §4.3.6).
fn normalized<'t>(facets: &[(Facet, &str)], simple: SimpleType, text: &'t str) -> Cow<'t, str> {
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    let mut facets = facets.iter();
    let given = facets.find(|(facet, _)| *facet == Facet::WhiteSpace);
    let rule = given.map_or(simple.white_space(), |(_, rule)| rule);
    match rule {
        "preserve" => Cow::Borrowed(text),
        "replace" if !text.contains(['\t', '\n', '\r']) => Cow::Borrowed(text),
        "replace" => Cow::Owned(text.replace(is_space, " ")),
        _ if !text.contains(is_space) => Cow::Borrowed(text),
        _ => {
            let words = text.split(is_space).filter(|word| !word.is_empty());
            Cow::Owned(words.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The length of a value (XML Schema 1.0 Part 2 §4.3.1): in characters, in bytes, or in items of a
/// list.
fn length(simple: SimpleType, text: &str) -> usize {
    let digits = || {
        let digits = text.bytes();
        digits
            .filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=')
            .count()
    };
    match simple {
        SimpleType::Base64Binary => digits() * 3 / 4,
        SimpleType::HexBinary => digits() / 2,
        SimpleType::Nmtokens | SimpleType::Idrefs | SimpleType::Entities => {
            text.split_ascii_whitespace().count()
        }
        _ => text.chars().count(),
    }
}
