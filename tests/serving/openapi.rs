//! OpenAPI documents compared with samples: every element in the sample of an answer is in its
//! schema, with this name and in this namespace.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node};
use serde_json::Value;
use svcgen_documents::openapi;
use svcgen_documents::samples::{Piece, Samples, Template};
use svcgen_model::{At, Binding, Bindings, Service};

use crate::described::each_service;

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A document, and the number of members of each kind that were found in it.
struct Checker<'d> {
    schemas: &'d Value,
    found: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl<'d> Checker<'d> {
    /// Returns the parts of a schema: itself, the schemas that it refers to, and those that it
    /// combines.
    fn parts(&self, schema: &'d Value) -> Vec<&'d Value> {
        let mut parts = vec![schema];
        let mut next = 0;
        while let Some(part) = parts.get(next).copied() {
            if let Some(reference) = part["$ref"].as_str() {
                let key = reference.strip_prefix("#/components/schemas/").unwrap();
                parts.push(&self.schemas[key]);
            }
            for combined in ["allOf", "anyOf"] {
                parts.extend(part[combined].as_array().into_iter().flatten());
            }
            next += 1;
        }
        parts
    }

    /// Returns the properties of a schema with their names.
    fn properties(&self, schema: &'d Value) -> Vec<(&'d String, &'d Value)> {
        let parts = self.parts(schema).into_iter();
        let objects = parts.filter_map(|part| part["properties"].as_object());
        objects.flatten().collect()
    }

    fn count(&mut self, kind: &'static str) {
        *self.found.entry(kind).or_default() += 1;
    }

    /// Checks an element by its schema. `around` is the namespace of its parent.
    fn element(&mut self, node: Node<'_, '_>, schema: &'d Value) {
        let array = self
            .parts(schema)
            .into_iter()
            .find(|part| part["items"].is_object());
        if let Some(items) = array.map(|array| &array["items"]) {
            for child in node.children().filter(Node::is_element) {
                self.expect(is_of(items, child), "an item", child);
                let is_other = namespace_of(child) != namespace_of(node);
                self.count(if is_other {
                    "item of another namespace"
                } else {
                    "item"
                });
                self.element(child, items);
            }
            return;
        }
        let schema = match node.attribute((XSI, "type")) {
            Some(name) => {
                self.count("derived type");
                let name = name.rsplit(':').next().unwrap();
                &self.schemas[name]
            }
            None => schema,
        };
        let properties = self.properties(schema);
        let mut seen = BTreeSet::new();
        for attribute in node.attributes().filter(|one| one.namespace() != Some(XSI)) {
            let property = properties.iter().find(|(name, property)| {
                let xml = &property["xml"];
                xml["attribute"] == true
                    && xml["name"].as_str().unwrap_or(name) == attribute.name()
                    && xml["namespace"].as_str() == attribute.namespace()
            });
            self.expect(property.is_some(), attribute.name(), node);
            seen.extend(property.map(|(name, _)| *name));
            let is_in_namespace = attribute.namespace().is_some();
            self.count(if is_in_namespace {
                "attribute in a namespace"
            } else {
                "attribute"
            });
        }
        if node.text().is_some_and(|text| !text.trim().is_empty()) {
            let text = properties
                .iter()
                .find(|(_, property)| property["xml"]["x-text"] == true);
            seen.extend(text.map(|(name, _)| *name));
        }
        if properties.is_empty() {
            // The element may have any content.
            return;
        }
        for child in node.children().filter(Node::is_element) {
            let property = properties.iter().find(|(_, property)| {
                let is_single = is_of(property, child);
                is_single || is_of(&property["items"], child)
            });
            self.expect(property.is_some(), "an element", child);
            let Some((name, property)) = property else {
                continue;
            };
            seen.insert(*name);
            let is_repeated = !is_of(property, child);
            let is_other = namespace_of(child) != namespace_of(node);
            self.count(match (is_repeated, is_other) {
                (true, _) => "repeated element",
                (false, true) => "element of another namespace",
                (false, false) => "element",
            });
            self.element(
                child,
                if is_repeated {
                    &property["items"]
                } else {
                    property
                },
            );
        }
        // Objects that are nested too deeply only have their names.
        let is_whole = node.has_children() && !node.children().any(|child| child.is_comment());
        for part in self.parts(schema).into_iter().filter(|_| is_whole) {
            for required in part["required"].as_array().into_iter().flatten() {
                let name = required.as_str().unwrap();
                self.expect(seen.iter().any(|seen| *seen == name), name, node);
            }
        }
    }

    /// Compares JSON with its schema: both must have the same members.
    fn json(&mut self, value: &Value, schema: &'d Value) {
        if let Value::Array(items) = value {
            let schemas = self.parts(schema).into_iter();
            let mut of_items = schemas.map(|part| &part["items"]);
            let Some(of_items) = of_items.find(|items| items.is_object()) else {
                return self.wrong.push(format!("a list: {schema}"));
            };
            self.count("item");
            items.iter().for_each(|item| self.json(item, of_items));
        }
        let Value::Object(members) = value else {
            return;
        };
        let own = members.get("__type").and_then(|name| {
            let mut schemas = self.schemas.as_object()?.values();
            let own = serde_json::json!([name]);
            schemas.find(|schema| {
                let properties = self.properties(schema);
                let mut types = properties.iter().filter(|(known, _)| *known == "__type");
                types.any(|(_, names)| names["enum"] == own)
            })
        });
        let parts = self.parts(schema).into_iter();
        let mut of_values = parts.map(|part| &part["additionalProperties"]);
        if let Some(of_values) = of_values.find(|values| values.is_object()) {
            self.count("entry");
            return members
                .values()
                .for_each(|value| self.json(value, of_values));
        }
        let properties = self.properties(own.unwrap_or(schema));
        for (name, member) in members {
            match properties.iter().find(|(known, _)| *known == name) {
                Some((_, schema)) => {
                    self.count("member");
                    self.json(member, schema);
                }
                None => self.wrong.push(format!("the member `{name}` of {schema}")),
            }
        }
        for (name, _) in properties {
            if !members.contains_key(name) && name != "__type" {
                self.wrong
                    .push(format!("the property `{name}` of {schema}"));
            }
        }
    }

    fn expect(&mut self, holds: bool, what: &str, node: Node<'_, '_>) {
        if !holds {
            let name = node.tag_name();
            self.wrong.push(format!(
                "{what} of `{}` in {:?}",
                name.name(),
                name.namespace()
            ));
        }
    }
}

/// Whether a schema describes this element.
fn is_of(schema: &Value, element: Node<'_, '_>) -> bool {
    let xml = &schema["xml"];
    let namespace = xml["namespace"].as_str().unwrap_or_default();
    xml["name"] == element.tag_name().name()
        && namespace == namespace_of(element)
        && xml["attribute"].is_null()
}

fn namespace_of<'n>(element: Node<'n, '_>) -> &'n str {
    element.tag_name().namespace().unwrap_or_default()
}

fn check(service: At<'_, Service<'_>>) -> (BTreeMap<&'static str, usize>, Vec<String>) {
    let document = openapi(service, "http://svc.example");
    let mut checker = Checker {
        schemas: &document["components"]["schemas"],
        found: BTreeMap::new(),
        wrong: Vec::new(),
    };
    let samples = Samples::new(service);
    for operation in service.operations().filter(|one| one.result().is_some()) {
        let samples = samples.of(operation, "svc.example").into_iter();
        for sample in samples.filter(|sample| Bindings::FORMS.contains(sample.binding)) {
            let path = &document["paths"][format!("{}/{}", service.path, operation.name)];
            let is_get = sample.binding.has_parameters_in_url();
            let call = &path[if is_get { "get" } else { "post" }];
            let schema = &call["responses"]["200"]["content"]["text/xml"]["schema"];
            let response = sample.response.as_str();
            let xml = response.split_once("\n\n").unwrap().1;
            // A result of type `any` is a document, which the sample does not describe.
            let Ok(xml) = Document::parse(xml) else {
                continue;
            };
            let root = xml.root_element();
            checker.expect(is_of(schema, root), "the result", root);
            checker.element(root, schema);
        }
    }
    (checker.found, checker.wrong)
}

/// Objects over HTTP GET with all settings of names and namespaces.
const SHAPES: &str = r#"
service: Shapes
namespace: urn:s
path: /Shapes.asmx
bindings: [http-get]
namespaces: { c: "urn:c", plain: { uri: "urn:p", element_form: unqualified } }
operations:
  Whole: { result: Whole }
  Rows: { result: { type: "Part[][]", item: [row, part] } }
  Heirs: { result: Base }
types:
  Whole:
    attributes:
      Name: string
      qualified: { type: string, form: qualified }
      lang: { type: string, namespace: xml }
      common: { name: Name, type: string, namespace: c }
    elements:
      OwnName: { name: Name, type: string }
      CommonName: { name: Name, type: Part, namespace: c }
      Bare: { type: string, form: unqualified }
      Lines: { type: "Part[]", item: { name: line, namespace: c } }
      Codes: { type: "int[]", namespace: c, item: code }
      Loose: { type: "Part?[]", list: unwrapped, namespace: c }
      Rows: "int[][]"
      Words: { type: "string[]", list: text }
      One: { choice: { First: { type: Part, namespace: c }, Second: int } }
      Any: { choice: { Third: { type: string, form: unqualified }, Fourth: Part }, list: unwrapped }
      Pair: { sequence: { Left: Plain, Right: { type: int, namespace: c } }, optional: true }
      Marks: { sequence: { Up: Part, Down: { type: int, form: unqualified } }, list: unwrapped }
      Price: Price
  Part: { namespace: c, attributes: { Size: { type: int, rust: number } }, elements: { Size: Size } }
  Plain: { namespace: plain, elements: { X: int, Y: { type: int, form: qualified }, Parts: "Part[]" } }
  Price: { attributes: { text: string }, text: decimal }
  Base: { abstract: true, elements: { Name: string } }
  Heir: { extends: Base, namespace: c, attributes: { Name: { type: string, rust: label } }, elements: { CommonName: { name: Name, type: Part } } }
enums:
  Size: [Small, Large]
"#;

#[test]
fn schemas_name_what_samples_hold() {
    let described = svcgen_codegen::Config::new().describe("shapes.yaml", SHAPES);
    let described = described.unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let (found, wrong) = described.with(check).unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let expected = [
        ("attribute", 19),
        ("attribute in a namespace", 3),
        ("derived type", 1),
        ("element", 14),
        ("element of another namespace", 18),
        ("item", 14),
        ("item of another namespace", 4),
        ("repeated element", 8),
    ];
    assert_eq!(found, expected.into());
}

#[test]
fn schemas_of_every_definition_name_what_samples_hold() {
    let mut count = 0;
    let mut wrong = Vec::new();
    each_service(|name, service| {
        let (found, of_service) = check(service);
        count += found.into_values().sum::<usize>();
        wrong.extend(of_service.into_iter().map(|one| format!("{name}: {one}")));
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 100, "{count}");
}

/// Returns the value of a sample, with 0 as the placeholders.
fn json_of(template: &Template) -> Option<Value> {
    let pieces = template.pieces().into_iter().map(|piece| match piece {
        Piece::Text(text) => text,
        Piece::Placeholder(_) => "0",
    });
    let message = pieces.collect::<String>().replace(" or 0", "");
    serde_json::from_str(message.split_once("\n\n")?.1).ok()
}

#[test]
fn schemas_in_json_name_what_samples_hold() {
    let mut wrong = Vec::new();
    let mut found = BTreeMap::new();
    each_service(|name, service| {
        let document = openapi(service, "http://svc.example");
        let mut checker = Checker {
            schemas: &document["components"]["schemas"],
            found: std::mem::take(&mut found),
            wrong: Vec::new(),
        };
        let samples = Samples::new(service);
        for operation in service.operations_over(Binding::Json) {
            let samples = samples.of(operation, "svc.example").into_iter();
            let path = &document["paths"][format!("{}/{}", service.path, operation.name)];
            let by_get = operation.script.use_http_get;
            let call = &path[if by_get { "get" } else { "post" }];
            for sample in samples.filter(|sample| sample.binding == Binding::Json) {
                let body = &call["requestBody"]["content"]["application/json"]["schema"];
                let answer = &call["responses"]["200"]["content"]["application/json"]["schema"];
                for (message, schema) in [(&sample.request, body), (&sample.response, answer)] {
                    match json_of(message) {
                        Some(json) => checker.json(&json, schema),
                        None => checker.count("no JSON"),
                    }
                }
            }
        }
        found = checker.found;
        let of_service = checker.wrong.into_iter();
        wrong.extend(of_service.map(|one| format!("{name}: {one}")));
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        found["member"] >= 36 && found["item"] >= 6 && found["entry"] >= 4,
        "{found:?}"
    );
}
