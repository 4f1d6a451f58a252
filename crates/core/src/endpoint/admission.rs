//! Bodies of requests: collects the body of a call if there is room for it, and discards others.

use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::header::EXPECT;
use http::{Method, Version, request};
use http_body::Body;

use super::Endpoint;
use crate::binding::protocol::{BindingRouter, Route};
use crate::body::{self, BodyError};
use crate::connection_grants::{ConnectionGrants, Grant};
use crate::failure::Failure;
use crate::gzip;
use crate::layer::CallResponse;
use crate::media_type::is_gzip;
use crate::packaging::Unpacking;
use crate::response;

/// The treatment of a body in gzip.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Coded {
    Read,
    /// The body stays as received, and is kept for GET, too.
    Kept,
}

impl Endpoint {
    /// Collects the body of a call, if there is room for it.
    pub(super) fn admit<B: Body>(
        &self,
        route: Route,
        parts: &request::Parts,
        body: Pin<&mut B>,
    ) -> impl Future<Output = Admitted> {
        let limit = self.options().limits.body;
        admit(Some(route.protocol), limit, parts, body, Coded::Read, None)
    }
}

/// A body with its grant, or the answer to a request that there is no room for.
pub(super) type Admitted = Result<(Bytes, Option<Grant>), Box<CallResponse>>;

/// Collects or unpacks a body, if there is room for it.
pub(super) async fn admit<B: Body>(
    protocol: Option<&'static dyn BindingRouter>,
    limit: usize,
    parts: &request::Parts,
    body: Pin<&mut B>,
    coded: Coded,
    unpacking: Option<&mut Unpacking>,
) -> Admitted {
    let grants = parts.extensions.get::<Arc<ConnectionGrants>>();
    // A body that would have no room even alone counts as too long: its caller would retry forever.
    let limit = match (grants, &unpacking) {
        (Some(grants), None) => limit.min(grants.bodies.all()),
        // Parts may be on disk.
        _ => limit,
    };
    if waits_to_send(parts, &body) && body::announced(&body) > limit {
        let too_long = BodyError::<B::Error>::TooLong;
        let mut answer = CallResponse::failed(protocol, too_long.into());
        response::close_connection(answer.response_mut());
        return Err(answer.into());
    }
    let calls = grants.map(|grants| grants.calls.all());
    let mut grant = grants.cloned().and_then(Grant::of_call);
    if let (Some(calls), None) = (calls, &grant) {
        let busy = Failure::busy(format_args!(
            "its limit of {calls} running calls is reached"
        ));
        let mut answer = CallResponse::failed(protocol, busy);
        answer_early(parts, body, &mut answer, limit).await;
        return Err(answer.into());
    }
    match collect(limit, parts, body, grant.as_mut(), coded, unpacking).await {
        Ok(body) => Ok((body, grant)),
        Err(failure) => Err(CallResponse::failed(protocol, failure).into()),
    }
}

/// Collects or unpacks the body of a call; the body of a GET is discarded.
async fn collect<B: Body>(
    limit: usize,
    parts: &request::Parts,
    body: Pin<&mut B>,
    mut grant: Option<&mut Grant>,
    coded: Coded,
    unpacking: Option<&mut Unpacking>,
) -> Result<Bytes, Failure> {
    let discarded = most_discarded(limit);
    if parts.method == Method::GET && coded == Coded::Read {
        body::discard(body, discarded).await;
        return Ok(Bytes::new());
    }
    let no_room = || Failure::busy("its limit of memory for requests is reached");
    if let Some(unpacking) = unpacking {
        let take = |bytes: Bytes| {
            unpacking.push(&bytes)?;
            let Some(grant) = &mut grant else {
                return Ok(());
            };
            let held = unpacking.held();
            if grant.hold(held) {
                Ok(())
            } else if held > grant.most() {
                Err(BodyError::<B::Error>::TooLong.into())
            } else {
                Err(no_room())
            }
        };
        body::pass(body, limit, discarded, take).await?;
        return Ok(Bytes::new());
    }
    let mut allow = |bytes| {
        let is_taken = grant.as_mut().is_none_or(|grant| grant.take(bytes));
        is_taken.then_some(()).ok_or_else(no_room)
    };
    let collected = body::collect_allowed(body, limit, discarded, &mut allow).await?;
    // Routing refuses all other codings, and this one too if it is not allowed.
    if coded == Coded::Read && is_gzip(&parts.headers) {
        let inflated = gzip::inflated(&collected, limit).map_err(Failure::of_gzip)?;
        allow(inflated.len())?;
        return Ok(inflated);
    }
    Ok(collected)
}

/// The maximum length that is read of an unwanted body, as a multiple of the limit.
const DISCARDED: usize = 4;

/// Returns the number of bytes to read of an unwanted body: most callers read the answer only after
/// they have sent the whole body.
fn most_discarded(limit: usize) -> usize {
    limit.saturating_mul(DISCARDED)
}

/// Reads the body of a request that is not a call before the answer: if the connection is closed
/// while the caller still sends, the answer may be lost (RFC 9112 §9.6). If the caller waits to
/// send the body, the connection is closed instead.
pub(super) async fn answer_early<B: Body>(
    parts: &request::Parts,
    body: Pin<&mut B>,
    answer: &mut CallResponse,
    limit: usize,
) {
    if waits_to_send(parts, &body) {
        response::close_connection(answer.response_mut());
    } else {
        body::discard(body, most_discarded(limit)).await;
    }
}

/// Whether the caller sends the body only after `100 Continue`, which is written when the body is
/// first polled. HTTP/1.0 does not have it (RFC 9110 §10.1.1).
fn waits_to_send(parts: &request::Parts, body: &impl Body) -> bool {
    let expects = parts.headers.get(EXPECT);
    let expects =
        expects.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    expects && parts.version > Version::HTTP_10 && !body.is_end_stream()
}
