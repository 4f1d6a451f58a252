//! YAML and JSON values, by the types of their places.

use serde_json::json;
use svcgen_messages::{Place, Service};

const ZOO: &str = "
service: Zoo
namespace: urn:zoo
path: /Zoo.asmx
bindings: [soap11, soap12]
operations:
  Add:
    parameters: { pet: Pet, tags: 'string[]', key: { type: string?, secret: true }, any: anyType?, size: Size? }
types:
  Pet: { elements: { Name: string, Born: date?, Weight: decimal?, Photo: base64Binary?, Alive: boolean } }
  Dog: { extends: Pet, elements: { Tricks: 'int[]?' } }
enums:
  Size: [Small, Large]
";

fn parameters() -> Place {
    let service = Service::of_definition("zoo.yaml", ZOO).unwrap();
    service.operation("Add").unwrap().parameter_place()
}

#[test]
fn types_decide_what_texts_are() {
    let yaml = "
pet:
  Dog: { Name: 007, Born: 2024-02-29, Weight: 1.10, Photo: AP8=, Alive: true, Tricks: &t [1, -2] }
tags: [no, 1.0, ~, 'null', \"a\\nb\"]
key: 0x10
size: Large
any: text
";
    let value = parameters()
        .value_of_yaml("zoo.yaml", yaml.as_bytes())
        .unwrap();
    let expected = json!({
        "pet": { "Dog": { "Name": "007", "Born": "2024-02-29", "Weight": "1.10", "Photo": "AP8=", "Alive": true, "Tricks": [1, -2] } },
        "tags": ["no", "1.0", null, "null", "a\nb"],
        "key": "0x10",
        "size": "Large",
        "any": { "String": "text" },
    });
    assert_eq!(value, expected);
    // JSON is YAML, and is read as the same value.
    let again = json!({ "pet": expected["pet"], "tags": ["x"] });
    let read = parameters().value_of_yaml("zoo.json", again.to_string().as_bytes());
    assert_eq!(read.unwrap(), again);
}

#[test]
fn what_does_not_fit_is_told_with_its_place_and_not_quoted() {
    for (yaml, expected) in [
        (
            "pet:\n  Dog: { Name: a, Alive: maybe }",
            "z.yaml:2:26: pet.Dog.Alive: true or false is expected",
        ),
        (
            "pet: { Cat: {} }",
            "z.yaml:1:8: pet: there is no type 'Cat'. Known: Pet, Dog.",
        ),
        (
            "pet: { dog: {} }",
            "z.yaml:1:8: pet: there is no type 'dog'; did you mean 'Dog'? Known: Pet, Dog.",
        ),
        (
            "pet: Rex",
            "z.yaml:1:6: pet: an object with one of the types Pet, Dog is expected, not a text",
        ),
        (
            "tags: a",
            "z.yaml:1:7: tags: an array is expected, not a text",
        ),
        (
            "tags: [[a]]",
            "z.yaml:1:8: tags[0]: a string is expected, not a list",
        ),
        (
            "tags: { a: b }",
            "z.yaml:1:7: tags: an array is expected, not an object",
        ),
        ("[a]", "z.yaml:1:1: an object is expected, not a list"),
        (
            "size: small",
            "z.yaml:1:7: size: a value of Size is expected: Small, Large; did you mean Small?",
        ),
        (
            "key: [hunter2]",
            "z.yaml:1:6: key: a string is expected, not a list",
        ),
        ("pet: {\n", "z.yaml"),
    ] {
        let error = parameters()
            .value_of_yaml("z.yaml", yaml.as_bytes())
            .unwrap_err();
        let told = error.to_string();
        assert!(told.contains(expected), "{yaml}: {told}");
        assert!(!told.contains("hunter2"), "{told}");
    }
    let twice = parameters().value_of_yaml("z.yaml", b"size: Small\nsize: Large");
    assert!(twice.is_err(), "{twice:?}");
}

#[test]
fn places_say_what_may_stand_there() {
    let place = parameters();
    assert_eq!(place.members(), ["pet", "tags", "key", "any", "size"]);
    assert_eq!(place.expected(), "an object");
    let headers = Service::of_definition("zoo.yaml", ZOO).unwrap();
    let headers = headers.operation("Add").unwrap().header_place();
    assert_eq!(headers.expected(), "an object");
    let member = |name| place.member(name).unwrap();
    let names = place
        .members()
        .into_iter()
        .map(|name| member(name).type_name());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["Pet", "string[]", "string?", "anyType?", "Size?"]
    );
    assert!(member("key").is_secret() && !member("size").is_secret());
    assert!(member("pet").is_choice() && !member("tags").is_choice());
    assert!(member("tags").item().unwrap().is_simple() && !member("tags").is_simple());
    assert!(
        member("pet")
            .member("Dog")
            .unwrap()
            .member("Photo")
            .unwrap()
            .is_bytes()
    );
    assert!(place.member("cat").is_none());
}
