//! Where requests go.

use http::uri::Authority;

/// What a connection leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Destination {
    pub(super) authority: Authority,
    pub(super) is_https: bool,
    /// Whether the server may learn who calls.
    pub(super) identified: bool,
}
