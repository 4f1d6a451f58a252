//! Calls over sockets whose callers disconnect, that take too long, that get no answer, and that
//! are too many.

use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use socket2::SockRef;
use svcgen::codegen::Endpoint;
use svcgen::{Binding, ServerOptions};
use svcgen_tests::raw_http::{Answer, Connection, Running};

use super::around;
use crate::worker::{WorkServer, Worker, body, call, call_over, head, notify, until};

fn sent(server: &Running, request: &[u8]) -> Connection {
    let mut connection = server.connect();
    connection.send(request).expect("sent");
    connection
}

fn assert_answered(answer: &Answer, operation: &str, text: &str) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let result = format!("<{operation}Result>{text}</{operation}Result>");
    assert!(answer.text().contains(&result), "{}", answer.text());
}

fn assert_busy(answer: &Answer, message: &str) {
    assert_eq!(answer.status, 503, "{}", answer.text());
    assert_eq!(answer.header("retry-after"), Some("1"));
    let text = format!("The service is busy: {message}. Send the request again later.\n");
    assert_eq!(answer.text(), text);
}

const NO_MEMORY: &str = "its limit of memory for requests is reached";

#[test]
fn a_reset_frees_the_connection_while_the_handler_finishes() {
    let worker = Worker::new();
    let server = running!(
        around(WorkServer::new(worker.clone())),
        with_max_connections(1)
    );
    for round in 0..3 {
        let connection = sent(&server, &call("Store", "wait"));
        until(&worker.counts.started, 2 * round + 1);
        connection.reset();
        assert_answered(&server.exchange(&call("Store", "next")), "Store", "next");
        assert_eq!(worker.counts.finished.load(SeqCst), 2 * round + 1);
        worker.release(1);
        until(&worker.counts.finished, 2 * round + 2);
    }
    assert_eq!(worker.counts.dropped.load(SeqCst), 0);
}

/// A disconnected caller is noticed in spite of a pipelined request.
#[test]
fn a_reset_after_pipelined_requests_frees_the_connection() {
    let worker = Worker::new();
    let server = running!(
        around(WorkServer::new(worker.clone())),
        with_max_connections(1)
    );
    let mut connection = sent(&server, &call("Store", "wait"));
    until(&worker.counts.started, 1);
    connection.send(&call("Store", "second")).expect("sent");
    std::thread::sleep(Duration::from_millis(50));
    connection.reset();
    assert_answered(&server.exchange(&call("Store", "next")), "Store", "next");
    worker.release(1);
    until(&worker.counts.finished, 2);
}

#[test]
fn what_comes_while_a_call_runs_is_not_lost() {
    let worker = Worker::new();
    let server = running!(around(WorkServer::new(worker.clone())));
    let mut connection = sent(&server, &call("Store", "wait"));
    until(&worker.counts.started, 1);
    let second = call("Read", "second");
    for part in [&second[..1], &second[1..30], &second[30..]] {
        connection.send(part).expect("sent");
        std::thread::sleep(Duration::from_millis(20));
    }
    worker.release(1);
    assert_answered(&connection.answer().expect("an answer"), "Store", "wait");
    assert_answered(&connection.answer().expect("an answer"), "Read", "second");
}

#[test]
fn a_caller_that_closes_its_side_is_answered() {
    let worker = Worker::new();
    let server = running!(around(WorkServer::new(worker.clone())));
    for (calls, operation) in ["Store", "Read"].into_iter().enumerate() {
        let mut connection = sent(&server, &call(operation, "wait"));
        connection.finish().expect("closed");
        until(&worker.counts.started, calls + 1);
        std::thread::sleep(Duration::from_millis(50));
        worker.release(1);
        assert_answered(&connection.answer().expect("an answer"), operation, "wait");
        assert_eq!(connection.rest().expect("the end"), b"");
    }
}

#[test]
fn safe_operations_are_cancelled_when_their_caller_is_gone() {
    let worker = Worker::new();
    let server = running!(around(WorkServer::new(worker.clone())));
    let connection = sent(&server, &call("Read", "wait"));
    until(&worker.counts.started, 1);
    connection.reset();
    until(&worker.counts.dropped, 1);
    assert_eq!(worker.counts.finished.load(SeqCst), 0);
    assert_answered(&server.exchange(&call("Read", "next")), "Read", "next");
}

/// A system sends a reset when it has forgotten a connection that its process closed on both sides.
#[test]
fn a_reset_of_a_caller_that_has_closed_its_side_is_noticed() {
    let worker = Worker::new();
    let server = running!(
        around(WorkServer::new(worker.clone())),
        with_max_connections(1)
    );
    let mut connection = sent(&server, &call("Read", "wait"));
    connection.finish().expect("closed");
    until(&worker.counts.started, 1);
    std::thread::sleep(Duration::from_millis(50));
    connection.reset();
    until(&worker.counts.dropped, 1);
    assert_answered(&server.exchange(&call("Read", "next")), "Read", "next");
}

#[test]
fn an_option_cancels_every_operation_but_one_way_ones() {
    let worker = Worker::new();
    let options = ServerOptions::new().with_cancel_abandoned(true);
    let server = running!(around(
        WorkServer::new(worker.clone()).with_options(options)
    ));
    let connection = sent(&server, &call("Store", "wait"));
    until(&worker.counts.started, 1);
    connection.reset();
    until(&worker.counts.dropped, 1);
    let mut connection = sent(&server, &notify("wait", "1"));
    assert_eq!(connection.answer().expect("an answer").status, 202);
    connection.reset();
    worker.release(1);
    until(&worker.counts.finished, 1);
}

/// Returns the requests of a call over each binding, with a part of the answer that shows a fault.
fn over_each_binding(text: &str) -> [(Vec<u8>, &'static str); 5] {
    [
        (
            Binding::Soap11,
            "<faultcode>soap:Server</faultcode><faultstring>Server was unable to process request. ---&gt; Request timed out.</faultstring>",
        ),
        (
            Binding::Soap12,
            "<soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang=\"en\">Server was unable to process request. ---&gt; Request timed out.</soap:Text>",
        ),
        (Binding::HttpGet, "Request timed out.\n"),
        (Binding::HttpPost, "Request timed out.\n"),
        (
            Binding::Json,
            r#"{"Message":"Request timed out.","StackTrace":"","ExceptionType":"System.Exception"}"#,
        ),
    ]
    .map(|(binding, fault)| (call_over(binding, "Store", text), fault))
}

#[test]
fn the_deadline_cancels_the_handler_and_answers_a_fault_over_each_binding() {
    let worker = Worker::new();
    let options = ServerOptions::new().with_deadline(Duration::from_millis(50));
    let server = running!(around(
        WorkServer::new(worker.clone()).with_options(options)
    ));
    // The connection stays open after a deadline, and after a panic of the cancelled handler.
    let mut connection = server.connect();
    let mut calls = 0;
    for text in ["wait", "panic when dropped"] {
        for (request, fault) in over_each_binding(text) {
            connection.send(&request).expect("sent");
            let answer = connection.answer().expect("an answer");
            assert_eq!(answer.status, 500, "{}", answer.text());
            assert!(answer.text().contains(fault), "{}", answer.text());
            calls += 1;
            assert_eq!(worker.counts.dropped.load(SeqCst), calls);
        }
    }
    connection.send(&call("Store", "next")).expect("sent");
    assert_answered(&connection.answer().expect("an answer"), "Store", "next");
}

#[test]
fn one_way_calls_are_answered_at_once_and_outlive_their_connection() {
    let worker = Worker::new();
    let mut server = running!(around(WorkServer::new(worker.clone())), with_max_calls(1));
    let mut connection = sent(&server, &notify("wait", "1"));
    let answer = connection.answer().expect("an answer");
    assert_eq!((answer.status, &answer.body[..]), (202, &b""[..]));
    assert_eq!(answer.header("content-type"), None);
    drop(connection);
    // It counts as a running call.
    assert_busy(
        &server.exchange(&call("Store", "next")),
        "its limit of 1 running calls is reached",
    );
    // A stopping server waits for it.
    server.ask_to_stop();
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(worker.counts.finished.load(SeqCst), 0);
    worker.release(1);
    server.stop().expect("a server that stops in peace");
    assert_eq!(worker.counts.finished.load(SeqCst), 1);
}

#[test]
fn one_way_calls_hear_what_is_wrong_with_their_parameters_alone() {
    let worker = Worker::new();
    let server = running!(around(WorkServer::new(worker.clone())));
    let answer = server.exchange(&notify("quick", "many"));
    assert_eq!(answer.status, 500);
    assert!(answer.text().contains("<faultcode>soap:Client</faultcode>"));
    // The handler only runs if the element matches the action.
    let other = body("Store", "quick");
    for (action, body, status) in [
        ("Notify", other.as_str(), 202),
        ("Notify", &other.replace("</text>", "</txt>"), 400),
        ("Read", &other, 500),
    ] {
        let answer = server.exchange((head(action, body.len()) + body).as_bytes());
        assert_eq!(answer.status, status, "{}", answer.text());
        assert_eq!(answer.body.is_empty(), status == 202);
    }
    assert_eq!(server.exchange(&notify("quick", "1")).status, 202);
    until(&worker.counts.finished, 1);
    // Panics are not reported, and have no effect on other calls.
    assert_eq!(server.exchange(&notify("panic", "1")).status, 202);
    worker.release(1);
    until(&worker.counts.finished, 2);
    // Over HTTP GET and POST, the answer is sent after the handler.
    let get = b"GET /Work.asmx/Notify?text=wait&count=1 HTTP/1.1\r\nHost: h\r\n\r\n";
    let mut connection = sent(&server, get);
    until(&worker.counts.started, 3);
    worker.release(1);
    assert_eq!(connection.answer().expect("an answer").status, 200);
    assert_eq!(worker.counts.finished.load(SeqCst), 3);
}

#[test]
fn calls_are_limited_before_their_bodies_are_read() {
    let worker = Worker::new();
    let server = running!(around(WorkServer::new(worker.clone())), with_max_calls(2));
    let mut first = sent(&server, &call("Store", "wait"));
    let abandoned = sent(&server, &call("Store", "wait"));
    until(&worker.counts.started, 2);
    abandoned.reset();
    for (request, _) in over_each_binding("third") {
        assert_busy(
            &server.exchange(&request),
            "its limit of 2 running calls is reached",
        );
    }
    // A caller that expects `100-continue` is told not to send the body.
    let head = head("Store", 1 << 20).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
    let answer = server.exchange(head.as_bytes());
    assert_busy(&answer, "its limit of 2 running calls is reached");
    assert!(answer.interim.is_empty());
    // Requests for documents are not calls.
    let wsdl = server.exchange(b"GET /Work.asmx?wsdl HTTP/1.1\r\nHost: h\r\n\r\n");
    assert_eq!(wsdl.status, 200);
    worker.release(2);
    assert_answered(&first.answer().expect("an answer"), "Store", "wait");
    until(&worker.counts.finished, 2);
    assert_answered(&server.exchange(&call("Store", "third")), "Store", "third");
}

#[test]
fn panics_of_abandoned_calls_free_what_they_hold() {
    let worker = Worker::new();
    let server = running!(
        around(WorkServer::new(worker.clone())),
        with_max_calls(1),
        with_max_body_memory(body("Store", "panic").len())
    );
    for round in 0..3 {
        let connection = sent(&server, &call("Store", "panic"));
        until(&worker.counts.started, 2 * round + 1);
        connection.reset();
        worker.release(1);
        until(&worker.counts.finished, 2 * round + 1);
        assert_answered(&server.exchange(&call("Store", "next!")), "Store", "next!");
    }
}

#[test]
fn bodies_are_limited_together() {
    let worker = Worker::new();
    let whole = body("Store", "wait").len();
    let all = 2 * whole;
    let server = running!(
        around(WorkServer::new(worker.clone())),
        with_max_body_memory(all)
    );
    let mut first = sent(&server, &call("Store", "wait"));
    until(&worker.counts.started, 1);
    // Exactly the rest of the memory, and one byte more, in one piece and in several.
    assert_answered(&server.exchange(&call("Store", "next")), "Store", "next");
    let longer = call("Store", "nexts");
    assert_busy(&server.exchange(&longer), NO_MEMORY);
    let (start, rest) = longer.split_at(longer.len() - 20);
    let mut connection = sent(&server, start);
    std::thread::sleep(Duration::from_millis(50));
    connection.send(rest).expect("sent");
    assert_busy(&connection.answer().expect("an answer"), NO_MEMORY);
    // The connection stays usable, and the server accepts the body once there is memory.
    connection.send(&call("Store", "next")).expect("sent");
    assert_answered(&connection.answer().expect("an answer"), "Store", "next");
    worker.release(1);
    assert_answered(&first.answer().expect("an answer"), "Store", "wait");
    assert_answered(&server.exchange(&longer), "Store", "nexts");
}

/// A body that exceeds the memory of all calls is refused permanently: no later try would succeed.
#[test]
fn a_body_longer_than_all_may_be_is_too_long() {
    let most = body("Store", "next").len();
    let server = running!(
        around(WorkServer::new(Worker::new())),
        with_max_body_memory(most)
    );
    assert_answered(&server.exchange(&call("Store", "next")), "Store", "next");
    let answer = server.exchange(&call("Store", "nexts"));
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(text.contains("Maximum request length exceeded."), "{text}");
}

/// An announced length does not count, but received bytes do, until the caller disconnects.
#[test]
fn bodies_count_with_what_has_arrived() {
    let all = body("Store", "next").len() + 100;
    let server = running!(
        around(WorkServer::new(Worker::new())),
        with_max_body_memory(all)
    );
    let mut waiting = Vec::new();
    for _ in 0..100 {
        waiting.push(sent(&server, (head("Store", all) + "<").as_bytes()));
    }
    let request = call("Store", "next");
    for _ in 0..20 {
        assert_answered(&server.exchange(&request), "Store", "next");
    }
    let next = call("Store", "nextx");
    assert_busy(&server.exchange(&next), NO_MEMORY);
}

#[test]
fn connections_of_an_address_are_limited() {
    let server = running!(
        around(WorkServer::new(Worker::new())),
        with_max_connections_per_address(2)
    );
    let request = call("Store", "next");
    let mut two = [sent(&server, &request), sent(&server, &request)];
    for connection in &mut two {
        assert_answered(&connection.answer().expect("an answer"), "Store", "next");
    }
    assert!(refused(&server), "a third one");
    drop(two);
    // The connection is accepted once the server has noticed the end of the others.
    for _ in 0..1000 {
        if !refused(&server) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("closed connections count");
}

fn refused(server: &Running) -> bool {
    let mut connection = server.connect();
    let _ = connection.send(&call("Store", "next"));
    connection.answer().is_err()
}

#[test]
fn answers_are_taken_in_a_total_time() {
    let worker = Worker::new();
    let long = "x".repeat(3 << 20);
    let server = running!(
        around(WorkServer::new(worker.clone())),
        with_max_connections(1),
        with_answer_timeout(Duration::from_millis(200))
    );
    // The caller does not read the answers, until the buffers of both systems are full.
    let mut connection = server.connect();
    let request = call("Store", &long);
    let sender = std::thread::spawn(move || {
        while connection.send(&request).is_ok() {}
        connection
    });
    assert_answered(&server.exchange(&call("Store", "next")), "Store", "next");
    drop(sender.join().expect("a sender"));
}

#[test]
fn connections_close_after_the_call_that_runs_at_their_age() {
    let worker = Worker::new();
    let server = running!(
        around(WorkServer::new(worker.clone())),
        with_max_connection_age(Duration::from_millis(100))
    );
    // This connection is older, so its age is reached when the other one is closed.
    let mut busy = sent(&server, &call("Store", "wait"));
    let mut idle = sent(&server, &call("Store", "next"));
    assert_answered(&idle.answer().expect("an answer"), "Store", "next");
    assert_eq!(idle.rest().expect("the end"), b"");
    worker.release(1);
    let answer = busy.answer().expect("an answer");
    assert_answered(&answer, "Store", "wait");
    assert_eq!(answer.header("connection"), Some("close"));
    assert_eq!(busy.rest().expect("the end"), b"");
}

#[test]
fn a_stop_waits_for_abandoned_calls_and_aborts_them_at_a_second_signal() {
    let worker = Worker::new();
    let service = around(WorkServer::new(worker.clone()));
    let (abort, aborted) = tokio::sync::oneshot::channel::<()>();
    let mut server = Running::start(move |listener, stopped| async move {
        let stop = async {
            let _ = stopped.await;
            svcgen::serve::Abort::when(async {
                let _ = aborted.await;
            })
        };
        svcgen::serve(listener, Endpoint::from(service))
            .with_shutdown(stop)
            .await
    });
    let abandoned = sent(&server, &call("Store", "wait"));
    let _waiting = sent(&server, &call("Store", "wait"));
    let mut notified = sent(&server, &notify("wait", "1"));
    assert_eq!(notified.answer().expect("an answer").status, 202);
    until(&worker.counts.started, 3);
    abandoned.reset();
    server.ask_to_stop();
    worker.release(1);
    until(&worker.counts.finished, 1);
    assert_eq!(worker.counts.dropped.load(SeqCst), 0);
    abort.send(()).expect("a server that waits");
    server.stop().expect("a server that stops in peace");
    until(&worker.counts.dropped, 2);
}

/// `Running` drops the runtime together with the server, so this server runs on the runtime of the
/// test.
#[tokio::test]
async fn aborted_calls_are_dropped_without_their_runtime() {
    let worker = Worker::new();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a free port");
    let address = listener.local_addr().expect("its address");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serve = svcgen::serve(
        listener,
        Endpoint::from(around(WorkServer::new(worker.clone()))),
    )
    .with_shutdown_timeout(Duration::from_millis(50))
    .with_shutdown(async {
        let _ = stopped.await;
    });
    let served = tokio::spawn(async { serve.await });
    let counts = &worker.counts;
    let mut waiting = Connection::open(address).expect("a connection");
    waiting.send(&call("Store", "wait")).expect("sent");
    while counts.started.load(SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    stop.send(()).expect("a server");
    served.await.expect("no panic").expect("no error");
    while counts.dropped.load(SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
}

/// Probes detect that the machine of a caller is gone, or that its system has forgotten the
/// connection.
#[tokio::test]
async fn silent_connections_are_probed() {
    let mut listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a free port");
    let _caller = Connection::open(listener.local_addr().expect("its address"));
    let (stream, address) = svcgen::serve::Listener::accept(&mut listener).await;
    assert!(address.is_some_and(|address| address.ip().is_loopback()));
    let socket = SockRef::from(&stream);
    assert!(socket.keepalive().expect("an option"));
    #[cfg(target_os = "linux")]
    assert_eq!(
        (
            socket.tcp_keepalive_time().expect("an option"),
            socket.tcp_keepalive_interval().expect("an option"),
            socket.tcp_keepalive_retries().expect("an option")
        ),
        (Duration::from_secs(15), Duration::from_secs(15), 3)
    );
}

/// The limit allows the heads of real callers.
#[test]
fn heads_are_limited() {
    let server = running!(around(WorkServer::new(Worker::new())));
    let with = |length: usize| {
        let head = head("Store", body("Store", "next").len());
        let head = head.replace(
            "\r\n\r\n",
            &format!("\r\nX-Long: {}\r\n\r\n", "x".repeat(length)),
        );
        (head + &body("Store", "next")).into_bytes()
    };
    assert_answered(&server.exchange(&with(30 << 10)), "Store", "next");
    assert_eq!(server.exchange(&with(70 << 10)).status, 431);
}
