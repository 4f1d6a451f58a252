//! EmailPassword: the outbox.

use generated_example::services::device_login_service::ForgotPasswordStatus;
use generated_example::store::Row;
use svcgen::Binding;

use crate::running::{BINDINGS, Running};

async fn outbox(running: &Running) -> Vec<(String, String, String, i64)> {
    let query = "SELECT recipient, subject, body, created_at FROM outbox ORDER BY id";
    let mut sql = running.sql().await;
    let rows = sql.rows(query, vec![]).await.unwrap();
    let text = |row: &Row, column| row.get::<String>(column).unwrap();
    let mail = |row| {
        let [recipient, subject, body] = ["recipient", "subject", "body"].map(|c| text(row, c));
        (recipient, subject, body, row.get("created_at").unwrap())
    };
    rows.iter().map(mail).collect()
}

#[tokio::test]
async fn a_mail_holds_a_token_and_no_password() {
    let running = Running::start().await;
    assert_eq!(
        running.mail(Binding::Soap11, "alice").await,
        ForgotPasswordStatus::Success
    );
    let mails = outbox(&running).await;
    let [(recipient, subject, body, created_at)] = &mails[..] else {
        panic!("{mails:?}")
    };
    assert_eq!(
        (recipient.as_str(), subject.as_str()),
        ("alice@example.com", "Your password")
    );
    assert!((generated_example::store::now() - created_at).abs() < 60);
    let (_, token) = body
        .split_once("https://portal.example.com/reset?token=")
        .unwrap();
    let token: String = token.chars().take_while(char::is_ascii_hexdigit).collect();
    assert_eq!(token.len(), 64);
    assert!(
        !body.contains("secret") && !body.contains("$argon2"),
        "{body}"
    );
}

#[tokio::test]
async fn asking_again_at_once_sends_nothing_and_later_sends_another_token() {
    let running = Running::start().await;
    for binding in BINDINGS {
        assert_eq!(
            running.mail(binding, "alice").await,
            ForgotPasswordStatus::Success
        );
    }
    assert_eq!(outbox(&running).await.len(), 1);
    running
        .execute("UPDATE password_resets SET created_at = created_at - 60")
        .await;
    assert_eq!(
        running.mail(Binding::Soap12, "alice").await,
        ForgotPasswordStatus::Success
    );
    let mails = outbox(&running).await;
    assert_eq!(mails.len(), 2);
    assert_ne!(mails[0].2, mails[1].2);
}

#[tokio::test]
async fn who_is_refused_gets_no_mail() {
    let running = Running::start().await;
    for username in [
        "",
        "nobody",
        "suspended",
        "expired",
        "no-password",
        "read-only",
        "no-email",
        "no-self-service",
    ] {
        assert_ne!(
            running.mail(Binding::HttpPost, username).await,
            ForgotPasswordStatus::Success,
            "{username}"
        );
    }
    assert!(outbox(&running).await.is_empty());
}
