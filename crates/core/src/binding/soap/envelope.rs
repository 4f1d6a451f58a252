//! The SOAP envelope. Its differences between versions are all in [`Version`].

use svcgen_model::{At, Operation, Service, Style};

use super::encoding::Encoding;
use super::headers::{read_header, read_understood};
use super::version::Version;
use crate::binding::protocol::{Parameters, ReadHeader, ReadValue};
use crate::failure::Failure;
use crate::fault::{Fault, FaultCode};
use crate::unknown_header::{UnderstoodHeaders, UnknownHeader};
use svcgen_wire::internals::{
    BinaryPartsWriter, ENVELOPES, Levels, MessagePart, Parts, Rows, Side, TimeZone, no_rows,
};
use svcgen_wire::{Content, ReadError, ReadErrorKind, Reader, WriteError};

/// A request, read up to the start tag of the first element in the Body.
pub(super) struct Request<'i> {
    reader: Reader<'i>,
    version: &'static Version,
    /// Whether there is an element in the Body.
    has_element: bool,
    /// A reader in the Header, if an operation of the service has headers.
    header: Option<Box<Reader<'i>>>,
    /// The parameters, if they are elements in the Body without a wrapper.
    bare: Option<Rows<'i>>,
    /// The encoding of the parameters, if they are encoded.
    encoding: Option<Box<dyn Encoding + 'i>>,
    /// The name of the first header that must be understood, but is not.
    not_understood: Option<String>,
    /// The headers that the server understands.
    pub(super) understood: Vec<UnknownHeader>,
}

/// Reads the start tag of the root element, which determines the version of SOAP.
///
/// # Errors
///
/// The document is malformed, has another root element, or has an Envelope of an unknown version: a
/// VersionMismatch (SOAP 1.1 §4.1.2).
pub(super) fn version(
    reader: &mut Reader<'_>,
    versions: &'static [&'static Version; 2],
) -> Result<&'static Version, Failure> {
    reader.root()?;
    let namespace = reader.namespace();
    let mut known = versions.iter();
    let Some(version) = known.find(|version| version.namespace == namespace) else {
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
    let [expected, _] = ENVELOPES;
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
    ) -> Result<Box<Self>, Failure> {
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
                // The known headers depend on the operation.
                header = Some(Box::new(reader.fork()));
                reader.skip()?;
            } else {
                not_understood = read_header(&mut reader, version, &mut |_| Ok(false))?;
            }
        }
        let has_element = reader.child()?;
        Ok(Box::new(Self {
            reader,
            version,
            has_element,
            header,
            bare: None,
            encoding: None,
            not_understood,
            understood: read,
        }))
    }

    /// Returns the namespace and the local name of the first element in the Body.
    pub(crate) fn element(&self) -> Option<(&str, &str)> {
        self.has_element
            .then(|| (self.reader.namespace(), self.reader.local_name()))
    }

    /// Returns the names of the children of the first element in the Body, as far as they can be
    /// read.
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

    /// Sets the operation whose parameters are read.
    pub(super) fn expect(&mut self, operation: At<'i, Operation<'i>>, service: &Service<'i>) {
        self.encoding = self.version.encoding(operation, service);
        let readers = [Some(&mut self.reader), self.header.as_deref_mut()];
        for reader in readers.into_iter().flatten() {
            reader.expect_part(operation, MessagePart::Parameters);
        }
        let operation = operation.row();
        let parts = Parts::of_request(operation, service);
        if operation.style == Style::Bare {
            self.bare = Some(parts.rows(operation.parameters.elements));
        } else {
            self.reader.expect(parts);
        }
    }

    /// Reads the rest of the document. Returns `failure`, or the error of the rest if it is
    /// malformed.
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
        if let (true, Some(encoding)) = (self.has_element, &self.encoding) {
            let (namespace, name) = encoding.element(Side::Client);
            if !reader.is(namespace, name) {
                let (name, namespace) = (reader.local_name(), reader.namespace());
                let message = format!("<{name} xmlns='{namespace}'> was not expected.");
                return Err(reader.error(ReadErrorKind::Value, message).into());
            }
            encoding.read(reader, Side::Client, &mut |literal| {
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
            // ASMX reads one element and ignores any others.
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

/// Reads the rest of the document, in which `open` elements are open. Returns `failure`, or the
/// error of the rest if it is malformed.
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

/// A message to write.
pub(super) struct Envelope<'o> {
    /// The message up to the start tag of the Envelope.
    pub(super) start: &'static str,
    pub(super) service: &'o Service<'o>,
    /// The markup of headers.
    pub(super) headers: &'o [u8],
    /// The name of the element in the Body; `None` if the elements of `rows` are in the Body
    /// without a wrapper.
    pub(super) element: Option<&'o str>,
    /// The parameters or the results, and the namespace of the element.
    pub(super) rows: Rows<'o>,
    pub(super) side: Side,
}

impl<'o> Envelope<'o> {
    /// Writes the message. `content` writes the parameters or the results; their long bytes are
    /// written to `parts`.
    pub(super) fn write(
        &self,
        out: &'o mut Vec<u8>,
        parts: Option<&'o mut dyn BinaryPartsWriter>,
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
            let mut out = Content::compact(out).with_levels(levels).with_parts(parts);
            out.time_zone = TimeZone::of(self.service);
            out.any_characters = self.side == Side::Server;
            out.write_parts("soap:Body", namespace, content);
            out.raw("</soap:Envelope>");
            return out.finish();
        };
        let levels = Levels::of(self.service, no_rows(""), 3);
        let mut out = Content::compact(out).with_levels(levels).with_parts(parts);
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
    /// The message up to the start tag of the Envelope, as for a literal message.
    pub(super) start: &'static str,
    /// The markup of headers.
    pub(super) headers: &'o [u8],
    pub(super) encoding: &'o dyn Encoding,
    pub(super) side: Side,
}

impl Encoded<'_> {
    /// Writes the message. `content` writes the parameters or the results.
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
        for (prefix, namespace) in self.encoding.prefixes(self.side) {
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
            let style = self.encoding.namespace();
            body.extend_from_slice(format!(" soap:encodingStyle=\"{style}\"").as_bytes());
        }
        body.push(b'>');
        self.encoding.write(self.side, zone, content, body)?;
        body.extend_from_slice(END.as_bytes());
        Ok(())
    }
}

const END: &str = "</soap:Body></soap:Envelope>";

/// Returns a message whose Body contains a fault.
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

/// The header of a VersionMismatch fault, which lists the supported versions (SOAP 1.2 part 1
/// §5.4.7).
const UPGRADE: &str = concat!(
    r#"<soap:Header><soap12:Upgrade xmlns:soap12="http://www.w3.org/2003/05/soap-envelope">"#,
    r#"<soap12:SupportedEnvelope qname="soap:Envelope" xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" />"#,
    r#"<soap12:SupportedEnvelope qname="soap12:Envelope" xmlns:soap12="http://www.w3.org/2003/05/soap-envelope" />"#,
    "</soap12:Upgrade></soap:Header>",
);
