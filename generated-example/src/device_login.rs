//! The handler of `DeviceLoginService`.

use svcgen::{Context, Fault, Secret};

use crate::accounts::{Entrance, MailRefusal, RealTime, Refusal};
use crate::passwords::{hex, random};
use crate::proxies::Proxies;
use crate::services::device_login_service::{
    AdditionalInfo, AuthInfo, DeviceLoginResponse, DeviceLoginServiceHandler, EmailPasswordRequest,
    ForgotPasswordStatus, LoginErrorCode, LoginRequest, LoginWithEncryptedPasswordRequest,
    RealTimeInfo, RealTimeLaunchReason, SearchSourceType,
};
use crate::sign_in::{Attempt, Credential, SignedIn, email_password, sign_in};
use crate::store::{
    DeviceConfiguration, Store, StoreError, account_or_stand_in, device_configuration,
};

/// Signs in devices that a store knows.
#[derive(Debug, Clone)]
pub struct DeviceLogin {
    store: Store,
    proxies: Proxies,
}

impl DeviceLogin {
    /// Makes a handler on a store, behind proxies.
    pub fn new(store: Store, proxies: Proxies) -> Self {
        Self { store, proxies }
    }

    /// Asks the store something, to learn whether it answers.
    async fn ask(&self) -> Result<(), StoreError> {
        let mut connection = self.store.connection().await?;
        account_or_stand_in(&mut connection, "").await?;
        Ok(())
    }

    async fn answer(&self, attempt: Attempt) -> DeviceLoginResponse {
        match self.record(attempt).await {
            Ok(Ok(record)) => record,
            Ok(Err(refusal)) => refused(error_code(refusal), refusal.text()),
            Err(error) => refused(LoginErrorCode::Unknown, error.told()),
        }
    }

    async fn record(
        &self,
        attempt: Attempt,
    ) -> Result<Result<DeviceLoginResponse, Refusal>, StoreError> {
        let user = match sign_in(&self.store, attempt).await? {
            Ok(user) => user,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let id = user.account.id;
        let mut connection = self.store.connection().await?;
        let configuration = device_configuration(&mut connection, id).await?;
        Ok(Ok(login_record(user, configuration)?))
    }
}

impl DeviceLoginServiceHandler for DeviceLogin {
    async fn login(
        &self,
        context: &Context,
        request: LoginRequest,
    ) -> Result<DeviceLoginResponse, Fault> {
        let attempt = Attempt {
            entrance: Entrance::Device,
            username: request.username.unwrap_or_default(),
            credential: Credential::Password(request.password.unwrap_or_default()),
            machine: request.device_pin.unwrap_or_default(),
            address: self.proxies.caller(context),
            by_user: true,
        };
        Ok(self.answer(attempt).await)
    }

    async fn login_with_encrypted_password(
        &self,
        context: &Context,
        request: LoginWithEncryptedPasswordRequest,
    ) -> Result<DeviceLoginResponse, Fault> {
        let attempt = Attempt {
            entrance: Entrance::Device,
            username: request.username.unwrap_or_default(),
            credential: Credential::Token(request.encrypted_password.unwrap_or_default()),
            machine: request.device_pin.unwrap_or_default(),
            address: self.proxies.caller(context),
            by_user: request.user_initiated,
        };
        Ok(self.answer(attempt).await)
    }

    async fn email_password(
        &self,
        _context: &Context,
        request: EmailPasswordRequest,
    ) -> Result<ForgotPasswordStatus, Fault> {
        let answer = email_password(&self.store, request.username.unwrap_or_default()).await;
        Ok(match answer {
            Ok(Ok(())) => ForgotPasswordStatus::Success,
            Ok(Err(refusal)) => mail_status(refusal),
            Err(error) => {
                error.told();
                ForgotPasswordStatus::OtherIdmIssue
            }
        })
    }

    /// Answers `connection ok` only if the store answers as well.
    async fn test_connection(&self, _context: &Context) -> Result<Option<String>, Fault> {
        match self.ask().await {
            Ok(()) => Ok(Some("connection ok".to_owned())),
            Err(error) => Err(Fault::exception(error.told())),
        }
    }

    /// Accepts the end of a session. The request names neither a user nor a token, so there is
    /// nothing to delete: the session ends because the device forgets its token. A token expires,
    /// or ends with the next login of the device or with a new password.
    async fn logout(&self, _context: &Context) -> Result<(), Fault> {
        Ok(())
    }

    async fn no_op(&self, _context: &Context) -> Result<(), Fault> {
        Ok(())
    }
}

fn refused(code: LoginErrorCode, text: &str) -> DeviceLoginResponse {
    DeviceLoginResponse {
        login_error_code: code,
        login_error_message: Some(text.to_owned()),
        ..Default::default()
    }
}

fn login_record(
    user: SignedIn,
    configuration: DeviceConfiguration,
) -> Result<DeviceLoginResponse, StoreError> {
    let account = user.account;
    let real_time = account.real_time();
    let real_time_info = RealTimeInfo {
        real_time_host: Some(configuration.real_time_host),
        real_time_port: configuration.real_time_port,
        real_time_auth_host: Some(configuration.real_time_auth_host),
        real_time_auth_port: configuration.real_time_auth_port,
        real_time_protocol: Some(configuration.real_time_protocol),
        real_time_auth_protocol: Some(configuration.real_time_auth_protocol),
        auth_info: Some(AuthInfo {
            zid: Some(one_time_value()?),
            azid: Some(one_time_value()?),
        }),
        real_time_launch_reason: launch_reason(real_time),
        launch_reason_text: Some(real_time.text().to_owned()),
    };
    let sources = configuration.news_sources.into_iter().map(|source| {
        Some(SearchSourceType {
            id: source.id,
            name: Some(source.name),
            checked_by_default: source.checked_by_default,
        })
    });
    let additional_info = AdditionalInfo {
        max_news_headlines_cap: configuration.max_news_headlines,
        min_news_auto_refresh_time: configuration.min_news_auto_refresh_time,
        enable_idms_mobile_quotes: configuration.idms_mobile_quotes,
        enable_security_profile_for_idms: configuration.idms_security_profile,
        news_search_source_types: Some(sources.collect()),
        capabilities: Some(account.capabilities),
    };
    Ok(DeviceLoginResponse {
        login_error_code: LoginErrorCode::Ok,
        login_error_message: Some(format!("Welcome, {}.", account.username)),
        encrypted_password: user.token,
        real_time_info: Some(real_time_info),
        entry_point_url: Some(configuration.entry_point_url),
        base_url: Some(configuration.base_url),
        quotes_data_vendor_id: configuration.quotes_data_vendor_id,
        user_id: account.id,
        client_support_phone: Some(configuration.client_support_phone),
        mobile_support_email: Some(configuration.mobile_support_email),
        additional_info: Some(additional_info),
    })
}

fn one_time_value() -> Result<Secret<String>, StoreError> {
    Ok(hex(&random::<16>()?).into())
}

fn launch_reason(real_time: RealTime) -> RealTimeLaunchReason {
    match real_time {
        RealTime::Ready => RealTimeLaunchReason::Ok,
        RealTime::Withheld => RealTimeLaunchReason::AntiCap,
        RealTime::MissingCapability => RealTimeLaunchReason::NoCapability,
        RealTime::MissingMobileCapability => RealTimeLaunchReason::NoMobileRealTimeCapability,
        RealTime::NoAddress => RealTimeLaunchReason::NoAddress,
        RealTime::IncompleteAddress => RealTimeLaunchReason::IncompleteAddress,
        RealTime::AgreementMissing => RealTimeLaunchReason::NeedAgreement,
    }
}

fn error_code(refusal: Refusal) -> LoginErrorCode {
    match refusal {
        Refusal::UsernameEmpty | Refusal::BothEmpty | Refusal::UnknownUser => {
            LoginErrorCode::BadUsername
        }
        Refusal::PasswordEmpty | Refusal::WrongPassword => LoginErrorCode::BadPassword,
        Refusal::OutdatedToken => LoginErrorCode::Logout,
        Refusal::Locked | Refusal::AddressLocked => LoginErrorCode::AccountLocked,
        Refusal::Suspended => LoginErrorCode::AccountSuspended,
        Refusal::Expired => LoginErrorCode::AccountExpired,
        Refusal::Inactive
        | Refusal::PortalOnly
        | Refusal::DealtrackOnly
        | Refusal::RestrictedSession
        | Refusal::OtherAddress => LoginErrorCode::NotAuthorized,
        Refusal::MissingCapability => LoginErrorCode::NoCapability,
        Refusal::OtherMachine => LoginErrorCode::SingleMachineLogin,
        Refusal::NoDevices => LoginErrorCode::DeviceReleaseDisabled,
    }
}

fn mail_status(refusal: MailRefusal) -> ForgotPasswordStatus {
    match refusal {
        MailRefusal::UnknownUser => ForgotPasswordStatus::InvalidUser,
        MailRefusal::Suspended => ForgotPasswordStatus::SuspendedAccount,
        MailRefusal::Inactive => ForgotPasswordStatus::InactiveAccount,
        MailRefusal::NoPassword => ForgotPasswordStatus::ValidUserNoPassword,
        MailRefusal::ReadOnly => ForgotPasswordStatus::ReadOnlyMode,
        MailRefusal::MissingCapability => ForgotPasswordStatus::FunctionalityCapabilityDenied,
        MailRefusal::MissingSelfService => {
            ForgotPasswordStatus::SelfServiceFunctionalityCapabilityDenied
        }
        MailRefusal::NoAddress => ForgotPasswordStatus::OtherIdmIssue,
    }
}
