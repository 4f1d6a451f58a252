//! Documents over HTTP: the requests for them, and the addresses in them.

use std::net::{IpAddr, SocketAddr};

use bytes::Bytes;
use http::{Request, Response};
use svcgen::documents::Shape;
use svcgen::{Documents, RemoteAddress};
use svcgen_tests::fixture;

const PATH: &str = "/SvcDotNet/Authenticator.asmx";

async fn asked(documents: Documents, request: Request<Bytes>) -> Response<Bytes> {
    let server = fixture::authenticator_server().with_documents(documents);
    server.answer(request).await
}

fn get(query: &str) -> Request<Bytes> {
    with_headers(query, &[("Host", "svc.example")])
}

fn with_headers(query: &str, headers: &[(&str, &str)]) -> Request<Bytes> {
    let request = Request::get(format!("{PATH}{query}"));
    let request = (headers.iter()).fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    request.body(Bytes::new()).unwrap()
}

fn from(mut request: Request<Bytes>, caller: [u8; 4]) -> Request<Bytes> {
    let address = SocketAddr::new(IpAddr::from(caller), 4711);
    request.extensions_mut().insert(RemoteAddress(address));
    request
}

/// Returns the root element of a document.
fn root(response: &Response<Bytes>) -> &str {
    let text = str::from_utf8(response.body()).unwrap();
    let (_, root) = text.split_once("?>\n<").unwrap_or_default();
    root.split(' ').next().unwrap_or_default()
}

/// Returns the address in a WSDL.
fn address(response: &Response<Bytes>) -> String {
    let text = str::from_utf8(response.body()).unwrap();
    let (_, rest) = text
        .split_once("<soap:address location=\"")
        .expect("an address");
    rest.split('"').next().unwrap_or_default().to_owned()
}

async fn address_of(documents: Documents, request: Request<Bytes>) -> String {
    address(&asked(documents, request).await)
}

#[tokio::test]
async fn queries_name_documents_in_any_letter_case() {
    for (query, expected) in [
        ("?wsdl", "wsdl:definitions"),
        ("?WSDL", "wsdl:definitions"),
        ("?wSdL", "wsdl:definitions"),
        ("?wsdl=1", "wsdl:definitions"),
        ("?x=1&%57sdl", "wsdl:definitions"),
        ("?disco", "discovery"),
        ("?DISCO", "discovery"),
    ] {
        let response = asked(Documents::new(), get(query)).await;
        assert_eq!(response.status(), 200, "{query}");
        assert_eq!(root(&response), expected, "{query}");
        assert_eq!(
            response.headers()["content-type"],
            "text/xml; charset=utf-8"
        );
        assert_eq!(response.headers()["cache-control"], "private, max-age=0");
    }
    for query in ["?wsdls", "?op=wsdl", "?x=wsdl", "?"] {
        let response = asked(Documents::new(), get(query)).await;
        assert_ne!(root(&response), "wsdl:definitions", "{query}");
    }
}

#[tokio::test]
async fn head_answers_as_get_does_without_a_body() {
    let whole = asked(Documents::new(), get("?wsdl")).await;
    let mut request = get("?wsdl");
    *request.method_mut() = http::Method::HEAD;
    let head = asked(Documents::new(), request).await;
    assert_eq!(head.headers(), whole.headers());
    assert_eq!(
        head.headers()["content-length"],
        whole.body().len().to_string()
    );
    assert!(head.body().is_empty());
}

#[tokio::test]
async fn other_methods_hear_which_there_are() {
    let mut request = get("?wsdl");
    *request.method_mut() = http::Method::DELETE;
    let response = asked(Documents::new(), request).await;
    assert_eq!(response.status(), 405);
    assert_eq!(response.headers()["allow"], "GET, HEAD, POST");
}

#[tokio::test]
async fn one_switch_turns_documents_off() {
    for query in ["?wsdl", "?disco"] {
        let response = asked(Documents::off(), get(query)).await;
        assert_eq!(response.status(), 405, "{query}");
    }
}

#[tokio::test]
async fn addresses_repeat_what_the_request_says() {
    let own = address_of(Documents::new(), get("?wsdl")).await;
    assert_eq!(own, format!("http://svc.example{PATH}"));
    let mut request = get("?wsdl");
    *request.uri_mut() = "/svcdotnet/AUTHENTICATOR.asmx?wsdl".parse().unwrap();
    let own = address_of(Documents::new(), request).await;
    assert_eq!(own, "http://svc.example/svcdotnet/AUTHENTICATOR.asmx");
    let mut request = get("?wsdl");
    *request.uri_mut() = format!("https://other.example:8443{PATH}?wsdl")
        .parse()
        .unwrap();
    let own = address_of(Documents::new(), request).await;
    assert_eq!(own, format!("https://other.example:8443{PATH}"));
    let ip = with_headers("?wsdl", &[("Host", "[::1]:8080")]);
    let own = address_of(Documents::new(), ip).await;
    assert_eq!(own, format!("http://[::1]:8080{PATH}"));
}

#[tokio::test]
async fn a_host_that_is_none_is_refused() {
    for host in [
        "",
        "a b",
        "a\"><script>",
        "user@host",
        "evil.example/path",
        "a?b",
        "a#b",
    ] {
        let request = with_headers("?wsdl", &[("Host", host)]);
        let response = asked(Documents::new(), request).await;
        assert_eq!(response.status(), 400, "{host:?}");
    }
    let own = address_of(Documents::new(), with_headers("?wsdl", &[])).await;
    assert_eq!(own, format!("http://localhost{PATH}"));
}

const FORWARDED: [(&str, &str); 5] = [
    ("Host", "inner:8080"),
    ("X-Forwarded-Proto", "https"),
    ("X-Forwarded-Host", "spoofed.example, api.example"),
    ("X-Forwarded-Prefix", "/soap/"),
    ("X-Forwarded-Port", "443"),
];

#[tokio::test]
async fn headers_of_proxies_are_believed_if_the_proxy_is() {
    let inner = format!("http://inner:8080{PATH}");
    let outer = format!("https://api.example/soap{PATH}");
    let proxy = [10, 0, 0, 1];
    let trusting = || Documents::new().with_trusted_proxies([IpAddr::from(proxy)]);
    let request = || with_headers("?wsdl", &FORWARDED);
    assert_eq!(
        address_of(Documents::new(), from(request(), proxy)).await,
        inner
    );
    assert_eq!(address_of(trusting(), request()).await, inner);
    assert_eq!(
        address_of(trusting(), from(request(), [10, 0, 0, 2])).await,
        inner
    );
    assert_eq!(address_of(trusting(), from(request(), proxy)).await, outer);
    assert_eq!(
        address_of(Documents::new().with_any_proxy(), request()).await,
        outer
    );
}

#[tokio::test]
async fn proxies_may_say_it_in_several_ways() {
    for (headers, expected) in [
        (
            &[(
                "Forwarded",
                "for=1.2.3.4;proto=HTTPS;host=\"api.example:8443\"",
            )][..],
            "https://api.example:8443",
        ),
        (
            &[(
                "Forwarded",
                "host=first.example, host=last.example;proto=http",
            )],
            "http://last.example",
        ),
        (
            &[("Host", "inner"), ("X-Forwarded-Port", "8080")],
            "http://inner:8080",
        ),
        (
            &[("Host", "inner:1"), ("X-Forwarded-Port", "8080")],
            "http://inner:1",
        ),
        (
            &[("Host", "[::1]"), ("X-Forwarded-Port", "8080")],
            "http://[::1]:8080",
        ),
        (
            &[
                ("Host", "inner"),
                ("X-Forwarded-Proto", "gopher"),
                ("X-Forwarded-Host", "a b"),
                ("X-Forwarded-Prefix", "//evil"),
            ],
            "http://inner",
        ),
    ] {
        let documents = Documents::new().with_any_proxy();
        let own = address_of(documents, with_headers("?wsdl", headers)).await;
        assert_eq!(own, format!("{expected}{PATH}"), "{headers:?}");
    }
}

#[tokio::test]
async fn a_public_url_stands_before_the_path_whatever_requests_say() {
    let documents = Documents::new()
        .with_any_proxy()
        .with_public_url("https://api.example/soap/")
        .unwrap();
    let own = address_of(documents, with_headers("?wsdl", &FORWARDED)).await;
    assert_eq!(own, format!("https://api.example/soap{PATH}"));
    for url in [
        "",
        "api.example",
        "/soap",
        "ftp://api.example",
        "https://a@b",
        "https://api.example:",
        "https://api.example:0",
        "https://api.example:65536/soap",
        "https://api.example/?x",
        "https://",
    ] {
        let complaint = Documents::new()
            .with_public_url(url)
            .unwrap_err()
            .to_string();
        assert!(complaint.contains(&format!("{url:?}")), "{complaint}");
    }
}

const DEVICE: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";

/// Returns a document of the service with arrays in forms.
async fn of_device(documents: Documents, query: &str) -> String {
    let server = fixture::device_login_server().with_documents(documents);
    let request = Request::get(format!("{DEVICE}{query}")).header("Host", "svc.example");
    let response = server.answer(request.body(Bytes::new()).unwrap()).await;
    assert_eq!(response.status(), 200, "{query}");
    String::from_utf8(response.body().to_vec()).unwrap()
}

#[tokio::test]
async fn a_served_document_is_what_the_command_writes() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../service-defs/device_login_service.yaml");
    let text = std::fs::read_to_string(path).unwrap();
    let described = svcgen_codegen::Config::new()
        .describe("device_login_service.yaml", &text)
        .unwrap();
    let address = format!("http://svc.example{DEVICE}");
    for (query, shape) in [
        ("?wsdl", Shape::Portable),
        ("?wsdl=original", Shape::Original),
    ] {
        let options = svcgen_documents::WsdlOptions {
            shape,
            ..svcgen_documents::WsdlOptions::default()
        };
        let written = described.with(|service| svcgen_documents::wsdl(service, &address, options));
        assert_eq!(Some(of_device(Documents::new(), query).await), written);
    }
}

#[tokio::test]
async fn a_wsdl_stands_alone_and_discovery_leads_to_the_original_shape() {
    let wsdl = of_device(Documents::new(), "?wsdl").await;
    assert!(wsdl.contains("name=\"StringArray\"") && !wsdl.contains("schemaLocation"));
    let tree = roxmltree::Document::parse(&wsdl).unwrap();
    let has_schema = |namespace| {
        let mut nodes = tree.descendants();
        nodes.any(|node| node.attribute("targetNamespace") == namespace)
    };
    for import in tree
        .descendants()
        .filter(|node| node.tag_name().name() == "import")
    {
        assert!(has_schema(import.attribute("namespace")), "{import:?}");
    }
    let leads = async |shape, query| {
        let disco = of_device(Documents::new().with_shape(shape), "?disco").await;
        disco.contains(&format!("ref=\"http://svc.example{DEVICE}{query}\""))
    };
    assert!(leads(Shape::Portable, "?wsdl=original").await);
    assert!(leads(Shape::Original, "?wsdl").await);
    let original = of_device(Documents::new(), "?wsdl=original").await;
    assert!(original.contains("base=\"soapenc:Array\""));
}
