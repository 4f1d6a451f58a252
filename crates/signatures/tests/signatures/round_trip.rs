//! Our policy accepts what our signer signs.

use svcgen_signatures::{CertificateReference, SignaturePolicy, Signer};

use crate::keys::{Authority, MESSAGE, Pair, partner};

/// Returns messages in both versions of SOAP, with and without a Header.
fn messages() -> [String; 4] {
    let (before, rest) = MESSAGE.split_once("<soap:Header>").unwrap();
    let (_, after) = rest.split_once("</soap:Header>").unwrap();
    let bare = [before, after].concat();
    let soap_12 = |text: &str| {
        text.replace(
            "http://schemas.xmlsoap.org/soap/envelope/",
            "http://www.w3.org/2003/05/soap-envelope",
        )
    };
    [MESSAGE.to_owned(), soap_12(MESSAGE), soap_12(&bare), bare]
}

async fn is_accepted(signer: &Signer, policy: &SignaturePolicy, subject: &str) {
    for message in messages() {
        let signed = signer.sign(&message).unwrap();
        let verified = policy.verify(&signed).await;
        let verified = verified.unwrap_or_else(|error| panic!("{error}: {signed}"));
        assert!(verified.signs_body());
        assert_eq!(verified.certificate().subject(), subject);
        // Two messages with equal contents and times are distinct.
        let again = signer.sign(&message).unwrap();
        policy.verify(&again).await.unwrap();
        let error = policy.verify(&signed).await.unwrap_err();
        assert!(error.to_string().contains("came before"), "{error}");
    }
}

#[tokio::test]
async fn by_every_key_and_reference() {
    let (signer, policy) = partner();
    for reference in [
        CertificateReference::Token,
        CertificateReference::IssuerSerial,
        CertificateReference::SubjectKeyIdentifier,
        CertificateReference::Thumbprint,
    ] {
        let signer = signer.clone().with_reference(reference);
        is_accepted(&signer, &policy, r"CN=partner,O=Example\, Inc.,C=DE").await;
    }
    for algorithm in [
        &rcgen::PKCS_ECDSA_P256_SHA256,
        &rcgen::PKCS_ECDSA_P384_SHA384,
    ] {
        let pair = Pair::with("ann", algorithm, |_| {});
        is_accepted(&pair.signer(), &pair.policy(), "CN=ann").await;
    }
    let authority = Authority::new("authority");
    let issued = authority.issue(|_| {});
    is_accepted(&issued.signer(), &authority.policy(), "CN=ann").await;
}

#[tokio::test]
async fn headers_and_the_token_are_signed_if_that_is_said() {
    let pair = Pair::new("ann");
    let signer = pair
        .signer()
        .with_signed_header("urn:work", "Tenant")
        .with_signed_token(true);
    let policy = pair.policy().with_signed_header("urn:work", "Tenant");
    let verified = policy.verify(&signer.sign(MESSAGE).unwrap()).await.unwrap();
    assert!(verified.signs_header("urn:work", "Tenant"));
    assert!(!verified.signs_header("urn:work", "Other"));
    let error = policy
        .verify(&pair.signer().sign(MESSAGE).unwrap())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("Tenant is not signed"),
        "{error}"
    );
}

#[tokio::test]
async fn the_timestamp_alone_is_enough_where_tls_protects_the_rest() {
    let pair = Pair::new("ann");
    let signed = pair.signer().with_signed_body(false).sign(MESSAGE).unwrap();
    let verified = pair
        .policy()
        .with_required_body(false)
        .verify(&signed)
        .await
        .unwrap();
    assert!(!verified.signs_body());
    let error = pair.policy().verify(&signed).await.unwrap_err();
    assert!(
        error.to_string().contains("the Body is not signed"),
        "{error}"
    );
}

#[tokio::test]
async fn a_header_that_is_there_is_used() {
    let wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    let wsu = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    let header = format!(
        "<w:Security xmlns:w=\"{wsse}\" xmlns:wsu=\"{wsu}\"><wsu:Timestamp><wsu:Created>2026-11-29T12:00:01Z</wsu:Created></wsu:Timestamp><w:UsernameToken wsu:Id=\"own\"><w:Username>ann</w:Username></w:UsernameToken></w:Security><Tenant"
    );
    let message = MESSAGE.replacen("<Tenant", &header, 1);
    let pair = Pair::new("ann");
    let signed = pair.signer().sign(&message).unwrap();
    assert_eq!(signed.matches("Security>").count(), 1, "{signed}");
    assert_eq!(signed.matches("<wsu:Timestamp").count(), 1, "{signed}");
    let verified = pair.policy().verify(&signed).await.unwrap();
    assert!(verified.signs_header(wsse, "UsernameToken"));
    let error = pair.signer().sign(&signed).unwrap_err();
    assert!(error.to_string().contains("signed already"), "{error}");
}

#[tokio::test]
async fn messages_of_any_length_and_ids_of_any_text_are_signed() {
    let pair = Pair::new("ann");
    let long = MESSAGE.replacen("bye", &"long ".repeat(1 << 20), 1);
    let long = long.replacen(
        "<text>",
        &["<more/>".repeat(1_000).as_str(), "<text>"].concat(),
        1,
    );
    let deep = [
        "<deep>".repeat(120),
        "</deep>".repeat(120),
        "<text>".to_owned(),
    ]
    .concat();
    let long = long.replacen("<text>", &deep, 1);
    let signed = pair.signer().sign(&long).unwrap();
    let limits = svcgen::Limits::default().with_text(8 << 20).with_depth(128);
    pair.policy()
        .with_limits(limits)
        .verify(&signed)
        .await
        .unwrap();
    let wsu = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    let own = format!("<soap:Body xmlns:u=\"{wsu}\" u:Id=\"a&amp;&quot;&lt;\">");
    let signed = pair
        .signer()
        .sign(&MESSAGE.replacen("<soap:Body>", &own, 1))
        .unwrap();
    pair.policy().verify(&signed).await.unwrap();
    // A part that cannot be signed is an error.
    let other = MESSAGE.replacen("<soap:Body>", "<soap:Body xmlns:wsu=\"urn:other\">", 1);
    let error = pair.signer().sign(&other).unwrap_err();
    assert!(
        error.to_string().contains("cannot be given to its part"),
        "{error}"
    );
}
