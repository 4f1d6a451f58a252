//! Templates in the texts of rules.

use std::sync::LazyLock;

use minijinja::{Environment, Error};
use serde_json::{Map, Value as Json};

/// The maximum number of steps of a template.
const MOST_STEPS: u64 = 100_000;

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_fuel(Some(MOST_STEPS));
    environment
});

/// Whether a value is a text with a template.
pub(super) fn is_template(json: &Json) -> bool {
    let is_one = |text: &str| text.contains("{{") || text.contains("{%");
    json.as_str().is_some_and(is_one)
}

/// Returns the expression if a text consists of only one, whose value keeps its type.
fn expression(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    let is_one = !inner.contains("{{") && !inner.contains("}}") && !inner.contains("{%");
    is_one.then(|| inner.trim())
}

/// # Errors
///
/// Returns a message if a text is not a valid template.
pub(super) fn check(text: &str) -> Result<(), String> {
    let checked = match expression(text) {
        Some(inner) => ENVIRONMENT.compile_expression(inner).map(drop),
        None => ENVIRONMENT.template_from_str(text).map(drop),
    };
    checked.map_err(|error| error_text(&error))
}

/// Fills in the templates of a value.
///
/// # Errors
///
/// Returns an error with the template and the reason if a template fails.
pub(super) fn filled(json: &Json, context: &Json) -> Result<Json, String> {
    match json {
        Json::String(text) if is_template(json) => {
            let value = match expression(text) {
                Some(inner) => ENVIRONMENT
                    .compile_expression(inner)
                    .and_then(|inner| inner.eval(context))
                    .map(|value| serde_json::to_value(value).unwrap_or_default()),
                None => ENVIRONMENT.render_str(text, context).map(Json::String),
            };
            value.map_err(|error| format!("`{text}`: {}", error_text(&error)))
        }
        Json::Array(items) => items.iter().map(|item| filled(item, context)).collect(),
        Json::Object(map) => {
            let each = map.iter();
            let each = each.map(|(key, value)| Ok((key.clone(), filled(value, context)?)));
            Ok(Json::Object(each.collect::<Result<Map<_, _>, String>>()?))
        }
        json => Ok(json.clone()),
    }
}

/// Writes an error of the library on one line.
fn error_text(error: &Error) -> String {
    let kind = error.kind();
    match error.detail() {
        Some(detail) => format!("{kind}: {detail}"),
        None => kind.to_string(),
    }
}
