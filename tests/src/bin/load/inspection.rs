//! The checks after the load: all resources are released, and the server stops when asked to.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::thread::sleep;
use std::time::{Duration, Instant};

use svcgen_tests::raw_http::{Answer, Connection, split};
use svcgen_tests::work_calls::{call, notify};

use crate::process::Process;
use crate::server::{BODIES, CALLS, DEADLINE, Task};
use crate::valid::with_header;

/// Longer than an idle server needs for anything.
const PATIENCE: Duration = Duration::from_secs(60);

fn until(what: &str, mut is_so: impl FnMut() -> io::Result<bool>) -> io::Result<()> {
    let end = Instant::now() + PATIENCE;
    while !is_so()? {
        if Instant::now() > end {
            return Err(io::Error::other(what.to_owned()));
        }
        sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Fails unless the server has as many descriptors as before.
pub fn no_descriptors_are_left(server: &Process, before: usize) -> io::Result<()> {
    until("descriptors are left", || {
        Ok(server.usage()?.descriptors <= before)
    })
}

fn expect(answer: &Answer, status: u16, text: &str) -> io::Result<()> {
    let is_right = answer.status == status && answer.text().contains(text);
    let retry = answer.header("retry-after").is_some();
    if is_right && retry == (status == 503) {
        return Ok(());
    }
    let found = format!("{} {:.300}", answer.status, answer.text());
    Err(io::Error::other(format!(
        "{status} {text:?} is right, not {found}"
    )))
}

fn exchange(server: &Process, request: &[u8]) -> io::Result<Answer> {
    let mut connection = Connection::open(server.address)?;
    connection.send(request)?;
    connection.answer()
}

const QUICK: Task = Task::Answer {
    after: 0,
    length: 0,
};

/// Begins a call: the server waits for its body.
fn begun(server: &Process, from: u8, request: &[u8]) -> io::Result<Connection> {
    let from = IpAddr::V4(Ipv4Addr::new(127, 0, 1, from));
    let mut connection = Connection::open_from(from, server.address)?;
    let request = with_header(request, "Expect: 100-continue");
    let (head, _) = split(&request);
    connection.send(&[head, b"\r\n\r\n"].concat())?;
    match connection.head()? {
        (100, _) => Ok(connection),
        (status, _) => Err(io::Error::other(format!("a call is not begun: {status}"))),
    }
}

/// Fails unless ended calls no longer count: exactly the maximum number of calls can run.
pub fn no_calls_are_left(server: &Process) -> io::Result<()> {
    let request = call("Store", &QUICK.text("place", 0));
    let (_, body) = split(&request);
    let mut all = Vec::new();
    for index in 0..CALLS {
        // Each address has its own limit.
        all.push(begun(server, (index / 32) as u8, &request)?);
    }
    expect(
        &exchange(server, &request)?,
        503,
        "running calls is reached",
    )?;
    for connection in &mut all {
        connection.send(body)?;
        expect(
            &connection.answer()?,
            200,
            "<StoreResult>place</StoreResult>",
        )?;
    }
    expect(&exchange(server, &request)?, 200, "place")
}

/// Fails unless released bodies no longer count: exactly the maximum number of bytes can be held. A
/// one-way call is answered while its body is held.
pub fn no_bodies_are_left(server: &Process) -> io::Result<()> {
    let longest = 4 << 20;
    let hold = Task::Nothing.text("hold", 0);
    let empty = notify(&hold, "1");
    let padding = longest - split(&empty).1.len();
    let request = notify(&(hold + &"p".repeat(padding)), "1");
    for _ in 0..BODIES / longest {
        expect(&exchange(server, &request)?, 202, "")?;
    }
    let next = call("Store", &QUICK.text("next", 0));
    expect(&exchange(server, &next)?, 503, "memory")?;
    sleep(DEADLINE);
    until("bodies are left", || {
        Ok(exchange(server, &next)?.status == 200)
    })
}

/// Fails unless a server answers the running calls after a signal, and exits.
pub fn a_stop_answers_calls(mut server: Process) -> io::Result<()> {
    let request = call("Store", &QUICK.text("last", 0));
    let mut running = begun(&server, 0, &request)?;
    server.terminate()?;
    until("a stopping server accepts connections", || {
        Ok(Connection::open(server.address).is_err())
    })?;
    running.send(split(&request).1)?;
    expect(&running.answer()?, 200, "last")?;
    exits(&mut server)
}

/// Fails unless a server exits at once after two signals, without waiting for calls.
pub fn two_signals_end_a_server() -> io::Result<()> {
    let mut server = Process::start()?;
    let request = call("Store", &Task::Nothing.text("lost", 0));
    let mut running = begun(&server, 0, &request)?;
    running.send(split(&request).1)?;
    server.terminate()?;
    until("a stopping server accepts connections", || {
        Ok(Connection::open(server.address).is_err())
    })?;
    if !server.is_running()? {
        return Err(io::Error::other("a stop does not wait for calls"));
    }
    server.terminate()?;
    exits(&mut server)
}

/// Fails unless the server exits before any call ends by itself.
fn exits(server: &mut Process) -> io::Result<()> {
    match server.exit_code(DEADLINE / 2)? {
        Some(0) => Ok(()),
        code => Err(io::Error::other(format!(
            "a server does not exit with 0: {code:?}"
        ))),
    }
}
