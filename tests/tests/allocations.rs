//! Reading allocates what the result owns and next to nothing else; what a message takes does not grow with the file.

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
fn nothing_more_is_allocated_than_is_needed() {
    reading_allocates_what_the_result_owns_and_two_stacks_and_writing_nothing();
    messages_take_as_much_in_a_long_definition_as_in_a_short_one();
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
