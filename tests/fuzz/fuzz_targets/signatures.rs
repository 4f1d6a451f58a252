#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| svcgen_fuzz::signatures::check(input));
