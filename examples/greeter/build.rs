//! Generates the code for the greeter.

fn main() {
    svcgen_codegen::build(["../service-defs/greeter.yaml"]);
}
