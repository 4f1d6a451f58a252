//! Results that many answers share.

use std::sync::Arc;

use shop::{Kind, Receipt, ShopClient, ShopHandler, ShopServer};
use svcgen::{Binding, Context, Fault};
use svcgen_codegen::Config;

use super::{assert_refused, generate, wait};

#[derive(svcgen::Service)]
#[service(
    definition = "definitions/valid/shop.yaml",
    optional_methods = ".",
    shared_results = ".",
    mocks = true
)]
struct Shop;

/// The option compiles for every shape.
#[derive(svcgen::Service)]
#[service(
    definition = "definitions/valid/every_shape.yaml",
    optional_methods = ".",
    shared_results = "."
)]
struct Shapes;

/// The option compiles for several results, and for headers of answers.
#[derive(svcgen::Service)]
#[service(
    definition = "definitions/valid/help_page_encoded.yaml",
    optional_methods = ".",
    shared_results = "."
)]
struct Encoded;

#[derive(svcgen::Service)]
#[service(
    definition = "definitions/lab/headers.yaml",
    optional_methods = ".",
    shared_results = "."
)]
struct Headers;

struct Keeps {
    receipt: Arc<Receipt>,
    kinds: Arc<Vec<Kind>>,
}

impl ShopHandler for Keeps {
    async fn order(&self, _: &Context, _: shop::OrderRequest) -> Result<Arc<Receipt>, Fault> {
        Ok(Arc::clone(&self.receipt))
    }

    async fn login(&self, _: &Context, _: shop::LoginRequest) -> Result<Arc<bool>, Fault> {
        Ok(Arc::new(true))
    }

    async fn kinds(&self, _: &Context, _: shop::KindsRequest) -> Result<Arc<Vec<Kind>>, Fault> {
        Ok(Arc::clone(&self.kinds))
    }

    async fn ping(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn callers_get_what_the_handler_keeps() {
    let receipt = Arc::new(Receipt {
        note: Some("thanks".to_owned()),
        ..Receipt::default()
    });
    let kinds = Arc::new(vec![Kind::Gift, Kind::Plain]);
    let handler = Keeps {
        receipt: Arc::clone(&receipt),
        kinds: Arc::clone(&kinds),
    };
    let server = ShopServer::new(handler);
    for binding in [Binding::Soap11, Binding::HttpGet, Binding::HttpPost] {
        let client = ShopClient::new(server.clone(), "http://localhost").unwrap();
        let client = client.with_binding(binding);
        assert_eq!(
            wait(client.kinds(&shop::KindsRequest::default())).unwrap(),
            kinds.to_vec()
        );
        wait(client.ping()).unwrap();
    }
    let client = ShopClient::new(server, "http://localhost").unwrap();
    assert_eq!(
        wait(client.order(&shop::OrderRequest::default())).unwrap(),
        (*receipt).clone()
    );
    assert!(wait(client.login(&shop::LoginRequest::default())).unwrap());
    // No other clone exists.
    drop(client);
    assert_eq!(
        (Arc::strong_count(&receipt), Arc::strong_count(&kinds)),
        (1, 1)
    );
}

#[test]
fn mocks_share_them() {
    let mock = shop::MockShop::new();
    mock.kinds.returns(Arc::new(vec![Kind::Express]));
    let client = mock.client();
    assert_eq!(
        wait(client.kinds(&shop::KindsRequest::default())).unwrap(),
        vec![Kind::Express]
    );
}

#[test]
fn only_what_is_asked_for_is_shared() {
    let code = generate(&Config::new().shared_results(["Kinds", "Ping"])).code;
    assert_eq!(code.matches("::std::sync::Arc<").count(), 1);
    assert_refused(
        Config::new().shared_results(["Pong"]),
        "SVC030",
        &["no operation is called `Pong`", "did you mean `Ping`?"],
    );
}
