//! A service to replace.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{Method, Request, Response, StatusCode};
use serde_json::{Value as Json, json};
use svcgen::bytes::Bytes;
use svcgen::codegen::Endpoint;
use svcgen_codegen::Config;
use svcgen_documents::{Shape, WsdlOptions, wsdl};
use svcgen_messages::Service;
use tokio::runtime::Builder;

/// The host in the pages.
pub const HOST: &str = "https://shop.example.com";

/// The service to replace.
const ORIGINAL: &str = "
service: Orders
namespace: http://shop.example.com/orders
path: /Orders.asmx
operations:
  Login: { parameters: { user: string?, password: { type: string?, secret: true } }, result: string?, allow: [SVC020] }
  Find: { parameters: { token: string?, number: int }, result: Order? }
  Place: { bindings: [soap11, soap12], parameters: { token: string?, order: Order? }, result: int }
types:
  Order: { elements: { Number: int, Placed: dateTime, State: State, Lines: 'Line[]?' } }
  Line: { elements: { Article: string?, Quantity: int, Price: decimal } }
enums:
  State: [Open, Sent]
";

/// The number of its only order.
const ORDER: i32 = 7;

/// The changes of the newer service.
const NEWER: [(&str, &str); 2] = [
    (
        "  Place:",
        "  Cancel: { parameters: { token: string?, number: int }, result: boolean }\n  Place:",
    ),
    ("Price: decimal", "Price: decimal, Note: string?"),
];

fn document(definition: String) -> String {
    let described = Config::new().describe("orders.yaml", definition).unwrap();
    let options = WsdlOptions {
        shape: Shape::Original,
        ..WsdlOptions::default()
    };
    let document = described.with(|service| wsdl(service, &format!("{HOST}/Orders.asmx"), options));
    document.unwrap()
}

/// Serves the original until the process ends: its WSDL, and calls of `Find`. Returns its address.
pub fn original() -> String {
    changing(Arc::default())
}

/// Serves the original, with the newer WSDL once `is_newer` is set.
pub fn changing(is_newer: Arc<AtomicBool>) -> String {
    let definition = ORIGINAL.replace(", allow: [SVC020]", "");
    let newer = NEWER.iter().fold(definition.clone(), |text, (old, new)| {
        text.replace(old, new)
    });
    let service = Service::of_definition("orders.yaml", &definition).unwrap();
    let endpoint = service.endpoint(|request| async move {
        let found = json!({ "Number": ORDER, "Placed": "0001-01-01T00:00:00", "State": "Sent" });
        let is_known = request.parameters["number"] == ORDER;
        Ok(if is_known { found } else { Json::Null }.into())
    });
    let documents = [document(definition), document(newer)];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        for connection in listener.incoming() {
            let document = &documents[usize::from(is_newer.load(Ordering::Relaxed))];
            runtime.block_on(answer(connection.unwrap(), document, &endpoint));
        }
    });
    address
}

async fn answer(mut connection: TcpStream, document: &str, endpoint: &Endpoint) {
    let Some(request) = read(&connection) else {
        return;
    };
    let is_call = request.method() != Method::GET;
    let path = request.uri().path();
    let of_type = |content_type: &'static str, body: Bytes| {
        let response = Response::builder().header(CONTENT_TYPE, content_type);
        response
            .header(CACHE_CONTROL, "private, max-age=0")
            .body(body)
            .unwrap()
    };
    let response = if request.uri() == "/Orders.asmx?wsdl" {
        of_type("text/xml; charset=utf-8", Bytes::from(document.to_owned()))
    } else if path == "/Orders.asmx" && is_call
        || path.starts_with("/Orders.asmx/") && !path.ends_with("/js")
    {
        endpoint.answer(request).await
    } else {
        let mut response = of_type("text/html", Bytes::from("<html></html>"));
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response
    };
    let (status, body, length) = (response.status(), response.body(), response.body().len());
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for (name, value) in response.headers() {
        head += &format!("{name}: {}\r\n", value.to_str().unwrap());
    }
    head += &format!("Content-Length: {length}\r\nConnection: close\r\n\r\n");
    // A client may disconnect before it has read everything.
    let _ = connection.write_all(&[head.as_bytes(), body].concat());
}

/// Reads the request of a connection; `None` if the connection ends before.
fn read(connection: &TcpStream) -> Option<Request<Bytes>> {
    let mut reader = BufReader::new(connection);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut first = lines.first()?.split(' ');
    let mut request = Request::builder()
        .method(first.next().unwrap())
        .uri(first.next().unwrap());
    let mut length = 0;
    for line in &lines[1..] {
        let (name, value) = line.split_once(':').unwrap();
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().unwrap();
        }
        request = request.header(name, value);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body(body.into()).ok()
}
