//! An HTTP/1.1 relay that changes no byte and observes every exchange.
//!
//! It sits between callers and a server, and neither side notices: letter case and order of
//! headers, chunks, pace and broken connections pass unchanged.

#![forbid(unsafe_code)]

mod ask;
mod conversation;
mod exchange;
mod framing;
mod hosts;
mod relay;
mod share;
mod split;
mod upstream;

pub use ask::Asker;
pub use exchange::{Exchange, Message, Observe, Refusal};
pub use relay::Relay;
pub use share::{NoShare, Share};
pub use split::{Split, SplitBy};
pub use upstream::Upstream;
