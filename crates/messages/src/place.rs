//! Places of values in messages: what may stand there, and the values of texts.

use serde_json::{Map, Value as Json};
use svcgen_model::{At, ComplexType, Enumeration, SimpleType, TypeAt};

use crate::initial::bits;
use crate::layouts::{
    Family, Group, Member, MemberContent, Row, SOAP_ATTRIBUTES, ServiceLayouts, Type, is_several,
};
use crate::operation::{Operation, UnknownFault};
use crate::service::Service;
use crate::simple::{Plain, with_type};
use crate::write::expected;

/// A place where a value stands in a message: what the rows say of it, for programs that make values of text.
///
/// ```
/// use serde_json::json;
/// use svcgen_messages::Service;
///
/// # let definition = "
/// # service: Orders
/// # namespace: http://example.com/orders
/// # path: /Orders.asmx
/// # operations:
/// #   Order: { bindings: [soap11], parameters: { lines: 'Line[]', note: 'string?' } }
/// # types:
/// #   Line: { elements: { Article: string, Count: int } }
/// # ";
/// let service = Service::of_definition("orders.yaml", definition)?;
/// let lines = service.operation("Order")?.parameter_place().member("lines").unwrap();
/// let count = lines.item().unwrap().member("Count").unwrap();
/// assert_eq!(count.value_of_text("7"), Ok(json!(7)));
/// assert!(count.value_of_text("x").unwrap_err().starts_with("an integer"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Place {
    pub(crate) known: &'static ServiceLayouts,
    kind: Kind,
    is_secret: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// The members of a type.
    Object(Type),
    /// The value of an element, which may be a list.
    Row(Row),
    /// One value of an element.
    One(Row),
    /// An object with the name of a type.
    Family(&'static Family),
    Group(&'static Group),
    /// One value of a group.
    OneGroup(&'static Group),
    /// What no row describes.
    Unknown,
}

impl Operation {
    /// The place of the parameters.
    pub fn parameter_place(self) -> Place {
        Place::of_type(self.service.0, self.parameters())
    }

    /// The place of the SOAP headers of a request.
    pub fn header_place(self) -> Place {
        Place::of_type(self.service.0, self.headers_of(self.row().headers()))
    }

    /// The place of the result, or of an object of several results.
    pub fn answer_place(self) -> Place {
        let (known, row) = (self.service.0, self.row());
        match row.result() {
            Some(result) if !row.has_results() => Place::of_row(known, result),
            _ => Place::of_type(known, row.response()),
        }
    }

    /// The place of the detail of a fault, by the name of a fault of the service.
    ///
    /// # Errors
    ///
    /// The service has no such fault.
    pub fn detail_place(self, name: &str) -> Result<Place, UnknownFault> {
        Ok(Place::of_row(self.service.0, self.fault(name)?))
    }

    /// The place of the SOAP headers of an answer.
    pub fn answer_header_place(self) -> Place {
        let headers = self.row().response_headers();
        Place::of_type(self.service.0, self.headers_of(headers))
    }
}

impl Service {
    /// The place of a value of a type of the service.
    ///
    /// # Panics
    ///
    /// The type is of another service.
    pub fn type_place(self, complex: At<'static, ComplexType<'static>>) -> Place {
        Place::of_type(self.0, complex)
    }
}

impl Place {
    fn of_type(known: &'static ServiceLayouts, complex: Type) -> Self {
        Self {
            known,
            kind: Kind::Object(complex),
            is_secret: false,
        }
    }

    pub(crate) fn of_row(known: &'static ServiceLayouts, row: Row) -> Self {
        Self {
            known,
            kind: Kind::Row(row),
            is_secret: row.secret,
        }
    }

    fn with(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// What it is, without a list around it that is none.
    pub(crate) fn resolved(self) -> Kind {
        match self.kind {
            Kind::Group(group) if !group.repeated => Kind::OneGroup(group),
            Kind::Row(row) if !is_several(row) => Self::one(self.known, row),
            Kind::One(row) => Self::one(self.known, row),
            kind => kind,
        }
    }

    fn one(known: &'static ServiceLayouts, row: Row) -> Kind {
        match row.type_at() {
            _ if row.wildcard.is_some() || known.has_soap_attributes(row) => Kind::One(row),
            TypeAt::Complex(complex) => match known.family(row, complex) {
                Some(family) => Kind::Family(family),
                None => Kind::Object(complex),
            },
            TypeAt::List(_) => Kind::Row(row),
            _ => Kind::One(row),
        }
    }

    /// The names of the members of the object that stands here, in their order; none if it is no object.
    pub fn members(self) -> Vec<&'static str> {
        let keys = |members: &'static [Member]| members.iter().map(|member| &*member.key);
        match self.resolved() {
            Kind::Object(complex) => {
                let members = self.known.layout(complex).members();
                members.map(|member| &*member.key).collect()
            }
            Kind::OneGroup(group) => keys(&group.members).collect(),
            Kind::Family(family) => family.concrete().map(|one| one.name).collect(),
            Kind::One(row) if self.known.has_soap_attributes(row) => SOAP_ATTRIBUTES.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The place of a member of the object that stands here.
    pub fn member(self, name: &str) -> Option<Self> {
        let kind = match self.resolved() {
            Kind::Object(complex) => {
                let mut members = self.known.layout(complex).members();
                return Some(self.within(members.find(|member| member.key == name)?));
            }
            Kind::OneGroup(group) => {
                let member = group.members.iter().find(|member| member.key == name)?;
                let place = self.within(member);
                match place.kind {
                    Kind::Row(row) if !group.is_sequence() && !member.is_gathered() => {
                        return Some(place.with(Kind::One(row)));
                    }
                    _ => return Some(place),
                }
            }
            Kind::Family(family) => Kind::Object(family.concrete().find(|one| one.name == name)?),
            Kind::One(row) if self.known.has_soap_attributes(row) => match name {
                "value" => match row.type_at() {
                    TypeAt::Complex(complex) => Kind::Object(complex),
                    _ => Kind::One(row),
                },
                name if SOAP_ATTRIBUTES.contains(&name) => Kind::Unknown,
                _ => return None,
            },
            _ => return None,
        };
        Some(self.with(kind))
    }

    /// That the object here has no member of a name, with those that it has and the nearest.
    pub fn no_member(self, name: &str) -> String {
        let known = self.members();
        let near = svcgen_language::naming::nearest(name, known.iter().copied());
        let near = near.map(|near| format!("; did you mean '{near}'?"));
        let near = near.unwrap_or_else(|| ".".to_owned());
        match &known[..] {
            [] => format!("there is no member '{name}', and no other one"),
            known => {
                let shown = known[..known.len().min(40)].join(", ");
                format!("there is no member '{name}'{near} Known: {shown}.")
            }
        }
    }

    fn within(self, member: &'static Member) -> Self {
        let mut place = match &member.part {
            MemberContent::Element { row, .. } => Self::of_row(self.known, *row),
            MemberContent::Group(group) => self.with(Kind::Group(group)),
        };
        place.is_secret |= self.is_secret;
        place
    }

    /// The place of an item of the list that stands here; `None` if it is no list.
    pub fn item(self) -> Option<Self> {
        match self.resolved() {
            Kind::Group(group) => Some(self.with(Kind::OneGroup(group))),
            Kind::Row(row) => Some(match row.type_at() {
                TypeAt::List(item) if !row.repeated => Self {
                    is_secret: self.is_secret || item.secret,
                    ..self.with(match item.type_at() {
                        TypeAt::List(_) => Kind::Row(item),
                        _ => Kind::One(item),
                    })
                },
                _ => self.with(Kind::One(row)),
            }),
            _ => None,
        }
    }

    /// Whether it is an object with one member of those that there may be: an alternative, or a type.
    pub fn is_choice(self) -> bool {
        match self.resolved() {
            Kind::OneGroup(group) => !group.is_sequence(),
            Kind::Family(_) => true,
            _ => false,
        }
    }

    /// Whether a value may be missing here.
    pub fn may_be_missing(self) -> bool {
        match self.kind {
            Kind::Row(row) | Kind::One(row) => {
                row.may_be_absent() || is_several(row) || row.constraint.is_some()
            }
            Kind::Group(group) => group.optional || group.repeated,
            _ => false,
        }
    }

    /// Whether the value is a secret, or is in one.
    pub fn is_secret(self) -> bool {
        self.is_secret
    }

    /// Whether the value is bytes.
    pub fn is_bytes(self) -> bool {
        matches!(self.resolved(), Kind::One(row) if matches!(row.type_at(), TypeAt::Simple(SimpleType::Base64Binary)))
    }

    /// Whether a text has a value here: it is neither a list nor an object.
    pub fn is_simple(self) -> bool {
        match self.resolved() {
            Kind::One(row) => !self.known.has_soap_attributes(row) || is_plain(row),
            Kind::Unknown => true,
            _ => false,
        }
    }

    /// What is expected here, for messages.
    pub fn expected(self) -> String {
        match self.resolved() {
            Kind::One(row) => expected(row),
            Kind::Row(_) | Kind::Group(_) => "an array".to_owned(),
            Kind::Object(complex) if complex.name.is_empty() => "an object".to_owned(),
            Kind::Object(complex) => format!("an object of the type {}", complex.name),
            Kind::Family(_) => {
                format!(
                    "an object with one of the types {}",
                    self.members().join(", ")
                )
            }
            Kind::OneGroup(group) => {
                let one = if group.is_sequence() { "" } else { "with one " };
                format!("an object {one}of {}", self.members().join(", "))
            }
            Kind::Unknown => "a value".to_owned(),
        }
    }

    /// The type of the values here in short, such as `int`, `Line[]` or `string?`.
    pub fn type_name(self) -> String {
        let name = |row: Row| match row.type_at() {
            _ if row.wildcard.is_some() => "any".to_owned(),
            TypeAt::List(item) => {
                format!("{}[]", Self::of_row(self.known, item).type_name())
            }
            TypeAt::Dictionary(value) => {
                format!("{}{{}}", Self::of_row(self.known, value).type_name())
            }
            _ if !row.row().union.is_empty() => row.union_name(),
            _ => row.type_name().to_owned(),
        };
        match self.kind {
            Kind::Row(row) if row.repeated || row.texts => format!("{}[]", name(row)),
            Kind::Row(row) | Kind::One(row) => {
                let optional = if row.may_be_absent() { "?" } else { "" };
                format!("{}{optional}", name(row))
            }
            Kind::Object(complex) => complex.name.to_owned(),
            Kind::Family(family) => family.types[0].name.to_owned(),
            Kind::Group(group) | Kind::OneGroup(group) => {
                let divider = if group.is_sequence() { ", " } else { " | " };
                let place = self.with(Kind::OneGroup(group));
                let members = group.members.iter().map(|member| {
                    let of = place.member(&member.key);
                    let of = of.map(Self::type_name).unwrap_or_default();
                    format!("{}: {of}", member.key)
                });
                let members = members.collect::<Vec<_>>().join(divider);
                let mark = match () {
                    () if group.repeated => "[]",
                    () if group.optional => "?",
                    () => "",
                };
                format!("({members}){mark}")
            }
            Kind::Unknown => String::new(),
        }
    }

    /// The texts that have values here, of an enumeration or `boolean`; none if there are too many to name.
    ///
    /// ```
    /// use svcgen_messages::Service;
    ///
    /// # let definition = "
    /// # service: Orders
    /// # namespace: http://example.com/orders
    /// # path: /Orders.asmx
    /// # operations:
    /// #   Order: { parameters: { state: State, urgent: boolean, note: 'string?' } }
    /// # enums: { State: [Open, Sent] }
    /// # ";
    /// let service = Service::of_definition("orders.yaml", definition)?;
    /// let parameters = service.operation("Order")?.parameter_place();
    /// let values = |name| parameters.member(name).unwrap().values();
    /// assert_eq!(values("state"), ["Open", "Sent"]);
    /// assert_eq!(values("urgent"), ["true", "false"]);
    /// assert!(values("note").is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values(self) -> Vec<&'static str> {
        match self.resolved() {
            Kind::One(row) if row.wildcard.is_none() => match row.type_at() {
                TypeAt::Enumeration(one) => one.values.iter().map(|value| value.name).collect(),
                TypeAt::Simple(SimpleType::Boolean) => vec!["true", "false"],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The value of a text, as it stands in XML.
    ///
    /// # Errors
    ///
    /// What is expected instead. The text is not quoted.
    pub fn value_of_text(self, text: &str) -> Result<Json, String> {
        let Kind::One(row) = self.resolved() else {
            return match self.kind {
                Kind::Unknown => Ok(json_of_plain(text)),
                _ if let Some(set) = self.typed_set_of_text(text) => Ok(set),
                _ => Err(format!("{} is expected, not a text", self.expected())),
            };
        };
        if self.known.has_soap_attributes(row) && is_plain(row) {
            let value = value(row, self.known, text)?;
            return Ok(Json::Object(Map::from_iter([("value".to_owned(), value)])));
        }
        value(row, self.known, text)
    }
}

fn is_plain(row: Row) -> bool {
    matches!(row.type_at(), TypeAt::Simple(_) | TypeAt::Enumeration(_))
}

fn value(row: Row, known: &ServiceLayouts, text: &str) -> Result<Json, String> {
    let found = match row.type_at() {
        _ if row.wildcard.is_some() => Some(Json::from(text)),
        TypeAt::Simple(SimpleType::AnyType) => {
            let kind = SimpleType::String.variant();
            Some(Json::Object(Map::from_iter([(
                kind.to_owned(),
                Json::from(text),
            )])))
        }
        TypeAt::Simple(simple) => with_type!(simple, T => of_text::<T>(text)),
        TypeAt::Enumeration(one) => {
            if is_value(one.row(), known.is_open(one), text) {
                return Ok(Json::from(text));
            }
            let names: Vec<_> = one.values.iter().take(40).map(|value| value.name).collect();
            let near = svcgen_language::naming::nearest(text, names.iter().copied());
            let near = near.map(|near| format!("; did you mean {near}?"));
            let (name, names) = (one.name, names.join(", "));
            return Err(format!(
                "a value of {name} is expected: {names}{}",
                near.unwrap_or_default()
            ));
        }
        TypeAt::Complex(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => None,
    };
    found.ok_or_else(|| format!("{} is expected", expected(row)))
}

/// Whether it is the name of a value, or names of flags.
fn is_value(row: &Enumeration<'_>, is_open: bool, text: &str) -> bool {
    if row.flags {
        return bits(row, text).is_some();
    }
    is_open || row.values.iter().any(|value| value.name == text)
}

fn of_text<T: Plain>(text: &str) -> Option<Json> {
    let boolean = || match text.trim() {
        "true" | "1" => T::of_json(&Json::Bool(true)),
        "false" | "0" => T::of_json(&Json::Bool(false)),
        _ => None,
    };
    let value = T::of_json(&Json::from(text)).or_else(boolean)?;
    Some(value.to_json())
}

/// The value of a text that no row describes, as JSON has it.
pub(crate) fn json_of_plain(text: &str) -> Json {
    match serde_json::from_str(text) {
        Ok(value @ (Json::Bool(_) | Json::Number(_))) => value,
        _ => Json::from(text),
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Place").field(&self.type_name()).finish()
    }
}
