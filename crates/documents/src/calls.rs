//! The descriptions of calls over bindings in OpenAPI.

pub(crate) mod schema;

use serde_json::Value;
use svcgen_model::{At, Operation, TypeAt};

use self::schema::Schemas;

/// A binding whose calls OpenAPI can describe.
pub(crate) trait InOpenApi: Sync {
    /// The notation of values.
    fn notation(&self) -> &'static Notation;

    /// The suffix of the `operationId` of its calls.
    fn suffix(&self) -> &'static str;

    /// The call of an operation.
    fn call(&self, operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>) -> Call;
}

/// A notation of values, which bindings share.
pub(crate) struct Notation {
    /// A suffix for the keys of types that another notation describes, too.
    pub name: &'static str,
    /// The schema of a type.
    pub definition: fn(&Schemas<'_>, TypeAt<'_>) -> Value,
    /// The response of a failed call.
    pub failure: Failure,
}

/// The response of a failed call.
pub(crate) struct Failure {
    /// Its key.
    pub key: &'static str,
    /// Its description.
    pub description: &'static str,
    /// The media type of its body.
    pub media_type: &'static str,
    /// The schema of its body.
    pub schema: fn() -> Value,
    /// A header that identifies it, and its value.
    pub header: Option<(&'static str, &'static str)>,
}

/// A call of an operation.
pub(crate) struct Call {
    /// The key of the method: `get`.
    pub method: &'static str,
    /// The parameters in the query.
    pub query: Option<Value>,
    /// The media type of the body with the parameters, and its schema.
    pub body: Option<(&'static str, Value)>,
    /// The media type of the result, and its schema.
    pub result: Option<(&'static str, Value)>,
    /// A remark in addition to the documentation.
    pub remark: Option<&'static str>,
}
