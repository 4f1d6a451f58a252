//! `svcgen shadow`: the answers to callers, the requests to the candidate, and the output.
#![cfg(target_os = "linux")]

mod failing;
mod secured;

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::at_once;
use crate::record::everything;
use crate::relay::Relay;

/// The reaction of a server to a request.
#[derive(Clone)]
enum Answer {
    Bytes(Vec<u8>),
    /// No answer, for longer than a test takes.
    Stall,
}

/// A server that answers each request on its connection, and records the requests.
pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let (answer, seen) = (Arc::new(answer), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (answer, seen) = (Arc::clone(&answer), Arc::clone(&seen));
                thread::spawn(move || {
                    let mut stream = BufReader::new(stream.unwrap());
                    while let Some(request) = read_message(&mut stream) {
                        let answer = answer(&request);
                        seen.lock().unwrap().push(request);
                        match answer {
                            Answer::Bytes(bytes) => {
                                if stream.get_mut().write_all(&bytes).is_err() {
                                    return;
                                }
                            }
                            Answer::Stall => thread::sleep(Duration::from_secs(60)),
                        }
                    }
                });
            }
        });
        Self { address, asked }
    }

    /// Starts a server that answers every request with these bytes.
    pub(crate) fn always(answer: impl Into<Vec<u8>>) -> Self {
        let answer = Answer::Bytes(answer.into());
        Self::new(move |_| answer.clone())
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// Reads a message that has a length.
fn read_message(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let (mut head, mut length) = (String::new(), 0);
    while !head.ends_with("\r\n\r\n") {
        let before = head.len();
        match stream.read_line(&mut head) {
            Ok(1..) => {}
            _ => return None,
        }
        let line = head[before..].to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(head + &String::from_utf8(body).unwrap())
}

/// Starts a shadow that also sends every permitted call to the candidate.
fn start(original: &str, candidate: &str, arguments: &[&dyn AsRef<OsStr>]) -> Relay {
    let options: [&dyn AsRef<OsStr>; 6] = [
        &"--original",
        &original,
        &"--candidate",
        &candidate,
        &"--sample",
        &"100%",
    ];
    let told = format!("{original}, and 100% of the calls to {candidate} as well");
    Relay::start("shadow", &[&options, arguments].concat(), &told)
}

/// Calls through a shadow. Returns the answer.
fn call(shadow: &Relay, request: &str) -> String {
    let mut caller = BufReader::new(TcpStream::connect(&shadow.address).unwrap());
    caller.get_mut().write_all(request.as_bytes()).unwrap();
    read_message(&mut caller).unwrap()
}

/// Returns the metrics of a shadow, at the address in its output line.
pub(crate) fn metrics(line: &str) -> String {
    let url = line.strip_prefix("metrics are at http://").unwrap();
    let (address, path) = url.trim_end().split_once('/').unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let asked = format!("GET /{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(asked.as_bytes()).unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    page
}

/// Waits until a condition holds.
fn wait_until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not");
        thread::sleep(Duration::from_millis(10));
    }
}

const SHOP: &str = "\
service: Shop
namespace: urn:shop
path: /Shop.asmx
bindings: [soap11, soap12, http-get, http-post]
operations:
  Price: { parameters: { article: int, pin: { type: string?, secret: true } }, result: Offer, read_only: true }
  Order: { parameters: { article: int }, result: int }
types:
  Offer: { elements: { Amount: decimal, Voucher: { type: string?, secret: true } } }
";

fn answer(body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nserver: IIS\r\nContent-Type: text/xml; charset=utf-8\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

fn offer(amount: &str, voucher: &str) -> String {
    answer(&format!(
        r#"<?xml version="1.0" encoding="utf-8"?><Offer xmlns="urn:shop"><Amount>{amount}</Amount><Voucher>{voucher}</Voucher></Offer>"#
    ))
}

const PRICE: &str =
    "GET /Shop.asmx/Price?article=7&pin=4711-0815 HTTP/1.1\r\nhOst: shop\r\nX-Odd: two\r\n\r\n";
const ORDER: &str = "POST /Shop.asmx/Order HTTP/1.1\r\nHost: shop\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\narticle=7";

/// The tests of what the command does after seconds; they wait concurrently.
#[test]
fn after_seconds() {
    let tests: [fn(); 4] = [
        a_candidate_that_fails_shows_in_the_report_alone,
        failing::a_connection_to_the_candidate_carries_many_samples,
        failing::an_original_that_stalls_makes_its_caller_wait_and_no_other,
        samples_that_do_not_fit_are_dropped_and_counted,
    ];
    at_once(&tests, |test| test());
}

#[test]
fn differences_are_told_and_kept_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let (out, shop) = (folder.path().join("out"), folder.path().join("shop.yaml"));
    fs::write(&shop, SHOP).unwrap();
    let original = Server::always(offer("12.50", "v0ucher-a"));
    let candidate = Server::always(offer("12.75", "v0ucher-b"));
    let arguments: [&dyn AsRef<OsStr>; 3] = [&"--out", &out, &shop];
    let mut shadow = start(&original.url(), &candidate.url(), &arguments);
    assert_eq!(call(&shadow, PRICE), offer("12.50", "v0ucher-a"));
    let line = shadow.line();
    assert!(
        line.starts_with("00000001 differs Price http-get: ")
            && line.contains("PriceResult.Amount"),
        "{line}"
    );
    assert!(line.contains("12.50") && line.contains("12.75"), "{line}");
    let said = shadow.end();
    assert!(said.starts_with("1 samples: 1 differs; "), "{said}");
    assert!(said.contains("\n  Price 1: 1 differs; "), "{said}");
    // Both received the caller's request.
    assert_eq!(original.asked(), [PRICE]);
    assert_eq!(candidate.asked(), [PRICE]);

    let kept = out.join("00000001");
    let read = |name: &str| fs::read_to_string(kept.join(name)).unwrap();
    assert!(read("response.http").contains("<Amount>12.50</Amount><Voucher>[secret]</Voucher>"));
    assert!(read("candidate.http").contains("<Amount>12.75</Amount><Voucher>[secret]</Voucher>"));
    let about: serde_json::Value = serde_json::from_str(&read("exchange.json")).unwrap();
    assert_eq!(about["candidate"]["likeness"], "differs");
    assert_eq!(
        about["candidate"]["differences"][0]["found"]
            .as_str()
            .unwrap()
            .trim_matches('"'),
        "12.75"
    );
    assert_eq!(about["masked_parameters"], serde_json::json!(["pin"]));
    assert!(read("values.yaml").contains("Amount: '12.50'"));
    let all = String::from_utf8(everything(&out)).unwrap() + &line + &said;
    for secret in ["4711-0815", "v0ucher"] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[test]
fn differences_that_cannot_be_written_break_no_call() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let original = Server::always(offer("12.50", "a"));
    let candidate = Server::always(offer("12.75", "b"));
    let mut shadow = start(&original.url(), &candidate.url(), &[&"--out", &out]);
    fs::remove_dir(&out).unwrap();
    for _ in 0..2 {
        assert_eq!(call(&shadow, PRICE), offer("12.50", "a"));
        let error = shadow.error();
        assert!(error.contains("cannot be written: No such file"), "{error}");
        shadow.line_with("differs GET /Shop.asmx/Price");
    }
    let said = shadow.end_with(2);
    assert!(
        said.ends_with("\n2 exchanges could not be written\n"),
        "{said}"
    );
}

#[test]
fn what_may_write_is_not_sent_unless_it_is_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let shop = folder.path().join("shop.yaml");
    fs::write(&shop, SHOP).unwrap();
    let hidden = "GET /Shop.asmx/Order?article=7 HTTP/1.1\r\n\r\n";
    let unknown = "GET /elsewhere HTTP/1.1\r\n\r\n";
    let document = "GET /Shop.asmx?wsdl HTTP/1.1\r\n\r\n";
    let all = [PRICE, ORDER, hidden, unknown, document];
    let with: [&dyn AsRef<OsStr>; 1] = [&shop];
    let both: [&dyn AsRef<OsStr>; 2] = [&shop, &"--include-writes"];
    type Case<'a> = (&'a [&'a dyn AsRef<OsStr>], &'a [&'a str], &'a str);
    let cases: [Case<'_>; 3] = [
        (&with, &[PRICE], "2 not-a-call, 2 may-write"),
        (&both, &[PRICE, ORDER, hidden], "2 not-a-call"),
        (&[], &[PRICE, hidden, unknown], "1 not-a-call, 1 may-write"),
    ];
    for (arguments, expected, skipped) in cases {
        let original = Server::always(offer("12.50", "a"));
        let candidate = Server::always(offer("12.50", "a"));
        let shadow = start(&original.url(), &candidate.url(), arguments);
        for request in all {
            call(&shadow, request);
        }
        wait_until(|| candidate.asked().len() == expected.len());
        let end = shadow.end();
        let mut asked = candidate.asked();
        asked.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(asked, expected);
        let count = asked.len();
        let said = format!("{count} samples: {count} identical; ");
        assert!(end.starts_with(&said), "{end}");
        assert!(end.contains(&format!("; not asked: {skipped}\n")), "{end}");
    }
}

#[test]
fn callers_that_are_refused_are_counted() {
    let original = Server::always(offer("12.50", "a"));
    let with: [&dyn AsRef<OsStr>; 2] = [&"--metrics", &"127.0.0.1:0"];
    let mut shadow = start(&original.url(), &original.url(), &with);
    let page = shadow.line();
    let refused = call(&shadow, &PRICE.replace("shop", "evil.example"));
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    let counts = metrics(&page);
    assert!(counts.contains("\nsvcgen_shadow_refused_total 1\n"));
    // Counters are present at zero, so that alerts need no special case.
    assert!(counts.contains("\nsvcgen_shadow_skipped_total{reason=\"ambiguous\"} 0\n"));
    let end = shadow.end();
    let line =
        "\n  1 connections refused: too many of one address, or for a host that is not allowed\n";
    assert!(end.ends_with(line), "{end}");
    assert!(original.asked().is_empty());
}

#[test]
fn what_may_be_read_in_several_ways_is_not_sent_to_the_candidate() {
    let folder = tempfile::tempdir().unwrap();
    let shop = folder.path().join("shop.yaml");
    fs::write(&shop, SHOP).unwrap();
    let original = Server::always(offer("12.50", "a"));
    let candidate = Server::always(offer("12.50", "a"));
    let shadow = start(
        &original.url(),
        &candidate.url(),
        &[&shop, &"--include-writes"],
    );
    let odd = PRICE.replace("X-Odd: two", "X-Odd:two  \r\nConnection: x-own\r\nX-Own: 1");
    let several_ways = [
        ORDER.replace(
            "Content-Length: 9",
            "Content-Length: 9\r\nContent-Length: 9",
        ),
        ORDER.replace("Host: shop", "SOAPAction: a\r\nSOAPAction: b"),
        ORDER.replace(
            "Content-Length: 9\r\n\r\narticle=7",
            "Content-Length: 19\r\nTransfer-Encoding: chunked\r\n\r\n9\r\narticle=7\r\n0\r\n\r\n",
        ),
    ];
    let several_ways = several_ways.iter().map(String::as_str);
    for request in [&*odd].into_iter().chain(several_ways).chain([ORDER]) {
        call(&shadow, request);
    }
    wait_until(|| original.asked().len() == 5 && candidate.asked().len() == 2);
    let end = shadow.end();
    assert!(end.starts_with("2 samples: 2 identical; "), "{end}");
    assert!(end.contains("; not asked: 3 ambiguous\n"), "{end}");
    let mut asked = candidate.asked();
    asked.sort_unstable();
    assert_eq!(asked, [PRICE, ORDER]);
    assert_eq!(original.asked()[0], odd);
}

fn a_candidate_that_fails_shows_in_the_report_alone() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap();
    let dead = format!("http://{}", gone.local_addr().unwrap());
    drop(gone);
    let stalls = Server::new(|_| Answer::Stall);
    let rubbish = Server::always("rubbish\r\n\r\n");
    let long = Server::always(answer(&"x".repeat(2 << 20)));
    let candidates = [
        (dead, "refused"),
        (stalls.url(), "no answer within 1 s"),
        (rubbish.url(), "none of HTTP/1"),
        (long.url(), "longer than 1048576 bytes"),
    ];
    at_once(&candidates, |(candidate, expected)| {
        let original = Server::always(offer("12.50", "a"));
        let mut shadow = start(&original.url(), candidate, &[&"--timeout", &"1"]);
        let begun = Instant::now();
        for _ in 0..20 {
            assert_eq!(call(&shadow, PRICE), offer("12.50", "a"));
        }
        // The caller does not wait for the candidate.
        assert!(begun.elapsed() < Duration::from_secs(5));
        let line = shadow.line();
        assert!(
            line.starts_with("unanswered GET /Shop.asmx/Price: "),
            "{line}"
        );
        assert!(line.contains(*expected) && !line.contains("4711"), "{line}");
        let end = shadow.end();
        let summary = end.lines().last().unwrap();
        assert!(summary.contains(" unanswered"), "{end}");
    });
}

#[test]
fn an_original_that_fails_reaches_the_caller_as_it_is() {
    let rubbish = Server::always("rubbish\r\n\r\nmore");
    let candidate = Server::always(offer("12.50", "a"));
    let shadow = start(&rubbish.url(), &candidate.url(), &[]);
    let mut caller = TcpStream::connect(&shadow.address).unwrap();
    caller.write_all(PRICE.as_bytes()).unwrap();
    let mut received = [0; 15];
    caller.read_exact(&mut received).unwrap();
    assert_eq!(&received, b"rubbish\r\n\r\nmore");
    drop(caller);
    let end = shadow.end();
    assert_eq!(end, "0 samples; not asked: 1 broken\n");
    assert!(candidate.asked().is_empty());

    let gone = TcpListener::bind("127.0.0.1:0").unwrap();
    let dead = format!("http://{}", gone.local_addr().unwrap());
    drop(gone);
    let shadow = start(&dead, &candidate.url(), &[]);
    let mut caller = TcpStream::connect(&shadow.address).unwrap();
    assert!(caller.read(&mut [0]).is_err());
    shadow.end();
    assert!(candidate.asked().is_empty());
}

fn samples_that_do_not_fit_are_dropped_and_counted() {
    let body = answer(&"x".repeat(1 << 20));
    let original = Server::always(body.clone());
    let stalls = Server::new(|_| Answer::Stall);
    let arguments: [&dyn AsRef<OsStr>; 4] = [&"--concurrency", &"1", &"--timeout", &"1"];
    let shadow = start(&original.url(), &stalls.url(), &arguments);
    for _ in 0..100 {
        assert_eq!(call(&shadow, PRICE).len(), body.len());
    }
    let peak = shadow.peak();
    assert!(peak < 200 << 20, "{peak}");
    let end = shadow.end();
    let summary = end.lines().last().unwrap();
    let (_, dropped) = summary.split_once("not asked: ").unwrap();
    let dropped: u32 = dropped.strip_suffix(" dropped").unwrap().parse().unwrap();
    let failed = summary.split(' ').next().unwrap().parse::<u32>().unwrap();
    assert_eq!(failed + dropped, 100, "{end}");
    assert!((1..15).contains(&failed), "{end}");
}

/// Sends bodies of 40 MiB twice through the program in front of a listener, in both directions.
pub(crate) fn pass_long_bodies(original: TcpListener, address: &str) {
    const LENGTH: usize = 40 << 20;
    let read_head = |stream: &mut BufReader<TcpStream>| {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(stream.read_line(&mut head).unwrap() > 0);
        }
    };
    let read_body = |stream: &mut BufReader<TcpStream>| {
        let (mut buffer, mut rest) = (vec![0; 1 << 20], LENGTH);
        while rest > 0 {
            let length = stream.read(&mut buffer).unwrap();
            assert!(length > 0 && buffer[..length].iter().all(|byte| *byte == b'x'));
            rest -= length;
        }
    };
    let send = |stream: &mut TcpStream, line: &str| {
        let head = format!("{line}\r\nContent-Length: {LENGTH}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let piece = vec![b'x'; 1 << 20];
        for _ in 0..LENGTH >> 20 {
            stream.write_all(&piece).unwrap();
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..2 {
                let mut stream = BufReader::new(original.accept().unwrap().0);
                read_head(&mut stream);
                read_body(&mut stream);
                send(stream.get_mut(), "HTTP/1.1 200 OK");
            }
        });
        for _ in 0..2 {
            let mut caller = TcpStream::connect(address).unwrap();
            send(&mut caller, "POST /Shop.asmx HTTP/1.1");
            let mut caller = BufReader::new(caller);
            read_head(&mut caller);
            read_body(&mut caller);
        }
    });
}

/// The limit of the additional memory for long bodies: the parts that are kept, and buffers.
pub(crate) const MOST_GROWTH: usize = 16 << 20;

#[test]
fn long_bodies_pass_in_flat_memory() {
    let original = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", original.local_addr().unwrap());
    let candidate = Server::always(offer("12.50", "a"));
    let shadow = start(&url, &candidate.url(), &[&"--include-writes"]);
    let before = shadow.peak();
    pass_long_bodies(original, &shadow.address);
    let grown = shadow.peak() - before;
    assert!(grown < MOST_GROWTH, "{grown}");
    assert_eq!(shadow.end(), "0 samples; not asked: 2 too-long\n");
    assert!(candidate.asked().is_empty());
}

mod split {
    use super::*;

    /// Starts a shadow that moves all callers. Returns it and the address of its metrics.
    fn start_split(
        original: &Server,
        candidate: &str,
        more: &[&dyn AsRef<OsStr>],
    ) -> (Relay, String) {
        let mut arguments: Vec<&dyn AsRef<OsStr>> =
            vec![&"--split", &"100%", &"--metrics", &"127.0.0.1:0"];
        arguments.extend(more);
        let mut shadow = start(&original.url(), candidate, &arguments);
        let line = shadow.line();
        let metrics = line.strip_prefix("metrics are at http://").unwrap();
        let metrics = metrics.strip_suffix("/metrics\n").unwrap().to_owned();
        (shadow, metrics)
    }

    /// Sends a request. Returns the status and the body.
    fn ask(address: &str, method: &str, path: &str, host: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(address).unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().to_owned(), body.to_owned())
    }

    #[test]
    fn few_connections_to_the_metrics_are_open() {
        let server = Server::always(answer("original"));
        let (shadow, metrics) = start_split(&server, &server.url(), &[]);
        let open: Vec<_> = (0..16)
            .map(|_| TcpStream::connect(&metrics).unwrap())
            .collect();
        let mut more = TcpStream::connect(&metrics).unwrap();
        assert!(!matches!(more.read(&mut [0]), Ok(1..)));
        drop(open);
        wait_until(|| {
            let mut stream = TcpStream::connect(&metrics).unwrap();
            let asked = stream.write_all(b"GET /split HTTP/1.0\r\nHost: localhost\r\n\r\n");
            let mut answer = String::new();
            asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.contains("100%")
        });
        shadow.end();
    }

    #[test]
    fn callers_are_moved_and_back() {
        let original = Server::always(answer("original"));
        let candidate = Server::always(answer("candidate"));
        let (shadow, metrics) = start_split(&original, &candidate.url(), &[]);
        for _ in 0..3 {
            assert!(call(&shadow, PRICE).ends_with("candidate"));
        }
        let share = |method, host, body| ask(&metrics, method, "/split", host, body);
        assert_eq!(share("GET", &metrics, ""), ("200".into(), "100%\n".into()));
        // A kept connection is closed when callers are moved back.
        let mut kept = BufReader::new(TcpStream::connect(&shadow.address).unwrap());
        kept.get_mut().write_all(PRICE.as_bytes()).unwrap();
        assert!(read_message(&mut kept).unwrap().ends_with("candidate"));
        let long = "9".repeat(1000);
        let counts = |host| ask(&metrics, "GET", "/metrics", host, "").0;
        assert_eq!(
            (counts("localhost"), counts("evil.example")),
            ("200".into(), "403".into())
        );
        for (host, body, status) in [
            ("evil.example", "0%", "403"),
            (&metrics, "0", "400"),
            (&metrics, "101%", "400"),
            (&metrics, &long, "400"),
        ] {
            assert_eq!(share("PUT", host, body).0, status);
        }
        assert_eq!(share("POST", &metrics, "0%").0, "405");
        assert_eq!(
            share("PUT", &metrics, "0%\n"),
            ("200".into(), "0%\n".into())
        );
        assert_eq!(kept.read(&mut [0]).unwrap(), 0);
        assert!(call(&shadow, PRICE).ends_with("original"));
        // No moved call was sent twice.
        wait_until(|| candidate.asked().len() == 5);
        assert_eq!(original.asked().len(), 1);
        wait_until(|| {
            let (status, text) = ask(&metrics, "GET", "/metrics", &metrics, "");
            assert_eq!(status, "200");
            [
                "svcgen_shadow_moved_total{outcome=\"answered\"} 4\n",
                "svcgen_shadow_samples_total{operation=\"\",outcome=\"differs\"} 1\n",
                "svcgen_shadow_split_ratio 0\n",
                "svcgen_shadow_dropped_total 0\n",
                "svcgen_shadow_seconds_count{operation=\"\",server=\"candidate\"} 1\n",
            ]
            .iter()
            .all(|line| text.contains(line))
        });
        let end = shadow.end();
        assert!(
            end.ends_with(
                "  split 0%: 4 calls moved, 0 failed; candidate unreachable for 0 connections\n"
            ),
            "{end}"
        );
    }

    #[test]
    fn callers_are_moved_back_when_the_candidate_fails() {
        let original = Server::always(answer("original"));
        let gone = TcpListener::bind("127.0.0.1:0").unwrap();
        let dead = format!("http://{}", gone.local_addr().unwrap());
        drop(gone);
        let breaks = failing::serve(|mut stream| {
            stream.read_exact(&mut vec![0; PRICE.len()]).unwrap();
            let half = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf";
            stream.write_all(half.as_bytes()).unwrap();
        });
        at_once(&[dead, breaks], |candidate| {
            let (mut shadow, metrics) =
                start_split(&original, candidate, &[&"--rollback-at", &"1%"]);
            for _ in 0..2 {
                let mut caller = TcpStream::connect(&shadow.address).unwrap();
                caller.write_all(PRICE.as_bytes()).unwrap();
                assert!(caller.read(&mut [0; 100]).unwrap() > 0);
            }
            let line = shadow.line_with("moved back");
            let start = "all callers are moved back: 2 of the latest 2 ";
            assert!(
                line.starts_with(start) && line.ends_with("failed, more than 1%\n"),
                "{line}"
            );
            let share = ask(&metrics, "GET", "/split", &metrics, "");
            assert_eq!(share.1, "0%\n");
            assert!(call(&shadow, PRICE).ends_with("original"));
            shadow.end();
        });
    }

    /// Requests of monitors and tools besides calls.
    const OTHERS: [&str; 8] = [
        "GET /Shop.asmx?wsdl",
        "GET /Shop.asmx?wsdl",
        "GET /Shop.asmx",
        "GET /Shop.asmx?op=Price",
        "GET /favicon.ico",
        "GET /readyz",
        "HEAD /Shop.asmx/Price?article=7",
        "OPTIONS /Shop.asmx",
    ];

    #[test]
    fn what_is_no_call_moves_nobody_back() {
        let folder = tempfile::tempdir().unwrap();
        let shop = folder.path().join("shop.yaml");
        fs::write(&shop, SHOP).unwrap();
        // Two servers whose answers to calls are equal, and whose other answers differ.
        let answering = |other: String| {
            Server::new(move |request| {
                let is_call = request.starts_with("GET /Shop.asmx/Price");
                let answered = if is_call {
                    offer("12.50", "a")
                } else {
                    other.clone()
                };
                Answer::Bytes(answered.into())
            })
        };
        let original = answering(answer("<definitions>old</definitions>"));
        let candidate = answering(answer("<definitions>new</definitions>"));
        let broken = answering(answer("").replace("200 OK", "502 Bad Gateway"));
        // 127.0.0.1 is not among the first 70% of the callers, so that its calls are compared; at
        // 100% all callers are moved.
        let with: [&dyn AsRef<OsStr>; 3] = [&"--rollback-at", &"1%", &shop];
        let without = &with[..2];
        for (share, candidate, more, said) in [
            ("70%", &candidate, &with[..], "2 samples: 2 identical; "),
            ("70%", &candidate, without, "2 samples: 2 identical; "),
            ("100%", &broken, &with, "0 samples; "),
        ] {
            let (shadow, metrics) = start_split(&original, &candidate.url(), more);
            ask(&metrics, "PUT", "/split", &metrics, share);
            call(&shadow, PRICE);
            for line in OTHERS {
                let mut caller = BufReader::new(TcpStream::connect(&shadow.address).unwrap());
                let request = format!("{line} HTTP/1.1\r\nHost: shop\r\n\r\n");
                caller.get_mut().write_all(request.as_bytes()).unwrap();
                let mut first = String::new();
                caller.read_line(&mut first).unwrap();
                assert!(first.starts_with("HTTP/1.1 "), "{line}: {first}");
            }
            call(&shadow, PRICE);
            wait_until(|| {
                let (_, text) = ask(&metrics, "GET", "/metrics", &metrics, "");
                text.contains("svcgen_shadow_skipped_total{reason=\"not-a-call\"} 8\n")
            });
            assert_eq!(
                ask(&metrics, "GET", "/split", &metrics, "").1,
                format!("{share}\n")
            );
            let end = shadow.end();
            assert!(
                !end.contains("moved back") && end.starts_with(said),
                "{end}"
            );
            assert!(end.contains("not asked: 8 not-a-call\n"), "{end}");
        }
    }

    #[test]
    fn callers_are_moved_back_when_samples_differ() {
        let original = Server::always(answer("original"));
        let candidate = Server::always(answer("candidate"));
        let more: [&dyn AsRef<OsStr>; 2] = [&"--rollback-at", &"2%"];
        let (mut shadow, metrics) = start_split(&original, &candidate.url(), &more);
        // 127.0.0.1 is among 71% of the callers, not among 70%.
        ask(&metrics, "PUT", "/split", &metrics, "70%");
        for _ in 0..3 {
            assert!(call(&shadow, PRICE).ends_with("original"));
        }
        let line = shadow.line_with("moved back");
        let expected = "3 of the latest 3 samples differ or are unanswered, more than 2%";
        assert!(line.contains(expected), "{line}");
        assert_eq!(ask(&metrics, "GET", "/split", &metrics, "").1, "0%\n");
        shadow.end();
    }
}

/// Many exchanges take no more memory than few:
/// `RELAYED_EXCHANGES=200000 cargo test … -- relayed_for_long`.
#[test]
fn relayed_for_long() {
    let count = std::env::var("RELAYED_EXCHANGES").map_or(2_000, |count| count.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let shop = folder.path().join("shop.yaml");
    fs::write(&shop, SHOP).unwrap();
    let amount = |request: &str| {
        if request.contains("article=9") {
            "13"
        } else {
            "12.50"
        }
    };
    let original = Server::always(offer("12.50", "a"));
    let candidate = Server::new(move |request| Answer::Bytes(offer(amount(request), "a").into()));
    let out = folder.path().join("out");
    let arguments: [&dyn AsRef<OsStr>; 5] = [&"--out", &out, &"--max-exchanges", &"10", &shop];
    let mut shadow = start(&original.url(), &candidate.url(), &arguments);
    let mut output = std::mem::replace(&mut shadow.output, BufReader::new(unused()));
    let reading = thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    let expected = offer("12.50", "a");
    let calls = |count: usize| {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut caller = BufReader::new(TcpStream::connect(&shadow.address).unwrap());
                    for number in 0..count / 4 {
                        let article = if number % 100 == 0 { 9 } else { 7 };
                        let request = PRICE.replace("article=7", &format!("article={article}"));
                        caller.get_mut().write_all(request.as_bytes()).unwrap();
                        assert_eq!(read_message(&mut caller).unwrap(), expected);
                        if number % 100 == 0 {
                            original.asked.lock().unwrap().clear();
                            candidate.asked.lock().unwrap().clear();
                        }
                    }
                });
            }
        });
    };
    let begun = Instant::now();
    calls(count / 4);
    let quarter = shadow.peak();
    calls(count - count / 4);
    let whole = shadow.peak();
    let seconds = begun.elapsed().as_secs_f64();
    eprintln!(
        "{count} exchanges in {seconds:.1} s, {quarter} bytes after a quarter, {whole} at the end"
    );
    assert!(whole < quarter + (16 << 20), "{quarter} {whole}");
    drop(shadow);
    reading.join().unwrap().unwrap();
}

/// Returns the output of a program that prints nothing.
fn unused() -> ChildStdout {
    let child = Command::new("true").stdout(Stdio::piped()).spawn();
    child.unwrap().stdout.take().unwrap()
}
