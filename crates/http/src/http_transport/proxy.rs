//! Proxies between a client and servers.

use std::sync::Arc;
use std::{env, fmt};

use http::uri::{PathAndQuery, Scheme};
use http::{HeaderValue, Uri};
use hyper_util::client::proxy::matcher::Matcher;

use super::credentials::basic;
use super::destination::Destination;
use super::invalid_option::InvalidOption;
use svcgen_core::internals::Host;
use svcgen_wire::Secret;

/// An HTTP proxy. It forwards requests to http URLs, and opens a tunnel (`CONNECT`) for https URLs.
///
/// ```
/// use svcgen::http_transport::Proxy;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let proxy = Proxy::new("http://proxy.corp.example:3128")?
///     .with_basic_auth("user", "password")?
///     .with_exceptions(["intranet.corp.example", "10.0.0.0/8"]);
/// let transport = svcgen::HttpTransport::new().with_proxy(proxy);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Proxy {
    /// `None` if the environment decides.
    url: Option<String>,
    authorization: Option<HeaderValue>,
    matcher: Arc<Matcher>,
}

/// The proxy for a destination.
pub(super) struct Through {
    pub(super) url: Uri,
    pub(super) authorization: Option<HeaderValue>,
}

impl Proxy {
    /// Creates a proxy at an http URL or, with the feature `tls`, an https URL.
    ///
    /// # Errors
    ///
    /// The URL is not valid, or contains more than host and port.
    pub fn new(url: &str) -> Result<Self, InvalidOption> {
        let invalid = |why: &str| InvalidOption(format!("the URL of the proxy {why}"));
        let uri: Uri = url.parse().map_err(|_| invalid("is none"))?;
        match uri.scheme_str() {
            Some("http") => {}
            Some("https") if cfg!(feature = "tls") => {}
            Some("https") => {
                return Err(invalid("is https, which needs the feature `tls` of svcgen"));
            }
            Some(_) => {
                return Err(invalid(
                    "is not http: no other proxy is supported, SOCKS neither",
                ));
            }
            None => return Err(invalid("has no scheme: write http://HOST:PORT")),
        }
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        if authority.contains('@') {
            return Err(invalid(
                "has credentials: give them by Proxy::with_basic_auth",
            ));
        }
        Host::of_url(authority).map_err(|why| invalid(&format!("is wrong: {why}")))?;
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(invalid("has a path or a query: write http://HOST:PORT"));
        }
        Ok(Self {
            url: Some(url.to_owned()),
            authorization: None,
            matcher: Arc::new(Matcher::builder().all(url).build()),
        })
    }

    /// Reads the proxies from the environment now: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and
    /// `NO_PROXY`, also in lower case, as curl does. Without these variables, no proxy is used.
    pub fn from_environment() -> Self {
        let exceptions = env::var("NO_PROXY").or_else(|_| env::var("no_proxy"));
        let matcher = if exceptions.is_ok_and(|exceptions| are_all_hosts(&exceptions)) {
            Matcher::builder().build()
        } else {
            Matcher::from_env()
        };
        Self {
            url: None,
            authorization: None,
            matcher: Arc::new(matcher),
        }
    }

    /// Logs in at the proxy by `Basic` authentication.
    ///
    /// # Errors
    ///
    /// The name contains a colon.
    pub fn with_basic_auth(
        mut self,
        user: &str,
        password: impl Into<Secret<String>>,
    ) -> Result<Self, InvalidOption> {
        self.authorization = Some(basic(user, &password.into())?);
        Ok(self)
    }

    /// Sets the hosts that are called without the proxy: names (including their subdomains),
    /// addresses, networks such as `10.0.0.0/8`, or `*` for all hosts. For proxies from the
    /// environment, `NO_PROXY` sets them.
    #[must_use]
    pub fn with_exceptions<'h>(mut self, hosts: impl IntoIterator<Item = &'h str>) -> Self {
        if let Some(url) = &self.url {
            let hosts: Vec<_> = hosts.into_iter().collect();
            let hosts = hosts.join(",");
            let matcher = if are_all_hosts(&hosts) {
                Matcher::builder()
            } else {
                Matcher::builder().all(&**url).no(hosts)
            };
            self.matcher = Arc::new(matcher.build());
        }
        self
    }

    /// Returns the proxy for a destination, if it has one.
    pub(super) fn of(&self, to: &Destination) -> Option<Through> {
        let scheme = if to.is_https {
            Scheme::HTTPS
        } else {
            Scheme::HTTP
        };
        let mut parts = http::uri::Parts::default();
        parts.scheme = Some(scheme);
        parts.authority = Some(to.authority.clone());
        parts.path_and_query = Some(PathAndQuery::from_static("/"));
        let found = self.matcher.intercept(&Uri::from_parts(parts).ok()?)?;
        let given = self.authorization.as_ref().or(found.basic_auth());
        Some(Through {
            url: found.uri().clone(),
            authorization: given.cloned(),
        })
    }
}

/// Whether a list of exceptions has `*`, which hyper-util applies to names, but not to addresses.
fn are_all_hosts(exceptions: &str) -> bool {
    exceptions.split(',').any(|host| host.trim() == "*")
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxy")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}
