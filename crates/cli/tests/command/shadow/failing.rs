//! Originals that fail, whose failures callers see, and candidates that fail, whose failures they
//! do not.

use super::*;

/// Starts a listener that handles its connections one after the other.
pub(super) fn serve(handle: impl Fn(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            handle(stream.unwrap());
        }
    });
    url
}

fn caller(shadow: &Relay) -> TcpStream {
    let caller = TcpStream::connect(&shadow.address).unwrap();
    let time = Some(Duration::from_millis(300));
    caller.set_read_timeout(time).unwrap();
    caller
}

pub(super) fn an_original_that_stalls_makes_its_caller_wait_and_no_other() {
    let original = Server::new(|request| {
        if request.contains("article=8") {
            Answer::Stall
        } else {
            Answer::Bytes(offer("12.50", "a").into())
        }
    });
    let candidate = Server::always(offer("12.50", "a"));
    let shadow = start(&original.url(), &candidate.url(), &[]);
    let mut waiting = caller(&shadow);
    let stalled = PRICE.replace("article=7", "article=8");
    waiting.write_all(stalled.as_bytes()).unwrap();
    let waited = waiting.read(&mut [0]).unwrap_err();
    assert_eq!(waited.kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(call(&shadow, PRICE), offer("12.50", "a"));
    wait_until(|| candidate.asked().len() == 1);
    // It keeps waiting, and does not delay Ctrl-C for long.
    let begun = Instant::now();
    let end = shadow.end();
    assert!(begun.elapsed() < Duration::from_secs(15));
    assert!(end.starts_with("1 samples: 1 identical; "), "{end}");
    drop(waiting);
    assert_eq!(candidate.asked(), [PRICE]);
}

#[test]
fn an_original_that_dies_within_an_answer_breaks_that_of_its_caller() {
    const HALF: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf";
    for resets in [false, true] {
        let original = serve(move |mut stream| {
            // The whole request is read, because otherwise every close is a reset.
            stream.read_exact(&mut vec![0; PRICE.len()]).unwrap();
            stream.write_all(HALF).unwrap();
            if resets {
                // Leaves the rest of the caller's request unread.
                stream.set_nodelay(true).unwrap();
                while stream.peek(&mut [0]).unwrap() == 0 {}
            }
        });
        let candidate = Server::always(offer("12.50", "a"));
        let shadow = start(&original, &candidate.url(), &[]);
        let mut caller = TcpStream::connect(&shadow.address).unwrap();
        caller.write_all(PRICE.as_bytes()).unwrap();
        let mut half = [0; HALF.len()];
        caller.read_exact(&mut half).unwrap();
        assert_eq!(half, HALF);
        if resets {
            caller.write_all(PRICE.as_bytes()).unwrap();
            let broken = caller.read(&mut [0]).unwrap_err();
            assert_eq!(broken.kind(), std::io::ErrorKind::ConnectionReset);
        } else {
            assert_eq!(caller.read(&mut [0]).unwrap(), 0);
        }
        drop(caller);
        let end = shadow.end();
        assert!(end.starts_with("0 samples; not asked: "), "{end}");
        assert!(candidate.asked().is_empty());
    }
}

#[test]
fn a_candidate_that_dies_within_an_answer_changes_nothing_for_callers() {
    let original = Server::always(offer("12.50", "a"));
    for (half, expected) in [
        ("", "unexpected end"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf",
            "closed within a message",
        ),
    ] {
        let candidate = serve(move |mut stream| {
            stream.read_exact(&mut vec![0; PRICE.len()]).unwrap();
            stream.write_all(half.as_bytes()).unwrap();
        });
        let mut shadow = start(&original.url(), &candidate, &[]);
        for _ in 0..3 {
            assert_eq!(call(&shadow, PRICE), offer("12.50", "a"));
            let line = shadow.line();
            assert!(
                line.starts_with("unanswered GET /Shop.asmx/Price: "),
                "{line}"
            );
            assert!(line.contains(expected), "{line}");
        }
        assert!(shadow.end().starts_with("3 samples: 3 unanswered\n"));
    }
}

pub(super) fn a_connection_to_the_candidate_carries_many_samples() {
    let original = Server::always(offer("12.50", "a"));
    let connections = Arc::<Mutex<usize>>::default();
    let counted = Arc::clone(&connections);
    let (closed, idle) = std::sync::mpsc::channel();
    let candidate = serve(move |stream| {
        *counted.lock().unwrap() += 1;
        let mut stream = BufReader::new(stream);
        while read_message(&mut stream).is_some() {
            let answer = offer("12.50", "a");
            stream.get_mut().write_all(answer.as_bytes()).unwrap();
        }
        closed.send(Instant::now()).unwrap();
    });
    let arguments: [&dyn AsRef<OsStr>; 2] = [&"--concurrency", &"1"];
    let shadow = start(&original.url(), &candidate, &arguments);
    for _ in 0..50 {
        call(&shadow, PRICE);
    }
    let last = Instant::now();
    // The shadow closes it after an idle time, while it runs.
    let closed = idle.recv_timeout(Duration::from_secs(30)).unwrap();
    assert!(
        closed - last > Duration::from_secs(4),
        "{:?}",
        closed - last
    );
    assert_eq!(*connections.lock().unwrap(), 1);
    call(&shadow, PRICE);
    wait_until(|| *connections.lock().unwrap() == 2);
    let end = shadow.end();
    assert!(end.starts_with("51 samples: 51 identical; "), "{end}");
}

#[test]
fn the_newest_differences_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let original = Server::always(offer("12.50", "a"));
    let candidate = Server::always(offer("12.75", "a"));
    let arguments: [&dyn AsRef<OsStr>; 4] = [&"--out", &out, &"--max-exchanges", &"2"];
    let mut shadow = start(&original.url(), &candidate.url(), &arguments);
    for number in 1..=4 {
        call(
            &shadow,
            &PRICE.replace("article=7", &format!("article={number}")),
        );
        shadow.line_with(&format!("{number:08} differs"));
    }
    shadow.end();
    let names = out.read_dir().unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["00000003", "00000004"]);
    let kept = fs::read_to_string(out.join("00000004/request.http")).unwrap();
    assert!(kept.contains("article=4"), "{kept}");
}

#[test]
fn connections_are_moved_one_by_one_if_they_are_to_be() {
    let original = Server::always(answer("original"));
    let candidate = Server::always(answer("candidate"));
    let arguments: [&dyn AsRef<OsStr>; 6] = [
        &"--split",
        &"50%",
        &"--split-by",
        &"connection",
        &"--metrics",
        &"127.0.0.1:0",
    ];
    let shadow = start(&original.url(), &candidate.url(), &arguments);
    let moved = |_: &usize| call(&shadow, PRICE).ends_with("candidate");
    let moved = (0..60).filter(moved).count();
    // By address, either all or none of them would be moved.
    assert!((15..=45).contains(&moved), "{moved}");
    let end = shadow.end();
    assert!(
        end.contains(&format!("{moved} calls moved, 0 failed")),
        "{end}"
    );
}

#[test]
fn a_candidate_whose_proxy_answers_for_it_moves_callers_back() {
    let original = Server::always(answer("original"));
    let down = answer("no server").replace("200 OK", "503 Service Unavailable");
    let candidate = Server::always(down);
    let arguments: [&dyn AsRef<OsStr>; 6] = [
        &"--split",
        &"100%",
        &"--rollback-at",
        &"0%",
        &"--metrics",
        &"127.0.0.1:0",
    ];
    let mut shadow = start(&original.url(), &candidate.url(), &arguments);
    for _ in 0..2 {
        assert!(call(&shadow, PRICE).contains(" 503 "));
    }
    let line = shadow.line_with("moved back");
    assert!(line.contains("2 of the latest 2 calls"), "{line}");
    assert!(call(&shadow, PRICE).ends_with("original"));
    shadow.end();
}

#[test]
fn a_share_that_moves_nobody_back_is_refused() {
    let ended = crate::svcgen(&[
        &"shadow",
        &"--original",
        &"http://a",
        &"--candidate",
        &"http://b",
        &"--metrics",
        &"127.0.0.1:0",
        &"--split",
        &"5%",
        &"--rollback-at",
        &"100%",
    ]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended.stderr.contains("nobody would be moved back"),
        "{ended:?}"
    );
}
