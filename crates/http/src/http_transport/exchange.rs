//! Exchanges of a request and its response.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::ACCEPT_ENCODING;
use http::header::{AUTHORIZATION, HOST, WWW_AUTHENTICATE};
use http::uri::Scheme;
use http::{HeaderValue, Request, Response, StatusCode, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout, timeout_at};

use super::broken;
use super::connect::{Connection, Connector};
use super::credentials::{Handshakes, challenges, sensitive};
use super::destination::Destination;
use super::pool::{ConnectionPermit, Pool};
use svcgen_core::{
    internals::{BodyError, collect, forget, inflated, is_gzip},
    transport::{TransportError, TransportErrorKind},
};

/// The time for a connection to become ready for another request after a response.
const READY_TIMEOUT: Duration = Duration::from_millis(100);
/// The largest number of answers of a handshake. Negotiate and NTLM take two or three.
const MOST_ANSWERS: usize = 8;

/// A request as hyper sends it. Boxed, because each future of a call would contain it.
pub(super) type BoxedRequest = Box<Request<Full<Bytes>>>;

/// Exchanges a request for its response.
#[derive(Debug, Clone)]
pub(super) struct Exchanger {
    pub(super) connector: Connector,
    pub(super) pool: Arc<Pool>,
    pub(super) body_limit: usize,
    pub(super) authorization: Option<HeaderValue>,
    pub(super) handshakes: Option<Handshakes>,
    pub(super) gzip: bool,
}

impl Exchanger {
    /// Sends a request, with the credentials of the client only if the destination may get them.
    pub(super) async fn exchange(
        &self,
        request: BoxedRequest,
        identified: bool,
        deadline: Instant,
    ) -> Result<Response<Bytes>, TransportError> {
        let (mut destination, mut request) = split(request)?;
        destination.identified = identified;
        let headers = request.headers_mut();
        if let Some(authorization) = self.authorization.as_ref().filter(|_| identified) {
            headers
                .entry(AUTHORIZATION)
                .or_insert_with(|| authorization.clone());
        }
        if self.gzip {
            let gzip = HeaderValue::from_static("gzip");
            headers.entry(ACCEPT_ENCODING).or_insert(gzip);
        }
        let is_proxied = self
            .connector
            .address_to_proxy(&destination, &mut request)?;
        let place = self.place(&destination, deadline).await?;
        let handshakes = self.handshakes.as_ref().filter(|_| identified);
        let again = handshakes.map(|handshakes| (handshakes, request.clone()));
        let (mut connection, response) = self
            .send_on(&place, &destination, request, &deadline)
            .await?;
        // Boxed separately: in one allocation with the rest, it would exceed the blocks that
        // allocators keep ready.
        let mut response = Box::pin(self.whole(response)).await?;
        if let Some((handshakes, request)) = again
            && response.status() == StatusCode::UNAUTHORIZED
        {
            let request = Repeated {
                request,
                destination: &destination,
                deadline: &deadline,
            };
            let identified = self.identified(handshakes, request, &mut connection, response);
            response = Box::pin(identified).await?;
        }
        // If a server answers before it has read the whole request, the connection never becomes
        // ready again.
        if is_ready(&mut connection).await {
            place.keep(connection);
        }
        if is_proxied && response.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
            return Err(broken::at_proxy(&destination.authority, response.headers()));
        }
        self.plain(response)
    }

    async fn place(
        &self,
        destination: &Destination,
        deadline: Instant,
    ) -> Result<ConnectionPermit, TransportError> {
        let began = Instant::now();
        let place = timeout_at(deadline, self.pool.place(destination)).await;
        place.map_err(|_| {
            let message = format!(
                "the call waited {:?} for one of {} connections to {}: see HttpTransport::with_max_connections",
                began.elapsed(),
                self.pool.max_connections(),
                destination.authority
            );
            TransportError::new(TransportErrorKind::Timeout, message)
        })
    }

    /// Sends on an idle connection, or on a new one if there is no idle one or all turn out to be
    /// closed before anything is sent. The deadline is borrowed to keep the future of a call small.
    async fn send_on(
        &self,
        place: &ConnectionPermit,
        destination: &Destination,
        mut request: BoxedRequest,
        deadline: &Instant,
    ) -> Result<(Connection, Response<Incoming>), TransportError> {
        while let Some(mut connection) = place.take_idle() {
            match connection.requests.try_send_request(*request).await {
                Ok(response) => return Ok((connection, response)),
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = Box::new(unsent),
                    None => return Err(broken::in_head(error.into_error())),
                },
            }
        }
        // Boxed, because most calls need no new connection, and their futures stay small.
        Box::pin(self.send_on_new(destination, request, deadline)).await
    }

    async fn send_on_new(
        &self,
        destination: &Destination,
        request: BoxedRequest,
        deadline: &Instant,
    ) -> Result<(Connection, Response<Incoming>), TransportError> {
        let mut connection = self.connector.connect(destination, *deadline).await?;
        let response = connection.requests.send_request(*request).await;
        let response = response.map_err(broken::in_head)?;
        Ok((connection, response))
    }

    /// Returns the response with its body.
    async fn whole(&self, response: Response<Incoming>) -> Result<Response<Bytes>, TransportError> {
        let (parts, incoming) = response.into_parts();
        match collect(incoming, self.body_limit, 0).await {
            Ok(body) => Ok(Response::from_parts(parts, body)),
            Err(BodyError::TooLong) => Err(TransportError::too_long(self.body_limit)),
            Err(BodyError::Broken(error)) => Err(broken::in_body(error, &parts)),
        }
    }

    /// Logs in on a connection whose server requires it. Returns the answer to the request.
    async fn identified(
        &self,
        handshakes: &Handshakes,
        request: Repeated<'_>,
        connection: &mut Connection,
        mut response: Response<Bytes>,
    ) -> Result<Response<Bytes>, TransportError> {
        // Nothing of the login has been sent yet, so any connection will do.
        if !is_ready(connection).await {
            *connection = self
                .connector
                .connect(request.destination, *request.deadline)
                .await?;
        }
        let mut handshake = handshakes.begin(request.destination.authority.host());
        if let Some(certificate) = &connection.certificate {
            handshake.set_server_certificate(certificate);
        }
        for _ in 0..MOST_ANSWERS {
            if response.status() != StatusCode::UNAUTHORIZED {
                return Ok(response);
            }
            let headers = response.headers().get_all(WWW_AUTHENTICATE).iter();
            let headers = headers.map(|header| String::from_utf8_lossy(header.as_bytes()));
            let challenges: Vec<_> = headers.flat_map(|header| challenges(&header)).collect();
            // The handshake may wait for another machine.
            let answer = tokio::task::spawn_blocking(move || {
                let challenges: Vec<_> = challenges.iter().map(String::as_str).collect();
                let answer = handshake.answer(&challenges);
                (handshake, answer)
            });
            let Ok((same, answer)) = answer.await else {
                return Err(broken::in_handshake("its code panicked"));
            };
            handshake = same;
            let answer = answer.map_err(|error| {
                broken::in_handshake("there are no credentials").with_source(error)
            })?;
            let Some(answer) = answer else {
                return Ok(response);
            };
            let answer = sensitive(answer.as_str())
                .map_err(|error| broken::in_handshake(&error.to_string()))?;
            if !is_ready(connection).await {
                return Err(broken::in_handshake("the server closed the connection"));
            }
            let mut next = (*request.request).clone();
            next.headers_mut().insert(AUTHORIZATION, answer);
            let next = connection.requests.send_request(next).await;
            response = self.whole(next.map_err(broken::in_head)?).await?;
        }
        Err(broken::in_handshake("the server asks again and again"))
    }

    /// Decompresses a response that is in the coding that the transport asked for.
    fn plain(&self, response: Response<Bytes>) -> Result<Response<Bytes>, TransportError> {
        if !self.gzip || !is_gzip(response.headers()) {
            return Ok(response);
        }
        let (mut parts, body) = response.into_parts();
        forget(&mut parts.headers);
        match inflated(&body, self.body_limit) {
            Ok(body) => Ok(Response::from_parts(parts, body)),
            Err(BodyError::TooLong) => Err(TransportError::too_long(self.body_limit)),
            Err(BodyError::Broken(error)) => Err(broken::in_gzip(error)),
        }
    }
}

/// A request that a handshake sends several times.
struct Repeated<'d> {
    request: BoxedRequest,
    destination: &'d Destination,
    deadline: &'d Instant,
}

/// Whether another request can be sent on a connection after a response.
async fn is_ready(connection: &mut Connection) -> bool {
    let ready = timeout(READY_TIMEOUT, connection.requests.ready()).await;
    matches!(ready, Ok(Ok(())))
}

/// Splits a request into its destination and the request to send: with only the target in its URL,
/// and the host in a header.
fn split(mut request: BoxedRequest) -> Result<(Destination, BoxedRequest), TransportError> {
    let uri = std::mem::take(request.uri_mut()).into_parts();
    let refused = |why| TransportError::new(TransportErrorKind::Scheme, why);
    let is_https = match uri.scheme.as_ref().map_or("", Scheme::as_str) {
        "http" => false,
        "https" if cfg!(feature = "tls") => true,
        "https" => {
            return Err(refused(
                "https needs the feature `tls` of svcgen, or another transport",
            ));
        }
        _ => return Err(refused("HttpTransport needs an http or https URL")),
    };
    let authority = uri
        .authority
        .ok_or_else(|| refused("the URL names no host"))?;
    // Errors name the authority.
    if authority.as_str().contains('@') {
        return Err(refused(
            "the URL holds a user's name: HttpTransport::with_basic_auth sends credentials",
        ));
    }
    let host = HeaderValue::from_str(authority.as_str())
        .map_err(|_| refused("the URL's host cannot stand in a header"))?;
    request.headers_mut().entry(HOST).or_insert(host);
    *request.uri_mut() = uri.path_and_query.map_or_else(Uri::default, Uri::from);
    let destination = Destination {
        authority,
        is_https,
        identified: true,
    };
    Ok((destination, request))
}
