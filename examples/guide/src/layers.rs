//! A server with layers of tower.

// ANCHOR: layers
use std::time::Duration;

use svcgen::http::StatusCode;
use svcgen::layer::{CallRequest, CallResponse, Refusal};
use svcgen::{Fault, User};
use tower::load_shed::error::Overloaded;
use tower::timeout::error::Elapsed;
use tower::util::MapRequestLayer;
use tower::{BoxError, ServiceBuilder};

use crate::basket::{BasketHandler, BasketServer};

/// Converts the error of a layer that gives up a call to a refusal for the caller.
fn to_refusal(error: BoxError) -> BoxError {
    if error.is::<Elapsed>() {
        Refusal::from(Fault::server("The service takes too long.")).into()
    } else if error.is::<Overloaded>() {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS).into()
    } else {
        error
    }
}

/// Bounds the time of calls, and how many run at once.
pub fn bounded<H: BasketHandler>(handler: H, time: Duration) -> BasketServer<H> {
    let layers = ServiceBuilder::new()
        .map_result(|result: Result<CallResponse, BoxError>| result.map_err(to_refusal))
        .load_shed()
        .concurrency_limit(100)
        .timeout(time);
    BasketServer::new(handler).with_layer(layers)
}
// ANCHOR_END: layers

// ANCHOR: user
/// Reads the user from a header of the proxy in front. Callers must reach the server through the proxy alone.
pub fn behind_proxy<H: BasketHandler>(handler: H) -> BasketServer<H> {
    let named = MapRequestLayer::new(|mut call: CallRequest| {
        let name = call.headers().get("X-User");
        if let Some(user) = name.and_then(|name| Some(User::new(name.to_str().ok()?))) {
            call.extensions_mut().insert(user);
        }
        call
    });
    BasketServer::new(handler).with_layer(named)
}
// ANCHOR_END: user

#[cfg(test)]
mod tests {
    use svcgen::Context;

    use super::*;
    use crate::basket::{AddRequest, BasketClient};

    struct Slow;

    impl BasketHandler for Slow {
        async fn add(&self, _: &Context, _: AddRequest) -> Result<i32, Fault> {
            std::future::pending().await
        }

        async fn report(&self, _: &Context) -> Result<Option<String>, Fault> {
            Ok(Some("none".to_owned()))
        }
    }

    /// Returns the name of the caller.
    struct Named;

    impl BasketHandler for Named {
        async fn add(&self, _: &Context, _: AddRequest) -> Result<i32, Fault> {
            Ok(0)
        }

        async fn report(&self, context: &Context) -> Result<Option<String>, Fault> {
            Ok(context.user().map(str::to_owned))
        }
    }

    #[tokio::test]
    async fn the_proxy_names_the_user() {
        let client = BasketClient::new(behind_proxy(Named), "http://localhost").unwrap();
        assert_eq!(client.report().await.unwrap(), None);
        let report = client.report().with_header("X-User", r"SHOP\ann").await;
        assert_eq!(report.unwrap().as_deref(), Some(r"SHOP\ann"));
    }

    #[tokio::test]
    async fn a_slow_call_is_given_up() {
        let server = bounded(Slow, Duration::from_millis(10));
        let client = BasketClient::new(server, "http://localhost").unwrap();
        let error = client.add(&AddRequest::default()).await.unwrap_err();
        assert!(error.to_string().contains("takes too long"), "{error}");
        let report = client.report().await.unwrap();
        assert_eq!(report.as_deref(), Some("none"));
    }
}
