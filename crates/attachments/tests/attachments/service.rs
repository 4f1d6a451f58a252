//! A service that handles bytes, and a transport that records its messages.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response};
use svcgen::transport::{TransportError, transport_fn};
use svcgen::types::LargeBytes;
use svcgen::{Context, Fault, Transport};
use svcgen_attachments::{Attachments, ReceivedAttachments, ServerAttachments as _};

use files::{EchoRequest, FilesHandler, FilesServer, Folder, KeepRequest, NamedRequest};

#[derive(svcgen::Service)]
#[service(definition = "tests/attachments/files.yaml")]
pub struct Files;

pub struct Told;

impl FilesHandler for Told {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Folder, Fault> {
        match request.folder.name.as_deref() {
            Some("fault") => Err(Fault::client("As it was asked for.")),
            _ => Ok(request.folder),
        }
    }

    async fn keep(&self, _: &Context, request: KeepRequest) -> Result<i32, Fault> {
        Ok(i32::try_from(request.data.len()).unwrap())
    }

    async fn named(
        &self,
        context: &Context,
        request: NamedRequest,
    ) -> Result<Option<Vec<u8>>, Fault> {
        let attachments = ReceivedAttachments::of(context.extensions());
        let taken = attachments.and_then(|all| all.get(&request.reference)?.take());
        Ok(taken.map(LargeBytes::into_vec).transpose()?)
    }
}

pub fn server() -> FilesServer<Told> {
    FilesServer::new(Told).with_attachments(Attachments::new())
}

/// The messages that a transport sent and received.
#[derive(Clone, Default)]
pub struct Seen(Arc<Mutex<Vec<(String, Bytes)>>>);

impl Seen {
    /// Returns the media types and bodies of the last request and its response.
    pub fn last(&self) -> [(String, Bytes); 2] {
        let seen = self.0.lock().unwrap();
        seen[seen.len() - 2..].to_vec().try_into().unwrap()
    }

    /// Whether the transport carried no message.
    pub fn is_empty(&self) -> bool {
        self.0.lock().unwrap().is_empty()
    }

    fn add(&self, content_type: Option<&HeaderValue>, body: &Bytes) {
        let content_type = content_type.map_or("", |text| text.to_str().unwrap());
        self.0
            .lock()
            .unwrap()
            .push((content_type.to_owned(), body.clone()));
    }
}

/// Returns a transport to a server, and its messages.
pub fn watched<S>(server: S) -> (impl Transport + Send + Sync + 'static, Seen)
where
    S: Transport + Clone + Send + Sync + 'static,
{
    let seen = Seen::default();
    let watching = seen.clone();
    let transport = transport_fn(move |request: Request<Bytes>| {
        let (server, seen) = (server.clone(), watching.clone());
        async move {
            seen.add(request.headers().get(CONTENT_TYPE), request.body());
            let response: Response<Bytes> = Transport::send(&server, request).await?;
            seen.add(response.headers().get(CONTENT_TYPE), response.body());
            Ok::<_, TransportError>(response)
        }
    });
    (transport, seen)
}
