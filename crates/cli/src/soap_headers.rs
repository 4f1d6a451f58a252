//! SOAP headers of requests that no definition declares: given as arguments, of WS-Security and of
//! WS-Addressing.

use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use http::{Request, Response};
use svcgen::bytes::Bytes;
use svcgen::codegen::Client;
use svcgen::mask::Secrets;
use svcgen::transport::{BoxTransport, TransportError};
use svcgen::types::XmlFragment;
use svcgen::{Secret, Transport};
use svcgen_ws::ws_addressing::{ClientAddressing, Version};
use svcgen_ws::ws_security::{ClientSecurity, UsernameToken};

use crate::input::bounded;
use crate::login::Login;

/// The heading of options about SOAP headers.
pub(crate) const HEADING: &str = "SOAP headers";

/// The headers of WS-Security and WS-Addressing that requests have.
#[derive(Debug, Args)]
pub(crate) struct WsHeaders {
    /// Logs in by WS-Security, with a UsernameToken (password digest) and a Timestamp; the password
    /// may be `env:NAME` or `file:PATH`, and is asked for if it is missing
    #[arg(long, value_name = "NAME:PASSWORD", help_heading = HEADING)]
    ws_user: Option<Login>,

    /// Sends the password of `--ws-user` as text, which only TLS protects
    #[arg(long, requires = "ws_user", help_heading = HEADING)]
    ws_password_text: bool,

    /// Sends the headers of WS-Addressing
    #[arg(
        long,
        value_name = "VERSION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = VERSIONS[0],
        help_heading = HEADING,
        value_parser = PossibleValuesParser::new(VERSIONS).map(version)
    )]
    ws_addressing: Option<Version>,
}

/// The versions of WS-Addressing, by their dates: the recommendation, and the submission that WSE
/// uses.
const VERSIONS: [&str; 2] = ["2005/08", "2004/08"];

fn version(date: String) -> Version {
    if date == VERSIONS[0] {
        Version::Recommendation
    } else {
        Version::Submission
    }
}

/// The headers that are added to the requests of a client.
pub(crate) struct AddedHeaders {
    elements: Vec<XmlFragment>,
    token: Option<UsernameToken>,
    addressing: Option<Version>,
}

impl WsHeaders {
    /// Combines these headers with elements given as arguments. May ask for a password, and adds it
    /// to the secrets.
    ///
    /// # Errors
    ///
    /// Returns an error if the password is missing.
    pub fn with_elements(
        &self,
        elements: Vec<XmlFragment>,
        secrets: &mut Secrets,
    ) -> Result<AddedHeaders, String> {
        let password = |login: &Login| -> Result<(Secret<String>, UsernameToken), String> {
            let password = login.password("--ws-user")?;
            let make = if self.ws_password_text {
                UsernameToken::text
            } else {
                UsernameToken::digest
            };
            let token = make(login.name(), &password);
            Ok((password, token))
        };
        let token = self.ws_user.as_ref().map(password).transpose()?;
        let token = token.map(|(password, token)| {
            secrets.add(&password);
            token
        });
        Ok(AddedHeaders {
            elements,
            token,
            addressing: self.ws_addressing,
        })
    }
}

impl AddedHeaders {
    /// Whether no headers are added.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty() && self.token.is_none() && self.addressing.is_none()
    }

    /// Whether headers of WS-Addressing are among them.
    pub fn has_addressing(&self) -> bool {
        self.addressing.is_some()
    }

    /// Describes the headers, a line for each option.
    pub fn lines(&self) -> Vec<String> {
        let given = match self.elements.len() {
            0 => None,
            1 => Some("one given element".to_owned()),
            count => Some(format!("{count} given elements")),
        };
        let token = self.token.as_ref();
        let token = token.map(|_| "WS-Security: a UsernameToken and a Timestamp".to_owned());
        let addressing = self.addressing.map(|version| {
            let is_submission = version == Version::Submission;
            format!("WS-Addressing of {}", VERSIONS[usize::from(is_submission)])
        });
        given.into_iter().chain(token).chain(addressing).collect()
    }

    /// Adds the headers to the requests of a client. In answers, the client understands the headers
    /// of WS-Security and WS-Addressing if it sends such headers.
    pub fn add_to<T: Transport + Send + Sync + 'static>(
        self,
        client: Client<T>,
    ) -> Client<BoxTransport> {
        let mut client = client.with_transport(BoxTransport::new);
        for element in self.elements {
            let with = client.with_soap_header(move |_| Ok(element.clone()));
            client = with.with_transport(BoxTransport::new);
        }
        if let Some(token) = self.token {
            client = client
                .with_ws_security(token)
                .with_transport(BoxTransport::new);
        }
        if let Some(version) = self.addressing {
            client = client
                .with_ws_addressing(version)
                .with_transport(BoxTransport::new);
        }
        client
    }
}

/// A transport that keeps requests instead of sending them, so that they can first be shown as they
/// are sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeldRequest(Arc<Mutex<Option<Request<Bytes>>>>);

impl HeldRequest {
    /// Takes the last request that was to be sent.
    pub fn take(&self) -> Option<Request<Bytes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Transport for HeldRequest {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(request);
        Ok(Response::default())
    }
}

/// Divides arguments into SOAP headers that are elements, and arguments for headers that a
/// definition declares.
///
/// # Errors
///
/// The same as for [`element`].
pub(crate) fn divided(arguments: &[String]) -> Result<(Vec<XmlFragment>, Vec<String>), String> {
    let (mut elements, mut declared) = (Vec::new(), Vec::new());
    for argument in arguments {
        match element(argument)? {
            Some(element) => elements.push(element),
            None => declared.push(argument.clone()),
        }
    }
    Ok((elements, declared))
}

/// Returns the SOAP header of an argument with an element: `<…>`, `@FILE` whose text begins with
/// `<`, or `{NAMESPACE}NAME=TEXT`. `None` for any other argument.
///
/// # Errors
///
/// Returns an error if a file cannot be read, or the argument is not a valid element. No error
/// quotes the text.
pub(crate) fn element(argument: &str) -> Result<Option<XmlFragment>, String> {
    if argument.starts_with('<') {
        return parsed("--soap-header", argument).map(Some);
    }
    if let Some(path) = argument.strip_prefix('@').filter(|path| *path != "-") {
        let bytes = File::open(path).and_then(bounded);
        let bytes = bytes.map_err(|error| format!("{path} cannot be read: {error}"))?;
        // The YAML reader's error for such a file names the encoding, and a remedy.
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(None);
        };
        let text = text.trim_start_matches('\u{feff}').trim_ascii();
        let is_element = text.starts_with('<');
        return is_element.then(|| parsed(path, text)).transpose();
    }
    let Some(qualified) = argument.strip_prefix('{') else {
        return Ok(None);
    };
    let parts = qualified.split_once('}').and_then(|(namespace, rest)| {
        let (name, text) = rest.split_once('=')?;
        Some((namespace, name, text))
    });
    let (namespace, name, text) =
        parts.ok_or("a SOAP header of any name is written as `{NAMESPACE}NAME=TEXT`")?;
    let element = XmlFragment::element(name).with_namespace(namespace);
    let element = element.with_text(text).build();
    element
        .map(Some)
        .map_err(|error| format!("--soap-header: {error}"))
}

/// Parses a text that is one element.
fn parsed(of: &str, text: &str) -> Result<XmlFragment, String> {
    let fragment = XmlFragment::parse(text).map_err(|error| format!("{of}: {error}"))?;
    let first = fragment.first_node();
    match first {
        Some(first) if first.as_str() == fragment.as_str() => Ok(fragment),
        _ => Err(format!(
            "{of}: one element is expected, without anything before or after it"
        )),
    }
}
