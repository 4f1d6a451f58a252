//! The servers of the bench, each in a process of its own, and the measurements of loads on them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::documents;
use crate::load::Load;

/// The number of starts of each server. The median of their times is shown.
const STARTS: usize = 5;

pub fn rounds() -> usize {
    let rounds = std::env::var("BENCH_ROUNDS");
    rounds
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(7)
}

/// A server with the measurements of its rounds.
pub struct Contender {
    pub name: &'static str,
    pub server: Server,
    samples: Vec<Sample>,
}

impl Contender {
    fn new(name: &'static str, command: &mut Command) -> Self {
        // The first start reads the program from the disk.
        let mut starts: Vec<_> = (0..STARTS).map(|_| Server::start(command)).collect();
        starts.sort_by_key(|server| server.start);
        Self {
            name,
            server: starts.swap_remove(STARTS / 2),
            samples: Vec::new(),
        }
    }

    /// Starts a server of this program with a record of this many items, and with TLS if there is a
    /// folder with a certificate.
    pub fn of_this_program(name: &'static str, items: i32, certificate: Option<&Path>) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        let command = command.args(["--server", name, &items.to_string()]);
        Self::new(name, command.args(certificate))
    }

    /// Starts the server next to the program of the bench `speed`, if the variable names it.
    pub fn gsoap(folder: &Path) -> Option<Self> {
        let Some(program) = std::env::var_os("GSOAP_BENCH") else {
            println!("gSOAP is left out: GSOAP_BENCH does not name what gsoap/build makes.");
            return None;
        };
        let answer = folder.join("answer.xml");
        fs::write(&answer, documents::write_response(&documents::response())).expect("a file");
        let mut command = Command::new(Path::new(&program).with_file_name("gsoap-server"));
        Some(Self::new("gSOAP", command.arg(answer)))
    }

    pub fn median(&self, of: fn(&Sample) -> f64) -> f64 {
        median(self.samples.iter().map(of))
    }
}

/// Runs the rounds of a load, with all contenders in turn in each round.
pub fn take_turns(contenders: &mut [Contender], load: &Load) {
    for contender in &mut *contenders {
        contender.samples.clear();
    }
    for _ in 0..rounds() {
        for contender in &mut *contenders {
            contender.samples.push(contender.server.sample(load));
        }
    }
}

pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The measurements of one round of load on a server.
pub struct Sample {
    pub requests: f64,
    /// CPU time in the program itself, in µs for each request.
    pub user: f64,
    pub kernel: f64,
    /// Latency in ms; NaN without wrk.
    pub p99: f64,
}

/// A server in a process of its own.
pub struct Server {
    process: Child,
    pub address: String,
    /// The time from the start of the process until it listens.
    pub start: Duration,
    pub idle: f64,
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

    pub fn peak(&self) -> f64 {
        memory(self.process.id(), "VmHWM:")
    }

    /// Returns the head and body of one answer, without the `Date` line.
    pub fn call(&self, load: &Load) -> (Vec<String>, Vec<u8>) {
        let mut caller = load.caller(&self.address);
        caller.call();
        let is_date = |line: &str| line.to_ascii_lowercase().starts_with("date: ");
        caller.head.retain(|line| !is_date(line));
        assert_eq!(caller.head[0], "HTTP/1.1 200 OK");
        (caller.head, caller.answer)
    }

    /// Measures the cost of a load.
    fn sample(&self, load: &Load) -> Sample {
        let before = cpu_times(self.process.id());
        let ((requests, took), p99) = load.run(&self.address);
        let after = cpu_times(self.process.id());
        let spent = |which: usize| (after[which] - before[which]) * 1e6 / requests;
        Sample {
            requests: requests / took,
            user: spent(0),
            kernel: spent(1),
            p99,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().and_then(|()| self.process.wait()).ok();
    }
}

/// Returns a line of the status of a process, in MiB.
fn memory(process: u32, line: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let value = status.lines().find_map(|status| status.strip_prefix(line));
    let kib = value.and_then(|value| value.split_whitespace().next()?.parse::<f64>().ok());
    kib.map_or(f64::NAN, |kib| kib / 1024.0)
}

/// Returns the CPU time of a process with all its threads, in itself and in the kernel, in seconds
/// with a resolution of 10 ms.
fn cpu_times(process: u32) -> [f64; 2] {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program, in parentheses, may contain anything.
    let after_name = status.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = |field: usize| after_name.split(' ').nth(field)?.parse::<f64>().ok();
    [11, 12].map(|field| ticks(field).map_or(f64::NAN, |ticks| ticks / 100.0))
}
