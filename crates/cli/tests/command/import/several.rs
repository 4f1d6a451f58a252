//! WSDLs that are imported together: the declarations of each are its own, in any namespace.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{svcgen_in, text};

/// Returns the WSDL of an ASMX service in the default namespace of ASMX; `schema` has the
/// declarations for its operation `Get`.
fn wsdl(service: &str, address: &str, schema: &str) -> String {
    let head = r#"xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:t="http://tempuri.org/"
  xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/""#;
    format!(
        r#"<definitions targetNamespace="http://tempuri.org/" {head}>
  <types><s:schema elementFormDefault="qualified" targetNamespace="http://tempuri.org/">{schema}</s:schema></types>
  <message name="GetSoapIn"><part name="parameters" element="t:Get"/></message>
  <message name="GetSoapOut"><part name="parameters" element="t:GetResponse"/></message>
  <portType name="{service}Soap">
    <operation name="Get"><input message="t:GetSoapIn"/><output message="t:GetSoapOut"/></operation>
  </portType>
  <binding name="{service}Soap" type="t:{service}Soap">
    <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="Get">
      <soap:operation soapAction="http://tempuri.org/Get"/>
      <input><soap:body use="literal"/></input><output><soap:body use="literal"/></output>
    </operation>
  </binding>
  <service name="{service}">
    <port name="{service}Soap" binding="t:{service}Soap"><soap:address location="{address}"/></port>
  </service>
</definitions>"#
    )
}

/// Returns the elements of `Get`.
fn get(parameter: &str, result: &str) -> String {
    let element = |name: &str, content: &str| {
        format!(
            r#"<s:element name="{name}"><s:complexType><s:sequence><s:element minOccurs="0" {content}/></s:sequence></s:complexType></s:element>"#
        )
    };
    element("Get", parameter) + &element("GetResponse", &format!(r#"name="GetResult" {result}"#))
}

/// Returns the lines of a definition about the operation.
fn operation(folder: &Path, file: &str) -> String {
    let definition = text(folder, file);
    let from = definition.find("operations:").unwrap();
    let end = definition[from..]
        .find("\n\n")
        .map_or(definition.len(), |end| from + end);
    definition[from..end].trim_end().to_owned()
}

#[test]
fn services_of_one_namespace_keep_their_own_declarations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let of_a = get(r#"name="id" type="s:string""#, r#"type="s:string""#);
    let of_b = get(
        r#"name="code" type="s:base64Binary""#,
        r#"type="s:base64Binary""#,
    );
    fs::write(path.join("a.wsdl"), wsdl("A", "http://h/A.asmx", &of_a)).unwrap();
    fs::write(path.join("b.wsdl"), wsdl("B", "http://h/B.asmx", &of_b)).unwrap();
    for order in [["a.wsdl", "b.wsdl"], ["b.wsdl", "a.wsdl"]] {
        let (code, told) = svcgen_in(
            path,
            &[&["import", "--strict", "--force"], &order[..]].concat(),
        );
        assert_eq!(code, 0, "{told}");
        assert_eq!(
            operation(path, "a.yaml"),
            "operations:\n  Get:\n    parameters:\n      id: string?\n    result: string?"
        );
        assert_eq!(
            operation(path, "b.yaml"),
            "operations:\n  Get:\n    parameters:\n      code: base64Binary?\n    result: base64Binary?"
        );
        assert!(text(path, "b.yaml").contains("# Imported from b.wsdl.\n"));
        let (code, told) = svcgen_in(path, &[&["import", "--verify"], &order[..]].concat());
        assert_eq!(code, 0, "{told}");
        assert!(told.starts_with("4 messages and "), "{told}");
    }
    // Each definition is compared with its own document.
    let wrong = text(path, "a.yaml").replace("id: string?", "id: int");
    fs::write(path.join("a.yaml"), wrong).unwrap();
    let against = ["--against", "a.yaml", "--against", "b.yaml"];
    let verify = [&["import", "--verify"], &against[..], &["a.wsdl", "b.wsdl"]].concat();
    let (code, told) = svcgen_in(path, &verify);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("a.wsdl") && told.contains("`int`"), "{told}");
    assert!(!told.contains("b.wsdl"), "{told}");
}

#[test]
fn services_of_one_name_get_a_file_each_and_copies_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let old = wsdl(
        "Shop",
        "http://h/v1/Shop.asmx",
        &get(r#"name="id" type="s:string""#, r#"type="s:string""#),
    );
    let new = wsdl(
        "Shop",
        "http://h/v2/Shop.asmx",
        &get(r#"name="id" type="s:base64Binary""#, r#"type="s:string""#),
    );
    fs::write(path.join("copy.wsdl"), &old).unwrap();
    fs::write(path.join("new.wsdl"), new).unwrap();
    fs::write(path.join("old.wsdl"), old).unwrap();
    let wsdls = ["new.wsdl", "old.wsdl", "copy.wsdl"];
    let (code, told) = svcgen_in(path, &[&["import", "--out", "defs"], &wsdls[..]].concat());
    assert_eq!(code, 0, "{told}");
    let files = fs::read_dir(path.join("defs")).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["shop.yaml", "shop_2.yaml", "svcgen.schema.json"]);
    let defs = path.join("defs");
    for (file, parts) in [
        (
            "shop.yaml",
            [
                "service: Shop\n",
                "path: /v2/Shop.asmx\n",
                "id: base64Binary?",
            ],
        ),
        (
            "shop_2.yaml",
            ["service: Shop\n", "path: /v1/Shop.asmx\n", "id: string?"],
        ),
    ] {
        let text = text(&defs, file);
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
    let (code, told) = svcgen_in(path, &[&["import", "--verify"], &wsdls[..]].concat());
    assert_eq!(code, 0, "{told}");
}

/// Writes the WSDLs of a product: each has a type `Item` of its own and the types that all share,
/// inside or in a separate schema; every third WSDL imports the document with its port type.
fn product(folder: &Path, count: usize) {
    let status = r#"<s:complexType name="Status"><s:sequence><s:element minOccurs="0" name="Text" type="s:string"/></s:sequence></s:complexType>"#;
    let common = format!(
        r#"<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="http://tempuri.org/" elementFormDefault="qualified">{status}</s:schema>"#
    );
    fs::write(folder.join("common.xsd"), common).unwrap();
    for number in 0..count {
        let name = format!("Service{number:02}");
        let mut schema = if number % 2 == 0 {
            r#"<s:include schemaLocation="common.xsd"/>"#.to_owned()
        } else {
            status.to_owned()
        };
        schema += &get(r#"name="status" type="t:Status""#, r#"type="t:Item""#);
        let _ = write!(
            schema,
            r#"<s:complexType name="Item"><s:sequence><s:element minOccurs="0" name="Part{number}" type="s:string"/></s:sequence></s:complexType>"#
        );
        let whole = wsdl(&name, &format!("http://h/{name}.asmx"), &schema);
        if number % 3 > 0 {
            fs::write(folder.join(format!("{name}.wsdl")), whole).unwrap();
            continue;
        }
        let (contract, rest) = whole.split_at(whole.find("  <binding").unwrap());
        let start = &whole[..whole.find("  <types>").unwrap()];
        let import = format!(
            "  <import namespace=\"http://tempuri.org/\" location=\"{name}.contract.wsdl\"/>\n"
        );
        let contract = format!("{contract}</definitions>");
        fs::write(folder.join(format!("{name}.contract.wsdl")), contract).unwrap();
        fs::write(
            folder.join(format!("{name}.wsdl")),
            [start, &import, rest].concat(),
        )
        .unwrap();
    }
}

#[test]
fn a_folder_of_thirty_wsdls_of_one_product_is_imported_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("wsdl")).unwrap();
    product(&path.join("wsdl"), 30);
    let (code, told) = svcgen_in(path, &["import", "--strict", "--out", "defs", "wsdl"]);
    assert_eq!(code, 0, "{told}");
    assert!(
        told.contains("30 services with 30 operations and 31 types"),
        "{told}"
    );
    let defs = path.join("defs");
    for number in 0..30 {
        let text = text(&defs, &format!("service{number:02}.yaml"));
        assert!(text.contains(&format!("Part{number}: string?")), "{text}");
        assert!(text.contains("include: [service00_types.yaml]"), "{text}");
        assert!(!text.contains("Status:"), "{text}");
    }
    let (code, told) = svcgen_in(path, &["import", "--verify", "wsdl"]);
    assert_eq!(code, 0, "{told}");
    assert!(told.starts_with("60 messages and 60 types"), "{told}");
    let (code, told) = svcgen_in(path, &["check", "defs/*.yaml"]);
    assert_eq!(code, 0, "{told}");
}
