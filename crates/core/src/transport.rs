//! Transports of clients, and their errors.

mod boxed;
mod called_operation;
mod layered;
mod maybe_send;
#[cfg(feature = "clock")]
mod retries;
mod send;
mod time;
mod with_soap_header;

pub use crate::transport_error::{TransportError, TransportErrorKind};
pub use boxed::BoxTransport;
pub use called_operation::CalledOperation;
pub use layered::{Layered, TransportFuture, TransportService};
pub(crate) use maybe_send::BoxFuture;
pub use maybe_send::{MaybeSend, MaybeSync};
#[cfg(feature = "clock")]
pub use retries::{Retries, Retrying};
pub use send::{Transport, TransportFn, transport_fn};
pub use time::CallTimeout;
pub use time::within;
pub use with_soap_header::WithSoapHeader;
