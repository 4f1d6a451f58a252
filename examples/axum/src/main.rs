//! A service in an axum router, at its own path and below `/v1`, next to a route of the
//! application.

use std::net::SocketAddr;

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;

svcgen::include_service!("greeter");
use greeter::{GreetRequest, GreeterHandler, GreeterServer, Greeting};

struct Polite;

impl GreeterHandler for Polite {
    async fn greet(
        &self,
        _: &svcgen::Context,
        request: GreetRequest,
    ) -> Result<Greeting, svcgen::Fault> {
        let text = format!("Hello, {}!", request.name.unwrap_or_default());
        Ok(Greeting {
            length: text.len() as i32,
            text: Some(text),
        })
    }
}

// ANCHOR: routes
fn application() -> Router {
    let service = GreeterServer::new(Polite);
    Router::new()
        .route("/health", get(|| async { "well" }))
        .nest_service("/v1", service.clone())
        // At the path of the definition, and at those beneath, which the operations have over HTTP GET and POST.
        .nest_service("/Greeter.asmx", service)
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    println!("http://{}/Greeter.asmx", listener.local_addr()?);
    // `Context::remote_address` is the address of the caller.
    let application = application().into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, application).await
}
// ANCHOR_END: routes

#[cfg(test)]
mod tests {
    use svcgen::HttpTransport;

    use super::*;
    use greeter::GreeterClient;

    #[tokio::test]
    async fn callers_are_greeted() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async { axum::serve(listener, application()).await });
        for prefix in ["", "/v1"] {
            for binding in [svcgen::Binding::Soap11, svcgen::Binding::HttpGet] {
                let base = format!("{url}{prefix}");
                let client = GreeterClient::new(HttpTransport::new(), &base).unwrap();
                let client = client.with_binding(binding);
                let request = GreetRequest {
                    name: Some("Ada".to_owned()),
                };
                let greeting = client.greet(&request).await.unwrap();
                assert_eq!(greeting.text.as_deref(), Some("Hello, Ada!"));
            }
        }
    }
}
