//! Documents over HTTP.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use svcgen_codegen::Loaded;
use ureq::http::{HeaderMap, Response, StatusCode, header};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, Error, Proxy};
use url::{Origin, Url};

use crate::console::Console;

/// The arguments that say how documents are loaded over HTTP.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
pub(crate) struct NetworkArguments {
    /// Loads what documents refer to on another host, too; `HOST`, `HOST:PORT` or `https://HOST`
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<AllowedHost>,

    /// Asks no host for anything
    #[arg(long)]
    offline: bool,

    /// Sends a header to the host of the address, and to no other
    #[arg(
        long,
        value_name = "NAME: VALUE",
        env = "SVCGEN_IMPORT_HEADER",
        hide_env_values = true
    )]
    header: Vec<Header>,

    /// Logs in at the host of the address (basic authentication)
    #[arg(
        long,
        value_name = "NAME:PASSWORD",
        env = "SVCGEN_IMPORT_USER",
        hide_env_values = true,
        conflicts_with = "bearer"
    )]
    user: Option<String>,

    /// Logs in at the host of the address with a token
    #[arg(
        long,
        value_name = "TOKEN",
        env = "SVCGEN_IMPORT_BEARER",
        hide_env_values = true
    )]
    bearer: Option<String>,

    /// Asks through a proxy [default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY]
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,

    /// Trusts the certificates of a PEM file, besides those that this machine trusts
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,

    /// The time for each document
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// A host that documents may be loaded from: a host with the usual ports, with a port, or an origin.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AllowedHost {
    origins: Vec<Origin>,
}

impl std::str::FromStr for AllowedHost {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let urls = if text.contains("://") {
            vec![text.to_owned()]
        } else {
            vec![format!("http://{text}"), format!("https://{text}")]
        };
        let origins = urls.iter().map(|url| match Url::parse(url) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.path() == "/" => {
                Ok(url.origin())
            }
            _ => Err(
                "name a host, as `schemas.example.com`, `localhost:8080` or `https://example.com`",
            ),
        });
        Ok(Self {
            origins: origins.collect::<Result<_, _>>()?,
        })
    }
}

/// A header that is sent.
#[derive(Clone)]
struct Header {
    name: header::HeaderName,
    value: header::HeaderValue,
}

impl std::fmt::Debug for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Header").field(&self.name).finish()
    }
}

impl std::str::FromStr for Header {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once(':').ok_or("write it as `Name: value`")?;
        Ok(Self {
            name: name
                .trim()
                .parse()
                .map_err(|_| "this is no name of a header")?,
            value: value
                .trim()
                .parse()
                .map_err(|_| "this is no value of a header")?,
        })
    }
}

/// Asks hosts for documents.
pub(super) struct Network<'a> {
    arguments: &'a NetworkArguments,
    console: &'a Console,
    agent: OnceCell<Result<Agent, String>>,
    /// The origins of the addresses that the caller gave.
    given: Vec<Origin>,
}

/// The most redirects of a document.
const MOST_REDIRECTS: usize = 10;

impl<'a> Network<'a> {
    /// The hosts of addresses may be asked; `Err` if it is not clear which of them the login is for.
    pub fn new(
        arguments: &'a NetworkArguments,
        addresses: &[String],
        console: &'a Console,
    ) -> Result<Self, String> {
        let urls = addresses.iter().filter_map(|address| url(address));
        let given: BTreeMap<_, _> = urls
            .map(|url| (url.origin().ascii_serialization(), url.origin()))
            .collect();
        let has_secrets =
            arguments.user.is_some() || arguments.bearer.is_some() || !arguments.header.is_empty();
        if has_secrets && given.len() > 1 {
            let hosts: Vec<_> = given.into_keys().collect();
            return Err(format!(
                "--user, --bearer and --header are for one host, and the addresses have {}: import them one after the other",
                hosts.join(", ")
            ));
        }
        Ok(Self {
            arguments,
            console,
            agent: OnceCell::new(),
            given: given.into_values().collect(),
        })
    }

    /// Whether documents of a host may be loaded because others refer to them.
    pub fn allows(&self, address: &str) -> bool {
        let hosts = self.arguments.allow_host.iter();
        let mut origins = hosts.flat_map(|host| &host.origins);
        !self.arguments.offline
            && url(address).is_some_and(|url| origins.any(|origin| *origin == url.origin()))
    }

    /// Loads a document, and follows redirects on its host and to those that are allowed.
    pub fn load(&self, address: &Url, most_bytes: u64) -> Result<Loaded, String> {
        if self.arguments.offline {
            return Err("it is not asked for: --offline".to_owned());
        }
        let agent = self.agent.get_or_init(|| self.agent()).as_ref()?;
        let mut address = address.clone();
        for _ in 0..=MOST_REDIRECTS {
            let mut response = self.ask(agent, &address)?;
            let Some(target) = redirect(&response, &address) else {
                return if response.status() == StatusCode::OK {
                    let body = response.body_mut().with_config().limit(most_bytes);
                    let bytes = body.read_to_vec().map_err(|error| self.describe(&error))?;
                    Ok(Loaded::redirected(bytes, address.into()))
                } else {
                    Err(self.refused(&mut response, &address))
                };
            };
            let target = target?;
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

    fn ask(&self, agent: &Agent, address: &Url) -> Result<Response<Body>, String> {
        let mut request = agent.get(address.as_str());
        if self.given.contains(&address.origin()) {
            if let Some(user) = &self.arguments.user {
                request = request.header(header::AUTHORIZATION, format!("Basic {}", base64(user)));
            }
            if let Some(token) = &self.arguments.bearer {
                request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
            }
            for one in &self.arguments.header {
                request = request.header(&one.name, &one.value);
            }
        }
        request.call().map_err(|error| self.describe(&error))
    }

    fn agent(&self) -> Result<Agent, String> {
        let mut roots = Vec::new();
        for path in &self.arguments.ca {
            let named = |problem: String| format!("{} {problem}", path.display());
            let pem = fs::read(path).map_err(|error| named(format!("cannot be read: {error}")))?;
            let before = roots.len();
            for item in parse_pem(&pem) {
                if let PemItem::Certificate(root) =
                    item.map_err(|error| named(format!("is no PEM file: {error}")))?
                {
                    roots.push(root);
                }
            }
            if roots.len() == before {
                return Err(named("has no certificate in PEM form".to_owned()));
            }
        }
        // What cannot be loaded is missed when a host needs it.
        let of_machine = rustls_native_certs::load_native_certs().certs;
        let of_machine = of_machine
            .iter()
            .map(|root| Certificate::from_der(root).to_owned());
        roots.extend(of_machine);
        let proxy = match &self.arguments.proxy {
            Some(proxy) => {
                let proxy = Proxy::new(proxy);
                Some(proxy.map_err(|error| format!("--proxy is no address of a proxy: {error}"))?)
            }
            None => Proxy::try_from_env(),
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(provider)
            .root_certs(RootCerts::new_with_certs(&roots))
            .build();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(proxy)
            .timeout_global(Some(Duration::from_secs(self.arguments.timeout)))
            .tls_config(tls)
            .user_agent(concat!("svcgen/", env!("CARGO_PKG_VERSION")))
            .accept("text/xml, application/xml;q=0.9, */*;q=0.5")
            .build();
        Ok(config.into())
    }

    /// Why a host did not answer, and what would help.
    fn describe(&self, error: &Error) -> String {
        let text = error.to_string();
        match error {
            Error::HostNotFound => "there is no such host".to_owned(),
            Error::Timeout(_) => format!(
                "the host did not answer within {} seconds: `--timeout` waits longer",
                self.arguments.timeout
            ),
            Error::BodyExceedsLimit(most) => {
                format!("the document is too large: at most {} MiB are read", most >> 20)
            }
            Error::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                "the connection is refused: nothing serves at this host and port".to_owned()
            }
            _ if text.contains("failed to lookup address") => "there is no such host".to_owned(),
            _ if text.contains("UnknownIssuer") => {
                "the certificate of the host is of an issuer that is not trusted here: pass the root certificate with `--ca FILE`".to_owned()
            }
            _ if text.contains("NotValidForName") => {
                "the certificate is that of another host".to_owned()
            }
            _ => format!("the host cannot be asked: {text}"),
        }
    }

    /// What a status other than 200 says, and what would help.
    fn refused(&self, response: &mut Response<Body>, address: &Url) -> String {
        let status = response.status();
        let schemes = schemes(response.headers());
        if status == StatusCode::UNAUTHORIZED {
            let has_login = self.given.contains(&address.origin())
                && (self.arguments.user.is_some() || self.arguments.bearer.is_some());
            let has = |scheme: &str| schemes.iter().any(|one| one.eq_ignore_ascii_case(scheme));
            let what = match () {
                () if has_login && (has("basic") || has("bearer")) => "the host refuses the login",
                () if has("basic") => "the host asks for a login: pass `--user NAME:PASSWORD`",
                () if has("bearer") => "the host asks for a token: pass `--bearer TOKEN`",
                () if has("ntlm") || has("negotiate") => {
                    "the host asks for a login of Windows, which is not spoken: open the address in a browser, save the WSDL, and import the file"
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
                ": pass the login of the proxy, `--proxy http://NAME:PASSWORD@HOST:PORT`"
            }
            _ => "",
        };
        let body = response.body_mut().with_config().limit(64 << 10);
        let told = body.read_to_vec().unwrap_or_default();
        let told = told_by(&String::from_utf8_lossy(&told));
        let told = told.map(|text| format!(", `{text}`")).unwrap_or_default();
        format!("the host answers {} {reason}{told}{help}", status.as_u16())
    }
}

/// A URL of HTTP; `None` for a path.
pub(super) fn url(address: &str) -> Option<Url> {
    let url = Url::parse(address).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// Where an answer redirects to.
fn redirect(response: &Response<Body>, from: &Url) -> Option<Result<Url, String>> {
    if !response.status().is_redirection() {
        return None;
    }
    let location = response.headers().get(header::LOCATION)?;
    let target = location
        .to_str()
        .ok()
        .and_then(|location| from.join(location).ok());
    let target = target.filter(|target| matches!(target.scheme(), "http" | "https"));
    Some(target.ok_or_else(|| "the host redirects to what is no address over HTTP".to_owned()))
}

/// The ways to log in that a host offers.
fn schemes(headers: &HeaderMap) -> Vec<&str> {
    let values = headers.get_all(header::WWW_AUTHENTICATE).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    let challenges = values.flat_map(|value| value.split(','));
    challenges
        .filter_map(|one| one.split_whitespace().next())
        .collect()
}

/// What an error page says: its title, or else its first line.
fn told_by(text: &str) -> Option<String> {
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
    let told = title.or_else(fault).or_else(line)?;
    let words: Vec<_> = told.split_whitespace().collect();
    let told: String = words.join(" ").chars().take(200).collect();
    (!told.is_empty()).then_some(told)
}

fn base64(text: &str) -> String {
    base64::Engine::encode(&base64::engine::general_purpose::STANDARD, text)
}
