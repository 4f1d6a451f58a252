//! Which exchanges the candidate is asked.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use svcgen_relay::{Exchange, Observe, Share};

use super::back::is_answered;
use super::report::{Report, Skipped};
use crate::relaying::Queue;

/// Takes a share of the exchanges, and counts those of callers that were moved.
pub(super) struct Sampler {
    share: Share,
    samples: Arc<Queue<Box<Exchange>>>,
    report: Arc<Report>,
    seen: AtomicU64,
}

impl Sampler {
    pub fn new(share: Share, samples: Arc<Queue<Box<Exchange>>>, report: Arc<Report>) -> Self {
        Self {
            share,
            samples,
            report,
            seen: AtomicU64::new(0),
        }
    }
}

impl Observe for Sampler {
    fn exchange(&self, exchange: Exchange) {
        if exchange.by_candidate {
            return self.report.moved(is_answered(&exchange.answer));
        }
        let number = self.seen.fetch_add(1, Ordering::Relaxed);
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

    fn fell_back(&self, _: SocketAddr, _: &io::Error) {
        self.report.fell_back();
    }
}
