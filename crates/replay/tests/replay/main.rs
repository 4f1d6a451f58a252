//! Recordings that are replayed in this process, and answers that are compared.

mod answers;
mod compare;
mod encoded;
mod order;
mod planted;
mod recorded;
mod recording;
mod reports;
mod secrets;
