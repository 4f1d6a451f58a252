//! Metrics of the calls of a server.

use tower_layer::Layer;

use super::calls::{Metrics, SERVER};
use crate::watch::Watched;

/// A layer that counts and times calls in the [metrics](super) of the server. As the outermost
/// layer, it also counts refusals of other layers.
#[derive(Debug, Clone)]
pub struct MetricsLayer(());

impl MetricsLayer {
    /// Creates the layer, and registers the descriptions of the metrics with the installed
    /// recorder.
    #[expect(clippy::new_without_default, reason = "it has an effect")]
    pub fn new() -> Self {
        SERVER.describe();
        Self(())
    }
}

impl<S> Layer<S> for MetricsLayer {
    type Service = MeasuredCalls<S>;

    fn layer(&self, inner: S) -> MeasuredCalls<S> {
        let watcher = Metrics(&SERVER);
        Watched { inner, watcher }
    }
}

/// The service of a [`MetricsLayer`].
pub type MeasuredCalls<S> = Watched<S, Metrics>;
