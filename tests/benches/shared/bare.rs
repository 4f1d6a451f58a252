//! A bare hyper server that reads the body of a request, and returns the same bytes as the service.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, request};
use http_body_util::{BodyExt, Collected, Full};
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
    let answer = move |head: &request::Parts, _| answers[bindings::place(head)].clone();
    accept(listener, tls, answer).await;
}

/// Serves a function of the head and the body of a request on hyper.
pub async fn accept<A>(listener: TcpListener, tls: Option<TlsAcceptor>, answer: A)
where
    A: Fn(&request::Parts, Collected<Bytes>) -> Response<Full<Bytes>> + Send + Sync + 'static,
{
    let answer = Arc::new(answer);
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        stream.set_nodelay(true).expect("a connection");
        let (answer, tls) = (Arc::clone(&answer), tls.clone());
        tokio::spawn(async move {
            match tls {
                None => connection(TokioIo::new(stream), answer).await,
                Some(tls) => {
                    // Some callers disconnect at the end of their round.
                    if let Ok(stream) = tls.accept(stream).await {
                        connection(TokioIo::new(stream), answer).await;
                    }
                }
            }
        });
    }
}

async fn connection<S, A>(stream: S, answer: Arc<A>)
where
    S: Read + Write + Unpin,
    A: Fn(&request::Parts, Collected<Bytes>) -> Response<Full<Bytes>>,
{
    let service = service_fn(move |request: Request<Incoming>| {
        let answer = Arc::clone(&answer);
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await?;
            Ok::<_, hyper::Error>(answer(&head, body))
        }
    });
    let _ = hyper::server::conn::http1::Builder::new()
        .title_case_headers(true)
        .serve_connection(stream, service)
        .await;
}
