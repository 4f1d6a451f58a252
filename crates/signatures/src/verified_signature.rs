//! The information about a verified signature.

use std::sync::Arc;

use http::Extensions;

use crate::certificate::Certificate;

/// The signer of a request, and the signed parts: an extension of the request, for layers and
/// handlers.
///
/// ```
/// use svcgen::{Context, Fault};
/// use svcgen_signatures::VerifiedSignature;
///
/// fn partner(context: &Context) -> Result<&str, Fault> {
///     let signature = VerifiedSignature::of(context.extensions());
///     let signature = signature.ok_or_else(|| Fault::client("Sign the request."))?;
///     Ok(signature.certificate().subject())
/// }
/// ```
#[derive(Debug, Clone)]
pub struct VerifiedSignature {
    pub(crate) certificate: Certificate,
    /// The namespaces and names of the signed parts.
    pub(crate) parts: Arc<[(String, String)]>,
    pub(crate) signs_body: bool,
}

impl VerifiedSignature {
    /// Returns the signature in the extensions of a request.
    pub fn of(extensions: &Extensions) -> Option<&Self> {
        extensions.get()
    }

    /// Returns the certificate of the signer, which is trusted.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Returns whether the Body is signed: always, unless the
    /// [policy](crate::SignaturePolicy::with_required_body) does not require it.
    pub fn signs_body(&self) -> bool {
        self.signs_body
    }

    /// Returns whether a header with this namespace and name is signed. Another header with the
    /// same name need not be signed, unless the
    /// [policy](crate::SignaturePolicy::with_signed_header) requires it.
    pub fn signs_header(&self, namespace: &str, name: &str) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| part.0 == namespace && part.1 == name)
    }
}
