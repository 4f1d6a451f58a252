//! Metrics, and the share of moved callers, over HTTP.

use std::convert::Infallible;
use std::fmt::Display;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use svcgen::RemoteAddress;
use svcgen::bytes::Bytes;
use svcgen::serve::{RequestBody, names_one_of};
use svcgen_relay::{Share, Split};
use tokio::net::TcpListener;
use tower_service::Service;

use super::report::Report;
use crate::listening::{is_loopback, local_names};

/// Answers `/metrics` and `/split`.
#[derive(Clone)]
pub(super) struct Admin {
    report: Arc<Report>,
    split: Option<Arc<Split>>,
    is_loopback: bool,
    /// The names of this machine: a web page that uses DNS rebinding names another host.
    names: Arc<Vec<String>>,
}

impl Admin {
    /// Creates the server for an address.
    pub fn new(report: Arc<Report>, split: Option<Arc<Split>>, address: SocketAddr) -> Self {
        Self {
            report,
            split,
            is_loopback: is_loopback(address),
            names: Arc::new(local_names(address)),
        }
    }

    /// Serves until the runtime ends, with few connections, as the callers of the relay need the
    /// others.
    pub async fn serve(self, listener: TcpListener) {
        let server = svcgen::serve(listener, self)
            .with_max_connections(64)
            .with_max_connections_per_address(16);
        // It accepts until the relay ends.
        let _ = server.await;
    }

    async fn answer(self, request: Request<RequestBody>) -> Response<Full<Bytes>> {
        if self.is_loopback && !self.is_named(&request) {
            let why = "The request names another host than this machine.\n";
            return text(StatusCode::FORBIDDEN, why);
        }
        match (request.method().clone(), request.uri().path(), &self.split) {
            (Method::GET | Method::HEAD, "/metrics", _) => self.report.metrics().map_or_else(
                |error| text(StatusCode::INTERNAL_SERVER_ERROR, error),
                |counts| text(StatusCode::OK, counts),
            ),
            (Method::GET | Method::HEAD, "/split", Some(split)) => {
                text(StatusCode::OK, format_args!("{}\n", split.share()))
            }
            (Method::PUT, "/split", Some(split)) => self.change(split, request).await,
            (_, "/metrics" | "/split", Some(_)) | (_, "/metrics", None) => text(
                StatusCode::METHOD_NOT_ALLOWED,
                "GET reads /metrics and /split, and PUT changes /split.\n",
            ),
            _ => text(
                StatusCode::NOT_FOUND,
                "There is /metrics, and with --split /split.\n",
            ),
        }
    }

    /// Whether a request names this machine.
    fn is_named(&self, request: &Request<RequestBody>) -> bool {
        let host = request.headers().get(header::HOST);
        let host = host.and_then(|host| host.to_str().ok());
        host.is_some_and(|host| names_one_of(host, &self.names))
    }

    async fn change(&self, split: &Split, request: Request<RequestBody>) -> Response<Full<Bytes>> {
        let caller = request.extensions().get::<RemoteAddress>();
        let is_near = caller.is_some_and(|caller| is_loopback(caller.0));
        if !is_near || !self.is_named(&request) {
            let why = "The share is changed from this machine alone, at a loopback address.\n";
            return text(StatusCode::FORBIDDEN, why);
        }
        let Ok(body) = Limited::new(request.into_body(), 100).collect().await else {
            return text(StatusCode::BAD_REQUEST, "Send a share, such as 5%.\n");
        };
        let body = body.to_bytes();
        let share = String::from_utf8_lossy(&body).parse::<Share>();
        match share {
            Ok(share) => {
                self.report.set_share(split, share);
                text(StatusCode::OK, format_args!("{share}\n"))
            }
            Err(error) => text(StatusCode::BAD_REQUEST, format_args!("{error}\n")),
        }
    }
}

impl Service<Request<RequestBody>> for Admin {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<RequestBody>) -> Self::Future {
        let admin = self.clone();
        Box::pin(async move { Ok(admin.answer(request).await) })
    }
}

fn text(status: StatusCode, text: impl Display) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(text.to_string().into()));
    *response.status_mut() = status;
    let media_type = http::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    response
}
