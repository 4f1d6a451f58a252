//! Reading values: what emitted code calls for each shape, by rows.

use serde_json::{Map, Value as Json};
use svcgen::codegen::{AbsenceRules, Content, Element, Fields, ObjectKind, Optional, Texts, Value};
use svcgen::types::{SoapHeader, XmlAttributes, XmlFragment};
use svcgen::{ReadError, Secret};
use svcgen_model::{Absence, At, SimpleType, TypeAt};

use crate::initial::{self, variant, weight_of};
use crate::known::{Group, Known, Layout, Member, Part, Row, Type, member};
use crate::simple::{Plain, with_type};

type Result<T = ()> = std::result::Result<T, ReadError>;

/// Where a value is read to.
pub(crate) struct Slot<'v> {
    pub(crate) known: &'static Known,
    pub(crate) row: Row,
    pub(crate) json: &'v mut Json,
}

/// It is read only.
impl Value for Slot<'_> {
    fn read(&mut self, element: &mut Element<'_>) -> Result {
        value(self.known, self.row, element, self.json)
    }

    fn write(&self, _: &str, _: &mut Content<'_>) {}
}

impl Optional for Slot<'_> {
    fn read_present(&mut self, element: &mut Element<'_>) -> Result {
        of_type(self.known, self.row, element, self.json)
    }

    fn clear(&mut self) {
        *self.json = Json::Null;
    }
}

/// An object that is read: it stands for the element that holds it, too.
pub(crate) struct Object {
    known: &'static Known,
    complex: Type,
    layout: &'static Layout,
    map: Map<String, Json>,
}

impl Object {
    pub(crate) fn new(known: &'static Known, complex: Type) -> Self {
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
        self::element(
            self.known,
            &self.layout.elements,
            &mut self.map,
            index,
            element,
        )
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
        single(self.known, member, &mut self.map, attribute)
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
        let Part::Element { row, .. } = &member.part else {
            return Ok(());
        };
        let slot = self.map.entry(member.key.as_str()).or_insert(Json::Null);
        value(self.known, *row, text, slot)
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
        (Part::Element { .. }, value) => value,
        (Part::Group(group), Json::Array(items)) => items
            .into_iter()
            .map(|item| tidied_group(group, item))
            .collect(),
        (Part::Group(group), value) => tidied_group(group, value),
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

/// Reads the element of an index among those of members.
fn element(
    known: &'static Known,
    members: &'static [Member],
    map: &mut Map<String, Json>,
    index: usize,
    element: &mut Element<'_>,
) -> Result {
    let Some(member) = member(members, index) else {
        return Ok(());
    };
    match &member.part {
        Part::Element { .. } => single(known, member, map, element),
        Part::Group(group) => {
            let slot = map.entry(member.key.as_str()).or_insert(Json::Null);
            part(known, group, slot, index - member.first, element)
        }
    }
}

/// Reads an element of a choice or a sequence, by its index there.
fn part(
    known: &'static Known,
    group: &'static Group,
    slot: &mut Json,
    index: usize,
    element: &mut Element<'_>,
) -> Result {
    let one = match slot {
        Json::Array(items) if group.repeated => {
            element.item_with(size_of::<(String, Json)>(), items)?
        }
        one => one,
    };
    if !group.gathers() {
        let Some(alternative) = group.member(index) else {
            return Ok(());
        };
        let mut value = Json::Null;
        alternative_value(known, alternative, element, &mut value)?;
        *one = variant(alternative, value);
        return Ok(());
    }
    if one.is_null() {
        let empty = initial::group(known, group);
        element.empty::<Room>(initial::weight(&empty))?;
        *one = empty;
    }
    gathered(known, group, one, index, element)
}

/// A value that takes no room of its own.
#[derive(Default)]
struct Room;

/// Reads an element of a sequence, or of a choice of which some alternatives are several elements.
fn gathered(
    known: &'static Known,
    group: &'static Group,
    one: &mut Json,
    index: usize,
    element: &mut Element<'_>,
) -> Result {
    let (Some(member), Json::Object(map)) = (group.member(index), one) else {
        return Ok(());
    };
    if group.is_sequence() {
        return self::element(known, &group.members, map, index, element);
    }
    if !member.is_gathered() {
        let mut value = Json::Null;
        alternative_value(known, member, element, &mut value)?;
        *map = Map::from_iter([(member.key.clone(), value)]);
        return Ok(());
    }
    if !map.contains_key(&member.key) {
        let empty = initial::member_value(known, member);
        element.empty::<Room>(initial::weight(&empty))?;
        *map = Map::from_iter([(member.key.clone(), empty)]);
    }
    match &member.part {
        Part::Element { .. } => single(known, member, map, element),
        Part::Group(inner) => {
            let slot = map.entry(member.key.as_str()).or_insert(Json::Null);
            part_of_alternative(known, inner, slot, index - member.first, element)
        }
    }
}

/// Reads an element of a choice or a sequence that is itself an alternative: it is never repeated by itself.
fn part_of_alternative(
    known: &'static Known,
    group: &'static Group,
    slot: &mut Json,
    index: usize,
    element: &mut Element<'_>,
) -> Result {
    if slot.is_null() {
        *slot = initial::group(known, group);
    }
    if group.repeated {
        return part(known, group, slot, index, element);
    }
    gathered(known, group, slot, index, element)
}

fn alternative_value(
    known: &'static Known,
    alternative: &Member,
    element: &mut Element<'_>,
    slot: &mut Json,
) -> Result {
    match &alternative.part {
        Part::Element { row, .. } => value(known, *row, element, slot),
        Part::Group(_) => Ok(()),
    }
}

/// Reads a member that is no choice or sequence.
fn single(
    known: &'static Known,
    member: &Member,
    map: &mut Map<String, Json>,
    element: &mut Element<'_>,
) -> Result {
    let Part::Element { row, .. } = &member.part else {
        return Ok(());
    };
    let slot = map.entry(member.key.as_str()).or_insert(Json::Null);
    of_member(known, *row, element, slot)
}

fn of_member(
    known: &'static Known,
    row: Row,
    element: &mut Element<'_>,
    slot: &mut Json,
) -> Result {
    if let Some(items) = slot.as_array_mut().filter(|_| row.repeated) {
        if row.wildcard.is_some() {
            let mut whole = Vec::<XmlFragment>::new();
            element.push_any(&mut whole)?;
            let item = element.add(items)?;
            *item = whole.first().map_or(Json::Null, Plain::to_json);
            return Ok(());
        }
        let item = element.add(items)?;
        return of_item(known, row, row.may_be_absent(), element, item);
    }
    if row.wildcard.is_some() {
        let mut whole = XmlFragment::new();
        element.any_one(&mut whole)?;
        *slot = whole.to_json();
        return Ok(());
    }
    if let TypeAt::List(_) = row.type_at()
        && !row.collection
        && matches!(row.absence, Absence::Nil | Absence::Either)
        && element.is_nil()
    {
        *slot = Json::Null;
    }
    if matches!(
        row.constraint,
        Some(svcgen_model::ValueConstraint::Default(_))
    ) && row.is_by_value()
    {
        let json = slot;
        return element.read_unless_empty(&mut Slot { known, row, json });
    }
    value(known, row, element, slot)
}

/// Reads a value as one of its own.
pub(crate) fn value(
    known: &'static Known,
    row: Row,
    element: &mut Element<'_>,
    slot: &mut Json,
) -> Result {
    if known.has_soap_attributes(row) {
        return header(known, row, element, slot);
    }
    if row.texts {
        let optional = row.may_be_absent();
        return element.texts(&mut TextItems {
            known,
            row,
            optional,
            json: slot,
        });
    }
    if let TypeAt::List(item) = row.type_at() {
        return list(known, row, item, row.may_be_absent(), element, slot);
    }
    of_item(
        known,
        row,
        row.may_be_absent() && !row.repeated,
        element,
        slot,
    )
}

/// A SOAP header with the attributes of SOAP.
fn header(known: &'static Known, row: Row, element: &mut Element<'_>, slot: &mut Json) -> Result {
    let mut json = Json::Null;
    let mut header = SoapHeader::from(Plainly {
        known,
        row,
        json: &mut json,
    });
    element.read(&mut header)?;
    let (actor, must_understand, relay) = (header.actor, header.must_understand, header.relay);
    *slot = serde_json::json!({
        "value": json,
        "actor": actor,
        "must_understand": must_understand,
        "relay": relay,
    });
    Ok(())
}

/// A value that is always there.
struct Plainly<'v> {
    known: &'static Known,
    row: Row,
    json: &'v mut Json,
}

impl Value for Plainly<'_> {
    fn read(&mut self, element: &mut Element<'_>) -> Result {
        of_item(self.known, self.row, false, element, self.json)
    }

    fn write(&self, _: &str, _: &mut Content<'_>) {}
}

/// Reads a wrapped list.
fn list(
    known: &'static Known,
    row: Row,
    item: Row,
    optional: bool,
    element: &mut Element<'_>,
    slot: &mut Json,
) -> Result {
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
            list(known, item, inner, item.may_be_absent(), element, place)
        });
    }
    if !row.collection && !element.is_nil() {
        items.clear();
    }
    element.items(item.name, &mut |_, element| {
        let place = element.add(items)?;
        of_item(known, item, item.may_be_absent(), element, place)
    })
}

/// The values of a text.
struct TextItems<'v> {
    known: &'static Known,
    row: Row,
    optional: bool,
    json: &'v mut Json,
}

impl Texts for TextItems<'_> {
    fn read_texts(&mut self, element: &mut Element<'_>) -> Result {
        if self.optional && element.take_absent(false)? {
            *self.json = Json::Null;
            return Ok(());
        }
        let mut items = Vec::new();
        element.each_text(&mut |element| {
            let place = element.add(&mut items)?;
            of_item(self.known, self.row, false, element, place)
        })?;
        *self.json = Json::Array(items);
        Ok(())
    }

    fn write_texts(&self, _: &str, _: &mut Content<'_>) {}
}

/// Reads a value, or an item of a list, that may be absent or not.
fn of_item(
    known: &'static Known,
    row: Row,
    optional: bool,
    element: &mut Element<'_>,
    slot: &mut Json,
) -> Result {
    if row.secret {
        let json = slot;
        let mut secret = Secret::new(Unsecret {
            known,
            row,
            optional,
            json,
        });
        return secret.read(element);
    }
    of_open_item(known, row, optional, element, slot)
}

/// What a secret holds.
struct Unsecret<'v> {
    known: &'static Known,
    row: Row,
    optional: bool,
    json: &'v mut Json,
}

impl Value for Unsecret<'_> {
    fn read(&mut self, element: &mut Element<'_>) -> Result {
        of_open_item(self.known, self.row, self.optional, element, self.json)
    }

    fn write(&self, _: &str, _: &mut Content<'_>) {}
}

fn of_open_item(
    known: &'static Known,
    row: Row,
    optional: bool,
    element: &mut Element<'_>,
    slot: &mut Json,
) -> Result {
    if !optional {
        return of_type(known, row, element, slot);
    }
    let json = slot;
    element.optional(absence(row.type_at()), &mut Slot { known, row, json })
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

fn of_type(known: &'static Known, row: Row, element: &mut Element<'_>, slot: &mut Json) -> Result {
    match row.type_at() {
        TypeAt::Simple(SimpleType::AnyType) => any_type(known, row, element, slot),
        TypeAt::Simple(simple) => simple_value(simple, element, slot),
        TypeAt::Enumeration(enumeration) => {
            *slot = Json::String(enumeration_name(known, enumeration, element)?);
            Ok(())
        }
        TypeAt::List(item) => list(known, row, item, false, element, slot),
        TypeAt::Dictionary(row) => {
            *slot = dictionary(element, &mut |element, slot| {
                value(known, row, element, slot)
            })?;
            Ok(())
        }
        TypeAt::Complex(complex) => match known.family(row, complex) {
            None => object(known, complex, element, slot),
            Some(family) => {
                let index = element.derived_type(&family.names, family.is_abstract())?;
                let complex = match index {
                    0 => family.first(),
                    index => family.types[index],
                };
                let mut value = Json::Null;
                object(known, complex, element, &mut value)?;
                *slot = named(complex.name, value);
                Ok(())
            }
        },
    }
}

fn enumeration_name(
    known: &Known,
    enumeration: At<'static, svcgen_model::Enumeration<'static>>,
    element: &mut Element<'_>,
) -> Result<String> {
    element.enumeration_name(enumeration.row(), known.is_open(enumeration))
}

fn simple_value(simple: SimpleType, element: &mut Element<'_>, slot: &mut Json) -> Result {
    with_type!(simple, T => {
        let mut value = T::default();
        element.read(&mut value)?;
        *slot = value.to_json();
        Ok(())
    })
}

fn object(
    known: &'static Known,
    complex: Type,
    element: &mut Element<'_>,
    slot: &mut Json,
) -> Result {
    let mut object = Object::new(known, complex);
    element.empty::<Room>(weight_of(&object.map))?;
    object.read(element)?;
    *slot = object.into_json();
    Ok(())
}

fn named(name: &str, value: Json) -> Json {
    Json::Object(Map::from_iter([(name.to_owned(), value)]))
}

/// Reads a value of the type `anyType`.
fn any_type(known: &'static Known, row: Row, element: &mut Element<'_>, slot: &mut Json) -> Result {
    let objects = known.objects(row);
    *slot = match element.object_kind(&objects.names)? {
        ObjectKind::Empty => Json::from("Empty"),
        ObjectKind::Simple(simple) => {
            let mut value = Json::Null;
            simple_value(simple, element, &mut value)?;
            named(simple.variant(), value)
        }
        ObjectKind::List => {
            let items = object_items(SimpleType::AnyType, element, &mut |element, slot| {
                any_type(known, row, element, slot)
            })?;
            named("List", Json::Array(items))
        }
        ObjectKind::Array(simple) => {
            let items = object_items(simple, element, &mut |element, slot| {
                let mut value = Json::Null;
                simple_value(simple, element, &mut value)?;
                *slot = named(simple.variant(), value);
                Ok(())
            })?;
            named("Array", serde_json::json!([simple.name(), items]))
        }
        ObjectKind::Dictionary => {
            let entries = dictionary(element, &mut |element, slot| {
                if element.take_absent(false)? {
                    return Ok(());
                }
                any_type(known, row, element, slot)
            })?;
            named("Dictionary", entries)
        }
        ObjectKind::Own(index) => {
            let mut value = Json::Null;
            let name = match objects.types[index] {
                TypeAt::Complex(complex) => {
                    object(known, complex, element, &mut value)?;
                    complex.name
                }
                TypeAt::Enumeration(enumeration) => {
                    value = Json::String(enumeration_name(known, enumeration, element)?);
                    enumeration.name
                }
                TypeAt::Simple(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => "",
            };
            named("Own", named(name, value))
        }
        ObjectKind::Xml => {
            let fragment = element.raw()?;
            if fragment.is_empty() && fragment.attributes().is_empty() {
                Json::from("Empty")
            } else {
                named("Xml", fragment.to_json())
            }
        }
    };
    Ok(())
}

fn dictionary(
    element: &mut Element<'_>,
    read: &mut dyn FnMut(&mut Element<'_>, &mut Json) -> Result,
) -> Result<Json> {
    let mut entries: Vec<(String, Json)> = Vec::new();
    element.entries(&mut |key, element| {
        let entry = element.add(&mut entries)?;
        key.clone_into(&mut entry.0);
        read(element, &mut entry.1)
    })?;
    Ok(entries.into_iter().collect())
}

fn object_items(
    item: SimpleType,
    element: &mut Element<'_>,
    read: &mut dyn FnMut(&mut Element<'_>, &mut Json) -> Result,
) -> Result<Vec<Json>> {
    let mut items = Vec::new();
    element.items(item.name(), &mut |_, element| {
        let place = element.add(&mut items)?;
        if element.take_absent(false)? {
            return Ok(());
        }
        read(element, place)
    })?;
    Ok(items)
}
