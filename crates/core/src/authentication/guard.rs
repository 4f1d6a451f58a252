//! Requests whose caller is asked who it is.

use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, EXPECT, VIA, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, Version, request};

use super::connection::{Identity, Known};
use super::policy::Authentication;
use super::scheme::{Scheme, State, Verdict};
use crate::carrier::Carrier;
use crate::deadline::Deadline;
use crate::endpoint::Routed;
use crate::fault::Fault;
use crate::heads::Heads;
use crate::peer::User;
use crate::response;

/// Says to clients of .NET that the user is that of the connection, as IIS does.
const PERSISTENT_AUTH: HeaderName = HeaderName::from_static("persistent-auth");

/// Marks an answer that clients get over HTTP/1.1 alone: an extension of the response.
#[derive(Clone, Debug)]
pub struct OnlyHttp1;

/// A routed request whose caller is asked first.
pub(crate) struct Guarded {
    authentication: Authentication,
    pub(crate) routed: Routed,
    is_optional: bool,
    /// How long it may take.
    time: Option<Duration>,
}

/// The headers that the answer to an admitted request has besides.
type Granted = HeaderMap;

/// Adds the headers to an answer.
pub(crate) fn complete(
    granted: Option<Box<Granted>>,
    mut response: Response<Bytes>,
) -> Response<Bytes> {
    for (name, value) in granted.into_iter().flat_map(|granted| *granted) {
        if let Some(name) = name {
            response.headers_mut().append(name, value);
        }
    }
    response
}

/// What becomes of a request.
enum Outcome {
    /// It passes: with a user, unless none is needed.
    Passed(Option<User>, Option<Box<Granted>>),
    /// A handshake goes on, on this connection.
    Continued(Response<Bytes>),
    Refused(Response<Bytes>),
}

impl Authentication {
    /// The same request, whose caller is asked first.
    pub(crate) fn guard(
        &self,
        parts: &request::Parts,
        routed: Routed,
        time: Option<Duration>,
    ) -> Routed {
        #[cfg(feature = "documents")]
        let is_document = matches!(routed, Routed::Document { .. });
        #[cfg(not(feature = "documents"))]
        let is_document = false;
        let policy = &*self.0;
        let is_open = policy
            .is_open
            .as_ref()
            .is_some_and(|is_open| is_open(parts));
        Routed::Guarded(Box::new(Guarded {
            authentication: self.clone(),
            routed,
            is_optional: policy.is_optional
                || is_open
                || (is_document && policy.has_open_documents),
            time,
        }))
    }
}

impl Guarded {
    /// The request as it goes on: with its user, or to its refusal.
    pub(crate) async fn check(
        self,
        mut heads: Arc<Heads>,
    ) -> (Routed, Arc<Heads>, Option<Box<Granted>>) {
        let outcome = {
            let mut outcome = pin!(self.outcome(&heads.parts));
            let mut deadline = Deadline::new(self.time);
            let outcome = std::future::poll_fn(|context| match outcome.as_mut().poll(context) {
                Poll::Pending => deadline.poll(context).map(|()| None),
                outcome => outcome.map(Some),
            });
            outcome.await
        };
        let mut routed = self.routed;
        let parts = &mut Heads::of_request(&mut heads).parts;
        let mut granted = None;
        match outcome {
            Some(Outcome::Passed(user, headers)) => {
                granted = headers;
                if let Some(user) = user {
                    parts.extensions.insert(user);
                }
            }
            Some(Outcome::Continued(response)) => {
                // The connection stays open for it, so that its body has to be read, also if the caller waits to send it.
                parts.headers.remove(EXPECT);
                routed = routed.refused_with(response);
            }
            Some(Outcome::Refused(response)) => routed = routed.refused_with(response),
            None => {
                let fault = Fault::exception("Request timed out.");
                routed = routed.refused_with(undecided(&fault));
            }
        }
        (routed, heads, granted)
    }

    async fn outcome(&self, parts: &request::Parts) -> Outcome {
        // Requests over HTTP/2 that are open at a time may be those of several users.
        let carrier = parts.extensions.get::<Arc<Carrier>>();
        let carrier = carrier.filter(|_| parts.version < Version::HTTP_2);
        let identity = carrier.map(|carrier| &carrier.identity);
        let known = identity.and_then(|identity| identity.take(&self.authentication));
        let mut credentials = parts.headers.get_all(AUTHORIZATION).iter();
        let (first, second) = (credentials.next(), credentials.next());
        match (first, known) {
            (None, Some(Known::User(user))) => {
                if let Some(identity) = identity {
                    identity.keep(&self.authentication, Known::User(user.clone()));
                }
                Outcome::Passed(Some(user), None)
            }
            (None, _) if self.is_optional => Outcome::Passed(None, None),
            (Some(credentials), known) if second.is_none() => {
                let decided = self.decide(parts, credentials, known, identity).await;
                decided.unwrap_or_else(|| Outcome::Refused(self.challenged(identity, parts)))
            }
            _ => Outcome::Refused(self.challenged(identity, parts)),
        }
    }

    /// What the scheme of credentials makes of them; `None` if they are wrong.
    async fn decide(
        &self,
        parts: &request::Parts,
        credentials: &HeaderValue,
        known: Option<Known>,
        identity: Option<&Identity>,
    ) -> Option<Outcome> {
        let text = credentials.to_str().ok()?.trim();
        let (name, credentials) = text.split_once(' ').unwrap_or((text, ""));
        let mut schemes = self.schemes(identity).enumerate();
        let (index, scheme) = schemes.find(|(_, known)| known.name().eq_ignore_ascii_case(name))?;
        let identity = identity.filter(|_| scheme.is_for_connection());
        let mut state: Option<State> = match known {
            Some(Known::Handshake(of, state)) if of == index && identity.is_some() => Some(state),
            _ => None,
        };
        let verdict = scheme.decide(credentials.trim(), &mut state, parts).await;
        let outcome = match verdict {
            Ok(Verdict::Refused) => return None,
            Ok(Verdict::Challenged(token)) => match with_token(scheme, &token) {
                Ok(challenge) => {
                    if let (Some(identity), Some(state)) = (identity, state) {
                        identity.keep(&self.authentication, Known::Handshake(index, state));
                    }
                    Outcome::Continued(unauthorized([challenge]))
                }
                Err(fault) => Outcome::Refused(undecided(&fault)),
            },
            Ok(Verdict::Admitted { user, token }) => {
                match token.map(|token| with_token(scheme, &token)).transpose() {
                    Ok(token) => {
                        let mut granted = Granted::new();
                        if let Some(token) = token {
                            granted.insert(WWW_AUTHENTICATE, token);
                        }
                        if let Some(identity) = identity {
                            let persists = !parts.headers.contains_key(VIA);
                            if persists {
                                identity.keep(&self.authentication, Known::User(user.clone()));
                            }
                            let persists = if persists { "true" } else { "false" };
                            granted.insert(PERSISTENT_AUTH, HeaderValue::from_static(persists));
                        }
                        let granted = (!granted.is_empty()).then(|| granted.into());
                        Outcome::Passed(Some(user), granted)
                    }
                    Err(fault) => Outcome::Refused(undecided(&fault)),
                }
            }
            Err(fault) => Outcome::Refused(undecided(&fault)),
        };
        Some(outcome)
    }

    /// The schemes that can be used on a connection.
    fn schemes(&self, identity: Option<&Identity>) -> impl Iterator<Item = &dyn Scheme> {
        let schemes = self.authentication.0.schemes.iter().map(|scheme| &**scheme);
        let has_identity = identity.is_some();
        schemes.filter(move |scheme| has_identity || !scheme.is_for_connection())
    }

    /// The answer that asks who calls.
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

/// The answer to a request without right credentials, in the words of IIS.
fn unauthorized(challenges: impl IntoIterator<Item = HeaderValue>) -> Response<Bytes> {
    let text = "You do not have permission to view this directory or page.";
    let mut response = response::failed(true, StatusCode::UNAUTHORIZED, "text/html", text.into());
    for challenge in challenges {
        response.headers_mut().append(WWW_AUTHENTICATE, challenge);
    }
    response
}

/// The answer to a request about which nothing can be decided.
fn undecided(fault: &Fault) -> Response<Bytes> {
    response::refused(StatusCode::INTERNAL_SERVER_ERROR, fault.text())
}
