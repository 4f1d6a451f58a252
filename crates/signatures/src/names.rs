//! Names of XML Signature and of the profile for X.509 tokens.

pub(crate) use svcgen_ws::internals::{BASE64, WSSE, WSU};

/// The elements of WS-Security 1.1, such as `SignatureConfirmation`.
pub(crate) const WSSE_11: &str =
    "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd";
/// XML Signature.
pub(crate) const DS: &str = "http://www.w3.org/2000/09/xmldsig#";
/// XML Encryption.
pub(crate) const XENC: &str = "http://www.w3.org/2001/04/xmlenc#";
/// Exclusive canonicalisation: the transform, and the namespace of its prefixes.
pub(crate) const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
/// The transform that omits the signature containing the reference.
pub(crate) const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
/// An X.509 certificate, as a token and as the target of a reference.
pub(crate) const X509_V3: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3";
/// A certificate after those of the authorities that issued it, as a token and as the target of a
/// reference.
pub(crate) const PKI_PATH: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509PKIPathv1";
/// A reference by the subject key identifier.
pub(crate) const KEY_IDENTIFIER: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509SubjectKeyIdentifier";
/// A reference by the SHA-1 of the certificate.
pub(crate) const THUMBPRINT: &str =
    "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#ThumbprintSHA1";
