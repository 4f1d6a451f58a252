//! Structs with builder methods, and handler methods that are optional.

use svcgen::Binding;
use svcgen_codegen::Config;

use super::{assert_refused, generate, wait};

#[derive(svcgen::Service)]
#[service(
    definition = "definitions/valid/shop.yaml",
    builders = ".",
    optional_methods = "Order, Pay",
    optional_methods = "P*"
)]
struct Shop;

/// Implements the methods that have no default.
struct Old;

impl shop::ShopHandler for Old {
    async fn login(
        &self,
        _: &svcgen::Context,
        request: shop::LoginRequest,
    ) -> Result<bool, svcgen::Fault> {
        Ok(request
            == shop::LoginRequest::new()
                .with_username("alice")
                .with_password("hunter2"))
    }

    async fn kinds(
        &self,
        _: &svcgen::Context,
        request: shop::KindsRequest,
    ) -> Result<Vec<shop::Kind>, svcgen::Fault> {
        Ok(request.all)
    }
}

fn client() -> shop::ShopClient<shop::ShopServer<Old>> {
    shop::ShopClient::new(shop::ShopServer::new(Old), "http://localhost").unwrap()
}

#[test]
fn every_field_has_its_step() {
    use shop::{Card, Customer, CustomerContact, Kind, Line, OrderRequest, PayRequest, Phone};
    let contact = CustomerContact::Phone(Phone::new().with_kind(Kind::Gift).with_value("1"));
    let customer = Customer::new()
        .with_number(7)
        .with_name("Ada")
        .with_contact(contact);
    let part = Line::new().with_article("sugar");
    let lines = vec![Line::new().with_article("tea").with_pieces(2).with_of(part)];
    let order = OrderRequest::new()
        .with_customer(customer)
        .with_lines(lines)
        .with_note(String::from("soon"));
    assert_eq!(order.lines[0].of.as_ref().unwrap().article, "sugar");
    assert_eq!(order.customer.number, 7);
    assert_eq!((order.note.as_deref(), order.kind), (Some("soon"), None));
    let pay = PayRequest::new().with_payment(Card::new().with_number("4711"));
    assert!(matches!(pay.payment, shop::AnyPayment::Card(card) if &*card.number == "4711"));
    let request = shop::LoginRequest::new()
        .with_username("alice")
        .with_password("hunter2");
    assert!(wait(client().login(&request)).unwrap());
}

#[test]
fn what_is_left_out_answers_that_it_is_not_implemented() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let answer = wait(
            client()
                .with_binding(binding)
                .order(&shop::OrderRequest::new()),
        );
        let svcgen::CallError::Fault(fault) = answer.unwrap_err() else {
            panic!("no fault");
        };
        assert_eq!(fault.code(), &svcgen::FaultCode::Server);
        assert!(
            fault
                .text()
                .contains("The operation `Order` is not implemented."),
            "{fault:?}"
        );
    }
    assert!(wait(client().with_binding(Binding::HttpGet).ping()).is_err());
}

#[test]
fn only_what_is_asked_for_is_emitted() {
    let code = generate(&Config::new().builders(["Login*"])).code;
    assert_eq!(code.matches("pub fn new() -> Self").count(), 1);
    let code = generate(&Config::new().optional_methods(["Ping"])).code;
    assert_eq!(code.matches("NotImplemented::new(\"Ping\")").count(), 1);
    assert_eq!(code.matches("is_written").count(), 1);
    assert_refused(
        Config::new().builders(["Kind"]),
        "SVC030",
        &["no struct is called `Kind`"],
    );
    assert_refused(
        Config::new().optional_methods(["Pong"]),
        "SVC030",
        &["no operation is called `Pong`", "did you mean `Ping`?"],
    );
}

#[test]
fn setters_and_their_arguments_have_names_that_no_lint_refuses() {
    let definition = "{ service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { _1: int, a1: int } } } }";
    let output = Config::new().builders(["."]).generate("s.yaml", definition);
    let code = output.unwrap().code;
    for signature in [
        "fn with_1(mut self, value: i32)",
        "fn with_a1(mut self, a1: i32)",
    ] {
        assert!(code.contains(signature), "{code}");
    }
}
