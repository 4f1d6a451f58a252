//! The operation that a request calls, for transports and their layers.

use std::fmt;

use svcgen_model::Binding;

use crate::described::Model;

/// An extension of a client's request: the operation that it calls.
///
/// ```
/// use svcgen::transport::CalledOperation;
///
/// fn log(request: &http::Request<svcgen::bytes::Bytes>) {
///     if let Some(called) = request.extensions().get::<CalledOperation>() {
///         println!("{}.{} over {}", called.service(), called.operation(), called.binding());
///     }
/// }
/// ```
#[derive(Clone)]
pub struct CalledOperation {
    model: Model,
    operation: usize,
    binding: Binding,
}

impl CalledOperation {
    pub(crate) fn new(model: Model, operation: usize, binding: Binding) -> Self {
        Self {
            model,
            operation,
            binding,
        }
    }

    /// Returns the model of the service.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the name of the service.
    pub fn service(&self) -> &str {
        self.model.service().row().name
    }

    /// Returns the name of the operation.
    pub fn operation(&self) -> &str {
        self.model.operation(self.operation).name
    }

    /// Returns the SOAP action of the operation.
    pub fn action(&self) -> &str {
        self.model.operation(self.operation).action
    }

    /// Returns the binding.
    pub fn binding(&self) -> Binding {
        self.binding
    }

    /// Returns whether the operation is one-way, so that its answer is empty.
    pub fn is_one_way(&self) -> bool {
        self.model.operation(self.operation).one_way
    }

    /// Returns whether the operation is marked as read-only: its calls change nothing, so they may
    /// be repeated.
    pub fn is_read_only(&self) -> bool {
        self.model.operation(self.operation).read_only
    }
}

impl fmt::Debug for CalledOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CalledOperation")
            .field("service", &self.service())
            .field("operation", &self.operation())
            .field("binding", &self.binding)
            .finish()
    }
}
