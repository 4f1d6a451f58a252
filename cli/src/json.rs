//! Diagnostics as JSON, one object a line, as rustc writes them.

use serde_json::{Value, json};
use svcgen_codegen::{Diagnostic, Span, Suggestion, rule};

/// A diagnostic in one line.
pub(crate) fn line(diagnostic: &Diagnostic, colours: bool) -> String {
    let code = diagnostic.code();
    let spans = diagnostic.spans().enumerate();
    let mut line = said(diagnostic.severity().name(), diagnostic.message());
    line["code"] = json!({ "code": code, "explanation": rule(code).map(|row| row.why) });
    line["spans"] = spans
        .map(|(index, span)| place(&span, index == 0))
        .collect();
    line["children"] = help(diagnostic).into_iter().collect();
    line["rendered"] = diagnostic.render(colours).into();
    line.to_string()
}

/// What went wrong outside of definitions, in one line.
pub(crate) fn error(message: &str) -> String {
    let mut line = said("error", message);
    line["rendered"] = format!("error: {message}\n").into();
    line.to_string()
}

/// A usage error in one line: clap's message, and its other paragraphs as help.
pub(crate) fn usage(rendered: &str) -> String {
    let words = |paragraph: &str| {
        let words: Vec<_> = paragraph.split_whitespace().collect();
        words.join(" ")
    };
    let said_by_clap = rendered.trim_start_matches("error: ");
    let mut paragraphs = said_by_clap.split("\n\n").map(words);
    let mut line = said("error", &paragraphs.next().unwrap_or_default());
    line["children"] = paragraphs.map(|help| said("help", &help)).collect();
    line["rendered"] = rendered.into();
    line.to_string()
}

/// A message that is of no place.
fn said(level: &str, message: &str) -> Value {
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
    // A span does not go beyond the end of its line.
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
    let mut help = said("help", diagnostic.hint()?);
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
