//! Hostile shapes in growing sizes: the time and memory for one byte must not grow with the size. See README.md.

use std::alloc::System;
use std::time::Instant;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use svcgen::Limits;

#[path = "shared/hostile.rs"]
mod hostile;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/measure.rs"]
mod measure;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SIZES: [usize; 4] = [16 << 10, 64 << 10, 256 << 10, 1 << 20];

fn main() {
    let open = Limits::default()
        .with_depth(usize::MAX)
        .with_elements(usize::MAX)
        .with_attributes(usize::MAX)
        .with_namespaces(usize::MAX)
        .with_name(usize::MAX)
        .with_attribute_value(usize::MAX)
        .with_text(usize::MAX);
    let columns: Vec<String> = SIZES
        .iter()
        .map(|size| format!("{} KiB", size >> 10))
        .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    for (title, limits) in [
        ("with the default limits", Limits::default()),
        ("without limits", open),
    ] {
        let mut times = Vec::new();
        let mut memory = Vec::new();
        for (name, shape) in hostile::SHAPES {
            let measured: Vec<(f64, f64)> = SIZES
                .iter()
                .map(|size| measure(&shape(*size), &limits))
                .collect();
            times.push((
                name.to_owned(),
                measured
                    .iter()
                    .map(|(time, _)| format!("{time:.2}"))
                    .collect(),
            ));
            memory.push((
                name.to_owned(),
                measured
                    .iter()
                    .map(|(_, bytes)| format!("{bytes:.2}"))
                    .collect(),
            ));
        }
        measure::print(&format!("Nanoseconds a byte, {title}"), &columns, &times);
        measure::print(
            &format!("Bytes asked of the allocator a byte, {title}"),
            &columns,
            &memory,
        );
    }
}

/// Nanoseconds and allocated bytes for each byte of the document.
fn measure(document: &str, limits: &Limits) -> (f64, f64) {
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            hostile::read(document, limits);
            start.elapsed().as_nanos() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let region = Region::new(ALLOCATOR);
    hostile::read(document, limits);
    let size = document.len() as f64;
    (
        times[2] / size,
        region.change().bytes_allocated as f64 / size,
    )
}
