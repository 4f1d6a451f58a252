//! SOAP headers that no definition names.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use svcgen_wire::{Reader, types::XmlFragment};

/// A SOAP header of a request that its operation does not declare, as `SoapUnknownHeader` in ASMX.
/// An operation gets them if its `headers` say `unknown: true`, and all operations and layers get
/// those of
/// [`ServerOptions::with_understood_headers`](crate::ServerOptions::with_understood_headers).
pub struct UnknownHeader {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) xml: XmlFragment,
    pub(crate) actor: Option<String>,
    /// Whether the caller asks that it be understood.
    pub(crate) must_understand: bool,
    /// Whether that is asked of this service.
    #[doc(hidden)]
    pub is_for_us: bool,
    pub(crate) understood: AtomicBool,
}

impl UnknownHeader {
    /// The namespace of the element; empty for none.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The local name of the element.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The element, with its tags.
    pub fn xml(&self) -> &XmlFragment {
        &self.xml
    }

    /// Whom it is for: `actor` of SOAP 1.1, `role` of SOAP 1.2.
    pub fn actor(&self) -> Option<&str> {
        self.actor.as_deref()
    }

    /// Whether it says `mustUnderstand`.
    pub fn must_understand(&self) -> bool {
        self.must_understand
    }

    /// Says that the handler understands it. If a header says `mustUnderstand`, is for this service
    /// and is not understood, the caller gets a fault instead of the answer.
    pub fn understand(&self) {
        self.understood.store(true, Ordering::Relaxed);
    }

    /// Whether the handler need not see it for the caller to be answered, and it is the current
    /// header.
    pub(crate) fn is_read(&self, reader: &Reader<'_>) -> bool {
        self.understood.load(Ordering::Relaxed) && reader.is(&self.namespace, &self.name)
    }

    /// Whether the caller has to hear that it was not understood.
    pub(crate) fn is_missed(&self) -> bool {
        self.must_understand && self.is_for_us && !self.understood.load(Ordering::Relaxed)
    }
}

/// Without the content, which may be a secret.
impl fmt::Debug for UnknownHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnknownHeader")
            .field("namespace", &self.namespace)
            .field("name", &self.name)
            .field("must_understand", &self.must_understand)
            .finish_non_exhaustive()
    }
}

/// The SOAP headers that a server understands, whatever its operations declare: their namespaces
/// and names, `*` for all of a namespace.
pub(crate) type UnderstoodHeaders = [(String, String)];

/// Whether the current header is one that the server understands.
pub(crate) fn is_understood(headers: &UnderstoodHeaders, reader: &Reader<'_>) -> bool {
    let (namespace, name) = (reader.namespace(), reader.local_name());
    let mut headers = headers.iter();
    headers.any(|header| header.0 == namespace && (header.1 == name || header.1 == "*"))
}
