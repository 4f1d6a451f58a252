//! SOAP headers and faults: what the service has of them, and what its operations take.

use super::{Lower, is_true, message_name};
use crate::definition::{FaultKeys, HeaderKeys, Located, OperationDefinition, TypeOrMap};
use crate::model::{
    Absence, Bindings, ComplexType, Element, Fault, HeaderRule, Headers, Name, TypeRef,
};
use crate::naming::Case;
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
            let Some((key, shape)) = self.declared("header", &definition.headers, name) else {
                continue;
            };
            let rule = header_rule(shape);
            rules.push(rule);
            elements.push((
                self.header(key, shape, incoming && rule.required),
                name.node,
            ));
        }
        let whose = format!("headers of `{}`", operation.xml);
        let elements = self.members(elements, &whose, |element| &element.name);
        let name = message_name(operation, operation.xml.clone(), ending)?;
        self.claim_item(&name.rust, first.node, whose);
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
            self.misfit(shape.node, "a header is one value")
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
                let message =
                    format!("the required header `{name}` cannot be sent over HTTP GET and POST");
                let hint = format!("narrow the bindings of `{key}`: `bindings: [soap11, soap12]`");
                self.error(Rule::FormParameter, name.node, message)
                    .hint(hint);
            }
        }
    }

    /// The faults of the service.
    pub(super) fn faults(&mut self) -> Option<Vec<Fault>> {
        let definition = self.definition;
        let mut faults = Vec::new();
        for (key, shape) in &definition.faults.0 {
            let fault = self.fault(key, shape, &faults);
            faults.push(fault);
        }
        faults.into_iter().collect()
    }

    fn fault(
        &mut self,
        key: &Located<String>,
        shape: &Located<TypeOrMap<FaultKeys>>,
        others: &[Option<Fault>],
    ) -> Option<Fault> {
        let keys = shape.keys();
        let is_name = self.is_xml_name(key);
        let name = Name {
            xml: key.value.clone(),
            rust: String::new(),
        };
        let element = self.typed_element(Some(name), shape.node, &keys)?;
        let node = keys.r#type.map_or(shape.node, |written| written.node);
        let (TypeRef::Complex(detail), Absence::Required) = (&element.type_ref, element.absence)
        else {
            self.misfit(node, "the detail of a fault is an object")
                .hint("name a complex type; one with `text` holds a simple value");
            return None;
        };
        if self.foreign_type(*detail).is_some() {
            self.error(
                Rule::Included,
                node,
                "the detail of a fault is of the same file",
            )
            .hint(
                "a type is the detail of one fault of one service: make a type here that holds it",
            );
        }
        let mut others = others.iter().flatten();
        if let Some(other) = others.find(|fault| fault.detail == *detail) {
            let message = format!("the fault `{}` has this detail already", other.name);
            self.misfit(node, message)
                .hint("a type is the detail of one fault: make another type, with `extends` if it holds the same");
        }
        is_name.then(|| Fault {
            name: key.value.clone(),
            documentation: keys.doc,
            detail: *detail,
        })
    }

    /// Holds that the faults that an operation names are there.
    pub(super) fn check_faults(&mut self, body: &OperationDefinition) {
        for name in &body.faults {
            self.declared("fault", &self.definition.faults, name);
        }
    }
}

fn header_rule(shape: &Located<TypeOrMap<HeaderKeys>>) -> HeaderRule {
    let (required, must_understand) = match &shape.value {
        TypeOrMap::Type(_) => (false, false),
        TypeOrMap::Map(keys) => (is_true(&keys.required), is_true(&keys.must_understand)),
    };
    HeaderRule {
        required,
        must_understand,
    }
}
