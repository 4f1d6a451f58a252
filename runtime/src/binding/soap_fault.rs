//! The parts of a fault that both versions of SOAP have.

use std::borrow::Cow;

use super::VERSIONS;
use crate::fault::{Fault, FaultCode};
use crate::xml::{Content, XmlFragment};

/// Writes an element with the text of a fault in it.
pub(crate) fn write_text(name: &str, text: &str, out: &mut Content<'_>) {
    out.text(name, &carried(text));
}

/// A text with every character that XML cannot carry replaced by U+FFFD, so that no fault is lost for its text.
pub(crate) fn carried(text: &str) -> Cow<'_, str> {
    let lost = |c: char| matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}');
    if !text.contains(lost) {
        return text.into();
    }
    text.chars()
        .map(|c| {
            if lost(c) {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect::<String>()
        .into()
}

/// Writes a code as text of the element `name`; one of the service's own with its namespace as prefix `q0`.
pub(crate) fn write_code(name: &str, code: CodeName<'_>, out: &mut Content<'_>) {
    match code {
        CodeName::Soap(code) => out.text(name, &format!("soap:{code}")),
        CodeName::Own {
            namespace: "",
            name: code,
        } => write_text(name, code, out),
        CodeName::Own {
            namespace,
            name: code,
        } => {
            out.start(name, &[("xmlns:q0", &carried(namespace))]);
            out.escaped(&carried(&format!("q0:{code}")));
            out.end(name);
        }
    }
}

/// The name of a fault code as one version of SOAP has it.
pub(crate) enum CodeName<'c> {
    Soap(&'static str),
    Own { namespace: &'c str, name: &'c str },
}

/// Writes the detail element, empty if there is none; a fault about a header has no detail (SOAP 1.1 §4.4).
pub(crate) fn write_detail(name: &str, fault: &Fault, out: &mut Content<'_>) {
    if *fault.code() == FaultCode::MustUnderstand {
        return;
    }
    out.start(name, &[]);
    out.raw(fault.detail().unwrap_or_default());
    out.end(name);
}

/// Adds the inside of a detail element to a fault, with the namespace declarations around it that it needs, unless there is nothing but white space in it.
pub(crate) fn with_detail(fault: Fault, detail: XmlFragment) -> Fault {
    match detail.as_str().trim() {
        "" => fault,
        _ => fault.with_detail_xml(detail),
    }
}

/// The code of a qualified name, in either version's words. The dot notation of SOAP 1.1 (`Client.Authentication`, §4.4.1) means its first part.
pub(crate) fn code_of((namespace, name): (String, String)) -> FaultCode {
    let soap = namespace.is_empty()
        || VERSIONS
            .iter()
            .any(|version| version.namespace == namespace);
    match name.split('.').next().unwrap_or_default() {
        "Client" | "Sender" if soap => FaultCode::Client,
        "Server" | "Receiver" if soap => FaultCode::Server,
        "VersionMismatch" if soap => FaultCode::VersionMismatch,
        "MustUnderstand" if soap => FaultCode::MustUnderstand,
        _ => FaultCode::other(namespace, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultName;

    /// Faults, and how they are written in SOAP 1.1 and in SOAP 1.2.
    fn faults() -> [(Fault, [&'static str; 2]); 4] {
        [
            (
                Fault::server("boom <&>"),
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
                    .with_subcode(FaultName::new("urn:q", "Sub")),
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
                    .with_subcode(FaultName::new("urn:q", "A"))
                    .with_subcode(FaultName::new("urn:q", "B"))
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
            for (version, expected) in VERSIONS.into_iter().zip(expected) {
                let mut text = Vec::new();
                (version.write_fault)(&fault, &mut Content::compact(&mut text));
                assert_eq!(String::from_utf8(text).unwrap(), expected);
            }
        }
    }
}
