//! Requests and answers in the form that tests write them.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Method, Request, Response};
use svcgen::codegen::Client;
use svcgen::transport::transport_fn;
use svcgen::{Binding, Transport};

use super::service::{DOCUMENT, MODULES, Mirror, NAMESPACE, PATH, Server};

pub const SOAP: [Binding; 2] = [Binding::Soap11, Binding::Soap12];

/// Returns the output of a future that never waits.
pub fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}

/// Returns a client whose transport is the server.
pub fn client<const STYLE: usize>(binding: Binding) -> Client<impl Transport> {
    let server = Server::<STYLE>::new(Mirror::default());
    client_of::<STYLE, _>(
        binding,
        transport_fn(move |request| {
            let server = server.clone();
            async move { Ok(server.answer(request).await) }
        }),
    )
}

/// Returns a client whose transport always returns the same answer.
pub fn client_told(binding: Binding, status: u16, body: &str) -> Client<impl Transport + use<>> {
    let content_type = match binding {
        Binding::Soap12 => "application/soap+xml",
        _ => "text/xml",
    };
    let body = body.to_owned();
    client_of::<DOCUMENT, _>(
        binding,
        transport_fn(move |_| {
            let mut response = Response::builder().status(status);
            if !body.is_empty() {
                response = response.header("content-type", content_type);
            }
            let response = response.body(Bytes::from(body.clone())).unwrap();
            async { Ok(response) }
        }),
    )
}

fn client_of<const STYLE: usize, T: Transport>(binding: Binding, transport: T) -> Client<T> {
    Client::new(&MODULES[STYLE], transport, "http://localhost")
        .unwrap()
        .with_binding(binding)
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub content_type: Option<String>,
    pub body: String,
}

pub fn answer<const STYLE: usize>(server: &Server<STYLE>, request: Request<Bytes>) -> Answer {
    let response = ready(server.answer(request));
    Answer {
        status: response.status().as_u16(),
        content_type: response
            .headers()
            .get("content-type")
            .map(|value| value.to_str().unwrap().to_owned()),
        body: String::from_utf8(response.body().to_vec()).unwrap(),
    }
}

/// Returns the namespace of the envelopes of a binding.
pub fn envelope_namespace(binding: Binding) -> &'static str {
    match binding {
        Binding::Soap12 => "http://www.w3.org/2003/05/soap-envelope",
        _ => "http://schemas.xmlsoap.org/soap/envelope/",
    }
}

/// Returns a SOAP message with this content of the Envelope.
pub fn envelope(binding: Binding, inside: &str) -> String {
    format!(
        r#"<s:Envelope xmlns:s="{}" xmlns:t="{NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">{inside}</s:Envelope>"#,
        envelope_namespace(binding)
    )
}

/// Returns a SOAP request, routed by the element in its Body.
pub fn soap(binding: Binding, inside: &str) -> Request<Bytes> {
    let content_type = match binding {
        Binding::Soap12 => "application/soap+xml",
        _ => "text/xml",
    };
    let request = Request::post(PATH).header("content-type", content_type);
    request.body(envelope(binding, inside).into()).unwrap()
}

/// Returns a form, over HTTP GET or POST.
pub fn form(binding: Binding, operation: &str, fields: &str) -> Request<Bytes> {
    match binding {
        Binding::HttpGet => Request::get(format!("{PATH}/{operation}?{fields}")).body(Bytes::new()),
        _ => Request::builder()
            .method(Method::POST)
            .uri(format!("{PATH}/{operation}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Bytes::from(fields.to_owned())),
    }
    .unwrap()
}

/// Returns the text between two texts.
pub fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start} in {text}"));
    let (inside, _) = rest
        .split_once(end)
        .unwrap_or_else(|| panic!("no {end} in {text}"));
    inside
}
