//! The framing of requests as bytes: the decisions of a server before it reads a body.

use svcgen::{Documents, Limits, Router, ServerOptions};
use svcgen_tests::authenticator::AuthenticatorServer;
use svcgen_tests::fixture::{self, Fixture};
use svcgen_tests::raw_http::{Answer, Running};

const PATH: &str = "/SvcDotNet/Authenticator.asmx";

fn serving(options: ServerOptions) -> Running {
    let service = AuthenticatorServer::new(Fixture).with_options(options);
    Running::of(service)
}

fn serving_router(router: Router) -> Running {
    Running::of(router)
}

/// The answer and the rest are sent without a byte of the body, and without `100 Continue`.
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

const QUERY: &str = "username=alice&password=secret";

fn get(server: &Running, path: &str) -> Answer {
    let request = format!("GET {path}?{QUERY} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    server.exchange(request.as_bytes())
}

/// Proxies that allow `/Service.asmx` but not the paths below it read an encoded separator as a
/// part of the name.
#[test]
fn an_encoded_separator_separates_nothing() {
    let (options, router) = (ServerOptions::new(), fixture::router());
    for server in [serving(options), serving_router(router)] {
        for path in [
            "/SvcDotNet/Authenticator.asmx%2fLogin",
            "/SvcDotNet/Authenticator.asmx%2FLogin",
            "/SvcDotNet/Authenticator.asmx%5cLogin",
            "/SvcDotNet/Authenticator.asmx%5CLogin",
            "/SvcDotNet%2fAuthenticator.asmx/Login",
            "/SvcDotNet/Authenticator.asmx/Log%2Fin",
            "/SvcDotNet/Authenticator.asmx/%2fLogin",
            "/SvcDotNet/Authenticator.asmx%252fLogin",
        ] {
            assert_eq!(get(&server, path).status, 404, "{path}");
        }
        for path in [
            "/SvcDotNet/Authenticator.asmx/Login",
            "/SvcDotNet/Authenticator%2easmx/%4Cogin",
            "/svcdotnet/%41uthenticator.asmx/Login",
            // Callers that join URLs may write more slashes, which IIS reads as one.
            "//SvcDotNet/Authenticator.asmx//Login",
            "/SvcDotNet///Authenticator.asmx/Login",
        ] {
            assert_eq!(get(&server, path).status, 200, "{path}");
        }
    }
}

/// RFC 9112 §3.2.
#[test]
fn a_request_names_one_host() {
    let server = serving_router(fixture::router());
    let ask = |target: &str, version: &str, headers: &str| {
        let request = format!("GET {target} HTTP/{version}\r\n{headers}Connection: close\r\n\r\n");
        let answer = server.exchange(request.as_bytes());
        (answer.status, answer.text().to_owned())
    };
    let login = format!("{PATH}/Login?{QUERY}");
    for (target, version, headers) in [
        (&*login, "1.1", "Host: h\r\n"),
        (&login, "1.1", "hOST: my_host.example.:8080\r\n"),
        (&login, "1.1", "Host: [::1]:8080\r\n"),
        (&login, "1.1", "Host: h:\r\n"),
        (&login, "1.0", "Host: h\r\n"),
        (&login, "1.0", ""),
        (&format!("http://other:81{login}"), "1.1", "Host: h\r\n"),
    ] {
        let (status, text) = ask(target, version, headers);
        assert_eq!(status, 200, "{target} {version} {headers}: {text}");
    }
    for (target, version, headers, said) in [
        (&*login, "1.1", "", "no Host header"),
        ("/nothing", "1.1", "", "no Host header"),
        (
            &login,
            "1.1",
            "Host: a\r\nHost: b\r\n",
            "more than one Host",
        ),
        (
            &login,
            "1.1",
            "Host: a\r\nHost: a\r\n",
            "more than one Host",
        ),
        (
            &login,
            "1.0",
            "Host: a\r\nHost: a\r\n",
            "more than one Host",
        ),
        (&login, "1.1", "Host:\r\n", "names no host"),
        (&login, "1.1", "Host: a, b\r\n", "names no host"),
        (&login, "1.1", "Host: user@h\r\n", "names no host"),
        (&login, "1.1", "Host: h/path\r\n", "names no host"),
        (&login, "1.1", "Host: h:65536\r\n", "names no host"),
        (&login, "1.1", "Host: \u{e9}\r\n", "names no host"),
        (&login, "1.1", "Host: http://h\r\n", "names no host"),
        (&login, "1.0", "Host: a b\r\n", "names no host"),
        (
            &format!("http://h:65536{login}"),
            "1.1",
            "Host: h\r\n",
            "names no host",
        ),
        (
            &format!("http://u@h{login}"),
            "1.1",
            "Host: h\r\n",
            "names no host",
        ),
    ] {
        let (status, text) = ask(target, version, headers);
        assert_eq!(status, 400, "{target} {version} {headers}: {text}");
        assert!(text.contains(said), "{target} {version} {headers}: {text}");
    }
}

/// The authority of an absolute target overrides the `Host` header.
#[test]
fn documents_have_the_address_of_an_absolute_target() {
    let server = serving_router(fixture::router());
    let request = format!(
        "GET http://real.example:81{PATH}?wsdl HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n"
    );
    let answer = server.exchange(request.as_bytes());
    let location = format!("location=\"http://real.example:81{PATH}\"");
    assert!(answer.text().contains(&location), "{}", answer.text());
}

/// Sends a form like a browser on some page, or a program without a page. Returns the status and
/// the text.
fn posted(server: &Running, host: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let length = QUERY.len();
    let request = format!(
        "POST {PATH}/Login HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{QUERY}"
    );
    let answer = server.exchange(request.as_bytes());
    (answer.status, answer.text().to_owned())
}

/// A refused call does not run, and the answer gives the reason.
#[test]
fn calls_of_other_sites_can_be_refused() {
    let own = "svc.example:8080";
    let evil = ("Origin", "https://evil.example");
    let portal = ("Origin", "https://portal.example");
    let with_port = ("Origin", "HTTPS://portal.example:443");
    let same = ("Origin", "http://svc.example:8080");
    let cross = ("Sec-Fetch-Site", "cross-site");
    // These are only refused with the option: by default every origin is allowed, as in ASMX.
    let any = serving(ServerOptions::new());
    for headers in [&[][..], &[evil, cross], &[("Origin", "null")]] {
        assert_eq!(posted(&any, own, headers).0, 200, "{headers:?}");
    }
    let options = ServerOptions::new().with_allowed_origins(["https://PORTAL.example/"]);
    let server = serving(options);
    for headers in [
        &[][..],
        &[same],
        &[portal],
        &[with_port],
        &[portal, cross],
        &[same, ("Sec-Fetch-Site", "same-origin")],
        // Through a proxy that sets its own name in Host.
        &[
            ("Origin", "https://public.example"),
            ("Sec-Fetch-Site", "same-origin"),
        ],
        &[("Sec-Fetch-Site", "none")],
    ] {
        let (status, text) = posted(&server, own, headers);
        assert_eq!(status, 200, "{headers:?}: {text}");
    }
    for (headers, said) in [
        (&[evil][..], "Pages of https://evil.example may not call"),
        (&[evil, cross], "Pages of https://evil.example may not call"),
        (
            &[portal, evil],
            "Pages of https://evil.example may not call",
        ),
        (&[("Origin", "null")], "Pages of null may not call"),
        (
            &[("Origin", "http://portal.example")],
            "Pages of http://portal.example may",
        ),
        (
            &[("Origin", "https://portal.example:8443")],
            "Pages of https://portal.example:8443 may",
        ),
        (
            &[("Origin", "http://svc.example")],
            "Pages of http://svc.example may",
        ),
        // The service is not served over TLS.
        (
            &[("Origin", "https://svc.example:8080")],
            "Pages of https://svc.example:8080 may",
        ),
        (&[("Origin", "")], "may not call"),
        (&[cross], "Pages of other sites may not call"),
        (
            &[("Sec-Fetch-Site", "same-site")],
            "Pages of other sites may not call",
        ),
    ] {
        let (status, text) = posted(&server, own, headers);
        assert!(
            status == 403 && text.contains(said),
            "{headers:?}: {status} {text}"
        );
    }
    // A link to the help page is not a call.
    let page = format!(
        "GET {PATH} HTTP/1.1\r\nHost: {own}\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(server.exchange(page.as_bytes()).status, 200);
    let call = page.replace(PATH, &format!("{PATH}/Login?{QUERY}"));
    assert_eq!(server.exchange(call.as_bytes()).status, 403);
    let none = serving(ServerOptions::new().with_allowed_origins([]));
    assert_eq!(posted(&none, own, &[same]).0, 200);
    assert_eq!(posted(&none, own, &[portal]).0, 403);
    // The default port of a scheme may be written or omitted.
    for host in ["svc.example", "svc.example:80"] {
        for origin in ["http://svc.example", "http://svc.example:80"] {
            let (status, text) = posted(&none, host, &[("Origin", origin)]);
            assert_eq!(status, 200, "{host} {origin}: {text}");
        }
        let other = [("Origin", "https://svc.example")];
        assert_eq!(posted(&none, host, &other).0, 403, "{host}");
    }
    // A trusted proxy reports that its caller uses TLS.
    let documents = Documents::new().with_trusted_proxies(["127.0.0.1".parse().unwrap()]);
    let options = ServerOptions::new().with_allowed_origins([]);
    let behind = serving(options.with_documents(documents));
    for (origin, status) in [("https://svc.example", 200), ("http://svc.example", 403)] {
        let headers = [("Origin", origin), ("X-Forwarded-Proto", "https")];
        assert_eq!(posted(&behind, "svc.example", &headers).0, status);
        let untrusted = if status == 200 { 403 } else { 200 };
        assert_eq!(posted(&none, "svc.example", &headers).0, untrusted);
    }
}

/// A foreign name that resolves to this server is not its own host.
#[test]
fn other_hosts_can_be_refused() {
    let options =
        ServerOptions::new().with_allowed_hosts(["svc.example", "[::1]", "10.0.0.7:8080"]);
    let server = serving(options);
    for host in [
        "svc.example",
        "SVC.example:8080",
        "[::1]:8080",
        "10.0.0.7:8080",
    ] {
        let (status, text) = posted(&server, host, &[]);
        assert_eq!(status, 200, "{host}: {text}");
    }
    for host in [
        "evil.example",
        "svc.example.evil.example",
        "10.0.0.7",
        "10.0.0.7:80",
        "localhost",
    ] {
        let (status, text) = posted(&server, host, &[]);
        let said = format!("This service is not called {host}.");
        assert!(
            status == 403 && text.contains(&said),
            "{host}: {status} {text}"
        );
        let wsdl = format!("GET {PATH}?wsdl HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(server.exchange(wsdl.as_bytes()).status, 403, "{host}");
    }
    let nameless = format!("GET {PATH}?wsdl HTTP/1.0\r\n\r\n");
    let answer = server.exchange(nameless.as_bytes());
    assert!(
        answer.status == 403 && answer.text().contains("names no host"),
        "{}",
        answer.text()
    );
}
