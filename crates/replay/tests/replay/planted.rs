//! Planted differences. Each is found by its kind and place, in both directions.

use std::collections::BTreeSet;
use std::io::Write;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{Request, Response};
use svcgen::mask::CUT;
use svcgen_replay::{Comparer, DifferenceKind, Likeness, Rules};

use crate::answers::{
    FAULT, JSON, ORDER, TREE, fault, json, json_request, request, response, service, told,
    tree_request, xml,
};

use Likeness::{Differs, SameDocument, SameValues};

/// A replacement, the kind and the place of its difference, and the likeness of the answers.
struct Planted {
    from: &'static str,
    to: &'static str,
    kind: &'static str,
    place: &'static str,
    likeness: Likeness,
}

macro_rules! planted {
    ($($from:literal => $to:literal: $kind:literal at $place:literal, $likeness:ident;)+) => {
        &[$(Planted { from: $from, to: $to, kind: $kind, place: $place, likeness: $likeness }),+]
    };
}

/// Pairs of kinds that are exchanged when the expected and the found answer are exchanged.
const OPPOSITES: [(&str, &str); 12] = [
    ("missing-header", "extra-header"),
    ("missing-body", "extra-body"),
    ("fault-for-result", "result-for-fault"),
    ("missing-element", "extra-element"),
    ("missing-element", "unknown-element"),
    ("missing-item", "extra-item"),
    ("absent-for-nil", "nil-for-absent"),
    ("absent-for-empty", "empty-for-absent"),
    ("missing-attribute", "extra-attribute"),
    ("missing-attribute", "unknown-attribute"),
    ("cut-off", "malformed"),
    ("cut-off", "body"),
];

fn is_opposite(kind: &str, other: &str) -> bool {
    let is_one_sided = kind.contains("-for-")
        || ["missing-", "extra-", "unknown-", "cut-off"]
            .iter()
            .any(|part| kind.starts_with(part));
    let mut opposites = OPPOSITES.iter();
    kind == other && !is_one_sided
        || opposites.any(|pair| *pair == (kind, other) || *pair == (other, kind))
}

/// Returns the kinds of the differences of two answers, in both directions; the first ones are at
/// the same place.
fn both_ways(
    asked: &Request<Bytes>,
    answers: [&Response<Bytes>; 2],
    expected: (&'static str, &str, Likeness),
    is_only: bool,
    wrong: &mut String,
) -> Vec<&'static str> {
    let comparer = Comparer::new(Some(service()), Rules::new());
    let called = comparer.asked(asked).called();
    let called = called.map(|(operation, _)| operation.name());
    assert!(called.is_some(), "{asked:?}");
    let [one, other] = answers;
    let (there, back) = (
        comparer.compare(asked, one, other),
        comparer.compare(asked, other, one),
    );
    let (kind, place, likeness) = expected;
    let back_kind = told(&back).first().map_or("", |(kind, _)| *kind);
    // The place has the expected name.
    let is_named = matches!(kind, "name-case" | "element-name");
    let is_right = told(&there).first() == Some(&(kind, place))
        && told(&back)
            .first()
            .is_some_and(|(_, back)| *back == place || is_named)
        && is_opposite(kind, back_kind)
        && [&there, &back].iter().all(|one| {
            one.likeness == likeness
                && one.operation.as_deref() == called
                && (!is_only || one.differences.len() == 1)
                && one
                    .differences
                    .iter()
                    .all(|one| one.expected != one.found || one.found == "[omitted]")
        });
    if !is_right {
        *wrong += &format!(
            "{kind} at {place}, {likeness}\n{:#?}\n{:#?}\n",
            there.differences, back.differences
        );
    }
    for answer in answers {
        let same = comparer.compare(asked, answer, &answer.clone());
        assert_eq!(
            (same.likeness, same.differences.len()),
            (Likeness::Identical, 0)
        );
    }
    let both = [told(&there), told(&back)].concat();
    both.into_iter().map(|(kind, _)| kind).collect()
}

fn check(
    cases: &[Planted],
    text: &str,
    response: fn(String) -> Response<Bytes>,
    asked: &Request<Bytes>,
    kinds: &mut BTreeSet<&'static str>,
    wrong: &mut String,
) {
    for case in cases {
        assert!(text.contains(case.from), "{} is not in it", case.from);
        let answers = [text.to_owned(), text.replace(case.from, case.to)].map(response);
        let expected = (case.kind, case.place, case.likeness);
        kinds.extend(both_ways(
            asked,
            [&answers[0], &answers[1]],
            expected,
            true,
            wrong,
        ));
    }
}

#[rustfmt::skip]
const IN_XML: &[Planted] = planted! {
        "<?xml" => "\u{feff}<?xml": "byte-order-mark" at "body", SameDocument;
        r#"<?xml version="1.0" encoding="utf-8"?>"# => r#"<?xml version="1.0" encoding="UTF-8"?>"#: "declaration" at "body", SameDocument;
        r#"<?xml version="1.0" encoding="utf-8"?>"# => "": "declaration" at "body", SameDocument;
        r#"Version="3""# => "Version='3'": "quotes" at "GetOrderResult", SameDocument;
        r#"Version="3""# => r#" Version="3""#: "tag-space" at "GetOrderResult", SameDocument;
        "</GetOrderResult>" => "</GetOrderResult >": "tag-space" at "GetOrderResult", SameDocument;
        r#"<Score xsi:nil="true" />"# => r#"<Score xsi:nil="true"></Score>"#: "empty-element-form" at "GetOrderResult.Score", SameDocument;
        "<Items><Item>" => "<Items>\n  <Item>": "white-space" at "GetOrderResult.Items", SameDocument;
        "</soap:Envelope>" => "</soap:Envelope>\n": "white-space" at "body", SameDocument;
        "&gt;" => "&#62;": "character-reference" at "GetOrderResult.Note", SameDocument;
        "two &gt; one" => "<![CDATA[two > one]]>": "cdata" at "GetOrderResult.Note", SameDocument;
        "one\nand" => "one\r\nand": "line-end" at "GetOrderResult.Note", SameDocument;
        "<Items>" => "<!-- x --><Items>": "comment" at "GetOrderResult", SameDocument;
        "<Items>" => "<?x y?><Items>": "instruction" at "GetOrderResult", SameDocument;
        r#" xmlns:xsd="http://www.w3.org/2001/XMLSchema""# => "": "namespace-declaration" at "Envelope", SameDocument;
        r#"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema""# => r#"xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#: "attribute-order" at "Envelope", SameDocument;
        "12.50" => "12.5": "lexical-form" at "GetOrderResult.Price", SameValues;
        ">true<" => ">1<": "lexical-form" at "GetOrderResult.Paid", SameValues;
        "10:00:00Z" => "12:00:00+02:00": "lexical-form" at "GetOrderResult.Time", SameValues;
        r#"Version="3""# => r#"Version="03""#: "lexical-form" at "GetOrderResult.Version", SameValues;
        "<Id>7</Id><Paid>true</Paid>" => "<Paid>true</Paid><Id>7</Id>": "element-order" at "GetOrderResult", SameValues;
        r#"<Score xsi:nil="true" />"# => "": "absent-for-nil" at "GetOrderResult.Score", SameValues;
        "<Key>" => "<Extra>1</Extra><Key>": "unknown-element" at "GetOrderResult.Extra", SameValues;
        r#"Version="3""# => r#"Version="3" Extra="1""#: "unknown-attribute" at "GetOrderResult.Extra", SameValues;
        "<Id>7</Id>" => "<Id> 7 </Id>": "text-space" at "GetOrderResult.Id", SameValues;
        "<Id>7</Id>" => "<Id>8</Id>": "value" at "GetOrderResult.Id", Differs;
        ">bolt<" => ">screw<": "value" at "GetOrderResult.Items[1].Name", Differs;
        ">bolt<" => ">Bolt<": "text-case" at "GetOrderResult.Items[1].Name", Differs;
        ">bolt<" => ">bolt <": "text-space" at "GetOrderResult.Items[1].Name", Differs;
        "one\nand" => "one&#xD;\nand": "carriage-return" at "GetOrderResult.Note", Differs;
        r#"Version="3""# => r#"Version="4""#: "attribute" at "GetOrderResult.Version", Differs;
        r#" Version="3""# => "": "missing-attribute" at "GetOrderResult.Version", Differs;
        "<Item><Name>bolt</Name><Count>2</Count></Item>" => "": "missing-item" at "GetOrderResult.Items[1]", Differs;
        "<Item><Name>gear</Name>" => "<Item><Name>saw</Name><Count>9</Count></Item><Item><Name>gear</Name>": "extra-item" at "GetOrderResult.Items[2]", Differs;
        "<Name>nut</Name>" => "": "missing-element" at "GetOrderResult.Items[0].Name", Differs;
        "<Name>nut</Name>" => "<Name />": "value" at "GetOrderResult.Items[0].Name", Differs;
        r#"<Score xsi:nil="true" />"# => "<Score>0</Score>": "nil" at "GetOrderResult.Score", Differs;
        "<Price>" => r#"<Price xmlns="urn:other">"#: "namespace" at "GetOrderResult.Price", Differs;
        "GetOrderResponse" => "GetOrderresponse": "name-case" at "GetOrderResponse", Differs;
        "<Note>" => "<Note >": "tag-space" at "GetOrderResult.Note", SameDocument;
        "<Remark />" => "": "absent-for-empty" at "GetOrderResult.Remark", Differs;
        "<Remark />" => "<Remark>x</Remark>": "value" at "GetOrderResult.Remark", Differs;
        "<Remark />" => "<Remark> </Remark>": "text-space" at "GetOrderResult.Remark", Differs;
        "1E+15" => "1000000000000000": "lexical-form" at "GetOrderResult.Ratio", SameValues;
        "1E+15" => "1E+14": "value" at "GetOrderResult.Ratio", Differs;
        "<Local>2024-05-01T10:00:00<" => "<Local>2024-05-01T10:00:00Z<": "value" at "GetOrderResult.Local", Differs;
        "<Local>2024-05-01T10:00:00<" => "<Local>2024-05-01T10:00:00+02:00<": "value" at "GetOrderResult.Local", Differs;
        "<Local>2024-05-01T10:00:00<" => "<Local>2024-05-01T10:00:00.000<": "lexical-form" at "GetOrderResult.Local", SameValues;
        "10:00:00Z" => "10:00:00+02:00": "value" at "GetOrderResult.Time", Differs;
        "AQIDBA==" => "AQID BA==": "text-space" at "GetOrderResult.Bytes", SameValues;
        "AQIDBA==" => "AQIDBQ==": "value" at "GetOrderResult.Bytes", Differs;
        r#"xsi:type="Cat""# => r#"xsi:type="Dog""#: "type" at "GetOrderResult.Pet", Differs;
        r#"<Id>7"# => r#"<Id xsi:type="xsd:int">7"#: "extra-attribute" at "GetOrderResult.Id.type", SameValues;
        r#"Version="3""# => r#"Version="&#51;""#: "character-reference" at "GetOrderResult.Version", SameDocument;
};

#[rustfmt::skip]
const IN_FAULT: &[Planted] = planted! {
        "soap:Client" => "soap:Server": "fault-code" at "Fault.faultcode", Differs;
        "No such order." => "No order.": "fault-text" at "Fault.faultstring", Differs;
        r#"">1</Reason>"# => r#"">2</Reason>"#: "value" at "Fault.detail.Reason", Differs;
        "http://example.com/a" => "http://example.com/b": "fault-actor" at "Fault.faultactor", Differs;
        "<faultactor>http://example.com/a</faultactor>" => "": "fault-actor" at "Fault.faultactor", Differs;
        r#"<detail><Reason xmlns="urn:x">1</Reason></detail>"# => "<detail />": "fault-detail" at "Fault.detail.Reason", Differs;
        r#"<detail><Reason xmlns="urn:x">1</Reason></detail>"# => "": "fault-detail" at "Fault.detail", Differs;
};

#[rustfmt::skip]
const IN_JSON: &[Planted] = planted! {
        r#""Id":7"# => r#""Id": 7"#: "white-space" at "body", SameDocument;
        r"a\u003cb" => "a<b": "character-reference" at "body", SameDocument;
        r#""Version":3,"Id":7"# => r#""Id":7,"Version":3"#: "member-order" at "GetOrderResult", SameDocument;
        "12.50" => "12.5": "lexical-form" at "body", SameValues;
        r#""Id":7"# => r#""Id":8"#: "value" at "GetOrderResult.Id", Differs;
        r#""Name":"bolt""# => r#""Name":"screw""#: "value" at "GetOrderResult.Items[1].Name", Differs;
        r#""Name":"bolt""# => r#""Name":null"#: "nil" at "GetOrderResult.Items[1].Name", Differs;
        r#","Score":null"# => "": "absent-for-nil" at "GetOrderResult.Score", SameValues;
        r#"{"Name":"nut","Count":1},"# => "": "missing-item" at "GetOrderResult.Items[0]", Differs;
        r#""Score":null"# => r#""Score":null,"Extra":1"#: "unknown-element" at "GetOrderResult.Extra", SameValues;
        r#""Name":"nut","# => "": "missing-element" at "GetOrderResult.Items[0].Name", Differs;
        r#""Id":7"# => r#""Id":"7""#: "type" at "GetOrderResult.Id", SameValues;
        r#""Note":"a\u003cb""# => r#""Note":null"#: "nil" at "GetOrderResult.Note", Differs;
};

#[rustfmt::skip]
const IN_ENCODED: &[Planted] = planted! {
        "id2" => "left": "reference" at "GetTreeResult.Left", SameValues;
        "id1" => "root": "reference" at "GetTreeResult", SameValues;
        r##"<types:Tree id="id2" xsi:type="types:Tree"><Name>left</Name></types:Tree><types:Tree id="id4" xsi:type="types:Tree"><Name>right</Name></types:Tree>"## => r##"<types:Tree id="id4" xsi:type="types:Tree"><Name>right</Name></types:Tree><types:Tree id="id2" xsi:type="types:Tree"><Name>left</Name></types:Tree>"##: "reference" at "Body", SameValues;
        r##"<soapenc:Array id="id3" soapenc:arrayType="xsd:string[2]"><Item>a</Item><Item>b</Item></soapenc:Array>"## => r##"<multiRef id="id3" soapenc:arrayType="xsd:string[2]"><Item>a</Item><Item>b</Item></multiRef>"##: "reference" at "GetTreeResult.Tags", SameValues;
        "<Name>left</Name>" => "<Name>other</Name>": "value" at "GetTreeResult.Left.Name", Differs;
        "<Name>left</Name>" => "": "missing-element" at "GetTreeResult.Left.Name", Differs;
        "<Name>left</Name>" => "<Name><![CDATA[left]]></Name>": "cdata" at "GetTreeResult.Left.Name", SameDocument;
        "<Item>b</Item>" => "<Item>c</Item>": "value" at "GetTreeResult.Tags[1]", Differs;
        "<Item>b</Item>" => "<Item>b</Item><Item>c</Item>": "extra-item" at "GetTreeResult.Tags[2]", Differs;
};

/// An answer with attachments: their media types and bytes.
fn attached(parts: &[(&str, &str)]) -> Response<Bytes> {
    let parts = parts
        .iter()
        .map(|(media_type, bytes)| format!("\r\n--b\r\nContent-Type: {media_type}\r\n\r\n{bytes}"));
    let parts: String = parts.collect();
    let media_type = "multipart/related; type=\"text/xml\"; boundary=b";
    let message = format!("--b\r\nContent-Type: text/xml; charset=utf-8\r\n\r\n{ORDER}");
    response(200, media_type, format!("{message}{parts}\r\n--b--"))
}

fn with(name: &'static str, value: &'static str) -> Response<Bytes> {
    let mut response = xml(ORDER);
    response.headers_mut().insert(name, value.parse().unwrap());
    response
}

/// Pairs of answers whose first difference has a kind and a place.
#[rustfmt::skip]
fn whole() -> Vec<([Response<Bytes>; 2], &'static str, &'static str, Likeness)> {
    let cut = |text: &str| format!("{text}{CUT}");
    let changed = |from: &str, to: &str| xml(ORDER.replace(from, to));
    let bare = |name: &str| xml(format!(r#"<{name} xmlns="http://example.com/orders"><Id>7</Id></{name}>"#));
    let utf_16: Vec<u8> = ORDER.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(ORDER.as_bytes()).unwrap();
    let zipped = with("content-encoding", "gzip").map(|_| encoder.finish().unwrap().into());
    let detailed = |text: &str| {
        let (before, rest) = FAULT.split_once("<detail>").unwrap();
        let (_, after) = rest.split_once("</detail>").unwrap();
        fault(format!("{before}<detail>{text}</detail>{after}"))
    };
    let type_of = "header Content-Type";
    vec![
        ([detailed("broken"), detailed("mended")], "fault-detail", "Fault.detail", Differs),
        ([xml(ORDER), response(500, "text/xml; charset=utf-8", ORDER)], "status", "status", Differs),
        ([xml(ORDER), with("content-type", "application/xml; charset=utf-8")], "media-type", type_of, Differs),
        ([xml(ORDER), with("content-type", "text/xml")], "charset", type_of, Differs),
        ([xml(ORDER), with("content-type", "text/xml;charset=\"UTF-8\"")], "content-type-form", type_of, SameDocument),
        ([with("content-type", "text/xml; charset=utf-8; a=b"), with("content-type", "text/xml; a=b; charset=utf-8")], "content-type-form", type_of, SameDocument),
        ([xml(ORDER), with("cache-control", "no-cache")], "header", "header Cache-Control", Differs),
        ([xml(ORDER), with("etag", "1")], "extra-header", "header Etag", Differs),
        ([xml(ORDER), xml("")], "missing-body", "body", Differs),
        ([attached(&[("a/b", "1")]), attached(&[("a/b", "1"), ("a/c", "2")])], "attachment", "attachment 2", Differs),
        ([attached(&[("a/b", "1"), ("a/b", "2")]), attached(&[("a/b", "1"), ("a/b", "3")])], "attachment", "attachment 2", Differs),
        ([attached(&[("a/b", "1")]), attached(&[("a/c", "1")])], "attachment", "attachment 1", Differs),
        ([attached(&[("a/b", "1")]), xml(ORDER)], "media-type", type_of, Differs),
        ([xml(ORDER), xml("no XML")], "body", "body", Differs),
        ([xml(ORDER), xml(&ORDER[..300])], "malformed", "body", Differs),
        ([xml(ORDER), xml(format!("{ORDER}<more/>"))], "malformed", "body", Differs),
        ([zipped, xml(ORDER)], "content-coding", "body", SameDocument),
        ([xml(cut(&ORDER[..300])), xml(ORDER)], "cut-off", "body", Differs),
        ([xml(cut("no XM")), xml("no XML")], "cut-off", "body", Differs),
        ([response(200, "text/xml", ORDER), response(200, "text/xml", [&[0xFF, 0xFE], &utf_16[..]].concat())], "encoding", "body", SameDocument),
        ([xml(ORDER), changed("soap:", "s:").map(|body| String::from_utf8_lossy(&body).replace("xmlns:soap", "xmlns:s").into())], "prefix", "Envelope", SameDocument),
        ([xml(ORDER), changed("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope")], "soap-version", "Envelope", Differs),
        ([xml(ORDER), xml(FAULT)], "fault-for-result", "Body", Differs),
        ([xml(ORDER), changed("<soap:Body>", "<soap:Header><Trace>1</Trace></soap:Header><soap:Body>")], "soap-header", "Header", Differs),
        // White space that moved past a comment is neither added nor removed.
        ([changed("<Items>", " <!-- x --><Items>"), changed("<Items>", "<!-- x --> <Items>")], "markup", "body", SameDocument),
        ([changed("<Id>7", "<Id>7 7"), xml(ORDER)], "value", "GetOrderResult.Id", Differs),
        ([xml(ORDER), fault(FAULT)], "status", "status", Differs),
        ([xml(ORDER), xml(ORDER.replace("<Price>", "<price>").replace("</Price>", "</price>"))], "name-case", "GetOrderResult.Price", Differs),
        ([bare("Order"), bare("Basket")], "element-name", "GetOrderResult", Differs),
        ([xml(ORDER), changed("GetOrderResponse", "Other")], "element-name", "GetOrderResponse", Differs),
        ([changed("<Id>7<", "<Id>x<"), changed("<Id>7<", "<Id>seven<")], "value", "GetOrderResult.Id", Differs),
        ([xml(ORDER), changed(">bolt<", "><!-- x -->bolt<")], "comment", "GetOrderResult.Items[1].Name", Differs),
    ]
}

#[test]
fn each_kind_is_planted_and_found_in_both_directions() {
    let mut kinds = BTreeSet::new();
    let mut wrong = String::new();
    check(IN_XML, ORDER, xml, &request(), &mut kinds, &mut wrong);
    check(IN_FAULT, FAULT, fault, &request(), &mut kinds, &mut wrong);
    check(IN_JSON, JSON, json, &json_request(), &mut kinds, &mut wrong);
    let asked = tree_request();
    check(IN_ENCODED, TREE, xml, &asked, &mut kinds, &mut wrong);
    for ([one, other], kind, place, likeness) in whole() {
        let expected = (kind, place, likeness);
        kinds.extend(both_ways(
            &request(),
            [&one, &other],
            expected,
            false,
            &mut wrong,
        ));
    }
    assert!(wrong.is_empty(), "{wrong}");
    let all = DifferenceKind::ALL.iter().map(|kind| kind.name());
    let unplanted: Vec<_> = all.filter(|name| !kinds.contains(name)).collect();
    assert!(unplanted.is_empty(), "no case plants {unplanted:?}");
}
