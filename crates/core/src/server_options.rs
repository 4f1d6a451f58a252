//! The options of a server.

use std::sync::Arc;
use std::time::Duration;

use http::request;

use crate::authentication::Authentication;
#[cfg(feature = "documents")]
use crate::documents::{Documents, is_encrypted_to_proxy};
use crate::fallback::Fallback;
use crate::host::is_encrypted;
use crate::packaging::Packaging;
use crate::paths::{InvalidPath, check_paths};
use svcgen_wire::Limits;

/// The options of a server.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServerOptions {
    /// The limits of requests.
    pub limits: Limits,
    /// The namespaces and names of SOAP headers that count as understood.
    pub(crate) understood_headers: Vec<(String, String)>,
    /// The paths of the service; empty for the path of its definition.
    pub(crate) paths: Vec<String>,
    /// Whether to refuse unknown, repeated or misplaced elements, and form fields that are not
    /// parameters. By default, as in ASMX, they are ignored.
    pub strict: bool,
    /// Whether to check the facets of values in requests. By default, as in ASMX, no value is
    /// checked.
    #[cfg(feature = "facets")]
    pub facets: bool,
    /// Whether requests and answers may be in gzip. By default they are not.
    #[cfg(feature = "gzip")]
    pub gzip: bool,
    /// The hosts that requests may name, with or without a port; `None`, the default, allows any.
    pub allowed_hosts: Option<Vec<String>>,
    /// The origins whose pages may call the service, besides its own; `None`, the default, allows
    /// any.
    pub allowed_origins: Option<Vec<String>>,
    /// Whether lines of results over HTTP GET and POST end with CR LF, as on Windows, instead of
    /// LF.
    pub crlf: bool,
    /// Whether results in JSON have `null` for numbers that JSON lacks. By default, as in ASMX,
    /// they are `NaN`, `Infinity` and `-Infinity`, which callers read as JavaScript.
    pub nan_as_null: bool,
    /// The time limit of a handler, after which it is cancelled and its caller gets the fault
    /// `Request timed out.`; `None` for any time. The default is 110 seconds, as in ASP.NET.
    ///
    /// The deadline uses tokio's timers (`enable_time`). Without the features `serve` and `client`,
    /// and outside of a tokio runtime, there is no deadline.
    pub deadline: Option<Duration>,
    /// Whether to cancel the handler of a call when its caller is gone. By default, as in ASMX, it
    /// finishes unless its operation is marked `read_only`. One-way operations always finish. This
    /// works only under `serve`, which notices that a caller is gone.
    pub cancel_abandoned: bool,
    /// The WSDL, the discovery document and the help page.
    #[cfg(feature = "documents")]
    pub documents: Documents,
    /// The authentication of callers.
    pub(crate) authentication: Option<Authentication>,
    /// The server for calls that are not implemented here.
    pub(crate) fallback: Option<Arc<Fallback>>,
    /// Reads and writes messages with attachments.
    pub(crate) packaging: Option<Arc<dyn Packaging>>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            understood_headers: Vec::new(),
            paths: Vec::new(),
            strict: false,
            #[cfg(feature = "facets")]
            facets: false,
            #[cfg(feature = "gzip")]
            gzip: false,
            crlf: false,
            nan_as_null: false,
            deadline: Some(Duration::from_secs(110)),
            cancel_abandoned: false,
            allowed_hosts: None,
            allowed_origins: None,
            #[cfg(feature = "documents")]
            documents: Documents::default(),
            authentication: None,
            fallback: None,
            packaging: None,
        }
    }
}

impl ServerOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limits of requests.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the paths of the service, instead of the path in its definition. Addresses in WSDL and
    /// help page have the path of the request.
    ///
    /// ```
    /// let options = svcgen::ServerOptions::new().with_paths(["/Greeter.asmx", "/old/Greeter.asmx"])?;
    /// # Ok::<(), svcgen::InvalidPath>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no path, one is not valid as a path of a definition, or two are equal except for
    /// letter case, or one is below another.
    pub fn with_paths<P: Into<String>>(
        mut self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Self, InvalidPath> {
        let paths: Vec<_> = paths.into_iter().map(P::into).collect();
        check_paths(&paths)?;
        self.paths = paths;
        Ok(self)
    }

    /// Sets which undeclared SOAP headers a handler or a [layer](crate::layer) understands, such as
    /// those of a gateway or of WS-Addressing, by namespace and name; `*` stands for all names of a
    /// namespace.
    ///
    /// This applies to every operation: `mustUnderstand` on these headers is accepted.
    /// [`Context::unknown_headers`](crate::Context::unknown_headers) and
    /// [`CallRequest::unknown_headers`](crate::layer::CallRequest::unknown_headers) return them as
    /// XML, with any actor.
    ///
    /// List only headers that you act upon: a caller that sends `mustUnderstand` relies on it (SOAP
    /// 1.1 §4.2.3, SOAP 1.2 part 1 §5.2.3).
    ///
    /// ```
    /// let options = svcgen::ServerOptions::new().with_understood_headers([
    ///     ("urn:example:gateway", "Tenant"),
    ///     ("http://www.w3.org/2005/08/addressing", "*"),
    /// ]);
    /// ```
    #[must_use]
    pub fn with_understood_headers<'a>(
        mut self,
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let headers = headers.into_iter();
        let owned = headers.map(|(namespace, name)| (namespace.to_owned(), name.to_owned()));
        self.understood_headers = owned.collect();
        self
    }

    /// Sets whether values are read strictly.
    #[must_use]
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets whether to check facets (lengths, patterns, limits and the like) and the number of
    /// items of lists. A forbidden value is a fault of the client. With checks, each message is
    /// read twice.
    ///
    /// Creating the server panics if a pattern of the service is not a regular expression of XML
    /// Schema (SVC047).
    #[cfg(feature = "facets")]
    #[must_use]
    pub fn with_facets(mut self, checked: bool) -> Self {
        self.facets = checked;
        self
    }

    /// Sets whether request bodies may be compressed with gzip, and whether to compress answers and
    /// documents of more than 1 KiB for callers that accept gzip. Limits apply to the uncompressed
    /// body.
    ///
    /// ASMX itself does neither; IIS compresses answers. The length of a compressed answer reveals
    /// something about its content: leave this off if answers contain both secrets and text that
    /// others choose, and somebody may observe their length (BREACH).
    ///
    /// ```
    /// let options = svcgen::ServerOptions::new().with_gzip(true);
    /// ```
    #[cfg(feature = "gzip")]
    #[must_use]
    pub fn with_gzip(mut self, gzip: bool) -> Self {
        self.gzip = gzip;
        self
    }

    /// Whether bodies may be in gzip.
    pub(crate) fn speaks_gzip(&self) -> bool {
        #[cfg(feature = "gzip")]
        return self.gzip;
        #[cfg(not(feature = "gzip"))]
        false
    }

    /// Sets the only hosts that requests may name, such as `svc.corp.example` (on any port) or
    /// `10.0.0.7:8080`. Requests that name another host, or none, get 403 before anything runs.
    /// Behind a proxy that writes its upstream's name into `Host`, list that name.
    ///
    /// Set this for a service without credentials that only a private network can reach. Otherwise
    /// any web page, opened in a browser in that network, can call the service by letting a name of
    /// its own resolve to the service's address (DNS rebinding).
    ///
    /// ```
    /// let options = svcgen::ServerOptions::new()
    ///     .with_allowed_hosts(["svc.corp.example", "localhost"])
    ///     .with_allowed_origins(["https://portal.corp.example"]);
    /// ```
    #[must_use]
    pub fn with_allowed_hosts<'a>(mut self, hosts: impl IntoIterator<Item = &'a str>) -> Self {
        self.allowed_hosts = Some(hosts.into_iter().map(str::to_owned).collect());
        self
    }

    /// Sets the only origins whose pages may call the service, such as
    /// `https://portal.corp.example`; an empty list allows only pages of the service's own origin.
    /// Scheme, host and port are compared, so a page over `http` does not belong to a service over
    /// `https`; if a proxy ends TLS, name it in `Documents::with_trusted_proxies`. Calls from other
    /// pages, recognised by `Origin` or `Sec-Fetch-Site`, get 403 before anything runs. Requests of
    /// programs have neither header and are served.
    ///
    /// Set this for the same services as [allowed hosts](Self::with_allowed_hosts), because
    /// browsers send form posts and GET requests of any page to any address. Over `http`, browsers
    /// name no origin in GET requests: do not offer HTTP GET there for operations that change
    /// anything.
    #[must_use]
    pub fn with_allowed_origins<'a>(mut self, origins: impl IntoIterator<Item = &'a str>) -> Self {
        self.allowed_origins = Some(origins.into_iter().map(str::to_owned).collect());
        self
    }

    /// Requires callers to log in: see [`authentication`](crate::authentication). By default, they
    /// need not.
    #[must_use]
    pub fn with_authentication(mut self, authentication: Authentication) -> Self {
        self.authentication = Some(authentication);
        self
    }

    /// Sets whether lines end with CR LF.
    #[must_use]
    pub fn with_crlf(mut self, crlf: bool) -> Self {
        self.crlf = crlf;
        self
    }

    /// Sets whether results in JSON have `null` for numbers that JSON lacks, such as NaN.
    #[must_use]
    pub fn with_nan_as_null(mut self, nan_as_null: bool) -> Self {
        self.nan_as_null = nan_as_null;
        self
    }

    /// Limits the time of a handler; `None` for any time.
    #[must_use]
    pub fn with_deadline(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.deadline = time.into();
        self
    }

    /// Sets whether to cancel a handler when its caller is gone.
    #[must_use]
    pub fn with_cancel_abandoned(mut self, cancel: bool) -> Self {
        self.cancel_abandoned = cancel;
        self
    }

    /// Sets the documents.
    #[cfg(feature = "documents")]
    #[must_use]
    pub fn with_documents(mut self, documents: Documents) -> Self {
        self.documents = documents;
        self
    }

    /// Forwards calls that are not implemented here to another server: see
    /// [`fallback`](crate::fallback). By default, there is none.
    #[must_use]
    pub fn with_fallback(mut self, fallback: Fallback) -> Self {
        self.fallback = Some(Arc::new(fallback));
        self
    }

    /// Reads and writes messages with attachments.
    #[doc(hidden)]
    #[must_use]
    pub fn with_packaging(mut self, packaging: Arc<dyn Packaging>) -> Self {
        self.packaging = Some(packaging);
        self
    }

    /// Whether the caller of a request uses TLS, with this server or with a proxy that the
    /// documents trust.
    pub(crate) fn is_encrypted(&self, parts: &request::Parts) -> bool {
        #[cfg(feature = "documents")]
        if let Some(is_encrypted) = is_encrypted_to_proxy(&self.documents, parts) {
            return is_encrypted;
        }
        is_encrypted(parts)
    }
}
