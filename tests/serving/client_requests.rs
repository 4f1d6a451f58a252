//! The generated clients send the recorded requests of Microsoft's proxies, and read the recorded
//! answers.

use std::sync::Mutex;

use bytes::Bytes;
use svcgen::transport::TransportError;
use svcgen::{Binding, CallError, Transport};
use svcgen_tests::authenticator::{
    self, AuthenticatorClient, ClientAuthWithResultRequest, ErrorCode, LoginResult,
};
use svcgen_tests::device_login_service::{
    self, DeviceLoginServiceClient, EmailPasswordRequest, ForgotPasswordStatus,
    LoginWithEncryptedPasswordRequest,
};
use svcgen_tests::fixture::{self, BYTES};
use svcgen_tests::raw_http::{Answer, parse_answer, parse_head, split};
use svcgen_tests::recorded;

const BASE_URL: &str = "http://127.0.0.1:18090";

const BINDINGS: [(&str, Binding); 4] = [
    ("soap11", Binding::Soap11),
    ("soap12", Binding::Soap12),
    ("get", Binding::HttpGet),
    ("post", Binding::HttpPost),
];

/// Records the request and returns a recorded answer.
struct Recording {
    request: Mutex<Option<http::Request<Bytes>>>,
    answer: Answer,
}

impl Recording {
    fn of(name: &str) -> Self {
        let exchange = recorded::exchange(name);
        Self {
            request: Mutex::new(None),
            answer: parse_answer(&exchange.response),
        }
    }
}

impl Transport for Recording {
    async fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> Result<http::Response<Bytes>, TransportError> {
        *self.request.lock().expect("a request") = Some(request);
        let mut answer = http::Response::builder().status(self.answer.status);
        for (name, value) in &self.answer.headers {
            answer = answer.header(name, value);
        }
        Ok(answer
            .body(Bytes::from(self.answer.body.clone()))
            .expect("a recorded answer"))
    }
}

/// The parts of a request that the service uses.
#[derive(Debug, PartialEq, Eq)]
struct Sent {
    method: String,
    target: String,
    content_type: Option<String>,
    soap_action: Option<String>,
    body: String,
}

fn sent(transport: &Recording) -> Sent {
    let request = transport
        .request
        .lock()
        .expect("a request")
        .take()
        .expect("a request was sent");
    let header = |name: &str| {
        request
            .headers()
            .get(name)
            .map(|value| value.to_str().expect("ASCII").to_owned())
    };
    assert_eq!(
        request
            .uri()
            .authority()
            .map(|authority| authority.as_str()),
        Some("127.0.0.1:18090")
    );
    Sent {
        method: request.method().to_string(),
        target: request.uri().path_and_query().expect("a path").to_string(),
        content_type: header("content-type"),
        soap_action: header("soapaction"),
        body: String::from_utf8(request.body().to_vec()).expect("UTF-8"),
    }
}

fn recorded_request(name: &str) -> Sent {
    let request = recorded::exchange(name).request;
    let (head, body) = split(&request);
    let (first, headers) = parse_head(head);
    let header = |name: &str| {
        headers
            .iter()
            .find(|(header, _)| header.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.clone())
    };
    let mut words = first.split(' ');
    Sent {
        method: words.next().expect("a method").to_owned(),
        target: words.next().expect("a target").to_owned(),
        content_type: header("content-type"),
        soap_action: header("soapaction"),
        body: String::from_utf8(body.to_vec()).expect("UTF-8"),
    }
}

fn authenticator(transport: &Recording, binding: Binding) -> AuthenticatorClient<&Recording> {
    AuthenticatorClient::new(transport, BASE_URL)
        .expect("a client")
        .with_binding(binding)
}

fn device(transport: &Recording, binding: Binding) -> DeviceLoginServiceClient<&Recording> {
    DeviceLoginServiceClient::new(transport, BASE_URL)
        .expect("a client")
        .with_binding(binding)
}

/// Makes a call over each binding, compares the requests with the recorded ones, and returns the
/// results.
async fn over_each<R>(
    call_of: &str,
    call: impl AsyncFn(&Recording, Binding) -> Result<R, CallError>,
) -> Vec<R> {
    let mut results = Vec::new();
    for (prefix, binding) in BINDINGS {
        let name = format!("client/{prefix}-{call_of}");
        let transport = Recording::of(&name);
        results.push(call(&transport, binding).await.expect(&name));
        assert_eq!(sent(&transport), recorded_request(&name), "{name}");
    }
    results
}

#[tokio::test]
async fn client_auth_with_result() {
    let request = ClientAuthWithResultRequest {
        username: Some("alice".to_owned()),
        password: Some("secret".into()),
        mac_address: Some("00-11".to_owned()),
        process_name: Some("proc.exe".to_owned()),
    };
    let results = over_each("auth-ClientAuthWithResult", async |transport, binding| {
        let client = authenticator(transport, binding);
        client.client_auth_with_result(&request).await
    });
    let expected = LoginResult {
        error_code: ErrorCode::None,
        message: Some("welcome alice".to_owned()),
    };
    assert_eq!(results.await, vec![expected; 4]);
}

#[tokio::test]
async fn authenticator_login() {
    let request = authenticator::LoginRequest {
        username: Some("alice".to_owned()),
        password: Some("secret".into()),
    };
    let results = over_each("auth-Login", async |transport, binding| {
        authenticator(transport, binding).login(&request).await
    });
    assert_eq!(results.await, [true; 4]);
}

#[tokio::test]
async fn device_login() {
    let request = device_login_service::LoginRequest {
        username: Some("alice".to_owned()),
        password: Some("secret".into()),
        device_pin: Some("pin-1".into()),
    };
    let results = over_each("device-Login", async |transport, binding| {
        device(transport, binding).login(&request).await
    });
    assert_eq!(results.await, vec![fixture::full("welcome alice"); 4]);
}

#[tokio::test]
async fn login_with_encrypted_password() {
    let request = LoginWithEncryptedPasswordRequest {
        username: Some("alice".to_owned()),
        encrypted_password: Some(BYTES.to_vec().into()),
        device_pin: Some("pin-1".into()),
        user_initiated: true,
    };
    let name = "device-LoginWithEncryptedPassword";
    let results = over_each(name, async |transport, binding| {
        let client = device(transport, binding);
        client.login_with_encrypted_password(&request).await
    });
    let expected = fixture::full("welcome alice, userInitiated=true");
    assert_eq!(results.await, vec![expected; 4]);
}

#[tokio::test]
async fn email_password() {
    let request = EmailPasswordRequest {
        username: Some("alice".to_owned()),
    };
    let results = over_each("device-EmailPassword", async |transport, binding| {
        device(transport, binding).email_password(&request).await
    });
    assert_eq!(results.await, [ForgotPasswordStatus::Success; 4]);
}

#[tokio::test]
async fn operations_without_parameters() {
    let results = over_each("device-TestConnection", async |transport, binding| {
        device(transport, binding).test_connection().await
    });
    assert_eq!(results.await, vec![Some("connection ok".to_owned()); 4]);
    let logout = async |transport: &_, binding| device(transport, binding).logout().await;
    assert_eq!(over_each("device-Logout", logout).await, [(); 4]);
    let no_op = async |transport: &_, binding| device(transport, binding).no_op().await;
    assert_eq!(over_each("device-NoOp", no_op).await, [(); 4]);
}

/// Hard texts are sent as recorded, with two exceptions: CR is written as a reference in XML, so
/// that it arrives, and non-ASCII text in forms is UTF-8, which every server reads, where
/// Microsoft's proxies send `%uXXXX`.
#[tokio::test]
async fn hard_texts() {
    for (prefix, binding) in BINDINGS {
        let name = format!("client/{prefix}-auth-ClientAuthWithResult-special");
        let transport = Recording::of(&name);
        let soap = matches!(binding, Binding::Soap11 | Binding::Soap12);
        // The recorded proxies sent no `<` in forms, because ASP.NET refuses it there.
        let start = if soap { "<&>" } else { "&>" };
        let request = ClientAuthWithResultRequest {
            username: Some("echo".to_owned()),
            password: Some(format!("{start}\"' \t\r\n\u{e9}\u{65e5}\u{1f600} ").into()),
            mac_address: Some("a+b %".to_owned()),
            process_name: None,
        };
        let result = authenticator(&transport, binding)
            .client_auth_with_result(&request)
            .await
            .expect(&name);
        assert_eq!(result.error_code, ErrorCode::None);
        let mut expected = recorded_request(&name);
        expected.body = as_svcgen_writes(&expected.body);
        expected.target = as_svcgen_writes(&expected.target);
        assert_eq!(sent(&transport), expected, "{name}");
    }
}

fn as_svcgen_writes(recorded: &str) -> String {
    recorded
        .replace('\r', "&#xD;")
        .replace("%u00E9", "%C3%A9")
        .replace("%u65E5", "%E6%97%A5")
        .replace("%uD83D%uDE00", "%F0%9F%98%80")
}

/// The clients send only headers that Microsoft's proxies send, besides those of the transport.
#[tokio::test]
async fn no_other_headers() {
    for (prefix, binding) in BINDINGS {
        let transport = Recording::of(&format!("client/{prefix}-device-NoOp"));
        device(&transport, binding)
            .no_op()
            .await
            .expect("an answer");
        let request = transport
            .request
            .lock()
            .expect("a request")
            .take()
            .expect("a request was sent");
        for name in request.headers().keys() {
            let known = [
                "content-type",
                "soapaction",
                "content-length",
                "user-agent",
                "host",
                "accept",
            ];
            assert!(known.contains(&name.as_str()), "{prefix}: {name}");
        }
    }
}

/// The recorded answers with absent, empty, nil, extreme and hard values, as the clients read them.
/// The recorded server wrote CR unescaped, so it is read as a line feed (XML 1.0 §2.11).
#[tokio::test]
async fn recorded_shapes_are_read() {
    for (suffix, binding) in BINDINGS {
        let shapes = [
            ("minimal", fixture::minimal()),
            ("empties", fixture::empties()),
            ("nilitems", fixture::nil_items()),
            ("extremes", fixture::extremes()),
            ("special", with_line_feeds(fixture::special())),
        ];
        for (shape, expected) in shapes {
            let name = format!("shape/device-Login-{shape}-{suffix}");
            let transport = Recording::of(&name);
            let result = device(&transport, binding)
                .login(&Default::default())
                .await
                .expect(&name);
            assert_eq!(result, expected, "{name}");
        }
        let messages = [
            ("emptymsg", Some(String::new())),
            ("nullmsg", None),
            (
                "special",
                Some(fixture::SPECIAL.replace("\r\n", "\n").replace('\r', "\n")),
            ),
        ];
        for (shape, message) in messages {
            let name = format!("shape/auth-ClientAuth-{shape}-{suffix}");
            let transport = Recording::of(&name);
            let client = authenticator(&transport, binding);
            let result = client
                .client_auth_with_result(&Default::default())
                .await
                .expect(&name);
            assert_eq!(
                result,
                LoginResult {
                    error_code: ErrorCode::None,
                    message
                },
                "{name}"
            );
        }
    }
}

fn with_line_feeds(
    mut response: device_login_service::DeviceLoginResponse,
) -> device_login_service::DeviceLoginResponse {
    let normalised = |text: &mut Option<String>| {
        *text = text
            .take()
            .map(|text| text.replace("\r\n", "\n").replace('\r', "\n"));
    };
    normalised(&mut response.login_error_message);
    let items = response
        .additional_info
        .iter_mut()
        .flat_map(|info| &mut info.news_search_source_types);
    for item in items.flatten().flatten() {
        normalised(&mut item.name);
    }
    response
}
