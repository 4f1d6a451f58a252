//! Tests of reading documents and their values.

use std::borrow::Cow;

use svcgen_model::{
    At, ComplexType, Enumeration, Module, Script, ScriptType, Service, SimpleType, TypeId, TypeRef,
    complex_type, element, enumeration, value,
};

use super::document::{Document, Kind};
use super::values::Values;
use crate::limits::Limits;
use crate::values::notation::{AnyType, Node, Source};
use crate::values::{Complex, Element, TimeZone, Value};
use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::room::Room;

const COLOUR: &Enumeration<'static> = &MODULE.enumerations[0];

static MODULE: Module<'static> = Module {
    service: Some(
        Service::new("GJson", "http://lab.example/g/json", "/GJson.asmx", &[]).script(Script {
            class: Some("Lab.G.GJson"),
            types: &[
                ScriptType {
                    type_ref: TypeRef::Complex(TypeId::own(0)),
                    name: "Lab.G.Person",
                },
                ScriptType {
                    type_ref: TypeRef::Complex(TypeId::own(1)),
                    name: "round",
                },
            ],
        }),
    ),
    types: &[
        complex_type(
            "Person",
            &[
                element("name", TypeRef::Simple(SimpleType::String)).net("Name"),
                element("Age", TypeRef::Simple(SimpleType::Int)).omitted(),
                element("Tags", TypeRef::Simple(SimpleType::Short)).repeated(),
            ],
        )
        .attributes(&[element("Level", TypeRef::Simple(SimpleType::Boolean))]),
        complex_type("Circle", &[]),
    ],
    enumerations: &[
        enumeration(
            "Colour",
            &[
                value("red").net("Red"),
                value("Green").number(5),
                value("Blue"),
            ],
        ),
        enumeration(
            "Rights",
            &[
                value("None").number(0),
                value("r").net("Read"),
                value("Write"),
                value("Delete"),
            ],
        )
        .flags(),
    ],
    includes: &[],
};

const MESSAGE: ComplexType<'static> = complex_type(
    "Sum",
    &[
        element("a", TypeRef::Simple(SimpleType::Int)),
        element("b", TypeRef::Simple(SimpleType::Int)),
    ],
)
.message();

#[derive(Debug, Default, PartialEq)]
struct Person {
    name: Option<String>,
    age: Option<i32>,
    tags: Vec<i16>,
    level: bool,
}

impl Complex for Person {
    const TYPE: &'static ComplexType<'static> = &MODULE.types[0];

    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.read(&mut self.name),
            1 => element.read(&mut self.age),
            _ => element.push(&mut self.tags),
        }
    }

    fn read_attribute(&mut self, _: usize, attribute: &mut Element<'_>) -> Result<(), ReadError> {
        attribute.read(&mut self.level)
    }

    fn write_elements(&self, _: &mut crate::values::Content<'_>) {}
}

#[derive(Debug, Default, PartialEq)]
struct Sum {
    a: i32,
    b: i32,
}

impl Complex for Sum {
    const TYPE: &'static ComplexType<'static> = &MESSAGE;

    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.read(if index == 0 { &mut self.a } else { &mut self.b })
    }

    fn write_elements(&self, _: &mut crate::values::Content<'_>) {}
}

fn room(text: &str) -> Room {
    Room::of_message(text.len(), text.len(), &Limits::default())
}

fn document(text: &str) -> Result<Document<'_>, ReadError> {
    Document::read(text, &mut room(text))
}

fn service() -> At<'static, Service<'static>> {
    At::service(&MODULE, None).unwrap()
}

fn read<T: Value + Default>(text: &str) -> Result<T, ReadError> {
    let mut room = room(text);
    let document = Document::read(text, &mut room)?;
    let values = Values::new(&document, service());
    let root = document.root();
    Element::of_source(&values, root, room, &Limits::default()).value()
}

#[track_caller]
fn refused<T: Value + Default + std::fmt::Debug>(text: &str) -> String {
    read::<T>(text).unwrap_err().message().to_owned()
}

/// A value as JSON of no other form.
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

#[test]
fn parameters_are_all_there_and_named_exactly() {
    let sum = |a, b| Sum { a, b };
    assert_eq!(read(r#"{"b":2,"a":1}"#), Ok(sum(1, 2)));
    assert_eq!(read(r#"{"b":2,"x":[{}],"a":1,"a":"7"}"#), Ok(sum(7, 2)));
    let missing =
        |name| format!("Invalid web service call, missing value for parameter: '{name}'.");
    assert_eq!(refused::<Sum>(r#"{"a":1}"#), missing("b"));
    assert_eq!(refused::<Sum>(r#"{"A":1,"b":2}"#), missing("a"));
    assert_eq!(
        read::<Sum>("{}").unwrap_err().kind(),
        ReadErrorKind::Missing
    );
    assert_eq!(
        refused::<Sum>("null"),
        "Object reference not set to an instance of an object."
    );
    let parameters = "System.Collections.Generic.IDictionary`2[System.String,System.Object]";
    assert_eq!(
        refused::<Sum>("[]"),
        format!("Type '{parameters}' is not supported for deserialization of an array.")
    );
    assert_eq!(
        refused::<Sum>("\"x\""),
        format!("Cannot convert object of type 'System.String' to type '{parameters}'")
    );
    // Also where nothing reads it.
    let unknown = "Operation is not valid due to the current state of the object.";
    assert_eq!(
        refused::<Sum>(r#"{"a":1,"b":2,"c":[{"__type":"zzz"}]}"#),
        unknown
    );
    assert_eq!(
        read(r#"{"a":1,"b":2,"c":[{"__type":"round"}]}"#),
        Ok(sum(1, 2))
    );

    let text = r#"{"a":1,"b":2,"c":3}"#;
    let (document, mut found) = (document(text).unwrap(), [None; 2]);
    let values = Values::new(&document, service()).strict(true);
    let error = values
        .members(document.root(), &MESSAGE, &mut found)
        .unwrap_err();
    assert_eq!(
        error.message(),
        "An object of 'Sum' has a member that is not known. Members: a, b."
    );
}

#[test]
fn members_are_found_in_any_letter_case() {
    let text = r#"{"NAME":"n","tags":["1",2],"aGE":3,"level":"TRUE","Upper":1}"#;
    let person = Person {
        name: Some("n".to_owned()),
        age: Some(3),
        tags: vec![1, 2],
        level: true,
    };
    assert_eq!(read(text), Ok(person));
    assert_eq!(read("{}"), Ok(Person::default()));
    assert_eq!(read("null"), Ok(Person::default()));
    assert_eq!(read(r#"{"Name":null,"Tags":null}"#), Ok(Person::default()));
    let age = |text| read::<Person>(text).map(|person| person.age);
    assert_eq!(age(r#"{"Age":7}"#), Ok(Some(7)));
    assert_eq!(age(r#"{"Age":7,"AgeSpecified":true}"#), Ok(Some(7)));
    assert_eq!(age(r#"{"AgeSpecified":false,"Age":7}"#), Ok(None));
    assert_eq!(
        age(r#"{"Age":7,"agespecified":"False","AgeSpecified":true}"#),
        Ok(Some(7))
    );
    assert_eq!(
        refused::<Person>(r#"{"Age":null}"#),
        "Cannot convert null to a value type."
    );
    assert_eq!(
        refused::<Person>(r#"{"Level":null}"#),
        "Cannot convert null to a value type."
    );
    assert_eq!(
        refused::<Person>("[]"),
        "Type 'Lab.G.Person' is not supported for deserialization of an array."
    );
    assert_eq!(
        refused::<Person>("5"),
        "Cannot convert object of type 'System.Int32' to type 'Lab.G.Person'"
    );
    assert_eq!(
        refused::<Person>(r#"{"Tags":"1"}"#),
        "Cannot convert object of type 'System.String' to type 'System.Array'"
    );
    let error = read::<Person>("{\"Name\":\"a\",\n\"Tags\":[1,2,\"x\"]}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "Tags[2]: x is not a valid value for Int16. (line 2, column 13)"
    );
}

#[test]
fn objects_say_their_type() {
    let typed = |name: &str| format!(r#"{{"Age":1,"__type":{name}}}"#);
    assert_eq!(
        read::<Person>(&typed("\"Lab.G.Person\"")).unwrap().age,
        Some(1)
    );
    assert_eq!(read::<Person>(&typed("null")).unwrap().age, Some(1));
    let unknown = "Operation is not valid due to the current state of the object.";
    assert_eq!(refused::<Person>(&typed("\"Lab.G.Employee\"")), unknown);
    assert_eq!(refused::<Person>(&typed("7")), unknown);
    assert_eq!(
        refused::<Person>(&typed("\"round\"")),
        "Cannot convert object of type 'round' to type 'Lab.G.Person'"
    );

    let derived = |text: &str, names: &[&str], is_abstract| {
        let document = document(text).unwrap();
        let values = Values::new(&document, service());
        let read = values.derived_type(document.root(), names, is_abstract);
        read.map_err(|error| error.message().to_owned())
    };
    let names = ["Shape", "Circle"];
    assert_eq!(
        derived(r#"{"Radius":1,"__type":"round"}"#, &names, true),
        Ok(1)
    );
    assert_eq!(derived("{}", &names, false), Ok(0));
    assert_eq!(
        derived("{}", &names, true),
        Err("No parameterless constructor defined for type of 'Lab.G.Shape'.".to_owned())
    );
    assert_eq!(
        derived(r#"{"__type":"Lab.G.Person"}"#, &names, true),
        Err("Cannot convert object of type 'Lab.G.Person' to type 'Lab.G.Shape'".to_owned())
    );
    assert_eq!(
        derived(r#"{"__type":"Circle"}"#, &names, true),
        Err(unknown.to_owned())
    );
}

fn simple(text: &str, simple: SimpleType) -> Result<String, String> {
    let document = document(text).map_err(|error| error.message().to_owned())?;
    let values = Values::new(&document, service());
    let read = values.simple(document.root(), simple, TimeZone::AsWritten);
    read.map(Cow::into_owned)
        .map_err(|error| error.message().to_owned())
}

#[track_caller]
fn check(kind: SimpleType, rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        let read = simple(text, kind).unwrap_or_else(|error| error);
        assert_eq!(read, *expected, "{text} as {kind:?}");
    }
}

#[test]
fn booleans() {
    check(
        SimpleType::Boolean,
        &[
            ("true", "true"),
            ("\"true\"", "true"),
            ("\"True\"", "true"),
            ("\" FALSE \"", "false"),
            ("{}", "false"),
            ("1", "1 is not a valid value for Boolean."),
            ("0", "0 is not a valid value for Boolean."),
            ("\"1\"", "1 is not a valid value for Boolean."),
            ("\"\"", " is not a valid value for Boolean."),
            ("null", "Cannot convert null to a value type."),
        ],
    );
}

#[test]
fn integers() {
    check(
        SimpleType::Int,
        &[
            ("42", "42"),
            ("+42", "42"),
            ("042", "042"),
            ("-7", "-7"),
            ("-0", "0"),
            ("\"42\"", "42"),
            ("\" 42 \"", "42"),
            ("1e2", "100"),
            ("\"0x10\"", "16"),
            ("\"#10\"", "16"),
            ("\"&hfF\"", "255"),
            ("\"0xffffffff\"", "-1"),
            ("{}", "0"),
            ("{\"a\":1}", "0"),
            ("42.0", "42"),
            ("42.", "42"),
            ("42.7", "42.7 is not a valid value for Int32."),
            ("\"42.0\"", "42.0 is not a valid value for Int32."),
            ("\"1e2\"", "1e2 is not a valid value for Int32."),
            ("\"1,000\"", "1,000 is not a valid value for Int32."),
            ("\"0x\"", "0x is not a valid value for Int32."),
            ("\"0x+1\"", "0x+1 is not a valid value for Int32."),
            (
                "\"0x100000000\"",
                "0x100000000 is not a valid value for Int32.",
            ),
            ("true", "True is not a valid value for Int32."),
            ("NaN", "NaN is not a valid value for Int32."),
            ("\"\"", " is not a valid value for Int32."),
            (
                "[1]",
                "Type 'System.Int32' is not supported for deserialization of an array.",
            ),
            ("null", "Cannot convert null to a value type."),
            ("2147483647", "2147483647"),
            ("2147483648", "2147483648 is not a valid value for Int32."),
            ("1e10", "10000000000 is not a valid value for Int32."),
            (
                "\"\\/Date(0)\\/\"",
                "1970-01-01 00:00:00Z is not a valid value for Int32.",
            ),
        ],
    );
    check(
        SimpleType::UnsignedLong,
        &[
            ("18446744073709551615", "18446744073709551615"),
            (
                "18446744073709551616",
                "18446744073709551616 is not a valid value for UInt64.",
            ),
            ("-1", "-1 is not a valid value for UInt64."),
            ("+1", "1"),
            ("-0", "0"),
            ("\"0xffffffffffffffff\"", "18446744073709551615"),
        ],
    );
    check(
        SimpleType::Long,
        &[
            ("-9223372036854775808", "-9223372036854775808"),
            (
                "9223372036854775808",
                "9223372036854775808 is not a valid value for Int64.",
            ),
        ],
    );
    check(
        SimpleType::Byte,
        &[
            ("-128", "-128"),
            ("\"0x80\"", "-128"),
            ("128", "128 is not a valid value for SByte."),
        ],
    );
}

#[test]
fn fractions() {
    check(
        SimpleType::Double,
        &[
            ("1", "1"),
            ("\"1.5\"", "1.5"),
            ("NaN", "NaN"),
            ("\"Infinity\"", "INF"),
            ("-Infinity", "-Infinity"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("-1.5", "-1.5"),
            ("1E-7", "1E-7"),
            ("{}", "0"),
            ("\"INF\"", "INF is not a valid value for Double."),
            ("\"1,5\"", "1,5 is not a valid value for Double."),
            ("\"1e400\"", "1e400 is not a valid value for Double."),
            ("true", "True is not a valid value for Double."),
        ],
    );
    check(
        SimpleType::Float,
        &[
            ("1.5", "1.5"),
            ("1e39", "1E+39 is not a valid value for Single."),
            ("\"NaN\"", "NaN"),
        ],
    );
    #[cfg(feature = "decimal")]
    check(
        SimpleType::Decimal,
        &[
            ("1.50", "1.50"),
            ("\"1.50\"", "1.50"),
            ("1e2", "100"),
            ("\"1.5e1\"", "15"),
            ("\"1.50e1\"", "15.0"),
            ("\"1.5e-3\"", "0.0015"),
            ("\"-12.5E2\"", "-1250"),
            (
                "79228162514264337593543950335",
                "79228162514264337593543950335",
            ),
            (
                "79228162514264337593543950336",
                "7.9228162514264338E+28 is not a valid value for Decimal.",
            ),
            ("\"1e29\"", "1e29 is not a valid value for Decimal."),
            ("NaN", "NaN is not a valid value for Decimal."),
            ("\"1,5\"", "1,5 is not a valid value for Decimal."),
        ],
    );
}

#[test]
fn texts() {
    for kind in [
        SimpleType::String,
        SimpleType::GYear,
        SimpleType::Duration,
        SimpleType::Integer,
    ] {
        check(
            kind,
            &[
                ("\"x\"", "x"),
                ("042", "42"),
                ("1e2", "100"),
                ("1e21", "1E+21"),
                ("NaN", "NaN"),
                ("-Infinity", "-Infinity"),
                ("true", "True"),
                ("false", "False"),
                (
                    "[\"a\"]",
                    "Type 'System.String' is not supported for deserialization of an array.",
                ),
                (
                    "{\"a\":1}",
                    "No parameterless constructor defined for type of 'System.String'.",
                ),
                ("null", ""),
            ],
        );
    }
    #[cfg(feature = "decimal")]
    check(
        SimpleType::String,
        &[
            ("12.50", "12.50"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-0.0", "0.0"),
        ],
    );
    #[cfg(feature = "time")]
    check(
        SimpleType::String,
        &[
            ("\"\\/Date(0)\\/\"", "1970-01-01 00:00:00Z"),
            ("\"/Date(0)/\"", "/Date(0)/"),
            ("'\\/Date(0)\\/'", "/Date(0)/"),
        ],
    );
    check(
        SimpleType::Char,
        &[
            ("\"x\"", "120"),
            ("\" \"", "32"),
            ("\"\"", "0"),
            ("null", "0"),
            ("{}", "0"),
            ("\" y \"", "121"),
            ("5", "53"),
            ("\"xy\"", "xy is not a valid value for Char."),
            ("65", "65 is not a valid value for Char."),
            ("\"😀\"", "😀 is not a valid value for Char."),
        ],
    );
    check(
        SimpleType::Guid,
        &[
            ("{}", "00000000-0000-0000-0000-000000000000"),
            ("null", "Cannot convert null to a value type."),
        ],
    );
}

#[cfg(feature = "time")]
#[test]
fn moments() {
    let leap = r#""\/Date(1709210096789)\/""#;
    check(
        SimpleType::DateTime,
        &[
            (leap, "2024-02-29T12:34:56.789Z"),
            (r#""\/Date(-1)\/""#, "1969-12-31T23:59:59.999Z"),
            (
                r#""\/Date(1709210096789+0200)\/""#,
                "2024-02-29T12:34:56.789Z",
            ),
            (r#""\/Date(0Z)\/""#, "1970-01-01T00:00:00Z"),
            ("\"/Date(0)/\"", "1970-01-01T00:00:00Z"),
            ("'/Date(0)/'", "1970-01-01T00:00:00Z"),
            ("\"2024-02-29T12:34:56Z\"", "2024-02-29T12:34:56Z"),
            ("\"2024-02-29T12:34:56\"", "2024-02-29T12:34:56"),
            ("\"02/29/2024\"", "2024-02-29T00:00:00"),
            ("\"2/29/2024 1:34 PM\"", "2024-02-29T13:34:00"),
            ("\"Thu, 29 Feb 2024 12:34:56 GMT\"", "2024-02-29T12:34:56Z"),
            ("\"\"", "0001-01-01T00:00:00"),
            ("\"  \"", "0001-01-01T00:00:00"),
            ("{}", "0001-01-01T00:00:00"),
            (
                "\"29/02/2024\"",
                "29/02/2024 is not a valid value for DateTime.",
            ),
            ("0", "0 is not a valid value for DateTime."),
            ("null", "Cannot convert null to a value type."),
            (r#""\/Date(253402300799999)\/""#, "9999-12-31T23:59:59.999Z"),
            (
                r#""\/Date(253402300800000)\/""#,
                "Ticks must be between DateTime.MinValue.Ticks and DateTime.MaxValue.Ticks.\r\nParameter name: ticks",
            ),
        ],
    );
    check(
        SimpleType::Date,
        &[
            (leap, "2024-02-29"),
            ("\"2024-02-29\"", "2024-02-29"),
            ("\"\"", "0001-01-01"),
        ],
    );
    check(
        SimpleType::Time,
        &[(leap, "12:34:56.789Z"), ("\"13:34\"", "13:34:00")],
    );
    let zoned = |text: &str, simple| {
        let document = document(text).unwrap();
        let values = Values::new(&document, service());
        let zone = TimeZone::named(Some("-05:00"));
        values
            .simple(document.root(), simple, zone)
            .unwrap()
            .into_owned()
    };
    assert_eq!(
        zoned("\"2024-02-29T12:34:56Z\"", SimpleType::DateTime),
        "2024-02-29T07:34:56-05:00"
    );
    assert_eq!(
        zoned("\"2024-02-29T12:34:56\"", SimpleType::DateTime),
        "2024-02-29T12:34:56"
    );
    assert_eq!(
        zoned(leap, SimpleType::DateTime),
        "2024-02-29T12:34:56.789Z"
    );
    assert_eq!(
        zoned(r#""\/Date(1709175600000)\/""#, SimpleType::Date),
        "2024-02-28"
    );
}

#[cfg(feature = "guid")]
#[test]
fn guids() {
    use crate::values::types::Guid;
    for text in [
        "\"6F9619FF-8B86-D011-B42D-00C04FC964FF\"",
        "\"{6f9619ff-8b86-d011-b42d-00c04fc964ff}\"",
        "\"6f9619ff8b86d011b42d00c04fc964ff\"",
    ] {
        let guid = read::<Guid>(text).unwrap();
        assert_eq!(guid.to_string(), "6f9619ff-8b86-d011-b42d-00c04fc964ff");
    }
    assert_eq!(refused::<Guid>("\"\""), "Unrecognized Guid format.");
    assert_eq!(
        refused::<Guid>("null"),
        "Cannot convert null to a value type."
    );
}

#[test]
fn bytes() {
    let bytes = |text: &str| read::<Vec<u8>>(text).map_err(|error| error.message().to_owned());
    assert_eq!(bytes("[0,1,255]"), Ok(vec![0, 1, 255]));
    assert_eq!(bytes("[\"7\",{}]"), Ok(vec![7, 0]));
    assert_eq!(bytes("[]"), Ok(Vec::new()));
    assert_eq!(bytes("null"), Ok(Vec::new()));
    assert_eq!(bytes("\"AAH/\""), Ok(vec![0, 1, 255]));
    assert_eq!(
        bytes("[256]"),
        Err("256 is not a valid value for Byte.".to_owned())
    );
    assert_eq!(
        bytes("[null]"),
        Err("Cannot convert null to a value type.".to_owned())
    );
    assert_eq!(
        bytes("\"?\""),
        Err("Cannot convert object of type 'System.String' to type 'System.Byte[]'".to_owned())
    );
    assert_eq!(
        bytes("{}"),
        Err("No parameterless constructor defined for type of 'System.Byte[]'.".to_owned())
    );
}

#[test]
fn enumerations() {
    let name = |text: &str, row, open| {
        let document = document(text).unwrap();
        let values = Values::new(&document, service());
        let read = values.enumeration(document.root(), row, open);
        read.map(Cow::into_owned)
            .unwrap_or_else(|error| error.message().to_owned())
    };
    for (text, expected) in [
        ("5", "Green"),
        ("0", "red"),
        ("6", "Blue"),
        ("\"Green\"", "Green"),
        ("\"green\"", "Green"),
        ("\" RED \"", "red"),
        ("\"5\"", "Green"),
        ("\"Red, Green\"", "Green"),
        ("5e0", "Green"),
        ("{}", "red"),
        ("77", "77 is not a valid value for Colour."),
        ("1.0", "1.0 is not a valid value for Colour."),
        ("\"\"", " is not a valid value for Colour."),
        ("\"Nope\"", "Nope is not a valid value for Colour."),
        ("true", "True is not a valid value for Colour."),
        ("null", "Cannot convert null to a value type."),
        (
            "[5]",
            "Type 'Lab.G.Colour' is not supported for deserialization of an array.",
        ),
    ] {
        assert_eq!(name(text, COLOUR, false), expected, "{text}");
    }
    assert_eq!(name("77", COLOUR, true), "77");
    let rights = &MODULE.enumerations[1];
    for (text, expected) in [
        ("5", "r Delete"),
        ("\"read, DELETE\"", "r Delete"),
        ("0", "None"),
        ("8", "8 is not a valid value for Rights."),
    ] {
        assert_eq!(name(text, rights, false), expected, "{text}");
    }
}

#[test]
fn values_of_any_type() {
    let kind = |text: &str| {
        let document = document(text).unwrap();
        let values = Values::new(&document, service());
        match values.any_type(document.root(), &["Circle", "Person"]) {
            Ok(AnyType::Simple(simple)) => simple.name().to_owned(),
            Ok(AnyType::List) => "list".to_owned(),
            Ok(AnyType::Own(index)) => index.to_string(),
            Ok(AnyType::Empty) => "empty".to_owned(),
            Err(error) => error.message().to_owned(),
        }
    };
    for (text, expected) in [
        ("\"x\"", "string"),
        ("5", "int"),
        ("2147483648", "long"),
        ("1e2", "double"),
        ("NaN", "double"),
        ("1e-2", "double"),
        ("true", "boolean"),
        (r#""\/Date(0)\/""#, "dateTime"),
        ("\"/Date(0)/\"", "string"),
        ("[1]", "list"),
        ("{}", "empty"),
        (r#"{"__type":"Lab.G.Person"}"#, "1"),
        (
            r#"{"__type":"zzz"}"#,
            "Operation is not valid due to the current state of the object.",
        ),
        (
            r#"{"a":1}"#,
            "An object whose type is not known has no place in a value of any type; `__type` names it.",
        ),
    ] {
        assert_eq!(kind(text), expected, "{text}");
    }
    #[cfg(feature = "decimal")]
    assert_eq!(kind("1.5"), "decimal");
    #[cfg(feature = "decimal")]
    assert_eq!(kind("9223372036854775808"), "decimal");
}

#[test]
fn absent_values() {
    assert_eq!(read::<Option<i32>>("null"), Ok(None));
    assert_eq!(read::<Option<i32>>("\"\""), Ok(None));
    assert_eq!(read::<Option<i32>>("5"), Ok(Some(5)));
    assert_eq!(read::<Option<String>>("\"\""), Ok(Some(String::new())));
    assert_eq!(read::<Option<String>>("null"), Ok(None));
    assert_eq!(read::<String>("null"), Ok(String::new()));
    #[cfg(feature = "time")]
    assert_eq!(
        read::<Option<crate::values::types::DateTime>>("\"\""),
        Ok(None)
    );
}
