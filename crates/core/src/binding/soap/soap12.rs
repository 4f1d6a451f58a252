//! SOAP 1.2: the `action` parameter of the media type, the shape of its faults.

use ::http::header::{CONTENT_TYPE, InvalidHeaderValue};
use ::http::{HeaderMap, HeaderValue};
use svcgen_model::Binding;

use super::encoding::EncodingOf;
use super::fault::{carried, code_of, write_code, write_detail, write_name, write_text};
use super::version::{Target, Version, decoded_action, no_action};
use crate::failure::Failure;
use crate::fault::{Fault, FaultCode};
use crate::media_type::{MediaType, header_text};
use svcgen_wire::ReadError;
use svcgen_wire::internals::ENVELOPES;
use svcgen_wire::types::{QName, XmlFragment};
use svcgen_wire::{Content, Reader};

const NAMESPACE: &str = ENVELOPES[1];

macro_rules! start {
    ($declaration:literal) => {
        concat!(
            r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope""#,
            $declaration,
            r#" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">"#,
        )
    };
}

const CONTENT_TYPE_OF_ANSWERS: &str = "application/soap+xml; charset=utf-8";

/// Returns the version, with the versions that an envelope may have.
pub(super) const fn version(
    encoding: Option<EncodingOf>,
    versions: &'static [&'static Version; 2],
) -> Version {
    Version {
        binding: Binding::Soap12,
        namespace: NAMESPACE,
        media_type: "application/soap+xml",
        has_own_media_type: true,
        content_type: CONTENT_TYPE_OF_ANSWERS,
        start: start!(""),
        rpc_start: start!(r#" xmlns:rpc="http://www.w3.org/2003/05/soap-rpc""#),
        encoding,
        versions,
        encodes_inline: true,
        route,
        set_action,
        actor: "role",
        write_fault,
        read_fault,
    }
}

/// Routes by the `action` parameter, or by the element in the Body if the action is absent or
/// unknown. The `SOAPAction` header is ignored.
fn route(target: &Target<'_>) -> Result<usize, Failure> {
    let content_type = header_text(target.headers.get(CONTENT_TYPE));
    let parameter = MediaType::read(&content_type).parameter("action");
    let action = parameter
        .as_deref()
        .map(|action| action.trim_matches(['"', ' ']));
    if let Some(routed) = action.and_then(|action| target.by_action(Binding::Soap12, action)) {
        return routed;
    }
    target
        .by_element(Binding::Soap12)
        .ok_or_else(|| match action {
            None => no_action(),
            Some(action) => Failure::early(Fault::new(
                FaultCode::Client,
                format_args!(
                    "Unable to handle request. The action '{}' was not recognized.",
                    decoded_action(action)
                ),
            )),
        })
}

fn set_action(action: String, headers: &mut HeaderMap) -> Result<(), InvalidHeaderValue> {
    let content_type = [CONTENT_TYPE_OF_ANSWERS, "; action=", &*action].concat();
    headers.insert(CONTENT_TYPE, HeaderValue::try_from(content_type)?);
    Ok(())
}

/// Writes `Code`, `Reason`, `Node`, `Role` and `Detail` (SOAP 1.2 part 1 §5.4).
fn write_fault(fault: &Fault, out: &mut Content<'_>) {
    out.raw("<soap:Code>");
    write_code("soap:Value", fault.code(), 1, out);
    for subcode in fault.subcodes() {
        out.raw("<soap:Subcode>");
        write_name("soap:Value", subcode, out);
    }
    for _ in fault.subcodes() {
        out.raw("</soap:Subcode>");
    }
    out.raw("</soap:Code><soap:Reason>");
    out.start("soap:Text", &[("xml:lang", "en")]);
    out.escaped(&carried(&format!("{}{}", fault.preamble(), fault.text())));
    out.end("soap:Text");
    out.raw("</soap:Reason>");
    for (name, value) in [("soap:Node", fault.actor()), ("soap:Role", fault.role())] {
        if let Some(value) = value {
            write_text(name, value, out);
        }
    }
    let detail = if fault.has_plain_detail() {
        "detail"
    } else {
        "soap:Detail"
    };
    write_detail(detail, fault, out);
}

fn read_fault(reader: &mut Reader<'_>) -> Result<Fault, ReadError> {
    let (mut fault_code, mut subcodes, mut text) = (FaultCode::Server, Vec::new(), None);
    let (mut node, mut role, mut detail) = (None, None, XmlFragment::new());
    while reader.child()? {
        match reader.local_name() {
            "Code" => fault_code = code_of(read_code(reader, &mut subcodes)?.unwrap_or_default()),
            "Reason" => {
                while reader.child()? {
                    let english = reader
                        .attribute("http://www.w3.org/XML/1998/namespace", "lang")
                        .is_some_and(|lang| lang.starts_with("en"));
                    let found = reader.text()?;
                    if text.is_none() || english {
                        text = Some(found.into_owned());
                    }
                }
            }
            "Node" => node = Some(reader.text()?.into_owned()),
            "Role" => role = Some(reader.text()?.into_owned()),
            // Services in .NET write the name of SOAP 1.1 in SOAP 1.2, too.
            "Detail" | "detail" => reader.read(&mut detail)?,
            _ => drop(reader.skip()?),
        }
    }
    let text = text.unwrap_or_default();
    let fault = Fault::received(fault_code, text, [node, role], detail);
    // The innermost was read first.
    let subcodes = subcodes.into_iter().rev();
    Ok(subcodes.fold(fault, Fault::with_subcode))
}

/// Reads the Value of a Code or Subcode, and appends the values of the Subcodes in it to the list,
/// innermost first. It recurses once for each level, so the limit of depth bounds it.
fn read_code(
    reader: &mut Reader<'_>,
    subcodes: &mut Vec<QName>,
) -> Result<Option<QName>, ReadError> {
    let mut value = None;
    while reader.child()? {
        match reader.local_name() {
            "Value" => value = Some(reader.code_name()?),
            "Subcode" => {
                let subcode = read_code(reader, subcodes)?;
                subcodes.extend(subcode);
            }
            _ => drop(reader.skip()?),
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use svcgen_wire::Limits;

    fn written(fault: &Fault) -> String {
        let mut text = Vec::new();
        write_fault(fault, &mut Content::compact(&mut text));
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn reads_what_it_writes() {
        let fault = Fault::new(FaultCode::other("urn:q", "Mine"), "why")
            .with_subcode(QName::new("urn:q", "A"))
            .with_subcode(QName::new("urn:q", "B"))
            .with_actor("urn:n")
            .with_role("urn:r")
            .with_detail_xml(XmlFragment::parse("<d/>").unwrap());
        let text = format!(
            r#"<soap:Fault xmlns:soap="{NAMESPACE}">{}</soap:Fault>"#,
            written(&fault)
        );
        let mut reader = Reader::new(&text, &Limits::default());
        reader.root().unwrap();
        assert_eq!(read_fault(&mut reader).unwrap(), fault);
    }
}
