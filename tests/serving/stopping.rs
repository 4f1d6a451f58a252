//! The report of a stopped server, and the health checks of its application.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use http_body_util::BodyExt;
use svcgen::codegen::Endpoint;
use svcgen::serve::{Abort, Health, Serve, Stopped};
use svcgen_tests::raw_http::{Connection, Running};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::worker::{Counts, WorkServer, Worker, call, notify};

/// A server with a report that the test waits for.
struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    abort: oneshot::Sender<()>,
    served: JoinHandle<io::Result<Stopped>>,
}

type OfWorker = Serve<Endpoint>;

impl Server {
    async fn start(worker: &Worker, set_up: impl FnOnce(OfWorker) -> OfWorker) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("its address");
        let (stop, stopped) = oneshot::channel();
        let (abort, aborted) = oneshot::channel::<()>();
        let stopping = async {
            let _ = stopped.await;
            Abort::when(async {
                if aborted.await.is_err() {
                    std::future::pending().await
                }
            })
        };
        let serve = set_up(svcgen::serve(
            listener,
            Endpoint::from(WorkServer::new(worker.clone())),
        ));
        let served = tokio::spawn(serve.with_shutdown(stopping).into_future());
        Self {
            address,
            stop,
            abort,
            served,
        }
    }

    fn send(&self, request: &[u8]) -> Connection {
        let mut connection = Connection::open(self.address).expect("a connection");
        connection.send(request).expect("sent");
        connection
    }

    fn get(&self, path: &str) -> io::Result<(u16, String)> {
        let mut connection = Connection::open(self.address)?;
        let request = format!("GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        connection.send(request.as_bytes())?;
        let answer = connection.answer()?;
        Ok((answer.status, answer.text().to_owned()))
    }
}

async fn started(counts: &Counts, calls: usize) {
    while counts.started.load(SeqCst) < calls {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Waits until connections are no longer accepted. After that, the server finishes the running
/// calls.
async fn stopping(address: SocketAddr) {
    while std::net::TcpStream::connect(address).is_ok() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

async fn answered(connection: Connection) -> u16 {
    let read = move || { connection }.answer().expect("an answer").status;
    tokio::task::spawn_blocking(read).await.expect("no panic")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_reports_the_calls_that_end() {
    let worker = Worker::new();
    let server = Server::start(&worker, |serve| serve).await;
    let idle = server.send(&call("Store", "before"));
    let (waits, gone) = (
        server.send(&call("Store", "wait")),
        server.send(&call("Store", "wait")),
    );
    let notified = server.send(&notify("wait", "1"));
    assert_eq!(answered(notified).await, 202);
    started(&worker.counts, 4).await;
    gone.reset();
    server.stop.send(()).expect("a server");
    stopping(server.address).await;
    worker.release(3);
    assert_eq!(answered(waits).await, 200);
    let stopped = server.served.await.expect("no panic").expect("a report");
    // The other two are the call of the disconnected caller, and the one that was answered at once.
    assert_eq!(stopped.finished_calls, 3);
    assert_eq!((stopped.cut_calls, stopped.cut_connections), (0, 0));
    assert!(
        stopped
            .to_string()
            .ends_with(": 3 calls finished, none was cut"),
        "{stopped}"
    );
    drop(idle);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_reports_the_calls_that_it_cuts() {
    for at_once in [false, true] {
        let worker = Worker::new();
        let time = if at_once { 60_000 } else { 300 };
        let time = Duration::from_millis(time);
        let server = Server::start(&worker, |serve| serve.with_shutdown_timeout(time)).await;
        let (ends, cut) = (
            server.send(&call("Store", "wait")),
            server.send(&call("Store", "wait")),
        );
        started(&worker.counts, 2).await;
        let mut half = server.send(b"POST /Work.asmx HTTP/1.1\r\n");
        // The server has read the head by now.
        assert_eq!(
            server.get("/Work.asmx/Read?text=x").expect("an answer").0,
            200
        );
        server.stop.send(()).expect("a server");
        stopping(server.address).await;
        worker.release(1);
        let ends = tokio::spawn(answered(ends));
        let cut = tokio::task::spawn_blocking(move || { cut }.answer().map(|answer| answer.status));
        while worker.counts.finished.load(SeqCst) < 2 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        if at_once {
            // This is after the answer to the call that ends, whichever of the two it is.
            tokio::time::sleep(Duration::from_millis(100)).await;
            server.abort.send(()).expect("a server");
        }
        let stopped = server.served.await.expect("no panic").expect("a report");
        assert_eq!(stopped.finished_calls, 1);
        assert_eq!(stopped.cut_calls, 1);
        assert_eq!(stopped.cut_connections, 2);
        assert!(
            stopped
                .to_string()
                .contains("1 call finished, 1 call and 2 connections were cut"),
            "{stopped}"
        );
        assert!(stopped.time < Duration::from_secs(30));
        let (ends, cut) = (ends.await, cut.await.expect("no panic"));
        assert!(cut.is_err() || ends.is_err(), "one of both is cut");
        assert!(half.rest().unwrap_or_default().is_empty());
        assert_eq!(worker.counts.dropped.load(SeqCst), 1);
    }
}

#[tokio::test]
async fn health_is_answered_before_the_service() {
    let checked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&checked);
    let health = Health::new().with_check("counter", move || {
        let counted = Arc::clone(&counted);
        async move {
            counted.fetch_add(1, SeqCst);
            true
        }
    });
    let server = Server::start(&Worker::new(), |serve| {
        // No calls are allowed.
        serve.with_max_calls(0).with_health(health.clone())
    })
    .await;
    let of = |path: &'static str, server: &Server| {
        let mut connection = Connection::open(server.address).expect("a connection");
        move |method: &'static str| {
            tokio::task::spawn_blocking(move || {
                let request =
                    format!("{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
                connection.send(request.as_bytes()).expect("sent");
                let (status, headers) = connection.head().expect("a head");
                (status, headers, connection.rest().expect("the end"))
            })
        }
    };
    let value = |headers: &[(String, String)], name: &str| {
        let header = headers
            .iter()
            .find(|(header, _)| header.eq_ignore_ascii_case(name));
        header.map(|(_, value)| value.clone())
    };
    for (path, text) in [("/livez", "live\n"), ("/readyz", "ready\n")] {
        let (status, headers, body) = of(path, &server)("GET").await.expect("no panic");
        assert_eq!((status, &*body), (200, text.as_bytes()), "{path}");
        assert_eq!(
            value(&headers, "cache-control").as_deref(),
            Some("no-store")
        );
        let (status, headers, body) = of(path, &server)("HEAD").await.expect("no panic");
        assert_eq!((status, &*body), (200, &b""[..]), "{path}");
        assert_eq!(
            value(&headers, "content-length"),
            Some(text.len().to_string())
        );
        let (status, headers, _) = of(path, &server)("POST").await.expect("no panic");
        assert_eq!(status, 405);
        assert_eq!(value(&headers, "allow").as_deref(), Some("GET, HEAD"));
    }
    let (status, _, _) = of("/livez/", &server)("GET").await.expect("no panic");
    assert_eq!(status, 404);
    assert_eq!(
        checked.load(SeqCst),
        1,
        "the outcome of a check is kept for a second"
    );
    health.set_ready(false);
    let (status, _, body) = of("/readyz", &server)("GET").await.expect("no panic");
    assert_eq!(
        (status, &*body),
        (503, &b"not ready: the application says so\n"[..])
    );
    let (status, _, _) = of("/livez", &server)("GET").await.expect("no panic");
    assert_eq!(status, 200);
    health.set_ready(true);
    let (status, _, _) = of("/readyz", &server)("GET").await.expect("no panic");
    assert_eq!(status, 200);
}

#[tokio::test(start_paused = true)]
async fn checks_that_fail_are_named() {
    let health = Health::new()
        .with_check("well", || async { true })
        .with_check("database", || async { false })
        .with_check("queue", || async {
            panic!("this panic is part of the test")
        })
        .with_check("slow", || async {
            tokio::time::sleep(Duration::from_secs(10)).await;
            true
        });
    let begun = tokio::time::Instant::now();
    let answer = health.ready().await;
    assert_eq!(begun.elapsed().as_secs(), 2);
    assert_eq!(answer.status(), 503);
    let body = answer
        .into_body()
        .collect()
        .await
        .expect("a body")
        .to_bytes();
    assert_eq!(
        body,
        "not ready: these checks fail: database, queue, slow\n"
    );
    assert_eq!(health.live().status(), 200);
}

#[tokio::test]
async fn health_stands_in_axum_and_at_other_paths() {
    let health = Health::new();
    let asked = health.clone();
    let app = axum::Router::<()>::new().route(
        "/ok",
        axum::routing::get(move || async move { asked.ready().await }),
    );
    let renamed = health.clone().with_paths("/alive", "/there");
    let server = Running::start(move |listener, stopped| async move {
        let serve = svcgen::serve(listener, app).with_health(renamed);
        serve.with_shutdown(async { drop(stopped.await) }).await
    });
    let get = |path: &str| {
        let request = format!("GET {path} HTTP/1.1\r\nHost: h\r\n\r\n");
        server.exchange(request.as_bytes()).status
    };
    for (path, status) in [
        ("/ok", 200),
        ("/alive", 200),
        ("/there", 200),
        ("/livez", 404),
    ] {
        assert_eq!(get(path), status, "{path}");
    }
    health.set_ready(false);
    assert_eq!([get("/ok"), get("/there"), get("/alive")], [503, 503, 200]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_drains_is_not_ready_and_still_serves() {
    let worker = Worker::new();
    for at_once in [false, true] {
        let time = Duration::from_millis(if at_once { 60_000 } else { 1500 });
        let server = Server::start(&worker, |serve| {
            serve.with_health(Health::new()).with_drain_time(time)
        })
        .await;
        assert_eq!(server.get("/readyz").expect("an answer").0, 200);
        let Server {
            address,
            stop,
            abort,
            served,
        } = server;
        stop.send(()).expect("a server");
        let get = move |path: &str| {
            let mut connection = Connection::open(address)?;
            let request = format!("GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            connection.send(request.as_bytes())?;
            let answer = connection.answer()?;
            io::Result::Ok((answer.status, answer.text().to_owned()))
        };
        while get("/readyz").expect("an answer").0 == 200 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        assert_eq!(
            get("/readyz").expect("an answer"),
            (503, "not ready: it stops\n".to_owned())
        );
        assert_eq!(get("/livez").expect("an answer").0, 200);
        assert_eq!(get("/Work.asmx/Read?text=x").expect("an answer").0, 200);
        if at_once {
            abort.send(()).expect("a server");
        }
        let stopped = served.await.expect("no panic").expect("a report");
        assert!(at_once || stopped.time >= time);
        assert_eq!((stopped.cut_calls, stopped.cut_connections), (0, 0));
        get("/livez").expect_err("no server");
    }
}
