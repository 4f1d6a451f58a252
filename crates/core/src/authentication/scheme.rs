//! Schemes of HTTP authentication.

use std::any::Any;
use std::pin::Pin;

use http::{HeaderValue, request};

use crate::fault::Fault;
use crate::peer::User;

/// A scheme of HTTP authentication (RFC 9110 §11) for servers.
///
/// A scheme without a handshake needs only [`SCHEME`](Self::SCHEME) and
/// [`authenticate`](Self::authenticate):
///
/// ```
/// use svcgen::authentication::{Authenticate, Verdict};
/// use svcgen::{Fault, User, http};
///
/// struct Bearer;
///
/// impl Authenticate for Bearer {
///     const SCHEME: &'static str = "Bearer";
///     type Handshake = ();
///
///     async fn authenticate(&self, token: &str, _: &mut (), _: &http::request::Parts) -> Result<Verdict, Fault> {
///         // By a library for tokens.
///         # let user_of = |token: &str| (token == "x").then_some("ann");
///         Ok(user_of(token).map_or(Verdict::Refused, |user| User::new(user).into()))
///     }
/// }
/// ```
///
/// A handshake, such as NTLM, keeps its state with the connection. The crate `sspi` has such
/// handshakes for every system, the crate `libgssapi` those of the system's GSSAPI:
///
/// ```
/// use svcgen::authentication::{Authenticate, Verdict};
/// use svcgen::{Fault, User, http};
/// # #[derive(Default)]
/// # struct SecurityContext;
/// # enum Step { Answer(String), User(String), Wrong }
/// # impl SecurityContext { fn accept(&mut self, _: &str) -> Step { Step::Wrong } }
///
/// struct Ntlm;
///
/// impl Authenticate for Ntlm {
///     const SCHEME: &'static str = "NTLM";
///     const IS_FOR_CONNECTION: bool = true;
///     type Handshake = SecurityContext;
///
///     async fn authenticate(&self, token: &str, handshake: &mut SecurityContext, _: &http::request::Parts) -> Result<Verdict, Fault> {
///         Ok(match handshake.accept(token) {
///             // The first token is answered with a challenge, and the second one tells the user.
///             Step::Answer(challenge) => Verdict::Challenged(challenge),
///             Step::User(name) => User::new(&name).into(),
///             Step::Wrong => Verdict::Refused,
///         })
///     }
/// }
/// ```
pub trait Authenticate: Send + Sync + 'static {
    /// The name of the scheme, such as `Basic`: visible characters without spaces. Callers may
    /// write it in any letter case.
    const SCHEME: &'static str;

    /// Whether the scheme logs in the connection, so that later requests need no credentials.
    const IS_FOR_CONNECTION: bool = false;

    /// The state of a handshake, kept with the connection between its requests; `()` for none. It
    /// starts with its default. Schemes that do not log in the connection get the default each
    /// time.
    type Handshake: Default + Send + 'static;

    /// Returns the `WWW-Authenticate` for callers with missing or wrong credentials. By default,
    /// only the name of the scheme.
    fn challenge(&self) -> HeaderValue {
        HeaderValue::from_static(Self::SCHEME)
    }

    /// Verifies credentials: the text after the scheme in `Authorization`. To delay the answer to
    /// wrong credentials, wait here.
    ///
    /// Move long blocking work to another thread (`tokio::task::spawn_blocking`).
    ///
    /// # Errors
    ///
    /// The credentials cannot be verified. The caller gets 500 with the text of the fault, and the
    /// connection keeps no state.
    fn authenticate(
        &self,
        credentials: &str,
        handshake: &mut Self::Handshake,
        request: &request::Parts,
    ) -> impl Future<Output = Result<Verdict, Fault>> + Send;
}

/// The verdict of a scheme about credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The credentials are valid.
    Admitted {
        /// The user.
        user: User,
        /// The text after the scheme in `WWW-Authenticate` of the answer, which authenticates the
        /// server to the caller: the last token of Negotiate.
        token: Option<String>,
    },
    /// The handshake continues: answers 401 with this text after the scheme in `WWW-Authenticate`.
    Challenged(String),
    /// The credentials are wrong: answers 401 as if there were none.
    Refused,
}

impl From<User> for Verdict {
    fn from(user: User) -> Self {
        Self::Admitted { user, token: None }
    }
}

/// The state of a handshake, with its type erased.
pub(super) type State = Box<dyn Any + Send>;

pub(super) type Decision<'a> = Pin<Box<dyn Future<Output = Result<Verdict, Fault>> + Send + 'a>>;

/// [`Authenticate`] as a trait object.
pub(super) trait Scheme: Send + Sync {
    fn name(&self) -> &'static str;

    fn is_for_connection(&self) -> bool;

    fn challenge_of(&self) -> HeaderValue;

    fn decide<'a>(
        &'a self,
        credentials: &'a str,
        state: &'a mut Option<State>,
        request: &'a request::Parts,
    ) -> Decision<'a>;
}

impl<A: Authenticate> Scheme for A {
    fn name(&self) -> &'static str {
        A::SCHEME
    }

    fn is_for_connection(&self) -> bool {
        A::IS_FOR_CONNECTION
    }

    fn challenge_of(&self) -> HeaderValue {
        self.challenge()
    }

    fn decide<'a>(
        &'a self,
        credentials: &'a str,
        state: &'a mut Option<State>,
        request: &'a request::Parts,
    ) -> Decision<'a> {
        Box::pin(async move {
            let kept = state.take().map(|state| state.downcast().ok());
            let mut handshake: Box<A::Handshake> = kept.flatten().unwrap_or_default();
            let verdict = self
                .authenticate(credentials, &mut handshake, request)
                .await?;
            *state = Some(handshake);
            Ok(verdict)
        })
    }
}
