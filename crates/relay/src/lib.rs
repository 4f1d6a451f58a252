//! An HTTP/1.1 relay that changes no byte and sees every exchange.
//!
//! It stands between callers and a server that nobody may notice it in front of: letter case and order of headers, chunks, pace and broken connections pass as they are.

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
