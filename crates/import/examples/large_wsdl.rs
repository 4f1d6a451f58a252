//! Prints a WSDL as large as those of vSphere or e-conomic, or one that is made to cost much:
//! `cargo run --release --example large_wsdl -- service 4000 6000 > large.wsdl`.

use std::fmt::Write;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, otherwise: usize| {
        let given = arguments.get(at).map(|text| text.parse());
        given.map_or(otherwise, |number| number.expect("a number"))
    };
    let kind = arguments.first().map_or("service", String::as_str);
    let text = match kind {
        "service" => service(number(1, 4000), number(2, 6000)),
        "extensions" => within(&extensions(number(1, 100_000))),
        "children" => within(&children(number(1, 100_000))),
        "groups" => within(&groups(number(1, 100_000))),
        "doubled" => within(&doubled(number(1, 45))),
        "references" => within(&references(number(1, 100_000))),
        "choices" => within(&choices(number(1, 100_000))),
        "anonymous" => within(&anonymous(number(1, 60))),
        "substitutions" => within(&substitutions(number(1, 30_000))),
        "unions" => within(&unions(number(1, 50_000))),
        "duplicates" => within(&duplicates(number(1, 50_000))),
        other => panic!("no kind of WSDL: {other}"),
    };
    print!("{text}");
}

/// A service of many operations, of types that extend each other, lists and enumerations.
fn service(operations: usize, types: usize) -> String {
    let mut schema = String::new();
    for at in 0..types {
        let type_text = match at % 6 {
            5 => format!(
                r#"<s:simpleType name="Kind{at}"><s:restriction base="s:string"><s:enumeration value="First"/><s:enumeration value="Second"/><s:enumeration value="the third"/></s:restriction></s:simpleType>"#
            ),
            4 => format!(
                r#"<s:complexType name="ArrayOfThing{before}"><s:sequence><s:element minOccurs="0" maxOccurs="unbounded" name="Thing{before}" nillable="true" type="tns:Thing{before}"/></s:sequence></s:complexType>"#,
                before = at - 1,
            ),
            kind => {
                let elements = (0..5)
                    .map(|element| {
                        format!(r#"<s:element minOccurs="0" maxOccurs="1" name="Text{element}" type="s:string"/>"#)
                    })
                    .collect::<String>();
                let later = (at + 7 * (at % 11)) % types / 6 * 6;
                let content = format!(
                    r#"<s:sequence>{elements}<s:element minOccurs="1" maxOccurs="1" name="Number" type="s:int"/><s:element minOccurs="0" name="Other" type="tns:Thing{later}"/></s:sequence>"#
                );
                let content = match kind {
                    0 => content,
                    _ => format!(
                        r#"<s:complexContent><s:extension base="tns:Thing{}">{}</s:extension></s:complexContent>"#,
                        at - 1,
                        content.replace("name=\"", &format!("name=\"Own{kind}")),
                    ),
                };
                format!(
                    r#"<s:complexType name="Thing{at}"><s:annotation><s:documentation>What is known of thing {at}.</s:documentation></s:annotation>{content}</s:complexType>"#
                )
            }
        };
        schema += &type_text;
        schema.push('\n');
    }
    let (mut messages, mut port_type, mut binding) = (String::new(), String::new(), String::new());
    for at in 0..operations {
        let thing = at % types / 6 * 6;
        let item = thing + 3;
        let _ = writeln!(
            schema,
            r#"<s:element name="Do{at}"><s:complexType><s:sequence><s:element minOccurs="0" maxOccurs="1" name="name" type="s:string"/><s:element minOccurs="1" maxOccurs="1" name="number" type="s:int"/><s:element minOccurs="0" maxOccurs="1" name="thing" type="tns:Thing{thing}"/></s:sequence></s:complexType></s:element>
<s:element name="Do{at}Response"><s:complexType><s:sequence><s:element minOccurs="0" maxOccurs="1" name="Do{at}Result" type="tns:ArrayOfThing{item}"/></s:sequence></s:complexType></s:element>"#
        );
        let _ = writeln!(
            messages,
            r#"<wsdl:message name="Do{at}SoapIn"><wsdl:part name="parameters" element="tns:Do{at}"/></wsdl:message>
<wsdl:message name="Do{at}SoapOut"><wsdl:part name="parameters" element="tns:Do{at}Response"/></wsdl:message>"#
        );
        let _ = writeln!(
            port_type,
            r#"<wsdl:operation name="Do{at}"><wsdl:documentation>Does thing {at}.</wsdl:documentation><wsdl:input message="tns:Do{at}SoapIn"/><wsdl:output message="tns:Do{at}SoapOut"/></wsdl:operation>"#
        );
        let _ = writeln!(
            binding,
            r#"<wsdl:operation name="Do{at}"><soap:operation soapAction="urn:large/Do{at}" style="document"/><wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>"#
        );
    }
    document(&schema, &messages, &port_type, &binding)
}

/// A service with one operation, whose request is of the type `Start`.
fn within(schema: &str) -> String {
    let schema = format!(
        r#"{schema}
<s:element name="Do"><s:complexType><s:sequence><s:element name="start" type="tns:Start"/></s:sequence></s:complexType></s:element>
<s:element name="DoResponse"><s:complexType/></s:element>
"#
    );
    document(
        &schema,
        r#"<wsdl:message name="DoIn"><wsdl:part name="parameters" element="tns:Do"/></wsdl:message>
<wsdl:message name="DoOut"><wsdl:part name="parameters" element="tns:DoResponse"/></wsdl:message>"#,
        r#"<wsdl:operation name="Do"><wsdl:input message="tns:DoIn"/><wsdl:output message="tns:DoOut"/></wsdl:operation>"#,
        r#"<wsdl:operation name="Do"><soap:operation soapAction="urn:large/Do" style="document"/><wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>"#,
    )
}

fn document(schema: &str, messages: &str, port_type: &str, binding: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:large" targetNamespace="urn:large">
<wsdl:types><s:schema elementFormDefault="qualified" targetNamespace="urn:large">
{schema}</s:schema></wsdl:types>
{messages}
<wsdl:portType name="LargeSoap">
{port_type}</wsdl:portType>
<wsdl:binding name="LargeSoap" type="tns:LargeSoap"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
{binding}</wsdl:binding>
<wsdl:service name="Large"><wsdl:port name="LargeSoap" binding="tns:LargeSoap"><soap:address location="http://example.com/Large.asmx"/></wsdl:port></wsdl:service>
</wsdl:definitions>
"#
    )
}

fn each(count: usize, write: impl Fn(usize) -> String) -> String {
    (0..count).map(write).collect()
}

/// Types that extend each other, one after the other.
fn extensions(count: usize) -> String {
    let types = each(count, |at| {
        let next = at + 1;
        format!(
            r#"<s:complexType name="T{at}"><s:complexContent><s:extension base="tns:T{next}"/></s:complexContent></s:complexType>"#
        )
    });
    format!(
        r#"{types}<s:complexType name="T{count}"/><s:complexType name="Start"><s:complexContent><s:extension base="tns:T0"/></s:complexContent></s:complexType>"#
    )
}

/// One type of many elements.
fn children(count: usize) -> String {
    let elements = each(count, |at| {
        format!(r#"<s:element name="e{at}" type="s:int"/>"#)
    });
    format!(r#"<s:complexType name="Start"><s:sequence>{elements}</s:sequence></s:complexType>"#)
}

/// Groups that refer to the next.
fn groups(count: usize) -> String {
    let groups = each(count, |at| {
        let next = at + 1;
        format!(
            r#"<s:group name="G{at}"><s:sequence><s:group ref="tns:G{next}"/></s:sequence></s:group>"#
        )
    });
    format!(
        r#"{groups}<s:group name="G{count}"><s:sequence/></s:group><s:complexType name="Start"><s:group ref="tns:G0"/></s:complexType>"#
    )
}

/// Groups that refer to the next twice.
fn doubled(count: usize) -> String {
    let groups = each(count, |at| {
        let next = at + 1;
        format!(
            r#"<s:group name="G{at}"><s:sequence><s:group ref="tns:G{next}"/><s:element name="e{at}"/><s:group ref="tns:G{next}"/></s:sequence></s:group>"#
        )
    });
    format!(
        r#"{groups}<s:group name="G{count}"><s:sequence><s:element name="last"/></s:sequence></s:group><s:complexType name="Start"><s:group ref="tns:G0"/></s:complexType>"#
    )
}

/// Types that refer to one group of many elements.
fn references(count: usize) -> String {
    let elements = each(1000, |at| format!(r#"<s:element name="e{at}"/>"#));
    let types = each(count, |at| {
        let next = at + 1;
        format!(
            r#"<s:complexType name="T{at}"><s:sequence><s:group ref="tns:G"/><s:element name="next" type="tns:T{next}"/></s:sequence></s:complexType>"#
        )
    });
    format!(
        r#"<s:group name="G"><s:sequence>{elements}</s:sequence></s:group>{types}<s:complexType name="T{count}"/><s:complexType name="Start"><s:sequence><s:element name="first" type="tns:T0"/></s:sequence></s:complexType>"#
    )
}

/// A choice of many alternatives, half of them of one name.
fn choices(count: usize) -> String {
    let elements = each(count, |at| {
        format!(
            r#"<s:element name="e" type="s:int"/><s:sequence><s:element name="a{at}"/><s:element name="b"/></s:sequence>"#
        )
    });
    format!(r#"<s:complexType name="Start"><s:choice>{elements}</s:choice></s:complexType>"#)
}

/// Types without names in each other.
fn anonymous(depth: usize) -> String {
    let open = r#"<s:element name="e"><s:complexType><s:sequence>"#.repeat(depth);
    let close = "</s:sequence></s:complexType></s:element>".repeat(depth);
    format!(r#"<s:complexType name="Start"><s:sequence>{open}{close}</s:sequence></s:complexType>"#)
}

/// Elements that may stand for others, and elements that refer to them.
fn substitutions(count: usize) -> String {
    let members = each(count, |at| {
        format!(r#"<s:element name="m{at}" type="s:string" substitutionGroup="tns:head"/>"#)
    });
    let types = each(count, |at| {
        let next = at + 1;
        format!(
            r#"<s:complexType name="T{at}"><s:sequence><s:element ref="tns:head"/><s:element name="next" type="tns:T{next}"/></s:sequence></s:complexType>"#
        )
    });
    format!(
        r#"<s:element name="head" type="s:string"/>{members}{types}<s:complexType name="T{count}"/><s:complexType name="Start"><s:sequence><s:element name="first" type="tns:T0"/></s:sequence></s:complexType>"#
    )
}

/// Simple types that are unions of the one before and another.
fn unions(count: usize) -> String {
    let types = each(count, |at| {
        let next = at + 1;
        format!(
            r#"<s:simpleType name="T{at}"><s:union memberTypes="tns:T{next} tns:T{next} s:int"/></s:simpleType>"#
        )
    });
    format!(
        r#"{types}<s:simpleType name="T{count}"><s:restriction base="s:int"/></s:simpleType><s:complexType name="Start"><s:sequence><s:element name="value" type="tns:T0"/></s:sequence></s:complexType>"#
    )
}

/// The same names again and again.
fn duplicates(count: usize) -> String {
    let types = each(count, |at| {
        format!(
            r#"<s:complexType name="Start"><s:sequence><s:element name="value{at}" type="s:int"/></s:sequence></s:complexType>"#
        )
    });
    let attributes = each(count, |_| r#"<s:attribute name="again"/>"#.to_owned());
    format!(r#"{types}<s:complexType name="Other">{attributes}</s:complexType>"#)
}
