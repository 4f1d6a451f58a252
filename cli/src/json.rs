//! Diagnostics for programs, in the shape in which rustc writes its own: one object a line.

use serde::Serialize;
use svcgen_codegen::{Diagnostic, Severity, Span, Suggestion, rule};

#[derive(Serialize)]
struct Message<'d> {
    #[serde(rename = "$message_type")]
    message_type: &'static str,
    message: &'d str,
    code: Option<Code>,
    level: &'static str,
    spans: Vec<Place<'d>>,
    children: Vec<Message<'d>>,
    rendered: Option<String>,
}

#[derive(Serialize)]
struct Code {
    code: &'static str,
    explanation: Option<&'static str>,
}

#[derive(Serialize)]
struct Place<'d> {
    file_name: &'d str,
    byte_start: usize,
    byte_end: usize,
    line_start: usize,
    line_end: usize,
    column_start: usize,
    column_end: usize,
    is_primary: bool,
    text: Vec<Line<'d>>,
    label: Option<&'d str>,
    suggested_replacement: Option<&'d str>,
    suggestion_applicability: Option<&'static str>,
}

#[derive(Serialize)]
struct Line<'d> {
    text: &'d str,
    highlight_start: usize,
    highlight_end: usize,
}

/// A diagnostic in one line.
pub(crate) fn line(diagnostic: &Diagnostic, colours: bool) -> String {
    let spans = diagnostic.spans().enumerate();
    text(&Message {
        message_type: "diagnostic",
        message: diagnostic.message(),
        code: Some(Code {
            code: diagnostic.code(),
            explanation: rule(diagnostic.code()).map(|row| row.why),
        }),
        level: level(diagnostic.severity()),
        spans: spans
            .map(|(index, span)| place(&span, index == 0))
            .collect(),
        children: help(diagnostic).into_iter().collect(),
        rendered: Some(diagnostic.render(colours)),
    })
}

/// What went wrong outside of definitions, in one line.
pub(crate) fn error(message: &str) -> String {
    text(&Message {
        rendered: Some(format!("error: {message}\n")),
        ..said("error", message)
    })
}

/// What is wrong with a call, in one line: what clap says of it, and in paragraphs below what would help.
pub(crate) fn usage(rendered: &str) -> String {
    let words = |paragraph: &str| {
        let words: Vec<_> = paragraph.split_whitespace().collect();
        words.join(" ")
    };
    let said_by_clap = rendered.trim_start_matches("error: ");
    let paragraphs: Vec<_> = said_by_clap.split("\n\n").map(words).collect();
    let (message, help) = paragraphs.split_first().expect("a text has a part");
    text(&Message {
        children: help.iter().map(|help| said("help", help)).collect(),
        rendered: Some(rendered.to_owned()),
        ..said("error", message)
    })
}

/// A message that is of no place.
fn said<'d>(level: &'static str, message: &'d str) -> Message<'d> {
    Message {
        message_type: "diagnostic",
        message,
        code: None,
        level,
        spans: Vec::new(),
        children: Vec::new(),
        rendered: None,
    }
}

fn text(message: &Message<'_>) -> String {
    serde_json::to_string(message).expect("texts and numbers are JSON")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        _ => "error",
    }
}

fn place<'d>(span: &Span<'d>, is_primary: bool) -> Place<'d> {
    // A span does not go beyond the end of its line.
    let line = Line {
        text: span.text,
        highlight_start: span.start.1,
        highlight_end: span.end.1,
    };
    Place {
        file_name: span.file,
        byte_start: span.bytes.start,
        byte_end: span.bytes.end,
        line_start: span.start.0,
        line_end: span.end.0,
        column_start: span.start.1,
        column_end: span.end.1,
        is_primary,
        text: vec![line],
        label: Some(span.label).filter(|label| !label.is_empty()),
        suggested_replacement: None,
        suggestion_applicability: None,
    }
}

fn help(diagnostic: &Diagnostic) -> Option<Message<'_>> {
    let suggestion = diagnostic.suggestion();
    Some(Message {
        message_type: "diagnostic",
        message: diagnostic.hint()?,
        code: None,
        level: "help",
        spans: suggestion.iter().map(replaced).collect(),
        children: Vec::new(),
        rendered: None,
    })
}

fn replaced<'d>(suggestion: &Suggestion<'d>) -> Place<'d> {
    Place {
        suggested_replacement: Some(suggestion.replacement),
        suggestion_applicability: Some(match suggestion.is_certain {
            true => "MachineApplicable",
            false => "MaybeIncorrect",
        }),
        ..place(&suggestion.span, true)
    }
}
