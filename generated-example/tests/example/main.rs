//! The example as its callers meet it: over real HTTP, with a store of its own for each test.

mod accounts;
mod bindings;
mod lock_out;
mod mail;
mod programs;
mod running;
mod secrets;
mod tokens;
