//! For terminals.

use std::fmt::Write;

use super::{RESULTS, Report, line};
use crate::likeness::Likeness;

impl Report {
    /// A summary by operation, and the first differences beyond those that are accepted: `most` at most.
    pub fn to_text(&self, accepted: Likeness, most: usize) -> String {
        let mut text = self.table();
        let mut left = most;
        let mut untold = 0;
        for exchange in self.exchanges() {
            let differences = exchange
                .comparison()
                .into_iter()
                .flat_map(|one| &one.differences);
            let differences: Vec<_> = differences.filter(|one| one.likeness > accepted).collect();
            let why = exchange.why();
            let count = differences.len() + usize::from(why.is_some());
            if count == 0 {
                continue;
            }
            let told = count.min(left);
            untold += count - told;
            left -= told;
            if told == 0 {
                continue;
            }
            // Writing to a string cannot fail.
            let name = line(&exchange.name);
            let _ = writeln!(
                text,
                "\n{name} {} {}: {}",
                exchange.operation(),
                line(&exchange.call),
                exchange.result()
            );
            if let Some(why) = why {
                let _ = writeln!(text, "  {}", line(why));
            }
            for one in differences.into_iter().take(told) {
                let _ = writeln!(text, "  {} at {}", one.kind, line(&one.place));
                let _ = writeln!(text, "    expected  {}", line(&one.expected));
                let _ = writeln!(text, "    found     {}", line(&one.found));
            }
            for note in &exchange.notes {
                let _ = writeln!(text, "  note: {}", line(note));
            }
        }
        if untold > 0 {
            let _ = writeln!(text, "\n… and {untold} more");
        }
        text
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
