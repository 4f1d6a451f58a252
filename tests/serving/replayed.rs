//! `svcgen_testing::replay`: the files that it reads, and its messages for different answers.

use std::fs;
use std::path::Path;

use svcgen_testing::{Replay, replay};
use svcgen_tests::{fixture, recorded};
use tempfile::TempDir;

const PATH: &str = "/SvcDotNet/Authenticator.asmx";

/// A call over HTTP POST, and its answer.
const REQUEST: &str = "POST /SvcDotNet/Authenticator.asmx/Login HTTP/1.1\r\nHost: h\r\n\
    Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 30\r\n\r\nusername=alice&password=secret";
const ANSWER: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<boolean xmlns=\"http://example.com/svc/auth\">true</boolean>";

fn answer(headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nCache-Control: private, max-age=0\r\n\
         Date: Sat, 21 Nov 2026 00:31:10 GMT\r\n{headers}\r\n{body}"
    )
}

fn write(folder: &Path, name: &str, request: &str, response: &str) {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("request.http"), request).unwrap();
    fs::write(folder.join("response.http"), response).unwrap();
}

/// Returns the message about one exchange, without the first lines.
async fn said(request: &str, response: &str) -> String {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "a/login", request, response);
    let error = match replay(fixture::router(), &folder).await {
        Ok(()) => return String::new(),
        Err(error) => error,
    };
    let text = error.to_string();
    // The text that `unwrap` and the result of a test show.
    assert_eq!(format!("{error:?}"), text);
    let told = text.replace(&*folder.path().to_string_lossy(), "FOLDER");
    let first = "1 of 1 exchanges in FOLDER are not answered as recorded\na/login:\n";
    told.strip_prefix(first).unwrap_or(&told).to_owned()
}

#[tokio::test]
async fn what_was_recorded_from_the_original_is_answered_again() {
    let folder = TempDir::new().unwrap();
    recorded::write_folders(&recorded::exchanges(&["code", "ok"]), folder.path());
    replay(fixture::router(), &folder).await.unwrap();
}

#[tokio::test]
async fn messages_are_read_as_they_went_over_a_connection() {
    let plain = answer("", ANSWER);
    let (start, end) = ANSWER.split_at(20);
    let chunks = format!(
        "{:x};ext=1\r\n{start}\r\n{:X}\r\n{end}\r\n0\r\nTrailer: x\r\n\r\n",
        start.len(),
        end.len()
    );
    let length = ANSWER.len();
    let length = format!("Content-Length: {length}\r\nServer: Microsoft-IIS/10.0\r\n");
    let whole = answer(&length, ANSWER);
    for response in [
        plain.clone(),
        whole.clone(),
        answer("Transfer-Encoding: chunked\r\n", &chunks),
        format!("HTTP/1.1 100 Continue\r\n\r\n{whole}"),
        plain.replace("\r\n", "\n"),
        plain.replacen("HTTP/1.1 200 OK", "HTTP/2 200 ", 1),
    ] {
        assert_eq!(said(REQUEST, &response).await, "", "{response}");
    }
    let request = REQUEST.replace("Content-Length: 30\r\n", "");
    assert_eq!(said(&request, &plain).await, "");
    let request = request.replace(
        "\r\nusername",
        "Transfer-Encoding: chunked\r\n\r\n1E\r\nusername",
    );
    assert_eq!(said(&(request + "\r\n0\r\n\r\n"), &plain).await, "");
    let head = format!("HEAD {PATH}?wsdl HTTP/1.1\r\nHost: h\r\n\r\n");
    let recorded = answer("Content-Length: 7\r\n", "");
    assert_eq!(said(&head, &recorded).await, "");
}

#[tokio::test]
async fn recordings_that_never_end_are_refused() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\n";
    let whole = answer("", ANSWER);
    assert_eq!(said(REQUEST, &(interim.repeat(16) + &whole)).await, "");
    // A malicious server may send these.
    for count in [17, 1_000_000] {
        let told = said(REQUEST, &(interim.repeat(count) + &whole)).await;
        assert!(told.contains("more than 16 interim answers"), "{told}");
    }
    let headers: String = (0..40_000)
        .map(|number| format!("x-{number}: 1\r\n"))
        .collect();
    let told = said(REQUEST, &answer(&headers, ANSWER)).await;
    assert!(told.contains("more than 1000 headers"), "{told}");
    let folder = TempDir::new().unwrap();
    write(folder.path(), "long", REQUEST, "");
    let file = fs::File::create(folder.path().join("long/response.http")).unwrap();
    file.set_len((256 << 20) + 1).unwrap();
    let error = replay(fixture::router(), &folder).await.unwrap_err();
    assert!(
        error.to_string().contains("it is longer than 256 MiB"),
        "{error}"
    );
}

#[tokio::test]
async fn differences_are_told_for_people() {
    let differs = answer("X-Own: 1\r\n", &ANSWER.replace("true", "tree"));
    let differs = differs.replace("200 OK", "500 Oops");
    let differs = differs.replace("private, max-age=0", "no-cache");
    assert_eq!(
        said(REQUEST, &differs).await,
        r#"  status: 500 Internal Server Error was recorded, the answer has 200 OK
  cache-control: ["no-cache"] was recorded, the answer has ["private, max-age=0"]
  x-own: ["1"] was recorded, the answer has none
  body: 98 bytes were recorded, the answer has 98; the first difference is at byte 86
             | <?xml version="1.0" encoding="utf-8"?>
    recorded | <boolean xmlns="http://example.com/svc/auth">tree</boolean>
    answered | <boolean xmlns="http://example.com/svc/auth">true</boolean>
"#
    );
}

/// Returns a call over SOAP without line ends, and its answer.
fn soap() -> (String, &'static str) {
    let soap = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><Login xmlns=\"http://example.com/svc/auth\">\
        <username>alice</username><password>secret</password></Login></s:Body></s:Envelope>";
    let request = format!(
        "POST {PATH} HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml; charset=utf-8\r\n\
         SOAPAction: \"http://example.com/svc/auth/Login\"\r\n\r\n{soap}"
    );
    let answer = "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\" \
        xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><soap:Body>\
        <LoginResponse xmlns=\"http://example.com/svc/auth\"><LoginResult>true</LoginResult></LoginResponse></soap:Body></soap:Envelope>";
    (request, answer)
}

#[tokio::test]
async fn bodies_are_shown_where_they_differ() {
    let (request, recorded) = soap();
    let said = async |recorded: &str| said(&request, &answer("", recorded)).await;
    assert_eq!(said(recorded).await, "");
    let told = said(&recorded.replace("true", "tr\r\u{202e}e")).await;
    let lines: Vec<_> = told.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "             |     <LoginResponse xmlns=\"http://example.com/svc/auth\">",
            "    recorded |       <LoginResult>tr\\r\\u{202e}e</LoginResult>",
            "    answered |       <LoginResult>true</LoginResult>",
        ]
    );
    // White space at the places of line ends in indented XML.
    let told = said(&recorded.replace("<soap:Body>", "\n  <soap:Body>")).await;
    assert!(told.contains("XMLSchema\">\\n  <soap:Body>"), "{told}");
    let told = said(&recorded[..300]).await;
    assert!(told.contains("300 bytes were recorded"), "{told}");
    let told = said("").await;
    assert!(
        told.contains("    recorded | \n    answered | <?xml"),
        "{told}"
    );
    // A line of a megabyte is shown only around the difference.
    let told = said(&recorded.replace("true", &"x".repeat(1_000_000))).await;
    assert!(told.len() < 1_000 && told.contains("xxx…"), "{told}");
}

#[tokio::test]
async fn compressed_bodies_are_not_compared() {
    let recorded = answer("Content-Encoding: gzip\r\n", "x");
    let told = said(REQUEST, &recorded).await;
    assert!(told.contains("record without Accept-Encoding"), "{told}");
}

#[tokio::test]
async fn headers_can_be_left_out() {
    let folder = TempDir::new().unwrap();
    let recorded = answer("X-Own: 1\r\n", ANSWER);
    write(folder.path(), "login", REQUEST, &recorded);
    let replay = Replay::new(&folder);
    let error = replay.run(&fixture::router()).await.expect_err("a header");
    let told = error.to_string();
    assert!(told.contains("login:\n  x-own: [\"1\"]"), "{told}");
    let replay = replay.with_ignored_header("x-own");
    replay.run(&fixture::router()).await.unwrap();
}

#[tokio::test]
async fn files_that_cannot_be_read_are_named() {
    let folder = TempDir::new().unwrap();
    let error = async || {
        let replayed = replay(fixture::router(), &folder).await;
        let text = replayed.expect_err("an error").to_string();
        text.replace(&*folder.path().to_string_lossy(), "FOLDER")
    };
    assert_eq!(
        error().await,
        "FOLDER: there is no exchange in it, a folder with the files request.http and response.http"
    );
    let whole = answer("", ANSWER);
    for (request, response, expected) in [
        (
            "",
            &*whole,
            "request.http: there is no empty line after its headers",
        ),
        (
            "GET /\r\n\r\n",
            &whole,
            "request.http: the first line is not like `POST /Greeter.asmx HTTP/1.1`",
        ),
        (
            "GET /a HTTP/1.1\r\nHost\r\n\r\n",
            &whole,
            "request.http: line 2 is not a header",
        ),
        (
            &*REQUEST.replace("30", "31"),
            &whole,
            "request.http: Content-Length is \"31\", and 30 bytes follow the headers: an editor may have changed the body",
        ),
        (
            REQUEST,
            "HTTP/1.1 abc\r\n\r\n",
            "response.http: the second word of the first line is not a status code",
        ),
        (
            REQUEST,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nshort",
            "response.http: its body is not in chunks, as Transfer-Encoding says",
        ),
    ] {
        write(folder.path(), "one", request, response);
        assert_eq!(error().await, format!("FOLDER/one/{expected}"));
    }
    fs::write(folder.path().join("one/request.http"), REQUEST).unwrap();
    fs::remove_file(folder.path().join("one/response.http")).unwrap();
    let said = error().await;
    assert!(said.starts_with("FOLDER/one/response.http: "), "{said}");
}
