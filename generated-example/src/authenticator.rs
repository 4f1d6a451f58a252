//! The handler of `Authenticator`.

use svcgen::{Context, Fault, Secret};

use crate::accounts::{Entrance, Refusal};
use crate::proxies::Proxies;
use crate::services::authenticator::{
    AuthenticatorHandler, ClientAuthWithResultRequest, ErrorCode, LoginRequest, LoginResult,
};
use crate::sign_in::{Attempt, Credential, sign_in};
use crate::store::Store;

/// Checks credentials against a store.
#[derive(Debug, Clone)]
pub struct Authenticator {
    store: Store,
    proxies: Proxies,
}

impl Authenticator {
    /// Makes a handler on a store, behind proxies.
    pub fn new(store: Store, proxies: Proxies) -> Self {
        Self { store, proxies }
    }

    fn attempt(
        &self,
        context: &Context,
        username: Option<String>,
        password: Option<Secret<String>>,
        machine: String,
    ) -> Attempt {
        Attempt {
            entrance: Entrance::Client,
            username: username.unwrap_or_default(),
            credential: Credential::Password(password.unwrap_or_default()),
            machine: machine.into(),
            address: self.proxies.caller(context),
            by_user: true,
        }
    }
}

impl AuthenticatorHandler for Authenticator {
    async fn client_auth_with_result(
        &self,
        context: &Context,
        request: ClientAuthWithResultRequest,
    ) -> Result<LoginResult, Fault> {
        // A caller chooses its own processName, so nothing here may depend on it.
        let machine = request.mac_address.unwrap_or_default();
        let attempt = self.attempt(context, request.username, request.password, machine);
        let (error_code, message) = match sign_in(&self.store, attempt).await {
            Ok(Ok(user)) => (
                ErrorCode::None,
                format!("Welcome, {}.", user.account.username),
            ),
            Ok(Err(refusal)) => (error_code(refusal), refusal.text().to_owned()),
            Err(error) => (ErrorCode::UnknownError, error.told().to_owned()),
        };
        Ok(LoginResult {
            error_code,
            message: Some(message),
        })
    }

    async fn login(&self, context: &Context, request: LoginRequest) -> Result<bool, Fault> {
        let attempt = self.attempt(context, request.username, request.password, String::new());
        match sign_in(&self.store, attempt).await {
            Ok(answer) => Ok(answer.is_ok()),
            Err(error) => Err(Fault::exception(error.told())),
        }
    }
}

fn error_code(refusal: Refusal) -> ErrorCode {
    match refusal {
        Refusal::UsernameEmpty => ErrorCode::UsernameFieldEmpty,
        Refusal::PasswordEmpty => ErrorCode::PasswordFieldEmpty,
        Refusal::BothEmpty => ErrorCode::UsernameAndPasswordFieldEmpty,
        Refusal::UnknownUser => ErrorCode::InvalidUsername,
        Refusal::WrongPassword => ErrorCode::InvalidPassword,
        Refusal::OutdatedToken => ErrorCode::LoginTokenTimedOut,
        Refusal::Locked | Refusal::AddressLocked => ErrorCode::LockedAccount,
        Refusal::Suspended => ErrorCode::AccountSuspended,
        Refusal::Inactive => ErrorCode::ValidIdmButInvalidSvcUser,
        Refusal::Expired => ErrorCode::AccountExpired,
        Refusal::PortalOnly => ErrorCode::PortalOnlyAccess,
        Refusal::DealtrackOnly => ErrorCode::DealtrackOnlyAccess,
        Refusal::RestrictedSession => ErrorCode::RestrictedUserSession,
        Refusal::MissingCapability | Refusal::NoDevices => ErrorCode::MissingCapability,
        Refusal::OtherAddress => ErrorCode::IncorrectIp,
        Refusal::OtherMachine => ErrorCode::BumpedForSml,
    }
}
