//! A handler with sessions and blocking work.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use svcgen::authentication::{Authentication, Basic, Login};
use svcgen::{Context, Fault, MemorySessions, SessionStore};
use tokio::task::spawn_blocking;

use crate::basket::{AddRequest, BasketHandler, BasketServer};

/// All articles that were added to baskets.
#[derive(Debug, Default)]
pub struct Store(Mutex<Vec<String>>);

impl Store {
    /// Adds an article.
    pub fn add(&self, article: String) {
        let mut articles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        articles.push(article);
    }

    /// Returns the articles in order. This takes long.
    pub fn report(&self) -> String {
        let articles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut articles = articles.clone();
        articles.sort_unstable();
        articles.join(", ")
    }
}

/// The handler; clones share both stores.
#[derive(Debug, Clone, Default)]
pub struct Shop {
    /// The baskets of all callers, with an article on each line.
    pub baskets: Arc<MemorySessions>,
    /// The articles of all baskets.
    pub store: Arc<Store>,
}

// ANCHOR: basic
/// Makes a server that asks callers to log in.
pub fn with_logins(shop: Shop, passwords: HashMap<String, String>) -> BasketServer<Shop> {
    let basic = Basic::new("Shop", move |login: &Login| {
        login.matches(passwords.get(login.user()).map(String::as_str))
    });
    BasketServer::new(shop).with_authentication(Authentication::new(basic))
}
// ANCHOR_END: basic

impl BasketHandler for Shop {
    // ANCHOR: session
    async fn add(&self, context: &Context, request: AddRequest) -> Result<i32, Fault> {
        let session = context.session().expect("the definition says so");
        let article = request.article.unwrap_or_default();
        self.store.add(article.clone());
        let add = |basket: &mut Option<String>| {
            let lines = basket.get_or_insert_default();
            lines.push_str(&article);
            lines.push('\n');
            lines.lines().count() as i32
        };
        self.baskets.update(session, add).await
    }
    // ANCHOR_END: session

    // ANCHOR: blocking
    async fn report(&self, _: &Context) -> Result<Option<String>, Fault> {
        let store = Arc::clone(&self.store);
        // If this fails, the log gets the error, and the caller only learns that there was one.
        let report = spawn_blocking(move || store.report()).await?;
        Ok(Some(report))
    }
    // ANCHOR_END: blocking
}
