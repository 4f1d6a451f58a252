//! Calls with attachments in both directions.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{Request, StatusCode};
use svcgen::types::HexBinary;
use svcgen::{Binding, CallError, CallErrorKind, ServerOptions};
use svcgen_attachments::{Attachments, ClientAttachments as _, ServerAttachments as _};

use crate::service::files::{
    EchoRequest, FilesClient, FilesServer, Folder, KeepRequest, NamedRequest, Picture,
};
use crate::service::{Told, server, watched};

const SOAP: [Binding; 2] = [Binding::Soap11, Binding::Soap12];

fn folder(length: usize) -> Folder {
    let bytes = |seed: usize| (0..length).map(|at| (at * seed) as u8).collect::<Vec<_>>();
    Folder {
        name: Some("a & b".to_owned()),
        first: Some(bytes(1)),
        others: Some(vec![Some(bytes(3)), None, Some(Vec::new()), Some(bytes(5))]),
        picture: Some(Picture {
            content_type: Some("image/png".to_owned()),
            value: bytes(7),
        }),
        digits: Some(HexBinary(bytes(11))),
    }
}

fn text(body: &[u8]) -> String {
    String::from_utf8_lossy(body).into_owned()
}

#[tokio::test]
async fn bytes_are_the_same_in_both_directions() {
    for (binding, mtom) in SOAP.into_iter().flat_map(|one| [(one, false), (one, true)]) {
        let (transport, seen) = watched(server());
        let options = Attachments::new().with_mtom(mtom);
        let client = FilesClient::new(transport, "http://h").unwrap();
        let client = client.with(|client| client.with_binding(binding).with_attachments(options));
        for length in [0, 1023, 1024, 100_000] {
            let folder = folder(length);
            let request = EchoRequest {
                folder: folder.clone(),
            };
            let echoed = client.echo(&request).await.unwrap();
            assert_eq!(echoed, folder, "{binding} {length}");
            let is_packed = |(content_type, body): &(String, Bytes)| {
                let is_packed = content_type.starts_with("multipart/related; ");
                let parts = if is_packed && length >= 1024 { 4 } else { 0 };
                assert_eq!(text(body).matches("<xop:Include ").count(), parts);
                is_packed
            };
            let [asked, answered] = seen.last();
            assert_eq!(is_packed(&asked), mtom);
            // The client accepts attachments in any case.
            assert_eq!(is_packed(&answered), mtom || length >= 1024);
        }
    }
}

#[tokio::test]
async fn packages_are_as_others_expect_them() {
    for binding in SOAP {
        let (transport, seen) = watched(server());
        let options = Attachments::new().with_mtom(true).with_threshold(3);
        let client = FilesClient::new(transport, "http://h").unwrap();
        let client = client.with(|client| client.with_binding(binding).with_attachments(options));
        let data = b"abc".to_vec();
        let call = client.keep(&KeepRequest { data });
        let call = call.with_soap_header(r#"<t:T xmlns:t="urn:t">1</t:T>"#);
        assert_eq!(call.await.unwrap(), 3);
        let [(content_type, body), _] = seen.last();
        let (_, boundary) = content_type.split_once("boundary=\"").unwrap();
        let (boundary, _) = boundary.split_once('"').unwrap();
        let written = format!("Content-Type: {content_type}\r\n\r\n{}", text(&body));
        let written = written.replace(boundary, "BOUNDARY");
        let (start, soap, action) = match binding {
            Binding::Soap11 => ("http://schemas.xmlsoap.org/soap/envelope/", "text/xml", ""),
            _ => (
                "http://www.w3.org/2003/05/soap-envelope",
                "application/soap+xml",
                r#"; action="urn:example:files/Keep""#,
            ),
        };
        let expected = [
            &*format!(
                r#"Content-Type: multipart/related; type="application/xop+xml"; start="<root@svcgen>"; start-info="{soap}"; boundary="BOUNDARY"{action}"#
            ),
            "",
            "--BOUNDARY",
            "Content-ID: <root@svcgen>",
            &*format!(r#"Content-Type: application/xop+xml; charset=utf-8; type="{soap}""#),
            "Content-Transfer-Encoding: binary",
            "",
            &*format!(
                r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="{start}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Header><t:T xmlns:t="urn:t">1</t:T></soap:Header><soap:Body><Keep xmlns="urn:example:files"><data><xop:Include xmlns:xop="http://www.w3.org/2004/08/xop/include" href="cid:1.BOUNDARY@svcgen" /></data></Keep></soap:Body></soap:Envelope>"#
            ),
            "--BOUNDARY",
            "Content-ID: <1.BOUNDARY@svcgen>",
            "Content-Type: application/octet-stream",
            "Content-Transfer-Encoding: binary",
            "",
            "abc",
            "--BOUNDARY--",
            "",
        ];
        assert_eq!(written, expected.join("\r\n"));
    }
}

/// Returns a request for `Keep` with five bytes, as other stacks write it, with additional headers,
/// its media type, and the headers of its root part.
fn foreign(soap: &str, headers: &[(&str, &str)], content_type: &str, root: &str) -> Request<Bytes> {
    let body = format!(
        "\r\n--b=_1\r\nContent-Id: <root.message@cxf.apache.org>\r\n{root}\r\n\r\n<s:Envelope xmlns:s=\"{soap}\"><s:Body><Keep xmlns=\"urn:example:files\"><data><x:Include href=\"cid:one%40h\" xmlns:x=\"http://www.w3.org/2004/08/xop/include\"/></data></Keep></s:Body></s:Envelope>\r\n--b=_1 \t\r\nContent-ID: <one@h>\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC\r\nAwQ=\r\n--b=_1--"
    );
    let mut request = Request::post("/Files.asmx").header(CONTENT_TYPE, content_type);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Bytes::from(body)).unwrap()
}

#[tokio::test]
async fn requests_of_other_stacks_are_read() {
    let [soap11, soap12] = [
        "http://schemas.xmlsoap.org/soap/envelope/",
        "http://www.w3.org/2003/05/soap-envelope",
    ];
    let action = [("SOAPAction", "\"urn:example:files/Keep\"")];
    let accepts = [("Accept", "text/xml, multipart/related")];
    for (soap, headers, content_type, root) in [
        // WCF
        (
            soap11,
            &action[..],
            r#"multipart/related; type="application/xop+xml";start="<root.message@cxf.apache.org>";boundary="b=_1";start-info="text/xml""#,
            "Content-Type: application/xop+xml;charset=utf-8;type=\"text/xml\"",
        ),
        (
            soap12,
            &[],
            r#"multipart/related; type="application/xop+xml";start="<root.message@cxf.apache.org>";boundary="b=_1";start-info="application/soap+xml";action="urn:example:files/Keep""#,
            "Content-Type: application/xop+xml;charset=utf-8;type=\"application/soap+xml\"",
        ),
        // CXF
        (
            soap12,
            &[],
            r#"multipart/related; type="application/xop+xml"; boundary="b=_1"; start="<root.message@cxf.apache.org>"; start-info="application/soap+xml""#,
            "Content-Type: application/xop+xml; charset=UTF-8; type=\"application/soap+xml\"; action=\"urn:example:files/Keep\"",
        ),
        // Metro
        (
            soap12,
            &accepts,
            r#"Multipart/Related;start="<root.message@cxf.apache.org>";type="application/xop+xml";boundary="b=_1";start-info="application/soap+xml;action=\"urn:example:files/Keep\"""#,
            "Content-Type: application/xop+xml;charset=utf-8;type=\"application/soap+xml;action=\\\"urn:example:files/Keep\\\"\"",
        ),
        // gSOAP, folded, without a start
        (
            soap11,
            &action,
            r#"multipart/related; boundary="b=_1"; type="application/xop+xml"; start-info="text/xml""#,
            "Content-Type: application/xop+xml; charset=utf-8;\r\n type=text/xml",
        ),
        // SOAP with Attachments
        (
            soap11,
            &action,
            r#"multipart/related; type="text/xml"; start="<root.message@cxf.apache.org>"; boundary="b=_1""#,
            "Content-Type: text/xml; charset=utf-8",
        ),
        (
            soap11,
            &action,
            "multipart/related; boundary=\"b=_1\"",
            "Content-Type: text/xml",
        ),
    ] {
        let answer = server()
            .answer(foreign(soap, headers, content_type, root))
            .await;
        let body = text(answer.body());
        assert_eq!(answer.status(), StatusCode::OK, "{content_type}\n{body}");
        assert!(body.contains("<KeepResult>5</KeepResult>"), "{body}");
        let is_packed = answer.headers()[CONTENT_TYPE]
            .to_str()
            .unwrap()
            .starts_with("multipart");
        assert_eq!(is_packed, content_type.contains("xop"), "{content_type}");
    }
}

#[tokio::test]
async fn parts_that_nothing_includes_are_for_the_handler() {
    let body = "--b\r\nContent-Type: text/xml\r\n\r\n<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><Named xmlns=\"urn:example:files\"><reference>cid:a%20b</reference></Named></s:Body></s:Envelope>\r\n--b\r\nContent-ID: <a b>\r\n\r\nabc\r\n--b--";
    let request = Request::post("/Files.asmx")
        .header(
            CONTENT_TYPE,
            "multipart/related; type=\"text/xml\"; boundary=b",
        )
        .header("SOAPAction", "urn:example:files/Named");
    let answer = server().answer(request.body(body.into()).unwrap()).await;
    let body = text(answer.body());
    assert!(body.contains("<NamedResult>YWJj</NamedResult>"), "{body}");
}

#[tokio::test]
async fn who_does_not_ask_for_parts_gets_none() {
    let accepts = [
        "",
        "text/xml, */*",
        "multipart/related;q=0, text/xml",
        "text/xml, multipart/related",
    ];
    for (index, accept) in accepts.into_iter().enumerate() {
        let (transport, seen) = watched(server());
        let client = FilesClient::new(transport, "http://h").unwrap();
        let folder = folder(2000);
        let request = EchoRequest { folder };
        let echoed = client.echo(&request).with_header(ACCEPT, accept).await;
        let [_, (content_type, _)] = seen.last();
        if index < 3 {
            assert_eq!(echoed.unwrap(), request.folder);
            assert_eq!(content_type, "text/xml; charset=utf-8");
        } else {
            // The error of a client without attachments describes how to add them.
            let error = echoed.unwrap_err();
            assert!(
                error
                    .to_string()
                    .contains("`with_attachments` of `svcgen-attachments`"),
                "{error}"
            );
        }
    }
}

#[tokio::test]
async fn a_server_without_attachments_refuses_them() {
    let (transport, _) = watched(FilesServer::new(Told));
    let client = FilesClient::new(transport, "http://h").unwrap();
    let client = client.with(|client| client.with_attachments(Attachments::new().with_mtom(true)));
    let error = client
        .keep(&KeepRequest {
            data: vec![1; 5000],
        })
        .await
        .unwrap_err();
    let CallError::Status { status, text, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(
        text.contains("MTOM, XOP or SOAP with Attachments"),
        "{text}"
    );
}

#[tokio::test]
async fn faults_are_messages_alone() {
    let (transport, seen) = watched(server());
    let client = FilesClient::new(transport, "http://h").unwrap();
    let client = client.with(|client| client.with_attachments(Attachments::new().with_mtom(true)));
    let name = Some("fault".to_owned());
    let folder = Folder {
        name,
        ..folder(2000)
    };
    let error = client.echo(&EchoRequest { folder }).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Fault);
    let [_, (content_type, _)] = seen.last();
    assert_eq!(content_type, "text/xml; charset=utf-8");
}

#[tokio::test]
async fn facets_of_parts_are_checked() {
    for length in [2000, 3000, 3001] {
        let options = ServerOptions::new().with_facets(true);
        let (transport, _) = watched(
            FilesServer::new(Told)
                .with_options(options)
                .with_attachments(Attachments::new()),
        );
        let client = FilesClient::new(transport, "http://h").unwrap();
        let client =
            client.with(|client| client.with_attachments(Attachments::new().with_mtom(true)));
        let kept = client
            .keep(&KeepRequest {
                data: vec![1; length],
            })
            .await;
        match kept {
            Ok(kept) => assert_eq!(kept, length as i32),
            Err(error) => {
                assert_eq!(length, 3001);
                assert!(
                    error
                        .to_string()
                        .contains("3001 bytes violate maxLength '3000'"),
                    "{error}"
                );
            }
        }
    }
}

#[tokio::test]
async fn bodies_and_messages_have_bounds_of_their_own() {
    let limited = |attachments| {
        let limits = svcgen::Limits::default().with_body(2000);
        FilesServer::new(Told)
            .with_limits(limits)
            .with_attachments(attachments)
    };
    let keep = async |server, length| {
        let (transport, _) = watched(server);
        let client = FilesClient::new(transport, "http://h").unwrap();
        let client =
            client.with(|client| client.with_attachments(Attachments::new().with_mtom(true)));
        let kept = client
            .keep(&KeepRequest {
                data: vec![1; length],
            })
            .await;
        kept.map_err(|error| error.to_string())
    };
    // Parts may be longer than the limit of the message.
    assert_eq!(
        keep(limited(Attachments::new()), 100_000).await,
        Ok(100_000)
    );
    let error = keep(limited(Attachments::new().with_bytes(50_000)), 100_000)
        .await
        .unwrap_err();
    assert!(error.contains("Maximum request length exceeded"), "{error}");
    let error = keep(limited(Attachments::new().with_part_bytes(50_000)), 100_000)
        .await
        .unwrap_err();
    assert!(
        error.contains("Part 2 of the multipart body has more than 50000 bytes."),
        "{error}"
    );
    let error = keep(limited(Attachments::new().with_parts(1)), 100_000)
        .await
        .unwrap_err();
    assert!(
        error.contains("The multipart body has more than 1 parts."),
        "{error}"
    );
    let limits = svcgen::Limits::default().with_body(100);
    let server = FilesServer::new(Told)
        .with_limits(limits)
        .with_attachments(Attachments::new());
    let error = keep(server, 5000).await.unwrap_err();
    assert!(
        error.contains("Part 1 of the multipart body has more than 100 bytes."),
        "{error}"
    );
}

#[tokio::test]
async fn a_reference_is_for_whoever_asks() {
    let (transport, _) = watched(server());
    let client = FilesClient::new(transport, "http://h").unwrap();
    let request = NamedRequest {
        reference: "cid:none".to_owned(),
    };
    assert_eq!(client.named(&request).await.unwrap(), None);
}
