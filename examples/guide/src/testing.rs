//! The tests in the book.

use svcgen::{Context, Fault};

use crate::basket::{self, AddRequest, BasketClient, BasketHandler, BasketServer, MockBasket};
use crate::server::{Shop, with_logins};

// ANCHOR: server
#[tokio::test]
async fn the_first_article_is_the_only_one() {
    let client = BasketClient::new(BasketServer::new(Shop::default()), "http://localhost").unwrap();
    assert_eq!(client.add(&AddRequest::default()).await.unwrap(), 1);
}
// ANCHOR_END: server

// ANCHOR: mock
#[tokio::test]
async fn a_full_basket_is_reported() {
    let mock = MockBasket::new();
    mock.add.fails(Fault::client("The basket is full."));
    let client = mock.client();
    let request = AddRequest {
        article: Some("pot".to_owned()),
    };
    let error = client.add(&request).await.unwrap_err();
    assert!(error.to_string().contains("The basket is full."));
    assert_eq!(mock.add.calls(), [request]);
}
// ANCHOR_END: mock

// ANCHOR: handler
#[tokio::test]
async fn the_report_names_all_articles() {
    let shop = Shop::default();
    shop.store.add("pot".to_owned());
    let context = Context::for_test(&basket::MODULE, "Report");
    let report = shop.report(&context).await.unwrap();
    assert_eq!(report.as_deref(), Some("pot"));
}
// ANCHOR_END: handler

#[tokio::test]
async fn callers_log_in() {
    let passwords = [("ann".to_owned(), "s3cret".to_owned())].into();
    let server = with_logins(Shop::default(), passwords);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { svcgen::serve(listener, server).await });
    for (password, expected) in [("s3cret", Some(1)), ("guess", None)] {
        let transport = svcgen::HttpTransport::new();
        let transport = transport.with_basic_auth("ann", password).unwrap();
        let client = BasketClient::new(transport, &url).unwrap();
        assert_eq!(client.add(&AddRequest::default()).await.ok(), expected);
    }
}
