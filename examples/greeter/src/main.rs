//! The program of the README, and a test with its client.

// ANCHOR: program
// src/main.rs
svcgen::include_service!("greeter");
use greeter::{GreetRequest, GreeterHandler, GreeterServer, Greeting};
use svcgen::{Context, Fault};

struct Polite;
impl GreeterHandler for Polite {
    async fn greet(&self, _: &Context, request: GreetRequest) -> Result<Greeting, Fault> {
        let text = format!("Hello, {}!", request.name.unwrap_or_default());
        Ok(Greeting {
            length: text.len() as i32,
            text: Some(text),
        })
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    svcgen::serve(listener, GreeterServer::new(Polite)).await?;
    Ok(())
}
// ANCHOR_END: program

#[cfg(test)]
mod tests {
    use super::*;
    use greeter::GreeterClient;
    use svcgen::Binding;

    #[tokio::test]
    async fn callers_are_greeted() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async { svcgen::serve(listener, GreeterServer::new(Polite)).await });
        for binding in Binding::DEFAULT {
            let client = GreeterClient::connect(&url).unwrap().with_binding(binding);
            let request = GreetRequest {
                name: Some("Ada".to_owned()),
            };
            let greeting = client.greet(&request).await.unwrap();
            assert_eq!(greeting.text.as_deref(), Some("Hello, Ada!"), "{binding}");
        }
    }
}
