//! Operations that a definition cannot express, and where they are reported: in the summary and to
//! callers.

use std::fs;

use super::{calculator, svcgen_in, text};

/// Returns the WSDL of a service with these operations. The service calls its callers by those
/// whose names begin with `Tell`.
fn wsdl(operations: &[&str]) -> String {
    let whole = calculator();
    let within = |start: &str, end: &str| {
        let from = whole.find(start).unwrap();
        from..from + whole[from..].find(end).unwrap() + end.len()
    };
    let of_type = within("<wsdl:operation name=\"Add\">", "</wsdl:operation>");
    let rest = &whole[of_type.end..];
    let from = of_type.end + rest.find("<wsdl:operation name=\"Add\">").unwrap();
    let end = "</wsdl:operation>";
    let of_binding = from..from + whole[from..].find(end).unwrap() + end.len();
    let repeated = |operation: &str, is_type: bool| {
        let all = operations.iter().map(|name| {
            let mut text = operation.replacen("name=\"Add\"", &format!("name=\"{name}\""), 1);
            if is_type && name.starts_with("Tell") {
                text = text.replace("<wsdl:input message=\"tns:AddSoapIn\" />", "");
            }
            text
        });
        all.collect::<String>()
    };
    [
        &whole[..of_type.start],
        &repeated(&whole[of_type.clone()], true),
        &whole[of_type.end..of_binding.start],
        &repeated(&whole[of_binding.clone()], false),
        &whole[of_binding.end..],
    ]
    .concat()
}

#[test]
fn what_is_the_same_of_many_operations_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(
        path.join("s.wsdl"),
        wsdl(&["Add", "TellA", "TellB", "TellC"]),
    )
    .unwrap();
    let (code, told) = svcgen_in(path, &["import", "s.wsdl"]);
    assert_eq!(code, 0, "{told}");
    assert_eq!(told.matches("warning[").count(), 1, "{told}");
    let warning = "warning[SVC075]: the operation `TellA` is left out: it has no input: the service would call its callers; likewise 2 other operations: `TellB`, `TellC`\n";
    assert!(told.contains(warning), "{told}");
    let summary = "1 service with 1 operation imported\nleft out: 3 operations\nnext: `svcgen new --from calculator.yaml calculator` makes a crate that serves it\n";
    assert!(told.contains(summary), "{told}");
    // The definition does not mention these operations.
    assert_eq!(
        text(path, "calculator.yaml").matches("is left out").count(),
        0
    );

    // A call of one of them says why it is not possible.
    let (code, told) = svcgen_in(path, &["call", "--list", "s.wsdl"]);
    let listed = "# the operation `TellB` is left out: it has no input: the service would call its callers\n";
    assert_eq!((code, told.contains(listed)), (0, true), "{told}");
    let (code, told) = svcgen_in(path, &["call", "--url", "http://h", "s.wsdl", "TellC"]);
    let expected = "error: the operation `TellC` is left out: it has no input: the service would call its callers\n";
    assert_eq!((code, told.as_str()), (2, expected));
}

#[test]
fn a_wsdl_of_which_nothing_can_be_said_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("s.wsdl"), wsdl(&["TellA", "TellB"])).unwrap();
    let (code, told) = svcgen_in(path, &["import", "s.wsdl"]);
    assert_eq!(code, 1, "{told}");
    let error = "error[SVC079]: nothing is imported: no definition can say any of its operations\n";
    assert!(told.starts_with(error), "{told}");
    assert!(
        told.contains("warning[SVC075]: the operation `TellA` is left out"),
        "{told}"
    );
    assert!(!path.join("calculator.yaml").exists());
    // Imported with another WSDL, it is left out, and its operations are reported.
    fs::write(
        path.join("other.wsdl"),
        calculator().replace("example.com", "example.org"),
    )
    .unwrap();
    let (code, told) = svcgen_in(path, &["import", "s.wsdl", "other.wsdl"]);
    assert_eq!(code, 0, "{told}");
    assert!(
        told.contains("1 service with 1 operation imported\nleft out: 2 operations\n"),
        "{told}"
    );
}

/// A service over HTTP POST, and over SOAP in rpc style with elements as parts, which stacks write
/// differently.
const BAD_SOAP: &str = r#"<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/"
    xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
  <types><s:schema targetNamespace="urn:t"><s:element name="number" type="s:int"/></s:schema></types>
  <message name="SoapIn"><part name="number" element="t:number"/></message>
  <message name="FormIn"><part name="number" type="s:string"/></message>
  <message name="Out"><part name="Body" element="t:number"/></message>
  <portType name="NSoap"><operation name="Find"><input message="t:SoapIn"/><output message="t:Out"/></operation></portType>
  <portType name="NHttpPost"><operation name="Find"><input message="t:FormIn"/><output message="t:Out"/></operation></portType>
  <binding name="NSoap" type="t:NSoap">
    <soap:binding transport="http://schemas.xmlsoap.org/soap/http" style="rpc"/>
    <operation name="Find"><soap:operation soapAction=""/>
      <input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>
  </binding>
  <binding name="NHttpPost" type="t:NHttpPost">
    <http:binding verb="POST"/>
    <operation name="Find"><http:operation location="/Find"/>
      <input><mime:content type="application/x-www-form-urlencoded"/></input><output><mime:mimeXml part="Body"/></output></operation>
  </binding>
  <service name="N">
    <port name="NSoap" binding="t:NSoap"><soap:address location="http://h/N.asmx"/></port>
    <port name="NHttpPost" binding="t:NHttpPost"><http:address location="http://h/N.asmx"/></port>
  </service>
</definitions>"#;

#[test]
fn a_bad_binding_of_soap_leaves_those_of_forms() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let why = "`number` is an element, and in rpc style parts are types";
    for (wsdl, why) in [
        (BAD_SOAP.to_owned(), why),
        (
            BAD_SOAP.replace("message=\"t:SoapIn\"", "message=\"t:Lost\""),
            "the message `t:Lost` is not declared",
        ),
    ] {
        fs::write(path.join("s.wsdl"), wsdl).unwrap();
        let (code, told) = svcgen_in(path, &["import", "--force", "s.wsdl"]);
        assert_eq!(code, 0, "{told}");
        assert!(told.contains("`Find` is left out over SOAP"), "{told}");
        assert!(told.contains(why), "{told}");
        let definition = text(path, "n.yaml");
        assert!(
            definition.contains("bindings: [http-post]\n"),
            "{definition}"
        );
        assert!(
            definition.contains("      number: string\n"),
            "{definition}"
        );
    }
}
