//! `svcgen prove`: a service against itself, and against one with other answers.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::thread;

use serde_json::{Value as Json, json};
use svcgen::codegen::Endpoint;
use svcgen::{Binding, Router};
use svcgen_messages::{Answer, Service};
use svcgen_ws::ws_addressing::ServerAddressing;
use svcgen_ws::ws_security::{ReceivedToken, ServerSecurity, WsSecurity};
use tokio::runtime::Builder;

use crate::{Ended, svcgen};

const DEFINITION: &str = "
service: Orders
namespace: http://example.com/orders
path: /Orders.asmx
operations:
  Find: { read_only: true, parameters: { key: { type: string?, secret: true }, id: int }, result: Order? }
  Cancel: { parameters: { id: int }, result: boolean }
types:
  Order: { elements: { Id: int, Note: string?, State: State } }
enums:
  State: [Open, Sent]
";

/// Serves orders until the process ends; `note` writes their notes. Returns the address.
fn serve(note: fn(&str, i64) -> Json) -> String {
    serve_endpoint(orders(note))
}

fn orders(note: fn(&str, i64) -> Json) -> Endpoint {
    let service = Service::of_definition("orders.yaml", DEFINITION).unwrap();
    service.endpoint(move |request| async move {
        let parameters = &request.parameters;
        let (key, id) = (parameters["key"].as_str(), parameters["id"].as_i64());
        let id = id.unwrap_or_default();
        Ok(match request.operation.name() {
            "Find" if key == Some("hunter2-4711") => Answer::from(
                json!({ "Id": id, "Note": note(key.unwrap_or_default(), id), "State": "Sent" }),
            ),
            "Find" => Answer::from(Json::Null),
            _ => Answer::from(json!(true)),
        })
    })
}

fn serve_endpoint(endpoint: Endpoint) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            svcgen::serve(listener, Router::new().with_service(endpoint))
                .await
                .unwrap();
        });
    });
    address
}

fn same(key: &str, id: i64) -> Json {
    json!(format!("{} {id}", key.len()))
}

fn other(key: &str, id: i64) -> Json {
    if id < 0 { Json::Null } else { same(key, id) }
}

/// Writes the definition, and recorded calls that contain the key.
fn prepare(folder: &Path) -> String {
    fs::write(folder.join("orders.yaml"), DEFINITION).unwrap();
    let service = Service::of_definition("orders.yaml", DEFINITION).unwrap();
    let find = service.operation("Find").unwrap();
    let request = find
        .request(&json!({ "key": "[secret]", "id": 7 }), Binding::HttpGet)
        .unwrap();
    let recorded = folder.join("recorded/00000001");
    fs::create_dir_all(&recorded).unwrap();
    let request = format!("GET {} HTTP/1.1\r\nHost: old\r\n\r\n", request.uri());
    fs::write(recorded.join("request.http"), request).unwrap();
    folder.join("orders.yaml").to_str().unwrap().to_owned()
}

/// Proves a candidate in a folder.
fn prove(folder: &Path, original: &str, candidate: &str, more: &[&str]) -> Ended {
    let definition = prepare(folder);
    let recorded = folder.join("recorded");
    let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> =
        vec![&"prove", &definition, &"--from", &recorded];
    let servers = [
        "--secret",
        "key=hunter2-4711",
        "--original",
        original,
        "--candidate",
        candidate,
    ];
    arguments.extend(
        servers
            .iter()
            .chain(more)
            .map(|one| one as &dyn AsRef<std::ffi::OsStr>),
    );
    svcgen(&arguments)
}

#[test]
fn the_same_service_is_proved() {
    let folder = tempfile::tempdir().unwrap();
    let (original, candidate) = (serve(same), serve(same));
    let ended = prove(
        folder.path(),
        &original,
        &candidate,
        &["--calls", "200", "--at-once", "3"],
    );
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let counts = ended.stdout.lines().nth(1).unwrap().split_whitespace();
    assert_eq!(
        counts.collect::<Vec<_>>(),
        ["Find", "200", "0", "0", "0", "0", "0"]
    );
    assert!(
        ended.stdout.contains("\n  200 calls, seed 0\n"),
        "{ended:?}"
    );
    assert!(
        ended
            .stdout
            .contains("\n  never: Find result.State = Open\n"),
        "{ended:?}"
    );
}

#[test]
fn what_differs_is_small_and_kept_for_replay_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let (original, candidate) = (serve(same), serve(other));
    let (kept, json) = (
        folder.path().join("kept"),
        folder.path().join("report.json"),
    );
    let more = [
        "--calls",
        "400",
        "--keep",
        kept.to_str().unwrap(),
        "--report",
        json.to_str().unwrap(),
    ];
    let ended = prove(folder.path(), &original, &candidate, &more);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("key \"[secret]\""), "{ended:?}");
    assert!(ended.stdout.contains("at FindResult.Note\n"), "{ended:?}");
    assert!(ended.stdout.contains("(kept as 00000001)"), "{ended:?}");
    let report: Json = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let differing = report["exchanges"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["result"] == "differs");
    assert_eq!(differing.count(), 1, "{report:#}");
    let mut all = ended.stdout + &ended.stderr + &report.to_string();
    for file in [
        "request.http",
        "response.http",
        "candidate.http",
        "exchange.json",
        "values.yaml",
    ] {
        all += &fs::read_to_string(kept.join("00000001").join(file)).unwrap();
    }
    assert!(!all.contains("hunter2"), "{all}");

    let exchanges = svcgen_testing::RecordedExchange::in_folder(&kept).unwrap();
    let request = exchanges[0].request().unwrap();
    assert!(
        exchanges[0]
            .response(request.method())
            .unwrap()
            .status()
            .is_success()
    );

    // The finding is now a test: the candidate fails, and the original passes.
    let definition = folder.path().join("orders.yaml");
    for (server, code) in [(&candidate, 1), (&original, 0)] {
        let ended = svcgen(&[
            &"replay",
            &kept,
            &definition,
            &"--against",
            server,
            &"--secret",
            &"key=hunter2-4711",
        ]);
        assert_eq!(ended.code, Some(code), "{ended:?}");
    }
}

#[test]
fn departures_are_accepted_by_rules() {
    let folder = tempfile::tempdir().unwrap();
    let (original, candidate) = (serve(same), serve(other));
    let rules = folder.path().join("rules.yaml");
    for (text, code) in [
        ("ignore: [FindResult.Note]\n", 0),
        ("depart: { 'id` is \"-': [missing-element] }\n", 0),
        ("depart: { 'id` is \"-': [value] }\n", 1),
    ] {
        fs::write(&rules, text).unwrap();
        let more = [
            "--calls",
            "300",
            "--accept",
            "same-document",
            "--rules",
            rules.to_str().unwrap(),
        ];
        let ended = prove(folder.path(), &original, &candidate, &more);
        assert_eq!(ended.code, Some(code), "{text}: {ended:?}");
    }
    fs::write(&rules, "depart: { x: [valu] }\n").unwrap();
    let ended = prove(
        folder.path(),
        &original,
        &candidate,
        &["--rules", rules.to_str().unwrap()],
    );
    assert_eq!(ended.code, Some(2));
    assert!(
        ended
            .stderr
            .contains("rules.yaml: `x`: there is no kind of differences `valu`"),
        "{ended:?}"
    );
}

#[test]
fn what_is_wrong_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(same);
    let values = folder.path().join("find.yaml");
    fs::write(&values, "id: seven\n").unwrap();
    let find = format!("Find={}", values.display());
    let cancel = format!("Cancel={}", values.display());
    for (more, told) in [
        (&["--operation", "Fin"][..], "Orders has no operation"),
        (&["--values", &find], "find.yaml:1:5: id: an integer"),
        (&["--values", "find.yaml"], "write it as `Login=login.yaml`"),
        (&["--values", &cancel], "find.yaml:1:5"),
        (&["--rate", "fast"], "write it as `20/s`"),
        (&["--calls", "0"], "invalid value '0'"),
        (
            &["--report", "report.txt"],
            "name a report `.html`, `.json` or, for JUnit, `.xml`",
        ),
        (&["--from", "nowhere"], "nowhere: "),
    ] {
        let ended = prove(folder.path(), &server, &server, more);
        assert_eq!(ended.code, Some(2), "{more:?}: {ended:?}");
        assert!(ended.stderr.contains(told), "{more:?}: {ended:?}");
    }
    fs::write(&values, "id: 7\n").unwrap();
    let ended = prove(folder.path(), &server, &server, &["--values", &cancel]);
    assert!(
        ended
            .stderr
            .contains("values are given for Cancel, which is not called"),
        "{ended:?}"
    );
    let ended = svcgen(&[
        &"prove",
        &"x.yaml",
        &"--original",
        &"shop",
        &"--candidate",
        &server,
    ]);
    assert!(
        ended
            .stderr
            .contains("write it as `https://svc.example.com`"),
        "{ended:?}"
    );
}

#[test]
fn a_server_that_is_gone_is_unreached() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(same);
    let ended = prove(folder.path(), "http://127.0.0.1:9", &server, &[]);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("ended early: the original left 3 calls in a row"),
        "{ended:?}"
    );
}

#[test]
fn services_may_be_at_other_paths() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(same);
    let elsewhere = format!("{server}/Orders.asmx");
    let ended = prove(folder.path(), &elsewhere, &server, &["--calls", "30"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let ended = prove(
        folder.path(),
        &format!("{server}/Other.asmx"),
        &server,
        &["--calls", "30"],
    );
    assert_eq!(ended.code, Some(1), "{ended:?}");
}

/// Serves orders to callers with a UsernameToken of ann.
fn secured(note: fn(&str, i64) -> Json) -> Endpoint {
    let policy = WsSecurity::new(|token: &ReceivedToken| token.matches(Some("hunter3-4712")));
    orders(note).with_ws_security(policy)
}

fn telling_the_password(_: &str, _: i64) -> Json {
    json!("hunter3-4712")
}

const SOAP: [&str; 6] = [
    "--binding",
    "soap11",
    "--binding",
    "soap12",
    "--calls",
    "300",
];

#[test]
fn a_username_token_is_made_for_each_request_and_never_told() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let original = serve_endpoint(secured(same));
    for password in [&[][..], &["--ws-password-text"]] {
        let login = ["--ws-user", "ann:hunter3-4712"];
        let more = [&SOAP[..], &login, password].concat();
        let candidate = serve_endpoint(secured(same));
        let ended = prove(folder.path(), &original, &candidate, &more);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let line = "WS-Security: a UsernameToken and a Timestamp";
        assert!(ended.stdout.contains(line), "{ended:?}");
        // The handler was reached.
        assert!(!ended.stdout.contains("never: Find result\n"), "{ended:?}");

        let leaking = serve_endpoint(secured(telling_the_password));
        let more = [&more[..], &["--keep", kept.to_str().unwrap()]].concat();
        let ended = prove(folder.path(), &original, &leaking, &more);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stdout.contains("found     [secret]"), "{ended:?}");
        let mut all = ended.stdout + &ended.stderr;
        for exchange in fs::read_dir(&kept).unwrap() {
            for file in fs::read_dir(exchange.unwrap().path()).unwrap() {
                all += &fs::read_to_string(file.unwrap().path()).unwrap();
            }
        }
        assert!(all.contains("<soap:Body"), "{all}");
        for secret in ["hunter3", "wsse:Password", "wsse:Nonce"] {
            assert!(!all.contains(secret), "{secret}: {all}");
        }
    }
    let ended = prove(
        folder.path(),
        &original,
        &serve_endpoint(secured(same)),
        &SOAP,
    );
    assert!(ended.stdout.contains("never: Find result\n"), "{ended:?}");
}

#[test]
fn headers_of_ws_addressing_are_sent_and_differ_by_no_id() {
    let folder = tempfile::tempdir().unwrap();
    let addressed = || serve_endpoint(orders(same).with_ws_addressing());
    let (original, candidate) = (addressed(), addressed());
    for version in ["--ws-addressing", "--ws-addressing=2004/08"] {
        let more = [&SOAP[..], &[version]].concat();
        let ended = prove(folder.path(), &original, &candidate, &more);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let ended = prove(folder.path(), &original, &serve(same), &more);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stdout.contains("soap-header at Header"), "{ended:?}");
    }
}

const WITH_HEADERS: &str = "
service: Notes
namespace: http://example.com/notes
path: /Notes.asmx
operations:
  Read: { read_only: true, headers: { in: [Tenant] }, result: string? }
  List: { read_only: true, result: string? }
headers:
  Tenant: int
";

#[test]
fn headers_are_sent_as_they_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let definition = folder.path().join("notes.yaml");
    fs::write(&definition, WITH_HEADERS).unwrap();
    let service = Service::of_definition("notes.yaml", WITH_HEADERS).unwrap();
    let notes = |known: &'static str| {
        serve_endpoint(service.endpoint(move |request| async move {
            let tenant = request.headers["Tenant"].as_i64();
            Ok(Answer::from(json!((tenant == Some(17)).then_some(known))))
        }))
    };
    let (original, candidate) = (notes("one"), notes("other"));
    let proved = |header: &str| {
        svcgen(&[
            &"prove",
            &definition,
            &"--original",
            &original,
            &"--candidate",
            &candidate,
            &"--calls",
            &"300",
            &"--soap-header",
            &header,
        ])
    };
    let ended = proved("Tenant=17");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("value at ReadResult"), "{ended:?}");
    let ended = proved("{urn:others}Tenant=17");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("one given element"), "{ended:?}");
    for (header, told) in [
        (
            "Tenent=17",
            "no operation that is called has the SOAP header `Tenent`",
        ),
        ("Tenant=x", "Tenant: `x` does not fit"),
        ("{urn:x}", "`{NAMESPACE}NAME=TEXT`"),
    ] {
        let ended = proved(header);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(told), "{ended:?}");
    }
}
