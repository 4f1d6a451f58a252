//! Bodies with one mistake each: each is answered with a fault that describes the mistake.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Request, StatusCode};
use svcgen_attachments::{Attachments, ServerAttachments as _};

use crate::service::Told;
use crate::service::files::FilesServer;

const CONTENT: &str = "multipart/related; type=\"application/xop+xml\"; start=\"<r>\"; start-info=\"text/xml\"; boundary=\"b\"";
const ROOT: &str = "Content-ID: <r>\r\nContent-Type: application/xop+xml; type=\"text/xml\"";
const PART: &str = "Content-ID: <p>\r\nContent-Type: application/octet-stream";

fn include(href: &str) -> String {
    format!("<x:Include xmlns:x=\"http://www.w3.org/2004/08/xop/include\" href=\"{href}\"/>")
}

fn message(data: &str) -> String {
    format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><Keep xmlns=\"urn:example:files\"><data>{data}</data></Keep></s:Body></s:Envelope>"
    )
}

/// Returns a body of these parts, each with its head.
fn body(parts: &[(&str, &str)]) -> String {
    let parts = parts
        .iter()
        .map(|(head, content)| format!("--b\r\n{head}\r\n\r\n{content}\r\n"));
    format!("{}--b--\r\n", parts.collect::<String>())
}

fn usual() -> String {
    body(&[(ROOT, &message(&include("cid:p"))), (PART, "abc")])
}

async fn answer(content_type: &str, body: impl Into<Bytes>) -> (StatusCode, String) {
    let server = FilesServer::new(Told).with_attachments(Attachments::new().with_parts(10));
    let request = Request::post("/Files.asmx")
        .header(CONTENT_TYPE, content_type)
        .header("SOAPAction", "\"urn:example:files/Keep\"");
    let answer = server.answer(request.body(body.into()).unwrap()).await;
    (
        answer.status(),
        String::from_utf8_lossy(answer.body()).into_owned(),
    )
}

#[tokio::test]
async fn each_wrong_body_gets_a_fault_that_says_what_is_wrong() {
    let (status, text) = answer(CONTENT, usual()).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let root = message(&include("cid:p"));
    let with = |data: &str| body(&[(ROOT, &message(data)), (PART, "abc")]);
    let headed = |head: &str| body(&[(ROOT, &root), (head, "abc")]);
    let many = |count: usize| {
        let parts = std::iter::repeat_n(("X: y", "z"), count);
        let parts: Vec<_> = std::iter::once((ROOT, &*root)).chain(parts).collect();
        body(&parts)
    };
    let long = "x".repeat(9000);
    let cases = [
        (
            with(&include("cid:none")),
            "No part has the Content-ID of 'cid:none'".to_owned(),
        ),
        (
            with(&include("cid:")),
            "No part has the Content-ID".to_owned(),
        ),
        (
            with(&include("http://h/secret")),
            "is not a URL of a part".to_owned(),
        ),
        (
            with(&include("file:///etc/passwd")),
            "is not a URL of a part".to_owned(),
        ),
        (
            with(&include("cid:r")),
            "No part has the Content-ID of 'cid:r'".to_owned(),
        ),
        (
            with(&format!("{}{}", include("cid:p"), include("cid:p"))),
            "Something stands beside an xop:Include".to_owned(),
        ),
        (
            with(&format!("{}text", include("cid:p"))),
            "Something stands beside an xop:Include".to_owned(),
        ),
        (
            with(&format!("AAAA{}", include("cid:p"))),
            "There is an error in XML document".to_owned(),
        ),
        (
            with("<x:Include xmlns:x=\"http://www.w3.org/2004/08/xop/include\"/>"),
            "The xop:Include has no 'href'".to_owned(),
        ),
        (
            with("<x:Include xmlns:x=\"urn:other\" href=\"cid:p\"/>"),
            "neither base64 nor an xop:Include".to_owned(),
        ),
        (
            with("<Include href=\"cid:p\"/>"),
            "neither base64 nor an xop:Include".to_owned(),
        ),
        (
            with("<x:Include xmlns:x=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:p\">"),
            "There is an error in XML document".to_owned(),
        ),
        (with("not base64!"), "Invalid base64".to_owned()),
        (
            headed("Content-ID: <r>"),
            "Two parts have the Content-ID 'r'".to_owned(),
        ),
        (
            body(&[(ROOT, &root), (PART, "a"), (PART, "b")]),
            "Two parts have the Content-ID 'p'".to_owned(),
        ),
        (
            headed("Content-ID: <p>\r\nContent-ID: <q>"),
            "has Content-ID twice".to_owned(),
        ),
        (
            headed("Content-ID: <p>\r\nContent-Transfer-Encoding: x-gzip64"),
            "has a head that has the Content-Transfer-Encoding 'x-gzip64', which is not read; send binary, 8bit, 7bit, base64 or quoted-printable.</".to_owned(),
        ),
        (
            body(&[(ROOT, &root), ("Content-Transfer-Encoding: base64", "a!c")]),
            "Part 2 of the multipart body is not base64".to_owned(),
        ),
        (
            body(&[
                (ROOT, &root),
                ("Content-Transfer-Encoding: quoted-printable", "=zz"),
            ]),
            "is not quoted-printable".to_owned(),
        ),
        (
            headed("Content-ID: <p>\r\nno field"),
            "Part 2 of the multipart body has a head that is malformed".to_owned(),
        ),
        (
            headed("Content-ID: <p\0>"),
            "has a head that is malformed".to_owned(),
        ),
        (
            headed(&format!("X: {long}")),
            "has a head of more than 8192 bytes".to_owned(),
        ),
        (
            headed(&"X: y\r\n".repeat(40)),
            "has more than 32 fields".to_owned(),
        ),
        (many(10), "has more than 10 parts".to_owned()),
        (
            format!("{long}\r\n{}", usual()),
            "bytes stand before or after the parts".to_owned(),
        ),
        (
            format!("{}{long}", usual()),
            "bytes stand before or after the parts".to_owned(),
        ),
        (
            usual().replace("--b", "--c"),
            "has no line '--b'".to_owned(),
        ),
        (
            usual().replace("\r\n", "\n"),
            "Lines end with CR LF".to_owned(),
        ),
        (
            usual().replace("<r>", "<other>"),
            "No part has the Content-ID 'r'".to_owned(),
        ),
        ("--b--\r\n".to_owned(), "has no part".to_owned()),
        (String::new(), "has no line '--b'".to_owned()),
        // A package in a package is bytes, and not a message.
        (
            body(&[(
                "Content-ID: <r>\r\nContent-Type: multipart/related; boundary=c",
                "--c\r\n\r\n--c--",
            )]),
            "The root of the multipart body is multipart/related, and no SOAP message".to_owned(),
        ),
        (
            usual().replace("application/xop+xml", "application/pdf"),
            "The root of the multipart body is application/pdf".to_owned(),
        ),
        (
            usual().replace(ROOT, "Content-ID: <r>\r\nContent-Type: a\r\n b"),
            "The root of the multipart body is".to_owned(),
        ),
        (
            body(&[(ROOT, "\0"), (PART, "abc")]),
            "There is an error in XML document".to_owned(),
        ),
        (body(&[(ROOT, ""), (PART, "abc")]), "".to_owned()),
    ];
    for (body, why) in cases {
        let (status, text) = answer(CONTENT, body.clone()).await;
        assert!(
            [400, 500].contains(&status.as_u16()),
            "{status} {body}\n{text}"
        );
        assert!(text.contains("faultstring"), "{body}\n{text}");
        assert!(text.contains(&why), "{why}\n{body}\n{text}");
    }
}

#[tokio::test]
async fn media_types_that_are_no_package_of_soap_are_refused() {
    for (content_type, expected) in [
        (
            "multipart/related; type=\"application/pdf\"; boundary=b",
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (
            "multipart/related; type=\"application/xop+xml\"; start-info=\"image/png\"; boundary=b",
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (
            "multipart/form-data; boundary=b",
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (
            "multipart/mixed; boundary=b",
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        ("application/dime", StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (
            "multipart/related; type=\"application/xop+xml\"",
            StatusCode::BAD_REQUEST,
        ),
        (
            "multipart/related; type=\"application/xop+xml\"; boundary=\"\"",
            StatusCode::BAD_REQUEST,
        ),
        (
            "multipart/related; type=\"application/xop+xml\"; boundary=\"\u{e4}\"",
            StatusCode::BAD_REQUEST,
        ),
    ] {
        let (status, text) = answer(content_type, usual()).await;
        assert_eq!(status, expected, "{content_type}\n{text}");
    }
    let long = format!("multipart/related; boundary={}", "b".repeat(71));
    let (status, text) = answer(&long, usual()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(text.contains("no boundary of 1 to 70 characters"), "{text}");
}

/// Wherever a body is cut, or a byte is inserted or removed, the answer is a result or a clear
/// refusal.
#[tokio::test]
async fn a_body_that_is_cut_or_changed_anywhere_is_answered() {
    let whole = usual();
    let whole = whole.as_bytes();
    for at in 0..whole.len() {
        let (start, end) = whole.split_at(at);
        let mut bodies = vec![start.to_vec(), [start, &end[1..]].concat()];
        for put in [
            &b"\0"[..],
            b"\n",
            b"\r\n--b\r\n",
            b"\r\n--b--",
            b"<",
            &[0xff],
        ] {
            bodies.push([start, put, end].concat());
        }
        for (index, body) in bodies.into_iter().enumerate() {
            let shown = String::from_utf8_lossy(&body).into_owned();
            let (status, text) = answer(CONTENT, body).await;
            assert!(
                [200, 400, 500].contains(&status.as_u16()),
                "{status} {shown}\n{text}"
            );
            let is_clear = status == StatusCode::OK || text.contains("<faultstring>");
            assert!(is_clear, "{shown}\n{text}");
            // No body that is cut before its last boundary is a call.
            if index == 0 && at < whole.len() - 2 {
                assert_ne!(status, StatusCode::OK, "{shown}");
            }
        }
    }
}
