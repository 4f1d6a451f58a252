//! No secret is in the file.

use generated_example::passwords::{Passwords, hex};
use svcgen::Binding;

use crate::running::{OPTIONS, Running};

const PASSWORD: &str = "correct horse battery staple";
const PIN: &str = "pin-8153-4207";
const MAC: &str = "02-4A-9C-77-31-0E";

#[tokio::test]
async fn the_file_holds_no_secret() {
    let running = Running::start().await;
    let hash = Passwords::new(OPTIONS.cost)
        .unwrap()
        .hash(&PASSWORD.into())
        .unwrap();
    running
        .sql()
        .execute(
            "UPDATE accounts SET password_hash = ?, machines_allowed = 'one'",
            [&*hash],
        )
        .unwrap();
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

    let count: i64 = running
        .sql()
        .query_row("SELECT count(*) FROM machines", [], |row| row.get(0))
        .unwrap();
    assert!(count >= 3, "device and computer of alice were stored");
    let running = running.restart().await;
    let secrets: [&[u8]; 7] = [
        PASSWORD.as_bytes(),
        PIN.as_bytes(),
        MAC.as_bytes(),
        &token,
        token_digits.as_bytes(),
        zid.as_bytes(),
        azid.as_bytes(),
    ];
    let mut searched = Vec::new();
    for entry in std::fs::read_dir(running.database().parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        for (number, secret) in secrets.iter().enumerate() {
            let found = bytes.windows(secret.len()).any(|window| window == *secret);
            assert!(!found, "secret {number} is in {}", path.display());
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
