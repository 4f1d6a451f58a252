//! Client authentication: credentials in headers, handshakes that identify a connection, and the
//! hosts that receive them.

use std::error::Error;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Request, Response};
use svcgen::http_transport::{Handshake, InvalidOption, Tls};
use svcgen::transport::{TransportError, TransportErrorKind};
use svcgen::{HttpTransport, Secret, Transport};
use svcgen_http::{Cookies, ReqwestTransport, reqwest};

use crate::certificates::Issuer;
use crate::scripted::{Scripted, Seen, answer};

async fn post(transport: &HttpTransport, url: &str) -> Result<Response<Bytes>, TransportError> {
    let request = Request::post(url).header("Content-Length", 5);
    let request = request
        .body(Bytes::from_static(b"hello"))
        .expect("a request");
    transport.send(request).await
}

#[tokio::test]
async fn credentials_are_sent_in_a_header() -> Result<(), Box<dyn Error>> {
    let server = Scripted::start(None, |_| answer("200 OK", "", "")).await;
    let transport = HttpTransport::new();
    let basic = transport
        .clone()
        .with_basic_auth("Aladdin", "open sesame")?;
    let bearer = transport.clone().with_bearer("mF_9.B5f-4.1JqM")?;
    for transport in [&transport, &basic, &bearer] {
        post(transport, &server.url("/")).await?;
        let shown = format!("{transport:?}");
        assert!(
            !shown.contains("mF_9") && !shown.contains("QWxh"),
            "{shown}"
        );
    }
    let own = Request::get(server.url("/")).header("Authorization", "Own");
    bearer.send(own.body(Bytes::new())?).await?;
    let seen = server.seen();
    let seen: Vec<_> = seen
        .iter()
        .map(|seen| seen.header("Authorization"))
        .collect();
    let basic = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==";
    let bearer = "Bearer mF_9.B5f-4.1JqM";
    assert_eq!(seen, [None, Some(basic), Some(bearer), Some("Own")]);
    Ok(())
}

#[test]
fn credentials_that_cannot_be_sent_are_said() {
    let transport = HttpTransport::new;
    let said = |result: Result<HttpTransport, InvalidOption>| {
        result.expect_err("invalid credentials").to_string()
    };
    assert!(said(transport().with_basic_auth("a:b", "hunter2")).contains("no colon"));
    for token in ["", "hunter2\n", "hunter2 x", "h\u{fc}nter2"] {
        let error = said(transport().with_bearer(token));
        assert!(
            error.contains("bearer token") && !error.contains("nter2"),
            "{error}"
        );
    }
}

/// A handshake of three legs, whose tokens contain the number of its answers.
struct Three(u32);

impl Handshake for Three {
    fn answer(
        &mut self,
        challenges: &[&str],
    ) -> Result<Option<Secret<String>>, Box<dyn Error + Send + Sync>> {
        self.0 += 1;
        let Some(challenge) = challenges
            .iter()
            .find_map(|text| text.strip_prefix("Three"))
        else {
            return Ok(None);
        };
        match challenge.trim() {
            "" => Ok(Some("Three hello".into())),
            "bad" => Err("the realm is unknown".into()),
            nonce => Ok(Some(format!("Three {nonce}-{}", self.0).into())),
        }
    }
}

/// Asks for credentials once on each connection.
fn asking(seen: &Seen) -> Vec<u8> {
    let refused = |challenge: &str| answer("401 Unauthorized", challenge, "who are you?");
    let connection = seen.connection;
    match seen.header("Authorization") {
        None => refused("WWW-Authenticate: Basic realm=\"x\", Three\r\n"),
        Some("Three hello") => refused(&format!("WWW-Authenticate: Three n{connection}\r\n")),
        Some(token) if token == format!("Three n{connection}-2") => {
            answer("200 OK", "", &String::from_utf8_lossy(&seen.body))
        }
        Some(_) => refused("WWW-Authenticate: Three bad\r\n"),
    }
}

#[tokio::test]
async fn a_handshake_identifies_its_connection() {
    let server = Scripted::start(None, {
        let identified = std::sync::Mutex::new(Vec::new());
        move |seen| {
            let mut identified = identified.lock().expect("no panic");
            if identified.contains(&seen.connection) {
                return answer("200 OK", "", "known");
            }
            let answer = asking(seen);
            if answer.starts_with(b"HTTP/1.1 200") {
                identified.push(seen.connection);
            }
            answer
        }
    })
    .await;
    let transport = HttpTransport::new().with_handshake(|host| {
        assert_eq!(host, "127.0.0.1");
        Three(0)
    });
    let url = server.url("/");
    let both = tokio::join!(post(&transport, &url), post(&transport, &url));
    for answer in [both.0, both.1] {
        assert_eq!(&answer.expect("an answer").body()[..], b"hello");
    }
    let mut bodies: Vec<_> = server.seen().into_iter().map(|seen| seen.body).collect();
    bodies.dedup();
    assert_eq!(bodies, [b"hello"]);
    assert_eq!(server.seen().len(), 6);
    // The connection is already authenticated.
    let answer = post(&transport, &url).await.expect("an answer");
    assert_eq!(&answer.body()[..], b"known");
    let last = server.seen().pop().expect("a request");
    assert_eq!(last.header("Authorization"), None);
    // Another transport does not share the connection.
    let stranger = post(&HttpTransport::new(), &url).await.expect("an answer");
    assert_eq!(stranger.status(), 401);
}

#[tokio::test]
async fn a_handshake_starts_anew_if_the_server_closes_after_its_first_answer() {
    let server = Scripted::start(None, |seen| {
        let asked = String::from_utf8(asking(seen)).expect("text");
        match seen.header("Authorization") {
            None => asked.replacen("\r\n", "\r\nConnection: close\r\n", 1),
            Some(_) => asked,
        }
        .into_bytes()
    })
    .await;
    let transport = HttpTransport::new().with_handshake(|_| Three(0));
    let answer = post(&transport, &server.url("/")).await.expect("an answer");
    assert_eq!(&answer.body()[..], b"hello");
    let connections = server.seen().into_iter().map(|seen| seen.connection);
    assert_eq!(connections.collect::<Vec<_>>(), [0, 1, 1]);
}

#[tokio::test]
async fn handshakes_that_fail_say_why() {
    for (challenge, close, said) in [
        ("Three bad", "", "there are no credentials"),
        (
            "Three",
            "Connection: close\r\n",
            "the server closed the connection",
        ),
        ("Three", "", "the server asks again and again"),
    ] {
        let server = Scripted::start(None, move |_| {
            let headers = format!("WWW-Authenticate: {challenge}\r\n{close}");
            answer("401 Unauthorized", &headers, "")
        })
        .await;
        let transport = HttpTransport::new().with_handshake(|_| Three(0));
        let error = post(&transport, &server.url("/")).await.expect_err(said);
        assert_eq!(error.kind(), TransportErrorKind::Exchange, "{error}");
        assert!(error.to_string().contains(said), "{error}");
        assert!(server.seen().len() <= 9, "{}", server.seen().len());
    }
    // A challenge of another scheme is not answered.
    let server = Scripted::start(None, |_| {
        answer("401 Unauthorized", "WWW-Authenticate: NTLM\r\n", "")
    })
    .await;
    let transport = HttpTransport::new().with_handshake(|_| Three(0));
    let answer = post(&transport, &server.url("/")).await.expect("an answer");
    assert_eq!(answer.status(), 401);
    assert_eq!(server.seen().len(), 1);
}

/// Checks that the cookie of the first answer is in the second request, beside its own.
async fn keeps_cookies(transport: impl Transport + Sync, url: &str, server: &Scripted) {
    let transport = Cookies::new(transport);
    for _ in 0..2 {
        let request = Request::get(url).header("Cookie", "own=1");
        let request = request.body(Bytes::new()).expect("a request");
        transport.send(request).await.expect("an answer");
    }
    let seen = server.seen();
    let sent: Vec<_> = seen.iter().map(|seen| cookie(&seen.head)).collect();
    assert_eq!(sent, [Some("own=1"), Some("own=1; session=1")], "{url}");
}

/// Returns the cookie of a request. reqwest writes header names in lower case.
fn cookie(head: &str) -> Option<&str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    let (_, value) = lines.find(|(name, _)| name.eq_ignore_ascii_case("cookie"))?;
    Some(value)
}

#[tokio::test]
async fn cookies_are_kept_over_every_transport() {
    let cookie = "Set-Cookie: session=1; path=/; HttpOnly\r\n";
    let start = async |tls| Scripted::start(tls, move |_| answer("200 OK", cookie, "")).await;
    let server = start(None).await;
    keeps_cookies(HttpTransport::new(), &server.url("/"), &server).await;
    let server = start(None).await;
    let transport = ReqwestTransport::new(reqwest::Client::new());
    keeps_cookies(transport, &server.url("/"), &server).await;
    let issuer = Issuer::new();
    let server = start(Some(issuer.issue(&["localhost"]).acceptor(None))).await;
    let tls = Tls::new().without_system_roots().with_roots(issuer.root());
    let transport = HttpTransport::new().with_tls(tls.expect("a root"));
    let url = format!("https://localhost:{}/", server.address.port());
    keeps_cookies(transport, &url, &server).await;
}

/// Sockets need a runtime.
#[test]
fn a_call_outside_of_tokio_is_said() {
    let request = Request::get("http://127.0.0.1:1/").body(Bytes::new());
    let transport = HttpTransport::new();
    let call = pin!(transport.send(request.expect("a request")));
    let mut context = Context::from_waker(Waker::noop());
    let Poll::Ready(Err(error)) = call.poll(&mut context) else {
        panic!("nothing can be sent");
    };
    assert_eq!(error.kind(), TransportErrorKind::Connect, "{error}");
    assert!(error.to_string().contains("a runtime of tokio"), "{error}");
}
