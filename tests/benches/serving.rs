//! Requests per second over the network, against a bare hyper server that answers the same bytes; clients; start time and memory. See README.md.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Request;
use rustls::ClientConfig;
use svcgen::serve::Tls;
use svcgen_tests::device_login_service::DeviceLoginResponse;
use tokio::net::TcpListener;

#[path = "shared/answering.rs"]
mod answering;
#[path = "shared/bare.rs"]
mod bare;
#[path = "shared/bindings.rs"]
mod bindings;
#[path = "shared/clients.rs"]
mod clients;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/documents.rs"]
mod documents;
#[path = "shared/goals.rs"]
mod goals;
#[path = "shared/load.rs"]
mod load;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/measure.rs"]
mod measure;

use answering::{Answering, DeviceLoginServiceServer};
use goals::Goals;
use load::{Calls, Load};

const CONNECTIONS: usize = 32;
const MANY_CONNECTIONS: usize = 256;
const MANY_ITEMS: i32 = 10_000;
const SERVERS: [&str; 3] = ["svcgen", "bare hyper", "svcgen per core"];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` only wants to know that it runs.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--server") {
        let items = arguments[at + 2].parse().expect("a number of items");
        let certificate = arguments.get(at + 3).map(Path::new);
        return serve(&arguments[at + 1], record(items), certificate);
    }
    let mut goals = Goals::default();
    compare(&mut goals);
    compare_loads(&mut goals);
    compare_clients(&mut goals);
    goals.print();
}

fn rounds() -> usize {
    let rounds = std::env::var("BENCH_ROUNDS");
    rounds
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(7)
}

/// The answer of a server, with so many source types; 0 for those of all benches.
fn record(items: i32) -> DeviceLoginResponse {
    match items {
        0 => documents::response(),
        items => documents::many(items),
    }
}

/// `Login` over SOAP 1.1, against all others.
fn compare(goals: &mut Goals) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut contenders: Vec<Contender> = SERVERS[..2]
        .iter()
        .map(|name| Contender::of_this_program(name, 0, None))
        .collect();
    let (_, request) = bindings::captured().swap_remove(0);
    let load = Load {
        request,
        connections: CONNECTIONS,
        tls: None,
    };
    let answers = [0, 1].map(|index| contenders[index].server.call(&load));
    assert!(answers[0] == answers[1], "both answer the same bytes");
    contenders.extend(Contender::gsoap(folder.path()));
    for _ in 0..rounds() {
        for contender in &mut contenders {
            let sample = contender.server.sample(&load);
            contender.samples.push(sample);
        }
    }
    let mut columns: Vec<String> = contenders.iter().map(|it| it.name.to_owned()).collect();
    columns.extend(contenders[1..].iter().map(|it| format!("/ {}", it.name)));
    measure::print(
        "Serving Login over SOAP 1.1 on the loopback, full record as the answer, one core",
        &columns.iter().map(String::as_str).collect::<Vec<_>>(),
        &rows(&contenders),
    );
    let ours = &contenders[0];
    let requests = ours.median(|one| one.requests);
    let of_gsoap = contenders.get(2).map_or(f64::NAN, |gsoap| {
        requests / gsoap.median(|one| one.requests)
    });
    goals.at_least("requests a second / gSOAP", 3.7, of_gsoap);
    goals.at_most("MiB when idle", 4.0, ours.server.idle);
    let start = ours.server.start.as_secs_f64() * 1e3;
    goals.at_most("start, ms", 5.0, start);
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

    /// With a record of so many items; over TLS, if there is a folder with a certificate.
    fn of_this_program(name: &'static str, items: i32, certificate: Option<&Path>) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        let command = command.args(["--server", name, &items.to_string()]);
        Self::new(name, command.args(certificate))
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
        median(self.samples.iter().map(of))
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
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
    fn call(&self, load: &Load) -> (Vec<String>, Vec<u8>) {
        let mut caller = load.caller(&self.address);
        caller.call();
        caller.head.retain(|line| !line.starts_with("Date: "));
        assert_eq!(caller.head[0], "HTTP/1.1 200 OK");
        (caller.head, caller.answer)
    }

    /// What a load of so many requests in so many seconds costs.
    fn sample(&self, load: &Load) -> Sample {
        let before = cpu_times(self.process.id());
        let (requests, took) = load.run(&self.address);
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

/// Serves on one thread, or on all of them, and prints where.
fn serve(name: &str, record: DeviceLoginResponse, certificate: Option<&Path>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let files = certificate.map(bindings::files);
    runtime.block_on(async {
        let address = "127.0.0.1:0".parse().expect("an address");
        if name == SERVERS[1] {
            let listener = listening(address).await;
            return bare::serve(listener, certificate.map(bindings::acceptor), record).await;
        }
        let server = DeviceLoginServiceServer::new(Answering(record.into()));
        let set_up = move |listener: TcpListener| {
            let serve = svcgen::serve(listener, server.clone());
            let tls = |[certificate, key]: &[PathBuf; 2]| Tls::from_pem_files(certificate, key);
            match files.as_ref().map(tls) {
                None => serve,
                Some(tls) => serve.with_tls(tls.expect("a certificate")),
            }
        };
        if name == SERVERS[2] {
            let servers = svcgen::serve_per_core(address, set_up).expect("a port");
            println!("{}", servers.local_addr().expect("an address"));
            servers.await.expect("a server");
            return;
        }
        set_up(listening(address).await).await.expect("a server");
    });
}

async fn listening(address: std::net::SocketAddr) -> TcpListener {
    let listener = TcpListener::bind(address).await.expect("a port");
    println!("{}", listener.local_addr().expect("an address"));
    listener
}

/// Loads of one kind of server.
struct Loads<'l> {
    items: i32,
    certificate: Option<&'l Path>,
    loads: Vec<(String, Load, f64)>,
}

/// Each binding without TLS and over it, many connections, large messages: the same loads on ours and on bare hyper. A goal of 0 is none.
fn compare_loads(goals: &mut Goals) {
    let folder = tempfile::tempdir().expect("a folder");
    let client = bindings::make_certificate(folder.path());
    let load = |request: &Request<Bytes>, tls: Option<&Arc<ClientConfig>>| Load {
        request: request.clone(),
        connections: CONNECTIONS,
        tls: tls.cloned(),
    };
    let goal_of = |binding: &str| {
        if binding.starts_with("soap") {
            0.80
        } else {
            0.77
        }
    };
    let captured = bindings::captured();
    let soap = &captured[0].1;
    let mut plain: Vec<_> = captured
        .iter()
        .map(|(name, request)| ((*name).to_owned(), load(request, None), goal_of(name)))
        .collect();
    let over_tls = captured.iter().map(|(name, request)| {
        let name = format!("{name} over TLS");
        (name, load(request, Some(&client)), 0.0)
    });
    let over_tls = over_tls.collect();
    let many_connections = Load {
        connections: MANY_CONNECTIONS,
        ..load(soap, None)
    };
    let name = format!("soap11, {MANY_CONNECTIONS} connections");
    plain.push((name, many_connections, 0.0));
    let large = load(&bindings::large(), None);
    plain.push(("soap11, 1 MB request".to_owned(), large, 0.75));
    let of_items = (
        format!("soap11, answer of {MANY_ITEMS} items"),
        load(soap, None),
        0.45,
    );
    let groups = [
        Loads {
            items: 0,
            certificate: None,
            loads: plain,
        },
        Loads {
            items: 0,
            certificate: Some(folder.path()),
            loads: over_tls,
        },
        Loads {
            items: MANY_ITEMS,
            certificate: None,
            loads: vec![of_items],
        },
    ];
    let mut table = Vec::new();
    for group in groups {
        let servers = SERVERS
            .map(|name| Contender::of_this_program(name, group.items, group.certificate).server);
        for (name, load, goal) in group.loads {
            let (cells, ratio) = compare_load(&servers, &load);
            if goal > 0.0 {
                goals.at_least(
                    &format!("{name}, requests a second / bare hyper"),
                    goal,
                    ratio,
                );
            }
            table.push((name, cells));
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
        "Requests a second and CPU time of each, Login; the load runs on the same machine",
        &columns,
        &table,
    );
}

/// The cells of a load, and our requests a second as a ratio to those of bare hyper.
fn compare_load(servers: &[Server; 3], load: &Load) -> (Vec<String>, f64) {
    let answers = servers.each_ref().map(|server| server.call(load).1);
    let [first, others @ ..] = &answers;
    assert!(others.iter().all(|other| other == first), "the same bytes");
    let mut samples: [Vec<Sample>; 3] = Default::default();
    for _ in 0..rounds() {
        for (server, samples) in servers.iter().zip(&mut samples) {
            samples.push(server.sample(load));
        }
    }
    let of =
        |which: fn(&Sample) -> f64| samples.each_ref().map(|all| median(all.iter().map(which)));
    let (requests, costs) = (of(|it| it.requests), of(|it| it.user + it.kernel));
    let ratio = requests[0] / requests[1];
    let mut cells: Vec<String> = requests.iter().map(|it| format!("{it:.0}")).collect();
    cells.push(measure::ratio(ratio));
    cells.extend(costs.iter().map(|cost| format!("{cost:.1}")));
    cells.push(measure::ratio(costs[0] / costs[1]));
    (cells, ratio)
}

/// Our client and one of bare hyper, which call the bare server.
fn compare_clients(goals: &mut Goals) {
    let server = Contender::of_this_program(SERVERS[1], 0, None).server;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let runtime = Arc::new(runtime);
    let (_, request) = bindings::captured().swap_remove(0);
    let clients = [
        clients::ours(Arc::clone(&runtime), &server.address),
        clients::bare(runtime, &server.address, request),
    ];
    let mut samples: [Vec<Calls>; 2] = Default::default();
    for _ in 0..rounds() {
        for (client, samples) in clients.iter().zip(&mut samples) {
            samples.push(client());
        }
    }
    let calls = |(calls, took): &Calls| calls / took;
    let [ours, bare] = samples.map(|all| median(all.iter().map(calls)));
    let cells = vec![
        format!("{ours:.0}"),
        format!("{bare:.0}"),
        measure::ratio(ours / bare),
    ];
    let what = format!("{} calls at once", clients::CALLS);
    measure::print(
        "Calls a second of a client on one core, Login over SOAP 1.1",
        &["svcgen", "bare hyper", "/ bare"],
        &[(what.clone(), cells)],
    );
    let what = format!("client, {what}, calls a second / bare hyper");
    goals.at_least(&what, 0.85, ours / bare);
}
