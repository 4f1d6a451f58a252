//! Requests per second over the network, compared to a bare hyper server with the same answers, and
//! to servers written by hand; clients; start time and memory. See README.md.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use rustls::ClientConfig;
use svcgen::serve::Tls;
use svcgen_tests::device_login_service::DeviceLoginResponse;
use tokio::net::TcpListener;

#[path = "shared/answering.rs"]
mod answering;
#[path = "shared/axum_by_hand.rs"]
mod axum_by_hand;
#[path = "shared/bare.rs"]
mod bare;
#[path = "shared/bindings.rs"]
mod bindings;
#[path = "shared/by_hand.rs"]
mod by_hand;
#[path = "shared/clients.rs"]
mod clients;
#[path = "shared/contenders.rs"]
mod contenders;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/documents.rs"]
mod documents;
#[path = "shared/goals.rs"]
mod goals;
#[path = "shared/hyper_by_hand.rs"]
mod hyper_by_hand;
#[path = "shared/load.rs"]
mod load;
#[path = "shared/login_by_hand.rs"]
mod login_by_hand;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/measure.rs"]
mod measure;
#[path = "shared/record_by_hand.rs"]
mod record_by_hand;
#[path = "shared/record_in_json.rs"]
mod record_in_json;

use answering::{Answering, DeviceLoginServiceServer};
use contenders::{Contender, median, rounds, take_turns};
use goals::Goals;
use load::{CONNECTIONS, Calls, Load, MANY_CONNECTIONS};

const MANY_ITEMS: i32 = 10_000;
const SVCGEN: &str = "svcgen";
const BARE: &str = "bare hyper";
const PER_CORE: &str = "svcgen per core";
const AXUM: &str = "axum by hand";
const HYPER: &str = "hyper by hand";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` only checks that the bench runs.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--server") {
        let items = arguments[at + 2].parse().expect("a number of items");
        let certificate = arguments.get(at + 3).map(Path::new);
        return serve(&arguments[at + 1], record(items), certificate);
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--client") {
        let rounds = arguments[at + 3].parse().expect("a number of rounds");
        return call(&arguments[at + 1], &arguments[at + 2], rounds);
    }
    let mut goals = Goals::default();
    compare(&mut goals);
    by_hand::compare(&mut goals);
    compare_loads(&mut goals);
    compare_clients(&mut goals);
    goals.print();
}

/// Returns the answer of a server, with this number of source types; 0 means the answer of all
/// benches.
fn record(items: i32) -> DeviceLoginResponse {
    match items {
        0 => documents::response(),
        items => documents::many(items),
    }
}

/// Compares `Login` over SOAP 1.1 with all others.
fn compare(goals: &mut Goals) {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |name| Contender::of_this_program(name, 0, None);
    let mut contenders = vec![of(SVCGEN), of(BARE)];
    let (_, request) = bindings::captured().swap_remove(0);
    let load = Load {
        request,
        connections: CONNECTIONS,
        tls: None,
    };
    let answers = [0, 1].map(|index| contenders[index].server.call(&load));
    assert!(answers[0] == answers[1], "both answer the same bytes");
    contenders.extend(Contender::gsoap(folder.path()));
    take_turns(&mut contenders, &load);
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

/// Serves on one thread or on all threads, and prints the address.
fn serve(name: &str, record: DeviceLoginResponse, certificate: Option<&Path>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let files = certificate.map(bindings::files);
    runtime.block_on(async {
        let address = "127.0.0.1:0".parse().expect("an address");
        match name {
            BARE => {
                let tls = certificate.map(bindings::acceptor);
                return bare::serve(listening(address).await, tls, record).await;
            }
            AXUM => return axum_by_hand::serve(listening(address).await, record).await,
            HYPER => return hyper_by_hand::serve(listening(address).await, record).await,
            _ => {}
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
        if name == PER_CORE {
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

/// The loads on one kind of server.
struct Loads<'l> {
    items: i32,
    certificate: Option<&'l Path>,
    loads: Vec<(String, Load, f64)>,
}

/// Compares our server with bare hyper under the same loads: each binding without and with TLS,
/// many connections, large messages. A goal of 0 means that there is none.
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
        let mut contenders = [SVCGEN, BARE, PER_CORE]
            .map(|name| Contender::of_this_program(name, group.items, group.certificate));
        for (name, load, goal) in group.loads {
            let (cells, ratio) = compare_load(&mut contenders, &load);
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

/// Returns the cells of a load, and the ratio of our requests per second to those of bare hyper.
fn compare_load(contenders: &mut [Contender; 3], load: &Load) -> (Vec<String>, f64) {
    let answers = contenders.each_ref().map(|it| it.server.call(load).1);
    let [first, others @ ..] = &answers;
    assert!(others.iter().all(|other| other == first), "the same bytes");
    take_turns(contenders, load);
    let of = |which| contenders.each_ref().map(|it| it.median(which));
    let (requests, costs) = (of(|it| it.requests), of(|it| it.user + it.kernel));
    let ratio = requests[0] / requests[1];
    let mut cells: Vec<String> = requests.iter().map(|it| format!("{it:.0}")).collect();
    cells.push(measure::ratio(ratio));
    cells.extend(costs.iter().map(|cost| format!("{cost:.1}")));
    cells.push(measure::ratio(costs[0] / costs[1]));
    (cells, ratio)
}

/// Creates a client on one thread.
fn client(name: &str, address: &str) -> clients::Client {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    if name == SVCGEN {
        return clients::ours(runtime, address);
    }
    let (_, request) = bindings::captured().swap_remove(0);
    clients::bare(runtime, address, request)
}

/// Calls a server for this number of rounds, and prints the number of calls.
fn call(name: &str, address: &str, rounds: usize) {
    let client = client(name, address);
    let calls: f64 = (0..rounds).map(|_| client().0).sum();
    println!("{calls}");
}

/// Compares our client and one of bare hyper, which both call the bare server.
fn compare_clients(goals: &mut Goals) {
    let server = Contender::of_this_program(BARE, 0, None).server;
    let clients = [SVCGEN, BARE].map(|name| client(name, &server.address));
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
