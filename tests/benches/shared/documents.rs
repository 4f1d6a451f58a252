//! The measured documents, each with its value.

use svcgen::codegen::{Content, Fields, Reader};
use svcgen::{Limits, ReadError};
use svcgen_tests::device_login_service::{
    AdditionalInfo, AuthInfo, DeviceLoginResponse, LoginErrorCode, LoginRequest, RealTimeInfo,
    RealTimeLaunchReason, SearchSourceType,
};

pub const NAMESPACE: &str = "http://example.com/svc/device";
const ENVELOPE: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const OPEN: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><soap:Body>";
const CLOSE: &str = "</soap:Body></soap:Envelope>";

/// A document, as its bytes on the wire.
pub struct Document {
    pub name: &'static str,
    pub text: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Request,
    Response,
}

/// Returns all measured documents.
pub fn documents() -> Vec<Document> {
    let response = write_response(&response());
    let document = |name, kind, text| Document { name, kind, text };
    vec![
        document("request", Kind::Request, write_request(&request())),
        document("response", Kind::Response, response.clone()),
        document("indented", Kind::Response, indented(&response)),
        document("prefixed", Kind::Response, prefixed(&response)),
        document("attributes", Kind::Response, with_attributes(&response)),
        document("reversed", Kind::Response, reversed(&response)),
        document(
            "10,000 items",
            Kind::Response,
            write_response(&many(10_000)),
        ),
    ]
}

pub fn request() -> LoginRequest {
    LoginRequest {
        username: Some("alice@example.com".to_owned()),
        password: Some("correct horse".into()),
        device_pin: Some("2A-77-10-C4".into()),
    }
}

/// Returns a full record with 8 search source types and 20 capabilities.
pub fn response() -> DeviceLoginResponse {
    let text = |text: &str| Some(text.to_owned());
    DeviceLoginResponse {
        login_error_code: LoginErrorCode::Ok,
        login_error_message: text("Welcome back, Alice & Bob"),
        encrypted_password: Some((0..48).collect::<Vec<u8>>().into()),
        real_time_info: Some(RealTimeInfo {
            real_time_host: text("rt.example.com"),
            real_time_port: 8443,
            real_time_auth_host: text("rtauth.example.com"),
            real_time_auth_port: 9443,
            real_time_protocol: text("https"),
            real_time_auth_protocol: text("tcp"),
            auth_info: Some(AuthInfo {
                zid: Some("zid-0123456789abcdef".into()),
                azid: Some("azid-0123456789abcdef".into()),
            }),
            real_time_launch_reason: RealTimeLaunchReason::Ok,
            launch_reason_text: text("launched by the user"),
        }),
        entry_point_url: text("https://entry.example.com/start?session=1&view=2"),
        base_url: text("https://base.example.com/"),
        quotes_data_vendor_id: 7,
        user_id: 9_007_199_254_740_993,
        client_support_phone: text("+1 555 0100"),
        mobile_support_email: text("support@example.com"),
        additional_info: Some(AdditionalInfo {
            max_news_headlines_cap: 100,
            min_news_auto_refresh_time: 30,
            enable_idms_mobile_quotes: true,
            enable_security_profile_for_idms: false,
            news_search_source_types: Some((0..8).map(source_type).collect()),
            capabilities: Some((0..20).map(|index| index * 37 + 1).collect()),
        }),
    }
}

fn source_type(index: i32) -> Option<SearchSourceType> {
    Some(SearchSourceType {
        id: index,
        name: Some(format!("Source number {index}")),
        checked_by_default: index % 2 == 0,
    })
}

/// Returns a record with this many search source types.
pub fn many(items: i32) -> DeviceLoginResponse {
    let mut record = response();
    record
        .additional_info
        .as_mut()
        .expect("just made")
        .news_search_source_types = Some((0..items).map(source_type).collect());
    record
}

pub fn write_request(request: &LoginRequest) -> String {
    let mut bytes = Vec::new();
    write_request_into(request, &mut bytes);
    String::from_utf8(bytes).expect("UTF-8")
}

pub fn write_request_into(request: &LoginRequest, bytes: &mut Vec<u8>) {
    let mut out = Content::compact(bytes);
    out.raw(OPEN);
    out.start("Login", &[("xmlns", NAMESPACE)]);
    request.write_elements(&mut out);
    out.end("Login");
    out.raw(CLOSE);
    out.finish().expect("a value that XML can carry");
}

pub fn write_response(response: &DeviceLoginResponse) -> String {
    let mut bytes = Vec::new();
    write_response_into(response, &mut bytes);
    String::from_utf8(bytes).expect("UTF-8")
}

pub fn write_response_into(response: &DeviceLoginResponse, bytes: &mut Vec<u8>) {
    let mut out = Content::compact(bytes);
    out.raw(OPEN);
    out.start("LoginResponse", &[("xmlns", NAMESPACE)]);
    out.element("LoginResult", response);
    out.end("LoginResponse");
    out.raw(CLOSE);
    out.finish().expect("a value that XML can carry");
}

/// Reads a request from its bytes, to the end of the document.
pub fn read_request(bytes: &[u8], limits: &Limits) -> Result<LoginRequest, ReadError> {
    let mut request = LoginRequest::default();
    read_body(bytes, limits, &mut |reader| reader.read(&mut request))?;
    Ok(request)
}

/// Reads a response from its bytes, to the end of the document.
pub fn read_response(bytes: &[u8], limits: &Limits) -> Result<DeviceLoginResponse, ReadError> {
    let mut response = DeviceLoginResponse::default();
    read_body(bytes, limits, &mut |reader| {
        while reader.child()? {
            reader.read(&mut response)?;
        }
        Ok(())
    })?;
    Ok(response)
}

fn read_body<'b>(
    bytes: &'b [u8],
    limits: &Limits,
    element: &mut dyn FnMut(&mut Reader<'b>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    // The bindings check UTF-8 in the same way.
    let text = simdutf8::compat::from_utf8(bytes).expect("UTF-8");
    let mut reader = Reader::new(text, limits);
    reader.root()?;
    assert!(reader.is(ENVELOPE, "Envelope"));
    while reader.child()? {
        if !reader.is(ENVELOPE, "Body") {
            reader.skip()?;
            continue;
        }
        while reader.child()? {
            element(&mut reader)?;
        }
    }
    reader.finish()
}

/// Returns the same document with each element on a line of its own, and two blanks of indentation
/// for each level.
fn indented(document: &str) -> String {
    let mut out = String::new();
    let mut level: usize = 0;
    let mut rest = document;
    while let Some(end) = rest.find('>') {
        let (tag, after) = rest.split_at(end + 1);
        let closing = tag.starts_with("</");
        level -= usize::from(closing);
        // An end tag directly after a text stays on its line.
        if (!closing || out.ends_with('>')) && !out.is_empty() {
            out.push('\n');
            out.push_str(&"  ".repeat(level));
        }
        let text = after.find('<').unwrap_or(after.len());
        out.push_str(tag);
        out.push_str(&after[..text]);
        level += usize::from(!closing && !tag.ends_with("/>") && !tag.starts_with("<?"));
        rest = &after[text..];
    }
    out
}

/// Returns the same document with a prefix on every element of the service.
fn prefixed(document: &str) -> String {
    let document = document.replace("xmlns=", "xmlns:tns=");
    let mut out = String::new();
    for (index, piece) in document.split('<').enumerate() {
        if index > 0 {
            out.push('<');
        }
        let name = piece.trim_start_matches('/');
        if index > 0 && !name.starts_with("soap:") && !name.starts_with('?') {
            out.push_str(&piece[..piece.len() - name.len()]);
            out.push_str("tns:");
            out.push_str(name);
        } else {
            out.push_str(piece);
        }
    }
    out
}

/// Returns the same document with an attribute on every element, so that it is not read by the fast
/// path.
fn with_attributes(document: &str) -> String {
    let start = document.find("<LoginResult>").expect("a result");
    let mut out = document[..start].to_owned();
    for (index, piece) in document[start..].split('<').enumerate().skip(1) {
        out.push('<');
        let end = piece.find(['>', ' ']).expect("a tag");
        if piece.starts_with('/') || index == 0 {
            out.push_str(piece);
        } else {
            out.push_str(&piece[..end]);
            out.push_str(" kind=\"t\"");
            out.push_str(&piece[end..]);
        }
    }
    out
}

/// Returns the same document with the children of every record in reverse order.
fn reversed(document: &str) -> String {
    let tree = roxmltree::Document::parse(document).expect("well-formed");
    let result = tree
        .descendants()
        .find(|node| node.tag_name().name() == "LoginResult")
        .expect("a result");
    let mut out = document[..result.range().start].to_owned();
    reverse(document, result, &mut out);
    out + &document[result.range().end..]
}

fn reverse(document: &str, node: roxmltree::Node<'_, '_>, out: &mut String) {
    let children: Vec<_> = node.children().filter(|child| child.is_element()).collect();
    if children.is_empty() {
        out.push_str(&document[node.range()]);
        return;
    }
    let name = node.tag_name().name();
    out.push_str(&format!("<{name}>"));
    let list = children
        .windows(2)
        .all(|pair| pair[0].tag_name() == pair[1].tag_name());
    let order: Vec<_> = if list {
        children
    } else {
        children.into_iter().rev().collect()
    };
    for child in order {
        reverse(document, child, out);
    }
    out.push_str(&format!("</{name}>"));
}
