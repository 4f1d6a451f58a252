//! Serves Orders: service-defs/ says what is offered.

use std::{env, io};

use svcgen::{Fallback, Router};
use tokio::net::TcpListener;

svcgen::include_service!("orders");

/// Answers what is not written, and every other path, unless the variable ORIGINAL names another server.
const ORIGINAL: &str = "https://shop.example.com";

/// Answers the operations. What they share belongs here: a store, a client of another service.
struct Application;

// The original answers an operation until its method stands here: begin with Login,
// `async fn login(…)`. When all are written, take `optional_methods` out of
// svcgen.toml: then the compiler tells which one is missing.
impl orders::OrdersHandler for Application {
    async fn find(
        &self,
        _: &svcgen::Context,
        request: orders::FindRequest,
    ) -> Result<Option<orders::Order>, svcgen::Fault> {
        let is_known = request.number == 7;
        Ok(is_known.then(|| orders::Order {
            number: request.number,
            state: orders::State::Sent,
            ..Default::default()
        }))
    }
}

/// The services, each at the path of its definition.
fn services() -> Router {
    Router::new().with_service(orders::OrdersServer::new(Application))
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = env::args().nth(1);
    let address = address.as_deref().unwrap_or("127.0.0.1:8080");
    let listener = TcpListener::bind(address).await?;
    println!("See http://{}/", listener.local_addr()?);
    let original = env::var("ORIGINAL");
    let original = original.as_deref().unwrap_or(ORIGINAL);
    let fallback = Fallback::new(original).map_err(io::Error::other)?;
    let fallback = fallback.with_report(|error| eprintln!("{error}"));
    svcgen::serve(listener, services().with_fallback(fallback)).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    /// Asks for the WSDL of each service, without a network.
    #[tokio::test]
    async fn services_have_wsdls() {
        for path in ["/Orders.asmx"] {
            let request = svcgen::http::Request::get(format!("{path}?wsdl"));
            let request = request.header("Host", "localhost");
            let request = request.body(svcgen::bytes::Bytes::new()).unwrap();
            let answer = super::services().answer(request).await;
            assert_eq!(answer.status(), 200);
        }
    }
}
