//! The receiver of a SOAP header.

use svcgen_wire::internals::ENVELOPES;

/// Whether a header is for this receiver: it has no actor, or is for the next receiver or, in SOAP
/// 1.2, for the ultimate receiver (SOAP 1.1 §4.2.2, SOAP 1.2 part 1 §2.2).
///
/// `attribute` returns the attribute of the header with this name, in the namespace of the envelope.
pub fn is_for_us<'h>(
    envelope: &str,
    attribute: impl FnOnce(&'static str) -> Option<&'h str>,
) -> bool {
    let [soap_11, soap_12] = ENVELOPES;
    if envelope == soap_11 {
        let actor = attribute("actor").unwrap_or_default().trim();
        return matches!(actor, "" | "http://schemas.xmlsoap.org/soap/actor/next");
    }
    let role = attribute("role").unwrap_or_default().trim();
    match role.strip_prefix(soap_12) {
        Some(role) => matches!(role, "/role/next" | "/role/ultimateReceiver"),
        None => role.is_empty(),
    }
}
