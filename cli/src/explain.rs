//! `svcgen explain`.

use clap::Args;
use svcgen_codegen::{RULES, RuleRow, rule};

use crate::console::Console;
use crate::exit::Exit;

const EXAMPLES: &str = "\
Examples:
  svcgen explain SVC012
  svcgen explain";

/// Explains a rule of the language, with an example wrong and right; or lists all rules
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The code that a message begins with, such as SVC012, or its number
    code: Option<String>,
}

/// Explains one rule, or lists all.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    match &arguments.code {
        None => console.print(RULES.iter().map(row).collect::<String>()),
        Some(code) => match rule(code) {
            Some(row) => console.print(explanation(row)),
            None => console.error(unknown(code)),
        },
    }
}

fn row(row: &RuleRow) -> String {
    format!("{}  {:7}  {}\n", row.code, row.severity.name(), row.title)
}

fn explanation(row: &RuleRow) -> String {
    let (code, kind, title, why) = (row.code, row.severity.name(), row.title, row.why);
    let (wrong, said, right) = (indented(row.wrong), row.said, indented(row.right));
    format!("{code} ({kind}): {title}\n\n{why}\n\nWrong:\n\n{wrong}\n{said}\n\nRight:\n\n{right}")
}

fn indented(definition: &str) -> String {
    let shown = definition.replace('\0', "\u{2400}");
    shown.lines().map(|line| format!("    {line}\n")).collect()
}

fn unknown(code: &str) -> String {
    let code = code.to_uppercase();
    let near: Vec<_> = RULES
        .iter()
        .map(|row| row.code)
        .filter(|known| strsim::damerau_levenshtein(&code, known) <= 1)
        .map(|code| format!("`{code}`"))
        .collect();
    match near.is_empty() {
        true => format!("there is no rule `{code}`; `svcgen explain` lists all"),
        false => format!("there is no rule `{code}`; near it are {}", near.join(", ")),
    }
}
