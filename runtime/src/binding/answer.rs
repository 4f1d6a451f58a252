//! SOAP answers as a caller reads them, of either version, with any prefixes.

use super::VERSIONS;
use super::envelope::Version;
use crate::fault::Fault;
use crate::service::{Operation, ServiceDescription};
use crate::xml::{ReadError, ReadErrorKind, Reader, Value};

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

/// Reads an answer; the result of the operation into `result`.
pub(crate) fn read<R: Value>(
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
