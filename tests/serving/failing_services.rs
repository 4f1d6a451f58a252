//! Services that fail under `serve`.

use std::error::Error;
use std::fmt;
use std::future::{Ready, ready};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::Full;
use svcgen::layer::Refusal;
use svcgen::serve::RequestBody;
use svcgen_tests::raw_http::Running;
use tower_service::Service;

#[derive(Debug)]
struct Caused(Refusal);

impl fmt::Display for Caused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the password is 1234")
    }
}

impl Error for Caused {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// Fails at some paths.
#[derive(Clone)]
struct Failing {
    is_ready: bool,
}

impl Service<Request<RequestBody>> for Failing {
    type Response = Response<Full<Bytes>>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Ready<Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        let ready = self
            .is_ready
            .then_some(())
            .ok_or("the password is 1234".into());
        Poll::Ready(ready)
    }

    fn call(&mut self, request: Request<RequestBody>) -> Self::Future {
        ready(match request.uri().path() {
            "/error" => Err("the password is 1234".into()),
            "/refusal" => Err(Box::new(
                Refusal::new(StatusCode::UNAUTHORIZED)
                    .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Basic")),
            )),
            "/cause" => Err(Box::new(Caused(Refusal::new(StatusCode::FORBIDDEN)))),
            "/panic" => panic!("this panic is part of the test"),
            _ => Ok(Response::new(Full::from("well"))),
        })
    }
}

fn serve(is_ready: bool) -> Running {
    Running::start(move |listener, stopped| async move {
        let serve = svcgen::serve(listener, Failing { is_ready });
        let stopped = async {
            let _ = stopped.await;
        };
        serve.with_shutdown(stopped).await
    })
}

#[test]
fn an_error_or_a_panic_is_answered_and_the_connection_lives_on() {
    let server = serve(true);
    let mut connection = server.connect();
    for (path, status, text) in [
        ("/", 200, "well"),
        (
            "/error",
            500,
            "The service failed to answer this request.\n",
        ),
        (
            "/panic",
            500,
            "The service failed to answer this request.\n",
        ),
        ("/refusal", 401, "401 Unauthorized\n"),
        ("/cause", 403, "403 Forbidden\n"),
        ("/", 200, "well"),
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: h\r\n\r\n");
        connection.send(request.as_bytes()).expect("sent");
        let answer = connection.answer().expect("an answer");
        assert_eq!((answer.status, answer.text()), (status, text), "{path}");
        let scheme = (path == "/refusal").then_some("Basic");
        assert_eq!(answer.header("www-authenticate"), scheme, "{path}");
    }
}

#[test]
fn a_service_that_is_never_ready_is_answered_for() {
    let server = serve(false);
    let mut connection = server.connect();
    for _ in 0..2 {
        let request = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab";
        connection.send(request).expect("sent");
        let answer = connection.answer().expect("an answer");
        assert_eq!(answer.status, 500);
        assert_eq!(
            answer.header("content-type"),
            Some("text/plain; charset=utf-8")
        );
        assert!(!answer.text().contains("1234"));
    }
}
