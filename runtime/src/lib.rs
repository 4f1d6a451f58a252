//! What the code that svcgen emits stands on.
#![forbid(unsafe_code)]

mod limits;
mod secret;
mod xml;
