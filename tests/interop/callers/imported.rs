//! The services of imported definitions. `client BINDING URL` calls them: a call a line of JSON,
//! and an answer. `serve RULES` serves them; the answers come from the rules' own server.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};
use svcgen::bytes::Bytes;
use svcgen::http::Request;
use svcgen::serde::{Serialize, de::DeserializeOwned};
use svcgen::{Binding, CallError, Fault, HttpTransport, Router, Transport};
use tokio::net::TcpListener;

svcgen::include_service!("authenticator");
svcgen::include_service!("device_login_service");

struct Services {
    authenticator: authenticator::AuthenticatorClient<HttpTransport>,
    device_login_service: device_login_service::DeviceLoginServiceClient<HttpTransport>,
}

fn read<T: DeserializeOwned>(arguments: &Value) -> Result<T, String> {
    serde_json::from_value(arguments.clone()).map_err(|error| error.to_string())
}

fn written<T: Serialize>(answer: Result<T, CallError>) -> Result<Value, String> {
    match answer {
        Ok(result) => Ok(json!({ "result": result })),
        Err(error) => match error.fault() {
            Some(fault) => Ok(
                json!({ "fault": { "code": format!("{:?}", fault.code()), "text": fault.text() } }),
            ),
            None => Err(error.to_string()),
        },
    }
}

async fn call(
    services: &Services,
    service: &str,
    operation: &str,
    arguments: &Value,
) -> Result<Value, String> {
    match (service, operation) {
        // {{calls}}
        _ => Err("there is no such operation".to_owned()),
    }
}

async fn answer_lines(binding: &str, url: &str) -> io::Result<()> {
    let binding = Binding::of_key(binding).expect("a binding");
    let authenticator = authenticator::AuthenticatorClient::connect(url);
    let devices = device_login_service::DeviceLoginServiceClient::connect(url);
    let services = Services {
        authenticator: authenticator.expect("an address").with_binding(binding),
        device_login_service: devices.expect("an address").with_binding(binding),
    };
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line?)?;
        let (service, operation) = (asked[0].as_str(), asked[1].as_str());
        let answer = call(
            &services,
            service.unwrap_or_default(),
            operation.unwrap_or_default(),
            &asked[2],
        );
        let answer = answer.await.unwrap_or_else(|error| json!({ "error": error }));
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

/// The rules' server.
#[derive(Clone)]
struct Rules {
    address: String,
    transport: HttpTransport,
}

impl Rules {
    async fn ask<T: DeserializeOwned>(
        &self,
        service: &str,
        operation: &str,
        arguments: impl Serialize,
    ) -> Result<T, Fault> {
        let asked = json!([service, operation, arguments]).to_string();
        let request = Request::post(&self.address).body(Bytes::from(asked));
        let told = self.transport.send(request.expect("an address")).await;
        let told: Value = serde_json::from_slice(told.expect("the rules").body()).expect("JSON");
        match told.get("fault").and_then(Value::as_str) {
            Some(text) => Err(Fault::exception(text)),
            None => Ok(serde_json::from_value(told["result"].clone()).expect("a result")),
        }
    }
}

// {{handlers}}

async fn serve(rules: &str) -> io::Result<()> {
    let rules = Rules {
        address: rules.to_owned(),
        transport: HttpTransport::new(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    let services = Router::new()
        .with_service(authenticator::AuthenticatorServer::new(rules.clone()))
        .with_service(device_login_service::DeviceLoginServiceServer::new(rules));
    svcgen::serve(listener, services).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["client", binding, url] => answer_lines(binding, url).await,
        ["serve", rules] => serve(rules).await,
        _ => panic!("client BINDING URL, or serve RULES"),
    }
}
