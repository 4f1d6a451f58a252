//! The runtime without the generator.

mod service;
mod xml;
