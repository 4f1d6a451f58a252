//! The targets of requests, for decisions of layers.

use svcgen_model::Operation;

/// The target of a request, for layers that admit some requests and refuse others.
///
/// The variants cover all cases, so that a `match` decides about each request, even without an
/// operation.
///
/// ```
/// use svcgen::layer::{CallRequest, Target};
///
/// /// Whether everybody may send a request.
/// fn is_public(request: &CallRequest) -> bool {
///     match request.target() {
///         Target::Operation(operation) => operation.read_only,
///         Target::Refused => true,
///         Target::Forwarded => false,
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Target<'r> {
    /// A call of this operation. The handler runs it, or the original if
    /// [`CallRequest::is_forwarded`](super::CallRequest::is_forwarded). If forwarded, the operation
    /// is the one that the head of the request names, and the message is not read here: the
    /// original must distinguish operations in the same way as the definition (`routing`).
    Operation(&'r Operation<'r>),
    /// This server refuses the request in any case, so nothing runs.
    Refused,
    /// The request does not name an operation that is known here, and goes to the original of a
    /// `Fallback`, which may run anything.
    Forwarded,
}
