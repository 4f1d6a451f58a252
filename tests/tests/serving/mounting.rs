//! Where services stand: at the paths of options, beside each other, and under the routers of axum. Every address in their documents is called.

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
use svcgen_tests::raw_http::Running;

const DEFINED: &str = "/SvcDotNet/Authenticator.asmx";
const DEVICE: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";

/// Serves with axum, which tells the addresses of callers.
fn running(app: Axum) -> Running {
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

/// Logs in over each binding at a URL, whatever the path in the definition.
async fn log_in(url: &str) {
    let base = url.split('/').take(3).collect::<Vec<_>>().join("/");
    let path = url[base.len()..].to_owned();
    let http = HttpTransport::new();
    let elsewhere = transport_fn(move |mut request: http::Request<Bytes>| {
        let (http, uri) = (http.clone(), request.uri().to_string());
        *request.uri_mut() = uri.replace(DEFINED, &path).parse().unwrap();
        async move { http.send(request).await }
    });
    for binding in Binding::ALL {
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

/// What stands behind each of these words up to the next quote.
fn quoted<'t>(text: &'t str, word: &str) -> BTreeSet<&'t str> {
    let rest = text.split(word).skip(1);
    rest.filter_map(|rest| rest.split('"').next()).collect()
}

/// Holds that the documents at a path name it, and that what they name is called.
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
        let request = format!("GET {path}?wsdl HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        let answer = server.exchange(request.as_bytes());
        assert_eq!(answer.status, 404, "{path}");
    }
}

/// Answers logins with the address of their caller.
struct Watched;

impl AuthenticatorHandler for Watched {
    async fn client_auth_with_result(
        &self,
        _: &Context,
        _: ClientAuthWithResultRequest,
    ) -> Result<LoginResult, Fault> {
        Err(Fault::server("not called"))
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
    let request = format!("GET /v1{DEFINED}?wsdl HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    let answer = server.exchange(request.as_bytes());
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
    let request = format!("GET {DEFINED}?wsdl HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    assert_eq!(server.exchange(request.as_bytes()).status, 404);
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
            &["/a.asmx/"],
            format!("the path `/a.asmx/` ends with `/`; {like}"),
        ),
        (
            &["/a\nb.asmx"],
            format!("the path `/a\\nb.asmx` holds white space; {like}"),
        ),
        (
            &["/a.asmx?x"],
            format!("the path `/a.asmx?x` has a query or a fragment; {like}"),
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
    // What was refused has not been added.
    let added = router.add_service(fixture::device_login_server());
    added.expect("a path of its own");
}

#[test]
#[should_panic(expected = "of Authenticator meet")]
fn a_router_of_two_services_at_one_path_is_not_made() {
    let _ = fixture::router().with_service(at(DEVICE));
}
