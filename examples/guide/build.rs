//! Generates the code for the basket, with a mock, for the accounts, and for the services in crates
//! of `svcgen new`.

use svcgen_codegen::Config;

fn main() {
    Config::new()
        .mocks(true)
        .build(["../service-defs/basket.yaml"]);
    svcgen_codegen::build([
        "../service-defs/accounts.yaml",
        "../service-defs/weather_station.yaml",
    ]);
    // The options of the `svcgen.toml` that `svcgen new --from` writes.
    Config::new()
        .optional_methods(["*"])
        .build(["../service-defs/imported/orders.yaml"]);
}
