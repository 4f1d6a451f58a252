//! SOAP answers as a caller reads them, of either version, with any prefixes.

use svcgen_model::{Operation, Service};

use super::VERSIONS;
use super::envelope::{Headers, Version, read_header};
use crate::fault::Fault;
use crate::xml::{Complex, Forms, ReadError, ReadErrorKind, Reader, Value};

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

/// Reads an answer; the result of the operation into `result`, its headers into `headers`.
pub(crate) fn read<R: Value, O: Complex>(
    mut reader: Reader<'_>,
    service: &Service<'_>,
    operation: &Operation<'_>,
    result: &mut R,
    headers: &mut O,
) -> Result<Answer, ReadError> {
    let mut header = None;
    let answer = read_body(
        &mut reader,
        service,
        operation,
        &mut header,
        &mut |reader| {
            reader.set_forms(Forms::of(service, operation));
            reader.read_only_child(operation.result.as_ref(), result)
        },
    )?;
    // A fault says more than the headers beside it.
    let (Answer::Response { .. }, Some((version, mut reader))) = (&answer, header) else {
        return Ok(answer);
    };
    let mut headers = Headers {
        service,
        values: headers,
        found: Vec::new(),
    };
    let not_understood = read_header(&mut reader, version, &mut |reader| headers.read(reader))?;
    Ok(match not_understood {
        None => answer,
        Some(name) => Answer::Other(format!(
            "the answer has the header {name}, which must be understood and is not known"
        )),
    })
}

/// A reader in the Header of an answer.
type Header<'i> = Option<(&'static Version, Reader<'i>)>;

fn read_body<'i>(
    reader: &mut Reader<'i>,
    service: &Service<'_>,
    operation: &Operation<'_>,
    header: &mut Header<'i>,
    response: &mut dyn FnMut(&mut Reader<'i>) -> Result<bool, ReadError>,
) -> Result<Answer, ReadError> {
    reader.root()?;
    let Some(version) = VERSIONS
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
            if answer.is_none() && header.is_none() && reader.is(version.namespace, "Header") {
                *header = Some((version, reader.fork()));
            }
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

fn read_body_element<'i>(
    reader: &mut Reader<'i>,
    version: &Version,
    service: &Service<'_>,
    operation: &Operation<'_>,
    response: &mut dyn FnMut(&mut Reader<'i>) -> Result<bool, ReadError>,
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
