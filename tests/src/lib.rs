//! What the tests of svcgen share: the fixture services, the checking client and the recorded exchanges.

pub mod checks;
pub mod fixture;
pub mod in_process;
pub mod random;
pub mod raw_http;
pub mod recorded;

svcgen::include_service!("authenticator");
svcgen::include_service!("device_login_service");
