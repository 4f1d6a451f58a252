//! Prints the values of YAML files as JSON, a line each, for the readers of
//! `crates/cli/tests/yaml/run` to be compared with. Takes the names of the files from standard
//! input. Texts that are no strings to other readers are what the definition language has them for:
//! numbers and switches.

use std::fs;
use std::io::stdin;

use serde_json::{Map, Value};
use svcgen_language::yaml::{Collection, Content, Node, ScalarStyle, parse};

fn main() {
    for path in stdin().lines() {
        let path = path.expect("a name");
        match parse(&path, &fs::read(&path).expect("a file")) {
            Ok(tree) => println!("{}", value(&tree.root)),
            Err(said) => panic!("{said}"),
        }
    }
}

fn value(node: &Node) -> Value {
    match &node.target().content {
        Content::Nothing | Content::Alias { .. } => Value::Null,
        Content::Scalar { text, style } => {
            let plain = matches!(style, ScalarStyle::Plain).then(|| serde_json::from_str(text));
            match plain {
                Some(Ok(value @ (Value::Bool(_) | Value::Number(_)))) => value,
                _ => Value::String(text.clone()),
            }
        }
        Content::Collection(map) if map.is_map => Value::Object(entries(map)),
        Content::Collection(list) => list.slots.iter().map(|item| value(&item.value)).collect(),
    }
}

fn entries(map: &Collection) -> Map<String, Value> {
    let (mut own, mut merged) = (Map::new(), Map::new());
    for slot in &map.slots {
        let key = slot.key.as_deref().map(|key| &key.target().content);
        match (key, value(&slot.value)) {
            (Some(Content::Scalar { text, .. }), Value::Object(more)) if text == "<<" => {
                merged.extend(more)
            }
            (Some(Content::Scalar { text, .. }), value) => _ = own.insert(text.clone(), value),
            (other, _) => panic!("a key is {other:?}"),
        }
    }
    merged.extend(own);
    merged
}
