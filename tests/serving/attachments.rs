//! Messages with attachments share the memory of all calls.

use std::io::Read;

use flate2::Compression;
use flate2::read::GzEncoder;
use http::Request;
use svcgen::codegen::Endpoint;
use svcgen::{HttpTransport, ServerOptions, Transport};
use svcgen_attachments::{Attachments, ServerAttachments as _};
use tokio::net::TcpListener;

use crate::worker::{WorkServer, Worker, body};

const PACKAGE: &str = "multipart/related; type=\"text/xml\"; boundary=b";

/// A call of `Store` with a part, a package of so many bytes.
fn package(length: usize) -> Vec<u8> {
    let message = body("Store", "next");
    let start = format!("--b\r\nContent-Type: text/xml\r\n\r\n{message}\r\n--b\r\n\r\n");
    let end = "\r\n--b--";
    let part = " ".repeat(length - start.len() - end.len());
    [start, part, end.to_owned()].concat().into_bytes()
}

#[tokio::test]
async fn parts_take_memory_of_all_calls() {
    let deflated = |bytes: Vec<u8>| {
        let mut whole = Vec::new();
        let mut deflating = GzEncoder::new(&*bytes, Compression::best());
        deflating.read_to_end(&mut whole).expect("memory");
        whole
    };
    // The third has no room beside its compressed form, the others not even alone.
    for (is_zipped, length, status) in [
        (false, 10_000, 200),
        (true, 5_000, 200),
        (true, 9_990, 503),
        (false, 10_001, 500),
        (true, 50_000, 500),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = WorkServer::new(Worker::new())
            .with_options(ServerOptions::new().with_gzip(true))
            .with_attachments(Attachments::new());
        let serve = svcgen::serve(listener, Endpoint::from(server));
        tokio::spawn(async { serve.with_max_body_memory(10_000).await });
        let mut request = Request::post(format!("http://{address}/Work.asmx"))
            .header("content-type", PACKAGE)
            .header("soapaction", "\"urn:example:work/Store\"");
        let mut bytes = package(length);
        if is_zipped {
            request = request.header("content-encoding", "gzip");
            bytes = deflated(bytes);
        }
        let request = request.body(bytes.into()).expect("a request");
        let answer = HttpTransport::new().send(request).await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), status, "{length}");
    }
}
