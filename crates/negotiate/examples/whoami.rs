//! A service that tells callers who they are, and a client of it: `crates/negotiate/check` runs
//! both.
//!
//! ```sh
//! whoami serve HTTP@localhost        # prints its address
//! whoami call URL [DOMAIN\user]      # by Negotiate, or NTLM with the password of the variable PASSWORD
//! ```

use std::error::Error;

use svcgen::authentication::Authentication;
use svcgen::{Context, Fault, HttpTransport};
use svcgen_negotiate::{ClientNegotiate, ClientNtlm, Negotiate, Ntlm};

#[derive(svcgen::Service)]
#[service(definition = "examples/whoami.yaml")]
struct WhoAmI;
use who_am_i::{WhoAmIClient, WhoAmIHandler, WhoAmIServer};

impl WhoAmIHandler for WhoAmI {
    async fn who_am_i(&self, context: &Context) -> Result<String, Fault> {
        Ok(context.user().unwrap_or_default().to_owned())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        ["serve", service] => serve(service).await,
        ["call", url] => {
            call(
                HttpTransport::new().with_handshake(ClientNegotiate::new),
                url,
            )
            .await
        }
        ["call", url, user] => {
            let (user, password) = (user.to_owned(), std::env::var("PASSWORD")?);
            let begin = move |host: &str| ClientNtlm::new(host, &user, password.clone());
            call(HttpTransport::new().with_handshake(begin), url).await
        }
        _ => Err("whoami serve SERVICE, or whoami call URL [USER]".into()),
    }
}

async fn serve(service: &str) -> Result<(), Box<dyn Error>> {
    let report = |why: &str| eprintln!("{why}");
    let negotiate = Negotiate::new(service)?.with_report(report);
    let ntlm = Ntlm::new()?.with_report(report);
    let server =
        WhoAmIServer::new(WhoAmI).with_authentication(Authentication::new(negotiate).or(ntlm));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://localhost:{}", listener.local_addr()?.port());
    svcgen::serve(listener, server).await?;
    Ok(())
}

/// Calls twice, as the second call needs no login on the same connection.
async fn call(transport: HttpTransport, url: &str) -> Result<(), Box<dyn Error>> {
    let client = WhoAmIClient::new(transport, url)?;
    for _ in 0..2 {
        println!("{}", client.who_am_i().await?);
    }
    Ok(())
}
