//! The health of an application: whether it runs, and whether it is ready.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::header::CACHE_CONTROL;
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use svcgen_core::internals::{not_allowed, refused};

/// The time for which the result of checks is reused, because anybody may send requests for it.
const KEPT: Duration = Duration::from_secs(1);

/// The health of an application. `GET /livez` succeeds while it runs; `GET /readyz` returns 200 if
/// it can take calls, or else 503 with a line that contains the reason. Clones share their state:
/// give one to [`Serve::with_health`](super::Serve::with_health), and keep one.
///
/// An application is ready unless [`set_ready`](Self::set_ready) was called with `false`, a check
/// fails, or the server stops.
///
/// ```no_run
/// use svcgen::serve::Health;
///
/// # struct Pool;
/// # impl Pool { async fn answers(&self) -> bool { true } }
/// # async fn example(listener: tokio::net::TcpListener, router: svcgen::Router, pool: std::sync::Arc<Pool>) -> std::io::Result<()> {
/// let health = Health::new().with_check("database", move || {
///     let pool = pool.clone();
///     async move { pool.answers().await }
/// });
/// svcgen::serve(listener, router).with_health(health).await?;
/// # Ok(())
/// # }
/// ```
///
/// To serve the health elsewhere, such as on another port or next to other routes, use the
/// responses of [`live`](Self::live) and [`ready`](Self::ready).
#[derive(Clone)]
pub struct Health {
    live_path: Arc<str>,
    ready_path: Arc<str>,
    checks: Arc<[Check]>,
    check_timeout: Duration,
    state: Arc<State>,
}

#[derive(Clone)]
struct Check {
    name: Arc<str>,
    run: Arc<dyn Fn() -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync>,
}

struct State {
    is_ready: AtomicBool,
    is_stopping: AtomicBool,
    /// The names of the failed checks, and the time of the checks.
    failed: Mutex<Option<(Instant, Vec<Arc<str>>)>>,
}

/// A request for the health.
pub(super) enum Probe {
    Live,
    Ready,
    WrongMethod,
}

impl Default for Health {
    fn default() -> Self {
        Self::new()
    }
}

impl Health {
    /// Creates a ready application without checks.
    pub fn new() -> Self {
        Self {
            live_path: "/livez".into(),
            ready_path: "/readyz".into(),
            checks: Arc::new([]),
            check_timeout: Duration::from_secs(2),
            state: Arc::new(State {
                is_ready: AtomicBool::new(true),
                is_stopping: AtomicBool::new(false),
                failed: Mutex::new(None),
            }),
        }
    }

    /// Sets the paths at which [`Serve::with_health`](super::Serve::with_health) answers, before
    /// the service does.
    #[must_use]
    pub fn with_paths(mut self, live: &str, ready: &str) -> Self {
        (self.live_path, self.ready_path) = (live.into(), ready.into());
        self
    }

    /// Adds a check. The application is ready only if the check returns `true` in time. All checks
    /// run concurrently, at most once a second. The answer names the checks that fail; a check that
    /// panics fails.
    ///
    /// Earlier clones do not have the check.
    #[must_use]
    pub fn with_check<F, O>(mut self, name: &str, check: F) -> Self
    where
        F: Fn() -> O + Send + Sync + 'static,
        O: Future<Output = bool> + Send + 'static,
    {
        let check = Check {
            name: name.into(),
            run: Arc::new(move || Box::pin(check())),
        };
        self.checks = self.checks.iter().cloned().chain([check]).collect();
        self
    }

    /// Limits the time of each check. By default, 2 seconds.
    #[must_use]
    pub fn with_check_timeout(mut self, time: Duration) -> Self {
        self.check_timeout = time;
        self
    }

    /// Sets whether the application can take calls, for example `false` until its caches are
    /// filled.
    pub fn set_ready(&self, is_ready: bool) {
        self.state.is_ready.store(is_ready, Ordering::Relaxed);
    }

    /// Marks the application as stopping, so that it is no longer ready.
    pub(super) fn stop(&self) {
        self.state.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Returns the response of `/livez`.
    pub fn live(&self) -> Response<Full<Bytes>> {
        answer(StatusCode::OK, "live")
    }

    /// Returns the response of `/readyz`. It needs tokio if there are checks.
    pub async fn ready(&self) -> Response<Full<Bytes>> {
        let why = if self.state.is_stopping.load(Ordering::Relaxed) {
            "it stops".to_owned()
        } else if !self.state.is_ready.load(Ordering::Relaxed) {
            "the application says so".to_owned()
        } else {
            let failed = self.failed().await;
            if failed.is_empty() {
                return answer(StatusCode::OK, "ready");
            }
            format!("these checks fail: {}", failed.join(", "))
        };
        answer(
            StatusCode::SERVICE_UNAVAILABLE,
            &format!("not ready: {why}"),
        )
    }

    /// Returns the names of the checks that fail.
    async fn failed(&self) -> Vec<Arc<str>> {
        if self.checks.is_empty() {
            return Vec::new();
        }
        let mut kept = self.state.failed.lock().await;
        if let Some((when, failed)) = &*kept
            && when.elapsed() < KEPT
        {
            return failed.clone();
        }
        let started = self.checks.iter().map(|check| {
            let run = Arc::clone(&check.run);
            let time = self.check_timeout;
            let running = tokio::spawn(async move { timeout(time, run()).await });
            (Arc::clone(&check.name), running)
        });
        let started: Vec<_> = started.collect();
        let mut failed = Vec::new();
        for (name, running) in started {
            if !matches!(running.await, Ok(Ok(true))) {
                failed.push(name);
            }
        }
        *kept = Some((Instant::now(), failed.clone()));
        failed
    }

    /// Returns the kind of a request for the health; `None` for other requests.
    pub(super) fn probe<B>(&self, request: &Request<B>) -> Option<Probe> {
        let path = request.uri().path();
        let probe = if path == &*self.live_path {
            Probe::Live
        } else if path == &*self.ready_path {
            Probe::Ready
        } else {
            return None;
        };
        let is_read = [Method::GET, Method::HEAD].contains(request.method());
        Some(if is_read { probe } else { Probe::WrongMethod })
    }

    pub(super) async fn answer(&self, probe: Probe) -> Response<Full<Bytes>> {
        match probe {
            Probe::Live => self.live(),
            Probe::Ready => self.ready().await,
            Probe::WrongMethod => not_allowed("GET, HEAD").map(Full::new),
        }
    }
}

fn answer(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    let mut answer = refused(status, text).map(Full::new);
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

impl fmt::Debug for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Health").finish_non_exhaustive()
    }
}
