//! The kinds of errors of calls.

/// The kind of a [`CallError`](crate::CallError), for decisions about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallErrorKind {
    /// The call cannot be made: its URL, a value, a header or the binding is wrong. Nothing was
    /// sent.
    Request,
    /// There was no connection, or it broke.
    Transport,
    /// The call took longer than its time limit.
    Timeout,
    /// The answer is longer, deeper or wider than [`Limits`](crate::Limits) or the transport allow.
    Limit,
    /// The HTTP status is not one that services answer with.
    Status,
    /// The answer is not a message of the binding: it has another media type, is not text in its
    /// encoding, or is not an envelope.
    Content,
    /// The answer is not well-formed.
    IllFormed,
    /// A value in the answer is not of its type.
    Value,
    /// The answer contains another element than the operation's, or none.
    Element,
    /// The answer has a SOAP header that must be understood and is not known.
    Header,
    /// The service answered with a fault.
    Fault,
}
