//! SOAP headers that no definition names.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::values::XmlFragment;

/// A SOAP header of a request that its operation does not declare, as `SoapUnknownHeader` in ASMX. An operation gets them if its `headers`
/// say `unknown: true`.
pub struct UnknownHeader {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) xml: XmlFragment,
    pub(crate) actor: Option<String>,
    /// Whether the caller asks that it be understood.
    pub(crate) must_understand: bool,
    /// Whether that is asked of this service.
    pub(crate) is_for_us: bool,
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

    /// Says that the handler understands it. If a header says `mustUnderstand`, is for this service and is not understood, the caller gets a
    /// fault instead of the answer.
    pub fn understand(&self) {
        self.understood.store(true, Ordering::Relaxed);
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
