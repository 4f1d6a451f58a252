//! WS-SecurityPolicy (1.1 to 1.3): the signatures that a policy requires, and those that are not
//! supported.

use roxmltree::Node;

use crate::xml::elements;

/// Assertions within `AsymmetricBinding` that `svcgen-signatures` fulfils by default.
const FULFILLED: [&str; 20] = [
    "InitiatorToken",
    "RecipientToken",
    "InitiatorSignatureToken",
    "RecipientSignatureToken",
    // They are used only if parts are encrypted, which is refused elsewhere.
    "InitiatorEncryptionToken",
    "RecipientEncryptionToken",
    "X509Token",
    "WssX509V3Token10",
    "WssX509V3Token11",
    "AlgorithmSuite",
    "Basic256Sha256",
    "Basic192Sha256",
    "Basic128Sha256",
    "Basic256Sha256Rsa15",
    "Layout",
    "Strict",
    "Lax",
    "LaxTsFirst",
    "IncludeTimestamp",
    "OnlySignEntireHeadersAndBody",
];

/// Assertions within `AsymmetricBinding`, and the `Signer` call that fulfils them.
const CALLS: [(&str, &str); 4] = [
    ("ProtectTokens", "with_signed_token(true)"),
    (
        "RequireIssuerSerialReference",
        "with_reference(CertificateReference::IssuerSerial)",
    ),
    (
        "RequireKeyIdentifierReference",
        "with_reference(CertificateReference::SubjectKeyIdentifier)",
    ),
    (
        "RequireThumbprintReference",
        "with_reference(CertificateReference::Thumbprint)",
    ),
];

/// Returns a hint on how to fulfil an `AsymmetricBinding`; the error is the path of an assertion
/// that cannot be fulfilled.
pub(super) fn asymmetric_binding(node: Node<'_, '_>) -> Result<String, String> {
    let all: Vec<_> = assertions(node).collect();
    let is_there = |name: &str| all.contains(&name);
    let calls = CALLS.iter().filter(|(name, _)| is_there(name));
    let calls: Vec<_> = calls.map(|(_, call)| format!("`{call}`")).collect();
    let known = |name: &str| FULFILLED.contains(&name) || CALLS.iter().any(|it| it.0 == name);
    if let Some(other) = all.iter().find(|name| !known(name)) {
        return Err(format!("AsymmetricBinding/{other}"));
    }
    for needed in ["X509Token", "AlgorithmSuite", "IncludeTimestamp"] {
        if !is_there(needed) {
            return Err(format!("AsymmetricBinding without {needed}"));
        }
    }
    let mut hint = "clients with `with_signed_requests` and `with_verified_answers`, servers with `with_verified_requests` and `with_signed_answers` of the crate `svcgen-signatures` write and read them".to_owned();
    if !calls.is_empty() {
        hint.push_str("; the `Signer` needs ");
        hint.push_str(&calls.join(" and "));
    }
    Ok(hint)
}

/// Returns a hint on how to fulfil an assertion of tokens that endorse a message protected by TLS:
/// by a signature of its `Timestamp`. `None` if they are not X.509 certificates.
pub(super) fn endorsing_tokens(node: Node<'_, '_>) -> Option<&'static str> {
    let is_endorsing = [
        "EndorsingSupportingTokens",
        "SignedEndorsingSupportingTokens",
    ]
    .contains(&node.tag_name().name());
    let mut all = assertions(node).peekable();
    let has_certificates = all.peek().is_some()
        && all.all(|name| matches!(name, "X509Token" | "WssX509V3Token10" | "WssX509V3Token11"));
    (is_endorsing && has_certificates).then_some(
        "clients with `with_signed_requests` and a `Signer` `with_signed_body(false)`, servers with `with_verified_requests` and a `SignaturePolicy` `with_required_body(false)` of the crate `svcgen-signatures` write and read them",
    )
}

/// The headers that `SignedParts` lists, by name and namespace.
pub(super) fn signed_headers(node: Node<'_, '_>) -> Vec<String> {
    let headers = elements(node).filter(|part| part.tag_name().name() == "Header");
    let named = headers.map(|header| {
        let attribute = |name| header.attribute(name).unwrap_or_default().trim();
        match attribute("Name") {
            "" => format!("all of `{}`", attribute("Namespace")),
            name => format!("`{name}` of `{}`", attribute("Namespace")),
        }
    });
    named.collect()
}

/// The names of the assertions within an assertion, without the WS-Policy operators around them.
fn assertions<'n>(node: Node<'n, 'n>) -> impl Iterator<Item = &'n str> {
    let all = node.descendants().skip(1).filter(|node| {
        let namespace = node.tag_name().namespace().unwrap_or_default();
        node.is_element() && namespace.contains("securitypolicy")
    });
    all.map(|node| node.tag_name().name())
}
