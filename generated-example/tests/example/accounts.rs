//! The README says which account gets which code; this holds it to that.

use std::time::Duration;

use generated_example::accounts;
use generated_example::services::authenticator::{ClientAuthWithResultRequest, ErrorCode};
use generated_example::services::device_login_service::{
    LoginErrorCode, LoginWithEncryptedPasswordRequest,
};
use generated_example::store::{StoreOptions, demo};
use svcgen::Binding;
use svcgen::codegen::Enumeration;

use crate::database::TestDatabase;
use crate::running::{BINDINGS, OPTIONS, Running};

struct Documented {
    username: String,
    check: String,
    login: String,
    mail: String,
    real_time: String,
}

fn documented() -> Vec<Documented> {
    let readme = include_str!("../../README.md");
    let (_, table) = readme.split_once("\n## Demo accounts\n").unwrap();
    let (table, _) = table.split_once("\nFor every account:").unwrap();
    table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(row)
        .collect()
}

fn row(line: &str) -> Documented {
    let mut cells = line
        .trim_matches('|')
        .split('|')
        .map(|cell| cell.trim().trim_matches('`').to_owned());
    let mut cell = || cells.next().unwrap();
    let username = cell();
    cell();
    Documented {
        username,
        check: cell(),
        login: cell(),
        mail: cell(),
        real_time: cell(),
    }
}

#[tokio::test]
async fn every_documented_account_gets_its_documented_codes() {
    let documented = documented();
    assert_eq!(documented.len(), demo::ACCOUNT_COUNT);
    for binding in BINDINGS {
        let running = Running::start().await;
        for account in &documented {
            let Documented {
                username,
                check,
                login,
                mail,
                real_time,
            } = account;
            let case = format!("{username} over {binding}");
            let code = running
                .check_on(binding, username, demo::PASSWORD, "02-00-00-00-00-01")
                .await;
            assert_eq!(code.as_str(), check, "{case}");
            let admitted = running.admitted(binding, username, demo::PASSWORD).await;
            assert_eq!(admitted, check == "None", "{case}");
            let record = running
                .login(binding, username, demo::PASSWORD, "other-device")
                .await;
            assert_eq!(record.login_error_code.as_str(), login, "{case}");
            let reason = record
                .real_time_info
                .map_or("", |info| info.real_time_launch_reason.as_str());
            assert_eq!(reason, real_time, "{case}");
            assert_eq!(
                running.mail(binding, username).await.as_str(),
                mail,
                "{case}"
            );
        }
    }
}

#[tokio::test]
async fn a_device_is_told_everything() {
    let running = Running::start().await;
    let mut records = Vec::new();
    for binding in BINDINGS {
        records.push(running.login(binding, "alice", "secret", "pin").await);
    }
    for record in records.iter().cloned() {
        assert_eq!(
            record.login_error_message.as_deref(),
            Some("Welcome, alice.")
        );
        assert_eq!(record.encrypted_password.map(|token| token.len()), Some(32));
        assert_eq!((record.user_id, record.quotes_data_vendor_id), (1001, 7));
        assert_eq!(
            record.entry_point_url.as_deref(),
            Some("https://entry.example.com/start")
        );
        assert_eq!(
            record.base_url.as_deref(),
            Some("https://base.example.com/")
        );
        assert_eq!(record.client_support_phone.as_deref(), Some("+1 555 0100"));
        assert_eq!(
            record.mobile_support_email.as_deref(),
            Some("support@example.com")
        );
        let info = record.real_time_info.unwrap();
        assert_eq!(
            (info.real_time_host.as_deref(), info.real_time_port),
            (Some("rt.example.com"), 8443)
        );
        assert_eq!(
            (
                info.real_time_auth_host.as_deref(),
                info.real_time_auth_port
            ),
            (Some("rtauth.example.com"), 9443)
        );
        assert_eq!(info.real_time_protocol.as_deref(), Some("https"));
        assert_eq!(info.real_time_auth_protocol.as_deref(), Some("tcp"));
        assert_eq!(
            info.launch_reason_text.as_deref(),
            Some("Real-time quotes are ready.")
        );
        let additional = record.additional_info.unwrap();
        assert_eq!(
            (
                additional.max_news_headlines_cap,
                additional.min_news_auto_refresh_time
            ),
            (100, 30)
        );
        assert!(
            additional.enable_idms_mobile_quotes && !additional.enable_security_profile_for_idms
        );
        assert_eq!(additional.capabilities, Some(vec![1, 2, 3, 4, 10, 11]));
        let sources: Vec<_> = additional
            .news_search_source_types
            .into_iter()
            .flatten()
            .flatten()
            .collect();
        let names: Vec<_> = sources
            .iter()
            .map(|source| (source.id, source.name.as_deref().unwrap()))
            .collect();
        assert_eq!(names, [(1, "Wire"), (2, "Blogs & Opinion"), (3, "Filings")]);
        assert!(sources[0].checked_by_default && !sources[1].checked_by_default);
    }
    let auth_infos: Vec<_> = records
        .iter()
        .map(|record| record.real_time_info.clone().unwrap().auth_info)
        .collect();
    assert!(
        auth_infos
            .iter()
            .all(|info| info.as_ref().unwrap().zid.as_ref().unwrap().len() == 32)
    );
    assert!(
        auth_infos[0] != auth_infos[1],
        "Zid and Azid are new at each login"
    );
}

#[tokio::test]
async fn what_a_device_is_told_comes_from_the_store() {
    let running = Running::start().await;
    running.execute(
        "UPDATE configuration SET real_time_port = 1, base_url = 'https://elsewhere.example.com/';
         INSERT INTO news_sources VALUES (9, 'Gossip', 0);
         UPDATE accounts SET idms_security_profile = 1, quotes_data_vendor_id = 42 WHERE username = 'alice';",
    )
    .await;
    let record = running.login(Binding::Soap12, "alice", "secret", "").await;
    assert_eq!(
        record.base_url.as_deref(),
        Some("https://elsewhere.example.com/")
    );
    assert_eq!(record.quotes_data_vendor_id, 42);
    assert_eq!(record.real_time_info.unwrap().real_time_port, 1);
    let additional = record.additional_info.unwrap();
    assert!(additional.enable_security_profile_for_idms);
    assert_eq!(additional.news_search_source_types.unwrap().len(), 4);
}

#[tokio::test]
async fn empty_and_unknown_have_codes_of_their_own() {
    let running = Running::start().await;
    for binding in BINDINGS {
        for (username, password, check, login) in [
            (
                "",
                "secret",
                ErrorCode::UsernameFieldEmpty,
                LoginErrorCode::BadUsername,
            ),
            (
                "alice",
                "",
                ErrorCode::PasswordFieldEmpty,
                LoginErrorCode::BadPassword,
            ),
            (
                "",
                "",
                ErrorCode::UsernameAndPasswordFieldEmpty,
                LoginErrorCode::BadUsername,
            ),
            (
                "nobody",
                "secret",
                ErrorCode::InvalidUsername,
                LoginErrorCode::BadUsername,
            ),
            (
                "' OR 1=1 --",
                "secret",
                ErrorCode::InvalidUsername,
                LoginErrorCode::BadUsername,
            ),
            ("ALICE", "secret", ErrorCode::None, LoginErrorCode::Ok),
        ] {
            let case = format!("{username:?} {password:?} over {binding}");
            assert_eq!(
                running.check(binding, username, password).await,
                check,
                "{case}"
            );
            assert_eq!(
                running
                    .login(binding, username, password, "1")
                    .await
                    .login_error_code,
                login,
                "{case}"
            );
        }
    }
}

#[tokio::test]
async fn absent_fields_are_empty_fields() {
    let running = Running::start().await;
    let nothing = ClientAuthWithResultRequest::default();
    let result = running
        .authenticator(Binding::Soap11)
        .client_auth_with_result(&nothing)
        .await
        .unwrap();
    assert_eq!(result.error_code, ErrorCode::UsernameAndPasswordFieldEmpty);
    let nothing = LoginWithEncryptedPasswordRequest::default();
    let record = running
        .device_login(Binding::Soap11)
        .login_with_encrypted_password(&nothing)
        .await
        .unwrap();
    assert_eq!(record.login_error_code, LoginErrorCode::BadUsername);
}

#[tokio::test]
async fn an_address_that_is_allowed_gets_in() {
    let running = Running::start().await;
    running
        .execute("UPDATE accounts SET address_allowed = '127.0.0.1'")
        .await;
    assert_eq!(
        running
            .check(Binding::Soap11, "other-address", "secret")
            .await,
        ErrorCode::None
    );
}

#[tokio::test]
async fn behind_a_proxy_the_address_is_what_the_proxy_says() {
    let proxy = ["127.0.0.1".parse().unwrap()].into_iter().collect();
    let trusting = Running::behind(proxy, TestDatabase::new().await, OPTIONS).await;
    let other = Running::start().await;
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    for (running, headers, admitted) in [
        (&trusting, &["192.0.2.10"][..], true),
        (&trusting, &["::ffff:192.0.2.10, 127.0.0.1"], true),
        (&trusting, &["198.51.100.7", "192.0.2.10"], true),
        // What stands before the last address is what the caller wrote.
        (&trusting, &["192.0.2.10, 198.51.100.7"], false),
        (&trusting, &["192.0.2.10", "198.51.100.7"], false),
        (&trusting, &["192.0.2.10, unknown"], false),
        (&trusting, &[], false),
        (&other, &["192.0.2.10"], false),
    ] {
        let mut sent = vec![form];
        sent.extend(headers.iter().map(|header| ("X-Forwarded-For", *header)));
        let start = "POST /SvcDotNet/Authenticator.asmx/Login";
        let body = "username=other-address&password=secret";
        let (_, answer) = running.raw(start, &sent, body).await;
        let expected = format!(">{admitted}<");
        assert!(answer.contains(&expected), "{headers:?}: {answer}");
    }
}

#[tokio::test]
async fn one_machine_is_one_computer_and_one_device() {
    let running = Running::start().await;
    let check = |mac| running.check_on(Binding::Soap11, "one-machine", "secret", mac);
    assert_eq!(check("first").await, ErrorCode::None);
    assert_eq!(check("second").await, ErrorCode::BumpedForSml);
    let login = async |pin| {
        running
            .login(Binding::Soap11, "one-machine", "secret", pin)
            .await
            .login_error_code
    };
    assert_eq!(login("first-device").await, LoginErrorCode::Ok);
    assert_eq!(login("").await, LoginErrorCode::SingleMachineLogin);
    assert_eq!(login("second").await, LoginErrorCode::SingleMachineLogin);
    running.store.release_machines("one-machine").await.unwrap();
    assert_eq!(check("second").await, ErrorCode::None);
    assert_eq!(login("second").await, LoginErrorCode::Ok);
    assert_eq!(
        login("first-device").await,
        LoginErrorCode::SingleMachineLogin
    );
}

#[tokio::test]
async fn a_busy_store_is_an_error_code_and_no_panic() {
    let impatient = StoreOptions {
        busy_timeout: Duration::from_millis(100),
        ..OPTIONS
    };
    let running = Running::start_with(impatient).await;
    let mut holder = running.sql().await;
    let hold = match running.database.folder() {
        Some(_) => "BEGIN EXCLUSIVE",
        None => "BEGIN; LOCK TABLE accounts",
    };
    holder.batch(hold).await.unwrap();
    assert_eq!(
        running.check(Binding::Soap11, "alice", "secret").await,
        ErrorCode::UnknownError
    );
    let record = running.login(Binding::Soap11, "alice", "secret", "").await;
    assert_eq!(record.login_error_code, LoginErrorCode::Unknown);
    assert_eq!(
        running.mail(Binding::Soap11, "alice").await.as_str(),
        "OtherIDMIssue"
    );
    holder.batch("ROLLBACK").await.unwrap();
    assert_eq!(
        running.check(Binding::Soap11, "alice", "secret").await,
        ErrorCode::None
    );
    assert_eq!(accounts::FAILURES_ALLOWED, 5, "as the README says");
}
