//! The server and the client over TCP.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use svcgen::transport::TransportErrorKind;
use svcgen::{Binding, CallError, HttpTransport};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::calls::PATH;
use super::service::{Client, EchoRequest, Server, Shows};

/// Starts a server on a free port, which stops when the sender is dropped.
async fn start(
    router: bool,
) -> (
    SocketAddr,
    oneshot::Sender<()>,
    tokio::task::JoinHandle<std::io::Result<svcgen::serve::Stopped>>,
) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let stopped = async move { drop(stopped.await) };
    let limit = Duration::from_millis(300);
    let task = if router {
        let served = svcgen::serve(
            listener,
            svcgen::Router::new().with_service(Server::new(Shows)),
        );
        tokio::spawn(
            served
                .with_shutdown(stopped)
                .with_header_timeout(limit)
                .with_body_timeout(limit)
                .into_future(),
        )
    } else {
        let served = svcgen::serve(
            listener,
            axum::Router::new().fallback_service(Server::new(Shows)),
        );
        tokio::spawn(
            served
                .with_shutdown(stopped)
                .with_header_timeout(limit)
                .with_body_timeout(limit)
                .into_future(),
        )
    };
    (address, stop, task)
}

async fn exchange(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    timeout(Duration::from_secs(5), stream.read_to_end(&mut answer))
        .await
        .expect("the server closes")
        .unwrap();
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn calls_over_tcp() {
    for router in [true, false] {
        let (address, _stop, _task) = start(router).await;
        let client = Client::new(HttpTransport::new(), &format!("http://{address}")).unwrap();
        for binding in Binding::DEFAULT {
            let client = client.clone().with_binding(binding);
            for _ in 0..3 {
                let echoed = client
                    .echo(EchoRequest {
                        text: Some("é".to_owned()),
                    })
                    .await
                    .unwrap();
                assert_eq!(echoed.as_deref(), Some("é"));
                client.no_op().await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn headers_on_the_wire() {
    let (address, _stop, _task) = start(true).await;
    let answer = exchange(
        address,
        &format!("GET {PATH}/Echo?text=x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
    )
    .await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<_> = head
        .split("\r\n")
        .filter(|line| !line.starts_with("Date: "))
        .collect();
    lines[1..].sort_unstable();
    assert_eq!(
        lines,
        [
            "HTTP/1.1 200 OK",
            "Cache-Control: private, max-age=0",
            "Connection: close",
            &format!("Content-Length: {}", body.len()),
            "Content-Type: text/xml; charset=utf-8",
            "X-Content-Type-Options: nosniff"
        ]
    );
    let nothing = exchange(address, &format!("GET {PATH}/NoOp HTTP/1.0\r\n\r\n")).await;
    assert!(
        nothing.starts_with("HTTP/1.0 200 OK\r\n") && nothing.contains("Content-Length: 0\r\n"),
        "{nothing}"
    );
}

#[tokio::test]
async fn expect_continue_and_chunks() {
    let (address, _stop, _task) = start(true).await;
    let request = format!(
        "POST {PATH}/Echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ntext=\r\n3\r\nabc\r\n0\r\n\r\n"
    );
    let answer = exchange(address, &request).await;
    assert!(
        answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"),
        "{answer}"
    );
    assert!(answer.contains(">abc</string>"));
}

#[tokio::test]
async fn bodies_over_the_limit_are_answered() {
    let (address, _stop, _task) = start(true).await;
    let length = 5_000_000;
    let head = format!(
        "POST {PATH}/Echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n"
    );
    let answer = exchange(address, &(head + &"x".repeat(length))).await;
    assert!(
        answer.starts_with("HTTP/1.1 500 ")
            && answer.ends_with("\r\n\r\nUpload size exceeds httpRuntime limit.\n"),
        "{answer}"
    );
}

#[tokio::test]
async fn silence_is_cut() {
    let (address, _stop, _task) = start(true).await;
    let post = format!(
        "POST {PATH}/Echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\ntext"
    );
    let idle = format!("GET {PATH}/NoOp HTTP/1.1\r\nHost: h\r\n\r\n");
    for request in ["", "GET / HT", &post, &idle] {
        let start = Instant::now();
        let answer = exchange(address, request).await;
        let elapsed = start.elapsed();
        assert!(
            elapsed > Duration::from_millis(250),
            "{elapsed:?} {request} {answer}"
        );
        assert_eq!(answer.contains(" 200 OK"), request == idle, "{answer}");
    }
}

#[tokio::test]
async fn callers_that_take_nothing_are_cut() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = svcgen::serve(listener, Server::new(Shows))
        .with_write_timeout(Duration::from_millis(300))
        .with_max_connections(1);
    tokio::spawn(served.into_future());
    let mut stream = TcpStream::connect(address).await.unwrap();
    let text = "x".repeat(3_900_000);
    let head = format!(
        "POST {PATH}/Echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\ntext=",
        text.len() + 5
    );
    let send = async {
        for _ in 0..4 {
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(text.as_bytes()).await?;
        }
        Ok::<_, std::io::Error>(())
    };
    let _ = timeout(Duration::from_secs(2), send).await;
    // Only one connection is allowed: this one is served after the other is closed.
    let client = Client::new(
        HttpTransport::new().with_timeout(Duration::from_secs(5)),
        &format!("http://{address}"),
    )
    .unwrap();
    client.no_op().await.unwrap();
}

/// The header timeout does not run while an answer waits for the caller to read it.
#[tokio::test]
async fn answers_that_are_taken_late_are_whole() {
    const CALLS: usize = 4;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served =
        svcgen::serve(listener, Server::new(Shows)).with_header_timeout(Duration::from_millis(200));
    tokio::spawn(served.into_future());
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let (mut answers, mut requests) = socket.connect(address).await.unwrap().into_split();
    let text = "x".repeat(3_900_000);
    let request = format!(
        "POST {PATH}/Echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\ntext={text}",
        text.len() + 5
    );
    let sending = tokio::spawn(async move {
        for _ in 0..CALLS {
            requests.write_all(request.as_bytes()).await.unwrap();
        }
        requests
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut received = Vec::new();
    answers.read_to_end(&mut received).await.unwrap();
    let taken = received.iter().filter(|byte| **byte == b'x').count();
    assert!(taken >= CALLS * text.len(), "{taken} of {CALLS} answers");
    drop(sending.await.unwrap());
}

#[tokio::test]
async fn stop_is_graceful() {
    let (address, stop, task) = start(true).await;
    let client = Client::new(HttpTransport::new(), &format!("http://{address}")).unwrap();
    client.no_op().await.unwrap();
    drop(stop);
    timeout(Duration::from_secs(5), task)
        .await
        .expect("the server stops")
        .unwrap()
        .unwrap();
    let error = client.no_op().await.unwrap_err();
    assert!(
        matches!(&error, CallError::Transport(error) if error.kind() == TransportErrorKind::Connect),
        "{error:?}"
    );
}

#[tokio::test]
async fn servers_that_misbehave() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        for answer in [
            "",
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n123456789\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n",
        ] {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 1024];
            assert!(stream.read(&mut request).await.unwrap() > 0);
            stream.write_all(answer.as_bytes()).await.unwrap();
            if answer.ends_with("2\r\n\r\n") {
                tokio::time::sleep(Duration::from_secs(20)).await;
            }
        }
    });
    let transport = HttpTransport::new()
        .with_body_limit(8)
        .with_timeout(Duration::from_millis(500));
    let client = Client::new(transport, &format!("http://{address}")).unwrap();
    for kind in [
        TransportErrorKind::Exchange,
        TransportErrorKind::TooLong,
        TransportErrorKind::TooLong,
        TransportErrorKind::Timeout,
    ] {
        match client.no_op().await.unwrap_err() {
            CallError::Transport(error) if error.kind() == kind => {}
            other => panic!("{kind:?}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn schemes() {
    let client = Client::new(HttpTransport::new(), "https://localhost").unwrap();
    let error = client.no_op().await.unwrap_err();
    // Nothing listens there.
    let said = if cfg!(feature = "tls") {
        "no connection to localhost"
    } else {
        "needs the feature `tls`"
    };
    assert!(error.to_string().contains(said), "{error}");
}
