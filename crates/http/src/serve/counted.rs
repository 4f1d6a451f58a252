//! Metrics of connections.

use metrics::{Unit, counter, describe_counter, describe_gauge, gauge};

const ACCEPTED: &str = "svcgen_serve_connections_total";
const OPEN: &str = "svcgen_serve_open_connections";
const REFUSED: &str = "svcgen_serve_refused_connections_total";
const FAILED: &str = "svcgen_serve_failed_handshakes_total";

/// Registers the descriptions of the metrics with the recorder.
pub(super) fn describe() {
    describe_counter!(ACCEPTED, Unit::Count, "Connections that were accepted");
    describe_gauge!(OPEN, Unit::Count, "Connections that are open");
    let refused = "Connections that were closed, as their address has too many";
    describe_counter!(REFUSED, Unit::Count, refused);
    let failed = "Connections that failed before a request, in the handshake of TLS";
    describe_counter!(FAILED, Unit::Count, failed);
}

/// Counts a connection that is closed at once.
pub(super) fn refused() {
    counter!(REFUSED).increment(1);
}

/// A connection that is counted as open until this is dropped.
pub(super) struct Counted(());

impl Counted {
    /// Counts an accepted connection.
    pub(super) fn accepted() -> Self {
        counter!(ACCEPTED).increment(1);
        gauge!(OPEN).increment(1.0);
        Self(())
    }

    /// Counts a failed handshake.
    #[expect(clippy::unused_self, reason = "of this connection")]
    pub(super) fn failed(&self) {
        counter!(FAILED).increment(1);
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        gauge!(OPEN).decrement(1.0);
    }
}
