//! Wrong arguments of `svcgen import`, and folders that cannot be written to: the error says what
//! helps, and nothing is written by half.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::calculator;

/// Creates a folder with a WSDL, a copy of it, and another WSDL of the same service.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = calculator();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("one.wsdl", &text);
    write("same.wsdl", &text);
    write("other.wsdl", &text.replace("Add", "Subtract"));
    write("file", "");
    fs::create_dir(folder.path().join("empty")).unwrap();
    folder
}

/// Runs a shell line after `svcgen import`. Returns the exit code, the output, and the names of the
/// files in `out`.
fn import(folder: &Path, line: &str) -> (i32, String, Vec<String>) {
    let svcgen = env!("CARGO_BIN_EXE_svcgen");
    let output = Command::new("sh")
        .args(["-c", &line.replace("svcgen", svcgen)])
        .current_dir(folder)
        .env("NO_PROXY", "*")
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].concat();
    let written = fs::read_dir(folder.join("out")).into_iter().flatten();
    let written = written.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut written: Vec<_> = written.collect();
    written.sort();
    (
        output.status.code().unwrap(),
        String::from_utf8(told).unwrap(),
        written,
    )
}

#[test]
fn what_cannot_be_read_or_written_is_said_and_leaves_nothing() {
    let folder = folder();
    for (line, expected) in [
        (
            "svcgen import --out out none.wsdl",
            "error: there is no file none.wsdl: name a file, a folder, or a URL that begins with http:// or https://\n",
        ),
        (
            "svcgen import --out out one.wsdl ftp://example.com/a.wsdl",
            "error: there is no file ftp://example.com/a.wsdl: name a file, a folder, or a URL that begins with http:// or https://\n",
        ),
        (
            "svcgen import --out out empty",
            "error: empty has no file that ends in .wsdl: name the document itself, whatever it is called\n",
        ),
        (
            "svcgen import --out file one.wsdl",
            "error: file/svcgen.schema.json cannot be written: file is not a folder\n",
        ),
        (
            "svcgen import --out file/within one.wsdl",
            "error: file/within/svcgen.schema.json cannot be written: file is not a folder\n",
        ),
        (
            "svcgen import --out /dev/full one.wsdl",
            "error: /dev/full/svcgen.schema.json cannot be written: /dev/full is not a folder\n",
        ),
        (
            "svcgen import --update none.yaml one.wsdl",
            "error: there is no file none.yaml\n",
        ),
        // As on a disk that is full.
        (
            "trap '' XFSZ; ulimit -f 0; svcgen import --out out one.wsdl",
            "error: out/svcgen.schema.json cannot be written: File too large (os error 27)\n",
        ),
    ] {
        let (code, told, written) = import(folder.path(), line);
        assert_eq!((code, told.as_str()), (2, expected), "{line}");
        assert_eq!(written, Vec::<String>::new(), "{line}");
        let json = line.replace("import", "import --message-format json");
        let (code, told, _) = import(folder.path(), &json);
        let message: serde_json::Value = serde_json::from_str(&told).expect(&told);
        assert_eq!((code, &message["level"]), (2, &"error".into()), "{line}");
        let rendered = message["rendered"].as_str().unwrap();
        assert_eq!(rendered, expected, "{line}");
    }
}

#[test]
fn a_service_in_two_wsdls_is_imported_once() {
    let folder = folder();
    let (code, told, written) = import(folder.path(), "svcgen import --out out one.wsdl same.wsdl");
    let expected = "wrote out/svcgen.schema.json\nwrote out/calculator.yaml\n1 service with 1 operation imported\nnext: `svcgen new --from out/calculator.yaml calculator` makes a crate that serves it\n";
    assert_eq!((code, told.as_str()), (0, expected));
    assert_eq!(written, ["calculator.yaml", "svcgen.schema.json"]);
    // Another WSDL of that name is another service.
    let line = "svcgen import --strict --out out one.wsdl other.wsdl";
    let (code, told, written) = import(folder.path(), line);
    assert_eq!(code, 0, "{told}");
    let expected =
        "2 services with 2 operations imported\nnext: `svcgen check 'out/*.yaml'` checks them\n";
    assert!(told.ends_with(expected), "{told}");
    let expected = ["calculator.yaml", "calculator_2.yaml", "svcgen.schema.json"];
    assert_eq!(written, expected);
    let line = "svcgen import --strict --verify other.wsdl one.wsdl";
    let (code, told, _) = import(folder.path(), line);
    assert_eq!(code, 0, "{told}");
    let line = "svcgen import --update out/calculator.yaml other.wsdl";
    let (code, told, _) = import(folder.path(), line);
    assert_eq!(code, 0, "{told}");
    let line = "svcgen import --update out/calculator.yaml other.wsdl one.wsdl";
    let (code, told, _) = import(folder.path(), line);
    let expected = "error: there are several services `Calculator`: name one WSDL\n";
    assert_eq!((code, told.as_str()), (2, expected));
}

#[test]
fn a_full_standard_output_is_an_error() {
    let folder = folder();
    let line = "svcgen import --out out one.wsdl > /dev/full";
    let (code, told, written) = import(folder.path(), line);
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("standard output cannot be written"), "{told}");
    assert_eq!(written, ["svcgen.schema.json"]);
}
