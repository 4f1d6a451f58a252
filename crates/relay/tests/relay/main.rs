//! A relay between callers and servers on sockets.

mod bytes;
mod split;
