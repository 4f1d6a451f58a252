//! Types as the generator emits them.
#![allow(dead_code)]

use svcgen::codegen::model::{
    self, ComplexType, SimpleType, TypeRef, complex_type, enumeration, value,
};
use svcgen::codegen::{Complex, Content, Element, Enumeration, Fields, Value};
use svcgen::{ReadError, Secret};

/// Describes an element or an attribute: reading uses only its name.
const fn field(name: &str) -> model::Element<'_> {
    model::element(name, TypeRef::Simple(SimpleType::String))
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    pub version: Option<i32>,
    pub label: Option<String>,
    pub id: i32,
    pub name: Option<String>,
    pub flag: bool,
    pub kind: Kind,
    pub flavour: Option<Flavour>,
    pub age: Option<i64>,
    pub bytes: Option<Vec<u8>>,
    pub inner: Option<Box<Record>>,
    pub numbers: Option<Vec<i32>>,
    pub records: Vec<Option<Record>>,
    pub tags: Vec<String>,
    pub word: Option<Secret<String>>,
    pub pin: Option<Secret<i32>>,
    pub open: Option<Secret<bool>>,
    pub ratio: Option<f64>,
}

impl Complex for Record {
    const TYPE: &'static ComplexType<'static> = &complex_type(
        "Record",
        &[
            field("Id"),
            field("Name"),
            field("Flag"),
            field("Kind"),
            field("Flavour"),
            field("Age"),
            field("Bytes"),
            field("Inner"),
            field("Numbers"),
            field("Records"),
            field("Tag").repeated(),
            field("Word"),
            field("Pin"),
            field("Open"),
            field("Ratio"),
        ],
    )
    .attributes(&[field("version"), field("label")]);
}

impl Fields for Record {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.read(&mut self.id),
            1 => element.read(&mut self.name),
            2 => element.read(&mut self.flag),
            3 => element.read(&mut self.kind),
            4 => element.read(&mut self.flavour),
            5 => element.read(&mut self.age),
            6 => element.read(&mut self.bytes),
            7 => element.read(&mut self.inner),
            8 => element.list(["int"], &mut self.numbers),
            9 => element.list(["Record"], &mut self.records),
            10 => element.push(&mut self.tags),
            11 => element.read(&mut self.word),
            12 => element.read(&mut self.pin),
            13 => element.read(&mut self.open),
            _ => element.read(&mut self.ratio),
        }
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("Id", &self.id);
        out.element("Name", &self.name);
        out.element("Flag", &self.flag);
        out.element("Kind", &self.kind);
        out.nillable("Flavour", &self.flavour);
        out.nillable("Age", &self.age);
        out.element("Bytes", &self.bytes);
        out.element("Inner", &self.inner);
        out.list("Numbers", ["int"], &self.numbers);
        out.list("Records", ["Record"], &self.records);
        out.items("Tag", &self.tags);
        out.element("Word", &self.word);
        out.element("Pin", &self.pin);
        out.element("Open", &self.open);
        out.nillable("Ratio", &self.ratio);
    }

    fn read_attribute(
        &mut self,
        index: usize,
        attribute: &mut Element<'_>,
    ) -> Result<(), ReadError> {
        match index {
            0 => attribute.read(&mut self.version),
            _ => attribute.read(&mut self.label),
        }
    }

    fn write_attributes(&self, out: &mut Content<'_>) {
        out.attribute("version", &self.version);
        out.attribute("label", &self.label);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    #[default]
    Cold,
    Hot,
}

impl Enumeration for Kind {
    const TYPE: &'static svcgen::codegen::model::Enumeration<'static> =
        &enumeration("Kind", &[value("Cold"), value("Hot")]);
    const VALUES: &'static [Self] = &[Self::Cold, Self::Hot];

    fn index(self) -> usize {
        self as usize
    }
}

impl Value for Kind {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.enumeration(self)
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.enumeration(name, *self);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flavour {
    #[default]
    Sweet,
    Sour,
}

impl Enumeration for Flavour {
    const TYPE: &'static svcgen::codegen::model::Enumeration<'static> =
        &enumeration("TheFlavour", &[value("Sweet"), value("Sour & Hot")]);
    const VALUES: &'static [Self] = &[Self::Sweet, Self::Sour];

    fn index(self) -> usize {
        self as usize
    }
}

impl Value for Flavour {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.enumeration(self)
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.enumeration(name, *self);
    }
}
