//! Hostile shapes in growing sizes: the time and memory for each byte must not grow with the size.
//! See README.md.

use std::alloc::System;
use std::borrow::Cow;
use std::time::Instant;

use bytes::Bytes;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use svcgen::codegen::{Client, Element, List, Value};
use svcgen::{Binding, Limits};
use svcgen_tests::device_login_service::DeviceLoginResponse;

#[path = "shared/bad_definitions.rs"]
mod bad_definitions;
#[path = "shared/hostile.rs"]
mod hostile;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/json.rs"]
mod json;
#[allow(dead_code, reason = "the bench of speed uses the rest")]
#[path = "shared/measure.rs"]
mod measure;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SIZES: [usize; 4] = [16 << 10, 64 << 10, 256 << 10, 1 << 20];

/// Creates a reader of about this many bytes that are not an XML document.
type Reading = fn(usize) -> Box<dyn Fn()>;

const READINGS: [(&str, Reading); 10] = [
    ("members of JSON that no row has", |size| {
        json("{", "a:1,", size, "b:1}")
    }),
    ("members of JSON, each said not to be there", |size| {
        json("{", "UserIdSpecified:false,", size, "b:1}")
    }),
    ("empty texts in JSON for absent numbers", |size| {
        let client = json::Json::new();
        let response = json::response(format!("{{\"d\":[{}1]}}", "\"\",".repeat(size / 3)));
        Box::new(move || {
            let list = client.read_as::<List<Vec<Option<i32>>>>(&response);
            std::hint::black_box(list.is_ok());
        })
    }),
    ("lists in JSON", |size| json("[", "[],", size, "1]")),
    ("escapes in JSON", |size| {
        json("{BaseUrl:\"", "\\u00e9", size, "\"}")
    }),
    ("names in JSON, divided by commas", |size| {
        json("{LoginErrorCode:\"", "ok,", size, "ok\"}")
    }),
    ("digits of one number in JSON", |size| {
        json("{UserId:", "1", size, "}")
    }),
    ("ampersands in the text of a failure", |size| {
        failure("&".repeat(size))
    }),
    ("references in the text of a failure", |size| {
        failure("&amp;".repeat(size / 5))
    }),
    ("empty items of a list in a form", |size| {
        let fields = vec![(Cow::Borrowed("a"), Cow::Borrowed("")); size / 3];
        Box::new(move || {
            let mut list = List::<Vec<Option<i32>>>::of(["int"]);
            let result = list.read(&mut Element::from_form("a", &fields));
            std::hint::black_box((result.is_ok(), list));
        })
    }),
];

/// Creates a client that reads JSON with this many bytes of an item.
fn json(before: &str, item: &str, size: usize, after: &str) -> Box<dyn Fn()> {
    let items = item.repeat(size / item.len());
    let response = json::response(format!("{{\"d\":{before}{items}{after}}}"));
    let client = json::Json::new();
    Box::new(move || {
        let read = client.read_as::<DeviceLoginResponse>(&response);
        std::hint::black_box(read.is_ok());
    })
}

/// Creates a client that reads a failure with this text.
fn failure(text: String) -> Box<dyn Fn()> {
    let client = Client::new(&svcgen_tests::device_login_service::MODULE, (), "http://h");
    let client = client.expect("a URL").with_binding(Binding::HttpGet);
    let response = http::Response::builder()
        .status(500)
        .header("Content-Type", "text/plain");
    let response = response.body(Bytes::from(text)).expect("a response");
    Box::new(move || {
        std::hint::black_box(client.answer(0, &response).read::<String>().is_err());
    })
}

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--once");
    if let (Some(_), row, size) = (arguments.next(), arguments.next(), arguments.next()) {
        return once(row.as_deref(), size.as_deref());
    }
    let columns: Vec<String> = SIZES
        .iter()
        .map(|size| format!("{} KiB", size >> 10))
        .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    for (title, limits) in [
        ("with the default limits", Limits::default()),
        ("without limits", hostile::open()),
    ] {
        let rows = hostile::SHAPES.iter().map(|(name, shape)| {
            let measured = SIZES.map(|size| {
                let document = shape(size);
                measure(&|| hostile::read(&document, &limits), document.len())
            });
            (*name, measured)
        });
        print(title, &columns, rows.collect());
    }
    let rows = READINGS
        .iter()
        .map(|(name, reading)| (*name, SIZES.map(|size| measure(&*reading(size), size))));
    print("of what is not XML", &columns, rows.collect());
}

/// The name of the work, its initial size, and the work.
type Work = (String, usize, Box<dyn Fn(usize)>);

/// Returns all kinds of work.
fn work() -> Vec<Work> {
    let mut all: Vec<Work> = Vec::new();
    for (which, limits) in [("", Limits::default()), (", no limits", hostile::open())] {
        for (name, shape) in hostile::SHAPES {
            let read = move |size| hostile::read(&shape(size), &limits);
            all.push((format!("{name}{which}"), 8 << 10, Box::new(read)));
        }
    }
    for (name, reading) in READINGS {
        all.push((
            name.to_owned(),
            8 << 10,
            Box::new(move |size| reading(size)()),
        ));
    }
    for (name, make) in bad_definitions::DEFINITIONS {
        let generate =
            move |count| bad_definitions::generate(make, count, &mut |stage: &dyn Fn()| stage());
        all.push((name.to_owned(), 110, Box::new(generate)));
    }
    all
}

/// Does one kind of work once, for a program that counts its instructions. Without a size, lists
/// the sizes and names of all kinds.
fn once(row: Option<&str>, size: Option<&str>) {
    let all = work();
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<usize>().ok());
    match (number(row), number(size)) {
        (Some(row), Some(size)) => all[row].2(size),
        _ => all
            .iter()
            .for_each(|(name, size, _)| println!("{size} {name}")),
    }
}

/// Prints nanoseconds and allocated bytes for each byte.
fn print(title: &str, columns: &[&str], rows: Vec<(&str, [(f64, f64); SIZES.len()])>) {
    let shown = |value: fn(&(f64, f64)) -> f64| -> Vec<(String, Vec<String>)> {
        let shown = rows.iter().map(|(name, measured)| {
            let values = measured.iter().map(|one| format!("{:.2}", value(one)));
            ((*name).to_owned(), values.collect())
        });
        shown.collect()
    };
    measure::print(
        &format!("Nanoseconds a byte, {title}"),
        columns,
        &shown(|(time, _)| *time),
    );
    let title = format!("Bytes asked of the allocator a byte, {title}");
    measure::print(&title, columns, &shown(|(_, bytes)| *bytes));
}

/// Measures nanoseconds and allocated bytes for each byte that is read.
fn measure(read: &dyn Fn(), size: usize) -> (f64, f64) {
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            read();
            start.elapsed().as_nanos() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let region = Region::new(ALLOCATOR);
    read();
    let size = size as f64;
    (
        times[2] / size,
        region.change().bytes_allocated as f64 / size,
    )
}
