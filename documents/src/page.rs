//! The help page of a service: its operations, how each is called, and a form that calls it; the index page of several services.
//!
//! A page loads nothing else and is readable without scripts. A script in the page runs the form; the page's policy
//! ([`HelpPage::policy`]) allows that script and the style sheet by their hashes, and nothing else.

mod form;
mod index;
pub(crate) mod policy;

pub use index::{Listed, index, index_policy};
use svcgen_model::{At, Operation, Service};

use crate::escape::escaped;
use crate::html::{Html, put};
use crate::samples::Samples;
use svcgen_model::{Types, elements_of};

/// The script that runs the form.
const SCRIPT: &str = include_str!("page/script.js");

/// The help page of a service for one caller.
#[derive(Debug, Clone, Copy)]
pub struct HelpPage<'d> {
    /// The service.
    pub service: At<'d, Service<'d>>,
    /// The URL of the service, without a query.
    pub address: &'d str,
    /// Whether a form invokes operations.
    pub form: bool,
    /// Whether it contains the documentation of the definition.
    pub documentation: bool,
}

impl HelpPage<'_> {
    /// The path of the service, as in its URL.
    pub fn path(&self) -> &str {
        self.host_and_path().1
    }

    /// The page of the service: all operations and types.
    pub fn overview(&self) -> String {
        let service = self.service;
        let mut html = self.start("", service.name);
        html.documentation("lead", service.documentation());
        put!(html, "<dl class=\"facts\">");
        html.exact_fact("Address", self.address);
        html.exact_fact("Namespace", service.namespace);
        if let Some(zone) = service.time_zone {
            html.exact_fact("Time zone", zone);
        }
        put!(html, "</dl>\n");
        html.operations(service, "?op=");
        html.definitions(&Types::of(service).definitions().collect::<Vec<_>>());
        html.foot();
        html.finish()
    }

    /// The page of an operation, in any letter case; `None` if there is no such operation.
    pub fn operation(&self, name: &str) -> Option<String> {
        let lower = name.to_lowercase();
        let operations = self.service.operations();
        let matching = operations.filter(|operation| operation.name.to_lowercase() == lower);
        let operation = matching.min_by_key(|operation| operation.name != name)?;
        Some(self.page_of(operation))
    }

    /// The page for the name of an unknown operation.
    pub fn unknown_operation(&self, name: &str) -> String {
        let mut html = self.start("Unknown operation", "Unknown operation");
        put!(
            html,
            "<p class=\"lead\">{} has no operation <code>{}</code>.</p>\n",
            escaped(self.service.name),
            escaped(&shortened(name))
        );
        html.operations(self.service, "?op=");
        html.foot();
        html.finish()
    }

    /// The `Content-Security-Policy` of the pages.
    pub fn policy(&self) -> &'static str {
        if self.form {
            policy::WITH_FORM
        } else {
            policy::READ_ONLY
        }
    }

    /// A page up to its heading. The title begins with the topic, or is the name of the service alone.
    fn start(&self, about: &str, heading: &str) -> Html {
        let name = self.service.name;
        let title = match about {
            "" => format!("{name} Web Service"),
            about => format!("{about} – {name} Web Service"),
        };
        let mut html = Html::new(self.documentation);
        let disco = format_args!(
            "<link rel=\"alternate\" type=\"text/xml\" href=\"{}?disco\" />",
            escaped(self.path())
        );
        html.head(&title, disco);
        let nav = "<nav aria-label=\"Documents\"><a href=\"?WSDL\">WSDL</a><a href=\"?disco\">Discovery</a></nav>";
        html.banner(name, "?", nav, heading);
        html
    }

    fn page_of(&self, operation: At<'_, Operation<'_>>) -> String {
        let service = self.service;
        let (host, path) = self.host_and_path();
        let samples = Samples::at(service, path);
        let mut html = self.start(operation.name, operation.name);
        html.documentation("lead", operation.documentation());
        html.facts(operation);
        html.section("parameters-heading", "Parameters", |html| {
            html.parameters(operation);
        });
        html.section("invoke-heading", "Invoke", |html| {
            if self.form {
                form::write(html, service, operation, &samples.types);
            } else {
                put!(html, "<p class=\"muted\">{NO_FORM}</p>\n");
            }
        });
        html.section("samples", "Samples", |html| {
            put!(html, "<p class=\"muted\">{PLACEHOLDERS}</p>\n");
            html.samples(operation, &samples.of(operation, host), 3);
        });
        let reach = samples.types.reach(elements_of(service, operation));
        html.definitions(&reach.definitions);
        html.foot();
        if self.form {
            put!(html, "<script>{SCRIPT}</script>\n");
        }
        html.finish()
    }

    /// Host and port of the address, and its path.
    fn host_and_path(&self) -> (&str, &str) {
        let (_, rest) = self.address.split_once("://").unwrap_or(("", self.address));
        rest.split_at(rest.find('/').unwrap_or(rest.len()))
    }
}

/// What a page says in place of its form.
const NO_FORM: &str = "There is no form to call this operation. A server shows one with <code>Documents::with_invoke_form</code>: \
    <code>InvokeForm::FromLoopback</code> to browsers on its own machine, <code>InvokeForm::Always</code> to everybody.";

/// The legend of samples.
pub(crate) const PLACEHOLDERS: &str = "The coloured words stand for values: the name of a type, the values of an enumeration, the length of the body.";

/// The start of a name that is too long to be shown.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(80) {
        Some((end, _)) => format!("{} …", &name[..end]),
        None => name.to_owned(),
    }
}
