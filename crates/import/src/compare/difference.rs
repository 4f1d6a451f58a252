//! The differences between two descriptions of a service.

use std::fmt;

use svcgen_language::diagnostic::{Diagnostic, Diagnostics};
use svcgen_wsdl::report::DocumentSpan;

/// The result of comparing two WSDLs of the same services.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Sameness {
    /// The differences, in the order of the original's services and operations.
    pub differences: Vec<Difference>,
    /// The number of messages that were compared: requests, answers, headers and details of faults.
    pub messages: usize,
    /// The number of types that were compared.
    pub types: usize,
}

/// A difference between two WSDLs.
///
/// `Display` writes it as a sentence.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Difference {
    /// The aspect that is described differently.
    pub aspect: Aspect,
    /// The path to it: `Login/request/User/Address@lang`.
    pub path: String,
    /// The description in the original; `None` if it is absent there.
    pub original: Option<String>,
    /// The description in the other; `None` if it is absent there.
    pub other: Option<String>,
    /// The line and column in the other; `None` if it is absent there.
    pub other_place: Option<(usize, usize)>,
    pub(super) diagnostic: Diagnostic,
}

impl Sameness {
    /// The diagnostics of the differences, at their places in the original.
    pub fn diagnostics(&self) -> Diagnostics {
        let differences = self.differences.iter();
        Diagnostics::of_file(differences.map(|one| one.diagnostic.clone()).collect())
    }
}

impl Difference {
    /// The diagnostic of this difference, at its place in the original.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.diagnostic
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message())
    }
}

macro_rules! aspects {
    ($($(#[doc = $title:literal])+ $aspect:ident = $name:literal $is_on_wire:literal;)+) => {
        /// An aspect of a service that WSDLs describe.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Aspect { $($(#[doc = $title])+ $aspect),+ }

        impl Aspect {
            /// The name that diagnostics show.
            pub fn name(self) -> &'static str {
                match self { $(Self::$aspect => $name),+ }
            }

            /// Whether a change is visible to every caller; otherwise only callers that validate
            /// messages against the schema notice it.
            pub fn is_on_wire(self) -> bool {
                match self { $(Self::$aspect => $is_on_wire),+ }
            }
        }
    };
}

aspects! {
    /// A service, by its name.
    Service = "service" true;
    /// An operation, by its name and the name of its input.
    Operation = "operation" true;
    /// A binding of an operation.
    Binding = "binding" true;
    /// The path of the address.
    Address = "path" true;
    /// The SOAPAction.
    Action = "action" true;
    /// The style, and whether messages are encoded.
    Style = "style" true;
    /// The presence of a message, and its element or parts.
    Message = "message" true;
    /// A header.
    Header = "header" true;
    /// The detail of a fault.
    Fault = "fault" true;
    /// An element, by its name.
    Element = "element" true;
    /// The namespace of an element.
    Namespace = "namespace" true;
    /// The order of elements.
    Order = "order of elements" true;
    /// A sequence, a choice or a group without order.
    Group = "group" true;
    /// Whether something may be left out, and whether it may be repeated.
    Occurrence = "occurrence" true;
    /// The minimum and maximum number of repetitions.
    Count = "number" false;
    /// Whether an element may be nil.
    Nillable = "`nillable`" true;
    /// The default value.
    Default = "default" true;
    /// The fixed value.
    Fixed = "fixed value" true;
    /// The type.
    Type = "type" true;
    /// The name of a type, where messages show it.
    TypeName = "name of the type" true;
    /// The values of an enumeration.
    Values = "value" true;
    /// A facet of a simple type.
    Facet = "facet" false;
    /// An attribute.
    Attribute = "attribute" true;
    /// A place for any elements or attributes.
    Wildcard = "wildcard" true;
    /// Whether a type or an element is abstract.
    Abstract = "`abstract`" true;
    /// The schema of a typed set of tables.
    Tables = "schema of the set" true;
    /// Text between elements.
    Mixed = "`mixed`" true;
    /// A type that `xsi:type` may name instead.
    Derived = "derived type" true;
}

/// A difference that was found.
#[derive(Debug)]
pub(super) struct Found {
    pub aspect: Aspect,
    pub path: String,
    pub original: Option<String>,
    pub other: Option<String>,
    pub place: DocumentSpan,
    pub other_place: Option<DocumentSpan>,
}

impl Found {
    /// Describes the difference in a sentence.
    pub fn message(&self) -> String {
        let (aspect, path) = (self.aspect.name(), &self.path);
        match (&self.original, &self.other) {
            (Some(original), Some(other)) => {
                format!("the {aspect} of `{path}` is {other} instead of {original}")
            }
            (Some(original), None) => format!("the {aspect} {original} of `{path}` is missing"),
            (None, Some(other)) => format!("the {aspect} {other} of `{path}` is added"),
            (None, None) => format!("the {aspect} of `{path}` differs"),
        }
    }
}
