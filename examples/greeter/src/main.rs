//! A service and a client of it in one program: it serves, calls itself over every binding, and serves on until Ctrl-C.

svcgen::include_service!("greeter");
use greeter::{GreetRequest, GreeterClient, GreeterHandler, GreeterServer, Greeting};
use svcgen::{Binding, CallError};
use tokio::net::TcpListener;

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

async fn greet(url: &str, binding: Binding) -> Result<Greeting, CallError> {
    let client = GreeterClient::connect(url)?.with_binding(binding);
    let request = GreetRequest {
        name: Some("Ada".to_owned()),
    };
    client.greet(&request).await
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let server = tokio::spawn(async { svcgen::serve(listener, GreeterServer::new(Polite)).await });
    for binding in [
        Binding::Soap11,
        Binding::Soap12,
        Binding::HttpGet,
        Binding::HttpPost,
    ] {
        let greeting = greet(&url, binding).await?;
        println!("{binding}: {}", greeting.text.unwrap_or_default());
    }
    println!("The help page is {url}/Greeter.asmx");
    server.await??;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn callers_are_greeted() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async { svcgen::serve(listener, GreeterServer::new(Polite)).await });
        let greeting = greet(&url, Binding::Soap11).await.unwrap();
        assert_eq!(greeting.text.as_deref(), Some("Hello, Ada!"));
    }
}
