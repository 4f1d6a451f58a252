//! The runtime without the generator.

mod service;
mod xml;

/// Some random cases, or as many as the variable `PROPTEST_CASES` says.
fn cases(few: u32) -> proptest::test_runner::Config {
    let config = proptest::test_runner::Config {
        failure_persistence: None,
        ..Default::default()
    };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => proptest::test_runner::Config {
            cases: few,
            ..config
        },
    }
}
