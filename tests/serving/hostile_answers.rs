//! Answers that are malformed, belong to another call, or never end: the clients report them in
//! bounded time and memory.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use svcgen::transport::{TransportError, TransportErrorKind};
use svcgen::{Binding, CallError, HttpTransport, Transport};
use svcgen_tests::authenticator::{AuthenticatorClient, LoginRequest};
use svcgen_tests::checks::BINDINGS;

const SOAP11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SOAP12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// Returns the same answer to every request.
struct Canned {
    status: u16,
    headers: Vec<(&'static str, &'static str)>,
    body: Vec<u8>,
}

impl Transport for Canned {
    async fn send(
        &self,
        _request: http::Request<Bytes>,
    ) -> Result<http::Response<Bytes>, TransportError> {
        let mut answer = http::Response::builder().status(self.status);
        for (name, value) in &self.headers {
            answer = answer.header(*name, *value);
        }
        Ok(answer
            .body(Bytes::from(self.body.clone()))
            .expect("an answer"))
    }
}

async fn login_over<T: Transport>(
    binding: Binding,
    transport: T,
    base_url: &str,
) -> Result<bool, CallError> {
    let client = AuthenticatorClient::new(transport, base_url)?.with_binding(binding);
    client
        .login(&LoginRequest {
            username: Some("alice".to_owned()),
            password: Some("hunter2".into()),
        })
        .await
}

async fn login(
    binding: Binding,
    status: u16,
    content_type: &'static str,
    body: impl Into<Vec<u8>>,
) -> Result<bool, CallError> {
    let headers = if content_type.is_empty() {
        vec![]
    } else {
        vec![("Content-Type", content_type)]
    };
    login_over(
        binding,
        Canned {
            status,
            headers,
            body: body.into(),
        },
        "http://service.example",
    )
    .await
}

fn envelope(namespace: &str, body: &str) -> String {
    format!("<e:Envelope xmlns:e=\"{namespace}\"><e:Body>{body}</e:Body></e:Envelope>")
}

const RESPONSE: &str = "<LoginResponse xmlns=\"http://example.com/svc/auth\"><LoginResult>true</LoginResult></LoginResponse>";

#[tokio::test]
async fn answers_of_other_stacks_are_read() {
    let xml = "text/xml; charset=utf-8";
    for (what, content_type, body) in [
        ("plain", xml, envelope(SOAP11, RESPONSE)),
        ("a line feed after it", xml, envelope(SOAP11, RESPONSE) + "\n"),
        ("prefixes on everything", xml, envelope(SOAP11, "<ns1:LoginResponse xmlns:ns1=\"http://example.com/svc/auth\"><ns1:LoginResult>1</ns1:LoginResult></ns1:LoginResponse>")),
        ("a header", xml, envelope(SOAP11, RESPONSE).replace("<e:Body>", "<e:Header><x/></e:Header><e:Body>")),
        ("types", xml, envelope(SOAP11, &RESPONSE.replace("<LoginResult>", "<LoginResult xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"xsd:boolean\">"))),
        ("other elements", xml, envelope(SOAP11, &RESPONSE.replace("<LoginResult>", "<other/><!-- --><LoginResult>"))),
        ("white space", xml, envelope(SOAP11, &RESPONSE.replace("><", ">\r\n  <").replace("true", " true "))),
        ("SOAP 1.2 with an action", "application/soap+xml; charset=utf-8; action=\"x\"", envelope(SOAP12, RESPONSE)),
        ("SOAP 1.2 in text/xml", xml, envelope(SOAP12, RESPONSE)),
        ("no charset", "text/xml", envelope(SOAP11, RESPONSE)),
        ("upper case", "TEXT/XML; CHARSET=UTF-8", envelope(SOAP11, RESPONSE)),
    ] {
        for binding in [Binding::Soap11, Binding::Soap12] {
            let got = login(binding, 200, content_type, body.clone()).await;
            assert!(matches!(got, Ok(true)), "{binding} {what}: {got:?}");
        }
    }
    for body in [
        "<boolean xmlns=\"http://example.com/svc/auth\">true</boolean>\n",
        "<?xml version=\"1.0\"?>\r\n<b:boolean xmlns:b=\"http://example.com/svc/auth\"> 1 </b:boolean>",
    ] {
        let got = login(Binding::HttpGet, 200, "text/xml", body).await;
        assert!(matches!(got, Ok(true)), "{body}: {got:?}");
    }
}

#[tokio::test]
async fn faults_are_found_whatever_the_status() {
    let faults = [
        ("text/xml; charset=utf-8", envelope(SOAP11, "<e:Fault><faultcode>e:Server</faultcode><faultstring>boom &lt;&amp;></faultstring></e:Fault>")),
        ("text/xml", envelope(SOAP11, "<e:Fault><faultcode>SOAP-ENV:Server</faultcode><faultstring>boom &lt;&amp;></faultstring><detail><x>y</x></detail></e:Fault>").replace("xmlns:e=", "xmlns:SOAP-ENV=\"urn:x\" xmlns:e=")),
        ("text/xml", envelope(SOAP11, "<e:Fault><faultcode>undeclared:Server</faultcode><faultstring>boom &lt;&amp;></faultstring></e:Fault>")),
        ("application/soap+xml", envelope(SOAP12, "<e:Fault><e:Code><e:Value>undeclared:Receiver</e:Value></e:Code><e:Reason><e:Text xml:lang=\"en\">boom &lt;&amp;></e:Text></e:Reason></e:Fault>")),
        ("application/soap+xml; charset=utf-8", envelope(SOAP12, "<e:Fault><e:Code><e:Value>e:Receiver</e:Value></e:Code><e:Reason><e:Text xml:lang=\"de\">boom &lt;&amp;></e:Text></e:Reason></e:Fault>")),
    ];
    for (content_type, body) in faults {
        for status in [200, 400, 500] {
            for binding in [Binding::Soap11, Binding::Soap12] {
                let got = login(binding, status, content_type, body.clone()).await;
                assert!(
                    matches!(&got, Err(CallError::Fault(fault)) if fault.text() == "boom <&>"),
                    "{binding} {status}: {got:?}"
                );
            }
        }
    }
    let got = login(
        Binding::HttpPost,
        500,
        "text/plain; charset=utf-8",
        "boom &lt;&amp;&gt; &#39;&#233;\n",
    )
    .await;
    assert!(
        matches!(&got, Err(CallError::Fault(fault)) if fault.text() == "boom <&> '\u{e9}"),
        "{got:?}"
    );
}

/// Answers that do not belong to this call, each with a word of its error. No error contains the
/// secret of the call.
#[tokio::test]
async fn other_answers_are_errors() {
    let xml = "text/xml; charset=utf-8";
    let good = envelope(SOAP11, RESPONSE);
    let lol = "<!DOCTYPE l [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;\">]>";
    let soap: Vec<(u16, &'static str, Vec<u8>, &str)> = vec![
        (200, xml, vec![], ""),
        (200, "", good.clone().into_bytes(), ""),
        (
            200,
            "text/html",
            b"<html>Welcome to our portal</html>".to_vec(),
            "text/html",
        ),
        (
            200,
            "application/json",
            b"{\"LoginResult\":true}".to_vec(),
            "application/json",
        ),
        (200, xml, b"hello".to_vec(), ""),
        (200, xml, good.as_bytes()[..good.len() - 3].to_vec(), ""),
        (200, xml, (good.clone() + "<x/>").into_bytes(), ""),
        (200, xml, (lol.to_owned() + &good).into_bytes(), ""),
        (200, xml, good.replace("true", "&b;").into_bytes(), "b"),
        (200, xml, good.replace("true", "\u{1}").into_bytes(), ""),
        (
            200,
            xml,
            good.replace("true", "maybe").into_bytes(),
            "maybe",
        ),
        (200, xml, good.replace("true", "").into_bytes(), ""),
        (
            200,
            xml,
            good.replace("true", "tr<!-- -->ue").into_bytes(),
            "",
        ),
        (
            200,
            xml,
            good.replace("<LoginResult>true</LoginResult>", "")
                .into_bytes(),
            "LoginResult",
        ),
        (
            200,
            xml,
            good.replace("LoginResponse", "LogoutResponse").into_bytes(),
            "LogoutResponse",
        ),
        (
            200,
            xml,
            good.replace("svc/auth", "svc/other").into_bytes(),
            "svc/other",
        ),
        (200, xml, envelope(SOAP11, "").into_bytes(), "Body"),
        (
            200,
            xml,
            envelope(SOAP11, &RESPONSE.repeat(2)).into_bytes(),
            "",
        ),
        (
            200,
            xml,
            format!("<e:Envelope xmlns:e=\"{SOAP11}\"/>").into_bytes(),
            "Body",
        ),
        (
            200,
            xml,
            envelope("urn:other", RESPONSE).into_bytes(),
            "Envelope",
        ),
        (200, xml, RESPONSE.as_bytes().to_vec(), "LoginResponse"),
        (200, xml, "<a>".repeat(100_000).into_bytes(), ""),
        (200, xml, b"\xff\xfe\xfa".to_vec(), ""),
        (
            200,
            xml,
            good.replace("true", "\u{e9}")
                .into_bytes()
                .into_iter()
                .filter(|byte| *byte != 0xa9)
                .collect(),
            "",
        ),
        (204, "", vec![], "nothing"),
        (301, "text/html", b"moved".to_vec(), "301"),
        (302, xml, good.clone().into_bytes(), "302"),
        (
            401,
            "text/html",
            b"<html>who are you</html>".to_vec(),
            "401",
        ),
        (404, "text/plain", b"no such page".to_vec(), "no such page"),
        (415, xml, vec![], "415"),
        (
            500,
            "text/html",
            b"<html>stack trace</html>".to_vec(),
            "500",
        ),
        (500, xml, vec![], "500"),
        (503, "text/plain", b"busy".to_vec(), "busy"),
    ];
    for (status, content_type, body, word) in soap {
        for binding in [Binding::Soap11, Binding::Soap12] {
            let printed = String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned();
            let error = match login(binding, status, content_type, body.clone()).await {
                Err(error) => error.to_string(),
                Ok(result) => panic!("{binding} {status} {printed}: {result}"),
            };
            assert!(
                error.contains(word) || error.contains("LoginResult"),
                "{binding} {status} {printed}: {error}"
            );
            assert!(!error.contains("hunter2") && error.len() < 2_000, "{error}");
        }
    }
    for (status, content_type, body, word) in [
        (200, xml, "", "boolean"),
        (200, "text/html", "<html/>", "text/html"),
        (
            200,
            xml,
            "<string xmlns=\"http://example.com/svc/auth\">true</string>",
            "string",
        ),
        (200, xml, "<boolean>true</boolean>", "boolean"),
        (
            200,
            xml,
            "<boolean xmlns=\"http://example.com/svc/auth\">yes</boolean>",
            "yes",
        ),
        (
            200,
            xml,
            "<boolean xmlns=\"http://example.com/svc/auth\">true</boolean><x/>",
            "",
        ),
        (
            200,
            xml,
            "<boolean xmlns=\"http://example.com/svc/auth\">true<x/></boolean>",
            "",
        ),
        (404, "text/html", "<html>nothing here</html>", "404"),
        (500, "text/html", "<html>stack trace</html>", "500"),
        (
            302,
            xml,
            "<boolean xmlns=\"http://example.com/svc/auth\">true</boolean>",
            "302",
        ),
    ] {
        for binding in [Binding::HttpGet, Binding::HttpPost] {
            let error = match login(binding, status, content_type, body).await {
                Err(error) => error.to_string(),
                Ok(result) => panic!("{binding} {status} {body}: {result}"),
            };
            assert!(
                error.contains(word) || error.contains("LoginResult"),
                "{binding} {status} {body}: {error}"
            );
        }
    }
}

#[tokio::test]
async fn compressed_answers_are_refused() {
    for (name, binding) in BINDINGS {
        let headers = vec![("Content-Type", "text/xml"), ("Content-Encoding", "gzip")];
        let answer = Canned {
            status: 200,
            headers,
            body: b"\x1f\x8b\x08\x00".to_vec(),
        };
        let error = login_over(binding, answer, "http://service.example")
            .await
            .expect_err(name)
            .to_string();
        assert!(error.contains("gzip"), "{name}: {error}");
    }
}

/// Some servers write the charset in the header for compression.
#[tokio::test]
async fn charsets_compress_nothing() {
    let answer = Canned {
        status: 200,
        headers: vec![("Content-Type", "text/xml"), ("Content-Encoding", "UTF-8")],
        body: envelope(SOAP11, RESPONSE).into(),
    };
    let got = login_over(Binding::Soap11, answer, "http://service.example").await;
    assert!(matches!(got, Ok(true)), "{got:?}");
}

#[tokio::test]
async fn odd_base_urls_are_refused() {
    for url in [
        "",
        "x",
        "service.example",
        "ftp://h/",
        "file:///etc/passwd",
        "http://",
        "http://user:hunter2@h/",
        "http://h/#f",
        "http://h\r\nX: y",
        "http://h/ x",
        "//h",
    ] {
        let error = AuthenticatorClient::new(HttpTransport::new(), url)
            .map(|_| ())
            .expect_err(url);
        assert!(matches!(error, CallError::Url(_)), "{url}: {error:?}");
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
    for url in [
        "http://h/?q=1",
        "http://h",
        "http://h/",
        "https://h:8443",
        "HTTP://h/base/",
        "http://[::1]:80",
    ] {
        AuthenticatorClient::new(HttpTransport::new(), url)
            .unwrap_or_else(|error| panic!("{url}: {error}"));
    }
}

/// Starts a server that answers one connection with a function, after it has read the head of a
/// request.
fn answering(answer: impl FnOnce(TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut seen = Vec::new();
        let mut chunk = [0; 4096];
        while !seen.windows(4).any(|window| window == b"\r\n\r\n") {
            match stream.read(&mut chunk) {
                Ok(read @ 1..) => seen.extend_from_slice(&chunk[..read]),
                _ => return,
            }
        }
        answer(stream);
    });
    address
}

fn transport() -> HttpTransport {
    HttpTransport::new()
        .with_connect_timeout(Duration::from_millis(500))
        .with_timeout(Duration::from_millis(500))
        .with_body_limit(1 << 20)
}

async fn failure(what: &str, address: SocketAddr) -> TransportError {
    failure_over(transport(), what, address).await
}

async fn failure_over(transport: HttpTransport, what: &str, address: SocketAddr) -> TransportError {
    match login_over(Binding::HttpGet, transport, &format!("http://{address}")).await {
        Err(CallError::Transport(error)) => error,
        other => panic!("{what}: {other:?}"),
    }
}

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n";

#[tokio::test]
async fn broken_connections_are_said() {
    let chunked = "Transfer-Encoding: chunked\r\n\r\n";
    for (headers, said) in [
        ("", "closed before the head of the response ended"),
        ("Conte", "closed before the head of the response ended"),
        (
            "Content-Length: 10\r\n\r\n<a",
            "ended early: before the length of 10 bytes",
        ),
        (
            "Content-Length: 10\r\n\r\n",
            "ended early: before the length of 10 bytes",
        ),
        (
            "Content-Length: 10\r\nContent-Length: 20\r\n\r\n<a",
            "not one of HTTP/1.1: invalid content-length",
        ),
        (
            "Content-Length: -1\r\n\r\n",
            "not one of HTTP/1.1: invalid content-length",
        ),
        (
            "No colon\r\n\r\n",
            "not one of HTTP/1.1: invalid HTTP header",
        ),
        (
            &format!("{chunked}5\r\n<a"),
            "ended early: before its last chunk",
        ),
        (
            &format!("{chunked}5\r\n<abc>\r\n"),
            "ended early: before its last chunk",
        ),
        (
            &format!("{chunked}5\r\n<abc>\r\n0\r\n"),
            "ended early: before its last chunk",
        ),
        (
            &format!("{chunked}x\r\n<a"),
            "the chunked coding of the response is broken: Invalid chunk size",
        ),
        (
            &format!("{chunked}-5\r\n<abc>\r\n"),
            "the chunked coding of the response is broken: Invalid chunk size",
        ),
        (
            &format!("{chunked}fffffffffffffffff\r\n"),
            "the chunked coding of the response is broken: invalid chunk size",
        ),
        (
            &format!("{chunked}2\r\n<abc>\r\n0\r\n\r\n"),
            "the chunked coding of the response is broken",
        ),
    ] {
        let answer = [HEAD, headers.as_bytes()].concat();
        let address = answering(move |mut stream| drop(stream.write_all(&answer)));
        let error = failure(headers, address).await;
        assert_eq!(error.kind(), TransportErrorKind::Exchange, "{headers:?}");
        assert!(error.to_string().contains(said), "{headers:?}: {error}");
    }
    for (answer, said) in [
        ("", "closed before the head"),
        (
            "SSH-2.0-OpenSSH_9.0\r\n\r\n",
            "not one of HTTP/1.1: invalid HTTP version",
        ),
        (
            "HTTP/1.1 2x0 OK\r\n\r\n",
            "not one of HTTP/1.1: invalid HTTP status",
        ),
        (
            "HTTP/2.0 200 OK\r\n\r\n",
            "not one of HTTP/1.1: invalid HTTP version",
        ),
    ] {
        let address = answering(move |mut stream| drop(stream.write_all(answer.as_bytes())));
        let error = failure(answer, address).await;
        assert_eq!(error.kind(), TransportErrorKind::Exchange, "{answer:?}");
        assert!(error.to_string().contains(said), "{answer:?}: {error}");
    }
    let long = answering(|mut stream| {
        let line = format!("X: {}\r\n", "x".repeat(10_000));
        let _ = stream.write_all(HEAD);
        while stream.write_all(line.as_bytes()).is_ok() {}
    });
    let error = failure("a long head", long).await;
    assert!(
        error
            .to_string()
            .contains("head of the response is too long"),
        "{error}"
    );
}

/// An invalid port does not mean port 80.
#[tokio::test]
async fn ports_that_are_none_are_not_connected_to() {
    for url in [
        "http://127.0.0.1:70000/",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:/",
        "http://127.0.0.1:x/",
    ] {
        let error = AuthenticatorClient::new(HttpTransport::new(), url)
            .map(drop)
            .expect_err(url);
        assert!(
            matches!(&error, CallError::Url(why) if why.contains("port")),
            "{url}: {error:?}"
        );
        let request = http::Request::get(url).body(Bytes::new()).expect(url);
        let error = transport().send(request).await.expect_err(url);
        assert_eq!(error.kind(), TransportErrorKind::Connect, "{url}: {error}");
        assert!(error.to_string().contains("port"), "{url}: {error}");
    }
}

/// It would be a guess which of two Bodies counts.
#[tokio::test]
async fn a_second_body_is_refused() {
    let body = format!("<e:Body>{RESPONSE}</e:Body>");
    for second in ["<e:Body/>", &body, "<x/><e:Body><e:Fault/></e:Body>"] {
        let answer = envelope(SOAP11, RESPONSE).replace("</e:Body>", &format!("</e:Body>{second}"));
        let got = login(Binding::Soap11, 200, "text/xml", answer).await;
        let Err(CallError::Read(error)) = &got else {
            panic!("{second}: {got:?}");
        };
        assert!(
            error.message().contains("A second Body"),
            "{second}: {error}"
        );
        assert!(error.column() > Some(100), "{second}: {error}");
    }
    let after = envelope(SOAP11, RESPONSE).replace("</e:Body>", "</e:Body><x/>");
    let got = login(Binding::Soap11, 200, "text/xml", after).await;
    assert!(matches!(got, Ok(true)), "{got:?}");
}

/// The bytes of a body, whose references can be counted.
struct Kept(Arc<[u8]>);

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A server may answer before it has read the whole request.
#[tokio::test]
async fn early_answers_are_read() {
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let address = answering(move |mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 413 Too Long\r\nContent-Length: 2\r\n\r\nno");
        // The connection stays open until the test ends.
        let _ = ended.recv();
    });
    let body: Arc<[u8]> = vec![b' '; 16 << 20].into();
    let request = http::Request::post(format!("http://{address}/"))
        .body(Bytes::from_owner(Kept(Arc::clone(&body))))
        .expect("a request");
    let answer = transport().send(request).await.expect("an answer");
    assert_eq!(
        (answer.status().as_u16(), &answer.body()[..]),
        (413, &b"no"[..])
    );
    // The rest of the request is not kept while the server does not read it.
    while Arc::strong_count(&body) > 1 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(end);
}
