//! Reports as text, for terminals.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::groups::{Finding, counted, first};
use super::{RESULTS, Replayed, Report, line};
use crate::likeness::Likeness;

impl Report {
    /// Writes a summary by operation, the requests that are not calls, and up to `max` differences
    /// beyond the accepted likeness, each once with the exchanges that have it.
    pub fn to_text(&self, accepted: Likeness, max: usize) -> String {
        let mut text = self.table();
        let others = self.not_calls();
        if !others.is_empty() {
            let count = counted(others.values().sum());
            let each = others.iter().map(|(call, count)| match count {
                1 => line(call),
                count => format!("{} ({count})", line(call)),
            });
            let each = first(&each.collect::<Vec<_>>());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\nnot a call, and not sent: {count}: {each}");
        }
        let groups = self.groups(accepted);
        let mut told = None;
        for group in groups.iter().take(max) {
            let made = group.made.map(|made| &made.name);
            if made.is_none() || made != told {
                let result = group.made.map_or(group.result, Replayed::result);
                let _ = writeln!(text, "\n{}: {result}", line(group.subject));
                for one in group.made.into_iter().flat_map(Replayed::told) {
                    let _ = writeln!(text, "  {}", line(&one));
                }
                told = made;
            }
            let _ = match group.finding {
                Finding::Uncompared(why) => writeln!(text, "  {}", line(why)),
                Finding::Difference(one) => writeln!(
                    text,
                    "  {} at {}\n    expected  {}\n    found     {}",
                    one.kind,
                    line(&one.place),
                    line(&one.expected),
                    line(&one.found)
                ),
            };
            if made.is_none() {
                let _ = writeln!(text, "  {}", line(&group.told()));
            }
        }
        if groups.len() > max {
            let _ = writeln!(text, "\n… and {} more", groups.len() - max);
        }
        for (note, count) in self.notes(accepted) {
            let _ = writeln!(text, "\nnote: {}: {}", counted(count), line(note));
        }
        for (heading, lines) in &self.sections {
            let _ = writeln!(text, "\n{heading}:");
            for one in lines {
                let _ = writeln!(text, "  {}", line(one));
            }
        }
        text
    }

    /// Returns the notes of exchanges that differ or have no answer, with the number of exchanges
    /// of each note.
    fn notes(&self, accepted: Likeness) -> BTreeMap<&str, usize> {
        let mut notes = BTreeMap::new();
        let told = self.exchanges().iter();
        let told = told.filter(|one| !one.is_fine(accepted) && one.asks.is_none());
        for note in told.flat_map(|one| &one.notes) {
            *notes.entry(note.as_str()).or_default() += 1;
        }
        notes
    }

    fn table(&self) -> String {
        let summary = self.summary();
        let names = summary.keys().map(|name| name.chars().count());
        let width = names.max().unwrap_or_default().max("operation".len());
        let mut text = format!("{:width$}", "operation");
        for result in RESULTS {
            let _ = write!(text, "  {result}");
        }
        text.push('\n');
        for (operation, counts) in summary {
            let _ = write!(text, "{:width$}", line(operation));
            for (result, count) in RESULTS.iter().zip(counts) {
                let _ = write!(text, "  {count:>width$}", width = result.len());
            }
            text.push('\n');
        }
        text
    }
}
