//! Servers of generated code that pass every call on through clients of generated code.
#![forbid(unsafe_code)]

use svcgen::transport::BoxTransport;
use svcgen::{CallError, Fault, Limits};

/// Makes a server whose calls go on to a transport. Both have limits.
pub type PassOn = fn(BoxTransport, Limits) -> BoxTransport;

include!(concat!(env!("OUT_DIR"), "/services.rs"));

/// The fault of a call that was passed on, or one that says why there is no answer.
fn passed_on(error: CallError) -> Fault {
    match error {
        CallError::Fault(fault) => fault,
        other => Fault::exception(other),
    }
}

/// A fault without the detail and the SOAP headers of another, to which they are added again.
pub fn begun_again(fault: &Fault) -> Fault {
    let again = Fault::new(fault.code().clone(), fault.text());
    match fault.actor() {
        Some(actor) => again.with_actor(actor),
        None => again,
    }
}
