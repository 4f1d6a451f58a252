//! Servers of generated code that pass every call on through clients of generated code.
#![forbid(unsafe_code)]

use svcgen::transport::BoxTransport;
use svcgen::{CallError, Fault};

/// Makes a server whose calls go on to a transport.
pub type PassOn = fn(BoxTransport) -> BoxTransport;

include!(concat!(env!("OUT_DIR"), "/services.rs"));

/// The fault of a call that was passed on, or one that says why there is no answer.
fn passed_on(error: CallError) -> Fault {
    match error {
        CallError::Fault(fault) => fault,
        other => Fault::server(other),
    }
}
