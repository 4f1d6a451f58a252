//! WS-Security over sockets: accepted and refused requests of a server, and the requests of a
//! client.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use svcgen::{Binding, CallError, Context, Fault, FaultCode, ServerOptions, Transport, User};
use svcgen_tests::raw_http::{Answer, Running};
use svcgen_tests::work::WorkClient;
use svcgen_ws::ws_security::{
    ClientSecurity as _, MemoryNonces, Nonces, ReceivedToken, ServerSecurity as _, UsernameToken,
    VerifyToken, WsSecurity,
};

use crate::worker::{NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer, call_over};

const SOAP: [Binding; 2] = [Binding::Soap11, Binding::Soap12];

/// 2026-01-31T09:31:00Z, a minute after the tokens of these tests.
const NOW: u64 = 1_769_851_860;

const CREATED: &str = "<u:Created>2026-01-31T09:30:00Z</u:Created>";
const NONCE: &str = "<o:Nonce EncodingType=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary\">MDEyMzQ1Njc4OWFiY2RlZg==</o:Nonce>";
/// Computed with Python's hashlib, from the nonce `0123456789abcdef` and the password `s3cret`.
const DIGEST: &str = "4A5ec0voaAFSAlZEX40nXInffsQ=";
const ADMITTED: &str = "ann: hello";

/// Returns the user and the text.
struct Told;

impl WorkHandler for Told {
    async fn store(&self, context: &Context, request: StoreRequest) -> Result<String, Fault> {
        let user = context.user().unwrap_or("nobody");
        if request.text == "fault" {
            return Err(Fault::client("As it was asked for."));
        }
        Ok(format!("{user}: {}", request.text))
    }

    async fn read(&self, context: &Context, request: ReadRequest) -> Result<String, Fault> {
        let user = context.user().unwrap_or("nobody");
        Ok(format!("{user}: {}", request.text))
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

fn verify(token: &ReceivedToken) -> bool {
    token.matches((token.user() == "ann").then_some("s3cret"))
}

fn at(seconds: u64) -> impl Fn() -> SystemTime + Send + Sync + 'static {
    move || UNIX_EPOCH + Duration::from_secs(seconds)
}

fn policy() -> WsSecurity {
    WsSecurity::new(verify).with_clock(at(NOW))
}

fn serving(policy: WsSecurity) -> Running {
    running!(WorkServer::new(Told).with_ws_security(policy))
}

/// Returns a call with this content of its Header.
fn call(binding: Binding, text: &str, header: &str) -> Vec<u8> {
    let request = String::from_utf8(call_over(binding, "Store", text)).unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let header = format!("<s:Header>{header}</s:Header><s:Body>");
    let with_header = body.replacen("<s:Body>", &header, 1);
    let [before, after] =
        [body, &*with_header].map(|body| format!("Content-Length: {}", body.len()));
    format!("{}\r\n\r\n{with_header}", head.replace(&before, &after)).into_bytes()
}

/// Returns the header with this content and these attributes.
fn security_with(attributes: &str, inside: &str) -> String {
    format!(
        "<o:Security {attributes} xmlns:o=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\" \
         xmlns:u=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd\">{inside}</o:Security>"
    )
}

fn security(inside: &str) -> String {
    security_with("s:mustUnderstand=\"1\"", inside)
}

fn password(kind: &str, text: &str) -> String {
    format!(
        "<o:Password Type=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#Password{kind}\">{text}</o:Password>"
    )
}

fn token(inside: &str) -> String {
    format!("<o:UsernameToken u:Id=\"t-1\"><o:Username>ann</o:Username>{inside}</o:UsernameToken>")
}

fn text_token() -> String {
    token(&password("Text", "s3cret"))
}

fn digest_token() -> String {
    token(&[&password("Digest", DIGEST), NONCE, CREATED].concat())
}

fn timestamp(created: &str, expires: &str) -> String {
    format!(
        "<u:Timestamp u:Id=\"t-0\"><u:Created>{created}</u:Created><u:Expires>{expires}</u:Expires></u:Timestamp>"
    )
}

/// Returns the fault code in the namespace of `wsse`: `faultcode`, or the subcode of `Sender`.
fn code(answer: &Answer) -> String {
    assert_eq!(answer.status, 500, "{}", answer.text());
    let text = answer.text();
    let namespace =
        "\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\">q0:";
    let (before, code) = text
        .split_once(namespace)
        .unwrap_or_else(|| panic!("no code: {text}"));
    let (code, _) = code.split_once('<').unwrap();
    let soap11 = before.ends_with("<faultcode xmlns:q0=");
    let soap12 = before.ends_with(
        "<soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value xmlns:q0=",
    );
    assert!(soap11 || soap12, "{text}");
    code.to_owned()
}

#[test]
fn tokens_with_the_right_password_name_the_user() {
    let no_type = token("<o:Password>s3cret</o:Password>");
    let local = token(
        &[
            &password("Text", "s3cret"),
            "<u:Created>2026-01-31T10:30:00.5+01:00</u:Created>",
        ]
        .concat(),
    );
    for binding in SOAP {
        for header in [
            security(&text_token()),
            security(&digest_token()),
            security(&no_type),
            security(&local),
            security(
                &[
                    timestamp("2026-01-31T09:30:00.000Z", "2026-01-31T09:35:00Z"),
                    text_token(),
                ]
                .concat(),
            ),
            // The header for another node is ignored.
            [
                security(&text_token()),
                security_with("s:actor=\"urn:other\" s:role=\"urn:other\"", "<any/>"),
            ]
            .concat(),
        ] {
            let server = serving(policy());
            let answer = server.exchange(&call(binding, "hello", &header));
            assert_eq!(answer.status, 200, "{}", answer.text());
            assert!(answer.text().contains(ADMITTED), "{}", answer.text());
        }
    }
}

#[test]
fn what_is_refused_has_its_code_and_no_handler_runs() {
    let expired = timestamp("2026-01-31T09:10:00Z", "2026-01-31T09:15:00Z");
    let future = timestamp("2026-01-31T09:40:00Z", "2026-01-31T09:45:00Z");
    let with_created = |created: &str| {
        token(
            &[
                &password("Text", "s3cret"),
                &*format!("<u:Created>{created}</u:Created>"),
            ]
            .concat(),
        )
    };
    let anyone = format!(
        "<o:UsernameToken><o:Username>bob</o:Username>{}</o:UsernameToken>",
        password("Text", "s3cret")
    );
    let dummy = format!(
        "<o:UsernameToken><o:Username>bob</o:Username>{}</o:UsernameToken>",
        password("Text", "nobody has this password")
    );
    let cases = [
        (String::new(), "InvalidSecurity"),
        (security(""), "InvalidSecurity"),
        (
            security(&timestamp("2026-01-31T09:30:00Z", "2026-01-31T09:35:00Z")),
            "InvalidSecurity",
        ),
        (
            security_with("s:actor=\"urn:other\" s:role=\"urn:other\"", &text_token()),
            "InvalidSecurity",
        ),
        (
            security(&token(&password("Text", "wrong"))),
            "FailedAuthentication",
        ),
        (
            security(&token(&password("Text", ""))),
            "FailedAuthentication",
        ),
        (security(&anyone), "FailedAuthentication"),
        (security(&dummy), "FailedAuthentication"),
        (
            security(&digest_token().replace("09:30:00Z", "09:30:01Z")),
            "FailedAuthentication",
        ),
        (
            security(&digest_token().replace("MDEy", "NDEy")),
            "FailedAuthentication",
        ),
        (
            security(&token(&[&password("Digest", DIGEST), NONCE].concat())),
            "InvalidSecurityToken",
        ),
        (
            security(&token(&[&password("Digest", DIGEST), CREATED].concat())),
            "InvalidSecurityToken",
        ),
        (
            security(&digest_token().replace("MDEy", "!!!!")),
            "InvalidSecurityToken",
        ),
        (
            security(&digest_token().replace("MDEyMzQ1Njc4OWFiY2RlZg==", "")),
            "InvalidSecurityToken",
        ),
        (security(&token("")), "InvalidSecurityToken"),
        (
            security(&token(
                "<o:Username>bob</o:Username><o:Password>s3cret</o:Password>",
            )),
            "InvalidSecurityToken",
        ),
        (
            security(&[text_token(), text_token()].concat()),
            "InvalidSecurity",
        ),
        (
            [security(&text_token()), security(&text_token())].concat(),
            "InvalidSecurity",
        ),
        (security(&with_created("yesterday")), "InvalidSecurity"),
        (
            security(&with_created("2026-01-31T09:20:59Z")),
            "MessageExpired",
        ),
        (
            security(&with_created("2026-01-31T09:36:01Z")),
            "MessageExpired",
        ),
        (
            security(&[expired, text_token()].concat()),
            "MessageExpired",
        ),
        (security(&[future, text_token()].concat()), "MessageExpired"),
        (
            security(&token(&password("Hash", "s3cret"))),
            "UnsupportedSecurityToken",
        ),
        (
            security("<o:BinarySecurityToken>AAAA</o:BinarySecurityToken>"),
            "UnsupportedSecurityToken",
        ),
        (
            security(
                &[
                    &text_token(),
                    "<a:Assertion xmlns:a=\"urn:oasis:names:tc:SAML:2.0:assertion\"/>",
                ]
                .concat(),
            ),
            "UnsupportedSecurityToken",
        ),
        (
            security(
                &[
                    &text_token(),
                    "<d:Signature xmlns:d=\"http://www.w3.org/2000/09/xmldsig#\"/>",
                ]
                .concat(),
            ),
            "UnsupportedAlgorithm",
        ),
        (
            security(
                &[
                    &text_token(),
                    "<e:EncryptedKey xmlns:e=\"http://www.w3.org/2001/04/xmlenc#\"/>",
                ]
                .concat(),
            ),
            "UnsupportedAlgorithm",
        ),
    ];
    let server = serving(policy());
    for binding in SOAP {
        for (header, expected) in &cases {
            let answer = server.exchange(&call(binding, "hello", header));
            assert_eq!(code(&answer), *expected, "{header}\n{}", answer.text());
            for secret in ["s3cret", "wrong", DIGEST, "bob"] {
                assert!(!answer.text().contains(secret), "{}", answer.text());
            }
        }
    }
}

#[test]
fn the_bytes_of_faults() {
    let server = serving(policy());
    let header = security(&token(&password("Text", "wrong")));
    let answers = SOAP.map(|binding| server.exchange(&call(binding, "hello", &header)));
    let wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    let text = "The security token could not be authenticated or authorized.";
    let expected = [
        format!(
            "<soap:Body><soap:Fault><faultcode xmlns:q0=\"{wsse}\">q0:FailedAuthentication</faultcode><faultstring>{text}</faultstring><detail /></soap:Fault></soap:Body></soap:Envelope>"
        ),
        format!(
            "<soap:Body><soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value xmlns:q0=\"{wsse}\">q0:FailedAuthentication</soap:Value></soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang=\"en\">{text}</soap:Text></soap:Reason><soap:Detail /></soap:Fault></soap:Body></soap:Envelope>"
        ),
    ];
    for (answer, expected) in answers.iter().zip(expected) {
        assert!(answer.text().ends_with(&expected), "{}", answer.text());
    }
}

#[test]
fn the_edges_of_time_are_admitted() {
    let server = serving(policy());
    for created in ["2026-01-31T09:21:00Z", "2026-01-31T09:36:00Z"] {
        let created = format!("<u:Created>{created}</u:Created>");
        let header = security(&token(&[&password("Text", "s3cret"), &*created].concat()));
        let answer = server.exchange(&call(Binding::Soap11, "hello", &header));
        assert!(answer.text().contains(ADMITTED), "{}", answer.text());
    }
}

#[test]
fn a_nonce_serves_once_and_no_wrong_password_uses_it_up() {
    let server = serving(policy());
    let right = call(Binding::Soap11, "hello", &security(&digest_token()));
    let wrong = digest_token().replace(DIGEST, "AAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    let wrong = call(Binding::Soap11, "hello", &security(&wrong));
    assert_eq!(code(&server.exchange(&wrong)), "FailedAuthentication");
    assert_eq!(server.exchange(&right).status, 200);
    assert_eq!(code(&server.exchange(&right)), "InvalidSecurity");
    // Also over the other version of SOAP.
    let again = call(Binding::Soap12, "hello", &security(&digest_token()));
    assert_eq!(code(&server.exchange(&again)), "InvalidSecurity");
}

#[test]
fn without_room_for_nonces_calls_are_refused_and_none_is_forgotten() {
    let server = serving(policy().with_nonces(MemoryNonces::new(1)));
    let with = |nonce: &str| {
        let token = token(
            &[
                &password("Text", "s3cret"),
                &*format!("<o:Nonce>{nonce}</o:Nonce>"),
                CREATED,
            ]
            .concat(),
        );
        server.exchange(&call(Binding::Soap11, "hello", &security(&token)))
    };
    assert_eq!(with("AAAA").status, 200);
    let refused = with("AAAB");
    assert!(
        refused.text().contains("no room for another nonce"),
        "{}",
        refused.text()
    );
    assert_eq!(code(&with("AAAA")), "InvalidSecurity");
}

#[test]
fn other_bindings_are_refused_unless_the_token_is_optional() {
    let (needed, optional) = (serving(policy()), serving(policy().with_optional(true)));
    for binding in Binding::ALL {
        let request = call_over(binding, "Store", "hello");
        let refused = needed.exchange(&request);
        assert_eq!(refused.status, 500, "{binding}: {}", refused.text());
        assert!(
            !refused.text().contains("hello"),
            "{binding}: {}",
            refused.text()
        );
        let answer = optional.exchange(&request);
        assert!(
            answer.text().contains("nobody: hello"),
            "{binding}: {}",
            answer.text()
        );
    }
    let wrong = security(&token(&password("Text", "wrong")));
    let refused = optional.exchange(&call(Binding::Soap11, "hello", &wrong));
    assert_eq!(code(&refused), "FailedAuthentication");
    let known = optional.exchange(&call(Binding::Soap11, "hello", &security(&text_token())));
    assert!(known.text().contains(ADMITTED), "{}", known.text());
}

#[test]
fn options_ask_for_digests_and_timestamps() {
    let digests = serving(policy().with_digest_only(true));
    let refused = digests.exchange(&call(Binding::Soap11, "hello", &security(&text_token())));
    assert_eq!(code(&refused), "UnsupportedSecurityToken");
    let answer = digests.exchange(&call(Binding::Soap11, "hello", &security(&digest_token())));
    assert_eq!(answer.status, 200, "{}", answer.text());

    let timestamps = serving(policy().with_required_timestamp(true));
    let refused = timestamps.exchange(&call(Binding::Soap11, "hello", &security(&text_token())));
    assert_eq!(code(&refused), "InvalidSecurity");
    assert!(
        refused.text().contains("wsu:Timestamp"),
        "{}",
        refused.text()
    );
}

#[test]
fn an_answer_has_a_timestamp_if_its_request_has_one() {
    let server = serving(policy());
    let stamp = timestamp("2026-01-31T09:30:00Z", "2026-01-31T09:35:00Z");
    let expected = "<soap:Header><wsse:Security xmlns:wsse=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\">\
        <wsu:Timestamp xmlns:wsu=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd\">\
        <wsu:Created>2026-01-31T09:31:00.000Z</wsu:Created><wsu:Expires>2026-01-31T09:36:00.000Z</wsu:Expires></wsu:Timestamp></wsse:Security></soap:Header><soap:Body>";
    for binding in SOAP {
        for (text, status) in [("hello", 200), ("fault", 500)] {
            let with = security(&[stamp.clone(), text_token()].concat());
            let answer = server.exchange(&call(binding, text, &with));
            assert_eq!(answer.status, status);
            assert!(answer.text().contains(expected), "{}", answer.text());
            let without = server.exchange(&call(binding, text, &security(&text_token())));
            assert!(
                !without.text().contains("soap:Header"),
                "{}",
                without.text()
            );
        }
    }
}

#[test]
fn without_the_policy_the_header_is_not_understood() {
    let server = running!(WorkServer::new(Told));
    let answer = server.exchange(&call(Binding::Soap11, "hello", &security(&text_token())));
    assert!(
        answer
            .text()
            .contains("SOAP header Security was not understood."),
        "{}",
        answer.text()
    );
}

#[test]
fn options_that_are_set_later_keep_the_policy() {
    let server = WorkServer::new(Told).with_ws_security(policy());
    let server = running!(server.with_options(ServerOptions::new()));
    let answer = server.exchange(&call(Binding::Soap11, "hello", &security(&text_token())));
    assert!(answer.text().contains(ADMITTED), "{}", answer.text());
    let refused = server.exchange(&call(Binding::Soap11, "hello", ""));
    assert_eq!(code(&refused), "InvalidSecurity");
}

/// Accounts that cannot be read.
struct Broken;

impl VerifyToken for Broken {
    async fn verify(&self, token: &ReceivedToken) -> Result<bool, Fault> {
        tokio::task::yield_now().await;
        assert_eq!(format!("{token:?}"), "ReceivedToken { user: \"ann\", .. }");
        Err(Fault::exception("The accounts cannot be read."))
    }
}

#[test]
fn what_cannot_be_verified_is_a_fault_of_the_server() {
    let server = serving(WsSecurity::new(Broken).with_clock(at(NOW)));
    let answer = server.exchange(&call(Binding::Soap11, "hello", &security(&text_token())));
    assert!(
        answer.text().contains("<faultcode>soap:Server</faultcode>"),
        "{}",
        answer.text()
    );
    assert!(
        answer.text().contains("The accounts cannot be read."),
        "{}",
        answer.text()
    );
}

async fn stored(
    token: UsernameToken,
    server: impl Transport,
    binding: Binding,
) -> Result<String, CallError> {
    let client = WorkClient::new(server, "http://localhost")
        .unwrap()
        .with_binding(binding);
    let client = client.with(|client| client.with_ws_security(token));
    let request = StoreRequest {
        text: "hello".to_owned(),
    };
    // The second message has another nonce.
    client.store(&request).await?;
    client.store(&request).await
}

#[tokio::test]
async fn clients_send_what_servers_take() {
    let server = || WorkServer::new(Told).with_ws_security(WsSecurity::new(verify));
    for binding in SOAP {
        for token in [
            UsernameToken::text("ann", "s3cret"),
            UsernameToken::digest("ann", "s3cret"),
            UsernameToken::digest("ann", "s3cret").with_timestamp(None),
        ] {
            assert_eq!(stored(token, server(), binding).await.unwrap(), ADMITTED);
        }
        let wrong = stored(UsernameToken::digest("ann", "secret"), server(), binding).await;
        let Err(CallError::Fault(fault)) = wrong else {
            panic!("no fault");
        };
        let is_it = match binding {
            Binding::Soap11 => {
                matches!(fault.code(), FaultCode::Other(code) if code.local() == "FailedAuthentication")
            }
            _ => fault
                .subcodes()
                .iter()
                .any(|code| code.local() == "FailedAuthentication"),
        };
        assert!(is_it, "{fault:?}");
    }
    let plain = stored(
        UsernameToken::text("ann", "s3\u{1}cret"),
        server(),
        Binding::Soap11,
    )
    .await;
    let error = plain.unwrap_err().to_string();
    assert!(
        error.contains("a SOAP header cannot be written") && !error.contains("cret"),
        "{error}"
    );
}

#[tokio::test]
async fn clients_refuse_answers_that_have_expired() {
    let past = WsSecurity::new(verify)
        .with_clock(at(NOW))
        .with_clock_skew(Duration::from_secs(1 << 36));
    let server = WorkServer::new(Told).with_ws_security(past);
    let expired = stored(
        UsernameToken::text("ann", "s3cret"),
        server,
        Binding::Soap11,
    )
    .await;
    let error = expired.unwrap_err().to_string();
    assert!(
        error.contains("wsu:Timestamp expired at 2026-01-31T09:36:00.000Z"),
        "{error}"
    );
}

#[test]
fn handlers_are_tested_with_a_user() {
    let context = Context::for_test(&svcgen_tests::work::MODULE, "Store");
    assert_eq!(context.user(), None);
    assert_eq!(context.with_extension(User::new("ann")).user(), Some("ann"));
}

/// A store of nonces that several policies share.
struct Shared(std::sync::Arc<MemoryNonces>);

impl Nonces for Shared {
    async fn remember(
        &self,
        nonce: [u8; 20],
        until: SystemTime,
        now: SystemTime,
    ) -> Result<bool, Fault> {
        assert_eq!(until, at(1_769_851_800 + 600)());
        self.0.remember(nonce, until, now).await
    }
}

#[test]
fn instances_share_a_store_of_nonces() {
    let store = std::sync::Arc::new(MemoryNonces::default());
    let [one, other] = [(); 2].map(|()| serving(policy().with_nonces(Shared(store.clone()))));
    let request = call(Binding::Soap11, "hello", &security(&digest_token()));
    assert_eq!(one.exchange(&request).status, 200);
    assert_eq!(code(&other.exchange(&request)), "InvalidSecurity");
}

#[tokio::test]
async fn nonces_are_forgotten_when_their_tokens_are_too_old() {
    let nonces = MemoryNonces::new(1);
    let remember = |nonce, until, now| nonces.remember([nonce; 20], at(until)(), at(now)());
    assert_eq!(remember(1, NOW + 600, NOW).await, Ok(true));
    assert_eq!(remember(1, NOW + 600, NOW + 600).await, Ok(false));
    assert!(remember(2, NOW + 900, NOW + 600).await.is_err());
    assert_eq!(remember(2, NOW + 900, NOW + 601).await, Ok(true));
}
