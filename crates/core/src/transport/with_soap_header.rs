//! A transport that adds a SOAP header to requests.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};

use super::called_operation::CalledOperation;
use super::send::Transport;
use crate::added_header::add_header;
use crate::transport_error::{TransportError, TransportErrorKind};
use svcgen_wire::{WriteError, types::XmlFragment};

type Make = dyn Fn(&Request<Bytes>) -> Result<XmlFragment, WriteError> + Send + Sync;

/// The transport of [`Client::with_soap_header`](crate::Client::with_soap_header), which adds a
/// SOAP header to each request over SOAP.
#[derive(Clone)]
pub struct WithSoapHeader<T> {
    transport: T,
    make: Arc<Make>,
}

impl<T> WithSoapHeader<T> {
    pub(crate) fn new(transport: T, make: Arc<Make>) -> Self {
        Self { transport, make }
    }
}

impl<T: Transport> Transport for WithSoapHeader<T> {
    fn send(
        &self,
        mut request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + super::MaybeSend {
        let called = request.extensions().get::<CalledOperation>();
        let is_soap = called.is_some_and(|called| called.binding().is_soap());
        let header = is_soap.then(|| (self.make)(&request)).transpose();
        let sent = header.map(|header| {
            if let Some(header) = header {
                *request.body_mut() = add_header(request.body(), header.as_str());
            }
            self.transport.send(request)
        });
        async {
            match sent {
                Ok(sent) => sent.await,
                Err(error) => {
                    let message = format!("a SOAP header cannot be written: {error}");
                    let failed = TransportError::new(TransportErrorKind::Layer, message);
                    Err(failed.with_source(Box::new(error)))
                }
            }
        }
    }

    fn timeout(&self) -> Option<Duration> {
        self.transport.timeout()
    }
}

impl<T: fmt::Debug> fmt::Debug for WithSoapHeader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithSoapHeader")
            .field("transport", &self.transport)
            .finish_non_exhaustive()
    }
}
