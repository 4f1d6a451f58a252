//! Interleaved rounds and medians: a disturbance of the machine affects every contender alike.

use std::time::{Duration, Instant};

/// The default number of rounds, which `BENCH_ROUNDS` overrides.
const ROUNDS: usize = 101;

/// The time that a contender runs in one round.
const ROUND: Duration = Duration::from_millis(1);

/// Runs the work this many times. Returns the time.
pub type Work<'w> = Box<dyn FnMut(u64) -> Duration + 'w>;

/// Wraps work whose time is measured here.
pub fn timed<'w, T>(mut work: impl FnMut() -> T + 'w) -> Work<'w> {
    Box::new(move |times| {
        let start = Instant::now();
        for _ in 0..times {
            std::hint::black_box(work());
        }
        start.elapsed()
    })
}

/// Returns the median time of each contender for one piece of work, in nanoseconds.
pub fn medians(contenders: &mut [(&str, Work<'_>)]) -> Vec<f64> {
    let rounds = std::env::var("BENCH_ROUNDS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(ROUNDS);
    let times: Vec<u64> = contenders.iter_mut().map(|(_, work)| times(work)).collect();
    let mut samples = vec![Vec::new(); contenders.len()];
    for _ in 0..rounds {
        for (index, (_, work)) in contenders.iter_mut().enumerate() {
            samples[index].push(work(times[index]).as_nanos() as f64 / times[index] as f64);
        }
    }
    samples.into_iter().map(median).collect()
}

/// Returns how often the work fits into a round.
fn times(work: &mut Work<'_>) -> u64 {
    work(1);
    let mut times = 1;
    loop {
        let took = work(times);
        if took * 4 >= ROUND || times > 1 << 24 {
            return (times as f64 * ROUND.as_secs_f64() / took.as_secs_f64().max(1e-9)).max(1.0)
                as u64;
        }
        times *= 4;
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Prints a table: a row for each contender, a column for each document.
pub fn print(title: &str, columns: &[&str], rows: &[(String, Vec<String>)]) {
    println!("\n{title}\n");
    let first = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    print!("{:first$}", "");
    for column in columns {
        print!("  {column:>12}");
    }
    println!();
    for (name, cells) in rows {
        print!("{name:first$}");
        for cell in cells {
            print!("  {cell:>12}");
        }
        println!();
    }
}

/// Formats a ratio with its significant digits.
pub fn ratio(value: f64) -> String {
    match value {
        _ if value.is_nan() => "-".to_owned(),
        _ if value >= 10.0 => format!("{value:.0}"),
        _ if value >= 0.095 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
