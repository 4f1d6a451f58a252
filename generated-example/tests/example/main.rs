//! The example as its callers meet it: over real HTTP, with a store of its own for each test; in
//! files of SQLite, or with the feature `postgres` and SVCGEN_TEST_POSTGRES on that server.

mod accounts;
mod bindings;
mod database;
mod instances;
mod lock_out;
mod mail;
#[cfg(feature = "postgres")]
mod postgres;
mod programs;
mod running;
mod secrets;
mod sessions;
mod tokens;
