//! Encoded objects whose elements occur any number of times, such as the `Map` of Apache SOAP and
//! Axis, and messages without a namespace.

use http::Request;
use svcgen::types::Object;
use svcgen::{Binding, Context};

use super::{Result, wait};

svcgen::include_service!("maps");
use maps::*;

/// Returns its parameters.
struct Maps;

impl MapsHandler for Maps {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Option<Map>> {
        Ok(request.map)
    }

    async fn sum(&self, _: &Context, request: SumRequest) -> Result<i32> {
        Ok(request.numbers.iter().sum())
    }

    async fn add(&self, _: &Context, request: AddRequest) -> Result<i32> {
        Ok(request.a + request.b)
    }
}

fn map() -> Map {
    let item = |key: &str, value| MapItem {
        key: Some(Object::String(key.to_owned())),
        value,
    };
    Map {
        item: vec![item("one", Some(Object::Int(1))), item("none", None)],
        tag: vec![Some("a".to_owned()), None, Some(String::new())],
    }
}

/// Returns the answer to a SOAP 1.1 message.
fn answer(operation: &str, message: &str) -> String {
    let action = format!("\"http://xml.apache.org/xml-soap/{operation}\"");
    let request = Request::post("/services/Maps")
        .header("content-type", "text/xml; charset=utf-8")
        .header("soapaction", action)
        .body(message.to_owned().into())
        .unwrap();
    let response = wait(MapsServer::new(Maps).answer(request));
    String::from_utf8(response.body().to_vec()).unwrap()
}

#[tokio::test]
async fn repeated_elements_go_there_and_back() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = MapsClient::new(MapsServer::new(Maps), "http://h").unwrap();
        let client = client.with_binding(binding);
        for sent in [Some(map()), Some(Map::default()), None] {
            let got = client.echo(&EchoRequest { map: sent.clone() }).await;
            assert_eq!(got.unwrap(), sent, "{binding}");
        }
    }
}

#[test]
fn what_axis_sends_is_read_and_answered_with_types_and_references() {
    let answer = answer(
        "Echo",
        r##"<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body><ns1:Echo soapenv:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/" xmlns:ns1="http://xml.apache.org/xml-soap"><map xsi:type="ns1:Map"><item><key xsi:type="xsd:string">one</key><value xsi:type="xsd:int">1</value></item><item href="#id0"/><tag xsi:type="xsd:string">a</tag><tag xsi:nil="true"/></map></ns1:Echo><multiRef id="id0" soapenv:root="0"><key xsi:type="xsd:string">two</key><value href="#id1"/></multiRef><multiRef id="id1" soapenv:root="0" xsi:type="xsd:int">2</multiRef></soapenv:Body></soapenv:Envelope>"##,
    );
    let expected = r##"<types:Map id="id1" xsi:type="types:Map"><item href="#id2" /><item href="#id3" /><tag xsi:type="xsd:string">a</tag><tag xsi:nil="true" /></types:Map><types:MapItem id="id2" xsi:type="types:MapItem"><key xsi:type="xsd:string">one</key><value xsi:type="xsd:int">1</value></types:MapItem><types:MapItem id="id3" xsi:type="types:MapItem"><key xsi:type="xsd:string">two</key><value xsi:type="xsd:int">2</value></types:MapItem>"##;
    assert!(answer.contains(expected), "{answer}");
}

#[tokio::test]
async fn messages_are_in_no_namespace() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = MapsClient::new(MapsServer::new(Maps), "http://h").unwrap();
        let client = client.with_binding(binding);
        let numbers = vec![1, 2, 3];
        assert_eq!(client.sum(&SumRequest { numbers }).await.unwrap(), 6);
        assert_eq!(client.add(&AddRequest { a: 1, b: 2 }).await.unwrap(), 3);
    }
}

/// .NET proxies send these if the binding has no namespace; they would read answers in the
/// namespace of the WSDL as 0.
#[test]
fn requests_in_no_namespace_are_answered_in_none() {
    let literal = answer("Add", &super::message("<Add><a>4</a><b>1</b></Add>"));
    let expected = "<AddResponse><AddResult>5</AddResult></AddResponse>";
    assert!(literal.contains(expected), "{literal}");
    let encoded = answer(
        "Sum",
        &super::message(
            r##"<Sum><numbers href="#id1" /></Sum><soapenc:Array id="id1" soapenc:arrayType="xsd:int[2]"><Item>1</Item><Item>2</Item></soapenc:Array>"##,
        ),
    );
    let expected = r#"<SumResponse><SumResult xsi:type="xsd:int">3</SumResult></SumResponse>"#;
    assert!(encoded.contains(expected), "{encoded}");
}
