//! Sources of connections: Unix sockets, several listeners, channels, sockets of a service manager,
//! and a listener for each core.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svcgen::Router;
use svcgen::serve::AnyListener;
use svcgen_tests::fixture;
use svcgen_tests::raw_http::{Connection, parse_answer};
use tokio::sync::{mpsc, oneshot};

use crate::worker::{WorkServer, Worker, call};

const LOGIN: &[u8] = b"GET /SvcDotNet/Authenticator.asmx/Login?username=alice&password=secret HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

/// Makes a call over a stream, and checks the answer.
fn login(mut stream: impl Read + Write) {
    stream.write_all(LOGIN).expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let answer = parse_answer(&answer);
    assert!(
        answer.status == 200 && answer.text().ends_with(">true</boolean>"),
        "{answer:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unix_sockets_and_tcp_are_served_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("socket");
    let tcp = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let other = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let ports = [&tcp, &other].map(|one| one.local_addr().expect("an address"));
    let unix = tokio::net::UnixListener::bind(&path).expect("a socket");
    let listeners = vec![
        AnyListener::new(tcp),
        AnyListener::new(unix),
        AnyListener::new(other),
    ];
    let (stop, stopped) = oneshot::channel::<()>();
    let serve = svcgen::serve(listeners, fixture::router());
    let serve = serve.with_shutdown(async { drop(stopped.await) });
    let served = tokio::spawn(serve.into_future());
    tokio::task::spawn_blocking(move || {
        for _ in 0..3 {
            login(UnixStream::connect(&path).expect("a connection"));
            for port in ports {
                login(TcpStream::connect(port).expect("a connection"));
            }
        }
        // Several concurrent connections are all accepted.
        let streams: Vec<_> = (0..20)
            .map(|_| UnixStream::connect(&path).expect("a connection"))
            .collect();
        streams.into_iter().for_each(login);
    })
    .await
    .expect("no panic");
    stop.send(()).expect("a server");
    served.await.expect("no panic").expect("stopped");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_unix_socket_is_a_listener_and_its_gone_callers_are_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("socket");
    let worker = Worker::new();
    let listener = tokio::net::UnixListener::bind(&path).expect("a socket");
    let service = Router::new().with_service(WorkServer::new(worker.clone()));
    tokio::spawn(async { svcgen::serve(listener, service).await });
    let counts = Arc::clone(&worker.counts);
    tokio::task::spawn_blocking(move || {
        let mut stream = UnixStream::connect(&path).expect("a connection");
        stream.write_all(&call("Read", "wait")).expect("sent");
        crate::worker::until(&counts.started, 1);
        // Safe operations are cancelled when their caller disconnects.
        drop(stream);
        crate::worker::until(&counts.dropped, 1);
    })
    .await
    .expect("no panic");
}

#[tokio::test]
async fn a_channel_of_connections_is_served() {
    let (accept, accepted) = mpsc::channel(1);
    let (stop, stopped) = oneshot::channel::<()>();
    let serve = svcgen::serve(accepted, fixture::router());
    let serve = serve.with_shutdown(async { drop(stopped.await) });
    let served = tokio::spawn(serve.into_future());
    for _ in 0..3 {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        theirs.set_nonblocking(true).expect("a stream");
        let theirs = tokio::net::UnixStream::from_std(theirs).expect("a stream");
        accept.send((theirs, None)).await.expect("a server");
        tokio::task::spawn_blocking(|| login(ours))
            .await
            .expect("no panic");
    }
    // There are no further connections, but the server runs until it is stopped.
    drop(accept);
    tokio::task::yield_now().await;
    assert!(!served.is_finished());
    stop.send(()).expect("a server");
    served.await.expect("no panic").expect("stopped");
}

/// A service manager passes a TCP and a Unix socket, gets notified when the server is ready, and
/// stops it.
#[test]
fn sockets_of_a_service_manager_are_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, notes) = (folder.path().join("socket"), folder.path().join("notes"));
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = tcp.local_addr().expect("an address");
    let unix = UnixListener::bind(&path).expect("a socket");
    let noted = UnixDatagram::bind(&notes).expect("a socket");
    noted
        .set_read_timeout(Some(Duration::from_secs(20)))
        .expect("a time");
    // The shell moves the sockets to the descriptors at which a service manager passes them.
    let script =
        "exec 3<&0 4<&2 0</dev/null 2>/dev/null; export LISTEN_PID=$$; exec \"$0\" --inherited";
    let mut server = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_fixture_server")])
        .env("LISTEN_FDS", "2")
        .env("NOTIFY_SOCKET", &notes)
        .stdin(Stdio::from(OwnedFd::from(tcp)))
        .stderr(Stdio::from(OwnedFd::from(unix)))
        .stdout(Stdio::piped())
        .spawn()
        .expect("a server");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("its output"))
        .read_line(&mut line)
        .expect("a line");
    assert_eq!(line.trim(), "2 sockets");
    let note = || {
        let mut note = [0; 100];
        let length = noted.recv(&mut note).expect("a note");
        String::from_utf8_lossy(&note[..length]).trim().to_owned()
    };
    assert_eq!(note(), "READY=1");
    login(TcpStream::connect(address).expect("a connection"));
    login(UnixStream::connect(&path).expect("a connection"));
    crate::kill("-TERM", server.id());
    assert_eq!(note(), "STOPPING=1");
    assert!(server.wait().expect("an end").success());
}

#[tokio::test]
async fn every_core_serves_and_one_report_is_made() {
    let threads = Arc::new(Mutex::new(HashSet::new()));
    let seen = Arc::clone(&threads);
    let worker = Worker::new();
    let service = WorkServer::new(worker.clone());
    let (stop, stopped) = oneshot::channel::<()>();
    let servers = svcgen::serve_per_core(
        "127.0.0.1:0".parse().expect("an address"),
        move |listener| {
            seen.lock()
                .expect("a lock")
                .insert(std::thread::current().id());
            svcgen::serve(listener, service.clone())
        },
    );
    let servers = servers
        .expect("a port")
        .with_shutdown(async { drop(stopped.await) });
    let address = servers.local_addr().expect("an address");
    let served = tokio::spawn(servers.into_future());
    let counts = Arc::clone(&worker.counts);
    let waiting = tokio::task::spawn_blocking(move || {
        let waiting: Vec<_> = (0..40)
            .map(|_| {
                let mut connection = Connection::open(address).expect("a connection");
                connection.send(&call("Store", "wait")).expect("sent");
                connection
            })
            .collect();
        crate::worker::until(&counts.started, 40);
        waiting
    });
    let waiting = waiting.await.expect("no panic");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(threads.lock().expect("a lock").len(), cores);
    stop.send(()).expect("a server");
    while TcpStream::connect(address).is_ok() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    worker.release(40);
    let stopped = served.await.expect("no panic").expect("a report");
    assert_eq!(stopped.finished_calls, 40);
    assert_eq!((stopped.cut_calls, stopped.cut_connections), (0, 0));
    for mut connection in waiting {
        assert_eq!(connection.answer().expect("an answer").status, 200);
    }
    TcpStream::connect(address).expect_err("no server");
}

#[tokio::test]
async fn the_port_of_cores_is_held_and_a_failure_of_one_stops_all() {
    let address = "127.0.0.1:0".parse().expect("an address");
    let one = Arc::new(Mutex::new(0));
    let servers = svcgen::serve_per_core(address, move |listener| {
        let mut number = one.lock().expect("a lock");
        *number += 1;
        if *number == 1 {
            drop(number);
            panic!("this panic is part of the test");
        }
        svcgen::serve(listener, fixture::router())
    });
    let error = servers
        .expect("a port")
        .await
        .expect_err("a panic")
        .to_string();
    assert!(
        error.contains("panicked: this panic is part of the test"),
        "{error}"
    );

    let single = svcgen::serve_per_core(address, |listener| {
        svcgen::serve(listener, fixture::router())
    });
    let single = single.expect("a port").with_cores(1);
    let address = single.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(
        single
            .with_shutdown(async { drop(stopped.await) })
            .into_future(),
    );
    let second = tokio::task::spawn_blocking(move || {
        login(TcpStream::connect(address).expect("a connection"));
        svcgen::serve_per_core(address, |listener| {
            svcgen::serve(listener, fixture::router())
        })
    });
    let error = second
        .await
        .expect("no panic")
        .expect_err("a port that is taken");
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    stop.send(()).expect("a server");
    let stopped = served.await.expect("no panic").expect("a report");
    assert_eq!(stopped.finished_calls, 0);
}
