//! The attributes of types.

use svcgen_model::{At, ComplexType, Element, Form, ValueConstraint};

use super::{Declared, Schema};
use crate::markup::XML;

impl<'a> Schema<'a> {
    pub(super) fn attribute(
        &mut self,
        attribute: At<'a, Element<'a>>,
        namespace: &'a str,
        declared: Declared<'a>,
    ) {
        if matches!(attribute.form, Form::Reference(_)) && namespace != declared.0 {
            let reference = self.attribute_reference(attribute, namespace, declared);
            // Types that refer to the same attribute may fix different values of it.
            let constraint = attribute.constraint.map(ValueConstraint::attribute);
            let mut written: Vec<_> = constraint.into_iter().collect();
            written.push(("ref", reference.as_str()));
            if namespace == XML {
                written.push(("use", "optional"));
            } else if !attribute.is_omitted() {
                written.push(("use", "required"));
            }
            self.xml().empty("s:attribute", &written);
            return;
        }
        let qualified = (!namespace.is_empty()).then_some(("form", "qualified"));
        let constraint = attribute.constraint.map(ValueConstraint::attribute);
        let first = qualified.into_iter().chain(constraint);
        let required = (!attribute.is_omitted()).then_some(("use", "required"));
        self.typed_attribute(attribute, declared, first, required);
    }

    /// The prefixed name of an attribute of another namespace, which declares it.
    fn attribute_reference(
        &mut self,
        attribute: At<'a, Element<'a>>,
        namespace: &'a str,
        declared: Declared<'a>,
    ) -> String {
        if namespace == XML {
            self.import(XML);
            return format!("xml:{}", attribute.name);
        }
        let reference = self.imported(namespace, attribute.name);
        self.global_attribute(attribute, namespace, declared);
        reference
    }

    /// Writes the attributes of the restricted type that a type does not have.
    pub(super) fn prohibited(&mut self, complex: At<'a, ComplexType<'a>>, declared: Declared<'a>) {
        let Some(base) = complex.base().filter(|_| complex.restricts) else {
            return;
        };
        let of_base = self.scope_of(base);
        let named = |attribute: At<'a, Element<'a>>, declared: Declared<'a>| {
            (attribute.form.of_attribute(declared.0), attribute.name)
        };
        let known: Vec<_> = (complex.attributes())
            .map(|attribute| named(attribute, declared))
            .collect();
        for attribute in base.attributes().filter(|one| one.is_named()) {
            let (namespace, name) = named(attribute, of_base);
            if known.contains(&(namespace, name)) {
                continue;
            }
            let prohibited = ("use", "prohibited");
            if namespace.is_empty() {
                let written = [("name", name), prohibited];
                self.xml().empty("s:attribute", &written);
            } else if namespace == declared.0 {
                let written = [("form", "qualified"), ("name", name), prohibited];
                self.xml().empty("s:attribute", &written);
            } else {
                let reference = self.attribute_reference(attribute, namespace, of_base);
                let written = [("ref", reference.as_str()), prohibited];
                self.xml().empty("s:attribute", &written);
            }
        }
    }

    /// Writes an attribute with its name and its type between two others.
    fn typed_attribute<'w>(
        &mut self,
        attribute: At<'a, Element<'a>>,
        declared: Declared<'a>,
        first: impl IntoIterator<Item = (&'w str, &'w str)>,
        last: Option<(&str, &str)>,
    ) {
        let type_name = self.type_of(attribute.type_at(), declared);
        let is_list = attribute.texts && !self.is_type_of_items(attribute);
        let is_anonymous = is_list || attribute.is_restricted();
        let described = (!is_anonymous).then_some(("type", type_name.as_str()));
        let name = Some(("name", attribute.name));
        let mut written: Vec<_> = first.into_iter().collect();
        written.extend([name, described, last].into_iter().flatten());
        self.xml().start("s:attribute", &written);
        self.annotation(attribute.documentation());
        if is_anonymous {
            self.simple_type(&[], attribute, &type_name);
        }
        self.xml().end();
    }

    fn global_attribute(
        &mut self,
        attribute: At<'a, Element<'a>>,
        namespace: &'a str,
        declared: Declared<'a>,
    ) {
        if !self.attributes.insert((namespace, attribute.name)) {
            return;
        }
        self.within(namespace, |schema| {
            schema.typed_attribute(attribute, declared, None, None);
        });
    }
}
