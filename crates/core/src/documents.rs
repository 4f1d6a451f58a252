//! Documents over HTTP: WSDL, discovery and the help page, for GET requests to the service's path.

mod about;
mod address;
mod index;
mod loopback;
mod script;
#[cfg(feature = "theme")]
mod theme;

use std::net::IpAddr;

use bytes::Bytes;
use http::{Method, Response, StatusCode, request};
pub use svcgen_documents::Shape;
use svcgen_documents::page::HelpPage;
use svcgen_documents::{Proxy, WsdlOptions, disco, schema_of_set, wsdl};
use svcgen_model::{At, Service, base_path};

use crate::packaging::Packaging;
use crate::paths::Found;
use crate::response::{self, NoCall};
use about::About;
use address::address;
pub(crate) use address::is_encrypted_to_proxy;
pub(crate) use index::{Listed, index};
use loopback::is_from_loopback;
use svcgen_wire::{Limits, internals::form::percent_decode};
#[cfg(feature = "theme")]
pub use theme::{InvalidTheme, Theme};

/// The documents of a server.
///
/// | at the path of the service | document |
/// |---|---|
/// | no query, `?op=OPERATION` | the help page |
/// | `?wsdl` | the WSDL |
/// | `?wsdl=original` | the WSDL in the shape of ASMX |
/// | `?disco` | the discovery document, which points .NET's tools to `?wsdl=original` |
/// | `?schema=NAME` | the schema of a typed `DataSet` |
/// | `?openapi` | with the feature `openapi`, an OpenAPI document of the operations over HTTP GET, HTTP POST and JSON |
/// | `/js`, `/jsdebug` | the script proxy of a service over JSON, for pages with Microsoft's AJAX library; `/jsdebug` has comments |
///
/// Queries may be in any letter case. Addresses in documents have the scheme, host and path of the
/// request. Behind a proxy, set the public URL or the trusted proxies.
///
/// ```
/// use svcgen::Documents;
///
/// let documents = Documents::new().with_public_url("https://api.example.com/soap")?;
/// let documents = Documents::new().with_trusted_proxies(["10.0.0.1".parse()?]);
/// let nothing = Documents::off();
/// # let _ = (documents, nothing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Documents {
    served: bool,
    options: WsdlOptions,
    page: bool,
    form: InvokeForm,
    about: About,
    public_url: Option<String>,
    /// The proxies whose `Forwarded` and `X-Forwarded-*` headers are trusted; `None` trusts all
    /// callers.
    proxies: Option<Vec<IpAddr>>,
}

/// The callers who get a form on the help page that calls operations. The form can call nothing
/// that other callers cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InvokeForm {
    /// Nobody. The page describes how to turn the form on.
    #[default]
    Never,
    /// Browsers on the same machine: requests from a loopback address, over HTTP/1.1, for a
    /// loopback name (`localhost`, `127.0.0.1`, `[::1]`), with `Connection: keep-alive`, which
    /// proxies do not forward, and without the headers of a proxy (`Forwarded`, `X-Forwarded-…`,
    /// `X-Envoy-…`, `X-Real-IP`, `Via`). Without a known address, a caller gets no form.
    ///
    /// Use it for development: a proxy on the same machine that forwards all headers unchanged and
    /// names a loopback host counts as a browser.
    FromLoopback,
    /// Everybody.
    Always,
}

/// The error for a text that is not the URL of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidLogo;

impl std::fmt::Display for InvalidLogo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a logo is a URL like data:image/png;base64,iVBORw0… of visible ASCII")
    }
}

impl std::error::Error for InvalidLogo {}

/// The error for a text that is not the URL of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidUrl(String);

impl std::fmt::Display for InvalidUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(url) = self;
        write!(
            f,
            "{url:?} is not a URL like https://api.example.com/soap: it needs http or https and a host, and has no query"
        )
    }
}

impl std::error::Error for InvalidUrl {}

impl Default for Documents {
    fn default() -> Self {
        Self {
            served: true,
            options: WsdlOptions::default(),
            page: true,
            form: InvokeForm::default(),
            about: About::default(),
            public_url: None,
            proxies: Some(Vec::new()),
        }
    }
}

impl Documents {
    /// Serves all documents, and trusts no proxy.
    pub fn new() -> Self {
        Self::default()
    }

    /// Serves no documents.
    pub fn off() -> Self {
        Self {
            served: false,
            ..Self::default()
        }
    }

    /// Starts addresses with this URL, followed by the path of the request. If a router around the
    /// service cuts off the start of paths, include this start in the URL:
    /// `https://api.example.com/v1` under axum's `nest_service("/v1", …)`.
    ///
    /// # Errors
    ///
    /// The URL is not `http` or `https`, or has a query.
    pub fn with_public_url(mut self, url: &str) -> Result<Self, InvalidUrl> {
        if !address::is_public_url(url) {
            return Err(InvalidUrl(url.to_owned()));
        }
        self.public_url = Some(url.trim_end_matches('/').to_owned());
        Ok(self)
    }

    /// Trusts the headers `Forwarded` and `X-Forwarded-Proto`, `-Host`, `-Port` and `-Prefix` in
    /// requests from these addresses. Of several values, the last one counts, which the proxy
    /// itself wrote. The address of a caller is the extension
    /// [`RemoteAddress`](crate::RemoteAddress) of its request, which `serve` adds.
    ///
    /// The forwarded scheme also decides whether session cookies are `Secure`, and which origin
    /// counts as the service's own.
    #[must_use]
    pub fn with_trusted_proxies(mut self, proxies: impl IntoIterator<Item = IpAddr>) -> Self {
        self.proxies = Some(proxies.into_iter().collect());
        self
    }

    /// Trusts these headers in all requests. Use it only for servers that only a proxy can reach.
    #[must_use]
    pub fn with_any_proxy(mut self) -> Self {
        self.proxies = None;
        self
    }

    /// Sets the shape of the WSDL; by default, the shape that most SOAP stacks can load.
    #[must_use]
    pub fn with_shape(mut self, shape: Shape) -> Self {
        self.options.shape = shape;
        self
    }

    /// Sets whether there is a help page; by default, there is.
    #[must_use]
    pub fn with_help_page(mut self, page: bool) -> Self {
        self.page = page;
        self
    }

    /// Sets who gets a form on the help page that calls operations; by default, nobody.
    ///
    /// ```
    /// use svcgen::Documents;
    /// use svcgen::documents::InvokeForm;
    ///
    /// let documents = Documents::new().with_invoke_form(InvokeForm::FromLoopback);
    /// # let _ = documents;
    /// ```
    #[must_use]
    pub fn with_invoke_form(mut self, form: InvokeForm) -> Self {
        self.form = form;
        self
    }

    /// Shows the version of the program on the help page.
    #[must_use]
    pub fn with_version(mut self, version: impl Into<String>) -> Self {
        self.about.version = Some(version.into());
        self
    }

    /// Adds a link to the help page for the readiness of the program, such as `/readyz` of
    /// `serve::Health`.
    #[must_use]
    pub fn with_health_link(mut self, path: impl Into<String>) -> Self {
        self.about.health = Some(path.into());
        self
    }

    /// Shows an image before the name of the service on the help page. It must be a `data:` URL,
    /// because pages load nothing.
    ///
    /// ```
    /// use svcgen::Documents;
    ///
    /// let logo = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=";
    /// let documents = Documents::new().with_version(env!("CARGO_PKG_VERSION")).with_logo(logo)?;
    /// # let _ = documents;
    /// # Ok::<(), svcgen::documents::InvalidLogo>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not the `data:` URL of an image.
    pub fn with_logo(mut self, url: &str) -> Result<Self, InvalidLogo> {
        if !about::is_image(url) {
            return Err(InvalidLogo);
        }
        self.about.logo = Some(url.to_owned());
        Ok(self)
    }

    /// Sets the colours of the help page.
    #[cfg(feature = "theme")]
    #[must_use]
    pub fn with_theme(mut self, theme: Theme) -> Self {
        self.about.theme = Some(theme);
        self
    }

    /// Sets whether documents contain the `doc` texts of the definition; by default, they do.
    #[must_use]
    pub fn with_documentation(mut self, documentation: bool) -> Self {
        self.options.documentation = documentation;
        self
    }

    fn trusts(&self, caller: Option<IpAddr>) -> bool {
        let known = self.proxies.as_ref();
        known.is_none_or(|known| caller.is_some_and(|caller| known.contains(&caller)))
    }
}

/// A document, or a page of the help page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Document {
    Wsdl,
    /// The WSDL in the shape of ASMX, independent of the shape of `?wsdl`.
    OriginalWsdl,
    /// The schema of a typed `DataSet`, as a document.
    Schema(String),
    Disco,
    #[cfg(feature = "openapi")]
    OpenApi,
    Overview,
    /// The help page of an operation, with the name as requested.
    Operation(String),
    /// A script below the path of the service.
    Script(Proxy),
}

impl Document {
    /// Returns the document that a query names (`?wsdl`, `?wsdl=…`, `?wsdl=original`,
    /// `?schema=StockSet`, `?op=Login`); the overview for any other query.
    fn named(service: At<'_, Service<'_>>, query: &str) -> Self {
        let named = query.split('&').find_map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (percent_decode(name).to_ascii_lowercase().as_str(), value) {
                ("wsdl", "original") => Some(Self::OriginalWsdl),
                ("wsdl", _) => Some(Self::Wsdl),
                ("schema", name) => schema_of_set(service, &percent_decode(name)).map(Self::Schema),
                ("disco", _) => Some(Self::Disco),
                #[cfg(feature = "openapi")]
                ("openapi", _) => Some(Self::OpenApi),
                ("op", _) => Some(Self::Operation(percent_decode(value).into_owned())),
                _ => None,
            }
        });
        named.unwrap_or(Self::Overview)
    }
}

impl Documents {
    /// Returns the document that a request to the service's path asks for, if it is served.
    ///
    /// # Errors
    ///
    /// Returns the answer to a method other than GET and HEAD.
    pub(crate) fn find(
        &self,
        service: At<'_, Service<'_>>,
        parts: &request::Parts,
    ) -> Result<Option<Document>, NoCall> {
        if !self.served || !service.is_documented() {
            return Ok(None);
        }
        let document = Document::named(service, parts.uri.query().unwrap_or_default());
        let is_page = matches!(document, Document::Overview | Document::Operation(_));
        if is_page && !self.page {
            return Ok(None);
        }
        match parts.method {
            Method::GET | Method::HEAD => Ok(Some(document)),
            _ => Err(response::not_allowed("GET, HEAD, POST").into()),
        }
    }

    /// Returns the document at a path below the service's, for any method, if it is served.
    pub(crate) fn find_below(&self, service: At<'_, Service<'_>>, name: &str) -> Option<Document> {
        let is_served = self.served && service.is_documented();
        let proxy = Proxy::named(service, name).filter(|_| is_served);
        proxy.map(Document::Script)
    }

    /// Returns the answer to a request for a document.
    pub(crate) fn answer(
        &self,
        document: Document,
        service: At<'_, Service<'_>>,
        parts: &request::Parts,
        found: &Found<'_>,
        limits: &Limits,
        packaging: Option<&dyn Packaging>,
    ) -> Response<Bytes> {
        let options = WsdlOptions {
            mtom: packaging.is_some_and(Packaging::has_policy),
            ..self.options
        };
        let limits = about::limits(limits);
        let address = address(self, parts, found.mount, &found.path);
        // Callers also send the query of the path in the definition.
        let own = service.row().path;
        let is_own = base_path(&found.path).eq_ignore_ascii_case(base_path(own));
        let query = own.split_once('?').filter(|_| is_own);
        let whole = query.map(|(_, query)| format!("{address}?{query}"));
        let whole = whole.unwrap_or_else(|| address.clone());
        let page = HelpPage {
            service,
            address: &whole,
            form: match self.form {
                InvokeForm::Never => false,
                InvokeForm::FromLoopback => is_from_loopback(self, parts),
                InvokeForm::Always => true,
            },
            documentation: self.options.documentation,
            about: self.about.shown(&limits, packaging.is_some()),
        };
        let html = |status, body| response::page(status, &page.policy(), body);
        let mut response = match document {
            Document::Wsdl => xml(wsdl(service, &whole, options)),
            Document::OriginalWsdl => {
                let shape = Shape::Original;
                xml(wsdl(service, &whole, WsdlOptions { shape, ..options }))
            }
            Document::Schema(schema) => xml(schema),
            Document::Disco => xml(disco(service, &whole, self.options.shape)),
            #[cfg(feature = "openapi")]
            Document::OpenApi => {
                let url = address.strip_suffix(&*found.path).unwrap_or(&address);
                let document = svcgen_documents::openapi(service, url).to_string();
                let content_type = Some("application/json");
                response::called(StatusCode::OK, content_type, document.into_bytes())
            }
            Document::Script(proxy) => {
                // The path of the service, which the path of the script continues.
                let (path, _) = page.path().rsplit_once('/').unwrap_or_default();
                script::answer(proxy, proxy.script(service, path), parts)
            }
            Document::Overview => html(StatusCode::OK, page.overview()),
            Document::Operation(name) => match page.operation(&name) {
                Some(body) => html(StatusCode::OK, body),
                None => html(StatusCode::NOT_FOUND, page.unknown_operation(&name)),
            },
        };
        if parts.method == Method::HEAD {
            response.body_mut().clear();
        }
        response
    }
}

fn xml(text: String) -> Response<Bytes> {
    let content_type = Some("text/xml; charset=utf-8");
    response::called(StatusCode::OK, content_type, text.into_bytes())
}
