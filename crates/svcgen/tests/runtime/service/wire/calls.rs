//! Requests and answers in the form that tests write them.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Method, Request, Response};

use super::service::{Server, Shows};

pub const PATH: &str = "/Svc/Accounts.asmx";
pub const SOAP11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
pub const SOAP12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// Returns the output of a future that never waits.
pub fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}

#[derive(Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub headers: http::HeaderMap,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

impl From<Response<Bytes>> for Answer {
    fn from(response: Response<Bytes>) -> Self {
        let (parts, body) = response.into_parts();
        assert_eq!(
            parts.headers["content-length"].to_str().unwrap(),
            body.len().to_string()
        );
        Self {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }
}

pub fn answer(request: Request<Bytes>) -> Answer {
    ready(Server::new(Shows).answer(request)).into()
}

pub fn request(
    method: Method,
    target: &str,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> Request<Bytes> {
    let mut request = Request::builder().method(method).uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(body.into()).unwrap()
}

pub fn get(target: &str) -> Answer {
    answer(request(Method::GET, target, &[], ""))
}

pub fn post(target: &str, body: &str) -> Answer {
    answer(request(
        Method::POST,
        target,
        &[("content-type", "application/x-www-form-urlencoded")],
        body.to_owned(),
    ))
}

pub fn envelope(namespace: &str, body: &str) -> String {
    format!(r#"<s:Envelope xmlns:s="{namespace}"><s:Body>{body}</s:Body></s:Envelope>"#)
}

pub fn soap(headers: &[(&str, &str)], message: impl Into<Bytes>) -> Answer {
    answer(request(Method::POST, PATH, headers, message))
}

/// Makes a SOAP 1.1 call with a SOAPAction.
pub fn soap11(action: &str, body: &str) -> Answer {
    soap(
        &[
            ("content-type", "text/xml; charset=utf-8"),
            ("soapaction", action),
        ],
        envelope(SOAP11, body),
    )
}

/// Makes a SOAP 1.2 call without an action.
pub fn soap12(body: &str) -> Answer {
    soap(
        &[("content-type", "application/soap+xml; charset=utf-8")],
        envelope(SOAP12, body),
    )
}
