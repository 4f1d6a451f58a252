//! The cost of messages with expensive types: memory and calls of the allocator, for each byte.

use std::alloc::System;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use cap::Cap;
use http::{Request, Response};
use stats_alloc::{Region, StatsAlloc};
use svcgen::transport::TransportError;
use svcgen::{Fault, Limits, Transport};
use svcgen_tests::memory::{
    All, CountRequest, HoldRequest, Large, MemoryClient, MemoryHandler, MemoryServer, PutRequest,
};

/// Counts the calls and the peak memory.
pub type Allocator = Cap<&'static StatsAlloc<System>>;

/// The cost of a message.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// The length of the message in bytes.
    pub bytes: usize,
    /// The peak memory in bytes, beyond what was allocated before.
    pub memory: usize,
    /// Calls of the allocator.
    pub calls: usize,
}

impl Cost {
    /// Returns the share of the memory that a message of this length may take, in thousandths.
    pub fn share(&self) -> usize {
        self.memory * 1_000 / (Limits::default().values * self.bytes + Limits::LEAST_VALUES)
    }

    /// Panics if the message takes more than is allowed.
    #[track_caller]
    pub fn check(&self, what: &dyn std::fmt::Debug) {
        assert!(self.share() <= 1_000, "{what:?}: {self:?}");
        // The allocations of a call and its answer, and about as many as the fragment of each
        // element needs.
        assert!(self.calls <= 1_000 + 4 * self.bytes, "{what:?}: {self:?}");
    }
}

/// Measures the cost of `work` for a message of this length.
pub fn cost<T>(
    allocator: &Allocator,
    calls: &'static StatsAlloc<System>,
    bytes: usize,
    work: impl FnOnce() -> T,
) -> (T, Cost) {
    // Fills the memory up to the previous peak, so that a new peak is noticed.
    let most = allocator.max_allocated();
    let filler = Vec::<u8>::with_capacity(most - allocator.allocated());
    let before = allocator.allocated();
    let region = Region::new(calls);
    let result = work();
    let change = region.change();
    let memory = allocator.max_allocated() - before;
    drop(filler);
    let calls = change.allocations + change.reallocations;
    let cost = Cost {
        bytes,
        memory,
        calls,
    };
    (result, cost)
}

pub struct Holds;

impl MemoryHandler for Holds {
    async fn hold(&self, _: &svcgen::Context, request: HoldRequest) -> Result<Option<All>, Fault> {
        std::hint::black_box(&request);
        Ok(None)
    }

    async fn put(&self, _: &svcgen::Context, request: PutRequest) -> Result<Large, Fault> {
        Ok(request.large)
    }

    async fn count(
        &self,
        _: &svcgen::Context,
        request: CountRequest,
    ) -> Result<Vec<svcgen::types::QName>, Fault> {
        std::hint::black_box(&request);
        Ok(Vec::new())
    }
}

/// A transport that returns the same response to every request: a body of a media type.
pub struct Canned(pub &'static str, pub Bytes);

impl Transport for Canned {
    async fn send(&self, _: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let response = Response::builder().header("Content-Type", self.0);
        Ok(response.body(self.1.clone()).expect("a response"))
    }
}

/// Returns the output of a future that never waits.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing waits"),
    }
}

/// The names of the elements in an `All`, some with attributes.
const NAMES: [&str; 32] = [
    "Wide",
    "Large",
    "LargeOrAbsent",
    "One",
    "Many",
    "Held",
    "Big",
    "Small",
    "Tree",
    "Children",
    "Next",
    "Inner",
    "Heir xsi:type='Grandchild'",
    "Bulk",
    "Texts",
    "ArrayOfString",
    "string",
    "Names xmlns:p='urn:p'",
    "QName",
    "Any xmlns:p='urn:p'",
    "any",
    "p:a",
    "Families",
    "Family xsi:type='Relative'",
    "Marks",
    "Mark a='' b='&lt;'",
    "Tones",
    "Tone",
    "Binary",
    "base64Binary",
    "Column07",
    "x xsi:nil='1'",
];

const TEXTS: [&str; 8] = [
    "x",
    "&amp;",
    "<![CDATA[]]>",
    "p:a",
    "QUJD ",
    "1",
    "<!---->",
    "\r\n",
];

/// The maximum length of the content.
const MOST: usize = 64 << 10;

/// Returns elements and texts, some of them many times.
fn content(input: &[u8]) -> String {
    let (mut text, mut open, mut last) = (String::new(), Vec::new(), 0);
    for byte in input {
        let (what, index) = (byte >> 5, usize::from(byte & 31));
        let name = NAMES[index];
        match what {
            0 | 1 => {
                last = text.len();
                text.push_str(&format!("<{name}/>"));
            }
            2 | 3 if open.len() < 40 => {
                open.push((name, text.len()));
                text.push_str(&format!("<{name}>"));
            }
            4 => {
                last = text.len();
                text.push_str(TEXTS[index % TEXTS.len()]);
            }
            5 | 6 => {
                if let Some((name, start)) = open.pop() {
                    let name = name.split(' ').next().unwrap_or_default();
                    text.push_str(&format!("</{name}>"));
                    last = start;
                }
            }
            7 => {
                let again = text[last..].to_owned();
                let count = (MOST / again.len().max(1)).min(1 << (index % 16));
                if text.len() < MOST {
                    text.push_str(&again.repeat(count));
                }
            }
            _ => {}
        }
    }
    for (name, _) in open.into_iter().rev() {
        let name = name.split(' ').next().unwrap_or_default();
        text.push_str(&format!("</{name}>"));
    }
    text
}

/// Checks an input whose first byte selects the side and the version of SOAP; the rest is the
/// content.
pub fn check(allocator: &Allocator, calls: &'static StatsAlloc<System>, input: &[u8]) -> Cost {
    let (choice, input) = input.split_first().unwrap_or((&0, &[]));
    let namespace = match choice & 1 {
        0 => "http://schemas.xmlsoap.org/soap/envelope/",
        _ => "http://www.w3.org/2003/05/soap-envelope",
    };
    let is_answer = choice & 2 != 0;
    let [outer, inner] = if is_answer {
        ["HoldResponse", "HoldResult"]
    } else {
        ["Hold", "all"]
    };
    let body = format!(
        "<s:Envelope xmlns:s='{namespace}' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><s:Body><{outer} xmlns='urn:memory'><{inner}>{}</{inner}></{outer}></s:Body></s:Envelope>",
        content(input)
    );
    let bytes = body.len();
    let body = Bytes::from(body);
    let cost = if is_answer {
        let client = MemoryClient::new(
            Canned("text/xml; charset=utf-8", body),
            "http://localhost/Memory.asmx",
        );
        let client = client.expect("a client");
        let call = || block_on(client.hold(&HoldRequest::default())).is_ok();
        cost(allocator, calls, bytes, call).1
    } else {
        let server = MemoryServer::new(Holds);
        let media_type = ["text/xml", "application/soap+xml"][usize::from(choice & 1)];
        let request = Request::post("/Memory.asmx").header("Content-Type", media_type);
        let request = request.body(body).expect("a request");
        let call = || block_on(server.answer(request)).status();
        cost(allocator, calls, bytes, call).1
    };
    cost.check(&String::from_utf8_lossy(input));
    cost
}

/// Parses the worst inputs, with a line each: the share of the allowed memory in thousandths, the
/// calls of the allocator, the bytes, and the input in hexadecimal.
pub fn inputs(worst: &str) -> Vec<Vec<u8>> {
    let inputs = worst.lines().filter_map(|line| line.split(' ').nth(3));
    let digits = |input: &str| -> Vec<u8> {
        let digits = input.as_bytes().chunks(2);
        let byte = |digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        digits.filter_map(byte).collect()
    };
    inputs.map(digits).collect()
}
