//! Parts that handlers and callers add (SOAP with Attachments).

use std::io::Write;

use svcgen::types::LargeBytes;
use svcgen::{Binding, CallErrorKind, Context, Fault};
use svcgen_attachments::{
    Attachment, Attachments, CallAttachments as _, ClientAttachments as _, OutgoingAttachment,
    OutgoingAttachments, ReceivedAttachments, ServerAttachments as _,
};

use crate::service::watched;
use scans::{MODULE, ScansClient, ScansHandler, ScansServer, TurnRequest, Turned};

#[derive(svcgen::Service)]
#[service(definition = "tests/attachments/scans.yaml")]
struct Scans;

struct Turning;

impl ScansHandler for Turning {
    /// Answers with the data and a part that has the bytes in reverse order.
    async fn turn(&self, context: &Context, request: TurnRequest) -> Result<Turned, Fault> {
        let received = ReceivedAttachments::of(context.extensions());
        let part = received.and_then(|all| all.get(&request.reference));
        let bytes = part.and_then(Attachment::take).unwrap_or_default();
        let mut bytes = bytes.into_vec()?;
        bytes.reverse();
        let bytes = if request.data.is_some() {
            in_file(&bytes)
        } else {
            bytes.into()
        };
        let content_type = part.map_or("text/plain", Attachment::content_type);
        let turned = OutgoingAttachment::new(content_type, bytes)?.for_part("turned");
        let reference = turned.reference();
        OutgoingAttachments::of(context)?.add(turned);
        if request.reference == "fault" {
            return Err(Fault::client("As it was asked for."));
        }
        Ok(Turned {
            reference,
            data: request.data,
        })
    }

    async fn forget(&self, context: &Context) -> Result<(), Fault> {
        assert!(OutgoingAttachments::of(context).is_err());
        Ok(())
    }
}

/// Returns bytes in a file.
fn in_file(bytes: &[u8]) -> LargeBytes {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    LargeBytes::from_file(file).unwrap()
}

fn server() -> ScansServer<Turning> {
    ScansServer::new(Turning).with_attachments(Attachments::new())
}

fn scan(bytes: &[u8]) -> OutgoingAttachment {
    OutgoingAttachment::new("image/png", bytes.to_vec()).unwrap()
}

/// Returns the text of a message, with its boundary as `BOUNDARY` and random ids as `ID`.
fn shown((content_type, body): &(String, bytes::Bytes)) -> String {
    let (_, rest) = content_type.split_once("boundary=\"").unwrap();
    let (boundary, _) = rest.split_once('"').unwrap();
    let body = String::from_utf8_lossy(body);
    let text = format!("Content-Type: {content_type}\r\n\r\n{body}").replace(boundary, "BOUNDARY");
    let mut text: Vec<_> = text.split("@svcgen").map(str::to_owned).collect();
    let last = text.len() - 1;
    for piece in &mut text[..last] {
        let (before, digits) = piece.split_at(piece.len().saturating_sub(32));
        let is_id = |digit: char| matches!(digit, '0'..='9' | 'a'..='f');
        if !digits.is_empty() && digits.chars().all(is_id) {
            *piece = format!("{before}ID");
        }
    }
    text.join("@svcgen")
}

#[tokio::test]
async fn parts_go_both_ways_with_and_without_mtom() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        for (mtom, length) in [(false, 3), (false, 5000), (true, 3), (true, 5000)] {
            let (transport, seen) = watched(server());
            let options = Attachments::new().with_mtom(mtom);
            let client = ScansClient::new(transport, "http://h").unwrap();
            let client =
                client.with(|client| client.with_binding(binding).with_attachments(options));
            let other = OutgoingAttachment::new("a/b", in_file(b"other")).unwrap();
            let scan = scan(b"\r\n--abc\0");
            let request = TurnRequest {
                reference: scan.reference(),
                data: Some(vec![7; length]),
            };
            let call = client.turn(&request).with_attachment(other);
            let answered = call.with_attachment(scan).answered().await;
            let turned = answered.result.unwrap();
            assert_eq!(turned.data, request.data);
            let received = ReceivedAttachments::of(&answered.extensions).unwrap();
            let part = received.of_part("turned").unwrap();
            assert_eq!(part.content_type(), "image/png");
            assert!(std::ptr::eq(part, received.get(&turned.reference).unwrap()));
            assert_eq!(part.take().unwrap().into_vec().unwrap(), b"\0cba--\n\r");
            assert!(received.of_part("turne").is_none());
            // A caller that sends parts without MTOM may not support MTOM.
            for (content_type, body) in seen.last() {
                let kind = content_type.split_once("type=\"").unwrap().1;
                assert_eq!(kind.starts_with("application/xop+xml"), mtom, "{kind}");
                let includes = String::from_utf8_lossy(&body)
                    .matches("<xop:Include")
                    .count();
                assert_eq!(includes, usize::from(mtom && length > 1024));
            }
        }
    }
}

#[tokio::test]
async fn packages_are_as_others_expect_them() {
    let expected = |content_type: &str, action: &str, message: &str| {
        let (kind, _) = content_type.split_once(';').unwrap();
        [
            &*format!(
                r#"Content-Type: multipart/related; type="{kind}"; start="<root@svcgen>"; boundary="BOUNDARY"{action}"#
            ),
            "",
            "--BOUNDARY",
            "Content-ID: <root@svcgen>",
            &*format!("Content-Type: {content_type}"),
            "Content-Transfer-Encoding: binary",
            "",
            message,
            "--BOUNDARY",
            "Content-ID: <a%3Db=ID@svcgen>",
            "Content-Type: image/png",
            "Content-Transfer-Encoding: binary",
            "",
            "abc",
            "--BOUNDARY--",
            "",
        ]
        .join("\r\n")
    };
    for (binding, content_type, action) in [
        (Binding::Soap11, "text/xml; charset=utf-8", ""),
        (
            Binding::Soap12,
            r#"application/soap+xml; charset=utf-8; action="urn:example:scans/Turn""#,
            r#"; action="urn:example:scans/Turn""#,
        ),
    ] {
        let (transport, seen) = watched(server());
        let client = ScansClient::new(transport, "http://h").unwrap();
        let client = client.with(|client| {
            client
                .with_binding(binding)
                .with_attachments(Attachments::new())
        });
        let scan = scan(b"abc").for_part("a=b");
        let request = TurnRequest {
            reference: scan.reference(),
            data: None,
        };
        let call = client.turn(&request).with_attachment(scan);
        call.await.unwrap();
        let [asked, _] = seen.last();
        let written = shown(&asked);
        let (_, message) = written.split_once("binary\r\n\r\n").unwrap();
        let (message, _) = message.split_once("\r\n--BOUNDARY").unwrap();
        assert!(
            message.contains("<reference>cid:a%253Db%3DID@svcgen</reference>"),
            "{message}"
        );
        assert_eq!(written, expected(content_type, action, message));
    }
}

#[tokio::test]
async fn a_fault_goes_out_without_parts() {
    let (transport, seen) = watched(server());
    let client = ScansClient::new(transport, "http://h").unwrap();
    let client = client.with(|client| client.with_attachments(Attachments::new()));
    let request = TurnRequest {
        reference: "fault".to_owned(),
        data: None,
    };
    let error = client.turn(&request).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Fault);
    let [_, (content_type, _)] = seen.last();
    assert_eq!(content_type, "text/xml; charset=utf-8");
}

#[tokio::test]
async fn what_cannot_carry_parts_says_so() {
    // A client without attachments.
    let (transport, seen) = watched(server());
    let client = ScansClient::new(transport, "http://h").unwrap();
    let request = TurnRequest::default();
    let call = client.turn(&request).with_attachment(scan(b"abc"));
    let error = call.await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Request);
    assert_eq!(
        error.to_string(),
        "the attachments given to Turn cannot be sent over SOAP 1.1 by this client (hint: `with_attachments` of `svcgen-attachments` makes a client that carries them)"
    );
    assert!(seen.is_empty());

    // A server without attachments.
    let (transport, _) = watched(ScansServer::new(Turning));
    let client = ScansClient::new(transport, "http://h").unwrap();
    let error = client.turn(&request).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Fault);

    // A one-way operation, which has no answer.
    let (transport, _) = watched(server());
    let client = ScansClient::new(transport, "http://h").unwrap();
    client.forget().await.unwrap();

    let context = |operation| Context::for_test(&MODULE, operation);
    for (context, why) in [
        (
            context("Turn"),
            "The server has no attachments: make it with `with_attachments`.",
        ),
        (
            context("Turn").with_binding(Binding::HttpPost),
            "Answers over HTTP POST have no attachments.",
        ),
        (
            context("Forget"),
            "Forget is one-way: nobody gets attachments.",
        ),
    ] {
        let error = OutgoingAttachments::of(&context).unwrap_err();
        assert_eq!(error.to_string(), why);
    }
}

#[test]
fn a_media_type_cannot_end_the_head_of_its_part() {
    for content_type in ["", " ", "text/plain\r\nX: y", "text/\u{fc}"] {
        let error = OutgoingAttachment::new(content_type, Vec::new()).unwrap_err();
        let error = error.to_string();
        assert!(
            error.ends_with("is not the media type of an attachment."),
            "{error}"
        );
    }
}

#[tokio::test]
async fn callers_older_than_mtom_get_none() {
    let server = ScansServer::new(Turning).with_attachments(Attachments::new().with_threshold(3));
    for (accept, is_mtom) in [
        ("text/xml, multipart/related", true),
        // Axis 1
        (
            "application/soap+xml, application/dime, multipart/related, text/*",
            false,
        ),
    ] {
        let (transport, seen) = watched(server.clone());
        let client = ScansClient::new(transport, "http://h").unwrap();
        let client = client.with(|client| client.with_attachments(Attachments::new()));
        let request = TurnRequest {
            reference: String::new(),
            data: Some(b"abc".to_vec()),
        };
        let call = client.turn(&request).with_header("accept", accept);
        assert_eq!(call.await.unwrap().data, request.data);
        let [_, (content_type, _)] = seen.last();
        assert!(content_type.starts_with("multipart/related"));
        assert_eq!(content_type.contains("xop"), is_mtom, "{content_type}");
    }
}
