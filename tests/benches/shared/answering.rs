//! A handler that does nothing, so that only the request flow around it is measured.

use std::sync::Arc;

use svcgen::{Context, Fault};
use svcgen_tests::device_login_service::DeviceLoginResponse;

#[derive(svcgen::Service)]
#[service(
    definition = "../service-defs/device_login_service.yaml",
    client = false,
    shared_results = "Login*",
    extern_path = "DeviceLoginResponse=svcgen_tests::device_login_service::DeviceLoginResponse"
)]
pub struct DeviceLogin;

use device_login_service as ours;
pub use ours::DeviceLoginServiceServer;

/// Answers with its record.
pub struct Answering(pub Arc<DeviceLoginResponse>);

impl ours::DeviceLoginServiceHandler for Answering {
    async fn login(
        &self,
        _: &Context,
        _: ours::LoginRequest,
    ) -> Result<Arc<DeviceLoginResponse>, Fault> {
        Ok(Arc::clone(&self.0))
    }

    async fn login_with_encrypted_password(
        &self,
        _: &Context,
        _: ours::LoginWithEncryptedPasswordRequest,
    ) -> Result<Arc<DeviceLoginResponse>, Fault> {
        Ok(Arc::clone(&self.0))
    }

    async fn email_password(
        &self,
        _: &Context,
        _: ours::EmailPasswordRequest,
    ) -> Result<ours::ForgotPasswordStatus, Fault> {
        Ok(ours::ForgotPasswordStatus::Success)
    }

    async fn test_connection(&self, _: &Context) -> Result<Option<String>, Fault> {
        Ok(Some("ok".to_owned()))
    }

    async fn logout(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }

    async fn no_op(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }
}
