//! Other behaviour of a proof.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use serde_json::json;
use svcgen::Transport;
use svcgen_prove::{Proof, Proved};
use svcgen_replay::{Likeness, MaskedValues, Rules};

use crate::shop::{Answering, Planted, Shop, service};

fn proof(calls: usize) -> Proof {
    let mut proof = Proof::new(service());
    proof.calls = calls;
    proof
}

async fn against_itself(proof: &Proof) -> Proved {
    proof.run(Shop::new(None), Shop::new(None)).await.unwrap()
}

fn asked(proved: &Proved) -> Vec<String> {
    let calls = proved.calls.iter();
    calls
        .map(|call| {
            format!(
                "{:?} {}",
                call.operation,
                call.asks.as_ref().unwrap().as_str()
            )
        })
        .collect()
}

/// Whether the message of a request has no change, so that a correct server answers it.
fn is_usual(request: &Request<Bytes>) -> bool {
    let body = str::from_utf8(request.body()).unwrap_or_default();
    body.contains("<Echo ") && body.contains("<text>string</text>")
}

#[tokio::test]
async fn a_seed_makes_the_same_calls_at_any_pace() {
    let mut proof = proof(300);
    let first = asked(&against_itself(&proof).await);
    assert_eq!(first.len(), 300);
    proof.at_once = 7.try_into().unwrap();
    assert_eq!(asked(&against_itself(&proof).await), first);
    proof.seed = 1;
    assert_ne!(asked(&against_itself(&proof).await), first);
}

#[tokio::test]
async fn only_what_reads_is_called_unless_it_is_named() {
    let mut proof = proof(100);
    assert!(
        !asked(&against_itself(&proof).await)
            .iter()
            .any(|call| call.contains("Pay"))
    );
    proof.operations = vec![service().operation("Pay").unwrap()];
    let calls = asked(&against_itself(&proof).await);
    assert!(calls.iter().all(|call| call.contains("Pay")));
    proof.operations.clear();
    let failed = proof
        .run(Shop::new(None), Shop::new(None))
        .await
        .unwrap_err();
    assert!(
        failed
            .to_string()
            .contains("name those that may be called, of Echo, Order, Pay")
    );
}

#[tokio::test]
async fn all_changes_alone_end_in_pairs_of_them() {
    let mut proof = proof(5000);
    proof.operations = vec![service().operation("Pay").unwrap()];
    let calls = asked(&against_itself(&proof).await);
    assert_eq!(calls.len(), 5000);
    let pairs = calls.iter().filter(|call| call.contains(", and "));
    assert!(pairs.count() > 1000);
}

#[tokio::test]
async fn what_was_never_seen_is_told() {
    let proof = proof(400);
    let proved = against_itself(&proof).await;
    let never = proved.coverage.never_seen();
    for seen in [
        "Echo over json",
        "Echo.kind = Third",
        "Order.shape.Square.Side",
        "Order result.Shape.Circle",
        "no Order result.Note",
        "Order result.Lines: several",
        "Echo with a fault",
    ] {
        assert!(!never.contains(&seen), "{seen}: {never:?}");
    }
    // No sample causes this fault.
    assert!(
        never.contains(&"Echo with the fault NoSuchText"),
        "{never:?}"
    );
    let text = proved.report().to_text(Likeness::Identical, 20);
    assert!(
        text.contains("never: Echo with the fault NoSuchText"),
        "{text}"
    );
    let few = json!({ "text": "none", "amount": "1", "count": 1, "rate": 1.0, "kind": "First", "day": "2024-01-31T12:30:00" });
    let proof = proof.with_values(service().operation("Echo").unwrap(), few);
    let proved = against_itself(&proof).await;
    assert!(
        !proved
            .coverage
            .never_seen()
            .contains(&"Echo with the fault NoSuchText")
    );
}

#[tokio::test]
async fn an_original_in_trouble_is_left_alone() {
    for status in [502, 503, 504] {
        let original = Answering(Arc::new(move |request: &Request<Bytes>| {
            let status = if is_usual(request) { 200 } else { status };
            Response::builder()
                .status(status)
                .body(Bytes::new())
                .unwrap()
        }));
        let proved = proof(500).run(original, Shop::new(None)).await.unwrap();
        let why = proved.stopped.as_ref().unwrap();
        assert!(
            why.starts_with(&format!("the original answered {status}")),
            "{why:?}"
        );
        assert!(proved.calls.len() < 10, "{}", proved.calls.len());
        let text = proved.report().to_text(Likeness::Identical, 20);
        assert!(
            text.contains("ended early: the original answered"),
            "{text}"
        );
    }
}

/// A server that is slow from a call on, or stops answering.
struct Tired {
    shop: Shop,
    calls: AtomicUsize,
    from: usize,
    time: Option<Duration>,
}

impl Tired {
    fn new(from: usize, time: Option<Duration>) -> Self {
        Self {
            shop: Shop::new(None),
            calls: AtomicUsize::new(0),
            from,
            time,
        }
    }
}

impl Transport for Tired {
    async fn send(
        &self,
        request: Request<Bytes>,
    ) -> Result<Response<Bytes>, svcgen::transport::TransportError> {
        if self.calls.fetch_add(1, Ordering::Relaxed) >= self.from {
            match self.time {
                Some(time) => tokio::time::sleep(time).await,
                None => {
                    return Err(svcgen::transport::TransportError::new(
                        svcgen::transport::TransportErrorKind::Connect,
                        "it is gone",
                    ));
                }
            }
        }
        self.shop.send(request).await
    }
}

#[tokio::test(start_paused = true)]
async fn an_original_that_becomes_slow_is_left_alone() {
    let slow = Tired::new(30, Some(Duration::from_secs(2)));
    let proved = proof(500).run(slow, Shop::new(None)).await.unwrap();
    let why = proved.stopped.as_ref().unwrap();
    assert!(why.starts_with("the original became slow"), "{why:?}");
    assert!(
        (30..60).contains(&proved.calls.len()),
        "{}",
        proved.calls.len()
    );
}

#[tokio::test]
async fn servers_that_are_gone_end_it() {
    let proved = proof(500)
        .run(Tired::new(5, None), Shop::new(None))
        .await
        .unwrap();
    assert!(
        proved
            .stopped
            .as_ref()
            .unwrap()
            .contains("the original left 3 calls in a row without an answer")
    );
    assert!(proved.findings.is_empty(), "{:?}", proved.findings);
    let report = proved.report();
    assert!(
        report
            .to_text(Likeness::Identical, 20)
            .contains("unanswered\n  00000006: ")
    );

    let proved = proof(500)
        .run(Shop::new(None), Tired::new(5, None))
        .await
        .unwrap();
    assert!(
        proved
            .stopped
            .as_ref()
            .unwrap()
            .contains("the candidate left 3 calls")
    );
    assert!(!proved.findings.is_empty());
}

#[tokio::test(start_paused = true)]
async fn calls_are_sent_at_a_rate_and_for_a_time() {
    let began = tokio::time::Instant::now();
    let mut proof = proof(50);
    proof.rate = Some(10.0);
    assert_eq!(against_itself(&proof).await.calls.len(), 50);
    assert_eq!(began.elapsed().as_millis() / 100, 49);
    proof.time = Some(Duration::ZERO);
    assert!(against_itself(&proof).await.calls.is_empty());
}

#[tokio::test]
async fn what_changes_each_time_is_told_and_accepted_by_a_rule() {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let counting = || {
        Shop::new(Some(Planted::Answer(|answer| {
            if answer.get("Count").is_some() {
                answer["Count"] = json!(NUMBER.fetch_add(1, Ordering::Relaxed));
            }
        })))
    };
    let mut proof = proof(20);
    let proved = proof.run(counting(), counting()).await.unwrap();
    let notes = &proved.findings[0].exchange.notes;
    assert!(
        notes[0].ends_with("the rule `ignore: ['EchoResult.Count']` accepts that"),
        "{notes:?}"
    );
    proof.rules = Rules::new().ignore("EchoResult.Count").unwrap();
    let proved = proof.run(counting(), counting()).await.unwrap();
    assert!(proved.findings.is_empty(), "{:?}", proved.findings);
}

#[tokio::test]
async fn values_of_recordings_are_sent_and_their_secrets_are_not_told() {
    let folder = tempfile::tempdir().unwrap();
    let exchange = folder.path().join("00000001");
    std::fs::create_dir(&exchange).unwrap();
    std::fs::write(
        exchange.join("request.http"),
        "GET /Shop.asmx/Pay?pin=[secret] HTTP/1.1\r\nHost: shop\r\n\r\n",
    )
    .unwrap();
    let paid = || Planted::Answer(|_| {});
    let lost = Planted::Request(|mut request| {
        let body = String::from_utf8_lossy(request.body()).replace("4711-0815", "0");
        *request.body_mut() = body.into();
        request
    });
    let mut proof = proof(60).with_recorded(folder.path());
    proof.operations = vec![service().operation("Pay").unwrap()];
    let proved = against_itself(&proof).await;
    let text = proved.report().to_text(Likeness::Identical, 20);
    assert!(text.contains("1 of 1 calls in"), "{text}");
    assert!(proved.coverage.never_seen().contains(&"Pay result = true"));

    proof.secrets = MaskedValues::default().with("PIN", &"4711-0815".to_owned().into());
    let proved = proof
        .run(Shop::new(Some(paid())), Shop::new(Some(lost)))
        .await
        .unwrap();
    assert!(!proved.coverage.never_seen().contains(&"Pay result = true"));
    let report = proved.report();
    let told = [
        report.to_text(Likeness::Identical, 20),
        report.to_html(Likeness::Identical),
        report.to_json().to_string(),
        report.to_junit(Likeness::Identical),
        format!("{proved:?}"),
    ];
    for text in told {
        assert!(text.contains("[secret]"), "{text}");
        assert!(!text.contains("4711-0815"), "{text}");
    }
}

#[tokio::test]
async fn a_folder_without_calls_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let failed = proof(1).with_recorded(folder.path());
    let failed = failed
        .run(Shop::new(None), Shop::new(None))
        .await
        .unwrap_err();
    assert!(
        failed.to_string().contains("there is no exchange in it"),
        "{failed}"
    );
}

#[tokio::test]
async fn a_secret_that_an_answer_repeats_is_not_told() {
    let repeating = |text: fn(&str) -> String| {
        let find = service().operation("Pay").unwrap();
        service().endpoint(move |request| {
            let pin = request.parameters["pin"].as_str().unwrap_or_default();
            let text = text(pin);
            async move { Err(svcgen::Fault::client(format!("{} {text}", find.name()))) }
        })
    };
    let mut proof = proof(10);
    let pay = service().operation("Pay").unwrap();
    proof.operations = vec![pay];
    let proof = proof.with_values(pay, json!({ "pin": "4711-0815" }));
    let original = repeating(|pin| format!("no {pin}"));
    let proved = proof
        .run(original, repeating(|pin| format!("not {pin}")))
        .await
        .unwrap();
    let text = proved.report().to_text(Likeness::Identical, 20);
    assert!(text.contains("fault-text at"), "{text}");
    assert!(!text.contains("4711-0815"), "{text}");
}
