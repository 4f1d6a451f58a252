//! The metrics of calls, as an exporter shows them.

use bytes::Bytes;
use http::Request;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};
use svcgen::codegen::Endpoint;
use svcgen::serve::{Serve, Tls};
use svcgen::transport::{TransportError, TransportErrorKind, transport_fn};
use svcgen::{Binding, Context, Fault, Router, Transport};
use svcgen_observe::metrics::{Measured, MetricsLayer};
use svcgen_tests::work::{
    NotifyRequest, ReadRequest, StoreRequest, WorkClient, WorkHandler, WorkServer,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceBuilder;

use crate::certificates::Issuer;

struct Handler;

impl WorkHandler for Handler {
    async fn store(&self, _: &Context, request: StoreRequest) -> Result<String, Fault> {
        match request.text.as_str() {
            "fault" => Err(Fault::client("SECRET")),
            "panic" => panic!("as asked for"),
            _ => Ok("answer".to_owned()),
        }
    }

    async fn read(&self, _: &Context, _: ReadRequest) -> Result<String, Fault> {
        std::future::pending().await
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

fn server() -> WorkServer<Handler> {
    WorkServer::new(Handler).with_layer(MetricsLayer::new())
}

fn client<T: Transport>(transport: T) -> WorkClient<T> {
    WorkClient::new(transport, "http://localhost").unwrap()
}

fn store(text: &str) -> StoreRequest {
    StoreRequest {
        text: text.to_owned(),
    }
}

fn recorder() -> PrometheusRecorder {
    PrometheusBuilder::new().build_recorder()
}

fn assert_has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|one| one == *line), "{line}: {text}");
    }
}

#[tokio::test]
async fn calls_of_a_server_are_counted_by_what_they_are_and_what_became_of_them() {
    let recorder = recorder();
    let handle = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let server = server();
    for binding in Binding::ALL {
        let client = client(server.clone()).with_binding(binding);
        client.store(&store("x")).await.unwrap();
    }
    let client = client(server.clone());
    client.store(&store("x")).await.unwrap();
    client.store(&store("fault")).await.unwrap_err();
    client.store(&store("panic")).await.unwrap_err();
    for unknown in ["/Work.asmx/SECRET", "/Work.asmx/Other?SECRET"] {
        let request = Request::post(unknown).header("content-type", "x/SECRET");
        server
            .answer(request.body(Bytes::from("SECRET")).unwrap())
            .await;
    }
    let router = Router::new().with_layer(MetricsLayer::new());
    router
        .answer(Request::get("/SECRET").body(Bytes::new()).unwrap())
        .await;
    let text = handle.render();
    let labels = r#"service="Work",operation="Store",binding="#;
    assert_has(
        &text,
        &[
            &format!("svcgen_server_calls_total{{{labels}\"soap11\",outcome=\"answered\"}} 2"),
            &format!("svcgen_server_calls_total{{{labels}\"soap12\",outcome=\"answered\"}} 1"),
            &format!("svcgen_server_calls_total{{{labels}\"http-get\",outcome=\"answered\"}} 1"),
            &format!("svcgen_server_calls_total{{{labels}\"http-post\",outcome=\"answered\"}} 1"),
            &format!("svcgen_server_calls_total{{{labels}\"json\",outcome=\"answered\"}} 1"),
            &format!("svcgen_server_calls_total{{{labels}\"soap11\",outcome=\"fault\"}} 1"),
            &format!("svcgen_server_calls_total{{{labels}\"soap11\",outcome=\"panicked\"}} 1"),
            &format!(
                "svcgen_server_call_duration_seconds_count{{{labels}\"soap11\",outcome=\"answered\"}} 2"
            ),
            &format!("svcgen_server_running_calls{{{labels}\"soap11\"}} 0"),
            &format!("svcgen_server_request_bytes_total{{{labels}\"http-post\"}} 6"),
            &format!("svcgen_server_request_bytes_total{{{labels}\"http-get\"}} 0"),
            "svcgen_server_calls_total{service=\"unknown\",operation=\"unknown\",binding=\"unknown\",outcome=\"refused\"} 1",
            "# HELP svcgen_server_running_calls Calls that are running",
            "# TYPE svcgen_server_calls_total counter",
        ],
    );
    assert!(
        text.contains("svcgen_server_calls_total{service=\"Work\",operation=\"unknown\""),
        "{text}"
    );
    assert!(!text.contains("SECRET"), "{text}");
}

#[tokio::test]
async fn a_call_that_is_given_up_runs_no_longer() {
    let recorder = recorder();
    let handle = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let time = std::time::Duration::from_millis(1);
    let hasty = server().with_layer(ServiceBuilder::new().timeout(time));
    let client = client(Measured::new(hasty));
    let read = ReadRequest {
        text: String::new(),
    };
    client.read(&read).await.unwrap_err();
    let labels = r#"service="Work",operation="Read",binding="soap11""#;
    let lines = [
        format!("svcgen_server_calls_total{{{labels},outcome=\"dropped\"}} 1"),
        format!("svcgen_server_running_calls{{{labels}}} 0"),
        format!("svcgen_client_calls_total{{{labels},outcome=\"fault\"}} 1"),
        format!("svcgen_client_running_calls{{{labels}}} 0"),
    ];
    assert_has(&handle.render(), &lines.each_ref().map(String::as_str));
}

#[tokio::test]
async fn calls_of_a_client_are_counted() {
    let recorder = recorder();
    let handle = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    client(Measured::new(server()))
        .store(&store("x"))
        .await
        .unwrap();
    let failing =
        transport_fn(|_| async { Err(TransportError::new(TransportErrorKind::Timeout, "SECRET")) });
    let failing = client(Measured::new(failing)).with_binding(Binding::HttpGet);
    failing.store(&store("SECRET")).await.unwrap_err();
    let waiting = transport_fn(|_| std::future::pending());
    let waiting = client(Measured::new(waiting));
    drop(
        tokio::time::timeout(
            std::time::Duration::from_millis(1),
            waiting.store(&store("x")),
        )
        .await,
    );
    let text = handle.render();
    let labels = r#"service="Work",operation="Store",binding="#;
    let lines = [
        format!("svcgen_client_calls_total{{{labels}\"soap11\",outcome=\"answered\"}} 1"),
        format!("svcgen_client_calls_total{{{labels}\"soap11\",outcome=\"dropped\"}} 1"),
        format!("svcgen_client_calls_total{{{labels}\"http-get\",outcome=\"timed_out\"}} 1"),
        format!("svcgen_client_running_calls{{{labels}\"soap11\"}} 0"),
    ];
    assert_has(&text, &lines.each_ref().map(String::as_str));
    assert!(!text.contains("SECRET"), "{text}");
}

/// Serves in this thread, which has the recorder, while callers run.
async fn while_serving<F: Future<Output = ()>>(
    set_up: impl FnOnce(Serve<Endpoint>) -> Serve<Endpoint>,
    callers: impl FnOnce(std::net::SocketAddr) -> F,
) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serve = set_up(svcgen::serve(
        listener,
        Endpoint::from(WorkServer::new(Handler)),
    ));
    let serve = serve.with_shutdown(async { drop(stopped.await) });
    let serving = tokio::spawn(serve.into_future());
    callers(address).await;
    drop(stop);
    serving.await.unwrap().unwrap();
}

/// Reads until the server closes the connection.
async fn closed(mut stream: TcpStream) {
    let _ = stream.read_to_end(&mut Vec::new()).await;
}

#[tokio::test]
async fn connections_are_counted() {
    let recorder = recorder();
    let handle = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let limited = |serve: Serve<_>| serve.with_max_connections_per_address(1);
    while_serving(limited, async |address| {
        let first = TcpStream::connect(address).await.unwrap();
        let second = TcpStream::connect(address).await.unwrap();
        closed(second).await;
        let text = handle.render();
        assert_has(
            &text,
            &[
                "svcgen_serve_connections_total 1",
                "svcgen_serve_open_connections 1",
                "svcgen_serve_refused_connections_total 1",
            ],
        );
        drop(first);
    })
    .await;
    assert_has(&handle.render(), &["svcgen_serve_open_connections 0"]);

    let issued = Issuer::new().issue(&["localhost"]);
    let tls = Tls::from_pem(&issued.certificate, &issued.key).unwrap();
    while_serving(
        |serve| serve.with_tls(tls),
        async |address| {
            let mut stream = TcpStream::connect(address).await.unwrap();
            // The start of a TLS record, and bytes that are not TLS.
            stream
                .write_all(&[22, 3, 1, 0, 4, 0, 0, 0, 0])
                .await
                .unwrap();
            closed(stream).await;
        },
    )
    .await;
    let lines = [
        "svcgen_serve_failed_handshakes_total 1",
        "svcgen_serve_connections_total 2",
        "svcgen_serve_open_connections 0",
        "# HELP svcgen_serve_open_connections Connections that are open",
    ];
    assert_has(&handle.render(), &lines);
}
