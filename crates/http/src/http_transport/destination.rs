//! Destinations of requests.

use http::uri::Authority;

/// The destination of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Destination {
    pub(super) authority: Authority,
    pub(super) is_https: bool,
    /// Whether the server may get the credentials of the client.
    pub(super) identified: bool,
}
