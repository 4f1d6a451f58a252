//! The canonical form of a definition: its effects on the wire.

use std::collections::{BTreeMap, HashSet};

use svcgen_documents::Shape;

use super::used::retain_used;
use super::value::Value;

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

fn form_of(map: &Value) -> &str {
    map.text("element_form").unwrap_or("qualified")
}

/// A definition in terms of the wire: a line for each fact. Their order does not matter.
#[derive(Default)]
pub(super) struct Canonical {
    lines: Vec<String>,
    /// The URIs of short names, and whether elements are in these namespaces.
    namespaces: BTreeMap<String, (String, String)>,
    /// The element form of types in the service's namespace, and of the current type.
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
    pub fn of(definition: &Value, included: &[Value], shape: Shape) -> Vec<String> {
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
        let names = one.types.values().cloned().collect();
        retain_used(&mut one.lines, &names);
        one.lines.sort();
        one.lines.dedup();
        one.lines
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

    /// Adds a service, or the types of a file that it includes.
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
        // An operation that is only offered over JSON is in no WSDL.
        if bindings.is_empty() {
            self.lines.truncate(start);
            return;
        }
        bindings.sort_by_key(|one| format!("{one:?}"));
        self.say(&path, format!("{bindings:?}"));
        self.form = "qualified".to_owned();
        // In a WSDL, parts and elements in the Body are always present.
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
                        // Headers for faults are among those for answers.
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
                // With several results, this is the result that HTTP GET and POST return.
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
                // The other shape describes all types that are always present like structs.
                ("by_value", _) if !self.is_original => {}
                ("elements" | "attributes", value) => self.elements(&path, value),
                ("text", value) => self.element(&path, value),
                ("extends" | "restricts", Value::Text(base)) => {
                    self.say(&path, self.type_name(base, false))
                }
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
        // For text between elements, a WSDL only states that it may occur.
        let is_text = |(_, shape): &&(String, Value)| shape.text("any") == Some("text");
        let (texts, others): (Vec<_>, Vec<_>) = elements.entries().iter().partition(is_text);
        for (at, (key, shape)) in texts.into_iter().chain(others).enumerate() {
            let name = self.name(&(key.clone(), shape.clone()));
            self.element(&format!("{path} {at} {name}"), shape);
        }
    }

    /// Returns the name on the wire, empty if there is none.
    fn name(&self, (key, shape): &(String, Value)) -> String {
        let mut groups = ["choice", "sequence", "any"].iter();
        match shape.text("name") {
            _ if groups.any(|key| shape.get(key).is_some()) => String::new(),
            name => name.unwrap_or(key).to_owned(),
        }
    }

    fn type_name(&self, expression: &str, is_written: bool) -> String {
        let left_out = expression.strip_prefix("optional ");
        let left_out = left_out.map(|name| format!("{name}?"));
        let expression = left_out.as_deref().unwrap_or(expression);
        let end = expression.find(['?', '[']).unwrap_or(expression.len());
        let (name, suffix) = expression.split_at(end);
        // The WSDLs of .NET never state that an object, a text or a list is always present.
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

    /// Adds a line with the form of an absent value, unless it is the default of its kind of type.
    fn absent(&mut self, path: &str, shape: &Value) {
        let expression = match shape {
            Value::Text(expression) => expression,
            _ => shape.text("type").unwrap_or_default(),
        };
        let left_out = expression.strip_prefix("optional ");
        let Some(name) = left_out.or_else(|| expression.strip_suffix('?')) else {
            return;
        };
        let kind = |is_value| if is_value { "nil" } else { "omit" };
        let is_simple = VALUES.contains(&name);
        let by_default = kind(is_simple || self.by_value.contains(name));
        let how = left_out.map_or(by_default, |_| "omit");
        let how = shape.text("absent").unwrap_or(how);
        // The other shape does not distinguish structs.
        if how != kind(is_simple || (self.is_original && self.by_value.contains(name))) {
            self.say(&format!("{path} absent"), how);
        }
    }

    fn element(&mut self, path: &str, shape: &Value) {
        let is_written = !path.contains(" attributes ");
        // Headers and texts may be absent, whatever the schema says.
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
                // The original declares each alternative optional, and not the choice.
                ("optional", _) if self.is_original => {}
                ("facets", Value::Map(facets)) => {
                    facets.iter().for_each(|(key, value)| {
                        self.say(&format!("{below} {key}"), format!("{value:?}"))
                    });
                }
                // Wildcards next to elements of the same namespace would be ambiguous.
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
