//! A service with TLS, authorisation by operation, traces, metrics, health, inherited sockets and a graceful stop.
use metrics_exporter_prometheus::PrometheusBuilder;
use std::{env::var, error::Error};
use svcgen::http::{HeaderValue, StatusCode, header};
use svcgen::layer::{CallRequest, Refusal, Target};
use svcgen::serve::{AnyListener, Health, Tls, inherited_listeners};
use svcgen::{Context, Fallback, Fault, Secret, metrics::MetricsLayer, trace::TraceLayer};
use tower::filter::FilterLayer;
svcgen::include_service!("orders");
use orders::{OrderRequest, OrdersHandler, OrdersServer, PriceRequest};
struct Shop;
impl OrdersHandler for Shop {
    async fn price(&self, _: &Context, request: PriceRequest) -> Result<i32, Fault> {
        let is_teapot = request.article.as_deref() == Some("teapot");
        let price = is_teapot.then_some(1499);
        price.ok_or_else(|| Fault::client("There is no such article."))
    }
    async fn order(&self, _: &Context, request: OrderRequest) -> Result<i32, Fault> {
        Ok(request.count.saturating_mul(1499))
    }
}

/// Lets everybody call operations marked `safe`; all others, and what the original answers, need the token.
fn authorise(token: &Secret<String>, request: CallRequest) -> Result<CallRequest, Refusal> {
    let is_public = match request.target() {
        Target::Operation(operation) => operation.safe,
        Target::Refused => true,
        Target::Forwarded => false,
    };
    let given = request.headers().get(header::AUTHORIZATION);
    let given = given.and_then(|given| given.to_str().ok()?.strip_prefix("Bearer "));
    // Secrets are compared in constant time.
    if is_public || given.map(Secret::from).as_ref() == Some(token) {
        return Ok(request);
    }
    let challenge = HeaderValue::from_static("Bearer");
    Err(Refusal::new(StatusCode::UNAUTHORIZED).with_header(header::WWW_AUTHENTICATE, challenge))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt::init();
    let metrics = PrometheusBuilder::new().install_recorder()?;
    let metrics = axum::routing::get(async move || metrics.render());
    let token = Secret::from(var("TOKEN")?);
    let mut service = OrdersServer::new(Shop);
    // While the service moves to Rust, an existing server answers what is not here.
    if let Ok(original) = var("ORIGINAL") {
        service = service.with_fallback(Fallback::new(&original)?);
    }
    let service = service
        .with_layer(FilterLayer::new(move |call| authorise(&token, call)))
        .with_layer(MetricsLayer::new())
        .with_layer(TraceLayer::new());
    let routes = axum::Router::new().route("/metrics", metrics);
    let routes = routes.fallback_service(service);
    let mut listeners = inherited_listeners()?;
    if listeners.is_empty() {
        let listener = tokio::net::TcpListener::bind(var("ADDRESS")?).await?;
        println!("listening on {}", listener.local_addr()?);
        listeners.push(AnyListener::new(listener));
    }
    let mut server = svcgen::serve(listeners, routes).with_health(Health::new());
    if let Ok(certificates) = var("CERTIFICATES") {
        server = server.with_tls(Tls::from_pem_files(certificates, var("KEY")?)?);
    }
    println!("{}", server.with_shutdown(svcgen::stop_signal()?).await?);
    Ok(())
}
