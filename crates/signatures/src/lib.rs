//! Signed SOAP messages: XML Signature in the header `wsse:Security`, with X.509 certificates, of
//! servers and clients of `svcgen`.
//!
//! A server accepts only requests that a partner signed, and signs its answers:
//!
//! ```no_run
//! use svcgen_signatures::{Certificate, ServerSignatures, SignaturePolicy, Signer, TrustedSigners};
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> Result<svcgen::Server<S, H>, Box<dyn std::error::Error>> {
//! let partner = Certificate::from_pem(&std::fs::read("partner.pem")?)?;
//! let signer = Signer::from_pem(&std::fs::read("own.pem")?, &std::fs::read("own.key")?)?;
//! let server = server
//!     .with_verified_requests(SignaturePolicy::new(TrustedSigners::new().with_certificate(partner)))
//!     .with_signed_answers(signer);
//! # Ok(server)
//! # }
//! ```
//!
//! A client does the reverse:
//!
//! ```no_run
//! use svcgen_signatures::{Certificate, ClientSignatures, SignaturePolicy, Signer, TrustedSigners};
//!
//! # fn example<T: svcgen::Transport>(client: svcgen::codegen::Client<T>) -> Result<svcgen::codegen::Client<impl svcgen::Transport>, Box<dyn std::error::Error>> {
//! let service = Certificate::from_pem(&std::fs::read("service.pem")?)?;
//! let signer = Signer::from_pem(&std::fs::read("own.pem")?, &std::fs::read("own.key")?)?;
//! let client = client
//!     .with_verified_answers(SignaturePolicy::new(TrustedSigners::new().with_certificate(service)))
//!     .with_signed_requests(signer);
//! # Ok(client)
//! # }
//! ```
//!
//! # What is accepted
//!
//! - One `Signature` in the one `Security` header for this receiver, over the Body, the
//!   `Timestamp`, and the headers that the [`SignaturePolicy`] names. Each reference names one of
//!   these parts by its `wsu:Id`, which no other element may have. The bindings read the same parts
//!   that were signed.
//! - Exclusive canonicalisation without comments, with `InclusiveNamespaces`. The transform
//!   `enveloped-signature` may come before it, as some stacks write it: it changes nothing here.
//! - RSA (PKCS #1 v1.5, 2048 to 8192 bits) with SHA-2, and ECDSA on P-256 with SHA-256 and on P-384
//!   with SHA-384. SHA-1 is accepted only with
//!   [`with_legacy_sha1`](SignaturePolicy::with_legacy_sha1).
//! - The certificate as a `BinarySecurityToken`, alone (`X509v3`) or with those of the authorities
//!   above it (`X509PKIPathv1`), in `X509Data` or in a `KeyIdentifier`; or a reference by issuer
//!   and serial number, subject key identifier or thumbprint to one that is [trusted by
//!   itself](TrustedSigners::with_certificate). A reference by issuer and serial number is looked
//!   up only by the number, because stacks write names in many ways; the key must match.
//! - Each message once. If a stack writes no ids of its own, two requests with equal contents and
//!   times are the same message; such a caller must send a different `Timestamp` with each.
//! - Messages in UTF-8, without processing instructions. The prefix of a qualified name in
//!   `xsi:type` must be signed, because a name uses it or `InclusiveNamespaces` lists it; types of
//!   XML Schema are exempt. Qualified names in the text of values are not checked.
//!
//! # What is refused
//!
//! | fault code, in the namespace of `wsse` | reason |
//! |---|---|
//! | `InvalidSecurity` | a part is missing, not signed or repeated, or the message was received before |
//! | `FailedCheck` | a digest or the signature is wrong |
//! | `InvalidSecurityToken` | the certificate is not trusted, has expired, or is not for signatures |
//! | `SecurityTokenUnavailable` | the message refers to an unknown certificate |
//! | `UnsupportedSecurityToken` | the key is not the key of a certificate: a symmetric or derived key, SAML, Kerberos |
//! | `UnsupportedAlgorithm` | another algorithm or transform (`STR-Transform`, XPath, HMAC), or an encrypted part |
//! | `MessageExpired` | the `Timestamp` is too old, or from the future |
//!
//! A fault contains no further details about certificates and digests for callers. Its
//! [cause](svcgen_core::Fault::cause) has the details for the log.
//!
//! Encryption is not implemented. It needs RSA decryption and AES-CBC, which ring does not have, and
//! the decryption of the crate `rsa` leaks the key through its timing (RUSTSEC-2023-0071). Use TLS,
//! or let a gateway decrypt.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod algorithm;
mod canonical;
mod certificate;
mod check;
mod client;
mod der_sequence;
mod distinguished_name;
mod error;
mod message_text;
mod names;
mod outline;
mod policy;
mod server;
mod signature;
mod signer;
mod trusted_signers;
mod verified_signature;

pub use certificate::Certificate;
pub use client::{ClientSignatures, SigningTransport, VerifyingTransport};
pub use error::SignatureError;
pub use policy::SignaturePolicy;
pub use server::ServerSignatures;
pub use signer::{CertificateReference, Signer};
pub use trusted_signers::TrustedSigners;
pub use verified_signature::VerifiedSignature;
