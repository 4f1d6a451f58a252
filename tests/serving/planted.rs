//! The corpus of `tests/planted`: no message log and no span contains its secret.

#[path = "../src/planted.rs"]
#[allow(dead_code, reason = "other tests send its bytes")]
mod corpus;

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use corpus::{check, planted, secret};
use http::Request;
use svcgen::{Context, Fault, Transport};
use svcgen_observe::message_log::MessageLog;
use svcgen_observe::trace::TraceLayer;

use crate::traces::Log;

svcgen::include_service!("vault");
use vault::{OpenRequest, PeekRequest, SealRequest, VaultHandler, VaultServer};

/// Quotes the secret, also as base64 and percent-encoded.
struct Quoting;

fn quoting() -> Fault {
    let all = planted().into_iter().map(|one| one.quotation).take(3);
    let all = all.collect::<Vec<_>>().join(", ");
    Fault::client(format!("not {}, {all}", secret()))
}

impl VaultHandler for Quoting {
    async fn open(&self, _: &Context, _: OpenRequest) -> Result<Option<String>, Fault> {
        Err(quoting())
    }

    async fn peek(&self, _: &Context, _: PeekRequest) -> Result<Option<String>, Fault> {
        Err(quoting())
    }

    async fn seal(&self, _: &Context, _: SealRequest) -> Result<Option<String>, Fault> {
        Err(quoting())
    }
}

#[tokio::test]
async fn logs_and_spans_hold_no_planted_secret() {
    let (spans, _subscriber) = Log::start();
    let exchanges = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&exchanges);
    let log = MessageLog::new(move |exchange| {
        *seen.lock().unwrap() += &format!("{exchange}\n{exchange:?}\n");
    });
    let server = VaultServer::new(Quoting)
        .with_layer(log.clone())
        .with_layer(TraceLayer::new());
    let client = log.around(server);
    for one in planted() {
        // Helps to find the cause of a failure.
        exchanges
            .lock()
            .unwrap()
            .push_str(&format!("{}\n", one.place));
        let request = Request::builder().method(&*one.method).uri(&one.target);
        let headers = one.headers.iter();
        let request = headers.fold(request, |request, (name, value)| {
            request.header(name, value)
        });
        let sent = client
            .send(request.body(Bytes::from(one.body)).unwrap())
            .await;
        assert!(!sent.unwrap().status().is_success(), "{}", one.place);
    }
    let exchanges = exchanges.lock().unwrap();
    check("message log", exchanges.as_bytes(), "<pin>[secret]</pin>");
    check("spans", spans.text().as_bytes(), "fault.text=\"[secret]\"");
}
