//! Addresses and actions of services, from the WSDL to the calls.

use std::fs;
use std::path::Path;

use super::network::{Host, ok};
use super::{calculator, svcgen_in, text};

const ANSWER: &str = r#"<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body>
<AddResponse xmlns="http://example.com/calculator"><AddResult>3</AddResult></AddResponse></Body></Envelope>"#;

/// Imports `s.wsdl` of a folder. Fails if the import loses anything, or `--verify` finds a
/// difference.
fn import_whole(folder: &Path, what: &str) {
    for arguments in [
        &["import", "--strict", "s.wsdl"][..],
        &["import", "--verify", "s.wsdl"],
    ] {
        let (code, told) = svcgen_in(folder, arguments);
        assert_eq!(code, 0, "{what}: {told}");
    }
}

/// Calls the calculator in a folder at a host.
fn add(folder: &Path, host: &Host, what: &str) {
    let call = [
        "call",
        "--url",
        &host.url(""),
        "calculator.yaml",
        "Add",
        "left=1",
        "right=2",
    ];
    let (code, told) = svcgen_in(folder, &call);
    assert_eq!((code, told.as_str()), (0, "3\n"), "{what}");
}

/// Returns the path in the definition of a calculator at an address, and the target that
/// `svcgen call` posts to.
fn called_at(address: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let wsdl = calculator().replace("http://example.com/Calculator.asmx", address);
    fs::write(path.join("s.wsdl"), wsdl).unwrap();
    import_whole(path, address);
    let definition = text(path, "calculator.yaml");
    let line = definition
        .lines()
        .find(|line| line.starts_with("path: "))
        .unwrap();
    let host = Host::new(|_, _| ok(ANSWER));
    add(path, &host, address);
    (line["path: ".len()..].to_owned(), host.asked().remove(0))
}

#[test]
fn addresses_are_kept_whole() {
    for (address, path) in [
        ("http://h/soap.do?SOAP", "/soap.do?SOAP"),
        ("http://h:8080/soap/?a=1&amp;b=2", "/soap/?a=1&b=2"),
        ("http://h/Calculator.asmx", "/Calculator.asmx"),
        ("http://h/calculator/", "/calculator/"),
        ("http://h/a//b", "/a//b"),
        ("http://h/", "/"),
        ("https://h", "/"),
    ] {
        let expected = (path.to_owned(), path.to_owned());
        assert_eq!(called_at(address), expected, "{address}");
    }
}

#[test]
fn what_of_an_address_is_no_part_of_the_path_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let address = "http://ann:4711@h/Calculator.asmx?wsdl";
    let wsdl = calculator().replace("http://example.com/Calculator.asmx", address);
    fs::write(path.join("s.wsdl"), wsdl).unwrap();
    let (code, told) = svcgen_in(path, &["import", "s.wsdl"]);
    assert_eq!(code, 0, "{told}");
    let note = "note[SVC077]: `?wsdl` of the address is not part of the path of a service: the path is `/Calculator.asmx`\n";
    assert!(told.contains(note), "{told}");
    let definition = text(path, "calculator.yaml");
    let original = "# The original is at http://h/Calculator.asmx?wsdl.\npath: /Calculator.asmx\n";
    assert!(definition.contains(original), "{definition}");
}

#[test]
fn a_service_that_is_no_asmx_gets_no_name_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let asmx = "xmlns:tm=\"http://microsoft.com/wsdl/mime/textMatching/\" ";
    for (of_asmx, expected) in [
        ("", "path: /Calculator\n"),
        (asmx, "path: /Calculator.asmx\n"),
    ] {
        let wsdl = calculator()
            .replace("http://example.com/Calculator.asmx", "TO BE DEFINED")
            .replacen("targetNamespace", &format!("{of_asmx}targetNamespace"), 1);
        fs::write(path.join("s.wsdl"), wsdl).unwrap();
        let (code, told) = svcgen_in(path, &["import", "--force", "s.wsdl"]);
        assert_eq!(code, 0, "{told}");
        assert!(
            told.contains("the WSDL says no path, as its address is `TO BE DEFINED`"),
            "{told}"
        );
        let definition = text(path, "calculator.yaml");
        assert!(definition.contains(expected), "{definition}");
    }
}

#[test]
fn actions_may_hold_blanks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let wsdl = calculator();
    let start = wsdl.find("soapAction=\"").unwrap() + "soapAction=\"".len();
    let end = start + wsdl[start..].find('"').unwrap();
    let wsdl = wsdl.replace(&wsdl[start..end], "DB ver=14.0 add");
    fs::write(path.join("s.wsdl"), wsdl).unwrap();
    import_whole(path, "an action with blanks");
    let definition = text(path, "calculator.yaml");
    assert!(
        definition.contains("    action: DB ver=14.0 add\n"),
        "{definition}"
    );
    let host = Host::new(|_, _| ok(ANSWER));
    add(path, &host, "an action with blanks");
    let heads = host.heads();
    assert!(
        heads.contains("\r\nsoapaction: \"db ver=14.0 add\"\r\n"),
        "{heads}"
    );
}
