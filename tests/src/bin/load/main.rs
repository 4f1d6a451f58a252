//! `load SECONDS [SEED]`: calls a server from many valid and hostile callers concurrently. Every
//! valid call must get the right answer, and the server's resources must stay bounded.

mod caller;
mod hostile;
mod inspection;
mod process;
mod server;
mod valid;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use caller::{Caller, Counts};
use process::{Process, Usage};

const USAGE: &str = "usage: load SECONDS [SEED]

Calls a server, which it starts in a process of its own, for so many seconds: from valid callers, who
must all get the right answers, and from hostile ones. At the end the server must have given everything
back, must have taken no more memory than before, and must stop as it is told to. Runs on Linux.

Prints what was done, each valid call with its right answer, and what the server took.
Exit status: 0 when all is right, 1 when something is wrong, with the seed, 2 for bad usage.";

/// The number of callers of each kind, valid and hostile ones: 64 in all.
const CALLERS: [&[(Kind, u64)]; 2] = [
    &[
        (valid::call_raw, 16),
        (valid::call_generated, 15),
        (valid::check_fixture, 1),
    ],
    &[(hostile::call_hostile, 32)],
];

type Kind = fn(&mut Caller<'_>) -> Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["serve"] => server::serve().map_err(|error| error.to_string()),
        [seconds] => run(seconds, None),
        [seconds, seed] => run(seconds, Some(seed)),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::from(if error.contains(USAGE) { 2 } else { 1 })
        }
    }
}

fn run(seconds: &str, seed: Option<&str>) -> Result<(), String> {
    let number = |text: &str| {
        let number = text.parse::<u64>();
        number.map_err(|_| format!("`{text}` is not a number\n\n{USAGE}"))
    };
    let seed = match seed {
        Some(seed) => number(seed)?,
        None => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            now.map_or(0, |now| now.as_secs())
        }
    };
    let time = Duration::from_secs(number(seconds)?);
    load(time, seed).map_err(|what| {
        format!(
            "{what}\nRun it again: cargo run -p svcgen-programs --features full --bin load -- {} {seed}",
            time.as_secs()
        )
    })
}

fn load(time: Duration, seed: u64) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let server = Process::start().map_err(failed)?;
    let before = server.usage().map_err(failed)?;
    let (samples, outcome) = call_all(&server, time, seed);
    let counts = outcome?;
    for (heading, counts) in ["right answers to", "hostile"].iter().zip(&counts) {
        let each: Vec<_> = counts
            .iter()
            .map(|(what, n)| format!("{n} {what}"))
            .collect();
        println!(
            "{} {heading}: {}",
            counts.values().sum::<u64>(),
            each.join(", ")
        );
    }
    if let Some((what, _)) = hostile::QUICK
        .iter()
        .find(|(what, _)| !counts[1].contains_key(what))
    {
        return Err(format!("nobody came to the end of {what}"));
    }
    inspection::no_descriptors_are_left(&server, before.descriptors).map_err(failed)?;
    let after = server.usage().map_err(failed)?;
    let middle = mean(&samples[samples.len() / 3..samples.len() * 2 / 3]);
    let last = mean(&samples[samples.len() * 2 / 3..]);
    println!(
        "seed {seed}, {} s: memory {} KiB before, {middle} and {last} in the second and last third, {} at most, {} after; \
         descriptors {} before, {} at most, {} after; {} threads at most",
        time.as_secs(),
        before.memory,
        most(&samples, |usage| usage.memory),
        after.memory,
        before.descriptors,
        most(&samples, |usage| usage.descriptors as u64),
        after.descriptors,
        most(&samples, |usage| usage.threads),
    );
    if most(&samples, |usage| usage.threads) > before.threads {
        return Err("the server starts threads".to_owned());
    }
    if last > middle + middle / 10 + 8 * 1024 {
        return Err("the memory grows".to_owned());
    }
    inspection::no_calls_are_left(&server).map_err(failed)?;
    inspection::no_bodies_are_left(&server).map_err(failed)?;
    inspection::no_descriptors_are_left(&server, before.descriptors).map_err(failed)?;
    inspection::a_stop_answers_calls(server).map_err(failed)?;
    inspection::two_signals_end_a_server().map_err(failed)
}

/// Runs all callers, and samples the resources of the server each second.
fn call_all(
    server: &Process,
    time: Duration,
    seed: u64,
) -> (Vec<Usage>, Result<[Counts; 2], String>) {
    let is_over = AtomicBool::new(false);
    let mut samples = Vec::new();
    let outcome = thread::scope(|scope| {
        let kinds = (0..).zip(CALLERS).flat_map(|(side, kinds)| {
            let all = kinds
                .iter()
                .flat_map(|(kind, count)| (0..*count).map(move |_| kind));
            all.map(move |kind| (side, kind))
        });
        let callers: Vec<_> = (0..)
            .zip(kinds)
            .map(|(index, (side, kind))| {
                let mut caller = Caller::new(server.address, seed, index, &is_over);
                let is_over = &is_over;
                let thread = scope.spawn(move || {
                    let outcome = kind(&mut caller);
                    if outcome.is_err() {
                        is_over.store(true, Ordering::Relaxed);
                    }
                    outcome.map(|()| caller.counts)
                });
                (side, thread)
            })
            .collect();
        let end = Instant::now() + time;
        while Instant::now() < end && !is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_secs(1));
            samples.extend(server.usage());
        }
        is_over.store(true, Ordering::Relaxed);
        let mut counts = [Counts::new(), Counts::new()];
        for (side, caller) in callers {
            let done = caller.join().map_err(|_| "a caller panicked")??;
            for (what, count) in done {
                let counts: &mut Counts = &mut counts[side];
                *counts.entry(what).or_default() += count;
            }
        }
        Ok(counts)
    });
    (samples, outcome)
}

fn mean(samples: &[Usage]) -> u64 {
    let sum: u64 = samples.iter().map(|usage| usage.memory).sum();
    sum / (samples.len() as u64).max(1)
}

fn most(samples: &[Usage], count: impl Fn(&Usage) -> u64) -> u64 {
    samples.iter().map(count).max().unwrap_or(0)
}
