//! The arguments for HTTP requests to servers, and the transport that they configure.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use http::header::{AUTHORIZATION, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use svcgen::bytes::Bytes;
use svcgen::http_transport::{Proxy, Tls};
use svcgen::transport::TransportError;
use svcgen::{HttpTransport, Transport};

use crate::login::Login;
use crate::secret_text::SecretText;
use crate::windows_login::{self, WindowsLogin};

/// The arguments that say how servers are spoken to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
pub(crate) struct HttpOptions {
    /// Sends a header with each request
    #[arg(
        long,
        value_name = "NAME: VALUE",
        value_parser = header,
        env = "SVCGEN_HEADER",
        hide_env_values = true
    )]
    header: Vec<(HeaderName, HeaderValue)>,

    /// Logs in by basic authentication; the password may be `env:NAME` or `file:PATH`, and is asked
    /// for if it is missing
    #[arg(
        long,
        value_name = "NAME:PASSWORD",
        env = "SVCGEN_USER",
        hide_env_values = true,
        conflicts_with = "bearer"
    )]
    user: Option<Login>,

    /// Logs in with a bearer token, which may be `env:NAME`, `file:PATH` or `prompt:`
    #[arg(
        long,
        value_name = "TOKEN",
        env = "SVCGEN_BEARER",
        hide_env_values = true
    )]
    bearer: Option<SecretText>,

    #[command(flatten)]
    windows: WindowsLogin,

    /// Sends requests through this proxy [default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY]
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,

    /// Logs in at the proxy
    #[arg(long, value_name = "NAME:PASSWORD")]
    proxy_user: Option<Login>,

    #[command(flatten)]
    tls: TlsOptions,

    /// Limits the time of each request
    #[arg(long, value_name = "SECONDS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// The arguments that say which servers are trusted, and who calls them.
#[derive(Debug, Args)]
pub(crate) struct TlsOptions {
    /// Trusts the certificates of this PEM file, in addition to those of the system
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,

    /// Presents the certificates of this PEM file to servers
    #[arg(long, value_name = "FILE", requires = "client_key")]
    client_certificate: Option<PathBuf>,

    /// The private key of the client certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "client_certificate")]
    client_key: Option<PathBuf>,
}

impl TlsOptions {
    /// Returns the TLS settings with the trusted certificates.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, or has the wrong contents.
    fn trust(&self) -> Result<Tls, String> {
        let mut tls = Tls::new();
        for file in &self.ca {
            let trusting = tls.with_roots_file(file);
            tls = trusting.map_err(|error| error.to_string())?;
        }
        Ok(tls)
    }

    /// Returns the TLS settings with the client certificate as well, for servers that the
    /// certificate was given for.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, or has the wrong contents.
    pub fn tls(&self) -> Result<Tls, String> {
        let mut tls = self.trust()?;
        if let (Some(certificate), Some(key)) = (&self.client_certificate, &self.client_key) {
            let identified = tls.with_client_certificate_files(certificate, key);
            tls = identified.map_err(|error| error.to_string())?;
        }
        Ok(tls)
    }
}

impl HttpOptions {
    /// Whether requests contain data that not every server may receive.
    pub fn has_secrets(&self) -> bool {
        self.has_login()
            || self.has_windows_login()
            || !self.header.is_empty()
            || self.tls.client_certificate.is_some()
    }

    /// Whether requests have an `Authorization` by `--user` or `--bearer`.
    pub fn has_login(&self) -> bool {
        self.user.is_some() || self.bearer.is_some()
    }

    /// Whether servers that demand a Windows login get one, by `--ntlm` or `--negotiate`.
    pub fn has_windows_login(&self) -> bool {
        self.windows.is_given()
    }

    /// Returns the time for each request, in seconds.
    pub fn timeout(&self) -> u64 {
        self.timeout
    }

    /// Returns the headers of requests, with the login. May ask for a password.
    ///
    /// # Errors
    ///
    /// Returns an error if a secret is missing, or contains characters that a header cannot hold.
    pub fn headers(&self) -> Result<HeaderMap, String> {
        let mut headers = HeaderMap::new();
        for (name, value) in &self.header {
            headers.append(name, value.clone());
        }
        let login = match (&self.user, &self.bearer) {
            (Some(user), _) => {
                let password = user.password("--user")?;
                let both = format!("{}:{}", user.name(), password.as_str());
                let engine = &base64::engine::general_purpose::STANDARD;
                format!("Basic {}", base64::Engine::encode(engine, both))
            }
            (None, Some(token)) => format!("Bearer {}", token.read("the token")?.as_str()),
            (None, None) => return Ok(headers),
        };
        let login = HeaderValue::try_from(login);
        let mut login = login.map_err(|_| {
            "the token of --bearer contains characters that a header cannot hold".to_owned()
        })?;
        login.set_sensitive(true);
        headers.insert(AUTHORIZATION, login);
        Ok(headers)
    }

    /// Creates the transport for any server, without the headers, the login and the client
    /// certificate.
    ///
    /// # Errors
    ///
    /// Returns an error if a file of `--ca` or the proxy is wrong.
    pub fn plain(&self) -> Result<HttpTransport, String> {
        let mut proxy = match &self.proxy {
            Some(url) => Proxy::new(url).map_err(|error| with_options(&error.to_string()))?,
            None => Proxy::from_environment(),
        };
        if let Some(login) = &self.proxy_user {
            let password = login.password("--proxy-user")?;
            let known = proxy.with_basic_auth(login.name(), password);
            proxy = known.map_err(|error| error.to_string())?;
        }
        Ok(HttpTransport::new()
            .with_timeout(Duration::from_secs(self.timeout))
            .with_gzip(true)
            .with_tls(self.tls.trust()?)
            .with_proxy(proxy))
    }

    /// Adds the client certificate and the Windows login to the transport, for the servers that
    /// they are for.
    ///
    /// # Errors
    ///
    /// Returns an error if a file is wrong, or the password is missing.
    pub fn identify(&self, plain: HttpTransport) -> Result<HttpTransport, String> {
        self.windows.add_to(plain.with_tls(self.tls.tls()?))
    }

    /// Creates the transport for the server that the headers, the login and the client certificate
    /// are for.
    ///
    /// # Errors
    ///
    /// The same as for [`headers`](Self::headers), [`plain`](Self::plain) and
    /// [`identify`](Self::identify).
    pub fn transport(&self) -> Result<Outgoing, String> {
        let headers = self.headers()?;
        let http = self.identify(self.plain()?)?;
        Ok(Outgoing { headers, http })
    }
}

/// Sends requests with the headers and the login of [`HttpOptions`].
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    headers: HeaderMap,
    http: HttpTransport,
}

impl Outgoing {
    /// Returns a request as it is sent, except for the headers that the HTTP client adds.
    pub fn prepared(&self, mut request: Request<Bytes>) -> Request<Bytes> {
        add_headers(request.headers_mut(), &self.headers);
        request
    }

    /// Sets whether bodies in gzip are read.
    pub fn with_gzip(mut self, gzip: bool) -> Self {
        self.http = self.http.with_gzip(gzip);
        self
    }

    /// Sets the maximum length of the bodies of responses, in bytes.
    pub fn with_body_limit(mut self, bytes: usize) -> Self {
        self.http = self.http.with_body_limit(bytes);
        self
    }
}

impl Transport for Outgoing {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        self.http.send(self.prepared(request)).await
    }

    fn timeout(&self) -> Option<Duration> {
        self.http.timeout()
    }
}

/// Adds headers to a request, and replaces headers of the same names.
pub(crate) fn add_headers(headers: &mut HeaderMap, added: &HeaderMap) {
    for name in added.keys() {
        headers.remove(name);
        for value in added.get_all(name) {
            headers.append(name, value.clone());
        }
    }
}

/// Returns the text of an error of the runtime, with functions replaced by options of the command.
pub(crate) fn with_options(error: &str) -> String {
    const OPTIONS: [(&str, &str); 11] = [
        ("Tls::with_roots gave", "`--ca` gave"),
        ("Tls::with_roots", "`--ca FILE`"),
        (
            "see Tls::with_client_certificate",
            "`--client-certificate FILE`",
        ),
        ("Proxy::with_basic_auth", "`--proxy-user NAME:PASSWORD`"),
        ("`with_timeout`", "`--timeout`"),
        ("`with_binding`", "`--binding`"),
        (
            "`Client::with_limits` sets another",
            "`--max-bytes` sets another",
        ),
        // The command has no options for them.
        (" (hint: `Client::with_limits` sets other limits)", ""),
        (
            "the transport sets the limit",
            "`--max-bytes` sets the limit",
        ),
        (
            "for Digest, in the header Authorization",
            "for Digest, which the command does not know",
        ),
        (
            ", in the header Authorization",
            ": pass `--user NAME:PASSWORD`, `--bearer TOKEN` or `--header`",
        ),
    ];
    let mut text = error.to_owned();
    for scheme in ["Negotiate", "NTLM"] {
        let wanted = format!("for {scheme}, in the header Authorization");
        text = text.replace(&wanted, &format!("for {scheme}: {}", windows_login::HINT));
    }
    for (function, option) in OPTIONS {
        text = text.replace(function, option);
    }
    text
}

/// Parses a header to send, whose value no message shows.
fn header(text: &str) -> Result<(HeaderName, HeaderValue), &'static str> {
    let (name, value) = text.split_once(':').ok_or("write it as `Name: value`")?;
    let name = name.trim().parse();
    let name = name.map_err(|_| "this is not a valid header name")?;
    if [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING].contains(&name) {
        return Err("the command writes this header");
    }
    let value = value.trim().parse::<HeaderValue>();
    let mut value = value.map_err(|_| "this is not a valid header value")?;
    value.set_sensitive(true);
    Ok((name, value))
}
