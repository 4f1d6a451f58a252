//! The common parts of svcgen's tests: the fixture services, the checking client, the recorded
//! exchanges, and the service with slow calls.

pub mod checks;
pub mod echo;
pub mod fixture;
pub mod invalid;
pub mod lab;
pub mod numbers;
pub mod pages;
pub mod random;
pub mod raw_http;
pub mod recorded;
pub mod rows;
pub mod shelf;
pub mod work_calls;

/// Returns the usual value of a test, or the one for all cases if the variable `ALL_CASES` is set,
/// which takes minutes.
pub fn few_or_all<T>(few: T, all: T) -> T {
    std::env::var_os("ALL_CASES").map_or(few, |_| all)
}

svcgen::include_service!("authenticator");
svcgen::include_service!("device_login_service");
svcgen::include_service!("kept");
svcgen::include_service!("library");
svcgen::include_service!("memory");
svcgen::include_service!("staff");
svcgen::include_service!("work");
