//! The selection of exchanges that are sent to the candidate.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use svcgen_messages::Service;
use svcgen_relay::{Exchange, Observe, Refusal, Share};

use super::metrics::Skipped;
use super::report::Report;
use super::rollback::is_answered;
use crate::queue::Queue;
use crate::record::kept::is_no_call;

/// Takes a share of the calls as samples, and counts the calls of moved callers.
pub(super) struct Sampler {
    pub service: Option<Service>,
    pub share: Share,
    pub samples: Arc<Queue<Box<Exchange>>>,
    pub report: Arc<Report>,
    /// The number of calls so far.
    pub calls: AtomicU64,
}

impl Observe for Sampler {
    fn exchange(&self, exchange: Exchange) {
        if is_no_call(self.service, &exchange.request) {
            return self.report.skipped(Skipped::NotACall);
        }
        if exchange.by_candidate {
            return self.report.moved(is_answered(&exchange.answer));
        }
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        if !self.share.takes(&number.to_be_bytes()) {
            return;
        }
        let (request, answer) = (&exchange.request, &exchange.answer);
        if !request.is_kept() || !answer.is_kept() {
            self.report.skipped(Skipped::TooLong);
        } else if !request.is_whole || !answer.is_whole {
            self.report.skipped(Skipped::Broken);
        } else {
            self.samples.push(exchange.size(), Box::new(exchange));
        }
    }

    fn refused(&self, _: SocketAddr, _: Refusal<'_>) {
        self.report.refused();
    }

    fn candidate_unreachable(&self, _: SocketAddr, _: &io::Error) {
        self.report.candidate_unreachable();
    }
}
