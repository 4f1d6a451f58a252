//! Accepted and refused signatures, on messages as text.

mod attacks;
mod certificates;
mod foreign;
mod keys;
mod refusals;
mod round_trip;
