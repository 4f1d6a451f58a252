//! What is asked of signed messages.

use std::time::{Duration, SystemTime};

use svcgen_core::Limits;
use svcgen_ws::internals::Freshness;
use svcgen_ws::ws_security::Nonces;

use crate::error::SignatureError;
use crate::trusted_signers::TrustedSigners;
use crate::verified_signature::VerifiedSignature;

/// What a server asks of requests, or a client of answers. Clones share the memory of messages.
///
/// By default the Body and the `Timestamp` have to be signed, with SHA-2, by one of the
/// [`TrustedSigners`]; a message is accepted once, and for five minutes, give or take five minutes
/// by which clocks differ.
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
    /// Asks for a signature of the Body and the `Timestamp`.
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

    /// Sets whether the Body has to be signed. Without it, TLS alone protects the message, and the
    /// signature shows who sends it (`EndorsingSupportingTokens` of WS-SecurityPolicy).
    #[must_use]
    pub fn with_required_body(mut self, required: bool) -> Self {
        self.needs_body = required;
        self
    }

    /// Sets whether there has to be a `Timestamp` that is signed. Without one, a message can be sent
    /// again at any time, by whoever has seen it.
    #[must_use]
    pub fn with_required_timestamp(mut self, required: bool) -> Self {
        self.needs_timestamp = required;
        self
    }

    /// Asks that the SOAP header of this namespace and name is signed wherever it is sent, once in a
    /// message. Handlers read other headers as they come.
    #[must_use]
    pub fn with_signed_header(mut self, namespace: &str, name: &str) -> Self {
        self.headers.push((namespace.to_owned(), name.to_owned()));
        self
    }

    /// Sets whether signatures and digests with SHA-1 are accepted, for partners that have nothing
    /// newer. Whoever composes two messages can give both the same SHA-1. So a partner can deny that
    /// it signed a message, and whoever composes messages for the partner can exchange them.
    #[must_use]
    pub fn with_legacy_sha1(mut self, allowed: bool) -> Self {
        self.allows_sha1 = allowed;
        self
    }

    /// Sets whether `xsi:type` may have a prefix whose namespace is not signed. Without
    /// `InclusiveNamespaces`, which WCF does not write, exclusive canonicalisation leaves such a
    /// declaration out; then somebody can change the namespace of a type, and nothing else.
    #[must_use]
    pub fn with_unsigned_prefixes(mut self, allowed: bool) -> Self {
        self.allows_unsigned_prefixes = allowed;
        self
    }

    /// Sets how old a message may be: five minutes by default.
    #[must_use]
    pub fn with_freshness(mut self, time: Duration) -> Self {
        self.freshness.age = time;
        self
    }

    /// Sets by how much clocks may differ: five minutes by default.
    #[must_use]
    pub fn with_clock_skew(mut self, time: Duration) -> Self {
        self.freshness.skew = time;
        self
    }

    /// Sets where messages are remembered, so that none is accepted twice: by default
    /// [`MemoryNonces`](svcgen_ws::ws_security::MemoryNonces). A nonce is a hash of what is signed
    /// and of the key.
    #[must_use]
    pub fn with_nonces(mut self, nonces: impl Nonces) -> Self {
        self.freshness.set_nonces(nonces);
        self
    }

    /// Sets the limits of messages, which are those of servers and clients by default.
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

    /// Checks a message: its envelope as text. It counts as received, so that a second call with the
    /// same message fails.
    ///
    /// # Errors
    ///
    /// Something that this policy asks for is not there, or wrong.
    pub async fn verify(&self, message: &str) -> Result<VerifiedSignature, SignatureError> {
        let now = self.freshness.now();
        let checked = self.check(message, now)?;
        // Remembered for trusted signers alone: others could fill the memory.
        if let Some((nonce, created)) = checked.nonce
            && !self.freshness.remember(nonce, created, now).await?
        {
            let why = "the message came before; sign each one anew.";
            return Err(SignatureError::security(why));
        }
        Ok(checked.signature)
    }
}
