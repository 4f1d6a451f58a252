//! A bare hyper server that reads the body of a request, and answers what the service answers.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use svcgen_tests::device_login_service::DeviceLoginResponse;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::answering::{Answering, DeviceLoginServiceServer};
use crate::bindings;

pub async fn serve(listener: TcpListener, tls: Option<TlsAcceptor>, record: DeviceLoginResponse) {
    let service = DeviceLoginServiceServer::new(Answering(record.into()));
    let mut answers = Vec::new();
    for (_, request) in bindings::captured() {
        answers.push(service.answer(request).await.map(Full::new));
    }
    let answers = Arc::new(answers);
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        stream.set_nodelay(true).expect("a connection");
        let (answers, tls) = (Arc::clone(&answers), tls.clone());
        tokio::spawn(async move {
            match tls {
                None => connection(stream_of(stream), answers).await,
                Some(tls) => {
                    // Some callers leave when their round is over.
                    if let Ok(stream) = tls.accept(stream).await {
                        connection(stream_of(stream), answers).await;
                    }
                }
            }
        });
    }
}

fn stream_of<S>(stream: S) -> TokioIo<S> {
    TokioIo::new(stream)
}

async fn connection<S: Read + Write + Unpin>(stream: S, answers: Arc<Vec<Response<Full<Bytes>>>>) {
    let service = service_fn(move |request: Request<Incoming>| {
        let answer = answers[bindings::place(&request)].clone();
        async move {
            let _ = request.into_body().collect().await;
            Ok::<_, Infallible>(answer)
        }
    });
    let _ = hyper::server::conn::http1::Builder::new()
        .title_case_headers(true)
        .serve_connection(stream, service)
        .await;
}
