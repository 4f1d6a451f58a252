//! Changes as text.

use std::fmt::Write;

use svcgen_compare::{Audience, Change, Class, Comparison, Effect, Verdict};

/// The maximum number of operations that an effect lists; of the rest, only the number is shown.
const MOST_OPERATIONS: usize = 3;

/// Renders the changes, the worst class first, and a summary.
pub(super) fn render(old: &str, new: &str, comparison: &Comparison) -> String {
    let mut out = format!("{old} -> {new}\n");
    let mut class = None;
    for change in comparison.changes() {
        if class.replace(change.class()) != Some(change.class()) {
            let _ = write!(out, "\n{}\n", heading(change.class()));
        }
        write_change(&mut out, change);
    }
    let _ = write!(out, "\n{}\n", summary(comparison));
    out
}

fn heading(class: Class) -> &'static str {
    match class {
        Class::Wire => "BREAKS CALLERS",
        Class::Depends => "MAY BREAK CALLERS",
        Class::Source => "BREAKS SOURCE CODE",
        Class::Rollout => "BREAKS NEW CLIENTS OF THE OLD SERVER",
        Class::Compatible => "BREAKS NOBODY",
        _ => "DOCUMENTATION",
    }
}

fn write_change(out: &mut String, change: &Change) {
    let _ = write!(out, "\n  {}  [{}]\n", change.what, change.code);
    for (side, span) in [("old", &change.old), ("new", &change.new)] {
        if let Some(span) = span {
            let (file, line, column) = (&span.file, span.line, span.column);
            let _ = writeln!(out, "    {side} {file}:{line}:{column}");
        }
    }
    for effect in &change.effects {
        let _ = writeln!(out, "    {}", sentence(effect));
    }
    if let Some(help) = &change.help {
        let _ = writeln!(out, "    help: {help}");
    }
}

/// `callers break over SOAP 1.1, SOAP 1.2 (Find, Save): refused`.
fn sentence(effect: &Effect) -> String {
    let who = match effect.audience {
        Audience::Callers => "callers",
        Audience::NewClients => "new clients of the old server",
        Audience::Implementors => "implementors of the handler",
        Audience::ClientUsers => "users of the Rust client",
        _ => "others",
    };
    let how = match effect.verdict {
        Verdict::Works => "work",
        Verdict::Depends => "may break",
        _ => "break",
    };
    let over = match effect.bindings {
        none if none.is_empty() => String::new(),
        bindings => format!(" over {bindings}"),
    };
    format!(
        "{who} {how}{over}{}: {}",
        operations(&effect.operations),
        effect.why
    )
}

fn operations(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST_OPERATIONS)].join(", ");
    match names.len() {
        0 => String::new(),
        1..=MOST_OPERATIONS => format!(" ({shown})"),
        count => format!(" ({shown} and {} more)", count - MOST_OPERATIONS),
    }
}

/// `3 changes: 1 wire, 2 source`.
fn summary(comparison: &Comparison) -> String {
    let changes = comparison.changes();
    if changes.is_empty() {
        return "no changes".to_owned();
    }
    let counts = Class::ALL.iter().filter_map(|class| {
        let of_class = changes.iter().filter(|change| change.class() == *class);
        let count = of_class.count();
        (count > 0).then(|| format!("{count} {}", class.name()))
    });
    let plural = if changes.len() == 1 { "" } else { "s" };
    let counts = counts.collect::<Vec<_>>().join(", ");
    format!("{} change{plural}: {counts}", changes.len())
}
