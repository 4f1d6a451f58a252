//! EncryptedPassword: what a login hands out signs in again.

use generated_example::services::authenticator::ErrorCode;
use generated_example::services::device_login_service::{
    LoginErrorCode, LoginWithEncryptedPasswordRequest,
};
use rusqlite::params;
use svcgen::Binding;

use crate::running::{BINDINGS, Running};

#[tokio::test]
async fn a_token_signs_in_over_every_binding_and_after_a_restart() {
    let running = Running::start().await;
    let token = running.token(Binding::Soap11, "alice", "pin").await;
    for binding in BINDINGS {
        let record = running
            .login_with_token(binding, "alice", &token, "pin")
            .await;
        assert_eq!(record.login_error_code, LoginErrorCode::Ok, "{binding}");
        assert_eq!(
            record.encrypted_password.as_ref(),
            Some(&token),
            "{binding}"
        );
        assert_eq!(record.user_id, 1001, "{binding}");
    }
    let running = running.restart().await;
    assert_eq!(
        running.token_code("alice", &token, "pin").await,
        LoginErrorCode::Ok
    );
}

#[tokio::test]
async fn a_token_belongs_to_one_user_and_device() {
    let running = Running::start().await;
    let token = running.token(Binding::Soap12, "alice", "pin").await;
    assert_eq!(
        running.token_code("alice", &token, "other").await,
        LoginErrorCode::BadPassword
    );
    assert_eq!(
        running.token_code("read-only", &token, "pin").await,
        LoginErrorCode::BadPassword
    );
    assert_eq!(
        running.token_code("nobody", &token, "pin").await,
        LoginErrorCode::BadUsername
    );
    let password = b"secret".to_vec().into();
    assert_eq!(
        running.token_code("alice", &password, "pin").await,
        LoginErrorCode::BadPassword
    );
}

#[tokio::test]
async fn wrong_tokens_lock_nobody_out() {
    let running = Running::start().await;
    let wrong = vec![7; 32].into();
    for _ in 0..10 {
        assert_eq!(
            running.token_code("alice", &wrong, "pin").await,
            LoginErrorCode::BadPassword
        );
    }
    assert_eq!(
        running.check(Binding::Soap11, "alice", "secret").await,
        ErrorCode::None
    );
}

#[tokio::test]
async fn a_token_ends_by_time_next_login_new_password_or_release() {
    let running = Running::start().await;
    let first = running.token(Binding::Soap11, "alice", "pin").await;
    let second = running.token(Binding::Soap11, "alice", "pin").await;
    assert_eq!(
        running.token_code("alice", &first, "pin").await,
        LoginErrorCode::BadPassword
    );
    assert_eq!(
        running.token_code("alice", &second, "pin").await,
        LoginErrorCode::Ok
    );

    running
        .sql()
        .execute("UPDATE login_tokens SET expires_at = unixepoch()", [])
        .unwrap();
    assert_eq!(
        running.token_code("alice", &second, "pin").await,
        LoginErrorCode::Logout
    );

    let third = running.token(Binding::Soap11, "alice", "pin").await;
    running
        .sql()
        .execute(
            "UPDATE accounts SET password_hash = (SELECT password_hash FROM accounts WHERE username = 'read-only')
             WHERE username = 'alice'",
            [],
        )
        .unwrap();
    assert_eq!(
        running.token_code("alice", &third, "pin").await,
        LoginErrorCode::BadPassword
    );

    let fourth = running.token(Binding::Soap11, "alice", "pin").await;
    running.store.release_machines("alice").unwrap();
    assert_eq!(
        running.token_code("alice", &fourth, "pin").await,
        LoginErrorCode::BadPassword
    );
}

#[tokio::test]
async fn a_token_opens_no_more_than_the_password() {
    let running = Running::start().await;
    let token = running.token(Binding::Soap11, "alice", "pin").await;
    let sql = running.sql();
    let set = |column: &str, value: &str| {
        let sql = format!("UPDATE accounts SET {column} = ? WHERE username = 'alice'");
        running.sql().execute(&sql, params![value]).unwrap();
    };
    set("standing", "suspended");
    assert_eq!(
        running.token_code("alice", &token, "pin").await,
        LoginErrorCode::AccountSuspended
    );
    set("standing", "active");
    sql.execute(
        "UPDATE accounts SET locked_until = unixepoch() + 60 WHERE username = 'alice'",
        [],
    )
    .unwrap();
    assert_eq!(
        running.token_code("alice", &token, "pin").await,
        LoginErrorCode::AccountLocked
    );
}

#[tokio::test]
async fn an_account_keeps_the_tokens_of_its_latest_devices() {
    let running = Running::start().await;
    let mut tokens = Vec::new();
    for device in 0..25 {
        tokens.push(
            running
                .token(Binding::HttpPost, "alice", &device.to_string())
                .await,
        );
    }
    let count: i64 = running
        .sql()
        .query_row("SELECT count(*) FROM login_tokens", [], |row| row.get(0))
        .unwrap();
    assert_eq!(count, 20);
    assert_eq!(
        running.token_code("alice", &tokens[24], "24").await,
        LoginErrorCode::Ok
    );
}

#[tokio::test]
async fn a_login_of_the_device_alone_is_no_login_of_the_user() {
    let running = Running::start().await;
    let token = running.token(Binding::Soap11, "alice", "pin").await;
    let sql = running.sql();
    sql.execute(
        "UPDATE accounts SET last_login_at = NULL, last_user_login_at = NULL",
        [],
    )
    .unwrap();
    let request = LoginWithEncryptedPasswordRequest {
        username: Some("alice".to_owned()),
        encrypted_password: Some(token),
        device_pin: Some("pin".into()),
        user_initiated: false,
    };
    running
        .device_login(Binding::HttpGet)
        .login_with_encrypted_password(&request)
        .await
        .unwrap();
    let times: (Option<i64>, Option<i64>) = sql
        .query_row(
            "SELECT last_login_at, last_user_login_at FROM accounts WHERE username = 'alice'",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    assert!(times.0.is_some() && times.1.is_none(), "{times:?}");
}
