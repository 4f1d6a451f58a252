//! Code for faults of both versions of SOAP.

use std::borrow::Cow;

use crate::fault::{Fault, FaultCode};
use svcgen_wire::Content;
use svcgen_wire::internals::ENVELOPES;
use svcgen_wire::internals::is_char;
use svcgen_wire::types::QName;

/// Writes an element that contains the text of a fault.
pub(in crate::binding) fn write_text(name: &str, text: &str, out: &mut Content<'_>) {
    out.text(name, &carried(text));
}

/// Replaces every character that XML cannot represent by U+FFFD, so that no fault is lost because
/// of its text.
pub(in crate::binding) fn carried(text: &str) -> Cow<'_, str> {
    let is_lost = |character| !is_char(character);
    if text.contains(is_lost) {
        text.replace(is_lost, "\u{FFFD}").into()
    } else {
        text.into()
    }
}

/// Writes a code as the text of the element `name`, with the name that the code has in SOAP 1.1 (0)
/// or SOAP 1.2 (1).
pub(in crate::binding) fn write_code(
    name: &str,
    code: &FaultCode,
    version: usize,
    out: &mut Content<'_>,
) {
    match code.soap_names() {
        Ok(names) => out.text(name, &format!("soap:{}", names[version])),
        Err(own) => write_name(name, own, out),
    }
}

/// Writes a qualified name as the text of the element `name`, which declares the namespace with the
/// prefix `q0`.
pub(in crate::binding) fn write_name(name: &str, own: &QName, out: &mut Content<'_>) {
    if own.namespace.is_empty() {
        return write_text(name, &own.local, out);
    }
    out.start(name, &[("xmlns:q0", &carried(&own.namespace))]);
    out.escaped(&carried(&format!("q0:{}", own.local)));
    out.end(name);
}

/// Writes the detail element, empty if the fault has no detail. A fault about a header has no such
/// element (SOAP 1.1 §4.4).
pub(in crate::binding) fn write_detail(name: &str, fault: &Fault, out: &mut Content<'_>) {
    if *fault.code() == FaultCode::MustUnderstand {
        return;
    }
    out.start(name, &[]);
    out.unqualified_markup(fault.detail().unwrap_or_default());
    out.end(name);
}

/// Returns the code for a qualified name of either version. In the dot notation of SOAP 1.1
/// (`Client.Authentication`, §4.4.1), only the first part counts.
pub(in crate::binding) fn code_of(name: QName) -> FaultCode {
    use FaultCode::{Client, MustUnderstand, Server, VersionMismatch};

    let is_soap = name.namespace.is_empty() || ENVELOPES.contains(&name.namespace.as_str());
    let first = name.local.split('.').next().unwrap_or_default();
    let mut known = [Client, Server, VersionMismatch, MustUnderstand].into_iter();
    let is_it = |code: &FaultCode| code.soap_names().is_ok_and(|names| names.contains(&first));
    match known.find(is_it) {
        Some(code) if is_soap => code,
        _ => FaultCode::Other(name),
    }
}

#[cfg(test)]
mod tests {
    use super::super::versions::{SOAP_11, SOAP_12};
    use super::*;

    /// Returns faults with their text in SOAP 1.1 and in SOAP 1.2.
    fn faults() -> [(Fault, [&'static str; 2]); 4] {
        [
            (
                Fault::exception("boom <&>"),
                [
                    "<faultcode>soap:Server</faultcode><faultstring>Server was unable to process request. ---&gt; boom &lt;&amp;&gt;</faultstring><detail />",
                    r#"<soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">Server was unable to process request. ---&gt; boom &lt;&amp;&gt;</soap:Text></soap:Reason><soap:Detail />"#,
                ],
            ),
            (
                Fault::new(FaultCode::MustUnderstand, "x\u{1}"),
                [
                    "<faultcode>soap:MustUnderstand</faultcode><faultstring>x\u{FFFD}</faultstring>",
                    "<soap:Code><soap:Value>soap:MustUnderstand</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang=\"en\">x\u{FFFD}</soap:Text></soap:Reason>",
                ],
            ),
            (
                Fault::new(FaultCode::other("urn:q", "Mine"), "x")
                    .with_actor("urn:me")
                    .with_subcode(QName::new("urn:q", "Sub")),
                [
                    r#"<faultcode xmlns:q0="urn:q">q0:Mine</faultcode><faultstring>x</faultstring><faultactor>urn:me</faultactor><detail />"#,
                    concat!(
                        r#"<soap:Code><soap:Value xmlns:q0="urn:q">q0:Mine</soap:Value><soap:Subcode><soap:Value xmlns:q0="urn:q">q0:Sub</soap:Value></soap:Subcode></soap:Code>"#,
                        r#"<soap:Reason><soap:Text xml:lang="en">x</soap:Text></soap:Reason><soap:Node>urn:me</soap:Node><soap:Detail />"#,
                    ),
                ],
            ),
            (
                Fault::client("x")
                    .with_subcode(QName::new("urn:q", "A"))
                    .with_subcode(QName::new("urn:q", "B"))
                    .with_actor("urn:n")
                    .with_role("urn:r"),
                [
                    "<faultcode>soap:Client</faultcode><faultstring>x</faultstring><faultactor>urn:n</faultactor><detail />",
                    concat!(
                        r#"<soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value xmlns:q0="urn:q">q0:A</soap:Value>"#,
                        r#"<soap:Subcode><soap:Value xmlns:q0="urn:q">q0:B</soap:Value></soap:Subcode></soap:Subcode></soap:Code>"#,
                        r#"<soap:Reason><soap:Text xml:lang="en">x</soap:Text></soap:Reason><soap:Node>urn:n</soap:Node><soap:Role>urn:r</soap:Role><soap:Detail />"#,
                    ),
                ],
            ),
        ]
    }

    #[test]
    fn faults_are_written_as_their_version_writes_them() {
        for (fault, expected) in faults() {
            for (version, expected) in [&SOAP_11, &SOAP_12].into_iter().zip(expected) {
                let mut text = Vec::new();
                (version.write_fault)(&fault, &mut Content::compact(&mut text));
                assert_eq!(String::from_utf8(text).unwrap(), expected);
            }
        }
    }
}
