//! Names of WS-Security.

use svcgen_wire::types::QName;

/// The namespace of `Security` and the tokens.
pub const WSSE: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
/// The namespace of `Timestamp` and `Created`.
pub const WSU: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
/// The start of the types of passwords, up to their fragment.
pub(super) const PROFILE: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0";
/// The encoding of nonces.
pub const BASE64: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";
/// The namespaces of signatures and encrypted parts.
pub const PROTECTION: [&str; 2] = [
    "http://www.w3.org/2000/09/xmldsig#",
    "http://www.w3.org/2001/04/xmlenc#",
];

/// Returns a name in the namespace of `wsse`.
pub(super) fn wsse(name: &str) -> QName {
    QName::new(WSSE, name)
}
