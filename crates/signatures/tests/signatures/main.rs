//! What is accepted as signed and what is not: messages as text.

mod attacks;
mod certificates;
mod foreign;
mod keys;
mod refusals;
mod round_trip;
