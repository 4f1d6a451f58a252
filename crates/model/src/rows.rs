//! The rows of a model.

/// Builder methods, each of which sets some columns of a row.
macro_rules! builders {
    ($($(#[$doc:meta])+ $name:ident($($argument:ident: $type:ty),*) { $($column:ident: $value:expr),+ })+) => {$(
        $(#[$doc])+
        #[must_use]
        pub const fn $name(mut self $(, $argument: $type)*) -> Self {
            $(self.$column = $value;)+
            self
        }
    )+};
}

mod complex;
mod element;
mod enumeration;
mod module;
mod operation;
mod scope;
mod service;

pub use complex::*;
pub use element::*;
pub use enumeration::*;
pub use module::*;
pub use operation::*;
pub use scope::*;
pub use service::*;
