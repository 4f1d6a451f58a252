//! Messages that other stacks signed with the key of `rsa.pem`.

use crate::keys::{code, partner};

const ZEEP: &str = include_str!("messages/zeep.xml");
const ZEEP_SHA1: &str = include_str!("messages/zeep_sha1.xml");
const ZEEP_X509_DATA: &str = include_str!("messages/zeep_x509_data.xml");
const ZEEP_TYPES: &str = include_str!("messages/zeep_types.xml");
const NODE_SOAP: &str = include_str!("messages/node_soap.xml");
const WSS4J_PATH: &str = include_str!("messages/wss4j_path.xml");
const WSS4J_CERTIFICATE: &str = include_str!("messages/wss4j_certificate.xml");

#[tokio::test]
async fn they_are_accepted() {
    let (_, policy) = partner();
    for message in [
        ZEEP,
        ZEEP_X509_DATA,
        NODE_SOAP,
        WSS4J_PATH,
        WSS4J_CERTIFICATE,
    ] {
        let verified = policy.verify(message).await;
        let verified = verified.unwrap_or_else(|error| panic!("{error}: {message}"));
        assert!(verified.signs_body());
        assert_eq!(
            verified.certificate().issuer(),
            r"CN=partner,O=Example\, Inc.,C=DE"
        );
    }
}

#[tokio::test]
async fn sha_1_counts_only_if_that_is_said() {
    let (_, policy) = partner();
    let error = policy.verify(ZEEP_SHA1).await.unwrap_err();
    assert_eq!(code(&error), "UnsupportedAlgorithm");
    assert!(
        error.to_string().contains("SHA-1 is not accepted"),
        "{error}"
    );
    policy
        .with_legacy_sha1(true)
        .verify(ZEEP_SHA1)
        .await
        .unwrap();
}

/// zeep does not list prefixes.
#[tokio::test]
async fn types_of_other_namespaces_count_only_if_that_is_said() {
    let (_, policy) = partner();
    let error = policy.verify(ZEEP_TYPES).await.unwrap_err();
    assert!(error.to_string().contains("the prefix 'a'"), "{error}");
    policy
        .with_unsigned_prefixes(true)
        .verify(ZEEP_TYPES)
        .await
        .unwrap();
}
