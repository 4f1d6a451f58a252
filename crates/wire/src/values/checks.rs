//! Checks of messages: the facets of a service. Without the feature `facets` nothing is checked.

#[cfg(feature = "facets")]
mod checked;
#[cfg(not(feature = "facets"))]
mod unchecked;

#[cfg(feature = "facets")]
pub(super) use checked::violated_length;
#[cfg(feature = "facets")]
pub use checked::{Checks, FacetRules, Facets};
#[cfg(not(feature = "facets"))]
pub use unchecked::{Checks, Facets};

/// The part of a call that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessagePart {
    /// The parameters.
    Parameters,
    /// The results in SOAP.
    Results,
    /// The result that HTTP GET and POST return.
    Returned,
}
