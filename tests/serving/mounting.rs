//! The paths of services: those of options, several services, and those below axum routers. Every
//! address in their documents is called.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use axum::Router as Axum;
use bytes::Bytes;
use svcgen::transport::transport_fn;
use svcgen::{Binding, Context, Fault, HttpTransport, Router, ServerOptions, Transport};
use svcgen_tests::authenticator::{
    AuthenticatorClient, AuthenticatorHandler, AuthenticatorServer, ClientAuthWithResultRequest,
    LoginRequest, LoginResult,
};
use svcgen_tests::fixture;
use svcgen_tests::raw_http::{Answer, Running};

const DEFINED: &str = "/SvcDotNet/Authenticator.asmx";
const DEVICE: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";

/// Serves with axum, which provides the addresses of callers.
pub(crate) fn running(app: Axum) -> Running {
    Running::start(move |listener, stopped| async move {
        let app = app.into_make_service_with_connect_info::<SocketAddr>();
        let serve = axum::serve(listener, app).with_graceful_shutdown(async {
            let _ = stopped.await;
        });
        serve.await
    })
}

fn at(path: &str) -> AuthenticatorServer<fixture::Fixture> {
    let server = fixture::authenticator_server().with_paths([path]);
    server.expect("a path")
}

/// Logs in over each binding at a URL, whatever path the definition has.
async fn log_in(url: &str) {
    let base = url.split('/').take(3).collect::<Vec<_>>().join("/");
    let path = url[base.len()..].to_owned();
    let http = HttpTransport::new();
    let elsewhere = transport_fn(move |mut request: http::Request<Bytes>| {
        let (http, uri) = (http.clone(), request.uri().to_string());
        *request.uri_mut() = uri.replace(DEFINED, &path).parse().unwrap();
        async move { http.send(request).await }
    });
    for binding in Binding::DEFAULT {
        let client = AuthenticatorClient::new(&elsewhere, &base).unwrap();
        let client = client.with_binding(binding);
        let request = LoginRequest {
            username: Some("alice".to_owned()),
            password: Some("secret".into()),
        };
        let answer = client.login(&request).await;
        assert!(
            matches!(answer, Ok(true)),
            "{url} over {binding}: {answer:?}"
        );
    }
}

/// Returns the texts after a word up to the next quote.
fn quoted<'t>(text: &'t str, word: &str) -> BTreeSet<&'t str> {
    let rest = text.split(word).skip(1);
    rest.filter_map(|rest| rest.split('"').next()).collect()
}

/// Checks that the documents at a path name it, and calls the addresses in them.
async fn assert_called(name: &str, server: &Running, path: &str) {
    let get = |query: &str| {
        let request = format!(
            "GET {path}{query} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            server.address
        );
        server.exchange(request.as_bytes())
    };
    let url = format!("http://{}{path}", server.address);
    let wsdl = get("?wsdl");
    let addresses = quoted(wsdl.text(), "address location=\"");
    assert_eq!(addresses, BTreeSet::from([&*url]), "{name}: {wsdl:?}");
    let disco = get("?disco");
    let contract = quoted(disco.text(), "contractRef ref=\"");
    assert_eq!(contract.len(), 1, "{name}: {disco:?}");
    assert!(
        contract.iter().all(|link| link.starts_with(&url)),
        "{name}: {contract:?}"
    );
    let page = get("?op=Login");
    assert!(
        page.text().contains(&format!("href=\"{path}?disco\"")),
        "{name}"
    );
    assert!(
        page.text().contains(&format!("POST {path}/Login HTTP/1.1")),
        "{name}"
    );
    log_in(&url).await;
}

#[tokio::test]
async fn routers_of_axum_cut_off_what_is_before_a_service() {
    let operation = |path: &str| format!("{path}/{{operation}}");
    let service = fixture::authenticator_server;
    let other = "/v1/Other.asmx";
    let nested = Axum::new().nest_service("/v1", service());
    let cases: [(&str, Axum, String); 12] = [
        ("nest", nested.clone(), format!("/v1{DEFINED}")),
        (
            "nest twice",
            Axum::new().nest("/api", nested.clone()),
            format!("/api/v1{DEFINED}"),
        ),
        (
            "nest at the path",
            Axum::new().nest_service(DEFINED, service()),
            DEFINED.to_owned(),
        ),
        (
            "nest at the path behind a prefix",
            Axum::new().nest_service(&format!("/v1{DEFINED}"), service()),
            format!("/v1{DEFINED}"),
        ),
        (
            "nest at the start of the path",
            Axum::new().nest_service("/SvcDotNet", service()),
            DEFINED.to_owned(),
        ),
        (
            "nest at another path",
            Axum::new().nest_service(other, at(other)),
            other.to_owned(),
        ),
        (
            "nest at its end",
            Axum::new().nest_service(other, at("/Other.asmx")),
            other.to_owned(),
        ),
        (
            "route",
            Axum::new()
                .route_service(DEFINED, service())
                .route_service(&operation(DEFINED), service()),
            DEFINED.to_owned(),
        ),
        (
            "route, nested",
            Axum::new().nest(
                "/v1",
                Axum::new()
                    .route_service(DEFINED, service())
                    .route_service(&operation(DEFINED), service()),
            ),
            format!("/v1{DEFINED}"),
        ),
        (
            "fallback",
            Axum::new().fallback_service(fixture::router()),
            DEFINED.to_owned(),
        ),
        (
            "nested router",
            Axum::new().nest_service("/v1", fixture::router()),
            format!("/v1{DEFINED}"),
        ),
        (
            "merged",
            Axum::new()
                .nest_service("/v2", fixture::device_login_server())
                .merge(nested),
            format!("/v1{DEFINED}"),
        ),
    ];
    for (name, app, path) in cases {
        assert_called(name, &running(app), &path).await;
    }
}

#[tokio::test]
async fn a_prefix_is_no_part_of_another_path() {
    let server = running(Axum::new().nest_service("/v1", fixture::authenticator_server()));
    for path in [
        DEFINED,
        "/v1",
        "/v1/",
        "/v1/v1",
        &format!("/v1/v1{DEFINED}"),
        "/v1/Other.asmx",
    ] {
        let answer = asked(&server, "GET", &format!("{path}?wsdl"));
        assert_eq!(answer.status, 404, "{path}");
    }
}

/// Returns the address of the caller as the result of a login.
struct Watched;

impl AuthenticatorHandler for Watched {
    async fn client_auth_with_result(
        &self,
        _: &Context,
        _: ClientAuthWithResultRequest,
    ) -> Result<LoginResult, Fault> {
        Err(Fault::exception("not called"))
    }

    async fn login(&self, context: &Context, _: LoginRequest) -> Result<bool, Fault> {
        Ok(context
            .remote_address()
            .is_some_and(|address| address.ip().is_loopback() && address.port() > 0))
    }
}

#[tokio::test]
async fn axum_tells_the_address_of_the_caller() {
    let service = AuthenticatorServer::new(Watched);
    let server = running(Axum::new().nest_service("/v1", service));
    log_in(&format!("http://{}/v1{DEFINED}", server.address)).await;
}

#[tokio::test]
async fn a_public_url_has_the_prefix_that_a_router_cuts_off() {
    let documents = svcgen::Documents::new().with_public_url("https://api.example/x/v1");
    let service = fixture::authenticator_server().with_documents(documents.unwrap());
    let server = running(Axum::new().nest_service("/v1", service));
    let answer = asked(&server, "GET", &format!("/v1{DEFINED}?wsdl"));
    let addresses = quoted(answer.text(), "address location=\"");
    assert_eq!(
        addresses,
        BTreeSet::from([&*format!("https://api.example/x/v1{DEFINED}")])
    );
}

/// Serves on hyper.
fn served(router: Router) -> Running {
    Running::start(move |listener, stopped| async move {
        let serve = svcgen::serve(listener, router).with_shutdown(async {
            let _ = stopped.await;
        });
        serve.await
    })
}

#[tokio::test]
async fn a_service_stands_at_several_paths_and_no_longer_at_that_of_its_definition() {
    let service = fixture::authenticator_server();
    let service = service.with_paths(["/a.asmx", "/old/a%20b.asmx"]).unwrap();
    let router = Router::new().with_service(service);
    let router = router.with_service(fixture::device_login_server());
    let server = served(router);
    for path in ["/a.asmx", "/A.ASMX", "/old/a%20b.asmx", "/old/%61%20b.asmx"] {
        assert_called("paths of options", &server, path).await;
    }
    assert_eq!(
        asked(&server, "GET", &format!("{DEFINED}?wsdl")).status,
        404
    );
}

#[test]
fn addresses_have_single_slashes_however_they_are_asked_for() {
    let alone = served(fixture::router());
    let nested = running(Axum::new().nest_service("/v1", fixture::authenticator_server()));
    for (server, mount) in [(&alone, ""), (&nested, "/v1")] {
        for path in [
            "//SvcDotNet/Authenticator.asmx",
            "//SvcDotNet//Authenticator.asmx",
        ] {
            let wsdl = asked(server, "GET", &format!("{mount}{path}?wsdl"));
            let addresses = quoted(wsdl.text(), "address location=\"");
            let expected = format!("http://h{mount}{DEFINED}");
            assert_eq!(addresses, BTreeSet::from([&*expected]), "{path}: {wsdl:?}");
        }
    }
}

#[test]
fn paths_that_are_none_are_refused() {
    let like = "a path is what follows the host in the URL of a service, such as `/Greeter.asmx`";
    let meet = "meet: they are the same without regard to letter case, or one is below the other";
    let wrong: [(&[&str], String); 7] = [
        (
            &[],
            "a service needs a path, such as `/Greeter.asmx`".to_owned(),
        ),
        (
            &["a.asmx"],
            format!("the path `a.asmx` does not start with `/`; {like}"),
        ),
        (
            &["/a\nb.asmx"],
            format!("the path `/a\\nb.asmx` holds white space; {like}"),
        ),
        (
            &["/a.asmx#x"],
            format!("the path `/a.asmx#x` has a fragment; {like}"),
        ),
        (
            &["/a.asmx?wsdl"],
            format!(
                "the path `/a.asmx?wsdl` is that of a document or a page of the service; {like}"
            ),
        ),
        (
            &["/a.asmx", "/A.asmx"],
            format!("the paths `/a.asmx` and `/A.asmx` of a service {meet}"),
        ),
        (
            &["/a.asmx/b.asmx", "/a.asmx"],
            format!("the paths `/a.asmx/b.asmx` and `/a.asmx` of a service {meet}"),
        ),
    ];
    for (paths, expected) in wrong {
        let error = ServerOptions::new().with_paths(paths.iter().copied());
        assert_eq!(error.expect_err("an error").to_string(), expected);
    }
}

#[test]
fn two_services_at_one_path_are_an_error() {
    let mut router = Router::new().with_service(fixture::authenticator_server());
    for paths in [
        &[DEFINED][..],
        &["/x.asmx", &DEFINED.to_ascii_uppercase()],
        &[&format!("{DEFINED}/Device.asmx")],
        &["/SvcDotNet"],
    ] {
        let service = fixture::device_login_server().with_paths(paths.iter().copied());
        let error = router.add_service(service.unwrap()).expect_err("one path");
        let path = paths.last().unwrap();
        assert_eq!(
            error.to_string(),
            format!(
                "the paths `{DEFINED}` of Authenticator and `{path}` of DeviceLoginService meet: they are the same without regard \
                 to letter case, or one is below the other; give one of the services another path with `with_paths`"
            )
        );
    }
    // A refused service was not added.
    let added = router.add_service(fixture::device_login_server());
    added.expect("a path of its own");
}

#[test]
#[should_panic(expected = "of Authenticator meet")]
fn a_router_of_two_services_at_one_path_is_not_made() {
    let _ = fixture::router().with_service(at(DEVICE));
}

/// Returns the answer to a request for the host `h`.
fn asked(server: &Running, method: &str, path: &str) -> Answer {
    let request = format!("{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    server.exchange(request.as_bytes())
}

/// Checks the index page at a path, and that its links lead to pages and WSDLs.
fn assert_index(server: &Running, path: &str, expected: &[&str]) {
    let answer = asked(server, "GET", path);
    assert_eq!(answer.status, 200, "{path}");
    assert_eq!(
        answer.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let policy = answer.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; ") && !policy.contains("script-src"),
        "{policy}"
    );
    let links: BTreeSet<_> = quoted(answer.text(), "<a href=\"");
    assert_eq!(links, expected.iter().copied().collect(), "{path}");
    for link in expected {
        let answer = asked(server, "GET", link);
        assert_eq!(answer.status, 200, "{link}");
        let is_wsdl = answer.text().contains("<wsdl:definitions");
        assert_eq!(is_wsdl, link.ends_with("?WSDL"), "{link}");
    }
}

#[test]
fn a_router_lists_its_services() {
    let several = at("/a.asmx").with_paths(["/a.asmx", "/b.asmx"]).unwrap();
    let router = Router::new().with_service(fixture::device_login_server());
    let server = served(router.with_service(several));
    let wsdl = format!("{DEVICE}?WSDL");
    let expected = ["/a.asmx", "/a.asmx?WSDL", "/b.asmx?WSDL", DEVICE, &wsdl];
    assert_index(&server, "/", &expected);
    let page = asked(&server, "GET", "/?x=1");
    let text = page.text();
    let (first, second) = (
        text.find(">Authenticator<"),
        text.find(">DeviceLoginService<"),
    );
    assert!(first.is_some() && first < second, "by name: {text}");
    for name in ["Authenticator", "DeviceLoginService"] {
        let documentation = format!(">{name}</a>\n<p class=\"\">");
        assert!(text.contains(&documentation), "its documentation: {text}");
    }
    let post = asked(&server, "POST", "/");
    assert_eq!(
        (post.status, post.header("allow")),
        (405, Some("GET, HEAD"))
    );
    assert_eq!(asked(&server, "GET", "/nothing").status, 404);
}

#[tokio::test]
async fn the_index_answers_head_as_get_without_a_body() {
    let ask = async |method: http::Method| {
        let request = http::Request::builder().method(method).body(Bytes::new());
        fixture::router().answer(request.unwrap()).await
    };
    let (get, head) = (ask(http::Method::GET).await, ask(http::Method::HEAD).await);
    assert_eq!(head.headers(), get.headers());
    assert_eq!(
        head.headers()["content-length"],
        get.body().len().to_string()
    );
    assert!(head.body().is_empty() && !get.body().is_empty());
}

#[test]
fn an_index_stands_where_its_router_is_nested() {
    let nested = || Axum::new().nest_service("/v1", fixture::router());
    let paths = [DEFINED, DEVICE].map(|path| format!("/v1{path}"));
    let wsdls = paths.clone().map(|path| format!("{path}?WSDL"));
    let links: Vec<_> = paths.iter().chain(&wsdls).map(String::as_str).collect();
    let server = running(nested());
    assert_index(&server, "/v1", &links);
    assert_index(&server, "/v1/", &links);
    assert_eq!(asked(&server, "GET", "/").status, 404);
    let server = running(Axum::new().fallback_service(fixture::router()));
    assert_eq!(asked(&server, "GET", "/").status, 200);
}

#[test]
fn services_without_documents_are_not_listed() {
    use svcgen::Documents;
    let device = fixture::device_login_server;
    let wsdl = format!("{DEVICE}?WSDL");
    let off = fixture::authenticator_server().with_documents(Documents::off());
    let router = Router::new()
        .with_service(off.clone())
        .with_service(device());
    assert_index(&served(router), "/", &[DEVICE, &wsdl]);
    let options = ServerOptions::new().with_allowed_hosts(["other"]);
    let hidden = fixture::authenticator_server().with_options(options);
    let router = Router::new().with_service(hidden).with_service(device());
    assert_index(&served(router), "/", &[DEVICE, &wsdl]);
    let no_page = device().with_documents(Documents::new().with_help_page(false));
    assert_index(&served(Router::new().with_service(no_page)), "/", &[&wsdl]);
    let none = [
        Router::new(),
        Router::new().with_service(off),
        fixture::router().with_index(false),
    ];
    for router in none {
        assert_eq!(asked(&served(router), "GET", "/").status, 404);
    }
    let documents = Documents::new()
        .with_public_url("https://api.example/x")
        .unwrap();
    let public = device().with_documents(documents);
    let server = served(Router::new().with_service(public));
    let page = asked(&server, "GET", "/");
    let links = quoted(page.text(), "<a href=\"");
    assert!(
        links
            .iter()
            .all(|link| link.starts_with("https://api.example/x/SvcDotNet/")),
        "{links:?}"
    );
}
