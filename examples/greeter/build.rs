//! Generates the code for the greeter.

// ANCHOR: script
// build.rs
fn main() {
    svcgen_codegen::build(["../service-defs/greeter.yaml"]);
}
// ANCHOR_END: script
