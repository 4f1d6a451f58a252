//! SOAP headers of a mock that no definition declares.

use std::convert::Infallible;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::task::{Context, Poll};

use clap::Args;
use svcgen::codegen::Endpoint;
use svcgen::layer::{CallRequest, CallResponse, CallService};
use svcgen::types::XmlFragment;
use svcgen::{Secret, ServerOptions};
use svcgen_ws::ws_addressing::ServerAddressing;
use svcgen_ws::ws_security::{ReceivedToken, ServerSecurity, WsSecurity};
use tower_layer::layer_fn;

use crate::login::Login;
use crate::soap_headers::{HEADING, element};

/// The arguments about SOAP headers.
#[derive(Debug, Args)]
pub(super) struct HeaderOptions {
    /// Accepts `mustUnderstand` on a SOAP header that no definition has; `{NAMESPACE}*` covers a
    /// whole namespace
    #[arg(long, value_name = "{NAMESPACE}NAME", help_heading = HEADING)]
    understand: Vec<QualifiedName>,

    /// Adds a SOAP header to each answer: `{NAMESPACE}NAME=TEXT`, an XML element, or `@FILE` with
    /// one
    #[arg(long, value_name = "HEADER", help_heading = HEADING)]
    soap_header: Vec<String>,

    /// Requires this WS-Security UsernameToken on each call; the password may be `env:NAME` or
    /// `file:PATH`
    #[arg(long, value_name = "NAME:PASSWORD", help_heading = HEADING)]
    ws_user: Option<Login>,

    /// Understands the headers of WS-Addressing, and answers with them
    #[arg(long, help_heading = HEADING)]
    ws_addressing: bool,
}

/// The name of an element and its namespace.
#[derive(Debug, Clone)]
struct QualifiedName {
    namespace: String,
    name: String,
}

impl FromStr for QualifiedName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let both = text.strip_prefix('{').and_then(|text| text.split_once('}'));
        let both = both.filter(|(_, name)| !name.is_empty());
        let (namespace, name) = both.ok_or("write it as `{NAMESPACE}NAME`")?;
        Ok(Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        })
    }
}

/// The settings for SOAP headers that no definition has.
pub(super) struct UndeclaredHeaders {
    understood: Vec<QualifiedName>,
    added: Arc<[XmlFragment]>,
    login: Option<(String, Secret<String>)>,
    has_addressing: bool,
}

impl HeaderOptions {
    /// Reads the settings from the arguments. May ask for a password.
    ///
    /// # Errors
    ///
    /// Returns an error if the password is missing, or a header is not an element.
    pub(super) fn read(&self) -> Result<UndeclaredHeaders, String> {
        let added = self.soap_header.iter().map(|argument| {
            element(argument)?.ok_or_else(|| {
                format!("`{argument}` is not a SOAP header: write it as `{{NAMESPACE}}NAME=TEXT`, an element, or `@FILE` of one")
            })
        });
        let login = self.ws_user.as_ref().map(|login| {
            let password = login.password("--ws-user")?;
            Ok::<_, String>((login.name().to_owned(), password))
        });
        Ok(UndeclaredHeaders {
            understood: self.understand.clone(),
            added: added.collect::<Result<_, _>>()?,
            login: login.transpose()?,
            has_addressing: self.ws_addressing,
        })
    }
}

impl UndeclaredHeaders {
    /// Adds the understood headers to the options of a server.
    pub(super) fn understood_by(&self, options: ServerOptions) -> ServerOptions {
        let names = self.understood.iter();
        options.with_understood_headers(names.map(|one| (&*one.namespace, &*one.name)))
    }

    /// Makes an endpoint require the token and answer with these headers.
    pub(super) fn around(&self, mut endpoint: Endpoint) -> Endpoint {
        if !self.added.is_empty() {
            let added = &self.added;
            endpoint = endpoint.with_layer(layer_fn(|inner| AddsHeaders {
                added: Arc::clone(added),
                inner,
            }));
        }
        if let Some((user, password)) = &self.login {
            let (user, password) = (user.clone(), password.clone());
            endpoint = endpoint.with_ws_security(WsSecurity::new(move |token: &ReceivedToken| {
                token.matches((token.user() == user).then_some(&*password))
            }));
        }
        if self.has_addressing {
            endpoint = endpoint.with_ws_addressing();
        }
        endpoint
    }
}

/// Adds SOAP headers to answers.
#[derive(Clone)]
struct AddsHeaders {
    added: Arc<[XmlFragment]>,
    inner: CallService,
}

impl tower_service::Service<CallRequest> for AddsHeaders {
    type Response = CallResponse;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<CallResponse, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: CallRequest) -> Self::Future {
        let added = Arc::clone(&self.added);
        let answered = self.inner.call(request);
        Box::pin(async move {
            let mut response = answered.await?;
            for header in &*added {
                response.add_soap_header(header);
            }
            Ok(response)
        })
    }
}
