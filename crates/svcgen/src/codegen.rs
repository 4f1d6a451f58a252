//! The runtime of generated code, also for types and services that are written by hand or known
//! only at run time.
//!
//! [`GENERATED_CODE_V2`] is its version: generated code compiles with every runtime that has this
//! constant. A runtime that breaks generated code has a constant with another name instead.

mod client;
mod types;

pub use std::future::Future;

/// The protocol of calls over JSON. Generated code of services with the binding `json` compiles
/// only with the feature `json`.
#[cfg(feature = "json")]
pub use svcgen_core::JSON;
pub use svcgen_core::{
    Answer, Call, Client, DetailElement, Dispatch, DispatchTo, Dispatched, Endpoint, Failure,
    FaultDetail, FaultHeaders, HTTP_GET, HTTP_POST, Model, ModelSource, NotImplemented,
    OutgoingBody, Reply, ResponseFuture, SOAP_11, SOAP_11_ENCODED, SOAP_12, SOAP_12_ENCODED,
    ServiceModule, SpokenProtocol, argument, below_path, is_written,
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

/// The result of a call that generated code answers.
pub type Replied = Result<Reply, Failure>;

/// The documentation of a service, if it is generated.
pub type ServiceDocumentation = Option<&'static model::Documentation<'static>>;

/// The version of the runtime. Generated code names this constant, so that it compiles only with a
/// matching runtime.
pub const GENERATED_CODE_V2: () = ();

/// Makes generated code compile only with the feature `time-zones` if the service's time zone has a
/// name.
#[cfg(feature = "time-zones")]
pub const NAMES_OF_TIME_ZONES: () = ();

/// Makes generated code of a service with sessions compile only with the feature `sessions`.
#[cfg(feature = "sessions")]
pub const SESSIONS: () = ();

pub mod fits {
    //! Checks at compile time that types of the application implement the traits that generated
    //! code needs.
    //!
    //! ```
    //! const _: () = svcgen::codegen::fits::value::<String>();
    //! ```

    use std::fmt::Debug;

    use svcgen_wire::{Complex, Enumeration, Flags, OpenEnumeration, Value};

    /// Compiles if `T` can replace a complex type.
    pub const fn complex<T: Complex + Clone + Debug + PartialEq>() {}

    /// Compiles if `T` can replace an enumeration.
    pub const fn enumeration<T: Enumeration + Value + Default + Debug + PartialEq>() {}

    /// Compiles if `T` can replace an open enumeration.
    pub const fn open_enumeration<T: OpenEnumeration + Value + Default + Debug + PartialEq>() {}

    /// Compiles if `T` can replace an enumeration of flags.
    pub const fn flags<T: Flags + Value + Default + Debug + PartialEq>() {}

    /// Compiles if `T` can hold simple values.
    pub const fn value<T: Value + Default + Clone + Debug + PartialEq>() {}
}
