//! Masked values, and values that a server issues anew, are filled in; reports contain none of
//! them.

use std::fs;

use http::Request;
use serde_json::{Value as Json, json};
use svcgen_replay::{Likeness, MaskedValues, Outcome, Replay, Rules};

use crate::recording::{
    Recording, Server, connection, get, in_xml, order, results, service, session, soap, written,
    xml,
};

#[tokio::test]
async fn what_answers_hold_now_goes_into_later_requests() {
    let mut recording = Recording::new();
    let login = "Login?user=ada&password=[secret]";
    recording.add(&get(login), &xml(&session("old-1", "[secret]")));
    recording.add(&get("GetOrder?token=old-1&id=7"), &xml(&order("7", "nut")));
    let delete = soap("Delete", "<token>[secret]</token><id>7</id>");
    let deleted = r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><DeleteResponse xmlns="http://example.com/orders" /></soap:Body></soap:Envelope>"#;
    recording.add(&delete, &xml(deleted));
    let server = Server::new();
    let transport = server.answering(|request| match request.uri().to_string() {
        uri if uri.contains("Login") => in_xml(session("new&lt;1", "key-now")),
        uri if uri.contains("GetOrder") => in_xml(order("7", "nut")),
        _ => in_xml(deleted.to_owned()),
    });
    let rules = Rules::new().learn("LoginResult.Token").unwrap();
    let replay = Replay::new(recording.path())
        .with_service(service())
        .with_rules(rules);
    let password = MaskedValues::default().with("password", &"hunter2".to_owned().into());
    let replay = replay.with_values(password.clone());

    // For the masked token of `Delete`, no earlier answer had a masked value of that name.
    let report = replay.run(&transport).await.unwrap();
    assert_eq!(results(&report), ["identical", "identical", "unsent"]);
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
        .with_values(password.with("Token", &"t&1".to_owned().into()))
        .run(&transport)
        .await
        .unwrap();
    assert_eq!(results(&report), ["identical"; 3]);
    let asked = server.asked();
    assert!(
        asked[4].contains("<token>t&amp;1</token><id>7</id>"),
        "{asked:?}"
    );

    // Reports contain neither the given nor the learned values.
    for text in written(&report) {
        for secret in ["hunter2", "key-now", "t&1", "t&amp;1"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    }
}

#[test]
fn requests_are_filled_in_their_encodings() {
    let values = MaskedValues::default().with("token", &"t1".to_owned().into());
    let utf_16 = |text: &str| {
        let units = ['\u{feff}' as u16].into_iter().chain(text.encode_utf16());
        units.flat_map(u16::to_be_bytes).collect::<Vec<_>>()
    };
    let latin = |text: &str| text.chars().map(|one| one as u8).collect();
    let text = |token: &str| format!("<a><token>{token}</token>é</a>");
    let [masked, filled] = ["[secret]", "t1"].map(text);
    for (charset, masked, filled) in [
        ("utf-16", utf_16(&masked), utf_16(&filled)),
        ("iso-8859-1", latin(&masked), latin(&filled)),
    ] {
        let request = Request::post("/Orders.asmx")
            .header("Content-Type", format!("text/xml; charset={charset}"));
        let sent = values.filled(&request.body(masked.into()).unwrap());
        assert_eq!(sent.unwrap().body(), &filled);
    }
}

#[tokio::test]
async fn masked_secrets_are_learned_by_their_names() {
    let mut recording = Recording::new();
    recording.add(&get("Login?user=ada"), &xml(&session("[secret]", "k")));
    let delete = soap("Delete", "<token>[secret]</token><id>7</id>");
    recording.add(&delete, &xml("<a/>"));
    let form = "POST /Orders.asmx/Delete HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nCookie: [secret]\r\nAuthorization: [secret]\r\n\r\ntoken=[secret]&id=7";
    recording.add(form, &xml("<a/>"));
    let json = "POST /Orders.asmx/Delete HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"token\": \"[secret]\", \"id\":7}";
    recording.add(json, &xml("<a/>"));
    let masked = fs::read_to_string(recording.path().join("00000001/response.http")).unwrap();
    let masked = masked.replace(
        "\r\nContent-Type",
        "\r\nSet-Cookie: [secret]\r\nContent-Type",
    );
    fs::write(recording.path().join("00000001/response.http"), masked).unwrap();
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
    let replay = Replay::new(recording.path()).with_service(service());
    let report = replay.run(&transport).await.unwrap();
    assert_eq!(results(&report), ["identical"; 4], "{report:#?}");
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
    let mut recording = Recording::new();
    let header = "POST /Orders.asmx/Delete HTTP/1.1\r\nContent-Type: ";
    let form = format!("{header}application/x-www-form-urlencoded\r\n\r\ntoken=[secret]&id=7");
    let json = format!("{header}application/json\r\n\r\n{{\"token\":\"[secret]\",\"id\":7}}");
    let soap = soap("Delete", "<token>[secret]</token><id>7</id>");
    let query = get("Delete?token=[secret]&id=7");
    for request in [query, form, json, soap] {
        recording.add(&request, &xml("<a>done</a>"));
    }
    for form in forms {
        let server = Server::new();
        let repeated = form.replace('&', "&amp;").replace('<', "&lt;");
        let transport = server.answering(move |_| in_xml(format!("<a>no: {repeated}</a>")));
        let token = MaskedValues::default().with("token", &FILLED.to_owned().into());
        let replay = Replay::new(recording.path()).with_values(token);
        let report = replay.run(&transport).await.unwrap();
        assert_eq!(results(&report), ["differs"; 4], "{report:?}");
        let asked = server.asked();
        let sent = [forms[1], forms[1], forms[3], "p&amp;s&lt;&quot;w 7&gt;d"];
        for (asked, sent) in asked.iter().zip(sent) {
            assert!(asked.contains(sent), "{asked}");
        }
        for text in written(&report) {
            // The parts that every form of the secret has.
            for part in [forms[4], "w 7", "w%207"] {
                assert!(!text.contains(part), "{form}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn callers_keep_what_they_were_given() {
    let mut recording = Recording::new();
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
    let mut add = |request: &str, answer: &str, about: &Json| {
        recording.add_with(request, &xml(answer), about);
    };
    // In the recording, all callers were given the same token; the key is masked.
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
    let replay = Replay::new(recording.path()).with_service(service());
    let report = replay.with_rules(rules).run(&transport).await.unwrap();
    report.verify(Likeness::Identical).unwrap();
    let asked = server.asked();
    let calls: Vec<_> = asked[3..].chunks(2).collect();
    assert_eq!(calls.len(), 5);
    // A new connection of a caller uses the values of the caller, an unknown caller the latest
    // ones.
    for (calls, user) in calls.iter().zip(["ada", "bob", "eve", "ada", "eve"]) {
        assert!(calls[0].contains(&format!("token=t{user}&")), "{calls:?}");
        assert!(calls[1].contains(&format!("key=k{user}&")), "{calls:?}");
    }
}

#[tokio::test]
async fn each_caller_has_its_own_secret() {
    let mut recording = Recording::new();
    let form = |fields: &str| {
        format!(
            "POST /Orders.asmx/Login HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n{fields}"
        )
    };
    let json = |user: &str| {
        format!(
            "POST /Orders.asmx/Login HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{{\"password\":\"[secret]\",\"user\":\"{user}\"}}"
        )
    };
    let in_soap = |user: &str| {
        soap(
            "Login",
            &format!("<password>[secret]</password><user>{user}</user>"),
        )
    };
    // All calls have the same address and connection, as behind a load balancer.
    for request in [
        get("Login?user=ann&password=[secret]"),
        get("Login?user=bob&password=[secret]"),
        form("password=[secret]&user=ann%40x%3Dy"),
        json("ann"),
        in_soap("bob"),
        in_soap("eve"),
    ] {
        recording.add(&request, &xml("<a/>"));
    }
    let server = Server::new();
    let transport = server.answering(|request| {
        // The answer repeats one of the secrets.
        let body = String::from_utf8_lossy(request.body()).into_owned();
        in_xml(if body.contains("of-bob") {
            "<a>no of-bob</a>".to_owned()
        } else {
            "<a/>".to_owned()
        })
    });
    let passwords = MaskedValues::default()
        .with_where("Password", ("USER", "ann"), &"of-ann".to_owned().into())
        .with_where("password", ("user", "bob"), &"of-bob".to_owned().into())
        .with_where("password", ("user", "ann@x=y"), &"of-x".to_owned().into());
    let replay = Replay::new(recording.path())
        .with_service(service())
        .with_values(passwords.clone());
    let report = replay.run(&transport).await.unwrap();
    assert_eq!(results(&report)[5], "unsent");
    let asked = server.asked();
    for (asked, secret) in asked
        .iter()
        .zip(["of%2Dann", "of%2Dbob", "of%2Dx", "of-ann", "of-bob"])
    {
        assert!(asked.contains(secret), "{asked}");
    }
    // A value for all other callers.
    let all = replay.with_values(passwords.with("password", &"of-all".to_owned().into()));
    let report = all.run(&transport).await.unwrap();
    let asked = server.asked();
    assert!(asked[9].contains("of-bob") && asked[10].contains("of-all"));
    for text in written(&report) {
        assert!(!text.contains("of-"), "{text}");
    }
}
