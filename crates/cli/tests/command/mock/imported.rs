//! Services with unusual WSDLs: the imported definition is called and answered.

use super::*;

/// Returns the WSDL of a test of the library.
fn wsdl(name: &str) -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/import/wsdl");
    fs::read_to_string(tests.join(name)).unwrap()
}

/// Returns the output of calls to a mock of an imported WSDL; `is_said` is whether the definition
/// expresses all of the WSDL.
fn called(
    (name, is_said): (&str, bool),
    file: &str,
    rules: &str,
    calls: &[&[&str]],
) -> Vec<String> {
    let text = wsdl(name);
    let folder = folder_of(&[("s.wsdl", &text)]);
    let run = |arguments: &[&str]| {
        let output = command(&[])
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    run(&["import", "--strict", "s.wsdl"]);
    if is_said {
        run(&["import", "--verify", "s.wsdl"]);
    }
    let definition = fs::read_to_string(folder.path().join(file)).unwrap();
    let start = definition.find("\nservice: ").unwrap() + 1;
    let end = start + definition[start..].find('\n').unwrap();
    let definition = [&definition[..start], "service: Shop", &definition[end..]].concat();
    let files = [("rules.yaml", rules), (file, &definition)];
    let mock = Mock::start(&files, &["--rules", "rules.yaml", file]);
    let url = format!("http://{}", mock.address);
    let calls = calls.iter().map(|call| {
        let mut called = command(&[&"call", &"--url", &url, &file]);
        let output = called
            .args(*call)
            .current_dir(&mock.folder)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        format!("{}{told}", String::from_utf8_lossy(&output.stdout))
    });
    calls.collect()
}

#[test]
fn overloads_in_rpc_style_are_told_apart_by_their_parts() {
    let rules = "
rules:
- { operation: Find, answer: by number }
- { operation: FindByName, answer: by name }
";
    let calls = [&["Find", "number=7"][..], &["FindByName", "name=pear"]];
    let answers = called(
        ("service-rpc-overloads.wsdl", true),
        "stock.yaml",
        rules,
        &calls,
    );
    assert_eq!(answers, ["by number\n", "by name\n"]);
}

#[test]
fn parts_in_no_namespace_are_called() {
    let rules = "
rules:
- { operation: Guess, when: { RateRequest: { Weight: 7 } }, answer: { Price: 1.50 } }
- { operation: Rate, answer: { Price: 2.50 } }
";
    let calls = [
        &["Guess", "RateRequest.Weight=7"][..],
        &["Rate", "RateRequest.Weight=7"],
    ];
    let answers = called(
        ("service-document-type-part.wsdl", false),
        "rates.yaml",
        rules,
        &calls,
    );
    assert_eq!(answers, ["Price: '1.50'\n", "Price: '2.50'\n"]);
}

#[test]
fn elements_in_no_namespace_are_called() {
    let rules = "
rules:
- { operation: Read, when: { Read: { id: 7 } }, answer: {} }
- { operation: Read, fault: { code: Client, text: other } }
";
    let calls = [&["Read", "Read.id=7"][..], &["Read", "Read.id=8"]];
    let wsdl = ("service-no-namespace.wsdl", true);
    let answers = called(wsdl, "notes.yaml", rules, &calls);
    assert_eq!(answers[0], "{}\n");
    assert!(answers[1].contains("other"), "{answers:?}");
}
