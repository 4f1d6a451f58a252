//! The help page of a service: its operations, their bindings with samples, and a form that calls
//! them; the index page of several services.
//!
//! A page loads nothing else and is readable without scripts. Scripts in the page filter
//! operations, copy texts and run the form; the page's policy ([`HelpPage::policy`]) allows those
//! scripts and the style sheet by their hashes, and nothing else.

mod form;
mod index;
pub(crate) mod policy;

use std::borrow::Cow;

pub use index::{Listed, index, index_policy};
use svcgen_model::{At, Bindings, Operation, Service, Types, base_path, elements_of};

use crate::escape::escaped;
use crate::frame::{self, Frame};
use crate::html::{Html, put};
use crate::samples::Samples;

/// The script that runs the form, by subject.
const SCRIPT: &str = concat!(
    include_str!("page/script/fields.js"),
    include_str!("page/script/message.js"),
    include_str!("page/script/text.js"),
    include_str!("page/script/answer.js"),
    include_str!("page/script/code.js"),
    include_str!("page/script/kept.js"),
    include_str!("page/script/call.js"),
);

/// The help page of a service for one caller.
#[derive(Debug, Clone, Copy)]
pub struct HelpPage<'d> {
    /// The service.
    pub service: At<'d, Service<'d>>,
    /// The URL of the service, without a query.
    pub address: &'d str,
    /// Whether a form invokes operations.
    pub form: bool,
    /// Whether the page contains the documentation of the definition.
    pub documentation: bool,
    /// The information of a server about itself.
    pub about: About<'d>,
}

/// The information of a server about itself on its help page.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'d> {
    /// The version of the program.
    pub version: Option<&'d str>,
    /// The path of the endpoint that reports whether it can take calls.
    pub health: Option<&'d str>,
    /// The `data:` URL of an image.
    pub logo: Option<&'d str>,
    /// Whether the server returns an OpenAPI document at `?openapi`.
    pub openapi: bool,
    /// The limits of messages: a description and the value of each.
    pub limits: &'d [(&'static str, String)],
    /// Whether the server reads and writes messages in MTOM.
    pub mtom: bool,
    /// The colours, if they differ from the default.
    pub style: Option<Style<'d>>,
}

/// A style sheet that follows the style sheet of the pages.
#[derive(Debug, Clone, Copy)]
pub struct Style<'d> {
    /// The text of the style sheet.
    pub css: &'d str,
    /// The hash of the text as in policies: SHA-256 in base64.
    pub hash: &'d str,
}

impl HelpPage<'_> {
    /// Returns the path of the service, as in its URL.
    pub fn path(&self) -> &str {
        self.host_and_path().1
    }

    /// Returns the page of the service: all operations and types.
    pub fn overview(&self) -> String {
        let service = self.service;
        let mut html = self.start("", service.name, None);
        html.documentation("lead", service.documentation());
        put!(html, "<dl class=\"facts\">");
        html.exact_fact("Address", self.address);
        html.exact_fact("Namespace", service.namespace);
        if let Some(zone) = service.time_zone {
            html.exact_fact("Time zone", zone);
        }
        self.bindings(&mut html);
        self.about(&mut html);
        put!(html, "</dl>\n");
        html.operations(service, "?op=");
        html.all_faults(service, |operation, fault| {
            format!("?op={operation}#fault-{fault}")
        });
        html.definitions(&Types::of(service).definitions().collect::<Vec<_>>());
        html.close(&[frame::SCRIPT]);
        html.finish()
    }

    /// Writes the bindings of the service, and the bindings that are off.
    fn bindings(&self, html: &mut Html) {
        let on = self.service.bindings();
        html.fact("Bindings", &on.to_string());
        let off = Bindings::ALL.without(on);
        if !off.is_empty() {
            let them = if off.iter().count() > 1 { "them" } else { "it" };
            let why = format!("{off}: no operation has {them} in the definition");
            html.fact("Off", &why);
        }
    }

    /// Writes the information of the server about itself.
    fn about(&self, html: &mut Html) {
        let About {
            version,
            health,
            limits,
            mtom,
            ..
        } = self.about;
        if let Some(version) = version {
            html.fact("Version", version);
        }
        if let Some(path) = health {
            let path = escaped(path);
            put!(
                html,
                "<dt>Health</dt><dd><a id=\"health\" href=\"{path}\">{path}</a> <span role=\"status\"></span></dd>\n"
            );
        }
        if !limits.is_empty() {
            let limits: Vec<_> = limits
                .iter()
                .map(|(what, most)| format!("{what} {most}"))
                .collect();
            html.fact("Limits", &limits.join(", "));
        }
        if mtom && self.service.bindings().has_soap() {
            let form = if self.form { FORM_WITHOUT_MTOM } else { "" };
            html.fact("Attachments", &format!("{WITH_MTOM}{form}"));
        }
    }

    /// Returns the page of an operation, in any letter case; `None` if there is no such operation.
    pub fn operation(&self, name: &str) -> Option<String> {
        let lower = name.to_lowercase();
        let operations = self.service.operations();
        let matching = operations.filter(|operation| operation.name.to_lowercase() == lower);
        let operation = matching.min_by_key(|operation| operation.name != name)?;
        Some(self.page_of(operation))
    }

    /// Returns the page for the name of an unknown operation.
    pub fn unknown_operation(&self, name: &str) -> String {
        let mut html = self.start("Unknown operation", "Unknown operation", None);
        put!(
            html,
            "<p class=\"lead\">{} has no operation <code>{}</code>.</p>\n",
            escaped(self.service.name),
            escaped(&shortened(name))
        );
        html.operations(self.service, "?op=");
        html.close(&[frame::SCRIPT]);
        html.finish()
    }

    /// Returns the `Content-Security-Policy` of the pages.
    pub fn policy(&self) -> Cow<'static, str> {
        let policy = match (self.form, self.about.health) {
            (true, _) => policy::WITH_FORM,
            (false, Some(_)) => policy::WITH_HEALTH,
            (false, None) => policy::READ_ONLY,
        };
        match self.about.style {
            Some(Style { hash, .. }) => {
                let styles = format!("style-src 'sha256-{hash}' ");
                policy.replacen("style-src ", &styles, 1).into()
            }
            None => policy.into(),
        }
    }

    /// Starts a page up to its heading. The title begins with the topic, or is only the name of the
    /// service.
    fn start(&self, about: &str, heading: &str, current: Option<&str>) -> Html {
        let name = self.service.name;
        let title = match about {
            "" => format!("{name} Web Service"),
            about => format!("{about} – {name} Web Service"),
        };
        let mut html = Html::new(self.documentation);
        let logo = self
            .about
            .logo
            .map(|url| format!("<img src=\"{}\" alt=\"\">", escaped(url)));
        let operations = self.service.operations();
        let rail = operations.map(|operation| {
            let name = operation.row().name;
            (format!("?op={name}"), name)
        });
        html.open(&Frame {
            title: &title,
            head: &format!(
                "<link rel=\"alternate\" type=\"text/xml\" href=\"{}?disco\" />",
                escaped(base_path(self.path()))
            ),
            style: self.about.style.map(|style| style.css),
            brand: name,
            home: "?",
            logo: logo.as_deref().unwrap_or_default(),
            links: ("Documents", &self.links()),
            rail: &rail.collect::<Vec<_>>(),
            current,
        });
        html.heading(heading);
        html
    }

    /// Returns the links to documents.
    fn links(&self) -> Vec<(String, String)> {
        let mut links = vec![
            ("?WSDL", "WSDL"),
            ("?WSDL=original", "WSDL of ASMX"),
            ("?disco", "Discovery"),
        ];
        if self.about.openapi {
            links.push(("?openapi", "OpenAPI"));
        }
        let links = links.into_iter();
        links
            .map(|(to, text)| (to.to_owned(), text.to_owned()))
            .collect()
    }

    fn page_of(&self, operation: At<'_, Operation<'_>>) -> String {
        let service = self.service;
        let (host, path) = self.host_and_path();
        let samples = Samples::at(service, path);
        let mut html = self.start(operation.name, operation.name, Some(operation.name));
        put!(html, "<p class=\"under\">");
        html.signature(operation);
        put!(html, "</p>\n");
        html.documentation("lead", operation.documentation());
        html.facts(operation);
        put!(html, "<div class=\"columns\">\n");
        if self.form {
            html.section("invoke-heading", "Invoke", |html| {
                form::write(html, service, operation, &samples.types);
            });
        }
        let reach = samples.types.reach(elements_of(service, operation));
        put!(html, "<div class=\"side\">\n");
        if self.form {
            form::exchange(&mut html);
        }
        html.section("samples", "Samples", |html| {
            put!(html, "<p class=\"muted\">{PLACEHOLDERS}</p>\n");
            html.samples(operation, &samples.of(operation, host), 3, !self.form);
        });
        put!(html, "</div>\n<div class=\"reference\">\n");
        html.section("parameters-heading", "Parameters", |html| {
            html.parameters(operation);
            html.soap_headers(operation, 3);
            html.faults(operation, 3);
            html.limits(service, operation, 3);
        });
        html.definitions(&reach.definitions);
        if !self.form {
            put!(html, "<p class=\"muted\">{NO_FORM}</p>\n");
        }
        put!(html, "</div>\n</div>\n");
        if self.form {
            html.close(&[frame::SCRIPT, SCRIPT]);
        } else {
            html.close(&[frame::SCRIPT]);
        }
        html.finish()
    }

    /// Returns the host and port of the address, and its path.
    fn host_and_path(&self) -> (&str, &str) {
        let (_, rest) = self.address.split_once("://").unwrap_or(("", self.address));
        rest.split_at(rest.find('/').unwrap_or(rest.len()))
    }
}

/// The text of a page without a form.
const NO_FORM: &str = "There is no form to call this operation. A server shows one with <code>Documents::with_invoke_form</code>: \
    <code>InvokeForm::FromLoopback</code> to browsers on its own machine, <code>InvokeForm::Always</code> to everybody.";

/// The text about a server that reads and writes MTOM.
const WITH_MTOM: &str = "messages in MTOM are read, and answered in MTOM";

/// The additional text about MTOM on a page with a form.
const FORM_WITHOUT_MTOM: &str = "; the form sends bytes in base64";

/// The legend of samples.
pub(crate) const PLACEHOLDERS: &str = "The coloured words stand for values: the name of a type, the values of an enumeration, the length of the body.";

/// Shortens a name that is too long to show.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(80) {
        Some((end, _)) => format!("{} …", &name[..end]),
        None => name.to_owned(),
    }
}
