//! What is known of a message whose signature is right.

use std::sync::Arc;

use http::Extensions;

use crate::certificate::Certificate;

/// Who signed a request, and what: an extension of the request, for layers and handlers.
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
    /// The namespaces and names of what is signed.
    pub(crate) parts: Arc<[(String, String)]>,
    pub(crate) signs_body: bool,
}

impl VerifiedSignature {
    /// The signature among the extensions of a request.
    pub fn of(extensions: &Extensions) -> Option<&Self> {
        extensions.get()
    }

    /// The certificate of who signed, which is trusted.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Whether the Body is signed: always, unless the
    /// [policy](crate::SignaturePolicy::with_required_body) does not ask for it.
    pub fn signs_body(&self) -> bool {
        self.signs_body
    }

    /// Whether a header of this namespace and name is signed. Another one of the same name need not
    /// be, unless the [policy](crate::SignaturePolicy::with_signed_header) asks for it.
    pub fn signs_header(&self, namespace: &str, name: &str) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| part.0 == namespace && part.1 == name)
    }
}
