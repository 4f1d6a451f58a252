//! The facets of elements and attributes.

use std::cmp::Ordering;

use svcgen_language::definition::{ElementKeys, FacetKeys, Located, MemberKeys, Shape};
use svcgen_language::rules::Rule;
use svcgen_model::{is_not_for_values, translate_pattern};

use super::context::Pass;
use super::examples::example;
use crate::model::{Absence, Element, Facet, Name, SimpleType, TypeRef};

/// A key of `facets`, and what it says.
type Written<'k> = (Facet, &'static str, &'k Located<String>);

/// The facets that are written.
fn written(keys: &FacetKeys) -> impl Iterator<Item = Written<'_>> {
    let patterns = keys.pattern.0.iter();
    let patterns = patterns.map(|pattern| (Facet::Pattern, "pattern", pattern));
    let facets = [
        (Facet::Length, "length", &keys.length),
        (Facet::MinLength, "min_length", &keys.min_length),
        (Facet::MaxLength, "max_length", &keys.max_length),
        (Facet::MinInclusive, "min", &keys.min),
        (Facet::MaxInclusive, "max", &keys.max),
        (Facet::MinExclusive, "above", &keys.above),
        (Facet::MaxExclusive, "below", &keys.below),
        (Facet::TotalDigits, "total_digits", &keys.total_digits),
        (
            Facet::FractionDigits,
            "fraction_digits",
            &keys.fraction_digits,
        ),
        (Facet::WhiteSpace, "white_space", &keys.white_space),
    ];
    let facets = facets.into_iter();
    let facets = facets.filter_map(|(facet, key, written)| Some((facet, key, written.as_ref()?)));
    patterns.chain(facets)
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
    /// The facets that fit the type, and the members of its union; of a list or a dictionary, those of what is in it.
    pub(super) fn facets(
        &mut self,
        type_ref: &TypeRef,
        keys: &ElementKeys,
    ) -> (Vec<(Facet, String)>, Vec<Element>) {
        let Some(given) = &keys.facets else {
            return Default::default();
        };
        let simple = type_ref.innermost().simple();
        let Some(simple) = simple.filter(|simple| simple.has_texts() || simple.is_bytes()) else {
            let message = "`facets` is for simple types whose values are one text";
            self.sink.add(Rule::KeyDoesNotFit, given.node, message);
            return Default::default();
        };
        let written: Vec<_> = written(&given.value).collect();
        let members = &given.value.union;
        let union = members
            .iter()
            .filter_map(|member| self.member(member, simple));
        let union = union.collect();
        let mut facets = Vec::new();
        for (facet, key, text) in &written {
            if !members.is_empty() && *facet != Facet::Pattern {
                let message = format!("`{key}` does not stand beside `union`");
                (self.sink.add(Rule::KeyDoesNotFit, text.node, message))
                    .hint("only `pattern` does; members have facets of their own");
                continue;
            }
            if self.fits(*facet, key, text, simple) {
                self.review_pattern(*facet, text);
                facets.push((*facet, text.value.clone()));
            }
        }
        self.check_pairs(&written, simple);
        (facets, union)
    }

    /// A member of a union, whose values are read as those of a simple type.
    fn member(
        &mut self,
        given: &Located<Shape<MemberKeys>>,
        simple: SimpleType,
    ) -> Option<Element> {
        let name = Name::new("", "");
        let member = self.typed_element(Some(name), given.node, &given.keys())?;
        let base = match &member.type_ref {
            TypeRef::Enumeration(id) => self.context.base_of(*id),
            type_ref => type_ref.simple(),
        };
        let is_one = member.absence == Absence::Required && member.union.is_empty();
        let base = base.filter(|base| base.has_texts() && is_one);
        let (message, hint) = match base {
            Some(base) if simple == SimpleType::String || base == simple => return Some(member),
            Some(base) => (
                format!(
                    "a member of a union that is read as `{}` is of `{}`",
                    simple.name(),
                    base.name()
                ),
                "write `string` as the type of the element, which reads the values of all members",
            ),
            None => (
                "a member of a union is a simple type whose values are one text, or an enumeration"
                    .to_owned(),
                "write it like `int`, or `{ type: string, facets: { pattern: \"[A-Z]+\" } }`",
            ),
        };
        self.sink
            .add(Rule::KeyDoesNotFit, given.node, message)
            .hint(hint);
        None
    }

    fn fits(
        &mut self,
        facet: Facet,
        key: &str,
        text: &Located<String>,
        simple: SimpleType,
    ) -> bool {
        let name = simple.name();
        if !facet.fits(simple) {
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
                let is_ordered = simple.compare(value, value).is_some();
                (Rule::ValueText, is_ordered, hint)
            }
        };
        if !is_right {
            let message = format!("`{key}` of `{name}` cannot be `{text}`");
            self.sink.add(rule, text.node, message).hint(hint);
        }
        is_right
    }

    /// Warns of patterns that are not what was meant.
    fn review_pattern(&mut self, facet: Facet, text: &Located<String>) {
        if facet != Facet::Pattern {
            return;
        }
        let pattern = text.value.as_str();
        let ends = pattern.strip_suffix('$');
        let anchor = match (pattern.starts_with('^'), ends) {
            (true, _) => Some('^'),
            (_, Some(rest)) if !rest.ends_with('\\') => Some('$'),
            _ => None,
        };
        let (message, hint) = match (translate_pattern(pattern), anchor) {
            (Err(error), _) => (
                format!("this is no regular expression of XML Schema: {error}"),
                "documents say it as it is; a server or a client that checks facets does not start"
                    .to_owned(),
            ),
            (Ok(_), Some(anchor)) => (
                format!("`{anchor}` stands for itself in XML Schema"),
                format!("leave it out, as a pattern is for the whole text, or write `\\{anchor}`"),
            ),
            (Ok(_), None) => return,
        };
        (self.sink.add(Rule::Pattern, text.node, message)).hint(hint);
    }

    fn check_pairs(&mut self, written: &[Written<'_>], simple: SimpleType) {
        let find = |wanted: &str| written.iter().find(|(_, key, _)| *key == wanted);
        for [one, other] in EXCLUSIVE {
            if let (Some(_), Some((_, _, text))) = (find(one), find(other)) {
                let message = format!("`{one}` and `{other}` do not stand together");
                self.sink.add(Rule::KeyDoesNotFit, text.node, message);
            }
        }
        for [least, most] in ORDERED {
            let (Some((facet, _, low)), Some((_, _, high))) = (find(least), find(most)) else {
                continue;
            };
            let counted = match facet {
                Facet::MinLength | Facet::FractionDigits => SimpleType::UnsignedInt,
                _ => simple,
            };
            if counted.compare(&low.value, &high.value) == Some(Ordering::Greater) {
                let message = format!("`{least}` {low} is above `{most}` {high}");
                (self.sink.add(Rule::Limits, low.node, message)).hint("no value meets both");
            }
        }
    }
}
