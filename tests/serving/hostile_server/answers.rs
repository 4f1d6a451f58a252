//! The table of answers, with the expected result over each transport.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use http::StatusCode;
use svcgen::CallErrorKind;
use svcgen::transport::TransportErrorKind;

/// The expected result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Answered,
    Transport(TransportErrorKind),
    Status(StatusCode),
    Kind(CallErrorKind),
}

use Expected::{Answered, Kind, Status, Transport};

impl Expected {
    pub(super) fn is_timeout(self) -> bool {
        self == TIMEOUT
    }
}

const BROKEN: Expected = Transport(TransportErrorKind::Exchange);
const TIMEOUT: Expected = Transport(TransportErrorKind::Timeout);
const TOO_LONG: Expected = Transport(TransportErrorKind::TooLong);
const CONTENT: Expected = Kind(CallErrorKind::Content);
const ELEMENT: Expected = Kind(CallErrorKind::Element);
const ILL_FORMED: Expected = Kind(CallErrorKind::IllFormed);

/// The end after the bytes of an answer.
pub(super) enum End {
    /// The server reads another request.
    Alive,
    /// The server stays silent.
    Silent,
    /// The connection is closed.
    Close,
    /// The connection is closed, without the closing alert of TLS.
    Cut,
    /// The connection is reset.
    Reset,
    /// These bytes are repeated without end.
    Endless(Vec<u8>),
    /// These bytes are repeated without end, slowly.
    Dripping(Vec<u8>),
}

pub(super) struct Answer {
    pub(super) what: String,
    pub(super) bytes: Vec<u8>,
    pub(super) end: End,
    /// Whether the transport asks for gzip, if it supports it.
    pub(super) wants_gzip: bool,
    pub(super) plain: Expected,
    pub(super) tls: Expected,
    pub(super) reqwest: Expected,
}

impl Answer {
    fn new(what: impl Into<String>, bytes: impl AsRef<[u8]>, end: End, expected: Expected) -> Self {
        Self {
            what: what.into(),
            bytes: bytes.as_ref().to_vec(),
            end,
            wants_gzip: false,
            plain: expected,
            tls: expected,
            reqwest: expected,
        }
    }

    fn over_tls(mut self, expected: Expected) -> Self {
        self.tls = expected;
        self
    }

    fn over_reqwest(mut self, expected: Expected) -> Self {
        self.reqwest = expected;
        self
    }

    fn in_gzip(mut self) -> Self {
        self.wants_gzip = true;
        self
    }
}

const BODY: &str = "<boolean xmlns=\"http://example.com/svc/auth\">true</boolean>";

/// A good answer.
pub(super) const GOOD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 59\r\n\r\n<boolean xmlns=\"http://example.com/svc/auth\">true</boolean>";

/// An answer that would be wrong for another call.
const FALSE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 60\r\n\r\n<boolean xmlns=\"http://example.com/svc/auth\">false</boolean>";

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n";

/// Returns the good body after these headers.
fn with(headers: &str) -> String {
    format!("{HEAD}{headers}\r\n{BODY}")
}

/// Returns a good answer with these additional headers.
fn besides(headers: &str) -> String {
    with(&format!("Content-Length: {}\r\n{headers}", BODY.len()))
}

/// Returns a good answer in chunks.
fn chunked() -> String {
    let (one, two) = BODY.split_at(20);
    with_chunks(&format!(
        "14\r\n{one}\r\n{:x}\r\n{two}\r\n0\r\n\r\n",
        two.len()
    ))
}

fn with_chunks(chunks: &str) -> String {
    format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n{chunks}")
}

fn deflated(body: &[u8]) -> Vec<u8> {
    let mut deflating = GzEncoder::new(Vec::new(), Compression::best());
    deflating.write_all(body).expect("memory");
    deflating.finish().expect("memory")
}

pub(super) fn answers() -> Vec<Answer> {
    assert_eq!(GOOD, besides("").as_bytes());
    let mut answers = heads();
    answers.extend(lengths());
    answers.extend(chunks());
    answers.extend(cut_off());
    answers.extend(without_end());
    answers.extend(interim());
    answers.extend(zipped());
    answers.extend(others());
    answers.extend(unasked());
    answers
}

/// Status lines and headers.
fn heads() -> Vec<Answer> {
    let rest = &besides("")["HTTP/1.1 200 OK".len()..];
    let mut answers: Vec<_> = [
        ("HTTP/1.0 200 OK", Answered),
        ("HTTP/1.1 200", Answered),
        ("HTTP/1.1 200 ", Answered),
        ("HTTP/1.1 200 \u{7f}", BROKEN),
        ("HTTP/1.1 200 \u{e9}", Answered),
        ("http/1.1 200 OK", BROKEN),
        ("HTTP/2.0 200 OK", BROKEN),
        ("HTTP/1.2 200 OK", BROKEN),
        ("HTTP/0.9 200 OK", BROKEN),
        ("HTTP/11 200 OK", BROKEN),
        ("HTTP 200 OK", BROKEN),
        ("HTTPS/1.1 200 OK", BROKEN),
        ("ICY 200 OK", BROKEN),
        ("SSH-2.0-OpenSSH_9.0", BROKEN),
        ("220 mail.example ESMTP", BROKEN),
        ("+OK POP3", BROKEN),
        ("<html>", BROKEN),
        ("HTTP/1.1  200 OK", BROKEN),
        ("HTTP/1.1\t200 OK", BROKEN),
        (" HTTP/1.1 200 OK", BROKEN),
        ("\r\nHTTP/1.1 200 OK", Answered),
        ("HTTP/1.1 20 OK", BROKEN),
        ("HTTP/1.1 2000 OK", BROKEN),
        ("HTTP/1.1 2x0 OK", BROKEN),
        ("HTTP/1.1 -20 OK", BROKEN),
        ("HTTP/1.1 000 OK", BROKEN),
        ("HTTP/1.1 200 O\0K", BROKEN),
        ("\u{0}\u{0}\u{0}\u{0}", BROKEN),
        ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}", BROKEN),
    ]
    .into_iter()
    .map(|(line, expected)| {
        Answer::new(
            format!("{line:?}"),
            [line, rest].concat(),
            End::Close,
            expected,
        )
    })
    .collect();
    answers.extend(
        [
            ("X", BROKEN),
            ("X y: z", BROKEN),
            ("X : y", BROKEN),
            (": y", BROKEN),
            (" folded: y", BROKEN),
            ("X: a\0b", BROKEN),
            ("X: a\rb", BROKEN),
            ("X\u{e9}: y", BROKEN),
            ("X: \u{e9}", Answered),
            ("X: ", Answered),
            ("X(y): z", BROKEN),
            ("Content-Type: text/html", Answered),
        ]
        .into_iter()
        .map(|(line, expected)| {
            let answer = besides(&format!("{line}\r\n"));
            Answer::new(format!("header {line:?}"), answer, End::Close, expected)
        }),
    );
    let many = |count| besides(&"X: y\r\n".repeat(count));
    let long = |length| besides(&format!("X: {}\r\n", "y".repeat(length)));
    answers.extend([
        Answer::new("90 headers", many(90), End::Close, Answered),
        Answer::new("200 headers", many(200), End::Close, BROKEN),
        Answer::new("10,000 headers", many(10_000), End::Close, BROKEN),
        Answer::new("a header of 10 kB", long(10_000), End::Close, Answered),
        Answer::new("a header of 1 MB", long(1_000_000), End::Close, BROKEN),
        Answer::new(
            "line feeds alone",
            besides("").replace("\r\n", "\n"),
            End::Close,
            Answered,
        ),
        Answer::new(
            "carriage returns alone",
            besides("").replace("\r\n", "\r"),
            End::Close,
            BROKEN,
        ),
        Answer::new("nothing but the body", BODY, End::Close, BROKEN),
        Answer::new(
            "random bytes",
            [0x9d, 0x01, 0xff, 0x7e, 0x0d, 0x0a].repeat(50),
            End::Close,
            BROKEN,
        ),
    ]);
    answers
}

/// The length of bodies.
fn lengths() -> Vec<Answer> {
    let length = BODY.len();
    let [shorter, longer] = [length - 1, length + 1];
    let rows = [
        (format!("Content-Length: {longer}"), BROKEN),
        (format!("Content-Length: {shorter}"), ILL_FORMED),
        ("Content-Length: 0".to_owned(), ELEMENT),
        ("Content-Length: -1".to_owned(), BROKEN),
        (format!("Content-Length: +{length}"), BROKEN),
        (format!("Content-Length: 0x{length:x}"), BROKEN),
        ("Content-Length: ".to_owned(), BROKEN),
        ("Content-Length: 1e2".to_owned(), BROKEN),
        ("Content-Length: 18446744073709551616".to_owned(), BROKEN),
        ("Content-Length: 18446744073709551615".to_owned(), BROKEN),
        ("Content-Length: 9000000000".to_owned(), TOO_LONG),
        (
            format!("Content-Length: {length}\r\nContent-Length: {length}"),
            Answered,
        ),
        (format!("Content-Length: {length}, {length}"), Answered),
        (
            format!("Content-Length: {length}\r\nContent-Length: {longer}"),
            BROKEN,
        ),
        (format!("Content-Length: {length}, {longer}"), BROKEN),
        (
            format!("Content-Length: {length}\r\nTransfer-Encoding: chunked"),
            BROKEN,
        ),
        ("Transfer-Encoding: gzip".to_owned(), Answered),
        ("Transfer-Encoding: identity".to_owned(), Answered),
        ("Transfer-Encoding: chunked, gzip".to_owned(), Answered),
        (
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked".to_owned(),
            BROKEN,
        ),
        ("Transfer-Encoding: \u{b}chunked".to_owned(), BROKEN),
    ];
    let mut answers: Vec<_> = rows
        .into_iter()
        .map(|(header, expected)| {
            let answer = with(&format!("{header}\r\n"));
            Answer::new(header, answer, End::Close, expected)
        })
        .collect();
    answers.extend([
        Answer::new(
            "a length that is not reached",
            with("Content-Length: 70\r\n"),
            End::Silent,
            TIMEOUT,
        ),
        Answer::new("no length", with(""), End::Close, Answered),
        Answer::new("no length, and a cut", with(""), End::Cut, Answered).over_tls(BROKEN),
        Answer::new("no length, and no end", with(""), End::Silent, TIMEOUT),
        Answer::new("no length, and a reset", with(""), End::Reset, BROKEN),
    ]);
    answers
}

/// The chunked coding.
fn chunks() -> Vec<Answer> {
    let length = format!("{:x}", BODY.len());
    let good = |size: &str| with_chunks(&format!("{size}\r\n{BODY}\r\n0\r\n\r\n"));
    let rows = [
        ("chunks", chunked(), Answered),
        ("an extension", good(&format!("{length};a=b")), Answered),
        ("an upper case size", good(&length.to_uppercase()), Answered),
        (
            "zeros before the size",
            good(&format!("00000{length}")),
            Answered,
        ),
        ("a size in another base", good("59"), BROKEN),
        ("a size that is none", good("x"), BROKEN),
        ("a negative size", good("-3b"), BROKEN),
        ("a size with 0x", good("0x3b"), BROKEN),
        ("no size", good(""), BROKEN),
        ("a huge size", good("fffffffffffffffff"), BROKEN),
        ("a size above the limit", good("7fffffffffffffff"), BROKEN),
        ("a smaller size", good("3a"), BROKEN),
        ("a larger size", good("3c"), BROKEN),
        (
            "a long extension",
            good(&format!("{length};{}", "x".repeat(100_000))),
            BROKEN,
        ),
        (
            "no end of the size",
            with_chunks(&format!("{length}{BODY}\r\n0\r\n\r\n")),
            BROKEN,
        ),
        (
            "no end of a chunk",
            with_chunks(&format!("{length}\r\n{BODY}0\r\n\r\n")),
            BROKEN,
        ),
        (
            "no last chunk",
            with_chunks(&format!("{length}\r\n{BODY}\r\n")),
            BROKEN,
        ),
        (
            "no end of the trailer",
            with_chunks(&format!("{length}\r\n{BODY}\r\n0\r\n")),
            BROKEN,
        ),
        (
            "a trailer",
            with_chunks(&format!("{length}\r\n{BODY}\r\n0\r\nX: y\r\n\r\n")),
            Answered,
        ),
        (
            "a trailer that is none",
            with_chunks(&format!("{length}\r\n{BODY}\r\n0\r\n\0\r\n\r\n")),
            BROKEN,
        ),
        (
            "a long trailer",
            with_chunks(&format!(
                "{length}\r\n{BODY}\r\n0\r\n{}\r\n",
                "X: y\r\n".repeat(50_000)
            )),
            BROKEN,
        ),
    ];
    let rows = rows.into_iter();
    rows.map(|(what, answer, expected)| Answer::new(what, answer, End::Close, expected))
        .collect()
}

/// A good answer, truncated after a number of bytes.
fn cut_off() -> Vec<Answer> {
    let mut answers = Vec::new();
    for (what, whole) in [("length", besides("")), ("chunks", chunked())] {
        let body = whole.find("\r\n\r\n").expect("a head") + 4;
        let cuts = [0, 1, 12, 17, 30, body - 2, body, body + 1, whole.len() - 1];
        for cut in cuts {
            let bytes = &whole.as_bytes()[..cut];
            let what = format!("{what}: {cut} bytes");
            answers.extend([
                Answer::new(format!("{what}, the end"), bytes, End::Close, BROKEN),
                Answer::new(format!("{what}, a reset"), bytes, End::Reset, BROKEN),
            ]);
            if cut != 1 {
                answers.push(Answer::new(
                    format!("{what}, silence"),
                    bytes,
                    End::Silent,
                    TIMEOUT,
                ));
            }
        }
        answers.push(Answer::new(
            format!("{what}: a cut"),
            &whole[..body + 1],
            End::Cut,
            BROKEN,
        ));
    }
    answers
}

/// Answers that never end.
fn without_end() -> Vec<Answer> {
    let endless = |what, head: &str, chunk: &[u8], expected| {
        Answer::new(what, head, End::Endless(chunk.to_vec()), expected)
    };
    let slow = |what, head: &str, chunk: &str| {
        Answer::new(what, head, End::Dripping(chunk.into()), TIMEOUT)
    };
    let spaces = [b' '; 10_000];
    let chunk = [&b"2710\r\n"[..], &spaces, b"\r\n"].concat();
    vec![
        endless("an endless status line", "HTTP/1.1 200 ", &spaces, BROKEN),
        endless("endless headers", HEAD, b"X: y\r\n", BROKEN),
        endless("an endless header", &format!("{HEAD}X: "), &spaces, BROKEN),
        endless("an endless body", &format!("{HEAD}\r\n"), &spaces, TOO_LONG),
        endless("endless chunks", &with_chunks(""), &chunk, TOO_LONG),
        endless(
            "endless chunks of a byte",
            &with_chunks(""),
            &b"1\r\n \r\n".repeat(1_000),
            TOO_LONG,
        ),
        endless(
            "an endless size of a chunk",
            &with_chunks(""),
            b"0",
            TIMEOUT,
        ),
        endless(
            "an endless trailer",
            &with_chunks("0\r\n"),
            &b"X: y\r\n".repeat(100),
            BROKEN,
        ),
        endless(
            "a long body",
            &format!("{HEAD}Content-Length: 100001\r\n\r\n"),
            &spaces,
            TOO_LONG,
        ),
        slow("a slow status line", "HTTP/1.1 200 ", "O"),
        slow("slow headers", HEAD, "X: y\r\n"),
        slow("a slow body", &format!("{HEAD}\r\n"), " "),
        slow("slow chunks", &with_chunks(""), "1\r\n \r\n"),
        slow("slow line feeds", "", "\r\n"),
    ]
}

/// Interim answers.
fn interim() -> Vec<Answer> {
    let proceed = "HTTP/1.1 100 Continue\r\n\r\n";
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
    let good = besides("");
    let endless = End::Endless(proceed.repeat(100).into());
    vec![
        Answer::new("100", [proceed, &good].concat(), End::Alive, Answered),
        Answer::new("103", [hints, &good].concat(), End::Alive, Answered),
        Answer::new(
            "fifty 100s",
            proceed.repeat(50) + &good,
            End::Alive,
            Answered,
        ),
        Answer::new("100 alone", proceed, End::Close, BROKEN),
        Answer::new("100, and silence", proceed, End::Silent, TIMEOUT),
        Answer::new("endless 100s", "", endless, TIMEOUT),
        Answer::new("slow 100s", "", End::Dripping(proceed.into()), TIMEOUT),
        Answer::new(
            "101",
            "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
            End::Close,
            Status(StatusCode::SWITCHING_PROTOCOLS),
        ),
    ]
}

/// Bodies in gzip.
fn zipped() -> Vec<Answer> {
    let zipped = |coding: &str, body: &[u8]| {
        let head = format!(
            "{HEAD}Content-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    };
    let good = deflated(BODY.as_bytes());
    let bomb = deflated(&vec![b' '; 10 << 20]);
    assert!(bomb.len() < 50_000);
    let cut = &good[..good.len() - 1];
    let mut wrong = good.clone();
    *wrong.last_mut().expect("a sum") ^= 1;
    let again = deflated(&good);
    let rows: [(&str, Vec<u8>, Expected); 8] = [
        ("gzip", zipped("gzip", &good), Answered),
        ("a bomb", zipped("gzip", &bomb), TOO_LONG),
        ("gzip that is cut off", zipped("gzip", cut), BROKEN),
        ("gzip with a wrong sum", zipped("gzip", &wrong), BROKEN),
        ("no gzip", zipped("gzip", BODY.as_bytes()), BROKEN),
        (
            "more after gzip",
            zipped("gzip", &[&good[..], BODY.as_bytes()].concat()),
            BROKEN,
        ),
        ("gzip of gzip", zipped("gzip, gzip", &again), CONTENT),
        ("brotli", zipped("br", &good), CONTENT),
    ];
    let mut answers = Vec::new();
    for (what, answer, expected) in rows {
        // reqwest only asks for gzip with a separate feature.
        let asked = Answer::new(what, &answer, End::Alive, expected);
        answers.push(asked.over_reqwest(CONTENT).in_gzip());
    }
    let unasked = Answer::new(
        "gzip that nobody asked for",
        zipped("gzip", &good),
        End::Alive,
        CONTENT,
    );
    answers.push(unasked);
    answers
}

/// Answers of other software than the service.
fn others() -> Vec<Answer> {
    let answer = |status: &str, kind: &str, body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nLocation: /elsewhere\r\nWWW-Authenticate: NTLM\r\n\r\n{body}"
        )
    };
    let html = "<html><body>\u{1b}[2Jhello</body></html>";
    let mut answers = vec![
        Answer::new(
            "a page",
            answer("200 OK", "text/html", html),
            End::Alive,
            CONTENT,
        ),
        Answer::new(
            "JSON",
            answer("200 OK", "application/json", "true"),
            End::Alive,
            CONTENT,
        ),
        Answer::new("no type", answer("200 OK", "", BODY), End::Alive, CONTENT),
        Answer::new(
            "an image",
            answer("200 OK", "image/png", "\u{0}PNG"),
            End::Alive,
            CONTENT,
        ),
        Answer::new(
            "text that is not XML",
            answer("200 OK", "text/xml", "true"),
            End::Alive,
            ILL_FORMED,
        ),
        Answer::new(
            "a page as XML",
            answer("200 OK", "text/xml", html),
            End::Alive,
            ELEMENT,
        ),
        Answer::new(
            "an empty body",
            answer("200 OK", "text/xml", ""),
            End::Alive,
            ELEMENT,
        ),
    ];
    for status in [
        300, 301, 302, 303, 304, 305, 307, 308, 400, 401, 402, 403, 404, 405, 407, 408, 409, 410,
        413, 414, 415, 418, 421, 426, 429, 431, 451, 501, 502, 503, 504, 505, 511, 599, 600, 999,
    ] {
        let status = StatusCode::from_u16(status).expect("a status");
        let line = format!("{} Whatever", status.as_u16());
        // 304 has no body, whatever its length (RFC 9112 §6.3).
        let end = if status == 304 {
            End::Close
        } else {
            End::Alive
        };
        answers.push(Answer::new(
            &line,
            answer(&line, "text/html", html),
            end,
            Status(status),
        ));
    }
    answers
}

/// More bytes than requested.
fn unasked() -> Vec<Answer> {
    let good = besides("");
    let no_content = "HTTP/1.1 204 No Content\r\n";
    vec![
        Answer::new("a good answer", &good, End::Alive, Answered),
        Answer::new(
            "a second answer",
            [&good, FALSE].concat(),
            End::Alive,
            Answered,
        ),
        Answer::new(
            "many answers",
            good.clone() + &FALSE.repeat(100),
            End::Alive,
            Answered,
        ),
        Answer::new(
            "a line feed more",
            good.clone() + "\r\n",
            End::Alive,
            Answered,
        ),
        Answer::new("a byte more", good.clone() + "x", End::Alive, Answered),
        Answer::new(
            "a second answer after chunks",
            chunked() + FALSE,
            End::Alive,
            Answered,
        ),
        Answer::new(
            "a body after 204",
            format!("{no_content}\r\n{FALSE}"),
            End::Alive,
            ELEMENT,
        ),
        Answer::new(
            "204 with a length",
            format!("{no_content}Content-Length: 129\r\n\r\n{FALSE}"),
            End::Alive,
            ELEMENT,
        ),
        Answer::new(
            "304 with a body",
            format!("HTTP/1.1 304 Not Modified\r\nContent-Length: 129\r\n\r\n{FALSE}"),
            End::Alive,
            Status(StatusCode::NOT_MODIFIED),
        ),
        Answer::new(
            "the connection is to be closed, and is not",
            besides("Connection: close\r\n"),
            End::Alive,
            Answered,
        ),
        Answer::new(
            "the connection is closed, and was not to be",
            &good,
            End::Close,
            Answered,
        ),
        Answer::new(
            "it is to be kept, and is cut",
            besides("Connection: keep-alive\r\n"),
            End::Cut,
            Answered,
        ),
    ]
}
