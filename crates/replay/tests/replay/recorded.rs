//! Recordings that are replayed in this process.

use bytes::Bytes;
use http::Response;
use serde_json::json;
use svcgen::transport::{TransportError, TransportErrorKind, transport_fn};
use svcgen_replay::{Likeness, Replay, Report};

use crate::recording::{
    Recording, Server, connection, get, in_xml, order, results, service, session, soap, xml,
};

#[tokio::test]
async fn a_server_is_held_to_a_recording() {
    let mut recording = Recording::new();
    recording.add(&get("GetOrder?token=t&id=1"), &xml(&order("1", "nut")));
    recording.add(&get("GetOrder?token=t&id=2"), &xml(&order("2", "bolt")));
    let replay = Replay::new(recording.path()).with_service(service());
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
    report.verify(Likeness::Identical).unwrap();
    assert_eq!(results(&report), ["identical", "identical"]);
    let asked = server.asked();
    assert!(
        asked[0].starts_with("/Orders.asmx/GetOrder?token=t&id=1 {}"),
        "{asked:?}"
    );

    let other = Server::new().answering(|_| in_xml(order("01", "nut")));
    let report = replay.run(&other).await.unwrap();
    assert_eq!(results(&report), ["same-values", "differs"]);
    assert!(
        report
            .verify(Likeness::Identical)
            .unwrap_err()
            .has_differences()
    );
    let text = report.verify(Likeness::SameValues).unwrap_err().to_string();
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
async fn calls_are_chosen_by_operation() {
    let mut recording = Recording::new();
    recording.add(&get("GetOrder?token=t&id=1"), &xml(&order("1", "nut")));
    recording.add(&get("Login?user=a&password=b"), &xml(&session("t", "k")));
    let server = Server::new().answering(|_| in_xml(order("1", "nut")));
    let all = Replay::new(recording.path()).with_service(service());
    let names = |report: &Report| {
        report
            .exchanges()
            .iter()
            .map(|one| one.name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&all.clone().read_only().run(&server).await.unwrap()),
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
    let error = Replay::new(recording.path())
        .read_only()
        .run(&server)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("with a definition alone"), "{error}");
    let error = Replay::new(recording.path().join("none"))
        .run(&server)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("none"), "{error}");
}

#[tokio::test]
async fn what_cannot_be_replayed_is_told() {
    let mut recording = Recording::new();
    let mut cut = connection(1);
    cut["is_whole"] = json!(false);
    recording.add_with(&get("GetOrder?token=t&id=1"), &xml("<a"), &cut);
    recording.add(&get("GetOrder?token=t&id=1"), "");
    recording.add("", "");
    let server = Server::new().answering(|_| in_xml(order("1", "nut")));
    let report = Replay::new(recording.path())
        .with_service(service())
        .run(&server)
        .await
        .unwrap();
    assert_eq!(results(&report), ["unsent"; 3]);
    let text = report.to_text(Likeness::Identical, 10);
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
async fn what_is_no_call_is_told_and_not_sent() {
    let mut recording = Recording::new();
    let other = |line: &str| format!("{line} HTTP/1.1\r\nHost: old.example.com\r\n\r\n");
    recording.add(&get("GetOrder?token=t&id=1"), &xml(&order("1", "nut")));
    for line in [
        "GET /Orders.asmx?wsdl",
        "GET /Orders.asmx?wsdl",
        "GET /Orders.asmx?[omitted]",
        "GET /Orders.asmx/js",
        "GET /favicon.ico",
        "HEAD /Orders.asmx/GetOrder?token=t&id=1",
        "OPTIONS /Orders.asmx",
    ] {
        recording.add(&other(line), &xml("<!DOCTYPE html><html>old</html>"));
    }
    let server = Server::new();
    let transport = server.answering(|_| in_xml(order("1", "nut")));
    let replay = Replay::new(recording.path()).with_service(service());
    let report = replay.run(&transport).await.unwrap();
    report.verify(Likeness::Identical).unwrap();
    assert_eq!(server.asked().len(), 1);
    let text = report.to_text(Likeness::Identical, 20);
    let expected = "\nnot a call, and not sent: 7 exchanges: GET /Orders.asmx/js, GET /Orders.asmx?[omitted], GET /Orders.asmx?wsdl (2), GET /favicon.ico, HEAD /Orders.asmx/GetOrder?[omitted], OPTIONS /Orders.asmx\n";
    assert!(text.ends_with(expected), "{text}");
    let json = report.to_json();
    assert_eq!(json["not_a_call"]["GET /Orders.asmx?wsdl"], 2);
    assert_eq!(json["summary"].as_object().unwrap().len(), 1);
    assert_eq!(json["exchanges"][1]["result"], "not-a-call");
    let junit = report.to_junit(Likeness::Identical);
    assert!(junit.contains("errors=\"0\" skipped=\"7\">"), "{junit}");
    assert!(junit.contains("<skipped message=\"not a call: GET /favicon.ico\"/>"));
    let html = report.to_html(Likeness::Identical);
    assert!(html.contains("All 1 answers are as expected."), "{html}");

    // The selections only include calls of operations.
    let report = replay.clone().read_only().run(&transport).await.unwrap();
    assert_eq!(results(&report), ["identical"]);
    let none = replay.only("Delete").run(&transport).await.unwrap_err();
    assert!(
        none.to_string()
            .ends_with("no recorded call is of what is asked for"),
        "{none}"
    );

    // A recording without a call is an error.
    let mut empty = Recording::new();
    empty.add(&other("POST /Elsewhere.asmx"), &xml("<a/>"));
    let replay = Replay::new(empty.path()).with_service(service());
    let none = replay.run(&transport).await.unwrap_err().to_string();
    let expected = "no recorded exchange is a call; what they ask for: POST /[omitted]";
    assert!(none.ends_with(expected), "{none}");
}

#[tokio::test]
async fn masked_recordings_have_no_packages() {
    let message = order("1", "nut");
    let mut recording = Recording::new();
    for (is_masked, id) in [(true, "7"), (false, "7"), (true, "cid:7")] {
        let mut about = connection(1);
        about["is_masked"] = is_masked.into();
        let request = soap("Delete", &format!("<id>{id}</id>"));
        recording.add_with(&request, &xml(&message), &about);
    }
    let package = format!(
        "--b\r\nContent-Type: text/xml; charset=utf-8\r\n\r\n{message}\r\n--b\r\n\r\nscan\r\n--b--"
    );
    let transport = Server::new().answering(move |_| {
        let mut answer = in_xml(package.clone());
        let media_type = "multipart/related; type=\"text/xml\"; boundary=b";
        answer
            .headers_mut()
            .insert("content-type", media_type.parse().unwrap());
        answer
    });
    let replay = Replay::new(recording.path()).with_service(service());
    let report = replay.run(&transport).await.unwrap();
    let expected = ["same-document", "differs", "same-document"];
    assert_eq!(results(&report), expected);
    let text = report.to_text(Likeness::Identical, 20);
    for told in [
        "content-type-form",
        "1 exchange: the request is sent without the attachments that it refers to",
    ] {
        assert!(text.contains(told), "{text}");
    }
}

#[tokio::test]
async fn answers_that_were_left_out_are_not_compared() {
    let mut recording = Recording::new();
    let packed =
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: br\r\n\r\n[omitted]";
    recording.add(&soap("Delete", "<id>7</id>"), packed);
    let server = Server::new();
    let transport = server.answering(|_| {
        let answer = Response::builder().header("Content-Type", "text/xml");
        let answer = answer.header("Content-Encoding", "br");
        answer.body(vec![11, 2, 128].into()).unwrap()
    });
    let replay = Replay::new(recording.path()).with_service(service());
    let report = replay.run(&transport).await.unwrap();
    assert_eq!(results(&report), ["identical"]);
}

#[tokio::test]
async fn what_was_left_out_is_not_sent() {
    let mut recording = Recording::new();
    let packed = "POST /Orders.asmx HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\n\r\n[omitted]";
    recording.add(packed, &xml("<a/>"));
    recording.add(&soap("Gone", "[omitted]"), &xml("<a/>"));
    // An omitted value that a server ignores is sent as it is.
    let known = soap("Delete", "<id>7</id><more>[omitted]</more>");
    recording.add(&known, &xml("<a/>"));
    let server = Server::new();
    let transport = server.answering(|_| in_xml("<a/>".to_owned()));
    let replay = Replay::new(recording.path()).with_service(service());
    let report = replay.run(&transport).await.unwrap();
    assert_eq!(results(&report), ["unsent", "unsent", "identical"]);
    assert_eq!(server.asked().len(), 1);
    let text = report.to_text(Likeness::Identical, 20);
    for why in [
        "its body was left out when it was recorded",
        "it calls what the definition does not describe",
    ] {
        assert!(text.contains(why), "{text}");
    }
}
