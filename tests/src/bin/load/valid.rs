//! Callers that follow the rules: each call gets the right answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use svcgen::{Binding, CallError, HttpTransport};
use svcgen_tests::checks::{self, LineEnds, with_causes};
use svcgen_tests::numbers::Numbers;
use svcgen_tests::raw_http::{Answer, Connection};
use svcgen_tests::work::{NotifyRequest, ReadRequest, StoreRequest, WorkClient};
use svcgen_tests::work_calls::call_over;

use crate::caller::Caller;
use crate::server::{DEADLINE, Task, answer_to};

const TIMED_OUT: &str = "Request timed out.";
const PANICKED: &str = "The handler panicked.";

/// A call, and its right answer.
struct Call {
    binding: Binding,
    operation: &'static str,
    text: String,
    right: Right,
    /// The time that a handler continues after its answer.
    goes_on: Duration,
    _large: Option<Large>,
}

#[derive(Debug, PartialEq)]
enum Right {
    Result(String),
    /// An answer without a result.
    Empty,
    /// An answer before the end of the handler.
    Accepted,
    Fault(&'static str),
}

/// A permit for a large message. There are few, so that all bodies together stay below their limit.
pub struct Large;

static LARGE: AtomicUsize = AtomicUsize::new(0);

impl Large {
    pub fn take() -> Option<Self> {
        let taken = LARGE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| {
            (taken < 8).then_some(taken + 1)
        });
        taken.ok().map(|_| Self)
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        LARGE.fetch_sub(1, Ordering::Relaxed);
    }
}

fn large_length(numbers: &mut Numbers) -> usize {
    (1 << 20) + numbers.index(3 << 20) - 2000
}

impl Call {
    /// Returns a call that is neither large nor slow.
    fn quick(name: &str, numbers: &mut Numbers) -> Self {
        Self::planned(name, numbers, 0)
    }

    /// Returns a call of any kind.
    fn any(name: &str, numbers: &mut Numbers) -> Self {
        let dice = 1 + numbers.below(1000);
        Self::planned(name, numbers, dice)
    }

    fn planned(name: &str, numbers: &mut Numbers, dice: u64) -> Self {
        let binding = numbers.one_of(&Binding::DEFAULT);
        let operation = numbers.one_of(&["Store", "Store", "Read", "Read", "Notify"]);
        let is_one_way = operation == "Notify";
        let has_body = binding != Binding::HttpGet;
        let (mut padding, mut length) = (numbers.index(2000), numbers.index(4000));
        let is_large = (1..=30).contains(&dice);
        let large = is_large.then(Large::take).flatten();
        match (&large, has_body && numbers.below(2) == 0) {
            (Some(_), true) => padding = large_length(numbers),
            (Some(_), false) => length = large_length(numbers),
            (None, _) => {}
        }
        let after = numbers.one_of(&[0, 0, 0, 0, 1, 5, 20, 100]);
        let task = match dice {
            1000 if !is_one_way => Task::Nothing,
            900..950 => Task::Panic,
            _ => Task::Answer { after, length },
        };
        let is_accepted = is_one_way && binding.is_soap();
        let right = match task {
            _ if is_accepted => Right::Accepted,
            Task::Nothing => Right::Fault(TIMED_OUT),
            Task::Panic => Right::Fault(PANICKED),
            Task::Answer { .. } if is_one_way => Right::Empty,
            Task::Answer { length, .. } => Right::Result(answer_to(name, length)),
        };
        Self {
            binding,
            operation,
            text: task.text(name, padding),
            right,
            goes_on: Duration::from_millis(if is_accepted { after } else { 0 }),
            _large: large,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        call_over(self.binding, self.operation, &self.text)
    }

    fn is_right(&self, answer: &Answer) -> bool {
        let body = String::from_utf8_lossy(&answer.body);
        match &self.right {
            Right::Result(text) => answer.status == 200 && body.contains(&format!(">{text}</")),
            Right::Empty => answer.status == 200 && !body.contains("Fault"),
            Right::Accepted => answer.status == 202 && body.is_empty(),
            Right::Fault(text) => answer.status == 500 && body.contains(text),
        }
    }

    fn judge(&self, answer: &Answer) -> Result<(), String> {
        if self.is_right(answer) {
            return Ok(());
        }
        let body: String = String::from_utf8_lossy(&answer.body)
            .chars()
            .take(300)
            .collect();
        Err(self.wrong(&format!("{} {body}", answer.status)))
    }

    fn wrong(&self, what: &str) -> String {
        let Self {
            binding, operation, ..
        } = self;
        let text: String = self.text.chars().take(40).collect();
        format!("{operation} over {binding:?} with {text:?}: {what}")
    }
}

/// Makes calls over sockets, with several calls on each connection.
pub fn call_raw(caller: &mut Caller<'_>) -> Result<(), String> {
    while caller.goes_on() {
        let mut connection = connect(caller)?;
        for _ in 0..1 + caller.numbers.below(20) {
            let conduct = caller.numbers.one_of(&CONDUCTS);
            let mut calls = Vec::new();
            if conduct == "pipelined" {
                for _ in 0..2 + caller.numbers.below(5) {
                    // The answers are read after everything is sent.
                    calls.push(Call::quick(&caller.next_name(), &mut caller.numbers));
                }
            } else {
                calls.push(Call::any(&caller.next_name(), &mut caller.numbers));
            }
            send(&mut connection, &calls, conduct, &mut caller.numbers)
                .map_err(|error| calls[0].wrong(&format!("{conduct}: not sent: {error}")))?;
            for call in &calls {
                let answer = connection
                    .answer()
                    .map_err(|error| call.wrong(&format!("{conduct}: no answer: {error}")))?;
                call.judge(&answer)?;
                caller.count(conduct);
            }
            thread::sleep(calls.iter().map(|call| call.goes_on).sum());
            if conduct == "half-closed" {
                break;
            }
        }
    }
    Ok(())
}

fn connect(caller: &Caller<'_>) -> Result<Connection, String> {
    Connection::open(caller.address).map_err(|error| format!("no connection: {error}"))
}

/// The ways to send calls.
const CONDUCTS: [&str; 8] = [
    "whole",
    "whole",
    "whole",
    "pipelined",
    "in pieces",
    "in chunks",
    "expecting 100",
    "half-closed",
];

fn send(
    connection: &mut Connection,
    calls: &[Call],
    conduct: &str,
    numbers: &mut Numbers,
) -> std::io::Result<()> {
    let bytes: Vec<u8> = calls.iter().flat_map(Call::bytes).collect();
    match conduct {
        "in pieces" => {
            let (start, end) = bytes.split_at(numbers.index(bytes.len()));
            connection.send(start)?;
            thread::sleep(Duration::from_millis(numbers.below(50)));
            connection.send(end)
        }
        "in chunks" => connection.send(&in_chunks(&bytes, numbers)),
        "expecting 100" => connection.send(&with_header(&bytes, "Expect: 100-continue")),
        "half-closed" => {
            connection.send(&bytes)?;
            connection.finish()
        }
        _ => connection.send(&bytes),
    }
}

/// Returns a request with an additional header.
pub fn with_header(request: &[u8], header: &str) -> Vec<u8> {
    let line = request.iter().position(|byte| *byte == b'\n').unwrap_or(0) + 1;
    let (line, rest) = request.split_at(line);
    [line, header.as_bytes(), b"\r\n", rest].concat()
}

/// Returns a request whose body, if there is one, is chunked.
fn in_chunks(request: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let (head, mut body) = svcgen_tests::raw_http::split(request);
    let head = String::from_utf8_lossy(head);
    let Some((before, _)) = head.split_once("\r\nContent-Length: ") else {
        return request.to_vec();
    };
    let mut chunked = format!("{before}\r\nTransfer-Encoding: chunked\r\n\r\n").into_bytes();
    while !body.is_empty() {
        let (chunk, rest) = body.split_at(body.len().min(1 + numbers.index(100_000)));
        chunked.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        chunked.extend_from_slice(chunk);
        chunked.extend_from_slice(b"\r\n");
        body = rest;
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    chunked
}

/// Longer than any call takes.
const PATIENCE: Duration = DEADLINE.saturating_mul(3);

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.map_err(|error| error.to_string())
}

/// Makes calls with the generated client.
pub fn call_generated(caller: &mut Caller<'_>) -> Result<(), String> {
    let url = format!("http://{}", caller.address);
    runtime()?.block_on(async {
        while caller.goes_on() {
            let transport = HttpTransport::new().with_timeout(PATIENCE);
            for _ in 0..1 + caller.numbers.below(20) {
                let call = Call::any(&caller.next_name(), &mut caller.numbers);
                let client = WorkClient::new(transport.clone(), &url);
                let client = client.map_err(|error| with_causes(&error))?;
                let client = client.with_binding(call.binding);
                let text = call.text.clone();
                let result = match call.operation {
                    "Store" => client.store(&StoreRequest { text }).await.map(Some),
                    "Read" => client.read(&ReadRequest { text }).await.map(Some),
                    _ => {
                        let notified = client.notify(&NotifyRequest { text, count: 1 }).await;
                        notified.map(|()| None)
                    }
                };
                let is_right = match (&call.right, &result) {
                    (Right::Result(right), Ok(Some(result))) => right == result,
                    (Right::Empty | Right::Accepted, Ok(None)) => true,
                    (Right::Fault(right), Err(error)) => fault(error).contains(right),
                    _ => false,
                };
                if !is_right {
                    let said = match &result {
                        Ok(result) => format!("{:.300?}", result.as_deref()),
                        Err(error) => with_causes(error),
                    };
                    return Err(call.wrong(&said));
                }
                caller.count("generated client");
                tokio::time::sleep(call.goes_on).await;
            }
        }
        Ok(())
    })
}

fn fault(error: &CallError) -> &str {
    match error {
        CallError::Fault(fault) => fault.text(),
        CallError::Status { text, .. } => text,
        _ => "",
    }
}

/// Runs all checks of the fixture client.
pub fn check_fixture(caller: &mut Caller<'_>) -> Result<(), String> {
    let url = format!("http://{}", caller.address);
    let bindings = checks::BINDINGS.map(|(_, binding)| binding);
    runtime()?.block_on(async {
        while caller.goes_on() {
            for binding in bindings {
                let transport = HttpTransport::new().with_timeout(PATIENCE);
                let report = checks::run(transport, &url, &[binding], LineEnds::Exact).await;
                let report = report.map_err(|error| with_causes(&error))?;
                if let Some(failure) = report.failures.first() {
                    return Err(failure.to_string());
                }
                caller.count("every check of the fixture client");
                if !caller.goes_on() {
                    break;
                }
            }
        }
        Ok(())
    })
}
