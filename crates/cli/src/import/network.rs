//! Documents over HTTP.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use clap::Args;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, header};
use svcgen::bytes::Bytes;
use svcgen::transport::{TransportError, TransportErrorKind};
use svcgen::{Blocking, HttpTransport, Transport};
use svcgen_import::{Loaded, is_step_down};
use url::{Origin, Url};

use crate::console::{Console, excerpt};
use crate::exit::Exit;
use crate::http_options::{HttpOptions, add_headers, with_options};
use crate::windows_login;

/// The arguments that say how documents are loaded over HTTP.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
pub(crate) struct NetworkArguments {
    /// Also loads referenced documents from this host: `HOST`, `HOST:PORT` or `https://HOST`
    #[arg(long, value_name = "HOST", value_parser = origins)]
    allow_host: Vec<AllowedOrigins>,

    /// Uses no network
    #[arg(long)]
    offline: bool,

    #[command(flatten)]
    http: HttpOptions,

    /// Whether a host could not be reached.
    #[arg(skip)]
    unreached: Cell<bool>,
}

impl NetworkArguments {
    /// Returns the exit code of a refused import: [`Exit::Unreached`] if a host could not be
    /// reached, which may be the cause.
    pub(super) fn exit(&self) -> Exit {
        if self.unreached.get() {
            Exit::Unreached
        } else {
            Exit::Found
        }
    }

    /// Returns the options for HTTP requests.
    pub(super) fn http(&self) -> &HttpOptions {
        &self.http
    }
}

/// The origins that documents may be loaded from, given as a host with or without a port, for both
/// schemes, or as an origin.
type AllowedOrigins = Arc<[Origin]>;

fn origins(text: &str) -> Result<AllowedOrigins, &'static str> {
    let urls = if text.contains("://") {
        vec![text.to_owned()]
    } else {
        vec![format!("http://{text}"), format!("https://{text}")]
    };
    let origins = urls.iter().map(|address| {
        let url = url(address).filter(|url| url.path() == "/");
        let origin = url.map(|url| url.origin());
        origin.ok_or(
            "name a host, as `schemas.example.com`, `localhost:8080` or `https://example.com`",
        )
    });
    origins.collect()
}

/// Loads documents from hosts.
pub(super) struct Network<'a> {
    arguments: &'a NetworkArguments,
    console: &'a Console,
    client: OnceCell<Result<Client, String>>,
    /// The origins of the addresses that the caller gave.
    given: Vec<Origin>,
}

/// The transports and headers of requests to hosts.
struct Client {
    /// The transport for the hosts of given addresses, with logins and certificates, and the
    /// transport for all other hosts.
    transports: Blocking<(HttpTransport, HttpTransport)>,
    /// The headers for the hosts of given addresses.
    headers: HeaderMap,
}

/// The maximum number of redirects of a document.
const MOST_REDIRECTS: usize = 10;

impl<'a> Network<'a> {
    /// Allows the hosts of addresses; `Err` if it is not clear for which of them the login is.
    pub fn new(
        arguments: &'a NetworkArguments,
        addresses: &[String],
        console: &'a Console,
    ) -> Result<Self, String> {
        let urls = addresses.iter().filter_map(|address| url(address));
        let given: BTreeMap<_, _> = urls
            .map(|url| (url.origin().ascii_serialization(), url.origin()))
            .collect();
        if arguments.http.has_secrets() && given.len() > 1 {
            let hosts: Vec<_> = given.into_keys().collect();
            return Err(format!(
                "--user, --bearer, --header and --client-certificate are for one host, and the addresses have {}: import them one after the other",
                hosts.join(", ")
            ));
        }
        Ok(Self {
            arguments,
            console,
            client: OnceCell::new(),
            given: given.into_values().collect(),
        })
    }

    /// Whether documents of a host may be loaded because others refer to them.
    pub fn allows(&self, address: &str) -> bool {
        let mut origins = self.arguments.allow_host.iter().flat_map(|host| &**host);
        !self.arguments.offline
            && url(address).is_some_and(|url| origins.any(|origin| *origin == url.origin()))
    }

    /// Loads a document, and follows redirects to its own host and to allowed ones.
    pub fn load(&self, address: &Url, most_bytes: u64) -> Result<Loaded, String> {
        if self.arguments.offline {
            return Err("it is not loaded because of --offline".to_owned());
        }
        let client = self
            .client
            .get_or_init(|| self.client(most_bytes))
            .as_ref()?;
        let mut address = address.clone();
        for _ in 0..=MOST_REDIRECTS {
            let response = self.ask(client, &address, most_bytes)?;
            let Some(target) = redirect(&response, &address) else {
                return if response.status() == StatusCode::OK {
                    let charset = charset(response.headers());
                    let bytes = response.into_body().into();
                    Ok(Loaded::redirected(bytes, address.into()).with_charset(charset))
                } else {
                    Err(self.refused(&response, &address))
                };
            };
            let target = target?;
            if is_step_down(address.as_str(), target.as_str()) {
                return Err(format!(
                    "the host redirects from https to {target}, which is never followed"
                ));
            }
            if target.origin() != address.origin() && !self.allows(target.as_str()) {
                return Err(format!(
                    "the host redirects to {target}: give that address, or allow it with `--allow-host {}`",
                    target.origin().ascii_serialization()
                ));
            }
            self.console
                .note(format_args!("{address} redirects to {target}"));
            address = target;
        }
        Err(format!(
            "the host redirects more than {MOST_REDIRECTS} times"
        ))
    }

    fn ask(
        &self,
        client: &Client,
        address: &Url,
        most_bytes: u64,
    ) -> Result<Response<Bytes>, String> {
        const AGENT: &str = concat!("svcgen/", env!("CARGO_PKG_VERSION"));
        const ACCEPT: &str = "text/xml, application/xml;q=0.9, */*;q=0.5";
        let request = Request::get(address.as_str()).body(Bytes::new());
        let mut request = request.map_err(|_| "this is not an HTTP URL".to_owned())?;
        let headers = request.headers_mut();
        headers.insert(header::USER_AGENT, HeaderValue::from_static(AGENT));
        headers.insert(header::ACCEPT, HeaderValue::from_static(ACCEPT));
        let is_given = self.given.contains(&address.origin());
        if is_given {
            add_headers(headers, &client.headers);
        }
        let response = client.transports.call(|(given, others)| {
            let transport = if is_given { given } else { others };
            transport.send(request)
        });
        response.map_err(|error| {
            if error.kind() != TransportErrorKind::TooLong {
                self.arguments.unreached.set(true);
            }
            self.describe(&error, most_bytes)
        })
    }

    fn client(&self, most_bytes: u64) -> Result<Client, String> {
        let most = usize::try_from(most_bytes).unwrap_or(usize::MAX);
        let http = &self.arguments.http;
        let others = http.plain()?.with_body_limit(most);
        let given = http.identify(others.clone())?;
        let transports = Blocking::new((given, others));
        Ok(Client {
            transports: transports.map_err(|error| format!("hosts cannot be reached: {error}"))?,
            headers: self.arguments.http.headers()?,
        })
    }

    /// Describes why a host did not answer, and what would help.
    fn describe(&self, error: &TransportError, most_bytes: u64) -> String {
        let text = error.to_string();
        let source = std::error::Error::source(error);
        let io = source.and_then(|source| source.downcast_ref::<io::Error>());
        match error.kind() {
            TransportErrorKind::Timeout => format!(
                "the host did not answer within {} seconds: `--timeout` waits longer",
                self.arguments.http.timeout()
            ),
            TransportErrorKind::TooLong => format!(
                "the document is too large: at most {} MiB are read",
                most_bytes >> 20
            ),
            _ if io.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) => {
                "the connection is refused: nothing serves at this host and port".to_owned()
            }
            _ if text.contains("failed to lookup address") => "there is no such host".to_owned(),
            _ => format!("the host cannot be reached: {}", with_options(&text)),
        }
    }

    /// Describes a status other than 200, and what would help.
    fn refused(&self, response: &Response<Bytes>, address: &Url) -> String {
        let status = response.status();
        let schemes = schemes(response.headers());
        if status == StatusCode::UNAUTHORIZED {
            let http = &self.arguments.http;
            let is_given = self.given.contains(&address.origin());
            let has = |scheme: &str| schemes.iter().any(|one| one.eq_ignore_ascii_case(scheme));
            let is_windows = has("ntlm") || has("negotiate");
            let is_refused = is_windows && http.has_windows_login()
                || (has("basic") || has("bearer")) && http.has_login();
            let what = match () {
                () if is_given && is_refused => "the host refuses the login",
                () if has("basic") => "the host asks for a login: pass `--user NAME:PASSWORD`",
                () if has("bearer") => "the host asks for a token: pass `--bearer TOKEN`",
                () if is_windows => {
                    let hint = windows_login::HINT;
                    return format!(
                        "the host asks for a login of Windows: {hint}; or save the WSDL with a browser, and import the file (401)"
                    );
                }
                () => {
                    "the host asks for a login: pass `--user NAME:PASSWORD`, `--bearer TOKEN` or `--header`"
                }
            };
            return format!("{what} (401)");
        }
        let reason = status.canonical_reason().unwrap_or("an unknown status");
        let help = match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => ": there is no such page at this host",
            StatusCode::FORBIDDEN => {
                ": the WSDL may be open to some callers alone; ask for it from there, save it, and import the file"
            }
            StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
                ": pass the login of the proxy, `--proxy-user NAME:PASSWORD`"
            }
            _ => "",
        };
        let body = response.body();
        let message = message_of(&String::from_utf8_lossy(&body[..body.len().min(64 << 10)]));
        let message = message
            .map(|text| format!(", `{text}`"))
            .unwrap_or_default();
        format!(
            "the host answers {} {reason}{message}{help}",
            status.as_u16()
        )
    }
}

/// Parses an HTTP URL; `None` for a path.
pub(crate) fn url(address: &str) -> Option<Url> {
    let url = Url::parse(address).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// Returns the encoding that `Content-Type` names.
fn charset(headers: &HeaderMap) -> Option<String> {
    let content_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let parameters = content_type.split(';').skip(1);
    parameters
        .filter_map(|one| one.split_once('='))
        .find_map(|(name, value)| {
            let is_it = name.trim().eq_ignore_ascii_case("charset");
            is_it.then(|| value.trim().trim_matches(['"', '\'']).to_owned())
        })
}

/// Returns the target of a redirect.
fn redirect(response: &Response<Bytes>, from: &Url) -> Option<Result<Url, String>> {
    if !response.status().is_redirection() {
        return None;
    }
    let location = response.headers().get(header::LOCATION)?;
    let target = location
        .to_str()
        .ok()
        .and_then(|location| from.join(location).ok());
    let target = target.filter(|target| matches!(target.scheme(), "http" | "https"));
    // A login that a host names is neither sent nor shown.
    let target = target.and_then(|mut target| {
        target.set_username("").ok()?;
        target.set_password(None).ok()?;
        Some(target)
    });
    Some(target.ok_or_else(|| "the host redirects to something that is not an HTTP URL".to_owned()))
}

/// Returns the authentication schemes that a host offers.
fn schemes(headers: &HeaderMap) -> Vec<&str> {
    let values = headers.get_all(header::WWW_AUTHENTICATE).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    let challenges = values.flat_map(|value| value.split(','));
    challenges
        .filter_map(|one| one.split_whitespace().next())
        .collect()
}

/// Returns the message of an error page: its title, or else its fault, or else its first line.
fn message_of(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let title = lower.find("<title").and_then(|at| {
        let start = at + lower[at..].find('>')? + 1;
        Some(&text[start..start + lower[start..].find('<')?])
    });
    let fault = || {
        let start = text.find("<faultstring>")? + "<faultstring>".len();
        Some(&text[start..start + text[start..].find('<')?])
    };
    let line = || {
        text.lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with('<'))
    };
    let message = title.or_else(fault).or_else(line)?;
    let message = excerpt(message);
    (!message.is_empty()).then_some(message)
}
