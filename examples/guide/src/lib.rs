//! The code in the pages of `docs/`.

pub mod attachments;
pub mod clients;
pub mod documents;
pub mod errors;
pub mod layers;
pub mod server;
pub mod signatures;
pub mod soap_headers;
#[cfg(test)]
mod testing;

svcgen::include_service!("accounts");
svcgen::include_service!("basket");
