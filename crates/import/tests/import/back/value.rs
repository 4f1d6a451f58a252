//! Definitions as values, without the keys that a WSDL cannot express.

use std::path::Path;

use svcgen_codegen::read_file;
use svcgen_language::yaml::{self, Content, Node};

/// Keys that a WSDL cannot express.
const NOT_IN_WSDL: &[(&str, &str)] = &[
    ("doc", "what the server says of its own"),
    ("rust", "a name in Rust"),
    ("rust_type", "a type in Rust"),
    ("secret", "who may see a value"),
    ("net", "a name in .NET"),
    ("script_method", "JSON"),
    ("script_type", "JSON"),
    ("number", "forms alone have numbers"),
    ("read_only", "what a call does"),
    ("cache", "what a call does"),
    ("session", "what a call does"),
    ("open", "how lenient the code is"),
    ("allow", "what the generator says"),
    ("time_zone", "where the server is"),
    ("routing", "how requests are led to operations"),
    ("required", "what the server does with a request"),
    ("root", "HTTP GET and POST answer it, if they are offered"),
    ("must_understand", "an attribute of messages"),
    ("soap_attributes", "attributes of messages"),
    ("unknown", "what the handler wants to see"),
    ("module", "a path in Rust"),
];

/// Keys whose values are maps by names.
const OF_NAMES: &[&str] = &[
    "operations",
    "headers",
    "faults",
    "types",
    "enums",
    "parameters",
    "results",
    "elements",
    "attributes",
    "choice",
    "sequence",
    "namespaces",
];

/// A definition without layout: nothing, a text, items or entries.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Nothing,
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Value {
    pub fn of(node: &Node) -> Self {
        match &node.target().content {
            Content::Nothing | Content::Alias { .. } => Self::Nothing,
            Content::Scalar { text, .. } => Self::Text(text.clone()),
            Content::Collection(within) if !within.is_map => Self::List(
                within
                    .slots
                    .iter()
                    .map(|slot| Self::of(&slot.value))
                    .collect(),
            ),
            Content::Collection(within) => {
                let mut entries = Vec::new();
                for slot in &within.slots {
                    let Self::Text(key) = Self::of(slot.key.as_ref().unwrap()) else {
                        panic!("a key is a text")
                    };
                    match (key.as_str(), Self::of(&slot.value)) {
                        ("<<", Self::Map(merged)) => entries.extend(merged),
                        (_, value) => entries.push((key, value)),
                    }
                }
                Self::Map(entries)
            }
        }
    }

    pub fn read(path: &Path) -> Self {
        let text = read_file(path).unwrap();
        let folder = path.parent().unwrap();
        let load = |file: &str| String::from_utf8(read_file(&folder.join(file)).unwrap()).unwrap();
        Self::parse(&text, load)
    }

    /// Returns the imported definitions.
    pub fn imported(files: &[(String, String)]) -> Vec<Self> {
        let load = |file: &str| {
            let mut named = files.iter().filter(|(name, _)| name == file);
            named.next().unwrap().1.clone()
        };
        let definitions = files.iter().filter(|(name, _)| name.ends_with(".yaml"));
        definitions
            .map(|(_, text)| Self::parse(text.as_bytes(), load))
            .collect()
    }

    /// Parses a definition, with the schemas of typed sets of tables in the place of their files.
    fn parse(text: &[u8], load: impl Fn(&str) -> String) -> Self {
        let mut value = Self::of(&yaml::parse("definition.yaml", text).unwrap().root);
        let Self::Map(sections) = &mut value else {
            return value;
        };
        let mut types = sections.iter_mut().filter(|(name, _)| name == "types");
        if let Some((_, Self::Map(types))) = types.next() {
            for (_, body) in types {
                let Self::Map(keys) = body else { continue };
                for (_, file) in keys.iter_mut().filter(|(key, _)| key == "data_set") {
                    if let Self::Text(name) = file {
                        let schema = load(name);
                        let start = schema.find(":schema").unwrap();
                        *file = Self::Text(schema[start..].trim_end().replace('\n', " "));
                    }
                }
            }
        }
        value
    }

    pub fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries()
            .iter()
            .find_map(|(name, value)| (name == key).then_some(value))
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Removes the keys that a WSDL cannot express. The entries of maps by names are all kept.
    pub fn without(&mut self, has_keys: bool, is_file: bool) {
        match self {
            Self::Map(entries) => {
                let is_key = |key: &str| NOT_IN_WSDL.iter().any(|(known, _)| *known == key);
                entries.retain(|(key, _)| !has_keys || !is_key(key));
                for (key, value) in entries {
                    // The headers of an operation are lists for `in` and `out`.
                    let is_of_operation = key == "headers" && !is_file;
                    let is_of_names = has_keys && OF_NAMES.contains(&key.as_str());
                    value.without(!is_of_names || is_of_operation, false);
                }
            }
            Self::List(items) => {
                for item in items {
                    if let Self::Map(entries) = item {
                        let entries = entries.iter_mut();
                        entries.for_each(|(_, keys)| keys.without(true, false));
                    }
                }
            }
            _ => {}
        }
    }
}
