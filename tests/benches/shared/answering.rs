//! A handler that does nothing, so that only the request flow around it is measured.

use svcgen_tests::device_login_service as ours;

/// Answers with a copy of its record.
pub struct Answering(pub ours::DeviceLoginResponse);

impl ours::DeviceLoginServiceHandler for Answering {
    async fn login(
        &self,
        _: &svcgen::Context,
        _: ours::LoginRequest,
    ) -> Result<ours::DeviceLoginResponse, svcgen::Fault> {
        Ok(self.0.clone())
    }

    async fn login_with_encrypted_password(
        &self,
        _: &svcgen::Context,
        _: ours::LoginWithEncryptedPasswordRequest,
    ) -> Result<ours::DeviceLoginResponse, svcgen::Fault> {
        Ok(self.0.clone())
    }

    async fn email_password(
        &self,
        _: &svcgen::Context,
        _: ours::EmailPasswordRequest,
    ) -> Result<ours::ForgotPasswordStatus, svcgen::Fault> {
        Ok(ours::ForgotPasswordStatus::Success)
    }

    async fn test_connection(&self, _: &svcgen::Context) -> Result<Option<String>, svcgen::Fault> {
        Ok(Some("ok".to_owned()))
    }

    async fn logout(&self, _: &svcgen::Context) -> Result<(), svcgen::Fault> {
        Ok(())
    }

    async fn no_op(&self, _: &svcgen::Context) -> Result<(), svcgen::Fault> {
        Ok(())
    }
}
