//! Reads SOAP answers for clients, of either version and with any prefixes.

use svcgen_model::Style;

use super::headers::read_header;
use super::version::Version;
use crate::binding::protocol::{ReadHeader, ReadValue};
use crate::binding::received::Received;
use crate::call_error::CallError;
use svcgen_wire::ReadErrorKind;
use svcgen_wire::Reader;
use svcgen_wire::internals::Parts;
use svcgen_wire::internals::Side;
use svcgen_wire::types::XmlFragment;

/// Whether the response element in the Body contained a result, or the reason why there is no such
/// element.
type Content = Result<bool, CallError>;

/// A reader in the Header of an answer.
type Header<'i> = Option<(&'static Version, Reader<'i>)>;

/// Reads an answer. Returns whether it contained a result.
///
/// # Errors
///
/// The answer is malformed, a fault, or no answer of the operation.
pub(super) fn read<'i>(
    mut reader: Reader<'i>,
    versions: &'static [&'static Version; 2],
    received: &Received<'i>,
    result: &mut ReadValue<'_>,
    header: &mut ReadHeader<'_>,
) -> Result<bool, CallError> {
    let mut found = None;
    let mut content = read_envelope(&mut reader, versions, received, result, &mut found)?;
    let has_headers = received.operation.fault_headers.is_some();
    if let (Err(CallError::Fault(fault)), Some((_, header_reader)), true) =
        (&mut content, &mut found, has_headers)
    {
        header_reader.take_room_of(&reader);
        let mut headers = XmlFragment::new();
        header_reader.read(&mut headers)?;
        fault.receive_headers(headers);
    }
    // A fault is more important than an error in the headers next to it.
    let has_result = content?;
    if let Some((version, mut header_reader)) = found {
        header_reader.take_room_of(&reader);
        if let Some(header) = read_header(&mut header_reader, version, header)? {
            return Err(CallError::HeaderNotUnderstood { header });
        }
    }
    Ok(has_result)
}

fn read_envelope<'i>(
    reader: &mut Reader<'i>,
    versions: &'static [&'static Version; 2],
    received: &Received<'i>,
    result: &mut ReadValue<'_>,
    header: &mut Header<'i>,
) -> Result<Content, CallError> {
    reader.root()?;
    let mut known = versions.iter();
    let Some(version) = known.find(|version| reader.is(version.namespace, "Envelope")) else {
        let element = reader.name().to_owned();
        return Err(CallError::NotAnEnvelope { element });
    };
    // The rest after the Body is read, too: a malformed answer has no result.
    let mut content = None;
    while reader.child()? {
        if !reader.is(version.namespace, "Body") {
            if content.is_none() && header.is_none() && reader.is(version.namespace, "Header") {
                *header = Some((version, reader.fork()));
            }
            reader.skip()?;
            continue;
        }
        if content.is_some() {
            let message = "A second Body stands in the envelope of the answer.";
            return Err(reader.error(ReadErrorKind::Malformed, message).into());
        }
        if received.operation.style == Style::Bare {
            content = Some(read_parts(reader, version, received, result)?);
            continue;
        }
        while reader.child()? {
            if content.is_some() && received.operation.encoded.is_some() {
                // The elements that the first one refers to.
                reader.skip()?;
                continue;
            }
            if content.is_some() {
                let message = "A second element stands in the Body of the answer.";
                return Err(reader.error(ReadErrorKind::Malformed, message).into());
            }
            content = Some(read_content(reader, version, received, result)?);
        }
        content.get_or_insert(Err(CallError::EmptyBody));
    }
    reader.finish()?;
    Ok(content.unwrap_or(Err(CallError::NoBody)))
}

fn read_content<'i>(
    reader: &mut Reader<'i>,
    version: &Version,
    received: &Received<'i>,
    result: &mut ReadValue<'_>,
) -> Result<Content, CallError> {
    let (service, operation) = (received.service, received.operation.row());
    if reader.is(version.namespace, "Fault") {
        return Ok(Err(CallError::Fault((version.read_fault)(reader)?)));
    }
    let parts = Parts::of_response(operation, service);
    let expected = (parts.rows(&[]).declared.0, operation.response.name);
    let encoding = version.encoding(received.operation, service);
    let element = encoding
        .as_ref()
        .map(|encoding| encoding.element(Side::Server));
    let expected = element.unwrap_or(expected);
    if reader.is(expected.0, expected.1) {
        if let Some(encoding) = &encoding {
            let mut found = true;
            encoding.read(reader, Side::Server, &mut |literal| {
                if operation.has_results() {
                    return literal.read_with(result);
                }
                // There is no other element.
                found = literal.child()?;
                if found {
                    literal.read_with(result)?;
                    while literal.child()? {
                        literal.skip()?;
                    }
                }
                Ok(())
            })?;
            return Ok(Ok(found));
        }
        if operation.has_results() {
            reader.expect(parts);
            reader.read_with(result)?;
            return Ok(Ok(true));
        }
        let found = reader.read_only_child(operation.result.as_ref(), parts, result)?;
        return Ok(Ok(found));
    }
    let refused = CallError::unexpected_element(reader, expected.into());
    reader.skip()?;
    Ok(Err(refused))
}

/// Reads the children of the Body as the results, through its end tag.
fn read_parts<'i>(
    reader: &mut Reader<'i>,
    version: &Version,
    received: &Received<'i>,
    result: &mut ReadValue<'_>,
) -> Result<Content, CallError> {
    let (service, operation) = (received.service, received.operation.row());
    let results = operation.results();
    let rows = Parts::of_response(operation, service).rows(results);
    let takes_any = results.iter().any(|result| result.wildcard.is_some());
    let (mut found, mut refused) = (false, None);
    while reader.child()? {
        if takes_any && !reader.is(version.namespace, "Fault") {
            reader.read_parts(rows, result)?;
            return Ok(Ok(true));
        }
        let (namespace, name) = (reader.namespace(), reader.local_name());
        let is_it = |index: &usize| results[*index].name == name && rows.admit(*index, namespace);
        match (0..results.len()).find(is_it) {
            Some(_) if operation.has_results() => {
                reader.read_parts(rows, result)?;
                return Ok(Ok(true));
            }
            Some(index) if !found => {
                reader.say_part(rows, index);
                reader.read_with(result)?;
                found = true;
            }
            _ if reader.is(version.namespace, "Fault") => {
                refused = Some(CallError::Fault((version.read_fault)(reader)?));
            }
            _ => {
                let expected = results
                    .first()
                    .map_or(("", ""), |result| (rows.namespace_of(0), result.name));
                let unexpected = || CallError::unexpected_element(reader, expected.into());
                refused.get_or_insert_with(unexpected);
                reader.skip()?;
            }
        }
    }
    Ok(match refused {
        Some(refused) if !found => Err(refused),
        _ => Ok(found),
    })
}
