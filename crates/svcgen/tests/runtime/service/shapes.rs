//! The shapes of services and types beyond plain objects, written by hand as svcgen emits them, end
//! to end over every binding that supports them.

mod calls;
mod faults;
mod headers;
mod one_way;
mod service;
mod strict;
mod styles;
mod things;
mod types;
