//! Reading allocates what the result owns and next to nothing else.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use svcgen::Limits;

#[allow(dead_code, reason = "the benches use the rest")]
#[path = "../benches/shared/documents.rs"]
mod documents;

use documents::Kind;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The stack of open elements, and that of namespace declarations.
const MORE: usize = 2;

fn calls<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let region = Region::new(ALLOCATOR);
    let result = work();
    let change = region.change();
    (result, change.allocations + change.reallocations)
}

// One test, as others beside it would allocate, too.
#[test]
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
            // Attributes are kept, and long lists grow.
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
