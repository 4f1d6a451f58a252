//! Requests are only forwarded to the original, whatever host they name, and as a single request.

use svcgen::authentication::{Authentication, Basic, Login};
use svcgen::{Router, ServerOptions};
use svcgen_tests::raw_http::Running;

use super::original::Original;
use super::work::WorkServer;
use super::{Nothing, Stores, before, call, fallback, head, moving};

fn asked(server: &Running, request: &str) -> u16 {
    server.exchange(request.as_bytes()).status
}

#[test]
fn targets_name_no_other_server() {
    let original = Original::new();
    let server = running!(before(&original));
    let router = running!(Router::new().with_fallback(fallback(&original)));
    for server in [&server, &router] {
        for (target, passed) in [
            ("http://evil.example/Work.asmx/No?a=b", "/Work.asmx/No?a=b"),
            ("http://evil.example:81//x/../y", "//x/../y"),
            ("/Work.asmx.old/Store", "/Work.asmx.old/Store"),
            (
                "/(S(a))/Other.asmx;Work.asmx",
                "/(S(a))/Other.asmx;Work.asmx",
            ),
            ("http://evil.example", "/"),
            ("//evil.example/x", "//evil.example/x"),
            ("/@evil.example/", "/@evil.example/"),
            (
                "/a/../../b/%2e%2e/%2F?//evil.example",
                "/a/../../b/%2e%2e/%2F?//evil.example",
            ),
            ("/x?a=1&a=2+%20", "/x?a=1&a=2+%20"),
            ("/x?", "/x?"),
        ] {
            let request = format!("GET {target} HTTP/1.1\r\nHost: other.example\r\n\r\n");
            assert_eq!(asked(server, &request), 200, "{target}");
            let sent = original.next();
            assert_eq!(sent.target, passed);
            assert_eq!(sent.header("host"), Some(&*original.host()), "{target}");
        }
        for start in ["OPTIONS *", "CONNECT evil.example:80"] {
            let request = format!("{start} HTTP/1.1\r\nHost: evil.example:80\r\n\r\n");
            assert_eq!(asked(server, &request), 404, "{start}");
        }
        for hosts in ["Host: a\r\nHost: b\r\n", "Host: a/b\r\n", ""] {
            let request = format!("GET /Other HTTP/1.1\r\n{hosts}\r\n");
            assert_eq!(asked(server, &request), 400, "{hosts}");
        }
        assert!(original.is_done());
    }
}

/// Targets that IIS, or a proxy or servlet container in front of it, may read as a path of the
/// service.
const ALIASES: [&str; 32] = [
    "/x/../Work.asmx",
    "/x/%2e%2E/Work.asmx",
    "/./Work.asmx",
    "/../Work.asmx",
    "/x/..;/Work.asmx",
    "/x/y/../../Work.asmx",
    "/%2FWork.asmx",
    "/%5cWork.asmx",
    "/x%2f..%5CWork.asmx",
    "/x\\..\\Work.asmx",
    "/\\Work.asmx",
    "/Work.asmx.",
    "/Work.asmx...",
    "/Work.asmx%20",
    "/Work.asmx%20.%20",
    "/Work.asmx;a=b",
    "/Work.asmx%3Ba",
    "/;a/Work.asmx",
    "/Work.asmx::$DATA",
    "/Work.asmx%00.txt",
    "/Work.asmx%3Fa=b",
    "/%u0057ork.asmx",
    "/wor%u006B.asmx",
    "/%57ork.asmx%2e",
    "/(S(lit3py55t21z5v55vlm25s55))/Work.asmx",
    "/(A(a)F(b))/work.ASMX",
    "/(S(a))/(S(b))/Work.asmx",
    "/(S(a))Work.asmx",
    "/Wo/(S(a))rk.asmx",
    "/Wo/%28S(a))rk.asmx",
    "/(x/../Work.asmx",
    "/Work%2Easmx\\.",
];

#[test]
fn no_alias_of_a_path_reaches_the_old_code() {
    let original = Original::new();
    let server = running!(moving(&original));
    let router = Router::new().with_service(WorkServer::new(Stores));
    let router = running!(router.with_fallback(fallback(&original)));
    let post = |target: &str| {
        let call = String::from_utf8(call("Store", "text")).unwrap();
        call.replacen("/Work.asmx", target, 1)
    };
    for server in [&server, &router] {
        for alias in ALIASES {
            let get = |below: &str| format!("GET {alias}{below} HTTP/1.1\r\nHost: h\r\n\r\n");
            let store = get("/Store?text=a");
            for request in [post(alias), store, get("?wsdl"), get("/")] {
                let status = asked(server, &request);
                assert!(matches!(status, 400 | 404), "{status} {request}");
            }
        }
        // Operations have aliases, too.
        for below in [
            "/./Store",
            "/x/../Store",
            "/Store.",
            "/Store%20",
            "/Store;a",
            "/Store%00",
            "/%2FStore",
            "/%u0053tore",
            "/Store:a",
            "/store",
            "/x%5c..%5cStore",
            "/%5cStore",
            "/(S(a))/Store",
        ] {
            for (method, length) in [("GET", ""), ("POST", "Content-Length: 0\r\n")] {
                let request = format!(
                    "{method} /Work.asmx{below}?text=a HTTP/1.1\r\nHost: h\r\n{length}\r\n"
                );
                let answer = server.exchange(request.as_bytes());
                assert!(answer.status >= 400, "{request} {answer:?}");
            }
        }
        assert!(original.is_done());
        // Callers that join URLs may write two slashes, which IIS reads as one.
        for target in ["//Work.asmx", "///Work.asmx", "//work.asmx"] {
            let answer = server.exchange(post(target).as_bytes());
            assert!(answer.text().contains("new text"), "{target} {answer:?}");
        }
        for target in ["/Work.asmx//Store", "//Work.asmx///Store"] {
            let request = format!("GET {target}?text=text HTTP/1.1\r\nHost: h\r\n\r\n");
            let answer = server.exchange(request.as_bytes());
            assert!(answer.text().contains("new text"), "{target} {answer:?}");
        }
        assert!(original.is_done());
        // Requests for other operations are forwarded unchanged.
        let read = String::from_utf8(call("Read", "text")).unwrap();
        let read = read.replacen("/Work.asmx", "//Work.asmx", 1);
        assert_eq!(asked(server, &read), 200);
        assert_eq!(original.next().target, "//Work.asmx");
    }
}

#[test]
fn a_router_passes_on_only_what_its_services_let_in() {
    let original = Original::new();
    let basic = Basic::new("Work", |login: &Login| {
        login.matches((login.user() == "ann").then_some("s3cret"))
    });
    let open = WorkServer::new(Nothing).with_paths(["/Open.asmx"]).unwrap();
    let closed = WorkServer::new(Stores).with_authentication(Authentication::new(basic));
    let router = Router::new().with_service(open).with_service(closed);
    let server = running!(router.with_fallback(fallback(&original)));
    let request =
        |target: &str, login: &str| format!("GET {target} HTTP/1.1\r\nHost: h\r\n{login}\r\n");
    let [right, wrong] =
        ["YW5uOnMzY3JldA==", "YW5uOnM="].map(|login| format!("Authorization: Basic {login}\r\n"));
    for target in ["/Other", "/Work.asmx/Read?text=a", "/Open.asmx.old"] {
        for login in ["", &wrong] {
            assert_eq!(asked(&server, &request(target, login)), 401, "{target}");
        }
        assert!(original.is_done());
        assert_eq!(asked(&server, &request(target, &right)), 200, "{target}");
        assert_eq!(original.next().target, target);
    }
    // A service without authentication accepts every caller.
    assert_eq!(asked(&server, &request("/Open.asmx/Read?text=a", "")), 200);
    original.next();
}

/// ASMX decodes actions like fields of forms.
#[test]
fn no_encoded_action_reaches_the_old_code() {
    let original = Original::new();
    let server = running!(moving(&original));
    let action = "urn:example:work/Store";
    for encoded in ["urn:example:work/St%u006fre", "urn%3Aexample:work/%53tore"] {
        let request = String::from_utf8(call("Store", "text")).unwrap();
        let answer = server.exchange(request.replacen(action, encoded, 1).as_bytes());
        assert!(answer.text().contains("new text"), "{encoded} {answer:?}");
        // The same holds for a request whose body is not read, over both versions of SOAP.
        let unread = head("Store", 3).replacen(action, encoded, 1) + "<a>";
        let newer = format!("application/soap+xml; action=\"{encoded}\"");
        let newer = unread.replacen("text/xml; charset=utf-8", &newer, 1);
        assert_ne!(unread, newer);
        for request in [unread, newer] {
            assert_eq!(server.exchange(request.as_bytes()).status, 500, "{request}");
        }
    }
    assert!(original.is_done());
}

#[test]
fn aliases_are_known_behind_the_prefix_of_a_router() {
    let original = Original::new();
    let app = axum::Router::new().nest_service("/v1", moving(&original));
    let server = crate::mounting::running(app);
    for (target, status) in [
        ("/v1/./Work.asmx", 404),
        ("/v1/x/../Work.asmx", 404),
        ("/v1/%5cWork.asmx", 404),
        ("/v1/../v1/Work.asmx", 404),
        ("/v1/x/Work.asmx", 200),
    ] {
        let request = format!("GET {target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        assert_eq!(asked(&server, &request), status, "{target}");
    }
    assert_eq!(original.next().target, "/v1/x/Work.asmx");
    assert!(original.is_done());
}

#[test]
fn no_request_hides_in_another() {
    let original = Original::new();
    let server = running!(before(&original));
    let hidden = "GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n";
    let length = hidden.len();
    // Two framings, or one that the rules for hop-by-hop headers would remove.
    for (framing, body, status) in [
        (
            format!("Content-Length: {length}\r\nConnection: Content-Length\r\n"),
            hidden.to_owned(),
            200,
        ),
        (
            format!("Content-Length: {length}\r\nConnection: close, Transfer-Encoding\r\n"),
            hidden.to_owned(),
            200,
        ),
        (
            "Transfer-Encoding: chunked\r\nConnection: Transfer-Encoding\r\n".to_owned(),
            format!("{length:x}\r\n{hidden}\r\n0\r\n\r\n"),
            200,
        ),
        (
            format!("Content-Length: {length}\r\nContent-Length: 0\r\n"),
            hidden.to_owned(),
            400,
        ),
        (
            "Transfer-Encoding: gzip\r\n".to_owned(),
            hidden.to_owned(),
            400,
        ),
        (
            "Transfer-Encoding: chunked, x\r\n".to_owned(),
            hidden.to_owned(),
            400,
        ),
    ] {
        let request = format!("POST /Other HTTP/1.1\r\nHost: h\r\n{framing}\r\n{body}");
        assert_eq!(asked(&server, &request), status, "{framing}");
        if status == 200 {
            let sent = original.next();
            assert_eq!(sent.target, "/Other", "{framing}");
            assert_eq!(sent.body, hidden.as_bytes(), "{framing}");
            assert_eq!(
                sent.header("content-length"),
                Some(&*length.to_string()),
                "{framing}"
            );
            assert_eq!(sent.header("transfer-encoding"), None, "{framing}");
        }
        assert!(original.is_done(), "{framing}");
    }
    // With both framings, the chunks count (RFC 9112 §6.3) and are removed.
    let both = format!(
        "POST /Other HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n{length:x}\r\n{hidden}\r\n0\r\n\r\n"
    );
    let status = asked(&server, &both);
    if status == 200 {
        assert_eq!(original.next().body, hidden.as_bytes());
    }
    assert!(original.is_done());
}

#[test]
fn no_caller_is_taken_for_another() {
    let original = Original::new();
    let server = running!(before(&original));
    for (credentials, passed) in [
        ("Basic YTpi", true),
        ("Bearer NTLM", true),
        ("NTLM TlRMTVNTUAABAAAA", false),
        ("negotiate YII=", false),
        ("  NegotiatE", false),
    ] {
        let request = format!("GET /x HTTP/1.1\r\nHost: h\r\nAuthorization: {credentials}\r\n\r\n");
        assert_eq!(asked(&server, &request), 200);
        let sent = original.next();
        assert_eq!(sent.header("authorization"), passed.then_some(credentials));
    }
}

#[test]
fn hosts_and_addresses_of_callers_pass_if_asked_for() {
    let original = Original::new();
    let kept = fallback(&original).with_host_of_callers(true);
    let server = running!(WorkServer::new(Nothing).with_fallback(kept));
    for (target, host) in [("/x", "h"), ("http://seen.example:81/x", "seen.example:81")] {
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 9.9.9.9\r\n\r\n");
        assert_eq!(asked(&server, &request), 200);
        let sent = original.next();
        assert_eq!(sent.header("host"), Some(host));
        assert_eq!(sent.header("x-forwarded-for"), Some("9.9.9.9"));
        assert_eq!(sent.header("x-forwarded-host"), None);
    }
    let told = fallback(&original).with_forwarded_headers(true);
    let server = running!(WorkServer::new(Nothing).with_fallback(told));
    let request = "GET /x HTTP/1.1\r\nHost: h:80\r\nX-Forwarded-For: 9.9.9.9\r\nX-Forwarded-For: 8.8.8.8\r\n\r\n";
    assert_eq!(asked(&server, request), 200);
    let sent = original.next();
    assert_eq!(sent.header("host"), Some(&*original.host()));
    assert_eq!(
        sent.header("x-forwarded-for"),
        Some("9.9.9.9, 8.8.8.8, 127.0.0.1")
    );
    assert_eq!(sent.header("x-forwarded-proto"), Some("http"));
    assert_eq!(sent.header("x-forwarded-host"), Some("h:80"));
}

#[test]
fn hosts_and_origins_that_are_not_allowed_reach_nobody() {
    let original = Original::new();
    let options = ServerOptions::new()
        .with_allowed_hosts(["h"])
        .with_allowed_origins([]);
    let server = WorkServer::new(Nothing).with_options(options);
    let alone = running!(
        server
            .clone()
            .with_fallback(fallback(&original).with_documents(true))
    );
    let router = Router::new().with_service(server);
    let routed = running!(router.with_fallback(fallback(&original).with_documents(true)));
    for (server, refused) in [(&alone, 403), (&routed, 404)] {
        for (target, status) in [
            ("/Other", refused),
            ("/Work.asmx/Read?text=a", 403),
            ("/Work.asmx?wsdl", 403),
            ("/Work.asmx/No", 403),
        ] {
            for headers in [
                "Host: evil.example",
                "Host: h\r\nOrigin: http://evil.example",
            ] {
                let request = format!("GET {target} HTTP/1.1\r\n{headers}\r\n\r\n");
                assert_eq!(asked(server, &request), status, "{target} {headers}");
            }
            assert_eq!(
                asked(server, &format!("GET {target} HTTP/1.1\r\nHost: h\r\n\r\n")),
                200,
                "{target}"
            );
            original.next();
        }
        assert_eq!(server.exchange(&call("Read", "a")).text(), "original");
        original.next();
        assert!(original.is_done());
    }
}
