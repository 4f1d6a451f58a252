//! Scripts with functions that call the operations of a service, for pages.

use svcgen_model::{At, Service};

use crate::binding::documented;

/// A script with functions that call the operations of a service.
#[derive(Debug, Clone, Copy)]
pub struct Proxy {
    pub(crate) commented: bool,
    pub(crate) write: fn(At<'_, Service<'_>>, &str, bool) -> String,
}

impl Proxy {
    /// The media type of scripts.
    pub const CONTENT_TYPE: &str = "application/x-javascript; charset=utf-8";

    /// The script at this place below the path of a service, such as `js`.
    pub fn named(service: At<'_, Service<'_>>, name: &str) -> Option<Self> {
        let mut bindings = service.bindings().iter();
        bindings.find_map(|binding| documented(binding).proxy(name))
    }

    /// Whether it is for development: it has comments, and nobody may keep it.
    pub fn is_commented(self) -> bool {
        self.commented
    }

    /// The script of a service that is called at a path, which is percent-encoded.
    pub fn script(self, service: At<'_, Service<'_>>, path: &str) -> String {
        (self.write)(service, path, self.commented)
    }
}
