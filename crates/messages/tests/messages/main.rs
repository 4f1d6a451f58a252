//! Messages as plain values, by definitions alone.

mod json;
mod rows;
mod samples;
mod values;
mod yaml;
