//! Misbehaving callers. In any case, a connection ends within the time limits, and no malformed
//! message is accepted.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use svcgen::Binding;
use svcgen_tests::raw_http::{Connection, split};
use svcgen_tests::rows::{Row, bytes, rows};
use svcgen_tests::work_calls::{call, call_over, head};

use crate::caller::Caller;
use crate::server::{ANSWER, CONNECTIONS_OF_AN_ADDRESS, PAUSE, Task};
use crate::valid::{Large, with_header};

/// The address of hostile callers.
const FROM: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

const ILL_FORMED: &str = include_str!("../../../conformance/ill-formed-content.txt");

pub type Conduct = fn(&mut Caller<'_>) -> io::Result<Result<(), String>>;

/// Behaviour that takes no longer than the server; `SLOW` uses up the time limits.
pub const QUICK: [(&str, Conduct); 10] = [
    ("malformed messages", sends_malformed),
    ("mutated messages", sends_mutated),
    ("amplifying messages", sends_amplifying),
    ("too long bodies", sends_too_much),
    ("broken chunks", sends_broken_chunks),
    ("half requests", sends_half),
    ("calls that were reset", resets),
    ("calls that were abandoned", abandons),
    ("answers that nobody reads", pipelines_and_goes),
    ("crowds of connections", crowds),
];
const SLOW: [(&str, Conduct); 5] = [
    ("bodies that never came", announces),
    ("heads of a byte a second", dribbles_a_head),
    ("bodies of a byte a second", dribbles_a_body),
    ("answers read not at all", reads_nothing),
    ("answers read slowly", reads_slowly),
];

pub fn call_hostile(caller: &mut Caller<'_>) -> Result<(), String> {
    while caller.goes_on() {
        let (name, conduct) = match caller.numbers.below(100) {
            0 => caller.numbers.one_of(&SLOW),
            _ => caller.numbers.one_of(&QUICK),
        };
        // The server may close these connections at any time.
        if let Ok(outcome) = conduct(caller) {
            outcome.map_err(|what| format!("{name}: {what}"))?;
            caller.count(name);
        }
        sleep(Duration::from_millis(caller.numbers.below(20)));
    }
    Ok(())
}

fn connect(caller: &Caller<'_>) -> io::Result<Connection> {
    Connection::open_from(FROM, caller.address)
}

/// Fails unless the server ends the connection, within the time limits and the 20 seconds of read
/// timeouts.
fn assert_ends(connection: &mut Connection) -> Result<(), String> {
    match connection.rest() {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err("the connection does not end".to_owned())
        }
        _ => Ok(()),
    }
}

/// Fails if an answer has none of these statuses.
fn assert_answer(
    caller: &Caller<'_>,
    request: &[u8],
    statuses: &[u16],
) -> io::Result<Result<(), String>> {
    let mut connection = connect(caller)?;
    // The server may answer before it has read everything.
    let _ = connection.send(request);
    let answer = connection.answer()?;
    if statuses.contains(&answer.status) {
        return Ok(Ok(()));
    }
    let request: String = String::from_utf8_lossy(request)
        .chars()
        .take(2000)
        .collect();
    Ok(Err(format!("{}: {request}", answer.status)))
}

fn task(caller: &mut Caller<'_>, task: Task) -> String {
    task.text(&caller.next_name(), 0)
}

const QUICK_TASK: Task = Task::Answer {
    after: 0,
    length: 100,
};

fn with_body(path: &str, body: &[u8]) -> Vec<u8> {
    let head = head("Store", body.len()).replace("/Work.asmx", path);
    [head.as_bytes(), body].concat()
}

fn sends_malformed(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let table: Vec<Row> = rows(ILL_FORMED).collect();
    let hidden = bytes(caller.numbers.one_of(&table).content);
    let text = task(caller, QUICK_TASK);
    let call = call("Store", &text);
    let (_, body) = split(&call);
    let before = body.len() - b"</Store></s:Body></s:Envelope>".len();
    let (start, end) = body.split_at(before);
    let body = [start, b"<hidden>", &hidden, b"</hidden>", end].concat();
    assert_answer(caller, &with_body("/Work.asmx", &body), &[400])
}

fn sends_mutated(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let binding = caller.numbers.one_of(&Binding::DEFAULT);
    let text = task(caller, QUICK_TASK);
    let mut request = call_over(binding, "Store", &text);
    let bytes = b"<>&;'\"/=!?-[]: ax1\n\t#%\0\xff\r";
    for _ in 0..1 + caller.numbers.below(3) {
        let at = caller.numbers.index(request.len());
        match caller.numbers.below(3) {
            0 => request[at] = caller.numbers.one_of(bytes),
            1 => request.insert(at, caller.numbers.one_of(bytes)),
            _ => drop(request.remove(at)),
        }
    }
    let statuses = [
        200, 400, 403, 404, 405, 408, 413, 414, 415, 431, 500, 501, 505,
    ];
    assert_answer(caller, &request, &statuses)
}

fn sends_amplifying(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let Some(_large) = Large::take() else {
        return Ok(Ok(()));
    };
    let (path, content) = match caller.numbers.below(7) {
        0 => ("/Memory.asmx", list("texts", "<string/>")),
        1 => ("/Memory.asmx", list("names", "<QName>string</QName>")),
        2 => ("/Memory.asmx", list("dates", "<dateTime/>")),
        3 => ("/Work.asmx", "<a>".repeat(300_000)),
        4 => ("/Work.asmx", format!("<a {}/>", "b='' ".repeat(200_000))),
        5 => (
            "/Work.asmx",
            format!("<a b='{}'/>", "&#x41;".repeat(200_000)),
        ),
        _ => ("/Work.asmx", "&".repeat(1_000_000)),
    };
    let body = format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>{content}</s:Body></s:Envelope>"
    );
    let request = with_body(path, body.as_bytes());
    let request = String::from_utf8_lossy(&request)
        .replace("urn:example:work/Store", "")
        .into_bytes();
    assert_answer(caller, &request, &[200, 400, 500])
}

fn list(name: &str, item: &str) -> String {
    let items = item.repeat(2_000_000 / item.len());
    format!("<Count xmlns=\"urn:memory\"><{name}>{items}</{name}></Count>")
}

fn sends_too_much(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let Some(_large) = Large::take() else {
        return Ok(Ok(()));
    };
    let long = call("Store", &"x".repeat(5 << 20));
    match caller.numbers.below(3) {
        0 => assert_answer(caller, &long, &[500]),
        1 => {
            let long = with_header(&long, "Expect: 100-continue");
            let (head, _) = split(&long);
            let request = [head, b"\r\n\r\n"].concat();
            assert_answer(caller, &request, &[500])
        }
        _ => {
            let chunk = [b"100000\r\n", &[b'x'; 1 << 20][..], b"\r\n"].concat();
            let request = [chunked_head().as_bytes(), &chunk.repeat(5), b"0\r\n\r\n"].concat();
            assert_answer(caller, &request, &[500])
        }
    }
}

fn chunked_head() -> String {
    head("Store", 0).replace("Content-Length: 0", "Transfer-Encoding: chunked")
}

fn sends_broken_chunks(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let chunks = caller.numbers.one_of(&[
        "g\r\nx\r\n0\r\n\r\n",
        "-1\r\nx\r\n0\r\n\r\n",
        "5\r\nx\r\n0\r\n\r\nmore",
        "1\r\nxyz\r\n0\r\n\r\n",
        "fffffffffffffffff\r\nx\r\n",
        "1\nx\n0\n\n",
        "1;a=b\r\nx\r\n",
    ]);
    let mut connection = connect(caller)?;
    connection.send((chunked_head() + chunks).as_bytes())?;
    Ok(match connection.answer() {
        Ok(answer) if answer.status < 400 => Err(format!("{}: {chunks:?}", answer.status)),
        Ok(_) => Ok(()),
        Err(_) => assert_ends(&mut connection),
    })
}

/// Sends a part of a request, and ends the connection in one of three ways.
fn sends_half(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let text = task(caller, QUICK_TASK);
    let binding = caller.numbers.one_of(&Binding::DEFAULT);
    let request = call_over(binding, "Store", &text);
    let mut connection = connect(caller)?;
    connection.send(&request[..caller.numbers.index(request.len())])?;
    match caller.numbers.below(3) {
        0 => drop(connection),
        1 => connection.reset(),
        _ => {
            connection.finish()?;
            return Ok(assert_ends(&mut connection));
        }
    }
    Ok(Ok(()))
}

fn slow_call(caller: &mut Caller<'_>) -> (Vec<u8>, Duration) {
    let after = caller.numbers.below(200);
    let text = task(caller, Task::Answer { after, length: 100 });
    let operation = caller.numbers.one_of(&["Store", "Read", "Notify"]);
    let binding = caller.numbers.one_of(&Binding::DEFAULT);
    let request = call_over(binding, operation, &text);
    (request, Duration::from_millis(after))
}

/// Waits for the handler, which continues, so that there are not too many of them.
fn resets(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let (request, time) = slow_call(caller);
    let mut connection = connect(caller)?;
    connection.send(&request)?;
    sleep(Duration::from_millis(caller.numbers.below(100)));
    connection.reset();
    sleep(time);
    Ok(Ok(()))
}

fn abandons(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let (request, time) = slow_call(caller);
    let mut connection = connect(caller)?;
    connection.send(&request)?;
    sleep(Duration::from_millis(caller.numbers.below(100)));
    drop(connection);
    sleep(time);
    Ok(Ok(()))
}

fn pipelines_and_goes(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let mut connection = connect(caller)?;
    for _ in 0..caller.numbers.below(100) {
        let binding = caller.numbers.one_of(&Binding::DEFAULT);
        let text = task(caller, QUICK_TASK);
        connection.send(&call_over(binding, "Read", &text))?;
    }
    connection.reset();
    Ok(Ok(()))
}

/// Opens more connections than an address may have, from one caller at a time.
fn crowds(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let Ok(_guard) = ONE_AT_A_TIME.try_lock() else {
        return Ok(Ok(()));
    };
    let mut connections = Vec::new();
    for _ in 0..CONNECTIONS_OF_AN_ADDRESS {
        let mut connection = connect(caller)?;
        // The excess connections are closed by now.
        let _ = connection.send(b"POST /Work.asmx HTTP/1.1\r\n");
        connections.push(connection);
    }
    sleep(Duration::from_millis(50));
    connections.into_iter().for_each(Connection::reset);
    Ok(Ok(()))
}

fn announces(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let mut connection = connect(caller)?;
    let mut request = (head("Store", 4 << 20) + "<s:Envelope").into_bytes();
    if caller.numbers.below(2) == 0 {
        request = with_header(&request, "Expect: 100-continue");
    }
    connection.send(&request)?;
    Ok(assert_ends(&mut connection))
}

/// Sends a byte each second until the server closes the connection. Fails unless this happens
/// within a time.
fn dribble(
    connection: &mut Connection,
    bytes: &[u8],
    within: Duration,
) -> io::Result<Result<(), String>> {
    let end = Instant::now() + within;
    for byte in bytes {
        if Instant::now() > end {
            return Ok(Err("the connection does not end".to_owned()));
        }
        if connection.send(&[*byte]).is_err() {
            return Ok(Ok(()));
        }
        sleep(Duration::from_secs(1));
    }
    Ok(Ok(()))
}

/// Additional time for a busy server.
const MORE: Duration = Duration::from_secs(15);

fn dribbles_a_head(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let text = task(caller, QUICK_TASK);
    dribble(&mut connect(caller)?, &call("Store", &text), PAUSE + MORE)
}

fn dribbles_a_body(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let mut connection = connect(caller)?;
    connection.send(head("Store", 1000).as_bytes())?;
    dribble(&mut connection, &[b' '; 1000], PAUSE * 6 + MORE)
}

/// Requests longer answers than the buffers of both systems can hold.
fn asks_for_much(caller: &mut Caller<'_>) -> io::Result<Connection> {
    let mut connection = connect(caller)?;
    let length = 4 << 20;
    for _ in 0..4 {
        let text = task(caller, Task::Answer { after: 0, length });
        connection.send(&call("Read", &text))?;
    }
    Ok(connection)
}

fn reads_nothing(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let Some(_large) = Large::take() else {
        return Ok(Ok(()));
    };
    let mut connection = asks_for_much(caller)?;
    sleep(PAUSE * 2);
    Ok(cut_off(&mut connection))
}

fn reads_slowly(caller: &mut Caller<'_>) -> io::Result<Result<(), String>> {
    let Some(_large) = Large::take() else {
        return Ok(Ok(()));
    };
    let mut connection = asks_for_much(caller)?;
    let end = Instant::now() + ANSWER + PAUSE;
    while Instant::now() < end && connection.read_some(1024)? > 0 {
        sleep(Duration::from_millis(100));
    }
    Ok(cut_off(&mut connection))
}

/// Fails unless the server has given up before it sent all answers.
fn cut_off(connection: &mut Connection) -> Result<(), String> {
    match connection.rest() {
        Ok(rest) if rest.len() >= 16 << 20 => Err("the server waits for a slow reader".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err("the connection does not end".to_owned())
        }
        _ => Ok(()),
    }
}
