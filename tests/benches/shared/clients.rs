//! Clients that call the bare server: ours, and one of bare hyper, which only reads the bodies of
//! answers.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use svcgen::HttpTransport;
use svcgen_tests::device_login_service::DeviceLoginServiceClient;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

use crate::documents;
use crate::load::{Calls, ROUND};

/// The number of concurrent calls.
pub const CALLS: usize = 64;

/// A round of calls of a client, all on one thread.
pub type Client = Box<dyn Fn() -> Calls>;

/// Creates our client.
pub fn ours(runtime: Runtime, address: &str) -> Client {
    let url = format!("http://{address}");
    let client = DeviceLoginServiceClient::new(HttpTransport::new(), &url).expect("a URL");
    let client = Arc::new(client);
    let request = Arc::new(documents::request());
    Box::new(move || {
        let (client, request) = (Arc::clone(&client), Arc::clone(&request));
        runtime.block_on(round(move || {
            let (client, request) = (Arc::clone(&client), Arc::clone(&request));
            async move |until: Instant| {
                let mut calls = 0;
                while Instant::now() < until {
                    client.login(&request).await.expect("an answer");
                    calls += 1;
                }
                calls
            }
        }))
    })
}

/// Creates a client of bare hyper, with a connection for each concurrent call.
pub fn bare(runtime: Runtime, address: &str, request: Request<Bytes>) -> Client {
    let address = address.to_owned();
    let connect = async || {
        let stream = TcpStream::connect(&*address).await.expect("a connection");
        stream.set_nodelay(true).expect("a connection");
        let http1 = hyper::client::conn::http1::handshake(TokioIo::new(stream));
        let (sender, connection) = http1.await.expect("a connection");
        tokio::spawn(connection);
        Arc::new(tokio::sync::Mutex::new(sender))
    };
    let mut senders = Vec::new();
    runtime.block_on(async {
        for _ in 0..CALLS {
            senders.push(connect().await);
        }
    });
    let request = request.map(Full::new);
    Box::new(move || {
        let mut senders = senders.clone().into_iter();
        let request = request.clone();
        runtime.block_on(round(move || {
            let sender = senders.next().expect("one for each");
            let request = request.clone();
            async move |until: Instant| {
                let mut sender = sender.lock().await;
                let mut calls = 0;
                while Instant::now() < until {
                    sender.ready().await.expect("a connection");
                    let answer = sender.send_request(request.clone()).await;
                    let body = answer.expect("an answer").into_body().collect().await;
                    std::hint::black_box(body.expect("a body").to_bytes());
                    calls += 1;
                }
                calls
            }
        }))
    })
}

/// Runs this many concurrent callers until the end of the round.
async fn round<C, F>(mut caller: impl FnMut() -> C) -> Calls
where
    C: FnOnce(Instant) -> F + Send + 'static,
    F: Future<Output = u32> + Send + 'static,
{
    let started = Instant::now();
    let callers = (0..CALLS).map(|_| tokio::spawn(caller()(started + ROUND)));
    let callers: Vec<_> = callers.collect();
    let mut calls = 0;
    for caller in callers {
        calls += caller.await.expect("a caller");
    }
    (f64::from(calls), started.elapsed().as_secs_f64())
}
