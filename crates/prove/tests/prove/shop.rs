//! A service that returns its parameters, and services with planted faults.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use http::{Request, Response};
use serde_json::{Value as Json, json};
use svcgen::codegen::Endpoint;
use svcgen::transport::TransportError;
use svcgen::{Fault, Transport};
use svcgen_messages::{Answer, Service};

const DEFINITION: &str = "
service: Shop
namespace: urn:shop
path: /Shop.asmx
bindings: [soap11, soap12, http-get, http-post, json]
operations:
  Echo:
    bindings: [soap11, http-post, json]
    read_only: true
    parameters: { text: 'string?', amount: decimal, count: int, rate: double, kind: Kind, day: dateTime }
    result: Echo?
    faults: [NoSuchText]
  Order:
    read_only: true
    bindings: [soap11, soap12]
    parameters: { order: Order, shape: Shape }
    result: Order?
  Pay: { parameters: { pin: { type: string, secret: true } }, result: boolean }
types:
  Echo: { elements: { Text: 'string?', Amount: decimal, Count: int, Rate: double, Kind: Kind, Day: dateTime } }
  Order: { elements: { Number: { type: 'int?', absent: nil }, Note: 'string?', Lines: 'Line[]?', Shape: Shape? } }
  Line: { elements: { Article: 'string?', Count: int } }
  Shape: { abstract: true, elements: { Name: 'string?' } }
  Circle: { extends: Shape, elements: { Radius: double } }
  Square: { extends: Shape, elements: { Side: double } }
enums:
  Kind: [First, Second, Third]
faults:
  NoSuchText: { type: string }
";

pub fn service() -> Service {
    static SERVICE: LazyLock<Service> =
        LazyLock::new(|| Service::of_definition("shop.yaml", DEFINITION).unwrap());
    *SERVICE
}

/// A change to the answer of a handler.
type OfAnswer = fn(&mut Json);
/// A change to a request before it is read.
type OfRequest = fn(Request<Bytes>) -> Request<Bytes>;
/// A change to a written response, by its request.
type OfResponse = fn(&Request<Bytes>, Response<Bytes>) -> Response<Bytes>;

#[derive(Clone, Copy)]
pub enum Planted {
    Answer(OfAnswer),
    Request(OfRequest),
    Response(OfResponse),
}

/// A server of the shop, with or without a planted fault.
pub struct Shop {
    endpoint: Endpoint,
    planted: Option<Planted>,
}

impl Shop {
    pub fn new(planted: Option<Planted>) -> Self {
        let endpoint = service().endpoint(move |request| async move {
            let parameters = &request.parameters;
            let mut answer = match request.operation.name() {
                "Echo" if parameters["text"] == "none" => {
                    let fault = Fault::client("There is no such text.");
                    let fault = request
                        .operation
                        .with_detail(fault, "NoSuchText", &json!("none"));
                    return Err(fault.unwrap());
                }
                "Echo" => json!({
                    "Text": parameters["text"],
                    "Amount": parameters["amount"],
                    "Count": parameters["count"],
                    "Rate": parameters["rate"],
                    "Kind": parameters["kind"],
                    "Day": parameters["day"],
                }),
                "Pay" => return Ok(json!(parameters["pin"] == "4711-0815").into()),
                _ => {
                    let mut order = parameters["order"].clone();
                    if order.is_object() {
                        order["Shape"] = parameters["shape"].clone();
                    }
                    order
                }
            };
            if let Some(Planted::Answer(change)) = planted {
                change(&mut answer);
            }
            Ok(Answer::from(answer))
        });
        Self { endpoint, planted }
    }
}

impl Transport for Shop {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let asked = request.clone();
        let request = match self.planted {
            Some(Planted::Request(change)) => change(request),
            _ => request,
        };
        let response = self.endpoint.answer(request).await;
        Ok(match self.planted {
            Some(Planted::Response(change)) => change(&asked, response),
            _ => response,
        })
    }
}

/// A server from a function.
pub struct Answering<F>(pub Arc<F>);

impl<F> Transport for Answering<F>
where
    F: Fn(&Request<Bytes>) -> Response<Bytes> + Send + Sync,
{
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        Ok((self.0)(&request))
    }
}
