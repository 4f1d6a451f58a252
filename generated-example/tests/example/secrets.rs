//! No secret is in the database.

use generated_example::passwords::{Passwords, hex};
use svcgen::Binding;

use crate::running::{OPTIONS, Running};

const PASSWORD: &str = "correct horse battery staple";
const PIN: &str = "pin-8153-4207";
const MAC: &str = "02-4A-9C-77-31-0E";

#[tokio::test]
async fn the_database_holds_no_secret() {
    let running = Running::start().await;
    let hash = Passwords::new(OPTIONS.cost)
        .unwrap()
        .hash(&PASSWORD.into())
        .unwrap();
    let change = format!(
        "UPDATE accounts SET password_hash = '{}', machines_allowed = 'one'",
        *hash
    );
    running.execute(&change).await;
    running
        .check_on(Binding::HttpGet, "alice", PASSWORD, MAC)
        .await;
    running.check(Binding::HttpGet, PASSWORD, PASSWORD).await;
    let record = running
        .login(Binding::HttpGet, "alice", PASSWORD, PIN)
        .await;
    let token = record.encrypted_password.unwrap();
    running
        .login_with_token(Binding::HttpGet, "alice", &token, PIN)
        .await;
    let auth_info = record.real_time_info.unwrap().auth_info.unwrap();
    let (zid, azid) = (auth_info.zid.unwrap(), auth_info.azid.unwrap());
    let token_digits = hex(&token);

    let count = running.number("SELECT count(*) FROM machines").await;
    assert!(count >= 3, "device and computer of alice were stored");
    let running = running.restart().await;
    let pin_digits = hex(PIN.as_bytes());
    let secrets: [&[u8]; 8] = [
        PASSWORD.as_bytes(),
        PIN.as_bytes(),
        MAC.as_bytes(),
        &token,
        token_digits.as_bytes(),
        pin_digits.as_bytes(),
        zid.as_bytes(),
        azid.as_bytes(),
    ];
    let mut searched = Vec::new();
    for (name, bytes) in stored(&running).await {
        for (number, secret) in secrets.iter().enumerate() {
            let found = bytes.windows(secret.len()).any(|window| window == *secret);
            assert!(!found, "secret {number} is in {name}");
        }
        searched.extend(bytes);
    }
    let visible = b"alice@example.com";
    assert!(
        searched
            .windows(visible.len())
            .any(|window| window == visible),
        "the search finds what is there"
    );
}

/// All that a database holds: its files, or the rows of all tables, with bytes as digits.
async fn stored(running: &Running) -> Vec<(String, Vec<u8>)> {
    let Some(folder) = running.database.folder() else {
        let mut sql = running.sql().await;
        sql.batch("SET xmlbinary = hex").await.unwrap();
        let all = "SELECT schema_to_xml(current_schema(), true, false, '')::text";
        let rows: String = sql.value(all, vec![]).await.unwrap().unwrap();
        return vec![("the tables".to_owned(), rows.to_lowercase().into_bytes())];
    };
    let files = std::fs::read_dir(folder).unwrap();
    files
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.display().to_string(), std::fs::read(&path).unwrap())
        })
        .collect()
}
