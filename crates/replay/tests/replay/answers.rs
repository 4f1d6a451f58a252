//! The answers in which differences are planted.

use bytes::Bytes;
use http::{Request, Response};
use svcgen_messages::Service;
use svcgen_replay::{Comparer, Comparison, Rules};

const DEFINITION: &str = "
service: Orders
namespace: http://example.com/orders
path: /Orders.asmx
bindings: [soap11, soap12, http-get, http-post, json]
operations:
  GetOrder:
    parameters: { id: int, password: { type: string?, secret: true } }
    result: Order
  Login:
    parameters: { user: string? }
    result: { type: Session }
  GetTree: { bindings: [soap11], style: rpc, use: encoded, result: Tree }
types:
  Tree:
    elements:
      Name: string?
      Left: Tree?
      Right: Tree?
      Tags: 'string?[]?'
      Code: QName?
      Key: { type: string?, secret: true }
  Order:
    attributes: { Version: int?, Seal: { type: string?, secret: true } }
    elements:
      Id: int
      Paid: boolean
      Price: decimal
      Time: dateTime
      Note: string?
      Remark: string?
      Ratio: double?
      Local: dateTime?
      Bytes: base64Binary?
      Pet: Pet?
      Score: int?
      Items: 'Item[]?'
      Key: { type: string?, secret: true }
  Item: { elements: { Name: string?, Count: int } }
  Pet: { elements: { Age: int } }
  Dog: { extends: Pet }
  Cat: { extends: Pet }
  Session: { elements: { Token: string?, Pin: { type: string?, secret: true } } }
";

pub(crate) fn service() -> Service {
    Service::of_definition("orders.yaml", DEFINITION).unwrap()
}

pub(crate) const ORDER: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body><GetOrderResponse xmlns="http://example.com/orders"><GetOrderResult Version="3"><Id>7</Id><Paid>true</Paid><Price>12.50</Price><Time>2024-05-01T10:00:00Z</Time><Note>two &gt; one
and more</Note><Remark /><Ratio>1E+15</Ratio><Local>2024-05-01T10:00:00</Local><Bytes>AQIDBA==</Bytes><Pet xsi:type="Cat"><Age>4</Age></Pet><Score xsi:nil="true" /><Items><Item><Name>nut</Name><Count>1</Count></Item><Item><Name>bolt</Name><Count>2</Count></Item><Item><Name>gear</Name><Count>3</Count></Item></Items><Key>k-1</Key></GetOrderResult></GetOrderResponse></soap:Body></soap:Envelope>"#;

pub(crate) const FAULT: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault><faultcode>soap:Client</faultcode><faultstring>No such order.</faultstring><faultactor>http://example.com/a</faultactor><detail><Reason xmlns="urn:x">1</Reason></detail></soap:Fault></soap:Body></soap:Envelope>"#;

pub(crate) const JSON: &str = r#"{"d":{"Version":3,"Id":7,"Paid":true,"Price":12.50,"Time":"\/Date(1714557600000)\/","Note":"a\u003cb","Score":null,"Items":[{"Name":"nut","Count":1},{"Name":"bolt","Count":2}],"Key":"k-1"}}"#;

pub(crate) const TREE: &str = r##"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:tns="http://example.com/orders" xmlns:types="http://example.com/orders/encodedTypes" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><tns:GetTreeResponse><GetTreeResult href="#id1" /></tns:GetTreeResponse><types:Tree id="id1" xsi:type="types:Tree"><Name>root</Name><Left href="#id2" /><Right href="#id4" /><Tags href="#id3" /><Key>k-1</Key></types:Tree><types:Tree id="id2" xsi:type="types:Tree"><Name>left</Name></types:Tree><types:Tree id="id4" xsi:type="types:Tree"><Name>right</Name></types:Tree><soapenc:Array id="id3" soapenc:arrayType="xsd:string[2]"><Item>a</Item><Item>b</Item></soapenc:Array></soap:Body></soap:Envelope>"##;

pub(crate) fn tree_request() -> Request<Bytes> {
    let body = r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><tns:GetTree xmlns:tns="http://example.com/orders" /></soap:Body></soap:Envelope>"#;
    Request::post("/Orders.asmx")
        .header("Content-Type", "text/xml; charset=utf-8")
        .header("SOAPAction", "\"http://example.com/orders/GetTree\"")
        .body(Bytes::from(body))
        .unwrap()
}

pub(crate) fn request() -> Request<Bytes> {
    let body = r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><GetOrder xmlns="http://example.com/orders"><id>7</id><password>hunter2</password></GetOrder></soap:Body></soap:Envelope>"#;
    Request::post("/Orders.asmx")
        .header("Content-Type", "text/xml; charset=utf-8")
        .header("SOAPAction", "\"http://example.com/orders/GetOrder\"")
        .body(Bytes::from(body))
        .unwrap()
}

pub(crate) fn json_request() -> Request<Bytes> {
    Request::post("/Orders.asmx/GetOrder")
        .header("Content-Type", "application/json; charset=utf-8")
        .body(Bytes::from(r#"{"id":7,"password":"hunter2"}"#))
        .unwrap()
}

pub(crate) fn response(status: u16, media_type: &str, body: impl Into<Bytes>) -> Response<Bytes> {
    Response::builder()
        .status(status)
        .header("Content-Type", media_type)
        .header("Cache-Control", "private, max-age=0")
        .header("Date", "Wed, 01 May 2024 10:00:00 GMT")
        .body(body.into())
        .unwrap()
}

pub(crate) fn xml(body: impl Into<Bytes>) -> Response<Bytes> {
    response(200, "text/xml; charset=utf-8", body)
}

pub(crate) fn json(body: impl Into<Bytes>) -> Response<Bytes> {
    response(200, "application/json; charset=utf-8", body)
}

pub(crate) fn fault(body: impl Into<Bytes>) -> Response<Bytes> {
    response(500, "text/xml; charset=utf-8", body)
}

pub(crate) fn compare(expected: &Response<Bytes>, found: &Response<Bytes>) -> Comparison {
    Comparer::new(Some(service()), Rules::new()).compare(&request(), expected, found)
}

/// Returns the kinds and places of the differences.
pub(crate) fn told(comparison: &Comparison) -> Vec<(&'static str, &str)> {
    let differences = comparison.differences.iter();
    differences
        .map(|one| (one.kind.name(), one.place.as_str()))
        .collect()
}
