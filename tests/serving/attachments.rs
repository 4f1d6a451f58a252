//! Messages with attachments share the memory of all calls, and documents say that they are read.

use std::io::Read;

use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzEncoder;
use http::Request;
use svcgen::codegen::Endpoint;
use svcgen::documents::InvokeForm;
use svcgen::{Documents, HttpTransport, ServerOptions, Transport};
use svcgen_attachments::{Attachments, PartsOnDisk, ServerAttachments as _};
use tokio::net::TcpListener;

use crate::traces::Log;
use crate::worker::{WorkServer, Worker, body};

const PACKAGE: &str = "multipart/related; type=\"text/xml\"; boundary=b";

/// Returns a call of `Store` with a part, in a package of this length.
fn package(length: usize) -> Vec<u8> {
    let message = body("Store", "next");
    let start = format!("--b\r\nContent-Type: text/xml\r\n\r\n{message}\r\n--b\r\n\r\n");
    let end = "\r\n--b--";
    let part = " ".repeat(length - start.len() - end.len());
    [start, part, end.to_owned()].concat().into_bytes()
}

fn call(url: &str) -> http::request::Builder {
    Request::post(url)
        .header("content-type", PACKAGE)
        .header("soapaction", "\"urn:example:work/Store\"")
}

/// The URL of a server with this much memory for bodies.
async fn served(attachments: Attachments, memory: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = WorkServer::new(Worker::new())
        .with_options(ServerOptions::new().with_gzip(true))
        .with_attachments(attachments);
    let serve = svcgen::serve(listener, Endpoint::from(server));
    tokio::spawn(async move { serve.with_max_body_memory(memory).await });
    format!("http://{address}/Work.asmx")
}

/// The status of the answer to a package of so many bytes.
async fn sent(url: &str, is_zipped: bool, length: usize) -> u16 {
    let (mut request, mut bytes) = (call(url), package(length));
    if is_zipped {
        request = request.header("content-encoding", "gzip");
        let mut deflating = GzEncoder::new(&*bytes, Compression::best());
        let mut whole = Vec::new();
        deflating.read_to_end(&mut whole).expect("memory");
        bytes = whole;
    }
    let request = request.body(bytes.into()).expect("a request");
    let answer = HttpTransport::new().send(request).await;
    answer.expect("an answer").status().as_u16()
}

#[tokio::test]
async fn parts_on_disk_take_no_memory_of_all_calls() {
    for (above, is_zipped, length, status) in [
        (1000, false, 10_000_000, 200),
        (1000, true, 10_000_000, 200),
        (500_000, false, 100_000, 200),
        (500_000, false, 300_000, 500),
    ] {
        let disk = PartsOnDisk::above(above);
        let url = served(Attachments::new().with_parts_on_disk(disk), 200_000).await;
        assert_eq!(sent(&url, is_zipped, length).await, status, "{length}");
    }
}

#[tokio::test]
async fn a_failing_disk_is_logged_with_its_cause() {
    let (log, _guard) = Log::start();
    let disk = PartsOnDisk::above(1000).with_directory("/nowhere");
    let server = WorkServer::new(Worker::new())
        .with_attachments(Attachments::new().with_parts_on_disk(disk));
    let request = call("/Work.asmx").body(package(2000).into());
    let answer = server.answer(request.expect("a request")).await;
    assert_eq!(answer.status(), 500);
    let log = log.text();
    assert!(log.contains("ERROR svcgen::call: call failed"), "{log}");
    assert!(log.contains("No such file or directory"), "{log}");
}

#[tokio::test]
async fn parts_take_memory_of_all_calls() {
    // Nothing that is in gzip is held in that form.
    for (is_zipped, length, status) in [
        (false, 10_000, 200),
        (true, 5_000, 200),
        (true, 10_000, 200),
        (false, 10_001, 500),
        (true, 50_000, 500),
    ] {
        let url = served(Attachments::new(), 10_000).await;
        assert_eq!(sent(&url, is_zipped, length).await, status, "{length}");
    }
}

/// A document of the service over SOAP, by its query.
async fn document(attachments: Option<Attachments>, query: &str) -> String {
    let form = Documents::new().with_invoke_form(InvokeForm::Always);
    let options = ServerOptions::new().with_documents(form);
    let mut server = WorkServer::new(Worker::new()).with_options(options);
    if let Some(attachments) = attachments {
        server = server.with_attachments(attachments);
    }
    let request = Request::get(format!("/Work.asmx{query}")).body(Bytes::new());
    let answer = server.answer(request.expect("a request")).await;
    String::from_utf8(answer.body().to_vec()).expect("UTF-8")
}

#[tokio::test]
async fn the_wsdl_says_that_mtom_is_spoken_if_it_is_asked_to() {
    let with_policy = Attachments::new().with_policy(true);
    for query in ["?wsdl", "?wsdl=original"] {
        let without = document(None, query).await;
        let silent = document(Some(Attachments::new()), query).await;
        assert_eq!(silent, without, "{query}");
        let said = document(Some(with_policy.clone()), query).await;
        let policy = r##"
  <wsp:Policy wsu:Id="Mtom" xmlns:wsu="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd" xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy">
    <wsoma:OptimizedMimeSerialization wsp:Optional="true" xmlns:wsoma="http://schemas.xmlsoap.org/ws/2004/09/policy/optimizedmimeserialization" />
  </wsp:Policy>"##;
        let reference = r##"
    <wsp:PolicyReference URI="#Mtom" xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy" />"##;
        assert_eq!(said.matches(policy).count(), 1, "{query}: {said}");
        // One for each version of SOAP, at the start of its binding.
        for version in ["soap", "soap12"] {
            let binding = format!("\">{reference}\n    <{version}:binding ");
            assert_eq!(said.matches(&binding).count(), 1, "{query}: {said}");
        }
        assert_eq!(said.replace(policy, "").replace(reference, ""), without);
    }
}

#[tokio::test]
async fn the_help_page_says_that_mtom_is_spoken() {
    let said = "<dt>Attachments</dt>";
    assert!(!document(None, "").await.contains(said));
    let page = document(Some(Attachments::new()), "").await;
    assert!(page.contains(said), "{page}");
    assert!(page.contains("the form sends bytes in base64"), "{page}");
}
