//! Serves Orders: service-defs/ says what is offered.

use std::error::Error;
use std::{env, process};

use svcgen::Router;
use svcgen_observe::trace::TraceLayer;
use tokio::net::TcpListener;

svcgen::include_service!("orders");

/// Answers the operations. What they share belongs here: a store, a client of another service.
struct Application;

// An operation answers a fault until its method stands here; with `Router::with_fallback`, the original
// answers it. Begin with Login, `async fn login(…)`. When all are written, take
// `optional_methods` out of svcgen.toml: then the compiler tells which one is missing.
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
async fn main() {
    // A line for each call; with RUST_LOG=warn in the environment, for each that fails.
    tracing_subscriber::fmt::init();
    if let Err(error) = run().await {
        eprintln!("error: {error}");
        process::exit(1);
    }
}

/// Serves until Ctrl-C or SIGTERM, then finishes the calls that have begun.
async fn run() -> Result<(), Box<dyn Error>> {
    let address = env::args().nth(1);
    let address = address.as_deref().unwrap_or("127.0.0.1:8080");
    let listener = TcpListener::bind(address).await.map_err(|error| {
        format!("cannot listen on {address}: {error}; pass another HOST:PORT as the argument")
    })?;
    // What a line says of its call. Without `with_span` it is all that tracing systems ask for.
    let traces = TraceLayer::new().with_span(|call| {
        let operation = call.operation_name();
        // At this level no filter takes the operation from a line.
        tracing::error_span!("call", operation)
    });
    let services = services();
    let services =
        services.with_fallback(svcgen::HttpTransport::fallback("https://shop.example.com")?);
    let server = svcgen::serve(listener, services.with_layer(traces));
    let server = server.with_shutdown(svcgen::stop_signal()?);
    println!("See http://{}/", server.local_addr()?);
    println!("{}", server.await?);
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
