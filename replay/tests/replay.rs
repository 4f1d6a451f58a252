//! Recordings that are replayed in this process.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Request, Response};
use serde_json::{Value as Json, json};
use svcgen::transport::{TransportError, TransportErrorKind, transport_fn};
use svcgen_messages::Service;
use svcgen_replay::{Likeness, Outcome, Rate, Replay, Report, Rules};

const DEFINITION: &str = "
service: Orders
namespace: http://example.com/orders
path: /Orders.asmx
operations:
  Login:
    parameters: { user: string?, password: { type: string?, secret: true } }
    result: Session
  GetOrder:
    parameters: { token: string?, id: int }
    result: Order
    safe: true
  Delete:
    parameters: { token: { type: string?, secret: true }, id: int }
types:
  Session: { elements: { Token: string?, Key: { type: string?, secret: true } } }
  Order: { elements: { Id: int, Name: string? } }
";

fn service() -> Service {
    Service::of_definition("orders.yaml", DEFINITION).unwrap()
}

/// Writes an exchange as `svcgen record` does.
fn record(folder: &Path, number: usize, request: &str, answer: &str, about: &Json) {
    let folder = folder.join(format!("{number:08}"));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("request.http"), request).unwrap();
    fs::write(folder.join("response.http"), answer).unwrap();
    fs::write(folder.join("exchange.json"), about.to_string()).unwrap();
}

fn get(path: &str) -> String {
    format!(
        "GET /Orders.asmx/{path} HTTP/1.1\r\nHost: old.example.com\r\nConnection: close\r\n\r\n"
    )
}

fn soap(operation: &str, parameters: &str) -> String {
    let body = format!(
        r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><{operation} xmlns="http://example.com/orders">{parameters}</{operation}></soap:Body></soap:Envelope>"#
    );
    let length = body.len();
    format!(
        "POST /Orders.asmx HTTP/1.1\r\nHost: old.example.com\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"http://example.com/orders/{operation}\"\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

fn xml(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn order(id: &str, name: &str) -> String {
    format!(r#"<Order xmlns="http://example.com/orders"><Id>{id}</Id><Name>{name}</Name></Order>"#)
}

fn session(token: &str, key: &str) -> String {
    format!(
        r#"<Session xmlns="http://example.com/orders"><Token>{token}</Token><Key>{key}</Key></Session>"#
    )
}

fn in_xml(body: String) -> Response<Bytes> {
    let response = Response::builder().header("Content-Type", "text/xml; charset=utf-8");
    response.body(Bytes::from(body)).unwrap()
}

fn connection(number: u64) -> Json {
    json!({ "connection": number, "caller": "127.0.0.1:5000", "is_whole": true, "is_masked": false, "begun": format!("2024-05-01T10:00:00.{number:03}Z") })
}

/// A server that answers with a function, and remembers what it was asked.
struct Server {
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new() -> Self {
        let asked = Arc::default();
        Self { asked }
    }

    fn answering<A>(&self, answer: A) -> impl svcgen::Transport + use<A>
    where
        A: Fn(&Request<Bytes>) -> Response<Bytes> + Send + Sync + 'static,
    {
        let asked = Arc::clone(&self.asked);
        transport_fn(move |request: Request<Bytes>| {
            let body = String::from_utf8_lossy(request.body());
            let headers = request.headers();
            asked
                .lock()
                .unwrap()
                .push(format!("{} {headers:?} {body}", request.uri()));
            let response = answer(&request);
            async move { Ok::<_, TransportError>(response) }
        })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn results(report: &Report) -> Vec<&str> {
    report
        .exchanges()
        .iter()
        .map(svcgen_replay::Replayed::result)
        .collect()
}

#[tokio::test]
async fn a_server_is_held_to_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    record(
        folder.path(),
        1,
        &get("GetOrder?token=t&id=1"),
        &xml(&order("1", "nut")),
        &connection(1),
    );
    record(
        folder.path(),
        2,
        &get("GetOrder?token=t&id=2"),
        &xml(&order("2", "bolt")),
        &connection(1),
    );
    let replay = Replay::new(folder.path()).with_service(service());
    let server = Server::new();
    let same = server.answering(|request| {
        let first = request.uri().query().unwrap().ends_with('1');
        in_xml(if first {
            order("1", "nut")
        } else {
            order("2", "bolt")
        })
    });
    let report = replay.run(&same).await.unwrap();
    report.verify(Likeness::Bytes).unwrap();
    assert_eq!(results(&report), ["bytes", "bytes"]);
    let asked = server.asked();
    assert!(
        asked[0].starts_with("/Orders.asmx/GetOrder?token=t&id=1 {}"),
        "{asked:?}"
    );

    let other = Server::new().answering(|_| in_xml(order("01", "nut")));
    let report = replay.run(&other).await.unwrap();
    assert_eq!(results(&report), ["values", "differs"]);
    assert!(
        report
            .verify(Likeness::Bytes)
            .unwrap_err()
            .has_differences()
    );
    let text = report.verify(Likeness::Values).unwrap_err().to_string();
    assert!(text.contains("value at GetOrderResult.Name"), "{text}");
    assert!(text.contains("expected  bolt\n    found     nut"), "{text}");
    assert!(!text.contains("lexical-form"), "{text}");
    assert_eq!(report.exchanges()[0].operation.as_deref(), Some("GetOrder"));

    let dead = transport_fn(|_| async {
        Err::<Response<Bytes>, _>(TransportError::new(TransportErrorKind::Connect, "refused"))
    });
    let report = replay.run(&dead).await.unwrap();
    assert_eq!(results(&report), ["unanswered", "unanswered"]);
    assert!(
        !report
            .verify(Likeness::Differs)
            .unwrap_err()
            .has_differences()
    );
}

#[tokio::test]
async fn what_answers_hold_now_goes_into_later_requests() {
    let folder = tempfile::tempdir().unwrap();
    let login = "Login?user=ada&password=[secret]";
    record(
        folder.path(),
        1,
        &get(login),
        &xml(&session("old-1", "[secret]")),
        &connection(1),
    );
    record(
        folder.path(),
        2,
        &get("GetOrder?token=old-1&id=7"),
        &xml(&order("7", "nut")),
        &connection(1),
    );
    let delete = soap("Delete", "<token>[secret]</token><id>7</id>");
    let deleted = r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><DeleteResponse xmlns="http://example.com/orders" /></soap:Body></soap:Envelope>"#;
    record(folder.path(), 3, &delete, &xml(deleted), &connection(1));
    let server = Server::new();
    let transport = server.answering(|request| match request.uri().to_string() {
        uri if uri.contains("Login") => in_xml(session("new&lt;1", "key-now")),
        uri if uri.contains("GetOrder") => in_xml(order("7", "nut")),
        _ => in_xml(deleted.to_owned()),
    });
    let rules = Rules::new().learn("LoginResult.Token").unwrap();
    let replay = Replay::new(folder.path())
        .with_service(service())
        .with_rules(rules);
    let replay = replay.with_secret("password", &"hunter2".to_owned().into());

    // The masked token of `Delete` is of no earlier answer of that name that was masked.
    let report = replay.run(&transport).await.unwrap();
    assert_eq!(results(&report), ["bytes", "bytes", "unsent"]);
    let Outcome::Unsent(why) = &report.exchanges()[2].outcome else {
        panic!("{report:?}");
    };
    assert!(why.ends_with("hold them: token"), "{why}");
    let asked = server.asked();
    assert!(
        asked[0].starts_with("/Orders.asmx/Login?user=ada&password=hunter2 "),
        "{asked:?}"
    );
    assert!(
        asked[1].starts_with("/Orders.asmx/GetOrder?token=new%3C1&id=7 "),
        "{asked:?}"
    );

    let report = replay
        .with_secret("Token", &"t&1".to_owned().into())
        .run(&transport)
        .await
        .unwrap();
    assert_eq!(results(&report), ["bytes"; 3]);
    let asked = server.asked();
    assert!(
        asked[4].contains("<token>t&amp;1</token><id>7</id>"),
        "{asked:?}"
    );

    // Neither what was given nor what was learned is in a report.
    for text in [
        report.to_text(Likeness::Bytes, 100),
        report.to_json().to_string(),
        report.to_junit(Likeness::Bytes),
        report.to_html(Likeness::Bytes),
        format!("{report:?}"),
    ] {
        for secret in ["hunter2", "key-now", "t&1", "t&amp;1"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    }
}

#[tokio::test]
async fn masked_secrets_are_learned_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    record(
        folder.path(),
        1,
        &get("Login?user=ada"),
        &xml(&session("[secret]", "k")),
        &connection(1),
    );
    let delete = soap("Delete", "<token>[secret]</token><id>7</id>");
    record(folder.path(), 2, &delete, &xml("<a/>"), &connection(1));
    let form = "POST /Orders.asmx/Delete HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nCookie: [secret]\r\nAuthorization: [secret]\r\n\r\ntoken=[secret]&id=7";
    record(folder.path(), 3, form, &xml("<a/>"), &connection(1));
    let json = "POST /Orders.asmx/Delete HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"token\": \"[secret]\", \"id\":7}";
    record(folder.path(), 4, json, &xml("<a/>"), &connection(1));
    let masked = fs::read_to_string(folder.path().join("00000001/response.http")).unwrap();
    let masked = masked.replace(
        "\r\nContent-Type",
        "\r\nSet-Cookie: [secret]\r\nContent-Type",
    );
    fs::write(folder.path().join("00000001/response.http"), masked).unwrap();
    let server = Server::new();
    let transport = server.answering(|request| {
        if request.uri().path().ends_with("Login") {
            let mut response = in_xml(session("now-1", "k"));
            response
                .headers_mut()
                .insert("set-cookie", "sid=s-1; path=/".parse().unwrap());
            return response;
        }
        in_xml("<a/>".to_owned())
    });
    let replay = Replay::new(folder.path()).with_service(service());
    let report = replay.run(&transport).await.unwrap();
    assert_eq!(results(&report), ["bytes"; 4], "{report:#?}");
    let asked = server.asked();
    assert!(asked[1].contains("<token>now-1</token>"), "{asked:?}");
    assert!(asked[2].ends_with("token=now%2D1&id=7"), "{asked:?}");
    assert!(
        asked[3].ends_with("{\"token\": \"now-1\", \"id\":7}"),
        "{asked:?}"
    );
    assert!(
        report.exchanges()[2]
            .notes
            .iter()
            .any(|note| note.contains("authorization"))
    );
}

#[tokio::test]
async fn secrets_that_a_server_repeats_are_in_no_report() {
    const FILLED: &str = "p&s<\"w 7>d";
    let forms = [
        FILLED,
        "p%26s%3C%22w%207%3Ed",
        "p&amp;s&lt;\"w 7&gt;d",
        "p&s<\\\"w 7>d",
        "cCZzPCJ3IDc+ZA",
    ];
    let folder = tempfile::tempdir().unwrap();
    let header = "POST /Orders.asmx/Delete HTTP/1.1\r\nContent-Type: ";
    let form = format!("{header}application/x-www-form-urlencoded\r\n\r\ntoken=[secret]&id=7");
    let json = format!("{header}application/json\r\n\r\n{{\"token\":\"[secret]\",\"id\":7}}");
    let soap = soap("Delete", "<token>[secret]</token><id>7</id>");
    let query = get("Delete?token=[secret]&id=7");
    for (number, request) in [query, form, json, soap].iter().enumerate() {
        let about = connection(1);
        record(
            folder.path(),
            number + 1,
            request,
            &xml("<a>done</a>"),
            &about,
        );
    }
    for form in forms {
        let server = Server::new();
        let repeated = form.replace('&', "&amp;").replace('<', "&lt;");
        let transport = server.answering(move |_| in_xml(format!("<a>no: {repeated}</a>")));
        let token = FILLED.to_owned().into();
        let replay = Replay::new(folder.path()).with_secret("token", &token);
        let report = replay.run(&transport).await.unwrap();
        assert_eq!(results(&report), ["differs"; 4], "{report:?}");
        let asked = server.asked();
        let sent = [forms[1], forms[1], forms[3], "p&amp;s&lt;&quot;w 7&gt;d"];
        for (asked, sent) in asked.iter().zip(sent) {
            assert!(asked.contains(sent), "{asked}");
        }
        for text in [
            report.to_text(Likeness::Bytes, 100),
            report.to_json().to_string(),
            report.to_junit(Likeness::Bytes),
            report.to_html(Likeness::Bytes),
            format!("{report:?}"),
        ] {
            // What every form has.
            for part in [forms[4], "w 7", "w%207"] {
                assert!(!text.contains(part), "{form}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn callers_keep_what_they_were_given() {
    let folder = tempfile::tempdir().unwrap();
    let of = |caller: &str, number: u64| {
        let mut about = connection(number);
        about["caller"] = json!(caller);
        about
    };
    let callers = [
        ("ada", of("10.0.0.1:5000", 1)),
        ("bob", of("10.0.0.2:5000", 2)),
        ("eve", of("10.0.0.2:5001", 3)),
    ];
    let mut number = 0;
    let mut add = |request: &str, answer: &str, about: &Json| {
        number += 1;
        record(folder.path(), number, request, &xml(answer), about);
    };
    // All were given one value in the recording, and one is masked.
    for (user, about) in &callers {
        let login = get(&format!("Login?user={user}"));
        add(&login, &session("old", "[secret]"), about);
    }
    let newer = of("10.0.0.1:6000", 4);
    let unknown = of("10.0.0.9:5000", 5);
    for about in [
        &callers[0].1,
        &callers[1].1,
        &callers[2].1,
        &newer,
        &unknown,
    ] {
        add(&get("GetOrder?token=old&id=1"), &order("1", "nut"), about);
        let form = "POST /Orders.asmx/Delete HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nkey=[secret]&id=7";
        add(form, "<a/>", about);
    }
    let server = Server::new();
    let transport = server.answering(|request| match request.uri().to_string() {
        uri if uri.contains("Login") => {
            let user = uri.rsplit('=').next().unwrap();
            in_xml(session(&format!("t{user}"), &format!("k{user}")))
        }
        uri if uri.contains("GetOrder") => in_xml(order("1", "nut")),
        _ => in_xml("<a/>".to_owned()),
    });
    let rules = Rules::new().learn("LoginResult.Token").unwrap();
    let replay = Replay::new(folder.path()).with_service(service());
    let report = replay.with_rules(rules).run(&transport).await.unwrap();
    report.verify(Likeness::Bytes).unwrap();
    let asked = server.asked();
    let calls: Vec<_> = asked[3..].chunks(2).collect();
    assert_eq!(calls.len(), 5);
    // A new connection of a caller has the caller's; an unknown caller the latest.
    for (calls, user) in calls.iter().zip(["ada", "bob", "eve", "ada", "eve"]) {
        assert!(calls[0].contains(&format!("token=t{user}&")), "{calls:?}");
        assert!(calls[1].contains(&format!("key=k{user}&")), "{calls:?}");
    }
}

#[tokio::test]
async fn calls_of_a_connection_stay_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    for number in 1..=40 {
        let (lane, id) = (number % 4, number / 4);
        let call = get(&format!("GetOrder?token=c{lane}&id={id}"));
        record(
            folder.path(),
            number,
            &call,
            &xml(&order(&id.to_string(), "nut")),
            &connection(lane as u64),
        );
    }
    let asked = Arc::new(Mutex::new((Vec::new(), 0, 0)));
    let seen = Arc::clone(&asked);
    let server = transport_fn(move |request: Request<Bytes>| {
        let seen = Arc::clone(&seen);
        async move {
            let query = request.uri().query().unwrap().to_owned();
            {
                let mut seen = seen.lock().unwrap();
                seen.0.push(query.clone());
                seen.1 += 1;
                seen.2 = seen.2.max(seen.1);
            }
            // Later calls of other connections overtake.
            let wait = if query.contains("c1") { 5 } else { 1 };
            tokio::time::sleep(Duration::from_millis(wait)).await;
            seen.lock().unwrap().1 -= 1;
            let id = query.rsplit('=').next().unwrap().to_owned();
            Ok::<_, TransportError>(in_xml(order(&id, "nut")))
        }
    });
    let replay = Replay::new(folder.path()).with_concurrency(NonZeroUsize::new(3).unwrap());
    let report = replay.run(&server).await.unwrap();
    report.verify(Likeness::Bytes).unwrap();
    assert_eq!(report.exchanges().len(), 40);
    assert_eq!(report.exchanges()[39].name, "00000040");
    let (queries, _, most) = asked.lock().unwrap().clone();
    assert_eq!(most, 3);
    for lane in 0..4 {
        let mut ids = queries
            .iter()
            .filter(|query| query.contains(&format!("c{lane}")));
        let ids: Vec<u32> = ids
            .by_ref()
            .map(|query| query.rsplit('=').next().unwrap().parse().unwrap())
            .collect();
        assert!(ids.is_sorted(), "{lane}: {ids:?}");
        assert_eq!(ids.len(), 10);
    }
}

#[tokio::test]
async fn rates_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    for number in 1..=5 {
        let mut about = connection(1);
        about["begun"] = json!(format!("2024-05-01T10:00:00.{:03}Z", number * 50));
        record(
            folder.path(),
            number,
            &get("GetOrder?token=t&id=1"),
            &xml(&order("1", "nut")),
            &about,
        );
    }
    let server = Server::new().answering(|_| in_xml(order("1", "nut")));
    for rate in [Rate::PerSecond(20.0), Rate::Recorded] {
        let began = Instant::now();
        let replay = Replay::new(folder.path()).with_rate(rate);
        replay
            .run(&server)
            .await
            .unwrap()
            .verify(Likeness::Bytes)
            .unwrap();
        assert!(
            began.elapsed() >= Duration::from_millis(195),
            "{rate:?}: {:?}",
            began.elapsed()
        );
    }
}

#[tokio::test]
async fn calls_are_chosen_by_operation() {
    let folder = tempfile::tempdir().unwrap();
    record(
        folder.path(),
        1,
        &get("GetOrder?token=t&id=1"),
        &xml(&order("1", "nut")),
        &connection(1),
    );
    record(
        folder.path(),
        2,
        &get("Login?user=a&password=b"),
        &xml(&session("t", "k")),
        &connection(1),
    );
    let server = Server::new().answering(|_| in_xml(order("1", "nut")));
    let all = Replay::new(folder.path()).with_service(service());
    let names = |report: &Report| {
        report
            .exchanges()
            .iter()
            .map(|one| one.name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&all.clone().safe_only().run(&server).await.unwrap()),
        ["00000001"]
    );
    assert_eq!(
        names(&all.clone().only("Login").run(&server).await.unwrap()),
        ["00000002"]
    );
    let error = all
        .only("Logon")
        .run(&server)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("Orders has no operation 'Logon'; it has Login"),
        "{error}"
    );
    let error = Replay::new(folder.path())
        .safe_only()
        .run(&server)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("with a definition alone"), "{error}");
    let error = Replay::new(folder.path().join("none"))
        .run(&server)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("none"), "{error}");
}

#[tokio::test]
async fn what_cannot_be_replayed_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut cut = connection(1);
    cut["is_whole"] = json!(false);
    record(
        folder.path(),
        1,
        &get("GetOrder?token=t&id=1"),
        &xml("<a"),
        &cut,
    );
    record(
        folder.path(),
        2,
        &get("GetOrder?token=t&id=1"),
        "",
        &connection(1),
    );
    record(folder.path(), 3, "", "", &connection(1));
    let server = Server::new().answering(|_| in_xml(order("1", "nut")));
    let report = Replay::new(folder.path())
        .with_service(service())
        .run(&server)
        .await
        .unwrap();
    assert_eq!(results(&report), ["unsent"; 3]);
    let text = report.to_text(Likeness::Bytes, 10);
    for why in [
        "not recorded whole",
        "no answer was recorded",
        "request.http: there is no empty line",
    ] {
        assert!(text.contains(why), "{why}: {text}");
    }
    assert!(report.verify(Likeness::Differs).is_err());
}

#[tokio::test]
async fn reports_hold_hostile_values() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = "&lt;script&gt;alert('x')&lt;/script&gt;&amp;\u{202e}\"]]&gt;";
    record(
        folder.path(),
        1,
        &get("GetOrder?token=t&id=1"),
        &xml(&order("1", "nut")),
        &connection(1),
    );
    record(
        folder.path(),
        2,
        &get("GetOrder?token=t&id=1"),
        &xml(&order("1", "nut")),
        &connection(1),
    );
    fs::rename(
        folder.path().join("00000002"),
        folder.path().join("<b>&'\""),
    )
    .unwrap();
    let server = Server::new().answering(|_| in_xml(order("1", hostile)));
    let report = Replay::new(folder.path())
        .with_service(service())
        .run(&server)
        .await
        .unwrap();

    let junit = report.to_junit(Likeness::Bytes);
    let document = roxmltree::Document::parse(&junit).unwrap();
    let root = document.root_element();
    assert_eq!(
        (root.attribute("tests"), root.attribute("failures")),
        (Some("2"), Some("2"))
    );
    let cases: Vec<_> = document
        .descendants()
        .filter(|one| one.has_tag_name("testcase"))
        .collect();
    assert_eq!(cases[1].attribute("name"), Some("<b>&'\""));
    let told = cases[0].first_element_child().unwrap().text().unwrap();
    assert!(
        told.contains("value at GetOrderResult.Name: expected nut, found <script>"),
        "{told}"
    );

    let json = report.to_json();
    assert_eq!(json["summary"]["GetOrder"]["differs"], 2);
    let differences = &json["exchanges"][0]["differences"];
    assert_eq!(differences[0]["kind"], "value");
    assert_eq!(differences[0]["place"], "GetOrderResult.Name");
    assert_eq!(differences[0]["likeness"], "differs");
    assert_eq!(json["exchanges"][0]["binding"], "http-get");

    let html = report.to_html(Likeness::Bytes);
    assert_eq!(html.matches("<script>").count(), 1, "only its own");
    for wrong in [
        "alert('x')",
        "\u{202e}",
        "<b>&",
        "http://",
        "https://",
        " src=",
        "@import",
        "url(",
    ] {
        assert!(!html.contains(wrong), "{wrong}");
    }
    assert!(
        html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;\\u{202e}"),
        "{html}"
    );
    // What is not void is closed: all but scripts and styles is XML.
    let body = html
        .split_once("<main>")
        .unwrap()
        .1
        .split_once("</main>")
        .unwrap()
        .0;
    let body = format!(
        "<main>{}</main>",
        body.replace(" hidden>", ">").replace(" open>", ">")
    );
    let page = roxmltree::Document::parse(&body).unwrap();
    assert_eq!(
        page.descendants()
            .filter(|one| one.has_tag_name("details"))
            .count(),
        2
    );
}
