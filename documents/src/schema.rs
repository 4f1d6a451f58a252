//! The rows of a description that emitted code states: operations, types and enumerations, in the words of XML Schema.
//!
//! ```
//! use svcgen_documents::schema::{Schema, complex_type, element, enumeration, list, operation, value};
//!
//! const SCHEMA: Schema<'_> = Schema {
//!     operations: &[operation()
//!         .parameters(&[element("name", "string").optional(), element("tone", "Tone")])
//!         .result(element("GreetResult", "Greeting"))],
//!     types: &[complex_type("Greeting").elements(&[
//!         element("Text", "string"),
//!         list("Tags", &element("string", "string")).optional(),
//!     ])],
//!     enumerations: &[enumeration("Tone", &[value("Plain"), value("Friendly").documented("With a smile.")])],
//!     ..Schema::NEW
//! };
//! # assert_eq!(SCHEMA.types[0].elements[1].name, "Tags");
//! ```

/// What emitted code states of a service beside its names and addresses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schema<'a> {
    /// What the service is for.
    pub documentation: Option<&'a str>,
    /// The operations, in the order of the definition.
    pub operations: &'a [Operation<'a>],
    /// The SOAP headers that operations name, each once.
    pub headers: &'a [Element<'a>],
    /// The elements of faults' details that operations name.
    pub faults: &'a [Element<'a>],
    /// The complex types.
    pub types: &'a [ComplexType<'a>],
    /// The enumerations.
    pub enumerations: &'a [Enumeration<'a>],
}

impl Schema<'_> {
    /// Nothing; what emitted code fills up from.
    pub const NEW: Self = Self {
        documentation: None,
        operations: &[],
        headers: &[],
        faults: &[],
        types: &[],
        enumerations: &[],
    };
}

/// What an operation takes and answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operation<'a> {
    /// What it does.
    pub documentation: Option<&'a str>,
    /// The elements in the request element.
    pub parameters: &'a [Element<'a>],
    /// The element in the response element.
    pub result: Option<Element<'a>>,
    /// The names of the faults that it answers with.
    pub faults: &'a [&'a str],
}

/// An operation that takes and answers nothing.
pub const fn operation<'a>() -> Operation<'a> {
    Operation {
        documentation: None,
        parameters: &[],
        result: None,
        faults: &[],
    }
}

impl<'a> Operation<'a> {
    /// Says what it does.
    #[must_use]
    pub const fn documented(mut self, documentation: &'a str) -> Self {
        self.documentation = Some(documentation);
        self
    }

    /// Takes these elements.
    #[must_use]
    pub const fn parameters(mut self, parameters: &'a [Element<'a>]) -> Self {
        self.parameters = parameters;
        self
    }

    /// Answers this element.
    #[must_use]
    pub const fn result(mut self, result: Element<'a>) -> Self {
        self.result = Some(result);
        self
    }

    /// Answers with these faults too.
    #[must_use]
    pub const fn faults(mut self, faults: &'a [&'a str]) -> Self {
        self.faults = faults;
        self
    }
}

/// An element; also an attribute, and the text of a type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element<'a> {
    /// The name; that of a choice is not on the wire.
    pub name: &'a str,
    /// What it is.
    pub documentation: Option<&'a str>,
    /// What is in it.
    pub content: Content<'a>,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether `xsi:nil="true"` may stand for its value.
    pub nillable: bool,
    /// Whether there may be any number of it, none too: an unwrapped list.
    pub repeated: bool,
    /// Whether its value is hidden from people: a password field, never part of a URL.
    pub secret: bool,
}

/// What is in an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Content<'a> {
    /// A value of a type: the name of a simple type of the definition language (`string`, `guid`, `any`), a complex type or an enumeration.
    Type(&'a str),
    /// Any number of such elements: a wrapped list.
    List(&'a Element<'a>),
    /// One of these elements, which stand in the place of this one.
    Choice(&'a [Element<'a>]),
}

/// An element that is always there, of a type.
pub const fn element<'a>(name: &'a str, r#type: &'a str) -> Element<'a> {
    with_content(name, Content::Type(r#type))
}

/// An element around the items of a list. `item` is one of them: its name, its type, whether it may be nil.
pub const fn list<'a>(name: &'a str, item: &'a Element<'a>) -> Element<'a> {
    with_content(name, Content::List(item))
}

/// One of several elements. The name is for people.
pub const fn choice<'a>(name: &'a str, alternatives: &'a [Element<'a>]) -> Element<'a> {
    with_content(name, Content::Choice(alternatives))
}

const fn with_content<'a>(name: &'a str, content: Content<'a>) -> Element<'a> {
    Element {
        name,
        documentation: None,
        content,
        optional: false,
        nillable: false,
        repeated: false,
        secret: false,
    }
}

impl<'a> Element<'a> {
    /// Says what it is.
    #[must_use]
    pub const fn documented(mut self, documentation: &'a str) -> Self {
        self.documentation = Some(documentation);
        self
    }

    /// May be left out.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// May be `xsi:nil="true"`.
    #[must_use]
    pub const fn nillable(mut self) -> Self {
        self.nillable = true;
        self
    }

    /// May be there any number of times.
    #[must_use]
    pub const fn repeated(mut self) -> Self {
        self.repeated = true;
        self
    }

    /// Is hidden from people.
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }
}

/// A complex type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComplexType<'a> {
    /// The name.
    pub name: &'a str,
    /// What it is.
    pub documentation: Option<&'a str>,
    /// The name of the type whose attributes, text and elements come before its own ones.
    pub extends: Option<&'a str>,
    /// Whether no value is of this type, only of types that extend it.
    pub is_abstract: bool,
    /// Its own attributes.
    pub attributes: &'a [Element<'a>],
    /// The text that stands in it instead of elements. The name is for people.
    pub text: Option<Element<'a>>,
    /// Its own elements.
    pub elements: &'a [Element<'a>],
}

/// A complex type without content.
pub const fn complex_type<'a>(name: &'a str) -> ComplexType<'a> {
    ComplexType {
        name,
        documentation: None,
        extends: None,
        is_abstract: false,
        attributes: &[],
        text: None,
        elements: &[],
    }
}

impl<'a> ComplexType<'a> {
    /// Says what it is.
    #[must_use]
    pub const fn documented(mut self, documentation: &'a str) -> Self {
        self.documentation = Some(documentation);
        self
    }

    /// Extends another type.
    #[must_use]
    pub const fn extends(mut self, base: &'a str) -> Self {
        self.extends = Some(base);
        self
    }

    /// Has no values of its own.
    #[must_use]
    pub const fn abstract_type(mut self) -> Self {
        self.is_abstract = true;
        self
    }

    /// Has these attributes.
    #[must_use]
    pub const fn attributes(mut self, attributes: &'a [Element<'a>]) -> Self {
        self.attributes = attributes;
        self
    }

    /// Has text.
    #[must_use]
    pub const fn text(mut self, text: Element<'a>) -> Self {
        self.text = Some(text);
        self
    }

    /// Has these elements.
    #[must_use]
    pub const fn elements(mut self, elements: &'a [Element<'a>]) -> Self {
        self.elements = elements;
        self
    }
}

/// A list of named values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Enumeration<'a> {
    /// The name.
    pub name: &'a str,
    /// What it is.
    pub documentation: Option<&'a str>,
    /// The values; the first one is the default.
    pub values: &'a [Value<'a>],
}

/// An enumeration of these values.
pub const fn enumeration<'a>(name: &'a str, values: &'a [Value<'a>]) -> Enumeration<'a> {
    Enumeration {
        name,
        documentation: None,
        values,
    }
}

impl<'a> Enumeration<'a> {
    /// Says what it is.
    #[must_use]
    pub const fn documented(mut self, documentation: &'a str) -> Self {
        self.documentation = Some(documentation);
        self
    }
}

/// A value of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value<'a> {
    /// The name.
    pub name: &'a str,
    /// What it means.
    pub documentation: Option<&'a str>,
}

/// A value of an enumeration.
pub const fn value(name: &str) -> Value<'_> {
    Value {
        name,
        documentation: None,
    }
}

impl<'a> Value<'a> {
    /// Says what it means.
    #[must_use]
    pub const fn documented(mut self, documentation: &'a str) -> Self {
        self.documentation = Some(documentation);
        self
    }
}
