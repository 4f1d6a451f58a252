//! The number and size of allocations when reading and writing, compared to those of the result.
//! See README.md.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use svcgen::Limits;

#[path = "shared/documents.rs"]
mod documents;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/measure.rs"]
mod measure;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/others.rs"]
mod others;

use documents::{Document, Kind};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Calls of the allocator and requested bytes, including reallocations.
#[derive(Clone, Copy)]
struct Cost {
    calls: usize,
    bytes: usize,
}

fn cost<T>(work: impl Fn() -> T) -> Cost {
    std::hint::black_box(work());
    let region = Region::new(ALLOCATOR);
    let kept = std::hint::black_box(work());
    let change = region.change();
    drop(kept);
    Cost {
        calls: change.allocations + change.reallocations,
        bytes: change.bytes_allocated,
    }
}

fn main() {
    let limits = Limits::default();
    let mut rows = Vec::new();
    for document in documents::documents() {
        rows.push(row(&document, &limits));
    }
    measure::print(
        "Reading: allocations (calls / bytes). The first column is a copy of the value: what the result owns.",
        &["the value", "svcgen", "more calls", "serde", "roxmltree"],
        &rows,
    );
    writing();
}

fn row(document: &Document, limits: &Limits) -> (String, Vec<String>) {
    let bytes = document.text.as_bytes();
    let (owned, ours, serde) = match document.kind {
        Kind::Request => {
            let value = documents::read_request(bytes, limits).expect("a request");
            (
                cost(|| value.clone()),
                cost(|| documents::read_request(bytes, limits).expect("a request")),
                cost(|| others::serde_request(&document.text)),
            )
        }
        Kind::Response => {
            let value = documents::read_response(bytes, limits).expect("a response");
            (
                cost(|| value.clone()),
                cost(|| documents::read_response(bytes, limits).expect("a response")),
                cost(|| others::serde_response(&document.text)),
            )
        }
    };
    let tree = cost(|| others::tree(&document.text));
    let more = ours.calls as i64 - owned.calls as i64;
    (
        document.name.to_owned(),
        vec![
            shown(owned),
            shown(ours),
            more.to_string(),
            shown(serde),
            shown(tree),
        ],
    )
}

fn writing() {
    let request = documents::request();
    let response = documents::response();
    let many = documents::many(10_000);
    let mut warm = Vec::with_capacity(4 << 20);
    // The buffer is already large enough, so that only the cost of writing itself remains.
    let mut count = |write: &dyn Fn(&mut Vec<u8>)| {
        warm.clear();
        let region = Region::new(ALLOCATOR);
        write(&mut warm);
        let change = region.change();
        shown(Cost {
            calls: change.allocations + change.reallocations,
            bytes: change.bytes_allocated,
        })
    };
    let rows = [
        (
            "request".to_owned(),
            vec![count(&|bytes| {
                documents::write_request_into(&request, bytes)
            })],
        ),
        (
            "response".to_owned(),
            vec![count(&|bytes| {
                documents::write_response_into(&response, bytes)
            })],
        ),
        (
            "10,000 items".to_owned(),
            vec![count(&|bytes| documents::write_response_into(&many, bytes))],
        ),
    ];
    measure::print(
        "Writing into a buffer that is large enough: allocations (calls / bytes)",
        &["svcgen"],
        &rows,
    );
}

fn shown(cost: Cost) -> String {
    format!("{}/{}", cost.calls, cost.bytes)
}
