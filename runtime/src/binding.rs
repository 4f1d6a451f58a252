//! The four ways an operation is offered, one file each; what pairs of them share stands beside them.

pub(crate) mod answer;
pub(crate) mod charset;
pub(crate) mod envelope;
pub(crate) mod form;
pub(crate) mod http_get;
pub(crate) mod http_post;
pub(crate) mod http_result;
pub(crate) mod media_type;
pub(crate) mod plain_text;
pub(crate) mod soap11;
pub(crate) mod soap12;
pub(crate) mod soap_fault;

use std::fmt;

use envelope::Version;

/// One of the four ways to call an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binding {
    /// SOAP 1.1: `POST` of an envelope as `text/xml`, the operation named by the `SOAPAction` header.
    Soap11,
    /// SOAP 1.2: `POST` of an envelope as `application/soap+xml`, the operation named by its `action` parameter.
    Soap12,
    /// `GET` of the service's path plus the operation's name, the parameters in the query.
    HttpGet,
    /// `POST` of a form to the service's path plus the operation's name.
    HttpPost,
}

impl Binding {
    /// All four, in the order of their declaration.
    pub const ALL: [Self; 4] = [Self::Soap11, Self::Soap12, Self::HttpGet, Self::HttpPost];

    /// Whether messages of this binding are SOAP envelopes.
    pub const fn is_soap(self) -> bool {
        matches!(self, Self::Soap11 | Self::Soap12)
    }

    /// What is particular to a version of SOAP; none for HTTP GET and POST.
    pub(crate) fn version(self) -> Option<&'static Version> {
        match self {
            Self::Soap11 => Some(&soap11::VERSION),
            Self::Soap12 => Some(&soap12::VERSION),
            Self::HttpGet | Self::HttpPost => None,
        }
    }
}

/// Both versions of SOAP.
pub(crate) const VERSIONS: [&Version; 2] = [&soap11::VERSION, &soap12::VERSION];

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Soap11 => "SOAP 1.1",
            Self::Soap12 => "SOAP 1.2",
            Self::HttpGet => "HTTP GET",
            Self::HttpPost => "HTTP POST",
        })
    }
}

/// A set of bindings.
///
/// ```
/// use svcgen::{Binding, Bindings};
///
/// const SOAP: Bindings = Bindings::of(&[Binding::Soap11, Binding::Soap12]);
/// assert!(SOAP.contains(Binding::Soap12));
/// assert!(!SOAP.contains(Binding::HttpGet));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bindings(u8);

impl Bindings {
    /// Every binding.
    pub const ALL: Self = Self::of(&Binding::ALL);
    /// No binding.
    pub const NONE: Self = Self(0);

    /// The set of the bindings given.
    pub const fn of(bindings: &[Binding]) -> Self {
        let mut set = 0;
        let mut index = 0;
        while index < bindings.len() {
            set |= 1 << bindings[index] as u8;
            index += 1;
        }
        Self(set)
    }

    /// Whether a binding is in the set.
    pub const fn contains(self, binding: Binding) -> bool {
        self.0 & 1 << binding as u8 != 0
    }
}

impl fmt::Debug for Bindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(
                Binding::ALL
                    .iter()
                    .filter(|&&binding| self.contains(binding)),
            )
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let set = Bindings::of(&[Binding::Soap11, Binding::HttpPost]);
        assert_eq!(format!("{set:?}"), "{Soap11, HttpPost}");
        assert!(
            Binding::ALL.iter().all(
                |&binding| Bindings::ALL.contains(binding) && !Bindings::NONE.contains(binding)
            )
        );
    }
}
