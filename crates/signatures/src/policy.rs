//! The requirements for signed messages.

use std::time::{Duration, SystemTime};

use svcgen_core::Limits;
use svcgen_ws::internals::Freshness;
use svcgen_ws::ws_security::Nonces;

use crate::error::SignatureError;
use crate::trusted_signers::TrustedSigners;
use crate::verified_signature::VerifiedSignature;

/// The requirements of a server for requests, or of a client for answers. Clones share the memory
/// of messages.
///
/// By default, the Body and the `Timestamp` must be signed, with SHA-2, by one of the
/// [`TrustedSigners`]. A message is accepted once, for five minutes, plus five minutes in both
/// directions for differing clocks.
///
/// ```no_run
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use svcgen_signatures::{Certificate, SignaturePolicy, TrustedSigners};
///
/// let partner = Certificate::from_pem(&std::fs::read("partner.pem")?)?;
/// let policy = SignaturePolicy::new(TrustedSigners::new().with_certificate(partner))
///     .with_signed_header("http://www.w3.org/2005/08/addressing", "To");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct SignaturePolicy {
    pub(crate) signers: TrustedSigners,
    pub(crate) freshness: Freshness,
    pub(crate) limits: Limits,
    pub(crate) needs_body: bool,
    pub(crate) needs_timestamp: bool,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) allows_sha1: bool,
    pub(crate) allows_unsigned_prefixes: bool,
}

impl SignaturePolicy {
    /// Requires a signature of the Body and the `Timestamp`.
    pub fn new(signers: TrustedSigners) -> Self {
        Self {
            signers,
            freshness: Freshness::default(),
            limits: Limits::default(),
            needs_body: true,
            needs_timestamp: true,
            headers: Vec::new(),
            allows_sha1: false,
            allows_unsigned_prefixes: false,
        }
    }

    /// Sets whether the Body must be signed. If not, only TLS protects the message, and the
    /// signature proves the sender (`EndorsingSupportingTokens` of WS-SecurityPolicy).
    #[must_use]
    pub fn with_required_body(mut self, required: bool) -> Self {
        self.needs_body = required;
        self
    }

    /// Sets whether a signed `Timestamp` is required. Without one, anybody who has seen a message
    /// can send it again at any time.
    #[must_use]
    pub fn with_required_timestamp(mut self, required: bool) -> Self {
        self.needs_timestamp = required;
        self
    }

    /// Requires that the SOAP header with this namespace and name is signed if it is present, at
    /// most once in a message. Handlers read other headers even if they are not signed.
    #[must_use]
    pub fn with_signed_header(mut self, namespace: &str, name: &str) -> Self {
        self.headers.push((namespace.to_owned(), name.to_owned()));
        self
    }

    /// Sets whether signatures and digests with SHA-1 are accepted, for partners that support
    /// nothing newer. The author of two messages can give both the same SHA-1. So a partner can
    /// deny that it signed a message, and the author of messages for the partner can exchange them.
    #[must_use]
    pub fn with_legacy_sha1(mut self, allowed: bool) -> Self {
        self.allows_sha1 = allowed;
        self
    }

    /// Sets whether `xsi:type` may have a prefix whose namespace is not signed. Without
    /// `InclusiveNamespaces`, which WCF does not write, exclusive canonicalisation omits the
    /// declaration of such a prefix. Then an attacker can change the namespace of a type, but
    /// nothing else.
    #[must_use]
    pub fn with_unsigned_prefixes(mut self, allowed: bool) -> Self {
        self.allows_unsigned_prefixes = allowed;
        self
    }

    /// Limits the age of a message. By default, five minutes.
    #[must_use]
    pub fn with_freshness(mut self, time: Duration) -> Self {
        self.freshness.age = time;
        self
    }

    /// Sets the largest accepted difference of clocks. By default, five minutes.
    #[must_use]
    pub fn with_clock_skew(mut self, time: Duration) -> Self {
        self.freshness.skew = time;
        self
    }

    /// Sets the store that remembers messages, so that no message is accepted twice. By default,
    /// [`MemoryNonces`](svcgen_ws::ws_security::MemoryNonces). A nonce is a hash of the signed
    /// content and the key.
    #[must_use]
    pub fn with_nonces(mut self, nonces: impl Nonces) -> Self {
        self.freshness.set_nonces(nonces);
        self
    }

    /// Sets the limits of messages. By default, the same as for servers and clients.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the clock, for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.freshness.set_clock(clock);
        self
    }

    /// Checks a message, given as the text of its envelope. The message then counts as received, so
    /// a second call with the same message fails.
    ///
    /// # Errors
    ///
    /// The message does not meet a requirement of this policy.
    pub async fn verify(&self, message: &str) -> Result<VerifiedSignature, SignatureError> {
        let now = self.freshness.now();
        let checked = self.check(message, now)?;
        // Stored only for trusted signers: others could fill the memory.
        if let Some((nonce, created)) = checked.nonce
            && !self.freshness.remember(nonce, created, now).await?
        {
            let why = "the message came before; sign each one anew.";
            return Err(SignatureError::security(why));
        }
        Ok(checked.signature)
    }
}
