//! The program of `docs/call.md`.

// ANCHOR: program
// src/main.rs
svcgen::include_service!("orders");
use orders::{FindRequest, OrdersClient};

#[tokio::main]
async fn main() -> Result<(), svcgen::CallError> {
    let client = OrdersClient::connect("https://shop.example.com")?;
    let request = FindRequest {
        number: 7,
        ..FindRequest::default()
    };
    match client.find(&request).await? {
        Some(order) => println!("order {} is {}", order.number, order.state),
        None => println!("there is no such order"),
    }
    Ok(())
}
// ANCHOR_END: program
