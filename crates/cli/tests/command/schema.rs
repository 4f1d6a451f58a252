//! `svcgen schema`: the schema, the reader and `service-defs/README.md` agree.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::Value;
use svcgen_codegen::{Config, Generator};

use crate::{definition, invalid, svcgen};

pub(crate) fn schema() -> Value {
    serde_json::from_str(&svcgen(&[&"schema"]).stdout).unwrap()
}

/// Validates a value against a JSON schema (draft 7) that is a part of another. Returns the
/// violation. An unknown keyword fails the test.
fn validate(whole: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let keywords = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Bool(false) => return Err(format!("{value} is not allowed")),
        schema => schema.as_object().unwrap(),
    };
    let (list, map) = (value.as_array(), value.as_object());
    let members = || map.into_iter().flatten();
    let known = |key: &str| schema["properties"].get(key);
    let strings = |keys: &Value| -> Vec<String> { serde_json::from_value(keys.clone()).unwrap() };
    let counted = |count: Option<usize>, fits: fn(u64, u64) -> bool, bound: &Value| {
        count.is_none_or(|count| fits(count as u64, bound.as_u64().unwrap()))
    };
    for (keyword, says) in keywords {
        let parts = || says.as_array().unwrap().iter();
        let is_of = |kind: &Value| match kind.as_str().unwrap() {
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "array" => list.is_some(),
            "object" => map.is_some(),
            other => panic!("unknown type {other}"),
        };
        let has = |key: &String| map.is_none_or(|map| map.contains_key(key));
        let holds = match keyword.as_str() {
            "$schema" | "definitions" | "description" | "format" | "title" => true,
            "$ref" => {
                let place = says.as_str().unwrap().strip_prefix('#').unwrap();
                validate(whole, whole.pointer(place).unwrap(), value)?;
                true
            }
            "type" => says
                .as_array()
                .map_or_else(|| is_of(says), |all| all.iter().any(is_of)),
            "enum" => parts().any(|one| one == value),
            "const" => says == value,
            "not" => validate(whole, says, value).is_err(),
            "minimum" => value
                .as_f64()
                .is_none_or(|number| number >= says.as_f64().unwrap()),
            "propertyNames" => {
                let mut names = members().map(|(key, _)| Value::from(key.as_str()));
                names.try_for_each(|name| validate(whole, says, &name))?;
                true
            }
            "pattern" => value.as_str().is_none_or(|text| {
                let pattern = says.as_str().unwrap();
                // The crate regex has no tables for these Unicode classes here.
                let pattern = pattern.replace(r"[^\s", "[^[:space:]");
                let pattern = pattern.replace(r"\s", "[[:space:]]");
                Regex::new(&pattern).unwrap().is_match(text)
            }),
            "anyOf" => parts().any(|one| validate(whole, one, value).is_ok()),
            "allOf" => {
                parts().try_for_each(|one| validate(whole, one, value))?;
                true
            }
            "items" => {
                let mut items = list.into_iter().flatten();
                items.try_for_each(|item| validate(whole, says, item))?;
                true
            }
            "properties" => {
                for (key, member) in members() {
                    known(key).map_or(Ok(()), |known| validate(whole, known, member))?;
                }
                true
            }
            "additionalProperties" => {
                let mut others = members().filter(|(key, _)| known(key).is_none());
                others.try_for_each(|(_, member)| validate(whole, says, member))?;
                true
            }
            "required" => strings(says).iter().all(has),
            "dependencies" => {
                let mut each = says.as_object().unwrap().iter();
                let is_there = |key: &String| map.is_some_and(|map| map.contains_key(key));
                each.all(|(key, others)| !is_there(key) || strings(others).iter().all(is_there))
            }
            "minProperties" => counted(
                map.map(|map| map.len()),
                |count, least| count >= least,
                says,
            ),
            "maxProperties" => counted(map.map(|map| map.len()), |count, most| count <= most, says),
            "minItems" => counted(list.map(Vec::len), |count, least| count >= least, says),
            "maxItems" => counted(list.map(Vec::len), |count, most| count <= most, says),
            other => panic!("unknown keyword {other}"),
        };
        if !holds {
            return Err(format!("{value} breaks {keyword}: {says}"));
        }
    }
    Ok(())
}

/// Panics if a definition breaks the schema.
#[track_caller]
pub(crate) fn assert_keeps_to(schema: &Value, name: &Path, definition: &str) {
    let definition = json(definition).unwrap_or_else(|| panic!("{}", name.display()));
    let result = validate(schema, schema, &definition);
    assert_eq!(result, Ok(()), "{}", name.display());
}

/// Returns the definitions in a folder of this repository.
fn definitions(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "yaml")
        })
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
        .into_iter()
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// Returns a definition as JSON, as editors see it; `None` if it is not YAML.
fn json(yaml: &str) -> Option<Value> {
    serde_yaml::from_str(yaml).ok().map(as_json)
}

fn as_json(yaml: serde_yaml::Value) -> Value {
    match yaml {
        serde_yaml::Value::Sequence(items) => items.into_iter().map(as_json).collect(),
        serde_yaml::Value::Mapping(entries) => entries
            .into_iter()
            .map(|(key, value)| (as_text(&key), as_json(value)))
            .collect(),
        serde_yaml::Value::Tagged(tagged) => as_json(tagged.value),
        scalar => serde_json::to_value(scalar).unwrap(),
    }
}

fn as_text(key: &serde_yaml::Value) -> String {
    serde_yaml::to_string(key).unwrap().trim().to_owned()
}

#[test]
fn the_file_beside_the_definitions_is_the_schema() {
    let checked = svcgen(&[
        &"schema",
        &"--check",
        &"--out",
        &definition("svcgen.schema.json"),
    ]);
    assert_eq!(
        checked.code,
        Some(0),
        "call `svcgen schema --out service-defs/svcgen.schema.json`: {}",
        checked.stdout
    );
    for (path, text) in definitions("service-defs") {
        let modeline = "# yaml-language-server: $schema=svcgen.schema.json\n";
        assert!(
            text.starts_with(modeline),
            "{} does not name the schema",
            path.display()
        );
    }
}

#[test]
fn valid_definitions_keep_to_the_schema() {
    let schema = schema();
    for folder in [
        "service-defs",
        "examples/service-defs",
        "tests/definitions/valid",
        "tests/definitions/lab",
        "tests/definitions/public",
    ] {
        for (path, text) in definitions(folder) {
            assert_keeps_to(&schema, &path, &text);
        }
    }
}

#[test]
fn wrong_keys_and_kinds_do_not() {
    let schema = schema();
    let mut refused = 0;
    let config = Config::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/definitions/invalid");
    let files = invalid::files(&folder).into_iter();
    for invalid::Invalid { name, text, .. } in files.flat_map(|path| invalid::read(&path)) {
        let mut generator = Generator::new(&config, |path| fs::read(folder.join(path)));
        let generated = generator.generate_bytes(&name, text.as_bytes());
        let (Some(json), Err(diagnostics)) = (json(&text), generated) else {
            continue;
        };
        // Unknown keys, values of the wrong kind, missing keys, paths, unknown bindings, malformed
        // types, missing values.
        let schema_knows = [
            "SVC003", "SVC005", "SVC006", "SVC008", "SVC009", "SVC014", "SVC016",
        ];
        let wrong = diagnostics
            .iter()
            .any(|diagnostic| schema_knows.contains(&diagnostic.code()));
        if wrong {
            assert!(
                validate(&schema, &schema, &json).is_err(),
                "{name} keeps to the schema"
            );
            refused += 1;
        }
    }
    assert!(refused >= 5, "{refused}");
}

#[test]
fn what_the_schema_refuses_of_a_map_the_generator_does_too() {
    let schema = schema();
    let judged = |change: &str, text: String| {
        let by_schema = validate(&schema, &schema, &json(&text).unwrap()).is_ok();
        let by_generator = Config::new().generate("s.yaml", &text).is_ok();
        assert_eq!(by_schema, by_generator, "{change}");
        by_schema
    };
    let right = "service: S\nnamespace: urn:s\npath: /s.asmx\noperations: { A: { one_way: false, result: int, parameters: { p: { type: string } }, cache: 60 }, B: { one_way: true, result: , results: {}, faults: [] } }\nheaders: { H: T }\nfaults: { F: T }\ntypes: { T: { elements: { a: { type: int } } } }\nenums: { E: [a] }\n";
    assert!(judged("nothing", right.to_owned()));
    for (from, to) in [
        ("path: /s.asmx", "path: s.asmx"),
        ("path: /s.asmx", "path: /s#a"),
        ("path: /s.asmx", "path: /s[1]"),
        ("path: /s.asmx", "path: '/s s'"),
        ("path: /s.asmx", "path: /%zz"),
        ("one_way: false", "one_way: true"),
        ("results: {}", "results: { r: int }"),
        ("result: int", "result: int, results: { r: int }"),
        ("cache: 60", "cache: -1"),
        ("cache: 60", "cache: soon"),
        ("A: {", "1A: {"),
        ("A: {", "'a b': {"),
        ("E: [a]", "E: []"),
        ("E: [a]", "E: { values: [] }"),
        ("{ type: int }", "{ type: int, any: element }"),
        ("{ type: int }", "{ type: int, choice: { b: int, c: int } }"),
        ("{ type: int }", "{ choice: { b: int } }"),
        (
            "{ type: int }",
            "{ choice: { b: int, c: int }, sequence: { d: int } }",
        ),
        ("{ type: int }", "{ sequence: {} }"),
        ("{ type: int }", "{ type: 'int]' }"),
        ("a: { type: int }", "a: 'int[?]'"),
        ("T: { elements", "T: { extends: U, restricts: U, elements"),
        ("operations: { A", "bindings: []\noperations: { A"),
    ] {
        assert!(right.contains(from), "{from}");
        assert!(!judged(to, right.replacen(from, to, 1)), "{to}");
    }
    for empty in ["operations:", "operations: {}"] {
        let text = format!("service: S\nnamespace: urn:s\npath: /s\n{empty}\n");
        assert!(!judged(empty, text), "{empty}");
    }
}

/// Editors suggest the simple types.
#[test]
fn suggested_types_are_those_of_the_language() {
    let schema = schema();
    let suggested = schema
        .pointer("/definitions/TypeExpression/anyOf/0/enum")
        .unwrap();
    for name in suggested.as_array().unwrap() {
        let name = name.as_str().unwrap();
        let text = format!(
            "service: S\nnamespace: urn:s\npath: /s\noperations: {{ A: {{ bindings: [soap11], parameters: {{ p: {name} }} }} }}\n"
        );
        let generated = Config::new().generate("s.yaml", &text);
        assert!(generated.is_ok(), "{name}: {}", generated.unwrap_err());
    }
}

/// The maps of the schema, and the sections of the documentation of the language about them.
const SECTIONS: &[(&str, &str)] = &[
    ("", "## The file"),
    ("/definitions/IncludeKeys", "## Included files"),
    ("/definitions/OperationDefinition", "## Operations"),
    ("/definitions/ScriptMethodKeys", "## JSON"),
    (
        "/definitions/HeadersOfOperation",
        "### Headers of an operation",
    ),
    ("/definitions/NamespaceKeys", "### Short names"),
    ("/definitions/NameKeys", "### Names with a namespace"),
    ("/definitions/FacetKeys", "### Facets"),
    ("/definitions/MemberKeys", "#### Unions"),
    ("/definitions/HeaderKeys", "## Headers"),
    ("/definitions/FaultKeys", "## Faults"),
    ("/definitions/TypeDefinition", "## Types"),
    ("/definitions/SimpleKeys", "### Attributes and text"),
    ("/definitions/ElementKeys", "## Elements"),
    ("/definitions/EnumKeys", "## Enumerations"),
    ("/definitions/ValueKeys", "### Values"),
];

/// Returns the keys under a heading, with their descriptions.
fn documented(readme: &str, heading: &str) -> Vec<(String, String)> {
    let section = readme
        .split(&format!("{heading}\n"))
        .nth(1)
        .unwrap()
        .split("\n#")
        .next()
        .unwrap();
    let table = section.split("| key |").nth(1).unwrap();
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let said = cells[1].split(" See [").next().unwrap();
        (cells[0].trim_matches('`').to_owned(), said.to_owned())
    };
    table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(row)
        .collect()
}

#[test]
fn keys_and_descriptions_are_those_of_the_documentation() {
    let (schema, readme) = (
        schema(),
        fs::read_to_string(definition("README.md")).unwrap(),
    );
    for (map, heading) in SECTIONS {
        let properties = schema.pointer(&format!("{map}/properties")).unwrap();
        let described: Vec<_> = properties
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, said)| {
                (
                    key.clone(),
                    said["description"].as_str().unwrap_or_default().to_owned(),
                )
            })
            .collect();
        assert_eq!(described, documented(&readme, heading), "{map}, {heading}");
        assert_eq!(
            schema
                .pointer(&format!("{map}/additionalProperties"))
                .unwrap(),
            false
        );
    }
    let mut maps = schema["definitions"].as_object().unwrap().clone();
    maps.remove("TypeExpression").unwrap();
    assert_eq!(maps.len(), SECTIONS.len() - 1, "every map has a section");
}

/// The places in the schema of keys that are limited to some texts, and a definition around such a
/// text.
const LIMITED: &[(&str, &str)] = &[
    (
        "/definitions/FacetKeys/properties/white_space/enum",
        "operations: { A: { parameters: { a: { type: string, facets: { white_space: VALUE } } } } }",
    ),
    (
        "/definitions/ScriptMethodKeys/properties/response_format/enum",
        "bindings: [json]\noperations: { A: { result: string, script_method: { response_format: VALUE } } }",
    ),
    ("/properties/style/enum", "style: VALUE\noperations: { A: }"),
    ("/properties/use/enum", "use: VALUE\noperations: { A: }"),
    (
        "/definitions/OperationDefinition/properties/use/enum",
        "operations: { A: { use: VALUE } }",
    ),
    (
        "/properties/routing/enum",
        "routing: VALUE\noperations: { A: }",
    ),
    (
        "/definitions/SimpleKeys/properties/list/enum",
        "operations: { A: { result: T } }\ntypes: { T: { attributes: { a: { type: 'int[]', list: VALUE } } } }",
    ),
    (
        "/properties/element_form/enum",
        "element_form: VALUE\noperations: { A: }",
    ),
    (
        "/definitions/NamespaceKeys/properties/element_form/enum",
        "namespaces: { n: { uri: 'urn:n', element_form: VALUE } }\noperations: { A: }",
    ),
    (
        "/definitions/ElementKeys/properties/form/enum",
        "operations: { A: { parameters: { a: { type: int, form: VALUE } } } }",
    ),
    (
        "/definitions/SimpleKeys/properties/form/enum",
        "operations: { A: { result: T } }\ntypes: { T: { attributes: { a: { type: int, form: VALUE } } } }",
    ),
    (
        "/properties/bindings/items/enum",
        "bindings: [VALUE]\noperations: { A: }",
    ),
    (
        "/definitions/OperationDefinition/properties/style/enum",
        "operations: { A: { style: VALUE } }",
    ),
    (
        "/definitions/OperationDefinition/properties/bindings/items/enum",
        "operations: { A: { bindings: [VALUE] } }",
    ),
    (
        "/definitions/ElementKeys/properties/absent/enum",
        "operations: { A: { result: { type: int?, absent: VALUE } } }",
    ),
    (
        "/definitions/HeaderKeys/properties/absent/enum",
        "operations: { A: { headers: { in: [H] } } }\nheaders: { H: { type: int?, absent: VALUE } }",
    ),
    (
        "/definitions/ElementKeys/properties/list/enum",
        "operations: { A: { bindings: [soap11], parameters: { a: { type: 'int[]', list: VALUE } } } }",
    ),
];

#[test]
fn the_generator_takes_the_texts_of_the_schema_and_no_others() {
    let schema = schema();
    let takes = |rest: &str| {
        let text = format!("service: S\nnamespace: urn:s\npath: /s\n{rest}\n");
        assert!(json(&text).is_some(), "{text}");
        Config::new().generate("s.yaml", &text).is_ok()
    };
    for (place, definition) in LIMITED {
        for value in schema.pointer(place).unwrap().as_array().unwrap() {
            let value = value.as_str().unwrap();
            assert!(
                takes(&definition.replace("VALUE", value)),
                "{place}: {value}"
            );
        }
        assert!(!takes(&definition.replace("VALUE", "other")), "{place}");
    }
    // Besides the enumerations of simple types, which are suggestions.
    let limited = schema.to_string().matches("\"enum\":[\"").count();
    assert_eq!(limited - 1, LIMITED.len(), "every limited key is tried");
}
