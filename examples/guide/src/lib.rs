//! The code that the pages of `docs/` show.

pub mod clients;
pub mod documents;
pub mod errors;
pub mod layers;
pub mod server;
#[cfg(test)]
mod testing;

svcgen::include_service!("basket");
