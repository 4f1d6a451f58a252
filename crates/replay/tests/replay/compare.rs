//! Answers that differ, and the differences that are reported.

use svcgen_messages::Service;
use svcgen_replay::{Comparer, Likeness, Rules};

use crate::answers::{
    FAULT, JSON, ORDER, TREE, compare, fault, json, json_request, request, response, service, told,
    tree_request, xml,
};
use Likeness::{Differs, SameDocument};

#[test]
fn headers_of_the_moment_do_not_count() {
    for name in ["date", "server", "x-powered-by", "x-aspnet-version"] {
        let mut other = xml(ORDER);
        other.headers_mut().insert(name, "other".parse().unwrap());
        assert_eq!(compare(&xml(ORDER), &other).likeness, Likeness::Identical);
    }
}

#[test]
fn message_ids_and_timestamps_do_not_count_in_soap_headers() {
    let parts = |number: u32| {
        [
            format!(
                r#"<MessageID xmlns="http://www.w3.org/2005/08/addressing">urn:{number}</MessageID>"#
            ),
            format!(
                r#"<u:Timestamp xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd" u:Id="{number}"><u:Created>{number}</u:Created></u:Timestamp>"#
            ),
        ]
    };
    let [[id, timestamp], [other_id, other_timestamp]] = [1, 2].map(parts);
    let with = |headers: &str| {
        let header = format!("<soap:Header>{headers}</soap:Header><soap:Body>");
        xml(ORDER.replace("<soap:Body>", &header))
    };
    let first = with(&format!("{id}<a>{timestamp}</a>"));
    let second = with(&format!("{other_id}<a>{other_timestamp}</a>"));
    assert_eq!(compare(&first, &second).likeness, Likeness::Identical);
    let comparison = compare(&first, &with(&format!("<a>{timestamp}</a>")));
    assert_eq!(told(&comparison), [("soap-header", "Header.MessageID")]);
    let in_body = |id: &str| xml(ORDER.replace("</soap:Body>", &format!("{id}</soap:Body>")));
    assert_ne!(
        compare(&in_body(&id), &in_body(&other_id)).likeness,
        Likeness::Identical
    );
}

#[test]
fn prefixes_encodings_and_versions_of_soap_are_told() {
    let prefixed = ORDER
        .replace("soap:E", "s:E")
        .replace("soap:B", "s:B")
        .replace("xmlns:soap", "xmlns:s");
    let comparison = compare(&xml(ORDER), &xml(prefixed));
    assert_eq!(told(&comparison), [("prefix", "Envelope")]);
    assert_eq!(comparison.likeness, SameDocument);

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
    assert_eq!(comparison.likeness, SameDocument);

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
fn names_are_compared_by_their_namespaces() {
    let coded = |prefix: &str, namespace: &str| {
        let code = format!(r#"<Code xmlns:{prefix}="{namespace}">{prefix}:none</Code><Key>"#);
        xml(TREE.replace("<Key>", &code))
    };
    let told_of = |one, other| {
        let comparer = Comparer::new(Some(service()), Rules::new());
        let comparison = comparer.compare(&tree_request(), one, other);
        let last = comparison.differences.last().map(|one| one.kind.name());
        (last, comparison.likeness)
    };
    let [one, same, other] = [("a", "urn:a"), ("b", "urn:a"), ("b", "urn:b")]
        .map(|(prefix, namespace)| coded(prefix, namespace));
    for answers in [[&one, &same], [&same, &one]] {
        let expected = (Some("lexical-form"), Likeness::SameValues);
        assert_eq!(told_of(answers[0], answers[1]), expected);
    }
    for answers in [[&one, &other], [&other, &one]] {
        assert_eq!(told_of(answers[0], answers[1]), (Some("value"), Differs));
    }
}

#[test]
fn what_a_definition_cannot_read_is_told() {
    // As in .NET, text with a comment in it is not a value.
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

/// Compresses an answer.
fn zipped(answer: http::Response<bytes::Bytes>) -> http::Response<bytes::Bytes> {
    use std::io::Write;
    let (mut head, body) = answer.into_parts();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&body).unwrap();
    let coding = "gzip".parse().unwrap();
    head.headers.insert("content-encoding", coding);
    http::Response::from_parts(head, encoder.finish().unwrap().into())
}

#[test]
fn compressed_bodies_are_compared_by_what_they_hold() {
    let zipped = zipped(xml(ORDER));
    let comparison = compare(&zipped, &xml(ORDER));
    assert_eq!(told(&comparison), [("content-coding", "body")]);
    let coding = &comparison.differences[0];
    assert_eq!((&**coding.expected, &**coding.found), ("gzip", "(nothing)"));
    assert_eq!(comparison.likeness, SameDocument);
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
        (Likeness::Identical, 0)
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
        (Likeness::Identical, 0)
    );

    // Other differences are found, too.
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
        (Likeness::Identical, 0)
    );
}

#[test]
fn answers_are_identical_beside_what_does_not_count() {
    let rules = Rules::new().ignore("GetOrderResult.Version").unwrap();
    let rules = rules.ignore("GetOrderResult.Remark").unwrap();
    let comparer = Comparer::new(Some(service()), rules);
    for (from, to) in [
        (r#"Version="3""#, r#"Version="4""#),
        (r#" Version="3""#, ""),
        ("<Remark />", "<Remark>a</Remark>"),
        ("<Remark />", ""),
    ] {
        let other = ORDER.replace(from, to);
        for [expected, found] in [[ORDER, &other], [&other, ORDER]] {
            let comparison = comparer.compare(
                &request(),
                &xml(expected.to_owned()),
                &xml(found.to_owned()),
            );
            assert_eq!(told(&comparison), [], "{from} {to}");
        }
    }
    let masked = ORDER.replace(r#"Version="3""#, r#"Version="[omitted]""#);
    let comparison = compare(&xml(masked), &xml(ORDER));
    assert_eq!(comparison.likeness, Likeness::Identical, "{comparison:#?}");

    let sealed = |seal: &str| xml(ORDER.replace("Version=", &format!("Seal='{seal}' Version=")));
    let comparison = compare(&sealed("[secret]"), &sealed("s-1"));
    assert_eq!(comparison.likeness, Likeness::Identical, "{comparison:#?}");
    let comparison = compare(&sealed("[secret]"), &xml(ORDER));
    let missing = ("missing-attribute", "GetOrderResult.Seal");
    assert_eq!(told(&comparison), [missing]);
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
    assert_eq!(comparison.likeness, Likeness::Identical, "{comparison:#?}");

    let rules = Rules::new().ignore("GetOrderResult.Items[0].Name").unwrap();
    let found = xml(ORDER.replace(">nut<", ">but<").replace(">gear<", ">year<"));
    let comparison = Comparer::new(Some(service()), rules).compare(&request(), &xml(ORDER), &found);
    assert_eq!(
        told(&comparison),
        [("value", "GetOrderResult.Items[2].Name")]
    );

    for (text, expected) in [
        ("ignore: ['a..b']", "`a..b` is not a place"),
        ("ignor: []", "unknown field `ignor`"),
        ("near: { 'header Date': 1 }", "headers have no distance"),
        ("near: { a: -1 }", "is not a distance"),
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
    assert_eq!(comparison.likeness, SameDocument);
}

#[test]
fn hostile_documents_take_bounded_time() {
    let deep = |text: &str| format!("{}{text}{}", "<a>".repeat(15_000), "</a>".repeat(15_000));
    let comparer = Comparer::new(None, Rules::new());
    let wide = |text: &str| format!("<a>{}{text}</a>", "<b>1</b>".repeat(15_000));
    for body in [&deep as &dyn Fn(&str) -> String, &wide] {
        let comparison = comparer.compare(&request(), &xml(body("x")), &xml(body("y")));
        assert_eq!(comparison.likeness, Differs);
    }
    let renamed = |value: &str| {
        let each = (0..20_000).map(|at| format!("<p:a xmlns:p='{value}{at}'/>"));
        xml(format!("<a>{}</a>", each.collect::<String>()))
    };
    let comparison = comparer.compare(&request(), &renamed("u"), &renamed("v"));
    assert_eq!(comparison.likeness, Differs);
    let members = |name: &str| {
        let each = (0..50_000).map(|at| format!(r#""{name}{at}": 1"#));
        json(format!("{{{}}}", each.collect::<Vec<_>>().join(",")))
    };
    let comparison = comparer.compare(&request(), &members("a"), &members("b"));
    assert_eq!(comparison.likeness, Differs);
    let many = |value: &str| format!("<a>{}</a>", format!("<b>{value}</b>").repeat(15_000));
    let comparison = comparer.compare(&request(), &xml(many("1")), &xml(many("2")));
    assert_eq!(comparison.differences.len(), 1000);
}

/// The parser checks each attribute and namespace against all others.
#[test]
fn documents_with_many_attributes_or_namespaces_are_not_read() {
    let attributes: String = (0..100_000).map(|at| format!(" a{at}=''")).collect();
    let starts = (0..20_000).map(|at| format!("<a xmlns:p{at}='u'>"));
    let namespaces = starts.collect::<String>() + &"</a>".repeat(20_000);
    for (hostile, why) in [
        (format!("<a{attributes}/>"), "too many attributes"),
        (namespaces, "too many namespaces"),
    ] {
        let comparison = compare(&xml(ORDER), &xml(hostile));
        assert_eq!(told(&comparison), [("malformed", "body")]);
        let found = &comparison.differences[0].found;
        assert!(found.contains(why), "{found}");
    }
}

#[test]
fn what_differs_in_long_values_is_shown() {
    for same in [0, 149, 150, 151, 199, 200, 5_000] {
        let note = |end: &str| {
            let text = "é".repeat(same) + end + &"z".repeat(1_000);
            xml(ORDER.replace("<Remark />", &format!("<Remark>{text}</Remark>")))
        };
        let comparison = compare(&note("x"), &note("y"));
        assert_eq!(told(&comparison), [("value", "GetOrderResult.Remark")]);
        let one = &comparison.differences[0];
        assert_eq!(one.expected.replace('x', "y"), *one.found);
        let (before, after) = one.expected.split_once('x').unwrap();
        assert!(before.chars().count() >= same.min(50), "{before}");
        assert_eq!(before.starts_with('…'), same > 150, "{before}");
        assert!(after.starts_with(&"z".repeat(49)), "{after}");
        assert!(after.ends_with('…'), "{after}");
        assert!(one.expected.chars().count() <= 202, "{}", one.expected);
    }
    // A text that ends where the other continues.
    let long = |count| {
        xml(ORDER.replace(
            "<Remark />",
            &format!("<Remark>{}</Remark>", "a".repeat(count)),
        ))
    };
    let one = &compare(&long(400), &long(401)).differences[0];
    assert_eq!(*one.expected, format!("…{}", "a".repeat(50)));
    assert_eq!(*one.found, format!("…{}", "a".repeat(51)));
}

#[test]
fn xml_that_differs_is_a_difference_that_is_not_shown() {
    let definition = "
service: Orders
namespace: http://example.com/orders
path: /Orders.asmx
bindings: [soap11]
operations:
  GetOrder: { parameters: { id: int, password: { type: 'string?', secret: true } }, result: Order }
types:
  Order: { elements: { Extra: any? } }
";
    let service = Service::of_definition("orders.yaml", definition).unwrap();
    let answer = |key: &str| {
        let order = format!(
            "<GetOrderResponse xmlns='http://example.com/orders'><GetOrderResult><Extra><apiKey>{key}</apiKey></Extra></GetOrderResult></GetOrderResponse>"
        );
        xml(format!(
            "<soap:Envelope xmlns:soap='http://schemas.xmlsoap.org/soap/envelope/'><soap:Body>{order}</soap:Body></soap:Envelope>"
        ))
    };
    let comparer = Comparer::new(Some(service), Rules::new());
    let comparison = comparer.compare(&request(), &answer("4711"), &answer("0815"));
    assert_eq!(comparison.likeness, Differs, "{comparison:#?}");
    let told = format!("{comparison:?}");
    assert!(!told.contains("4711") && !told.contains("0815"), "{told}");
}

/// Returns an answer in MTOM with these bytes as a part.
fn packed(boundary: &str, bytes: &[u8]) -> http::Response<bytes::Bytes> {
    let include = r#"<x:Include xmlns:x="http://www.w3.org/2004/08/xop/include" href="cid:p"/>"#;
    let message = ORDER.replace("AQIDBA==", include);
    let start = format!(
        "--{boundary}\r\nContent-Type: application/xop+xml; charset=utf-8; type=\"text/xml\"\r\n\r\n{message}\r\n--{boundary}\r\nContent-ID: <p>\r\n\r\n"
    );
    let end = format!("\r\n--{boundary}--");
    let media_type = format!(
        "multipart/related; type=\"application/xop+xml\"; start-info=\"text/xml\"; boundary={boundary}"
    );
    let body = [start.as_bytes(), bytes, end.as_bytes()].concat();
    response(200, &media_type, body)
}

#[test]
fn parts_are_compared_as_what_includes_them() {
    let expected = packed("one", &[1, 2, 3, 4]);
    let comparison = compare(&expected, &packed("other", &[1, 2, 3, 4]));
    assert_eq!(comparison.likeness, Likeness::Identical, "{comparison:#?}");
    let comparison = compare(&expected, &packed("one", &[1, 2, 3, 5]));
    let without = compare(&xml(ORDER), &xml(ORDER.replace("AQIDBA==", "AQIDBQ==")));
    assert_eq!(told(&comparison), told(&without));
    // In gzip, too.
    let zipped = |boundary, last| zipped(packed(boundary, &[1, 2, 3, last]));
    let comparison = compare(&zipped("one", 4), &zipped("other", 4));
    assert_eq!(comparison.likeness, Likeness::Identical, "{comparison:#?}");
    let comparison = compare(&zipped("one", 4), &zipped("one", 5));
    assert_eq!(told(&comparison), told(&without));
    let comparison = compare(&zipped("one", 4), &packed("one", &[1, 2, 3, 4]));
    assert_eq!(told(&comparison), [("content-coding", "body")]);
    // The difference in packaging is reported; the values are equal.
    let comparison = compare(&xml(ORDER), &expected);
    assert_eq!(told(&comparison), [("media-type", "header Content-Type")]);
}

#[test]
fn references_to_attachments_are_compared_by_what_they_refer_to() {
    let answer = |ids: [&str; 2], referred: &str| {
        let message = ORDER.replace("<Remark />", &format!("<Remark>cid:{referred}</Remark>"));
        let parts = ids.map(|id| {
            format!("\r\n--b\r\nContent-ID: <{id}>\r\nContent-Type: image/png\r\n\r\nscan")
        });
        let body = format!(
            "--b\r\nContent-Type: text/xml; charset=utf-8\r\n\r\n{message}{}\r\n--b--",
            parts.concat()
        );
        response(
            200,
            "multipart/related; type=\"text/xml\"; boundary=b",
            body,
        )
    };
    let expected = answer(["a@h", "b@h"], "a@h");
    let comparison = compare(&expected, &answer(["1", "12"], "1"));
    assert_eq!(comparison.likeness, Likeness::Identical, "{comparison:#?}");
    let comparison = compare(&expected, &answer(["1", "12"], "12"));
    assert_eq!(told(&comparison), [("value", "GetOrderResult.Remark")]);
}
