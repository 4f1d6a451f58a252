//! Clients in code that is not async.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use svcgen::codegen::Endpoint;
use svcgen::{Binding, Blocking, CallErrorKind};
use svcgen_tests::work::WorkClient;

use crate::worker::{ReadRequest, WorkServer, Worker};

/// Serves in a separate thread. Returns the URL, and a sender that stops the server.
fn served() -> (String, tokio::sync::oneshot::Sender<()>) {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let (tell, told) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            let server = svcgen::serve(listener, Endpoint::from(WorkServer::new(Worker::new())));
            tokio::select! {
                _ = server => {}
                _ = stopped => {}
            }
        });
    });
    (format!("http://{}", told.recv().unwrap()), stop)
}

fn read(text: &str) -> ReadRequest {
    ReadRequest {
        text: text.to_owned(),
    }
}

#[test]
fn calls_wait_for_their_results_on_any_thread() {
    let (url, stop) = served();
    for binding in Binding::ALL {
        let client = WorkClient::connect(&url).unwrap().with_binding(binding);
        let client = Blocking::new(client).unwrap();
        assert_eq!(client.call(|client| client.read(&read("a"))).unwrap(), "a");
        let answered = client.call(|client| client.read(&read("a")).answered());
        assert_eq!(answered.status.unwrap(), 200);
        thread::scope(|scope| {
            for text in ["b", "c", "d"] {
                let client = &client;
                scope.spawn(move || {
                    for _ in 0..20 {
                        let result = client.call(|client| client.read(&read(text)));
                        assert_eq!(result.unwrap(), text);
                    }
                });
            }
        });
        let short = Duration::from_millis(50);
        let call = client.call(|client| client.read(&read("wait")).with_timeout(short));
        assert_eq!(call.unwrap_err().kind(), CallErrorKind::Timeout);
    }
    let client = Blocking::new(WorkClient::connect(&url).unwrap()).unwrap();
    drop(stop);
    // The server ends, and so do its connections.
    while client.call(|client| client.read(&read("a"))).is_ok() {
        thread::yield_now();
    }
}

#[tokio::test]
async fn in_an_async_task_it_says_what_is_wrong() {
    let (url, _stop) = served();
    let client = Blocking::new(WorkClient::connect(&url).unwrap()).unwrap();
    let call = || client.call(|client| client.read(&read("a")));
    let panic = catch_unwind(AssertUnwindSafe(call)).unwrap_err();
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap();
    assert!(
        text.contains("Cannot start a runtime from within a runtime"),
        "{text}"
    );
    let call = move || client.call(|client| client.read(&read("a")));
    // The client is also dropped there.
    assert_eq!(
        tokio::task::spawn_blocking(call).await.unwrap().unwrap(),
        "a"
    );
    drop(Blocking::new(()).unwrap());
}
