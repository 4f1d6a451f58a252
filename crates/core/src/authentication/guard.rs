//! Decides whether to admit a caller.

use bytes::Bytes;
use http::header::{AUTHORIZATION, VIA, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, Version, request};

use super::connection::{ConnectionState, Identity};
use super::policy::Authentication;
use super::scheme::{Scheme, State, Verdict};
use crate::fault::Fault;
use crate::peer::User;
use crate::response;

/// Tells .NET clients that the connection is logged in, as IIS does.
const PERSISTENT_AUTH: HeaderName = HeaderName::from_static("persistent-auth");

/// Marks an answer that is valid only over HTTP/1.1: an extension of the response.
#[derive(Clone, Debug)]
pub struct OnlyHttp1;

/// The decision about a request.
pub(crate) enum Admission {
    /// The request passes: with a user, unless no user is needed, and with additional headers for
    /// its answer.
    Passed(Option<User>, Option<Box<HeaderMap>>),
    /// A handshake continues on this connection, with this answer.
    Continued(Response<Bytes>),
    Refused(Response<Bytes>),
}

impl Admission {
    /// Returns the admission of a request about which nothing can be decided.
    pub(crate) fn undecided(fault: &Fault) -> Self {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self::Refused(response::refused(status, fault.text()))
    }
}

impl Authentication {
    /// Whether a request passes without credentials.
    pub(crate) fn is_open_to(&self, parts: &request::Parts, is_document: bool) -> bool {
        let policy = &*self.0;
        let is_open = policy.is_open.as_ref();
        policy.is_optional
            || is_open.is_some_and(|is_open| is_open(parts))
            || (is_document && policy.has_open_documents)
    }

    /// Decides whether to admit a request on a connection whose caller may be known.
    pub(crate) async fn admit(
        &self,
        parts: &request::Parts,
        identity: Option<&Identity>,
        is_open: bool,
    ) -> Admission {
        // Concurrent requests on a connection over HTTP/2 may come from different users.
        let identity = identity.filter(|_| parts.version < Version::HTTP_2);
        let known = identity.and_then(|identity| identity.take(self));
        let mut credentials = parts.headers.get_all(AUTHORIZATION).iter();
        let (first, second) = (credentials.next(), credentials.next());
        match (first, known) {
            (None, Some(ConnectionState::User(user))) => {
                if let Some(identity) = identity {
                    identity.keep(self, ConnectionState::User(user.clone()));
                }
                Admission::Passed(Some(user), None)
            }
            (None, _) if is_open => Admission::Passed(None, None),
            (Some(credentials), known) if second.is_none() => {
                match self.decide(parts, credentials, known, identity).await {
                    Ok(Some(decided)) => decided,
                    Ok(None) => Admission::Refused(self.challenged(identity, parts)),
                    Err(fault) => Admission::undecided(&fault),
                }
            }
            _ => Admission::Refused(self.challenged(identity, parts)),
        }
    }

    /// Verifies credentials with their scheme. Returns `None` if they are wrong.
    async fn decide(
        &self,
        parts: &request::Parts,
        credentials: &HeaderValue,
        known: Option<ConnectionState>,
        identity: Option<&Identity>,
    ) -> Result<Option<Admission>, Fault> {
        let text = credentials.to_str().unwrap_or_default().trim();
        let (name, credentials) = text.split_once(' ').unwrap_or((text, ""));
        let mut schemes = self.schemes(identity).enumerate();
        let named = schemes.find(|(_, known)| known.name().eq_ignore_ascii_case(name));
        let Some((index, scheme)) = named else {
            return Ok(None);
        };
        let identity = identity.filter(|_| scheme.is_for_connection());
        let mut state: Option<State> = match known {
            Some(ConnectionState::Handshake(of, state)) if of == index && identity.is_some() => {
                Some(state)
            }
            _ => None,
        };
        let verdict = scheme.decide(credentials.trim(), &mut state, parts).await?;
        Ok(Some(match verdict {
            Verdict::Refused => return Ok(None),
            Verdict::Challenged(token) => {
                let challenge = with_token(scheme, &token)?;
                if let (Some(identity), Some(state)) = (identity, state) {
                    identity.keep(self, ConnectionState::Handshake(index, state));
                }
                Admission::Continued(unauthorized([challenge]))
            }
            Verdict::Admitted { user, token } => {
                let mut granted = HeaderMap::new();
                if let Some(token) = token {
                    granted.insert(WWW_AUTHENTICATE, with_token(scheme, &token)?);
                }
                if let Some(identity) = identity {
                    let persists = !parts.headers.contains_key(VIA);
                    if persists {
                        identity.keep(self, ConnectionState::User(user.clone()));
                    }
                    let persists = if persists { "true" } else { "false" };
                    granted.insert(PERSISTENT_AUTH, HeaderValue::from_static(persists));
                }
                let granted = (!granted.is_empty()).then(|| granted.into());
                Admission::Passed(Some(user), granted)
            }
        }))
    }

    /// Returns the schemes that can be used on a connection.
    fn schemes(&self, identity: Option<&Identity>) -> impl Iterator<Item = &dyn Scheme> {
        let schemes = self.0.schemes.iter().map(|scheme| &**scheme);
        let has_identity = identity.is_some();
        schemes.filter(move |scheme| has_identity || !scheme.is_for_connection())
    }

    /// Returns the answer that asks for credentials.
    fn challenged(&self, identity: Option<&Identity>, parts: &request::Parts) -> Response<Bytes> {
        let mut schemes = self.schemes(identity).peekable();
        if schemes.peek().is_some() {
            return unauthorized(schemes.map(Scheme::challenge_of));
        }
        let mut response = response::refused(
            StatusCode::INTERNAL_SERVER_ERROR,
            "This service asks who calls on a connection over HTTP/1.1, and this server knows of none.",
        );
        if parts.version == Version::HTTP_2 {
            response.extensions_mut().insert(OnlyHttp1);
        }
        response
    }
}

fn with_token(scheme: &dyn Scheme, token: &str) -> Result<HeaderValue, Fault> {
    let header = HeaderValue::try_from(format!("{} {token}", scheme.name()));
    let mut header = header.map_err(|_| {
        Fault::exception(format_args!(
            "The token of {} cannot stand in a header.",
            scheme.name()
        ))
    })?;
    header.set_sensitive(true);
    Ok(header)
}

/// Returns the answer to a request without valid credentials, with the text of IIS.
fn unauthorized(challenges: impl IntoIterator<Item = HeaderValue>) -> Response<Bytes> {
    let text = "You do not have permission to view this directory or page.";
    let mut response = response::failed(true, StatusCode::UNAUTHORIZED, "text/html", text.into());
    for challenge in challenges {
        response.headers_mut().append(WWW_AUTHENTICATE, challenge);
    }
    response
}
