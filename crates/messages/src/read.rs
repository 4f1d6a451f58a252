//! Reading values: what emitted code calls for each shape, by rows.

use serde_json::{Map, Value as Json};
use svcgen::codegen::{AbsenceRules, Content, Element, Fields, ObjectKind, Optional, Texts, Value};
use svcgen::types::{SoapHeader, XmlAttributes, XmlFragment};
use svcgen::{ReadError, Secret};
use svcgen_model::{At, Enumeration, SimpleType, TypeAt, ValueConstraint};

use crate::initial::{self, variant, weight_of};
use crate::layouts::{Group, Layout, Member, MemberContent, Row, ServiceLayouts, Type, member};
use crate::simple::{Plain, with_type};

type Result<T = ()> = std::result::Result<T, ReadError>;

/// Where a value is read to.
pub(crate) struct Slot<'v> {
    pub(crate) known: &'static ServiceLayouts,
    pub(crate) row: Row,
    pub(crate) json: &'v mut Json,
}

/// It is read only.
impl Value for Slot<'_> {
    fn read(&mut self, element: &mut Element<'_>) -> Result {
        Reader::of(self.known, element).value(self.row, self.json)
    }

    fn write(&self, _: &str, _: &mut Content<'_>) {}
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
            *self.json = Json::Null;
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

/// A slot within a type of the runtime, which says how the value in it is read.
struct Within<'v> {
    slot: Slot<'v>,
    read: fn(Reader<'_, '_>, Row, &mut Json) -> Result,
}

impl Value for Within<'_> {
    fn read(&mut self, element: &mut Element<'_>) -> Result {
        let reader = Reader::of(self.slot.known, element);
        (self.read)(reader, self.slot.row, self.slot.json)
    }

    fn write(&self, _: &str, _: &mut Content<'_>) {}
}

/// An object that is read: it stands for the element that holds it, too.
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
            map: layout.initial.clone(),
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
        let Some(member) = self.layout.attributes.get(index) else {
            return Ok(());
        };
        if member.is_wildcard() {
            let mut attributes = XmlAttributes::new();
            attribute.read(&mut attributes)?;
            self.map.insert(member.key.clone(), attributes.to_json());
            return Ok(());
        }
        Reader::of(self.known, attribute).single(member, &mut self.map)
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
        // Its wildcard, if it has one, says what XML it may be.
        let MemberContent::Element { row, .. } = &member.part else {
            return Ok(());
        };
        let slot = self.map.entry(member.key.as_str()).or_insert(Json::Null);
        Reader::of(self.known, text).value(*row, slot)
    }
}

impl Value for Object {
    fn read(&mut self, element: &mut Element<'_>) -> Result {
        let row = self.complex.row();
        element.object(row, self)
    }

    fn write(&self, _: &str, _: &mut Content<'_>) {}
}

/// The members in their order, without absent ones.
fn tidied<'m>(
    members: impl Iterator<Item = &'m Member>,
    mut map: Map<String, Json>,
) -> Map<String, Json> {
    let values = members.filter_map(|member| {
        let value = map.remove(&member.key).filter(|value| !value.is_null())?;
        Some((member.key.clone(), tidied_member(member, value)))
    });
    values.collect()
}

fn tidied_member(member: &Member, value: Json) -> Json {
    match (&member.part, value) {
        (MemberContent::Element { .. }, value) => value,
        (MemberContent::Group(group), Json::Array(items)) => items
            .into_iter()
            .map(|item| tidied_group(group, item))
            .collect(),
        (MemberContent::Group(group), value) => tidied_group(group, value),
    }
}

fn tidied_group(group: &Group, value: Json) -> Json {
    match value {
        Json::Object(map) if group.is_sequence() => Json::Object(tidied(group.members.iter(), map)),
        Json::Object(map) => {
            let each = map.into_iter().map(|(key, value)| {
                let member = group.members.iter().find(|member| member.key == key);
                let value = match member {
                    Some(member) => tidied_member(member, value),
                    None => value,
                };
                (key, value)
            });
            Json::Object(each.collect())
        }
        other => other,
    }
}

/// A value that takes no room of its own.
#[derive(Default)]
struct Room;

/// Reads an element by the rows of a service.
struct Reader<'e, 'i> {
    known: &'static ServiceLayouts,
    element: &'e mut Element<'i>,
}

impl<'e, 'i> Reader<'e, 'i> {
    fn of(known: &'static ServiceLayouts, element: &'e mut Element<'i>) -> Self {
        Self { known, element }
    }

    /// Reads the element of an index among those of members.
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
        if !group.gathers() {
            return match group.member(index) {
                Some(alternative) => self.alternative(alternative, one),
                None => Ok(()),
            };
        }
        if one.is_null() {
            *one = self.room_for(initial::group(self.known, group))?;
        }
        self.gathered(group, one, index)
    }

    /// Takes room for what a message does not hold.
    fn room_for(&mut self, empty: Json) -> Result<Json> {
        self.element.empty::<Room>(initial::weight(&empty))?;
        Ok(empty)
    }

    /// Reads an element of a sequence, or of a choice of which some alternatives are several elements.
    fn gathered(&mut self, group: &'static Group, one: &mut Json, index: usize) -> Result {
        let Some(member) = group.member(index).filter(|_| one.is_object()) else {
            return Ok(());
        };
        if !group.is_sequence() && !member.is_gathered() {
            return self.alternative(member, one);
        }
        let Json::Object(map) = one else {
            return Ok(());
        };
        if group.is_sequence() {
            return self.member(&group.members, map, index);
        }
        if !map.contains_key(&member.key) {
            let empty = self.room_for(initial::member_value(self.known, member))?;
            *map = Map::from_iter([(member.key.clone(), empty)]);
        }
        let MemberContent::Group(inner) = &member.part else {
            return self.single(member, map);
        };
        // A choice or a sequence that is itself an alternative is never repeated by itself.
        let slot = map.entry(member.key.as_str()).or_insert(Json::Null);
        if slot.is_null() {
            *slot = initial::group(self.known, inner);
        }
        if inner.repeated {
            return self.part(inner, slot, index - member.first);
        }
        self.gathered(inner, slot, index - member.first)
    }

    /// Reads an alternative that is one element.
    fn alternative(&mut self, member: &Member, slot: &mut Json) -> Result {
        let mut value = Json::Null;
        if let MemberContent::Element { row, .. } = &member.part {
            self.value(*row, &mut value)?;
        }
        *slot = variant(member, value);
        Ok(())
    }

    /// Reads a member that is no choice or sequence.
    fn single(&mut self, member: &Member, map: &mut Map<String, Json>) -> Result {
        let MemberContent::Element { row, .. } = &member.part else {
            return Ok(());
        };
        let row = *row;
        let slot = map.entry(member.key.as_str()).or_insert(Json::Null);
        if let Some(items) = slot.as_array_mut().filter(|_| row.repeated) {
            if row.wildcard.is_some() {
                let mut whole = Vec::<XmlFragment>::new();
                self.element.push_any(&mut whole)?;
                let item = self.element.add(items)?;
                *item = whole.first().map_or(Json::Null, Plain::to_json);
                return Ok(());
            }
            let item = self.element.add(items)?;
            return self.item(row, row.may_be_absent(), item);
        }
        if row.wildcard.is_some() {
            let mut whole = XmlFragment::new();
            self.element.any_one(&mut whole)?;
            *slot = whole.to_json();
            return Ok(());
        }
        if row.is_list() && !row.collection && row.is_nillable() && self.element.is_nil() {
            *slot = Json::Null;
        }
        if matches!(row.constraint, Some(ValueConstraint::Default(_))) && row.is_by_value() {
            let (known, json) = (self.known, slot);
            return self
                .element
                .read_unless_empty(&mut Slot { known, row, json });
        }
        self.value(row, slot)
    }

    /// Reads a value as one of its own.
    fn value(&mut self, row: Row, json: &mut Json) -> Result {
        let known = self.known;
        if known.has_soap_attributes(row) {
            return self.header(row, json);
        }
        if row.texts {
            return self.element.texts(&mut Slot { known, row, json });
        }
        if let TypeAt::List(item) = row.type_at() {
            return self.list(row, item, row.may_be_absent(), json);
        }
        self.item(row, row.may_be_absent() && !row.repeated, json)
    }

    /// A SOAP header with the attributes of SOAP.
    fn header(&mut self, row: Row, slot: &mut Json) -> Result {
        let (known, mut json) = (self.known, Json::Null);
        let mut header = SoapHeader::from(Within {
            slot: Slot {
                known,
                row,
                json: &mut json,
            },
            read: |mut reader, row, json| reader.item(row, false, json),
        });
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
    fn list(&mut self, row: Row, item: Row, optional: bool, slot: &mut Json) -> Result {
        let (known, element) = (self.known, &mut *self.element);
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
                Reader::of(known, element).list(item, inner, item.may_be_absent(), place)
            });
        }
        if !row.collection && !element.is_nil() {
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
        let mut secret = Secret::new(Within {
            slot: Slot { known, row, json },
            read: if optional {
                |mut reader, row, json| reader.open_item(row, true, json)
            } else {
                |mut reader, row, json| reader.open_item(row, false, json)
            },
        });
        secret.read(self.element)
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
            TypeAt::List(item) => return self.list(row, item, false, slot),
            TypeAt::Dictionary(row) => {
                *slot = self
                    .dictionary(&mut |element, slot| Reader::of(known, element).value(row, slot))?;
            }
            TypeAt::Complex(complex) => match known.family(row, complex) {
                None => return self.object(complex, slot),
                Some(family) => {
                    let is_abstract = family.is_abstract();
                    let complex = match self.element.derived_type(&family.names, is_abstract)? {
                        0 => family.first(),
                        index => family.types[index],
                    };
                    let mut value = Json::Null;
                    self.object(complex, &mut value)?;
                    *slot = named(complex.name, value);
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
        self.element.empty::<Room>(weight_of(&object.map))?;
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
                named("Own", named(own.name(), value))
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

/// How a value of a type is absent.
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
