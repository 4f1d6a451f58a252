//! The index page of services that share an address.

use svcgen_model::{At, Service, base_path};

use super::policy;
use crate::escape::escaped;
use crate::frame::Frame;
use crate::html::{Html, put};

/// A service on an index page.
#[derive(Debug, Clone)]
pub struct Listed<'d> {
    /// The service.
    pub service: At<'d, Service<'d>>,
    /// The addresses of the service as links, absolute or from the root of the host.
    pub links: Vec<String>,
    /// Whether there is a help page at each address.
    pub page: bool,
    /// Whether the documentation of the definition is shown.
    pub documentation: bool,
}

/// Returns the page: the services by name, with their documentation, addresses and WSDLs.
pub fn index(services: &[Listed<'_>]) -> String {
    let mut services: Vec<_> = services.iter().collect();
    services.sort_by_key(|listed| (listed.service.name, &listed.links));
    let mut html = Html::new(true);
    html.open(&Frame {
        title: "Web Services",
        head: "",
        style: None,
        brand: "",
        home: "",
        logo: "",
        links: ("", &[]),
        rail: &[],
        current: None,
    });
    html.heading("Web Services");
    put!(html, "<ul class=\"list\">\n");
    for listed in services {
        html.listed(listed);
    }
    put!(html, "</ul>\n");
    html.close(&[]);
    html.finish()
}

/// Returns the `Content-Security-Policy` of the page.
pub fn index_policy() -> &'static str {
    policy::INDEX
}

impl Html {
    fn listed(&mut self, listed: &Listed<'_>) {
        let name = escaped(listed.service.name);
        match listed.links.first() {
            Some(link) if listed.page => {
                put!(self, "<li><a href=\"{}\">{name}</a>\n", escaped(link));
            }
            _ => put!(self, "<li><strong>{name}</strong>\n"),
        }
        let documentation = listed.service.documentation();
        self.documentation("", documentation.filter(|_| listed.documentation));
        let count = listed.service.operations().len();
        let plural = if count == 1 { "" } else { "s" };
        put!(
            self,
            "<p class=\"badges\"><span class=\"badge\">{count} operation{plural}</span> <span class=\"badge\">{}</span></p>\n",
            listed.service.bindings()
        );
        for link in &listed.links {
            let link = escaped(link);
            put!(
                self,
                "<p><code>{link}</code> <a href=\"{}?WSDL\" aria-label=\"WSDL of {name} at {link}\">WSDL</a></p>\n",
                base_path(&link)
            );
        }
        put!(self, "</li>\n");
    }
}
