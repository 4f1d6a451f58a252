//! Originals that give no answer, or one that is not HTTP.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use svcgen::fallback::Fallback;
use svcgen::{Binding, HttpTransport, ServerOptions};
use svcgen_observe::trace::TraceLayer;

use super::original::Original;
use super::work::WorkServer;
use super::{Nothing, call, exchange_all};
use crate::traces::Log;

/// Checks that every binding reports the missing answer like a fault.
fn assert_told(fallback: Fallback, options: ServerOptions, status: u16, why: &str) {
    let server = WorkServer::new(Nothing).with_options(options);
    let server = running!(server.with_fallback(fallback));
    for (binding, answer) in exchange_all(&server) {
        assert_eq!(answer.status, status, "{binding} {answer:?}");
        assert!(answer.text().contains(why), "{binding} {answer:?}");
        let content_type = answer.header("content-type").unwrap();
        let expected = match binding {
            Binding::Soap11 => "text/xml; charset=utf-8",
            Binding::Soap12 => "application/soap+xml; charset=utf-8",
            Binding::Json => "application/json; charset=utf-8",
            _ => "text/plain; charset=utf-8",
        };
        assert_eq!(content_type, expected, "{binding}");
        assert_eq!(
            answer.text().contains("Fault>"),
            binding.is_soap(),
            "{binding}"
        );
    }
    let other = server.exchange(b"GET /other HTTP/1.1\r\nHost: h\r\n\r\n");
    assert_eq!(other.status, status);
    assert!(other.text().contains(why), "{other:?}");
}

#[test]
fn one_that_cannot_be_reached_is_told_without_its_name() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    drop(listener);
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    let fallback = HttpTransport::fallback(&format!("http://{host}")).unwrap();
    let fallback = fallback.with_report(move |error| kept.lock().unwrap().push(error.to_string()));
    let why = "cannot be reached. The request was not sent";
    assert_told(fallback.clone(), ServerOptions::new(), 502, why);
    let told = told.lock().unwrap();
    assert_eq!(told.len(), Binding::ALL.len() + 1);
    assert!(told.iter().all(|error| error.contains(&host)), "{told:?}");
    let server = running!(WorkServer::new(Nothing).with_fallback(fallback.with_report(|_| {})));
    assert!(
        !server
            .exchange(&call("Read", "a"))
            .text()
            .contains("127.0.0.1")
    );
}

#[tokio::test]
async fn the_log_has_the_cause_unless_a_function_takes_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    drop(listener);
    let (log, _guard) = Log::start();
    let fallback = || HttpTransport::fallback(&format!("http://{host}")).unwrap();
    for (fallback, is_logged) in [(fallback(), true), (fallback().with_report(|_| {}), false)] {
        let server = WorkServer::new(Nothing).with_fallback(fallback);
        let server = server.with_layer(TraceLayer::new());
        let before = log.text().len();
        let request = http::Request::get("/Work.asmx/Read?text=a");
        let request = request.body(svcgen::bytes::Bytes::new());
        assert_eq!(server.answer(request.unwrap()).await.status(), 502);
        let text = log.text()[before..].to_owned();
        let told = text.lines().filter(|line| line.contains(&host)).count();
        assert_eq!(told, usize::from(is_logged), "{text}");
        let is_told = |line: &str| line.contains("call ended") && line.starts_with("ERROR");
        assert!(text.lines().any(is_told), "{text}");
    }
}

#[test]
fn what_is_no_answer_is_not_passed_on() {
    for (answer, why) in [
        (&b"rubbish\r\n\r\n"[..], "gave no answer of HTTP"),
        (b"", "gave no answer of HTTP"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
            "did not answer in time",
        ),
        (
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
            "gave no answer of HTTP",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n",
            "gave a longer answer",
        ),
    ] {
        let original = Original::answering(answer);
        // Slow answers get enough time, missing answers are waited for only briefly.
        let (status, time) = if why.contains("in time") {
            (504, Duration::from_millis(100))
        } else {
            (502, Duration::from_secs(20))
        };
        let transport = HttpTransport::new()
            .with_body_limit(1000)
            .with_timeout(time);
        let fallback = Fallback::over(transport, &original.url()).unwrap();
        assert_told(fallback, ServerOptions::new(), status, why);
    }
}

#[test]
fn the_deadline_of_the_server_holds() {
    // It accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let options = ServerOptions::new().with_deadline(Duration::from_millis(100));
    let began = Instant::now();
    let why = "did not answer in time. It may have run the call.";
    assert_told(HttpTransport::fallback(&url).unwrap(), options, 504, why);
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn urls_that_name_no_server_are_refused() {
    for (url, why) in [
        ("", "it is not a URL"),
        (
            "old.corp.example",
            "it does not begin with http:// or https://",
        ),
        ("ftp://old", "it does not begin with http:// or https://"),
        ("http://old:99999", "1 to 65535"),
        (
            "http://old/Orders.asmx",
            "requests keep their own path and query",
        ),
        ("http://old/?wsdl", "requests keep their own path and query"),
        ("http://user:hunter2@old", "the host of the URL is none"),
    ] {
        let error = HttpTransport::fallback(url).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        assert!(error.contains("give a URL such as http://"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
    for url in [
        "http://old",
        "http://old:8080/",
        "https://[::1]:8443",
        "HTTP://OLD",
    ] {
        assert!(HttpTransport::fallback(url).is_ok(), "{url}");
    }
}
