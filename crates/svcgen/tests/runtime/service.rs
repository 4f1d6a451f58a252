//! Services and clients without the generator: written by hand as it emits them, or with a model
//! built at run time.

mod run_time_model;
mod shapes;
mod wire;
