//! `serve` in a simulated network: a seed determines the behaviour of callers and the order of
//! events.
//!
//! `SIMULATED_SEEDS=1000` runs this many seeds, `SIMULATED_SEED=17` only runs this seed.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame};
use http_body_util::Either;
use svcgen::codegen::OutgoingBody;
use svcgen::serve::{Listener, RequestBody};
use svcgen::{Fault, ServerOptions};
use svcgen_tests::few_or_all;
use svcgen_tests::numbers::Numbers;
use svcgen_tests::raw_http::parse_answer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::runtime::Handle;
use tokio::sync::{Barrier, Notify};
use tokio::time::{sleep, timeout};
use tower_service::Service;
use turmoil::net::{TcpListener, TcpStream};

use crate::worker::{
    NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer, body, call, notify,
};

const CONNECTIONS: u32 = 8;
const CALLS: usize = 5;
const PORT: u16 = 80;

const DEADLINE: Duration = ms(400);
/// Longer than the timeouts of a handler, a body, an answer and a head.
const REST: Duration = ms(2000);

/// Longer than the maximum age of a connection.
const PATIENCE: Duration = ms(6000);

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// The listener of the simulated network.
struct Simulated(TcpListener);

/// A stream that sends small segments, so that the server has to wait for a slow reader.
struct Segments(Option<TcpStream>);

impl Segments {
    fn stream(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.0.as_mut().expect("it is there until it is dropped"))
    }
}

/// Keeps a closed connection until the caller has also closed it, as TCP does; without this, the
/// simulation would send a reset.
impl Drop for Segments {
    fn drop(&mut self) {
        if let Some((mut stream, runtime)) = self.0.take().zip(Handle::try_current().ok()) {
            runtime.spawn(async move {
                let _ = stream.shutdown().await;
                let _ = timeout(REST, stream.read(&mut [0])).await;
            });
        }
    }
}

impl Listener for Simulated {
    type Stream = Segments;

    async fn accept(&mut self) -> (Segments, Option<SocketAddr>) {
        loop {
            if let Ok((stream, address)) = self.0.accept().await {
                return (Segments(Some(stream)), Some(address));
            }
        }
    }
}

impl AsyncRead for Segments {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream().poll_read(context, buffer)
    }
}

impl AsyncWrite for Segments {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream()
            .poll_write(context, &bytes[..bytes.len().min(256)])
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_shutdown(context)
    }
}

/// How often the handler of a call was started, finished, and dropped before its end.
#[derive(Debug, Default, Clone, Copy)]
struct Runs {
    started: u32,
    finished: u32,
    dropped: u32,
}

/// Records each call. Its text is a number, the time that it takes in milliseconds, and the length
/// of the answer; `together` waits for as many calls as may run.
#[derive(Clone)]
struct Noting {
    runs: Arc<Mutex<HashMap<String, Runs>>>,
    together: Arc<Barrier>,
}

struct Note<'n> {
    noting: &'n Noting,
    number: String,
    is_done: bool,
}

impl Noting {
    fn note(&self, number: &str, change: impl FnOnce(&mut Runs)) {
        change(
            self.runs
                .lock()
                .unwrap()
                .entry(number.to_owned())
                .or_default(),
        );
    }

    fn runs(&self, number: &str) -> Runs {
        self.runs
            .lock()
            .unwrap()
            .get(number)
            .copied()
            .unwrap_or_default()
    }

    async fn work(&self, text: &str) -> String {
        if text == "together" {
            self.together.wait().await;
            return text.to_owned();
        }
        let mut parts = text.split(' ');
        let number = parts.next().unwrap().to_owned();
        let mut parts = parts.map(|part| part.parse().unwrap());
        self.note(&number, |runs| runs.started += 1);
        let mut note = Note {
            noting: self,
            number,
            is_done: false,
        };
        match parts.next().unwrap() {
            0 => {}
            time => sleep(ms(time)).await,
        }
        note.is_done = true;
        "x".repeat(parts.next().unwrap() as usize)
    }
}

impl Drop for Note<'_> {
    fn drop(&mut self) {
        self.noting.note(&self.number, |runs| {
            *(if self.is_done {
                &mut runs.finished
            } else {
                &mut runs.dropped
            }) += 1;
        });
    }
}

impl WorkHandler for Noting {
    async fn store(&self, _: &svcgen::Context, request: StoreRequest) -> Result<String, Fault> {
        Ok(self.work(&request.text).await)
    }

    async fn read(&self, _: &svcgen::Context, request: ReadRequest) -> Result<String, Fault> {
        Ok(self.work(&request.text).await)
    }

    async fn notify(&self, _: &svcgen::Context, request: NotifyRequest) -> Result<(), Fault> {
        self.work(&request.text).await;
        Ok(())
    }
}

/// The service, which may lose one of its answers.
#[derive(Clone)]
struct MayLose {
    server: WorkServer<Noting>,
    /// The number of answers before the lost one.
    before: Option<Arc<Mutex<u32>>>,
}

/// The body of a lost answer: hyper closes the connection without sending a byte of it.
struct Lost;

impl Body for Lost {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        Poll::Ready(Some(Err(io::Error::other("this answer is lost"))))
    }
}

impl Service<Request<RequestBody>> for MayLose {
    type Response = Response<Either<OutgoingBody, Lost>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<RequestBody>) -> Self::Future {
        let (answer, before) = (self.server.call(request), self.before.clone());
        Box::pin(async move {
            let Ok(answer) = answer.await;
            let lost = before.is_some_and(|before| {
                let mut before = before.lock().unwrap();
                *before = before.wrapping_sub(1);
                *before == u32::MAX
            });
            Ok(answer.map(|body| {
                if lost {
                    Either::Right(Lost)
                } else {
                    Either::Left(body)
                }
            }))
        })
    }
}

/// The behaviour of a caller besides sending its request.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Conduct {
    Waits,
    ClosesItsSide,
    ReadsSlowly,
    Closes,
    Resets,
    IsCutOff,
    SendsHalf,
}

const CONDUCTS: [Conduct; 10] = [
    Conduct::Waits,
    Conduct::Waits,
    Conduct::Waits,
    Conduct::ClosesItsSide,
    Conduct::ClosesItsSide,
    Conduct::ReadsSlowly,
    Conduct::Closes,
    Conduct::Resets,
    Conduct::IsCutOff,
    Conduct::SendsHalf,
];

/// A call, and its outcome for the caller.
#[derive(Debug)]
struct Seen {
    number: String,
    conduct: Conduct,
    /// Whether it is the first call of the connection.
    is_first: bool,
    is_connected: bool,
    /// Whether its handler is never cancelled.
    finishes: bool,
    /// Whether the connection had neither an answer nor an end.
    is_stuck: bool,
    status: Option<u16>,
}

/// Reads an answer in pieces of a length, with pauses between them. Returns the status.
async fn status(stream: &mut TcpStream, piece: usize, pause: Duration) -> Option<u16> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; piece];
    loop {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let answer = parse_answer(&bytes);
            if answer.status == 100 {
                bytes.drain(..end + 4);
                continue;
            }
            let length = answer
                .header("content-length")
                .map_or(0, |it| it.parse().unwrap());
            if answer.body.len() >= length {
                return Some(answer.status);
            }
        }
        let read = stream
            .read(&mut buffer)
            .await
            .ok()
            .filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        if !pause.is_zero() {
            sleep(pause).await;
        }
    }
}

/// Runs the connection of a caller, with one call, or several in turn.
async fn connection(name: &str, connection: u64, numbers: &mut Numbers) -> Vec<Seen> {
    let mut all = Vec::new();
    let conduct = numbers.one_of(&CONDUCTS);
    let stream = TcpStream::connect(("server", PORT)).await;
    let mut stream = stream.ok();
    let calls = match conduct {
        Conduct::Waits => 1 + numbers.below(3),
        _ => 1,
    };
    for index in 0..calls {
        let mut seen = Seen {
            number: format!("{name}/{connection}/{index}"),
            conduct,
            is_first: index == 0,
            is_connected: stream.is_some(),
            finishes: false,
            is_stuck: false,
            status: None,
        };
        if let Some(stream) = &mut stream {
            let call = call_once(stream, name, &mut seen, numbers);
            match timeout(PATIENCE, call).await {
                Ok(status) => seen.status = status,
                Err(_) => seen.is_stuck = true,
            }
        }
        all.push(seen);
        sleep(ms(numbers.one_of(&[0, 0, 50, 500]))).await;
    }
    all
}

async fn call_once(
    stream: &mut TcpStream,
    name: &str,
    seen: &mut Seen,
    numbers: &mut Numbers,
) -> Option<u16> {
    let time = numbers.one_of(&[0, 0, 20, 100, 390, 410, 100_000]);
    let length = numbers.one_of(&[0, 300, 20_000]);
    let text = format!("{} {time} {length}", seen.number);
    let operation = numbers.one_of(&["Store", "Store", "Read", "Notify"]);
    seen.finishes = operation != "Read" && ms(time) < DEADLINE;
    let mut request = match operation {
        "Notify" => notify(&text, "1"),
        _ => call(operation, &text),
    };
    if seen.conduct == Conduct::Resets {
        // Unread bytes when the connection is closed cause a reset.
        let head = b"POST /Work.asmx HTTP/1.1\r\n";
        let expect = b"Expect: 100-continue\r\n".iter().copied();
        request.splice(head.len()..head.len(), expect);
    }
    let pause = ms(numbers.below(300));
    let middle = request.len() - 1 - numbers.below(100) as usize;
    let (start, end) = request.split_at(middle);
    stream.write_all(start).await.ok()?;
    if seen.conduct == Conduct::SendsHalf {
        return status(stream, 4096, Duration::ZERO).await;
    }
    sleep(ms(numbers.one_of(&[0, 0, 10, 150]))).await;
    stream.write_all(end).await.ok()?;
    match seen.conduct {
        Conduct::Waits | Conduct::SendsHalf => {}
        Conduct::ClosesItsSide => stream.shutdown().await.ok()?,
        Conduct::ReadsSlowly => return status(stream, 100, ms(numbers.one_of(&[1, 5, 20]))).await,
        Conduct::Closes | Conduct::Resets => {
            sleep(pause).await;
            return None;
        }
        Conduct::IsCutOff => {
            sleep(pause).await;
            turmoil::partition(name, "server");
            sleep(ms(numbers.one_of(&[100, 1000]))).await;
            turmoil::repair(name, "server");
            return timeout(REST, status(stream, 4096, Duration::ZERO))
                .await
                .ok()?;
        }
    }
    status(stream, 4096, Duration::ZERO).await
}

/// Runs a seed. Returns the mistakes after all calls.
fn simulate(seed: u64, loses: bool) -> Vec<String> {
    let mut numbers = Numbers::of_seed(seed);
    let noting = Noting {
        runs: Arc::default(),
        together: Arc::new(Barrier::new(CALLS)),
    };
    let options = ServerOptions::new().with_deadline(DEADLINE);
    let service = MayLose {
        server: WorkServer::new(noting.clone()).with_options(options),
        before: loses.then(|| Arc::new(Mutex::new(numbers.below(4) as u32))),
    };
    let stop = Arc::new(Notify::new());
    let is_served = Rc::new(Cell::new(false));
    let seen = Rc::new(RefCell::new(Vec::new()));
    let wrong = Rc::new(RefCell::new(Vec::new()));
    let mut simulation = turmoil::Builder::new()
        .rng_seed(seed)
        .tick_duration(ms(10))
        .simulation_duration(Duration::from_secs(60))
        .min_message_latency(ms(1))
        .max_message_latency(ms(numbers.one_of(&[1, 20, 50])))
        .tcp_capacity(32)
        .enable_random_order()
        .build();
    {
        let (stop, is_served) = (Arc::clone(&stop), Rc::clone(&is_served));
        simulation.host("server", move || {
            let (service, stop) = (service.clone(), Arc::clone(&stop));
            let is_served = Rc::clone(&is_served);
            async move {
                let any = IpAddr::from(Ipv4Addr::UNSPECIFIED);
                let listener = Simulated(TcpListener::bind((any, PORT)).await?);
                svcgen::serve(listener, service)
                    .with_shutdown(async move { stop.notified().await })
                    .with_max_connections(CONNECTIONS)
                    .with_max_calls(CALLS)
                    .with_max_body_memory(CALLS * body("Store", "together").len())
                    .with_header_timeout(ms(400))
                    .with_body_timeout(ms(200))
                    .with_write_timeout(ms(200))
                    .with_answer_timeout(ms(800))
                    .with_max_connection_age(ms(3000))
                    .await?;
                is_served.set(true);
                // When a host ends, its network ends, too.
                std::future::pending().await
            }
        });
    }
    let callers = 3 + numbers.below(10);
    let left = Rc::new(Cell::new(callers));
    for caller in 0..callers {
        let mut numbers = Numbers::of_seed(seed ^ (caller + 1) << 32);
        let (seen, left) = (Rc::clone(&seen), Rc::clone(&left));
        let name = format!("caller{caller}");
        simulation.client(name.clone(), async move {
            for index in 0..1 + numbers.below(4) {
                sleep(ms(numbers.below(500))).await;
                let calls = connection(&name, index, &mut numbers).await;
                seen.borrow_mut().extend(calls);
            }
            left.set(left.get() - 1);
            Ok(())
        });
    }
    let stops_early = numbers.below(3) == 0;
    let stopped_after = ms(numbers.below(2000));
    {
        let (is_served, wrong) = (Rc::clone(&is_served), Rc::clone(&wrong));
        simulation.client("inspector", async move {
            if stops_early {
                sleep(stopped_after).await;
                stop.notify_one();
                sleep(REST).await;
            } else {
                while left.get() > 0 {
                    sleep(ms(100)).await;
                }
                sleep(REST).await;
                let found = inspect().await;
                wrong.borrow_mut().extend(found);
                stop.notify_one();
                sleep(ms(1000)).await;
            }
            if !is_served.get() {
                wrong.borrow_mut().push("the stop does not end".to_owned());
            }
            Ok(())
        });
    }
    let run = simulation.run();
    let mut wrong = wrong.take();
    wrong.extend(
        run.err()
            .map(|error| format!("the simulation ended: {error}")),
    );
    for seen in seen.take() {
        let runs = noting.runs(&seen.number);
        wrong.extend(
            judge(&seen, runs, stops_early).map(|what| format!("{what}: {seen:?} {runs:?}")),
        );
    }
    wrong
}

/// Returns the mistake in a call, if there is one.
fn judge(seen: &Seen, runs: Runs, stops_early: bool) -> Option<&'static str> {
    let waits = matches!(seen.conduct, Conduct::Waits | Conduct::ClosesItsSide);
    if runs.started > 1 {
        return Some("a call was run twice");
    }
    if runs.started != runs.finished + runs.dropped {
        return Some("a call did not end");
    }
    if seen.finishes && runs.dropped > 0 {
        return Some("a handler did not finish");
    }
    match seen.status {
        // In the simulation, unread bytes delay the end of a connection.
        None if seen.is_stuck && seen.conduct != Conduct::ReadsSlowly => {
            Some("a connection does not end")
        }
        Some(200 | 202 | 500) if runs.started == 0 => Some("an answer came without a call"),
        Some(400 | 503) if runs.started > 0 => Some("a refused call was run"),
        Some(200 | 202 | 400 | 500 | 503) => None,
        Some(_) => Some("the status is another one"),
        None if waits && runs.started > 0 => Some("an answer was lost"),
        // A stop, and the timeouts of a connection, may close it before a request.
        None if waits && seen.is_connected && seen.is_first && !stops_early => {
            Some("a call was lost")
        }
        None => None,
    }
}

/// Checks that all connections, calls and memory of bodies are free: the maximum number of
/// concurrent calls is answered.
async fn inspect() -> Vec<String> {
    let mut streams = Vec::new();
    for _ in 0..CONNECTIONS {
        streams.push(TcpStream::connect(("server", PORT)).await.unwrap());
    }
    for stream in &mut streams[..CALLS] {
        stream.write_all(&call("Store", "together")).await.unwrap();
    }
    let mut wrong = Vec::new();
    for stream in &mut streams[..CALLS] {
        let status = timeout(REST, status(stream, 4096, Duration::ZERO)).await;
        if !matches!(status, Ok(Some(200))) {
            wrong.push(format!("something is not given back: {status:?}"));
        }
    }
    for stream in &mut streams[CALLS..] {
        stream.write_all(&call("Read", "last 0 0")).await.unwrap();
        let status = timeout(REST, status(stream, 4096, Duration::ZERO)).await;
        if !matches!(status, Ok(Some(200))) {
            wrong.push(format!("a connection is not given back: {status:?}"));
        }
    }
    wrong
}

fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is not a number: {value}")),
    )
}

#[test]
fn calls_end_in_every_order_of_events() {
    let seeds = match number("SIMULATED_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("SIMULATED_SEEDS").unwrap_or(few_or_all(8, 30)),
    };
    for seed in seeds {
        let wrong = simulate(seed, false);
        assert!(
            wrong.is_empty(),
            "{}\nRun it again: SIMULATED_SEED={seed} cargo test -p svcgen-tests --test serving simulated",
            wrong.join("\n")
        );
    }
}

#[test]
fn a_seed_runs_alike_each_time() {
    for seed in 0..3 {
        assert_eq!(simulate(seed, true), simulate(seed, true));
    }
}

#[test]
fn a_lost_answer_is_found() {
    let found = (0..few_or_all(6, 20)).filter(|seed| {
        let wrong = simulate(*seed, true);
        wrong
            .iter()
            .any(|what| what.starts_with("an answer was lost"))
    });
    assert!(found.count() > few_or_all(1, 5));
}
