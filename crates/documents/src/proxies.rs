//! Scripts with functions that call the operations of a service, for pages.

use svcgen_model::{At, Binding, Service};

use crate::binding::documented;

/// A script with functions that call the operations of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proxy {
    binding: Binding,
    commented: bool,
}

impl Proxy {
    /// The media type of scripts.
    pub const CONTENT_TYPE: &'static str = "application/x-javascript; charset=utf-8";

    /// Returns the script at this place below the path of a service: `js` or `jsdebug`, in any
    /// letter case.
    pub fn named(service: At<'_, Service<'_>>, name: &str) -> Option<Self> {
        let commented = name.eq_ignore_ascii_case("jsdebug");
        if !commented && !name.eq_ignore_ascii_case("js") {
            return None;
        }
        let mut bindings = service.bindings().iter();
        let binding = bindings.find(|binding| documented(*binding).proxy().is_some())?;
        Some(Self { binding, commented })
    }

    /// Whether it is for development: it has comments, and must not be cached.
    pub fn is_commented(self) -> bool {
        self.commented
    }

    /// Returns the script of a service at a path, which is percent-encoded.
    pub fn script(self, service: At<'_, Service<'_>>, path: &str) -> String {
        let write = documented(self.binding).proxy();
        write.map_or_else(String::new, |write| write(service, path, self.commented))
    }
}
