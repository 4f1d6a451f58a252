//! The checks of a signed message.

use std::time::SystemTime;

use ring::digest::digest;
use svcgen_ws::internals::{Timestamp, read_time};

use crate::algorithm::sha_256;
use crate::canonical::{Target, canonical};
use crate::certificate::Certificate;
use crate::error::SignatureError;
use crate::names::{DS, WSSE, WSU};
use crate::outline::{Node, Outline, Part, Security};
use crate::policy::SignaturePolicy;
use crate::signature::{KeyReference, Reference, Signature, token_certificates};
use crate::verified_signature::VerifiedSignature;

/// A message with a valid signature.
pub(crate) struct Checked {
    pub(crate) signature: VerifiedSignature,
    /// A hash of the signed content, and the time of the `Timestamp`, if that is signed.
    pub(crate) nonce: Option<([u8; 20], SystemTime)>,
}

fn lacks(what: &str) -> SignatureError {
    SignatureError::security(format!("{what}, which is asked for here."))
}

impl SignaturePolicy {
    /// Checks everything except whether the message was received before.
    pub(crate) fn check(&self, text: &str, now: SystemTime) -> Result<Checked, SignatureError> {
        let outline = Outline::of(text, &self.limits)?;
        let security = outline.security.as_ref();
        let security = security.ok_or_else(|| lacks("there is no wsse:Security header"))?;
        let mut signatures = security
            .children
            .iter()
            .filter(|(part, _)| part.is(DS, "Signature"));
        let (_, node) = signatures
            .next()
            .ok_or_else(|| lacks("there is no ds:Signature"))?;
        if signatures.next().is_some() {
            return Err(SignatureError::security("there are two ds:Signature."));
        }
        let signature = Signature::read(node, self.allows_sha1)?;
        // The signer is checked first, so that nobody else can cause canonicalisation.
        let (certificate, nonce) = self.signer(text, &signature, security, now)?;
        let parts = self.signed_parts(text, &outline, &signature.references)?;
        let is_signed = |part: &Part| parts.iter().any(|signed| signed.start == part.start);
        self.check_required(&outline, security, &is_signed)?;
        let created = self.check_timestamp(security, &is_signed, now)?;
        let names = parts
            .iter()
            .map(|part| (part.namespace.clone(), part.name.clone()));
        Ok(Checked {
            signature: VerifiedSignature {
                certificate,
                parts: names.collect(),
                signs_body: is_signed(&outline.body),
            },
            nonce: created.map(|created| (nonce, created)),
        })
    }

    /// Returns the certificate whose key created the signature, and a hash of the signed content
    /// and the key.
    fn signer(
        &self,
        text: &str,
        signature: &Signature<'_>,
        security: &Security,
        now: SystemTime,
    ) -> Result<(Certificate, [u8; 20]), SignatureError> {
        let (candidates, issuers) = self.candidates(&signature.key, security)?;
        // If no candidate is trusted, the first error is returned.
        let mut refused = None;
        let trusted = candidates.into_iter().filter(|certificate| {
            let checked = self.signers.check(certificate, &issuers, now);
            let is_trusted = checked.is_ok();
            refused = refused.take().or(checked.err());
            is_trusted
        });
        let trusted: Vec<_> = trusted.collect();
        if let (true, Some(error)) = (trusted.is_empty(), refused) {
            return Err(error);
        }
        let target = std::slice::from_ref(&signature.signed_info);
        let info = canonical(text, &self.limits, target)?.concat();
        let mut wrong = SignatureError::unavailable("no certificate of this name is known");
        for certificate in trusted {
            match signature
                .method
                .verify(&certificate, &info, &signature.value)
            {
                Ok(()) => {
                    // The hash does not include the SignatureValue, because ECDSA has two valid
                    // ones for the same message.
                    let hash = sha_256(&[certificate.public_key(), &info].concat());
                    let nonce = hash.as_ref().first_chunk().copied().unwrap_or_default();
                    return Ok((certificate, nonce));
                }
                Err(error) => wrong = error,
            }
        }
        Err(wrong)
    }

    /// Returns the certificates that a message may refer to: several if different authorities
    /// issued the same serial number. Then the certificates of issuers in the message.
    fn candidates(
        &self,
        key: &KeyReference<'_>,
        security: &Security,
    ) -> Result<(Vec<Certificate>, Vec<Certificate>), SignatureError> {
        let known =
            |is_it: &dyn Fn(&Certificate) -> bool| Ok((self.signers.known(is_it), Vec::new()));
        match key {
            KeyReference::Token(id) => {
                let mut children = security.children.iter();
                let token = children.find(|(part, _)| part.id.as_deref() == Some(*id));
                let (_, token) = token.ok_or_else(|| {
                    SignatureError::unavailable("the wsse:Reference is to no token of the header")
                })?;
                let mut issuers = token_certificates(token)?;
                Ok((issuers.pop().into_iter().collect(), issuers))
            }
            KeyReference::Certificate(der) => Ok((vec![Certificate::from_der(der)?], Vec::new())),
            KeyReference::SerialNumber(number) => {
                known(&|certificate| certificate.serial_number() == *number)
            }
            KeyReference::KeyIdentifier(id) => {
                known(&|certificate| certificate.key_identifier() == Some(id))
            }
            KeyReference::Thumbprint(hash) => {
                known(&|certificate| certificate.thumbprint() == **hash)
            }
        }
    }

    /// Returns the referenced parts, after checking their digests.
    fn signed_parts<'o>(
        &self,
        text: &str,
        outline: &'o Outline,
        references: &[Reference<'_>],
    ) -> Result<Vec<&'o Part>, SignatureError> {
        let mut parts: Vec<&Part> = Vec::new();
        for reference in references {
            let part = outline.part(reference.id).ok_or_else(|| {
                SignatureError::security(format!(
                    "the id '{}' is neither that of the Body nor of a header or a token for this receiver.",
                    reference.id
                ))
            })?;
            if parts.iter().any(|known| known.start == part.start) {
                return Err(SignatureError::security("a part has two ds:Reference."));
            }
            parts.push(part);
        }
        let targets = references
            .iter()
            .zip(&parts)
            .map(|(reference, part)| Target {
                start: part.start,
                prefixes: reference.prefixes.clone(),
                id: Some(reference.id),
                allows_unsigned_prefixes: self.allows_unsigned_prefixes,
            });
        let forms = canonical(text, &self.limits, &targets.collect::<Vec<_>>())?;
        for ((reference, part), form) in references.iter().zip(&parts).zip(forms) {
            if digest(reference.digest, &form).as_ref() != reference.value {
                let name = &part.name;
                return Err(SignatureError::check(format!(
                    "the digest of {name} is wrong"
                )));
            }
        }
        Ok(parts)
    }

    /// Checks that all required parts are signed, except the `Timestamp`.
    fn check_required(
        &self,
        outline: &Outline,
        security: &Security,
        is_signed: &dyn Fn(&Part) -> bool,
    ) -> Result<(), SignatureError> {
        if self.needs_body && !is_signed(&outline.body) {
            return Err(lacks("the Body is not signed"));
        }
        for (namespace, name) in &self.headers {
            let all = outline
                .headers
                .iter()
                .chain(security.children.iter().map(|(part, _)| part));
            let mut all = all.filter(|part| part.is(namespace, name));
            let (first, second) = (all.next(), all.next());
            if second.is_some() {
                let why = format!("there are two headers {name}.");
                return Err(SignatureError::security(why));
            }
            if first.is_some_and(|part| !is_signed(part)) {
                return Err(lacks(&format!("the header {name} is not signed")));
            }
        }
        // An attacker could combine their own token with the Body of another message.
        let mut children = security.children.iter();
        let is_loose =
            |(part, _): &(Part, Node)| part.is(WSSE, "UsernameToken") && !is_signed(part);
        if self.needs_body && children.any(is_loose) {
            return Err(lacks("the wsse:UsernameToken is not signed"));
        }
        Ok(())
    }

    /// Checks the `Timestamp`. Returns its time if it is signed.
    fn check_timestamp(
        &self,
        security: &Security,
        is_signed: &dyn Fn(&Part) -> bool,
        now: SystemTime,
    ) -> Result<Option<SystemTime>, SignatureError> {
        let all = security.children.iter();
        let mut all = all.filter(|(_, node)| node.is(WSU, "Timestamp"));
        let (first, second) = (all.next(), all.next());
        if second.is_some() {
            return Err(SignatureError::security("there are two wsu:Timestamp."));
        }
        let Some((part, node)) = first else {
            return if self.needs_timestamp {
                Err(lacks("there is no wsu:Timestamp"))
            } else {
                Ok(None)
            };
        };
        if self.needs_timestamp && !is_signed(part) {
            return Err(lacks("the wsu:Timestamp is not signed"));
        }
        let (created, expires) = (time(node, "Created")?, time(node, "Expires")?);
        let timestamp = Timestamp {
            created: created.clone(),
            expires,
        };
        self.freshness.check_timestamp(&timestamp, now)?;
        let created = created.ok_or_else(|| lacks("the wsu:Timestamp has no wsu:Created"))?;
        let created = read_time("wsu:Created of the wsu:Timestamp", &created)?;
        // Independent of `Expires`, because messages are remembered no longer than this.
        self.freshness.check_age("wsu:Timestamp", created, now)?;
        Ok(is_signed(part).then_some(created))
    }
}

/// Returns a time of a `Timestamp`, which may occur at most once.
fn time(timestamp: &Node, name: &str) -> Result<Option<String>, SignatureError> {
    let mut children = timestamp
        .children
        .iter()
        .filter(|child| child.is(WSU, name));
    let (first, second) = (children.next(), children.next());
    if second.is_some() {
        let why = "a wsu:Timestamp has two times of one name.";
        return Err(SignatureError::security(why));
    }
    Ok(first.map(|time| time.text.clone()))
}
