//! A service over TLS, with authorisation by operation, traces, metrics, health and a graceful stop.
use std::{env::var, error::Error};

use metrics_exporter_prometheus::PrometheusBuilder;
use svcgen::http::{HeaderValue, StatusCode, header};
use svcgen::layer::{CallRequest, Refusal};
use svcgen::serve::{Health, Tls};
use svcgen::{Context, Fault, Secret, metrics::MetricsLayer, trace::TraceLayer};
use tower::filter::FilterLayer;

svcgen::include_service!("orders");
use orders::{OrderRequest, OrdersHandler, OrdersServer, PriceRequest};

struct Shop;

impl OrdersHandler for Shop {
    async fn price(&self, _: &Context, request: PriceRequest) -> Result<i32, Fault> {
        match request.article.as_deref() {
            Some("teapot") => Ok(1499),
            _ => Err(Fault::client("There is no such article.")),
        }
    }
    async fn order(&self, _: &Context, request: OrderRequest) -> Result<i32, Fault> {
        Ok(1499 * request.count)
    }
}

/// Lets everybody call operations marked `safe`, and the others who has the token.
fn authorise(token: &Secret<String>, request: CallRequest) -> Result<CallRequest, Refusal> {
    let needs_token = request.operation().is_some_and(|called| !called.safe);
    let given = request.headers().get(header::AUTHORIZATION);
    let given = given.and_then(|given| given.to_str().ok()?.strip_prefix("Bearer "));
    // Secrets are compared in constant time.
    if !needs_token || given.map(Secret::from).as_ref() == Some(token) {
        return Ok(request);
    }
    let challenge = HeaderValue::from_static("Bearer");
    Err(Refusal::new(StatusCode::UNAUTHORIZED).with_header(header::WWW_AUTHENTICATE, challenge))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    log.init();
    let metrics = PrometheusBuilder::new().install_recorder()?;
    let metrics = axum::routing::get(async move || metrics.render());
    let token = Secret::from(var("TOKEN")?);
    let service = OrdersServer::new(Shop)
        .with_layer(FilterLayer::new(move |call| authorise(&token, call)))
        .with_layer(MetricsLayer::new())
        .with_layer(TraceLayer::new());
    let routes = axum::Router::new().fallback_service(service);
    let listener = tokio::net::TcpListener::bind(var("ADDRESS")?).await?;
    println!("https://{}/Orders.asmx", listener.local_addr()?);
    let server = svcgen::serve(listener, routes.route("/metrics", metrics))
        .with_tls(Tls::from_pem_files(var("CERTIFICATES")?, var("KEY")?)?)
        .with_health(Health::new());
    println!("{}", server.with_shutdown(svcgen::stop_signal()?).await?);
    Ok(())
}
