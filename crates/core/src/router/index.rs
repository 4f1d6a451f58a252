//! The index page of a router.

use std::sync::Arc;

use http::request;

use super::Router;
use crate::callers::check_host;
use crate::documents::{Listed, index};
use crate::fallback::Fallback;
use crate::host::asked_host;
use crate::paths::AskedPath;
use crate::response::NoCall;

impl Router {
    /// Sets whether there is an index page, with the names, the documentation, the paths and the
    /// WSDLs of the services; by default, there is. It lists no services without documents
    /// ([`Documents::off`](crate::Documents::off)) or for another host
    /// ([`with_allowed_hosts`](crate::ServerOptions::with_allowed_hosts)). Without services to
    /// list, there is no page.
    #[must_use]
    pub fn with_index(mut self, index: bool) -> Self {
        self.has_no_index = !index;
        self
    }

    /// Returns the answer to a request for the index page.
    pub(super) fn index(&self, path: AskedPath<'_>, parts: &request::Parts) -> Option<NoCall> {
        let is_originals = |fallback: &Arc<Fallback>| fallback.has_documents;
        if self.has_no_index || self.fallback.as_ref().is_some_and(is_originals) {
            return None;
        }
        let mount = path.root()?;
        let host = asked_host(parts).ok()?;
        let services = self.services.iter();
        let allowed = services.filter(|service| check_host(service.options(), host).is_ok());
        let listed = allowed.map(|service| Listed {
            service: service.model().service(),
            documents: &service.options().documents,
            paths: service.paths(),
        });
        index(listed, parts, mount).map(NoCall::from)
    }
}
