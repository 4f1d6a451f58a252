//! The library as it was imported, with the handler and the calls of the hand-written definition.
//! `client BINDING URL` prints what each call answered, `serve` serves it.

use std::io;

use svcgen::{Binding, HttpTransport, Router};
use tokio::net::TcpListener;

mod echo;
mod shelf;

svcgen::include_service!("library");

#[tokio::main]
async fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["client", url, binding] => {
            let binding = Binding::of_key(binding).expect("a binding");
            let client = library::LibraryClient::new(HttpTransport::new(), url).expect("an address");
            for line in echo::calls(&client.with_binding(binding)).await {
                println!("{line}");
            }
        }
        ["serve"] => {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            println!("listening on http://{}", listener.local_addr()?);
            svcgen::serve(listener, Router::new().with_service(echo::server())).await?;
        }
        _ => panic!("client URL BINDING, or serve"),
    }
    Ok(())
}
