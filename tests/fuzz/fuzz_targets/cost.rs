#![no_main]

use std::alloc::System;
use std::fs;
use std::sync::Mutex;

use cap::Cap;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[path = "../src/cost.rs"]
mod cost;

#[global_allocator]
static PEAK: Cap<&StatsAlloc<System>> = Cap::new(&INSTRUMENTED_SYSTEM, usize::MAX);

/// The file of the ten worst inputs, with their figures.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/worst_costs.txt");

/// The worst inputs with their shares, the worst first; `None` until the file is read.
static WORST: Mutex<Option<Vec<(usize, Vec<u8>)>>> = Mutex::new(None);

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut worst = WORST.lock().expect("no panic");
    let worst = worst.get_or_insert_with(|| {
        let inputs = cost::inputs(&fs::read_to_string(FILE).unwrap_or_default());
        let measured = inputs.into_iter();
        measured
            .map(|input| {
                (
                    cost::check(&PEAK, &INSTRUMENTED_SYSTEM, &input).share(),
                    input,
                )
            })
            .collect()
    });
    let share = cost::check(&PEAK, &INSTRUMENTED_SYSTEM, input).share();
    // The ten inputs differ in their shares.
    let least = worst.get(9).map_or(0, |least| least.0);
    if share <= least || worst.iter().any(|(other, _)| *other == share) {
        return;
    }
    worst.push((share, input.to_vec()));
    worst.sort_by(|one, other| other.0.cmp(&one.0));
    worst.truncate(10);
    let line = |(_, input): &(usize, Vec<u8>)| {
        let cost = cost::check(&PEAK, &INSTRUMENTED_SYSTEM, input);
        let digits: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{} {} {} {digits}\n", cost.share(), cost.calls, cost.bytes)
    };
    let lines: String = worst.iter().map(line).collect();
    fs::write(FILE, lines).expect("a file that can be written");
});
