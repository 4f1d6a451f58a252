//! A SOAP request up to its parameters: its text, its version, its operation.

use std::borrow::Cow;

use bytes::Bytes;
use http::HeaderMap;
use svcgen_model::Service;

use crate::binding::charset::{Charset, decode_message};
use crate::binding::envelope::{self, Target, Version};
use crate::binding::{Binding, VERSIONS};
use crate::body::BodyError;
use crate::failure::Failure;
use crate::fault::FaultCode;
use crate::limits::Limits;
use crate::xml::Reader;

/// The text of a body.
pub(crate) fn read_message(
    body: &Result<Bytes, BodyError>,
    charset: Option<Charset>,
) -> Result<Cow<'_, str>, Failure> {
    let body = body.as_ref().map_err(|error| Failure::from(*error))?;
    decode_message(body, charset).map_err(Failure::malformed)
}

/// Why a message names no operation.
pub(crate) enum Unopened {
    Fault(&'static Version, Failure),
    /// The envelope is of another version than the media type.
    MediaType,
}

/// Reads a message up to the parameters and finds the index of its operation. `guess` is the version that the media type stands for.
pub(crate) fn open_message<'i>(
    guess: &'static Version,
    text: &'i str,
    headers: &HeaderMap,
    service: &Service<'_>,
    limits: &Limits,
) -> Result<(usize, envelope::Request<'i>), Unopened> {
    let mut reader = Box::new(Reader::new(text, limits));
    let version = envelope::version(&mut reader).map_err(|failure| {
        // A version mismatch is told in SOAP 1.1, which whoever speaks neither may know (SOAP 1.2 part 1 appendix A).
        let mismatch = *failure.fault.code() == FaultCode::VersionMismatch;
        Unopened::Fault(if mismatch { VERSIONS[0] } else { guess }, failure)
    })?;
    if (version.binding, guess.binding) == (Binding::Soap11, Binding::Soap12) {
        return Err(Unopened::MediaType);
    }
    let fault = |failure| Unopened::Fault(version, failure);
    let request = envelope::Request::open(reader, version, service).map_err(fault)?;
    let target = Target {
        headers,
        service,
        element: request.element(),
    };
    match (version.route)(&target) {
        Ok(operation) => Ok((operation, request)),
        Err(failure) => Err(fault(request.refuse(failure))),
    }
}
