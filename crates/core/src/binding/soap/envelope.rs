//! The SOAP envelope. It differs between versions only by what [`Version`] holds.

use std::sync::atomic::AtomicBool;

use svcgen_model::{self as model, At, Binding, ElementForm, Operation, Service, Style};

use super::VERSIONS;
use super::version::Version;
use crate::binding::protocol::{Parameters, ReadHeader, ReadValue};
use crate::failure::Failure;
use crate::fault::{Fault, FaultCode};
use crate::unknown_header::{UnderstoodHeaders, UnknownHeader, is_understood};
use ::svcgen_wire;
use svcgen_wire::internals::{
    Levels, Part, Scheme, Side, TimeZone, close_literal, encode, encode_headers, no_rows,
    open_literal,
};
use svcgen_wire::internals::{Parts, Rows};
use svcgen_wire::{Content, Fields, Reader};
use svcgen_wire::{ReadError, ReadErrorKind, WriteError};

/// A request that is read up to the start tag of the first element in the Body.
pub(super) struct Request<'i> {
    reader: Reader<'i>,
    version: &'static Version,
    /// Whether there is an element in the Body.
    has_element: bool,
    /// A reader in the Header, if an operation of the service has headers.
    header: Option<Box<Reader<'i>>>,
    /// The parameters, if they are themselves elements in the Body.
    bare: Option<Rows<'i>>,
    /// How the parameters are encoded, if they are.
    encoded: Option<Box<Scheme<'i>>>,
    /// The name of the first header block that must be understood and is not.
    not_understood: Option<String>,
    /// The headers that the server understands.
    pub(super) understood: Vec<UnknownHeader>,
}

/// Reads the start tag of the root element, which tells the version of SOAP.
///
/// # Errors
///
/// The document is malformed, or a VersionMismatch (SOAP 1.1 §4.1.2) or another root element.
pub fn version(reader: &mut Reader<'_>) -> Result<&'static Version, Failure> {
    reader.root()?;
    let namespace = reader.namespace();
    let Some(version) = VERSIONS
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
    let expected = VERSIONS[0].namespace;
    Failure::early(Fault::new(
        FaultCode::VersionMismatch,
        format_args!(
            "Possible SOAP version mismatch: Envelope namespace {namespace} was unexpected. Expecting {expected}."
        ),
    ))
}

impl<'i> Request<'i> {
    /// Reads from the Envelope's children to the start tag of the first element in the Body.
    pub(crate) fn open(
        mut reader: Reader<'i>,
        version: &'static Version,
        service: &Service<'_>,
        understood: &UnderstoodHeaders,
    ) -> Result<Self, Failure> {
        let (mut header, mut not_understood) = (None, None);
        let mut read = Vec::new();
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
            if !understood.is_empty() {
                read = read_understood(&mut reader, version, understood)?;
            }
            if service.takes_headers() || !read.is_empty() {
                // Which headers are known depends on the operation.
                header = Some(Box::new(reader.fork()));
                reader.skip()?;
            } else {
                not_understood = read_header(&mut reader, version, &mut |_| Ok(false))?;
            }
        }
        let has_element = reader.child()?;
        Ok(Self {
            reader,
            version,
            has_element,
            header,
            bare: None,
            encoded: None,
            not_understood,
            understood: read,
        })
    }

    /// Namespace and local name of the first element in the Body.
    pub(crate) fn element(&self) -> Option<(&str, &str)> {
        self.has_element
            .then(|| (self.reader.namespace(), self.reader.local_name()))
    }

    /// The names of the elements in the first one in the Body, as far as they can be read.
    pub(super) fn parts(&self) -> Vec<String> {
        let mut ahead = self.reader.fork();
        let mut parts = Vec::new();
        while let Ok(true) = ahead.child() {
            parts.push(ahead.local_name().to_owned());
            if ahead.skip().is_err() {
                break;
            }
        }
        parts
    }

    /// Says whose parameters are read.
    pub(super) fn expect(&mut self, operation: At<'i, Operation<'i>>, service: &Service<'i>) {
        self.encoded = self.version.encoding(operation, service).map(Box::new);
        let readers = [Some(&mut self.reader), self.header.as_deref_mut()];
        for reader in readers.into_iter().flatten() {
            reader.expect_part(operation, Part::Parameters);
        }
        let operation = operation.row();
        let parts = Parts::of_request(operation, service);
        if operation.style == Style::Bare {
            self.bare = Some(parts.rows(operation.parameters.elements));
        } else {
            self.reader.expect(parts);
        }
    }

    /// Refuses the request.
    pub(super) fn fail(&mut self, failure: Failure) -> Failure {
        let open = if self.has_element { 3 } else { 1 };
        verdict(&mut self.reader, open, failure)
    }
}

impl Parameters for Request<'_> {
    fn read_headers(&mut self, known: &mut ReadHeader<'_>) -> Result<(), ReadError> {
        if let Some(mut header) = self.header.take() {
            self.not_understood = read_header(&mut header, self.version, known)?;
            self.reader.take_room_of(&header);
        }
        Ok(())
    }

    fn refuse(mut self: Box<Self>, failure: Failure) -> Failure {
        self.fail(failure)
    }

    fn read(mut self: Box<Self>, parameters: &mut ReadValue<'_>) -> Result<(), Failure> {
        self.read_headers(&mut |_| Ok(false))?;
        let reader = &mut self.reader;
        if let (true, Some(scheme)) = (self.has_element, self.encoded) {
            let (namespace, name) = scheme.element(Side::Client);
            if !reader.is(namespace, name) {
                let (name, namespace) = (reader.local_name(), reader.namespace());
                let message = format!("<{name} xmlns='{namespace}'> was not expected.");
                return Err(reader.error(ReadErrorKind::Value, message).into());
            }
            reader.read_encoded(*scheme, Side::Client, |literal| {
                literal.read_with(parameters)?;
                literal.finish()
            })?;
            while reader.child()? {
                reader.skip()?;
            }
        } else if let (true, Some(rows)) = (self.has_element, self.bare) {
            reader.read_parts(rows, parameters)?;
        } else if self.has_element {
            reader.read_with(parameters)?;
            // The original reads one element and ignores any others.
            while reader.child()? {
                if reader.is_strict() {
                    let name = reader.local_name();
                    let message = format!("A second element, {name}, stands in soap:Body.");
                    return Err(verdict(reader, 3, Failure::request_format(message)));
                }
                reader.skip()?;
            }
        }
        while reader.child()? {
            if reader.is(self.version.namespace, "Body") {
                let failure = Failure::request_format("A second soap:Body element.");
                return Err(verdict(reader, 2, failure));
            }
            reader.skip()?;
        }
        reader.finish()?;
        match self.not_understood.take() {
            None => Ok(()),
            Some(name) => Err(Failure::not_understood(&name)),
        }
    }
}

/// Reads the rest of the document, in which `open` elements are open: `failure`, or the error of the rest if that is malformed.
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

/// Reads headers with `known`, whomever they are for. Returns the name of the first one that is for this receiver, must be understood and is not known.
pub(super) fn read_header(
    reader: &mut Reader<'_>,
    version: &Version,
    known: &mut ReadHeader<'_>,
) -> Result<Option<String>, ReadError> {
    let mut not_understood = None;
    while reader.child()? {
        let name = reader.local_name();
        let must = must_understand(reader, version) && (version.is_for_us)(reader);
        if known(reader)? {
            continue;
        }
        if must && not_understood.is_none() {
            not_understood = Some(name.to_owned());
        }
        reader.skip()?;
    }
    Ok(not_understood)
}

/// Reads the headers that the server understands, of the Header at which the reader stands.
fn read_understood(
    reader: &mut Reader<'_>,
    version: &Version,
    understood: &UnderstoodHeaders,
) -> Result<Vec<UnknownHeader>, ReadError> {
    let (mut header, mut read) = (reader.fork(), Vec::new());
    read_header(&mut header, version, &mut |reader| {
        let is_understood = is_understood(understood, reader);
        if is_understood {
            let header = read_unknown_header(reader, version.binding)?;
            header.understand();
            read.push(header);
        }
        Ok(is_understood)
    })?;
    reader.take_room_of(&header);
    Ok(read)
}

/// Whether the current header says that it must be understood.
fn must_understand(reader: &Reader<'_>, version: &Version) -> bool {
    let must = reader.attribute(version.namespace, "mustUnderstand");
    must.is_some_and(|value| matches!(value, "1" | "true"))
}

/// The version of a binding; SOAP 1.1 for one that is not SOAP.
fn version_of(binding: Binding) -> &'static Version {
    let mut versions = VERSIONS.into_iter();
    let version = versions.find(|version| version.binding == binding);
    version.unwrap_or(VERSIONS[0])
}

/// Reads the current header as one that its operation does not declare.
pub(crate) fn read_unknown_header(
    reader: &mut Reader<'_>,
    binding: Binding,
) -> Result<UnknownHeader, ReadError> {
    let version = version_of(binding);
    let (namespace, name) = (
        reader.namespace().to_owned(),
        reader.local_name().to_owned(),
    );
    let actor = reader.attribute(version.namespace, version.actor);
    let actor = actor.map(str::to_owned);
    let must_understand = must_understand(reader, version);
    let is_for_us = (version.is_for_us)(reader);
    reader.take_room(namespace.len() + actor.as_ref().map_or(0, String::len))?;
    Ok(UnknownHeader {
        namespace,
        name,
        xml: reader.read_whole()?,
        actor,
        must_understand,
        is_for_us,
        understood: AtomicBool::new(false),
    })
}

/// Reads headers into an object with an element for each; of several headers of one name the first one counts.
pub(crate) struct Headers<'h> {
    pub(crate) service: &'h Service<'h>,
    /// The elements of the object.
    rows: &'h [model::Element<'h>],
    values: &'h mut dyn Fields,
    /// How they are encoded, if they are.
    pub(crate) encoded: Option<Scheme<'h>>,
    /// The indexes of the headers that were read.
    pub(crate) found: Vec<usize>,
    /// Whether all encoded ones were read.
    is_decoded: bool,
}

impl<'h> Headers<'h> {
    /// Of an operation, `encoded` in any version of SOAP, if there is one.
    pub(crate) fn new(
        service: &'h Service<'h>,
        operation: Option<At<'h, Operation<'h>>>,
        rows: &'h [model::Element<'h>],
        values: &'h mut dyn Fields,
    ) -> Self {
        Self {
            service,
            rows,
            values,
            // Both versions are read alike.
            encoded: operation.and_then(|operation| Scheme::of(operation, service, false)),
            found: Vec::new(),
            is_decoded: false,
        }
    }

    /// Reads the current header. Returns `false` if the object has no element for it.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, ReadError> {
        if let Some(scheme) = self.encoded {
            return self.read_encoded(reader, scheme);
        }
        let (namespace, name) = (reader.namespace(), reader.local_name());
        let declared = (self.service.scope().0, ElementForm::Qualified);
        let mut known = self.rows.iter();
        let is_it = |element: &model::Element<'_>| {
            element.name == name && element.form.of_element(declared) == namespace
        };
        let Some(index) = known.position(is_it) else {
            return Ok(false);
        };
        if self.found.contains(&index) || reader.is_nil() {
            reader.skip()?;
            return Ok(true);
        }
        self.found.push(index);
        reader.check_soap_attributes()?;
        reader.read_element(index, self.values)?;
        Ok(true)
    }

    /// The same, of encoded headers: with the first one all are read, as they may refer to each other.
    fn read_encoded(
        &mut self,
        reader: &mut Reader<'_>,
        scheme: Scheme<'h>,
    ) -> Result<bool, ReadError> {
        let rows = self.rows;
        if !self.is_decoded {
            self.is_decoded = true;
            reader.read_encoded_headers(scheme, rows, |literal| {
                while literal.child()? {
                    let name = literal.local_name();
                    let Some(index) = rows.iter().position(|row| row.name == name) else {
                        literal.skip()?;
                        continue;
                    };
                    self.found.push(index);
                    literal.read_element(index, self.values)?;
                }
                literal.finish()
            })?;
        }
        let known = scheme.header(rows, reader.namespace(), reader.local_name());
        // What headers refer to is none.
        let is_known = known.is_some() || reader.is_referred();
        if is_known {
            reader.check_soap_attributes()?;
            reader.skip()?;
        }
        Ok(is_known)
    }
}

/// The message that has headers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    Request,
    Answer,
    Fault,
}

/// The markup of headers, which are elements of the service's namespace, in messages of an operation over a binding. There is none without rows.
pub(crate) fn write_headers<'s>(
    binding: Binding,
    (service, operation): (&'s Service<'s>, At<'s, Operation<'s>>),
    carrier: Carrier,
    headers: Option<&'s model::Headers<'s>>,
    values: &dyn Fields,
) -> Result<Vec<u8>, WriteError> {
    let Some(headers) = headers else {
        return Ok(Vec::new());
    };
    let version = version_of(binding);
    let scheme = version.encoding(operation, service);
    let known = headers.fields.elements.iter().zip(headers.rules);
    let must_understand: Vec<&str> = known
        .filter(|(_, rule)| rule.must_understand)
        .map(|(element, _)| element.name)
        .collect();
    let side = match carrier {
        Carrier::Request => Side::Client,
        Carrier::Answer | Carrier::Fault => Side::Server,
    };
    let mut markup = Vec::new();
    let declared = (service.scope().0, ElementForm::Qualified);
    let rows = Rows::new(declared, headers.fields.elements);
    let levels = Levels::of(service, rows, 3).filter(|_| scheme.is_none());
    let mut out = Content::compact(&mut markup).with_levels(levels);
    out.time_zone = TimeZone::of(service);
    out.any_characters = side == Side::Server;
    if scheme.is_some() {
        open_literal(version.namespace, &mut out);
    }
    let actor = version.actor;
    out.write_headers(declared.0, &must_understand, actor, &mut |out| {
        values.write_elements(out);
    });
    let Some(scheme) = scheme else {
        out.finish()?;
        return Ok(markup);
    };
    close_literal(out)?;
    let (has_prefixes, mut encoded) = (carrier != Carrier::Fault, Vec::new());
    encode_headers(
        scheme,
        side,
        has_prefixes,
        rows.elements,
        markup,
        &mut encoded,
    )?;
    Ok(encoded)
}

/// A message to write.
pub(super) struct Envelope<'o> {
    /// The message up to the start tag of the Envelope.
    pub(super) start: &'static str,
    pub(super) service: &'o Service<'o>,
    /// The markup of headers.
    pub(super) headers: &'o [u8],
    /// The name of the element in the Body; `None` if the elements of `rows` are themselves there.
    pub(super) element: Option<&'o str>,
    /// The parameters or the results, and the namespace of the element.
    pub(super) rows: Rows<'o>,
    pub(super) side: Side,
}

impl<'o> Envelope<'o> {
    /// Writes the message; `content` writes the parameters or the results.
    pub(super) fn write(
        &self,
        out: &'o mut Vec<u8>,
        content: &mut dyn FnMut(&mut Content<'o>),
    ) -> Result<(), WriteError> {
        out.extend_from_slice(self.start.as_bytes());
        if !self.headers.is_empty() {
            for part in [b"<soap:Header>", self.headers, b"</soap:Header>"] {
                out.extend_from_slice(part);
            }
        }
        let namespace = self.rows.declared.0;
        let Some(element) = self.element else {
            let levels = Levels::of(self.service, self.rows, 3);
            let mut out = Content::compact(out).with_levels(levels);
            out.time_zone = TimeZone::of(self.service);
            out.any_characters = self.side == Side::Server;
            out.write_parts("soap:Body", namespace, content);
            out.raw("</soap:Envelope>");
            return out.finish();
        };
        let levels = Levels::of(self.service, no_rows(""), 3);
        let mut out = Content::compact(out).with_levels(levels);
        out.time_zone = TimeZone::of(self.service);
        out.any_characters = self.side == Side::Server;
        out.raw("<soap:Body>");
        out.start_message(element, namespace, self.rows);
        content(&mut out);
        out.end(element);
        out.raw(END);
        out.finish()
    }
}

/// An encoded message to write.
pub(super) struct Encoded<'o> {
    /// The message up to the start tag of the Envelope, as of a literal one.
    pub(super) start: &'static str,
    /// The markup of headers.
    pub(super) headers: &'o [u8],
    pub(super) scheme: Scheme<'o>,
    pub(super) side: Side,
}

impl Encoded<'_> {
    /// Writes the message; `content` writes the parameters or the results.
    pub(super) fn write(
        &self,
        version: &Version,
        zone: TimeZone,
        content: &mut dyn FnMut(&mut Content<'_>),
        body: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        let first = self.start.find(version.namespace);
        let first = first.map_or(0, |at| at + version.namespace.len() + 1);
        let (start, rest) = self.start.split_at(first);
        let mut out = Content::compact(body);
        out.raw(start);
        for (prefix, namespace) in self.scheme.prefixes(self.side) {
            out.raw(" xmlns:");
            out.raw(prefix);
            out.raw("=\"");
            out.escaped(&namespace);
            out.raw("\"");
        }
        out.raw(rest);
        out.finish()?;
        if !self.headers.is_empty() {
            for part in [b"<soap:Header>", self.headers, b"</soap:Header>"] {
                body.extend_from_slice(part);
            }
        }
        body.extend_from_slice(b"<soap:Body");
        if !version.encodes_inline {
            let style = self.scheme.encoding();
            body.extend_from_slice(format!(" soap:encodingStyle=\"{style}\"").as_bytes());
        }
        body.push(b'>');
        encode(self.scheme, self.side, zone, content, body)?;
        body.extend_from_slice(END.as_bytes());
        Ok(())
    }
}

const END: &str = "</soap:Body></soap:Envelope>";

/// A message whose Body holds a fault.
pub(crate) fn write_fault(version: &Version, fault: &Fault) -> Vec<u8> {
    let mut message = Vec::with_capacity(1024);
    let mut out = Content::compact(&mut message);
    out.raw(version.start);
    if *fault.code() == FaultCode::VersionMismatch {
        out.raw(UPGRADE);
    } else if let Some(headers) = fault.headers() {
        out.raw("<soap:Header>");
        out.raw(headers);
        out.raw("</soap:Header>");
    }
    out.raw("<soap:Body><soap:Fault>");
    (version.write_fault)(fault, &mut out);
    out.raw("</soap:Fault>");
    out.raw(END);
    message
}

/// The header of a VersionMismatch fault, which lists the supported versions (SOAP 1.2 part 1 §5.4.7).
const UPGRADE: &str = concat!(
    r#"<soap:Header><soap12:Upgrade xmlns:soap12="http://www.w3.org/2003/05/soap-envelope">"#,
    r#"<soap12:SupportedEnvelope qname="soap:Envelope" xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" />"#,
    r#"<soap12:SupportedEnvelope qname="soap12:Envelope" xmlns:soap12="http://www.w3.org/2003/05/soap-envelope" />"#,
    "</soap12:Upgrade></soap:Header>",
);
