//! SOAP headers that the definition does not declare.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use svcgen_wire::{Reader, types::XmlFragment};

/// A SOAP header of a request that its operation does not declare, like `SoapUnknownHeader` in
/// ASMX. An operation gets them if its `headers` have `unknown: true`; all operations and layers
/// get the headers of
/// [`ServerOptions::with_understood_headers`](crate::ServerOptions::with_understood_headers).
pub struct UnknownHeader {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) xml: XmlFragment,
    pub(crate) actor: Option<String>,
    /// Whether the caller requires that the header is understood.
    pub(crate) must_understand: bool,
    /// Whether the header is for this service.
    #[doc(hidden)]
    pub is_for_us: bool,
    pub(crate) understood: AtomicBool,
}

impl UnknownHeader {
    /// Returns the namespace of the element; empty if it has none.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Returns the local name of the element.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the element, with its tags.
    pub fn xml(&self) -> &XmlFragment {
        &self.xml
    }

    /// Returns the receiver of the header: `actor` of SOAP 1.1, `role` of SOAP 1.2.
    pub fn actor(&self) -> Option<&str> {
        self.actor.as_deref()
    }

    /// Returns whether the header has `mustUnderstand`.
    pub fn must_understand(&self) -> bool {
        self.must_understand
    }

    /// Marks the header as understood by the handler. If a header has `mustUnderstand`, is for this
    /// service and is not understood, the caller gets a fault instead of the answer.
    pub fn understand(&self) {
        self.understood.store(true, Ordering::Relaxed);
    }

    /// Whether this is the current header, and the call can be answered without it.
    pub(crate) fn is_read(&self, reader: &Reader<'_>) -> bool {
        self.understood.load(Ordering::Relaxed) && reader.is(&self.namespace, &self.name)
    }

    /// Whether the caller must get a fault because the header was not understood.
    pub(crate) fn is_missed(&self) -> bool {
        self.must_understand && self.is_for_us && !self.understood.load(Ordering::Relaxed)
    }
}

/// Omits the content, which may be a secret.
impl fmt::Debug for UnknownHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnknownHeader")
            .field("namespace", &self.namespace)
            .field("name", &self.name)
            .field("must_understand", &self.must_understand)
            .finish_non_exhaustive()
    }
}

/// The SOAP headers that a server understands, independent of its operations: their namespaces and
/// names; `*` stands for all names of a namespace.
pub(crate) type UnderstoodHeaders = [(String, String)];

/// Whether the server understands the current header.
pub(crate) fn is_understood(headers: &UnderstoodHeaders, reader: &Reader<'_>) -> bool {
    let (namespace, name) = (reader.namespace(), reader.local_name());
    let mut headers = headers.iter();
    headers.any(|header| header.0 == namespace && (header.1 == name || header.1 == "*"))
}
