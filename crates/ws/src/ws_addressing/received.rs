//! The headers of a request.

use super::version::Version;
use svcgen_core::{Fault, UnknownHeader, layer, layer::CallRequest};
use svcgen_wire::{
    Limits, ReadError, ReadErrorKind, Reader,
    types::{QName, XmlFragment},
};

/// The headers that the answer depends on.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) version: Version,
    pub(super) action: String,
    pub(super) message_id: Option<String>,
    pub(super) reply_to: Option<Target>,
    pub(super) fault_to: Option<Target>,
}

/// The target of an answer.
#[derive(Debug, Default)]
pub(super) struct Target {
    address: Option<String>,
    /// The reference parameters, as headers of the answer.
    pub(super) headers: Vec<XmlFragment>,
    pub(super) is_none: bool,
}

/// The reason why a request is refused, and the headers for its answer.
pub(super) struct Refused {
    pub(super) fault: Fault,
    pub(super) version: Version,
    pub(super) message_id: Option<String>,
}

/// Reads the headers of a request for this server. Returns `None` if it has none.
pub(super) fn read(request: &CallRequest) -> Option<Result<Received, Box<Refused>>> {
    let mut versions = Version::ALL.into_iter();
    let of = |version: Version| {
        let headers = request.unknown_headers().iter();
        headers.filter(move |header| header.is_for_us && header.namespace() == version.namespace())
    };
    let version = versions.find(|version| of(*version).next().is_some())?;
    let headers: Vec<_> = of(version).collect();
    let mut received = Received {
        version,
        action: String::new(),
        message_id: None,
        reply_to: None,
        fault_to: None,
    };
    let read = received.read(request, &headers);
    Some(match read {
        Ok(()) => Ok(received),
        Err(fault) => Err(Box::new(Refused {
            fault,
            version,
            message_id: received.message_id,
        })),
    })
}

impl Received {
    fn read(&mut self, request: &CallRequest, headers: &[&UnknownHeader]) -> Result<(), Fault> {
        let version = self.version;
        let one = |name: &str| {
            let mut named = headers.iter().filter(|header| header.name() == name);
            let (first, second) = (named.next(), named.next());
            match second {
                None => Ok(first),
                Some(_) => {
                    let why = format!("wsa:{name} is there twice.");
                    Err(invalid(version, "InvalidCardinality", &why))
                }
            }
        };
        let text = |name: &str| {
            let header = one(name)?;
            let text = header.map(|header| text_of(header.xml()));
            let text = text.transpose().map_err(|_| unreadable(version, name))?;
            Ok::<_, Fault>(text)
        };
        self.message_id = text("MessageID")?;
        text("To")?;
        let action = text("Action")?;
        let target = |name: &str| {
            let header = one(name)?;
            let target = header.map(|header| target_of(header.xml(), version));
            let target = target.transpose().map_err(|_| unreadable(version, name))?;
            target
                .map(|target| target.checked(version, name))
                .transpose()
        };
        let layer::Target::Operation(operation) = request.target() else {
            return Ok(());
        };
        if !operation.one_way {
            self.reply_to = target("ReplyTo")?;
            self.fault_to = target("FaultTo")?;
        }
        let Some(action) = action else {
            let code = match version {
                Version::Recommendation => "MessageAddressingHeaderRequired",
                Version::Submission => "MessageInformationHeaderRequired",
            };
            let text = "A required header representing a Message Addressing Property is not present: wsa:Action";
            return Err(fault(version, &[code], text));
        };
        if action == operation.action {
            self.action = action;
            return Ok(());
        }
        let service = request.service();
        let mut operations = service.iter().flat_map(|service| service.operations);
        if operations.any(|known| known.action == action) {
            let why = "wsa:Action is that of another operation than is called.";
            return Err(invalid(version, "ActionMismatch", why));
        }
        let text = format!("The [action] cannot be processed at the receiver: {action}");
        Err(fault(version, &["ActionNotSupported"], &text))
    }

    /// Returns the target of an answer or of a fault.
    pub(super) fn target(&self, is_fault: bool) -> Option<&Target> {
        let fault_to = self.fault_to.as_ref().filter(|_| is_fault);
        fault_to.or(self.reply_to.as_ref())
    }
}

impl Target {
    fn checked(mut self, version: Version, name: &str) -> Result<Self, Fault> {
        let Some(address) = &self.address else {
            let why = format!("wsa:{name} has no wsa:Address.");
            return Err(invalid(version, "MissingAddressInEPR", &why));
        };
        let address = address.trim();
        self.is_none = version.none() == Some(address);
        if self.is_none || address == version.anonymous() {
            return Ok(self);
        }
        let why =
            format!("wsa:{name} is not anonymous, and answers go back in the HTTP response alone.");
        Err(invalid(version, "OnlyAnonymousAddressSupported", &why))
    }
}

fn text_of(xml: &XmlFragment) -> Result<String, ReadError> {
    let mut reader = Reader::new(xml.as_str(), &Limits::default());
    reader.root()?;
    Ok(reader.text()?.trim().to_owned())
}

fn target_of(xml: &XmlFragment, version: Version) -> Result<Target, ReadError> {
    let mut reader = Reader::new(xml.as_str(), &Limits::default());
    let mut target = Target::default();
    reader.root()?;
    while reader.child()? {
        let is = |name| reader.is(version.namespace(), name);
        if is("Address") {
            let address = reader.text()?.into_owned();
            if target.address.replace(address).is_some() {
                let message = "It has two wsa:Address.";
                return Err(reader.error(ReadErrorKind::Value, message));
            }
        } else if is("ReferenceParameters") || is("ReferenceProperties") {
            while reader.child()? {
                target.headers.push(parameter(&mut reader, version)?);
            }
        } else {
            reader.skip()?;
        }
    }
    Ok(target)
}

/// Reads a reference parameter as a header of the answer. It is marked as a parameter, unless it
/// already is; in the submission, it stays unchanged.
fn parameter(reader: &mut Reader<'_>, version: Version) -> Result<XmlFragment, ReadError> {
    const MARK: &str = "IsReferenceParameter";
    let namespace = version.namespace();
    if version == Version::Submission || reader.attribute(namespace, MARK).is_some() {
        return reader.read_whole();
    }
    let mut prefixes = (0..).map(|number| format!("wsa{number}"));
    let is_free = |prefix: &String| !reader.is_declared(prefix);
    let prefix = prefixes.find(is_free).unwrap_or_default();
    let name = reader.name();
    let whole = reader.read_whole()?;
    let (start, rest) = whole.as_str().split_at("<".len() + name.len());
    Ok(XmlFragment::trusted(format!(
        "{start} xmlns:{prefix}=\"{namespace}\" {prefix}:{MARK}=\"true\"{rest}"
    )))
}

fn unreadable(version: Version, name: &str) -> Fault {
    invalid(version, "", &format!("wsa:{name} cannot be read."))
}

/// Returns the fault for an invalid header. In the submission, there is no further code.
fn invalid(version: Version, further: &str, why: &str) -> Fault {
    let text = format!(
        "A header representing a Message Addressing Property is not valid and the message cannot be processed: {why}"
    );
    match version {
        Version::Submission => fault(version, &["InvalidMessageInformationHeader"], &text),
        Version::Recommendation if further.is_empty() => {
            fault(version, &["InvalidAddressingHeader"], &text)
        }
        Version::Recommendation => fault(version, &["InvalidAddressingHeader", further], &text),
    }
}

fn fault(version: Version, codes: &[&str], text: &str) -> Fault {
    let codes = codes
        .iter()
        .map(|code| QName::new(version.namespace(), *code));
    let fault = codes.fold(Fault::client(text), Fault::with_subcode);
    fault.with_leading_subcode()
}
