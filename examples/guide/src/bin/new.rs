//! Serves WeatherStation; `service-defs/weather_station.yaml` says what it offers.

use std::error::Error;
use std::{env, process};

use svcgen::{Context, Fault};
use svcgen_observe::trace::TraceLayer;
use tokio::net::TcpListener;

svcgen::include_service!("weather_station");

use weather_station::{GreetRequest, Greeting, Tone};
use weather_station::{WeatherStationHandler, WeatherStationServer};

/// Answers the operations. What they share belongs here: a store, a client of another service.
struct Polite;

impl WeatherStationHandler for Polite {
    async fn greet(&self, _: &Context, request: GreetRequest) -> Result<Greeting, Fault> {
        // What is `string?` in the definition may be absent, and is empty in forms; a fault tells the caller so.
        let name = request.name.filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| Fault::client("Who is to be greeted?"))?;
        let text = match request.tone {
            Tone::Friendly => format!("Hello, {name}!"),
            Tone::Formal => format!("Good day, {name}."),
        };
        Ok(Greeting {
            length: text.chars().count() as i32,
            text,
        })
    }
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
    let server = WeatherStationServer::new(Polite).with_layer(traces);
    let server = svcgen::serve(listener, server).with_shutdown(svcgen::stop_signal()?);
    let address = server.local_addr()?;
    println!("Try http://{address}/WeatherStation.asmx/Greet?name=Ada&tone=Friendly");
    println!("{}", server.await?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use weather_station::WeatherStationClient;

    /// Calls the service over its bindings, without a network.
    #[tokio::test]
    async fn callers_are_greeted() {
        let server = WeatherStationServer::new(Polite);
        for binding in svcgen::Binding::DEFAULT {
            let client = WeatherStationClient::new(&server, "http://localhost");
            let client = client.unwrap().with_binding(binding);
            let request = |name: Option<&str>| GreetRequest {
                name: name.map(str::to_owned),
                tone: Tone::Formal,
            };
            let greeting = client.greet(&request(Some("Ada"))).await.unwrap();
            assert_eq!(greeting.text, "Good day, Ada.");
            assert!(client.greet(&request(None)).await.is_err());
        }
    }
}
