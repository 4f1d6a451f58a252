//! What WSDL 1.1 documents say of services: port types joined with their bindings.

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

/// A service with one port type: what becomes one definition.
#[derive(Debug)]
pub struct Service<'s> {
    /// `wsdl:service`, or the port type where no service refers to it or there are several. No two
    /// services have one name.
    pub name: String,
    /// The `targetNamespace` of the WSDL.
    pub namespace: &'s str,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
    /// The `location` of its ports, SOAP first.
    pub addresses: Vec<&'s str>,
    /// The operations of the port type.
    pub operations: Vec<Operation<'s>>,
    /// What is said of it in the definition, as comments.
    pub comments: Vec<String>,
    /// Where it is declared.
    pub place: DocumentSpan,
}

/// An operation of a port type with what its bindings say.
#[derive(Debug)]
pub struct Operation<'s> {
    /// The name in the port type.
    pub name: &'s str,
    /// The name of its input, which tells overloads apart (`MessageName`); `None` if it is left out
    /// or equals the default.
    pub input_name: Option<&'s str>,
    /// Its documentation.
    pub doc: Option<Cow<'s, str>>,
    /// What SOAP messages hold. Bindings of SOAP 1.1 and 1.2 that say the same are one.
    pub soap: Option<Soap<'s>>,
    /// The bindings that offer it.
    pub bindings: Bindings,
    /// The messages of the HTTP forms: parameters with simple types.
    pub form: Option<Form<'s>>,
    /// What is said of it in the definition, as comments.
    pub comments: Vec<String>,
    /// Where it is declared.
    pub place: DocumentSpan,
}

/// The SOAP messages of an operation.
#[derive(Debug)]
pub struct Soap<'s> {
    /// `soapAction`.
    pub action: &'s str,
    /// How parts stand in the Body.
    pub style: Style,
    /// The request.
    pub input: Message<'s>,
    /// `None` for a one-way operation.
    pub output: Option<Message<'s>>,
    pub(crate) headers_in: Vec<Header<'s>>,
    pub(crate) headers_out: Vec<Header<'s>>,
    /// The faults that are declared.
    pub faults: Vec<Fault<'s>>,
}

/// How parts of messages stand in the Body (`style`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A part is the content of the Body.
    Document,
    /// Parts stand in an element with the name of the operation.
    Rpc,
}

/// A message as a binding of SOAP carries it.
#[derive(Debug)]
pub struct Message<'s> {
    /// Those in the Body.
    pub parts: Vec<MessagePart<'s>>,
    /// `use="encoded"`.
    pub is_encoded: bool,
    /// `namespace` of `soap:body`: that of the wrapper in RPC style, none if it is not said.
    pub namespace: Option<&'s str>,
    /// Where the message is declared.
    pub place: DocumentSpan,
}

/// A part of a message.
#[derive(Debug, Clone, Copy)]
pub struct MessagePart<'s> {
    /// Its name.
    pub name: &'s str,
    /// What it holds.
    pub content: PartContent<'s>,
    /// Where it is declared.
    pub place: DocumentSpan,
}

/// What a part of a message holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartContent<'s> {
    /// A global element that is declared.
    Element(Name<'s>),
    /// A value of a type.
    Type(TypeRef<'s>),
    /// Neither: any XML, as ASMX writes it for documents over HTTP GET and POST.
    Any,
}

/// A header of requests or answers.
#[derive(Debug)]
pub struct Header<'s> {
    /// The part of a message that it holds.
    pub part: MessagePart<'s>,
    /// `use="encoded"`.
    pub is_encoded: bool,
    /// `wsdl:required="true"`.
    pub is_required: bool,
    /// `soap:headerfault`: the header of a fault.
    pub(crate) is_of_fault: bool,
}

/// A fault that an operation declares.
#[derive(Debug)]
pub struct Fault<'s> {
    /// Its name in the port type.
    pub name: &'s str,
    /// What its details hold.
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
    /// What answers hold; `None` for nothing.
    pub result: Option<MessagePart<'s>>,
}

/// The services of documents that are read together, without those that were read with others: two
/// WSDLs may import one that describes a service itself.
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
    /// All that its messages hold: bodies, headers, details of faults; forms, where there is no
    /// SOAP.
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
    /// The headers of requests, of answers and of faults. ASMX lists those of faults in the output,
    /// once more if answers have them, too.
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

    /// Whether messages are the same, whatever the version of SOAP.
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
