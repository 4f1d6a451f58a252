//! The SOAP envelope, the same in both versions but for what [`Version`] holds.

use http::HeaderMap;

use super::Binding;
use super::media_type::MediaType;
use crate::fault::{Fault, FaultCode};
use crate::service::{Failure, Operation, ServiceDescription};
use crate::xml::{Content, ReadError, ReadErrorKind, Reader, Value, WriteError};

/// What is particular to a version of SOAP.
pub(crate) struct Version {
    pub(crate) binding: Binding,
    /// The namespace of the envelope.
    pub(crate) namespace: &'static str,
    /// The media type of its messages.
    pub(crate) media_type: &'static str,
    /// The `Content-Type` of its answers.
    pub(crate) content_type: &'static str,
    /// A message up to the start tag of the Envelope.
    pub(crate) start: &'static str,
    /// Which operation a request means.
    pub(crate) route: fn(&Target<'_>) -> Result<usize, Failure>,
    /// Whether a header with these attributes is meant for us.
    pub(crate) is_for_us: fn(&Reader<'_>) -> bool,
    pub(crate) write_fault: fn(&Fault, &mut Content<'_>),
    pub(crate) read_fault: fn(&mut Reader<'_>) -> Result<Fault, ReadError>,
}

/// What routes a request.
pub(crate) struct Target<'r> {
    pub(crate) headers: &'r HeaderMap,
    pub(crate) media_type: &'r MediaType<'r>,
    pub(crate) service: &'static ServiceDescription,
    /// Namespace and local name of the first element in the Body.
    pub(crate) element: Option<(&'r str, &'r str)>,
}

impl Target<'_> {
    /// The operation whose request element stands in the Body.
    pub(crate) fn by_element(&self, binding: Binding) -> Option<usize> {
        let (namespace, name) = self.element?;
        let service = self.service;
        service.find(binding, |operation| {
            namespace == service.namespace && name == operation.request
        })
    }

    /// The operation of an action, which may be percent-encoded; the Body must hold that operation's element.
    pub(crate) fn by_action(
        &self,
        binding: Binding,
        action: &str,
    ) -> Option<Result<usize, Failure>> {
        let decoded = super::form::percent_decode(action);
        let index = self.service.find(binding, |operation| {
            operation.action == action || operation.action == decoded
        })?;
        let operation = &self.service.operations[index];
        Some(match self.element {
            // An empty Body leaves every parameter absent.
            None => Ok(index),
            Some((namespace, name))
                if namespace == self.service.namespace && name == operation.request =>
            {
                Ok(index)
            }
            Some((namespace, name)) => Err(Failure::request_format(format_args!(
                "The action names the operation {}, whose element is {} of namespace {}, but the Body holds the element {name} of namespace {namespace}.",
                operation.name, operation.request, self.service.namespace,
            ))),
        })
    }
}

/// The fault of a request that names no operation in any way.
pub(crate) fn no_action() -> Failure {
    Failure::early(Fault::new(
        FaultCode::Client,
        "Unable to handle request without a valid action parameter. Please supply a valid soap action.",
    ))
}

/// A request whose envelope is open: the first element of the Body is the reader's next.
pub(crate) struct Request<'i> {
    reader: Reader<'i>,
    version: &'static Version,
    /// Whether there is an element in the Body.
    has_element: bool,
    /// The first header block that is for us, must be understood and is not.
    not_understood: Option<String>,
}

/// Reads the start tag of the root element: the version that the sender speaks.
///
/// # Errors
///
/// The document is malformed, or a VersionMismatch (SOAP 1.1 §4.1.2) or another root element.
pub(crate) fn version(reader: &mut Reader<'_>) -> Result<&'static Version, Failure> {
    reader.root()?;
    let namespace = reader.namespace();
    let Some(version) = super::VERSIONS
        .into_iter()
        .find(|version| version.namespace == namespace)
    else {
        return Err(version_mismatch(namespace));
    };
    if reader.local_name() != "Envelope" {
        return Err(Failure::request_format(
            "Missing required soap:Envelope element.",
        ));
    }
    Ok(version)
}

fn version_mismatch(namespace: &str) -> Failure {
    let expected = super::VERSIONS[0].namespace;
    Failure::early(Fault::new(
        FaultCode::VersionMismatch,
        format_args!(
            "Possible SOAP version mismatch: Envelope namespace {namespace} was unexpected. Expecting {expected}."
        ),
    ))
}

impl<'i> Request<'i> {
    /// Reads from the Envelope's children to the start tag of the first element in the Body.
    pub(crate) fn open(mut reader: Reader<'i>, version: &'static Version) -> Result<Self, Failure> {
        let mut not_understood = None;
        let mut header_allowed = true;
        loop {
            if !reader.child()? {
                return Err(verdict(&mut reader, 0, no_body()));
            }
            if reader.is(version.namespace, "Body") {
                break;
            }
            if !header_allowed || !reader.is(version.namespace, "Header") {
                return Err(verdict(&mut reader, 2, no_body()));
            }
            header_allowed = false;
            not_understood = read_header(&mut reader, version)?;
        }
        let has_element = reader.child()?;
        Ok(Self {
            reader,
            version,
            has_element,
            not_understood,
        })
    }

    /// Namespace and local name of the first element in the Body.
    pub(crate) fn element(&self) -> Option<(&str, &str)> {
        self.has_element
            .then(|| (self.reader.namespace(), self.reader.local_name()))
    }

    /// The failure of a request that cannot be routed.
    pub(crate) fn refuse(mut self, failure: Failure) -> Failure {
        verdict(
            &mut self.reader,
            if self.has_element { 3 } else { 1 },
            failure,
        )
    }

    /// Reads the parameters from the element in the Body, then the rest of the message.
    pub(crate) fn read(
        &mut self,
        parameters: &mut dyn FnMut(&mut Reader<'i>) -> Result<(), ReadError>,
    ) -> Result<(), Failure> {
        let reader = &mut self.reader;
        if self.has_element {
            parameters(reader)?;
            if reader.child()? {
                let message = format!(
                    "A second element, {}, stands in soap:Body.",
                    reader.local_name()
                );
                return Err(verdict(reader, 3, Failure::request_format(message)));
            }
        }
        while reader.child()? {
            if reader.is(self.version.namespace, "Body") {
                return Err(verdict(
                    reader,
                    2,
                    Failure::request_format("A second soap:Body element."),
                ));
            }
            reader.skip()?;
        }
        reader.finish()?;
        match self.not_understood.take() {
            None => Ok(()),
            Some(name) => {
                let text = format_args!("SOAP header {name} was not understood.");
                Err(Fault::new(FaultCode::MustUnderstand, text).into())
            }
        }
    }
}

/// A failure, unless the rest of the document, with so many elements open, is malformed: then that is what is wrong.
fn verdict(reader: &mut Reader<'_>, open: usize, failure: Failure) -> Failure {
    let rest = |reader: &mut Reader<'_>| -> Result<(), ReadError> {
        for _ in 0..open {
            while reader.child()? {
                reader.skip()?;
            }
        }
        reader.finish()
    };
    match rest(reader) {
        Ok(()) => failure,
        Err(error) => error.into(),
    }
}

fn no_body() -> Failure {
    Failure::request_format("Missing required soap:Body element.")
}

/// Reads the Header and returns the name of the first block that must be understood and is not.
fn read_header(reader: &mut Reader<'_>, version: &Version) -> Result<Option<String>, ReadError> {
    let mut not_understood = None;
    while reader.child()? {
        let must = reader
            .attribute(version.namespace, "mustUnderstand")
            .is_some_and(|value| matches!(value.trim(), "1" | "true"));
        if must && not_understood.is_none() && (version.is_for_us)(reader) {
            not_understood = Some(reader.local_name().to_owned());
        }
        reader.skip()?;
    }
    Ok(not_understood)
}

/// Writes a message whose Body holds one element of the service's namespace.
pub(crate) fn write(
    version: &Version,
    service: &ServiceDescription,
    element: &str,
    out: &mut Vec<u8>,
    content: &mut dyn FnMut(&mut Content<'_>),
) -> Result<(), WriteError> {
    let mut out = Content::compact(out);
    out.raw(version.start);
    out.raw("<soap:Body>");
    out.start(element, &[("xmlns", service.namespace)]);
    content(&mut out);
    out.end(element);
    out.raw(END);
    out.finish()
}

const END: &str = "</soap:Body></soap:Envelope>";

/// A message whose Body holds a fault.
pub(crate) fn write_fault(version: &Version, fault: &Fault) -> Vec<u8> {
    let mut message = Vec::with_capacity(1024);
    let mut out = Content::compact(&mut message);
    out.raw(version.start);
    if *fault.code() == FaultCode::VersionMismatch {
        out.raw(UPGRADE);
    }
    out.raw("<soap:Body><soap:Fault>");
    (version.write_fault)(fault, &mut out);
    out.raw("</soap:Fault>");
    out.raw(END);
    message
}

/// The versions served, said beside a VersionMismatch fault (SOAP 1.2 part 1 §5.4.7).
const UPGRADE: &str = concat!(
    r#"<soap:Header><soap12:Upgrade xmlns:soap12="http://www.w3.org/2003/05/soap-envelope">"#,
    r#"<soap12:SupportedEnvelope qname="soap:Envelope" xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" />"#,
    r#"<soap12:SupportedEnvelope qname="soap12:Envelope" xmlns:soap12="http://www.w3.org/2003/05/soap-envelope" />"#,
    "</soap12:Upgrade></soap:Header>",
);

/// Writes an element with the text of a fault in it.
pub(crate) fn fault_text(name: &str, text: &str, out: &mut Content<'_>) {
    out.text(name, &carried(text));
}

/// A text with every character that XML cannot carry replaced by U+FFFD, so that no fault is lost for its text.
pub(crate) fn carried(text: &str) -> std::borrow::Cow<'_, str> {
    let lost = |c: char| matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}');
    if !text.contains(lost) {
        return text.into();
    }
    text.chars()
        .map(|c| {
            if lost(c) {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect::<String>()
        .into()
}

/// Writes a code as text of the element `name`; one of the service's own with its namespace as prefix `q0`.
pub(crate) fn write_code(name: &str, code: CodeName<'_>, out: &mut Content<'_>) {
    match code {
        CodeName::Soap(code) => out.text(name, &format!("soap:{code}")),
        CodeName::Own {
            namespace: "",
            name: code,
        } => fault_text(name, code, out),
        CodeName::Own {
            namespace,
            name: code,
        } => {
            out.start(name, &[("xmlns:q0", &carried(namespace))]);
            out.escaped(&carried(&format!("q0:{code}")));
            out.end(name);
        }
    }
}

/// The name of a fault code as one version of SOAP has it.
pub(crate) enum CodeName<'c> {
    Soap(&'static str),
    Own { namespace: &'c str, name: &'c str },
}

/// Writes the detail element, empty if there is none; a fault about a header has no detail (SOAP 1.1 §4.4).
pub(crate) fn write_detail(name: &str, fault: &Fault, out: &mut Content<'_>) {
    if *fault.code() == FaultCode::MustUnderstand {
        return;
    }
    out.start(name, &[]);
    out.raw(fault.detail().unwrap_or_default());
    out.end(name);
}

/// What the Body of an answer holds.
pub(crate) enum Answer {
    /// The operation's response element, read; whether it held a result.
    Response {
        result: bool,
    },
    Fault(Fault),
    /// Something else, said in words.
    Other(String),
}

/// Reads an answer, of either version, with any prefixes.
pub(crate) fn read_answer<R: Value>(
    mut reader: Reader<'_>,
    service: &ServiceDescription,
    operation: &Operation,
    result: &mut R,
) -> Result<Answer, ReadError> {
    let result_element = operation.result.map(|(name, _)| name);
    read_body(&mut reader, service, operation, &mut |reader| {
        let mut found = false;
        while reader.child()? {
            if !found
                && Some(reader.local_name()) == result_element
                && reader.namespace() == service.namespace
            {
                reader.read(result)?;
                found = true;
            } else {
                reader.skip()?;
            }
        }
        Ok(found)
    })
}

fn read_body(
    reader: &mut Reader<'_>,
    service: &ServiceDescription,
    operation: &Operation,
    response: &mut dyn FnMut(&mut Reader<'_>) -> Result<bool, ReadError>,
) -> Result<Answer, ReadError> {
    reader.root()?;
    let Some(version) = super::VERSIONS
        .into_iter()
        .find(|version| reader.is(version.namespace, "Envelope"))
    else {
        return Ok(Answer::Other(format!(
            "the answer is no SOAP envelope but the element {}",
            reader.name()
        )));
    };
    let mut answer = None;
    while reader.child()? {
        if answer.is_some() || !reader.is(version.namespace, "Body") {
            reader.skip()?;
            continue;
        }
        while reader.child()? {
            match &answer {
                None => {
                    answer = Some(read_body_element(
                        reader, version, service, operation, response,
                    )?)
                }
                Some(_) => {
                    return Err(reader.error(
                        ReadErrorKind::Malformed,
                        "A second element stands in the Body of the answer.",
                    ));
                }
            }
        }
        answer.get_or_insert_with(|| Answer::Other("the Body of the answer is empty".to_owned()));
    }
    reader.finish()?;
    Ok(answer.unwrap_or_else(|| Answer::Other("the answer has no Body".to_owned())))
}

fn read_body_element(
    reader: &mut Reader<'_>,
    version: &Version,
    service: &ServiceDescription,
    operation: &Operation,
    response: &mut dyn FnMut(&mut Reader<'_>) -> Result<bool, ReadError>,
) -> Result<Answer, ReadError> {
    if reader.is(version.namespace, "Fault") {
        return (version.read_fault)(reader).map(Answer::Fault);
    }
    if reader.is(service.namespace, operation.response) {
        return Ok(Answer::Response {
            result: response(reader)?,
        });
    }
    let other = format!(
        "the answer holds the element {} of namespace {} where {} of {} was expected",
        reader.local_name(),
        reader.namespace(),
        operation.response,
        service.namespace,
    );
    reader.skip()?;
    Ok(Answer::Other(other))
}

/// The inside of a detail element; absent if there is nothing but white space in it.
pub(crate) fn read_detail(reader: &mut Reader<'_>) -> Result<Option<String>, ReadError> {
    let detail = reader.skip()?;
    Ok((!detail.trim().is_empty()).then(|| detail.to_owned()))
}

/// The code of a qualified name, in either version's words. The dot notation of SOAP 1.1 (`Client.Authentication`, §4.4.1) means its first part.
pub(crate) fn code((namespace, name): (String, String)) -> FaultCode {
    let soap = namespace.is_empty()
        || super::VERSIONS
            .iter()
            .any(|version| version.namespace == namespace);
    match name.split('.').next().unwrap_or_default() {
        "Client" | "Sender" if soap => FaultCode::Client,
        "Server" | "Receiver" if soap => FaultCode::Server,
        "VersionMismatch" if soap => FaultCode::VersionMismatch,
        "MustUnderstand" if soap => FaultCode::MustUnderstand,
        _ => FaultCode::other(namespace, name),
    }
}
