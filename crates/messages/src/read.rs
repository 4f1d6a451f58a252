//! Reading values by rows: the counterpart of the calls in emitted code for each shape.

use serde_json::{Map, Value as Json};
use svcgen::codegen::{AbsenceRules, Content, Element, Fields, ObjectKind, Optional, Texts, Value};
use svcgen::types::{SoapHeader, XmlAttributes, XmlFragment};
use svcgen::{ReadError, Secret};
use svcgen_model::{At, Enumeration, Reading, SimpleType, TypeAt};

use crate::initial;
use crate::layouts::{Group, Layout, Member, MemberContent, Row, ServiceLayouts, Type, member};
use crate::simple::{Plain, with_type};

type Result<T = ()> = std::result::Result<T, ReadError>;

/// A value that a function reads. Only the runtime uses it.
struct ReadBy<F>(F);

impl<F: FnMut(&mut Element<'_>) -> Result> Value for ReadBy<F> {
    fn read(&mut self, element: &mut Element<'_>) -> Result {
        (self.0)(element)
    }

    fn write(&self, _: &str, _: &mut Content<'_>) {}
}

/// A value of a row by itself, such as a result, that is read into JSON.
pub(crate) fn alone(known: &'static ServiceLayouts, row: Row, json: &mut Json) -> impl Value {
    ReadBy(move |element: &mut Element<'_>| {
        let mut reader = Reader::of(known, element);
        match row.type_at() {
            TypeAt::List(item) => reader.list(Reading::List, item, row.may_be_absent(), json),
            _ => reader.read(row, row.text_reading(), json),
        }
    })
}

/// The target for reading a value that may be absent.
struct Slot<'v> {
    known: &'static ServiceLayouts,
    row: Row,
    json: &'v mut Json,
}

impl Optional for Slot<'_> {
    fn read_present(&mut self, element: &mut Element<'_>) -> Result {
        Reader::of(self.known, element).of_type(self.row, self.json)
    }

    fn clear(&mut self) {
        *self.json = Json::Null;
    }
}

/// The values of a text.
impl Texts for Slot<'_> {
    fn read_texts(&mut self, element: &mut Element<'_>) -> Result {
        if self.row.may_be_absent() && element.take_absent(false)? {
            self.clear();
            return Ok(());
        }
        let mut items = Vec::new();
        element.each_text(&mut |element| {
            let item = element.add(&mut items)?;
            Reader::of(self.known, element).item(self.row, false, item)
        })?;
        *self.json = Json::Array(items);
        Ok(())
    }

    fn write_texts(&self, _: &str, _: &mut Content<'_>) {}
}

/// An object that is being read: it implements `Fields` and, for an element that contains it,
/// `Value`.
pub(crate) struct Object {
    known: &'static ServiceLayouts,
    complex: Type,
    layout: &'static Layout,
    map: Map<String, Json>,
}

impl Object {
    pub(crate) fn new(known: &'static ServiceLayouts, complex: Type) -> Self {
        let layout = known.layout(complex);
        Self {
            known,
            complex,
            layout,
            map: initial::object(known, layout).0.clone(),
        }
    }

    pub(crate) fn into_json(self) -> Json {
        Json::Object(tidied(self.layout.members(), self.map))
    }
}

impl Fields for Object {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result {
        let mut reader = Reader::of(self.known, element);
        reader.member(&self.layout.elements, &mut self.map, index)
    }

    fn write_elements(&self, _: &mut Content<'_>) {}

    fn read_attribute(&mut self, index: usize, attribute: &mut Element<'_>) -> Result {
        let mut reader = Reader::of(self.known, attribute);
        reader.member(&self.layout.attributes, &mut self.map, index)
    }

    fn read_text(&mut self, text: &mut Element<'_>) -> Result {
        let Some(member) = &self.layout.text else {
            return Ok(());
        };
        if let Some(set) = &self.layout.empty_set {
            let mut set = set.get();
            text.read(&mut set)?;
            self.map.insert(member.key.clone(), set.to_json());
            return Ok(());
        }
        Reader::of(self.known, text).single(member, &mut self.map)
    }
}

impl Value for Object {
    fn read(&mut self, element: &mut Element<'_>) -> Result {
        element.object(self.complex.row(), self)
    }

    fn write(&self, _: &str, _: &mut Content<'_>) {}
}

/// Puts the members in order, without absent ones.
fn tidied<'m>(
    members: impl Iterator<Item = &'m Member>,
    mut map: Map<String, Json>,
) -> Map<String, Json> {
    let values = members.filter_map(|member| {
        let value = map.remove(&member.key).filter(|value| !value.is_null())?;
        Some((member.key.clone(), tidied_value(member, value)))
    });
    values.collect()
}

fn tidied_value(member: &Member, value: Json) -> Json {
    let MemberContent::Group(group) = &member.part else {
        return value;
    };
    let alternative = |(key, value): (String, Json)| {
        let chosen = group.members.iter().find(|one| one.key == key)?;
        Some((key, tidied_value(chosen, value)))
    };
    match value {
        Json::Array(items) => {
            let items = items.into_iter();
            items.map(|item| tidied_value(member, item)).collect()
        }
        Json::Object(map) if group.is_sequence() => Json::Object(tidied(group.members.iter(), map)),
        Json::Object(map) => map.into_iter().filter_map(alternative).collect(),
        other => other,
    }
}

/// Reads an element by the rows of a service.
struct Reader<'e, 'i> {
    known: &'static ServiceLayouts,
    element: &'e mut Element<'i>,
}

impl<'e, 'i> Reader<'e, 'i> {
    fn of(known: &'static ServiceLayouts, element: &'e mut Element<'i>) -> Self {
        Self { known, element }
    }

    /// Reads the element or the attribute at an index among those of members.
    fn member(
        &mut self,
        members: &'static [Member],
        map: &mut Map<String, Json>,
        index: usize,
    ) -> Result {
        let Some(member) = member(members, index) else {
            return Ok(());
        };
        match &member.part {
            MemberContent::Element { .. } => self.single(member, map),
            MemberContent::Group(group) => {
                let slot = map.entry(member.key.as_str()).or_insert(Json::Null);
                self.part(group, slot, index - member.first)
            }
        }
    }

    /// Reads an element of a choice or a sequence, by its index there.
    fn part(&mut self, group: &'static Group, slot: &mut Json, index: usize) -> Result {
        let one = match slot {
            Json::Array(items) if group.repeated => {
                self.element.item_with(size_of::<(String, Json)>(), items)?
            }
            one => one,
        };
        let Some(member) = group.member(index) else {
            return Ok(());
        };
        let is_begun = if group.is_sequence() {
            one.is_object()
        } else {
            member.is_gathered() && one.get(&member.key).is_some()
        };
        if !is_begun {
            let empty = match &member.part {
                _ if group.is_sequence() => initial::group(self.known, group),
                // Reading the element sets the whole content.
                MemberContent::Element {
                    reading: Reading::Value,
                    ..
                } => Json::Object(Map::new()),
                _ => initial::variant(member, initial::member_value(self.known, member)),
            };
            self.element.empty::<()>(initial::weight(&empty))?;
            *one = empty;
        }
        match one {
            Json::Object(map) => self.member(&group.members, map, index),
            _ => Ok(()),
        }
    }

    /// Reads a member that is not a choice or sequence.
    fn single(&mut self, member: &Member, map: &mut Map<String, Json>) -> Result {
        let MemberContent::Element { row, reading, .. } = &member.part else {
            return Ok(());
        };
        let slot = map.entry(member.key.as_str()).or_insert(Json::Null);
        self.read(*row, *reading, slot)
    }

    /// Reads an element, an attribute or a text.
    fn read(&mut self, row: Row, reading: Reading, slot: &mut Json) -> Result {
        let known = self.known;
        match (reading, row.type_at(), slot) {
            (Reading::PushAny, _, Json::Array(items)) => {
                let mut whole = Vec::<XmlFragment>::new();
                self.element.push_any(&mut whole)?;
                let item = self.element.add(items)?;
                *item = whole.first().map_or(Json::Null, Plain::to_json);
                Ok(())
            }
            (Reading::Push, _, Json::Array(items)) => {
                let item = self.element.add(items)?;
                self.item(row, row.may_be_absent(), item)
            }
            (Reading::Any | Reading::AnyOne, _, slot) => {
                let mut whole = XmlFragment::new();
                self.element.any_one(&mut whole)?;
                *slot = whole.to_json();
                Ok(())
            }
            (Reading::AnyAttributes, _, slot) => {
                let mut attributes = XmlAttributes::new();
                self.element.read(&mut attributes)?;
                *slot = attributes.to_json();
                Ok(())
            }
            (Reading::Texts, _, json) => self.element.texts(&mut Slot { known, row, json }),
            (
                Reading::List | Reading::NillableList | Reading::Collection,
                TypeAt::List(item),
                slot,
            ) => self.list(reading, item, row.may_be_absent(), slot),
            (Reading::UnlessEmpty, _, slot) => {
                let read =
                    |element: &mut Element<'_>| Reader::of(known, element).item(row, false, slot);
                self.element.read_unless_empty(&mut ReadBy(read))
            }
            (_, _, slot) if known.has_soap_attributes(row) => self.header(row, slot),
            (_, _, slot) => self.item(row, row.may_be_absent(), slot),
        }
    }

    /// A SOAP header with the attributes of SOAP.
    fn header(&mut self, row: Row, slot: &mut Json) -> Result {
        let (known, mut json) = (self.known, Json::Null);
        let read =
            |element: &mut Element<'_>| Reader::of(known, element).item(row, false, &mut json);
        let mut header = SoapHeader::from(ReadBy(read));
        self.element.read(&mut header)?;
        let (actor, must_understand, relay) = (header.actor, header.must_understand, header.relay);
        *slot = serde_json::json!({
            "value": json,
            "actor": actor,
            "must_understand": must_understand,
            "relay": relay,
        });
        Ok(())
    }

    /// Reads a wrapped list.
    fn list(&mut self, reading: Reading, item: Row, optional: bool, slot: &mut Json) -> Result {
        let (known, element) = (self.known, &mut *self.element);
        if reading == Reading::NillableList && element.is_nil() {
            *slot = Json::Null;
        }
        if optional && element.take_absent(true)? {
            return Ok(());
        }
        if optional || slot.is_null() {
            *slot = Json::Array(Vec::new());
        }
        let Json::Array(items) = slot else {
            return Ok(());
        };
        if let TypeAt::List(inner) = item.type_at() {
            if !element.is_nil() && !element.is_form() {
                items.clear();
            }
            return element.lists(item.name, &mut |_, element| {
                let place = element.add(items)?;
                Reader::of(known, element).list(Reading::List, inner, item.may_be_absent(), place)
            });
        }
        if reading != Reading::Collection && !element.is_nil() {
            items.clear();
        }
        element.items(item.name, &mut |_, element| {
            let place = element.add(items)?;
            Reader::of(known, element).item(item, item.may_be_absent(), place)
        })
    }

    /// Reads a value, or an item of a list, that may be absent or not.
    fn item(&mut self, row: Row, optional: bool, json: &mut Json) -> Result {
        if !row.secret {
            return self.open_item(row, optional, json);
        }
        let known = self.known;
        let read =
            |element: &mut Element<'_>| Reader::of(known, element).open_item(row, optional, json);
        Secret::new(ReadBy(read)).read(self.element)
    }

    fn open_item(&mut self, row: Row, optional: bool, json: &mut Json) -> Result {
        if !optional {
            return self.of_type(row, json);
        }
        let (known, rules) = (self.known, absence(row.type_at()));
        self.element.optional(rules, &mut Slot { known, row, json })
    }

    fn of_type(&mut self, row: Row, slot: &mut Json) -> Result {
        let known = self.known;
        match row.type_at() {
            TypeAt::Simple(SimpleType::AnyType) => return self.any_type(row, slot),
            TypeAt::Simple(simple) => return self.simple(simple, slot),
            TypeAt::Enumeration(one) => *slot = Json::String(self.enumeration_name(one)?),
            TypeAt::List(item) => return self.list(Reading::List, item, false, slot),
            TypeAt::Dictionary(row) => {
                *slot =
                    self.dictionary(&mut |element, slot| alone(known, row, slot).read(element))?;
            }
            TypeAt::Complex(complex) => match known.family(row, complex) {
                None => return self.object(complex, slot),
                Some(family) => {
                    let is_abstract = family.is_abstract();
                    let index = match self.element.derived_type(&family.names, is_abstract)? {
                        0 => family.first(),
                        index => index,
                    };
                    let mut value = Json::Null;
                    self.object(family.types[index], &mut value)?;
                    *slot = named(family.keys[index], value);
                }
            },
        }
        Ok(())
    }

    fn enumeration_name(&mut self, one: At<'static, Enumeration<'static>>) -> Result<String> {
        self.element
            .enumeration_name(one.row(), self.known.is_open(one))
    }

    fn simple(&mut self, simple: SimpleType, slot: &mut Json) -> Result {
        with_type!(simple, T => {
            let mut value = T::default();
            self.element.read(&mut value)?;
            *slot = value.to_json();
            Ok(())
        })
    }

    fn object(&mut self, complex: Type, slot: &mut Json) -> Result {
        let mut object = Object::new(self.known, complex);
        let (_, weight) = initial::object(self.known, object.layout);
        self.element.empty::<()>(*weight)?;
        object.read(self.element)?;
        *slot = object.into_json();
        Ok(())
    }

    /// Reads a value of the type `anyType`.
    fn any_type(&mut self, row: Row, slot: &mut Json) -> Result {
        let known = self.known;
        let objects = known.objects(row);
        let mut value = Json::Null;
        *slot = match self.element.object_kind(&objects.names)? {
            ObjectKind::Empty => Json::from("Empty"),
            ObjectKind::Simple(simple) => {
                self.simple(simple, &mut value)?;
                named(simple.variant(), value)
            }
            ObjectKind::List => {
                let items = self.object_items(SimpleType::AnyType, &mut |element, slot| {
                    Reader::of(known, element).any_type(row, slot)
                })?;
                named("List", Json::Array(items))
            }
            ObjectKind::Array(simple) => {
                let items = self.object_items(simple, &mut |element, slot| {
                    let mut value = Json::Null;
                    Reader::of(known, element).simple(simple, &mut value)?;
                    *slot = named(simple.variant(), value);
                    Ok(())
                })?;
                named("Array", serde_json::json!([simple.name(), items]))
            }
            ObjectKind::Dictionary => {
                let entries = self.dictionary(&mut |element, slot| {
                    if element.take_absent(false)? {
                        return Ok(());
                    }
                    Reader::of(known, element).any_type(row, slot)
                })?;
                named("Dictionary", entries)
            }
            ObjectKind::Own(index) => {
                let own = objects.types[index];
                match own {
                    TypeAt::Complex(complex) => self.object(complex, &mut value)?,
                    TypeAt::Enumeration(one) => value = Json::String(self.enumeration_name(one)?),
                    TypeAt::Simple(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => {}
                }
                named("Own", named(objects.keys[index], value))
            }
            ObjectKind::Xml => {
                let fragment = self.element.raw()?;
                if fragment.is_empty() && fragment.attributes().is_empty() {
                    Json::from("Empty")
                } else {
                    named("Xml", fragment.to_json())
                }
            }
        };
        Ok(())
    }

    fn dictionary(&mut self, read: ReadEach<'_>) -> Result<Json> {
        let mut entries: Vec<(String, Json)> = Vec::new();
        self.element.entries(&mut |key, element| {
            let entry = element.add(&mut entries)?;
            key.clone_into(&mut entry.0);
            read(element, &mut entry.1)
        })?;
        Ok(entries.into_iter().collect())
    }

    fn object_items(&mut self, item: SimpleType, read: ReadEach<'_>) -> Result<Vec<Json>> {
        let mut items = Vec::new();
        self.element.items(item.name(), &mut |_, element| {
            let place = element.add(&mut items)?;
            if element.take_absent(false)? {
                return Ok(());
            }
            read(element, place)
        })?;
        Ok(items)
    }
}

/// Reads an entry or an item.
type ReadEach<'r> = &'r mut dyn FnMut(&mut Element<'_>, &mut Json) -> Result;

fn named(name: &str, value: Json) -> Json {
    Json::Object(Map::from_iter([(name.to_owned(), value)]))
}

/// The rules for an absent value of a type.
pub(crate) fn absence(type_at: TypeAt<'_>) -> AbsenceRules {
    let usual = AbsenceRules {
        repeated: false,
        takes_nil: false,
        blank_is_absent: false,
    };
    match type_at {
        TypeAt::Simple(SimpleType::AnyType) | TypeAt::Enumeration(_) | TypeAt::Dictionary(_) => {
            usual
        }
        TypeAt::Simple(simple) => with_type!(simple, T => AbsenceRules::of::<T>()),
        TypeAt::Complex(complex) => AbsenceRules {
            takes_nil: complex.data_set.is_some(),
            ..usual
        },
        TypeAt::List(_) => AbsenceRules {
            repeated: true,
            ..usual
        },
    }
}
