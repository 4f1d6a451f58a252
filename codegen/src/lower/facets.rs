//! The facets of elements and attributes.

use super::context::Pass;
use super::lexical::{example, has_texts, is_not_for_values, is_value};
use crate::definition::{ElementKeys, FacetKeys, Located};
use crate::model::{Facet, SimpleType, TypeRef};
use crate::rules::Rule;

/// A key of `facets`, and what it says.
type Written<'k> = (Facet, &'static str, &'k Located<String>);

impl FacetKeys {
    fn written(&self) -> impl Iterator<Item = Written<'_>> {
        let keys = [
            (Facet::Pattern, "pattern", &self.pattern),
            (Facet::Length, "length", &self.length),
            (Facet::MinLength, "min_length", &self.min_length),
            (Facet::MaxLength, "max_length", &self.max_length),
            (Facet::MinInclusive, "min", &self.min),
            (Facet::MaxInclusive, "max", &self.max),
            (Facet::MinExclusive, "above", &self.above),
            (Facet::MaxExclusive, "below", &self.below),
            (Facet::TotalDigits, "total_digits", &self.total_digits),
            (
                Facet::FractionDigits,
                "fraction_digits",
                &self.fraction_digits,
            ),
            (Facet::WhiteSpace, "white_space", &self.white_space),
        ];
        let keys = keys.into_iter();
        keys.filter_map(|(facet, key, written)| Some((facet, key, written.as_ref()?)))
    }
}

/// Facets of which a type has one alone (XML Schema 1.0 Part 2 §4.3.1.4, §4.3.8.4, §4.3.9.4).
const EXCLUSIVE: [[&str; 2]; 4] = [
    ["length", "min_length"],
    ["length", "max_length"],
    ["min", "above"],
    ["max", "below"],
];

/// Facets of which the first is not above the second.
const ORDERED: [[&str; 2]; 6] = [
    ["min_length", "max_length"],
    ["min", "max"],
    ["min", "below"],
    ["above", "max"],
    ["above", "below"],
    ["fraction_digits", "total_digits"],
];

impl Pass<'_, '_> {
    /// The facets that fit the type; of a list, those of its items.
    pub(super) fn facets(
        &mut self,
        type_ref: &TypeRef,
        keys: &ElementKeys,
    ) -> Vec<(Facet, String)> {
        let Some(given) = &keys.facets else {
            return Vec::new();
        };
        let mut type_ref = type_ref;
        while let TypeRef::List(list) = type_ref {
            type_ref = &list.item_type;
        }
        let simple = type_ref.simple();
        let Some(simple) = simple.filter(|simple| has_texts(*simple) || simple.is_bytes()) else {
            let message = "`facets` is for simple types whose values are one text";
            self.sink.add(Rule::KeyDoesNotFit, given.node, message);
            return Vec::new();
        };
        let written: Vec<_> = given.value.written().collect();
        let mut facets = Vec::new();
        for (facet, key, text) in &written {
            if self.fits(*facet, key, text, simple) {
                facets.push((*facet, text.value.clone()));
            }
        }
        self.check_pairs(&written);
        facets
    }

    fn fits(
        &mut self,
        facet: Facet,
        key: &str,
        text: &Located<String>,
        simple: SimpleType,
    ) -> bool {
        let name = simple.name();
        if !is_facet_of(facet, simple) {
            let message = format!("`{key}` does not fit `{name}`");
            (self.sink.add(Rule::KeyDoesNotFit, text.node, message)).hint(
                "lengths are of text and bytes, limits of numbers and times, digits of decimal numbers; `pattern` fits all",
            );
            return false;
        }
        let value = text.value.as_str();
        let count = |least: u32| value.parse().is_ok_and(|count: u32| count >= least);
        let (rule, is_right, hint) = match facet {
            Facet::Pattern => {
                let is_text = !value.is_empty() && !value.contains(is_not_for_values);
                let hint = "it is a regular expression of XML Schema: `[0-9]{5}`";
                (Rule::Limits, is_text, hint.to_owned())
            }
            Facet::WhiteSpace => {
                let words = ["preserve", "replace", "collapse"];
                let hint = "it is `preserve`, `replace` or `collapse`";
                (Rule::KeyDoesNotFit, words.contains(&value), hint.to_owned())
            }
            Facet::Length | Facet::MinLength | Facet::MaxLength | Facet::FractionDigits => (
                Rule::Limits,
                count(0),
                "it is a number from 0 on".to_owned(),
            ),
            Facet::TotalDigits => (
                Rule::Limits,
                count(1),
                "it is a number from 1 on".to_owned(),
            ),
            _ => {
                let hint = format!("it is a value of `{name}`: {}", example(simple));
                (Rule::ValueText, is_value(simple, value), hint)
            }
        };
        if !is_right {
            let message = format!("`{key}` of `{name}` cannot be `{text}`");
            self.sink.add(rule, text.node, message).hint(hint);
        }
        is_right
    }

    fn check_pairs(&mut self, written: &[Written<'_>]) {
        let find = |wanted: &str| written.iter().find(|(_, key, _)| *key == wanted);
        for [one, other] in EXCLUSIVE {
            if let (Some(_), Some((_, _, text))) = (find(one), find(other)) {
                let message = format!("`{one}` and `{other}` do not stand together");
                self.sink.add(Rule::KeyDoesNotFit, text.node, message);
            }
        }
        for [least, most] in ORDERED {
            let number = |text: &Located<String>| text.value.parse::<f64>().ok();
            if let (Some((_, _, one)), Some((_, _, other))) = (find(least), find(most))
                && let (Some(low), Some(high)) = (number(one), number(other))
                && low > high
            {
                let message = format!("`{least}` {one} is above `{most}` {other}");
                (self.sink.add(Rule::Limits, one.node, message)).hint("no value meets both");
            }
        }
    }
}

/// Whether a type has a facet (XML Schema 1.0 Part 2 §4.1.5).
fn is_facet_of(facet: Facet, simple: SimpleType) -> bool {
    use SimpleType::*;
    let is_integer = matches!(
        simple,
        Byte | Short
            | Int
            | Long
            | UnsignedByte
            | UnsignedShort
            | UnsignedInt
            | UnsignedLong
            | Integer
            | NonNegativeInteger
            | PositiveInteger
            | NonPositiveInteger
            | NegativeInteger
            | Char
    );
    let is_time = matches!(
        simple,
        DateTime | Date | Time | Duration | GYear | GYearMonth | GMonth | GMonthDay | GDay
    );
    match facet {
        Facet::Pattern => true,
        Facet::Length | Facet::MinLength | Facet::MaxLength => {
            simple.is_bytes() || (simple.is_text() && !is_time) || simple == Guid
        }
        Facet::MinInclusive | Facet::MaxInclusive | Facet::MinExclusive | Facet::MaxExclusive => {
            is_integer || is_time || matches!(simple, Float | Double | Decimal)
        }
        Facet::TotalDigits | Facet::FractionDigits => is_integer || simple == Decimal,
        Facet::WhiteSpace => simple.is_text(),
    }
}
