//! Places of values in messages: the possible values, and conversions from text.

use serde_json::{Value as Json, json};
use svcgen_model::{Enumeration, SimpleType, TypeAt};

use crate::error::unknown_name;
use crate::initial::bits;
use crate::layouts::{
    Family, Group, Member, MemberContent, Row, SOAP_ATTRIBUTES, ServiceLayouts, Type,
};
use crate::simple::{Plain, expected, with_type};

/// The place of a value in a message, with the information in its rows, for programs that convert
/// text to values.
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
    pub(crate) kind: Kind,
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
    /// A SOAP header with the attributes of SOAP.
    Header(Row),
    /// An object with the name of a type.
    Family(&'static Family),
    Group(&'static Group),
    /// One value of a group.
    OneGroup(&'static Group),
    /// A value that no row describes.
    Unknown,
}

impl Place {
    fn of(known: &'static ServiceLayouts, kind: Kind) -> Self {
        Self {
            known,
            kind,
            is_secret: matches!(kind, Kind::Row(row) if row.secret),
        }
    }

    pub(crate) fn of_type(known: &'static ServiceLayouts, complex: Type) -> Self {
        Self::of(known, Kind::Object(complex))
    }

    pub(crate) fn of_row(known: &'static ServiceLayouts, row: Row) -> Self {
        Self::of(known, Kind::Row(row))
    }

    /// The place of one value of a choice or a sequence.
    pub(crate) fn of_group(known: &'static ServiceLayouts, group: &'static Group) -> Self {
        Self::of(known, Kind::OneGroup(group))
    }

    pub(crate) fn with(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// The kind of the value, without a list around it unless it is one.
    pub(crate) fn resolved(self) -> Kind {
        let row = match self.kind {
            Kind::Group(group) if !group.repeated => return Kind::OneGroup(group),
            Kind::Row(row) if row.is_several() => return self.kind,
            Kind::Row(row) if self.known.has_soap_attributes(row) => return Kind::Header(row),
            Kind::Row(row) | Kind::One(row) => row,
            kind => return kind,
        };
        match row.type_at() {
            TypeAt::Complex(complex) if row.wildcard.is_none() => {
                match self.known.family(row, complex) {
                    Some(family) => Kind::Family(family),
                    None => Kind::Object(complex),
                }
            }
            TypeAt::List(_) => Kind::Row(row),
            _ => Kind::One(row),
        }
    }

    /// Returns the names of the members of the object at this place, in their order; empty for
    /// other values.
    pub fn members(self) -> Vec<&'static str> {
        match self.resolved() {
            Kind::Object(complex) => {
                let members = self.known.layout(complex).members();
                members.map(|member| &*member.key).collect()
            }
            Kind::OneGroup(group) => group.members.iter().map(|member| &*member.key).collect(),
            Kind::Family(family) => family.concrete().map(|(key, _)| key).collect(),
            Kind::Header(_) => SOAP_ATTRIBUTES.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The members of the object at this place, with their names.
    pub(crate) fn named_members(self) -> impl Iterator<Item = (&'static str, Self)> {
        let names = self.members().into_iter();
        names.filter_map(move |name| self.named_member(name))
    }

    /// Whether it is a wildcard.
    pub(crate) fn is_wildcard(self) -> bool {
        matches!(self.kind, Kind::Row(row) if row.wildcard.is_some())
    }

    /// Returns the place of a member of the object at this place.
    pub fn member(self, name: &str) -> Option<Self> {
        self.named_member(name).map(|(_, place)| place)
    }

    /// A member of the object at this place, with its name.
    pub(crate) fn named_member(self, name: &str) -> Option<(&'static str, Self)> {
        let found = match self.resolved() {
            Kind::Object(complex) => {
                let mut members = self.known.layout(complex).members();
                let member = members.find(|member| member.key == name)?;
                (&*member.key, self.within(member))
            }
            Kind::OneGroup(group) => {
                let member = group.members.iter().find(|member| member.key == name)?;
                let place = self.within(member);
                let place = match place.kind {
                    Kind::Row(row) if !group.is_sequence() && !member.is_gathered() => {
                        place.with(Kind::One(row))
                    }
                    _ => place,
                };
                (&*member.key, place)
            }
            Kind::Family(family) => {
                let (key, one) = family.concrete().find(|(key, _)| *key == name)?;
                (key, self.with(Kind::Object(one)))
            }
            Kind::Header(row) => {
                let name = *SOAP_ATTRIBUTES.iter().find(|known| **known == name)?;
                let kind = match name {
                    "value" => Kind::One(row),
                    _ => Kind::Unknown,
                };
                (name, self.with(kind))
            }
            _ => return None,
        };
        Some(found)
    }

    /// Returns the message for an unknown member of the object at this place, with the known and
    /// the nearest names.
    pub fn no_member(self, name: &str) -> String {
        let what = match self.resolved() {
            Kind::Family(_) => "type",
            _ => "member",
        };
        unknown_name(what, name, &self.members())
    }

    fn within(self, member: &'static Member) -> Self {
        let place = Self::of(self.known, Kind::of(member));
        let is_secret = self.is_secret || place.is_secret;
        Self { is_secret, ..place }
    }

    /// Returns the place of an item of the list at this place; `None` if it is not a list.
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

    /// Whether it is an object with exactly one of the possible members: an alternative, or a type.
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
                row.may_be_absent() || row.is_several() || row.constraint.is_some()
            }
            Kind::Group(group) => group.optional || group.repeated,
            _ => false,
        }
    }

    /// Whether the value is a secret, or a part of one.
    pub fn is_secret(self) -> bool {
        self.is_secret
    }

    /// Whether the value is bytes.
    pub fn is_bytes(self) -> bool {
        matches!(self.resolved(), Kind::One(row) if matches!(row.type_at(), TypeAt::Simple(SimpleType::Base64Binary)))
    }

    /// Whether a text can be a value here: the value is neither a list nor an object.
    pub fn is_simple(self) -> bool {
        match self.resolved() {
            Kind::Header(row) => is_plain(row),
            Kind::One(_) | Kind::Unknown => true,
            _ => false,
        }
    }

    /// Returns the expected value, for messages.
    pub fn expected(self) -> String {
        match self.resolved() {
            Kind::One(row) | Kind::Header(row) => expected(row),
            Kind::Row(_) | Kind::Group(_) => "an array".to_owned(),
            Kind::Object(complex) if complex.is_message || complex.name.is_empty() => {
                "an object".to_owned()
            }
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

    /// Returns the type of the values in short, such as `int`, `Line[]` or `string?`.
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
            Kind::Row(row) | Kind::One(row) | Kind::Header(row) => {
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

    /// Returns the texts of all values of an enumeration or `boolean`; empty if there are too many
    /// to list.
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

    /// Converts a text, as in XML, to a value.
    ///
    /// # Errors
    ///
    /// The text is not a value here: the error is the expected kind of value, without the text.
    pub fn value_of_text(self, text: &str) -> Result<Json, String> {
        match self.resolved() {
            Kind::One(row) => value(row, self.known, text),
            Kind::Header(row) if is_plain(row) => {
                Ok(json!({ "value": value(row, self.known, text)? }))
            }
            Kind::Unknown => Ok(json_of_plain(text)),
            _ if let Some(set) = self.typed_set_of_text(text) => Ok(set),
            _ => Err(format!("{} is expected, not a text", self.expected())),
        }
    }
}

impl Kind {
    /// The kind of a member.
    pub(crate) fn of(member: &'static Member) -> Self {
        match &member.part {
            MemberContent::Element { row, .. } => Self::Row(*row),
            MemberContent::Group(group) => Self::Group(group),
        }
    }
}

fn is_plain(row: Row) -> bool {
    matches!(row.type_at(), TypeAt::Simple(_) | TypeAt::Enumeration(_))
}

fn value(row: Row, known: &ServiceLayouts, text: &str) -> Result<Json, String> {
    let found = match row.type_at() {
        _ if row.wildcard.is_some() => Some(Json::from(text)),
        TypeAt::Simple(SimpleType::AnyType) => Some(json!({ SimpleType::String.variant(): text })),
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

/// The value of a text that no row describes, in JSON.
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
