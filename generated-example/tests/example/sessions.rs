//! The states of sessions, in the database and in memory alike.

use std::sync::Arc;
use std::time::Duration;

use generated_example::passwords::hex;
use generated_example::sessions::Sessions;
use svcgen::{MemorySessions, SessionStore};
use tokio::task::JoinSet;

use crate::running::Running;

const LONG: Duration = Duration::from_secs(1200);
const ID: &str = "abcdefghijklmnopqrst0123";

#[tokio::test]
async fn a_state_is_replaced_by_who_knows_it() {
    let running = Running::start().await;
    replaced(&MemorySessions::new()).await;
    replaced(&Sessions::new(running.store.clone(), LONG)).await;
}

async fn replaced(store: &impl SessionStore) {
    let replace = async |old, new| store.replace(ID, old, new).await.unwrap();
    assert!(replace(None, None).await);
    assert!(!replace(Some("1"), Some("2")).await);
    assert!(replace(None, Some("1")).await);
    assert!(!replace(None, Some("2")).await);
    assert!(!replace(None, None).await);
    assert!(replace(Some("1"), Some("h\u{e9} 'a'")).await);
    assert_eq!(
        store.load(ID).await.unwrap().as_deref(),
        Some("h\u{e9} 'a'")
    );
    assert_eq!(store.load("abcdefghijklmnopqrst0124").await.unwrap(), None);
    assert!(!replace(Some("1"), None).await);
    assert!(replace(Some("h\u{e9} 'a'"), None).await);
    assert_eq!(store.load(ID).await.unwrap(), None);
}

#[tokio::test]
async fn instances_share_sessions_and_their_ids_are_not_in_the_database() {
    let first = Running::start().await;
    let second = first.another().await;
    let sessions = |running: &Running| Sessions::new(running.store.clone(), LONG);
    assert!(sessions(&first).replace(ID, None, Some("1")).await.unwrap());
    assert_eq!(
        sessions(&second).load(ID).await.unwrap().as_deref(),
        Some("1")
    );
    assert!(
        sessions(&second)
            .replace(ID, Some("1"), Some("2"))
            .await
            .unwrap()
    );
    assert_eq!(
        sessions(&first).load(ID).await.unwrap().as_deref(),
        Some("2")
    );
    assert_eq!(first.number("SELECT count(*) FROM sessions").await, 1);
    let digits = hex(ID.as_bytes());
    let bytes = match first.database.folder() {
        Some(_) => format!("x'{digits}'"),
        None => format!("'\\x{digits}'::bytea"),
    };
    let kept = format!("SELECT count(*) FROM sessions WHERE fingerprint = {bytes}");
    assert_eq!(first.number(&kept).await, 0);
}

#[tokio::test]
async fn a_session_that_is_over_is_gone_and_its_row_with_the_next_change() {
    let running = Running::start().await;
    let sessions = Sessions::new(running.store.clone(), LONG);
    for id in [ID, "abcdefghijklmnopqrst0124"] {
        assert!(sessions.replace(id, None, Some("1")).await.unwrap());
    }
    running
        .execute("UPDATE sessions SET ends_at = ends_at - 1200")
        .await;
    assert_eq!(sessions.load(ID).await.unwrap(), None);
    assert!(!sessions.replace(ID, Some("1"), Some("2")).await.unwrap());
    assert!(sessions.replace(ID, None, Some("3")).await.unwrap());
    assert_eq!(running.number("SELECT count(*) FROM sessions").await, 1);
    // Each call makes it last longer.
    running
        .execute("UPDATE sessions SET ends_at = ends_at - 1000")
        .await;
    assert_eq!(sessions.load(ID).await.unwrap().as_deref(), Some("3"));
    running
        .execute("UPDATE sessions SET ends_at = ends_at - 1000")
        .await;
    assert_eq!(sessions.load(ID).await.unwrap().as_deref(), Some("3"));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_changes_at_once_none_is_lost() {
    let first = Running::start().await;
    let second = first.another().await;
    let stores = [&first, &second].map(|running| Sessions::new(running.store.clone(), LONG));
    let stores = Arc::new(stores);
    let mut changes = JoinSet::new();
    for number in 0..20 {
        let stores = stores.clone();
        changes.spawn(async move {
            let store = &stores[number % 2];
            loop {
                let old = store.load(ID).await.unwrap();
                let count: i32 = old.as_deref().map_or(0, |old| old.parse().unwrap());
                let new = (count + 1).to_string();
                if store.replace(ID, old.as_deref(), Some(&new)).await.unwrap() {
                    return;
                }
            }
        });
    }
    changes.join_all().await;
    assert_eq!(stores[0].load(ID).await.unwrap().as_deref(), Some("20"));
}
