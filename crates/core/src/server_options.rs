//! The options of a server.

use std::sync::Arc;
use std::time::Duration;

use http::request;

use crate::authentication::Authentication;
#[cfg(feature = "documents")]
use crate::documents::{Documents, is_encrypted_to_proxy};
use crate::fallback::Fallback;
use crate::host::is_encrypted;
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
    /// The paths of the service; none for that of its definition.
    pub(crate) paths: Vec<String>,
    /// Whether to refuse elements that a type does not have, repeats or has in another order, and form fields that are no parameters. By default they are ignored, as by ASMX.
    pub strict: bool,
    /// Whether to check the facets of what is read. By default no value is checked, as by ASMX.
    #[cfg(feature = "facets")]
    pub facets: bool,
    /// Whether requests and answers may be in gzip. By default they are not.
    #[cfg(feature = "gzip")]
    pub gzip: bool,
    /// The hosts that requests may name, with or without a port; `None`, the default, is any.
    pub allowed_hosts: Option<Vec<String>>,
    /// The origins whose pages may call the service, besides its own; `None`, the default, is any.
    pub allowed_origins: Option<Vec<String>>,
    /// Whether lines of results over HTTP GET and POST end with CR LF, as on Windows, instead of LF.
    pub crlf: bool,
    /// Whether results in JSON have `null` for numbers that JSON has none for. By default they are `NaN`, `Infinity` and `-Infinity`, as by ASMX, whose callers read that as JavaScript.
    pub nan_as_null: bool,
    /// How long a handler may take before it is cancelled and its caller gets the fault `Request timed out.`; `None` if it may take any time. 110 seconds, as in ASP.NET.
    ///
    /// Time is that of tokio: without the features `serve` and `client`, and outside a runtime of tokio, there is no deadline. The runtime needs its timers (`enable_time`).
    pub deadline: Option<Duration>,
    /// Whether the handler of a call is cancelled when its caller is gone. By default it finishes, as in ASMX, unless its operation is marked `read_only`. One-way
    /// operations always finish. Only under `serve`, which tells when the caller is gone.
    pub cancel_abandoned: bool,
    /// The WSDL, the discovery document and the help page.
    #[cfg(feature = "documents")]
    pub documents: Documents,
    /// Who may call.
    pub(crate) authentication: Option<Authentication>,
    /// Who answers what is not implemented here.
    pub(crate) fallback: Option<Arc<Fallback>>,
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

    /// Sets the paths at which the service stands, instead of the path of its definition. Addresses in its WSDL and on its help page have the path that was asked for.
    ///
    /// ```
    /// let options = svcgen::ServerOptions::new().with_paths(["/Greeter.asmx", "/old/Greeter.asmx"])?;
    /// # Ok::<(), svcgen::InvalidPath>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no path, one is not a path as a definition has it, or two are the same without regard to letter case, or one below the other.
    pub fn with_paths<P: Into<String>>(
        mut self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Self, InvalidPath> {
        let paths: Vec<_> = paths.into_iter().map(P::into).collect();
        check_paths(&paths)?;
        self.paths = paths;
        Ok(self)
    }

    /// Sets which SOAP headers a handler or a [layer](crate::layer) understands although no operation declares them, such as those of a gateway or of WS-Addressing:
    /// their namespaces and names, `*` for all of a namespace.
    ///
    /// They hold for every operation, and no `mustUnderstand` of them is refused. [`Context::unknown_headers`](crate::Context::unknown_headers) and
    /// [`CallRequest::unknown_headers`](crate::layer::CallRequest::unknown_headers) have them as XML, whomever they are for.
    ///
    /// List what is acted upon alone: a caller that sends `mustUnderstand` relies on that (SOAP 1.1 §4.2.3, SOAP 1.2 part 1 §5.2.3).
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

    /// Sets whether facets are checked: lengths, patterns, limits and the like, and how many items lists have. What they do not allow is a fault of the client.
    /// A message is read twice then.
    ///
    /// Making the server panics if a pattern of the service is no regular expression of XML Schema (SVC047).
    #[cfg(feature = "facets")]
    #[must_use]
    pub fn with_facets(mut self, checked: bool) -> Self {
        self.facets = checked;
        self
    }

    /// Sets whether bodies of requests may be in gzip, and whether answers and documents of more than 1 KiB are for callers that accept it. The limit of bodies is that of the inflated one.
    ///
    /// ASMX does neither by itself, IIS the latter. The length of a compressed answer tells something of what it holds: leave this off if
    /// answers hold both secrets and text that others choose, and somebody may count their bytes (BREACH).
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

    /// Whether there may be bodies in gzip.
    pub(crate) fn speaks_gzip(&self) -> bool {
        #[cfg(feature = "gzip")]
        return self.gzip;
        #[cfg(not(feature = "gzip"))]
        false
    }

    /// Sets the only hosts that requests may name, such as `svc.corp.example` (on any port) or `10.0.0.7:8080`. Requests that name another one,
    /// or none, are answered 403 before anything runs. Behind a proxy that names its upstream in `Host`, that name counts.
    ///
    /// Set them for a service that callers reach without credentials because only a private network can: otherwise a page anywhere, opened in a
    /// browser of that network, calls the service by a name of its own that it lets resolve to the service's address (DNS rebinding).
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

    /// Sets the only origins whose pages may call the service, such as `https://portal.corp.example`; none in the list leaves pages of the
    /// service's own origin. Scheme, host and port are compared: a page over `http` is no page of a service over `https`, whose proxy has to be named in
    /// `Documents::with_trusted_proxies` if it ends TLS. Calls from other pages, by their `Origin` or `Sec-Fetch-Site` header, are answered 403 before anything runs.
    /// Requests of programs have neither header and are served.
    ///
    /// Set them for the same services as [allowed hosts](Self::with_allowed_hosts): browsers send form posts and GET requests of any page
    /// to any address. Over `http` they name no origin in a GET request: do without HTTP GET there for operations that change anything.
    #[must_use]
    pub fn with_allowed_origins<'a>(mut self, origins: impl IntoIterator<Item = &'a str>) -> Self {
        self.allowed_origins = Some(origins.into_iter().map(str::to_owned).collect());
        self
    }

    /// Sets what callers are asked for: see [`authentication`](crate::authentication). By default nothing.
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

    /// Sets whether results in JSON have `null` for numbers that JSON has none for, such as NaN.
    #[must_use]
    pub fn with_nan_as_null(mut self, nan_as_null: bool) -> Self {
        self.nan_as_null = nan_as_null;
        self
    }

    /// Sets how long a handler may take: a time, or `None` for any time.
    #[must_use]
    pub fn with_deadline(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.deadline = time.into();
        self
    }

    /// Sets whether a handler is cancelled when its caller is gone.
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

    /// Sets which server answers what is not implemented here: see [`fallback`](crate::fallback). By default none does.
    #[must_use]
    pub fn with_fallback(mut self, fallback: Fallback) -> Self {
        self.fallback = Some(Arc::new(fallback));
        self
    }

    /// Whether the caller of a request speaks TLS, with this server or with a proxy that the documents trust.
    pub(crate) fn is_encrypted(&self, parts: &request::Parts) -> bool {
        #[cfg(feature = "documents")]
        if let Some(is_encrypted) = is_encrypted_to_proxy(&self.documents, parts) {
            return is_encrypted;
        }
        is_encrypted(parts)
    }
}
