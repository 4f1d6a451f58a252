//! Types of every shape, as svcgen emits them.

use svcgen::codegen::model::{self, ComplexType, SimpleType, TypeRef, choice, complex_type};
use svcgen::codegen::{Complex, Content, Element, Fields, Value};
use svcgen::{ReadError, Secret};

/// Describes an element or an attribute: reading uses only its name.
pub const fn field(name: &str) -> model::Element<'_> {
    model::element(name, TypeRef::Simple(SimpleType::String))
}

/// Attributes, and one element of every other shape.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thing {
    pub id: i32,
    pub note: Option<String>,
    pub price: Option<Price>,
    pub contact: Option<ThingContact>,
    pub marks: Vec<ThingMark>,
    pub pet: Option<AnyAnimal>,
    pub zoo: Option<Vec<AnyAnimal>>,
    pub matrix: Option<Vec<Option<Vec<i32>>>>,
    pub last: Option<String>,
}

impl Complex for Thing {
    const TYPE: &'static ComplexType<'static> = &complex_type(
        "Thing",
        &[
            field("Price"),
            field("Email"),
            field("Phone"),
            field("Up"),
            field("Down"),
            field("Pet"),
            field("Zoo"),
            field("Matrix"),
            field("Last"),
        ],
    )
    .groups(&[
        choice("choice", 1, 3).omitted(),
        choice("choice", 3, 5).repeated(),
    ])
    .attributes(&[field("id"), field("note")]);
}

impl Fields for Thing {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.read(&mut self.price),
            1 => {
                self.contact = Some(ThingContact::Email(element.value()?));
                Ok(())
            }
            2 => {
                self.contact = Some(ThingContact::Phone(element.value()?));
                Ok(())
            }
            3 => {
                let item = element.item(&mut self.marks)?;
                *item = ThingMark::Up(element.value()?);
                Ok(())
            }
            4 => {
                let item = element.item(&mut self.marks)?;
                *item = ThingMark::Down(element.value()?);
                Ok(())
            }
            5 => element.read(&mut self.pet),
            6 => element.list(["AnyAnimal"], &mut self.zoo),
            7 => element.list(["ArrayOfInt", "int"], &mut self.matrix),
            _ => element.read(&mut self.last),
        }
    }
    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("Price", &self.price);
        if let Some(contact) = &self.contact {
            contact.write(out);
        }
        for mark in &self.marks {
            mark.write(out);
        }
        out.element("Pet", &self.pet);
        out.list("Zoo", ["AnyAnimal"], &self.zoo);
        out.list("Matrix", ["ArrayOfInt", "int"], &self.matrix);
        out.element("Last", &self.last);
    }
    fn read_attribute(
        &mut self,
        index: usize,
        attribute: &mut Element<'_>,
    ) -> Result<(), ReadError> {
        match index {
            0 => attribute.read(&mut self.id),
            _ => attribute.read(&mut self.note),
        }
    }
    fn write_attributes(&self, out: &mut Content<'_>) {
        out.attribute("id", &self.id);
        out.attribute("note", &self.note);
    }
}

/// Text with an attribute.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Price {
    pub currency: Option<String>,
    pub value: i64,
}

impl Complex for Price {
    const TYPE: &'static ComplexType<'static> = &complex_type("Price", &[])
        .attributes(&[field("currency")])
        .text(field("Value"));
}

impl Fields for Price {
    fn read_element(&mut self, _: usize, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }
    fn write_elements(&self, _: &mut Content<'_>) {}
    fn read_attribute(&mut self, _: usize, attribute: &mut Element<'_>) -> Result<(), ReadError> {
        attribute.read(&mut self.currency)
    }
    fn write_attributes(&self, out: &mut Content<'_>) {
        out.attribute("currency", &self.currency);
    }
    fn read_text(&mut self, text: &mut Element<'_>) -> Result<(), ReadError> {
        text.read(&mut self.value)
    }
    fn write_text(&self, out: &mut Content<'_>) {
        out.content(&self.value);
    }
}

/// A choice.
#[derive(Debug, Clone, PartialEq)]
pub enum ThingContact {
    Email(String),
    Phone(i32),
}

impl ThingContact {
    pub fn write(&self, out: &mut Content<'_>) {
        match self {
            Self::Email(value) => out.element("Email", value),
            Self::Phone(value) => out.element("Phone", value),
        }
    }
}

/// A choice that is repeated.
#[derive(Debug, Clone, PartialEq)]
pub enum ThingMark {
    Up(i32),
    Down(Box<Thing>),
}

impl Default for ThingMark {
    fn default() -> Self {
        Self::Up(0)
    }
}

impl ThingMark {
    fn write(&self, out: &mut Content<'_>) {
        match self {
            Self::Up(value) => out.element("Up", value),
            Self::Down(value) => out.element("Down", value),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Animal {
    pub name: Option<String>,
}

impl Complex for Animal {
    const TYPE: &'static ComplexType<'static> = &complex_type("Animal", &[field("Name")]);
}

impl Fields for Animal {
    fn read_element(&mut self, _: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.read(&mut self.name)
    }
    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("Name", &self.name);
    }
}

/// Extends `Animal`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dog {
    pub name: Option<String>,
    pub tricks: i32,
}

impl Complex for Dog {
    const TYPE: &'static ComplexType<'static> =
        &complex_type("Dog", &[field("Name"), field("Tricks")]);
}

impl Fields for Dog {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.read(&mut self.name),
            _ => element.read(&mut self.tricks),
        }
    }
    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("Name", &self.name);
        out.element("Tricks", &self.tricks);
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum AnyAnimal {
    Animal(Animal),
    Dog(Box<Dog>),
}

impl Default for AnyAnimal {
    fn default() -> Self {
        Self::Animal(Animal::default())
    }
}

impl Value for AnyAnimal {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        *self = match element.derived_type(&["Animal", "Dog"], false)? {
            1 => Self::Dog(element.value()?),
            _ => Self::Animal(element.value()?),
        };
        Ok(())
    }
    fn write(&self, name: &str, out: &mut Content<'_>) {
        match self {
            Self::Animal(value) => value.write(name, out),
            Self::Dog(value) => out.derived(name, "Dog", value),
        }
    }
}

/// `Animal` if it were abstract.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnyDog(pub Dog);

impl Value for AnyDog {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.derived_type(&["Animal", "Dog"], true)?;
        self.0 = element.value()?;
        Ok(())
    }
    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.derived(name, "Dog", &self.0);
    }
}

/// The content of a SOAP header.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Credentials {
    pub user: Option<String>,
    pub pin: Option<Secret<i32>>,
}

impl Complex for Credentials {
    const TYPE: &'static ComplexType<'static> =
        &complex_type("Credentials", &[field("User"), field("Pin")]);
}

impl Fields for Credentials {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.read(&mut self.user),
            _ => element.read(&mut self.pin),
        }
    }
    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("User", &self.user);
        out.element("Pin", &self.pin);
    }
}
