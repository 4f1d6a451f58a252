//! The timeouts of `serve`, with a clock of the test and connections in memory.

use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use bytes::Bytes;
use svcgen::ServerOptions;
use svcgen::codegen::Endpoint;
use svcgen::serve::Listener;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use crate::worker::{WorkServer, Worker, call};

/// The capacity of connections in memory, in bytes.
const BUFFER: usize = 256;

struct InMemory {
    accepted: mpsc::UnboundedReceiver<DuplexStream>,
}

static IS_BROKEN: AtomicBool = AtomicBool::new(false);

impl Listener for InMemory {
    type Stream = DuplexStream;

    async fn accept(&mut self) -> (DuplexStream, Option<SocketAddr>) {
        match self.accepted.recv().await {
            Some(stream) => (stream, None),
            None => std::future::pending().await,
        }
    }

    fn is_broken(_: &DuplexStream) -> bool {
        IS_BROKEN.load(SeqCst)
    }
}

/// Serves. Returns a function that opens connections.
fn serve(service: WorkServer<Worker>) -> impl Fn() -> DuplexStream {
    let (accept, accepted) = mpsc::unbounded_channel();
    tokio::spawn(async { svcgen::serve(InMemory { accepted }, Endpoint::from(service)).await });
    move || {
        let (ours, theirs) = duplex(BUFFER);
        accept.send(theirs).expect("a server");
        ours
    }
}

async fn answer(stream: &mut DuplexStream) -> String {
    let mut answer = Vec::new();
    while !answer.ends_with(b"</soap:Envelope>") {
        let read = stream.read_buf(&mut answer).await.expect("an answer");
        assert!(read > 0, "{}", String::from_utf8_lossy(&answer));
    }
    String::from_utf8(answer).expect("UTF-8")
}

async fn seconds_until_closed(stream: &mut DuplexStream) -> u64 {
    let begun = Instant::now();
    let mut rest = Vec::new();
    let closed = timeout(Duration::from_secs(100_000), stream.read_to_end(&mut rest));
    closed.await.expect("an end").expect("no error");
    begun.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn a_call_has_110_seconds_by_default() {
    let worker = Worker::new();
    let connect = serve(WorkServer::new(worker.clone()));
    let mut stream = connect();
    stream
        .write_all(&call("Store", "wait"))
        .await
        .expect("sent");
    let begun = Instant::now();
    let answer = answer(&mut stream).await;
    assert!(answer.contains("Request timed out."), "{answer}");
    assert_eq!(begun.elapsed().as_secs(), 110);
    assert_eq!(worker.counts.dropped.load(SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn the_deadline_can_be_switched_off() {
    let worker = Worker::new();
    let options = ServerOptions::new().with_deadline(None);
    let connect = serve(WorkServer::new(worker.clone()).with_options(options));
    let mut stream = connect();
    stream
        .write_all(&call("Store", "wait"))
        .await
        .expect("sent");
    sleep(Duration::from_secs(100_000)).await;
    worker.release(1);
    let answer = answer(&mut stream).await;
    assert!(
        answer.contains("<StoreResult>wait</StoreResult>"),
        "{answer}"
    );
}

/// Without a server and a runtime there is no clock; the call still runs.
#[test]
fn a_call_outside_a_runtime_has_no_deadline() {
    let worker = Worker::new();
    let server = WorkServer::new(worker.clone());
    let request = http::Request::get("/Work.asmx/Store?text=wait").body(Bytes::new());
    let mut answer = std::pin::pin!(server.answer(request.expect("a request")));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(answer.as_mut().poll(&mut context).is_pending());
    worker.release(1);
    let std::task::Poll::Ready(answer) = answer.poll(&mut context) else {
        panic!("the call was released");
    };
    assert_eq!(answer.status(), 200);
}

#[tokio::test(start_paused = true)]
async fn an_answer_has_5_minutes_however_steadily_it_is_read() {
    let connect = serve(WorkServer::new(Worker::new()));
    let mut stream = connect();
    let sent = call("Store", &"x".repeat(100_000));
    let (mut reading, mut writing) = tokio::io::split(&mut stream);
    writing.write_all(&sent).await.expect("sent");
    let begun = Instant::now();
    while reading.read_u8().await.is_ok() {
        sleep(Duration::from_secs(1)).await;
    }
    // The first byte, one byte each second, and the buffered bytes just as slowly.
    assert_eq!(begun.elapsed().as_secs(), 1 + 300 + BUFFER as u64);
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_30_seconds_ends_an_answer() {
    let connect = serve(WorkServer::new(Worker::new()));
    let mut stream = connect();
    let sent = call("Store", &"x".repeat(100_000));
    stream.write_all(&sent).await.expect("sent");
    sleep(Duration::from_secs(29)).await;
    stream.read_exact(&mut [0; 100]).await.expect("a part");
    sleep(Duration::from_secs(29)).await;
    stream.read_exact(&mut [0; 100]).await.expect("a part");
    sleep(Duration::from_secs(31)).await;
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.expect("the end");
    assert_eq!(rest.len(), BUFFER);
}

#[tokio::test(start_paused = true)]
async fn a_connection_lives_for_an_hour() {
    let connect = serve(WorkServer::new(Worker::new()));
    let mut stream = connect();
    let begun = Instant::now();
    loop {
        stream
            .write_all(&call("Store", "next"))
            .await
            .expect("sent");
        let answer = answer(&mut stream).await;
        if begun.elapsed() >= Duration::from_secs(3595) {
            assert!(!answer.contains("Connection: close"), "{answer}");
            break;
        }
        sleep(Duration::from_secs(5)).await;
    }
    seconds_until_closed(&mut stream).await;
    assert_eq!(begun.elapsed().as_secs(), 3600);
}

/// That the caller has closed its side does not end the call; the listener reports a broken
/// connection.
#[tokio::test(start_paused = true)]
async fn a_broken_connection_abandons_its_call_after_a_second() {
    let worker = Worker::new();
    let connect = serve(WorkServer::new(worker.clone()));
    let mut stream = connect();
    stream.write_all(&call("Read", "wait")).await.expect("sent");
    stream.shutdown().await.expect("closed");
    sleep(Duration::from_secs(10)).await;
    assert_eq!(worker.counts.started.load(SeqCst), 1);
    assert_eq!(worker.counts.dropped.load(SeqCst), 0);
    IS_BROKEN.store(true, SeqCst);
    seconds_until_closed(&mut stream).await;
    tokio::task::yield_now().await;
    assert_eq!(worker.counts.dropped.load(SeqCst), 1);
}
