//! The certificates whose signatures are accepted.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{ExtendedKeyUsagePurpose, IsCa, KeyUsagePurpose, date_time_ymd};
use svcgen_signatures::{
    Certificate, CertificateReference, SignaturePolicy, Signer, TrustedSigners,
};

use crate::keys::{Authority, MESSAGE, Pair, code};

async fn refused(signer: Signer, policy: SignaturePolicy, expected: &str, why: &str) {
    let signed = signer.sign(MESSAGE).unwrap();
    let error = policy.verify(&signed).await.unwrap_err();
    assert!(error.to_string().contains(why), "{error}");
    assert_eq!(code(&error), expected, "{error}");
    // The fault does not tell callers the reason.
    assert!(
        !error.fault().text().contains(why),
        "{}",
        error.fault().text()
    );
}

const INVALID: &str = "InvalidSecurityToken";

#[tokio::test]
async fn others_are_refused() {
    let (ann, bob) = (Pair::new("ann"), Pair::new("bob"));
    refused(bob.signer(), ann.policy(), INVALID, "not trusted").await;
    let by_number = bob
        .signer()
        .with_reference(CertificateReference::IssuerSerial);
    refused(
        by_number,
        ann.policy(),
        "SecurityTokenUnavailable",
        "no certificate",
    )
    .await;
    // Another certificate with the same name.
    refused(
        Pair::new("ann").signer(),
        ann.policy(),
        INVALID,
        "not trusted",
    )
    .await;
    let authority = Authority::new("authority");
    let other = Authority::new("authority").issue(|_| {});
    refused(other.signer(), authority.policy(), INVALID, "not trusted").await;
    refused(ann.signer(), authority.policy(), INVALID, "not trusted").await;
}

#[tokio::test]
async fn keys_for_something_else_are_refused() {
    let encrypting = |params: &mut rcgen::CertificateParams| {
        params.key_usages = vec![KeyUsagePurpose::KeyEncipherment];
    };
    let pair = Pair::with("ann", &rcgen::PKCS_ECDSA_P256_SHA256, encrypting);
    refused(pair.signer(), pair.policy(), INVALID, "keyUsage").await;
    let authority = Authority::new("authority");
    let issued = authority.issue(encrypting);
    refused(issued.signer(), authority.policy(), INVALID, "keyUsage").await;
    for (purpose, counts) in [
        (ExtendedKeyUsagePurpose::ClientAuth, true),
        (ExtendedKeyUsagePurpose::EmailProtection, true),
        (ExtendedKeyUsagePurpose::CodeSigning, false),
        (ExtendedKeyUsagePurpose::OcspSigning, false),
    ] {
        let issued = authority.issue(|params| params.extended_key_usages = vec![purpose]);
        if counts {
            let signed = issued.signer().sign(MESSAGE).unwrap();
            authority.policy().verify(&signed).await.unwrap();
        } else {
            refused(issued.signer(), authority.policy(), INVALID, "not trusted").await;
        }
    }
}

#[tokio::test]
async fn certificates_of_another_time_are_refused() {
    let authority = Authority::new("authority");
    for (why, from, to) in [("has expired", 2020, 2025), ("not valid yet", 2030, 2040)] {
        let change = |params: &mut rcgen::CertificateParams| {
            params.not_before = date_time_ymd(from, 1, 1);
            params.not_after = date_time_ymd(to, 1, 1);
        };
        let pair = Pair::with("ann", &rcgen::PKCS_ECDSA_P256_SHA256, change);
        refused(pair.signer(), pair.policy(), INVALID, why).await;
        let issued = authority.issue(change);
        refused(issued.signer(), authority.policy(), INVALID, why).await;
    }
}

#[test]
fn a_key_has_to_be_that_of_the_certificate() {
    let (ann, bob) = (Pair::new("ann"), Pair::new("bob"));
    let error = Signer::from_pem(ann.certificate.as_bytes(), bob.key.as_bytes()).unwrap_err();
    assert!(
        error.to_string().contains("not that of the certificate"),
        "{error}"
    );
    let error = Signer::from_pem(b"", bob.key.as_bytes()).unwrap_err();
    assert!(
        error.to_string().contains("no certificate in PEM"),
        "{error}"
    );
    let error = Signer::from_pem(ann.certificate.as_bytes(), b"").unwrap_err();
    assert!(
        error.to_string().contains("no private key in PEM"),
        "{error}"
    );
    assert!(!format!("{:?}", ann.signer()).contains("PRIVATE"));
}

#[test]
fn an_authority_is_one_by_its_certificate() {
    let authority = Authority::new("authority");
    for is_ca in [IsCa::NoCa, IsCa::ExplicitNoCa] {
        let issued = authority.issue(|params| params.is_ca = is_ca);
        let error = TrustedSigners::new().with_authority(&issued.certificate());
        let error = error.unwrap_err();
        assert!(
            error.to_string().contains("not that of an authority"),
            "{error}"
        );
    }
}

/// Returns a `PkiPath`, whose length takes two bytes.
fn path(certificates: &[&Certificate]) -> String {
    let certificates: Vec<_> = certificates.iter().map(|it| it.der()).collect();
    let certificates = certificates.concat();
    let [high, low] = u16::try_from(certificates.len()).unwrap().to_be_bytes();
    STANDARD.encode([&[0x30, 0x82, high, low], &*certificates].concat())
}

#[tokio::test]
async fn a_token_may_hold_the_authorities_between() {
    let root = Authority::new("root");
    let between = root.issue_authority("between");
    let issued = between.issue(|_| {});
    let (signer, own) = (issued.signer(), issued.certificate());
    let between = between.certificate();
    let sign = |certificates: &[&Certificate]| {
        let signed = signer.sign(MESSAGE).unwrap();
        let signed = signed.replace("#X509v3", "#X509PKIPathv1");
        signed.replace(&STANDARD.encode(own.der()), &path(certificates))
    };
    for certificates in [
        &[&between, &own][..],
        &[&root.certificate(), &between, &own],
    ] {
        let verified = root.policy().verify(&sign(certificates)).await.unwrap();
        assert_eq!(verified.certificate(), &own);
    }
    let other = Authority::new("root").issue_authority("between");
    for message in [
        signer.sign(MESSAGE).unwrap(),
        sign(&[&other.certificate(), &own]),
        sign(&[&own, &between]),
        sign(&[&between; 6]),
    ] {
        let error = root.policy().verify(&message).await.unwrap_err();
        assert_eq!(code(&error), INVALID, "{error}");
    }
}

/// Without an identifier, such a reference would be to no certificate.
#[test]
fn a_key_identifier_is_one_of_the_certificate() {
    let by_identifier = CertificateReference::SubjectKeyIdentifier;
    let signer = Pair::new("ann").signer().with_reference(by_identifier);
    let error = signer.sign(MESSAGE).unwrap_err();
    assert!(
        error.to_string().contains("no subject key identifier"),
        "{error}"
    );
}
