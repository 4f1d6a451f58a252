//! Fewer bindings than in the definition.

use svcgen_codegen::{Binding, Config};

use super::{assert_refused, diagnose, generate, wait};

#[derive(svcgen::Service)]
#[service(
    definition = "definitions/valid/shop.yaml",
    bindings = "soap11",
    bindings = "http-post"
)]
struct Shop;

super::echo!(shop);

fn statuses(requests: &[(&str, &str, &str)]) -> Vec<u16> {
    let server = shop::ShopServer::new(Echo);
    let status = |(method, path, body): &(&str, &str, &str)| {
        let request = http::Request::builder()
            .method(*method)
            .uri(*path)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(bytes::Bytes::from((*body).to_owned()))
            .unwrap();
        wait(server.answer(request)).status().as_u16()
    };
    requests.iter().map(status).collect()
}

#[test]
fn bindings_that_are_left_out_are_not_served() {
    let login = "username=alice&password=hunter2";
    let requests = [
        ("POST", "/Shop.asmx/Login", login),
        ("POST", "/Shop.asmx/Ping", ""),
        ("GET", "/Shop.asmx/Ping", ""),
    ];
    assert_eq!(statuses(&requests), [200, 200, 500]);
    let client = |binding| {
        let client = shop::ShopClient::new(shop::ShopServer::new(Echo), "http://localhost");
        wait(client.unwrap().with_binding(binding).ping()).is_ok()
    };
    use svcgen::Binding::{HttpGet, HttpPost, Soap11, Soap12};
    assert_eq!(
        [Soap11, Soap12, HttpGet, HttpPost].map(client),
        [true, false, false, true]
    );
}

#[test]
fn an_operation_without_a_binding_is_reported_at_its_place() {
    assert_refused(
        Config::new().bindings([Binding::Soap12, Binding::HttpGet]),
        "SVC032",
        &[
            "the option `bindings` leaves `Pay` without a binding",
            "--> shop.yaml:13:3",
        ],
    );
    let diagnostics = diagnose(&Config::new().bindings([Binding::HttpGet]));
    assert_eq!(diagnostics.len(), 3, "{diagnostics}");
}

/// The rules of a binding do not apply if it is not offered.
#[test]
fn rules_of_bindings_that_are_left_out_do_not_hold() {
    let text = "service: S\nnamespace: urn:s\npath: /s\ntypes: { T: {} }\noperations:\n  \
                A: { parameters: { t: T } }\n  B: { parameters: { s: { type: string, secret: true } } }\n";
    let all = Config::new().generate("s.yaml", text).unwrap_err();
    assert!(all.iter().any(|one| one.code() == "SVC017"), "{all}");
    let soap = Config::new().bindings([Binding::Soap11]);
    let output = soap.generate("s.yaml", text).unwrap();
    assert!(output.warnings.is_empty(), "{}", output.warnings);
    assert!(generate(&soap).warnings.is_empty());
}
