//! Servers of generated code that forward every call through clients of generated code.
#![forbid(unsafe_code)]

use svcgen::transport::BoxTransport;
use svcgen::{CallError, Fault, Limits};

/// Creates a server that forwards its calls to a transport. Both have limits.
pub type PassOn = fn(BoxTransport, Limits) -> BoxTransport;

include!(concat!(env!("OUT_DIR"), "/services.rs"));

/// Returns the fault of a forwarded call, or one with the reason why there is no answer.
fn passed_on(error: CallError) -> Fault {
    match error {
        CallError::Fault(fault) => fault,
        other => Fault::exception(other),
    }
}

/// Returns a copy of a fault without its detail and SOAP headers, to which these are added again.
pub fn begun_again(fault: &Fault) -> Fault {
    let again = Fault::new(fault.code().clone(), fault.text());
    match fault.actor() {
        Some(actor) => again.with_actor(actor),
        None => again,
    }
}
