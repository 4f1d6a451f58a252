//! Calls the services of imported definitions: a call a line of JSON, and an answer.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};
use svcgen::serde::{Serialize, de::DeserializeOwned};
use svcgen::{Binding, CallError, HttpTransport};

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

#[tokio::main]
async fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let binding = Binding::of_key(&arguments[1]).expect("the first argument is a binding");
    let authenticator = authenticator::AuthenticatorClient::connect(&arguments[2]);
    let devices = device_login_service::DeviceLoginServiceClient::connect(&arguments[2]);
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
