//! `svcgen record`: what it forwards, and what it writes.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::thread::{self, JoinHandle};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::relay::Relay;
use crate::{definition, svcgen};

/// Starts a recorder in front of a server.
fn start(upstream: &TcpListener, arguments: &[&dyn AsRef<OsStr>]) -> Relay {
    let upstream = format!("http://{}", upstream.local_addr().unwrap());
    let arguments = [&[&"--upstream" as &dyn AsRef<OsStr>, &upstream], arguments].concat();
    Relay::start("record", &arguments, &upstream)
}

/// Answers one request of this length with these bytes. Returns the request.
fn answer(listener: &TcpListener, length: usize, answer: &[u8]) -> JoinHandle<Vec<u8>> {
    let (listener, answer) = (listener.try_clone().unwrap(), answer.to_vec());
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = vec![0; length];
        stream.read_exact(&mut request).unwrap();
        stream.write_all(&answer).unwrap();
        request
    })
}

/// Calls through a recorder. Fails unless the server and the caller receive each other's bytes.
fn call(recorder: &Relay, server: &TcpListener, request: &[u8], response: &[u8]) {
    let answering = answer(server, request.len(), response);
    let mut caller = TcpStream::connect(&recorder.address).unwrap();
    caller.write_all(request).unwrap();
    let mut received = Vec::new();
    caller.read_to_end(&mut received).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&received),
        String::from_utf8_lossy(response)
    );
    let asked = answering.join().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&asked),
        String::from_utf8_lossy(request)
    );
}

fn request(head: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

const SOAP: &str = "POST /SvcDotNet/Authenticator.asmx HTTP/1.1\r\nhost: svc\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"http://www.arkona.com/Login\"\r\nX-Api-Key: k3y-in-a-header\r\nAuthorization: Basic Ym9iOmh1bnRlcjI=";
const ANSWER: &str = "HTTP/1.1 200 OK\r\nserver: IIS\r\nSet-Cookie: sid=in-a-cookie\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<a>\r\n4\r\n</a>\r\n0\r\n\r\n";
const BODY: &str = r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Header><Token xmlns="urn:x">in-a-header-of-soap</Token><o:Security xmlns:o="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"><o:UsernameToken><o:Username>bob</o:Username><o:Password>in-ws-security</o:Password></o:UsernameToken></o:Security></soap:Header><soap:Body><Login xmlns="http://www.arkona.com/"><username>bob</username><password>hunter2 &lt;&amp;</password></Login></soap:Body></soap:Envelope>"#;

/// Returns the contents of all files in a folder.
pub(crate) fn everything(folder: &Path) -> Vec<u8> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap());
    let all = entries.flat_map(|entry| {
        if entry.file_type().unwrap().is_dir() {
            everything(&entry.path())
        } else {
            fs::read(entry.path()).unwrap()
        }
    });
    all.collect()
}

#[test]
fn secrets_are_masked_before_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let (out, har) = (folder.path().join("out"), folder.path().join("all.har"));
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let authenticator = definition("authenticator.yaml");
    let mut recorder = start(&server, &[&"--out", &out, &"--har", &har, &authenticator]);
    let hinted = format!("HTTP/1.1 103 Early Hints\r\nX-Hint: in-an-interim\r\n\r\n{ANSWER}");
    call(&recorder, &server, &request(SOAP, BODY), hinted.as_bytes());
    let line = recorder.line();
    assert!(
        line.starts_with("00000001 POST /SvcDotNet/Authenticator.asmx 200 "),
        "{line}"
    );
    let form = "POST /SvcDotNet/Authenticator.asmx/Login HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded";
    call(
        &recorder,
        &server,
        &request(form, "username=bob&password=hunter2+%3C%26"),
        ANSWER.as_bytes(),
    );
    recorder.line();
    let get = b"GET /SvcDotNet/Authenticator.asmx/Login?username=bob&password=hunter2+%3C%26 HTTP/1.1\r\nhost: svc\r\n\r\n";
    call(&recorder, &server, get, ANSWER.as_bytes());
    let line = recorder.line();
    assert!(!line.contains("hunter2"), "{line}");
    for path in ["Login;pin=in-a-path", "Login%3Fpin=in-a-path"] {
        let get = format!("GET /SvcDotNet/Authenticator.asmx/{path} HTTP/1.1\r\nhost: svc\r\n\r\n");
        let answer = "HTTP/1.1 500 no user in-a-reason\r\nServer: IIS\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        call(&recorder, &server, get.as_bytes(), answer.as_bytes());
        let line = recorder.line();
        assert!(
            line.contains(" GET /SvcDotNet/Authenticator.asmx/[omitted] 500 "),
            "{line}"
        );
    }
    let said = format!("5 exchanges are in {}\n", out.display());
    assert_eq!(recorder.end(), said);

    let recorded = fs::read_to_string(out.join("00000001/request.http")).unwrap();
    assert!(recorded.starts_with("POST /SvcDotNet/Authenticator.asmx HTTP/1.1\r\nhost: svc\r\n"));
    assert!(recorded.contains("\r\nX-Api-Key: [secret]\r\n"));
    assert!(recorded.contains("<username>bob</username><password>[secret]</password>"));
    let recorded = fs::read_to_string(out.join("00000001/response.http")).unwrap();
    assert!(
        recorded.ends_with("\r\n\r\n<a></a>") || recorded.contains("[omitted]"),
        "{recorded}"
    );
    let about = fs::read_to_string(out.join("00000001/exchange.json")).unwrap();
    let about: serde_json::Value = serde_json::from_str(&about).unwrap();
    assert_eq!(
        (&about["is_whole"], &about["is_masked"]),
        (&true.into(), &true.into())
    );
    let archive: serde_json::Value = serde_json::from_slice(&fs::read(&har).unwrap()).unwrap();
    let entries = archive["log"]["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 5);
    assert_eq!(
        entries[4]["response"]["statusText"],
        "Internal Server Error"
    );
    let recorded = fs::read_to_string(out.join("00000005/response.http")).unwrap();
    assert!(recorded.starts_with("HTTP/1.1 500 Internal Server Error\r\nServer: IIS\r\n"));

    let all = everything(folder.path());
    for secret in [
        "hunter2",
        "k3y-in-a-header",
        "in-a-cookie",
        "in-an-interim",
        "in-a-path",
        "in-a-reason",
        "in-a-header-of-soap",
        "in-ws-security",
        "Ym9iOmh1",
    ] {
        for form in [secret.to_owned(), BASE64_STANDARD.encode(secret)] {
            let bare = form.trim_end_matches('=').as_bytes();
            let is_there = all.windows(bare.len()).any(|part| part == bare);
            assert!(!is_there, "{secret} as {form}");
        }
    }
}

const SHOP: &str = "\
service: Shop
namespace: urn:shop
path: /Shop.asmx
bindings: [soap11, soap12]
operations:
  Order:
    headers: { in: [Session] }
    parameters: { article: int, buyer: Buyer, extra: any? }
    result: Receipt
    faults: [SoldOut]
faults:
  SoldOut: { type: Receipt }
headers:
  Session: { type: string, secret: true }
types:
  Buyer: { elements: { Name: string, Card: { type: string, secret: true } } }
  Receipt: { elements: { Number: int, Code: { type: string, secret: true } } }
";

fn envelope(header: &str, body: &str) -> String {
    format!(
        r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Header>{header}</soap:Header><soap:Body>{body}</soap:Body></soap:Envelope>"#
    )
}

#[test]
fn values_are_beside_the_messages_that_say_them() {
    let folder = tempfile::tempdir().unwrap();
    let (out, shop) = (folder.path().join("out"), folder.path().join("shop.yaml"));
    fs::write(&shop, SHOP).unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut recorder = start(&server, &[&"--out", &out, &shop]);
    let head = "POST /Shop.asmx HTTP/1.1\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"urn:shop/Order\"";
    let order = "<Order xmlns='urn:shop'><article>7</article><buyer><Name>A\u{202e}a</Name><Card>4711-0815</Card></buyer><extra><Login><apiKey>k-in-xml</apiKey></Login></extra></Order>";
    let asked = request(
        head,
        &envelope("<Session xmlns='urn:shop'>s3ss10n</Session>", order),
    );
    let answers = [
        (
            200,
            "<OrderResponse xmlns='urn:shop'><OrderResult><Number>12</Number><Code>90210</Code></OrderResult></OrderResponse>",
        ),
        (
            500,
            "<soap:Fault><faultcode>soap:Server</faultcode><faultstring>No 7 for 4711-0815</faultstring><detail><SoldOut xmlns='urn:shop'><Number>13</Number><Code>90210</Code></SoldOut></detail></soap:Fault>",
        ),
        (
            500,
            "<soap:Fault><faultcode>soap:Server</faultcode><faultstring>No 7</faultstring></soap:Fault>",
        ),
        (200, "<html>no answer</html>"),
    ];
    for (status, body) in answers {
        let head = format!("HTTP/1.1 {status} Yes\r\nContent-Type: text/xml; charset=utf-8");
        call(
            &recorder,
            &server,
            &asked,
            &request(&head, &envelope("", body)),
        );
        recorder.line();
    }
    call(
        &recorder,
        &server,
        &request(head, "<no call/>"),
        ANSWER.as_bytes(),
    );
    recorder.line();
    recorder.end();

    let asked = "operation: Order\nbinding: soap11\nheaders:\n  Session: '[secret]'\nparameters:\n  article: 7\n  buyer:\n    Name: A\u{202e}a\n    Card: '[secret]'\n  extra: '[omitted]'\n";
    let expected = [
        "result:\n  Number: 12\n  Code: '[secret]'\n",
        "fault:\n  code: Server\n  text: '[secret]'\n  detail:\n    SoldOut:\n      Number: 13\n      Code: '[secret]'\n",
        "fault:\n  code: Server\n  text: No 7\n",
        "",
    ];
    for (number, expected) in (1..).zip(expected) {
        let folder = out.join(format!("{number:08}"));
        let values = fs::read_to_string(folder.join("values.yaml")).unwrap();
        // The character is escaped as in JSON, which is valid YAML.
        assert!(
            !values.contains('\u{202e}') && values.contains("A\\u202Ea"),
            "{values}"
        );
        let read = |yaml: &str| serde_yaml::from_str::<serde_json::Value>(yaml).unwrap();
        assert_eq!(read(&values), read(&format!("{asked}{expected}")));
        let about = fs::read(folder.join("exchange.json")).unwrap();
        let about: serde_json::Value = serde_json::from_slice(&about).unwrap();
        assert_eq!(about["operation"], "Order");
        assert_eq!(
            about["masked_parameters"],
            serde_json::json!(["buyer.Card", "extra"])
        );
    }
    // A request that is not a call has no values.
    assert!(out.join("00000005/request.http").exists());
    assert!(!out.join("00000005/values.yaml").exists());
    let all = everything(&out);
    for secret in ["4711-0815", "s3ss10n", "90210", "k-in-xml"] {
        let mut parts = all.windows(secret.len());
        assert!(!parts.any(|part| part == secret.as_bytes()), "{secret}");
    }
}

/// Masking works on messages only: the bytes of parts are put into them, in base64.
#[test]
fn parts_are_kept_in_their_messages_if_secrets_are_masked() {
    let folder = tempfile::tempdir().unwrap();
    let (out, shop) = (folder.path().join("out"), folder.path().join("shop.yaml"));
    fs::write(&shop, SHOP).unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut recorder = start(&server, &[&"--out", &out, &shop]);
    let include = |id| {
        format!("<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:{id}'/>")
    };
    let (name, card) = (include("name"), include("card"));
    let order = format!(
        "<Order xmlns='urn:shop'><article>7</article><buyer><Name>{name}</Name><Card>{card}</Card></buyer></Order>"
    );
    let message = envelope("", &order);
    let package = format!(
        "--b\r\nContent-Type: application/xop+xml; charset=utf-8; type=\"text/xml\"\r\n\r\n{message}\r\n--b\r\nContent-ID: <name>\r\n\r\nbob\r\n--b\r\nContent-ID: <card>\r\n\r\n4711-0815\r\n--b--"
    );
    let head = "POST /Shop.asmx HTTP/1.1\r\nContent-Type: multipart/related; type=\"application/xop+xml\"; boundary=b\r\nSOAPAction: \"urn:shop/Order\"";
    call(
        &recorder,
        &server,
        &request(head, &package),
        ANSWER.as_bytes(),
    );
    recorder.line();
    recorder.end();
    let folder = out.join("00000001");
    let recorded = fs::read_to_string(folder.join("request.http")).unwrap();
    for kept in [
        "\r\nContent-Type: text/xml; charset=\"utf-8\"\r\n",
        "<Name>Ym9i</Name><Card>[secret]</Card>",
    ] {
        assert!(recorded.contains(kept), "{recorded}");
    }
    let values = fs::read_to_string(folder.join("values.yaml")).unwrap();
    let buyer = "  buyer:\n    Name: Ym9i\n    Card: '[secret]'\n";
    assert!(values.contains(buyer), "{values}");
    let all = String::from_utf8(everything(&out)).unwrap();
    for secret in ["4711-0815", &BASE64_STANDARD.encode("4711-0815"), "--b"] {
        assert!(!all.contains(secret), "{secret}");
    }
}

/// Masking works on text only: compressed messages are kept without compression.
#[test]
fn compressed_messages_are_kept_uncompressed_if_secrets_are_masked() {
    let folder = tempfile::tempdir().unwrap();
    let (out, shop) = (folder.path().join("out"), folder.path().join("shop.yaml"));
    fs::write(&shop, SHOP).unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut recorder = start(&server, &[&"--out", &out, &shop]);
    let zipped = |head: &str, body: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body.as_bytes()).unwrap();
        let body = encoder.finish().unwrap();
        let length = body.len();
        let head = format!("{head}\r\nContent-Encoding: gzip\r\nContent-Length: {length}\r\n\r\n");
        [head.as_bytes(), &body].concat()
    };
    let head =
        "POST /Shop.asmx HTTP/1.1\r\nContent-Type: text/xml\r\nSOAPAction: \"urn:shop/Order\"";
    let order =
        "<Order xmlns='urn:shop'><article>7</article><buyer><Card>4711-0815</Card></buyer></Order>";
    let asked = zipped(head, &envelope("", order));
    let receipt = "<OrderResponse xmlns='urn:shop'><OrderResult><Number>12</Number><Code>90210</Code></OrderResult></OrderResponse>";
    let message = envelope("", receipt);
    let package = format!(
        "--b\r\nContent-Type: application/xop+xml; type=\"text/xml\"\r\n\r\n{message}\r\n--b--"
    );
    let of_package = "multipart/related; type=\"application/xop+xml\"; boundary=b";
    let long = message.clone() + &" ".repeat(4 << 20);
    for (media_type, body) in [
        ("text/xml", &message),
        (of_package, &package),
        ("text/xml", &long),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}");
        call(&recorder, &server, &asked, &zipped(&head, body));
        recorder.line();
    }
    recorder.end();
    for number in ["00000001", "00000002"] {
        let read = |name| fs::read_to_string(out.join(number).join(name)).unwrap();
        let [asked, answered] = ["request.http", "response.http"].map(read);
        for (message, content) in [
            (asked, "<Card>[secret]</Card>"),
            (answered, "<Number>12</Number><Code>[secret]</Code>"),
        ] {
            assert!(message.contains(content), "{message}");
            assert!(!message.contains("Content-Encoding"), "{message}");
        }
        let values = read("values.yaml");
        let result = "result:\n  Number: 12\n  Code: '[secret]'\n";
        assert!(values.ends_with(result), "{values}");
    }
    let long = fs::read_to_string(out.join("00000003/response.http")).unwrap();
    assert!(long.ends_with("\r\n\r\n[omitted]"), "{long}");
}

/// Their media type and XML declaration name the encoding, and readers decode them by it.
#[test]
fn masked_messages_stay_in_their_encodings() {
    let latin: fn(&str) -> Vec<u8> = |text| text.chars().map(|one| one as u8).collect();
    let utf_16: fn(&str) -> Vec<u8> = |text| {
        let units = ['\u{feff}' as u16].into_iter().chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let (out, shop) = (folder.path().join("out"), folder.path().join("shop.yaml"));
    fs::write(&shop, SHOP).unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut recorder = start(&server, &[&"--out", &out, &shop]);
    let [passed, masked] = ["4711", "[secret]"].map(|card| {
        let order = format!("<Order xmlns='urn:shop'><buyer><Name>Zoë</Name><Card>{card}</Card></buyer></Order>");
        let receipt = format!("<OrderResponse xmlns='urn:shop'><OrderResult><Code>{card}</Code></OrderResult></OrderResponse>");
        [envelope("", &order), envelope("", &receipt)]
    });
    for (charset, encode) in [("iso-8859-1", latin), ("utf-16", utf_16)] {
        let message = |first: &str, text: &str| {
            let body = encode(text);
            let head = format!(
                "{first}\r\nContent-Type: text/xml; charset={charset}\r\nSOAPAction: \"urn:shop/Order\"\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            [head.into_bytes(), body].concat()
        };
        let exchange = |[asked, answered]: &[String; 2]| {
            [
                message("POST /Shop.asmx HTTP/1.1", asked),
                message("HTTP/1.1 200 OK", answered),
            ]
        };
        let [asked, answered] = exchange(&passed);
        call(&recorder, &server, &asked, &answered);
        let line = recorder.line();
        let kept = out.join(line.split(' ').next().unwrap());
        for (name, whole) in ["request.http", "response.http"]
            .iter()
            .zip(exchange(&masked))
        {
            let kept = fs::read(kept.join(name)).unwrap();
            assert_eq!(
                kept.escape_ascii().to_string(),
                whole.escape_ascii().to_string()
            );
        }
    }
    recorder.end();
}

#[test]
fn without_a_definition_every_byte_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let out = folder.path().join("new/folder");
    for number in 1..=2 {
        // A second run continues the numbers of the first.
        let mut recorder = start(&server, &[&"--out", &out]);
        call(&recorder, &server, &request(SOAP, BODY), ANSWER.as_bytes());
        recorder.line();
        recorder.end();
        let kept = out.join(format!("{number:08}"));
        assert_eq!(
            fs::read(kept.join("request.http")).unwrap(),
            request(SOAP, BODY)
        );
        assert_eq!(
            fs::read(kept.join("response.http")).unwrap(),
            ANSWER.as_bytes()
        );
    }
}

#[test]
fn the_newest_exchanges_and_the_first_bytes_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (out, har) = (folder.path().join("out"), folder.path().join("all.har"));
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let limits: [&dyn AsRef<OsStr>; 8] = [
        &"--out",
        &out,
        &"--har",
        &har,
        &"--max-exchanges",
        &"2",
        &"--max-bytes",
        &"10",
    ];
    let mut recorder = start(&server, &limits);
    for _ in 0..4 {
        call(&recorder, &server, &request(SOAP, BODY), ANSWER.as_bytes());
        recorder.line();
    }
    let said = format!(
        "4 exchanges were written, and the newest 2 are in {}; 2 are not in the archive\n",
        out.display()
    );
    assert_eq!(recorder.end(), said);
    let archive: serde_json::Value = serde_json::from_slice(&fs::read(&har).unwrap()).unwrap();
    assert_eq!(archive["log"]["entries"].as_array().unwrap().len(), 2);
    let names = out.read_dir().unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["00000003", "00000004"]);
    let kept = fs::read_to_string(out.join("00000004/request.http")).unwrap();
    assert!(kept.ends_with(&format!("\r\n\r\n{}", &BODY[..10])));
    let about = fs::read_to_string(out.join("00000004/exchange.json")).unwrap();
    assert!(about.contains("\"is_whole\": false"));
}

/// Whether only its owner can access the file at a path.
fn is_private(path: &Path) -> bool {
    fs::metadata(path).unwrap().permissions().mode() & 0o077 == 0
}

#[test]
fn recordings_are_for_their_owner_and_follow_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (out, har) = (path("new/out"), path("all.har"));
    // The archive replaces a file that everyone can read.
    fs::write(&har, "of before").unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut recorder = start(&server, &[&"--out", &out, &"--har", &har]);
    call(&recorder, &server, &request(SOAP, BODY), ANSWER.as_bytes());
    recorder.line();
    recorder.end();
    let one = out.join("00000001");
    let files = ["request.http", "response.http", "exchange.json"].map(|name| one.join(name));
    for path in files.iter().chain([&path("new"), &out, &one, &har]) {
        assert!(is_private(path), "{}", path.display());
    }

    let (to_folder, to_file) = (path("to-folder"), path("to-file"));
    fs::write(path("other"), "of somebody").unwrap();
    symlink(path("other"), &to_file).unwrap();
    symlink(&out, &to_folder).unwrap();
    let up = &"http://localhost:1";
    let arguments: [&[&dyn AsRef<OsStr>]; 2] = [
        &[&"record", &"--upstream", up, &"--out", &to_folder],
        &[
            &"record",
            &"--upstream",
            up,
            &"--out",
            &out,
            &"--har",
            &to_file,
        ],
    ];
    for arguments in arguments {
        let ended = svcgen(arguments);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains("is a symbolic link"), "{ended:?}");
    }
    assert_eq!(fs::read(path("other")).unwrap(), b"of somebody");
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_is_counted_and_breaks_no_call() {
    let folder = tempfile::tempdir().unwrap();
    let (out, har) = (folder.path().join("out"), folder.path().join("all.har"));
    let server = crate::shadow::Server::always(ANSWER);
    let url = server.url();
    let arguments: [&dyn AsRef<OsStr>; 6] = [&"--upstream", &url, &"--out", &out, &"--har", &har];
    let mut recorder = Relay::start("record", &arguments, &url);
    let mut caller = TcpStream::connect(&recorder.address).unwrap();
    let mut call = || {
        caller.write_all(&request(SOAP, BODY)).unwrap();
        let mut received = vec![0; ANSWER.len()];
        caller.read_exact(&mut received).unwrap();
        assert_eq!(received, ANSWER.as_bytes());
    };
    call();
    recorder.line_with("00000001 POST");
    fs::remove_dir_all(&out).unwrap();
    fs::remove_file(&har).unwrap();
    call();
    call();
    // Each call reports the folder and the archive.
    for _ in 0..4 {
        let error = recorder.error();
        assert!(error.contains("cannot be written: No such file"), "{error}");
    }
    fs::create_dir(&out).unwrap();
    call();
    recorder.line_with("00000004 POST");
    let said = recorder.end_with(2);
    let expected = format!(
        "2 exchanges are in {}; 2 could not be written; 3 are not in the archive\n",
        out.display()
    );
    assert_eq!(said, expected);
    assert!(out.join("00000004/request.http").exists() && !har.exists());
}

#[test]
#[cfg(target_os = "linux")]
fn long_bodies_pass_in_flat_memory() {
    use crate::shadow::{MOST_GROWTH, pass_long_bodies};

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut recorder = start(&server, &[&"--out", &out]);
    let before = recorder.peak();
    pass_long_bodies(server, &recorder.address);
    recorder.line();
    recorder.line();
    let grown = recorder.peak() - before;
    assert!(grown < MOST_GROWTH, "{grown}");
    recorder.end();
    let kept = fs::metadata(out.join("00000002/response.http")).unwrap();
    assert!(kept.len() < 2 << 20);
}

#[test]
#[cfg(target_os = "linux")]
fn pages_whose_name_leads_here_reach_no_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = crate::shadow::Server::always(ANSWER);
    let url = server.url();
    let out = folder.path();
    let with: [&dyn AsRef<OsStr>; 4] = [&"--upstream", &url, &"--out", &out];
    let host: [&dyn AsRef<OsStr>; 2] = [&"--host", &"site.example"];
    for more in [&[][..], &host] {
        let mut recorder = Relay::start("record", &[&with, more].concat(), &url);
        let ask = |host: &str| {
            let mut caller = TcpStream::connect(&recorder.address).unwrap();
            let asked = format!("GET /?for={host} HTTP/1.1\r\nHost: {host}\r\n\r\n");
            caller.write_all(asked.as_bytes()).unwrap();
            let mut status = [0; 12];
            caller.read_exact(&mut status).unwrap();
            String::from_utf8(status.to_vec()).unwrap()
        };
        for host in [
            "evil.example",
            "localhost.evil.example:80",
            "192.0.2.1",
            "bob:hunter2@localhost",
        ] {
            assert_eq!(ask(host), "HTTP/1.1 403", "{host}");
        }
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "[::1]",
            &recorder.address,
            "shop",
        ] {
            assert_eq!(ask(host), "HTTP/1.1 200", "{host}");
        }
        let line = recorder.line_with("is refused");
        assert!(
            line.ends_with(
                " is refused: it asks for `evil.example`, which `--allow-host` would accept\n"
            ),
            "{line}"
        );
        let line = recorder.line_with("]@localhost");
        assert!(line.contains("asks for `[omitted]@localhost`"), "{line}");
        recorder.end();
    }
    let asked = server.asked();
    assert_eq!(asked.len(), 10);
    assert!(
        !asked
            .iter()
            .any(|request| request.contains("evil") || request.contains("192"))
    );
}

/// Opens a connection from another loopback address, and sends one byte.
#[cfg(target_os = "linux")]
fn begun_from_elsewhere(address: &str) -> TcpStream {
    use socket2::{Domain, SockAddr, Socket, Type};
    use std::net::SocketAddr;

    let other: SocketAddr = "127.0.0.2:0".parse().unwrap();
    let address: SocketAddr = address.parse().unwrap();
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SockAddr::from(other)).unwrap();
    socket.connect(&SockAddr::from(address)).unwrap();
    let mut stream = TcpStream::from(socket);
    // The connection may already be closed.
    let _ = stream.write_all(b"P");
    stream
}

#[test]
#[cfg(target_os = "linux")]
fn an_address_that_opens_all_its_connections_stops_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let server = crate::shadow::Server::always(ANSWER);
    let url = server.url();
    let arguments: [&dyn AsRef<OsStr>; 8] = [
        &"--upstream",
        &url,
        &"--out",
        &folder.path(),
        &"--max-connections",
        &"20",
        &"--max-connections-per-address",
        &"10",
    ];
    let mut recorder = Relay::start("record", &arguments, &url);
    let _begun: Vec<_> = (0..100)
        .map(|_| begun_from_elsewhere(&recorder.address))
        .collect();
    let mut caller = TcpStream::connect(&recorder.address).unwrap();
    caller.write_all(&request(SOAP, BODY)).unwrap();
    let mut received = vec![0; ANSWER.len()];
    caller.read_exact(&mut received).unwrap();
    assert_eq!(received, ANSWER.as_bytes());
    let line = recorder.line_with("127.0.0.2:");
    assert!(
        line.contains("is refused: 10 connections of its address are open"),
        "{line}"
    );
    recorder.line_with("00000001 POST");
    recorder.end();
}

#[test]
#[cfg(target_os = "linux")]
fn a_head_that_never_ends_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let server = crate::shadow::Server::always(ANSWER);
    let url = server.url();
    let arguments: [&dyn AsRef<OsStr>; 6] = [
        &"--upstream",
        &url,
        &"--out",
        &folder.path(),
        &"--head-timeout",
        &"1",
    ];
    let mut recorder = Relay::start("record", &arguments, &url);
    let mut caller = TcpStream::connect(&recorder.address).unwrap();
    caller.write_all(b"P").unwrap();
    assert!(!matches!(caller.read(&mut [0]), Ok(1)));
    let line = recorder.line();
    assert!(
        line.contains("the head of a request did not come in time"),
        "{line}"
    );
    recorder.end();
}

#[test]
#[cfg(target_os = "linux")]
fn interim_answers_without_end_take_neither_memory_nor_disk() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut recorder = start(&server, &[&"--out", &out]);
    let before = recorder.peak();
    let interim = "HTTP/1.1 100 Continue\r\n\r\n".repeat(1 << 20);
    call(
        &recorder,
        &server,
        &request(SOAP, BODY),
        (interim + ANSWER).as_bytes(),
    );
    let line = recorder.line();
    assert!(line.contains("too many interim answers"), "{line}");
    let grown = recorder.peak() - before;
    assert!(grown < crate::shadow::MOST_GROWTH, "{grown}");
    recorder.end();
    let kept = fs::metadata(out.join("00000001/response.http")).unwrap();
    assert!(kept.len() < 1000, "{}", kept.len());
}

#[test]
fn what_cannot_work_is_refused_before_anything_passes() {
    let folder = tempfile::tempdir().unwrap();
    let (file, taken) = (
        folder.path().join("file"),
        TcpListener::bind("127.0.0.1:0").unwrap(),
    );
    fs::write(&file, "no certificate").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let out = folder.path().join("out");
    let up = &"http://localhost:1";
    let cases: [(&[&dyn AsRef<OsStr>], &str); 6] = [
        (
            &[&"--upstream", &"https://host/path", &"--out", &out],
            "scheme, host and port",
        ),
        (
            &[&"--upstream", &"ftp://host", &"--out", &out],
            "scheme, host and port",
        ),
        (
            &[&"--upstream", up, &"--out", &file],
            "cannot be written into",
        ),
        (
            &[&"--upstream", up, &"--out", &out, &"--address", &address],
            "cannot listen on",
        ),
        (
            &[
                &"--upstream",
                up,
                &"--out",
                &out,
                &"--certificate",
                &file,
                &"--key",
                &file,
            ],
            "it is not PEM",
        ),
        (
            &[&"--upstream", up, &"--out", &out, &"none.yaml"],
            "none.yaml",
        ),
    ];
    for (arguments, expected) in cases {
        let mut all: Vec<&dyn AsRef<OsStr>> = vec![&"record"];
        all.extend(arguments);
        let ended = svcgen(&all);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(expected), "{ended:?}");
    }
}
