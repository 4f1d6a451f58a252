//! Messages that were changed by an attacker without the key.

use proptest::prelude::*;
use svcgen_signatures::{SignatureError, SignaturePolicy};

use crate::keys::{MESSAGE, Pair, code, partner};

const WSU: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
const WSSE: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

/// Returns a signed message, and a policy that accepts it.
fn signed() -> (String, SignaturePolicy) {
    let pair = Pair::new("ann");
    let signer = pair.signer().with_signed_header("urn:work", "Tenant");
    let policy = pair.policy().with_signed_header("urn:work", "Tenant");
    (signer.sign(MESSAGE).unwrap(), policy)
}

/// Returns the element between these start and end texts.
fn part<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let from = text.find(start).unwrap();
    let to = from + text[from..].find(end).unwrap() + end.len();
    &text[from..to]
}

fn body(text: &str) -> &str {
    part(text, "<soap:Body", "</soap:Body>")
}

fn timestamp(text: &str) -> &str {
    part(text, "<wsu:Timestamp", "</wsu:Timestamp>")
}

fn id(element: &str) -> &str {
    let (_, rest) = element.split_once("wsu:Id=\"").unwrap();
    rest.split_once('"').unwrap().0
}

async fn refusal(policy: &SignaturePolicy, message: &str) -> SignatureError {
    match policy.verify(message).await {
        Ok(_) => panic!("accepted: {message}"),
        Err(error) => error,
    }
}

async fn refused(policy: &SignaturePolicy, message: &str, expected: &str, why: &str) {
    let error = refusal(policy, message).await;
    assert!(error.to_string().contains(why), "{error}: {message}");
    assert_eq!(code(&error), expected, "{error}: {message}");
}

const SECURITY: &str = "InvalidSecurity";
const EVIL: &str = "<soap:Body><Store xmlns=\"urn:work\"><text>evil</text></Store></soap:Body>";

/// The signed Body is moved elsewhere, and another one is in its place.
#[tokio::test]
async fn a_body_that_was_moved_is_not_the_body() {
    let (text, policy) = signed();
    let own = body(&text);
    let evil_with_id = EVIL.replace(
        "<soap:Body",
        &format!("<soap:Body xmlns:wsu=\"{WSU}\" wsu:Id=\"{}\"", id(own)),
    );
    let not_a_part = "neither that of the Body";
    for (place, wrapped, why) in [
        (
            "</soap:Header>",
            format!("<x:W xmlns:x=\"urn:x\">{own}</x:W></soap:Header>"),
            not_a_part,
        ),
        (
            "</wsse:Security>",
            format!("{own}</wsse:Security>"),
            not_a_part,
        ),
        (
            "</wsse:Security>",
            format!("<x:W xmlns:x=\"urn:x\">{own}</x:W></wsse:Security>"),
            not_a_part,
        ),
        (
            "</ds:Signature>",
            format!("<ds:Object>{own}</ds:Object></ds:Signature>"),
            "is not read",
        ),
    ] {
        let moved = text.replace(own, EVIL).replacen(place, &wrapped, 1);
        refused(&policy, &moved, SECURITY, why).await;
        let twice = text
            .replace(own, &evil_with_id)
            .replacen(place, &wrapped, 1);
        refusal(&policy, &twice).await;
    }
    // A child of the Header itself is a header for the bindings.
    let header = format!("{own}</soap:Header>");
    let moved = text
        .replace(own, EVIL)
        .replacen("</soap:Header>", &header, 1);
    refused(&policy, &moved, SECURITY, "the Body is not signed").await;
    // Inside the Body.
    let inside = EVIL.replace("<text>", &format!("{own}<text>"));
    refused(&policy, &text.replace(own, &inside), SECURITY, not_a_part).await;
    // Next to the Body, before and after it.
    for bodies in [[EVIL, own].concat(), [own, EVIL].concat()] {
        let why = "beside one Header and one Body";
        refused(&policy, &text.replace(own, &bodies), SECURITY, why).await;
    }
    let evil = text.replace(own, &format!("<x:W xmlns:x=\"urn:x\">{own}</x:W>{EVIL}"));
    refused(&policy, &evil, SECURITY, "beside one Header and one Body").await;
}

#[tokio::test]
async fn ids_are_unique() {
    let (text, policy) = signed();
    let id = id(body(&text));
    for other in [
        format!("<x xmlns:wsu=\"{WSU}\" wsu:Id=\"{id}\"/></soap:Header>"),
        format!("<x xmlns=\"http://www.w3.org/2000/09/xmldsig#\" Id=\"{id}\"/></soap:Header>"),
        format!("<y><x xmlns:wsu=\"{WSU}\" wsu:Id=\"{id}\"/></y></soap:Header>"),
    ] {
        let twice = text.replacen("</soap:Header>", &other, 1);
        refusal(&policy, &twice).await;
    }
    // An attribute of this name without the namespace is not an id.
    let other = text.replacen(
        "</soap:Header>",
        &format!("<x Id=\"{id}\"/></soap:Header>"),
        1,
    );
    policy.verify(&other).await.unwrap();
    let renamed = text.replacen(&format!("wsu:Id=\"{id}\""), &format!("Id=\"{id}\""), 1);
    refused(&policy, &renamed, SECURITY, "neither that of the Body").await;
}

#[tokio::test]
async fn a_timestamp_that_is_not_signed_is_none() {
    let (text, policy) = signed();
    let own = timestamp(&text);
    let fresh = format!(
        "<wsu:Timestamp xmlns:wsu=\"{WSU}\"><wsu:Created>2026-11-29T12:00:00Z</wsu:Created></wsu:Timestamp>"
    );
    let moved = text.replace(own, &fresh);
    let wrapped = format!("<x:W xmlns:x=\"urn:x\">{own}</x:W></wsse:Security>");
    let wrapped = moved.replacen("</wsse:Security>", &wrapped, 1);
    refused(&policy, &wrapped, SECURITY, "neither that of the Body").await;
    let header = moved.replacen("</soap:Header>", &format!("{own}</soap:Header>"), 1);
    refused(&policy, &header, SECURITY, "neither that of the Body").await;
    let two = text.replace(own, &format!("{own}{fresh}"));
    refused(&policy, &two, SECURITY, "two wsu:Timestamp").await;
    refused(
        &policy,
        &text.replace(own, ""),
        SECURITY,
        "neither that of the Body",
    )
    .await;
}

#[tokio::test]
async fn headers_are_those_that_are_signed() {
    let (text, policy) = signed();
    let own = part(&text, "<Tenant", "</Tenant>");
    let evil = "<Tenant xmlns=\"urn:work\">18</Tenant>";
    let wrapped = text.replace(own, &format!("<x:W xmlns:x=\"urn:x\">{own}</x:W>{evil}"));
    refused(&policy, &wrapped, SECURITY, "neither that of the Body").await;
    for two in [format!("{evil}{own}"), format!("{own}{evil}")] {
        refused(
            &policy,
            &text.replace(own, &two),
            SECURITY,
            "two headers Tenant",
        )
        .await;
    }
    refused(
        &policy,
        &text.replace(own, ""),
        SECURITY,
        "neither that of the Body",
    )
    .await;
    // A user name that the attacker added.
    let token = format!(
        "<wsse:UsernameToken xmlns:wsse=\"{WSSE}\"><wsse:Username>bob</wsse:Username></wsse:UsernameToken></wsse:Security>"
    );
    let with_token = text.replacen("</wsse:Security>", &token, 1);
    refused(
        &policy,
        &with_token,
        SECURITY,
        "UsernameToken is not signed",
    )
    .await;
}

#[tokio::test]
async fn there_is_one_signature_in_one_header() {
    let (text, policy) = signed();
    let signature = part(&text, "<ds:Signature ", "</ds:Signature>");
    let two = text.replace(signature, &signature.repeat(2));
    refused(&policy, &two, SECURITY, "two ds:Signature").await;
    refused(
        &policy,
        &text.replace(signature, ""),
        SECURITY,
        "no ds:Signature",
    )
    .await;
    let security = part(&text, "<wsse:Security ", "</wsse:Security>");
    let two = text.replace(security, &security.repeat(2));
    refused(&policy, &two, SECURITY, "two wsse:Security").await;
    refused(&policy, MESSAGE, SECURITY, "no wsse:Security").await;
    let for_other = text.replacen("soap:mustUnderstand=\"1\"", "soap:actor=\"urn:other\"", 1);
    refused(&policy, &for_other, SECURITY, "no wsse:Security").await;
}

#[tokio::test]
async fn algorithms_are_those_of_the_list() {
    let (text, policy) = signed();
    let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
    let method = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";
    let digest = "http://www.w3.org/2001/04/xmlenc#sha256";
    for (ours, others) in [
        (
            exclusive,
            &[
                "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
                "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
                "http://www.w3.org/TR/1999/REC-xpath-19991116",
                "http://www.w3.org/TR/1999/REC-xslt-19991116",
                "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#STR-Transform",
            ][..],
        ),
        (
            method,
            &[
                "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
                "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
                "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
                "http://www.w3.org/2000/09/xmldsig#dsa-sha1",
                "",
            ],
        ),
        (
            digest,
            &[
                "http://www.w3.org/2000/09/xmldsig#sha1",
                "http://www.w3.org/2001/04/xmldsig-more#md5",
            ],
        ),
    ] {
        for other in others {
            let changed = text.replacen(
                &format!("Algorithm=\"{ours}\""),
                &format!("Algorithm=\"{other}\""),
                1,
            );
            assert_ne!(changed, text);
            let error = refusal(&policy, &changed).await;
            assert_eq!(code(&error), "UnsupportedAlgorithm", "{other}: {error}");
        }
    }
    // The algorithm of another kind of key.
    let rsa = text.replace(method, "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256");
    refused(
        &policy,
        &rsa,
        "FailedCheck",
        "does not fit the SignatureMethod",
    )
    .await;
    let length = "<ds:HMACOutputLength>0</ds:HMACOutputLength></ds:SignatureMethod>";
    let truncated = text.replace(&format!("{method}\"/>"), &format!("{method}\">{length}"));
    refused(&policy, &truncated, "UnsupportedAlgorithm", "parameter").await;
}

#[tokio::test]
async fn references_are_by_id() {
    let (text, policy) = signed();
    let id = id(body(&text));
    let to = |uri: &str| text.replace(&format!("URI=\"#{id}\""), &format!("URI=\"{uri}\""));
    for uri in ["", "#", "http://example.com/", "cid:1"] {
        refused(&policy, &to(uri), SECURITY, "by its wsu:Id").await;
    }
    refused(
        &policy,
        &to("#xpointer(/)"),
        "FailedCheck",
        "SignatureValue",
    )
    .await;
    let absent = text.replace(&format!(" URI=\"#{id}\""), "");
    refused(&policy, &absent, SECURITY, "by its wsu:Id").await;
    let reference = part(&text, "<ds:Reference", "</ds:Reference>");
    let twice = text.replace(reference, &reference.repeat(2));
    refusal(&policy, &twice).await;
    let many = text.replace(reference, &reference.repeat(40));
    refused(&policy, &many, SECURITY, "more references").await;
}

#[tokio::test]
async fn types_keep_their_namespaces() {
    let pair = Pair::new("ann");
    let with = |envelope: &str, value: &str| {
        MESSAGE
            .replacen("<soap:Envelope", &format!("<soap:Envelope {envelope}"), 1)
            .replacen("<text>", &format!("<text xsi:type=\"{value}\">"), 1)
    };
    let own = with("xmlns:a=\"urn:a\"", "a:Dog");
    let signed = pair.signer().sign(&own).unwrap();
    pair.policy().verify(&signed).await.unwrap();
    // Our signer lists the prefixes of the Envelope, so that another namespace changes the digest.
    let changed = signed.replacen("xmlns:a=\"urn:a\"", "xmlns:a=\"urn:b\"", 1);
    refused(&pair.policy(), &changed, "FailedCheck", "digest of Body").await;
    // .NET declares the prefix of a type in another namespace on the element itself.
    let inside = MESSAGE.replacen("<text>", "<text xmlns:q1=\"urn:a\" xsi:type=\"q1:Dog\">", 1);
    let signed = pair.signer().sign(&inside).unwrap();
    pair.policy().verify(&signed).await.unwrap();
    let changed = signed.replacen("xmlns:q1=\"urn:a\"", "xmlns:q1=\"urn:b\"", 1);
    refused(&pair.policy(), &changed, "FailedCheck", "digest of Body").await;
    for value in ["xsd:string", "Store"] {
        let signed = pair.signer().sign(&with("", value)).unwrap();
        pair.policy().verify(&signed).await.unwrap();
    }
}

proptest! {
    /// Changes the signed parts, and the signature itself.
    #[test]
    fn no_byte_of_what_is_signed_can_change(position in any::<prop::sample::Index>(), byte in b'!'..b'~') {
        let (text, policy) = signed();
        let parts = [
            body(&text),
            timestamp(&text),
            part(&text, "<Tenant", "</Tenant>"),
            part(&text, "<ds:SignedInfo", "</ds:SignedInfo>"),
            part(&text, "<ds:SignatureValue", "</ds:SignatureValue>"),
        ];
        let part = parts[position.index(parts.len())];
        let at = part.as_ptr() as usize - text.as_ptr() as usize + position.index(part.len());
        prop_assume!(text.as_bytes()[at] != byte);
        let mut changed = text.clone().into_bytes();
        changed[at] = byte;
        let changed = String::from_utf8(changed).unwrap();
        let verified = futures_ready(policy.verify(&changed));
        // The last character of base64 may have unused bits.
        let is_padding = part.starts_with("<ds:SignatureValue") && verified.is_ok();
        prop_assert!(verified.is_err() || is_padding, "{changed}");
    }

    /// Pieces of messages in any order are refused, and nothing panics.
    #[test]
    fn any_text_is_refused(cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..6), with in ".{0,4}") {
        let (text, policy) = signed();
        let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.index(text.len())).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            if text.is_char_boundary(cut) {
                pieces.push(&text[from..cut]);
                from = cut;
            }
        }
        pieces.reverse();
        pieces.push(&with);
        let changed = pieces.concat();
        prop_assert!(futures_ready(policy.verify(&changed)).is_err());
    }
}

/// Returns the output of a future that never waits, because the memory of messages is in this
/// process.
fn futures_ready<F: Future>(future: F) -> F::Output {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(output) => output,
        std::task::Poll::Pending => unreachable!("nothing waits"),
    }
}

#[tokio::test]
async fn a_message_of_a_partner_is_not_one_of_another() {
    let (signer, policy) = partner();
    let (_, other) = signed();
    let text = signer.sign(MESSAGE).unwrap();
    policy.verify(&text).await.unwrap();
    refusal(&other, &text).await;
}

/// An attacker could replace an attachment without changing a signed byte.
#[tokio::test]
async fn parts_beside_the_message_are_not_signed() {
    let include =
        "<xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:a\"/>";
    let (text, policy) = signed();
    let with_part =
        |text: &str| text.replacen("</soap:Body>", &format!("{include}</soap:Body>"), 1);
    let why = "xop:Include";
    refused(&policy, &with_part(&text), "UnsupportedAlgorithm", why).await;
    let error = Pair::new("ann").signer().sign(&with_part(MESSAGE));
    assert!(error.unwrap_err().to_string().contains(why));
}

/// A header in another place is signed still, but no binding reads it there.
#[tokio::test]
async fn a_signed_header_that_was_moved_is_none() {
    let (text, policy) = signed();
    let own = part(&text, "<Tenant", "</Tenant>");
    let moved =
        text.replace(own, "")
            .replacen("</wsse:Security>", &format!("{own}</wsse:Security>"), 1);
    refused(&policy, &moved, SECURITY, "neither that of the Body").await;
    let token = format!(
        "<wsse:Security xmlns:wsse=\"{WSSE}\"><wsse:UsernameToken><wsse:Username>ann</wsse:Username></wsse:UsernameToken></wsse:Security><Tenant"
    );
    let pair = Pair::new("ann");
    let text = pair
        .signer()
        .sign(&MESSAGE.replacen("<Tenant", &token, 1))
        .unwrap();
    pair.policy().verify(&text).await.unwrap();
    for (start, end) in [
        ("<wsse:UsernameToken", "</wsse:UsernameToken>"),
        ("<wsu:Timestamp", "</wsu:Timestamp>"),
    ] {
        let own = part(&text, start, end);
        let declared = own.replacen(start, &format!("{start} xmlns:wsse=\"{WSSE}\""), 1);
        let moved = text
            .replace(own, "")
            .replacen("<Tenant", &format!("{declared}<Tenant"), 1);
        let policy = pair.policy().with_required_timestamp(false);
        refused(&policy, &moved, SECURITY, "neither that of the Body").await;
    }
}

/// What is not signed, and how the signed content is written, does not make it another message.
#[tokio::test]
async fn a_message_that_is_written_otherwise_is_the_same() {
    let (text, policy) = signed();
    policy.verify(&text).await.unwrap();
    for (from, to) in [
        ("<soap:Envelope", "<soap:Envelope xmlns:x=\"urn:x\""),
        ("</soap:Header>", "<Other xmlns=\"urn:x\"/></soap:Header>"),
        ("<ds:SignatureValue>", "<ds:SignatureValue><!-- x --> "),
        ("hello", "<![CDATA[hello]]>"),
        ("<soap:Body", "<soap:Body \n"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        refused(&policy, &changed, SECURITY, "came before").await;
    }
}
