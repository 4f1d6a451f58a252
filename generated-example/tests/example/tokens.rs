//! EncryptedPassword: what a login hands out signs in again.

use generated_example::services::authenticator::ErrorCode;
use generated_example::services::device_login_service::{
    LoginErrorCode, LoginWithEncryptedPasswordRequest,
};
use generated_example::store::now;
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

    let end = format!("UPDATE login_tokens SET expires_at = {}", now());
    running.execute(&end).await;
    assert_eq!(
        running.token_code("alice", &second, "pin").await,
        LoginErrorCode::Logout
    );

    let third = running.token(Binding::Soap11, "alice", "pin").await;
    running
        .execute(
            "UPDATE accounts SET password_hash = (SELECT password_hash FROM accounts WHERE username = 'read-only')
             WHERE username = 'alice'",
        )
        .await;
    assert_eq!(
        running.token_code("alice", &third, "pin").await,
        LoginErrorCode::BadPassword
    );

    let fourth = running.token(Binding::Soap11, "alice", "pin").await;
    running.store.release_machines("alice").await.unwrap();
    assert_eq!(
        running.token_code("alice", &fourth, "pin").await,
        LoginErrorCode::BadPassword
    );
}

#[tokio::test]
async fn a_token_opens_no_more_than_the_password() {
    let running = Running::start().await;
    let token = running.token(Binding::Soap11, "alice", "pin").await;
    let set = async |column: &str, value: &str| {
        let set = format!("UPDATE accounts SET {column} = {value} WHERE username = 'alice'");
        running.execute(&set).await;
    };
    set("standing", "'suspended'").await;
    assert_eq!(
        running.token_code("alice", &token, "pin").await,
        LoginErrorCode::AccountSuspended
    );
    set("standing", "'active'").await;
    set("locked_until", &(now() + 60).to_string()).await;
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
    let count = running.number("SELECT count(*) FROM login_tokens").await;
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
    running
        .execute("UPDATE accounts SET last_login_at = NULL, last_user_login_at = NULL")
        .await;
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
    let query = "SELECT last_login_at, last_user_login_at FROM accounts WHERE username = 'alice'";
    let mut sql = running.sql().await;
    let row = sql.row(query, vec![]).await.unwrap().unwrap();
    let time = |column| row.get::<Option<i64>>(column).unwrap();
    let times = (time("last_login_at"), time("last_user_login_at"));
    assert!(times.0.is_some() && times.1.is_none(), "{times:?}");
}
