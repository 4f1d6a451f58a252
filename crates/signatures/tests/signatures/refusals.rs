//! Messages that the bindings would read differently, or not at all.

use std::time::Duration;

use svcgen_signatures::SignaturePolicy;
use svcgen_ws::ws_security::MemoryNonces;

use crate::keys::{MESSAGE, NOW, Pair, at, code};

async fn refused(policy: &SignaturePolicy, message: &str, expected: &str, why: &str) {
    let error = policy.verify(message).await.unwrap_err();
    assert!(error.to_string().contains(why), "{error}: {message}");
    assert_eq!(code(&error), expected, "{error}: {message}");
}

#[tokio::test]
async fn messages_of_another_time() {
    let pair = Pair::new("ann");
    for (seconds, code) in [
        (NOW - 601, "MessageExpired"),
        (NOW - 599, ""),
        (NOW + 299, ""),
        (NOW + 301, "MessageExpired"),
    ] {
        let signer = pair.signer().with_clock(at(seconds));
        let signed = signer.sign(MESSAGE).unwrap();
        let policy = pair.policy();
        if code.is_empty() {
            policy.verify(&signed).await.unwrap();
        } else {
            refused(&policy, &signed, code, "wsu:Timestamp").await;
        }
    }
    // The validity that the sender sets does not extend it.
    let day = pair
        .signer()
        .with_clock(at(NOW - 900))
        .with_validity(Duration::from_secs(86_400));
    let signed = day.sign(MESSAGE).unwrap();
    refused(&pair.policy(), &signed, "MessageExpired", "was created at").await;
    let longer = pair.policy().with_freshness(Duration::from_secs(3_600));
    longer.verify(&signed).await.unwrap();
}

#[tokio::test]
async fn without_room_for_messages_none_is_forgotten() {
    let pair = Pair::new("ann");
    let policy = pair.policy().with_nonces(MemoryNonces::new(1));
    let [first, second] = [(); 2].map(|()| pair.signer().sign(MESSAGE).unwrap());
    policy.verify(&first).await.unwrap();
    let error = policy.verify(&second).await.unwrap_err();
    assert!(error.to_string().contains("no room"), "{error}");
    refused(&policy, &first, "InvalidSecurity", "came before").await;
}

#[tokio::test]
async fn what_is_no_signed_envelope() {
    let pair = Pair::new("ann");
    let policy = pair.policy();
    let signed = pair.signer().sign(MESSAGE).unwrap();
    let unreadable = "cannot be read";
    for (message, why) in [
        ("", unreadable),
        ("<a/>", "not a SOAP envelope"),
        ("<Envelope/>", "not a SOAP envelope"),
        (
            &*signed.replacen("<soap:Envelope", "<!DOCTYPE a><soap:Envelope", 1),
            unreadable,
        ),
        (&*signed.replacen("<text>", "<text><?pi?>", 1), unreadable),
        (&*signed.replacen("</text>", "", 1), unreadable),
        (&*[&*signed, "<a/>"].concat(), unreadable),
        (
            &*signed.replacen(
                "</wsse:Security>",
                &["<a/>".repeat(1_001).as_str(), "</wsse:Security>"].concat(),
                1,
            ),
            "larger than",
        ),
        (
            &*signed.replacen(
                "</wsse:Security>",
                &[&*" ".repeat(300_000), "</wsse:Security>"].concat(),
                1,
            ),
            "larger than",
        ),
        (
            &*signed.replacen("<text>", &["<a>".repeat(70).as_str(), "<text>"].concat(), 1),
            unreadable,
        ),
    ] {
        refused(&policy, message, "InvalidSecurity", why).await;
    }
    let small = policy
        .clone()
        .with_limits(svcgen::Limits::default().with_elements(10));
    refused(&small, &signed, "InvalidSecurity", unreadable).await;
    let encrypted = "<EncryptedData xmlns=\"http://www.w3.org/2001/04/xmlenc#\"/>";
    for place in ["</wsse:Security>", "</soap:Body>"] {
        let message = signed.replacen(place, &[encrypted, place].concat(), 1);
        refused(&policy, &message, "UnsupportedAlgorithm", "encrypted").await;
    }
    policy.verify(&signed).await.unwrap();
}

#[tokio::test]
async fn keys_that_are_no_certificates() {
    let pair = Pair::new("ann");
    let signed = pair.signer().sign(MESSAGE).unwrap();
    let (before, rest) = signed.split_once("<ds:KeyInfo>").unwrap();
    let (_, after) = rest.split_once("</ds:KeyInfo>").unwrap();
    let wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    for (key, code) in [
        (
            "<ds:KeyName>ann</ds:KeyName>".to_owned(),
            "UnsupportedSecurityToken",
        ),
        ("<ds:KeyValue/>".to_owned(), "UnsupportedSecurityToken"),
        (String::new(), "InvalidSecurity"),
        (
            format!(
                "<w:SecurityTokenReference xmlns:w=\"{wsse}\"><w:Reference URI=\"#k\" ValueType=\"http://schemas.xmlsoap.org/ws/2005/02/sc/dk\"/></w:SecurityTokenReference>"
            ),
            "UnsupportedSecurityToken",
        ),
        (
            format!(
                "<w:SecurityTokenReference xmlns:w=\"{wsse}\"><w:Reference URI=\"#absent\"/></w:SecurityTokenReference>"
            ),
            "SecurityTokenUnavailable",
        ),
        (
            "<ds:X509Data><ds:X509Certificate>AAAA</ds:X509Certificate></ds:X509Data>".to_owned(),
            "InvalidSecurityToken",
        ),
    ] {
        let message = format!("{before}<ds:KeyInfo>{key}</ds:KeyInfo>{after}");
        let error = pair.policy().verify(&message).await.unwrap_err();
        assert_eq!(self::code(&error), code, "{error}");
    }
}
