//! Generates the code for the orders.

fn main() {
    svcgen_codegen::Config::new()
        .builders(["*Request"])
        .build(["../service-defs/orders.yaml"]);
}
