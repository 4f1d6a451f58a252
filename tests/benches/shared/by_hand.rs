//! Our server and servers written by hand for `Login` alone: one on axum with quick-xml and serde,
//! and one on hyper without any check, which is the bound.

use crate::contenders::{Contender, Sample, Server, take_turns};
use crate::goals::Goals;
use crate::load::{CONNECTIONS, Load, MANY_CONNECTIONS};
use crate::{AXUM, BARE, HYPER, SVCGEN, bindings, measure};

pub fn compare(goals: &mut Goals) {
    let (mut requests, mut added, mut latencies) = (Vec::new(), Vec::new(), Vec::new());
    for (name, request) in bindings::captured() {
        // SOAP 1.2 only differs in names.
        if name == "soap12" {
            continue;
        }
        let mut load = Load {
            request,
            connections: CONNECTIONS,
            tls: None,
        };
        // The bound only supports SOAP 1.1.
        let servers: &[&'static str] = match name {
            "soap11" => &[SVCGEN, AXUM, BARE, HYPER],
            _ => &[SVCGEN, AXUM, BARE],
        };
        let contenders = measured(servers, &load);
        requests.push((name.to_owned(), requests_row(name, &contenders, goals)));
        added.push((name.to_owned(), added_row(name, &contenders, goals)));
        load.connections = MANY_CONNECTIONS;
        let contenders = measured(&[SVCGEN, AXUM, BARE], &load);
        latencies.push((name.to_owned(), latency_row(name, &contenders, goals)));
    }
    measure::print(
        "Requests a second beside servers by hand, Login, one core",
        &[SVCGEN, AXUM, BARE, HYPER, "/ axum"],
        &requests,
    );
    measure::print(
        "User CPU µs of a request beyond those of bare hyper",
        &[SVCGEN, AXUM, HYPER, "/ axum", "/ hyper"],
        &added,
    );
    measure::print(
        &format!("Latency p99 in ms, {MANY_CONNECTIONS} connections"),
        &[SVCGEN, AXUM, BARE, "/ axum", "/ bare"],
        &latencies,
    );
}

/// Starts these servers, checks that their answers are equal, and measures them in turns.
fn measured(servers: &[&'static str], load: &Load) -> Vec<Contender> {
    let start = |name: &&'static str| Contender::of_this_program(name, 0, None);
    let mut contenders: Vec<Contender> = servers.iter().map(start).collect();
    let expected = answer(&contenders[0].server, load);
    for Contender { name, server, .. } in &contenders[1..] {
        let (head, body) = answer(server, load);
        assert_eq!(head, expected.0, "the head of {name}");
        assert_eq!(body, expected.1, "the body of {name}");
    }
    take_turns(&mut contenders, load);
    contenders
}

/// Returns the sorted lines of the head, with names in lower case, as servers differ in both, and
/// the body.
fn answer(server: &Server, load: &Load) -> (Vec<String>, String) {
    let (mut head, body) = server.call(load);
    for line in &mut head {
        if let Some(colon) = line.find(": ") {
            line[..colon].make_ascii_lowercase();
        }
    }
    head.sort();
    (head, String::from_utf8(body).expect("UTF-8"))
}

/// Returns the median of a server's rounds; NaN if the server was left out.
fn median(contenders: &[Contender], name: &str, of: fn(&Sample) -> f64) -> f64 {
    let contender = contenders.iter().find(|it| it.name == name);
    contender.map_or(f64::NAN, |it| it.median(of))
}

/// Returns the cells of values, and of our ratios to others.
fn cells<const V: usize, const R: usize>(
    values: [f64; V],
    digits: usize,
    ratios: [f64; R],
) -> Vec<String> {
    let values = values.into_iter().map(|value| match value {
        _ if value.is_nan() => "-".to_owned(),
        _ => format!("{value:.digits$}"),
    });
    values.chain(ratios.map(measure::ratio)).collect()
}

fn requests_row(name: &str, contenders: &[Contender], goals: &mut Goals) -> Vec<String> {
    let requests = |name| median(contenders, name, |it| it.requests);
    let [ours, axum, bare, hyper] = [SVCGEN, AXUM, BARE, HYPER].map(requests);
    let what = format!("{name}, requests a second / {AXUM}");
    goals.at_least(&what, 1.0, ours / axum);
    cells([ours, axum, bare, hyper], 0, [ours / axum])
}

fn added_row(name: &str, contenders: &[Contender], goals: &mut Goals) -> Vec<String> {
    let user = |name| median(contenders, name, |it| it.user);
    let [ours, axum, hyper] = [SVCGEN, AXUM, HYPER].map(|name| user(name) - user(BARE));
    // If a server seems to take no longer than bare hyper, the measurement is too inaccurate for a
    // ratio.
    let ratio = |other: f64| if other > 0.0 { ours / other } else { f64::NAN };
    if contenders.iter().any(|it| it.name == HYPER) {
        let what = format!("{name}, user CPU beyond {BARE} / {HYPER}");
        goals.at_most(&what, 2.2, ratio(hyper));
    }
    cells([ours, axum, hyper], 1, [ratio(axum), ratio(hyper)])
}

fn latency_row(name: &str, contenders: &[Contender], goals: &mut Goals) -> Vec<String> {
    let latency = |name| median(contenders, name, |it| it.p99);
    let [ours, axum, bare] = [SVCGEN, AXUM, BARE].map(latency);
    let what = format!("{name}, p99 of {MANY_CONNECTIONS} connections / {BARE}");
    goals.at_most(&what, 1.3, ours / bare);
    cells([ours, axum, bare], 2, [ours / axum, ours / bare])
}
