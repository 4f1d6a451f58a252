//! Messages with parts beside them (MTOM).

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Request, Response};
use serde_json::json;
use svcgen::Binding;
use svcgen_messages::Service;

/// A body whose message includes a part of the bytes 1, 2 and 3, with its media type.
fn package(message: &[u8]) -> (&'static str, Bytes) {
    let message = String::from_utf8(message.to_vec()).unwrap();
    let include = "<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:p'/>";
    let message = message.replace("AQID", include);
    assert!(message.contains(include), "{message}");
    let body = format!(
        "--b\r\nContent-Type: application/xop+xml; type=\"text/xml\"\r\n\r\n{message}\r\n--b\r\nContent-ID: <p>\r\n\r\n\u{1}\u{2}\u{3}\r\n--b--"
    );
    let content_type =
        "multipart/related; type=\"application/xop+xml\"; start-info=\"text/xml\"; boundary=b";
    (content_type, body.into())
}

#[test]
fn parts_are_values_like_others() {
    let definition = "
service: Files
namespace: urn:files
path: /Files.asmx
operations:
  Echo: { parameters: { data: base64Binary }, result: base64Binary }
";
    let service = Service::of_definition("files.yaml", definition).unwrap();
    let echo = service.operation("Echo").unwrap();
    let parameters = json!({ "data": "AQID" });

    let plain = echo.request(&parameters, Binding::Soap11).unwrap();
    let (content_type, body) = package(plain.body());
    let (mut head, _) = plain.into_parts();
    head.headers
        .insert(CONTENT_TYPE, content_type.parse().unwrap());
    let request = Request::from_parts(head, body);
    assert_eq!(
        service.operation_of(request.clone()).unwrap().1,
        Binding::Soap11
    );
    assert_eq!(
        service.read_request(request).unwrap().parameters,
        parameters
    );

    let plain = echo.answer(&json!("AQID").into(), Binding::Soap11);
    let (content_type, body) = package(plain.body());
    let response = Response::builder().header(CONTENT_TYPE, content_type);
    let response = response.body(body).unwrap();
    let answer = echo.read_answer(&response, Binding::Soap11).unwrap();
    assert_eq!(answer.value, "AQID");
}
