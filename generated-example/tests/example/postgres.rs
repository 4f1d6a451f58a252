//! What files have not.

use std::time::Duration;

use generated_example::services::authenticator::ErrorCode;
use generated_example::store::{Database, Store};
use svcgen::Binding;
use tokio::task::JoinSet;

use crate::database::{TestDatabase, VARIABLE};
use crate::running::{OPTIONS, Running};

/// The server, and whether its absence has been said.
fn server() -> Option<String> {
    let server = std::env::var(VARIABLE).ok();
    if server.is_none() {
        eprintln!("skipped: {VARIABLE} names no server");
    }
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn transactions_that_conflict_are_tried_again() {
    if server().is_none() {
        return;
    }
    // At this level the server gives up all but one of the transactions that change an account at
    // once.
    let level = "&options[default_transaction_isolation]=serializable";
    let running = Running::on(TestDatabase::with(level).await, OPTIONS).await;
    let running = std::sync::Arc::new(running);
    let mut guesses = JoinSet::new();
    for guess in 0..20 {
        let running = running.clone();
        guesses.spawn(async move {
            running
                .check(Binding::Soap11, "alice", &format!("guess {guess}"))
                .await
        });
    }
    let codes = guesses.join_all().await;
    let count = |code| codes.iter().filter(|found| **found == code).count();
    assert_eq!(
        (
            count(ErrorCode::InvalidPassword),
            count(ErrorCode::LockedAccount)
        ),
        (5, 15)
    );
}

#[tokio::test]
async fn a_lost_connection_is_replaced() {
    if server().is_none() {
        return;
    }
    let named = TestDatabase::with("&application_name=lost").await;
    let running = Running::on(named, OPTIONS).await;
    assert!(running.admitted(Binding::Soap11, "alice", "secret").await);
    let ended = running
        .number(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE application_name = 'lost' AND pid <> pg_backend_pid()",
        )
        .await;
    assert!(ended > 0, "no connection was there");
    assert!(running.admitted(Binding::Soap11, "alice", "secret").await);
}

#[tokio::test]
async fn a_transaction_that_is_not_committed_takes_no_connection_with_it() {
    if server().is_none() {
        return;
    }
    let running = Running::start().await;
    for end in ["SELECT 1", "ROLLBACK", "SELECT 1 / 0"] {
        for _ in 0..20 {
            let mut transaction = running.store.begin().await.unwrap();
            let change = "UPDATE accounts SET failures = failures + 1";
            transaction.execute(change, vec![]).await.unwrap();
            let given_up = transaction.execute(change, vec![]);
            let _ = tokio::time::timeout(Duration::ZERO, given_up).await;
            let _ = transaction.batch(end).await;
        }
    }
    let failures = "SELECT max(failures) FROM accounts";
    assert_eq!(running.number(failures).await, 0);
    assert!(running.admitted(Binding::Soap11, "alice", "secret").await);
}

#[tokio::test]
async fn a_connection_is_encrypted_and_the_server_checked() {
    let (Some(server), Ok(root)) = (server(), std::env::var("SVCGEN_TEST_POSTGRES_ROOT")) else {
        return;
    };
    let encrypted = format!("&sslmode=verify-full&sslrootcert={root}");
    let running = Running::on(TestDatabase::with(&encrypted).await, OPTIONS).await;
    assert!(running.admitted(Binding::Soap11, "alice", "secret").await);
    let ciphers = "SELECT count(*) FROM pg_stat_ssl WHERE ssl AND pid = pg_backend_pid()";
    assert_eq!(running.number(ciphers).await, 1);

    // Its certificate is nobody's that the system trusts.
    let unknown = Database::Server(format!("{server}?sslmode=verify-full"));
    let error = Store::open(&unknown, OPTIONS).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("certificate"), "{text}");
}

#[tokio::test]
async fn tables_of_something_else_are_left_as_they_are() {
    if server().is_none() {
        return;
    }
    let place = TestDatabase::new().await;
    let mut sql = place.connect().await;
    sql.batch("CREATE TABLE diary (dear TEXT)").await.unwrap();
    let error = Store::open(&place.database, OPTIONS).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("is not an account store"), "{text}");
    let tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()";
    assert_eq!(sql.rows(tables, vec![]).await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_cannot_be_opened_is_said_without_the_password() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    for (url, said) in [
        (
            format!("postgres://bob:hidden-word@127.0.0.1:{port}/x"),
            "does the server run",
        ),
        (
            "mysql://bob:hidden-word@127.0.0.1/x".to_owned(),
            "no database is known by \"mysql\"",
        ),
        (
            "postgres://bob:hidden-word@127.0.0.1:port/x".to_owned(),
            "cannot read the URL of the database",
        ),
        (
            "postgres://bob:hidden-word@127.0.0.1/x?sslmode=maybe".to_owned(),
            "unknown value \"maybe\"",
        ),
    ] {
        let database: Database = url.parse().unwrap();
        let opening = Store::open(&database, OPTIONS);
        let opened = tokio::time::timeout(Duration::from_secs(20), opening).await;
        let text = opened.unwrap().unwrap_err().to_string();
        assert!(text.contains(said), "{text}");
        assert!(!text.contains("hidden-word"), "{text}");
        assert!(!format!("{database} {database:?}").contains("hidden-word"));
    }
}
