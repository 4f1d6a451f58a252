//! Sets of tables, as rows.

use serde_json::{Value as Json, json};
use svcgen::Binding;
use svcgen_codegen::{Config, Generator};
use svcgen_messages::{Operation, Service};

const SETS: &str = "
service: Sets
namespace: http://example.com/sets
path: /Sets.asmx
bindings: [soap11]
operations:
  Echo:
    parameters: { set: dataSet?, table: dataTable?, note: string? }
    result: dataSet?
";

fn echo() -> Operation {
    let service = Service::of_definition("sets.yaml", SETS).unwrap();
    service.operation("Echo").unwrap()
}

/// Returns the parameters that a service reads, given in YAML.
fn read(operation: Operation, yaml: &str) -> Json {
    let place = operation.parameter_place();
    let parameters = place.value_of_yaml("sets.yaml", yaml.as_bytes()).unwrap();
    let request = operation.request(&parameters, Binding::Soap11).unwrap();
    let read = operation.service().read_request(request).unwrap();
    read.parameters
}

#[test]
fn rows_are_sent_and_shown_as_they_are_given() {
    let yaml = "
note: plain
set:
  Line:
  - { Id: 1, Price: 1.10, Code: 0042, Open: true, Text: 'a & b' }
  - { Id: 3000000000, Text: null, Open: no }
  Empty: []
table: [{ Id: 1 }, { Name: x }]
";
    let parameters = read(echo(), yaml);
    let xml = parameters["set"].as_str().unwrap();
    for column in [
        r#"name="Id" type="xs:long""#,
        r#"name="Price" type="xs:decimal""#,
        r#"name="Code" type="xs:string""#,
        // `no` is not a boolean of XML.
        r#"name="Open" type="xs:string""#,
        "<Price>1.10</Price>",
    ] {
        assert!(xml.contains(column), "{column}: {xml}");
    }
    assert_eq!(
        echo().parameter_place().with_rows(parameters),
        json!({
            "note": "plain",
            "set": {
                "Line": [
                    { "Id": 1, "Price": "1.10", "Code": "0042", "Open": "true", "Text": "a & b" },
                    { "Id": 3_000_000_000_i64, "Open": "no" },
                ],
                "Empty": [],
            },
            "table": [{ "Id": 1 }, { "Name": "x" }],
        })
    );
}

#[test]
fn what_is_no_row_is_told_with_its_place() {
    for (yaml, expected) in [
        (
            "set: [1]",
            "sets.yaml:1:7: set: a list of rows for each table is expected",
        ),
        (
            "set: { Line: 7 }",
            "sets.yaml:1:14: set: a list of rows is expected",
        ),
        (
            "table: [7]",
            "sets.yaml:1:9: table: a row is expected: columns and their values",
        ),
        (
            "table: [{ Id: [1] }]",
            "sets.yaml:1:15: table: a text, a number or a boolean is expected",
        ),
        (
            "table: [{ Id: 1, Id: 2 }]",
            "sets.yaml:1:18: table: 'Id' is there twice",
        ),
    ] {
        let place = echo().parameter_place();
        let error = place
            .value_of_yaml("sets.yaml", yaml.as_bytes())
            .unwrap_err();
        assert_eq!(error.to_string(), expected, "{yaml}");
    }
}

#[test]
fn rows_of_a_typed_set_have_the_columns_of_its_schema() {
    let config = Config::new();
    let folder = "../../tests/definitions/lab/stock.yaml";
    let mut generator = Generator::new(&config, |path| std::fs::read(path));
    let described = generator.describe(folder).unwrap();
    let service = Service::of_described(described).unwrap();
    let count = service.operation("CountStock").unwrap();
    let shelf = service.operation("EchoShelf").unwrap();
    let yaml = "shelf: { One: { Item: [{ Id: 7, Name: Pen }] }, All: [{ Item: [] }], Last: { Set: { Item: [{ Id: 8 }] } } }";
    let shown = shelf.parameter_place().with_rows(read(shelf, yaml));
    assert_eq!(
        shown["shelf"],
        json!({
            "One": { "Item": [{ "Id": 7, "Name": "Pen" }] },
            "All": [{ "Item": [] }],
            "Flat": [],
            "Last": { "Set": { "Item": [{ "Id": 8 }] } },
        })
    );
    for (yaml, expected) in [
        (
            "s: { Items: [] }",
            "s: there is no table 'Items'; did you mean 'Item'? Known: Item.",
        ),
        (
            "s: { Item: [{ Id: 1, Size: 2 }] }",
            "s: there is no column 'Size'. Known: Id, Name.",
        ),
        (
            "s: { Item: [{ Id: many }] }",
            "s: The column 'Id' of 'Item' is of the type int.",
        ),
        (
            "s: { Item: [{ Name: x }] }",
            "s: The column 'Id' of 'Item' does not allow nulls.",
        ),
    ] {
        let place = count.parameter_place();
        let error = place
            .value_of_yaml("sets.yaml", yaml.as_bytes())
            .unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let empty = count
        .parameter_place()
        .value_of_yaml("s.yaml", b"s: {}")
        .unwrap();
    let xml = empty["s"]["$text"].as_str().unwrap();
    assert!(xml.contains("StockSet"));
    let set = count.parameter_place().member("s").unwrap();
    assert_eq!(set.value_of_text(xml), Ok(empty["s"].clone()));
    assert!(set.value_of_text("<a").is_err());
}
