//! A client whose requests go through reqwest, with its proxies, pools and, with a feature of it, TLS.

// ANCHOR: client
use svcgen_http::ReqwestTransport;
use svcgen_http::reqwest::redirect::Policy;
use svcgen_http::reqwest::{self, Client};

svcgen::include_service!("greeter");
use greeter::{GreetRequest, GreeterClient};

/// A transport that follows no redirects, as credentials would go with them.
fn transport() -> reqwest::Result<ReqwestTransport> {
    let client = Client::builder().redirect(Policy::none()).build()?;
    Ok(ReqwestTransport::new(client))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1);
    let url = url.unwrap_or_else(|| "http://127.0.0.1:8080".to_owned());
    let client = GreeterClient::new(transport()?, &url)?;
    let request = GreetRequest {
        name: Some("Ada".to_owned()),
    };
    println!("{:?}", client.greet(&request).await?);
    Ok(())
}
// ANCHOR_END: client

#[cfg(test)]
mod tests {
    use svcgen::{Context, Fault};
    use tokio::net::TcpListener;

    use super::*;
    use greeter::{GreeterHandler, GreeterServer, Greeting};

    struct Echo;

    impl GreeterHandler for Echo {
        async fn greet(&self, _: &Context, request: GreetRequest) -> Result<Greeting, Fault> {
            Ok(Greeting {
                text: request.name,
                length: 0,
            })
        }
    }

    #[tokio::test]
    async fn answers_come_through_reqwest() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async { svcgen::serve(listener, GreeterServer::new(Echo)).await });
        let client = GreeterClient::new(transport().unwrap(), &url).unwrap();
        let request = GreetRequest {
            name: Some("Ada".to_owned()),
        };
        let greeting = client.greet(&request).await.unwrap();
        assert_eq!(greeting.text.as_deref(), Some("Ada"));
    }
}
