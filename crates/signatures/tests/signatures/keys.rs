//! Keys and certificates of tests.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rcgen::{CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use svcgen_signatures::{Certificate, SignatureError, SignaturePolicy, Signer, TrustedSigners};

/// The RSA key of the partner, in PEM.
pub(crate) const RSA_KEY: &[u8] = include_bytes!("rsa_key.pem");
/// The certificate of the partner, in PEM.
pub(crate) const RSA: &[u8] = include_bytes!("rsa.pem");

/// The envelope to sign.
pub(crate) const MESSAGE: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Header><Tenant xmlns="urn:work">17</Tenant></soap:Header><soap:Body><Store xmlns="urn:work"><text>hello &amp; <![CDATA[<good>]]> bye</text></Store></soap:Body></soap:Envelope>"#;

/// 2026-11-29T12:00:00Z, when the messages of foreign stacks were made.
pub(crate) const NOW: u64 = 1_795_953_600;

pub(crate) fn at(seconds: u64) -> impl Fn() -> SystemTime + Send + Sync + 'static {
    move || UNIX_EPOCH + Duration::from_secs(seconds)
}

/// A certificate and its key, in PEM.
pub(crate) struct Pair {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

fn params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::new([]).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2120, 1, 1);
    params
}

impl Pair {
    /// Creates a self-signed certificate, on P-256.
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, &rcgen::PKCS_ECDSA_P256_SHA256, |_| {})
    }

    pub(crate) fn with(
        name: &str,
        algorithm: &'static rcgen::SignatureAlgorithm,
        change: impl FnOnce(&mut CertificateParams),
    ) -> Self {
        let key = KeyPair::generate_for(algorithm).unwrap();
        let mut params = params(name);
        change(&mut params);
        Self {
            certificate: params.self_signed(&key).unwrap().pem(),
            key: key.serialize_pem(),
        }
    }

    pub(crate) fn certificate(&self) -> Certificate {
        Certificate::from_pem(self.certificate.as_bytes()).unwrap()
    }

    pub(crate) fn signer(&self) -> Signer {
        let signer = Signer::from_pem(self.certificate.as_bytes(), self.key.as_bytes());
        signer.unwrap().with_clock(at(NOW))
    }

    /// Returns a policy that accepts signatures of this key.
    pub(crate) fn policy(&self) -> SignaturePolicy {
        policy(TrustedSigners::new().with_certificate(self.certificate()))
    }
}

/// An authority that issues certificates.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = params(name);
        params.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
        Self(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    /// Creates an authority that this one issues.
    pub(crate) fn issue_authority(&self, name: &str) -> Self {
        let mut params = params(name);
        params.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
        Self(CertifiedIssuer::signed_by(params, key, &self.0).unwrap())
    }

    pub(crate) fn certificate(&self) -> Certificate {
        Certificate::from_der(self.0.der()).unwrap()
    }

    pub(crate) fn issue(&self, change: impl FnOnce(&mut CertificateParams)) -> Pair {
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
        let mut params = params("ann");
        change(&mut params);
        Pair {
            certificate: params.signed_by(&key, &self.0).unwrap().pem(),
            key: key.serialize_pem(),
        }
    }

    /// Returns a policy that accepts signatures of certificates that this authority issued.
    pub(crate) fn policy(&self) -> SignaturePolicy {
        let signers = TrustedSigners::new().with_authority(&self.certificate());
        policy(signers.unwrap())
    }
}

pub(crate) fn policy(signers: TrustedSigners) -> SignaturePolicy {
    SignaturePolicy::new(signers).with_clock(at(NOW))
}

/// Returns the signer and the policy of the partner with the RSA key.
pub(crate) fn partner() -> (Signer, SignaturePolicy) {
    let signer = Signer::from_pem(RSA, RSA_KEY).unwrap().with_clock(at(NOW));
    let certificate = Certificate::from_pem(RSA).unwrap();
    let policy = policy(TrustedSigners::new().with_certificate(certificate));
    (signer, policy)
}

/// Returns the local name of the fault code for the caller.
pub(crate) fn code(error: &SignatureError) -> String {
    let [code] = error.fault().subcodes() else {
        panic!("{error:?}")
    };
    let code = code.to_string();
    code.rsplit(['}', ':', '#'])
        .next()
        .unwrap_or_default()
        .to_owned()
}
