//! An HTTP/1.1 relay that changes no byte and sees every exchange.
//!
//! It stands between callers and a server that nobody may notice it in front of: letter case and order of headers, chunks, pace and broken connections pass as they are.

mod conversation;
mod exchange;
mod framing;
mod relay;

pub use exchange::{Exchange, Message, Observe};
pub use relay::{Relay, Upstream};
