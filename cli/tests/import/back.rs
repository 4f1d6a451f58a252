//! There and back: a definition whose WSDL is imported is the same again, in what a WSDL can hold.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use crate::lost::{LOST, assert_needed, unexplained};
use svcgen_codegen::yaml::{self, Content, Node};
use svcgen_codegen::{Config, Generator, Importer, read_file};
use svcgen_documents::{Shape, WsdlOptions, schema_of_set, wsdl};

/// Keys that no WSDL holds.
const NOT_IN_WSDL: &[(&str, &str)] = &[
    ("doc", "what the server says of its own"),
    ("rust", "a name in Rust"),
    ("rust_type", "a type in Rust"),
    ("secret", "who may see a value"),
    ("net", "a name in .NET"),
    ("script_method", "JSON"),
    ("script_type", "JSON"),
    ("number", "forms alone have numbers"),
    ("safe", "what a call does"),
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

/// Keys of maps from names.
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

/// Simple types that are values in .NET.
const VALUES: &[&str] = &[
    "boolean",
    "int",
    "long",
    "byte",
    "short",
    "unsignedByte",
    "unsignedShort",
    "unsignedInt",
    "unsignedLong",
    "float",
    "double",
    "decimal",
    "char",
    "guid",
    "dateTime",
    "date",
    "time",
];

/// A definition without layout: nothing, a text, items or entries.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Nothing,
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Value {
    fn of(node: &Node) -> Self {
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

    fn read(path: &Path) -> Self {
        let text = read_file(path).unwrap();
        Self::of(&yaml::parse("definition.yaml", &text).unwrap().root)
    }

    fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    fn get(&self, key: &str) -> Option<&Self> {
        self.entries()
            .iter()
            .find_map(|(name, value)| (name == key).then_some(value))
    }

    fn text(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Leaves out the keys that no WSDL holds. The entries of maps of names are all kept.
    fn without(&mut self, has_keys: bool, is_file: bool) {
        match self {
            Self::Map(entries) => {
                let is_key = |key: &str| NOT_IN_WSDL.iter().any(|(known, _)| *known == key);
                entries.retain(|(key, _)| !has_keys || !is_key(key));
                for (key, value) in entries {
                    // Those of an operation are lists by `in` and `out`.
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

fn form_of(map: &Value) -> &str {
    map.text("element_form").unwrap_or("qualified")
}

/// A definition in terms of the wire: a line for each thing that it says, in an order that does not matter.
#[derive(Default)]
struct Canonical {
    lines: Vec<String>,
    /// URIs of short names, and whether elements are in them.
    namespaces: BTreeMap<String, (String, String)>,
    /// Whether the elements of types of the service's namespace are in that, and those of the type that is said.
    home_form: String,
    form: String,
    /// The qualified names of types by their keys.
    types: BTreeMap<String, String>,
    /// Types that are values in .NET.
    by_value: HashSet<String>,
    is_original: bool,
    is_part: bool,
}

impl Canonical {
    fn of(definition: &Value, included: &[Value], shape: Shape) -> Vec<String> {
        let mut one = Self {
            is_original: matches!(shape, Shape::Original),
            ..Self::default()
        };
        let home = definition.text("namespace").unwrap_or_default().to_owned();
        one.home_form = form_of(definition).to_owned();
        let mut definition = definition.clone();
        definition.without(true, true);
        let mut included: Vec<_> = included.to_vec();
        included
            .iter_mut()
            .for_each(|file| file.without(true, true));
        let files: Vec<_> = std::iter::once(&definition).chain(&included).collect();
        for file in &files {
            let own = file.text("namespace").filter(|own| *own != home);
            one.declare_namespaces(file);
            let own = own.map(str::to_owned);
            for section in ["types", "enums"] {
                for (key, body) in file.get(section).map_or(&[][..], Value::entries) {
                    let namespace = body.text("namespace").map(|name| one.uri(name));
                    let namespace = namespace.or_else(|| own.clone());
                    let name = body.text("name").unwrap_or(key);
                    let namespace = namespace.filter(|uri| *uri != home);
                    let qualified =
                        namespace.map_or(name.to_owned(), |uri| format!("{{{uri}}}{name}"));
                    if section == "enums" || body.get("by_value").is_some() {
                        one.by_value.insert(key.clone());
                    }
                    one.types.insert(key.clone(), qualified);
                }
            }
        }
        for (number, file) in files.into_iter().enumerate() {
            one.namespaces.clear();
            one.declare_namespaces(file);
            one.file(file, number == 0);
        }
        one.drop_unused();
        one.lines.sort();
        one.lines.dedup();
        one.lines
    }

    /// Leaves out the types that no operation leads to.
    fn drop_unused(&mut self) {
        let names: HashSet<_> = self.types.values().cloned().collect();
        let owner = |line: &str| {
            let rest = line
                .strip_prefix("type ")
                .or_else(|| line.strip_prefix("enum "))?;
            Some(rest.split([' ', ':']).next()?.to_owned())
        };
        // A qualified name has a colon in its namespace.
        let owner = |line: &str| match line.find('}') {
            Some(end) if line.starts_with("type {") || line.starts_with("enum {") => {
                let rest = line[end..].split([' ', ':']).next()?;
                Some(format!("{}{rest}", &line["type ".len()..end]))
            }
            _ => owner(line),
        };
        let mut used = HashSet::new();
        loop {
            let before = used.len();
            for line in &self.lines {
                let owner = owner(line);
                let value = line.rsplit_once(": ").map_or("", |(_, value)| value);
                let name = value.split(['?', '[']).next().unwrap_or_default();
                let is_used = owner.as_ref().is_none_or(|owner| used.contains(owner));
                if is_used && name == "anyType" {
                    used.extend(names.iter().cloned());
                } else if is_used && names.contains(name) {
                    used.insert(name.to_owned());
                }
                // A type that extends another may stand in its place.
                if let Some(owner) =
                    owner.filter(|_| line.contains(" extends: ") && used.contains(name))
                {
                    used.insert(owner);
                }
            }
            if used.len() == before {
                break;
            }
        }
        self.lines
            .retain(|line| owner(line).is_none_or(|owner| used.contains(&owner)));
    }

    fn declare_namespaces(&mut self, file: &Value) {
        for (key, value) in file.get("namespaces").map_or(&[][..], Value::entries) {
            let (uri, form) = match value {
                Value::Text(uri) => (uri.as_str(), "qualified"),
                map => (map.text("uri").unwrap(), form_of(map)),
            };
            let scope = (uri.to_owned(), form.to_owned());
            self.namespaces.insert(key.clone(), scope);
        }
    }

    fn uri(&self, name: &str) -> String {
        let found = self.namespaces.get(name);
        found.map_or_else(|| name.to_owned(), |(uri, _)| uri.clone())
    }

    fn say(&mut self, path: &str, value: impl std::fmt::Display) {
        self.lines.push(format!("{path}: {value}"));
    }

    /// A service, or the types of a file that it includes.
    fn file(&mut self, file: &Value, is_service: bool) {
        let entries = file.entries().iter();
        let is_of_types = |key: &str| ["types", "enums"].contains(&key);
        for (key, value) in entries.filter(|(key, _)| is_service || is_of_types(key)) {
            match (key.as_str(), value) {
                ("operations", value) => {
                    for (key, body) in value.entries() {
                        self.operation(key, body, file);
                    }
                }
                ("headers" | "faults", value) => {
                    for (name, body) in value.entries() {
                        self.element(&format!("{key} {name}"), body);
                    }
                }
                ("types", value) => value.entries().iter().for_each(|(key, body)| {
                    let path = format!("type {}", self.types[key]);
                    let named = body
                        .text("namespace")
                        .and_then(|name| self.namespaces.get(name));
                    let of_file = file.get("namespace").map(|_| form_of(file).to_owned());
                    let form = named.map(|(_, form)| form.clone()).or(of_file);
                    self.form = form.unwrap_or_else(|| self.home_form.clone());
                    self.complex(&path, body);
                }),
                ("enums", value) => value.entries().iter().for_each(|(key, body)| {
                    let path = format!("enum {}", self.types[key]);
                    self.enumeration(&path, body);
                }),
                ("bindings" | "include" | "namespaces" | "style" | "use" | "element_form", _) => {}
                (key, Value::Text(text)) => self.say(key, text),
                _ => {}
            }
        }
    }

    fn operation(&mut self, key: &str, body: &Value, file: &Value) {
        let start = self.lines.len();
        let path = format!("operation {key}");
        for (key, default) in [("style", "document"), ("use", "literal")] {
            let value = body.text(key).or_else(|| file.text(key)).unwrap_or(default);
            self.say(&format!("{path} {key}"), value);
        }
        let default =
            ["soap11", "soap12", "http-get", "http-post"].map(|one| Value::Text(one.to_owned()));
        let bindings = body.get("bindings").or_else(|| file.get("bindings"));
        let bindings = bindings.cloned().unwrap_or(Value::List(default.to_vec()));
        let Value::List(mut bindings) = bindings else {
            panic!("bindings are a list")
        };
        bindings.retain(|one| *one != Value::Text("json".to_owned()));
        // Over JSON alone it is in no WSDL.
        if bindings.is_empty() {
            self.lines.truncate(start);
            return;
        }
        bindings.sort_by_key(|one| format!("{one:?}"));
        self.say(&path, format!("{bindings:?}"));
        self.form = "qualified".to_owned();
        // Parts and elements in the Body are always there, as far as a WSDL says.
        let style = body.text("style").or_else(|| file.text("style"));
        self.is_part = style.is_some_and(|style| style != "document");
        for (key, value) in body.entries() {
            let path = format!("{path} {key}");
            match (key.as_str(), value) {
                ("bindings" | "style" | "use", _) => {}
                ("results", Value::Map(only))
                    if only.len() == 1 && !self.name(&only[0]).is_empty() =>
                {
                    self.element(&path.replace("results", "result"), &only[0].1);
                    self.say(
                        &path.replace("results", "result_element"),
                        self.name(&only[0]),
                    );
                }
                ("parameters" | "results", value) => self.elements(&path, value),
                ("result", value) => self.element(&path, value),
                ("headers", value) => {
                    for (key, names) in value.entries() {
                        // Headers of faults are among those of answers.
                        let key = if key == "fault" { "out" } else { key };
                        let Value::List(names) = names else { continue };
                        names.iter().for_each(|name| {
                            self.say(&format!("{path} {key}"), format!("{name:?}"))
                        });
                    }
                }
                ("request" | "response", Value::Map(keys)) => {
                    let mut keys = keys.clone();
                    keys.iter_mut().for_each(|(key, value)| {
                        if let ("namespace", Value::Text(name)) = (key.as_str(), &value) {
                            *value = Value::Text(self.uri(name));
                        }
                    });
                    self.say(&path, format!("{keys:?}"));
                }
                // Of several results it is the one that HTTP GET and POST answer.
                ("result_element", _) if body.get("results").is_some() => {}
                (_, Value::Text(text)) => self.say(&path, text),
                (_, value) => self.say(&path, format!("{value:?}")),
            }
        }
    }

    fn complex(&mut self, path: &str, body: &Value) {
        self.is_part = false;
        self.say(path, "");
        for (key, value) in body.entries() {
            let path = format!("{path} {key}");
            match (key.as_str(), value) {
                ("name" | "namespace", _) => {}
                // The other shape says of all types that are always there what it says of structs.
                ("by_value", _) if !self.is_original => {}
                ("elements" | "attributes", value) => self.elements(&path, value),
                ("text", value) => self.element(&path, value),
                ("extends", Value::Text(base)) => self.say(&path, self.type_name(base, false)),
                (_, Value::Text(text)) => self.say(&path, text),
                _ => panic!("{key}"),
            }
        }
    }

    fn enumeration(&mut self, path: &str, body: &Value) {
        let values = match body {
            Value::List(_) => Some(body),
            _ => body.get("values"),
        };
        if let Some(Value::List(values)) = values {
            let texts = values.iter().map(|value| match value {
                Value::Text(text) => text.as_str(),
                value => value.entries()[0].0.as_str(),
            });
            self.say(path, format!("{:?}", texts.collect::<Vec<_>>()));
        }
        for key in ["base", "flags"] {
            if let Some(text) = body.text(key) {
                self.say(&format!("{path} {key}"), text);
            }
        }
    }

    fn elements(&mut self, path: &str, elements: &Value) {
        // Of text between elements a WSDL says that it is there.
        let is_text = |(_, shape): &&(String, Value)| shape.text("any") == Some("text");
        let (texts, others): (Vec<_>, Vec<_>) = elements.entries().iter().partition(is_text);
        for (at, (key, shape)) in texts.into_iter().chain(others).enumerate() {
            let name = self.name(&(key.clone(), shape.clone()));
            self.element(&format!("{path} {at} {name}"), shape);
        }
    }

    /// The name on the wire, empty for none.
    fn name(&self, (key, shape): &(String, Value)) -> String {
        let mut groups = ["choice", "sequence", "any"].iter();
        match shape.text("name") {
            _ if groups.any(|key| shape.get(key).is_some()) => String::new(),
            name => name.unwrap_or(key).to_owned(),
        }
    }

    fn type_name(&self, expression: &str, is_written: bool) -> String {
        let end = expression.find(['?', '[']).unwrap_or(expression.len());
        let (name, suffix) = expression.split_at(end);
        // .NET says of no object, no text and no list that it is always there.
        let is_list = suffix.contains("[]");
        let is_value = (VALUES.contains(&name) || self.by_value.contains(name)) && !is_list;
        let suffix = if (self.is_original && !is_value && is_written) || self.is_part {
            suffix.strip_suffix('?').unwrap_or(suffix)
        } else {
            suffix
        };
        let name = self.types.get(name).map_or(name, String::as_str);
        format!("{name}{suffix}")
    }

    /// Says how an absent value is written, if that is not what all types of its kind do.
    fn absent(&mut self, path: &str, shape: &Value) {
        let expression = match shape {
            Value::Text(expression) => expression,
            _ => shape.text("type").unwrap_or_default(),
        };
        let Some(name) = expression.strip_suffix('?') else {
            return;
        };
        let kind = |is_value| if is_value { "nil" } else { "omit" };
        let is_simple = VALUES.contains(&name);
        let by_default = kind(is_simple || self.by_value.contains(name));
        let how = shape.text("absent").unwrap_or(by_default);
        // The other shape does not tell structs.
        if how != kind(is_simple || (self.is_original && self.by_value.contains(name))) {
            self.say(&format!("{path} absent"), how);
        }
    }

    fn element(&mut self, path: &str, shape: &Value) {
        let is_written = !path.contains(" attributes ");
        // A header may be absent, and so may text, whatever the schema says.
        let is_optional = path.starts_with("headers ") || path.ends_with(" text");
        self.is_part = (self.is_part && !path.contains(" choice ")) || is_optional;
        let is_local = shape.get("namespace").is_none() && is_written && self.form == "unqualified";
        if shape
            .text("form")
            .map_or(is_local, |form| form == "unqualified")
            && path.starts_with("type ")
        {
            self.say(&format!("{path} form"), "unqualified");
        }
        if path.starts_with("type ") || path.starts_with("operation ") {
            self.absent(path, shape);
        }
        if let Value::Text(expression) = shape {
            return self.say(path, self.type_name(expression, is_written));
        }
        for (key, value) in shape.entries() {
            let below = format!("{path} {key}");
            match (key.as_str(), value) {
                ("type", Value::Text(expression)) => {
                    self.say(path, self.type_name(expression, is_written))
                }
                ("name" | "form" | "absent", _) => {}
                // The original says of each alternative whether it may be absent, and nothing of the choice.
                ("optional", _) if self.is_original => {}
                ("facets", Value::Map(facets)) => {
                    facets.iter().for_each(|(key, value)| {
                        self.say(&format!("{below} {key}"), format!("{value:?}"))
                    });
                }
                // Wildcards beside elements of the same namespace would be ambiguous.
                ("namespaces", Value::Text(all)) if all == "##other" && !self.is_original => {}
                ("namespace", Value::Text(name)) => self.say(&below, self.uri(name)),
                ("choice" | "sequence", value) => self.elements(&below, value),
                ("list", Value::Text(form)) if form == "collection" => {}
                (_, Value::Text(text)) => self.say(&below, text),
                ("item", Value::Map(keys)) => {
                    for (key, value) in keys {
                        match (key.as_str(), value) {
                            ("namespace", Value::Text(name)) => {
                                self.say(&format!("{below} {key}"), self.uri(name))
                            }
                            ("name", Value::Text(name)) => self.say(&below, name),
                            _ => panic!("{key}"),
                        }
                    }
                }
                (_, value) => self.say(&below, format!("{value:?}")),
            }
        }
    }
}

/// All files that a definition includes, directly or not.
fn included(definition: &Value, folder: &Path) -> Vec<Value> {
    let Some(Value::List(files)) = definition.get("include") else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for file in files {
        let name = match file {
            Value::Text(name) => name,
            map => map.text("file").unwrap(),
        };
        let path = folder.join(name);
        let file = Value::read(&path);
        all.extend(included(&file, path.parent().unwrap()));
        all.push(file);
    }
    all
}

/// The definition that is imported from the WSDL of a definition in a file, and its included file; an error is what is said.
fn back(path: &Path, shape: Shape) -> Result<Vec<Value>, String> {
    let config = Config::new();
    let described = Generator::new(&config, |path: &Path| read_file(path)).describe(path);
    let described = described.map_err(|said| said.to_string())?;
    let load = |address: &str| {
        let found = described.with(|service| match address.split_once("?schema=") {
            Some((_, set)) => schema_of_set(service, set),
            None => {
                let options = WsdlOptions {
                    shape,
                    documentation: true,
                };
                Some(wsdl(
                    service,
                    &format!("http://localhost{}", service.path),
                    options,
                ))
            }
        });
        found
            .flatten()
            .map(String::into_bytes)
            .ok_or_else(|| "it is not there".to_owned())
    };
    let address = described
        .with(|service| format!("http://localhost{}?wsdl", service.path))
        .ok_or("no service")?;
    let imported = Importer::new(load).import(&[address]);
    let imported = imported.map_err(|said| said.to_string())?;
    let files = imported
        .files
        .iter()
        .filter(|(name, _)| name.ends_with(".yaml"));
    let files =
        files.map(|(_, text)| Value::of(&yaml::parse("a.yaml", text.as_bytes()).unwrap().root));
    Ok(files.collect())
}

fn definitions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = [
        "service-defs",
        "tests/definitions/valid",
        "tests/definitions/public",
        "tests/definitions/wider",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| root.join(folder).read_dir().unwrap());
    let mut files: Vec<_> = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
        .collect();
    files.sort();
    files
}

/// What is missing of a definition, and what is new.
fn differences(expected: &[String], found: &[String]) -> String {
    let missing = expected.iter().filter(|line| !found.contains(line));
    let missing = missing.map(|line| format!("- {line}\n"));
    let added = found.iter().filter(|line| !expected.contains(line));
    let added = added.map(|line| format!("+ {line}\n"));
    missing.chain(added).collect()
}

/// The WSDLs that ASMX answered are those of definitions that were written by hand.
#[test]
fn recorded_wsdls_are_imported_as_they_were_transcribed() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut recorded: Vec<_> = tests
        .join("wider/wsdl")
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    recorded.extend(
        ["auth-q-wsdl", "device-q-wsdl"]
            .map(|name| tests.join("wire/doc").join(name).join("response.http")),
    );
    // Several definitions have parts of this one, and more.
    recorded.retain(|path| !path.ends_with("GWide.wsdl"));
    recorded.sort();
    let written: Vec<_> = definitions()
        .into_iter()
        .map(|path| (Value::read(&path), path))
        .collect();
    let (mut wrong, mut compared) = (String::new(), 0);
    let mut used = vec![false; LOST.len()];
    for path in recorded {
        let load = |address: &str| {
            let bytes = std::fs::read(address).map_err(|error| error.to_string())?;
            // Some were recorded with the head of their answer.
            let start = bytes.windows(5).position(|five| five == b"<?xml");
            Ok(bytes[start.unwrap_or_default()..].to_vec())
        };
        let address = path.to_str().unwrap().to_owned();
        let Ok(imported) = Importer::new(load).import(&[address]) else {
            continue;
        };
        let files = imported
            .files
            .iter()
            .filter(|(name, _)| name.ends_with(".yaml"));
        let files: Vec<_> = files
            .map(|(_, text)| Value::of(&yaml::parse("a.yaml", text.as_bytes()).unwrap().root))
            .collect();
        let is_same = |(one, _): &&(Value, PathBuf)| {
            ["service", "namespace"]
                .iter()
                .all(|key| one.text(key) == files[0].text(key))
        };
        let found = Canonical::of(&files[0], &files[1..], Shape::Original);
        for (definition, of) in written.iter().filter(is_same) {
            compared += 1;
            let others = included(definition, of.parent().unwrap());
            let expected = Canonical::of(definition, &others, Shape::Original);
            let lines = differences(&expected, &found);
            let names = [&path, of].map(|path| path.file_name().unwrap().to_string_lossy());
            let lines = unexplained(&lines, &names[0], "Original", &mut used);
            if !lines.is_empty() {
                wrong += &format!("=== {} {}\n{lines}", names[0], names[1]);
            }
        }
    }
    assert!(compared > 5, "{compared}");
    assert!(wrong.is_empty(), "{wrong}");
    assert_needed(&used, true);
}

#[test]
fn definitions_are_the_same_there_and_back() {
    let mut wrong = String::new();
    let mut used = vec![false; LOST.len()];
    for path in definitions() {
        let definition = Value::read(&path);
        if definition.get("service").is_none() {
            continue;
        }
        for shape in [Shape::Portable, Shape::Original] {
            let expected = Canonical::of(
                &definition,
                &included(&definition, path.parent().unwrap()),
                shape,
            );

            // Over JSON alone a service is in no WSDL.
            if !expected.iter().any(|line| line.starts_with("operation ")) {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy();
            let found = match back(&path, shape) {
                Ok(files) => Canonical::of(&files[0], &files[1..], shape),
                Err(said) => vec![said],
            };
            let lines = differences(&expected, &found);
            let lines = unexplained(&lines, &name, &format!("{shape:?}"), &mut used);
            if !lines.is_empty() {
                wrong += &format!("=== {name} {shape:?}\n{lines}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_needed(&used, false);
}
