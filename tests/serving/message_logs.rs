//! The message log of servers and clients.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::Request;
use svcgen::mask::SECRET;
use svcgen::transport::{TransportError, TransportErrorKind, transport_fn};
use svcgen::{Binding, Context, Fault, Router, Transport};
use svcgen_observe::message_log::{LoggedExchange, MessageLog};
use svcgen_tests::work::{
    NotifyRequest, ReadRequest, StoreRequest, WorkClient, WorkHandler, WorkServer,
};
use tower::ServiceBuilder;

struct Handler;

impl WorkHandler for Handler {
    async fn store(&self, _: &Context, request: StoreRequest) -> Result<String, Fault> {
        match request.text.as_str() {
            "fault" => Err(Fault::client("as asked for")),
            "number" => Ok(request.text.parse::<i32>()?.to_string()),
            text => Ok(format!("stored {text}")),
        }
    }

    async fn read(&self, _: &Context, _: ReadRequest) -> Result<String, Fault> {
        std::future::pending().await
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

/// The logged exchanges.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<LoggedExchange>>>);

impl Logged {
    fn log(&self) -> MessageLog {
        let logged = self.clone();
        MessageLog::new(move |exchange| logged.0.lock().unwrap().push(exchange.clone()))
    }

    fn take(&self) -> Vec<LoggedExchange> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
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
async fn both_sides_log_requests_with_their_answers() {
    let logged = Logged::default();
    let server = WorkServer::new(Handler).with_layer(logged.log());
    for binding in Binding::ALL {
        let client = client(logged.log().around(server.clone()));
        client
            .with_binding(binding)
            .store(&store("x y"))
            .await
            .unwrap();
        for exchange in logged.take() {
            assert_eq!(exchange.service.as_deref(), Some("Work"));
            assert_eq!(exchange.operation.as_deref(), Some("Store"));
            assert_eq!(
                (exchange.binding, exchange.outcome),
                (Some(binding), "answered")
            );
            let text = exchange.to_string();
            let start = format!("Work/Store over {binding}: answered in ");
            assert!(text.starts_with(&start), "{text}");
            assert!(
                text.contains("x y") || text.contains("x+y") || text.contains("x%20y"),
                "{text}"
            );
            assert!(
                text.contains("stored x y") && text.contains("\n\n200 OK\n"),
                "{text}"
            );
        }
    }
    client(logged.log().around(server))
        .store(&store("x"))
        .await
        .unwrap();
    assert_eq!(logged.take().len(), 2);
}

#[tokio::test]
async fn operations_and_outcomes_are_chosen() {
    let logged = Logged::default();
    let server = WorkServer::new(Handler);
    let failures = server.with_layer(logged.log().with_failures_only());
    let client = client(failures.clone());
    client.store(&store("x")).await.unwrap();
    assert!(logged.take().is_empty());
    client.store(&store("fault")).await.unwrap_err();
    let [fault] = &logged.take()[..] else {
        panic!("the fault is logged");
    };
    let response = fault.response.as_ref().unwrap();
    assert!(response.body().contains("as asked for"), "{fault}");
    let refused = Request::post("/Work.asmx").header("content-type", "a/b");
    failures
        .answer(refused.body(Bytes::from("x")).unwrap())
        .await;
    let [refused] = &logged.take()[..] else {
        panic!("the refusal is logged");
    };
    // The body of the request was not read.
    assert_eq!(
        (refused.outcome, refused.request.body().as_str()),
        ("refused", "")
    );

    let notify = NotifyRequest {
        text: "x".to_owned(),
        count: 1,
    };
    let some = WorkServer::new(Handler).with_layer(logged.log().with_operations(["Notify"]));
    let some = self::client(some);
    some.store(&store("x")).await.unwrap();
    some.notify(&notify).await.unwrap();
    let [only] = &logged.take()[..] else {
        panic!("one is logged");
    };
    assert_eq!(only.operation.as_deref(), Some("Notify"));
}

#[tokio::test]
async fn calls_without_an_answer_are_logged() {
    let logged = Logged::default();
    let time = std::time::Duration::from_millis(1);
    let hasty = WorkServer::new(Handler).with_layer(logged.log());
    let hasty = hasty.with_layer(ServiceBuilder::new().timeout(time));
    let read = ReadRequest {
        text: "x".to_owned(),
    };
    client(hasty).read(&read).await.unwrap_err();
    let failing = transport_fn(|_| async {
        Err(TransportError::new(TransportErrorKind::Connect, "refused"))
    });
    client(logged.log().around(failing))
        .read(&read)
        .await
        .unwrap_err();
    let outcomes: Vec<_> = logged
        .take()
        .iter()
        .map(|one| (one.outcome, one.response.is_none()))
        .collect();
    assert_eq!(outcomes, [("dropped", true), ("connect", true)]);

    // A request to no service is not described by a definition.
    let router = Router::new().with_layer(logged.log());
    let request = Request::post("/x?y").header("content-type", "text/xml");
    let request = request.header("cookie", "x").body(Bytes::from("<x>y</x>"));
    router.answer(request.unwrap()).await;
    let [unknown] = &logged.take()[..] else {
        panic!("it is logged");
    };
    assert_eq!(unknown.request.uri(), "/[omitted]?[omitted]");
    assert_eq!(unknown.request.headers()["cookie"], SECRET);
}

#[tokio::test]
async fn long_messages_are_cut_and_no_character_controls_the_terminal() {
    let logged = Logged::default();
    let server = WorkServer::new(Handler).with_layer(logged.log().with_limit(500));
    let long = format!("a\u{202E}b{}", "x".repeat(2000));
    client(server).store(&store(&long)).await.unwrap();
    let [exchange] = &logged.take()[..] else {
        panic!("it is logged");
    };
    assert!(exchange.request.body().ends_with("[cut]") && exchange.request.body().len() < 600);
    let text = exchange.to_string();
    assert!(
        !text.contains('\u{202E}') && !text.contains("xxx"),
        "{text}"
    );
}

#[tokio::test]
async fn an_error_that_callers_do_not_hear_of_is_logged() {
    let logged = Logged::default();
    let client = client(WorkServer::new(Handler).with_layer(logged.log()));
    let error = client.store(&store("number")).await.unwrap_err();
    assert!(!error.to_string().contains("digit"), "{error}");
    let exchange = logged.take().pop().unwrap();
    assert_eq!(
        exchange.error.as_deref().map(String::as_str),
        Some("invalid digit found in string")
    );
    assert!(
        exchange
            .to_string()
            .contains("\nerror: invalid digit found in string\n")
    );
}

#[tokio::test]
async fn all_paths_of_a_server_are_shown_and_others_are_not() {
    let logged = Logged::default();
    let server = WorkServer::new(Handler)
        .with_paths(["/Work.asmx", "/v1/Work.asmx"])
        .unwrap()
        .with_layer(logged.log());
    for (path, shown) in [
        ("/Work.asmx/Store", "/Work.asmx/Store"),
        ("/v1/Work.asmx/Store", "/v1/Work.asmx/Store"),
        ("/v1/Work.asmx/4711", "/v1/Work.asmx/[omitted]"),
    ] {
        let request =
            Request::post(path).header("Content-Type", "application/x-www-form-urlencoded");
        let request = request.body(Bytes::from_static(b"text=a")).unwrap();
        server.send(request).await.unwrap();
        let exchange = logged.take().pop().unwrap();
        assert_eq!(exchange.request.uri().path(), shown);
    }
}
