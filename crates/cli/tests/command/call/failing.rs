//! Calls that are refused, and answers that are not results.

use super::*;

#[test]
fn wrong_arguments_are_refused_before_anything_is_sent() {
    let folder = folder();
    fs::write(
        folder.path().join("bad.yaml"),
        "order: { Lines: [{ Article: a, Count: x }] }",
    )
    .unwrap();
    fs::write(folder.path().join("none.yaml"), "order: [").unwrap();
    // Nothing listens there.
    let url = "http://127.0.0.1:1";
    for (arguments, expected) in [
        (
            &["Ordr"][..],
            "Shop has no operation 'Ordr'; it has Echo, Order, Login, Secure, Refuse; did you mean 'Order'?",
        ),
        (
            &["Echo", "nummer=1"],
            "nummer: there is no member 'nummer'; did you mean 'number'? Known: text, number, price, day, urgent, tone.",
        ),
        (
            &["Echo", "number=often"],
            "number: `often` does not fit: an integer of the range of Rust's i32 is expected",
        ),
        (
            &["Echo", "urgent=yes"],
            "urgent: `yes` does not fit: true or false is expected",
        ),
        (
            &["Echo", "tone=plain"],
            "tone: `plain` does not fit: a value of Tone is expected: Plain, Friendly; did you mean Plain?",
        ),
        (
            &["Echo", "text"],
            "`text` is not an argument of Echo: write it as `name=value`, or `@FILE`",
        ),
        (&["Echo", "text=a", "text=b"], "text is given twice"),
        (
            &["Echo"],
            "Echo.number: an integer of the range of Rust's i32 is expected, and missing.",
        ),
        (
            &["Order", "order.Lines.Article=a"],
            "order.Lines.Article: it is a list: its items are `[0]`, `[1]`",
        ),
        (
            &["Order", "order.Lines[1].Article=a"],
            "order.Lines[1].Article: give the item [0] first",
        ),
        (
            &["Order", "order.Lines[a]=b"],
            "the number of an item is written as `[0]`",
        ),
        (
            &["Order", "order=Pen"],
            "order: an object of the type Order is expected, not a text",
        ),
        (
            &["Order", "@bad.yaml"],
            "bad.yaml:1:39: order.Lines[0].Count: an integer of the range of Rust's i32 is expected",
        ),
        (&["Order", "@none.yaml"], "none.yaml:1:"),
        (&["Order", "@gone.yaml"], "gone.yaml cannot be read"),
        (
            &["Order", "--binding", "http-get"],
            "the operation Order is not offered over HTTP GET (hint: `--binding` chooses another binding)",
        ),
        (
            &["Login", "user=me", "password=env:SVCGEN_NO_SUCH"],
            "the environment variable SVCGEN_NO_SUCH, which is not set",
        ),
        (
            &["Login", "user=me", "password=prompt:"],
            "there is no terminal to ask for password on",
        ),
        (
            &["Echo", "--soap-header", "Session.Id=1"],
            "there is no member 'Session'",
        ),
        (
            &["Echo", "--samples", "--header", "Content-Length: 3"],
            "the command writes this header",
        ),
    ] {
        let called = call_in(folder.path(), url, arguments);
        assert!(called.stderr.contains(expected), "{expected}: {called:?}");
        assert_eq!((called.code, &*called.stdout), (Some(2), ""), "{called:?}");
    }
    let without = svcgen_in(folder.path(), &[&"call", &"shop.yaml", &"Echo"], b"");
    assert!(
        without.stderr.contains("`--url http://HOST`"),
        "{without:?}"
    );
    assert_eq!(without.code, Some(2));
}

#[test]
fn faults_have_a_code_a_text_and_a_detail() {
    let (server, folder) = (Server::start(), folder());
    for binding in ["soap11", "soap12"] {
        let called = call_in(
            folder.path(),
            &server.url,
            &["Refuse", "--binding", binding],
        );
        assert_eq!((called.code, &*called.stdout), (Some(3), ""), "{called:?}");
        assert!(
            called
                .stderr
                .starts_with("error: the service answered with a fault ("),
            "{called:?}"
        );
        assert!(called.stderr.contains("Sold out for ."), "{called:?}");
        let detail = "detail:\n  SoldOut:\n    Article: Pen\n    Left: 2\n";
        assert!(called.stderr.ends_with(detail), "{called:?}");
    }
}

#[test]
fn what_is_no_answer_has_codes_of_its_own() {
    let folder = folder();
    let echo = ["Echo", "--samples"];
    let called = call_in(folder.path(), "http://127.0.0.1:1", &echo);
    assert_eq!(called.code, Some(4), "{called:?}");
    assert!(
        called.stderr.contains("the server may be down"),
        "{called:?}"
    );

    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let late = call_in(
        folder.path(),
        &url,
        &["Echo", "--samples", "--timeout", "1"],
    );
    assert_eq!(late.code, Some(4), "{late:?}");
    assert!(
        late.stderr.contains("`--timeout` gives it more time"),
        "{late:?}"
    );

    for (head, body, expected) in [
        (
            "200 OK\r\nContent-Type: text/html",
            "<html>Sign in</html>",
            "a web page, as at another URL than that of the service",
        ),
        (
            "401 Unauthorized\r\nWWW-Authenticate: Basic",
            "",
            "it wants credentials for Basic: pass `--user NAME:PASSWORD`",
        ),
        (
            "401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"shop\", nonce=\"1\"",
            "",
            "it wants credentials for Digest, which the command does not know",
        ),
        (
            "401 Unauthorized\r\nWWW-Authenticate: NTLM",
            "",
            "it wants credentials for NTLM: `cargo install svcgen-cli --features negotiate` makes a command that has `--ntlm",
        ),
        ("200 OK\r\nContent-Type: text/xml", "<a", "the answer"),
    ] {
        let host = answering(head, body);
        let called = call_in(folder.path(), &host.0, &echo);
        assert_eq!((called.code, &*called.stdout), (Some(5), ""), "{called:?}");
        assert!(called.stderr.contains(expected), "{expected}: {called:?}");
        host.1.join().unwrap();
    }
}

/// Starts a server that answers one request with these bytes. Returns its URL and its thread.
pub(super) fn answering(head: &str, body: &str) -> (String, JoinHandle<()>) {
    use std::io::{Read, Write};
    let answer = format!(
        "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let thread = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut byte = [0];
        while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() > 0 {
            request.push(byte[0]);
        }
        let head = String::from_utf8(request).unwrap().to_lowercase();
        let length = head
            .split("content-length: ")
            .nth(1)
            .map_or("0", |rest| rest.split('\r').next().unwrap());
        let mut body = vec![0; length.parse().unwrap()];
        stream.read_exact(&mut body).unwrap();
        stream.write_all(answer.as_bytes()).unwrap();
    });
    (url, thread)
}

#[test]
fn answers_of_servers_are_never_printed_whole() {
    let folder = folder();
    let page = "<p>sold out</p>\n".repeat(10_000);
    let fault = format!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Server</faultcode><faultstring>{}</faultstring><detail>{page}</detail></s:Fault></s:Body></s:Envelope>"#,
        "x".repeat(100_000)
    );
    for (head, body) in [
        ("500 Error\r\nContent-Type: text/xml", &fault),
        ("500 Error\r\nContent-Type: text/html", &page),
        ("200 OK\r\nContent-Type: text/plain", &page),
    ] {
        let host = answering(head, body);
        let called = call_in(folder.path(), &host.0, &["Echo", "--samples"]);
        assert!(called.stderr.len() < 2000, "{called:?}");
        let is_fault = called.code == Some(3);
        assert_eq!(is_fault, called.stderr.contains("detail: <"), "{called:?}");
        host.1.join().unwrap();
    }
}

#[test]
fn bytes_limit_the_texts_of_answers_and_no_other_option_is_promised() {
    let folder = folder();
    let arguments = ["Login", "--samples", "--binding", "http-post"];
    let call = |attributes: &str, result: &str| {
        let body = format!("<string xmlns=\"urn:shop\"{attributes}>{result}</string>");
        let host = answering("200 OK\r\nContent-Type: text/xml", &body);
        let called = call_in(folder.path(), &host.0, &arguments);
        host.1.join().unwrap();
        called
    };
    let long = call("", &"x".repeat(5 << 20));
    assert_eq!((long.code, long.stdout.len() > 5 << 20), (Some(0), true));
    let attributes: String = (0..100).map(|number| format!(" a{number}=''")).collect();
    let wide = call(&attributes, "");
    assert!(wide.stderr.contains("More than 64 attributes"), "{wide:?}");
    assert!(!wide.stderr.contains("hint"), "{wide:?}");
}

#[test]
fn certificates_are_checked() {
    let rcgen::CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let tls = Tls::from_pem(cert.pem(), signing_key.serialize_pem()).unwrap();
    let (server, folder) = (Server::with(Some(tls)), folder());
    fs::write(folder.path().join("root.pem"), cert.pem()).unwrap();
    let refused = call_in(folder.path(), &server.url, &["Echo", "--samples"]);
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert!(
        refused.stderr.contains("add its root by `--ca FILE`"),
        "{refused:?}"
    );
    let trusted = call_in(
        folder.path(),
        &server.url,
        &["Echo", "--samples", "--ca", "root.pem"],
    );
    assert_eq!(trusted.code, Some(0), "{trusted:?}");
}

#[test]
fn a_login_of_windows_needs_a_feature() {
    let folder = folder();
    for login in [&["--negotiate"][..], &["--ntlm", "SHOP\\ann:s3cret"]] {
        let arguments = [&["Echo", "--samples"], login].concat();
        let called = call_in(folder.path(), "http://127.0.0.1:9", &arguments);
        let expected = "this command is built without the feature `negotiate`";
        assert!(called.stderr.contains(expected), "{called:?}");
        assert!(!called.stderr.contains("s3cret"), "{called:?}");
    }
}
