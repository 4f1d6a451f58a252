//! Diagnostics as JSON, one object per line, in the format of rustc.

use serde_json::{Value, json};
use svcgen_codegen::{Diagnostic, Span, Suggestion};
use svcgen_model::is_hidden;

/// Writes a diagnostic on one line.
pub(crate) fn line(diagnostic: &Diagnostic, colours: bool) -> String {
    let spans = diagnostic.spans().enumerate();
    let mut line = object(diagnostic.severity().name(), &diagnostic.message());
    line["code"] = json!({ "code": diagnostic.code(), "explanation": diagnostic.rule().why });
    line["spans"] = spans
        .map(|(index, span)| place(&span, index == 0))
        .collect();
    line["children"] = help(diagnostic).into_iter().collect();
    line["rendered"] = diagnostic.render(colours).into();
    escaped(&line.to_string())
}

/// Writes a message without a place in a definition, on one line.
pub(crate) fn plain(level: &str, message: &str) -> String {
    let mut line = object(level, message);
    line["rendered"] = format!("{level}: {message}\n").into();
    escaped(&line.to_string())
}

/// Writes a usage error on one line: the message of clap, with its other paragraphs as help.
pub(crate) fn usage(rendered: &str) -> String {
    let words = |paragraph: &str| {
        let words: Vec<_> = paragraph.split_whitespace().collect();
        words.join(" ")
    };
    let message = rendered.trim_start_matches("error: ");
    let mut paragraphs = message.split("\n\n").map(words);
    let mut line = object("error", &paragraphs.next().unwrap_or_default());
    line["children"] = paragraphs.map(|help| object("help", &help)).collect();
    line["rendered"] = rendered.into();
    escaped(&line.to_string())
}

/// Escapes hidden characters of JSON, which occur only in its strings.
pub(crate) fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            hidden if is_hidden(hidden) => escaped += &format!("\\u{:04X}", u32::from(hidden)),
            shown => escaped.push(shown),
        }
    }
    escaped
}

/// Writes a value as YAML without hidden characters. As YAML has some of them unescaped, such
/// values are written as JSON, which is YAML as well.
pub(crate) fn yaml(value: &Value) -> String {
    // Numbers, strings and their lists and maps can always be written as YAML.
    let yaml = serde_yaml::to_string(value).unwrap_or_default();
    if yaml.contains(is_hidden) {
        return escaped(&format!("{value:#}\n"));
    }
    yaml
}

/// Creates the object of a message without a place.
fn object(level: &str, message: &str) -> Value {
    json!({
        "$message_type": "diagnostic",
        "message": message,
        "code": null,
        "level": level,
        "spans": [],
        "children": [],
        "rendered": null,
    })
}

fn place(span: &Span<'_>, is_primary: bool) -> Value {
    // A span never extends beyond its line.
    let line = json!({
        "text": span.text,
        "highlight_start": span.start.1,
        "highlight_end": span.end.1,
    });
    json!({
        "file_name": span.file,
        "byte_start": span.bytes.start,
        "byte_end": span.bytes.end,
        "line_start": span.start.0,
        "line_end": span.end.0,
        "column_start": span.start.1,
        "column_end": span.end.1,
        "is_primary": is_primary,
        "text": [line],
        "label": Some(span.label).filter(|label| !label.is_empty()),
        "suggested_replacement": null,
        "suggestion_applicability": null,
    })
}

fn help(diagnostic: &Diagnostic) -> Option<Value> {
    let mut help = object("help", diagnostic.hint()?);
    help["spans"] = diagnostic.suggestion().iter().map(replaced).collect();
    Some(help)
}

fn replaced(suggestion: &Suggestion<'_>) -> Value {
    let mut place = place(&suggestion.span, true);
    place["suggested_replacement"] = suggestion.replacement.into();
    let applicability = ["MaybeIncorrect", "MachineApplicable"];
    place["suggestion_applicability"] = applicability[usize::from(suggestion.is_certain)].into();
    place
}
