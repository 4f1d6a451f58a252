//! Reports as JUnit XML, for CI servers.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Outcome, Replayed, Report, escaped};
use crate::likeness::Likeness;

impl Report {
    /// Writes JUnit XML: a suite for each operation, a case for each exchange. An answer that is
    /// less alike than accepted is a failure, a missing answer is an error, and a request that is
    /// not a call is skipped.
    pub fn to_junit(&self, accepted: Likeness) -> String {
        let mut suites: BTreeMap<&str, Vec<&Replayed>> = BTreeMap::new();
        for exchange in self.exchanges() {
            suites
                .entry(exchange.operation())
                .or_default()
                .push(exchange);
        }
        let (count, differing, uncompared) = (
            self.exchanges().len(),
            self.differing(accepted),
            self.uncompared(),
        );
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{count}\" failures=\"{differing}\" errors=\"{uncompared}\">\n"
        );
        for (operation, exchanges) in suites {
            let suite = Self::new(exchanges.iter().copied().cloned().collect());
            let (failures, errors) = (suite.differing(accepted), suite.uncompared());
            let (name, count) = (escaped(operation), exchanges.len());
            let skipped = count - suite.calls().count();
            // Writing to a string cannot fail.
            let _ = writeln!(
                xml,
                "  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">"
            );
            for exchange in exchanges {
                case(exchange, accepted, &mut xml);
            }
            xml += "  </testsuite>\n";
        }
        for (heading, lines) in &self.sections {
            let (heading, lines) = (escaped(heading), lines.iter().map(|line| escaped(line)));
            let lines = lines.collect::<Vec<_>>().join("\n");
            let _ = writeln!(
                xml,
                "  <testsuite name=\"{heading}\" tests=\"0\">\n    <system-out>{lines}</system-out>\n  </testsuite>"
            );
        }
        xml + "</testsuites>\n"
    }
}

fn case(exchange: &Replayed, accepted: Likeness, xml: &mut String) {
    let (name, class) = (escaped(&exchange.name), escaped(exchange.operation()));
    let seconds = exchange.milliseconds / 1000.0;
    // Writing to a string cannot fail.
    let _ = write!(
        xml,
        "    <testcase name=\"{name}\" classname=\"{class}\" time=\"{seconds:.3}\""
    );
    match &exchange.outcome {
        Outcome::Compared(comparison) if comparison.likeness <= accepted => *xml += "/>\n",
        Outcome::Compared(comparison) => {
            let _ = write!(
                xml,
                ">\n      <failure message=\"{}\">",
                comparison.likeness
            );
            if let Some(asks) = &exchange.asks {
                let _ = writeln!(xml, "{}", escaped(asks));
            }
            for one in exchange.differences_beyond(accepted) {
                let _ = writeln!(xml, "{}", escaped(&one.to_string()));
            }
            *xml += "</failure>\n    </testcase>\n";
        }
        Outcome::NotACall => {
            let call = escaped(&exchange.call);
            let _ = writeln!(
                xml,
                ">\n      <skipped message=\"not a call: {call}\"/>\n    </testcase>"
            );
        }
        Outcome::Unanswered(why) | Outcome::Unsent(why) => {
            let why = escaped(why);
            let _ = writeln!(
                xml,
                ">\n      <error message=\"{}: {why}\"/>\n    </testcase>",
                exchange.result()
            );
        }
    }
}
