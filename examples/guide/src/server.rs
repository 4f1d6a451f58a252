//! A handler with sessions and blocking work.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use svcgen::{Context, Fault};
use tokio::task::spawn_blocking;

use crate::basket::{AddRequest, BasketHandler};

/// The articles of each session. Several instances of a server share a store like this one.
#[derive(Debug, Default)]
pub struct Store(Mutex<HashMap<String, Vec<String>>>);

impl Store {
    /// Adds an article to the basket of a session; returns how many are in it.
    pub fn add(&self, session: &str, article: String) -> usize {
        let mut baskets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let basket = baskets.entry(session.to_owned()).or_default();
        basket.push(article);
        basket.len()
    }

    /// All articles in all baskets. It takes long.
    pub fn report(&self) -> String {
        let baskets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut articles: Vec<_> = baskets.values().flatten().cloned().collect();
        articles.sort_unstable();
        articles.join(", ")
    }
}

/// The handler; clones share the store.
#[derive(Debug, Clone, Default)]
pub struct Shop {
    /// The baskets of all callers.
    pub store: Arc<Store>,
}

impl BasketHandler for Shop {
    // ANCHOR: session
    async fn add(&self, context: &Context, request: AddRequest) -> Result<i32, Fault> {
        let session = context.session().expect("the definition says so");
        let article = request.article.unwrap_or_default();
        Ok(self.store.add(session.id(), article) as i32)
    }
    // ANCHOR_END: session

    // ANCHOR: blocking
    async fn report(&self, _: &Context) -> Result<Option<String>, Fault> {
        let store = Arc::clone(&self.store);
        let report = spawn_blocking(move || store.report()).await;
        let report = report.map_err(|_| Fault::server("There is no report now."))?;
        Ok(Some(report))
    }
    // ANCHOR_END: blocking
}
