//! Answers of servers that do not follow the standards: refused as by .NET clients, and read by
//! clients that accept them.

use std::io::Write;
use std::net::TcpListener;

use svcgen::types::{DateTime, Time};
use svcgen::{Accept, Binding, CallError, CallErrorKind};
use svcgen_tests::raw_http::Connection;

svcgen::include_service!("kennel");
use kennel::*;

/// Returns a client of a server that gives one answer.
fn client(content_type: &str, body: &[u8], accepted: &[Accept]) -> KennelClient {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let mut answer = format!(
        "HTTP/1.1 200 OK\r\n{content_type}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )
    .into_bytes();
    answer.extend_from_slice(body);
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let copy = stream.try_clone().expect("the same connection");
        Connection::of(copy)
            .expect("a connection")
            .request()
            .expect("a request");
        stream.write_all(&answer).expect("it is read");
    });
    let client = KennelClient::connect(&format!("http://{address}")).expect("a URL");
    client.with(|client| client.with_accepted(accepted.iter().copied()))
}

const XML: &str = "Content-Type: text/xml; charset=utf-8\r\n";

/// Returns an answer of an operation over SOAP 1.1.
fn soap(operation: &str, result: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><s:Body><{operation}Response xmlns="urn:kennel"><{operation}Result{result}</{operation}Result></{operation}Response></s:Body></s:Envelope>"#
    )
}

/// Reads an answer with nothing accepted, with everything except `accept`, and with `accept`.
macro_rules! in_each_way {
    ($accept:expr, $content_type:expr, $body:expr, |$client:ident| $call:expr) => {{
        let body: &[u8] = $body.as_ref();
        let others: Vec<_> = Accept::ALL
            .into_iter()
            .filter(|one| *one != $accept)
            .collect();
        let mut results = Vec::new();
        for accepted in [&[][..], &others, &[$accept]] {
            let $client = client($content_type, body, accepted);
            results.push($call.await);
        }
        let [refused, otherwise, read] = <[_; 3]>::try_from(results).expect("three answers");
        (refused, otherwise, read)
    }};
}

fn is_refused<T: std::fmt::Debug>(answer: &Result<T, CallError>) {
    use CallErrorKind::{Content, IllFormed, Value};
    let is_refused = |error: &CallError| matches!(error.kind(), Content | IllFormed | Value);
    assert!(answer.as_ref().is_err_and(is_refused), "{answer:?}");
}

#[tokio::test]
async fn times_of_iso_8601_that_xml_schema_does_not_have() {
    let at = |text: &str| text.parse::<DateTime>().unwrap();
    for (text, expected) in [
        ("2024-02-29 12:34:56", "2024-02-29T12:34:56"),
        (
            " 2024-02-29T12:34:56.5+0200\n",
            "2024-02-29T12:34:56.5+02:00",
        ),
        ("2024-02-29T12:34:56-03", "2024-02-29T12:34:56-03:00"),
        ("2024-02-29T24:00:00", "2024-03-01T00:00:00"),
        ("2024-12-31 24:00:00.000+0100 ", "2025-01-01T00:00:00+01:00"),
    ] {
        let body = soap("Visit", &format!("><At>{text}</At>"));
        let (refused, otherwise, read) =
            in_each_way!(Accept::Times, XML, body, |client| client.visit());
        is_refused(&refused);
        is_refused(&otherwise);
        assert_eq!(read.unwrap().at, Some(at(expected)), "{text}");
    }
    let body = soap("Visit", "><Clock>24:00:00+0200</Clock>");
    let (refused, otherwise, read) =
        in_each_way!(Accept::Times, XML, body, |client| client.visit());
    is_refused(&refused);
    is_refused(&otherwise);
    let read = read.unwrap();
    assert_eq!(read.clock, Some("00:00:00+02:00".parse::<Time>().unwrap()));
    // The meaning of these texts is ambiguous.
    for text in [
        "29.02.2024",
        "2024-02-29T12:34:56+020",
        "2024-02-29T24:00:01",
        "2024-02-29T24:00:00.5",
        "2024-02-30 12:00:00",
    ] {
        let body = soap("Visit", &format!("><At>{text}</At>"));
        is_refused(&client(XML, body.as_bytes(), &Accept::ALL).visit().await);
    }
    // Every client accepts blanks around them.
    let body = soap(
        "Visit",
        "><At> 2024-02-29T12:34:56 </At><Clock>\n12:34:56\t</Clock><Day>\n2024-02-29 </Day>",
    );
    let read = client(XML, body.as_bytes(), &[]).visit().await.unwrap();
    assert_eq!(read.at, Some(at("2024-02-29T12:34:56")));
    assert_eq!(read.clock, Some("12:34:56".parse::<Time>().unwrap()));
}

#[tokio::test]
async fn empty_elements_for_numbers_that_may_be_absent() {
    for result in [
        "><Weight/>",
        "><Weight></Weight>",
        "><Weight> \n</Weight>",
        "><Paid/>",
        "><At />",
        "><Kind></Kind>",
        r#" room="">"#,
    ] {
        let body = soap("Visit", result);
        let (refused, otherwise, read) =
            in_each_way!(Accept::EmptyNumbers, XML, body, |client| client.visit());
        is_refused(&refused);
        is_refused(&otherwise);
        assert_eq!(read.unwrap(), Visit::default(), "{result}");
    }
    // Text may be empty, and a required number cannot be absent.
    let body = soap("Visit", "><Note/>");
    let read = client(XML, body.as_bytes(), &Accept::ALL).visit().await;
    assert_eq!(read.unwrap().note.as_deref(), Some(""));
    let body = soap("Walk", r#" xsi:type="Cat"><Lives/>"#);
    is_refused(&client(XML, body.as_bytes(), &Accept::ALL).walk().await);
}

#[tokio::test]
async fn text_before_the_document() {
    let request = EchoRequest::default();
    let body = soap("Echo", ">é &lt;?xml ?&gt;");
    for before in ["\n", "\u{FEFF}\r\n ", "<br />\n<b>Warning</b>: it works\n"] {
        let body = format!("{before}{body}");
        let (refused, otherwise, read) =
            in_each_way!(Accept::LeadingText, XML, body, |client| client
                .echo(&request));
        is_refused(&refused);
        is_refused(&otherwise);
        assert_eq!(read.unwrap().as_deref(), Some("é <?xml ?>"), "{before}");
    }
    // Without a declaration, the document starts at the first tag.
    let (_, document) = body.split_once("?>").unwrap();
    let document = format!("Notice: \n{document}");
    let read = client(XML, document.as_bytes(), &[Accept::LeadingText]);
    assert_eq!(
        read.echo(&request).await.unwrap().as_deref(),
        Some("é <?xml ?>")
    );
    let root = "\n\n<?xml version='1.0'?><string xmlns='urn:kennel'>x</string>";
    let read = client(XML, root.as_bytes(), &[Accept::LeadingText]);
    let read = read.with_binding(Binding::HttpGet).echo(&request).await;
    assert_eq!(read.unwrap().as_deref(), Some("x"));
}

#[tokio::test]
async fn an_encoding_that_only_the_declaration_tells() {
    let request = EchoRequest::default();
    let text = soap("Echo", ">café").replace("utf-8", "ISO-8859-1");
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let (refused, otherwise, read) =
        in_each_way!(Accept::DeclaredEncoding, XML, latin, |client| client
            .echo(&request));
    is_refused(&refused);
    is_refused(&otherwise);
    assert_eq!(read.unwrap().as_deref(), Some("café"));
    // Text before the declaration is accepted, too.
    let latin = [b"\n", &latin[..]].concat();
    let read = client(
        XML,
        &latin,
        &[Accept::LeadingText, Accept::DeclaredEncoding],
    );
    assert_eq!(read.echo(&request).await.unwrap().as_deref(), Some("café"));
}

#[tokio::test]
async fn names_of_types_with_a_wrong_prefix() {
    for (declaration, name) in [
        (r#"xmlns:o="urn:other""#, "o:Cat"),
        ("", "nope:Cat"),
        (r#"xmlns:ns="urn:kennel" xmlns:o="urn:other""#, "o:Cat"),
    ] {
        let result =
            format!(r#" {declaration} xsi:type="{name}"><Name>Tom</Name><Lives>9</Lives>"#);
        let body = soap("Walk", &result);
        let (refused, otherwise, read) =
            in_each_way!(Accept::TypeNames, XML, body, |client| client.walk());
        is_refused(&refused);
        is_refused(&otherwise);
        let cat = Cat {
            name: Some("Tom".to_owned()),
            lives: 9,
        };
        assert_eq!(read.unwrap(), AnyAnimal::from(cat), "{name}");
    }
    let body = soap("Walk", r#" xsi:type="nope:Whale"><Name>Tom</Name>"#);
    is_refused(&client(XML, body.as_bytes(), &Accept::ALL).walk().await);
    let dogs = soap(
        "Dogs",
        r#"><Dog xmlns:o="urn:other" xsi:type="o:Dog"><Name>Rex</Name></Dog>"#,
    );
    let request = DogsRequest::default();
    let (refused, otherwise, read) =
        in_each_way!(Accept::TypeNames, XML, dogs, |client| client.dogs(&request));
    is_refused(&refused);
    is_refused(&otherwise);
    assert_eq!(read.unwrap().len(), 1);
}

#[tokio::test]
async fn references_to_characters_that_xml_does_not_have() {
    let request = DogsRequest::default();
    let body = soap(
        "Dogs",
        r#"><Dog tag="&#x1;"><Name>&#x1D;&#x0;&#xFFFE;</Name></Dog><Dog><Name>x</Name></Dog>"#,
    );
    let (refused, otherwise, read) =
        in_each_way!(Accept::ControlCharacters, XML, body, |client| client
            .dogs(&request));
    is_refused(&otherwise);
    let read = read.unwrap();
    assert_eq!(read[0].name.as_deref(), Some("\u{1D}\0\u{FFFE}"));
    assert_eq!((read[0].tag.as_deref(), read.len()), (Some("\u{1}"), 2));
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("DogsResult/Dog"), "{said}");
    let list = r#"<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><t:ListResponse xmlns:t="urn:kennel/encodedTypes"><ListResult><Key><Name>&#x1D;</Name></Key></ListResult></t:ListResponse></s:Body></s:Envelope>"#;
    let request = ListRequest::default();
    let (refused, _, read) = in_each_way!(Accept::ControlCharacters, XML, list, |client| client
        .list(&request));
    is_refused(&refused);
    let keys = read.unwrap().unwrap();
    assert_eq!(keys[0].as_ref().unwrap().name.as_deref(), Some("\u{1D}"));
    // A surrogate is half a character, and U+001D is only accepted as a reference.
    for text in ["&#xD800;", "&#x110000;", "\u{1D}"] {
        let body = soap("Dogs", &format!("><Dog><Name>{text}</Name></Dog>"));
        let client = client(XML, body.as_bytes(), &Accept::ALL);
        is_refused(&client.dogs(&DogsRequest::default()).await);
    }
}

/// The error for a character that cannot be sent names the index of the item and the field.
#[tokio::test]
async fn a_character_that_cannot_be_sent_is_told_with_its_place() {
    let dog = |name: &str| Dog {
        name: Some(name.to_owned()),
        ..Dog::default()
    };
    let mut dogs: Vec<_> = (0..500).map(|index| dog(&format!("dog {index}"))).collect();
    dogs[316].name = Some("b\u{1D}".to_owned());
    dogs[400].name = Some("\0".to_owned());
    let client = client(XML, b"", &[]);
    let error = client.dogs(&DogsRequest { dogs }).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the request cannot be written: 'Dogs/dogs/Dog[317]/Name' holds the character U+001D, which XML cannot carry."
    );
}

#[tokio::test]
async fn encoded_arrays_without_their_type_are_of_the_declared_one() {
    let answer = |result: &str| {
        format!(
            r##"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><s:Body><t:ListResponse xmlns:t="urn:kennel/encodedTypes">{result}</t:ListResponse><item id="k"><Name>b</Name></item></s:Body></s:Envelope>"##
        )
    };
    for (result, expected) in [
        (
            "<ListResult><Key><Name>a</Name></Key></ListResult>",
            Some(vec![Some("a")]),
        ),
        (
            r##"<ListResult><item><Name>a</Name></item><item href="#k"/><item/></ListResult>"##,
            Some(vec![Some("a"), Some("b"), None]),
        ),
        ("<ListResult/>", Some(vec![])),
        (r#"<ListResult xsi:nil="true"/>"#, None),
        ("", None),
    ] {
        let client = client(XML, answer(result).as_bytes(), &[]);
        let keys = client.list(&ListRequest::default()).await.unwrap();
        let names: Option<Vec<_>> = keys.as_ref().map(|keys| {
            keys.iter()
                .map(|key| key.as_ref()?.name.as_deref())
                .collect()
        });
        assert_eq!(names, expected, "{result}");
    }
}

#[tokio::test]
async fn an_answer_without_content_type_is_told() {
    let client = client("", b"<html>", &[]);
    let error = client.visit().await.unwrap_err().to_string();
    let said = "the answer is not a SOAP message but an answer without Content-Type: <html>";
    assert!(error.starts_with(said), "{error}");
}
