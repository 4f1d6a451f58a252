//! Calls the service over TLS, with time limits, a token and retries.
use std::{env::var, error::Error, time::Duration};
use svcgen::{HttpTransport, http_transport::Tls, transport::Retries};

svcgen::include_service!("orders");
use orders::{OrderRequest, OrdersClient, PriceRequest};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let transport = HttpTransport::new().with_connect_timeout(Duration::from_secs(2));
    let transport = transport.with_timeout(Duration::from_secs(10));
    let transport = transport.with_tls(Tls::new().with_roots_file(var("ROOTS")?)?);
    let client = OrdersClient::new(transport.with_bearer(var("TOKEN")?)?, &var("URL")?)?;
    // Ten seconds for a call, three for each of its tries.
    let retries = Retries::new(3).with_try_timeout(Duration::from_secs(3));
    let client = client.with(|client| client.with_retries(retries));
    let price = client.price(&PriceRequest::new().with_article("teapot"));
    println!("a teapot is {} cents", price.await?);
    let order = OrderRequest::new().with_article("teapot").with_count(2);
    println!("order of {} cents", client.order(&order).await?);
    Ok(())
}
