//! Objects, lists and enumerations.

use super::*;

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
    // This holds even if nothing reads it.
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
            Ok(AnyType::Dictionary) => "dictionary".to_owned(),
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
        (r#"{"a":1}"#, "dictionary"),
    ] {
        assert_eq!(kind(text), expected, "{text}");
    }
    assert_eq!(kind("1.5"), "decimal");
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
    assert_eq!(
        read::<Option<svcgen_wire::types::DateTime>>("\"\""),
        Ok(None)
    );
}
