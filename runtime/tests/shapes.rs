//! The shapes of services and types beyond plain objects, written by hand as svcgen emits them, end to end over every binding that carries them.

#[path = "shapes/calls.rs"]
mod calls;
#[path = "shapes/faults.rs"]
mod faults;
#[path = "shapes/headers.rs"]
mod headers;
#[path = "shapes/one_way.rs"]
mod one_way;
#[path = "shapes/service.rs"]
mod service;
#[path = "shapes/strict.rs"]
mod strict;
#[path = "shapes/styles.rs"]
mod styles;
#[path = "shapes/things.rs"]
mod things;
#[path = "shapes/types.rs"]
mod types;
