//! Generates the code for the basket, with a mock, for the accounts, and for the services of crates of `svcgen new`.

use svcgen_codegen::Config;

fn main() {
    Config::new()
        .mocks(true)
        .build(["../service-defs/basket.yaml"]);
    svcgen_codegen::build([
        "../service-defs/accounts.yaml",
        "../service-defs/weather_station.yaml",
    ]);
    // As `svcgen.toml` of `svcgen new --from` says.
    Config::new()
        .optional_methods(["*"])
        .build(["../service-defs/imported/orders.yaml"]);
}
