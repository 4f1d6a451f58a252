//! A handler that does nothing, so that only the request flow around it is measured.

use std::sync::Arc;

use svcgen::{Context, Fault};
use svcgen_tests::device_login_service::DeviceLoginResponse;

#[derive(svcgen::Service)]
#[service(
    definition = "benches/shared/device_login.yaml",
    shared_results = "Login"
)]
pub struct DeviceLogin;

use device_login_service as ours;
pub use ours::DeviceLoginServiceServer;

/// Returns its record.
pub struct Answering(pub Arc<DeviceLoginResponse>);

impl ours::DeviceLoginServiceHandler for Answering {
    async fn login(
        &self,
        _: &Context,
        _: ours::LoginRequest,
    ) -> Result<Arc<DeviceLoginResponse>, Fault> {
        Ok(Arc::clone(&self.0))
    }
}
