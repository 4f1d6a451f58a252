//! Recordings that are replayed in this process.

use bytes::Bytes;
use http::Response;
use serde_json::json;
use svcgen::transport::{TransportError, TransportErrorKind, transport_fn};
use svcgen_replay::{Likeness, Replay, Report};

use crate::recording::{
    Recording, Server, connection, get, in_xml, order, results, service, session, xml,
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
    let error = Replay::new(recording.path())
        .safe_only()
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
