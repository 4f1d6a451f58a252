//! Checks of facets: a message is read a second time by its rows, after its values were. Without the feature `facets` nothing is checked.

#[cfg(feature = "facets")]
mod checked;
#[cfg(not(feature = "facets"))]
mod unchecked;

#[cfg(feature = "facets")]
pub use checked::{Checks, FacetRules, Facets};
#[cfg(not(feature = "facets"))]
pub use unchecked::{Checks, Facets};

/// The part of a call that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The parameters.
    Parameters,
    /// The results in SOAP.
    Results,
    /// The result that HTTP GET and POST answer.
    Returned,
}
