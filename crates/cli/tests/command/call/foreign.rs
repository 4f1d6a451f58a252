//! Answers of servers that are not .NET.

use super::failing::answering;
use super::*;

/// A WSDL of a service in rpc style with encoded messages, whose answer is an array.
const FLAGS: &str = r#"<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:e="http://schemas.xmlsoap.org/soap/encoding/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:flags" targetNamespace="urn:flags">
<types><s:schema targetNamespace="urn:flags">
<s:complexType name="Flag"><s:sequence><s:element name="Name" type="s:string"/></s:sequence></s:complexType>
<s:complexType name="Flags"><s:complexContent><s:restriction base="e:Array"><s:attribute ref="e:arrayType" w:arrayType="t:Flag[]"/></s:restriction></s:complexContent></s:complexType></s:schema></types>
<message name="Ask"/><message name="Told"><part name="flags" type="t:Flags"/></message>
<portType name="P"><operation name="List"><input message="t:Ask"/><output message="t:Told"/></operation></portType>
<binding name="B" type="t:P"><soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/><operation name="List"><soap:operation soapAction=""/><input><soap:body use="encoded" namespace="urn:flags" encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"/></input><output><soap:body use="encoded" namespace="urn:flags" encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"/></output></operation></binding>
<service name="Flags"><port name="P" binding="t:B"><soap:address location="http://127.0.0.1/Flags"/></port></service></definitions>"#;

const XML: &str = "200 OK\r\nContent-Type: text/xml; charset=utf-8";

/// Returns a SOAP 1.1 envelope with this content of the Body.
fn envelope(body: &str) -> String {
    format!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>{body}</s:Body></s:Envelope>"#
    )
}

#[test]
fn an_encoded_array_without_its_type_is_the_declared_list() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("flags.wsdl"), FLAGS).unwrap();
    let body = envelope(
        r#"<t:ListResponse xmlns:t="urn:flags"><flags><Flag><Name>a</Name></Flag></flags></t:ListResponse>"#,
    );
    let host = answering(XML, &body);
    let arguments: [&dyn AsRef<OsStr>; 5] = [&"call", &"flags.wsdl", &"List", &"--url", &host.0];
    let called = svcgen_in(folder.path(), &arguments, b"");
    assert_eq!(
        (called.code, &*called.stdout),
        (Some(0), "- Name: a\n"),
        "{called:?}"
    );
    host.1.join().unwrap();
}

#[test]
fn elements_of_another_namespace_are_told() {
    let folder = folder();
    let echo = ["Echo", "--samples", "--binding", "soap11"];
    for (result, printed, told) in [
        (r#"<EchoResult>hello</EchoResult>"#, "hello\n", ""),
        (
            r#"<EchoResult xmlns="urn:other">hello</EchoResult>"#,
            "",
            "note: the answer is not as the definition says: Envelope/Body/EchoResponse/EchoResult: The element 'EchoResult' of namespace 'urn:other' is not expected at this place in 'EchoResponse'. Elements that may: EchoResult.",
        ),
    ] {
        let body = envelope(&format!(
            r#"<EchoResponse xmlns="urn:shop">{result}</EchoResponse>"#
        ));
        let host = answering(XML, &body);
        let called = call_in(folder.path(), &host.0, &echo);
        assert_eq!(
            (called.code, &*called.stdout),
            (Some(0), printed),
            "{called:?}"
        );
        assert!(called.stderr.starts_with(told), "{called:?}");
        assert_eq!(called.stderr.is_empty(), told.is_empty(), "{called:?}");
        host.1.join().unwrap();
    }
}

#[test]
fn what_is_named_is_accepted() {
    let folder = folder();
    let body = envelope(
        r#"<EchoResponse xmlns="urn:shop"><EchoResult>a&#x1D;b</EchoResult></EchoResponse>"#,
    );
    let body = format!("\n<?xml version=\"1.0\"?>{body}");
    for (accepted, code) in [
        ("leading-text", 5),
        ("control-characters", 5),
        ("leading-text,control-characters", 0),
    ] {
        let host = answering(XML, &body);
        let arguments = [
            "Echo",
            "--samples",
            "--format",
            "json",
            "--accept",
            accepted,
        ];
        let called = call_in(folder.path(), &host.0, &arguments);
        assert_eq!(called.code, Some(code), "{accepted}: {called:?}");
        let printed = if code == 0 { "\"a\\u001db\"\n" } else { "" };
        assert_eq!(called.stdout, printed, "{called:?}");
        host.1.join().unwrap();
    }
    let called = call_in(
        folder.path(),
        "http://localhost",
        &["Echo", "--accept", "all"],
    );
    assert_eq!(called.code, Some(2), "{called:?}");
    let names = "[possible values: times, empty-numbers, leading-text, declared-encoding, type-names, control-characters]";
    assert!(called.stderr.contains(names), "{called:?}");
}

#[test]
fn an_answer_without_content_type_is_named() {
    let folder = folder();
    let host = answering("200 OK", "hello");
    let called = call_in(folder.path(), &host.0, &["Echo", "--samples"]);
    let said = "error: the answer is not a SOAP message but an answer without Content-Type: hello";
    assert!(called.stderr.starts_with(said), "{called:?}");
    host.1.join().unwrap();
}
