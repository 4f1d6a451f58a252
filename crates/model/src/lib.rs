//! The model of a service: its operations, messages and types in the terms of WSDL and XML Schema,
//! as plain data.
//!
//! A [`Module`] is the content of one definition file. Its rows borrow everything and are `Copy`,
//! so that emitted code can hold them in a `static`; servers, clients and documents work from them.
//! A row refers to a type by its [`TypeId`], because types may be recursive and modules may share
//! types. [`At`] is a row together with its module, and resolves these ids. [`Storage`] owns the
//! rows of a model that is built at run time.
//!
//! ```
//! use svcgen_model::SimpleType::{Int, String};
//! use svcgen_model::TypeRef::{Complex, Simple};
//! use svcgen_model::{At, Module, Service, TypeId, complex_type, element, operation};
//!
//! static MODULE: Module<'static> = Module::new(
//!     &[complex_type("Greeting", &[element("Text", Simple(String)).omitted(), element("Length", Simple(Int))])],
//!     &[],
//! )
//! .with_service(Service::new(
//!     "Greeter",
//!     "http://example.com/greeter",
//!     "/Greeter.asmx",
//!     &[operation("Greet", "http://example.com/greeter/Greet", complex_type("Greet", &[]), "GreetResponse")
//!         .result(element("GreetResult", Complex(TypeId::own(0))).omitted(), "Greeting")],
//! ));
//!
//! let service = At::service(&MODULE, None).unwrap();
//! let greet = service.operations().next().unwrap();
//! assert_eq!(greet.result().unwrap().type_name(), "Greeting");
//! ```
#![forbid(unsafe_code)]

mod arrays;
mod at;
mod binding;
mod facets;
mod paths;
#[cfg(feature = "values")]
mod patterns;
mod rows;
mod samples;
mod shown;
mod simple;
mod storage;
mod types;
#[cfg(feature = "values")]
mod values;
mod wire_rules;

pub use arrays::{ArrayNames, array_name, global_scope, is_same_type, namespace_of, numbered};
pub use at::{At, Particle, TypeAt, named_in};
pub use binding::{Binding, Bindings};
pub use facets::Facet;
pub use paths::{
    base_path, is_query_of_document, is_uri_character, names_document, path_complaint,
};
#[cfg(feature = "values")]
pub use patterns::{PATTERN_SIZE, PatternError, translate_pattern};
pub use rows::{
    Absence, ComplexType, DataSetSchema, Documentation, Element, ElementForm, Enumeration, Form,
    Group, GroupKind, HeaderRule, Headers, Kind, Module, Occurs, Operation, ResponseFormat,
    Routing, Scope, Script, ScriptMethod, ScriptType, Service, Style, TypeId, TypeRef, Value,
    ValueConstraint, choice, complex_type, element, encoded_types, enumeration, group, headers,
    literal_types, numbers, operation, renamed, sequence, value,
};
pub use samples::{SAMPLE_ITEMS, SampleExtent};
pub use shown::Shown;
pub use simple::{JsonSchema, Memory, MicrosoftType, RustType, SimpleType, TextForm};
pub use storage::{Arena, Storage};
pub use types::{Reach, Types, elements_of, header_elements};
#[cfg(feature = "values")]
pub use values::{Number, is_not_for_values};
pub use wire_rules::{Reading, Writing};

/// Whether a character is invisible, but may change the display of the text around it: a control
/// character other than a tab or a line end, or a character that sets the direction of text.
#[doc(hidden)]
pub fn is_hidden(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        '\u{61C}' | '\u{200E}' | '\u{200F}' => true,
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        character => character.is_control(),
    }
}
