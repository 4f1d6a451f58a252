//! Two WSDLs of the same service are compared by their meaning.

use svcgen_codegen::Config;
use svcgen_import::{Importer, Sameness};

/// Returns a WSDL with one operation, `Ask`; `schema` has its element `Ask`.
fn wsdl(schema: &str) -> String {
    format!(
        r#"<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:t="urn:t" xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t">
  <types><s:schema targetNamespace="urn:t" elementFormDefault="qualified">{schema}</s:schema></types>
  <message name="AskIn"><part name="parameters" element="t:Ask"/></message>
  <portType name="P"><operation name="Ask"><input message="t:AskIn"/></operation></portType>
  <binding name="B" type="t:P">
    <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="Ask">
      <soap:operation soapAction="urn:t/Ask"/>
      <input><soap:body use="literal"/></input>
    </operation>
  </binding>
  <service name="S"><port name="P" binding="t:B"><soap:address location="http://localhost/s.asmx"/></port></service>
</definitions>"#
    )
}

fn compare(original: &str, others: &[&str]) -> Sameness {
    let mut importer = Importer::new(|_: &str| Ok(original.as_bytes().to_vec()));
    let texts = others.iter().map(|text| (*text).to_owned()).collect();
    importer
        .compare(
            &["original.wsdl".to_owned()],
            &[("other.wsdl".to_owned(), texts)],
        )
        .unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

/// Fails unless the differences between two schemas are the expected ones.
#[track_caller]
fn differ(original: &str, other: &str, expected: &[&str]) {
    let sameness = compare(&wsdl(original), &[&wsdl(other)]);
    let found: Vec<_> = sameness
        .differences
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(found, expected);
    // The number of differences does not depend on which of the two is the original.
    let back = compare(&wsdl(other), &[&wsdl(original)]);
    assert_eq!(back.differences.len(), expected.len());
}

/// Compares schemas whose element `Ask` holds these particles.
#[track_caller]
fn content(original: &str, other: &str, expected: &[&str]) {
    let ask = |content| {
        format!(r#"<s:element name="Ask"><s:complexType>{content}</s:complexType></s:element>"#)
    };
    differ(&ask(original), &ask(other), expected);
}

/// Compares schemas whose element `Ask` is of a simple type.
#[track_caller]
fn simple(original: &str, other: &str, expected: &[&str]) {
    let ask = |inner| {
        format!(r#"<s:element name="Ask"><s:simpleType>{inner}</s:simpleType></s:element>"#)
    };
    differ(&ask(original), &ask(other), expected);
}

const A: &str = r#"<s:element name="a" type="s:int"/>"#;
const B: &str = r#"<s:element name="b" type="s:int" minOccurs="0"/>"#;

#[test]
fn groups_that_change_nothing_do_not_matter() {
    let flat = format!("<s:sequence>{A}{B}</s:sequence>");
    let nested = format!(
        "<s:sequence><s:sequence>{A}</s:sequence><s:sequence/><s:choice><s:sequence>{B}</s:sequence></s:choice></s:sequence>"
    );
    content(&flat, &nested, &[]);
    // An optional sequence of optional elements.
    let optional =
        format!(r#"<s:sequence>{A}<s:sequence minOccurs="0">{B}</s:sequence></s:sequence>"#);
    content(&flat, &optional, &[]);
    let outer = r#"<s:sequence minOccurs="0"><s:element name="a" type="s:int"/></s:sequence>"#;
    let inner = r#"<s:sequence><s:element name="a" type="s:int" minOccurs="0"/></s:sequence>"#;
    content(outer, inner, &[]);
    let group = format!(
        r#"<s:group name="G"><s:sequence>{A}{B}</s:sequence></s:group>
        <s:element name="Ask"><s:complexType><s:sequence><s:group ref="t:G"/></s:sequence></s:complexType></s:element>"#
    );
    let inline =
        format!(r#"<s:element name="Ask"><s:complexType>{flat}</s:complexType></s:element>"#);
    differ(&group, &inline, &[]);
}

#[test]
fn choices_are_the_same_in_any_order() {
    let one = format!("<s:choice>{A}{B}</s:choice>");
    let two = r#"<s:choice minOccurs="0"><s:element name="b" type="s:int"/><s:element name="a" type="s:int"/></s:choice>"#;
    content(&one, two, &[]);
    let repeated = |min| {
        format!(
            r#"<s:choice minOccurs="0" maxOccurs="unbounded"><s:element name="a" type="s:int" {min}/><s:element name="c" type="s:int"/></s:choice>"#
        )
    };
    content(
        &repeated(r#"minOccurs="0" maxOccurs="unbounded""#),
        &repeated(""),
        &[],
    );
    let other = r#"<s:choice><s:element name="a" type="s:int"/></s:choice>"#;
    content(
        r#"<s:choice><s:element name="a" type="s:int"/><s:element name="c" type="s:int"/></s:choice>"#,
        other,
        &[
            "the element `a` of `Ask/request` is added",
            "the group `choice` of `Ask/request` is missing",
        ],
    );
}

#[test]
fn names_of_types_and_extensions_do_not_matter_where_messages_show_none() {
    let extended = format!(
        r#"<s:complexType name="Base"><s:sequence>{A}</s:sequence><s:attribute name="x" type="s:int"/></s:complexType>
        <s:complexType name="More"><s:complexContent><s:extension base="t:Base"><s:sequence>{B}</s:sequence></s:extension></s:complexContent></s:complexType>
        <s:element name="Ask" type="t:More"/>"#
    );
    let flat = format!(
        r#"<s:complexType name="All"><s:sequence>{A}{B}</s:sequence><s:attribute name="x" type="s:int"/></s:complexType>
        <s:element name="Ask" type="t:All"/>"#
    );
    differ(&extended, &flat, &[]);
}

#[test]
fn types_that_derive_from_others_are_named_in_messages() {
    let schema = |name: &str, kind: &str| {
        format!(
            r#"<s:complexType name="Base"><s:sequence>{A}</s:sequence></s:complexType>
        <s:complexType name="{name}"><s:complexContent><s:extension base="t:Base">
          <s:sequence><s:element name="c" type="s:{kind}"/></s:sequence></s:extension></s:complexContent></s:complexType>
        <s:element name="Ask" type="t:Base"/>"#
        )
    };
    differ(&schema("More", "int"), &schema("More", "int"), &[]);
    differ(
        &schema("More", "int"),
        &schema("Most", "int"),
        &[
            "the derived type `{urn:t}More` of `Ask/request` is missing",
            "the derived type `{urn:t}Most` of `Ask/request` is added",
        ],
    );
    differ(
        &schema("More", "int"),
        &schema("More", "string"),
        &["the type of `Ask/request (More)/c` is `string` instead of `int`"],
    );
}

#[test]
fn types_may_contain_themselves() {
    let schema = |kind: &str| {
        format!(
            r#"<s:complexType name="Node"><s:sequence><s:element name="value" type="s:{kind}"/><s:element name="next" type="t:Node" minOccurs="0"/></s:sequence></s:complexType>
        <s:element name="Ask" type="t:Node"/>"#
        )
    };
    differ(&schema("int"), &schema("int"), &[]);
    differ(
        &schema("int"),
        &schema("long"),
        &["the type of `Ask/request/value` is `long` instead of `int`"],
    );
}

#[test]
fn elements_differ_in_all_that_they_say() {
    let of = |attributes: &str| {
        format!("<s:sequence>{A}<s:element name=\"c\" {attributes}/></s:sequence>")
    };
    let plain = of(r#"type="s:int""#);
    let cases = [
        (
            r#"type="s:long""#,
            "the type of `Ask/request/c` is `long` instead of `int`",
        ),
        (
            r#"type="s:int" minOccurs="0""#,
            "the occurrence of `Ask/request/c` is 0..1 instead of 1..1",
        ),
        (
            r#"type="s:int" maxOccurs="5""#,
            "the occurrence of `Ask/request/c` is 1..5 instead of 1..1",
        ),
        (
            r#"type="s:int" nillable="true""#,
            "the `nillable` of `Ask/request/c` is true instead of false",
        ),
        (
            r#"type="s:int" default="5""#,
            "the default `5` of `Ask/request/c` is added",
        ),
        (
            r#"type="s:int" fixed="5""#,
            "the fixed value `5` of `Ask/request/c` is added",
        ),
        (
            r#"type="s:int" form="unqualified""#,
            "the namespace of `Ask/request/c` is `` instead of `urn:t`",
        ),
    ];
    for (other, expected) in cases {
        content(&plain, &of(other), &[expected]);
    }
    let many = of(r#"type="s:int" maxOccurs="5""#);
    content(
        &many,
        &of(r#"type="s:int" maxOccurs="unbounded""#),
        &["the number of `Ask/request/c` is 1..unbounded instead of 1..5"],
    );
    content(
        &plain,
        &format!("<s:sequence>{A}</s:sequence>"),
        &["the element `c` of `Ask/request` is missing"],
    );
    content(
        &format!("<s:sequence>{A}{B}</s:sequence>"),
        &format!("<s:sequence>{B}{A}</s:sequence>"),
        &["the order of elements of `Ask/request` is `b, a` instead of `a, b`"],
    );
    content(
        &format!("<s:sequence>{A}{B}</s:sequence>"),
        &format!("<s:all>{A}{B}</s:all>"),
        &[
            "the group `all` of `Ask/request` is added",
            "the element `a` of `Ask/request` is missing",
            "the element `b` of `Ask/request` is missing",
        ],
    );
}

#[test]
fn attributes_are_a_set() {
    let of = |attributes: &str| format!("<s:sequence>{A}</s:sequence>{attributes}");
    let both = of(r#"<s:attribute name="x" type="s:int"/><s:attribute name="y" type="s:int"/>"#);
    let turned = of(r#"<s:attribute name="y" type="s:int"/><s:attribute name="x" type="s:int"/>"#);
    content(&both, &turned, &[]);
    let other = of(r#"<s:attribute name="x" type="s:long" use="required"/><s:anyAttribute/>"#);
    content(
        &both,
        &other,
        &[
            "the wildcard for any attributes of `##any` of `Ask/request` is added",
            "the occurrence of `Ask/request@x` is required instead of optional",
            "the type of `Ask/request@x` is `long` instead of `int`",
            "the attribute `y` of `Ask/request` is missing",
        ],
    );
}

#[test]
fn simple_types_are_what_all_their_steps_say() {
    let steps = r#"<s:restriction base="t:Short"><s:minLength value="0"/><s:maxLength value="05"/></s:restriction>"#;
    let short = r#"<s:simpleType name="Short"><s:restriction base="s:string"><s:maxLength value="9"/></s:restriction></s:simpleType>"#;
    let ask = |inner: &str| {
        format!(r#"{short}<s:element name="Ask"><s:simpleType>{inner}</s:simpleType></s:element>"#)
    };
    let one = r#"<s:restriction base="s:string"><s:maxLength value="5"/></s:restriction>"#;
    differ(&ask(steps), &ask(one), &[]);
    simple(
        one,
        r#"<s:restriction base="s:string"><s:maxLength value="6"/></s:restriction>"#,
        &["the facet of `Ask/request` is maxLength `6` instead of maxLength `5`"],
    );
    simple(
        one,
        r#"<s:list itemType="s:string"/>"#,
        &[
            "the type of `Ask/request` is a list instead of `string`",
            "the facet maxLength `5` of `Ask/request` is missing",
        ],
    );
    let values = |values: &[&str]| {
        let values = values
            .iter()
            .map(|value| format!(r#"<s:enumeration value="{value}"/>"#));
        format!(
            r#"<s:restriction base="s:string">{}</s:restriction>"#,
            values.collect::<String>()
        )
    };
    simple(&values(&["a", "b"]), &values(&["b", "a"]), &[]);
    simple(
        &values(&["a", "b"]),
        &values(&["a", "c"]),
        &[
            "the value `b` of `Ask/request` is missing",
            "the value `c` of `Ask/request` is added",
        ],
    );
}

#[test]
fn bindings_are_compared_with_what_they_say_of_operations() {
    let one = wsdl(r#"<s:element name="Ask" type="s:int"/>"#);
    let other = one
        .replace("urn:t/Ask", "urn:t/Other")
        .replace("/s.asmx", "/t.asmx")
        .replace("wsdl/soap/", "wsdl/soap12/");
    let sameness = compare(&one, &[&other]);
    let found: Vec<_> = sameness
        .differences
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        found,
        [
            "the binding `soap11` of `Ask` is missing",
            "the binding `soap12` of `Ask` is added",
            "the action of `Ask` is `urn:t/Other` instead of `urn:t/Ask`",
            "the path of `S` is `/t.asmx` instead of `/s.asmx`",
        ]
    );
    assert!(
        sameness
            .differences
            .iter()
            .all(|one| one.aspect.is_on_wire())
    );
}

#[test]
fn a_difference_is_one_that_all_shapes_have() {
    let one = wsdl(r#"<s:element name="Ask" type="s:int"/>"#);
    let other = wsdl(r#"<s:element name="Ask" type="s:long"/>"#);
    assert!(compare(&one, &[&other, &one]).differences.is_empty());
    assert!(compare(&one, &[&one, &other]).differences.is_empty());
    assert_eq!(compare(&one, &[&other, &other]).differences.len(), 1);
}

#[test]
fn a_difference_is_shown_in_the_original() {
    let one = wsdl(
        r#"<s:element name="Ask"><s:complexType><s:sequence><s:element name="a" type="s:int"/></s:sequence></s:complexType></s:element>"#,
    );
    let other = one.replace(r#"type="s:int""#, r#"type="s:int" nillable="true""#);
    let sameness = compare(&one, &[&other]);
    let [difference] = &*sameness.differences else {
        panic!("one difference");
    };
    let shown = difference.diagnostic();
    assert_eq!(shown.code(), "SVC078");
    let span = shown.spans().next().unwrap();
    assert_eq!((span.file, span.start.0), ("original.wsdl", 3));
    assert_eq!(difference.other_place.unwrap().0, 3);
}

#[test]
fn types_of_headers_have_the_attributes_of_soap_wherever_they_are() {
    let with = |attributes: &str| {
        let schema = format!(
            r#"<s:complexType name="H"><s:sequence>{A}</s:sequence>{attributes}</s:complexType><s:element name="Seal" type="t:H"/>
            <s:element name="Ask"><s:complexType><s:sequence><s:element name="of" type="t:H"/></s:sequence></s:complexType></s:element>"#
        );
        let part = r#"<part name="parameters" element="t:Ask"/>"#;
        let parts = format!(r#"{part}<part name="seal" element="t:Seal"/>"#);
        let body = r#"<soap:body use="literal"/>"#;
        let bodies = r#"<soap:header message="t:AskIn" part="seal" use="literal"/><soap:body parts="parameters" use="literal"/>"#;
        let text = wsdl(&schema);
        (text.replace(part, &parts).replace(body, bodies), text)
    };
    let (closed, open) = (with(""), with("<s:anyAttribute/>"));
    let same = compare(&closed.0, &[&open.0]);
    assert!(same.differences.is_empty(), "{same:?}");
    // Without the header, the wildcard is a difference.
    assert_eq!(compare(&closed.1, &[&open.1]).differences.len(), 1);
}

/// Compares two bindings and declarations of a header.
#[track_caller]
fn headers(original: (&str, &str), other: (&str, &str), expected: &[&str]) {
    let with = |(declared, bound): (&str, &str)| {
        let schema = format!(
            r#"<s:element name="Seal" type="s:string" {declared}/><s:element name="Ask" type="s:int"/>"#
        );
        let text = wsdl(&schema);
        let part = r#"<part name="parameters" element="t:Ask"/>"#;
        let parts = format!(r#"{part}<part name="seal" element="t:Seal"/>"#);
        let body = r#"<soap:body use="literal"/>"#;
        let bodies = format!(r#"{bound}<soap:body parts="parameters" use="literal"/>"#);
        text.replace(part, &parts).replace(body, &bodies)
    };
    let sameness = compare(&with(original), &[&with(other)]);
    let found = sameness.differences.iter().map(ToString::to_string);
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn headers_of_requests_and_of_faults_are_compared_with_all_that_is_said_of_them() {
    let header = r#"<soap:header message="t:AskIn" part="seal" use="literal"/>"#;
    let faults = r#"<soap:header message="t:AskIn" part="seal" use="literal"><soap:headerfault message="t:AskIn" part="seal" use="literal"/></soap:header>"#;
    headers(("", header), ("", header), &[]);
    headers(("", faults), ("", faults), &[]);
    headers(
        (r#"nillable="true""#, header),
        ("", header),
        &["the `nillable` of `Ask/request/header Seal` is false instead of true"],
    );
    headers(
        ("", faults),
        ("", header),
        &["the header `Seal` of `Ask` is missing"],
    );
}

#[test]
fn encoded_arrays_are_compared_with_their_numbers_of_items() {
    // The type of the part, and the array type of the declared type.
    let with = |part: &str, array_type: &str| {
        let schema = format!(
            r#"<s:complexType name="A"><s:complexContent><s:restriction base="e:Array" xmlns:e="http://schemas.xmlsoap.org/soap/encoding/">
            <s:attribute ref="e:arrayType" w:arrayType="{array_type}" xmlns:w="http://schemas.xmlsoap.org/wsdl/"/></s:restriction></s:complexContent></s:complexType>"#
        );
        let part = format!(r#"type="{part}" xmlns:e="http://schemas.xmlsoap.org/soap/encoding/""#);
        wsdl(&schema)
            .replace(r#"element="t:Ask""#, &part)
            .replace("<soap:binding ", r#"<soap:binding style="rpc" "#)
            .replace(
                r#"<soap:body use="literal"/>"#,
                r#"<soap:body use="encoded" namespace="urn:t"/>"#,
            )
    };
    let found = |original: String, other: String| {
        let sameness = compare(&original, &[&other]);
        let found = sameness.differences.iter().map(ToString::to_string);
        found.collect::<Vec<_>>()
    };
    let differ = |original, other| found(with("t:A", original), with("t:A", other));
    assert!(differ("s:int[]", "s:int[]").is_empty());
    assert_eq!(
        differ("s:int[3]", "s:int[]"),
        ["the number of `Ask/request/parameters` is 0..unbounded instead of 3..3"]
    );
    assert_eq!(
        differ("s:int[]", "s:int[,]"),
        ["the number of `Ask/request/parameters` is `[,]` instead of `[]`"]
    );
    // The array type of the encoding itself is an array of anything.
    let anything = || with("e:Array", "s:int[]");
    assert!(found(anything(), with("t:A", "s:anyType[]")).is_empty());
    assert_eq!(found(anything(), with("t:A", "s:int[]")).len(), 1);
}

#[test]
fn overloads_whose_inputs_have_no_names_are_those_of_the_definition_in_their_order() {
    let original = include_str!("wsdl/service-rpc-overloads.wsdl");
    let original = original.replace(r#" name="FindByName" message"#, " message");
    let original = original.replace(r#"<input name="FindByName">"#, "<input>");
    let mut importer = Importer::new(|_: &str| Ok(original.as_bytes().to_vec()));
    let imported = importer.import(&["stock.wsdl".to_owned()]).unwrap();
    let (name, text) = &imported.files[0];
    assert!(text.contains("wsdl_name: Find"), "{text}");
    let described = Config::new().describe(name, text).unwrap();
    let other = described.with(|service| {
        let location = "http://example.com/stock";
        svcgen_documents::wsdl(service, location, svcgen_documents::WsdlOptions::default())
    });
    let other = other.unwrap();
    let sameness = compare(&original, &[&other]);
    assert!(
        sameness.differences.is_empty(),
        "{:?}",
        sameness.differences
    );
    // A changed operation is found, and so is a missing one.
    let changed = other.replace(
        r#"name="name" type="s:string""#,
        r#"name="name" type="s:long""#,
    );
    assert_ne!(changed, other);
    let found = compare(&original, &[&changed]).differences;
    assert_eq!(found.len(), 1, "{found:?}");
    let (start, rest) = original
        .split_once("    <operation name=\"Find\">")
        .unwrap();
    let (_, end) = rest.split_once("    </operation>\n").unwrap();
    let found = compare(&original, &[&format!("{start}{end}")]).differences;
    assert!(
        found
            .iter()
            .any(|one| one.to_string().contains("operation `Find`")),
        "{found:?}"
    );
}

#[test]
fn a_typed_set_of_tables_is_not_one_whose_schema_is_not_known() {
    let ask = |namespace: &str| {
        format!(
            r#"<s:element name="Ask"><s:complexType><s:sequence><s:element name="stock"><s:complexType><s:sequence><s:any namespace="{namespace}"/></s:sequence></s:complexType></s:element></s:sequence></s:complexType></s:element>"#
        )
    };
    let typed = wsdl(&ask("urn:stock")).replace(
        "</types>",
        r#"<s:schema targetNamespace="urn:stock" elementFormDefault="qualified"><s:element name="StockSet" m:IsDataSet="true" xmlns:m="urn:schemas-microsoft-com:xml-msdata"><s:complexType><s:choice minOccurs="0" maxOccurs="unbounded"><s:element name="Item"><s:complexType><s:sequence><s:element name="id" type="s:int"/></s:sequence></s:complexType></s:element></s:choice></s:complexType></s:element></s:schema></types>"#,
    );
    let any = wsdl(
        r#"<s:element name="Ask"><s:complexType><s:sequence><s:element name="stock"><s:complexType><s:sequence><s:element ref="s:schema"/><s:any/></s:sequence></s:complexType></s:element></s:sequence></s:complexType></s:element>"#,
    );
    let found = |one: &str, two: &str| {
        let sameness = compare(one, &[two]);
        let found = sameness.differences.iter().map(ToString::to_string);
        found.collect::<Vec<_>>()
    };
    assert!(found(&typed, &typed).is_empty());
    assert!(found(&any, &any).is_empty());
    assert_eq!(
        found(&any, &typed),
        ["the schema of the set `StockSet` of `Ask/request/stock` is added"]
    );
    assert_eq!(
        found(&typed, &any),
        ["the schema of the set `StockSet` of `Ask/request/stock` is missing"]
    );
}
