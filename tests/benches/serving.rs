//! Requests per second over the network, against a bare hyper server that answers the same bytes; start time and memory. See README.md.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::{ClientConfig, ClientConnection, StreamOwned};
use svcgen::serve::Tls;
use svcgen_tests::device_login_service::DeviceLoginServiceServer;
use tokio::net::TcpListener;

#[path = "shared/answering.rs"]
mod answering;
#[path = "shared/bare.rs"]
mod bare;
#[path = "shared/bindings.rs"]
mod bindings;
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
const SERVERS: [&str; 3] = ["svcgen", "bare hyper", "svcgen per core"];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` only wants to know that it runs.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    match arguments.iter().position(|argument| argument == "--server") {
        Some(at) => serve(&arguments[at + 1], arguments.get(at + 2).map(Path::new)),
        None => {
            compare();
            compare_bindings();
        }
    }
}

fn rounds() -> usize {
    let rounds = std::env::var("BENCH_ROUNDS");
    rounds
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(7)
}

fn compare() {
    let rounds = rounds();
    let folder = tempfile::tempdir().expect("a folder");
    let mut contenders: Vec<Contender> = SERVERS[..2]
        .iter()
        .map(|name| Contender::of_this_program(name, None))
        .collect();
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

    /// Over TLS, if there is a folder with a certificate.
    fn of_this_program(name: &'static str, certificate: Option<&Path>) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        Self::new(name, command.args(["--server", name]).args(certificate))
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
        median(&self.samples, of)
    }
}

fn median(samples: &[Sample], of: fn(&Sample) -> f64) -> f64 {
    let mut values: Vec<f64> = samples.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
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
        self.sample(|| wrk(&self.address).unwrap_or_else(|| load(|| Caller::new(&self.address))))
    }

    /// What a load of so many requests in so many seconds costs.
    fn sample(&self, load: impl FnOnce() -> (f64, f64)) -> Sample {
        let before = cpu_times(self.process.id());
        let (requests, took) = load();
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
fn load(caller: impl Fn() -> Caller + Sync) -> (f64, f64) {
    let started = Instant::now();
    let calls = std::thread::scope(|scope| {
        let caller = || {
            let mut caller = caller();
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
    stream: BufReader<Box<dyn Stream>>,
    request: Vec<u8>,
    /// The lines of the last answer's head.
    head: Vec<String>,
    answer: Vec<u8>,
}

trait Stream: Read + Write {}

impl<S: Read + Write> Stream for S {}

impl Caller {
    /// Calls over SOAP 1.1, without TLS.
    fn new(address: &str) -> Self {
        let body = documents::write_request(&documents::request());
        let request = format!(
            "POST {PATH} HTTP/1.1\r\nHost: {address}\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: {ACTION}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        Self::sending(request.into_bytes(), address, None)
    }

    fn sending(request: Vec<u8>, address: &str, tls: Option<&Arc<ClientConfig>>) -> Self {
        let stream = TcpStream::connect(address).expect("a listening server");
        stream.set_nodelay(true).expect("a connection");
        let stream: Box<dyn Stream> = match tls {
            None => Box::new(stream),
            Some(config) => {
                let name = "localhost".try_into().expect("a name");
                let client = ClientConnection::new(Arc::clone(config), name);
                Box::new(StreamOwned::new(client.expect("a configuration"), stream))
            }
        };
        Self {
            stream: BufReader::new(stream),
            request,
            head: Vec::new(),
            answer: Vec::new(),
        }
    }

    fn call(&mut self) {
        let stream = self.stream.get_mut();
        stream.write_all(&self.request).expect("an open connection");
        stream.flush().expect("an open connection");
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

/// Serves on one thread, or on all of them, and prints where.
fn serve(name: &str, certificate: Option<&Path>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let files = certificate.map(bindings::files);
    runtime.block_on(async {
        let handler = answering::Answering(documents::response());
        let server = DeviceLoginServiceServer::new(handler);
        let set_up = move |listener: TcpListener| {
            let serve = svcgen::serve(listener, server.clone());
            let tls = |[certificate, key]: &[_; 2]| Tls::from_pem_files(certificate, key);
            match files.as_ref().map(tls) {
                None => serve,
                Some(tls) => serve.with_tls(tls.expect("a certificate")),
            }
        };
        let address = "127.0.0.1:0".parse().expect("an address");
        if name == SERVERS[2] {
            let servers = svcgen::serve_per_core(address, set_up).expect("a port");
            println!("{}", servers.local_addr().expect("an address"));
            servers.await.expect("a server");
            return;
        }
        let listener = TcpListener::bind(address).await.expect("a port");
        println!("{}", listener.local_addr().expect("an address"));
        if name == SERVERS[0] {
            set_up(listener).await.expect("a server");
        } else {
            bare::serve(listener, certificate.map(bindings::acceptor)).await;
        }
    });
}

/// Each binding against bare hyper, without TLS and over it.
fn compare_bindings() {
    let folder = tempfile::tempdir().expect("a folder");
    let client = bindings::make_certificate(folder.path());
    let requests = bindings::requests();
    let mut table = Vec::new();
    for tls in [None, Some(&client)] {
        let certificate = tls.map(|_| folder.path());
        let contenders = SERVERS.map(|name| Contender::of_this_program(name, certificate));
        for (binding, request) in &requests {
            let callers = contenders.each_ref().map(|contender| {
                move || {
                    let address = &contender.server.address;
                    Caller::sending(request.clone(), address, tls)
                }
            });
            let answers = callers.each_ref().map(|caller| {
                let mut caller = caller();
                caller.call();
                assert_eq!(caller.head[0], "HTTP/1.1 200 OK");
                caller.answer
            });
            assert!(
                answers[1..].iter().all(|other| *other == answers[0]),
                "the same bytes"
            );
            let mut samples: [Vec<Sample>; 3] = Default::default();
            for _ in 0..rounds() {
                for (at, samples) in samples.iter_mut().enumerate() {
                    samples.push(contenders[at].server.sample(|| load(callers[at])));
                }
            }
            let of = |which: fn(&Sample) -> f64| samples.each_ref().map(|all| median(all, which));
            let (requests, costs) = (of(|it| it.requests), of(|it| it.user + it.kernel));
            let what = if tls.is_some() { " over TLS" } else { "" };
            let mut cells: Vec<String> = requests.iter().map(|it| format!("{it:.0}")).collect();
            cells.push(measure::ratio(requests[0] / requests[1]));
            cells.extend(costs.iter().map(|cost| format!("{cost:.1}")));
            cells.push(measure::ratio(costs[0] / costs[1]));
            table.push((format!("{binding}{what}"), cells));
        }
    }
    let columns = [
        "svcgen",
        "bare hyper",
        "per core",
        "/ bare",
        "µs svcgen",
        "µs bare",
        "µs per core",
        "µs / bare",
    ];
    measure::print(
        "Requests a second and CPU time of each, Login over each binding; the load runs on the same machine",
        &columns,
        &table,
    );
}
