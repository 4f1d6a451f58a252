//! References to types → names of the language, with everything else that the type determines about
//! a value.

use svcgen_model::SimpleType;
use svcgen_wsdl::report::{DocumentSpan, Loss};
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{Content, Kind, Name, TypeId, TypeRef};

use super::super::draft::Draft;
use super::facts::builtin;
use super::simple::Values;
use super::{Holder, Types};

/// The maximum number of members of a union that are written wherever the union is used.
const MOST_MEMBERS: usize = 64;

/// The type of references to attachments (WS-I Attachments Profile 1.0, §4.4).
const SWA_REF: Name<'_> = Name {
    namespace: "http://ws-i.org/profiles/basic/1.1/xsd",
    local: "swaRef",
};

const REFERS: &str = "the value refers to an attachment: `ReceivedAttachments::get` of the crate `svcgen-attachments` finds it, and `OutgoingAttachment::reference` is such a value";

/// The members of a union.
struct Union {
    members: Draft,
    /// The type that reads the values of all members.
    simple: SimpleType,
    losses: Vec<Loss>,
}

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum What {
    Simple(SimpleType),
    Enumeration(TypeId),
    Complex(TypeId),
}

/// The type of a value.
#[derive(Debug)]
pub(super) struct Value {
    /// The name in a type expression.
    pub name: String,
    pub what: What,
    /// Whether an absent value is nil by default.
    pub is_by_value: bool,
    /// Whether the value is a list of values, separated by blanks.
    pub is_texts: bool,
    /// The entries of `facets`.
    pub facets: Draft,
    pub losses: Vec<Loss>,
}

impl Value {
    pub fn simple(simple: SimpleType) -> Self {
        Self {
            name: simple.name().to_owned(),
            what: What::Simple(simple),
            is_by_value: simple.row().by_value,
            is_texts: false,
            facets: Draft::flow_map(),
            losses: Vec::new(),
        }
    }

    /// Creates a text that replaces something that a definition cannot express.
    pub fn text(place: DocumentSpan, message: impl Into<String>) -> Self {
        let mut text = Self::simple(SimpleType::String);
        text.losses.push((Rule::Loosened, place, message.into()));
        text
    }

    /// Returns the simple type, if the value has one.
    pub fn as_simple(&self) -> Option<SimpleType> {
        match self.what {
            What::Simple(simple) => Some(simple),
            _ => None,
        }
    }
}

impl<'s> Types<'_, 's> {
    /// Returns the type of the element, attribute or text at `place`. A type without a name is
    /// named after the holder and `name`.
    pub(super) fn value(
        &mut self,
        type_ref: TypeRef<'s>,
        holder: &Holder<'s>,
        name: &str,
        place: DocumentSpan,
    ) -> Value {
        let id = match type_ref {
            TypeRef::Declared(id) => id,
            TypeRef::Builtin("anySimpleType") => {
                let message = "any text is allowed, and what `xsi:type` says of it is left out: a definition has no value of any simple type";
                return Value::text(place, message);
            }
            TypeRef::Builtin(local) => {
                let Some(simple) = builtin(local) else {
                    let message = format!(
                        "`{local}` is imported as XML: a definition has it in no such place"
                    );
                    let mut value = Value::simple(SimpleType::Any);
                    value.losses.push((Rule::AsAny, place, message));
                    return value;
                };
                if simple == SimpleType::AnyType {
                    self.reach_all();
                }
                return Value::simple(simple);
            }
            // The missing type is already reported.
            TypeRef::Missing(_) => return Value::simple(SimpleType::Any),
        };
        match &self.schemas.get(id).kind {
            Kind::Simple(_) => {
                let mut value = self.simple_value(id, holder, name, place);
                if self.schemas.get(id).name == Some(SWA_REF) {
                    value
                        .losses
                        .push((Rule::NotInWsdl, place, REFERS.to_owned()));
                }
                value
            }
            Kind::Complex(_) => {
                if let Some(set) = self.set_of(id) {
                    return self.set(id, set, holder);
                }
                if let Some(simple) = self.xml_of(id) {
                    let mut value = Value::simple(simple);
                    value.losses.extend(self.number_of_any(id));
                    return value;
                }
                Value {
                    name: self.refer(id, holder, name),
                    what: What::Complex(id),
                    is_by_value: self.facts.is_by_value(id),
                    ..Value::simple(SimpleType::String)
                }
            }
        }
    }

    fn simple_value(
        &mut self,
        id: TypeId,
        holder: &Holder<'s>,
        name: &str,
        at: DocumentSpan,
    ) -> Value {
        match self.values_of(id) {
            Values::Of {
                simple,
                facets,
                losses,
            } => Value {
                facets,
                losses,
                ..Value::simple(simple)
            },
            Values::Union {
                members,
                simple,
                facets,
                place,
                losses,
            } => {
                let Some(union) = self.union(&members, holder, name, at) else {
                    let message = format!(
                        "this union of types is `{}`: any value of that is read",
                        simple.name()
                    );
                    let mut value = Value::simple(simple);
                    value.losses.push((Rule::Loosened, place, message));
                    return value;
                };
                let mut value = Value::simple(union.simple);
                value.losses = losses;
                value.losses.extend(union.losses);
                value.facets = facets;
                value.facets.set_first("union", union.members);
                value
            }
            Values::Enumeration { id, losses } => Value {
                name: self.refer(id, holder, name),
                what: What::Enumeration(id),
                is_by_value: true,
                losses,
                ..Value::simple(SimpleType::String)
            },
            Values::List {
                item,
                place,
                losses,
            } => {
                let mut value = self.simple(item, holder, name, place);
                let is_value = match value.what {
                    What::Simple(simple) => !simple.is_xml() && simple != SimpleType::QName,
                    What::Enumeration(id) => !self.is_flags(id),
                    What::Complex(_) => false,
                };
                if value.is_texts || !is_value {
                    let message = "the values of this list are written as one text: a definition has no lists of them";
                    return Value::text(place, message);
                }
                value.is_texts = true;
                value.losses.extend(losses);
                value
            }
        }
    }

    /// Returns the members of a union; `None` if the language cannot express one of them.
    fn union(
        &mut self,
        members: &[TypeRef<'s>],
        holder: &Holder<'s>,
        name: &str,
        place: DocumentSpan,
    ) -> Option<Union> {
        let mut written = Vec::new();
        let (mut simple, mut losses) = (None, Vec::new());
        if !(1..=MOST_MEMBERS).contains(&members.len()) {
            return None;
        }
        for member in members {
            let is_one = match member {
                TypeRef::Declared(id) => matches!(
                    self.values_of(*id),
                    Values::Of { .. } | Values::Enumeration { .. }
                ),
                TypeRef::Builtin(local) => builtin(local).is_none_or(SimpleType::has_texts),
                TypeRef::Missing(_) => false,
            };
            if !is_one {
                return None;
            }
            let value = self.simple(*member, holder, name, place);
            let of = match value.what {
                What::Simple(simple) if simple.has_texts() => simple,
                What::Enumeration(id) => self.said_base(id),
                What::Simple(_) | What::Complex(_) => return None,
            };
            simple = match simple {
                None => Some(of),
                Some(first) if first == of => Some(first),
                Some(_) => Some(SimpleType::String),
            };
            losses.extend(value.losses);
            let mut draft = Draft::flow_map();
            draft.set("type", value.name);
            draft.set_filled("facets", value.facets);
            written.push(draft.short("type"));
        }
        let mut members = Draft::list(written);
        members.flow = true;
        Some(Union {
            members,
            simple: simple?,
            losses,
        })
    }

    /// Returns the key of a type, and queues the type to be written.
    pub(super) fn refer(&mut self, id: TypeId, holder: &Holder<'s>, element: &str) -> String {
        let one = self.schemas.get(id);
        if let Some(name) = one.name
            && let Some(key) = self.twin(id, name.local)
        {
            return key;
        }
        if !self.reached.contains(&id) {
            self.referred.push(id);
        }
        match one.name {
            Some(name) => self.names.of_named(id, name),
            None => {
                self.holders.entry(id).or_insert_with(|| holder.clone());
                self.names.of_anonymous(id, &holder.name, element)
            }
        }
    }

    /// Returns the key of the literal type that corresponds to a type of encoded messages, or the
    /// other way round: the two types are in different namespaces. Only the definition for literal
    /// messages is written.
    fn twin(&mut self, id: TypeId, local: &'s str) -> Option<String> {
        self.has_encoded |= self.is_encoded;
        let (other, was_encoded) = *self.locals.entry(local).or_insert((id, self.is_encoded));
        if other == id || was_encoded == self.is_encoded {
            return None;
        }
        let key = self.names.known(other)?.to_owned();
        self.names.keep(id, key.clone());
        if was_encoded && self.twins.insert(id) {
            self.referred.push(id);
        }
        Some(key)
    }

    /// Queues all named types: a value may be of any type.
    fn reach_all(&mut self) {
        if std::mem::replace(&mut self.has_objects, true) {
            return;
        }
        for (number, one) in (0..).zip(&self.schemas.types) {
            let (Some(name), id) = (one.name, TypeId(number)) else {
                continue;
            };
            let is_type = !self.messages.contains(&id)
                && match &one.kind {
                    Kind::Complex(complex) => {
                        let is_array = matches!(complex.content, Content::EncodedArray(_));
                        !is_array && self.list_in(id).is_none()
                    }
                    Kind::Simple(_) => {
                        matches!(self.values_of(id), Values::Enumeration { id: other, .. } if other == id)
                    }
                };
            // A type of encoded messages whose literal twin is known, or the other way round.
            let known = self.locals.get(name.local);
            let is_twin = self.has_encoded && known.is_some_and(|(other, _)| *other != id);
            // Values in literal messages have literal types, and those in encoded messages the
            // other types.
            let is_of_others = self.literal != self.encoded
                && name.namespace
                    == if self.is_encoded {
                        self.literal
                    } else {
                        &self.encoded
                    };
            if is_type && !is_twin && !is_of_others && !self.reached.contains(&id) {
                self.locals.insert(name.local, (id, self.is_encoded));
                self.names.of_named(id, name);
                self.referred.push(id);
            }
        }
    }
}
