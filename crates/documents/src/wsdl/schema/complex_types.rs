//! Complex types: their bases and their content.

use svcgen_model::{At, ComplexType, Element, TypeAt, numbered};

use super::{Declared, Schema, counted, counts, mixed, occurrence, outermost};
use crate::markup::XML;
use crate::shape::Shape;

impl<'a> Schema<'a> {
    pub(super) fn complex_type(&mut self, complex: At<'a, ComplexType<'a>>) {
        let mut attributes = vec![("name", complex.name)];
        if complex.is_abstract {
            attributes.push(("abstract", "true"));
        }
        let declared = self.scope_of(complex);
        let is_xml = |text: At<'_, Element<'_>>| !text.type_ref.is_simple();
        // In .NET the base class of headers makes it impossible to describe the type of their text.
        let is_untyped = self.options.shape == Shape::Original
            && self.headers.contains(&(declared.0, complex.name));
        let is_mixed = |text: At<'_, Element<'_>>| is_untyped || is_xml(text);
        let of_base = complex.base().is_some_and(|base| self.is_mixed(base));
        if complex.own_text().is_some_and(is_mixed) || (self.is_mixed(complex) && !of_base) {
            attributes.extend(mixed(true));
        }
        self.xml().start("s:complexType", &attributes);
        self.annotation(complex.documentation());
        let base = complex.base().map(TypeAt::Complex);
        let base = base.map(|base| self.type_of(base, declared));
        let text = complex.own_text().filter(|text| !is_mixed(*text));
        let mut named = None;
        let own_text = text;
        let text = text.filter(|_| !complex.restricts).map(|text| {
            let type_name = self.type_of(text.type_at(), declared);
            if !text.texts && !text.is_restricted() {
                return type_name;
            }
            // An extension cannot contain an anonymous type.
            let wanted = format!("{}Text", complex.name);
            let is_free = |name: &String| {
                let mut definitions = self.types.definitions();
                definitions.all(|definition| definition.name() != name)
            };
            let name = numbered(wanted, is_free);
            let qualified = self.imported(declared.0, &name);
            named = Some((name, text, type_name));
            qualified
        });
        if let Some(base) = base.or(text) {
            // .NET writes whether the base is mixed. In the portable shape a type may only differ
            // from a base without elements.
            let is_extended = complex.base().is_some_and(|base| !base.elements.is_empty());
            let may_differ = self.options.shape == Shape::Portable && !is_extended;
            if complex.text.is_some() && !complex.is_mixed() {
                self.xml().start("s:simpleContent", &[]);
            } else if of_base || (complex.is_mixed() && may_differ) {
                self.xml().start("s:complexContent", mixed(true));
            } else {
                self.xml().start("s:complexContent", &[("mixed", "false")]);
            }
            let derivation = if complex.restricts {
                "s:restriction"
            } else {
                "s:extension"
            };
            self.xml().start(derivation, &[("base", &base)]);
            if let Some(text) = own_text.filter(|_| complex.restricts) {
                self.restricted_text(text, declared);
            }
            self.content(complex, declared);
            self.xml().end();
            self.xml().end();
        } else {
            self.content(complex, declared);
        }
        self.xml().end();
        if let Some((name, text, type_name)) = named {
            self.simple_type(&[("name", &name)], text, &type_name);
        }
        let derived = self.types.derived(complex);
        let direct = derived.filter(|derived| derived.base() == Some(complex));
        // Their namespaces are their own, or that of the service, regardless of that of their base.
        let service = self.service;
        let direct = direct.map(|derived| (TypeAt::Complex(derived), service));
        self.referred.extend(direct);
    }

    /// Writes the type of the text of a type that restricts another one.
    fn restricted_text(&mut self, text: At<'a, Element<'a>>, declared: Declared<'a>) {
        let type_name = self.type_of(text.type_at(), declared);
        self.simple_type(&[], text, &type_name);
    }

    /// Whether the schema allows text among the elements of a type.
    pub(super) fn is_mixed(&self, complex: At<'a, ComplexType<'a>>) -> bool {
        let first = || TypeAt::Complex(outermost(complex)).qualified_name();
        complex.is_mixed() || (complex.text.is_none() && self.mixed.contains(&first()))
    }

    fn content(&mut self, complex: At<'a, ComplexType<'a>>, declared: Declared<'a>) {
        // Written after the attributes (XML Schema 1.0 §3.4.2).
        let mut any_attributes = Vec::new();
        let mixed = complex.own_text().filter(|text| !text.type_ref.is_simple());
        if complex.unordered && !complex.elements.is_empty() {
            self.xml().start("s:all", &[]);
            self.particles(complex, declared);
            self.xml().end();
        } else if complex.own_particles().next().is_some() || mixed.is_some() {
            self.sequence(|schema| {
                schema.particles(complex, declared);
                if let Some(text) = mixed {
                    let counts = counts(text.occurs);
                    let occurs = counted(counts.as_ref(), occurrence(true, true));
                    schema.any("s:any", &occurs, text.wildcard.unwrap_or("##any"), text);
                }
            });
        }
        let mut known = false;
        // The original does not describe attributes of encoded types.
        let is_left_out = self.is_encoded && self.options.shape == Shape::Original;
        let attributes = complex.own_attributes().filter(|_| !is_left_out);
        for attribute in attributes {
            if let Some(namespaces) = attribute.wildcard {
                any_attributes.push((namespaces, attribute));
                continue;
            }
            let namespace = if self.is_encoded {
                declared.0
            } else {
                attribute.form.of_attribute(declared.0)
            };
            if namespace == XML && self.options.shape == Shape::Portable {
                known = true;
            } else {
                self.attribute(attribute, namespace, declared);
            }
        }
        if !is_left_out {
            self.prohibited(complex, declared);
        }
        let is_closed = any_attributes.is_empty();
        for (namespaces, wildcard) in any_attributes {
            self.any("s:anyAttribute", &[], namespaces, wildcard);
        }
        // The base class of headers in .NET covers `mustUnderstand`, `actor` and `role`.
        if is_closed && self.headers.contains(&(declared.0, complex.name)) {
            self.xml().empty("s:anyAttribute", &[]);
        } else if is_closed && known {
            // A reference to `xml:lang` needs a schema that zeep fetches.
            let attributes = [("namespace", XML), ("processContents", "lax")];
            self.xml().empty("s:anyAttribute", &attributes);
        }
    }
}
