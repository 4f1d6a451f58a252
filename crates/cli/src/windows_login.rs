//! Windows logins: Negotiate (Kerberos) and NTLM.

use clap::Args;
use svcgen::HttpTransport;

use crate::login::Login;

/// The help for servers that demand a Windows login.
pub(crate) const HINT: &str = if cfg!(feature = "negotiate") {
    r"pass `--ntlm DOMAIN\NAME:PASSWORD`, or `--negotiate` after `kinit`"
} else {
    r"`cargo install svcgen-cli --features negotiate` makes a command that has `--ntlm DOMAIN\NAME:PASSWORD` and `--negotiate`"
};

/// The arguments that log in as Windows does.
#[derive(Debug, Args)]
pub(crate) struct WindowsLogin {
    /// Logs in by Negotiate with the ticket of `kinit` when the server asks for it; needs the
    /// feature `negotiate`
    #[arg(long, conflicts_with_all = ["user", "bearer", "ntlm"])]
    negotiate: bool,

    /// Logs in by NTLM when the server asks for it; the password may be `env:NAME` or `file:PATH`,
    /// and is asked for if it is missing; needs the feature `negotiate`
    #[arg(
        long,
        value_name = r"DOMAIN\NAME:PASSWORD",
        env = "SVCGEN_NTLM",
        hide_env_values = true,
        conflicts_with_all = ["user", "bearer"]
    )]
    ntlm: Option<Login>,
}

impl WindowsLogin {
    /// Whether a login is given.
    pub fn is_given(&self) -> bool {
        self.negotiate || self.ntlm.is_some()
    }

    /// Makes a transport log in. May ask for a password.
    ///
    /// # Errors
    ///
    /// Returns an error if the password is missing, or the command is built without the feature
    /// `negotiate`.
    pub fn add_to(&self, http: HttpTransport) -> Result<HttpTransport, String> {
        if !self.is_given() {
            return Ok(http);
        }
        self.handshakes(http)
    }

    #[cfg(feature = "negotiate")]
    fn handshakes(&self, http: HttpTransport) -> Result<HttpTransport, String> {
        use svcgen_negotiate::{ClientNegotiate, ClientNtlm};

        let Some(login) = &self.ntlm else {
            return Ok(http.with_handshake(ClientNegotiate::new));
        };
        let (user, password) = (login.name().to_owned(), login.password("--ntlm")?);
        Ok(http.with_handshake(move |host| ClientNtlm::new(host, &user, password.clone())))
    }

    #[cfg(not(feature = "negotiate"))]
    #[expect(clippy::unused_self, reason = "with the feature it is used")]
    fn handshakes(&self, _: HttpTransport) -> Result<HttpTransport, String> {
        Err(format!(
            "this command is built without the feature `negotiate`: {HINT}"
        ))
    }
}
