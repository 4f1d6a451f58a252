//! The calls of a page.

use std::time::Duration;

use svcgen::transport::BoxTransport;
use svcgen::{Binding, CallError, FetchTransport};
use wasm_bindgen::prelude::wasm_bindgen;

svcgen::include_service!("authenticator");
use authenticator::{AuthenticatorClient, LoginRequest};

fn request(password: &str) -> LoginRequest {
    LoginRequest {
        username: Some("alice".to_owned()),
        password: Some(password.into()),
    }
}

/// Returns the result as text; for an error, its kind and its text.
fn told(result: Result<bool, CallError>) -> String {
    match result {
        Ok(accepted) => accepted.to_string(),
        Err(error) => format!("{:?}: {error}", error.kind()),
    }
}

/// Logs in through the default transport. Also returns the status and the media type of the answer.
#[wasm_bindgen]
pub async fn login(url: String, binding: String, password: String) -> String {
    let binding = Binding::DEFAULT
        .into_iter()
        .find(|one| one.to_string() == binding);
    let client = AuthenticatorClient::connect(&url).expect("a URL");
    let client = client.with_binding(binding.expect("a binding"));
    let call = client.login(&request(&password)).with_header("X-Page", "1");
    let answered = call.answered().await;
    let status = answered.status.map_or(0, |status| status.as_u16());
    let media_type = answered.headers.get("content-type");
    let media_type = media_type.and_then(|value| value.to_str().ok());
    format!(
        "{}, {status}, {}",
        told(answered.result),
        media_type.unwrap_or("-")
    )
}

/// Logs in with limits of the time and of the bytes of the answer.
#[wasm_bindgen]
pub async fn bounded_login(url: String, milliseconds: u32, bytes: usize, of_call: bool) -> String {
    let time = Duration::from_millis(milliseconds.into());
    let transport = FetchTransport::new().with_body_limit(bytes);
    let transport = if of_call {
        transport
    } else {
        transport.clone().with_timeout(time)
    };
    let client = AuthenticatorClient::new(BoxTransport::new(transport), &url).expect("a URL");
    let call = client.login(&request("secret"));
    told(if of_call {
        call.with_timeout(time).await
    } else {
        call.await
    })
}

/// Begins a login and drops it.
#[wasm_bindgen]
pub async fn dropped_login(url: String) {
    let client = AuthenticatorClient::connect(&url).expect("a URL");
    let mut call = client.login(&request("secret"));
    std::future::poll_fn(|context| {
        let _ = std::pin::Pin::new(&mut call).poll(context);
        std::task::Poll::Ready(())
    })
    .await;
}
