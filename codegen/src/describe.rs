//! DESCRIBE: [`Model`] → [`Description`], the words that documents are written in. Cannot fail.
//!
//! Emitted code states the same rows that the command writes documents from, so that both say the same.

mod reach;
mod storage;

use std::collections::HashSet;

use svcgen_documents::schema::{self, ComplexType, Content, Enumeration, Value};
use svcgen_documents::{Bindings, Description, Header, Operation};

pub(crate) use storage::Storage;

use crate::model::{
    self, Absence, ComplexTypeId, ElementForm, EnumerationId, Headers, ListType, Model, Root,
    Service, Style, TypeRef,
};

/// The description of a service, in the order of its definition.
pub(crate) fn describe<'a>(
    model: &'a Model,
    service: &'a Service,
    storage: &'a Storage<'a>,
) -> Description<'a> {
    let describe = Describe {
        model,
        service,
        storage,
    };
    let operations = service.operations.iter();
    let reached = reach::reach(model);
    let types = model.complex_types.iter().enumerate();
    let types = types.filter(|(id, _)| reached.complex_types.contains(&ComplexTypeId(*id)));
    let enumerations = model.enumerations.iter().enumerate();
    let enumerations =
        enumerations.filter(|(id, _)| reached.enumerations.contains(&EnumerationId(*id)));
    Description {
        name: &service.name.xml,
        namespace: &service.namespace,
        path: &service.path,
        documentation: words(&model.documentation),
        qualified: service.element_form == ElementForm::Qualified,
        operations: (storage.operations)
            .keep(operations.map(|operation| describe.operation(operation))),
        headers: describe.header_elements(),
        faults: describe.fault_elements(),
        types: (storage.types).keep(types.map(|(_, complex)| describe.complex_type(complex))),
        enumerations: (storage.enumerations)
            .keep(enumerations.map(|(_, enumeration)| describe.enumeration(enumeration))),
    }
}

struct Describe<'a> {
    model: &'a Model,
    service: &'a Service,
    storage: &'a Storage<'a>,
}

impl<'a> Describe<'a> {
    fn operation(&self, operation: &'a model::Operation) -> Operation<'a> {
        let result = operation.result.as_ref();
        Operation {
            name: &operation.name.xml,
            documentation: words(&operation.documentation),
            action: &operation.action,
            request: &operation.request.name.xml,
            response: &operation.response,
            parameters: self.elements(&operation.request.elements),
            result: result.map(|result| self.element(&result.element)),
            root: result.map_or("", |result| match &result.root {
                Root::Simple(name) | Root::Complex(name) => name,
            }),
            bindings: bindings(operation.bindings),
            rpc: operation.style == Style::Rpc,
            one_way: operation.one_way,
            headers: self.headers(operation.headers.as_ref()),
            response_headers: self.headers(operation.response_headers.as_ref()),
            faults: (self.storage.names).keep(operation.faults.iter().map(String::as_str)),
        }
    }

    fn headers(&self, headers: Option<&'a Headers>) -> &'a [Header<'a>] {
        let rows = headers.into_iter().flat_map(|headers| {
            let elements = headers.complex_type.elements.iter();
            elements.zip(&headers.rules).map(|(element, rule)| Header {
                name: &element.name.xml,
                required: rule.required,
                must_understand: rule.must_understand,
            })
        });
        self.storage.headers.keep(rows)
    }

    /// The elements of all headers, in the order in which operations name them.
    fn header_elements(&self) -> &'a [schema::Element<'a>] {
        let operations = self.service.operations.iter();
        let sets =
            operations.flat_map(|operation| [&operation.headers, &operation.response_headers]);
        let elements = (sets.flatten()).flat_map(|headers| &headers.complex_type.elements);
        let mut seen = HashSet::new();
        let first = elements.filter(|element| seen.insert(&element.name.xml));
        // Whether a header may be left out is for each message to say.
        let always = first.map(|element| schema::Element {
            optional: false,
            ..self.element(element)
        });
        self.storage.elements.keep(always)
    }

    fn fault_elements(&self) -> &'a [schema::Element<'a>] {
        let elements = self.service.faults.iter().map(|fault| {
            let detail = &self.model.complex_types[fault.detail.0];
            schema::Element {
                documentation: words(&fault.documentation),
                ..schema::element(&fault.name, &detail.name.xml)
            }
        });
        self.storage.elements.keep(elements)
    }

    fn complex_type(&self, complex: &'a model::ComplexType) -> ComplexType<'a> {
        let base = complex
            .extends
            .map(|base| &self.model.complex_types[base.0]);
        let (attributes, elements) =
            base.map_or((0, 0), |base| (base.attributes.len(), base.elements.len()));
        let text = complex.text.as_ref();
        let own_text = text.filter(|_| base.is_none_or(|base| base.text.is_none()));
        ComplexType {
            name: &complex.name.xml,
            documentation: words(&complex.documentation),
            extends: base.map(|base| base.name.xml.as_str()),
            is_abstract: complex.is_abstract,
            attributes: self.elements(&complex.attributes[attributes..]),
            text: own_text.map(|text| self.element(text)),
            elements: self.elements(&complex.elements[elements..]),
        }
    }

    fn enumeration(&self, enumeration: &'a model::Enumeration) -> Enumeration<'a> {
        let values = enumeration.values.iter().map(|value| Value {
            name: &value.name.xml,
            documentation: words(&value.documentation),
        });
        Enumeration {
            documentation: words(&enumeration.documentation),
            ..schema::enumeration(&enumeration.name.xml, self.storage.values.keep(values))
        }
    }

    fn elements(&self, elements: &'a [model::Element]) -> &'a [schema::Element<'a>] {
        (self.storage.elements).keep(elements.iter().map(|element| self.element(element)))
    }

    fn element(&self, element: &'a model::Element) -> schema::Element<'a> {
        let mut described = self.of_type(&element.name.xml, &element.type_ref);
        described.documentation = words(&element.documentation);
        described.optional = element.absence == Absence::Omitted;
        described.nillable |= element.absence == Absence::Nil;
        described.secret = element.secret;
        described
    }

    fn of_type(&self, name: &'a str, type_ref: &'a TypeRef) -> schema::Element<'a> {
        match type_ref {
            TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => {
                schema::element(name, simple.name)
            }
            TypeRef::Complex(id) => schema::element(name, &self.model.complex_types[id.0].name.xml),
            TypeRef::Enumeration(id) => {
                schema::element(name, &self.model.enumerations[id.0].name.xml)
            }
            TypeRef::Choice(id) => {
                schema::choice(name, self.elements(&self.model.choices[id.0].alternatives))
            }
            TypeRef::List(list) if list.wrapped => {
                let item = self.storage.elements.keep([self.item(&list.item, list)]);
                schema::Element {
                    content: Content::List(&item[0]),
                    ..schema::element(name, "")
                }
            }
            TypeRef::List(list) => self.item(name, list).repeated(),
        }
    }

    fn item(&self, name: &'a str, list: &'a ListType) -> schema::Element<'a> {
        schema::Element {
            nillable: list.nillable_items,
            ..self.of_type(name, &list.item_type)
        }
    }
}

fn bindings(bindings: model::Bindings) -> Bindings {
    let model::Bindings {
        soap11,
        soap12,
        http_get,
        http_post,
    } = bindings;
    Bindings {
        soap11,
        soap12,
        http_get,
        http_post,
    }
}

/// Documentation, if anything is said in it.
fn words(documentation: &Option<String>) -> Option<&str> {
    let words = documentation.as_deref().map(str::trim);
    words.filter(|words| !words.is_empty())
}
