//! Several instances on one database answer as one.

use std::sync::Arc;

use generated_example::accounts::FAILURES_ALLOWED;
use generated_example::services::authenticator::ErrorCode;
use generated_example::services::device_login_service::LoginErrorCode;
use svcgen::Binding;
use tokio::task::JoinSet;

use crate::running::Running;

#[tokio::test]
async fn what_one_instance_hands_out_another_takes() {
    let first = Running::start().await;
    let second = first.another().await;
    let token = first.token(Binding::Soap11, "alice", "pin").await;
    assert_eq!(
        second.token_code("alice", &token, "pin").await,
        LoginErrorCode::Ok
    );
    let newer = second.token(Binding::Soap11, "alice", "pin").await;
    assert_eq!(
        first.token_code("alice", &token, "pin").await,
        LoginErrorCode::BadPassword
    );
    assert_eq!(
        first.token_code("alice", &newer, "pin").await,
        LoginErrorCode::Ok
    );
}

#[tokio::test]
async fn the_first_machine_of_one_instance_is_that_of_all() {
    let first = Running::start().await;
    let second = first.another().await;
    let check = async |instance: &Running, mac: &str| {
        instance
            .check_on(Binding::Soap12, "one-machine", "secret", mac)
            .await
    };
    assert_eq!(check(&first, "first").await, ErrorCode::None);
    assert_eq!(check(&second, "second").await, ErrorCode::BumpedForSml);
}

#[tokio::test]
async fn instances_that_start_at_once_make_one_store() {
    let first = Running::start().await;
    let starts = [first.another(), first.another(), first.another()];
    for start in starts {
        assert!(!start.await.store.created());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_at_all_instances_gives_no_more_guesses() {
    let first = Running::start().await;
    let instances = [first.another().await, first.another().await, first];
    let instances = instances.map(Arc::new);
    let mut guesses = JoinSet::new();
    for guess in 0..30 {
        let instance = instances[guess % instances.len()].clone();
        guesses.spawn(async move {
            instance
                .check(Binding::Soap11, "alice", &format!("guess {guess}"))
                .await
        });
    }
    let codes = guesses.join_all().await;
    let count = |code| codes.iter().filter(|found| **found == code).count();
    assert_eq!(count(ErrorCode::InvalidPassword), FAILURES_ALLOWED as usize);
    assert_eq!(
        count(ErrorCode::LockedAccount),
        30 - FAILURES_ALLOWED as usize
    );
}
