//! Malformed answers on the wire, with every transport: each is a clear error in bounded time,
//! nothing stays open, and a connection with such an answer is not reused.

mod answers;
mod server;

use std::sync::Arc;
use std::time::Duration;

use svcgen::http_transport::Tls;
use svcgen::{Binding, CallError, HttpTransport, Transport};
use svcgen_http::ReqwestTransport;
use svcgen_http::reqwest::{self, redirect::Policy};
use svcgen_tests::authenticator::{AuthenticatorClient, LoginRequest};
use svcgen_tests::few_or_all;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::certificates::Issuer;
use answers::{Answer, Expected, answers};
use server::Server;

/// The timeout of calls whose answer never ends.
const SHORT: Duration = Duration::from_millis(400);
/// The timeout of other calls, even on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// The limit of bodies, in bytes.
const LIMIT: usize = 100_000;

async fn login<T: Transport>(transport: T, url: &str) -> Result<bool, CallError> {
    let client = AuthenticatorClient::new(transport, url).expect("a URL");
    let request = LoginRequest {
        username: Some("alice".to_owned()),
        password: Some("hunter2".into()),
    };
    client.with_binding(Binding::HttpGet).login(&request).await
}

/// Returns the description of a wrong result, if it is wrong.
fn check(answer: &Answer, expected: Expected, got: &Result<bool, CallError>) -> Option<String> {
    let what = &answer.what;
    let found = match got {
        Ok(value) => {
            return (expected != Expected::Answered || !value).then(|| format!("{what}: {value}"));
        }
        Err(error) => error,
    };
    let text = found.to_string();
    let is_expected = match (expected, found) {
        (Expected::Transport(kind), CallError::Transport(error)) => error.kind() == kind,
        (Expected::Status(expected), CallError::Status { status, .. }) => *status == expected,
        (Expected::Kind(kind), error) => error.kind() == kind,
        _ => false,
    };
    let is_clear = text.len() < 1_500
        && !text.contains(|c: char| c.is_control())
        // The text contains neither the secret nor the URL with it.
        && !text.contains("hunter2");
    (!is_expected || !is_clear).then(|| format!("{what}: {expected:?}, but {found:?}: {text}"))
}

/// Gets every answer, or one of three from the first one on, each over a separate transport,
/// followed by a good call over the same transport. Each transport comes twice, with the same
/// connections: with a short and with a long timeout.
async fn face<T, F>(
    first: Option<usize>,
    tls: Option<TlsAcceptor>,
    which: fn(&Answer) -> Expected,
    transports: F,
) where
    T: Transport + Send + Sync + 'static,
    F: Fn(&Answer) -> [T; 2],
{
    let answers = answers();
    assert!(answers.len() >= 120, "{}", answers.len());
    let (first, step) = few_or_all(first.map_or((0, 1), |first| (first, 3)), (0, 1));
    let answers: Arc<[Answer]> = answers.into_iter().skip(first).step_by(step).collect();
    let server = Server::start(Arc::clone(&answers), tls).await;
    // Handshakes are slow, above all in debug builds.
    let places = Arc::new(Semaphore::new(16));
    let mut calls = JoinSet::new();
    for (case, answer) in answers.iter().enumerate() {
        let [hasty, patient] = transports(answer);
        let (bad, good) = (server.url(case), server.url_of_good());
        let answers = Arc::clone(&answers);
        let places = Arc::clone(&places);
        calls.spawn(async move {
            let _place = places.acquire().await;
            let answer = &answers[case];
            let expected = which(answer);
            let got = if expected.is_timeout() {
                login(&hasty, &bad).await
            } else {
                login(&patient, &bad).await
            };
            let wrong = check(answer, expected, &got);
            let after = login(&patient, &good).await;
            let poisoned = !matches!(after, Ok(true));
            wrong.or_else(|| poisoned.then(|| format!("{}: then {after:?}", answer.what)))
        });
    }
    let mut wrong: Vec<_> = calls.join_all().await.into_iter().flatten().collect();
    wrong.sort();
    let all = answers.len();
    assert!(
        wrong.is_empty(),
        "{} of {all}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // The transports are dropped, with all their tasks: only the accepting task of the server is
    // left.
    timeout(LONG, async {
        server.all_closed().await;
        while Handle::current().metrics().num_alive_tasks() > 1 {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("nothing is left open");
}

fn http(answer: &Answer) -> HttpTransport {
    let transport = HttpTransport::new().with_body_limit(LIMIT);
    transport.with_gzip(answer.wants_gzip)
}

fn twice(transport: HttpTransport) -> [HttpTransport; 2] {
    [
        transport.clone().with_timeout(SHORT),
        transport.with_timeout(LONG),
    ]
}

#[tokio::test]
async fn over_http() {
    face(
        None,
        None,
        |answer| answer.plain,
        |answer| twice(http(answer)),
    )
    .await;
}

#[tokio::test]
async fn over_https() {
    let issuer = Issuer::new();
    let tls = Tls::new().without_system_roots().with_roots(issuer.root());
    let tls = tls.expect("a root");
    let acceptor = issuer.issue(&["localhost"]).acceptor(None);
    let transports = |answer: &Answer| twice(http(answer).with_tls(tls.clone()));
    face(Some(1), Some(acceptor), |answer| answer.tls, transports).await;
}

#[tokio::test]
async fn over_reqwest() {
    let transports = |_: &Answer| {
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy();
        let transport = ReqwestTransport::new(client.build().expect("a client"));
        let transport = transport.with_body_limit(LIMIT);
        [
            transport.clone().with_timeout(SHORT),
            transport.with_timeout(LONG),
        ]
    };
    face(Some(2), None, |answer| answer.reqwest, transports).await;
}
