//! Tests of reading documents and their values.

mod documents;
mod objects;
mod properties;
mod simple;

use std::borrow::Cow;

use svcgen_model::{
    At, ComplexType, Enumeration, Module, Script, ScriptType, Service, SimpleType, TypeId, TypeRef,
    complex_type, element, enumeration, value,
};

use crate::document::{Document, Kind};
use crate::values::Values;
use svcgen_wire::Limits;
use svcgen_wire::internals::Room;
use svcgen_wire::internals::TimeZone;
use svcgen_wire::internals::{AnyType, Node, Source};
use svcgen_wire::{Complex, Element, Fields, Value};
use svcgen_wire::{ReadError, ReadErrorKind};

const COLOUR: &Enumeration<'static> = &MODULE.enumerations[0];

static MODULE: Module<'static> = Module {
    service: Some(
        Service::new("GJson", "http://lab.example/g/json", "/GJson.asmx", &[]).script(Script {
            class: Some("Lab.G.GJson"),
            types: &[
                ScriptType {
                    type_ref: TypeRef::Complex(TypeId::own(0)),
                    name: "Lab.G.Person",
                    class: None,
                },
                ScriptType {
                    type_ref: TypeRef::Complex(TypeId::own(1)),
                    name: "round",
                    class: None,
                },
            ],
        }),
    ),
    types: &[
        complex_type(
            "Person",
            &[
                element("name", TypeRef::Simple(SimpleType::String)).net("Name"),
                element("Age", TypeRef::Simple(SimpleType::Int)).omitted(),
                element("Tags", TypeRef::Simple(SimpleType::Short)).repeated(),
            ],
        )
        .attributes(&[element("Level", TypeRef::Simple(SimpleType::Boolean))]),
        complex_type("Circle", &[]),
    ],
    enumerations: &[
        enumeration(
            "Colour",
            &[
                value("red").net("Red"),
                value("Green").number(5),
                value("Blue"),
            ],
        ),
        enumeration(
            "Rights",
            &[
                value("None").number(0),
                value("r").net("Read"),
                value("Write"),
                value("Delete"),
            ],
        )
        .flags(),
    ],
    includes: &[],
};

const MESSAGE: ComplexType<'static> = complex_type(
    "Sum",
    &[
        element("a", TypeRef::Simple(SimpleType::Int)),
        element("b", TypeRef::Simple(SimpleType::Int)),
    ],
)
.message();

#[derive(Debug, Default, PartialEq)]
struct Person {
    name: Option<String>,
    age: Option<i32>,
    tags: Vec<i16>,
    level: bool,
}

impl Complex for Person {
    const TYPE: &'static ComplexType<'static> = &MODULE.types[0];
}

impl Fields for Person {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.read(&mut self.name),
            1 => element.read(&mut self.age),
            _ => element.push(&mut self.tags),
        }
    }

    fn read_attribute(&mut self, _: usize, attribute: &mut Element<'_>) -> Result<(), ReadError> {
        attribute.read(&mut self.level)
    }

    fn write_elements(&self, _: &mut svcgen_wire::Content<'_>) {}
}

#[derive(Debug, Default, PartialEq)]
struct Sum {
    a: i32,
    b: i32,
}

impl Complex for Sum {
    const TYPE: &'static ComplexType<'static> = &MESSAGE;
}

impl Fields for Sum {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.read(if index == 0 { &mut self.a } else { &mut self.b })
    }

    fn write_elements(&self, _: &mut svcgen_wire::Content<'_>) {}
}

fn room(text: &str) -> Room {
    Room::of_message(text.len(), text.len(), &Limits::default())
}

fn document(text: &str) -> Result<Document<'_>, ReadError> {
    Document::read(text, &mut room(text))
}

fn service() -> At<'static, Service<'static>> {
    At::service(&MODULE, None).unwrap()
}

fn read<T: Value + Default>(text: &str) -> Result<T, ReadError> {
    let mut room = room(text);
    let document = Document::read(text, &mut room)?;
    let values = Values::new(&document, service());
    let root = document.root();
    Element::of_source(&values, root, room, &Limits::default()).value()
}

#[track_caller]
fn refused<T: Value + Default + std::fmt::Debug>(text: &str) -> String {
    read::<T>(text).unwrap_err().message().to_owned()
}
