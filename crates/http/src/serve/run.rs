//! A server from its first connection to its end.

use std::error::Error;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use tokio::time::{Instant, sleep, timeout};
use tower_service::Service;

use super::addresses::Limited;
use super::connection::{self, Connection};
use super::counted::{self, Counted};
#[cfg(feature = "http2")]
use super::http2;
use super::listener::Listener;
use super::request_body::RequestBody;
use super::settings::Settings;
use super::stage::{Abort, Stages};
use super::stopped::Stopped;
use super::unless::unless;
use svcgen_core::internals::{ConnectionGrants, Detach, Quota};

/// The time limit for aborted work to end. Only work that blocks its thread takes that long.
const ABORTED: Duration = Duration::from_secs(1);

/// Serves until the shutdown signal, and then until all connections and calls have ended or are
/// aborted.
pub(super) async fn run<L, V, B>(
    listener: L,
    service: V,
    mut shutdown: Pin<Box<dyn Future<Output = Abort> + Send>>,
    settings: Settings,
) -> io::Result<Stopped>
where
    L: Listener,
    V: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
    V::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let (opening, times) = (settings.opening(), settings.times);
    let (connections, of_address) = (
        settings.max_connections,
        settings.max_connections_per_address,
    );
    let mut listener = Limited::new(listener, connections, of_address);
    let calls = Arc::new(Quota::new(settings.max_calls));
    let bodies = Arc::new(Quota::new(settings.max_body_memory));
    let stages = Stages::new();
    let detach = detach(&stages);
    let (watched, health) = (stages.watched(), settings.health.clone());
    counted::describe();
    // This future never ends by itself.
    let mut serving = Box::pin(async move {
        loop {
            let Ok((stream, address, admission)) = listener.accept().await else {
                counted::refused();
                continue;
            };
            let grants =
                ConnectionGrants::new(Arc::clone(&calls), Arc::clone(&bodies), Arc::clone(&detach));
            let (opening, service) = (opening.clone(), service.clone());
            let health = health.clone();
            let stages = watched.clone();
            let mut end = stages.end();
            tokio::spawn(async move {
                let counted = Counted::accepted();
                let opened = opening.open(stream, address);
                let opened = match unless(opened, pin!(end.finishing())).await {
                    Ok(Some(opened)) => opened,
                    Ok(None) => return counted.failed(),
                    Err(_) => return,
                };
                let connection = Connection {
                    opened,
                    is_broken: L::is_broken,
                    times,
                    health,
                    grants: Arc::new(grants),
                    end,
                    admission,
                };
                if connection.opened.is_http2 {
                    #[cfg(feature = "http2")]
                    return http2::serve(connection, service, stages).await;
                }
                connection::serve(connection, service).await;
            });
        }
    });
    #[cfg(feature = "systemd")]
    super::systemd::notify_ready();
    let abort = match unless(serving.as_mut(), shutdown.as_mut()).await {
        Ok(never) => never,
        Err(abort) => abort,
    };
    Ok(stop(serving, abort, &stages, &settings).await)
}

/// Waits until all connections and calls have ended or are aborted.
async fn stop(
    mut serving: Pin<Box<impl Future>>,
    mut abort: Abort,
    stages: &Stages,
    settings: &Settings,
) -> Stopped {
    let signalled = Instant::now();
    #[cfg(feature = "systemd")]
    super::systemd::notify_stopping();
    if let Some(health) = &settings.health {
        health.stop();
    }
    let drain = async {
        let drained = pin!(sleep(settings.drain_time));
        let _ = unless(serving.as_mut(), drained).await;
        stages.finish();
        // This also drops the listener.
        drop(serving);
        timeout(settings.shutdown_timeout, stages.all_ended()).await
    };
    if !matches!(unless(drain, abort.0.as_mut()).await, Ok(Ok(()))) {
        stages.finish();
        stages.abort();
        let _ = timeout(ABORTED, stages.all_ended()).await;
    }
    stages.report(signalled.elapsed())
}

/// Returns a function that runs already answered calls to their end, unless the server aborts them.
fn detach(stages: &Stages) -> Arc<Detach> {
    let stages = stages.watched();
    Arc::new(move |call| {
        let end = stages.end();
        // Otherwise, the answer of the call is counted.
        let counts = !end.is_finishing();
        tokio::spawn(end.run(call, counts));
    })
}
