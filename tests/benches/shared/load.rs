//! Load on a server: calls on several connections, one after the other on each.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Request;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

use crate::bindings;

pub const ROUND: Duration = Duration::from_secs(1);
pub const CONNECTIONS: usize = 32;
pub const MANY_CONNECTIONS: usize = 256;

/// The number of answered calls, and the time in seconds.
pub type Calls = (f64, f64);

/// The calls of one round.
#[derive(Clone)]
pub struct Load {
    pub request: Request<Bytes>,
    pub connections: usize,
    pub tls: Option<Arc<ClientConfig>>,
}

impl Load {
    /// Runs a round: by wrk, if it is installed, otherwise by a thread for each connection, which
    /// takes more of the machine. Returns the calls and the p99 latency in ms, which is NaN without
    /// wrk.
    pub fn run(&self, address: &str) -> (Calls, f64) {
        let by_wrk = self.wrk(address);
        by_wrk.unwrap_or_else(|| (self.threads(address), f64::NAN))
    }

    fn wrk(&self, address: &str) -> Option<(Calls, f64)> {
        let folder = tempfile::tempdir().ok()?;
        let [script, body] = ["call.lua", "body"].map(|name| folder.path().join(name));
        fs::write(&body, self.request.body()).ok()?;
        let mut lines = format!(
            "wrk.method = '{}'\nlocal file = io.open([==[{}]==], 'rb')\nwrk.body = file:read('*a')\nfile:close()\n",
            self.request.method(),
            body.display()
        );
        for (name, value) in self.request.headers() {
            let value = value.to_str().ok()?;
            lines += &format!("wrk.headers['{name}'] = [==[{value}]==]\n");
        }
        fs::write(&script, lines).ok()?;
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let output = Command::new("wrk")
            .arg("--latency")
            .args(["-t1", "-c", &self.connections.to_string(), "-d"])
            .arg(format!("{}s", ROUND.as_secs()))
            .arg("-s")
            .arg(&script)
            .arg(format!("{scheme}://{address}{}", self.request.uri()))
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        assert!(!text.contains("Non-2xx"), "{text}");
        // `  80123 requests in 1.00s, 240.12MB read`
        let line = text.lines().find(|line| line.contains(" requests in "))?;
        let (requests, rest) = line.trim().split_once(" requests in ")?;
        let took = rest.split_once("s,")?.0;
        let calls = (requests.parse().ok()?, took.parse().ok()?);
        // `     99%    1.23ms`
        let mut lines = text.lines().map(str::trim);
        let p99 = lines.find_map(|line| line.strip_prefix("99%"))?;
        Some((calls, milliseconds(p99.trim())?))
    }

    fn threads(&self, address: &str) -> Calls {
        let started = Instant::now();
        let calls = std::thread::scope(|scope| {
            let caller = || {
                let mut caller = self.caller(address);
                let mut calls = 0;
                while started.elapsed() < ROUND {
                    caller.call();
                    calls += 1;
                }
                calls
            };
            let callers: Vec<_> = (0..self.connections).map(|_| scope.spawn(caller)).collect();
            callers
                .into_iter()
                .map(|caller| caller.join().expect("answers"))
                .sum::<u32>()
        });
        (f64::from(calls), started.elapsed().as_secs_f64())
    }

    pub fn caller(&self, address: &str) -> Caller {
        let stream = TcpStream::connect(address).expect("a listening server");
        stream.set_nodelay(true).expect("a connection");
        let stream: Box<dyn Stream> = match &self.tls {
            None => Box::new(stream),
            Some(config) => {
                let name = "localhost".try_into().expect("a name");
                let client = ClientConnection::new(Arc::clone(config), name);
                Box::new(StreamOwned::new(client.expect("a configuration"), stream))
            }
        };
        Caller {
            stream: BufReader::new(stream),
            request: bindings::bytes(&self.request),
            head: Vec::new(),
            answer: Vec::new(),
        }
    }
}

/// Parses a time as written by wrk: `850.00us`, `1.23ms`, `1.02s`.
fn milliseconds(time: &str) -> Option<f64> {
    let units = [("us", 1e-3), ("ms", 1.0), ("s", 1e3)];
    units.iter().find_map(|(unit, factor)| {
        let number: f64 = time.strip_suffix(unit)?.parse().ok()?;
        Some(number * factor)
    })
}

/// A connection that sends the same request repeatedly.
pub struct Caller {
    stream: BufReader<Box<dyn Stream>>,
    request: Vec<u8>,
    /// The lines of the last answer's head.
    pub head: Vec<String>,
    pub answer: Vec<u8>,
}

trait Stream: Read + Write {}

impl<S: Read + Write> Stream for S {}

impl Caller {
    pub fn call(&mut self) {
        let stream = self.stream.get_mut();
        stream.write_all(&self.request).expect("an open connection");
        stream.flush().expect("an open connection");
        self.head.clear();
        while self.head.last().is_none_or(|line| !line.is_empty()) {
            let mut line = String::new();
            self.stream.read_line(&mut line).expect("a head");
            self.head.push(line.trim_end().to_owned());
        }
        let length = self.head.iter().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("content-length").then_some(value)
        });
        let length = length.expect("a length").parse().expect("a length");
        self.answer.resize(length, 0);
        self.stream.read_exact(&mut self.answer).expect("a body");
    }
}
