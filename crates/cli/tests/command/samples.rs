//! `svcgen samples`.

use std::fs;

use crate::{RIGHT, WRONG, definition, svcgen, svcgen_in};

#[test]
fn samples_are_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = definition("authenticator.yaml");
    let ended = svcgen(&[&"samples", &file, &"--out", &folder.path()]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 16);
    let read = |name| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(
        read("Login-http-post-request.http"),
        "POST /SvcDotNet/Authenticator.asmx/Login HTTP/1.1\n\
         Host: localhost\n\
         Content-Type: application/x-www-form-urlencoded\n\
         Content-Length: length\n\
         \n\
         username=string&password=string\n"
    );
    assert_eq!(
        read("Login-http-get-response.http"),
        "HTTP/1.1 200 OK\n\
         Content-Type: text/xml; charset=utf-8\n\
         Content-Length: length\n\
         \n\
         <?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <boolean xmlns=\"http://example.com/svc/auth\">boolean</boolean>\n"
    );
    let again = svcgen(&[&"samples", &file, &"--out", &folder.path()]);
    assert!(!again.stdout.contains("wrote"), "{}", again.stdout);
}

#[test]
fn samples_on_standard_output_are_below_their_names() {
    let ended = svcgen_in(
        &std::env::temp_dir(),
        &[&"samples", &"-", &"--host", &"example.com:81"],
        RIGHT.as_bytes(),
    );
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let start = "### A-soap11-request.http\nPOST /s HTTP/1.1\nHost: example.com:81\n";
    assert!(ended.stdout.starts_with(start), "{}", ended.stdout);
}

#[test]
fn a_wrong_definition_is_reported() {
    let ended = svcgen_in(&std::env::temp_dir(), &[&"samples", &"-"], WRONG.as_bytes());
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.is_empty() && ended.stderr.contains("stdin.yaml:4:28"));
}

#[test]
fn a_document_is_of_one_service() {
    let file = definition("authenticator.yaml");
    let other = definition("device_login_service.yaml");
    let ended = svcgen(&[&"samples", &file, &other]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("name one definition"),
        "{}",
        ended.stderr
    );
    let types = "namespace: urn:s\ntypes: { T: { elements: { A: int } } }\n";
    let ended = svcgen_in(&std::env::temp_dir(), &[&"docs", &"-"], types.as_bytes());
    assert_ne!(ended.code, Some(0));
}
