//! Generates the code for the basket, with a mock.

fn main() {
    svcgen_codegen::Config::new()
        .mocks(true)
        .build(["../service-defs/basket.yaml"]);
}
