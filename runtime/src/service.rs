//! What emitted code states about a service.

use svcgen_documents::schema::Schema;

use crate::binding::{Binding, Bindings};
use crate::call::{Call, Reply};
use crate::failure::Failure;
use crate::xml::{ElementForm, Forms};

/// A service as its definition states it: its names, its address and its operations.
#[derive(Debug)]
pub struct ServiceDescription {
    /// The name.
    pub name: &'static str,
    /// The namespace of its elements.
    pub namespace: &'static str,
    /// The path, such as `/SvcDotNet/Authenticator.asmx`; requests may write it in any letter case.
    pub path: &'static str,
    /// Whether the elements of its types are in its namespace.
    pub element_form: ElementForm,
    /// The operations, in the order of the definition. An operation is known by its index.
    pub operations: &'static [Operation],
    #[doc(hidden)]
    pub later: Later,
}

/// The field that no code states, so that `..Operation::NEW` is never superfluous.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Later(());

impl ServiceDescription {
    /// What emitted code fills up from, so that later fields need no new code.
    pub const NEW: Self = Self {
        name: "",
        namespace: "",
        path: "",
        element_form: ElementForm::Qualified,
        operations: &[],
        later: Later(()),
    };

    /// The index of the operation that is offered over a binding and that `is` the one looked for.
    pub(crate) fn find(&self, binding: Binding, is: impl Fn(&Operation) -> bool) -> Option<usize> {
        self.operations
            .iter()
            .position(|operation| operation.bindings.contains(binding) && is(operation))
    }

    /// Whether any operation takes SOAP headers.
    pub(crate) fn takes_headers(&self) -> bool {
        self.operations
            .iter()
            .any(|operation| !operation.headers.is_empty())
    }

    /// Whether any operation is offered over a binding.
    pub(crate) fn offers(&self, binding: Binding) -> bool {
        self.find(binding, |_| true).is_some()
    }
}

/// An operation: its names on the wire.
#[derive(Debug)]
pub struct Operation {
    /// The name, also the last segment of its path over HTTP GET and POST.
    pub name: &'static str,
    /// The SOAPAction.
    pub action: &'static str,
    /// The element in the Body of a request.
    pub request: &'static str,
    /// The element in the Body of an answer.
    pub response: &'static str,
    /// The element of the result in the response element, and its root element over HTTP GET and POST; absent if there is no result.
    pub result: Option<(&'static str, Root)>,
    /// Whether an absent result is written as `xsi:nil` (numbers, booleans, enumerations) or left out (everything else).
    pub nillable: bool,
    /// The bindings it is offered over.
    pub bindings: Bindings,
    /// How its SOAP messages are laid out.
    pub style: Style,
    /// Whether it has no answer: whoever calls it hears only that it was read (`202 Accepted`).
    pub one_way: bool,
    /// The SOAP headers of its requests, in the order of the elements of the type that they are read into.
    pub headers: &'static [Header],
    /// The SOAP headers of its answers, likewise.
    pub response_headers: &'static [Header],
    #[doc(hidden)]
    pub later: Later,
}

impl Operation {
    /// What emitted code fills up from, so that later fields need no new code.
    pub const NEW: Self = Self {
        name: "",
        action: "",
        request: "",
        response: "",
        result: None,
        nillable: false,
        bindings: Bindings::ALL,
        style: Style::Document,
        one_way: false,
        headers: &[],
        response_headers: &[],
        later: Later(()),
    };

    /// Where the elements in its request and response elements stand.
    pub(crate) fn forms(&self, service: &ServiceDescription) -> Forms {
        Forms {
            parts: match self.style {
                Style::Document => service.element_form,
                Style::Rpc => ElementForm::Unqualified,
            },
            fields: service.element_form,
        }
    }
}

/// How the Body of a SOAP message is laid out (WSDL 1.1 §3.5), always with `use="literal"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// The element in the Body is one of the schema.
    #[default]
    Document,
    /// The element in the Body is named after the operation; the elements in it, one a parameter, are in no namespace (WS-I Basic Profile 1.1 R2735).
    Rpc,
}

/// A SOAP header that an operation knows: an element of the service's namespace in `soap:Header`.
#[derive(Debug)]
pub struct Header {
    /// The name of the element.
    pub name: &'static str,
    /// Whether a request without it is refused.
    pub required: bool,
    /// Whether it is sent with `mustUnderstand`.
    pub must_understand: bool,
    #[doc(hidden)]
    pub later: Later,
}

impl Header {
    /// What emitted code fills up from, so that later fields need no new code.
    pub const NEW: Self = Self {
        name: "",
        required: false,
        must_understand: false,
        later: Later(()),
    };
}

/// The root element of a result over HTTP GET and POST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// A primitive or an enumeration: `<boolean xmlns="…">`.
    Simple(&'static str),
    /// An object or a list: `<LoginResult xmlns:xsd="…" xmlns:xsi="…" xmlns="…">`.
    Complex(&'static str),
}

impl Root {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Simple(name) | Self::Complex(name) => name,
        }
    }
}

/// A service that a handler of type `H` can stand behind. Emitted code implements it.
pub trait Service<H>: Send + Sync + 'static {
    /// The names and addresses.
    const DESCRIPTION: &'static ServiceDescription;

    /// What documents are written from, unless the code was generated without it.
    const SCHEMA: Option<&'static Schema<'static>> = None;

    /// Reads the parameters of an operation, calls the handler and writes the result.
    fn call(
        handler: &H,
        operation: usize,
        call: Call<'_>,
    ) -> impl Future<Output = Result<Reply, Failure>> + Send;
}
