//! The facets of elements and attributes.

use svcgen_language::definition::{ElementKeys, Located, MemberKeys, Shape};
use svcgen_language::rules::Rule;
use svcgen_model::translate_pattern;

use super::context::Pass;
use super::examples::example;
use crate::model::{Absence, Element, Facet, Name, SimpleType, TypeRef};

/// A key of `facets`, and its value.
type Written<'k> = (Facet, &'static str, &'k Located<String>);

impl Pass<'_, '_> {
    /// The facets that fit the type, and the members of its union; for a list or a dictionary,
    /// those of its values.
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
        let written: Vec<_> = given.value.given().collect();
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
        if facet.is_value(&text.value, simple) {
            return true;
        }
        let (rule, hint) = match facet {
            Facet::Pattern => (
                Rule::Limits,
                "it is a regular expression of XML Schema: `[0-9]{5}`".to_owned(),
            ),
            Facet::WhiteSpace => (
                Rule::KeyDoesNotFit,
                "it is `preserve`, `replace` or `collapse`".to_owned(),
            ),
            Facet::Length | Facet::MinLength | Facet::MaxLength | Facet::FractionDigits => {
                (Rule::Limits, "it is a number from 0 on".to_owned())
            }
            Facet::TotalDigits => (Rule::Limits, "it is a number from 1 on".to_owned()),
            _ => (
                Rule::ValueText,
                format!("it is a value of `{name}`: {}", example(simple)),
            ),
        };
        let message = format!("`{key}` of `{name}` cannot be `{text}`");
        self.sink.add(rule, text.node, message).hint(hint);
        false
    }

    /// Warns of patterns that probably do not match what was intended.
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
                format!("this is not a regular expression of XML Schema: {error}"),
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
        let find = |wanted| written.iter().find(|(facet, ..)| *facet == wanted);
        for [one, other] in Facet::EXCLUSIVE {
            if let (Some((_, one, _)), Some((_, other, text))) = (find(one), find(other)) {
                let message = format!("`{one}` and `{other}` do not stand together");
                self.sink.add(Rule::KeyDoesNotFit, text.node, message);
            }
        }
        for [least, most] in Facet::ORDERED {
            let (Some((facet, least, low)), Some((_, most, high))) = (find(least), find(most))
            else {
                continue;
            };
            if facet.is_above(&low.value, &high.value, simple) {
                let message = format!("`{least}` {low} is above `{most}` {high}");
                (self.sink.add(Rule::Limits, low.node, message)).hint("no value meets both");
            }
        }
    }
}
