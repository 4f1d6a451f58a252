//! A relay between callers and servers, over sockets.

mod bytes;
mod split;
