//! Components of schemas → entries of a definition: `types`, `enums`, and the elements of types and
//! messages.
//!
//! Types are written as they are reached: each before the types that it refers to, in the order of
//! its elements, and these before the types that extend it. A WSDL that is written from a
//! definition has the same order.

mod content;
mod definitions;
mod elements;
mod facts;
mod lists;
mod names;
mod sets;
mod simple;
mod values;

use std::collections::{HashMap, HashSet};

use svcgen_model::{SimpleType, encoded_types, literal_types};
use svcgen_wsdl::report::{DocumentSpan, Report};
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{Derivation, Element, Kind, Name, Schemas, TypeId, TypeRef};

use super::draft::Draft;
use facts::Facts;
use names::Names;
use values::Value;

/// Writes types as they are reached from the messages of services.
#[derive(Debug)]
pub(crate) struct Types<'m, 's> {
    pub schemas: &'m Schemas<'s>,
    pub report: &'m Report<'s>,
    /// The namespace of the service's messages: that of the definition.
    pub home: &'s str,
    /// The namespaces of types that do not state one, in literal and in encoded messages.
    literal: &'s str,
    encoded: String,
    facts: Facts<'s>,
    /// Whether list types are numbered as ASMX does it.
    is_like_asmx: bool,
    names: Names<'s>,
    /// The types that were referred to but are not written yet.
    referred: Vec<TypeId>,
    reached: HashSet<TypeId>,
    /// The holders of the types without a name.
    holders: HashMap<TypeId, Holder<'s>>,
    /// The types of SOAP headers and the types that they extend.
    headers: HashSet<TypeId>,
    /// Whether the types being written belong to encoded messages, whose types have a namespace of
    /// their own.
    pub is_encoded: bool,
    /// Whether any type was reached from encoded messages.
    has_encoded: bool,
    /// Types by local name, and whether they were reached from encoded messages.
    locals: HashMap<&'s str, (TypeId, bool)>,
    /// Types of literal messages that replace those of encoded messages.
    twins: HashSet<TypeId>,
    /// The types that represent all types of one typed set, by the file of the set.
    sets: HashMap<&'m str, TypeId>,
    /// Types that are messages and never the type of a value.
    pub messages: HashSet<TypeId>,
    /// Whether all types of the schemas are reached: a value may be of any type.
    has_objects: bool,
    types: Draft,
    enums: Draft,
}

/// The types that were written.
#[derive(Debug)]
pub(crate) struct Written {
    /// The entries of `namespaces`.
    pub namespaces: Draft,
    pub types: Draft,
    pub enums: Draft,
}

/// The holder of elements: a type or a message.
#[derive(Debug, Clone)]
struct Holder<'s> {
    /// The prefix of the names of anonymous types in it.
    name: String,
    /// The namespace of its declarations, empty for none, and whether elements are in it by
    /// default.
    namespace: &'s str,
    is_qualified: bool,
    /// The type, if the holder is one.
    id: Option<TypeId>,
}

impl<'m, 's> Types<'m, 's> {
    /// With `is_turned`, the namespace of the definition is that of encoded types, and literal
    /// types are below it.
    pub fn new(
        schemas: &'m Schemas<'s>,
        report: &'m Report<'s>,
        home: &'s str,
        is_turned: bool,
    ) -> Self {
        let below = literal_types(home);
        let mut namespaces = schemas.namespaces.iter().copied();
        let below = namespaces.find(|namespace| is_turned && *namespace == below);
        let literal = below.unwrap_or(home);
        Self {
            schemas,
            report,
            home,
            literal,
            encoded: if is_turned {
                home.to_owned()
            } else {
                encoded_types(home)
            },
            is_like_asmx: report.is_like_asmx(),
            facts: Facts::of(schemas, report.is_of_asmx()),
            names: Names::new(schemas, home, literal),
            referred: Vec::new(),
            reached: HashSet::new(),
            holders: HashMap::new(),
            headers: HashSet::new(),
            is_encoded: false,
            has_encoded: false,
            locals: HashMap::new(),
            twins: HashSet::new(),
            sets: HashMap::new(),
            messages: HashSet::new(),
            has_objects: false,
            types: Draft::map(),
            enums: Draft::map(),
        }
    }

    /// The child elements of a message element, as entries of `parameters` or `results`; `None` if
    /// they are not a sequence of elements, in which case the message is a value (`bare`).
    pub fn members(&mut self, wrapper: &Element<'s>) -> Option<Vec<(String, Draft)>> {
        let TypeRef::Declared(id) = wrapper.type_ref else {
            return None;
        };
        let Kind::Complex(complex) = &self.schemas.get(id).kind else {
            return None;
        };
        // A set of tables is a value.
        let is_set = self.xml_of(id).is_some_and(SimpleType::is_data_set);
        if is_set || self.set_of(id).is_some() {
            return None;
        }
        let complex: &'m _ = complex;
        let holder = self.holder(wrapper.name.local.to_owned(), wrapper.name.namespace);
        let members = self.members_of(complex, &holder)?;
        self.follow();
        Some(members)
    }

    /// Writes the type of a header, a fault detail or a form field, which is always present, with
    /// the facets of its values. A type without a name is named after the element, and its
    /// declarations are in the element's namespace.
    pub fn part(&mut self, type_ref: TypeRef<'s>, element: Name<'s>, place: DocumentSpan) -> Draft {
        let mut draft = Draft::flow_map().at(place);
        let holder = self.holder(String::new(), element.namespace);
        match self.list(type_ref, &holder, "Item", place) {
            Some(list) if list.is_plain() => _ = draft.set("type", list.expression),
            _ => {
                let mut value = self.value(type_ref, &holder, element.local, place);
                if value.is_texts {
                    value = Value::text(
                        place,
                        "the values of this list are written as one text: only elements and attributes are lists of values",
                    );
                }
                for (rule, place, message) in &value.losses {
                    self.lose(&mut draft, *rule, *place, message, None);
                }
                draft.set("type", value.name);
                draft.set_filled("facets", value.facets);
            }
        }
        self.follow();
        draft
    }

    /// Removes from the type of a SOAP header the attribute wildcard that ASMX puts into the base
    /// type of all headers.
    pub fn close_header(&mut self, type_ref: TypeRef<'s>) {
        let mut next = type_ref;
        while let TypeRef::Declared(id) = next
            && self.headers.insert(id)
            && let Kind::Complex(complex) = &self.schemas.get(id).kind
        {
            // The base type of all headers in .NET allows any attribute, and uses it for those of
            // SOAP.
            if let Some(wildcard) = &complex.any_attribute
                && wildcard.namespaces == "##any"
                && !self.is_like_asmx
            {
                let message = "attributes of any name in a header are taken for those of SOAP, as `mustUnderstand`: others are left out";
                let hint = "`soap_attributes: true` at the header gives them to handlers";
                let report = self.report;
                report.add(Rule::NotInWsdl, wildcard.place, message, Some(hint));
            }
            self.close(id);
            match complex.derivation {
                Derivation::Extension(base) => next = base,
                _ => break,
            }
        }
    }

    /// Removes the wildcard for all attributes from a type that is already written.
    fn close(&mut self, id: TypeId) {
        let Some(key) = self.names.known(id).filter(|_| self.reached.contains(&id)) else {
            return;
        };
        let Some(draft) = self.types.get_mut(key) else {
            return;
        };
        let Some(attributes) = draft.get_mut("attributes") else {
            return;
        };
        let is_open = |one: &Draft| one.get("any").is_some() && one.get("namespaces").is_none();
        let mut entries = attributes.entries().iter();
        let open = entries
            .find(|(_, one)| is_open(one))
            .map(|(key, _)| key.clone());
        attributes.retain(|key, _| open.as_deref() != Some(key));
        if attributes.entries().is_empty() {
            draft.retain(|key, _| key != "attributes");
        }
    }

    /// Writes an element in the Body, or a part in rpc style, as an entry of `parameters` or
    /// `results`: its key and value, in the short form if possible. It is in the namespace of the
    /// definition unless it states another one.
    pub fn in_body(&mut self, element: &Element<'s>) -> (String, Draft) {
        let mut holder = self.holder(String::new(), self.home);
        // A global element is in its namespace, whatever the default form.
        holder.is_qualified |= !element.name.namespace.is_empty();
        let draft = self.typed_part(element, &holder);
        self.follow();
        (element.name.local.to_owned(), draft)
    }

    /// The short name of a namespace, for the key `namespace`; `None` for the namespace of the
    /// definition.
    pub fn short_name(&mut self, namespace: &'s str) -> Option<String> {
        self.names.short(namespace)
    }

    /// The short name of a namespace, including that of the definition.
    pub fn short_or_home(&mut self, namespace: &'s str) -> String {
        self.names.short_or_home(namespace)
    }

    /// Whether most elements that types of a namespace declare are in no namespace:
    /// `element_form: unqualified`.
    pub fn is_unqualified(&self, namespace: &str) -> bool {
        !self.facts.is_qualified(namespace)
    }

    /// All types that were reached.
    pub fn finish(mut self) -> Written {
        self.follow();
        let namespaces = self
            .names
            .entries(|namespace| self.facts.is_qualified(namespace));
        Written {
            namespaces,
            types: self.types,
            enums: self.enums,
        }
    }

    /// A global element by its name.
    pub fn global(&self, name: Name<'s>) -> Option<&'m Element<'s>> {
        self.schemas.elements.get(&name)
    }

    /// The holder of declarations in a namespace. Types in no namespace are written like those of
    /// the definition.
    fn holder(&self, name: String, namespace: &'s str) -> Holder<'s> {
        let namespace = if namespace.is_empty() {
            self.home
        } else {
            namespace
        };
        Holder {
            name,
            namespace,
            is_qualified: self.facts.is_qualified(namespace),
            id: None,
        }
    }

    /// Writes the types that were referred to, each before the types that it refers to.
    fn follow(&mut self) {
        let mut open = Vec::new();
        loop {
            open.extend(self.referred.drain(..).rev());
            let Some(id) = open.pop() else { return };
            if self.reached.insert(id) {
                self.define(id);
            }
        }
    }

    /// Reports that the definition differs here, and adds that as a comment.
    fn lose(
        &mut self,
        draft: &mut Draft,
        rule: Rule,
        place: DocumentSpan,
        message: &str,
        hint: Option<&str>,
    ) {
        self.report.add(rule, place, message, hint);
        draft.comment(message);
    }
}

/// Documentation, unless it is blank.
fn doc(words: Option<&str>) -> Option<Draft> {
    let words = words.filter(|words| !words.trim().is_empty());
    words.map(Draft::doc)
}
