//! `library_client BASE_URL BINDING`: calls every operation of a server of the library over a
//! binding, and prints the answer to each call.

use std::error::Error;

use svcgen::{Binding, HttpTransport};
use svcgen_tests::echo;
use svcgen_tests::library::LibraryClient;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: library_client BASE_URL BINDING";
    let (base, binding) = (
        arguments.next().ok_or(usage)?,
        arguments.next().ok_or(usage)?,
    );
    let binding = Binding::of_key(&binding).ok_or(usage)?;
    let client = LibraryClient::new(HttpTransport::new(), &base)?.with_binding(binding);
    for line in echo::calls(&client).await {
        println!("{line}");
    }
    Ok(())
}
