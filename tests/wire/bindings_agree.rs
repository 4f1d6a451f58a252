//! The four bindings pass the same request to the handler and the same result to the caller.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use svcgen::{Accept, Binding, CallError, Context, Fault, FaultCode};
use svcgen_tests::authenticator::{
    self, AuthenticatorClient, AuthenticatorHandler, AuthenticatorServer,
    ClientAuthWithResultRequest, ErrorCode, LoginResult,
};
use svcgen_tests::checks::{BINDINGS, carries_absence};
use svcgen_tests::device_login_service::{
    self, DeviceLoginResponse, DeviceLoginServiceClient, DeviceLoginServiceHandler,
    DeviceLoginServiceServer, EmailPasswordRequest, ForgotPasswordStatus,
    LoginWithEncryptedPasswordRequest,
};
use svcgen_tests::fixture::{self, BYTES, SPECIAL};
use svcgen_tests::random;

/// A request as received by a handler.
#[derive(Debug, Clone, PartialEq)]
enum Request {
    ClientAuth(ClientAuthWithResultRequest),
    Login(authenticator::LoginRequest),
    DeviceLogin(device_login_service::LoginRequest),
    Encrypted(LoginWithEncryptedPasswordRequest),
    EmailPassword(EmailPasswordRequest),
    TestConnection,
    Logout,
    NoOp,
}

/// The answer of the handler, which the caller gets.
#[derive(Debug, Clone, PartialEq)]
enum Answer {
    LoginResult(LoginResult),
    Boolean(bool),
    Response(Box<DeviceLoginResponse>),
    Status(ForgotPasswordStatus),
    Text(Option<String>),
    Nothing,
}

/// Records every request and returns a given answer.
struct Probe {
    answer: Result<Answer, Fault>,
    seen: Mutex<Vec<(Binding, Request)>>,
}

impl Probe {
    fn note(&self, context: &Context, request: Request) -> Result<Answer, Fault> {
        self.seen
            .lock()
            .expect("the requests seen")
            .push((context.binding(), request));
        self.answer.clone()
    }
}

macro_rules! the {
    ($variant:ident of $answer:expr) => {
        match $answer? {
            Answer::$variant(value) => Ok(value),
            other => panic!("the answer is {other:?}"),
        }
    };
}

impl AuthenticatorHandler for Probe {
    async fn client_auth_with_result(
        &self,
        context: &Context,
        request: ClientAuthWithResultRequest,
    ) -> Result<LoginResult, Fault> {
        the!(LoginResult of self.note(context, Request::ClientAuth(request)))
    }

    async fn login(
        &self,
        context: &Context,
        request: authenticator::LoginRequest,
    ) -> Result<bool, Fault> {
        the!(Boolean of self.note(context, Request::Login(request)))
    }
}

impl DeviceLoginServiceHandler for Probe {
    async fn login(
        &self,
        context: &Context,
        request: device_login_service::LoginRequest,
    ) -> Result<DeviceLoginResponse, Fault> {
        the!(Response of self.note(context, Request::DeviceLogin(request)))
            .map(|response: Box<_>| *response)
    }

    async fn login_with_encrypted_password(
        &self,
        context: &Context,
        request: LoginWithEncryptedPasswordRequest,
    ) -> Result<DeviceLoginResponse, Fault> {
        the!(Response of self.note(context, Request::Encrypted(request)))
            .map(|response: Box<_>| *response)
    }

    async fn email_password(
        &self,
        context: &Context,
        request: EmailPasswordRequest,
    ) -> Result<ForgotPasswordStatus, Fault> {
        the!(Status of self.note(context, Request::EmailPassword(request)))
    }

    async fn test_connection(&self, context: &Context) -> Result<Option<String>, Fault> {
        the!(Text of self.note(context, Request::TestConnection))
    }

    async fn logout(&self, context: &Context) -> Result<(), Fault> {
        self.note(context, Request::Logout).map(|_| ())
    }

    async fn no_op(&self, context: &Context) -> Result<(), Fault> {
        self.note(context, Request::NoOp).map(|_| ())
    }
}

const BASE_URL: &str = "http://service.example";

/// Makes a call within the process. Returns the requests that the handler received, and the result
/// of the caller.
async fn call(
    binding: Binding,
    request: Request,
    answer: Result<Answer, Fault>,
) -> (Vec<(Binding, Request)>, Result<Answer, CallError>) {
    let probe = Arc::new(Probe {
        answer,
        seen: Mutex::default(),
    });
    let authenticator = AuthenticatorServer::from_arc(Arc::clone(&probe));
    let authenticator = AuthenticatorClient::new(authenticator, BASE_URL)
        .expect("a URL")
        .with_binding(binding);
    let device = DeviceLoginServiceServer::from_arc(Arc::clone(&probe));
    let device = DeviceLoginServiceClient::new(device, BASE_URL)
        .expect("a URL")
        .with_binding(binding);
    let got = match request {
        Request::ClientAuth(request) => authenticator
            .client_auth_with_result(&request)
            .await
            .map(Answer::LoginResult),
        Request::Login(request) => authenticator.login(&request).await.map(Answer::Boolean),
        Request::DeviceLogin(request) => device
            .login(&request)
            .await
            .map(Box::new)
            .map(Answer::Response),
        Request::Encrypted(request) => device
            .login_with_encrypted_password(&request)
            .await
            .map(Box::new)
            .map(Answer::Response),
        Request::EmailPassword(request) => {
            device.email_password(&request).await.map(Answer::Status)
        }
        Request::TestConnection => device.test_connection().await.map(Answer::Text),
        Request::Logout => device.logout().await.map(|()| Answer::Nothing),
        Request::NoOp => device.no_op().await.map(|()| Answer::Nothing),
    };
    let seen = probe.seen.lock().expect("the requests seen").clone();
    (seen, got)
}

/// Returns the request that a form can carry: absent texts are empty, and absent bytes have no
/// field at all.
fn as_form(request: Request) -> Request {
    match request {
        Request::ClientAuth(request) => Request::ClientAuth(ClientAuthWithResultRequest {
            username: Some(request.username.unwrap_or_default()),
            password: Some(request.password.unwrap_or_default()),
            mac_address: Some(request.mac_address.unwrap_or_default()),
            process_name: Some(request.process_name.unwrap_or_default()),
        }),
        Request::Login(request) => Request::Login(authenticator::LoginRequest {
            username: Some(request.username.unwrap_or_default()),
            password: Some(request.password.unwrap_or_default()),
        }),
        Request::DeviceLogin(request) => Request::DeviceLogin(device_login_service::LoginRequest {
            username: Some(request.username.unwrap_or_default()),
            password: Some(request.password.unwrap_or_default()),
            device_pin: Some(request.device_pin.unwrap_or_default()),
        }),
        Request::Encrypted(request) => Request::Encrypted(LoginWithEncryptedPasswordRequest {
            username: Some(request.username.unwrap_or_default()),
            encrypted_password: request.encrypted_password,
            device_pin: Some(request.device_pin.unwrap_or_default()),
            user_initiated: request.user_initiated,
        }),
        Request::EmailPassword(request) => Request::EmailPassword(EmailPasswordRequest {
            username: Some(request.username.unwrap_or_default()),
        }),
        other => other,
    }
}

/// Returns the difference if the four bindings do not agree on this call.
fn disagreement(request: &Request, answer: &Answer) -> Option<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    BINDINGS.iter().find_map(|&(name, binding)| {
        let (seen, got) = runtime.block_on(call(binding, request.clone(), Ok(answer.clone())));
        let expected = if carries_absence(binding) {
            request.clone()
        } else {
            as_form(request.clone())
        };
        if seen != [(binding, expected.clone())] {
            return Some(format!(
                "{name}: the handler saw {}, not {}",
                revealed(&seen),
                revealed(&expected)
            ));
        }
        match got {
            Ok(got) if got == *answer => None,
            Ok(got) => Some(format!(
                "{name}: the caller got {}, not {}",
                revealed(&got),
                revealed(answer)
            )),
            Err(error) => Some(format!("{name}: the caller got the error {error}")),
        }
    })
}

/// Secrets are printed as `[secret]`, which is enough to locate a difference.
fn revealed(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn assert_agreement(request: Request, answer: Answer) {
    if let Some(disagreement) = disagreement(&request, &answer) {
        panic!("{disagreement}");
    }
}

fn client_auth(texts: [Option<&str>; 4]) -> Request {
    Request::ClientAuth(ClientAuthWithResultRequest {
        username: texts[0].map(str::to_owned),
        password: texts[1].map(Into::into),
        mac_address: texts[2].map(str::to_owned),
        process_name: texts[3].map(str::to_owned),
    })
}

fn encrypted(bytes: Option<&[u8]>, user_initiated: bool) -> Request {
    Request::Encrypted(LoginWithEncryptedPasswordRequest {
        username: Some("alice".to_owned()),
        encrypted_password: bytes.map(|bytes| bytes.to_vec().into()),
        device_pin: Some("pin".into()),
        user_initiated,
    })
}

fn welcome() -> Answer {
    Answer::LoginResult(LoginResult {
        error_code: ErrorCode::None,
        message: Some("welcome".to_owned()),
    })
}

#[test]
fn hard_texts_agree() {
    let all_ascii: String = (' '..='~').collect();
    let hard = [
        SPECIAL,
        &all_ascii,
        "",
        " ",
        "\r",
        "\n",
        "\r\n",
        "\t",
        "<b",
        "</password>",
        "]]>",
        "<![CDATA[x]]>",
        "&#13;",
        "&amp;",
        "%41",
        "%u00e9",
        "+",
        "a+b",
        "a,b",
        "a=b&c=d",
        "\u{feff}x",
        "\u{85}\u{2028}",
        "\u{fffd}",
        "\u{10ffff}",
        "\u{7f}\u{80}",
        "e\u{301}",
    ];
    for text in hard {
        let request = client_auth([Some(text), Some(text), Some(text), Some(text)]);
        let answer = LoginResult {
            error_code: ErrorCode::InvalidPassword,
            message: Some(text.to_owned()),
        };
        assert_agreement(request, Answer::LoginResult(answer));
        assert_agreement(Request::TestConnection, Answer::Text(Some(text.to_owned())));
    }
}

#[test]
fn absent_and_empty_texts_agree() {
    let texts = [None, Some(""), Some("x")];
    for username in texts {
        for password in texts {
            for message in [None, Some(String::new()), Some("x".to_owned())] {
                let answer = LoginResult {
                    error_code: ErrorCode::None,
                    message,
                };
                assert_agreement(
                    client_auth([username, password, None, Some("")]),
                    Answer::LoginResult(answer),
                );
            }
        }
    }
    assert_agreement(Request::TestConnection, Answer::Text(None));
}

#[test]
fn bytes_agree() {
    let every: Vec<u8> = (0..=255).collect();
    for bytes in [
        None,
        Some(&[][..]),
        Some(&[0]),
        Some(&[65, 66, 67]),
        Some(&BYTES),
        Some(&every),
    ] {
        for user_initiated in [true, false] {
            let response = DeviceLoginResponse {
                encrypted_password: bytes.map(|bytes| bytes.to_vec().into()),
                ..Default::default()
            };
            assert_agreement(
                encrypted(bytes, user_initiated),
                Answer::Response(Box::new(response)),
            );
        }
    }
}

#[test]
fn results_agree() {
    let responses = [
        fixture::minimal(),
        fixture::empties(),
        fixture::nil_items(),
        fixture::special(),
        fixture::extremes(),
        fixture::full("welcome"),
    ];
    for response in responses {
        assert_agreement(
            Request::DeviceLogin(Default::default()),
            Answer::Response(Box::new(response)),
        );
    }
    assert_agreement(Request::Login(Default::default()), Answer::Boolean(true));
    assert_agreement(Request::Login(Default::default()), Answer::Boolean(false));
    assert_agreement(Request::Logout, Answer::Nothing);
    assert_agreement(Request::NoOp, Answer::Nothing);
}

#[tokio::test]
async fn faults_agree() {
    for (name, binding) in BINDINGS {
        for text in [
            "boom <&> \u{e9}",
            "one ---> two",
            "a & b",
            "\u{65e5}\u{1f600} \"quoted\" 'too'",
            "x",
        ] {
            let (_, got) = call(
                binding,
                Request::Login(Default::default()),
                Err(Fault::exception(text)),
            )
            .await;
            let said = match got {
                Err(CallError::Fault(fault)) => fault.text().to_owned(),
                other => panic!("{name}: {other:?}"),
            };
            assert!(
                said.ends_with(text),
                "{name}: {said:?} does not end with {text:?}"
            );
        }
    }
}

#[tokio::test]
async fn fault_codes_reach_callers_over_soap() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        for code in [
            FaultCode::Client,
            FaultCode::Server,
            FaultCode::other("urn:codes", "Locked"),
        ] {
            let (_, got) = call(binding, Request::NoOp, Err(Fault::new(code.clone(), "no"))).await;
            match got {
                Err(CallError::Fault(fault)) if fault.text() == "no" => {
                    assert_eq!(*fault.code(), code, "{binding}")
                }
                other => panic!("{binding}: {other:?}"),
            }
        }
    }
}

/// Characters that XML cannot contain are never sent: the caller gets an error and no handler runs.
#[tokio::test]
async fn unwritable_texts_are_refused_before_sending() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        for text in ["\0", "a\u{1}", "\u{b}", "\u{1f}b", "\u{fffe}", "\u{ffff}"] {
            let request = client_auth([Some("alice"), Some(text), None, None]);
            let (seen, got) = call(binding, request, Ok(welcome())).await;
            assert!(
                matches!(got, Err(CallError::Write(_))),
                "{binding} {text:?}: {got:?}"
            );
            assert_eq!(seen, [], "{binding} {text:?}");
        }
    }
}

/// Answers may contain such characters, as in .NET. Clients read them if they are configured to.
#[tokio::test]
async fn results_hold_characters_that_xml_does_not_have() {
    for (name, binding) in BINDINGS {
        for text in ["\0", "a\u{1}", "\u{fffe}"] {
            let answer = LoginResult {
                error_code: ErrorCode::None,
                message: Some(text.to_owned()),
            };
            let (seen, got) = call(
                binding,
                client_auth([Some("a"); 4]),
                Ok(Answer::LoginResult(answer.clone())),
            )
            .await;
            assert_eq!(seen.len(), 1, "{name}");
            assert!(
                matches!(got, Err(CallError::Read(_))),
                "{name} {text:?}: {got:?}"
            );
            let server = AuthenticatorServer::new(Probe {
                answer: Ok(Answer::LoginResult(answer.clone())),
                seen: Mutex::default(),
            });
            let client = AuthenticatorClient::new(server, BASE_URL).expect("a URL");
            let client = client
                .with_binding(binding)
                .with(|client| client.with_accepted([Accept::ControlCharacters]));
            let got = client
                .client_auth_with_result(&ClientAuthWithResultRequest::default())
                .await;
            assert_eq!(got.expect("a result"), answer, "{name} {text:?}");
        }
    }
}

macro_rules! agrees {
    ($($name:ident: $request:expr => $variant:ident, $answer:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
            $(
                #[test]
                fn $name(request in $request, answer in $answer) {
                    prop_assert_eq!(disagreement(&Request::$variant(request), &answer), None);
                }
            )*
        }
    };
}

agrees! {
    random_client_auth_agrees: random::client_auth_request() => ClientAuth, random::login_result().prop_map(Answer::LoginResult);
    random_login_agrees: random::login_request() => Login, any::<bool>().prop_map(Answer::Boolean);
    random_device_login_agrees: random::device_login_request() => DeviceLogin, response();
    random_encrypted_login_agrees: random::encrypted_request() => Encrypted, response();
    random_email_password_agrees: random::email_request() => EmailPassword, random::forgot_password_status().prop_map(Answer::Status);
}

fn response() -> BoxedStrategy<Answer> {
    random::device_login_response()
        .prop_map(|response| Answer::Response(Box::new(response)))
        .boxed()
}
