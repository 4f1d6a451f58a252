//! The authentication that a server requires.

use std::fmt;
use std::sync::Arc;

use http::request;

use super::scheme::{Authenticate, Scheme};

type IsOpen = dyn Fn(&request::Parts) -> bool + Send + Sync;

/// The credentials that a server accepts, and the requests that need none: see [the module](super).
/// Clones share the state of connections.
#[derive(Clone)]
pub struct Authentication(pub(super) Arc<Policy>);

#[derive(Clone)]
pub(super) struct Policy {
    /// The schemes in the order in which they are offered.
    pub(super) schemes: Vec<Arc<dyn Scheme>>,
    pub(super) is_optional: bool,
    pub(super) has_open_documents: bool,
    pub(super) is_open: Option<Arc<IsOpen>>,
}

impl Authentication {
    /// Requires credentials of a scheme in each request.
    pub fn new(scheme: impl Authenticate) -> Self {
        Self(Arc::new(Policy {
            schemes: vec![Arc::new(scheme)],
            is_optional: false,
            has_open_documents: false,
            is_open: None,
        }))
    }

    /// Also accepts credentials of another scheme, and offers it after the schemes added before.
    #[must_use]
    pub fn or(self, scheme: impl Authenticate) -> Self {
        self.change(|policy| policy.schemes.push(Arc::new(scheme)))
    }

    /// Sets whether requests without credentials pass. By default, they do not. If they do, their
    /// [`Context::user`](crate::Context::user) is `None`, and the handler or a layer decides.
    #[must_use]
    pub fn with_optional(self, optional: bool) -> Self {
        self.change(|policy| policy.is_optional = optional)
    }

    /// Sets whether the WSDL, the help page and other documents are open to callers without
    /// credentials. By default, they are not, as in IIS.
    #[must_use]
    pub fn with_open_documents(self, open: bool) -> Self {
        self.change(|policy| policy.has_open_documents = open)
    }

    /// Sets which requests need no credentials, such as requests to a path, with a method or from
    /// an address. By default, all need them.
    ///
    /// ```
    /// use svcgen::authentication::Authentication;
    /// use svcgen::http::request::Parts;
    ///
    /// # fn example(authentication: Authentication) -> Authentication {
    /// authentication.with_open_requests(|request: &Parts| request.uri.path() == "/Status.asmx/Ping")
    /// # }
    /// ```
    ///
    /// Over SOAP, the path does not name an operation.
    #[must_use]
    pub fn with_open_requests(
        self,
        is_open: impl Fn(&request::Parts) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.change(|policy| policy.is_open = Some(Arc::new(is_open)))
    }

    fn change(mut self, change: impl FnOnce(&mut Policy)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }
}

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schemes: Vec<_> = self.0.schemes.iter().map(|scheme| scheme.name()).collect();
        f.debug_struct("Authentication")
            .field("schemes", &schemes)
            .finish_non_exhaustive()
    }
}
