//! Secrets in every place of messages, which do not appear in spans, events, metrics and message
//! logs.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::Request;
use metrics_exporter_prometheus::PrometheusBuilder;
use svcgen::{Binding, Context, Fault, HttpTransport, Router, Secret, Transport};
use svcgen_observe::message_log::MessageLog;
use svcgen_observe::metrics::{Measured, MetricsLayer};
use svcgen_observe::trace::{TraceLayer, Traced};
use svcgen_tests::authenticator::{
    AuthenticatorClient, AuthenticatorHandler, AuthenticatorServer, ClientAuthWithResultRequest,
    LoginRequest, LoginResult,
};
use svcgen_tests::pages;
use svcgen_tests::staff::{StaffClient, UnlockRequest};
use tokio::net::TcpListener;

use crate::traces::Log;

svcgen::include_service!("messages");
use messages::{
    Account, AddRequest, LevelsHeaders, LevelsRequest, LoginHeaders, LoginResponseHeaders,
    LogoutHeaders, MessagesClient, MessagesHandler, MessagesServer, NotifyRequest, PingHeaders,
    RenewHeaders, RenewResponseHeaders, SessionsResponseHeaders,
};

/// A part of every secret.
const SECRET: &str = "SeCrEt";
/// The base64 of `bob:SeCrEt-basic`, which is also secret.
const BASIC: &str = "Ym9iOlNlQ3JFdC1iYXNpYw==";

fn secret(name: &str) -> Option<Secret<String>> {
    Some(Secret::from(format!("{SECRET}<&-{name}")))
}

/// Quotes its secrets in faults.
struct Quoting;

impl AuthenticatorHandler for Quoting {
    async fn login(&self, context: &Context, request: LoginRequest) -> Result<bool, Fault> {
        let password = request.password.unwrap_or_default();
        tracing::info!(?password, "a handler logs");
        let basic = "the password SeCrEt-basic";
        match request.username.as_deref() {
            Some("bob quotes") => Err(Fault::client(format!("{} is wrong", password.as_str()))),
            Some("bob quotes basic") => Err(Fault::exception(basic)),
            Some("bob quotes cookie") => Err(Fault::exception(format!("{:?}", context.headers()))),
            Some("bob panics") => panic!("as asked for"),
            _ => Ok(true),
        }
    }

    async fn client_auth_with_result(
        &self,
        _: &Context,
        _: ClientAuthWithResultRequest,
    ) -> Result<LoginResult, Fault> {
        Ok(LoginResult::default())
    }
}

impl MessagesHandler for Quoting {
    async fn login(
        &self,
        _: &Context,
        headers: LoginHeaders,
        request: messages::LoginRequest,
    ) -> Result<(bool, LoginResponseHeaders), Fault> {
        if request.note.as_deref() == Some("locked") {
            let session = headers.session.unwrap_or_default();
            let fault = Fault::client(format!("the session {} is over", session.as_str()));
            return Err(fault.with_detail(&headers.credentials));
        }
        let headers = LoginResponseHeaders {
            session: secret("answered session"),
            height: Some(4711),
        };
        Ok((true, headers))
    }

    async fn sessions(&self, _: &Context) -> Result<(Vec<String>, SessionsResponseHeaders), Fault> {
        Ok(Default::default())
    }

    async fn logout(&self, _: &Context, _: LogoutHeaders) -> Result<(), Fault> {
        Ok(())
    }

    async fn renew(&self, _: &Context, _: RenewHeaders) -> Result<RenewResponseHeaders, Fault> {
        let session = secret("renewed session");
        Ok(RenewResponseHeaders { session })
    }

    async fn levels(
        &self,
        _: &Context,
        _: LevelsHeaders,
        _: LevelsRequest,
    ) -> Result<Option<Vec<i32>>, Fault> {
        Ok(None)
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }

    async fn ping(&self, _: &Context, _: PingHeaders) -> Result<(), Fault> {
        Ok(())
    }

    async fn add(&self, _: &Context, request: AddRequest) -> Result<Account, Fault> {
        Ok(request.b)
    }
}

fn account() -> Account {
    Account {
        name: "ann".to_owned(),
        password: secret("account"),
    }
}

/// Makes all calls through a transport.
async fn call<T: Transport + Clone + Send + Sync>(transport: T, url: &str) {
    let authenticator = AuthenticatorClient::new(transport.clone(), url).unwrap();
    for binding in Binding::DEFAULT {
        let client = authenticator.clone().with_binding(binding);
        for name in [
            "bob",
            "bob quotes",
            "bob quotes basic",
            "bob quotes cookie",
            "bob panics",
        ] {
            let request = LoginRequest {
                username: Some(name.to_owned()),
                password: secret("password"),
            };
            let call = client.login(&request);
            let call = call.with_header("authorization", format!("Basic {BASIC}"));
            let call = call.with_header("cookie", "session=SeCrEt-cookie; a=b");
            let call = call.with_header("x-api-key", "SeCrEt-key");
            assert_eq!(call.await.is_ok(), name == "bob", "{binding} {name}");
        }
    }
    let messages = MessagesClient::new(transport.clone(), url).unwrap();
    for binding in Binding::SOAP {
        let client = messages.clone().with_binding(binding);
        for note in ["open", "locked"] {
            let headers = LoginHeaders {
                credentials: account(),
                session: secret("session"),
            };
            let request = messages::LoginRequest {
                note: Some(note.to_owned()),
            };
            let answer = client.login(&headers, &request).await;
            assert_eq!(answer.is_ok(), note == "open");
        }
        let renew = RenewHeaders {
            session: secret("session"),
        };
        client.renew(&renew).await.unwrap();
        let request = AddRequest {
            b: account(),
            ..AddRequest::default()
        };
        client.add(&request).await.unwrap();
    }
    let staff = StaffClient::new(transport.clone(), url).unwrap();
    for binding in STAFF {
        let client = staff.clone().with_binding(binding);
        let key = secret("key").unwrap_or_default();
        client.unlock(&UnlockRequest { key }).await.unwrap();
    }
}

/// The bindings of the service for page scripts.
const STAFF: [Binding; 3] = [Binding::Soap11, Binding::HttpPost, Binding::Json];

/// Returns requests that are not calls.
fn broken(url: &str) -> Vec<Request<Bytes>> {
    let soap = |body: &str| {
        let body = format!(
            "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'>{body}</s:Envelope>"
        );
        let request = Request::post(format!("{url}/SvcDotNet/Authenticator.asmx?{SECRET}"));
        let request = request.header("content-type", "text/xml");
        let request = request.header("soapaction", "\"http://example.com/svc/auth/Login\"");
        request.body(Bytes::from(body)).unwrap()
    };
    let login = |inner: &str| {
        soap(&format!(
            "<s:Body><Login xmlns='http://example.com/svc/auth'>{inner}</Login></s:Body>"
        ))
    };
    let plain = |method: &str, path: &str, body: &str| {
        let request = Request::builder()
            .method(method)
            .uri(format!("{url}{path}"));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        request.body(Bytes::from(body.to_owned())).unwrap()
    };
    let script = |method: &str, operation: &str, body: &str| {
        let request = Request::builder()
            .method(method)
            .uri(format!("{url}/Staff.asmx/{operation}"));
        let request = request.header("content-type", "application/json");
        request.body(Bytes::from(body.to_owned())).unwrap()
    };
    vec![
        script("POST", "Unlock", r#"{"key":"SeCrEt"#),
        script("POST", "Unlock", r#"{"key":SeCrEt}"#),
        script("POST", "Unlock", "{key:'SeCrEt'} SeCrEt"),
        script("POST", "Unlock", r#"{"key":"Se"CrEt","SeCrEt":1}"#),
        script("POST", "Unlock", r#"{"Key":"SeCrEt","SeCrEt":["SeCrEt"]}"#),
        script("POST", "Unlock", r#"{"key":{"SeCrEt":"SeCrEt"}}"#),
        script("POST", "Unlock", r#"{"key":"SeCrEt","__type":"SeCrEt"}"#),
        script("POST", "Other", r#"{"key":"SeCrEt"}"#),
        script("GET", "Unlock?key=%22SeCrEt%22", ""),
        script("POST", "Find?name=%22SeCrEt%22", r#"{"name":"SeCrEt"}"#),
        login("<password>SeCrEt"),
        login("<password>SeCrEt<b>SeCrEt</b></password>"),
        login("<password>SeCrEt&SeCrEt;</password>"),
        login(
            "<username>bob</username><pass>SeCrEt</pass><!-- SeCrEt --><password other='SeCrEt'/>",
        ),
        login("</password>SeCrEt</password>"),
        soap(
            "<s:Header><w:Security xmlns:w='urn:w' s:mustUnderstand='1'><w:Password>SeCrEt</w:Password></w:Security></s:Header><s:Body><Login xmlns='http://example.com/svc/auth'/></s:Body>",
        ),
        soap("<s:Body><Other><password>SeCrEt</password></Other></s:Body>"),
        plain(
            "GET",
            "/SvcDotNet/Authenticator.asmx/Login?username=bob&password=SeCrEt&SeCrEt=1",
            "",
        ),
        plain(
            "GET",
            "/SvcDotNet/Authenticator.asmx/Other?password=SeCrEt",
            "",
        ),
        plain("GET", "/Other.asmx?password=SeCrEt", ""),
        plain(
            "PUT",
            "/SvcDotNet/Authenticator.asmx?password=SeCrEt",
            "SeCrEt",
        ),
        plain(
            "POST",
            "/SvcDotNet/Authenticator.asmx/Login",
            "username=bob&password=SeCrEt&SeCrEt&x=SeCrEt",
        ),
        plain(
            "POST",
            "/SvcDotNet/Authenticator.asmx/Login",
            "password=%53eCrEt&username",
        ),
    ]
}

#[tokio::test]
async fn nothing_that_is_told_of_calls_holds_a_secret() {
    let (log, _subscriber) = Log::start();
    let recorder = PrometheusBuilder::new().build_recorder();
    let _recorder = metrics::set_default_local_recorder(&recorder);
    let exchanges = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&exchanges);
    let messages = MessageLog::new(move |exchange| {
        seen.lock()
            .unwrap()
            .push(format!("{exchange}\n{exchange:?}\n"));
    });

    let router = Router::new()
        .with_service(AuthenticatorServer::new(Quoting))
        .with_service(MessagesServer::new(Quoting))
        .with_service(pages::server())
        .with_layer(messages.clone())
        .with_layer(MetricsLayer::new())
        .with_layer(TraceLayer::new().with_caller_address());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = svcgen::serve(listener, router).with_shutdown(async move {
        let _ = stopped.await;
    });
    let serving = tokio::spawn(serving.into_future());

    let transport = messages.around(HttpTransport::new());
    let transport = Arc::new(Traced::new(Measured::new(transport)));
    call(Arc::clone(&transport), &url).await;
    let broken = broken(&url);
    let count = broken.len();
    for request in broken {
        transport.send(request).await.unwrap();
    }
    drop((stop, transport));
    serving.await.unwrap().unwrap();

    let exchanges = exchanges.lock().unwrap();
    // Five logins over each of four bindings, four calls over each of two, one over each of three,
    // on both sides.
    assert_eq!(exchanges.len(), 2 * (5 * 4 + 4 * 2 + STAFF.len() + count));
    let exchanges = exchanges.join("\n");
    let (spans, metrics) = (log.text(), recorder.handle().render());
    for (what, text) in [
        ("log", &exchanges),
        ("spans", &spans),
        ("metrics", &metrics),
    ] {
        for secret in [SECRET, BASIC] {
            for line in text.lines() {
                assert!(!line.contains(secret), "{what}: {line}");
            }
        }
    }
    for shown in [
        "bob quotes",
        "<Name>ann</Name>",
        "4711",
        "[secret]",
        "[omitted]",
    ] {
        assert!(exchanges.contains(shown), "{shown}: {exchanges}");
    }
    for shown in [
        "a handler logs",
        "client.address=127.0.0.1",
        "fault.code=\"Client\" fault.text=\"[secret]\"",
        "fault.code=\"Server\" fault.text=\"[secret]\"",
        "fault.text=\"The handler panicked.\"",
        "outcome=\"panicked\"",
    ] {
        assert!(spans.contains(shown), "{shown}: {spans}");
    }
    assert!(
        metrics.contains("operation=\"Login\",binding=\"soap12\",outcome=\"fault\""),
        "{metrics}"
    );
}
