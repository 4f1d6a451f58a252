//! Simple types: enumerations, facets, unions, lists of values.

use svcgen_model::{At, Element, Enumeration, Facet, TypeAt, TypeRef};

use super::Schema;
use crate::shape::Shape;

impl<'a> Schema<'a> {
    pub(super) fn enumeration(&mut self, enumeration: At<'a, Enumeration<'a>>) {
        self.xml()
            .start("s:simpleType", &[("name", enumeration.name)]);
        self.annotation(enumeration.documentation());
        if enumeration.flags {
            self.xml().start("s:list", &[]);
            self.xml().start("s:simpleType", &[]);
        }
        let base = self.type_of(TypeAt::Simple(enumeration.base), self.service);
        self.xml().start("s:restriction", &[("base", &base)]);
        for value in enumeration.values() {
            self.xml().start("s:enumeration", &[("value", value.name)]);
            self.annotation(value.documentation());
            self.xml().end();
        }
        if enumeration.flags {
            self.xml().end();
            self.xml().end();
        }
        self.xml().end();
        self.xml().end();
    }

    /// Whether the type of its items describes a list of values, as for enumerations in the
    /// original.
    pub(super) fn is_type_of_items(&self, element: At<'a, Element<'a>>) -> bool {
        let is_enumeration = matches!(element.type_ref, TypeRef::Enumeration(_));
        is_enumeration && self.options.shape == Shape::Original
    }

    /// Writes a type of values separated by blanks, of restricted values, or of both.
    pub(super) fn simple_type(
        &mut self,
        attributes: &[(&str, &str)],
        element: At<'a, Element<'a>>,
        type_name: &str,
    ) {
        self.xml().start("s:simpleType", attributes);
        if !element.texts {
            self.restriction(element, type_name);
        } else if element.is_restricted() {
            self.xml().start("s:list", &[]);
            self.xml().start("s:simpleType", &[]);
            self.restriction(element, type_name);
            self.xml().end();
            self.xml().end();
        } else {
            self.xml().empty("s:list", &[("itemType", type_name)]);
        }
        self.xml().end();
    }

    /// Writes the allowed values of a type: a union, or facets. Several patterns that must all
    /// match are in types that restrict one another, the last one outside, as several in one type
    /// would be alternatives (XML Schema 1.0 part 2 §4.3.4.3).
    fn restriction(&mut self, element: At<'a, Element<'a>>, base: &str) {
        let is_pattern = |(facet, _): &&(Facet, &str)| *facet == Facet::Pattern;
        let patterns: Vec<_> = element.facets.iter().filter(is_pattern).collect();
        let is_union = !element.union.is_empty();
        // A union has no other facets, and cannot contain patterns itself.
        let within = patterns.len().saturating_sub(usize::from(!is_union));
        for _ in 0..within {
            self.xml().start("s:restriction", &[]);
            self.xml().start("s:simpleType", &[]);
        }
        let (inner, outer) = patterns.split_at(patterns.len() - within);
        if is_union {
            self.union(element);
        } else {
            self.xml().start("s:restriction", &[("base", base)]);
            let others = element.facets.iter().filter(|facet| !is_pattern(facet));
            for (facet, text) in inner.iter().copied().chain(others) {
                self.facet(*facet, text);
            }
            self.xml().end();
        }
        for (facet, text) in outer {
            self.xml().end();
            self.facet(*facet, text);
            self.xml().end();
        }
    }

    fn facet(&mut self, facet: Facet, text: &str) {
        let tag = format!("s:{}", facet.name());
        self.xml().empty(&tag, &[("value", text)]);
    }

    /// Writes the union of a type. Members with names come first (XML Schema 1.0 part 2 §3.14.2),
    /// so that the members after one without a name are written without names, too.
    fn union(&mut self, element: At<'a, Element<'a>>) {
        let members = element.union();
        let members = members.map(|member| (member, self.type_of(member.type_at(), self.service)));
        let members: Vec<_> = members.collect();
        let named = members
            .iter()
            .take_while(|(member, _)| !member.is_restricted());
        let named: Vec<_> = named.map(|(_, name)| name.as_str()).collect();
        let names = named.join(" ");
        let attributes = [("memberTypes", names.as_str())];
        self.xml()
            .start("s:union", if named.is_empty() { &[] } else { &attributes });
        for (member, name) in members.iter().skip(named.len()) {
            self.simple_type(&[], *member, name);
        }
        self.xml().end();
    }
}
