//! Facets that a server or a client checks, over all bindings.

use std::cmp::Ordering;
use std::sync::LazyLock;

use bytes::Bytes;
use http::Request;
use proptest::prelude::*;
use svcgen::chrono::{FixedOffset, TimeZone};
use svcgen::codegen::Client;
use svcgen::types::{DateTime, Decimal, Object, XmlFragment, Zone};
use svcgen::{Binding, CallError, Context, Fault, ReadErrorKind, Server, ServerOptions};
use svcgen_model::SimpleType;
use svcgen_model::SimpleType::String as Text;
use svcgen_model::TypeRef::Simple;
use svcgen_model::{Facet, Module, Service, complex_type, element, operation};
use svcgen_tests::random;

use crate::shapes::wait;

svcgen::include_service!("checked");

use checked::*;

const NAMESPACE: &str = "http://lab.example/checked";

/// Returns its parameters.
struct Echo;

impl CheckedHandler for Echo {
    async fn check(&self, _: &Context, request: CheckRequest) -> Result<String, Fault> {
        Ok(request.short.unwrap_or_default())
    }

    async fn store(
        &self,
        _: &Context,
        headers: StoreHeaders,
        request: StoreRequest,
    ) -> Result<(Option<AnyOrder>, StoreResponseHeaders), Fault> {
        let ticket = headers.ticket;
        Ok((request.order, StoreResponseHeaders { ticket }))
    }

    async fn plan(&self, _: &Context, _: PlanRequest) -> Result<String, Fault> {
        Ok(String::new())
    }

    async fn trip(&self, _: &Context, request: TripRequest) -> Result<Option<Trip>, Fault> {
        let counts = request.name.split(' ').map(|count| count.parse().unwrap());
        let counts: Vec<_> = counts.collect();
        Ok(Some(trip(counts.try_into().unwrap())))
    }

    async fn split(&self, _: &Context, request: SplitRequest) -> Result<SplitResponse, Fault> {
        let mut words = request.text.split(' ').map(str::to_owned);
        let head = words.next().unwrap_or_default();
        let rest = words.collect();
        Ok(SplitResponse { head, rest })
    }

    async fn sum(&self, _: &Context, request: SumRequest) -> Result<i32, Fault> {
        let size = request.r#box.map_or(0, |sized| sized.size);
        Ok(request.values.unwrap_or_default().iter().sum::<i32>() + size)
    }

    async fn bare(&self, _: &Context, request: BareRequest) -> Result<String, Fault> {
        Ok(request.code)
    }
}

fn server(checked: bool) -> Server<CheckedService, Echo> {
    static CHECKED: LazyLock<Server<CheckedService, Echo>> = LazyLock::new(|| {
        CheckedServer::new(Echo).with_options(ServerOptions::new().with_facets(true))
    });
    if checked {
        return CHECKED.clone();
    }
    CheckedServer::new(Echo)
}

/// Returns the status and the text of the answer to a request.
fn answer(checked: bool, request: http::request::Builder, body: String) -> (u16, String) {
    let response = wait(server(checked).answer(request.body(Bytes::from(body)).unwrap()));
    let text = String::from_utf8(response.body().to_vec()).unwrap();
    let text = ["&apos;", "&#39;"]
        .iter()
        .fold(text, |text, escaped| text.replace(escaped, "'"));
    let text = text.replace("&gt;", ">").replace("&lt;", "<");
    (response.status().as_u16(), text.replace("&amp;", "&"))
}

/// Sends the content of a SOAP Body, after a header.
fn send(checked: bool, binding: Binding, header: &str, body: &str) -> (u16, String) {
    let (envelope, media_type) = match binding {
        Binding::Soap11 => ("http://schemas.xmlsoap.org/soap/envelope/", "text/xml"),
        _ => (
            "http://www.w3.org/2003/05/soap-envelope",
            "application/soap+xml",
        ),
    };
    let message = format!(
        r#"<s:Envelope xmlns:s="{envelope}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><s:Header>{header}</s:Header><s:Body>{body}</s:Body></s:Envelope>"#
    );
    let request = Request::post("/Checked.asmx").header("Content-Type", media_type);
    answer(checked, request, message)
}

/// Sends a parameter of `Check`, in its form for XML, or in a form.
fn check(checked: bool, binding: Binding, name: &str, xml: &str, form: &str) -> (u16, String) {
    match binding {
        Binding::HttpGet => {
            let request = Request::get(format!("/Checked.asmx/Check?{form}"));
            answer(checked, request, String::new())
        }
        Binding::HttpPost => {
            let request = Request::post("/Checked.asmx/Check");
            let form_type = "application/x-www-form-urlencoded";
            let request = request.header("Content-Type", form_type);
            answer(checked, request, form.to_owned())
        }
        soap => {
            let body = format!(r#"<Check xmlns="{NAMESPACE}"><{name}>{xml}</{name}></Check>"#);
            send(checked, soap, "", &body)
        }
    }
}

/// A parameter, one of its facets, valid values, and invalid values.
type FacetRow = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// Parameters that are never absent in a form: text is empty there.
const FACETS: &[FacetRow] = &[
    (
        "pattern",
        r"pattern '[A-Z-[IO]]{2}\d+'",
        &["AB1", "ZZ٣"],
        &["AI1", "AB", "xAB1", "AB1\n"],
    ),
    (
        "length",
        "length '3'",
        &["abc", "äöü", "\u{1F600}bc", " a "],
        &["ab", "abcd"],
    ),
    (
        "short",
        "maxLength '3'",
        &["", "abc", "\u{1F600}\u{1F600}\u{1F600}"],
        &["abcd"],
    ),
    ("long", "minLength '3'", &["abc", "abcdef"], &["ab", ""]),
    (
        "token",
        "pattern 'a b'",
        &["a b", " a \n\tb "],
        &["ab", "a c"],
    ),
    ("line", "pattern 'a  b'", &["a  b", "a\t\nb"], &["a b"]),
    (
        "words",
        "length '2'",
        &["one two", " one\n two "],
        &["one", "one two three"],
    ),
    (
        "low",
        "minInclusive '-5'",
        &["-5", " -05 ", "+0", "7"],
        &["-6", "-2147483648"],
    ),
    (
        "high",
        "maxInclusive '9007199254740993'",
        &["9007199254740993", "-1"],
        &["9007199254740994"],
    ),
    (
        "above",
        "minExclusive '0.1'",
        &["0.11", "0.10000001", "1."],
        &["0.1", ".10", "-3"],
    ),
    (
        "below",
        "maxExclusive '1e3'",
        &["999.9", "-1e9", "9.99E2"],
        &["1000", "1.0e3", "NaN"],
    ),
    (
        "total",
        "totalDigits '4'",
        &["1234", "0012.340", "-0.1234"],
        &["12345", "0.12345"],
    ),
    (
        "fraction",
        "fractionDigits '2'",
        &["12345.67", "1.2300"],
        &["0.001"],
    ),
    (
        "huge",
        "maxInclusive '123456789012345678901'",
        &["123456789012345678901", "-5"],
        &["123456789012345678902"],
    ),
    (
        "moment",
        "minInclusive '2024-03-01T00:00:00Z'",
        &[
            "2024-03-01T00:00:00Z",
            "2024-03-01T01:00:00+01:00",
            "2024-03-02T00:00:00+14:00",
        ],
        &["2024-02-29T23:59:59.9999999Z", "2024-03-01T00:00:00+01:00"],
    ),
    (
        "day",
        "maxExclusive '2024-03-01'",
        &["2024-02-29", "1999-12-31"],
        &["2024-03-01", "2025-01-01"],
    ),
    (
        "clock",
        "minInclusive '08:00:00'",
        &["08:00:00", "16:59:59"],
        &["07:59:59.9"],
    ),
    (
        "clock",
        "maxInclusive '17:00:00'",
        &["17:00:00"],
        &["17:00:00.0000001"],
    ),
    (
        "year",
        "minInclusive '1900'",
        &["1900", "12024"],
        &["1899", "-2000", "soon"],
    ),
    (
        "lease",
        "maxInclusive 'P1M'",
        &["P1M", "P27D", "-P1Y"],
        &["P32D", "P30D", "P1MT0.1S"],
    ),
    (
        "id",
        "pattern '[0-9a-f-]+'",
        &["6f9619ff-8b86-d011-b42d-00cf4fc964ff"],
        &[],
    ),
    (
        "amount",
        "maxInclusive '9.5'",
        &["9.50", "-1"],
        &["9.6", "10", "ten"],
    ),
    ("pin", "length '4'", &["1234"], &["123", "12345"]),
    (
        "wait",
        "union 'int | Term | string'",
        &["7", " 7 ", "Soon", "P30D"],
        &["7.5", "soon", "P3", ""],
    ),
    ("ends", "union 'int | int'", &["5", "90"], &["10", "85"]),
    ("ends", "pattern '.*[0-5]'", &["-1", "95"], &["9", "99"]),
    ("both", "pattern '[a-z].*'", &["a1"], &["11"]),
    ("both", "pattern '.*[0-9]'", &["a1"], &["ab"]),
    ("both", "maxLength '3'", &["a11"], &["a111"]),
];

#[test]
fn a_server_checks_facets_over_every_binding() {
    for (name, facet, right, wrong) in FACETS {
        for binding in Binding::DEFAULT.iter().copied() {
            for value in *right {
                let (status, text) = check(true, binding, name, value, &form(name, value));
                assert_eq!(status, 200, "{binding:?} {name} {value:?}: {text}");
            }
            for value in *wrong {
                let form = form(name, value);
                let (status, text) = check(true, binding, name, value, &form);
                assert_eq!(status, 500, "{binding:?} {name} {value:?}: {text}");
                let shown = if *name == "pin" { "[secret]" } else { value };
                let message = format!("The value '{shown}' violates {facet}.");
                assert!(text.contains(&message), "{message}: {binding:?} {text}");
                let (status, text) = check(false, binding, name, value, &form);
                assert_eq!(status, 200, "{binding:?} {name} {value:?}: {text}");
            }
        }
    }
}

#[test]
fn a_server_checks_facets_of_json() {
    for (name, value, violated) in [
        ("short", r#""abc""#, ""),
        (
            "short",
            r#""abcd""#,
            "The value 'abcd' violates maxLength '3'.",
        ),
        ("low", "-5", ""),
        ("low", "-6", "The value '-6' violates minInclusive '-5'."),
        (
            "below",
            r#""1e3""#,
            "The value '1000' violates maxExclusive '1e3'.",
        ),
        ("moment", r#""\/Date(1709251200000)\/""#, ""),
        (
            "moment",
            r#""\/Date(1709251199000)\/""#,
            "The value '2024-02-29T23:59:59Z' violates minInclusive '2024-03-01T00:00:00Z'.",
        ),
        (
            "pin",
            "\"123\"",
            "The value '[secret]' violates length '4'.",
        ),
    ] {
        let names = MODULE.parameters(0).elements.iter().map(|row| row.name);
        let members = names.map(|known| {
            let value = if known == name { value } else { "null" };
            format!("\"{known}\":{value}")
        });
        let body = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
        let called = |checked| {
            let request = Request::post("/Checked.asmx/Check");
            let request = request.header("Content-Type", "application/json");
            answer(checked, request, body.clone())
        };
        assert_eq!(called(false).0, 200, "{body}");
        let (status, text) = called(true);
        assert_eq!(status == 200, violated.is_empty(), "{body}: {text}");
        let violated = violated.replace('\'', "\\u0027");
        assert!(text.contains(&violated), "{violated}: {text}");
    }
}

/// Returns a form with a parameter; the others are valid, because text is never absent there.
fn form(name: &str, value: &str) -> String {
    let parameters = MODULE.parameters(0).elements.iter();
    let fields = parameters.filter_map(|known| {
        let right = FACETS.iter().find(|(other, ..)| *other == known.name);
        let right = right.map_or("", |(_, _, right, _)| right[0]);
        let text = if known.name == name { value } else { right };
        let is_list = ["data", "digest", "tags"].contains(&known.name);
        let encoded = text.bytes().map(|byte| format!("%{byte:02X}"));
        (!is_list).then(|| format!("{}={}", known.name, encoded.collect::<String>()))
    });
    fields.collect::<Vec<_>>().join("&")
}

#[test]
fn values_that_forms_write_otherwise_are_checked_as_well() {
    let rows: &[(&str, &str, &str, &str)] = &[
        ("letter", "64", "@", "minInclusive '65'"),
        ("letter", "91", "[", "maxInclusive '90'"),
        ("letter", "90", "Z", ""),
        ("flag", "true", "TRUE", ""),
        ("total", "12345", "12,345", "totalDigits '4'"),
        ("below", "INF", "Infinity", "maxExclusive '1e3'"),
        (
            "moment",
            "2024-02-29T00:00:00Z",
            "02/29/2024",
            "minInclusive '2024-03-01T00:00:00Z'",
        ),
        ("moment", "2024-03-05T00:00:00Z", "5 March 2024", ""),
        (
            "day",
            "2024-03-01",
            "03/01/2024",
            "maxExclusive '2024-03-01'",
        ),
        ("clock", "07:30:00", "7:30", "minInclusive '08:00:00'"),
        ("clock", "12:30:00", "12:30", ""),
    ];
    for (name, xml, field, expected) in rows {
        for binding in Binding::DEFAULT.iter().copied() {
            let value = if binding.is_soap() { xml } else { field };
            let (status, text) = check(true, binding, name, xml, &form(name, field));
            assert_eq!(
                status == 200,
                expected.is_empty(),
                "{binding:?} {name}={value}: {text}"
            );
            let message = format!("The value '{value}' violates {expected}.");
            assert!(status == 200 || text.contains(&message), "{message} {text}");
        }
    }
    // A value that is text in XML is checked by its pattern there.
    let (_, text) = check(true, Binding::Soap12, "flag", "1", "");
    assert!(
        text.contains("The value '1' violates pattern 'true|false'."),
        "{text}"
    );
}

#[test]
fn bytes_and_lists_are_counted() {
    let rows: &[(&str, &str, &str, &str)] = &[
        ("data", "AAE=", "data=0&data=1", ""),
        ("data", "AAECAw==", "data=AAECAw%3D%3D", ""),
        ("data", "AA==", "data=7", "minLength '2'"),
        (
            "data",
            "AAECAwQ=",
            "data=1&data=2&data=3&data=4&data=5",
            "maxLength '4'",
        ),
        ("digest", "0fB7", "digest=1&digest=2", ""),
        (
            "digest",
            "0fB7aa",
            "digest=1&digest=2&digest=3",
            "length '2'",
        ),
        (
            "tags",
            "<string>a</string><string>b</string>",
            "tags=a&tags=b",
            "",
        ),
        (
            "tags",
            "<string>a</string>",
            "tags=a",
            "The 1 items of the list 'tags' violate minOccurs '2'.",
        ),
        (
            "tags",
            "<string/><string/><string/><string/>",
            "tags=&tags=&tags=&tags=",
            "The 4 items of the list 'tags' violate maxOccurs '3'.",
        ),
        (
            "tags",
            "<string>a</string><string>long</string>",
            "tags=a&tags=long",
            "The value 'long' violates maxLength '3'.",
        ),
    ];
    for (name, xml, fields, expected) in rows {
        for binding in Binding::DEFAULT.iter().copied() {
            let form = format!("{}&{fields}", form("", ""));
            let (status, text) = check(true, binding, name, xml, &form);
            assert_eq!(
                status == 200,
                expected.is_empty(),
                "{binding:?} {fields}: {text}"
            );
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }
}

/// Sends an order in a message of `Store`.
fn store(attributes: &str, content: &str) -> (u16, String) {
    let body =
        format!(r#"<Store xmlns="{NAMESPACE}"><order {attributes}>{content}</order></Store>"#);
    send(true, Binding::Soap11, "", &body)
}

#[test]
fn every_part_of_an_object_is_checked() {
    const LINE: &str = "<Lines>1</Lines>";
    let rows: &[(&str, &str, &str)] = &[
        ("", LINE, ""),
        (r#"code="a1" marks="1 100""#, LINE, ""),
        (
            r#"code="1""#,
            LINE,
            r"The value '1' violates pattern '[a-z]\d*'.",
        ),
        (
            r#"marks="7 101 9""#,
            LINE,
            "The value '101' violates maxInclusive '100'.",
        ),
        (
            "",
            "",
            "The 0 items of the list 'Lines' violate minOccurs '1'.",
        ),
        (
            "",
            "<Lines>1</Lines><Lines>2</Lines><Lines>3</Lines>",
            "The 3 items of the list 'Lines' violate maxOccurs '2'.",
        ),
        (
            "",
            "<Lines>0</Lines>",
            "The value '0' violates minExclusive '0'.",
        ),
        ("", r#"<Lines unit="kg">1</Lines>"#, ""),
        (
            "",
            r#"<Lines unit="kilo">1</Lines>"#,
            "The value 'kilo' violates length '2'.",
        ),
        ("", "<Count/><Lines>1</Lines>", ""),
        (
            "",
            "<Count>10</Count><Lines>1</Lines>",
            "The value '10' violates maxInclusive '9'.",
        ),
        // If a value may not be nil, its content is read.
        (
            "",
            "<Count xsi:nil='true'>10</Count><Lines>1</Lines>",
            "The value '10' violates maxInclusive '9'.",
        ),
        (
            "",
            "<Lines xsi:nil='1'>0</Lines>",
            "The value '0' violates minExclusive '0'.",
        ),
        (
            "",
            "<Lines>1</Lines><Count>10</Count>",
            "The value '10' violates maxInclusive '9'.",
        ),
        (
            "",
            "<Lines>1</Lines><Grid><ArrayOfInt><int>4</int></ArrayOfInt></Grid>",
            "",
        ),
        (
            "",
            "<Lines>1</Lines><Grid><ArrayOfInt><int>4</int><int>5</int></ArrayOfInt></Grid>",
            "The value '5' violates maxExclusive '5'.",
        ),
        (
            "",
            "<Lines>1</Lines><Grid xsi:nil='true'/><Rates>1.5 2</Rates>",
            "",
        ),
        (
            "",
            "<Lines>1</Lines><Rates>1.5 2.25</Rates>",
            "The value '2.25' violates fractionDigits '1'.",
        ),
        (
            "",
            "<Lines>1</Lines><Mail>ab</Mail>",
            "The value 'ab' violates minLength '3'.",
        ),
        (
            "",
            "<Lines>1</Lines><Phones>1</Phones><Phones>2</Phones>",
            "",
        ),
        (
            "",
            "<Lines>1</Lines><Phones>1</Phones><Phones>2</Phones><Phones>3</Phones>",
            "The 3 items of the list 'Phones' violate maxOccurs '2'.",
        ),
        (
            "",
            "<Lines>1</Lines><Since>1</Since><Towns>a</Towns><Towns>b</Towns><Since>2</Since><Towns>c</Towns>",
            "",
        ),
        (
            "",
            "<Lines>1</Lines><Since>1</Since><Towns>a</Towns><Towns>b</Towns><Towns>c</Towns><Since>2</Since>",
            "The 3 items of the list 'Towns' violate maxOccurs '2'.",
        ),
        ("", "<Lines>1</Lines><Other><Count>10</Count></Other>", ""),
        (
            r#"xsi:type="Urgent""#,
            "<Lines>1</Lines><Until>2024-01-01</Until>",
            "",
        ),
        (
            r#"xsi:type="Urgent""#,
            "<Lines>1</Lines><Until>2023-12-31</Until>",
            "The value '2023-12-31' violates minInclusive '2024-01-01'.",
        ),
        (
            r#"xsi:type="Urgent""#,
            "<Lines>1</Lines><Count>10</Count>",
            "The value '10' violates maxInclusive '9'.",
        ),
    ];
    for (attributes, content, expected) in rows {
        let (status, text) = store(attributes, content);
        assert_eq!(status == 200, expected.is_empty(), "{content}: {text}");
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn values_of_any_type_and_headers_are_checked() {
    let thing = |thing: &str| format!(r#"<Store xmlns="{NAMESPACE}">{thing}</Store>"#);
    let ticket = |size| format!(r#"<Ticket xmlns="{NAMESPACE}"><Size>{size}</Size></Ticket>"#);
    let boxed =
        |size| format!(r#"<thing xsi:type="Box" xmlns="{NAMESPACE}"><Size>{size}</Size></thing>"#);
    let list = |size| {
        format!(
            r#"<thing xsi:type="ArrayOfAnyType"><anyType/><anyType xsi:type="Box"><Size>{size}</Size></anyType></thing>"#
        )
    };
    let wrong = "The value '0' violates minInclusive '1'.";
    for (header, body, expected) in [
        (ticket(1), thing(&boxed(1)), ""),
        (ticket(0), thing(""), wrong),
        (String::new(), thing(&boxed(0)), wrong),
        (String::new(), thing(&list(1)), ""),
        (String::new(), thing(&list(0)), wrong),
        (
            String::new(),
            thing(r#"<thing xsi:type="xsd:int">0</thing>"#),
            "",
        ),
        (String::new(), thing("<thing><Size>0</Size></thing>"), ""),
    ] {
        for binding in [Binding::Soap11, Binding::Soap12] {
            let (status, text) = send(true, binding, &header, &body);
            assert_eq!(
                status == 200,
                expected.is_empty(),
                "{header} {body}: {text}"
            );
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }
}

#[test]
fn other_styles_are_checked() {
    let sum = |values: &str, size: &str| {
        format!(
            r##"<t:Sum xmlns:t="{NAMESPACE}"><values xsi:type="c:Array" xmlns:c="http://schemas.xmlsoap.org/soap/encoding/" c:arrayType="xsd:int[2]"><int>1</int><int>{values}</int></values><box href="#b"/></t:Sum><b id="b"><Size>{size}</Size></b>"##
        )
    };
    let bare = |code: &str| format!(r#"<code xmlns="{NAMESPACE}">{code}</code>"#);
    for (body, expected) in [
        (sum("9", "1"), ""),
        (sum("10", "1"), "The value '10' violates maxInclusive '9'."),
        (sum("9", "0"), "The value '0' violates minInclusive '1'."),
        (bare("a1"), ""),
        (bare("1a"), r"The value '1a' violates pattern '[a-z]\d*'."),
    ] {
        let (status, text) = send(true, Binding::Soap11, "", &body);
        assert_eq!(status == 200, expected.is_empty(), "{body}: {text}");
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn a_wrong_value_is_a_fault_of_the_client_with_its_place() {
    let rows = [
        (
            Binding::Soap11,
            "<faultcode>soap:Client</faultcode><faultstring>Server was unable to read request. ---> There is an error in XML document (1, ",
        ),
        (Binding::Soap12, "<soap:Value>soap:Sender</soap:Value>"),
        (
            Binding::HttpPost,
            "The value 'abcd' violates maxLength '3'.",
        ),
    ];
    for (binding, expected) in rows {
        let (status, text) = check(true, binding, "short", "abcd", &form("short", "abcd"));
        assert!(status == 500 && text.contains(expected), "{text}");
    }
    // An invalid value of the type is reported as without checks.
    let (_, text) = check(true, Binding::Soap11, "low", "x", "");
    assert!(
        text.contains("Input string was not in a correct format."),
        "{text}"
    );
    let long = "x".repeat(10_000);
    let (_, text) = check(true, Binding::Soap11, "short", &long, "");
    assert!(text.contains("…") && text.len() < 2_000, "{text}");
}

fn client(checked: bool, binding: Binding) -> CheckedClient<Server<CheckedService, Echo>> {
    client_of(server(false), binding, checked)
}

fn client_of(
    server: Server<CheckedService, Echo>,
    binding: Binding,
    checked: bool,
) -> CheckedClient<Server<CheckedService, Echo>> {
    let client = Client::new(&MODULE, server, "http://127.0.0.1").unwrap();
    client.with_binding(binding).with_facets(checked).into()
}

fn refused<T: std::fmt::Debug>(result: Result<T, CallError>, expected: &str) {
    match result {
        Err(CallError::Read(error)) => {
            assert_eq!(error.kind(), ReadErrorKind::Value);
            assert!(error.to_string().contains(expected), "{error}");
        }
        other => panic!("{expected}: {other:?}"),
    }
}

#[test]
fn a_client_checks_answers_over_every_binding() {
    let request = |short: &str| CheckRequest {
        short: Some(short.to_owned()),
        ..CheckRequest::default()
    };
    for binding in Binding::ALL.iter().copied() {
        wait(client(true, binding).check(&request("12345"))).unwrap();
        wait(client(false, binding).check(&request("123456"))).unwrap();
        let refusal = wait(client(true, binding).check(&request("123456")));
        refused(refusal, "The value '123456' violates maxLength '5'.");
    }
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = client(true, binding);
        let split = |text: &str| {
            let text = text.to_owned();
            wait(client.split(&SplitRequest { text }))
        };
        split("one two").unwrap();
        refused(
            split("eleven"),
            "head: The value 'eleven' violates maxLength '3'.",
        );
        refused(
            split("a b c d"),
            "The 3 items of the list 'rest' violate maxOccurs '2'.",
        );
        refused(split("a  "), "The value '' violates minLength '1'.");
        let sum = SumRequest {
            values: Some(vec![30]),
            ..SumRequest::default()
        };
        refused(
            wait(client.sum(&sum)),
            "The value '30' violates maxInclusive '20'.",
        );
        let code = "A".to_owned();
        refused(
            wait(client.bare(&BareRequest { code })),
            "The value 'A' violates pattern",
        );
        let headers = StoreHeaders {
            ticket: Some(Box { size: 0 }),
        };
        let mut request = StoreRequest {
            thing: Some(Object::Empty),
            ..StoreRequest::default()
        };
        refused(
            wait(client.store(&headers, &request)),
            "Ticket/Size: The value '0' violates minInclusive '1'.",
        );
        let order = Order {
            lines: vec![Line {
                value: Decimal::ZERO,
                ..Line::default()
            }],
            ..Order::default()
        };
        request.order = Some(AnyOrder::from(order));
        refused(
            wait(client.store(&StoreHeaders::default(), &request)),
            "StoreResult/Lines: The value '0' violates minExclusive '0'.",
        );
    }
}

/// The numbers of items with bounds in a trip, and in the other parameters.
type Counts = [usize; 10];

const LEGS: usize = 0;
/// For each leg.
const VIA: usize = 1;
const TEXTS: usize = 2;
/// For one note; 0 means that there is no such note.
const MARKS: usize = 3;
const DAYS: usize = 4;
/// For each day.
const MEALS: usize = 5;
/// For each day.
const TOWNS: usize = 6;
const SEAL: usize = 7;
const REST: usize = 8;
const MORE: usize = 9;

/// Counts that are within all bounds.
const WITHIN: Counts = [2, 0, 1, 0, 0, 1, 1, 1, 1, 1];

fn foreign(name: &str, count: usize) -> Vec<XmlFragment> {
    let fragment = XmlFragment::parse(&format!(r#"<a xmlns="urn:{name}"/>"#)).unwrap();
    vec![fragment; count]
}

fn trip(counts: Counts) -> Trip {
    let leg = TripLegs {
        via: vec!["b".to_owned(); counts[VIA]],
        ..TripLegs::default()
    };
    let day = TripDays {
        meals: vec![TripDaysMeals::Snack("c".to_owned()); counts[MEALS]],
        towns: vec!["d".to_owned(); counts[TOWNS]],
        ..TripDays::default()
    };
    let mut notes = vec![TripNotes::Text("a".to_owned()); counts[TEXTS]];
    if counts[MARKS] > 0 {
        notes.push(TripNotes::Marks(vec![7; counts[MARKS]]));
    }
    Trip {
        legs: vec![leg; counts[LEGS]],
        notes,
        days: vec![day; counts[DAYS]],
        seal: foreign("seal", counts[SEAL]).pop(),
        rest: foreign("rest", counts[REST]),
    }
}

/// Changed counts, and the violated bound.
type CountRow = (&'static [(usize, usize)], &'static str);

const COUNTS: &[CountRow] = &[
    (&[], ""),
    (
        &[(LEGS, 0)],
        "The 0 items of the list 'Legs' violate minOccurs '2'.",
    ),
    (
        &[(LEGS, 1)],
        "The 1 items of the list 'Legs' violate minOccurs '2'.",
    ),
    (&[(LEGS, 3)], ""),
    (
        &[(LEGS, 4)],
        "The 4 items of the list 'Legs' violate maxOccurs '3'.",
    ),
    (&[(VIA, 2)], ""),
    (&[(LEGS, 3), (VIA, 2)], ""),
    (
        &[(VIA, 3)],
        "The 3 items of the list 'Via' violate maxOccurs '2'.",
    ),
    (
        &[(TEXTS, 0)],
        "The 0 items of the list 'Notes' violate minOccurs '1'.",
    ),
    (&[(TEXTS, 4)], ""),
    (
        &[(TEXTS, 5)],
        "The 5 items of the list 'Notes' violate maxOccurs '4'.",
    ),
    (&[(TEXTS, 0), (MARKS, 2)], ""),
    (&[(TEXTS, 3), (MARKS, 3)], ""),
    (
        &[(TEXTS, 4), (MARKS, 2)],
        "The 5 items of the list 'Notes' violate maxOccurs '4'.",
    ),
    (
        &[(MARKS, 1)],
        "The 1 items of the list 'Marks' violate minOccurs '2'.",
    ),
    (
        &[(MARKS, 4)],
        "The 4 items of the list 'Marks' violate maxOccurs '3'.",
    ),
    (&[(DAYS, 2), (MEALS, 1)], ""),
    (&[(DAYS, 2), (MEALS, 2)], ""),
    (
        &[(DAYS, 3), (MEALS, 1)],
        "The 3 items of the list 'Days' violate maxOccurs '2'.",
    ),
    (
        &[(DAYS, 1), (MEALS, 0)],
        "The 0 items of the list 'Meals' violate minOccurs '1'.",
    ),
    (
        &[(DAYS, 1), (MEALS, 3)],
        "The 3 items of the list 'Meals' violate maxOccurs '2'.",
    ),
    (
        &[(DAYS, 1), (TOWNS, 0)],
        "The 0 items of the list 'Towns' violate minOccurs '1'.",
    ),
    (&[(DAYS, 2), (TOWNS, 2)], ""),
    (
        &[(DAYS, 2), (TOWNS, 3)],
        "The 3 items of the list 'Towns' violate maxOccurs '2'.",
    ),
    (
        &[(SEAL, 0)],
        "The 0 items of the list 'Seal' violate minOccurs '1'.",
    ),
    (
        &[(REST, 0)],
        "The 0 items of the list 'Rest' violate minOccurs '1'.",
    ),
    (&[(REST, 2)], ""),
    (
        &[(REST, 3)],
        "The 3 items of the list 'Rest' violate maxOccurs '2'.",
    ),
    (
        &[(MORE, 0)],
        "The 0 items of the list 'more' violate minOccurs '1'.",
    ),
    (&[(MORE, 2)], ""),
    (
        &[(MORE, 3)],
        "The 3 items of the list 'more' violate maxOccurs '2'.",
    ),
];

#[test]
fn choices_sequences_and_wildcards_are_counted() {
    for (changes, expected) in COUNTS {
        let mut counts = WITHIN;
        changes
            .iter()
            .for_each(|(index, count)| counts[*index] = *count);
        let request = PlanRequest {
            trip: Some(trip(counts)),
            more: foreign("more", counts[MORE]),
        };
        for binding in [Binding::Soap11, Binding::Soap12] {
            wait(client(false, binding).plan(&request)).unwrap();
            match wait(client_of(server(true), binding, false).plan(&request)) {
                Ok(_) => assert_eq!(*expected, "", "{binding:?} {changes:?}"),
                Err(CallError::Fault(fault)) => {
                    let message = fault.text();
                    assert!(!expected.is_empty(), "{binding:?} {changes:?}: {message}");
                    assert!(message.contains(expected), "{expected}: {message}");
                }
                Err(other) => panic!("{binding:?} {changes:?}: {other}"),
            }
        }
        // The other parameters are not in an answer.
        let is_answer = changes.iter().all(|(index, _)| *index != MORE);
        for binding in Binding::DEFAULT.iter().copied().filter(|_| is_answer) {
            let name = counts.map(|count| count.to_string()).join(" ");
            let request = TripRequest { name };
            let read = wait(client(false, binding).trip(&request)).unwrap();
            assert_eq!(read, Some(trip(counts)), "{binding:?}");
            let checked = wait(client(true, binding).trip(&request));
            if expected.is_empty() {
                assert_eq!(checked.unwrap(), Some(trip(counts)), "{binding:?}");
            } else {
                refused(checked, expected);
            }
        }
    }
}

static WRONG: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
    "Wrong",
    "urn:wrong",
    "/Wrong.asmx",
    &[operation(
        "Find",
        "urn:wrong/Find",
        complex_type(
            "Find",
            &[element("zip", Simple(Text)).facets(&[(Facet::Pattern, "(")])],
        ),
        "FindResponse",
    )],
));

#[test]
#[should_panic(
    expected = "`(` is not a regular expression of XML Schema: a `)` is missing at character 2"
)]
fn nothing_starts_with_a_pattern_that_cannot_be_checked() {
    let client = Client::new(&WRONG, server(false), "http://127.0.0.1").unwrap();
    let _ = client.with_facets(true);
}

/// A moment in the years 1970 to 2096, with an offset.
fn moment() -> BoxedStrategy<(svcgen::chrono::DateTime<FixedOffset>, String)> {
    let parts = (0..4_000_000_000_i64, 0..10_000_000_u32, -840..=840_i32);
    parts
        .prop_map(|(seconds, ticks, minutes)| {
            let zone = FixedOffset::east_opt(minutes * 60).unwrap();
            let moment = zone.timestamp_opt(seconds, ticks * 100).unwrap();
            let text = DateTime::new(moment.naive_local(), Zone::Offset(zone)).to_string();
            (moment, text)
        })
        .boxed()
}

fn decimal() -> BoxedStrategy<Decimal> {
    let number = prop_oneof![-20..20_i64, any::<i64>()];
    (number, 0..4_u32)
        .prop_map(|(number, scale)| Decimal::new(number, scale))
        .boxed()
}

/// Whether a server that checks facets accepts a parameter.
fn is_taken(binding: Binding, name: &str, value: &str) -> bool {
    let escaped = value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let escaped = escaped.replace('\r', "&#13;");
    let (status, text) = check(true, binding, name, &escaped, &form(name, value));
    assert!(status == 200 || text.contains("violates"), "{text}");
    status == 200
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_have_the_order_of_their_values(
        (one, other) in (decimal(), decimal()),
        (early, late) in (moment(), moment()),
        (float, double) in (any::<f64>(), any::<f64>()),
    ) {
        let order = |simple: SimpleType, one: &str, other: &str| simple.compare(one, other);
        let decimals = order(SimpleType::Decimal, &one.to_string(), &other.to_string());
        prop_assert_eq!(decimals, Some(one.cmp(&other)));
        let moments = order(SimpleType::DateTime, &early.1, &late.1);
        prop_assert_eq!(moments, Some(early.0.cmp(&late.0)), "{} {}", early.1, late.1);
        let doubles = order(SimpleType::Double, &float.to_string(), &double.to_string());
        prop_assert_eq!(doubles, float.partial_cmp(&double).filter(|_| float.is_finite() && double.is_finite()));
    }

    #[test]
    fn a_value_is_taken_if_it_is_within_its_facets(
        low in prop_oneof![-8..8_i32, any::<i32>()],
        total in decimal(),
        short in random::text(),
        day in moment(),
    ) {
        let digits = total.normalize().mantissa().unsigned_abs().to_string();
        let digits = digits.len().max(total.normalize().scale() as usize);
        let characters = short.chars().count();
        let limit = "2024-03-01T00:00:00Z";
        let order = SimpleType::DateTime.compare(&day.1, limit);
        for binding in Binding::DEFAULT.iter().copied() {
            prop_assert_eq!(is_taken(binding, "low", &low.to_string()), low >= -5);
            prop_assert_eq!(is_taken(binding, "total", &total.to_string()), digits <= 4, "{}", total);
            prop_assert_eq!(is_taken(binding, "short", &short), characters <= 3, "{:?}", short);
            prop_assert_eq!(is_taken(binding, "moment", &day.1), order != Some(Ordering::Less), "{}", day.1);
        }
    }
}
