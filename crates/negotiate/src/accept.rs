//! Schemes for servers.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libgssapi::context::{CtxFlags, SecurityContext, ServerCtx};
use libgssapi::credential::{Cred, CredUsage};
use libgssapi::name::Name;
use libgssapi::oid::GSS_NT_HOSTBASED_SERVICE;
use svcgen::authentication::{Authenticate, Verdict};
use svcgen::http::request;
use svcgen::{Fault, User};

use crate::{GssError, ntlm};

/// The common part of the schemes: the name of the service, and the report of refused tokens.
#[derive(Clone)]
struct Acceptor {
    service: Option<String>,
    report: Arc<dyn Fn(&str) + Send + Sync>,
}

/// The state of a handshake.
#[derive(Default)]
pub struct Accept(Option<ServerCtx>);

impl fmt::Debug for Accept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Accept").field(&self.0.is_some()).finish()
    }
}

/// The scheme `Negotiate` of a server: see [the crate](crate).
#[derive(Clone)]
pub struct Negotiate(Acceptor);

impl Negotiate {
    /// Accepts tickets for a service: `HTTP@` and the name by which callers reach the host.
    ///
    /// # Errors
    ///
    /// The keytab has no key of the service, or cannot be read.
    pub fn new(service: &str) -> Result<Self, GssError> {
        let acceptor = Acceptor::new(Some(service));
        acceptor.credentials()?;
        Ok(Self(acceptor))
    }

    /// Reports the reason of each refused token, in a line without the token. Callers do not get
    /// it. By default, nothing is reported.
    #[must_use]
    pub fn with_report(mut self, report: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.0.report = Arc::new(report);
        self
    }
}

impl Authenticate for Negotiate {
    const SCHEME: &'static str = "Negotiate";
    const IS_FOR_CONNECTION: bool = true;
    type Handshake = Accept;

    async fn authenticate(
        &self,
        credentials: &str,
        handshake: &mut Accept,
        _: &request::Parts,
    ) -> Result<Verdict, Fault> {
        self.0.step(credentials, handshake).await
    }
}

impl fmt::Debug for Negotiate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Negotiate").field(&self.0.service).finish()
    }
}

/// The scheme `NTLM` of a server, with the mechanism `gss-ntlmssp`, which finds the users in
/// winbind or in the file that `NTLM_USER_FILE` names.
///
/// A man in the middle can relay NTLM logins and guess passwords from them: offer it only for
/// callers that support nothing else.
#[derive(Clone)]
pub struct Ntlm(Acceptor);

impl Ntlm {
    /// Accepts logins of users that the mechanism knows.
    ///
    /// # Errors
    ///
    /// GSSAPI has no credentials.
    pub fn new() -> Result<Self, GssError> {
        let acceptor = Acceptor::new(None);
        acceptor.credentials()?;
        Ok(Self(acceptor))
    }

    /// Reports the reason of each refused token, as [`Negotiate::with_report`] does.
    #[must_use]
    pub fn with_report(mut self, report: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.0.report = Arc::new(report);
        self
    }
}

impl Authenticate for Ntlm {
    const SCHEME: &'static str = "NTLM";
    const IS_FOR_CONNECTION: bool = true;
    type Handshake = Accept;

    async fn authenticate(
        &self,
        credentials: &str,
        handshake: &mut Accept,
        _: &request::Parts,
    ) -> Result<Verdict, Fault> {
        self.0.step(credentials, handshake).await
    }
}

impl fmt::Debug for Ntlm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ntlm")
    }
}

impl Acceptor {
    fn new(service: Option<&str>) -> Self {
        Self {
            service: service.map(str::to_owned),
            report: Arc::new(|_| {}),
        }
    }

    /// Returns the keys of the service that are currently in the keytab.
    fn credentials(&self) -> Result<Cred, GssError> {
        let name = self.service.as_ref().map(|service| {
            Name::new(service.as_bytes(), Some(GSS_NT_HOSTBASED_SERVICE)).map_err(|error| {
                GssError::new(&format!("{service} is not a name of a service"), error)
            })
        });
        let name = name.transpose()?;
        Cred::acquire(name.as_ref(), None, CredUsage::Accept, None).map_err(|error| {
            let service = self.service.as_deref().unwrap_or("any service");
            GssError::new(&format!("no credentials for {service}"), error)
        })
    }

    async fn step(&self, credentials: &str, handshake: &mut Accept) -> Result<Verdict, Fault> {
        let Ok(mut token) = STANDARD.decode(credentials) else {
            return Ok(Verdict::Refused);
        };
        ntlm::add_version(&mut token);
        let (acceptor, context) = (self.clone(), handshake.0.take());
        // This reads the keytab, and writes the replay cache.
        let stepped =
            tokio::task::spawn_blocking(move || acceptor.step_blocking(&token, context)).await;
        match stepped {
            Ok(Ok((verdict, context))) => {
                handshake.0 = context;
                Ok(verdict)
            }
            Ok(Err(error)) => {
                (self.report)(&error.to_string());
                Ok(Verdict::Refused)
            }
            Err(_) => Err(Fault::exception("The login cannot be checked.")),
        }
    }

    fn step_blocking(
        &self,
        token: &[u8],
        context: Option<ServerCtx>,
    ) -> Result<(Verdict, Option<ServerCtx>), GssError> {
        let mut context = match context {
            Some(context) => context,
            None => ServerCtx::new(Some(self.credentials()?)),
        };
        let failed = |error| GssError::new("a token was refused", error);
        let answer = context.step(token, None).map_err(failed)?;
        let answer = answer.map(|token| STANDARD.encode(&*token));
        if !context.is_complete() {
            return Ok((
                Verdict::Challenged(answer.unwrap_or_default()),
                Some(context),
            ));
        }
        if context
            .flags()
            .map_err(failed)?
            .contains(CtxFlags::GSS_C_ANON_FLAG)
        {
            (self.report)("an anonymous login was refused");
            return Ok((Verdict::Refused, None));
        }
        let name = context.source_name().and_then(|name| name.display_name());
        let name = name.map_err(failed)?;
        let name = String::from_utf8_lossy(&name);
        // gss-ntlmssp includes the terminating NUL of its string.
        let user = User::new(name.trim_end_matches('\0'));
        let token = answer;
        Ok((Verdict::Admitted { user, token }, None))
    }
}
