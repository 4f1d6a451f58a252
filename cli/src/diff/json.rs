//! Changes for programs. `cli/README.md` says what each field is; fields are added and never change their meaning.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svcgen_compare::{Change, Class, Comparison, Effect, Span};
use svcgen_model::Binding;

/// One JSON object and a line end.
pub(super) fn render(old: &str, new: &str, comparison: &Comparison) -> String {
    let changes = comparison.changes();
    // How many changes there are of each class.
    let classes = Class::ALL.iter().map(|class| (class.name(), 0));
    let mut classes: BTreeMap<_, _> = classes.collect();
    for change in changes {
        *classes.entry(change.class().name()).or_default() += 1;
    }
    let document = json!({
        "version": 1,
        "old": old,
        "new": new,
        "classes": classes,
        "changes": changes.iter().map(change).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

fn change(change: &Change) -> Value {
    json!({
        "code": change.code.to_string(),
        "class": change.class().name(),
        "what": change.what,
        "old": change.old.as_ref().map(span),
        "new": change.new.as_ref().map(span),
        "effects": change.effects.iter().map(effect).collect::<Vec<_>>(),
        "help": change.help,
    })
}

fn span(span: &Span) -> Value {
    json!({ "file": span.file, "line": span.line, "column": span.column })
}

fn effect(effect: &Effect) -> Value {
    json!({
        "audience": effect.audience.name(),
        "verdict": effect.verdict.name(),
        "class": effect.class().name(),
        "bindings": effect.bindings.iter().map(Binding::key).collect::<Vec<_>>(),
        "operations": effect.operations,
        "why": effect.why,
    })
}
