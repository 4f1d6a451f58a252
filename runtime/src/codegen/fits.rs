//! Whether types of the application can stand where emitted code asks for them: functions that compile only if they can.
//!
//! ```
//! const _: () = svcgen::codegen::fits::value::<String>();
//! ```

use std::fmt::Debug;

use crate::values::{Complex, Enumeration, OpenEnumeration, Value};

/// Compiles if a type can stand for a complex type.
pub const fn complex<T: Complex + Clone + Debug + PartialEq>() {}

/// Compiles if a type can stand for an enumeration.
pub const fn enumeration<T: Enumeration + Value + Default + Debug + PartialEq>() {}

/// Compiles if a type can stand for an open enumeration.
pub const fn open_enumeration<T: OpenEnumeration + Value + Default + Debug + PartialEq>() {}

/// Compiles if a type can hold simple values.
pub const fn value<T: Value + Default + Clone + Debug + PartialEq>() {}
