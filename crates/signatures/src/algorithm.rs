//! The algorithms of digests and signatures: a fixed list. Messages cannot use any others.

use ring::digest::{self, digest};
use ring::signature::{self, UnparsedPublicKey, VerificationAlgorithm};

use crate::certificate::{Certificate, KeyKind};
use crate::error::SignatureError;

/// The digest of parts that this crate signs.
pub(crate) const SHA_256: &str = "http://www.w3.org/2001/04/xmlenc#sha256";

/// The digests. SHA-1 is only for callers that support no other.
const DIGESTS: [(&str, &digest::Algorithm); 4] = [
    (SHA_256, &digest::SHA256),
    (
        "http://www.w3.org/2001/04/xmldsig-more#sha384",
        &digest::SHA384,
    ),
    ("http://www.w3.org/2001/04/xmlenc#sha512", &digest::SHA512),
    (
        "http://www.w3.org/2000/09/xmldsig#sha1",
        &digest::SHA1_FOR_LEGACY_USE_ONLY,
    ),
];

/// A method of signatures.
pub(crate) struct Method {
    pub(crate) uri: &'static str,
    kind: KeyKind,
    verification: &'static dyn VerificationAlgorithm,
    /// Whether the method uses SHA-1.
    is_weak: bool,
}

/// The methods. None uses a secret as its key, so nobody can pass off the public key as a secret.
static METHODS: [Method; 6] = [
    Method {
        uri: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
        kind: KeyKind::Rsa,
        verification: &signature::RSA_PKCS1_2048_8192_SHA256,
        is_weak: false,
    },
    Method {
        uri: "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256",
        kind: KeyKind::P256,
        verification: &signature::ECDSA_P256_SHA256_FIXED,
        is_weak: false,
    },
    Method {
        uri: "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384",
        kind: KeyKind::P384,
        verification: &signature::ECDSA_P384_SHA384_FIXED,
        is_weak: false,
    },
    Method {
        uri: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384",
        kind: KeyKind::Rsa,
        verification: &signature::RSA_PKCS1_2048_8192_SHA384,
        is_weak: false,
    },
    Method {
        uri: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
        kind: KeyKind::Rsa,
        verification: &signature::RSA_PKCS1_2048_8192_SHA512,
        is_weak: false,
    },
    Method {
        uri: "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
        kind: KeyKind::Rsa,
        verification: &signature::RSA_PKCS1_2048_8192_SHA1_FOR_LEGACY_USE_ONLY,
        is_weak: true,
    },
];

const WEAK: &str = "SHA-1 is not accepted here; use SHA-256.";

impl Method {
    /// Returns the method with a name.
    pub(crate) fn named(uri: &str, allows_sha1: bool) -> Result<&'static Self, SignatureError> {
        let method = METHODS.iter().find(|method| method.uri == uri);
        match method {
            Some(method) if method.is_weak && !allows_sha1 => Err(SignatureError::algorithm(WEAK)),
            Some(method) => Ok(method),
            None => Err(SignatureError::algorithm(
                "the SignatureMethod is neither RSA nor ECDSA with SHA-2.",
            )),
        }
    }

    /// Returns the method for signing with a kind of key: the first of this kind.
    pub(crate) fn of_key(kind: KeyKind) -> &'static Self {
        let mut methods = METHODS.iter();
        methods
            .find(|method| method.kind == kind)
            .unwrap_or(&METHODS[0])
    }

    /// Checks a signature with the key of a certificate.
    pub(crate) fn verify(
        &self,
        certificate: &Certificate,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureError> {
        if certificate.kind() != Some(self.kind) {
            let why = "the key of the certificate does not fit the SignatureMethod";
            return Err(SignatureError::check(why));
        }
        let key = UnparsedPublicKey::new(self.verification, certificate.public_key());
        let wrong = |_| SignatureError::check("the SignatureValue is wrong");
        key.verify(message, signature).map_err(wrong)
    }
}

/// Returns the digest with a name.
pub(crate) fn digest_named(
    uri: &str,
    allows_sha1: bool,
) -> Result<&'static digest::Algorithm, SignatureError> {
    let found = DIGESTS.into_iter().find(|(name, _)| *name == uri);
    match found {
        Some((_, algorithm)) if *algorithm == digest::SHA1_FOR_LEGACY_USE_ONLY && !allows_sha1 => {
            Err(SignatureError::algorithm(WEAK))
        }
        Some((_, algorithm)) => Ok(algorithm),
        None => Err(SignatureError::algorithm("the DigestMethod is not SHA-2.")),
    }
}

pub(crate) fn sha_256(bytes: &[u8]) -> digest::Digest {
    digest(&digest::SHA256, bytes)
}
