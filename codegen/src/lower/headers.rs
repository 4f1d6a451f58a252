//! SOAP headers and faults: what the service has of them, and what its operations take.

use super::Lower;
use crate::definition::{HeaderKeys, Located, OperationDefinition, TypeOrMap};
use crate::model::{
    Absence, Bindings, ComplexType, Element, Fault, HeaderRule, Headers, Name, TypeRef,
};
use crate::naming::{self, Case};
use crate::rules::Rule;

impl Lower<'_> {
    /// The headers that an operation names, as a struct with this ending.
    pub(super) fn headers(
        &mut self,
        operation: &Name,
        names: &[Located<String>],
        ending: &str,
        incoming: bool,
    ) -> Option<Option<Headers>> {
        let (Some(first), definition) = (names.first(), self.definition) else {
            return Some(None);
        };
        let mut elements = Vec::new();
        let mut rules = Vec::new();
        for name in names {
            let mut declared = definition.headers.0.iter();
            let Some((key, shape)) = declared.find(|(key, _)| key.value == name.value) else {
                let known = definition.headers.0.iter();
                let known = known.map(|(key, _)| key.value.as_str());
                self.error(
                    Rule::Undeclared,
                    name.node,
                    format!("the service has no header `{}`", name.value),
                )
                .nearest(
                    &name.value,
                    known,
                    "declare it under the `headers` of the file",
                );
                continue;
            };
            let rule = header_rule(shape);
            rules.push(rule);
            elements.push((
                self.header(key, shape, incoming && rule.required),
                name.node,
            ));
        }
        let named = elements
            .iter()
            .filter_map(|(element, node)| Some((&element.as_ref()?.name, *node)))
            .collect::<Vec<_>>();
        self.check_distinct(named, &format!("headers of `{}`", operation.xml));
        let base = naming::rust_name(naming::unraw(&operation.rust), Case::Type)?;
        let rust = format!("{}{ending}", base.trim_end_matches('_'));
        self.claim_item(&rust, first.node, format!("headers of `{}`", operation.xml));
        let elements: Option<Vec<_>> = elements.into_iter().map(|(element, _)| element).collect();
        let name = Name {
            xml: operation.xml.clone(),
            rust,
        };
        Some(Some(Headers {
            complex_type: ComplexType::new(name, elements?),
            rules,
        }))
    }

    fn header(
        &mut self,
        key: &Located<String>,
        shape: &Located<TypeOrMap<HeaderKeys>>,
        always: bool,
    ) -> Option<Element> {
        let keys = shape.keys();
        let name = self.name(key, keys.rust.as_ref(), Case::Value);
        let mut element = self.typed_element(name, shape.node, &keys)?;
        if let TypeRef::List(_) = element.type_ref {
            self.error(Rule::KeyDoesNotFit, shape.node, "a header is one value")
                .hint("put the list into a type of its own");
        }
        if !always || element.absence != Absence::Required {
            element.absence = Absence::Omitted;
        }
        Some(element)
    }

    /// Holds that every header can be what it says, taken or not.
    pub(super) fn check_headers(&mut self) {
        let definition = self.definition;
        for (key, shape) in &definition.headers.0 {
            self.header(key, shape, false);
        }
    }

    /// Forms have no headers.
    pub(super) fn check_form_headers(
        &mut self,
        body: &OperationDefinition,
        key: &Located<String>,
        bindings: Bindings,
    ) {
        if !bindings.has_form() {
            return;
        }
        let definition = self.definition;
        for name in &body.headers.r#in {
            let mut declared = definition.headers.0.iter();
            let declared = declared.find(|(key, _)| key.value == name.value);
            if declared.is_some_and(|(_, shape)| header_rule(shape).required) {
                let message = format!(
                    "the required header `{}` cannot be sent over HTTP GET and POST",
                    name.value
                );
                self.error(Rule::FormParameter, name.node, message)
                    .hint(format!(
                        "narrow the bindings of `{}`: `bindings: [soap11, soap12]`",
                        key.value
                    ));
            }
        }
    }

    /// The faults of the service.
    pub(super) fn faults(&mut self) -> Option<Vec<Fault>> {
        let definition = self.definition;
        let mut faults: Vec<Option<Fault>> = Vec::new();
        for (key, shape) in &definition.faults.0 {
            let keys = shape.keys();
            let is_name = self.is_xml_name(key);
            let name = Name {
                xml: key.value.clone(),
                rust: String::new(),
            };
            let Some(element) = self.typed_element(Some(name), shape.node, &keys) else {
                faults.push(None);
                continue;
            };
            let node = keys
                .r#type
                .as_ref()
                .map_or(shape.node, |written| written.node);
            let (TypeRef::Complex(detail), Absence::Required) =
                (&element.type_ref, element.absence)
            else {
                self.error(
                    Rule::KeyDoesNotFit,
                    node,
                    "the detail of a fault is an object",
                )
                .hint("name a complex type; one with `text` holds a simple value");
                faults.push(None);
                continue;
            };
            if self.foreign_type(*detail).is_some() {
                self.error(Rule::Included, node, "the detail of a fault is of the same file")
                    .hint("a type is the detail of one fault of one service: make a type here that holds it");
            }
            let same = faults
                .iter()
                .flatten()
                .find(|fault| fault.detail == *detail);
            if let Some(other) = same.map(|fault| fault.name.clone()) {
                let message = format!("the fault `{other}` has this detail already");
                self.error(Rule::KeyDoesNotFit, node, message)
                    .hint("a type is the detail of one fault: make another type, with `extends` if it holds the same");
            }
            faults.push(is_name.then(|| Fault {
                name: key.value.clone(),
                documentation: keys.doc.clone(),
                detail: *detail,
            }));
        }
        faults.into_iter().collect()
    }

    /// Holds that the faults that an operation names are there.
    pub(super) fn check_faults(&mut self, body: &OperationDefinition) {
        let definition = self.definition;
        for name in &body.faults {
            let declared = definition.faults.0.iter();
            let known = || declared.clone().map(|(key, _)| key.value.as_str());
            if !known().any(|known| known == name.value) {
                self.error(
                    Rule::Undeclared,
                    name.node,
                    format!("the service has no fault `{}`", name.value),
                )
                .nearest(
                    &name.value,
                    known(),
                    "declare it under the `faults` of the file",
                );
            }
        }
    }
}

fn header_rule(shape: &Located<TypeOrMap<HeaderKeys>>) -> HeaderRule {
    let is_true = |key: &Option<Located<bool>>| key.as_ref().is_some_and(|given| given.value);
    match &shape.value {
        TypeOrMap::Type(_) => HeaderRule {
            required: false,
            must_understand: false,
        },
        TypeOrMap::Map(keys) => HeaderRule {
            required: is_true(&keys.required),
            must_understand: is_true(&keys.must_understand),
        },
    }
}
