//! SOAP 1.1: the `SOAPAction` header, the shape of its faults.

use ::http::header::InvalidHeaderValue;
use ::http::{HeaderMap, HeaderName, HeaderValue};
use svcgen_model::Binding;

use super::encoding::EncodingOf;
use super::fault::{code_of, write_code, write_detail, write_text};
use super::version::{Target, Version, decoded_action, no_action};
use crate::failure::Failure;
use crate::fault::{Fault, FaultCode};
use crate::media_type::header_text;
use svcgen_wire::ReadError;
use svcgen_wire::internals::ENVELOPES;
use svcgen_wire::types::XmlFragment;
use svcgen_wire::{Content, Reader};

const NAMESPACE: &str = ENVELOPES[0];

const START: &str = concat!(
    r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/""#,
    r#" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">"#,
);

/// Returns the version, with the versions that an envelope may have.
pub(super) const fn version(
    encoding: Option<EncodingOf>,
    versions: &'static [&'static Version; 2],
) -> Version {
    Version {
        binding: Binding::Soap11,
        namespace: NAMESPACE,
        media_type: "text/xml",
        has_own_media_type: false,
        content_type: "text/xml; charset=utf-8",
        start: START,
        rpc_start: START,
        encoding,
        versions,
        encodes_inline: false,
        route,
        set_action,
        actor: "actor",
        write_fault,
        read_fault,
    }
}

/// The header that names the operation (SOAP 1.1 §6.1.1).
static SOAP_ACTION: HeaderName = HeaderName::from_static("soapaction");

/// Routes by the `SOAPAction` header, or by the element in the Body if there is no such header.
fn route(target: &Target<'_>) -> Result<usize, Failure> {
    let Some(header) = target.headers.get(&SOAP_ACTION) else {
        return target.by_element(Binding::Soap11).ok_or_else(no_action);
    };
    let header = header_text(Some(header));
    let action = without_quotes(header.trim());
    target
        .by_action(Binding::Soap11, action)
        .unwrap_or_else(|| {
            let action = decoded_action(action);
            let message =
                format!("Server did not recognize the value of HTTP Header SOAPAction: {action}.");
            Err(Failure::early(Fault::new(FaultCode::Client, message)))
        })
}

fn set_action(action: String, headers: &mut HeaderMap) -> Result<(), InvalidHeaderValue> {
    headers.insert(&SOAP_ACTION, HeaderValue::try_from(action)?);
    Ok(())
}

fn without_quotes(action: &str) -> &str {
    action
        .strip_prefix('"')
        .and_then(|action| action.strip_suffix('"'))
        .unwrap_or(action)
}

/// Writes `faultcode`, `faultstring`, `faultactor` and `detail`, all without a namespace (SOAP 1.1
/// §4.4).
fn write_fault(fault: &Fault, out: &mut Content<'_>) {
    write_code("faultcode", &fault.leading_code(), 0, out);
    write_text(
        "faultstring",
        &format!("{}{}", fault.preamble(), fault.text()),
        out,
    );
    if let Some(actor) = fault.actor() {
        write_text("faultactor", actor, out);
    }
    write_detail("detail", fault, out);
}

fn read_fault(reader: &mut Reader<'_>) -> Result<Fault, ReadError> {
    let (mut fault_code, mut text) = (FaultCode::Server, String::new());
    let (mut actor, mut detail) = (None, XmlFragment::new());
    while reader.child()? {
        match reader.local_name() {
            "faultcode" => fault_code = code_of(reader.code_name()?),
            "faultstring" => text = reader.text()?.into_owned(),
            "faultactor" => actor = Some(reader.text()?.into_owned()),
            "detail" => reader.read(&mut detail)?,
            _ => drop(reader.skip()?),
        }
    }
    Ok(Fault::received(fault_code, text, [actor, None], detail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use svcgen_wire::Limits;

    #[test]
    fn reads_what_others_write() {
        let text = r#"<f xmlns="urn:f" xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><faultcode xmlns="">SOAP-ENV:Client.Login</faultcode>
            <faultstring xmlns="" xml:lang="en">no &amp; no</faultstring><faultactor>urn:a</faultactor><detail><e xmlns="urn:e"/></detail><other/></f>"#;
        let mut reader = Reader::new(text, &Limits::default());
        reader.root().unwrap();
        let fault = read_fault(&mut reader).unwrap();
        assert_eq!(fault.code(), &FaultCode::Client);
        assert_eq!(
            (fault.text(), fault.actor(), fault.detail()),
            ("no & no", Some("urn:a"), Some(r#"<e xmlns="urn:e" />"#))
        );
    }

    #[test]
    fn one_pair_of_quotes_is_stripped() {
        assert_eq!(without_quotes(r#""urn:a""#), "urn:a");
        assert_eq!(without_quotes(r#""urn:a"#), r#""urn:a"#);
        assert_eq!(without_quotes(r#"""urn:a"""#), r#""urn:a""#);
        assert_eq!(without_quotes(""), "");
    }
}
