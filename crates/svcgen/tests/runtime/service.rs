//! Services and clients without the generator: written by hand in the form of emitted code, or with
//! a model built at run time.

mod run_time_model;
mod shapes;
mod wire;
