//! What emitted code uses.
//!
//! It also serves types and services that are written by hand or known only at run time. [`GENERATED_CODE_V2`] versions it: emitted code
//! compiles with every runtime that has the constant, and a runtime that breaks such code has a constant of another name instead.

mod client;
mod types;

pub use std::future::Future;

/// JSON, for services of which an operation has it: code of theirs compiles with the feature `json` alone.
#[cfg(feature = "json")]
pub use svcgen_core::JSON;
pub use svcgen_core::{
    Answer, Call, Client, DetailElement, Dispatch, DispatchTo, Dispatched, Endpoint, Failure,
    FaultDetail, FaultHeaders, HTTP_GET, HTTP_POST, Model, ModelSource, NotImplemented, Reply,
    ResponseFuture, SOAP_11, SOAP_11_ENCODED, SOAP_12, SOAP_12_ENCODED, ServiceModule,
    SpokenProtocol, argument, below_path, is_written,
};
#[cfg(feature = "data-sets")]
pub use svcgen_data_sets::EmptySet;
pub use svcgen_http::DefaultTransport;
/// The model of a service.
pub use svcgen_model as model;
#[cfg(feature = "facets")]
pub use svcgen_wire::FacetRules;
use svcgen_wire::ReadError;
pub use svcgen_wire::declared_encoding;
pub use svcgen_wire::{
    AbsenceRules, CloneInPlace, Complex, Content, Element, Enumeration, Fields, Flags, FormFields,
    List, ListValue, ObjectKind, ObjectTypes, OpenEnumeration, Optional, Reader, Texts, Value,
    clone_apart, clone_value, cloned_in_place, new_in_place, value_of,
};

#[doc(inline)]
pub use crate::{__client as client, __complex as complex, __enumeration as enumeration};

/// The result of reading a value.
pub type Read = Result<(), ReadError>;

/// The result of a call that emitted code answers.
pub type Replied = Result<Reply, Failure>;

/// The documentation of a service, if it is emitted.
pub type ServiceDocumentation = Option<&'static model::Documentation<'static>>;

/// Emitted code names this constant, so that it compiles only with a runtime that it was emitted for.
pub const GENERATED_CODE_V2: () = ();

/// Emitted code of a service whose time zone has a name names this constant, so that it compiles only with the feature `time-zones`.
#[cfg(feature = "time-zones")]
pub const NAMES_OF_TIME_ZONES: () = ();

/// Emitted code of a service with sessions names this constant, so that it compiles only with the feature `sessions`.
#[cfg(feature = "sessions")]
pub const SESSIONS: () = ();

pub mod fits {
    //! Checks that types of the application implement the traits that emitted code needs: functions that compile only if they do.
    //!
    //! ```
    //! const _: () = svcgen::codegen::fits::value::<String>();
    //! ```

    use std::fmt::Debug;

    use svcgen_wire::{Complex, Enumeration, Flags, OpenEnumeration, Value};

    /// Compiles if a type can stand for a complex type.
    pub const fn complex<T: Complex + Clone + Debug + PartialEq>() {}

    /// Compiles if a type can stand for an enumeration.
    pub const fn enumeration<T: Enumeration + Value + Default + Debug + PartialEq>() {}

    /// Compiles if a type can stand for an open enumeration.
    pub const fn open_enumeration<T: OpenEnumeration + Value + Default + Debug + PartialEq>() {}

    /// Compiles if a type can stand for an enumeration of flags.
    pub const fn flags<T: Flags + Value + Default + Debug + PartialEq>() {}

    /// Compiles if a type can hold simple values.
    pub const fn value<T: Value + Default + Clone + Debug + PartialEq>() {}
}
