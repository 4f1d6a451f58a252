//! ROWS: [`Model`] → [`Module`] and [`Documentation`], which emitted code contains and from which
//! documents are written. Cannot fail.

use std::collections::HashMap;
use std::path::Path;

use svcgen_model::{
    ComplexType, DataSetSchema, Documentation, Element, Enumeration, Group, Headers, Module,
    Operation, Scope, Script, ScriptType, Service, SimpleType, Storage, Style, TypeId, TypeRef,
    Value, ValueConstraint, complex_type, element, enumeration, group, headers, operation, value,
};

use crate::file::File;
use crate::model::{
    self, Absence, ComplexTypeId, ListForm, ListType, Method, Model, Origin, words,
};

/// The rows of a file, and their documentation.
pub(crate) type Rows<'a> = (&'a Module<'a>, &'a Documentation<'a>);

/// The optional content of rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowContent {
    /// The documentation.
    pub documentation: bool,
    /// The names of items that are named after their type, a list; otherwise they are empty.
    pub by_type: bool,
    /// For masked messages: secrets are texts without facets, tables are any XML.
    pub masked: bool,
}

/// The rows of a file and of all included files, each once; `None` if one of them is wrong.
pub(crate) fn file<'a>(
    file: &'a File,
    storage: &'a Storage<'a>,
    content: RowContent,
    done: &mut HashMap<&'a Path, Rows<'a>>,
) -> Option<Rows<'a>> {
    if let Some(rows) = done.get(&*file.path) {
        return Some(*rows);
    }
    let included = file.included.iter();
    let included = included.map(|included| self::file(included, storage, content, done));
    let included: Vec<_> = included.collect::<Option<_>>()?;
    let (mut module, mut documentation) = rows(file.model.as_ref()?, storage, content);
    module.includes = storage.includes.keep(included.iter().map(|rows| rows.0));
    documentation.includes = storage
        .included_documentation
        .keep(included.iter().map(|rows| rows.1));
    let rows = (
        storage.modules.keep_one(module),
        storage.documentation.keep_one(documentation),
    );
    done.insert(&file.path, rows);
    Some(rows)
}

/// The rows of a file alone, without those of included files.
pub(crate) fn rows<'a>(
    model: &'a Model,
    storage: &'a Storage<'a>,
    content: RowContent,
) -> (Module<'a>, Documentation<'a>) {
    let mut writer = Writer::new(model, storage, content);
    let service = model.service.as_ref();
    let service = service.map(|service| writer.service(service));
    let types = model.own_types();
    let types = types.map(|complex| writer.complex_type(complex));
    let types = storage.types.keep(types);
    let enumerations = model.own_enumerations();
    let enumerations = enumerations.map(|enumeration| writer.enumeration(enumeration));
    let module = Module {
        service,
        ..Module::new(types, storage.enumerations.keep(enumerations))
    };
    let documentation = Documentation {
        texts: storage.texts.keep(writer.texts),
        includes: &[],
    };
    (module, documentation)
}

/// Calls a function with the row of one element, which is neither a choice nor a sequence.
pub(crate) fn of_element<T>(
    model: &Model,
    element: &model::Element,
    ask: impl FnOnce(&Element<'_>) -> T,
) -> T {
    let storage = Storage::default();
    let content = RowContent {
        documentation: false,
        by_type: true,
        masked: false,
    };
    ask(&Writer::new(model, &storage, content).element(element))
}

/// Writes the rows of a file.
struct Writer<'a> {
    model: &'a Model,
    storage: &'a Storage<'a>,
    content: RowContent,
    /// The numbers of included files, from 1.
    included: HashMap<&'a Path, usize>,
    texts: Vec<&'a str>,
    /// The numbers of texts, from 1.
    numbers: HashMap<&'a str, u32>,
}

impl<'a> Writer<'a> {
    fn new(model: &'a Model, storage: &'a Storage<'a>, content: RowContent) -> Self {
        let includes = model.includes.iter().zip(1..);
        let included = includes.map(|(include, number)| (&*include.file, number));
        Self {
            model,
            storage,
            content,
            included: included.collect(),
            texts: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    fn service(&mut self, service: &'a model::Service) -> Service<'a> {
        let storage = self.storage;
        let documentation = self.text(&self.model.documentation);
        let indexes = service.faults.iter().zip(0..);
        let indexes: HashMap<_, _> = indexes
            .map(|(fault, index)| (fault.name.as_str(), index))
            .collect();
        let methods = service.operations.iter();
        let operations = methods.map(|method| self.operation(method, &indexes));
        let operations = storage.operations.keep(operations);
        let script_types = service.script.types.iter().map(|known| ScriptType {
            type_ref: self.type_ref(&known.type_ref),
            name: &known.name,
            class: known.class.as_deref(),
        });
        let script_types = storage.script_types.keep(script_types);
        let faults = service.faults.iter();
        let faults = faults.map(|fault| self.element(&fault.detail));
        let list_names = service.list_names.iter();
        let list_names = list_names.map(|(name, over_http)| (&**name, &**over_http));
        let row = Service::new(
            &service.name.xml,
            &service.namespace,
            &service.path,
            operations,
        );
        Service {
            element_form: service.element_form,
            has_scopes: row.has_scopes || service.has_scopes,
            literal_namespace: service.literal_namespace.as_deref(),
            routing: service.routing,
            list_names: storage.list_names.keep(list_names),
            time_zone: service.time_zone.as_deref(),
            faults: storage.elements.keep(faults),
            script: Script {
                class: service.script.class.as_deref(),
                types: script_types,
            },
            documentation,
            ..row
        }
    }

    fn operation(&mut self, method: &'a Method, faults: &HashMap<&'a str, usize>) -> Operation<'a> {
        let (storage, result) = (self.storage, method.result.as_ref());
        let returned = method.returned.as_ref();
        let returned = returned.map(|one| self.returned(&method.response.elements[one.index]));
        let http_result = method.http_result.as_ref();
        let http_result = http_result.map(|result| self.returned(result));
        let faults = method.faults.iter().map(|fault| faults[fault.as_str()]);
        let row = Operation {
            documentation: self.text(&method.documentation),
            response: self.complex_type(&method.response).message(),
            result: returned.or(result.map(|result| self.element(&result.element))),
            http_result,
            root: method.root().map_or("", |root| &root.name),
            root_namespace: method.root().and_then(|root| root.namespace.as_deref()),
            bindings: method.bindings,
            script: method.script,
            encoded: method.encoded.as_deref(),
            one_way: method.one_way,
            read_only: method.read_only,
            wsdl_name: method.wsdl_name.as_deref(),
            headers: self.headers(&method.headers),
            cached: method.cached,
            session: method.session,
            unknown_headers: method.unknown_headers,
            response_headers: self.headers(&method.response_headers),
            fault_headers: self.headers(&method.fault_headers),
            faults: storage.indexes.keep(faults),
            ..operation(
                &method.name.xml,
                &method.action,
                self.complex_type(&method.request),
                &method.response.name.xml,
            )
        };
        match method.style {
            Style::Document => row,
            Style::Rpc => row.rpc(),
            Style::Bare => row.bare(),
        }
    }

    /// The result that HTTP GET and POST return, where lists are always wrapped.
    fn returned(&mut self, element: &'a model::Element) -> Element<'a> {
        let row = self.element(element);
        let list = match &element.type_ref {
            model::TypeRef::List(list) if list.form == ListForm::Unwrapped => list,
            _ => return row,
        };
        let mut item = self.item(&list.item, list);
        if !self.model.is_by_value(&list.item_type) {
            item = item.nillable();
        }
        let item = self.storage.elements.keep_one(item);
        Element {
            type_ref: TypeRef::List(item),
            absence: element.absence,
            repeated: false,
            ..row
        }
    }

    fn headers(&mut self, given: &'a Option<model::Headers>) -> Option<&'a Headers<'a>> {
        let given = given.as_ref()?;
        let row = headers(self.elements(&given.complex_type.elements), &given.rules);
        Some(self.storage.headers.keep_one(row))
    }

    fn complex_type(&mut self, complex: &'a model::ComplexType) -> ComplexType<'a> {
        let documentation = self.text(&complex.documentation);
        let elements = self.elements(&complex.elements);
        let mut row = complex_type(&complex.name.xml, elements);
        let groups = self.groups(&complex.elements);
        if !groups.is_empty() {
            row = row.groups(groups);
        }
        if complex.unordered {
            row = row.unordered();
        }
        ComplexType {
            documentation,
            scope: Scope {
                namespace: complex.scope.namespace.as_deref(),
                element_form: complex.scope.element_form,
            },
            attributes: self.elements(&complex.attributes),
            text: complex.text.as_ref().map(|text| self.element(text)),
            data_set: complex.data_set.as_ref().map(|set| DataSetSchema {
                name: &set.name,
                namespace: &set.namespace,
                schema: &set.schema,
            }),
            extends: complex.extends.map(|base| self.complex_id(base)),
            restricts: complex.restricts,
            is_abstract: complex.is_abstract,
            by_value: complex.by_value,
            ..row
        }
    }

    /// The elements on the wire, including alternatives of choices.
    fn elements(&mut self, elements: &'a [model::Element]) -> &'a [Element<'a>] {
        let (model, storage) = (self.model, self.storage);
        let elements = elements.iter().flat_map(|element| model.on_wire(element));
        storage
            .elements
            .keep(elements.map(|element| self.element(element)))
    }

    fn groups(&mut self, elements: &'a [model::Element]) -> &'a [Group<'a>] {
        let mut groups = Vec::new();
        self.add_groups(elements, 0, &mut groups);
        self.storage.groups.keep(groups)
    }

    /// Adds the choices and sequences among elements, each before those within it. `first` is the
    /// index of the first element.
    fn add_groups(
        &mut self,
        elements: &'a [model::Element],
        mut first: usize,
        groups: &mut Vec<Group<'a>>,
    ) {
        let model = self.model;
        for element in elements {
            let end = first + model.on_wire(element).len();
            if let Some(model::GroupId(id)) = element.type_ref.group() {
                groups.push(Group {
                    head: model.groups[id].head.as_deref(),
                    optional: element.absence != Absence::Required,
                    repeated: matches!(element.type_ref, model::TypeRef::List(_)),
                    occurs: element.occurs,
                    documentation: self.text(&element.documentation),
                    ..group(&element.name.xml, model.groups[id].kind, first, end)
                });
                self.add_groups(&model.groups[id].elements, first, groups);
            }
            first = end;
        }
    }

    fn element(&mut self, element: &'a model::Element) -> Element<'a> {
        let name = &element.name.xml;
        if self.content.masked && element.secret {
            return Element {
                absence: element.absence,
                secret: true,
                net: element.net.as_deref(),
                characters: element.characters,
                ..svcgen_model::element(name, TypeRef::Simple(SimpleType::String))
                    .form(element.form.as_deref())
            };
        }
        let row = match &element.type_ref {
            model::TypeRef::List(list) if !list.is_wrapped() => Element {
                repeated: list.form == ListForm::Unwrapped,
                texts: list.form == ListForm::Text,
                ..self.item(name, list)
            },
            type_ref => svcgen_model::element(name, self.type_ref(type_ref)),
        };
        let row = self.restricted(row, element);
        let row = match row.type_ref {
            TypeRef::List(item) => {
                let item = Element {
                    occurs: element.occurs,
                    ..*item
                };
                Element {
                    type_ref: TypeRef::List(self.storage.elements.keep_one(item)),
                    ..row
                }
            }
            _ => Element {
                occurs: element.occurs,
                ..row
            },
        };
        let row = row.form(element.form.as_deref());
        let absence = match row.absence {
            Absence::Required => element.absence,
            of_items => of_items,
        };
        Element {
            absence,
            collection: matches!(&element.type_ref, model::TypeRef::List(list) if list.form == ListForm::Collection),
            secret: element.secret,
            net: element.net.as_deref(),
            documentation: self.text(&element.documentation),
            wildcard: element
                .wildcard
                .as_ref()
                .map(|wildcard| wildcard.namespaces.as_str()),
            characters: element.characters,
            constraint: element.constraint.as_ref().map(ValueConstraint::as_deref),
            ..row
        }
    }

    /// Adds facets and the members of a union to the row of a value, or of the innermost items of a
    /// list or a dictionary.
    fn restricted(&mut self, row: Element<'a>, element: &'a model::Element) -> Element<'a> {
        if element.facets.is_empty() && element.union.is_empty() {
            return row;
        }
        let type_ref = match row.type_ref {
            TypeRef::List(item) => {
                let item = self.restricted(*item, element);
                TypeRef::List(self.storage.elements.keep_one(item))
            }
            TypeRef::Dictionary(value) => {
                let value = self.restricted(*value, element);
                TypeRef::Dictionary(self.storage.elements.keep_one(value))
            }
            _ => {
                let facets = element.facets.iter();
                let facets = facets.map(|(facet, text)| (*facet, text.as_str()));
                let union: Vec<_> = element.union.iter().map(|one| self.element(one)).collect();
                return Element {
                    facets: self.storage.facets.keep(facets),
                    union: self.storage.elements.keep(union),
                    ..row
                };
            }
        };
        Element { type_ref, ..row }
    }

    fn item(&self, name: &'a str, list: &'a ListType) -> Element<'a> {
        let item = element(name, self.type_ref(&list.item_type)).form(list.item_form.as_deref());
        if list.nillable_items {
            item.nillable()
        } else {
            item
        }
    }

    fn type_ref(&self, type_ref: &'a model::TypeRef) -> TypeRef<'a> {
        if self.content.masked && self.are_tables(type_ref) {
            return TypeRef::Simple(SimpleType::Any);
        }
        match type_ref {
            model::TypeRef::Simple(simple) | model::TypeRef::Custom(simple, _) => {
                TypeRef::Simple(*simple)
            }
            model::TypeRef::Complex(id) => TypeRef::Complex(self.complex_id(*id)),
            model::TypeRef::Enumeration(id) => {
                let origin = self.model.enumerations[id.0].included.as_ref();
                TypeRef::Enumeration(self.id(id.0, origin))
            }
            model::TypeRef::List(list) => {
                let is_told = self.content.by_type || !list.by_type;
                let item = self.item(if is_told { &list.item } else { "" }, list);
                TypeRef::List(self.storage.elements.keep_one(item))
            }
            model::TypeRef::Dictionary(dictionary) => {
                let value = element("value", self.type_ref(&dictionary.value_type));
                let value = if dictionary.nullable_values {
                    value.nillable()
                } else {
                    value
                };
                TypeRef::Dictionary(self.storage.elements.keep_one(value))
            }
            model::TypeRef::Group(_) => unreachable!("groups are no elements on the wire"),
        }
    }

    /// Whether it is a set of tables, of which a masked message contains neither schema nor rows.
    fn are_tables(&self, type_ref: &model::TypeRef) -> bool {
        match type_ref {
            model::TypeRef::Simple(simple) | model::TypeRef::Custom(simple, _) => {
                simple.is_data_set()
            }
            model::TypeRef::Complex(id) => self.model.complex_types[id.0].data_set.is_some(),
            _ => false,
        }
    }

    fn complex_id(&self, id: ComplexTypeId) -> TypeId {
        self.id(id.0, self.model.complex_types[id.0].included.as_ref())
    }

    /// The id for an index in this model, where types of the file itself come first, and an origin.
    fn id(&self, index: usize, origin: Option<&Origin>) -> TypeId {
        match origin {
            None => TypeId::own(index),
            Some(Origin { file, index }) => TypeId::included(self.included[&**file], *index),
        }
    }

    fn enumeration(&mut self, given: &'a model::Enumeration) -> Enumeration<'a> {
        let storage = self.storage;
        let documentation = self.text(&given.documentation);
        let values = given.values.iter().map(|each| Value {
            net: each.net.as_deref(),
            number: each.number,
            documentation: self.text(&each.documentation),
            ..value(&each.name.xml)
        });
        Enumeration {
            net: given.net.as_deref(),
            base: given.base,
            flags: given.is_flags,
            documentation,
            namespace: given.namespace.as_deref(),
            ..enumeration(&given.name.xml, storage.values.keep(values))
        }
    }

    /// The number of a text; 0 without a text.
    fn text(&mut self, documentation: &'a Option<String>) -> u32 {
        let Some(text) = words(documentation).filter(|_| self.content.documentation) else {
            return 0;
        };
        let texts = &mut self.texts;
        *self.numbers.entry(text).or_insert_with(|| {
            texts.push(text);
            texts.len() as u32
        })
    }
}
