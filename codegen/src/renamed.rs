//! The names in Rust that do not follow from those on the wire, for code that documents show.

use svcgen_model::{named_in, place};

use crate::model::{ComplexType, Element, Enumeration, Method, Model, Name};
use crate::naming::{self, Case};

/// The names by what has them, as [`svcgen_model::place`] calls it, sorted by that.
pub(crate) fn renamed(model: &Model) -> Vec<(String, String)> {
    let mut names = Names {
        model,
        renamed: Vec::new(),
    };
    if let Some(service) = &model.service {
        names.add(place::SERVICE.to_owned(), &service.name, Case::Type);
    }
    model
        .operations()
        .iter()
        .for_each(|one| names.operation(one));
    model.own_types().for_each(|one| names.complex_type(one));
    model
        .own_enumerations()
        .for_each(|one| names.enumeration(one));
    let mut renamed = names.renamed;
    renamed.sort();
    renamed
}

struct Names<'m> {
    model: &'m Model,
    renamed: Vec<(String, String)>,
}

impl Names<'_> {
    fn add(&mut self, place: String, name: &Name, case: Case) {
        self.add_unless(naming::rust_name(&name.xml, case), place, &name.rust);
    }

    fn add_unless(&mut self, usual: Option<String>, place: String, rust: &str) {
        if usual.is_none_or(|usual| usual != rust) {
            self.renamed.push((place, rust.to_owned()));
        }
    }

    fn operation(&mut self, operation: &Method) {
        let place = place::of_operation(&operation.name.xml);
        self.members(&place, &operation.request.elements, Case::Value);
        if let Some(headers) = &operation.headers {
            let place = place::of_headers(&operation.name.xml);
            self.members(&place, &headers.complex_type.elements, Case::Value);
        }
        self.add(place, &operation.name, Case::Value);
    }

    fn complex_type(&mut self, complex: &ComplexType) {
        let place = complex.qualified_name();
        for attribute in &complex.attributes {
            let name = format!("@{}", attribute.name.xml);
            self.add(place::within(&place, &name), &attribute.name, Case::Value);
        }
        if let Some(text) = &complex.text {
            let usual = Some("value".to_owned());
            self.add_unless(usual, place::within(&place, ""), &text.name.rust);
        }
        self.members(&place, &complex.elements, Case::Value);
        self.add(place, &complex.name, Case::Type);
    }

    /// The fields of a struct, or the variants of a choice.
    fn members(&mut self, around: &str, members: &[Element], case: Case) {
        for member in members {
            let place = place::within(around, &member.name.xml);
            if let Some(id) = member.type_ref.group() {
                let group = &self.model.groups[id.0];
                let case = if group.is_sequence() {
                    Case::Value
                } else {
                    Case::Type
                };
                self.members(&place, &group.elements, case);
            }
            self.add(place, &member.name, case);
        }
    }

    fn enumeration(&mut self, enumeration: &Enumeration) {
        let place = named_in(enumeration.namespace.as_deref(), &enumeration.name.xml);
        let case = if enumeration.is_flags {
            Case::Constant
        } else {
            Case::Type
        };
        for value in &enumeration.values {
            self.add(place::within(&place, &value.name.xml), &value.name, case);
        }
        self.add(place, &enumeration.name, Case::Type);
    }
}
