//! Spans of calls, and trace contexts from one program to another.

use std::io::Write;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, StatusCode};
use svcgen::layer::{CallRequest, Refusal};
use svcgen::transport::{TransportError, TransportErrorKind, transport_fn};
use svcgen::{Binding, Context, Fault, Transport};
use svcgen_observe::trace::{TraceContext, TraceLayer, Traced};
use svcgen_tests::work::{
    NotifyRequest, ReadRequest, StoreRequest, WorkClient, WorkHandler, WorkServer,
};
use tower::{BoxError, ServiceBuilder};
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::format::FmtSpan;

/// The log as text.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Starts to record all spans and events of this thread.
    pub(crate) fn start() -> (Self, DefaultGuard) {
        let log = Self::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .without_time()
            .with_max_level(tracing::Level::TRACE)
            .with_span_events(FmtSpan::FULL)
            .with_writer(move || writer.clone())
            .finish();
        (log, tracing::subscriber::set_default(subscriber))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// Returns the last line with these words.
    fn line(&self, words: &[&str]) -> String {
        let text = self.text();
        let mut lines = text.lines().rev();
        let line = lines.find(|line| words.iter().all(|word| line.contains(word)));
        line.unwrap_or_else(|| panic!("{words:?}: {text}"))
            .to_owned()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Does what the text asks for; for `call`, it calls another service.
struct Handler<T>(Option<WorkClient<T>>);

impl<T: Transport + Send + Sync + 'static> WorkHandler for Handler<T> {
    async fn store(&self, context: &Context, request: StoreRequest) -> Result<String, Fault> {
        tracing::debug!("in the handler");
        tokio::task::yield_now().await;
        let current = TraceContext::current();
        assert_eq!(context.extensions().get::<TraceContext>(), current.as_ref());
        match (request.text.as_str(), &self.0) {
            ("call", Some(client)) => {
                let request = StoreRequest {
                    text: "told".to_owned(),
                };
                client.store(&request).await.map_err(Fault::exception)
            }
            ("panic", _) => panic!("as asked for"),
            ("fault", _) => Err(Fault::client("as asked for")),
            ("closed", _) => Err(Fault::server("as asked for")),
            ("broken", _) => Err(Fault::exception("as asked for")),
            ("missing", _) => Ok(std::fs::read_to_string("/no/such/file")?),
            _ => Ok(current.map_or_else(String::new, |current| current.to_string())),
        }
    }

    async fn read(&self, _: &Context, _: ReadRequest) -> Result<String, Fault> {
        std::future::pending().await
    }

    async fn notify(&self, _: &Context, request: NotifyRequest) -> Result<(), Fault> {
        match request.text.as_str() {
            "fault" => Err(Fault::client("as asked for")),
            _ => Ok(()),
        }
    }
}

type Server<T> = WorkServer<Handler<T>>;

/// Returns the error for a missing file.
fn missing() -> std::io::Error {
    std::fs::read_to_string("/no/such/file").unwrap_err()
}

/// Returns a server that calls no other service.
fn server() -> Server<svcgen::Router> {
    WorkServer::new(Handler(None)).with_layer(TraceLayer::new())
}

fn client<T: Transport>(transport: T) -> WorkClient<T> {
    WorkClient::new(transport, "http://localhost").unwrap()
}

fn store(text: &str) -> StoreRequest {
    StoreRequest {
        text: text.to_owned(),
    }
}

#[tokio::test]
async fn a_call_has_a_span_that_its_handler_runs_in() {
    let (log, _guard) = Log::start();
    for binding in Binding::ALL {
        let client = client(server()).with_binding(binding);
        client.store(&store("x")).await.unwrap();
        let name = format!("binding=\"{}\"", binding.key());
        let handler = log.line(&["in the handler"]);
        let closed = log.line(&["close", "svcgen::call"]);
        let event = log.line(&["call ended"]);
        assert!(
            event.contains("INFO") && event.contains(" duration="),
            "{event}"
        );
        for line in [&handler, &closed, &event] {
            assert!(line.contains("otel.name=Work/Store"), "{line}");
            assert!(
                line.contains("rpc.service=\"Work\" rpc.method=\"Store\""),
                "{line}"
            );
            assert!(line.contains(&name) && line.contains("trace_id="), "{line}");
        }
        for field in [
            "outcome=\"answered\"",
            "http.response.status_code=200",
            "http.response.body.size=",
            "http.request.body.size=",
        ] {
            assert!(closed.contains(field), "{field}: {closed}");
        }
        assert!(!log.text().contains("?text"), "{}", log.text());
    }
}

#[tokio::test]
async fn outcomes_decide_on_levels() {
    let (log, _guard) = Log::start();
    let client = client(server());
    for (text, level, field) in [
        (
            "fault",
            " WARN",
            "outcome=\"fault\" http.response.status_code=500 fault.code=\"Client\"",
        ),
        ("closed", " WARN", "fault.code=\"Server\""),
        ("broken", "ERROR", "fault.code=\"Server\""),
        ("missing", "ERROR", "fault.code=\"Server\""),
        ("panic", "ERROR", "outcome=\"panicked\""),
    ] {
        client.store(&store(text)).await.unwrap_err();
        let event = log.line(&["call ended", field]);
        assert!(event.starts_with(level), "{event}");
        let told = match text {
            "missing" => "There was an error processing the request.",
            "panic" => "The handler panicked.",
            _ => "as asked for",
        };
        assert!(event.contains(&format!("fault.text={told:?}")), "{event}");
        let has_cause = event.contains(&format!(" error=\"{}\"", missing()));
        assert_eq!(has_cause, text == "missing", "{event}");
    }
    // The caller does not get this fault.
    let notify = NotifyRequest {
        text: "fault".to_owned(),
        count: 1,
    };
    client.notify(&notify).await.unwrap();
    let event = log.line(&["call ended", "rpc.method=\"Notify\"", "status_code=202"]);
    assert!(event.starts_with("ERROR"), "{event}");
    assert!(event.contains("fault.text=\"as asked for\""), "{event}");
    // The layer reports everything, so the server does not.
    assert!(!log.text().contains("call failed"), "{}", log.text());
    let refused = Request::post("/Work.asmx?key=SECRET").header("content-type", "a/b");
    server()
        .answer(refused.body(Bytes::from("SECRET")).unwrap())
        .await;
    let event = log.line(&["call ended", "outcome=\"refused\"", "status_code=415"]);
    assert!(
        event.starts_with(" WARN") && !event.contains("rpc.method"),
        "{event}"
    );

    // Other layers may refuse calls inside of it, and give up on calls outside of it.
    let refuses =
        |_: CallRequest| Err::<CallRequest, BoxError>(Refusal::new(StatusCode::IM_A_TEAPOT).into());
    let server = WorkServer::new(Handler::<svcgen::Router>(None));
    let refusing = server.with_layer(ServiceBuilder::new().filter(refuses));
    let traced = refusing.with_layer(TraceLayer::new());
    self::client(traced).store(&store("x")).await.unwrap_err();
    log.line(&["call ended", "outcome=\"refused\"", "status_code=418"]);
    let time = std::time::Duration::from_millis(1);
    let hasty = self::server().with_layer(ServiceBuilder::new().timeout(time));
    let read = ReadRequest {
        text: String::new(),
    };
    self::client(hasty).read(&read).await.unwrap_err();
    log.line(&["call ended", "outcome=\"dropped\"", "rpc.method=\"Read\""]);
    assert!(!log.text().contains("SECRET"));
}

const CALLER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-";

/// Returns a transport that adds headers of a caller.
fn with_headers<T: Transport + Clone + Send + Sync>(transport: T) -> impl Transport {
    transport_fn(move |mut request: Request<Bytes>| {
        let transport = transport.clone();
        request
            .headers_mut()
            .insert("traceparent", CALLER.parse().unwrap());
        request
            .headers_mut()
            .insert("tracestate", "vendor=1".parse().unwrap());
        async move { transport.send(request).await }
    })
}

#[tokio::test]
async fn calls_of_handlers_continue_the_trace_of_their_caller() {
    let (log, _guard) = Log::start();
    let far = server();
    let headers = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&headers);
    let between = transport_fn(move |request: Request<Bytes>| {
        seen.lock().unwrap().push(request.headers().clone());
        let far = far.clone();
        async move { far.send(request).await }
    });
    let handler = Handler(Some(client(Traced::new(between))));
    let near = WorkServer::new(handler).with_layer(TraceLayer::new());
    let told = client(with_headers(near))
        .store(&store("call"))
        .await
        .unwrap();
    assert!(told.starts_with(TRACE), "{told}");
    let headers = headers.lock().unwrap().pop().unwrap();
    assert_eq!(headers["tracestate"], "vendor=1");
    // Each span is a child of the span before.
    let near = log.line(&["close", "svcgen::call", "parent_span_id=b7ad6b7169203331"]);
    let near = near.split("span_id=").nth(1).unwrap()[..16].to_owned();
    let sent = log.line(&["close", "svcgen::client", &format!("parent_span_id={near}")]);
    assert!(sent.contains("outcome=\"answered\""), "{sent}");
    let parent = headers["traceparent"].to_str().unwrap().to_owned();
    let far = log.line(&[
        "close",
        "svcgen::call",
        &format!("parent_span_id={}", &parent[36..52]),
    ]);
    assert!(far.contains(&told[36..52]), "{far}");
    assert_eq!(TraceContext::current(), None);
}

#[tokio::test]
async fn calls_of_clients_start_traces_and_keep_given_ones() {
    let (log, _guard) = Log::start();
    let client = client(Traced::new(server()));
    let [one, other] = [
        client.store(&store("x")).await.unwrap(),
        client.store(&store("x")).await.unwrap(),
    ];
    assert!(one[3..35] != other[3..35], "{one} {other}");
    let given = client
        .store(&store("x"))
        .with_header("traceparent", CALLER)
        .await
        .unwrap();
    assert!(given.starts_with(TRACE), "{given}");
    let own = TraceContext::start();
    let within = own
        .clone()
        .scope(async { client.store(&store("x")).await.unwrap() })
        .await;
    assert_eq!(within[3..35], own.to_string()[3..35]);

    let failing =
        transport_fn(|_| async { Err(TransportError::new(TransportErrorKind::Connect, "SECRET")) });
    let failing = self::client(Traced::new(failing)).with_binding(Binding::HttpGet);
    failing.store(&store("SECRET")).await.unwrap_err();
    let event = log.line(&["svcgen::client", "call ended", "outcome=\"connect\""]);
    assert!(
        event.starts_with(" WARN") && event.contains("server.address=\"localhost\""),
        "{event}"
    );
    assert!(!log.text().contains("SECRET"), "{}", log.text());
}

#[tokio::test]
async fn spans_of_users_and_of_other_layers_are_around_the_handler() {
    let (log, _guard) = Log::start();
    fn span(request: &CallRequest) -> tracing::Span {
        let operation = request.operation_name();
        tracing::info_span!("mine", operation, outcome = tracing::field::Empty)
    }
    let server = WorkServer::new(Handler::<svcgen::Router>(None));
    let server = server.with_layer(TraceLayer::new().with_span(span));
    client(server).store(&store("x")).await.unwrap();
    log.line(&["in the handler", "mine{operation=\"Store\"}"]);
    log.line(&["close", "mine{operation=\"Store\" outcome=\"answered\"}"]);
}

/// Makes calls that fail at servers without a `TraceLayer`, when the test below runs this test
/// binary again.
#[tokio::test]
async fn child_without_the_layer() {
    if std::env::var_os("SVCGEN_TEST_WITHOUT_LAYER").is_none() {
        return;
    }
    let server = || WorkServer::new(Handler::<svcgen::Router>(None));
    let layered = server().with_layer(ServiceBuilder::new().map_request(|call: CallRequest| call));
    for server in [server(), layered] {
        let client = client(server);
        client.store(&store("missing")).await.unwrap_err();
        let notify = NotifyRequest {
            text: "fault".to_owned(),
            count: 1,
        };
        client.notify(&notify).await.unwrap();
        for text in ["x", "fault"] {
            let _ = client.store(&store(text)).await;
        }
    }
    client(failing_layer())
        .store(&store("x"))
        .await
        .unwrap_err();
}

/// Returns a server with a layer that fails.
fn failing_layer() -> Server<svcgen::Router> {
    let fails = |_: CallRequest| Err::<CallRequest, BoxError>("the token 4711 is over".into());
    WorkServer::new(Handler(None)).with_layer(ServiceBuilder::new().filter(fails))
}

#[test]
fn without_the_layer_the_server_tells_what_callers_do_not_hear() {
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "traces::child_without_the_layer", "--nocapture"])
        .env("SVCGEN_TEST_WITHOUT_LAYER", "1")
        .output()
        .unwrap();
    assert!(child.status.success(), "{child:?}");
    let told = String::from_utf8(child.stderr).unwrap();
    let told: Vec<_> = told.lines().collect();
    let store = format!(
        "svcgen: Work/Store failed: There was an error processing the request. Cause: {}",
        missing()
    );
    let notify = "svcgen: Work/Notify failed: as asked for";
    // The known parts of the request determine what is shown; nothing of a layer's error is shown.
    let layer = "svcgen: unknown/unknown failed: Cause: an error of a layer, which may quote the request: a TraceLayer outside of it shows it";
    assert_eq!(told, [&*store, notify, &*store, notify, layer]);
}

#[tokio::test]
async fn a_failing_layer_is_traced() {
    let (log, _guard) = Log::start();
    let traced = failing_layer().with_layer(TraceLayer::new());
    client(traced).store(&store("x")).await.unwrap_err();
    let line = log.line(&["call ended", "the token 4711 is over"]);
    assert!(line.starts_with("ERROR"), "{line}");
}
