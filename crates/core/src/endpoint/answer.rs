//! The stages of a call, from its request to its response.

use std::borrow::Cow;
use std::pin::{Pin, pin};
use std::sync::Arc;

use bytes::Bytes;
use http::Response;
use http_body::Body;
use http_body_util::Full;

use super::forward::Forwarded;
use super::identification::add_granted;
use super::one_way::accept_or_answer;
use super::packed::admit_packed;
use super::routed::{Destination, Forward, Routed, RoutedCall};
use crate::gzip::Coding;
use crate::heads::Heads;
use crate::maybe_send::BoxFuture;
use crate::outgoing_body::OutgoingBody;
use crate::packaging::{ReceivedParts, pack};

/// Answers a request with any body, and converts the answer with `finish`: a future around this one
/// would contain the arguments twice.
///
/// [Routing](super::Endpoint::route) comes before; then each stage either passes the call on or
/// refuses it with an answer.
#[allow(
    clippy::manual_async_fn,
    reason = "an `async fn` has room for its arguments twice"
)]
pub(crate) fn answer<B: Body, O>(
    mut routed: Routed,
    mut heads: Arc<Heads>,
    body: B,
    finish: fn(Response<OutgoingBody>) -> O,
) -> impl Future<Output = O> {
    async move {
        // Pinned once: the futures below would each have room for the body.
        let body = pin!(body);
        let (mut granted, mut coding) = (None, Coding::Off);
        if let Some(guard) = routed.guard.take() {
            let destination = &mut routed.destination;
            granted = Box::pin(guard.identify(destination, &mut heads)).await;
        }
        let mut response = 'answered: {
            let (endpoint, mut route, layers) = match routed.destination {
                Destination::Call(call) => (call.endpoint, call.route, call.layers),
                Destination::Original(forward) => {
                    break 'answered answer_original(forward, heads, body).await;
                }
                Destination::Answer(early) => {
                    break 'answered pack(early.answer(heads, body).await);
                }
            };
            coding = Coding::of(endpoint.options().speaks_gzip(), &heads.parts.headers);
            let admitted = match endpoint.unpacking(route, &heads.parts) {
                None => endpoint.admit(route, &heads.parts, body).await,
                Some(unpacking) => admit_packed(unpacking, &mut route, &mut heads, body).await,
            };
            let (body, grant) = match admitted {
                Ok(admitted) => admitted,
                Err(answer) => {
                    let setting = endpoint.setting(Some(route.protocol), layers);
                    let early = setting.answered(*answer);
                    break 'answered pack(early.pass_layers(heads, Bytes::new()).await);
                }
            };
            let detach = endpoint.detaches(&heads.parts);
            let call = move |accepted| async move {
                // The handler needs the head while the parameters borrow from the query.
                let (uri, mut text) = (heads.parts.uri.clone(), Cow::default());
                let parts = heads.parts.extensions.get().cloned();
                let parts = parts.as_ref().map(ReceivedParts::bytes);
                let opened =
                    endpoint.open(route, &heads.parts.headers, &uri, &body, parts, &mut text);
                let response = match opened {
                    Err(unopened) => {
                        let early = endpoint.refuse(route, layers, unopened);
                        early.pass_layers(heads, body.clone()).await
                    }
                    Ok(opened) => match layers {
                        Some(layers) => {
                            let answer =
                                endpoint.call_beneath(*layers, heads, &body, opened, accepted);
                            answer.await
                        }
                        None => {
                            let answer = endpoint.call(heads, &body, opened, accepted);
                            answer.await.into_response()
                        }
                    },
                };
                drop(grant);
                response
            };
            pack(match detach {
                Some(detach) => accept_or_answer(detach, call).await,
                None => call(None).await,
            })
        };
        // A body that is read while it is sent cannot be compressed beforehand.
        if coding != Coding::Off
            && let Some(body) = response.body_mut().in_memory()
        {
            let mut body = std::mem::take(body);
            coding.apply(response.headers_mut(), &mut body);
            *response.body_mut() = body.into();
        }
        add_granted(granted, response.headers_mut());
        finish(response)
    }
}

/// Returns the answer of the original, or of the handler here if the body names one of its
/// operations.
fn answer_original<B: Body>(
    forward: Box<Forward>,
    heads: Arc<Heads>,
    body: Pin<&mut B>,
) -> Pin<Box<impl Future<Output = Response<OutgoingBody>>>> {
    Box::pin(async move {
        match forward.answer(heads, body).await {
            Forwarded::Answered(response) => pack(response),
            Forwarded::Here(call, heads, body) => answer_held(call, heads, body).await,
        }
    })
}

/// Answers a call whose body has arrived. Boxed, because an answer may end here.
fn answer_held(
    call: RoutedCall,
    heads: Arc<Heads>,
    body: Bytes,
) -> BoxFuture<'static, Response<OutgoingBody>> {
    let routed = Routed::from(Destination::Call(call));
    Box::pin(answer(routed, heads, Full::new(body), |response| response))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size<A, B, C, D, F: Future>(_: impl Fn(A, B, C, D) -> F) -> usize {
        size_of::<F>()
    }

    /// Each running call has one such future.
    #[test]
    fn a_call_takes_less_than_a_kibibyte_beside_its_handler() {
        let size = size(answer::<Full<Bytes>, Response<OutgoingBody>>);
        assert!(size <= 900, "{size} bytes");
    }
}
