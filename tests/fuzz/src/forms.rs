//! Forms: GET and POST have the same result, and encoded texts arrive unchanged.

use bytes::Bytes;
use http::Request;

use super::bindings::{answer, check_answer};
use super::source::Source;

const PATH: &str = "/SvcDotNet/Authenticator.asmx/ClientAuthWithResult";

/// Checks an input whose first byte selects between any bytes as a form, and any texts encoded as a
/// form.
pub fn check(input: &[u8]) {
    let Some((&choice, rest)) = input.split_first() else {
        return;
    };
    match choice & 1 {
        0 => same_over_get_and_post(rest),
        _ => arrives(&mut Source(rest)),
    }
}

fn call(form: &str) -> Option<[(u16, Bytes); 2]> {
    let get = Request::get(format!("{PATH}?{form}"))
        .body(Bytes::new())
        .ok()?;
    if get.uri().query() != Some(form) {
        return None;
    }
    let post = Request::post(PATH)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(Bytes::copy_from_slice(form.as_bytes()))
        .ok()?;
    Some([get, post].map(|request| {
        let response = answer(request);
        check_answer(&response);
        (response.status().as_u16(), response.into_body())
    }))
}

fn same_over_get_and_post(form: &[u8]) {
    let Ok(form) = std::str::from_utf8(form) else {
        return;
    };
    if let Some([get, post]) = call(form) {
        assert_eq!(get, post, "{form}");
    }
}

fn arrives(source: &mut Source<'_>) {
    let texts = [source.text(), source.text(), source.text(), source.text()];
    let names = ["userName", "password", "macAddress", "processName"];
    let encoded: Vec<String> = names
        .iter()
        .zip(&texts)
        .map(|(name, text)| format!("{name}={}", encode(text)))
        .collect();
    let form = encoded.join("&").replace("userName=", "userName=raw&x=");
    let Some([get, post]) = call(&form) else {
        panic!("no form: {form}")
    };
    assert_eq!(get, post, "{form}");
    let body = std::str::from_utf8(&get.1).expect("UTF-8");
    let expected = &texts[1];
    let carried = expected.chars().all(|character| matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..));
    if get.0 != 200 {
        assert!(!carried, "{} for {expected:?}: {body}", get.0);
        return;
    }
    let document = roxmltree::Document::parse(body).expect("an answer");
    let message = document
        .descendants()
        .find(|node| node.has_tag_name(("http://example.com/svc/auth", "Message")));
    let message = message.and_then(|node| node.text()).unwrap_or_default();
    if expected.is_empty() {
        assert_eq!(message, "missing: password=empty");
    } else {
        assert_eq!(message, expected);
    }
}

fn encode(text: &str) -> String {
    let encode = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(*byte).to_string(),
        b' ' => "+".to_owned(),
        _ => format!("%{byte:02x}"),
    };
    text.as_bytes().iter().map(encode).collect()
}
