//! Clients that sign their requests and check the signatures of answers.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Request, Response};
use svcgen_core::transport::{CalledOperation, MaybeSend, TransportError, TransportErrorKind};
use svcgen_core::{Client, ReadError, Transport};
use svcgen_wire::Reader;

use crate::error::SignatureError;
use crate::message_text::message_text;
use crate::names::WSSE;
use crate::policy::SignaturePolicy;
use crate::signer::Signer;

/// Adds signatures to a [`Client`].
pub trait ClientSignatures<T> {
    /// Signs the requests over SOAP.
    ///
    /// Everything added to the client after this call is signed, such as headers and
    /// `with_ws_security`. Add retries after it, too, so that each try gets its own signature.
    #[must_use]
    fn with_signed_requests(self, signer: Signer) -> Client<SigningTransport<T>>;

    /// Accepts only signed answers over SOAP, including faults. Add it before `with_ws_security`,
    /// which reads no signature.
    ///
    /// The signature proves who wrote an answer and when, but not which request it answers. TLS
    /// proves this, or a signed `RelatesTo`.
    #[must_use]
    fn with_verified_answers(self, policy: SignaturePolicy) -> Client<VerifyingTransport<T>>;
}

impl<T> ClientSignatures<T> for Client<T> {
    fn with_signed_requests(self, signer: Signer) -> Client<SigningTransport<T>> {
        self.with_transport(|transport| SigningTransport { transport, signer })
    }

    fn with_verified_answers(self, policy: SignaturePolicy) -> Client<VerifyingTransport<T>> {
        self.with_transport(|transport| VerifyingTransport { transport, policy })
            .with_understood(pass_header)
    }
}

/// Skips the current header of an answer, if it belongs to WS-Security: the transport has read it.
fn pass_header(reader: &mut Reader<'_>) -> Result<bool, ReadError> {
    let is_it = reader.is(WSSE, "Security");
    if is_it {
        reader.skip()?;
    }
    Ok(is_it)
}

/// Whether a request is one over SOAP. Without its [`CalledOperation`], which another transport may
/// have removed, it counts as one.
fn is_soap(request: &Request<Bytes>) -> bool {
    let called = request.extensions().get::<CalledOperation>();
    called.is_none_or(|called| called.binding().is_soap())
}

fn failed(what: &str, error: SignatureError) -> TransportError {
    let message = format!("{what}: {error}");
    TransportError::new(TransportErrorKind::Layer, message).with_source(error)
}

/// The transport of [`ClientSignatures::with_signed_requests`], which signs requests.
#[derive(Clone)]
pub struct SigningTransport<T> {
    transport: T,
    signer: Signer,
}

impl<T: Transport> Transport for SigningTransport<T> {
    fn send(
        &self,
        mut request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend {
        let signed = is_soap(&request).then(|| {
            let text = message_text(request.headers(), request.body())?;
            self.signer.sign(text)
        });
        let sent = signed.transpose().map(|signed| {
            if let Some(signed) = signed {
                *request.body_mut() = Bytes::from(signed);
            }
            self.transport.send(request)
        });
        async {
            match sent {
                Ok(sent) => sent.await,
                Err(error) => Err(failed("the request cannot be signed", error)),
            }
        }
    }

    fn timeout(&self) -> Option<Duration> {
        self.transport.timeout()
    }
}

impl<T: fmt::Debug> fmt::Debug for SigningTransport<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningTransport")
            .field("transport", &self.transport)
            .field("signer", &self.signer)
            .finish()
    }
}

/// The transport of [`ClientSignatures::with_verified_answers`], which checks the signatures of
/// answers.
#[derive(Clone)]
pub struct VerifyingTransport<T> {
    transport: T,
    policy: SignaturePolicy,
}

impl<T: Transport> Transport for VerifyingTransport<T> {
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend {
        let called = request.extensions().get::<CalledOperation>();
        let is_one_way = called.is_some_and(CalledOperation::is_one_way);
        let (is_soap, sent) = (is_soap(&request), self.transport.send(request));
        let policy = self.policy.clone();
        async move {
            let response = sent.await?;
            if !is_soap || is_no_message(&response, is_one_way) {
                return Ok(response);
            }
            let verified = match message_text(response.headers(), response.body()) {
                Ok(text) => policy.verify(text).await,
                Err(error) => Err(error),
            };
            match verified {
                Ok(_) => Ok(response),
                Err(error) => Err(failed("the answer is not accepted", error)),
            }
        }
    }

    fn timeout(&self) -> Option<Duration> {
        self.transport.timeout()
    }
}

/// Whether a response is not read as a message, even after a transport around this one has unpacked
/// it: the empty answer of a one-way operation, or a response whose status makes it an error.
fn is_no_message(response: &Response<Bytes>, is_one_way: bool) -> bool {
    if response.status().is_success() {
        return is_one_way && response.body().is_empty();
    }
    let content_type = response.headers().get(CONTENT_TYPE);
    let content_type = content_type.map_or(&[][..], |value| value.as_bytes());
    let contains = |word: &[u8]| {
        let mut words = content_type.windows(word.len());
        words.any(|found| found.eq_ignore_ascii_case(word))
    };
    !contains(b"xml") && !contains(b"multipart")
}

impl<T: fmt::Debug> fmt::Debug for VerifyingTransport<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifyingTransport")
            .field("transport", &self.transport)
            .field("policy", &self.policy)
            .finish()
    }
}
