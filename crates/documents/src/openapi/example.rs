//! Examples of values, generated from their schemas.

use serde_json::{Map, Value, json};

/// The depth of objects from which examples contain only required properties.
const DEEP: usize = 3;

/// The maximum depth of objects with an example.
const MOST_NESTED: usize = 8;

/// Adds an example to each parameter and to each body that has a schema.
pub(super) fn add_examples(paths: &mut Map<String, Value>, schemas: &Map<String, Value>) {
    let items = paths.values_mut().filter_map(Value::as_object_mut);
    for call in items.flat_map(Map::values_mut) {
        let parameters = call.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            add(parameter, schemas);
            add_to_content(parameter.get_mut("content"), schemas);
        }
        for content in ["/requestBody/content", "/responses/200/content"] {
            add_to_content(call.pointer_mut(content), schemas);
        }
    }
}

fn add_to_content(content: Option<&mut Value>, schemas: &Map<String, Value>) {
    let content = content.and_then(Value::as_object_mut);
    for media in content.into_iter().flat_map(Map::values_mut) {
        add(media, schemas);
    }
}

fn add(described: &mut Value, schemas: &Map<String, Value>) {
    if let Some(example) = described
        .get("schema")
        .and_then(|schema| example(schema, schemas, 0))
    {
        described["example"] = example;
    }
}

/// A value that a schema allows; `None` if none is found.
fn example(schema: &Value, schemas: &Map<String, Value>, depth: usize) -> Option<Value> {
    if depth > MOST_NESTED {
        return None;
    }
    for known in ["const", "default"] {
        if let Some(value) = schema.get(known) {
            return Some(value.clone());
        }
    }
    if let Some(first) = schema.get("enum").and_then(|values| values.get(0)) {
        return Some(first.clone());
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let key = reference.strip_prefix("#/components/schemas/")?;
        return example(schemas.get(key)?, schemas, depth);
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        return any.iter().find_map(|one| example(one, schemas, depth));
    }
    if let Some(all) = schema.get("allOf").and_then(Value::as_array) {
        let mut members = Map::new();
        for one in all {
            members.extend(example(one, schemas, depth)?.as_object()?.clone());
        }
        return Some(Value::Object(members));
    }
    match kind(schema)? {
        "object" => object(schema, schemas, depth),
        "array" => {
            let one = example(schema.get("items")?, schemas, depth + 1)?;
            let least = schema.get("minItems").and_then(Value::as_u64);
            let count = usize::try_from(least.unwrap_or(1)).ok()?.clamp(1, 3);
            Some(Value::Array(vec![one; count]))
        }
        "integer" | "number" => number(schema),
        "boolean" => Some(json!(true)),
        "string" => text(schema).map(Value::String),
        _ => None,
    }
}

/// The type; the first one of several.
fn kind(schema: &Value) -> Option<&str> {
    let kind = schema.get("type")?;
    kind.as_str().or_else(|| kind.get(0)?.as_str())
}

fn object(schema: &Value, schemas: &Map<String, Value>, depth: usize) -> Option<Value> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    if let Some(of_value) = schema.get("additionalProperties") {
        return Some(json!({ "key": example(of_value, schemas, depth + 1)? }));
    }
    let mut members = Map::new();
    for (name, of_member) in schema.get("properties").and_then(Value::as_object)? {
        if depth >= DEEP && !is_required(name) {
            continue;
        }
        match example(of_member, schemas, depth + 1) {
            Some(value) => drop(members.insert(name.clone(), value)),
            None if is_required(name) => return None,
            None => {}
        }
    }
    Some(Value::Object(members))
}

fn number(schema: &Value) -> Option<Value> {
    let bound = |name| schema.get(name).and_then(Value::as_f64);
    let least = bound("minimum").or_else(|| Some(bound("exclusiveMinimum")? + 1.0));
    let most = bound("maximum").or_else(|| Some(bound("exclusiveMaximum")? - 1.0));
    let number = least.unwrap_or(1.0).max(1.0).min(most.unwrap_or(f64::MAX));
    // Integers of this size are exact as `f64` and as `i64`.
    let is_whole = number.fract() == 0.0 && number.abs() < 1e15;
    is_whole.then(|| json!(number as i64))
}

fn text(schema: &Value) -> Option<String> {
    let of = |name| schema.get(name).and_then(Value::as_str);
    if let Some(pattern) = of("pattern") {
        let is_date = pattern.starts_with("^/Date");
        return is_date.then(|| "/Date(1706704200000)/".to_owned());
    }
    if of("contentEncoding").is_some_and(|encoding| encoding != "base16") {
        return Some("AAEC".to_owned());
    }
    let text = match of("format") {
        _ if of("contentEncoding").is_some() => "000102",
        Some("date") => "2024-01-31",
        Some("date-time") => "2024-01-31T12:30:00Z",
        Some("time") => "12:30:00Z",
        Some("uuid") => "01234567-89ab-cdef-0123-456789abcdef",
        _ => "text",
    };
    let length = |name| schema.get(name).and_then(Value::as_u64);
    let count = u64::try_from(text.len()).ok()?;
    let fits =
        count >= length("minLength").unwrap_or(0) && count <= length("maxLength").unwrap_or(count);
    fits.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_within_what_schemas_allow() {
        let schemas = json!({
            "Tree": { "type": "object", "required": ["Name"], "properties": {
                "Name": { "type": "string", "maxLength": 4 },
                "Left": { "$ref": "#/components/schemas/Tree" },
            } },
            "Endless": { "type": "object", "required": ["Inner"], "properties": {
                "Inner": { "$ref": "#/components/schemas/Endless" },
            } },
        });
        let schemas = schemas.as_object().unwrap();
        let of = |schema: Value| example(&schema, schemas, 0);
        let tree = of(json!({ "$ref": "#/components/schemas/Tree" })).unwrap();
        assert_eq!(tree["Left"]["Left"]["Left"], json!({ "Name": "text" }));
        assert_eq!(of(json!({ "$ref": "#/components/schemas/Endless" })), None);
        assert_eq!(
            of(json!({ "type": "integer", "exclusiveMinimum": 9 })),
            Some(json!(10))
        );
        assert_eq!(of(json!({ "type": "string", "pattern": "[A-Z]" })), None);
        assert_eq!(of(json!({ "type": "string", "maxLength": 2 })), None);
        let nothing =
            json!({ "anyOf": [{ "type": "string", "format": "date" }, { "type": "null" }] });
        assert_eq!(of(nothing), Some(json!("2024-01-31")));
    }
}
