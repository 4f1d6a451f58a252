//! Wrong passwords lock, for both services, for all callers at once, and across restarts.

use generated_example::accounts::{ADDRESS_FAILURES_ALLOWED, FAILURES_ALLOWED};
use generated_example::proxies::Proxies;
use generated_example::services::authenticator::ErrorCode;
use generated_example::services::device_login_service::LoginErrorCode;
use generated_example::store::now;
use svcgen::Binding;
use tokio::task::JoinSet;

use crate::database::TestDatabase;
use crate::running::{OPTIONS, Running};

async fn lock_alice(running: &Running) {
    for _ in 0..3 {
        assert_eq!(
            running.check(Binding::HttpGet, "alice", "wrong").await,
            ErrorCode::InvalidPassword
        );
    }
    for _ in 0..2 {
        let record = running.login(Binding::Soap12, "alice", "wrong", "1").await;
        assert_eq!(record.login_error_code, LoginErrorCode::BadPassword);
    }
}

async fn assert_locked(running: &Running) {
    assert_eq!(
        running.check(Binding::Soap11, "alice", "secret").await,
        ErrorCode::LockedAccount
    );
    assert!(!running.admitted(Binding::Soap11, "alice", "secret").await);
    let record = running.login(Binding::Soap11, "alice", "secret", "1").await;
    assert_eq!(record.login_error_code, LoginErrorCode::AccountLocked);
}

#[tokio::test]
async fn five_failures_lock_both_services_until_the_lock_ends() {
    let running = Running::start().await;
    lock_alice(&running).await;
    assert_locked(&running).await;
    let running = running.restart().await;
    assert_locked(&running).await;
    let end = format!(
        "UPDATE accounts SET locked_until = {} WHERE username = 'alice'",
        now() - 1
    );
    running.execute(&end).await;
    assert_eq!(
        running.check(Binding::Soap11, "alice", "wrong").await,
        ErrorCode::InvalidPassword
    );
    assert_eq!(
        running.check(Binding::Soap11, "alice", "secret").await,
        ErrorCode::None
    );
}

#[tokio::test]
async fn an_administrator_ends_a_lock() {
    let running = Running::start().await;
    lock_alice(&running).await;
    running.store.unlock("alice").await.unwrap();
    assert_eq!(
        running.check(Binding::Soap11, "alice", "secret").await,
        ErrorCode::None
    );
    running.store.unlock("locked").await.unwrap();
    assert_eq!(
        running.check(Binding::Soap11, "locked", "secret").await,
        ErrorCode::None
    );
    assert!(running.store.unlock("nobody").await.is_err());
}

#[tokio::test]
async fn the_right_password_starts_the_count_anew() {
    let running = Running::start().await;
    for _ in 0..3 {
        for _ in 1..FAILURES_ALLOWED {
            assert_eq!(
                running.check(Binding::Soap11, "alice", "wrong").await,
                ErrorCode::InvalidPassword
            );
        }
        assert_eq!(
            running.check(Binding::Soap11, "alice", "secret").await,
            ErrorCode::None
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_all_at_once_gives_no_more_guesses() {
    let running = std::sync::Arc::new(Running::start().await);
    let mut guesses = JoinSet::new();
    for guess in 0..40 {
        let running = running.clone();
        guesses.spawn(async move {
            running
                .check(Binding::Soap11, "alice", &format!("guess {guess}"))
                .await
        });
    }
    let codes = guesses.join_all().await;
    let count = |code| codes.iter().filter(|found| **found == code).count();
    assert_eq!(count(ErrorCode::InvalidPassword), FAILURES_ALLOWED as usize);
    assert_eq!(
        count(ErrorCode::LockedAccount),
        40 - FAILURES_ALLOWED as usize
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn many_right_passwords_at_once_lock_nobody() {
    let running = std::sync::Arc::new(Running::start().await);
    let mut logins = JoinSet::new();
    for _ in 0..40 {
        let running = running.clone();
        logins.spawn(async move { running.admitted(Binding::HttpPost, "alice", "secret").await });
    }
    assert!(logins.join_all().await.into_iter().all(|admitted| admitted));
}

#[tokio::test]
async fn fifty_failures_from_an_address_end_its_guesses_and_lock_no_account() {
    let proxies: Proxies = ["127.0.0.1".parse().unwrap()].into_iter().collect();
    let running = Running::behind(proxies, TestDatabase::new().await, OPTIONS).await;
    let get = async |username: &str, password: &str, address: &str| {
        let start = format!(
            "GET /SvcDotNet/Authenticator.asmx/Login?username={username}&password={password}"
        );
        let (_, body) = running
            .raw(&start, &[("X-Forwarded-For", address)], "")
            .await;
        body.contains(">true<")
    };
    let token = running.token(Binding::Soap11, "alice", "1").await;
    for guess in 0..ADDRESS_FAILURES_ALLOWED {
        assert!(get("alice", "secret", "192.0.2.7").await);
        assert!(!get(&format!("nobody{guess}"), "wrong", "192.0.2.7").await);
    }
    // Whoever it is: of further guesses none counts for an account.
    for _ in 0..FAILURES_ALLOWED {
        assert!(!get("alice", "wrong", "192.0.2.7").await);
    }
    assert!(!get("alice", "secret", "192.0.2.7").await);
    assert!(get("alice", "secret", "192.0.2.8").await);
    assert_eq!(
        running.token_code("alice", &token, "1").await,
        LoginErrorCode::Ok
    );
    running
        .execute("UPDATE address_failures SET ends_at = 0")
        .await;
    assert!(get("alice", "secret", "192.0.2.7").await);
}
