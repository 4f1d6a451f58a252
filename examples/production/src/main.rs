//! A service with TLS, authorisation by operation, traces, metrics, health, inherited sockets and a graceful stop.
use metrics_exporter_prometheus::PrometheusBuilder;
use std::{env, error::Error, process};
use svcgen::http::{HeaderValue, StatusCode, header};
use svcgen::layer::{CallRequest, Refusal, Target};
use svcgen::serve::{AnyListener, Health, Tls, inherited_listeners};
use svcgen::{Context, Fault, HttpTransport, Secret};
use svcgen_observe::{metrics::MetricsLayer, trace::TraceLayer};
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

/// Lets everybody call operations marked `read_only`; all others, and requests to the original, need the token.
fn authorise(token: &Secret<String>, request: CallRequest) -> Result<CallRequest, Refusal> {
    let is_public = match request.target() {
        Target::Operation(operation) => operation.read_only,
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

/// Reads an environment variable. No message shows its value, which may be a secret.
fn var(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("set the variable {name}: it is missing, or is not UTF-8"))
}

#[tokio::main]
async fn main() {
    tracing_subscriber::fmt::init();
    if let Err(error) = run().await {
        eprintln!("error: {error}");
        process::exit(1);
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let metrics = PrometheusBuilder::new().install_recorder()?;
    let metrics = axum::routing::get(async move || metrics.render());
    let token = Secret::from(var("TOKEN")?);
    let mut service = OrdersServer::new(Shop);
    // While the service moves to Rust, the original answers the operations that are not implemented.
    if let Ok(original) = var("ORIGINAL") {
        service = service.with_fallback(HttpTransport::fallback(&original)?);
    }
    let service = service
        .with_layer(FilterLayer::new(move |call| authorise(&token, call)))
        .with_layer(MetricsLayer::new())
        .with_layer(TraceLayer::new());
    let routes = axum::Router::new().route("/metrics", metrics);
    let routes = routes.fallback_service(service);
    let mut listeners = inherited_listeners()?;
    if listeners.is_empty() {
        let address = var("ADDRESS")?;
        let listener = tokio::net::TcpListener::bind(&address).await;
        let listener = listener.map_err(|error| {
            format!("cannot listen on {address}: {error}; set ADDRESS to another HOST:PORT")
        })?;
        println!("listening on {}", listener.local_addr()?);
        listeners.push(AnyListener::new(listener));
    }
    let mut server = svcgen::serve(listeners, routes).with_health(Health::new());
    if env::var_os("CERTIFICATES").is_some() {
        let tls = Tls::from_pem_files(var("CERTIFICATES")?, var("KEY")?);
        server = server.with_tls(tls.map_err(|error| format!("CERTIFICATES and KEY: {error}"))?);
    }
    println!("{}", server.with_shutdown(svcgen::stop_signal()?).await?);
    Ok(())
}
