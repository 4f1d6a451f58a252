//! Servers and clients at work: sockets, documents, the help page, and what hostile peers send.

/// Serves on the loopback address with these settings.
macro_rules! running {
    ($service:expr $(, $setting:ident($value:expr))*) => {{
        svcgen_tests::raw_http::Running::with($service, move |serve| serve$(.$setting($value))*)
    }};
}

/// Sends a signal to a process.
#[cfg(unix)]
fn kill(signal: &str, id: u32) {
    // A builtin of the shell; the program is not on every machine.
    let kill = ["-c", r#"kill "$0" "$1""#, signal, &id.to_string()];
    let killed = std::process::Command::new("sh").args(kill).status();
    assert!(killed.expect("a shell").success());
}

/// Adds no layer, for the tests of calls.
fn around<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
    server
}

/// The same tests with a layer that is not ready at once.
#[path = "."]
mod under_a_layer {
    use std::convert::Infallible;

    use svcgen::layer::{CallRequest, CallService};
    use tower::{Service, layer::layer_fn, service_fn};

    #[allow(clippy::duplicate_mod, reason = "it is another test with this layer")]
    mod calls;

    pub(crate) fn around<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
        server.with_layer(layer_fn(|inner: CallService| {
            service_fn(move |request: CallRequest| {
                let mut inner = inner.clone();
                async move {
                    tokio::task::yield_now().await;
                    let Ok(response) = inner.call(request).await;
                    tokio::task::yield_now().await;
                    Ok::<_, Infallible>(response)
                }
            })
        }))
    }
}

mod accepted;
mod attachments;
mod authentication;
mod blocking;
mod call_errors;
mod calls;
mod certificates;
mod client_calls;
mod client_layers;
mod client_requests;
mod connections;
mod credentials;
mod described;
mod documents;
mod failing_services;
mod fallback;
mod fixture_programs;
mod framing;
mod gzip;
mod help_page;
mod hostile;
mod hostile_answers;
mod hostile_server;
mod http2;
mod https;
mod layers;
#[cfg(unix)]
mod listeners;
mod many_connections;
mod mask;
mod measures;
mod message_logs;
mod mounting;
mod no_secrets;
mod openapi;
mod planted;
mod proxies;
mod redirects;
mod references;
mod replayed;
mod response_heads;
mod scripted;
mod scripts;
mod serving;
mod signatures;
mod simulated;
mod stopping;
mod times;
mod tls;
mod traces;
mod worker;
mod ws_addressing;
mod ws_security;
mod wsdl;
