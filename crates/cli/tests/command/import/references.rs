//! References of a WSDL: only documents near it or in allowed folders are read, and nothing of a
//! file that is not a document is shown.

use std::fs;
use std::path::Path;

use super::calculator;
use crate::command;

const SECRET: &str = "S3CR3T";

/// Returns the WSDL of a service whose types are in another document.
fn referring(location: &str) -> String {
    let wsdl = calculator();
    let schema = wsdl.find("<s:schema").unwrap();
    let import = format!(
        "<s:schema><s:import namespace=\"urn:far\" schemaLocation=\"{location}\"/></s:schema>\n      "
    );
    let wsdl = [&wsdl[..schema], &import, &wsdl[schema..]].concat();
    wsdl.replacen(
        "<s:complexType>",
        "<s:complexType xmlns:far=\"urn:far\">",
        1,
    )
    .replacen("type=\"s:int\"", "type=\"far:Number\"", 1)
}

/// Imports `service/service.wsdl` in a folder. Returns the exit code and the output.
fn import(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = command(&[&"import", &"--out", &"out"])
        .current_dir(folder)
        .env("NO_PROXY", "*")
        .env("LEAKED", SECRET)
        .args(arguments)
        .arg("service/service.wsdl")
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(told).unwrap(),
    )
}

/// Creates a folder with a service, files with secrets around it, and a schema next to its folder.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("service/notes.txt", format!("{SECRET}\n"));
    write("service/ill.xml", format!("<a>\n<b key='{SECRET}'></a>\n"));
    write("service/app.config", format!("<{SECRET}/>"));
    write(
        "service/page.html",
        format!("<html><title>{SECRET}</title></html>"),
    );
    write(
        "service/coded.xml",
        format!("<?xml version='1.0' encoding='{SECRET}'?><a/>"),
    );
    write("outside.txt", format!("{SECRET}\n"));
    write(
        "common/far.xsd",
        "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:far'>\
         <s:simpleType name='Number'><s:restriction base='s:int'/></s:simpleType></s:schema>"
            .to_owned(),
    );
    folder
}

#[test]
fn nothing_is_shown_of_files_that_a_document_refers_to() {
    let folder = folder();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../outside.txt", folder.path().join("service/link.xsd")).unwrap();
    let absolute = folder.path().join("outside.txt");
    for (location, said) in [
        ("notes.txt", "the document is not XML"),
        ("ill.xml", "the document is not well-formed XML"),
        ("app.config", "the document is neither a WSDL nor a schema"),
        ("page.html", "the document is an HTML page, no WSDL"),
        (
            "coded.xml",
            "the document is in an encoding that is not known",
        ),
        ("../outside.txt", "it is outside the folder of the WSDL"),
        (
            absolute.to_str().unwrap(),
            "it is outside the folder of the WSDL",
        ),
        #[cfg(unix)]
        ("link.xsd", "it is outside the folder of the WSDL"),
        #[cfg(target_os = "linux")]
        ("/proc/self/environ", "it is a system file"),
        #[cfg(unix)]
        ("/dev/null", "this is not a file"),
        (
            "http://ann:S3CR3T@localhost:1/far.xsd",
            "documents of http://localhost:1 are not asked for",
        ),
    ] {
        let wsdl = referring(location);
        fs::write(folder.path().join("service/service.wsdl"), wsdl).unwrap();
        let (code, told) = import(folder.path(), &[]);
        assert_eq!(code, 1, "{location}: {told}");
        assert!(told.contains("error[SVC071]"), "{location}: {told}");
        assert!(told.contains(said), "{location}: {told}");
        assert!(!told.contains(SECRET), "{location}: {told}");
    }
}

#[test]
fn a_folder_elsewhere_is_read_if_it_is_allowed() {
    let folder = folder();
    let wsdl = referring("../common/far.xsd");
    fs::write(folder.path().join("service/service.wsdl"), wsdl).unwrap();
    let (code, told) = import(folder.path(), &[]);
    assert_eq!(code, 1, "{told}");
    assert!(
        told.contains("`--allow-include DIR` allows another folder"),
        "{told}"
    );
    let (code, told) = import(folder.path(), &["--allow-include", "common"]);
    assert_eq!(code, 0, "{told}");
    // In a workspace, neighbouring folders have the same owner.
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), "").unwrap();
    let (code, told) = import(folder.path(), &[]);
    assert_eq!(code, 0, "{told}");
}

#[test]
fn a_login_in_an_address_is_refused_without_being_shown() {
    let address = "http://ann:S3CR3T@localhost:1/Orders.asmx?wsdl";
    let output = command(&[&"import", &address]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("`--user NAME:PASSWORD`"), "{told}");
    assert!(!told.contains(SECRET), "{told}");
}
