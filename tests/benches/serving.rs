//! Requests per second over the network, against a bare hyper server that answers the same bytes; start time and memory. See README.md.

use std::convert::Infallible;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use svcgen_tests::device_login_service::DeviceLoginServiceServer;
use tokio::net::TcpListener;

#[path = "shared/answering.rs"]
mod answering;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/documents.rs"]
mod documents;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/measure.rs"]
mod measure;

const PATH: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";
const ACTION: &str = "\"http://example.com/svc/device/Login\"";
const CONNECTIONS: usize = 32;
const ROUND: Duration = Duration::from_secs(1);
const SERVERS: [&str; 2] = ["svcgen", "bare hyper"];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` only wants to know that it runs.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    match arguments.iter().position(|argument| argument == "--server") {
        Some(at) => serve(&arguments[at + 1]),
        None => compare(),
    }
}

fn compare() {
    let rounds = std::env::var("BENCH_ROUNDS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(7);
    let folder = tempfile::tempdir().expect("a folder");
    let mut contenders: Vec<Contender> = SERVERS.map(Contender::of_this_program).into();
    let answers = [0, 1].map(|index| contenders[index].server.call());
    assert!(answers[0] == answers[1], "both answer the same bytes");
    contenders.extend(Contender::gsoap(folder.path()));
    for _ in 0..rounds {
        for contender in &mut contenders {
            contender.samples.push(contender.server.round());
        }
    }
    let mut columns: Vec<String> = contenders.iter().map(|it| it.name.to_owned()).collect();
    columns.extend(contenders[1..].iter().map(|it| format!("/ {}", it.name)));
    measure::print(
        "Serving Login over SOAP 1.1 on the loopback, full record as the answer, one core",
        &columns.iter().map(String::as_str).collect::<Vec<_>>(),
        &rows(&contenders),
    );
}

fn rows(contenders: &[Contender]) -> Vec<(String, Vec<String>)> {
    let row = |name: &str, digits: usize, of: &dyn Fn(&Contender) -> f64| {
        let values: Vec<f64> = contenders.iter().map(of).collect();
        let ratios = values[1..]
            .iter()
            .map(|other| measure::ratio(values[0] / other));
        let cells = values.iter().map(|value| format!("{value:.digits$}"));
        (name.to_owned(), cells.chain(ratios).collect())
    };
    vec![
        row("requests a second", 0, &|it| it.median(|one| one.requests)),
        row("CPU µs a request", 1, &|it| {
            it.median(|one| one.user + one.kernel)
        }),
        row("of it in the kernel", 1, &|it| it.median(|one| one.kernel)),
        row("start, ms", 1, &|it| it.server.start.as_secs_f64() * 1e3),
        row("memory when idle, MiB", 1, &|it| it.server.idle),
        row("memory at its peak, MiB", 1, &|it| it.server.peak()),
    ]
}

/// A server with what its rounds showed.
struct Contender {
    name: &'static str,
    server: Server,
    samples: Vec<Sample>,
}

impl Contender {
    fn new(name: &'static str, command: &mut Command) -> Self {
        Self {
            name,
            server: Server::start(command),
            samples: Vec::new(),
        }
    }

    fn of_this_program(name: &'static str) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        Self::new(name, command.args(["--server", name]))
    }

    /// The server beside the program of the bench of speed, if that is named.
    fn gsoap(folder: &Path) -> Option<Self> {
        let Some(program) = std::env::var_os("GSOAP_BENCH") else {
            println!("gSOAP is left out: GSOAP_BENCH does not name what gsoap/build makes.");
            return None;
        };
        let answer = folder.join("answer.xml");
        fs::write(&answer, documents::write_response(&documents::response())).expect("a file");
        let mut command = Command::new(Path::new(&program).with_file_name("gsoap-server"));
        Some(Self::new("gSOAP", command.arg(answer)))
    }

    fn median(&self, of: fn(&Sample) -> f64) -> f64 {
        let mut values: Vec<f64> = self.samples.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }
}

/// What one round of load on a server shows.
struct Sample {
    requests: f64,
    /// µs a request in the program itself.
    user: f64,
    kernel: f64,
}

/// A server as a process of its own.
struct Server {
    process: Child,
    address: String,
    /// From the start of the process to where it listens.
    start: Duration,
    idle: f64,
}

impl Server {
    fn start(command: &mut Command) -> Self {
        let started = Instant::now();
        let mut process = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program of a server");
        let mut address = String::new();
        BufReader::new(process.stdout.take().expect("its output"))
            .read_line(&mut address)
            .expect("an address");
        let start = started.elapsed();
        let idle = memory(process.id(), "VmRSS:");
        Self {
            process,
            address: address.trim().to_owned(),
            start,
            idle,
        }
    }

    fn peak(&self) -> f64 {
        memory(self.process.id(), "VmHWM:")
    }

    /// Head and body of one answer, without the line that tells the time.
    fn call(&self) -> (Vec<String>, Vec<u8>) {
        let mut caller = Caller::new(&self.address);
        caller.call();
        caller.head.retain(|line| !line.starts_with("Date: "));
        (caller.head, caller.answer)
    }

    fn round(&self) -> Sample {
        let before = cpu_times(self.process.id());
        let (requests, took) = wrk(&self.address).unwrap_or_else(|| load(&self.address));
        let after = cpu_times(self.process.id());
        let spent = |which: usize| (after[which] - before[which]) * 1e6 / requests;
        Sample {
            requests: requests / took,
            user: spent(0),
            kernel: spent(1),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().and_then(|()| self.process.wait()).ok();
    }
}

/// A line of the status of a process, in MiB.
fn memory(process: u32, line: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let value = status.lines().find_map(|status| status.strip_prefix(line));
    let kib = value.and_then(|value| value.split_whitespace().next()?.parse::<f64>().ok());
    kib.map_or(f64::NAN, |kib| kib / 1024.0)
}

/// How many seconds a process with all its threads has worked, in itself and in the kernel, to a hundredth.
fn cpu_times(process: u32) -> [f64; 2] {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program, in parentheses, may hold anything.
    let after_name = status.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = |field: usize| after_name.split(' ').nth(field)?.parse::<f64>().ok();
    [11, 12].map(|field| ticks(field).map_or(f64::NAN, |ticks| ticks / 100.0))
}

/// Load by `wrk`, if it is installed: how many requests in how many seconds.
fn wrk(address: &str) -> Option<(f64, f64)> {
    let folder = tempfile::tempdir().ok()?;
    let script = folder.path().join("login.lua");
    let body = documents::write_request(&documents::request());
    let lines = format!(
        "wrk.method = 'POST'\nwrk.body = [==[{body}]==]\nwrk.headers['Content-Type'] = 'text/xml; charset=utf-8'\nwrk.headers['SOAPAction'] = '{ACTION}'\n"
    );
    fs::write(&script, lines).ok()?;
    let output = Command::new("wrk")
        .args([
            "-t1",
            &format!("-c{CONNECTIONS}"),
            "-d",
            &format!("{}s", ROUND.as_secs()),
            "-s",
        ])
        .arg(&script)
        .arg(format!("http://{address}{PATH}"))
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    assert!(!text.contains("Non-2xx"), "{text}");
    // `  80123 requests in 1.00s, 240.12MB read`
    let line = text.lines().find(|line| line.contains(" requests in "))?;
    let (requests, rest) = line.trim().split_once(" requests in ")?;
    let took = rest.split_once("s,")?.0;
    Some((requests.parse().ok()?, took.parse().ok()?))
}

/// Load by threads that call one after the other: how many requests in how many seconds.
fn load(address: &str) -> (f64, f64) {
    let started = Instant::now();
    let calls = std::thread::scope(|scope| {
        let caller = || {
            let mut caller = Caller::new(address);
            let mut calls = 0;
            while started.elapsed() < ROUND {
                caller.call();
                calls += 1;
            }
            calls
        };
        let callers: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(caller)).collect();
        callers
            .into_iter()
            .map(|caller| caller.join().expect("answers"))
            .sum::<u32>()
    });
    (f64::from(calls), started.elapsed().as_secs_f64())
}

/// A connection that sends the same request again and again.
struct Caller {
    stream: BufReader<TcpStream>,
    request: Vec<u8>,
    /// The lines of the last answer's head.
    head: Vec<String>,
    answer: Vec<u8>,
}

impl Caller {
    fn new(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a listening server");
        stream.set_nodelay(true).expect("a connection");
        let body = documents::write_request(&documents::request());
        let request = format!(
            "POST {PATH} HTTP/1.1\r\nHost: {address}\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: {ACTION}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        Self {
            stream: BufReader::new(stream),
            request: request.into_bytes(),
            head: Vec::new(),
            answer: Vec::new(),
        }
    }

    fn call(&mut self) {
        self.stream
            .get_mut()
            .write_all(&self.request)
            .expect("an open connection");
        self.head.clear();
        while self.head.last().is_none_or(|line| !line.is_empty()) {
            let mut line = String::new();
            self.stream.read_line(&mut line).expect("a head");
            self.head.push(line.trim_end().to_owned());
        }
        let length = self
            .head
            .iter()
            .find_map(|line| line.strip_prefix("Content-Length: "));
        let length = length.expect("a length").parse().expect("a length");
        self.answer.resize(length, 0);
        self.stream.read_exact(&mut self.answer).expect("a body");
    }
}

/// Serves on one thread and prints where.
fn serve(name: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("{}", listener.local_addr().expect("an address"));
        if name == SERVERS[0] {
            let handler = answering::Answering(documents::response());
            let server = DeviceLoginServiceServer::new(handler);
            svcgen::serve(listener, server).await.expect("a server");
        } else {
            serve_bare(listener).await;
        }
    });
}

/// Reads the body of each request and answers the same bytes every time.
async fn serve_bare(listener: TcpListener) {
    let answer = Bytes::from(documents::write_response(&documents::response()));
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        stream.set_nodelay(true).expect("a connection");
        let answer = answer.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let answer = answer.clone();
            async move {
                let _ = request.into_body().collect().await;
                let mut response = Response::new(Full::new(answer.clone()));
                let headers = response.headers_mut();
                let cache = HeaderValue::from_static("private, max-age=0");
                headers.insert(CACHE_CONTROL, cache);
                headers.insert(CONTENT_LENGTH, HeaderValue::from(answer.len()));
                let media_type = HeaderValue::from_static("text/xml; charset=utf-8");
                headers.insert(CONTENT_TYPE, media_type);
                headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
                Ok::<_, Infallible>(response)
            }
        });
        tokio::spawn(
            hyper::server::conn::http1::Builder::new()
                .title_case_headers(true)
                .serve_connection(TokioIo::new(stream), service),
        );
    }
}
