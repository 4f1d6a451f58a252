//! The help page: the requests that get it and its form, and its content.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{Method, Request, Response, Version};
use svcgen::documents::{InvokeForm, Theme};
use svcgen::{Documents, RemoteAddress};
use svcgen_tests::fixture;
use svcgen_tests::raw_http::Running;

const PATH: &str = "/SvcDotNet/Authenticator.asmx";

fn get(query: &str) -> Request<Bytes> {
    request(query, &[("Host", "localhost:8080")], Some("127.0.0.1:4711"))
}

fn request(query: &str, headers: &[(&str, &str)], caller: Option<&str>) -> Request<Bytes> {
    let request = Request::get(format!("{PATH}{query}"));
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    let mut request = request.body(Bytes::new()).unwrap();
    if let Some(caller) = caller {
        let address: SocketAddr = caller.parse().unwrap();
        request.extensions_mut().insert(RemoteAddress(address));
    }
    request
}

async fn asked(documents: Documents, request: Request<Bytes>) -> Response<Bytes> {
    let server = fixture::authenticator_server().with_documents(documents);
    server.answer(request).await
}

fn text(response: &Response<Bytes>) -> &str {
    str::from_utf8(response.body()).unwrap()
}

async fn has_form(documents: Documents, request: Request<Bytes>) -> bool {
    let response = asked(documents, request).await;
    assert_eq!(response.status(), 200);
    let policy = response.headers()["content-security-policy"]
        .to_str()
        .unwrap();
    let form = text(&response).contains("<form");
    assert_eq!(
        text(&response).matches("<script").count(),
        1 + usize::from(form)
    );
    assert_eq!(policy.matches("'sha256-").count(), 2 + usize::from(form));
    assert_eq!(form, policy.contains("connect-src 'self'"));
    form
}

#[tokio::test]
async fn the_bare_path_has_the_page_of_the_service() {
    for query in ["", "?", "?x=1"] {
        let response = asked(Documents::new(), get(query)).await;
        assert_eq!(response.status(), 200);
        assert_eq!(
            response.headers()["content-type"],
            "text/html; charset=utf-8"
        );
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        assert_eq!(response.headers()["referrer-policy"], "no-referrer");
        let policy = response.headers()["content-security-policy"]
            .to_str()
            .unwrap();
        assert!(policy.starts_with("default-src 'none'; "));
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"));
        let page = text(&response);
        assert!(page.contains("<title>Authenticator Web Service</title>"));
        let links = page.split("href=\"?op=").skip(1);
        let operations: Vec<_> = links.map(|link| link.split('"').next().unwrap()).collect();
        // In the sidebar, and in the list.
        let both = ["ClientAuthWithResult", "Login"];
        assert_eq!(operations, [both, both].concat());
        assert!(page.contains("http://localhost:8080/SvcDotNet/Authenticator.asmx"));
        assert!(page.contains("href=\"?WSDL\""));
        // .NET's tools find the WSDL of a page by this link.
        let link = format!("<link rel=\"alternate\" type=\"text/xml\" href=\"{PATH}?disco\" />");
        assert!(page.contains(&link));
    }
}

#[tokio::test]
async fn op_names_an_operation_in_any_letter_case() {
    for query in ["?op=Login", "?OP=LOGIN", "?x=1&op=lo%67in"] {
        let response = asked(Documents::new(), get(query)).await;
        assert_eq!(response.status(), 200, "{query}");
        assert!(text(&response).contains("<h1>Login</h1>"), "{query}");
    }
    let response = asked(Documents::new(), get("?op=%3Cscript%3E")).await;
    assert_eq!(response.status(), 404);
    assert!(text(&response).contains("no operation <code>&lt;script&gt;</code>"));
    assert_eq!(text(&response).matches("<script").count(), 1);
}

#[tokio::test]
async fn head_answers_as_get_does_without_a_body() {
    let whole = asked(Documents::new(), get("?op=Login")).await;
    let mut request = get("?op=Login");
    *request.method_mut() = Method::HEAD;
    let head = asked(Documents::new(), request).await;
    assert_eq!(head.headers(), whole.headers());
    assert!(head.body().is_empty());
}

#[tokio::test]
async fn one_switch_turns_the_page_off() {
    for documents in [Documents::off(), Documents::new().with_help_page(false)] {
        for query in ["", "?op=Login"] {
            let response = asked(documents.clone(), get(query)).await;
            assert_eq!(response.status(), 405, "{query}");
            assert_eq!(response.headers()["allow"], "POST");
        }
    }
    let wsdl = asked(Documents::new().with_help_page(false), get("?wsdl")).await;
    assert_eq!(wsdl.status(), 200);
}

fn local() -> Documents {
    Documents::new().with_invoke_form(InvokeForm::FromLoopback)
}

const KEPT: (&str, &str) = ("Connection", "keep-alive");

#[tokio::test]
async fn there_is_no_form_unless_it_is_asked_for() {
    let request = || {
        request(
            "?op=Login",
            &[("Host", "localhost"), KEPT],
            Some("127.0.0.1:1"),
        )
    };
    assert!(!has_form(Documents::new(), request()).await);
    assert!(has_form(local(), request()).await);
    // The page describes how to enable the form.
    let response = asked(Documents::new(), request()).await;
    assert!(text(&response).contains("<code>Documents::with_invoke_form</code>"));
    let response = asked(local(), request()).await;
    assert!(!text(&response).contains("with_invoke_form"));
}

#[tokio::test]
async fn the_form_can_be_for_who_asks_from_the_same_machine() {
    for (host, caller) in [
        ("localhost", "127.0.0.1:1"),
        ("LOCALHOST:80", "127.8.9.1:1"),
        ("127.0.0.1:8080", "127.0.0.1:1"),
        ("svc.localhost", "[::1]:1"),
        ("[::1]:8080", "[::ffff:127.0.0.1]:1"),
    ] {
        let request = request("?op=Login", &[("Host", host), KEPT], Some(caller));
        assert!(has_form(local(), request).await, "{host} {caller}");
    }
    let near = Some("127.0.0.1:1");
    for (host, caller) in [
        ("localhost", None),
        ("localhost", Some("192.0.2.1:1")),
        ("svc.example", near),
        ("localhost.example", near),
        ("128.0.0.1", near),
    ] {
        let request = request("?op=Login", &[("Host", host), KEPT], caller);
        assert!(!has_form(local(), request).await, "{host} {caller:?}");
    }
    // The headers that proxies add; those of Envoy and Traefik by their documentation.
    for added in [
        "Forwarded",
        "Via",
        "X-Real-IP",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Port",
        "X-Forwarded-Proto",
        "X-Forwarded-Server",
        "X-Forwarded-Prefix",
        "X-Forwarded-Client-Cert",
        "X-Envoy-External-Address",
        "X-Envoy-Expected-Rq-Timeout-Ms",
    ] {
        let headers = [("Host", "localhost"), KEPT, (added, "127.0.0.1")];
        assert!(
            !has_form(local(), request("?op=Login", &headers, near)).await,
            "{added}"
        );
    }
    for headers in [
        &[("Host", "localhost")][..],
        &[("Host", "localhost"), ("Connection", "close")],
    ] {
        assert!(
            !has_form(local(), request("?op=Login", headers, near)).await,
            "{headers:?}"
        );
    }
    let mut old = request("?op=Login", &[("Host", "localhost"), KEPT], near);
    *old.version_mut() = Version::HTTP_10;
    assert!(!has_form(local(), old).await);
    let proxies = [
        local().with_public_url("https://svc.example").unwrap(),
        local().with_any_proxy(),
        local().with_trusted_proxies(["127.0.0.1".parse().unwrap()]),
    ];
    for documents in proxies {
        let request = request("?op=Login", &[("Host", "localhost"), KEPT], near);
        assert!(!has_form(documents, request).await);
    }
}

/// The recorded bytes of a browser's request as forwarded by proxies on this machine, even for a
/// caller that names a loopback host.
#[test]
fn no_proxy_is_taken_for_a_browser() {
    let service = fixture::authenticator_server().with_documents(local());
    let server = Running::of(service);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/proxies");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "http")
        {
            let answer = server.exchange(&std::fs::read(&path).unwrap());
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            assert_eq!(answer.status, 200, "{name}");
            assert_eq!(answer.text().contains("<form"), name == "browser", "{name}");
            names.push(name);
        }
    }
    names.sort();
    assert_eq!(
        names,
        [
            "browser",
            "caddy-default",
            "caddy-upstream-host",
            "haproxy-default",
            "haproxy-forwardfor",
            "nginx-default",
            "nginx-keepalive",
            "nginx-usual",
        ]
    );
}

#[tokio::test]
async fn the_form_can_be_for_everybody_or_nobody() {
    let far = || request("?op=Login", &[("Host", "svc.example")], None);
    let documents = Documents::new().with_invoke_form(InvokeForm::Always);
    assert!(has_form(documents, far()).await);
    let documents = Documents::new().with_invoke_form(InvokeForm::Never);
    let near = request(
        "?op=Login",
        &[("Host", "localhost"), KEPT],
        Some("127.0.0.1:1"),
    );
    assert!(!has_form(documents, near).await);
}

#[tokio::test]
async fn secrets_are_typed_unseen_and_stay_out_of_urls() {
    let documents = Documents::new().with_invoke_form(InvokeForm::Always);
    let response = asked(documents, get("?op=Login")).await;
    let page = text(&response);
    assert!(
        page.contains("<input type=\"password\" id=\"input-2\" data-value autocomplete=\"off\">")
    );
    assert!(page.contains("value=\"http-post\"") && !page.contains("value=\"http-get\""));
    assert!(page.contains("method=\"post\""));
}

#[tokio::test]
async fn documentation_can_be_left_out() {
    let said = "Verifies credentials.";
    let response = asked(Documents::new(), get("")).await;
    assert!(text(&response).contains(said));
    let response = asked(Documents::new().with_documentation(false), get("")).await;
    assert!(!text(&response).contains(said));
}

#[tokio::test]
async fn a_server_says_its_version_its_health_and_its_limits() {
    let documents = Documents::new()
        .with_version("1.2.<3>")
        .with_health_link("/readyz");
    let response = asked(documents, get("")).await;
    let page = text(&response);
    assert!(page.contains("<dt>Version</dt><dd>1.2.&lt;3&gt;</dd>"));
    assert!(page.contains("<dt>Health</dt><dd><a id=\"health\" href=\"/readyz\">/readyz</a> "));
    // The script of the page requests this URL.
    let policy = response.headers()["content-security-policy"].to_str();
    assert!(policy.unwrap().contains("; connect-src 'self';"));
    assert!(page.contains(
        "<dt>Limits</dt><dd>body 4 MiB, levels of elements 64, characters of JSON 102400</dd>"
    ));
    let response = asked(Documents::new(), get("")).await;
    assert!(!text(&response).contains("<dt>Version</dt>"));
}

#[tokio::test]
async fn a_logo_is_in_the_page() {
    let url = "data:image/png;base64,iVBORw0KGgo=";
    let documents = Documents::new().with_logo(url).unwrap();
    let response = asked(documents, get("")).await;
    assert!(text(&response).contains(&format!("<img src=\"{url}\" alt=\"\">")));
    for url in [
        "https://example.com/logo.png",
        "data:text/html,x",
        "data:image/png,\"><script>",
        "data:image/png, x",
    ] {
        assert!(Documents::new().with_logo(url).is_err(), "{url}");
    }
}

#[tokio::test]
async fn colours_are_in_the_page_and_its_policy_allows_them() {
    let theme = Theme::new().with("accent", "#8a1538", "rgb(255 157 181)");
    let documents = Documents::new().with_theme(theme.unwrap());
    let response = asked(documents, get("")).await;
    let css = ":root{--accent:#8a1538;}@media (prefers-color-scheme: dark){:root{--accent:rgb(255 157 181);}}";
    assert!(text(&response).contains(&format!("<style>{css}</style>")));
    let policy = response.headers()["content-security-policy"].to_str();
    assert_eq!(policy.unwrap().matches("'sha256-").count(), 3);
    for (property, colour) in [
        ("accent", "red;}body{"),
        ("accent", "url(//x)"),
        ("accent", ""),
        ("font", "#fff"),
    ] {
        assert!(Theme::new().with(property, colour, "#000").is_err());
        assert!(Theme::new().with(property, "#000", colour).is_err());
    }
}

#[tokio::test]
async fn openapi_is_a_document() {
    let response = asked(Documents::new(), get("?openapi")).await;
    assert_eq!(response.headers()["content-type"], "application/json");
    let document: serde_json::Value = serde_json::from_slice(response.body()).unwrap();
    assert_eq!(document["openapi"], "3.1.1");
    assert_eq!(document["servers"][0]["url"], "http://localhost:8080");
    assert!(document["paths"][format!("{PATH}/Login")].is_object());
    let page = asked(Documents::new(), get("")).await;
    assert!(text(&page).contains("<a href=\"?openapi\">OpenAPI</a>"));
}
