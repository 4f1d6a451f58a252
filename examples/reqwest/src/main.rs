//! A client whose requests go through reqwest, with its proxies, pools and, with a feature of it, TLS.

use bytes::Bytes;
use http::{Request, Response};
use svcgen::transport::{Transport, TransportError, TransportErrorKind};

svcgen::include_service!("greeter");
use greeter::{GreetRequest, GreeterClient};

struct Reqwest(reqwest::Client);

impl Reqwest {
    /// A transport that follows no redirects, as credentials would go with them.
    fn new() -> reqwest::Result<Self> {
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        Ok(Self(client.build()?))
    }
}

impl Transport for Reqwest {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let request = request.try_into().map_err(failed)?;
        let mut answer = self.0.execute(request).await.map_err(failed)?;
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = answer.status();
        *response.headers_mut() = std::mem::take(answer.headers_mut());
        *response.body_mut() = answer.bytes().await.map_err(failed)?;
        Ok(response)
    }
}

fn failed(error: reqwest::Error) -> TransportError {
    let kind = if error.is_timeout() {
        TransportErrorKind::Timeout
    } else if error.is_connect() {
        TransportErrorKind::Connect
    } else {
        TransportErrorKind::Exchange
    };
    TransportError::new(kind, "reqwest failed").with_source(error)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1);
    let url = url.unwrap_or_else(|| "http://127.0.0.1:8080".to_owned());
    let client = GreeterClient::new(Reqwest::new()?, &url)?;
    let request = GreetRequest {
        name: Some("Ada".to_owned()),
    };
    println!("{:?}", client.greet(&request).await?);
    Ok(())
}

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
        let client = GreeterClient::new(Reqwest::new().unwrap(), &url).unwrap();
        let request = GreetRequest {
            name: Some("Ada".to_owned()),
        };
        let greeting = client.greet(&request).await.unwrap();
        assert_eq!(greeting.text.as_deref(), Some("Ada"));
    }
}
