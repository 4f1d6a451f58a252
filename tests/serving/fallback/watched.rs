//! Forwarded calls in layers, metrics and transports.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use http::{HeaderValue, StatusCode};
use metrics_exporter_prometheus::PrometheusBuilder;
use svcgen::fallback::Fallback;
use svcgen::layer::{CallRequest, CallService, Refusal, Target};
use svcgen::transport::{CalledOperation, transport_fn};
use svcgen::{Binding, HttpTransport, Router};
use svcgen_observe::metrics::MetricsLayer;
use svcgen_observe::trace::{TraceLayer, Traced};
use tower::layer::layer_fn;
use tower::{BoxError, Service, ServiceBuilder, service_fn};

use super::original::Original;
use super::work::WorkServer;
use super::{Nothing, before, call, call_over, fallback, moving};
use crate::traces::Log;

#[test]
fn layers_see_operations_and_change_heads_both_ways() {
    let original = Original::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let layer = || {
        let seen = Arc::clone(&seen);
        layer_fn(move |inner: CallService| {
            let seen = Arc::clone(&seen);
            service_fn(move |mut request: CallRequest| {
                let (seen, mut inner) = (Arc::clone(&seen), inner.clone());
                async move {
                    request
                        .headers_mut()
                        .insert("x-layer", HeaderValue::from_static("in"));
                    let operation = match request.target() {
                        Target::Operation(operation) => operation.name.to_owned(),
                        unknown => format!("{unknown:?}"),
                    };
                    let binding = request.binding().map(|binding| binding.to_string());
                    let mut answer = inner.call(request).await?;
                    answer
                        .headers_mut()
                        .insert("x-layer", HeaderValue::from_static("out"));
                    let outcome = answer.outcome().name();
                    let binding = binding.unwrap_or_else(|| "-".to_owned());
                    seen.lock()
                        .unwrap()
                        .push(format!("{operation} {binding} {outcome}"));
                    Ok::<_, Infallible>(answer)
                }
            })
        })
    };
    let server = running!(moving(&original).with_layer(layer()));
    let take = || std::mem::take(&mut *seen.lock().unwrap());
    for binding in Binding::ALL {
        for (operation, outcome) in [
            ("Store", "answered"),
            ("Read", "forwarded"),
            ("Notify", "forwarded"),
        ] {
            let answer = server.exchange(&call_over(binding, operation, "text"));
            assert_eq!(
                answer.header("x-layer"),
                Some("out"),
                "{binding} {operation}"
            );
            assert_eq!(take(), [format!("{operation} {binding} {outcome}")]);
            if outcome == "forwarded" {
                assert_eq!(original.next().header("x-layer"), Some("in"));
            }
        }
    }
    server.exchange(b"GET /Other HTTP/1.1\r\nHost: h\r\n\r\n");
    assert_eq!(take(), ["Forwarded - forwarded"]);
    let router = Router::new().with_layer(layer());
    let alone = running!(router.clone().with_service(WorkServer::new(Nothing)));
    alone.exchange(b"GET /Other HTTP/1.1\r\nHost: h\r\n\r\n");
    assert_eq!(take(), ["Refused - refused"]);
    let router = router.with_service(before(&original));
    let router = running!(router.with_fallback(fallback(&original)));
    for (request, line) in [
        (call("Read", "text"), "Read SOAP 1.1 forwarded"),
        (
            b"GET /Other HTTP/1.1\r\nHost: h\r\n\r\n".to_vec(),
            "Forwarded - forwarded",
        ),
    ] {
        assert_eq!(router.exchange(&request).text(), "original");
        assert_eq!(take(), [line]);
    }
}

#[test]
fn callers_take_nothing_away_that_layers_add() {
    let original = Original::new();
    let layer = layer_fn(|inner: CallService| {
        service_fn(move |mut request: CallRequest| {
            let headers = request.headers_mut();
            if let Some(written) = headers.insert("x-user", HeaderValue::from_static("ann")) {
                headers.insert("x-written", written);
            }
            inner.clone().call(request)
        })
    });
    let server = running!(before(&original).with_layer(layer));
    let other = b"GET /Other HTTP/1.1\r\nHost: h\r\n\r\n".to_vec();
    for request in [call("Read", "text"), other] {
        for (connection, written) in [
            ("keep-alive", Some("eve")),
            ("X-User", None),
            ("keep-alive, x-user ,Host, Connection", None),
        ] {
            let headers = format!("Host: h\r\nX-User: eve\r\nConnection: {connection}\r\n");
            let request = String::from_utf8(request.clone()).unwrap();
            let request = request.replacen("Host: h\r\n", &headers, 1);
            assert_eq!(server.exchange(request.as_bytes()).text(), "original");
            let sent = original.next();
            assert_eq!(sent.header("x-user"), Some("ann"), "{connection}");
            assert_eq!(sent.header("x-written"), written, "{connection}");
            assert_eq!(sent.header("connection"), None, "{connection}");
        }
    }
}

#[test]
fn layers_refuse_what_would_fall_back() {
    let original = Original::new();
    let refuse = |_: CallRequest| {
        Err::<CallRequest, BoxError>(Refusal::new(StatusCode::UNAUTHORIZED).into())
    };
    let server = before(&original).with_layer(ServiceBuilder::new().filter(refuse));
    let server = running!(server);
    for request in [
        call("Read", "text"),
        b"GET /Other HTTP/1.1\r\nHost: h\r\n\r\n".to_vec(),
    ] {
        assert_eq!(server.exchange(&request).status, 401);
    }
    assert!(original.is_done());
}

#[test]
fn metrics_count_what_is_left_to_move_and_transports_know_it() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let called = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&called);
    let transport = transport_fn(move |request: http::Request<svcgen::bytes::Bytes>| {
        let called = request.extensions().get::<CalledOperation>();
        let called =
            called.map(|called| format!("{} {}", called.operation(), called.is_read_only()));
        kept.lock().unwrap().push(called.unwrap_or_default());
        async { Ok(http::Response::default()) }
    });
    metrics::with_local_recorder(&recorder, || {
        let fallback = Fallback::over(transport, "https://old.example").unwrap();
        let server = WorkServer::new(Nothing).with_layer(MetricsLayer::new());
        let server = server.with_fallback(fallback);
        for operation in ["Read", "Read", "Notify"] {
            let request = http::Request::post("/Work.asmx")
                .header("Content-Type", "text/xml")
                .header("SOAPAction", format!("\"urn:example:work/{operation}\""))
                .body(svcgen::bytes::Bytes::new());
            let runtime = tokio::runtime::Builder::new_current_thread()
                .build()
                .unwrap();
            let answer = runtime.block_on(server.answer(request.unwrap()));
            assert_eq!(answer.status(), 200);
        }
    });
    assert_eq!(
        *called.lock().unwrap(),
        ["Read true", "Read true", "Notify false"]
    );
    let text = recorder.handle().render();
    let counted = |operation: &str, count: &str| {
        text.lines().any(|line| {
            line.contains(&format!("operation=\"{operation}\""))
                && line.contains("outcome=\"forwarded\"")
                && line.ends_with(&format!("}} {count}"))
        })
    };
    assert!(counted("Read", "2") && counted("Notify", "1"), "{text}");
}

#[tokio::test]
async fn traces_tell_what_was_forwarded_and_go_on_at_the_original() {
    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let (log, _guard) = Log::start();
    let original = Original::new();
    let plain = before(&original);
    let traced = before(&original).with_layer(TraceLayer::new());
    let over = Fallback::over(Traced::new(HttpTransport::new()), &original.url()).unwrap();
    let both = WorkServer::new(Nothing)
        .with_layer(TraceLayer::new())
        .with_fallback(over);
    for server in [plain, traced, both] {
        let request = http::Request::post("/Work.asmx")
            .header("Content-Type", "text/xml")
            .header("SOAPAction", "\"urn:example:work/Read\"")
            .header("traceparent", PARENT)
            .header("tracestate", "a=1");
        let request = request.body(svcgen::bytes::Bytes::from_static(b"SECRET"));
        let answer = server.answer(request.unwrap()).await;
        assert_eq!(answer.body(), "original");
        let sent = original.next();
        assert_eq!(sent.header("tracestate"), Some("a=1"));
        assert_eq!(sent.header("traceparent"), Some(PARENT));
    }
    let text = log.text();
    let ended: Vec<_> = text
        .lines()
        .filter(|line| line.contains("call ended") && line.contains("forwarded"))
        .collect();
    assert_eq!(ended.len(), 2, "{text}");
    for line in ended {
        for field in [
            "otel.name=Work/Read",
            "trace_id=0af7651916cd43dd8448eb211c80319c",
            "http.response.status_code=200",
        ] {
            assert!(line.contains(field), "{field}: {line}");
        }
    }
    assert!(!text.contains("SECRET"));
}
