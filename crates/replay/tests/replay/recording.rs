//! Recordings, and servers for their replay.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use serde_json::{Value as Json, json};
use svcgen::transport::{TransportError, transport_fn};
use svcgen_messages::Service;
use svcgen_replay::{Likeness, Report};
use tempfile::TempDir;

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
    read_only: true
  Delete:
    parameters: { token: { type: string?, secret: true }, id: int }
types:
  Session: { elements: { Token: string?, Key: { type: string?, secret: true } } }
  Order: { elements: { Id: int, Name: string? } }
";

pub(crate) fn service() -> Service {
    Service::of_definition("orders.yaml", DEFINITION).unwrap()
}

/// A folder of exchanges, in the format of `svcgen record`.
pub(crate) struct Recording {
    folder: TempDir,
    count: usize,
}

impl Recording {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder, count: 0 }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Adds an exchange on the first connection.
    pub(crate) fn add(&mut self, request: &str, answer: &str) {
        self.add_with(request, answer, &connection(1));
    }

    pub(crate) fn add_with(&mut self, request: &str, answer: &str, about: &Json) {
        self.count += 1;
        let folder = self.path().join(format!("{:08}", self.count));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("request.http"), request).unwrap();
        fs::write(folder.join("response.http"), answer).unwrap();
        fs::write(folder.join("exchange.json"), about.to_string()).unwrap();
    }
}

pub(crate) fn get(path: &str) -> String {
    format!(
        "GET /Orders.asmx/{path} HTTP/1.1\r\nHost: old.example.com\r\nConnection: close\r\n\r\n"
    )
}

pub(crate) fn soap(operation: &str, parameters: &str) -> String {
    let body = format!(
        r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><{operation} xmlns="http://example.com/orders">{parameters}</{operation}></soap:Body></soap:Envelope>"#
    );
    let length = body.len();
    format!(
        "POST /Orders.asmx HTTP/1.1\r\nHost: old.example.com\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"http://example.com/orders/{operation}\"\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

pub(crate) fn xml(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

pub(crate) fn order(id: &str, name: &str) -> String {
    format!(r#"<Order xmlns="http://example.com/orders"><Id>{id}</Id><Name>{name}</Name></Order>"#)
}

pub(crate) fn session(token: &str, key: &str) -> String {
    format!(
        r#"<Session xmlns="http://example.com/orders"><Token>{token}</Token><Key>{key}</Key></Session>"#
    )
}

pub(crate) fn in_xml(body: String) -> Response<Bytes> {
    let response = Response::builder().header("Content-Type", "text/xml; charset=utf-8");
    response.body(Bytes::from(body)).unwrap()
}

pub(crate) fn connection(number: u64) -> Json {
    json!({ "connection": number, "caller": "127.0.0.1:5000", "is_whole": true, "is_masked": false, "begun": format!("2024-05-01T10:00:00.{number:03}Z") })
}

/// A server that answers with a function, and records its requests.
pub(crate) struct Server {
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn new() -> Self {
        let asked = Arc::default();
        Self { asked }
    }

    pub(crate) fn answering<A>(&self, answer: A) -> impl svcgen::Transport + use<A>
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

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

pub(crate) fn results(report: &Report) -> Vec<&str> {
    report
        .exchanges()
        .iter()
        .map(svcgen_replay::Replayed::result)
        .collect()
}

/// Returns a report in all formats.
pub(crate) fn written(report: &Report) -> [String; 5] {
    [
        report.to_text(Likeness::Identical, 100),
        report.to_json().to_string(),
        report.to_junit(Likeness::Identical),
        report.to_html(Likeness::Identical),
        format!("{report:?}"),
    ]
}
