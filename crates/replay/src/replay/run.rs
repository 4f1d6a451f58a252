//! A run of recorded exchanges: several at once, in their order and at their rate.

use std::collections::{BTreeSet, VecDeque};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, Uri};
use memchr::memmem;
use svcgen::Transport;
use svcgen_testing::RecordedExchange;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::{Rate, Replay};
use crate::asked::Asked;
use crate::comparer::Comparer;
use crate::content::{Content, words};
use crate::decode::{MOST, readable_response};
use crate::fill::MaskedValues;
use crate::headers::MediaType;
use crate::recording::About;
use crate::report::{Outcome, Replayed};

/// Polls all futures concurrently until they are done.
pub(super) async fn all<F: Future<Output = ()>>(futures: &mut Vec<Pin<Box<F>>>) {
    poll_fn(|context| {
        futures.retain_mut(|one| one.as_mut().poll(context).is_pending());
        if futures.is_empty() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

/// An exchange that has not been sent yet.
pub(super) struct Waiting {
    pub(super) index: usize,
    pub(super) lane: String,
    pub(super) exchange: RecordedExchange,
    pub(super) about: About,
}

pub(super) struct State {
    pub(super) waiting: VecDeque<Waiting>,
    /// The lanes that wait for an answer: each keeps the order of its exchanges.
    pub(super) busy: BTreeSet<String>,
    pub(super) values: MaskedValues,
    pub(super) sent: u32,
    pub(super) replayed: Vec<Option<Replayed>>,
}

pub(super) struct Run<'r, T> {
    pub(super) replay: &'r Replay,
    pub(super) comparer: Comparer,
    pub(super) server: T,
    pub(super) started: Instant,
    pub(super) first: About,
    pub(super) freed: Notify,
    pub(super) state: Mutex<State>,
}

impl<T: Transport> Run<'_, T> {
    /// Locks the state. The lock is never held across an `await`.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn work(&self) {
        loop {
            let freed = self.freed.notified();
            let next = {
                let mut state = self.state();
                if state.waiting.is_empty() {
                    return;
                }
                let free = state
                    .waiting
                    .iter()
                    .position(|one| !state.busy.contains(&one.lane));
                let next = free.and_then(|free| state.waiting.remove(free));
                if let Some(next) = &next {
                    state.busy.insert(next.lane.clone());
                }
                next
            };
            let Some(next) = next else {
                freed.await;
                continue;
            };
            let replayed = self.exchange(&next).await;
            let mut state = self.state();
            state.busy.remove(&next.lane);
            state.replayed[next.index] = replayed;
            drop(state);
            self.freed.notify_waiters();
        }
    }

    /// Replays an exchange; `None` if its operation is not selected.
    async fn exchange(&self, next: &Waiting) -> Option<Replayed> {
        let mut replayed = Replayed::new(next.exchange.name());
        // Texts about files quote nothing from a message.
        let no_request = Request::default();
        let files = Content::new(self.comparer.service(), &no_request);
        let recorded = match next.exchange.request() {
            Ok(recorded) => recorded,
            Err(error) => {
                let why = files.text(&error.to_string());
                return self.replay.wants(None).then(|| replayed.unsent(why));
            }
        };
        let content = Content::new(self.comparer.service(), &recorded);
        let asked = self.comparer.asked(&recorded);
        let called = asked.called();
        if !self.replay.wants(called.map(|(operation, _)| operation)) {
            return None;
        }
        replayed.operation = called.map(|(operation, _)| operation.name().to_owned());
        replayed.binding = called.map(|(_, binding)| binding);
        replayed.call = content.asked(asked != Asked::NotACall);
        if asked == Asked::NotACall {
            replayed.outcome = Outcome::NotACall;
            return Some(replayed);
        }
        if next.about.is_cut_off() {
            let why = next
                .about
                .unread
                .as_deref()
                .unwrap_or("it was broken off, or is longer than was kept");
            let why = format!("the exchange was not recorded whole: {why}");
            return Some(replayed.unsent(files.text(&why)));
        }
        let expected = match next.exchange.response(recorded.method()) {
            Ok(expected) => expected,
            Err(error) => {
                let why = format!("no answer was recorded: {error}");
                return Some(replayed.unsent(files.text(&why)));
            }
        };
        self.pace(next).await;
        let scopes = next.about.scopes();
        let filled = self.state().values.fill(&recorded, &scopes, &content);
        let filled = match filled {
            Ok(filled) => filled,
            Err(why) => return Some(replayed.unsent(why)),
        };
        if filled.has_omitted && asked == Asked::UnknownCall && self.comparer.service().is_some() {
            let why = "it calls what the definition does not describe, and its values were left out when it was recorded";
            return Some(replayed.unsent(words(why)));
        }
        replayed.notes = filled.notes;
        if next.about.is_masked {
            replayed
                .notes
                .push("what was masked when it was recorded is not compared".to_owned());
            if memmem::find(recorded.body(), b">cid:").is_some() {
                replayed.notes.push("the request is sent without the attachments that it refers to, which were left out when it was recorded".to_owned());
            }
        }
        let request = self.addressed(filled.request);
        self.send(request, &expected, &next.about, &content, &mut replayed)
            .await;
        Some(replayed)
    }

    /// Sends a request, and compares the answer with the recorded one.
    async fn send(
        &self,
        request: Request<Bytes>,
        expected: &Response<Bytes>,
        about: &About,
        content: &Content<'_>,
        replayed: &mut Replayed,
    ) {
        let (began, scopes) = (Instant::now(), &about.scopes());
        match self.server.send(request.clone()).await {
            Ok(mut found) => {
                // A masked answer that could not be read is still a package.
                if about.is_masked && !MediaType::of(expected.headers()).is_package() {
                    found = readable_response(found, MOST);
                }
                let mut comparison = self.comparer.compare(&request, expected, &found);
                let mut state = self.state();
                state.values.learn(&comparison.learned, scopes);
                let secrets = state.values.secrets(scopes);
                drop(state);
                for one in &mut comparison.differences {
                    for told in [&mut one.expected, &mut one.found] {
                        // Replaced as a whole, because the length of a shortened text would reveal
                        // that of the secret.
                        *told = secrets.text(told).map(str::to_owned);
                    }
                }
                replayed.milliseconds = began.elapsed().as_secs_f64() * 1000.0;
                replayed.outcome = Outcome::Compared(comparison);
            }
            Err(error) => {
                let secrets = self.state().values.secrets(scopes);
                let why = content.text(&error.to_string());
                replayed.outcome = Outcome::Unanswered(secrets.text(&why).map(str::to_owned));
            }
        }
    }

    async fn pace(&self, next: &Waiting) {
        let number = {
            let mut state = self.state();
            state.sent += 1;
            state.sent - 1
        };
        let after = match self.replay.rate {
            None => return,
            Some(Rate::PerSecond(rate)) => {
                Duration::try_from_secs_f64(f64::from(number) / rate).unwrap_or_default()
            }
            Some(Rate::Recorded) => next.about.after(&self.first).unwrap_or_default(),
        };
        sleep_until(self.started + after).await;
    }

    /// Returns the request with the URL of the server.
    fn addressed(&self, mut request: Request<Bytes>) -> Request<Bytes> {
        let Some(url) = &self.replay.url else {
            return request;
        };
        let mut parts = std::mem::take(request.uri_mut()).into_parts();
        parts.scheme = url.scheme().cloned();
        parts.authority = url.authority().cloned();
        // Without a URL, the request line has a path without a host.
        *request.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
        request
    }
}
