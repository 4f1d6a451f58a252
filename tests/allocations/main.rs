//! Reading allocates the memory of the result and next to nothing else; the memory for a message
//! does not grow with the file.

use std::alloc::System;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use cap::Cap;
use http_body::{Body, Frame, SizeHint};
use http_body_util::Full;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use svcgen::codegen::{List, Reader};
use svcgen::types::XmlFragment;
use svcgen::{Fault, Limits};
use svcgen_tests::work::{NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer};
use svcgen_tests::{few_or_all, fixture};
use tower_service::Service;

#[allow(dead_code, reason = "the benches use the rest")]
#[path = "../benches/shared/documents.rs"]
mod documents;

#[path = "../benches/shared/bad_definitions.rs"]
mod bad_definitions;

#[path = "../benches/shared/hostile.rs"]
mod hostile;

mod json;

mod messages;

mod watching;

#[path = "../fuzz/src/cost.rs"]
mod cost;

use documents::Kind;

#[global_allocator]
static PEAK: cost::Allocator = Cap::new(&INSTRUMENTED_SYSTEM, usize::MAX);

/// Returns the lengths of messages: one at which the worst of them are refused, or also a shorter
/// and a longer one.
fn lengths() -> &'static [usize] {
    few_or_all(&[50_000], &[2_000, 50_000, 100_000])
}

static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The allocations of the stack of open elements, and of the stack of namespace declarations.
const MORE: usize = 2;

fn calls<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let region = Region::new(ALLOCATOR);
    let result = work();
    let change = region.change();
    (result, change.allocations + change.reallocations)
}

// A single test, as others would allocate at the same time.
#[test]
fn nothing_more_is_allocated_than_is_needed() {
    watching::layers_allocate_what_their_documentation_says();
    watching::transports_allocate_what_their_documentation_says();
    reading_allocates_what_the_result_owns_and_two_stacks_and_writing_nothing();
    messages_take_as_much_in_a_long_definition_as_in_a_short_one();
    hostile_documents_take_memory_in_proportion();
    long_prefixes_take_no_more_in_fragments_than_short_ones();
    announced_lengths_take_no_memory();
    a_call_allocates_what_it_needs();
    messages::are_bounded_whatever_they_hold(&PEAK);
    messages::forms_are_bounded(&PEAK);
    messages::wide_lists_are_read(&PEAK);
    messages::long_bodies_take_what_the_book_says(&PEAK);
    messages::the_bound_is_sharp(&PEAK);
    messages::the_worst_finds_are_bounded(&PEAK);
    json::is_bounded_whatever_it_holds(&PEAK);
    json::long_lists_are_read(&PEAK);
    definitions_and_their_documents_take_memory_in_proportion();
}

/// A body with an announced length of which one byte arrives.
struct Announced {
    byte: Option<Bytes>,
}

impl Body for Announced {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.byte.take() {
            Some(byte) => Poll::Ready(Some(Ok(Frame::data(byte)))),
            None => Poll::Pending,
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(4 << 20)
    }
}

fn announced_lengths_take_no_memory() {
    let mut server = fixture::authenticator_server();
    let mut context = Context::from_waker(Waker::noop());
    let region = Region::new(ALLOCATOR);
    let calls = (0..600).map(|_| {
        let byte = Some(Bytes::from_static(b"<"));
        let request = http::Request::post("/SvcDotNet/Authenticator.asmx")
            .header("Content-Type", "text/xml")
            .body(Announced { byte });
        let mut call = server.call(request.expect("a request"));
        assert!(call.as_mut().poll(&mut context).is_pending());
        call
    });
    let calls: Vec<_> = calls.collect();
    let bytes = region.change().bytes_allocated;
    assert!(bytes < calls.len() * 16 * 1024, "{bytes} bytes");
}

struct Echo;

impl WorkHandler for Echo {
    async fn store(&self, _: &svcgen::Context, request: StoreRequest) -> Result<String, Fault> {
        Ok(request.text)
    }

    async fn read(&self, _: &svcgen::Context, request: ReadRequest) -> Result<String, Fault> {
        Ok(request.text)
    }

    async fn notify(&self, _: &svcgen::Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

/// Counts the allocations from the request to the answer, with all features that handlers and
/// layers may use.
fn a_call_allocates_what_it_needs() {
    let mut server = WorkServer::new(Echo);
    let body = Bytes::from(svcgen_tests::work_calls::body("Store", "hello there"));
    let mut call = || {
        let request = http::Request::post("/Work.asmx")
            .header("Host", "h")
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", "\"urn:example:work/Store\"")
            .body(Full::new(body.clone()))
            .expect("a request");
        let region = Region::new(ALLOCATOR);
        let mut answer = server.call(request);
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(Ok(response)) = answer.as_mut().poll(&mut context) else {
            panic!("the handler does not wait");
        };
        drop(answer);
        let change = region.change();
        assert_eq!(response.status(), 200);
        change.allocations + change.reallocations
    };
    // The first answer determines the size of its buffer.
    call();
    let calls = call();
    assert!(calls <= 14, "{calls} calls of the allocator");
}

fn messages_take_as_much_in_a_long_definition_as_in_a_short_one() {
    let render = |operations: usize| {
        let operation = |number| format!("  A{number:04}: {{ result: itn }}\n");
        let operations: String = (0..operations).map(operation).collect();
        let text = format!("service: S\nnamespace: urn:s\npath: /s\noperations:\n{operations}");
        let diagnostics = svcgen_codegen::Config::new().generate("s.yaml", &text);
        let diagnostics = diagnostics.expect_err("there is no type `itn`");
        let first = diagnostics.iter().next().expect("there is one");
        let region = Region::new(ALLOCATOR);
        let rendered = first.render(false);
        assert!(rendered.contains("did you mean `int`?"), "{rendered}");
        region.change().bytes_allocated
    };
    assert_eq!(render(1), render(1000));
}

fn reading_allocates_what_the_result_owns_and_two_stacks_and_writing_nothing() {
    let limits = Limits::default();
    for document in documents::documents() {
        let bytes = document.text.as_bytes();
        let (read, owned) = match document.kind {
            Kind::Request => {
                let (value, read) = calls(|| documents::read_request(bytes, &limits));
                let value = value.expect("a request");
                (read, calls(|| value.clone()).1)
            }
            Kind::Response if ["response", "indented", "prefixed"].contains(&document.name) => {
                let (value, read) = calls(|| documents::read_response(bytes, &limits));
                let value = value.expect("a response");
                (read, calls(|| value.clone()).1)
            }
            // Attributes are kept, and long lists reallocate.
            Kind::Response => continue,
        };
        assert!(
            read <= owned + MORE,
            "{}: {read} calls of the allocator, {owned} of them for what is kept",
            document.name
        );
    }
    let response = documents::response();
    let mut written = Vec::with_capacity(1 << 13);
    let ((), calls) = calls(|| documents::write_response_into(&response, &mut written));
    assert_eq!(calls, 0, "writing into a buffer that is large enough");
}

fn hostile_documents_take_memory_in_proportion() {
    for limits in [Limits::default(), hostile::open()] {
        for (name, shape) in hostile::SHAPES {
            let bytes = |size| {
                let document = shape(size);
                let region = Region::new(ALLOCATOR);
                hostile::read(&document, &limits);
                region.change().bytes_allocated
            };
            let (small, large) = (bytes(4 << 10), bytes(64 << 10));
            // Buffers that double may be one step ahead.
            assert!(
                large <= 2 * 16 * small.max(1 << 10),
                "{name}: {small} bytes of 4 KiB, {large} of 64 KiB"
            );
        }
    }
}

fn long_prefixes_take_no_more_in_fragments_than_short_ones() {
    let bytes = |prefix: &str| {
        let prefixes = (10..70).map(|index| format!(" xmlns:{prefix}{index}='u'"));
        let prefixes: String = prefixes.collect();
        let document = format!("<r{prefixes}>{}</r>", "<i><b/></i>".repeat(1_000));
        let region = Region::new(ALLOCATOR);
        let mut reader = Reader::new(&document, &Limits::default());
        let mut list = List::<Vec<XmlFragment>>::of(["i"]);
        let read = reader.root().and_then(|()| reader.read(&mut list));
        read.expect("a list");
        assert_eq!(list.values.len(), 1_000);
        region.change().bytes_allocated
    };
    let (short, long) = (bytes("p"), bytes(&"p".repeat(1_000)));
    assert!(
        long <= short,
        "{short} bytes with short prefixes, {long} with long ones"
    );
}

fn definitions_and_their_documents_take_memory_in_proportion() {
    // More than the bounds of nested samples and of diagnostics.
    const COUNT: usize = 110;
    // The samples of 2^n elements, up to their bound, take as long as all other cases together.
    let is_long = |what: &str| what == "types of two elements of the next one";
    for (what, make) in bad_definitions::DEFINITIONS {
        if is_long(what) && few_or_all(true, false) {
            continue;
        }
        let taken = |count| {
            let mut stages = Vec::new();
            bad_definitions::generate(make, count, &mut |stage| {
                let region = Region::new(ALLOCATOR);
                stage();
                stages.push(region.change().bytes_allocated);
            });
            stages
        };
        let (once, twice) = (taken(COUNT), taken(2 * COUNT));
        for (stage, (once, twice)) in once.into_iter().zip(twice).enumerate() {
            assert!(
                twice <= once * 22 / 10,
                "{what}, stage {stage}: {once} bytes, and {twice} for twice as many"
            );
        }
    }
}
