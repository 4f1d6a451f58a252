//! What a request asks for, as layers decide about it.

use svcgen_model::Operation;

/// What a request asks for: what a layer decides about that lets some requests pass and refuses
/// others.
///
/// It has all cases, so that a `match` decides about each, also about what names no operation.
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
    /// [`CallRequest::is_forwarded`](super::CallRequest::is_forwarded). Then the head of the
    /// request has named the operation, and its message is not read here: the original has to tell
    /// operations apart as the definition says (`routing`).
    Operation(&'r Operation<'r>),
    /// This server refuses the request, whatever layers do: nothing runs.
    Refused,
    /// The request names no operation that is known here and goes to the original of a `Fallback`,
    /// which may run anything.
    Forwarded,
}
