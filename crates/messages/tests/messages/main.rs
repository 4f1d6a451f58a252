//! Messages as plain values, by definitions alone.

mod attachments;
mod json;
mod rows;
mod samples;
mod values;
mod yaml;
