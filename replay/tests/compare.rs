//! Planted differences, each found by its kind and place.

use std::collections::BTreeSet;

use bytes::Bytes;
use http::{Request, Response};
use svcgen_messages::Service;
use svcgen_replay::{Comparer, Comparison, Likeness, Rules};

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
types:
  Order:
    attributes: { Version: int? }
    elements:
      Id: int
      Paid: boolean
      Price: decimal
      Time: dateTime
      Note: string?
      Score: int?
      Items: 'Item[]?'
      Key: { type: string?, secret: true }
  Item: { elements: { Name: string?, Count: int } }
  Session: { elements: { Token: string?, Pin: { type: string?, secret: true } } }
";

fn service() -> Service {
    Service::of_definition("orders.yaml", DEFINITION).unwrap()
}

const ORDER: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body><GetOrderResponse xmlns="http://example.com/orders"><GetOrderResult Version="3"><Id>7</Id><Paid>true</Paid><Price>12.50</Price><Time>2024-05-01T10:00:00Z</Time><Note>two &gt; one
and more</Note><Score xsi:nil="true" /><Items><Item><Name>nut</Name><Count>1</Count></Item><Item><Name>bolt</Name><Count>2</Count></Item><Item><Name>gear</Name><Count>3</Count></Item></Items><Key>k-1</Key></GetOrderResult></GetOrderResponse></soap:Body></soap:Envelope>"#;

const FAULT: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault><faultcode>soap:Client</faultcode><faultstring>No such order.</faultstring><faultactor>http://example.com/a</faultactor><detail><Reason xmlns="urn:x">1</Reason></detail></soap:Fault></soap:Body></soap:Envelope>"#;

const JSON: &str = r#"{"d":{"Version":3,"Id":7,"Paid":true,"Price":12.50,"Time":"\/Date(1714557600000)\/","Note":"a\u003cb","Score":null,"Items":[{"Name":"nut","Count":1},{"Name":"bolt","Count":2}],"Key":"k-1"}}"#;

fn request() -> Request<Bytes> {
    let body = r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><GetOrder xmlns="http://example.com/orders"><id>7</id><password>hunter2</password></GetOrder></soap:Body></soap:Envelope>"#;
    Request::post("/Orders.asmx")
        .header("Content-Type", "text/xml; charset=utf-8")
        .header("SOAPAction", "\"http://example.com/orders/GetOrder\"")
        .body(Bytes::from(body))
        .unwrap()
}

fn json_request() -> Request<Bytes> {
    Request::post("/Orders.asmx/GetOrder")
        .header("Content-Type", "application/json; charset=utf-8")
        .body(Bytes::from(r#"{"id":7,"password":"hunter2"}"#))
        .unwrap()
}

fn response(status: u16, media_type: &str, body: impl Into<Bytes>) -> Response<Bytes> {
    Response::builder()
        .status(status)
        .header("Content-Type", media_type)
        .header("Cache-Control", "private, max-age=0")
        .header("Date", "Wed, 01 May 2024 10:00:00 GMT")
        .body(body.into())
        .unwrap()
}

fn xml(body: impl Into<Bytes>) -> Response<Bytes> {
    response(200, "text/xml; charset=utf-8", body)
}

fn json(body: impl Into<Bytes>) -> Response<Bytes> {
    response(200, "application/json; charset=utf-8", body)
}

fn fault(body: impl Into<Bytes>) -> Response<Bytes> {
    response(500, "text/xml; charset=utf-8", body)
}

fn compare(expected: &Response<Bytes>, found: &Response<Bytes>) -> Comparison {
    Comparer::new(Some(service()), Rules::new()).compare(&request(), expected, found)
}

/// A change of a text, which must be there.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} is not in it");
    text.replace(from, to)
}

/// What is changed to what, the kind, the place, and how alike the answers are.
type Planted = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Likeness,
);

fn check(
    cases: &[Planted],
    text: &str,
    response: fn(String) -> Response<Bytes>,
    request: &Request<Bytes>,
) -> BTreeSet<&'static str> {
    let comparer = Comparer::new(Some(service()), Rules::new());
    let mut kinds = BTreeSet::new();
    let mut wrong = String::new();
    for (from, to, kind, place, likeness) in cases {
        let (expected, found) = (response(text.to_owned()), response(changed(text, from, to)));
        let comparison = comparer.compare(request, &expected, &found);
        let back = comparer.compare(request, &found, &expected);
        let told = comparison.differences.iter().map(|one| {
            (
                one.kind.name(),
                one.place.as_str(),
                one.likeness,
                one.expected != one.found,
            )
        });
        let told: Vec<_> = told.collect();
        let is_right = told == [(*kind, *place, *likeness, true)]
            && comparison.likeness == *likeness
            && comparison.operation.as_deref() == Some("GetOrder")
            // The other way round there is one difference, too.
            && back.differences.len() == 1;
        if !is_right {
            wrong += &format!(
                "{from} -> {to}: {kind} at {place}, {likeness}\n{comparison:#?}\n{back:#?}\n"
            );
        }
        let same = comparer.compare(request, &found, &found.clone());
        assert_eq!(
            (same.likeness, same.differences.len()),
            (Likeness::Bytes, 0)
        );
        kinds.insert(*kind);
    }
    assert!(wrong.is_empty(), "{wrong}");
    kinds
}

use Likeness::{Differs, Document, Values};

const IN_XML: &[Planted] = &[
    (
        "<?xml",
        "\u{feff}<?xml",
        "byte-order-mark",
        "body",
        Document,
    ),
    (
        r#"<?xml version="1.0" encoding="utf-8"?>"#,
        r#"<?xml version="1.0" encoding="UTF-8"?>"#,
        "declaration",
        "body",
        Document,
    ),
    (
        r#"<?xml version="1.0" encoding="utf-8"?>"#,
        "",
        "declaration",
        "body",
        Document,
    ),
    (
        r#"Version="3""#,
        "Version='3'",
        "quotes",
        "GetOrderResult",
        Document,
    ),
    (
        r#"Version="3""#,
        r#" Version="3""#,
        "tag-space",
        "GetOrderResult",
        Document,
    ),
    (
        "</GetOrderResult>",
        "</GetOrderResult >",
        "tag-space",
        "GetOrderResult",
        Document,
    ),
    (
        r#"<Score xsi:nil="true" />"#,
        r#"<Score xsi:nil="true"></Score>"#,
        "empty-element-form",
        "GetOrderResult.Score",
        Document,
    ),
    (
        "<Items><Item>",
        "<Items>\n  <Item>",
        "white-space",
        "GetOrderResult.Items",
        Document,
    ),
    (
        "</soap:Envelope>",
        "</soap:Envelope>\n",
        "white-space",
        "body",
        Document,
    ),
    (
        "&gt;",
        "&#62;",
        "character-reference",
        "GetOrderResult.Note",
        Document,
    ),
    (
        "two &gt; one",
        "<![CDATA[two > one]]>",
        "cdata",
        "GetOrderResult.Note",
        Document,
    ),
    (
        "one\nand",
        "one\r\nand",
        "line-end",
        "GetOrderResult.Note",
        Document,
    ),
    (
        "<Items>",
        "<!-- x --><Items>",
        "comment",
        "GetOrderResult",
        Document,
    ),
    (
        "<Items>",
        "<?x y?><Items>",
        "instruction",
        "GetOrderResult",
        Document,
    ),
    (
        r#" xmlns:xsd="http://www.w3.org/2001/XMLSchema""#,
        "",
        "namespace-declaration",
        "Envelope",
        Document,
    ),
    (
        r#"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema""#,
        r#"xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#,
        "attribute-order",
        "Envelope",
        Document,
    ),
    (
        "12.50",
        "12.5",
        "lexical-form",
        "GetOrderResult.Price",
        Values,
    ),
    (
        ">true<",
        ">1<",
        "lexical-form",
        "GetOrderResult.Paid",
        Values,
    ),
    (
        "10:00:00Z",
        "12:00:00+02:00",
        "lexical-form",
        "GetOrderResult.Time",
        Values,
    ),
    (
        r#"Version="3""#,
        r#"Version="03""#,
        "lexical-form",
        "GetOrderResult.Version",
        Values,
    ),
    (
        "<Id>7</Id><Paid>true</Paid>",
        "<Paid>true</Paid><Id>7</Id>",
        "element-order",
        "GetOrderResult",
        Values,
    ),
    (
        r#"<Score xsi:nil="true" />"#,
        "",
        "absent-for-nil",
        "GetOrderResult.Score",
        Values,
    ),
    (
        "<Key>",
        "<Extra>1</Extra><Key>",
        "unknown-element",
        "GetOrderResult.Extra",
        Values,
    ),
    (
        r#"Version="3""#,
        r#"Version="3" Extra="1""#,
        "unknown-attribute",
        "GetOrderResult.Extra",
        Values,
    ),
    (
        "<Id>7</Id>",
        "<Id> 7 </Id>",
        "text-space",
        "GetOrderResult.Id",
        Values,
    ),
    (
        "<Id>7</Id>",
        "<Id>8</Id>",
        "value",
        "GetOrderResult.Id",
        Differs,
    ),
    (
        ">bolt<",
        ">screw<",
        "value",
        "GetOrderResult.Items[1].Name",
        Differs,
    ),
    (
        ">bolt<",
        ">Bolt<",
        "text-case",
        "GetOrderResult.Items[1].Name",
        Differs,
    ),
    (
        ">bolt<",
        ">bolt <",
        "text-space",
        "GetOrderResult.Items[1].Name",
        Differs,
    ),
    (
        "one\nand",
        "one&#xD;\nand",
        "carriage-return",
        "GetOrderResult.Note",
        Differs,
    ),
    (
        r#"Version="3""#,
        r#"Version="4""#,
        "attribute",
        "GetOrderResult.Version",
        Differs,
    ),
    (
        r#" Version="3""#,
        "",
        "missing-attribute",
        "GetOrderResult.Version",
        Differs,
    ),
    (
        "<Item><Name>bolt</Name><Count>2</Count></Item>",
        "",
        "missing-item",
        "GetOrderResult.Items[1]",
        Differs,
    ),
    (
        "<Item><Name>gear</Name>",
        "<Item><Name>saw</Name><Count>9</Count></Item><Item><Name>gear</Name>",
        "extra-item",
        "GetOrderResult.Items[2]",
        Differs,
    ),
    (
        "<Name>nut</Name>",
        "",
        "missing-element",
        "GetOrderResult.Items[0].Name",
        Differs,
    ),
    (
        "<Name>nut</Name>",
        "<Name />",
        "value",
        "GetOrderResult.Items[0].Name",
        Differs,
    ),
    (
        r#"<Score xsi:nil="true" />"#,
        "<Score>0</Score>",
        "nil",
        "GetOrderResult.Score",
        Differs,
    ),
    (
        "<Price>",
        r#"<Price xmlns="urn:other">"#,
        "namespace",
        "GetOrderResult.Price",
        Differs,
    ),
    (
        "GetOrderResponse",
        "GetOrderresponse",
        "name-case",
        "GetOrderResponse",
        Differs,
    ),
];

const IN_FAULT: &[Planted] = &[
    (
        "soap:Client",
        "soap:Server",
        "fault-code",
        "Fault.faultcode",
        Differs,
    ),
    (
        "No such order.",
        "No order.",
        "fault-text",
        "Fault.faultstring",
        Differs,
    ),
    (
        "http://example.com/a",
        "http://example.com/b",
        "fault-actor",
        "Fault.faultactor",
        Differs,
    ),
    (
        "<faultactor>http://example.com/a</faultactor>",
        "",
        "fault-actor",
        "Fault.faultactor",
        Differs,
    ),
    (
        r#"<detail><Reason xmlns="urn:x">1</Reason></detail>"#,
        "<detail />",
        "fault-detail",
        "Fault.detail.Reason",
        Differs,
    ),
    (
        r#"<detail><Reason xmlns="urn:x">1</Reason></detail>"#,
        "",
        "fault-detail",
        "Fault.detail",
        Differs,
    ),
];

const IN_JSON: &[Planted] = &[
    (r#""Id":7"#, r#""Id": 7"#, "white-space", "body", Document),
    (r"a\u003cb", "a<b", "character-reference", "body", Document),
    (
        r#""Version":3,"Id":7"#,
        r#""Id":7,"Version":3"#,
        "member-order",
        "GetOrderResult",
        Document,
    ),
    ("12.50", "12.5", "lexical-form", "body", Values),
    (
        r#""Id":7"#,
        r#""Id":8"#,
        "value",
        "GetOrderResult.Id",
        Differs,
    ),
    (
        r#""Name":"bolt""#,
        r#""Name":"screw""#,
        "value",
        "GetOrderResult.Items[1].Name",
        Differs,
    ),
    (
        r#""Name":"bolt""#,
        r#""Name":null"#,
        "nil",
        "GetOrderResult.Items[1].Name",
        Differs,
    ),
    (
        r#","Score":null"#,
        "",
        "absent-for-nil",
        "GetOrderResult.Score",
        Values,
    ),
    (
        r#"{"Name":"nut","Count":1},"#,
        "",
        "missing-item",
        "GetOrderResult.Items[0]",
        Differs,
    ),
    (
        r#""Score":null"#,
        r#""Score":null,"Extra":1"#,
        "unknown-element",
        "GetOrderResult.Extra",
        Values,
    ),
    (
        r#""Name":"nut","#,
        "",
        "missing-element",
        "GetOrderResult.Items[0].Name",
        Differs,
    ),
];

/// The kinds and places that are found.
fn told(comparison: &Comparison) -> Vec<(&'static str, &str)> {
    let differences = comparison.differences.iter();
    differences
        .map(|one| (one.kind.name(), one.place.as_str()))
        .collect()
}

#[test]
fn what_is_beside_the_body_is_compared() {
    let plain = || xml(ORDER);
    let with = |name: &'static str, value: &'static str| {
        let mut response = plain();
        response.headers_mut().insert(name, value.parse().unwrap());
        response
    };
    let without = |name: &str| {
        let mut response = plain();
        response.headers_mut().remove(name);
        response
    };
    let cases: [(Response<Bytes>, &str, &str, Likeness); 13] = [
        (
            response(500, "text/xml; charset=utf-8", ORDER),
            "status",
            "status",
            Differs,
        ),
        (
            with("content-type", "application/xml; charset=utf-8"),
            "media-type",
            "header Content-Type",
            Differs,
        ),
        (
            with("content-type", "text/xml"),
            "charset",
            "header Content-Type",
            Differs,
        ),
        (
            with("content-type", "text/xml;charset=\"UTF-8\""),
            "content-type-form",
            "header Content-Type",
            Document,
        ),
        (
            with("cache-control", "no-cache"),
            "header",
            "header Cache-Control",
            Differs,
        ),
        (
            without("cache-control"),
            "missing-header",
            "header Cache-Control",
            Differs,
        ),
        (with("etag", "1"), "extra-header", "header Etag", Differs),
        (xml(""), "missing-body", "body", Differs),
        (xml("no XML"), "body", "body", Differs),
        (xml(&ORDER[..300]), "malformed", "body", Differs),
        (
            xml(ORDER.replace("<Id>7<", "<Id>seven<")),
            "value",
            "GetOrderResult.Id",
            Differs,
        ),
        (fault(FAULT), "status", "status", Differs),
        (
            xml(ORDER
                .replace("<Price>", "<price>")
                .replace("</Price>", "</price>")),
            "name-case",
            "GetOrderResult.Price",
            Differs,
        ),
    ];
    for (found, kind, place, likeness) in cases {
        let comparison = compare(&plain(), &found);
        assert_eq!(
            told(&comparison).first(),
            Some(&(kind, place)),
            "{comparison:#?}"
        );
        assert_eq!(comparison.likeness, likeness, "{comparison:#?}");
    }
    let comparison = compare(&xml(""), &plain());
    assert_eq!(told(&comparison), [("extra-body", "body")]);
    // What does not count.
    for name in ["date", "server", "x-powered-by", "x-aspnet-version"] {
        assert_eq!(
            compare(&plain(), &with(name, "other")).likeness,
            Likeness::Bytes
        );
    }
}

#[test]
fn prefixes_encodings_and_versions_of_soap_are_told() {
    let prefixed = ORDER
        .replace("soap:E", "s:E")
        .replace("soap:B", "s:B")
        .replace("xmlns:soap", "xmlns:s");
    let comparison = compare(&xml(ORDER), &xml(prefixed));
    assert_eq!(told(&comparison), [("prefix", "Envelope")]);
    assert_eq!(comparison.likeness, Document);

    let fault_prefixed = FAULT
        .replace("soap:", "s:")
        .replace("xmlns:soap", "xmlns:s");
    let comparison = compare(&fault(FAULT), &fault(fault_prefixed));
    assert_eq!(told(&comparison), [("prefix", "Envelope")]);

    let utf_16: Vec<u8> = ORDER.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let found = response(200, "text/xml", [&[0xFF, 0xFE], &utf_16[..]].concat());
    let comparison = compare(&response(200, "text/xml", ORDER), &found);
    assert_eq!(
        told(&comparison),
        [("encoding", "body"), ("byte-order-mark", "body")]
    );
    assert_eq!(comparison.likeness, Document);

    let other = ORDER.replace(
        "http://schemas.xmlsoap.org/soap/envelope/",
        "http://www.w3.org/2003/05/soap-envelope",
    );
    let comparison = compare(&xml(ORDER), &xml(other));
    assert!(
        told(&comparison).contains(&("soap-version", "Envelope")),
        "{comparison:#?}"
    );
    assert_eq!(comparison.likeness, Differs);

    let ok_fault = response(200, "text/xml; charset=utf-8", FAULT);
    assert_eq!(
        told(&compare(&xml(ORDER), &ok_fault)),
        [("fault-for-result", "Body")]
    );
    assert_eq!(
        told(&compare(&ok_fault, &xml(ORDER))),
        [("result-for-fault", "Body")]
    );

    let headed = ORDER.replace(
        "<soap:Body>",
        "<soap:Header><Trace>1</Trace></soap:Header><soap:Body>",
    );
    let comparison = compare(&xml(ORDER), &xml(headed.clone()));
    assert_eq!(told(&comparison), [("soap-header", "Header")]);
    let comparison = compare(
        &xml(headed.clone()),
        &xml(headed.replace("<Trace>1</Trace>", "<Trace>1</Trace><More />")),
    );
    assert_eq!(told(&comparison), [("soap-header", "Header.More")]);
}

#[test]
fn what_a_definition_cannot_read_is_told() {
    // As in .NET, text with a comment in it is no value.
    let comparison = compare(
        &xml(ORDER),
        &xml(ORDER.replace(">bolt<", "><!-- x -->bolt<")),
    );
    let expected = [
        ("comment", "GetOrderResult.Items[1].Name"),
        ("unreadable", "body"),
    ];
    assert_eq!(told(&comparison), expected);
    let comparison = compare(&xml(ORDER), &xml(ORDER.replace("<Id>7<", "<Id>seven<")));
    assert_eq!(
        told(&comparison),
        [("value", "GetOrderResult.Id"), ("unreadable", "body")]
    );
}

#[test]
fn compressed_bodies_are_compared_by_what_they_hold() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(ORDER.as_bytes()).unwrap();
    let mut zipped = xml(encoder.finish().unwrap());
    zipped
        .headers_mut()
        .insert("content-encoding", "gzip".parse().unwrap());
    let comparison = compare(&zipped, &xml(ORDER));
    assert_eq!(told(&comparison), [("content-coding", "body")]);
    assert_eq!(comparison.likeness, Document);
    let comparison = compare(&zipped, &xml(ORDER.replace("<Id>7", "<Id>8")));
    assert!(
        told(&comparison).contains(&("value", "GetOrderResult.Id")),
        "{comparison:#?}"
    );
}

#[test]
fn secrets_do_not_count_and_are_not_shown() {
    let other = ORDER.replace("k-1", "k-2");
    let comparison = compare(&xml(ORDER), &xml(other.clone()));
    assert_eq!(
        (comparison.likeness, comparison.differences.len()),
        (Likeness::Bytes, 0)
    );
    let [learned] = comparison.learned.as_slice() else {
        panic!("{comparison:?}");
    };
    assert_eq!(
        (&*learned.name, &*learned.recorded, &*learned.now),
        ("Key", "k-1", "k-2")
    );
    assert!(!format!("{comparison:?}").contains("k-2"));

    let masked = ORDER.replace("k-1", "[secret]");
    let comparison = compare(&xml(masked.clone()), &xml(ORDER));
    assert_eq!(
        (comparison.likeness, comparison.differences.len()),
        (Likeness::Bytes, 0)
    );

    // Other differences are found beside it.
    let comparison = compare(&xml(masked), &xml(other.replace("<Id>7", "<Id>8")));
    assert_eq!(told(&comparison), [("value", "GetOrderResult.Id")]);

    let comparison = compare(&xml(ORDER), &xml(ORDER.replace("<Key>k-1</Key>", "")));
    assert_eq!(
        told(&comparison),
        [("missing-element", "GetOrderResult.Key")]
    );
    assert_eq!(comparison.differences[0].expected, "[secret]");

    let unknown = compare(
        &xml(ORDER),
        &xml(ORDER.replace("<Key>", "<Extra>hidden</Extra><Key>")),
    );
    assert_eq!(unknown.differences[0].found, "[omitted]");

    let quoting = FAULT.replace("No such order.", "hunter2 is wrong.");
    let comparison = compare(&fault(FAULT), &fault(quoting));
    assert_eq!(told(&comparison), [("fault-text", "Fault.faultstring")]);
    assert!(
        !format!("{comparison:?}").contains("hunter2"),
        "{comparison:?}"
    );

    let mut cookie = xml(ORDER);
    cookie
        .headers_mut()
        .insert("set-cookie", "id=hunter3".parse().unwrap());
    let comparison = compare(&xml(ORDER), &cookie);
    assert_eq!(told(&comparison), [("extra-header", "header Set-Cookie")]);
    assert!(!format!("{comparison:?}").contains("hunter3"));

    let comparer = Comparer::new(Some(service()), Rules::new());
    let comparison = comparer.compare(
        &json_request(),
        &json(JSON),
        &json(JSON.replace("k-1", "k-2")),
    );
    assert_eq!(
        (comparison.likeness, comparison.differences.len()),
        (Likeness::Bytes, 0)
    );
}

#[test]
fn rules_take_places_out() {
    let other = ORDER
        .replace("10:00:00Z", "10:00:01.5Z")
        .replace(">nut<", ">but<")
        .replace("<Id>7", "<Id>9");
    let mut other = xml(other);
    other
        .headers_mut()
        .insert("set-cookie", "a=b".parse().unwrap());
    let rules = "
ignore: ['**.Name', 'header Set-Cookie']
near: { GetOrderResult.Time: 2, GetOrderResult.Id: 1 }
";
    let rules = Rules::from_yaml(rules).unwrap();
    let comparer = Comparer::new(Some(service()), rules);
    let comparison = comparer.compare(&request(), &xml(ORDER), &other);
    assert_eq!(told(&comparison), [("value", "GetOrderResult.Id")]);
    let rules = Rules::new().ignore("GetOrderResult").unwrap();
    let rules = rules.ignore("header Set-Cookie").unwrap();
    let comparison = Comparer::new(Some(service()), rules).compare(&request(), &xml(ORDER), &other);
    assert_eq!(comparison.likeness, Likeness::Bytes, "{comparison:#?}");

    let rules = Rules::new().ignore("GetOrderResult.Items[0].Name").unwrap();
    let found = xml(ORDER.replace(">nut<", ">but<").replace(">gear<", ">year<"));
    let comparison = Comparer::new(Some(service()), rules).compare(&request(), &xml(ORDER), &found);
    assert_eq!(
        told(&comparison),
        [("value", "GetOrderResult.Items[2].Name")]
    );

    for (text, expected) in [
        ("ignore: ['a..b']", "`a..b` is no place"),
        ("ignor: []", "unknown field `ignor`"),
        ("near: { 'header Date': 1 }", "headers have no distance"),
        ("near: { a: -1 }", "is no distance"),
        ("ignore: ['header a b']", "names no HTTP header"),
    ] {
        let error = Rules::from_yaml(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(Rules::from_yaml("").unwrap(), Rules::new());
}

#[test]
fn documents_are_compared_without_a_definition() {
    let comparer = Comparer::new(None, Rules::new());
    let comparison = comparer.compare(
        &request(),
        &xml(ORDER),
        &xml(ORDER.replace("12.50", "12.5")),
    );
    assert_eq!(told(&comparison), [("value", "GetOrderResult.Price")]);
    assert_eq!((comparison.likeness, comparison.operation), (Differs, None));
    let comparison = comparer.compare(
        &request(),
        &xml(ORDER),
        &xml(ORDER.replace("Version=\"3\"", "Version='3'")),
    );
    assert_eq!(comparison.likeness, Document);
}

#[test]
fn hostile_documents_take_bounded_time() {
    let deep = |text: &str| format!("{}{text}{}", "<a>".repeat(50_000), "</a>".repeat(50_000));
    let comparer = Comparer::new(None, Rules::new());
    let wide = |text: &str| format!("<a>{}{text}</a>", "<b>1</b>".repeat(50_000));
    for body in [&deep as &dyn Fn(&str) -> String, &wide] {
        let comparison = comparer.compare(&request(), &xml(body("x")), &xml(body("y")));
        assert_eq!(comparison.likeness, Differs);
    }
    let many = |value: &str| format!("<a>{}</a>", format!("<b>{value}</b>").repeat(50_000));
    let comparison = comparer.compare(&request(), &xml(many("1")), &xml(many("2")));
    assert_eq!(comparison.differences.len(), 1000);
}

#[test]
fn planted_differences_are_found_by_their_kinds_and_places() {
    let mut kinds = check(IN_XML, ORDER, xml, &request());
    kinds.extend(check(IN_FAULT, FAULT, fault, &request()));
    kinds.extend(check(IN_JSON, JSON, json, &json_request()));
    assert!(kinds.len() >= 30, "{}: {kinds:?}", kinds.len());
}
