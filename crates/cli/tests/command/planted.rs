//! The corpus of `tests/planted`: no output and no file of the command contains its secret.
#![cfg(target_os = "linux")]

#[path = "../../../../tests/src/planted.rs"]
mod corpus;

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;

use corpus::{Planted, check, planted, secret, sinks};

use crate::record::everything;
use crate::relay::Relay;
use crate::shadow::metrics;
use crate::{command, kill, svcgen_in};

fn vault() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/planted");
    fs::canonicalize(folder).unwrap().join("vault.yaml")
}

/// Starts a server that answers each request of the corpus with its fault, and any other request
/// like the first.
fn serve(word: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let corpus = planted();
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (head, body) = read_request(&mut stream);
            let is_it = |one: &&Planted| {
                head.starts_with(&format!("{} {} ", one.method, one.target)) && one.body == body
            };
            let asked = corpus.iter().find(is_it).unwrap_or(&corpus[0]);
            // The caller may be disconnected.
            let _ = stream.get_mut().write_all(&asked.answer(word));
        }
    });
    url
}

fn read_request(stream: &mut impl BufRead) -> (String, Vec<u8>) {
    let (mut head, mut length) = (String::new(), 0);
    while !head.ends_with("\r\n\r\n") {
        let before = head.len();
        if stream.read_line(&mut head).unwrap() == 0 {
            break;
        }
        let line = head[before..].to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    (head, body)
}

/// Sends all requests of the corpus.
fn send_all(address: &str) {
    for one in planted() {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(&one.bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 "), "{}", one.place);
    }
}

/// Records the corpus, with these arguments. Returns the output.
fn record(folder: &Path, arguments: &[&dyn AsRef<OsStr>]) -> String {
    let url = serve("not");
    let out = folder.join("recorded");
    let with: [&dyn AsRef<OsStr>; 4] = [&"--upstream", &url, &"--out", &out];
    let recorder = Relay::start("record", &[&with, arguments].concat(), &url);
    send_all(&recorder.address);
    recorder.end()
}

#[test]
fn a_recording_holds_no_planted_secret() {
    let folder = tempfile::tempdir().unwrap();
    let har = folder.path().join("all.har");
    let lines = record(folder.path(), &[&"--har", &har, &vault()]);
    let files = everything(&folder.path().join("recorded"));
    check("record: files", &files, "operation: Open");
    check("record: archive", &fs::read(har).unwrap(), "/Vault.asmx");
    check("record: lines", lines.as_bytes(), "/Vault.asmx/[omitted]");
}

#[test]
fn a_mock_logs_no_planted_secret() {
    let folder = tempfile::tempdir().unwrap();
    // The recording is not masked.
    record(folder.path(), &[]);
    let rules = folder.path().join("rules.yaml");
    let quoting = "not {{ parameters.pin }}{{ parameters.name }}{{ parameters.key }}";
    let each = ["Open", "Peek", "Seal"]
        .map(|name| format!("- operation: {name}\n  fault: {{ text: '{quoting}' }}\n"));
    fs::write(&rules, format!("rules:\n{}", each.concat())).unwrap();
    let recorded = folder.path().join("recorded");
    let with: [[&dyn AsRef<OsStr>; 2]; 2] = [[&"--rules", &rules], [&"--recorded", &recorded]];
    for [option, value] in with {
        let mut mock = command(&[
            &"mock",
            &"--address",
            &"127.0.0.1:0",
            &"--allow-host",
            &"svc",
            &"--log",
            option,
            value,
            &vault(),
        ]);
        let mut mock = mock
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(mock.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("Vault http://").unwrap();
        send_all(address.strip_suffix("/Vault.asmx").unwrap());
        let mut log = String::new();
        for _ in planted() {
            output.read_line(&mut log).unwrap();
        }
        kill("-INT", &mock.id().to_string());
        let notes = mock.wait_with_output().unwrap().stderr;
        check("mock: log", log.as_bytes(), r#""operation":"Open""#);
        let is_recorded = option.as_ref() == OsStr::new("--recorded");
        if is_recorded {
            check(
                "mock: notes on recordings",
                &notes,
                "cannot be read as a call",
            );
        }
    }
}

#[test]
fn a_shadow_tells_no_planted_secret() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let (original, candidate) = (serve("not"), serve("never"));
    let arguments: [&dyn AsRef<OsStr>; 12] = [
        &"--original",
        &original,
        &"--candidate",
        &candidate,
        &"--sample",
        &"100%",
        &"--include-writes",
        &"--metrics",
        &"127.0.0.1:0",
        &"--out",
        &out,
        &vault(),
    ];
    let told = format!("{original}, and 100% of the calls to {candidate} as well");
    let mut shadow = Relay::start("shadow", &arguments, &told);
    let line = shadow.line();
    send_all(&shadow.address);
    // At least one call is compared.
    let first = shadow.line_with("differs ");
    let page = metrics(&line);
    let lines = first + &shadow.end();
    check("shadow: lines", lines.as_bytes(), "/Vault.asmx/[omitted]");
    check("shadow: files", &everything(&out), "[secret]</faultstring>");
    check(
        "shadow: metrics",
        page.as_bytes(),
        "svcgen_shadow_refused_total 0",
    );
}

#[test]
fn a_replay_reports_no_planted_secret() {
    let folder = tempfile::tempdir().unwrap();
    // The recording is not masked: the definition is given to the replay.
    record(folder.path(), &[]);
    let candidate = serve("never");
    let reports = ["r.html", "r.json", "r.xml"];
    let mut arguments: Vec<&dyn AsRef<OsStr>> = vec![&"replay", &"recorded", &"--against"];
    let vault = vault();
    arguments.push(&candidate);
    for report in &reports {
        arguments.extend([&"--report" as &dyn AsRef<OsStr>, report]);
    }
    arguments.push(&vault);
    let ended = svcgen_in(folder.path(), &arguments, b"");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let said = ended.stdout + &ended.stderr;
    check("replay: text", said.as_bytes(), "/Vault.asmx/[omitted]");
    check("replay: HTML", &read("r.html"), "/Vault.asmx/[omitted]");
    check("replay: JSON", &read("r.json"), "/Vault.asmx/[omitted]");
    check("replay: JUnit", &read("r.xml"), "[secret]");
}

#[test]
fn a_proof_tells_and_keeps_no_planted_secret() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), &[]);
    let (original, candidate, vault) = (serve("not"), serve("never"), vault());
    let mut arguments: Vec<&dyn AsRef<OsStr>> =
        vec![&"prove", &vault, &"--all", &"--calls", &"200"];
    arguments.extend([
        &"--from" as &dyn AsRef<OsStr>,
        &"recorded",
        &"--keep",
        &"kept",
    ]);
    arguments.extend([
        &"--original" as &dyn AsRef<OsStr>,
        &original,
        &"--candidate",
        &candidate,
    ]);
    for report in &["r.html", "r.json", "r.xml"] {
        arguments.extend([&"--report" as &dyn AsRef<OsStr>, report]);
    }
    let ended = svcgen_in(folder.path(), &arguments, b"");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let said = ended.stdout + &ended.stderr;
    check("prove: text", said.as_bytes(), "[secret]");
    check("prove: HTML", &read("r.html"), "[secret]");
    check("prove: JSON", &read("r.json"), "[secret]");
    check("prove: JUnit", &read("r.xml"), "[secret]");
    check(
        "prove: files",
        &everything(&folder.path().join("kept")),
        "[secret]",
    );
}

#[test]
fn a_call_prints_no_planted_secret() {
    let folder = tempfile::tempdir().unwrap();
    let (url, vault) = (serve("not"), vault());
    let pin = format!("pin={}", secret());
    for format in ["yaml", "json", "table"] {
        let arguments: [&dyn AsRef<OsStr>; 10] = [
            &"call",
            &vault,
            &"Open",
            &pin,
            &"--url",
            &url,
            &"--show",
            &"--answer-headers",
            &"--format",
            &format,
        ];
        let ended = svcgen_in(folder.path(), &arguments, b"");
        let said = ended.stdout + &ended.stderr;
        check("call: output", said.as_bytes(), "not [secret]");
    }
}

#[test]
fn every_sink_has_a_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (sink, file) in sinks() {
        let text = fs::read_to_string(root.join(&file)).unwrap();
        assert!(
            text.contains(&format!("\"{sink}\"")),
            "{file} has no run of {sink}"
        );
    }
}
