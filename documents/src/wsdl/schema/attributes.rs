//! The attributes of types.

use svcgen_model::{At, Element, Form, ValueConstraint};

use super::{Declared, Schema};
use crate::markup::XML;

impl<'a> Schema<'a> {
    pub(super) fn attribute(
        &mut self,
        attribute: At<'a, Element<'a>>,
        namespace: &'a str,
        declared: Declared<'a>,
    ) {
        let name = attribute.name;
        if matches!(attribute.form, Form::Reference(_)) && namespace != declared.0 {
            let reference = if namespace == XML {
                self.import(XML);
                format!("xml:{name}")
            } else {
                let reference = self.imported(namespace, name);
                self.global_attribute(attribute, namespace, declared);
                reference
            };
            let mut written = vec![("ref", reference.as_str())];
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
        let is_anonymous = is_list || !attribute.facets.is_empty();
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
            let constraint = attribute.constraint.map(ValueConstraint::attribute);
            schema.typed_attribute(attribute, declared, constraint, None);
        });
    }
}
