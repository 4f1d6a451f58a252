//! Transports of clients, and their errors.

mod boxed;
mod called_operation;
mod layered;
#[cfg(feature = "clock")]
mod retries;
mod send;
mod time;
mod with_soap_header;

pub use crate::maybe_send::{MaybeSend, MaybeSync};
pub use crate::transport_error::{TransportError, TransportErrorKind};
pub use boxed::BoxTransport;
pub use called_operation::CalledOperation;
pub use layered::{Layered, TransportFuture, TransportService};
#[cfg(feature = "clock")]
pub use retries::{Retries, Retrying};
pub use send::{Transport, TransportFn, transport_fn};
pub use time::CallTimeout;
pub use time::within;
pub use with_soap_header::WithSoapHeader;
