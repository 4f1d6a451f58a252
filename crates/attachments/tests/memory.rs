//! The memory for long parts.

use std::alloc::System;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use cap::Cap;
use http::header::CONTENT_TYPE;
use http::{Request, Response};
use http_body::{Body, Frame};
use http_body_util::BodyExt as _;
use svcgen::transport::{TransportError, transport_fn};
use svcgen::types::LargeBytes;
use svcgen::{Fault, Transport};
use svcgen_attachments::{
    Attachments, ClientAttachments as _, PartsOnDisk, ServerAttachments as _,
};
use tower_service::Service as _;

use archive::{ArchiveHandler, ArchiveServer, BothRequest, LengthRequest};
use files::{
    EchoRequest, FilesClient, FilesHandler, FilesServer, Folder, KeepRequest, NamedRequest,
};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

#[derive(svcgen::Service)]
#[service(definition = "tests/attachments/files.yaml")]
struct Files;

#[derive(svcgen::Service)]
#[service(definition = "tests/attachments/archive.yaml")]
struct Archive;

struct Told;

impl FilesHandler for Told {
    async fn echo(&self, _: &svcgen::Context, request: EchoRequest) -> Result<Folder, Fault> {
        Ok(request.folder)
    }

    async fn keep(&self, _: &svcgen::Context, request: KeepRequest) -> Result<i32, Fault> {
        Ok(i32::try_from(request.data.len())?)
    }

    async fn named(&self, _: &svcgen::Context, _: NamedRequest) -> Result<Option<Vec<u8>>, Fault> {
        Ok(None)
    }
}

impl ArchiveHandler for Told {
    async fn echo(
        &self,
        _: &svcgen::Context,
        request: archive::EchoRequest,
    ) -> Result<Option<LargeBytes>, Fault> {
        Ok(request.report)
    }

    async fn both(&self, _: &svcgen::Context, _: BothRequest) -> Result<bool, Fault> {
        Ok(false)
    }

    async fn length(&self, _: &svcgen::Context, _: LengthRequest) -> Result<i32, Fault> {
        Ok(0)
    }
}

const LENGTH: usize = 16 << 20;

/// A body that is produced while it is read: the beginning, a number of bytes, the end.
struct Arriving([Option<Bytes>; 2], usize);

impl Body for Arriving {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = if let Some(start) = self.0[0].take() {
            Some(start)
        } else if self.1 > 0 {
            let length = self.1.min(64 << 10);
            self.1 -= length;
            Some(vec![7; length].into())
        } else {
            self.0[1].take()
        };
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

fn call(service: &str, operation: &str, inside: &str) -> Request<Arriving> {
    let include = "<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:p'/>";
    let inside = inside.replace('*', include);
    let start = format!(
        "--b\r\nContent-Type: application/xop+xml; type=\"text/xml\"\r\n\r\n<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><{operation} xmlns='urn:example:{service}'>{inside}</{operation}></s:Body></s:Envelope>\r\n--b\r\nContent-ID: <p>\r\n\r\n"
    );
    let ends = [start.into(), Bytes::from_static(b"\r\n--b--")].map(Some);
    Request::post(format!("/{service}.asmx"))
        .header(
            CONTENT_TYPE,
            "multipart/related; type=\"application/xop+xml\"; boundary=b",
        )
        .header("SOAPAction", format!("urn:example:{service}/{operation}"))
        .body(Arriving(ends, LENGTH))
        .unwrap()
}

/// Returns the peak of the memory while `work` runs, in lengths of the part.
async fn peak<O>(work: impl AsyncFnOnce() -> O) -> f64 {
    let before = ALLOCATOR.allocated();
    drop(work().await);
    (ALLOCATOR.max_allocated() - before) as f64 / LENGTH as f64
}

/// A single test, as the allocator counts the peak of the whole program; each step takes more than
/// the step before.
#[tokio::test]
async fn parts_are_held_once_and_copied_when_they_are_sent() {
    let disk = PartsOnDisk::above(1 << 20);
    let attachments = Attachments::new().with_parts_on_disk(disk);
    let mut server = ArchiveServer::new(Told).with_attachments(attachments);
    let on_disk = peak(async || {
        let report = "<report>*</report>";
        let answer = server.call(call("archive", "Echo", report)).await.unwrap();
        let mut body = answer.into_body();
        let mut length = 0;
        while let Some(frame) = body.frame().await {
            length += frame.unwrap().into_data().unwrap().len();
        }
        assert!(length > LENGTH);
    });
    let most = on_disk.await;
    // The limit of a part in memory, before it is moved to disk.
    assert!((0.06..0.12).contains(&most), "a part on disk: {most}");
    let mut server = FilesServer::new(Told).with_attachments(Attachments::new());
    let read = peak(async || {
        let answer = server
            .call(call("files", "Keep", "<data>*</data>"))
            .await
            .unwrap();
        assert_eq!(answer.status(), 200);
    });
    let most = read.await;
    assert!((1.0..1.6).contains(&most), "a part that is read: {most}");
    let sent_back = peak(async || {
        let folder = "<folder><First>*</First></folder>";
        let answer = server.call(call("files", "Echo", folder)).await.unwrap();
        assert_eq!(answer.status(), 200);
    });
    let most = sent_back.await;
    assert!(
        (2.0..2.6).contains(&most),
        "a part that is sent back: {most}"
    );
    let transport = transport_fn(move |request: Request<Bytes>| {
        let server = server.clone();
        async move {
            let response: Response<Bytes> = Transport::send(&server, request).await?;
            Ok::<_, TransportError>(response)
        }
    });
    let client = FilesClient::new(transport, "http://h").unwrap();
    let client = client.with(|client| client.with_attachments(Attachments::new().with_mtom(true)));
    let sent = peak(async || {
        let data = vec![7; LENGTH];
        client.keep(&KeepRequest { data }).await.unwrap()
    });
    // The value, the request, and the value that the server reads from it in this process.
    let most = sent.await;
    assert!((3.0..3.1).contains(&most), "a part that is sent: {most}");
}
