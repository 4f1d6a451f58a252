//! The frame of a request as bytes: what a server decides before it reads a body.

use svcgen::{Limits, Router, ServerOptions};
use svcgen_tests::authenticator::AuthenticatorServer;
use svcgen_tests::fixture::Fixture;
use svcgen_tests::raw_http::Running;

const PATH: &str = "/SvcDotNet/Authenticator.asmx";

fn serving(options: ServerOptions) -> Running {
    let router =
        Router::new().with_service(AuthenticatorServer::new(Fixture).with_options(options));
    Running::start(move |listener, stopped| async move {
        let serve = svcgen::serve(listener, router);
        serve.with_shutdown(async { drop(stopped.await) }).await
    })
}

/// The answer and everything after it come without a byte of the body, and without `100 Continue`.
#[test]
fn an_announced_body_over_the_limit_is_not_waited_for() {
    let limit = 1000;
    let server = serving(ServerOptions::new().with_limits(Limits::default().with_body(limit)));
    for (path, media_type, text) in [
        (
            PATH.to_owned(),
            "text/xml",
            "Maximum request length exceeded.",
        ),
        (
            format!("{PATH}/Login"),
            "application/x-www-form-urlencoded",
            "Upload size exceeds httpRuntime limit.",
        ),
    ] {
        let head = |length: usize| {
            format!(
                "POST {path} HTTP/1.1\r\nHost: h\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\nExpect: 100-Continue\r\n\r\n"
            )
        };
        let mut connection = server.connect();
        connection.send(head(limit + 1).as_bytes()).unwrap();
        let bytes = String::from_utf8(connection.rest().unwrap()).unwrap();
        assert!(bytes.starts_with("HTTP/1.1 500 "), "{bytes}");
        assert!(bytes.contains("\r\nConnection: close\r\n"), "{bytes}");
        assert!(bytes.contains(text), "{bytes}");

        let mut connection = server.connect();
        connection.send(head(limit).as_bytes()).unwrap();
        assert_eq!(connection.head().unwrap().0, 100, "{path}");
    }
}
