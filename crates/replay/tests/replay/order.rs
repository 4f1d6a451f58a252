//! The times at which calls are sent, and the order of calls.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Request;
use serde_json::json;
use svcgen::transport::{TransportError, transport_fn};
use svcgen_replay::{Likeness, Rate, Replay};

use crate::recording::{Recording, Server, connection, get, in_xml, order, xml};

#[tokio::test]
async fn calls_of_a_connection_stay_in_their_order() {
    let mut recording = Recording::new();
    for number in 1..=40_u64 {
        let (lane, id) = (number % 4, number / 4);
        let call = get(&format!("GetOrder?token=c{lane}&id={id}"));
        recording.add_with(
            &call,
            &xml(&order(&id.to_string(), "nut")),
            &connection(lane),
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
            // Later calls on other connections overtake these.
            let wait = if query.contains("c1") { 5 } else { 1 };
            tokio::time::sleep(Duration::from_millis(wait)).await;
            seen.lock().unwrap().1 -= 1;
            let id = query.rsplit('=').next().unwrap().to_owned();
            Ok::<_, TransportError>(in_xml(order(&id, "nut")))
        }
    });
    let replay = Replay::new(recording.path()).with_concurrency(NonZeroUsize::new(3).unwrap());
    let report = replay.run(&server).await.unwrap();
    report.verify(Likeness::Identical).unwrap();
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
    let mut recording = Recording::new();
    for number in 1..=5 {
        let mut about = connection(1);
        about["begun"] = json!(format!("2024-05-01T10:00:00.{:03}Z", number * 50));
        recording.add_with(
            &get("GetOrder?token=t&id=1"),
            &xml(&order("1", "nut")),
            &about,
        );
    }
    let server = Server::new().answering(|_| in_xml(order("1", "nut")));
    for rate in [Rate::PerSecond(20.0), Rate::Recorded] {
        let began = Instant::now();
        let replay = Replay::new(recording.path()).with_rate(rate);
        replay
            .run(&server)
            .await
            .unwrap()
            .verify(Likeness::Identical)
            .unwrap();
        assert!(
            began.elapsed() >= Duration::from_millis(195),
            "{rate:?}: {:?}",
            began.elapsed()
        );
    }
}
