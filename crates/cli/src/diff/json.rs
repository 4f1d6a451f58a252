//! Changes as JSON. `crates/cli/README.md` documents the fields; fields may be added, but no field
//! changes its meaning.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svcgen_compare::{Change, Class, Comparison, Effect, Span};
use svcgen_model::Binding;

/// Renders one JSON object and a newline.
pub(super) fn render(old: &str, new: &str, comparison: &Comparison) -> String {
    let changes = comparison.changes();
    let count = |class| {
        changes
            .iter()
            .filter(|change| change.class() == class)
            .count()
    };
    let classes = Class::ALL.iter().map(|class| (class.name(), count(*class)));
    let document = json!({
        "version": 1,
        "old": old,
        "new": new,
        "classes": classes.collect::<BTreeMap<_, _>>(),
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
