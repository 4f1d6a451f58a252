//! Servers that check the signatures of requests and sign their answers.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use svcgen_core::layer::{CallRequest, CallResponse, CallService, Outcome, Refusal, Target};
use svcgen_core::{Binding, Endpoint, Fault, Server};
use svcgen_ws::internals::SignatureChecked;
use tower_layer::Layer;
use tower_service::Service;

use crate::error::SignatureError;
use crate::message_text::message_text;
use crate::names::WSSE;
use crate::policy::SignaturePolicy;
use crate::signer::Signer;
use crate::verified_signature::VerifiedSignature;

/// Adds signatures to a [`Server`] or an [`Endpoint`].
pub trait ServerSignatures {
    /// Returns the same service, whose requests must be signed. Handlers find the signature with
    /// [`VerifiedSignature::of`].
    ///
    /// Add it after `with_ws_security`, so that a user name counts only in a message with a valid
    /// signature.
    #[must_use]
    fn with_verified_requests(self, policy: SignaturePolicy) -> Self;

    /// Returns the same service, whose answers over SOAP are signed, including faults.
    ///
    /// Add it last, so that it also signs the refusals of other layers, and the headers that they
    /// add to answers.
    #[must_use]
    fn with_signed_answers(self, signer: Signer) -> Self;
}

impl ServerSignatures for Endpoint {
    fn with_verified_requests(self, policy: SignaturePolicy) -> Self {
        self.with_header_layer(&[(WSSE, "Security")], Verify(policy))
    }

    fn with_signed_answers(self, signer: Signer) -> Self {
        self.with_layer(Sign(signer))
    }
}

impl<S, H> ServerSignatures for Server<S, H> {
    fn with_verified_requests(self, policy: SignaturePolicy) -> Self {
        self.change_endpoint(|endpoint| endpoint.with_verified_requests(policy))
    }

    fn with_signed_answers(self, signer: Signer) -> Self {
        self.change_endpoint(|endpoint| endpoint.with_signed_answers(signer))
    }
}

/// The service of both layers.
#[derive(Clone)]
struct Around<W> {
    work: W,
    inner: CallService,
}

type Answer = Pin<Box<dyn Future<Output = Result<CallResponse, Refusal>> + Send>>;

/// Checks the signature of each request before it passes the request on. Private, because the
/// header must be registered as understood, too.
#[derive(Clone)]
struct Verify(SignaturePolicy);

impl Layer<CallService> for Verify {
    type Service = Around<Self>;

    fn layer(&self, inner: CallService) -> Around<Self> {
        let work = self.clone();
        Around { work, inner }
    }
}

impl Service<CallRequest> for Around<Verify> {
    type Response = CallResponse;
    type Error = Refusal;
    type Future = Answer;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Refusal>> {
        let ready = self.inner.poll_ready(context);
        ready.map_err(|never| match never {})
    }

    fn call(&mut self, mut request: CallRequest) -> Answer {
        let (policy, mut inner) = (self.work.0.clone(), self.inner.clone());
        // The request is already refused, or another server checks it.
        let is_of_others = request.is_forwarded() || matches!(request.target(), Target::Refused);
        Box::pin(async move {
            if !is_of_others {
                match verify(&policy, &request).await {
                    Ok(signature) => {
                        let extensions = request.extensions_mut();
                        extensions.insert(signature);
                        extensions.insert(SignatureChecked);
                    }
                    Err(error) => return Ok(request.refused(error.into_fault())),
                }
            }
            let Ok(answer) = inner.call(request).await;
            Ok(answer)
        })
    }
}

async fn verify(
    policy: &SignaturePolicy,
    request: &CallRequest,
) -> Result<VerifiedSignature, SignatureError> {
    if !request.binding().is_some_and(Binding::is_soap) {
        let why = "This service asks for a signature, which only calls over SOAP have.";
        return Err(Fault::client(why).into());
    }
    let text = message_text(request.headers(), request.body())?;
    policy.verify(text).await
}

/// Signs the answers.
#[derive(Clone)]
struct Sign(Signer);

impl Layer<CallService> for Sign {
    type Service = Around<Self>;

    fn layer(&self, inner: CallService) -> Around<Self> {
        let work = self.clone();
        Around { work, inner }
    }
}

impl Service<CallRequest> for Around<Sign> {
    type Response = CallResponse;
    type Error = Refusal;
    type Future = Answer;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Refusal>> {
        let ready = self.inner.poll_ready(context);
        ready.map_err(|never| match never {})
    }

    fn call(&mut self, request: CallRequest) -> Answer {
        let (signer, mut inner) = (self.work.0.clone(), self.inner.clone());
        let is_soap = request.binding().is_some_and(Binding::is_soap);
        Box::pin(async move {
            let Ok(mut answer) = inner.call(request).await;
            // Answers to one-way operations have no body.
            let is_own = *answer.outcome() != Outcome::Forwarded;
            if is_soap && is_own && !answer.body().is_empty() {
                let signed = message_text(answer.headers(), answer.body())
                    .and_then(|text| signer.sign(text))
                    .map_err(|error| {
                        Fault::exception("The answer cannot be signed.").with_cause(error)
                    })?;
                *answer.response_mut().body_mut() = Bytes::from(signed);
            }
            Ok(answer)
        })
    }
}
