//! Documents.

use super::*;

/// A value in canonical JSON.
fn tree(document: &Document<'_>, node: Node) -> String {
    let children = || {
        let mut next = document.first(node);
        let mut nodes = Vec::new();
        while let Some(node) = next {
            nodes.push(tree(document, node));
            next = document.next(node);
        }
        nodes.join(",")
    };
    match document.kind(node) {
        Kind::Null => "null".to_owned(),
        Kind::Boolean(value) => value.to_string(),
        Kind::Number(token) => token.to_owned(),
        Kind::Text => format!("{:?}", document.text(node).unwrap()),
        Kind::List => format!("[{}]", children()),
        Kind::Object => {
            let members = document.members(node);
            let members =
                members.map(|(name, value)| format!("{name:?}:{}", tree(document, value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
    }
}

#[test]
fn more_than_json_is_read() {
    for (text, expected) in [
        (r#"{'s':'it"s'}"#, r#"{"s":"it\"s"}"#),
        (
            r#"{s:"x",a.b-c_d+1:1,é2:2}"#,
            r#"{"s":"x","a.b-c_d+1":1,"é2":2}"#,
        ),
        ("{\"s\":\"a\tb\nc\u{1}\"}", "{\"s\":\"a\\tb\\nc\\u{1}\"}"),
        (
            r#""\"\'\\\/\b\f\n\r\tA\u00e9""#,
            r#""\"'\\/\u{8}\u{c}\n\r\tAé""#,
        ),
        (r#""a\ud83db""#, "\"a\u{FFFD}b\""),
        (
            "[+5,042,.5,5.,-.5,1E-7,NaN,Infinity,-Infinity]",
            "[+5,042,.5,5.,-.5,1E-7,NaN,Infinity,-Infinity]",
        ),
        (
            "\u{a0}\u{2028}{ \u{b}\"a\" \u{85}:\u{3000}[ ] , 'b' : { } }\u{feff}",
            "Invalid JSON primitive: .",
        ),
        (
            "\u{a0}\u{2028}{ \u{b}\"a\" \u{85}:\u{3000}[ ] , 'b' : { } } ",
            r#"{"a":[],"b":{}}"#,
        ),
        (r#"{"s":"one","s":"two"}"#, r#"{"s":"one","s":"two"}"#),
        ("", "null"),
        ("  ", "null"),
        ("null", "null"),
        (
            r#"[[],[[1],{"a":[{}]}],"😀"]"#,
            r#"[[],[[1],{"a":[{}]}],"😀"]"#,
        ),
    ] {
        match document(text) {
            Ok(document) => assert_eq!(tree(&document, document.root()), expected, "{text}"),
            Err(error) => assert_eq!(error.message(), expected, "{text}"),
        }
    }
    let text = r#"{"s":"one","S":"no","s":"two"}"#;
    let document = document(text).unwrap();
    let last = document.member(document.root(), "s").unwrap();
    assert_eq!(document.text(last).unwrap(), "two");
}

#[test]
fn the_rest_is_refused() {
    let whole = |message: &str, index: usize, text: &str| format!("{message} ({index}): {text}");
    let primitive = |text: &str| format!("Invalid JSON primitive: {text}.");
    let object = "Invalid object passed in, ':' or '}' expected.";
    let comma = "Invalid array passed in, ',' expected.";
    for (text, expected) in [
        (
            r#"{"s":"\x41"}"#,
            whole("Unrecognized escape sequence.", 8, r#"{"s":"\x41"}"#),
        ),
        (
            r#"{"s":"\0"}"#,
            whole("Unrecognized escape sequence.", 8, r#"{"s":"\0"}"#),
        ),
        (
            r#""😀\q""#,
            whole("Unrecognized escape sequence.", 5, r#""😀\q""#),
        ),
        (
            r#""\u00zz""#,
            whole("Unrecognized escape sequence.", 3, r#""\u00zz""#),
        ),
        (
            r#""\u00"#,
            whole("Unrecognized escape sequence.", 3, r#""\u00"#),
        ),
        ("{\"s\":True}", primitive("True")),
        ("undefined", primitive("undefined")),
        ("{d:new Date(0)}", primitive("new")),
        ("[1-2]", primitive("1-2")),
        ("[1_000]", primitive("1_000")),
        ("[1.2.3]", primitive("1.2.3")),
        ("[-]", primitive("-")),
        ("[1e400]", primitive("1e400")),
        ("[1e]", primitive("1e")),
        ("[.]", primitive(".")),
        ("[,1]", primitive("")),
        ("{\"a\":}", primitive("")),
        (r#"{"s":"x",}"#, primitive("")),
        (r#"{"s":"x"} x"#, primitive("")),
        (r#"{"s":"x"}{"a":1}"#, primitive("\"a\":1}")),
        (r#"{/*c*/"s":"x"}"#, whole(object, 2, r#"{/*c*/"s":"x"}"#)),
        ("[1/*c*/]", whole(comma, 3, "[1/*c*/]")),
        (
            "{\"a\":[1,]}",
            whole(
                "Invalid array passed in, extra trailing ','.",
                9,
                "{\"a\":[1,]}",
            ),
        ),
        (
            "[1,",
            whole("Invalid array passed in, extra trailing ','.", 3, "[1,"),
        ),
        ("[", whole("Invalid array passed in, ']' expected.", 1, "[")),
        ("{\"a\":[1", whole(comma, 7, "{\"a\":[1")),
        ("[1 2]", whole(comma, 4, "[1 2]")),
        ("{", whole(object, 1, "{")),
        ("{\"a\"", whole(object, 4, "{\"a\"")),
        ("{\"a\":", whole(object, 5, "{\"a\":")),
        ("{\"a\":1", whole(object, 6, "{\"a\":1")),
        ("{\"a\":1,", whole(object, 7, "{\"a\":1,")),
        ("{\"a\":1 \"b\":2}", whole(object, 8, "{\"a\":1 \"b\":2}")),
        ("{\"a\":1]", whole(object, 7, "{\"a\":1]")),
        ("{\"a\" 1}", whole(object, 6, "{\"a\" 1}")),
        (
            "{:1}",
            whole("Invalid object passed in, member name expected.", 1, "{:1}"),
        ),
        (
            r#"{"s":"x"#,
            whole("Unterminated string passed in.", 7, r#"{"s":"x"#),
        ),
        (
            r#"{"s":"x\"#,
            whole("Unterminated string passed in.", 8, r#"{"s":"x\"#),
        ),
        (
            r#"{"s":'x"}"#,
            whole("Unterminated string passed in.", 9, r#"{"s":'x"}"#),
        ),
    ] {
        let error = document(text)
            .err()
            .unwrap_or_else(|| panic!("{text} is read"));
        assert_eq!(error.message(), expected, "{text}");
        assert_eq!(error.kind(), ReadErrorKind::Malformed, "{text}");
        assert!(error.line().is_some(), "{text}");
    }
}

#[test]
fn depth_is_that_of_dot_net() {
    let nested = |lists: usize| format!("{{\"o\":{}{}}}", "[".repeat(lists), "]".repeat(lists));
    assert!(document(&nested(99)).is_ok());
    let text = nested(100);
    let error = document(&text).err().unwrap();
    assert_eq!(
        error.message(),
        format!("RecursionLimit exceeded. (104): {text}")
    );
    assert_eq!(error.kind(), ReadErrorKind::Limit);
    // The innermost value counts.
    let text = nested(99).replace("[]", "[1]");
    assert_eq!(document(&text).err().unwrap().kind(), ReadErrorKind::Limit);
}

#[test]
fn texts_that_errors_quote_are_bounded_and_may_be_concealed() {
    let text = format!("{{\"password\":\"hunter2{}\\x\"}}", "é".repeat(100_000));
    let error = document(&text).err().unwrap();
    assert!(
        error.message().len() < 1100
            && error
                .message()
                .contains("(100022): {\"password\":\"hunter2é")
    );
    assert_eq!(error.conceal(0).message(), "Unrecognized escape sequence.");
    let error = document("{\"password\":hunter2}").err().unwrap();
    assert_eq!(
        error.conceal(0).message(),
        "Invalid JSON primitive: [secret]."
    );
}

#[test]
fn queries_hold_values() {
    let read = |query: &[(&'static str, &'static str)]| {
        let fields: Vec<_> = query
            .iter()
            .map(|(name, value)| (Cow::Borrowed(*name), Cow::Borrowed(*value)))
            .collect();
        let mut room = Room::of_fields(&fields, &Limits::default());
        let document = Document::of_query(&fields, MESSAGE.elements, &mut room)?;
        Ok::<_, ReadError>(tree(&document, document.root()))
    };
    assert_eq!(
        read(&[
            ("B", "{'x':[1]}"),
            ("_", "1700"),
            ("callback", "x"),
            ("a", "5")
        ])
        .unwrap(),
        r#"{"a":5,"b":{"x":[1]}}"#
    );
    assert_eq!(
        read(&[("a", ""), ("b", " ")]).unwrap(),
        r#"{"a":null,"b":null}"#
    );
    assert_eq!(read(&[]).unwrap(), "{}");
    assert_eq!(read(&[("a", "[1"), ("A", "2]")]).unwrap(), r#"{"a":[1,2]}"#);
    let message = |query| read(query).unwrap_err().message().to_owned();
    assert_eq!(
        message(&[("a", "\"a\""), ("a", "\"b\"")]),
        "Invalid JSON primitive: \"b\"."
    );
    assert_eq!(message(&[("a", "hello")]), "Invalid JSON primitive: hello.");
    assert_eq!(
        message(&[("a", "1,\"b\":2")]),
        "Invalid JSON primitive: \"b\":2."
    );
    assert_eq!(
        message(&[("b", "1"), ("a", "[1")]),
        "Invalid array passed in, ',' expected. (2): [1"
    );
}
