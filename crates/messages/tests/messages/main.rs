//! Messages as plain values, by definitions alone.

mod json;
mod samples;
mod values;
mod yaml;
