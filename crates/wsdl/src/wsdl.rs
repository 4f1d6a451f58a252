//! The services that WSDL 1.1 documents describe: port types joined with their bindings.

mod bindings;
mod forms;
mod index;
mod messages;
mod namespaces;
mod policies;
mod ports;
mod read;
mod security_policies;
mod soap;

use std::borrow::Cow;
use std::collections::HashSet;

use svcgen_model::Bindings;

pub use read::read;

use super::report::DocumentSpan;
use super::schema::{Name, TypeRef};

/// A service with one port type, which is imported as one definition.
#[derive(Debug)]
pub struct Service<'s> {
    /// The name of the `wsdl:service`, or of the port type if no service or several refer to it. No
    /// two services have the same name.
    pub name: String,
    /// The `targetNamespace` of the WSDL.
    pub namespace: &'s str,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
    /// The `location` of its ports, those of SOAP first.
    pub addresses: Vec<&'s str>,
    /// The operations of the port type.
    pub operations: Vec<Operation<'s>>,
    /// Comments about it for the definition.
    pub comments: Vec<String>,
    /// The place where it is declared.
    pub place: DocumentSpan,
}

/// An operation of a port type with the details of its bindings.
#[derive(Debug)]
pub struct Operation<'s> {
    /// The name in the port type.
    pub name: &'s str,
    /// The name of its input, which distinguishes overloads (`MessageName`); `None` if it is left
    /// out or equals the default.
    pub input_name: Option<&'s str>,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
    /// The SOAP messages. Equal bindings of SOAP 1.1 and 1.2 are combined.
    pub soap: Option<Soap<'s>>,
    /// The bindings that offer it.
    pub bindings: Bindings,
    /// The messages of the HTTP forms: parameters with simple types.
    pub form: Option<Form<'s>>,
    /// Comments about it for the definition.
    pub comments: Vec<String>,
    /// The place where it is declared.
    pub place: DocumentSpan,
}

/// The SOAP messages of an operation.
#[derive(Debug)]
pub struct Soap<'s> {
    /// `soapAction`.
    pub action: &'s str,
    /// The layout of parts in the Body.
    pub style: Style,
    /// The request.
    pub input: Message<'s>,
    /// `None` for a one-way operation.
    pub output: Option<Message<'s>>,
    pub(crate) headers_in: Vec<Header<'s>>,
    pub(crate) headers_out: Vec<Header<'s>>,
    /// The faults that it declares.
    pub faults: Vec<Fault<'s>>,
}

/// The layout of message parts in the Body (`style`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A part is the content of the Body.
    Document,
    /// Parts are in an element with the name of the operation.
    Rpc,
}

/// A message as a SOAP binding carries it.
#[derive(Debug)]
pub struct Message<'s> {
    /// The parts in the Body.
    pub parts: Vec<MessagePart<'s>>,
    /// `use="encoded"`.
    pub is_encoded: bool,
    /// `namespace` of `soap:body`: that of the wrapper in RPC style; `None` if it is not stated.
    pub namespace: Option<&'s str>,
    /// The place where the message is declared.
    pub place: DocumentSpan,
}

/// A part of a message.
#[derive(Debug, Clone, Copy)]
pub struct MessagePart<'s> {
    /// Its name.
    pub name: &'s str,
    /// Its content.
    pub content: PartContent<'s>,
    /// The place where it is declared.
    pub place: DocumentSpan,
}

/// The content of a message part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartContent<'s> {
    /// A declared global element.
    Element(Name<'s>),
    /// A value of a type.
    Type(TypeRef<'s>),
    /// Neither: any XML, as ASMX writes it for documents over HTTP GET and POST.
    Any,
}

/// A header of requests or responses.
#[derive(Debug)]
pub struct Header<'s> {
    /// The message part that it carries.
    pub part: MessagePart<'s>,
    /// `use="encoded"`.
    pub is_encoded: bool,
    /// `wsdl:required="true"`.
    pub is_required: bool,
    /// `soap:headerfault`: whether it is the header of a fault.
    pub(crate) is_of_fault: bool,
}

/// A fault that an operation declares.
#[derive(Debug)]
pub struct Fault<'s> {
    /// Its name in the port type.
    pub name: &'s str,
    /// The content of its detail.
    pub part: MessagePart<'s>,
    /// `use="encoded"`.
    pub is_encoded: bool,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
}

/// The messages of HTTP GET and POST forms.
#[derive(Debug)]
pub struct Form<'s> {
    /// The parameters of requests.
    pub parameters: Vec<MessagePart<'s>>,
    /// The content of responses; `None` for none.
    pub result: Option<MessagePart<'s>>,
}

/// Returns the services that are not in `known`, and adds them to it: two WSDLs may import a third
/// one that describes a service itself.
pub fn new_services<'m, 's>(
    services: &'m [Service<'s>],
    known: &mut HashSet<DocumentSpan>,
) -> Vec<&'m Service<'s>> {
    let services = services.iter();
    let new: Vec<_> = services.filter(|one| !known.contains(&one.place)).collect();
    known.extend(new.iter().map(|service| service.place));
    new
}

impl<'s> Operation<'s> {
    /// All parts of its messages: bodies, headers, details of faults; forms if there is no SOAP.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &MessagePart<'s>> {
        let soap = self.soap.iter().flat_map(|soap| {
            let messages = std::iter::once(&soap.input).chain(&soap.output);
            let headers = soap.headers_in.iter().chain(&soap.headers_out);
            let others = headers.map(|header| &header.part);
            let others = others.chain(soap.faults.iter().map(|fault| &fault.part));
            messages.flat_map(|message| &message.parts).chain(others)
        });
        let forms = self.form.iter().filter(|_| self.soap.is_none());
        let forms = forms.flat_map(|form| form.parameters.iter().chain(&form.result));
        soap.chain(forms)
    }
}

impl<'s> Soap<'s> {
    /// The headers of requests, of responses and of faults. ASMX lists headers of faults in the
    /// output, a second time if responses have them, too.
    pub fn headers(&self) -> [Vec<&Header<'s>>; 3] {
        let mut of: [Vec<&Header<'s>>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        let headers = self.headers_in.iter().map(|header| (0, header));
        for (list, header) in headers.chain(self.headers_out.iter().map(|header| (1, header))) {
            let mut known = of[list].iter();
            let is_again = known.any(|known| known.part.content == header.part.content);
            let is_of_fault = header.is_of_fault || (list == 1 && is_again);
            of[if is_of_fault { 2 } else { list }].push(header);
        }
        of
    }

    /// Whether two operations have the same messages, whatever the version of SOAP.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let headers = |one: &[Header<'_>], other: &[Header<'_>]| {
            let same = |(one, other): (&Header<'_>, &Header<'_>)| {
                one.part.content == other.part.content && one.is_of_fault == other.is_of_fault
            };
            one.len() == other.len() && one.iter().zip(other).all(same)
        };
        let outputs = match (&self.output, &other.output) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let faults = self.faults.iter().zip(&other.faults);
        self.action == other.action
            && self.style == other.style
            && self.input.is_same(&other.input)
            && outputs
            && headers(&self.headers_in, &other.headers_in)
            && headers(&self.headers_out, &other.headers_out)
            && self.faults.len() == other.faults.len()
            && faults
                .into_iter()
                .all(|(one, other)| one.part.content == other.part.content)
    }
}

impl Message<'_> {
    fn is_same(&self, other: &Self) -> bool {
        let same = |(one, other): (&MessagePart<'_>, &MessagePart<'_>)| {
            one.name == other.name && one.content == other.content
        };
        self.is_encoded == other.is_encoded
            && self.namespace == other.namespace
            && self.parts.len() == other.parts.len()
            && self.parts.iter().zip(&other.parts).all(same)
    }
}
