//! Tunnels through proxies (RFC 9110 §9.3.6).

use bytes::Bytes;
use http::header::{HOST, PROXY_AUTHORIZATION};
use http::{HeaderValue, Request, StatusCode};
use http_body_util::Empty;
use hyper::client::conn::http1;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;

use super::broken::wants_credentials;

/// Opens a tunnel to a host and port through the proxy at the other end of a stream.
///
/// # Errors
///
/// The reason why there is no tunnel, in words that follow the proxy's name.
pub(super) async fn tunnelled<S>(
    stream: S,
    to: &str,
    authorization: Option<HeaderValue>,
) -> Result<TokioIo<Upgraded>, String>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let broken = |error: hyper::Error| format!("broke off: {error}");
    let (mut requests, connection) = http1::Builder::new()
        .title_case_headers(true)
        .handshake::<_, Empty<Bytes>>(TokioIo::new(stream))
        .await
        .map_err(broken)?;
    // The task ends with this future, or when the tunnel is open.
    let mut task = JoinSet::new();
    task.spawn(connection.with_upgrades());
    let mut request = Request::connect(to).header(HOST, to);
    if let Some(authorization) = authorization {
        request = request.header(PROXY_AUTHORIZATION, authorization);
    }
    let request = request
        .body(Empty::new())
        .map_err(|error| error.to_string())?;
    let response = requests.send_request(request).await.map_err(broken)?;
    match response.status() {
        status if status.is_success() => {
            let upgraded = hyper::upgrade::on(response).await.map_err(broken)?;
            Ok(TokioIo::new(upgraded))
        }
        StatusCode::PROXY_AUTHENTICATION_REQUIRED => Err(wants_credentials(response.headers())),
        status => Err(format!("answered {status} and makes no tunnel to {to}")),
    }
}
