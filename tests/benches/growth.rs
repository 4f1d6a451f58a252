//! Hostile shapes in growing sizes: the time and memory for one byte must not grow with the size. See README.md.

use std::alloc::System;
use std::time::Instant;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use svcgen::{Limits, Reader};
use svcgen_tests::device_login_service::DeviceLoginResponse;

#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/measure.rs"]
mod measure;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SIZES: [usize; 4] = [16 << 10, 64 << 10, 256 << 10, 1 << 20];

type Shape = fn(usize) -> String;

const SHAPES: [(&str, Shape); 20] = [
    ("deep", |size| {
        "<a>".repeat(size / 7) + &"</a>".repeat(size / 7)
    }),
    ("deep, never closed", |size| "<a>".repeat(size / 3)),
    ("deep, a prefix each", |size| {
        (0..size / 24)
            .map(|index| format!("<a xmlns:p{index}='urn:p'>"))
            .collect()
    }),
    ("wide", |size| within("<b/>", size)),
    ("wide, known", |size| within("<UserId>1</UserId>", size)),
    ("wide, known last", |size| within("<AdditionalInfo/>", size)),
    ("items", |size| {
        format!(
            "<r><AdditionalInfo><Capabilities>{}</Capabilities></AdditionalInfo></r>",
            "<int>1</int>".repeat(size / 12)
        )
    }),
    ("attributes of one element", |size| {
        format!(
            "<a{}/>",
            (0..size / 12)
                .map(|index| format!(" a{index}=''"))
                .collect::<String>()
        )
    }),
    ("declarations of one element", |size| {
        format!(
            "<a{}/>",
            (0..size / 20)
                .map(|index| format!(" xmlns:a{index}='u'"))
                .collect::<String>()
        )
    }),
    ("attributes, a few each", |size| {
        within("<b c='1' d='2' e='3'/>", size)
    }),
    ("one long name", |size| {
        format!("<{0}></{0}>", "n".repeat(size / 2))
    }),
    ("one long value", |size| {
        format!("<a b='{}'/>", "v".repeat(size))
    }),
    ("one long text", |size| {
        format!("<r><BaseUrl>{}</BaseUrl></r>", "t".repeat(size))
    }),
    ("references", |size| {
        format!("<r><BaseUrl>{}</BaseUrl></r>", "&amp;".repeat(size / 5))
    }),
    ("carriage returns", |size| {
        format!("<r><BaseUrl>{}</BaseUrl></r>", "\r".repeat(size))
    }),
    ("sections", |size| {
        format!(
            "<r><BaseUrl>{}</BaseUrl></r>",
            "<![CDATA[]]>".repeat(size / 12)
        )
    }),
    ("comments", |size| within("<!---->", size)),
    ("open comments", |size| {
        format!("<a>{}", "<!-- ".repeat(size / 5))
    }),
    ("less-than signs", |size| format!("<a>{}", "<".repeat(size))),
    ("quotes", |size| format!("<a b={}", "'\"".repeat(size / 2))),
];

fn within(piece: &str, size: usize) -> String {
    format!("<r>{}</r>", piece.repeat(size / piece.len()))
}

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
        for (name, shape) in SHAPES {
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
            read(document, limits);
            start.elapsed().as_nanos() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let region = Region::new(ALLOCATOR);
    read(document, limits);
    let size = document.len() as f64;
    (
        times[2] / size,
        region.change().bytes_allocated as f64 / size,
    )
}

fn read(document: &str, limits: &Limits) {
    let mut reader = Reader::new(document, limits);
    let mut value = DeviceLoginResponse::default();
    let result = reader
        .root()
        .and_then(|()| reader.read(&mut value))
        .and_then(|()| reader.finish());
    std::hint::black_box((result.is_ok(), value));
}
