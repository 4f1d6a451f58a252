//! Ends with 0 if the server at `URL` is ready, for health checks where there is no curl.
use std::{env::var, error::Error, time::Duration};
use svcgen::{HttpTransport, Transport, http::Request, http_transport::Tls};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut transport = HttpTransport::new().with_timeout(Duration::from_secs(2));
    if let Ok(roots) = var("ROOTS") {
        transport = transport.with_tls(Tls::new().with_roots_file(roots)?);
    }
    let request = Request::get(format!("{}/readyz", var("URL")?));
    let answer = transport.send(request.body(Default::default())?).await?;
    let is_ready = answer.status().is_success();
    let text = String::from_utf8_lossy(answer.body());
    is_ready.then_some(()).ok_or_else(|| text.into())
}
