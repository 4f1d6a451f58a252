//! The ways to call an operation.

use std::fmt;

/// A way to call an operation. Clients default to the first one that their service has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Binding {
    /// SOAP 1.1: `POST` of an envelope as `text/xml`, the operation named by the `SOAPAction`
    /// header.
    #[default]
    Soap11,
    /// SOAP 1.2: `POST` of an envelope as `application/soap+xml`, the operation named by its
    /// `action` parameter.
    Soap12,
    /// HTTP GET: path of the service, `/` and name of the operation, with the parameters in the
    /// query.
    HttpGet,
    /// HTTP POST: a form to the same path as with HTTP GET.
    HttpPost,
    /// JSON: `POST` to the same path as with HTTP GET, or `GET` if the operation is declared so, as
    /// `application/json` (`[ScriptService]` in .NET).
    Json,
}

impl Binding {
    /// All bindings, in the order of documents.
    pub const ALL: [Self; 5] = [
        Self::Soap11,
        Self::Soap12,
        Self::HttpGet,
        Self::HttpPost,
        Self::Json,
    ];

    /// The bindings of an operation that does not specify any.
    pub const DEFAULT: [Self; 4] = [Self::Soap11, Self::Soap12, Self::HttpGet, Self::HttpPost];

    /// Both versions of SOAP.
    pub const SOAP: [Self; 2] = [Self::Soap11, Self::Soap12];

    /// The bindings whose parameters are the fields of a form.
    pub const FORMS: [Self; 2] = [Self::HttpGet, Self::HttpPost];

    /// The bindings that page scripts call, with the names of classes and members in .NET code
    /// instead of XML names.
    pub const SCRIPT: [Self; 1] = [Self::Json];

    /// Whether messages of this binding are SOAP envelopes.
    pub const fn is_soap(self) -> bool {
        matches!(self, Self::Soap11 | Self::Soap12)
    }

    /// Whether the element in the Body names the operation of a request whose action is unknown.
    pub const fn has_operation_in_body(self) -> bool {
        matches!(self, Self::Soap12)
    }

    /// Whether parameters are part of the URL, which proxies and servers log.
    pub const fn has_parameters_in_url(self) -> bool {
        matches!(self, Self::HttpGet)
    }

    /// Returns the name in definitions and options: `soap11`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Soap11 => "soap11",
            Self::Soap12 => "soap12",
            Self::HttpGet => "http-get",
            Self::HttpPost => "http-post",
            Self::Json => "json",
        }
    }

    /// Returns the binding with this name in definitions and options.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.key() == key)
    }

    /// Returns the name of the variant: `Soap11`.
    pub const fn variant(self) -> &'static str {
        match self {
            Self::Soap11 => "Soap11",
            Self::Soap12 => "Soap12",
            Self::HttpGet => "HttpGet",
            Self::HttpPost => "HttpPost",
            Self::Json => "Json",
        }
    }

    /// Returns the name of the constant of its protocol: `SOAP_11`.
    pub const fn constant(self) -> &'static str {
        match self {
            Self::Soap11 => "SOAP_11",
            Self::Soap12 => "SOAP_12",
            Self::HttpGet => "HTTP_GET",
            Self::HttpPost => "HTTP_POST",
            Self::Json => "JSON",
        }
    }
}

/// The name in prose: `SOAP 1.1`.
impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Soap11 => "SOAP 1.1",
            Self::Soap12 => "SOAP 1.2",
            Self::HttpGet => "HTTP GET",
            Self::HttpPost => "HTTP POST",
            Self::Json => "JSON",
        })
    }
}

/// A set of bindings.
///
/// ```
/// use svcgen_model::{Binding, Bindings};
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
    /// The bindings of an operation that does not specify any.
    pub const DEFAULT: Self = Self::of(&Binding::DEFAULT);
    /// No binding.
    pub const NONE: Self = Self(0);
    /// Both versions of SOAP.
    pub const SOAP: Self = Self::of(&Binding::SOAP);
    /// HTTP GET and HTTP POST.
    pub const FORMS: Self = Self::of(&Binding::FORMS);
    /// The bindings that page scripts call.
    pub const SCRIPT: Self = Self::of(&Binding::SCRIPT);

    /// Returns the set of these bindings.
    pub const fn of(bindings: &[Binding]) -> Self {
        let mut set = Self::NONE;
        let mut index = 0;
        while index < bindings.len() {
            set = set.with(bindings[index]);
            index += 1;
        }
        set
    }

    /// Returns this set and one more binding.
    #[must_use]
    pub const fn with(self, binding: Binding) -> Self {
        Self(self.0 | 1 << binding as u8)
    }

    /// Whether a binding is in the set.
    pub const fn contains(self, binding: Binding) -> bool {
        self.0 & 1 << binding as u8 != 0
    }

    /// Whether no binding is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the bindings of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether a version of SOAP is in the set.
    pub const fn has_soap(self) -> bool {
        !self.and(Self::SOAP).is_empty()
    }

    /// Whether HTTP GET or POST is in the set.
    pub const fn has_form(self) -> bool {
        !self.and(Self::FORMS).is_empty()
    }

    /// Whether a binding that page scripts call is in the set.
    pub const fn has_script(self) -> bool {
        !self.and(Self::SCRIPT).is_empty()
    }

    /// Returns the bindings in the set, in the order of [`Binding::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Binding> {
        let all = Binding::ALL.into_iter();
        all.filter(move |binding| self.contains(*binding))
    }
}

impl FromIterator<Binding> for Bindings {
    fn from_iter<I: IntoIterator<Item = Binding>>(bindings: I) -> Self {
        bindings.into_iter().fold(Self::NONE, Self::with)
    }
}

/// Writes their names, separated by commas.
impl fmt::Display for Bindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, binding) in self.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{binding}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let set = Bindings::of(&[Binding::Soap11, Binding::HttpPost]);
        assert_eq!(format!("{set:?}"), "{Soap11, HttpPost}");
        assert_eq!(set.to_string(), "SOAP 1.1, HTTP POST");
        assert_eq!(set.iter().collect::<Bindings>(), set);
        assert_eq!(
            set.or(Bindings::SOAP).without(set),
            Bindings::of(&[Binding::Soap12])
        );
        assert!(set.has_soap() && set.has_form() && !Bindings::SOAP.has_form());
        for binding in Binding::ALL {
            assert!(Bindings::ALL.contains(binding) && !Bindings::NONE.contains(binding));
            assert_eq!(Binding::of_key(binding.key()), Some(binding));
        }
    }
}
