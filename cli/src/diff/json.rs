//! Changes for programs. `cli/README.md` says what each field is; fields are added and never change their meaning.

use std::collections::BTreeMap;

use serde::Serialize;
use svcgen_codegen::{Change, Class, Comparison, Effect, Spot};

#[derive(Serialize)]
struct Document<'c> {
    version: u32,
    old: &'c str,
    new: &'c str,
    /// How many changes there are of each class.
    classes: BTreeMap<&'static str, usize>,
    changes: Vec<ChangeRow<'c>>,
}

#[derive(Serialize)]
struct ChangeRow<'c> {
    code: &'c str,
    class: &'static str,
    what: &'c str,
    old: Option<Place<'c>>,
    new: Option<Place<'c>>,
    effects: Vec<EffectRow<'c>>,
    help: Option<&'c str>,
}

#[derive(Serialize)]
struct Place<'c> {
    file: &'c str,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct EffectRow<'c> {
    audience: &'static str,
    verdict: &'static str,
    class: &'static str,
    bindings: &'c [&'static str],
    operations: &'c [String],
    why: &'c str,
}

/// One JSON object and a line end.
pub(super) fn render(old: &str, new: &str, comparison: &Comparison) -> String {
    let changes = comparison.changes();
    let count = |class: Class| {
        changes
            .iter()
            .filter(|change| change.class() == class)
            .count()
    };
    let document = Document {
        version: 1,
        old,
        new,
        classes: Class::ALL
            .into_iter()
            .map(|class| (class.name(), count(class)))
            .collect(),
        changes: changes.iter().map(change).collect(),
    };
    let text = serde_json::to_string_pretty(&document).expect("texts and numbers are JSON");
    text + "\n"
}

fn change(change: &Change) -> ChangeRow<'_> {
    ChangeRow {
        code: &change.code,
        class: change.class().name(),
        what: &change.what,
        old: change.old.as_ref().map(place),
        new: change.new.as_ref().map(place),
        effects: change.effects.iter().map(effect).collect(),
        help: change.help.as_deref(),
    }
}

fn place(spot: &Spot) -> Place<'_> {
    Place {
        file: &spot.file,
        line: spot.line,
        column: spot.column,
    }
}

fn effect(effect: &Effect) -> EffectRow<'_> {
    EffectRow {
        audience: effect.audience.name(),
        verdict: effect.verdict.name(),
        class: effect.class().name(),
        bindings: &effect.bindings,
        operations: &effect.operations,
        why: &effect.why,
    }
}
