//! Messages as plain values, by definitions at run time.

mod attachments;
mod json;
mod rows;
mod samples;
mod values;
mod yaml;
