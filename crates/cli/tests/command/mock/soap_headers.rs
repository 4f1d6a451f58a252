//! SOAP headers that are not in the definition: `svcgen call` sends them, and `svcgen mock`
//! understands and answers them.

use std::fs;

use super::Mock;
use crate::{Ended, svcgen_in};

fn call(mock: &Mock, arguments: &[&str]) -> Ended {
    let url = format!("http://{}", mock.address);
    let mut all = vec!["call", "shop.yaml", "Ping", "--url", &url];
    all.extend(arguments);
    let all: Vec<&dyn AsRef<std::ffi::OsStr>> = all.iter().map(|one| one as _).collect();
    svcgen_in(mock.folder.path(), &all, b"")
}

#[test]
fn a_header_of_any_name_is_sent_and_understood() {
    let mock = Mock::start(&[], &["--understand", "{urn:tenants}*", "shop.yaml"]);
    let element = r#"<t:Tenant xmlns:t="urn:tenants" xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" soap:mustUnderstand="1">17</t:Tenant>"#;
    fs::write(mock.folder.path().join("tenant.xml"), element).unwrap();
    for header in [element, "@tenant.xml", "{urn:tenants}Tenant=a=b & c"] {
        let called = call(&mock, &["--soap-header", header]);
        assert_eq!(called.code, Some(0), "{header}: {called:?}");
    }
    let called = call(
        &mock,
        &[
            "--soap-header",
            &element.replace("urn:tenants", "urn:others"),
        ],
    );
    assert_eq!(called.code, Some(3), "{called:?}");
    assert!(called.stderr.contains("MustUnderstand"), "{called:?}");
}

#[test]
fn what_is_no_header_is_refused_before_anything_is_sent() {
    let mock = Mock::start(&[], &["shop.yaml"]);
    for (arguments, expected) in [
        (&["--soap-header", "<a>"][..], "--soap-header: "),
        (&["--soap-header", "<a/><b/>"], "one element is expected"),
        (&["--soap-header", "{urn:x}1=2"], "is not an element name"),
        (&["--soap-header", "{urn:x}Name"], "`{NAMESPACE}NAME=TEXT`"),
        (
            &["--soap-header", "@missing.xml"],
            "missing.xml cannot be read",
        ),
        (
            &["--soap-header", "<a/>", "--binding", "http-get"],
            "the SOAP headers given to Ping cannot be sent over HTTP GET",
        ),
        (
            &["--ws-user", "ann:env:NOT_SET_ANYWHERE"],
            "NOT_SET_ANYWHERE",
        ),
        (&["--ws-password-text"], "--ws-user"),
    ] {
        let called = call(&mock, arguments);
        assert_ne!(called.code, Some(0), "{arguments:?}");
        assert!(
            called.stderr.contains(expected),
            "{arguments:?}: {called:?}"
        );
    }
}

#[test]
fn a_mock_asks_for_a_username_token() {
    let mock = Mock::start(&[], &["--ws-user", "ann:s3cret", "shop.yaml"]);
    for also in [&[][..], &["--ws-password-text"]] {
        let right = [&["--ws-user", "ann:s3cret", "--show"], also].concat();
        let called = call(&mock, &right);
        assert_eq!(called.code, Some(0), "{called:?}");
        assert!(called.stderr.contains("wsse:Security"), "{called:?}");
        let shown = called.stdout + &called.stderr;
        assert!(!shown.contains("s3cret"), "{shown}");
        let wrong = [&["--ws-user", "ann:wrong"], also].concat();
        let called = call(&mock, &wrong);
        assert_eq!(called.code, Some(3), "{called:?}");
        assert!(called.stderr.contains("FailedAuthentication"), "{called:?}");
    }
    let called = call(&mock, &[]);
    assert_eq!(called.code, Some(3), "{called:?}");
    assert!(called.stderr.contains("InvalidSecurity"), "{called:?}");
}

#[test]
fn a_mock_answers_with_headers() {
    let arguments = [
        "--ws-addressing",
        "--soap-header",
        "{urn:example:gateway}Node=7",
        "shop.yaml",
    ];
    let mock = Mock::start(&[], &arguments);
    for version in ["--ws-addressing", "--ws-addressing=2004/08"] {
        let called = call(&mock, &[version, "--show"]);
        assert_eq!(called.code, Some(0), "{called:?}");
        for expected in ["RelatesTo", "Node"] {
            assert!(called.stderr.contains(expected), "{expected}: {called:?}");
        }
    }
    let called = call(&mock, &["--ws-addressing=2003/03"]);
    assert!(called.stderr.contains("2004/08"), "{called:?}");
}
