//! Mistakes of newcomers: the command says what to do, and a replacement that it offers corrects
//! the mistake.

use serde_json::Value;

use super::svcgen_in;

/// A definition, a sentence of the message, and a sentence of its help.
const MISTAKES: &[(&str, &str, &str)] = &[
    // A misspelt type, and types of other languages.
    (
        "  Greet: { result: Greting }\ntypes: { Greeting: { elements: { Text: string } } }\n",
        "unknown type `Greting`",
        "did you mean `Greeting`?",
    ),
    (
        "  Greet: { result: list<string> }\n",
        "unknown type `list<string>`",
        "a list is written `string[]`",
    ),
    (
        "  Greet: { result: Vec<String> }\n",
        "unknown type `Vec<String>`",
        "a list is written `string[]`",
    ),
    (
        "  Greet: { result: ArrayOfString }\n",
        "unknown type `ArrayOfString`",
        "a list is written `string[]`",
    ),
    (
        "  Greet: { result: list of String }\n",
        "is not written like a type",
        "it is written `string[]`",
    ),
    // Types that do not exist, or that may be several.
    (
        "  Greet: { result: DataSet }\n",
        "unknown type `DataSet`",
        "did you mean `dataSet`?",
    ),
    (
        "  Greet: { result: XmlDocument }\n",
        "unknown type `XmlDocument`",
        "XML as it stands is `any`",
    ),
    (
        "  Greet: { result: object }\n",
        "unknown type `object`",
        "`object` is called `anyType` here",
    ),
    (
        "  Greet: { result: number }\n",
        "unknown type `number`",
        "`int`, `long`, `decimal` or `double`",
    ),
    // A type by its name in other languages.
    (
        "  Greet: { result: Int }\n",
        "unknown type `Int`",
        "did you mean `int`?",
    ),
    (
        "  Greet: { result: bool }\n",
        "unknown type `bool`",
        "`bool` is called `boolean` here",
    ),
    (
        "  Greet: { result: i64 }\n",
        "unknown type `i64`",
        "`i64` is called `long` here",
    ),
    // A misspelt key.
    (
        "  Greet:\n    paramters: { name: string }\n",
        "unknown key `paramters`",
        "did you mean `parameters`?",
    ),
    // A key by another name, or one that does not exist.
    (
        "  Greet: { out: int }\n",
        "unknown key `out`",
        "`out` is called `result` here, and several are `results`",
    ),
    (
        "  Greet: { results: int }\n",
        "expected a map, as in `name: …`, found the text `int`",
        "a map is written `{ key: value }`",
    ),
    (
        "  Greet: { throws: [Rude] }\nfaults: { Rude: Why }\ntypes: { Why: { elements: { Text: string } } }\n",
        "unknown key `throws`",
        "`throws` is called `faults` here",
    ),
    (
        "  Greet: { result: Tone }\ntypes: { Tone: { namespace: urn:t, elements: { Loud: boolean } } }\n",
        "there is no namespace `urn:t`",
        "`namespaces: { common: \"urn:t\" }`",
    ),
    (
        "  Greet: { result: string }\ntargetNamespace: urn:t\n",
        "unknown key `targetNamespace`",
        "`namespace` stands here already; keep one of them",
    ),
    // A blank before the question mark.
    (
        "  Greet:\n    result: string ?\n",
        "`string ?` is not written like a type",
        "it is written `string?`",
    ),
    // A list as a key.
    (
        "  Greet:\n    result: list: string\n",
        "one line takes one `key: value`",
        "a list is written `string[]`",
    ),
    // Brackets between braces.
    (
        "  Greet: { result: string[] }\n",
        "brackets start a list here",
        "stands in quotes",
    ),
    // Tabs.
    (
        "\tGreet:\n\t\tresult: string\n",
        "a tab indents this line",
        "YAML is indented with spaces",
    ),
    // Lines that start in a column of their own, or in the first one.
    (
        "  Greet:\n    result: string\n   doc: Greets.\n",
        "a column of its own",
        "lines of one map start in the same column",
    ),
    (
        "Greet:\n  result: string\n",
        "unknown key `Greet`",
        "indent it",
    ),
    // A missing colon, or no blank after it.
    (
        "  Greet\n    result: string\n",
        "`Greet` has no `:` behind it",
        "a key is written `Greet:`",
    ),
    (
        "  Greet:\n    result:string\n",
        "found the text `result:string`",
        "a blank stands behind the colon",
    ),
    // Two operations of the same name.
    (
        "  Greet: { result: string }\n  Greet: { result: int }\n",
        "`Greet` is given twice",
        "another name",
    ),
    // Objects where all four bindings are enabled.
    (
        "  Greet: { parameters: { whom: Person } }\ntypes: { Person: { elements: { Name: string } } }\n",
        "`whom` cannot be sent over HTTP GET and POST",
        "bindings: [soap11, soap12]",
    ),
    // Names in the place of keys of the language.
    (
        "  Greet: { result: Person }\ntypes: { Person: { Name: string } }\n",
        "unknown key `Name`",
        "`elements: { Name: … }`",
    ),
    (
        "  Greet: { whom: string, result: string }\n",
        "unknown key `whom`",
        "`parameters: { whom: … }`",
    ),
    (
        "  Greet: { result: Tone }\nenums: { Tone: { Plain: 0, Rude: 1 } }\n",
        "unknown key `Plain`",
        "`[Plain, …]`",
    ),
    (
        "  Greet: { Result: string }\n",
        "unknown key `Result`",
        "did you mean `result`?",
    ),
    // A type in the place of an operation, and `void`.
    ("  Greet: string\n", "expected a map", "`{ key: value }`"),
    (
        "  Greet: { result: void }\n",
        "unknown type `void`",
        "says no `result`: leave it out",
    ),
    // Parameters as a list.
    (
        "  Greet:\n    parameters:\n      - name: string\n",
        "expected a map",
        "without `- `",
    ),
];

const HEAD: &str =
    "service: Greeter\nnamespace: http://example.com/greeter\npath: /Greeter.asmx\noperations:\n";

#[test]
fn a_newcomer_is_told_what_to_do() {
    for (rest, message, help) in MISTAKES {
        holds(&format!("{HEAD}{rest}"), message, help);
    }
    let operations = "operations: { Greet: { result: string } }\n";
    holds(
        &format!("service: Greeter\npath: /Greeter.asmx\n{operations}"),
        "the definition lacks `namespace`",
        "`namespace: URI`",
    );
    holds(
        "<?xml version='1.0' encoding='utf-8'?>\n<wsdl:definitions targetNamespace='urn:s'/>\n",
        "an unknown namespace prefix 'wsdl'",
        "declare it at the root element",
    );
    holds(
        &format!("service: Greeter\nnamespace: example.com\npath: Greeter.asmx\n{operations}"),
        "the path `Greeter.asmx` does not start with `/`",
        "write `/Greeter.asmx`",
    );
}

/// Fails unless the definition is refused with this message and help, and accepted with the
/// replacements that the messages offer.
fn holds(definition: &str, message: &str, help: &str) {
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str, format: &dyn AsRef<std::ffi::OsStr>| {
        svcgen_in(
            folder.path(),
            &[&"check", &"-", &"--message-format", format],
            text.as_bytes(),
        )
    };
    let refused = check(definition, &"human");
    assert_eq!(refused.code, Some(1), "{definition}");
    assert!(refused.stderr.contains(message), "{}", refused.stderr);
    assert!(refused.stderr.contains(help), "{}", refused.stderr);
    let lines = check(definition, &"json").stderr;
    if let Some(mended) = mended(definition, &lines) {
        let accepted = check(&mended, &"human");
        assert_eq!(accepted.code, Some(0), "{mended}\n{}", accepted.stderr);
    }
}

/// Returns the definition with the offered replacements; `None` if a message offers none.
fn mended(definition: &str, lines: &str) -> Option<String> {
    let mut edits = Vec::new();
    for line in lines.lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let span = &message["children"][0]["spans"][0];
        let bytes = [&span["byte_start"], &span["byte_end"]];
        let [start, end] = bytes.map(|byte| byte.as_u64().map(|byte| byte as usize));
        edits.push((
            start?..end?,
            span["suggested_replacement"].as_str()?.to_owned(),
        ));
    }
    edits.sort_by_key(|(bytes, _)| std::cmp::Reverse(bytes.start));
    let mut text = definition.to_owned();
    edits
        .into_iter()
        .for_each(|(bytes, replacement)| text.replace_range(bytes, &replacement));
    Some(text)
}
