//! Clients: over another binding, with cookies, through a proxy, and without async.

use std::error::Error;
use std::time::Duration;

use svcgen::http_transport::Proxy;
use svcgen::{Accept, Binding, Blocking, CallError, HttpTransport};
use svcgen_http::Cookies;

use crate::basket::{AddRequest, BasketClient};

// ANCHOR: call
/// Asks for the report over SOAP 1.2, for two seconds at most.
///
/// # Errors
///
/// The error of the call; a fault is one of its kinds.
pub async fn report(url: &str) -> Result<Option<String>, CallError> {
    let client = BasketClient::connect(url)?.with_binding(Binding::Soap12);
    let answer = client.report().with_timeout(Duration::from_secs(2)).await;
    if let Err(error) = &answer
        && let Some(fault) = error.fault()
    {
        eprintln!("the service says: {fault}");
    }
    answer
}
// ANCHOR_END: call

// ANCHOR: accept
/// A client of a server that writes times and absent numbers in ways of its own.
///
/// # Errors
///
/// The URL is not one of HTTP.
pub fn of_foreign_server(url: &str) -> Result<BasketClient, CallError> {
    let client = BasketClient::connect(url)?;
    Ok(client.with(|client| client.with_accepted([Accept::Times, Accept::EmptyNumbers])))
}
// ANCHOR_END: accept

// ANCHOR: cookies
/// A client whose calls are one session.
///
/// # Errors
///
/// The URL is not one of HTTP.
pub fn with_session(url: &str) -> Result<BasketClient<Cookies<HttpTransport>>, CallError> {
    BasketClient::new(Cookies::new(HttpTransport::new()), url)
}
// ANCHOR_END: cookies

// ANCHOR: proxy
/// A client that calls through a proxy, or through those of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`.
///
/// # Errors
///
/// A URL is not one of HTTP.
pub fn through(proxy: Option<&str>, url: &str) -> Result<BasketClient, Box<dyn Error>> {
    let proxy = proxy.map(Proxy::new).transpose()?;
    let proxy = proxy.unwrap_or_else(Proxy::from_environment);
    let transport = HttpTransport::new().with_proxy(proxy);
    Ok(BasketClient::new(transport, url)?)
}
// ANCHOR_END: proxy

// ANCHOR: blocking
/// Adds an article from code that is not async.
///
/// # Errors
///
/// There is no thread for the client, or the call fails.
pub fn add(url: &str, article: &str) -> Result<i32, Box<dyn Error>> {
    let client = Blocking::new(BasketClient::connect(url)?)?;
    let request = AddRequest {
        article: Some(article.to_owned()),
    };
    Ok(client.call(|client| client.add(&request))?)
}
// ANCHOR_END: blocking

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basket::BasketServer;
    use crate::server::Shop;
    use tokio::net::TcpListener;

    async fn serve(shop: Shop) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async { svcgen::serve(listener, BasketServer::new(shop)).await });
        url
    }

    fn article(name: &str) -> AddRequest {
        AddRequest {
            article: Some(name.to_owned()),
        }
    }

    #[tokio::test]
    async fn the_calls_of_a_client_are_a_session() {
        let url = serve(Shop::default()).await;
        let client = with_session(&url).unwrap();
        assert_eq!(client.add(&article("pot")).await.unwrap(), 1);
        assert_eq!(client.add(&article("cup")).await.unwrap(), 2);
        let stranger = BasketClient::connect(&url).unwrap();
        assert_eq!(stranger.add(&article("mug")).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_session_goes_on_at_another_instance() {
        let shop = Shop::default();
        let [first, second] = [serve(shop.clone()).await, serve(shop).await];
        // Cookies belong to a host, whatever the port.
        let transport = Cookies::new(HttpTransport::new());
        let client = BasketClient::new(transport.clone(), &first).unwrap();
        assert_eq!(client.add(&article("pot")).await.unwrap(), 1);
        let client = BasketClient::new(transport, &second).unwrap();
        assert_eq!(client.add(&article("cup")).await.unwrap(), 2);
        let seen = report(&first).await.unwrap();
        assert_eq!(seen.as_deref(), Some("cup, pot"));
    }

    #[tokio::test]
    async fn calls_go_through_the_proxy() {
        let proxy = serve(Shop::default()).await;
        let client = through(Some(&proxy), "http://basket.invalid").unwrap();
        assert_eq!(client.add(&article("pot")).await.unwrap(), 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn code_without_async_calls() {
        let url = serve(Shop::default()).await;
        let added = tokio::task::spawn_blocking(move || add(&url, "pot").unwrap());
        assert_eq!(added.await.unwrap(), 1);
    }
}
