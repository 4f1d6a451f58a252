//! `secured serve` serves the service `Work` with WS-Addressing to callers with a `UsernameToken`
//! of the user `ann`; `secured call` calls such a service of another stack.

use std::process::ExitCode;

use svcgen::{Binding, CallError, Context, Fault};
use svcgen_tests::work::{
    NotifyRequest, ReadRequest, StoreRequest, WorkClient, WorkHandler, WorkServer,
};
use svcgen_ws::ws_addressing::{ClientAddressing as _, ServerAddressing as _, Version};
use svcgen_ws::ws_security::{
    ClientSecurity as _, ReceivedToken, ServerSecurity as _, UsernameToken, WsSecurity,
};
use tokio::net::TcpListener;

const USAGE: &str = "usage: secured serve
       secured call URL BINDING text|digest|none PASSWORD

serve prints the address as `listening on http://HOST:PORT`; call prints `result TEXT`, `fault TEXT` or `error TEXT`.";

struct Told;

impl WorkHandler for Told {
    async fn store(&self, context: &Context, request: StoreRequest) -> Result<String, Fault> {
        let user = context.user().unwrap_or("nobody");
        Ok(format!("{user}: {}", request.text))
    }

    async fn read(&self, _: &Context, request: ReadRequest) -> Result<String, Fault> {
        Ok(request.text)
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

fn verify(token: &ReceivedToken) -> bool {
    token.matches((token.user() == "ann").then_some("s3cret"))
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &*arguments {
        ["serve"] => serve().await.map_err(|error| error.to_string()),
        ["call", url, binding, kind, password] => call(url, binding, kind, password).await,
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    let server = WorkServer::new(Told).with_ws_security(WsSecurity::new(verify));
    svcgen::serve(listener, server.with_ws_addressing()).await?;
    Ok(())
}

async fn call(url: &str, binding: &str, kind: &str, password: &str) -> Result<(), String> {
    let mut bindings = Binding::ALL.into_iter();
    let binding = bindings.find(|known| known.key() == binding);
    let binding = binding.ok_or("no such binding")?;
    let request = StoreRequest {
        text: "hello".to_owned(),
    };
    let client = WorkClient::connect(url).map_err(|error| error.to_string())?;
    let client = client.with_binding(binding);
    let token = match kind {
        "text" => Some(UsernameToken::text("ann", password)),
        "digest" => Some(UsernameToken::digest("ann", password)),
        _ => None,
    };
    let answer = match token {
        Some(token) => {
            let client = client.with(|client| client.with_ws_security(token));
            let client = client.with(|client| client.with_ws_addressing(Version::default()));
            client.store(&request).await
        }
        None => client.store(&request).await,
    };
    match answer {
        Ok(text) => println!("result {text}"),
        Err(CallError::Fault(fault)) => println!("fault {}", fault.text()),
        Err(error) => println!("error {error}"),
    }
    Ok(())
}
