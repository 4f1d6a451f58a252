//! `svcgen explain`.

use clap::Args;
use svcgen_codegen::{RuleRow, Severity};
use svcgen_compare::{CODES, Code};
use svcgen_language::naming::nearest;
use svcgen_language::rules::RULES;

use crate::console::Console;
use crate::exit::{Exit, Failure};

const EXAMPLES: &str = "\
Examples:
  svcgen explain SVC012
  svcgen explain parameter-added
  svcgen explain";

/// Explains a diagnostic, with a wrong and a right example, or a change that svcgen diff reports;
/// without a code, lists all
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The code of a diagnostic, such as SVC012 or 12, or of a change, such as parameter-added
    code: Option<String>,
}

/// Explains a rule or a kind of change, or lists all.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let Some(code) = &arguments.code else {
        return Ok(console.print(list()));
    };
    let change = || Code::of(code).map(explain_change);
    let explanation = rule(code).map(explain_rule).or_else(change);
    let explanation = explanation.ok_or_else(|| unknown(code))?;
    Ok(console.print(explanation))
}

/// Returns the rules of the language, then the rules of imports.
fn rules() -> impl Iterator<Item = &'static RuleRow> {
    RULES.iter().chain(svcgen_import::rules::RULES)
}

/// Returns the rule with a code, in any letter case, with or without leading `SVC` and zeros.
fn rule(code: &str) -> Option<&'static RuleRow> {
    let digits = code
        .trim()
        .trim_start_matches(['S', 's', 'V', 'v', 'C', 'c']);
    let number: u16 = digits.parse().ok()?;
    let code = format!("SVC{number:03}");
    rules().find(|row| row.code == code)
}

fn list() -> String {
    let rules = rules().map(|row| {
        let (code, kind, title) = (row.code, row.severity.name(), row.title);
        format!("{code}  {kind:7}  {title}\n")
    });
    let changes = CODES.iter().map(|row| {
        let (code, kind, title) = (row.code, row.class.name(), row.title);
        format!("{code:26}  {kind:13}  {title}\n")
    });
    rules.chain(["\n".to_owned()]).chain(changes).collect()
}

fn explain_rule(row: &RuleRow) -> String {
    let (wrong, output, right) = (indented(row.wrong), row.output, indented(row.right));
    let heading = heading(row.code, row.severity.name(), row.title, row.why);
    let (before, after) = match (row.is_of_wsdl, row.severity) {
        (true, Severity::Error) => ("WSDL", "Definition of such a service"),
        (true, _) => ("WSDL", "Imported"),
        (false, _) => ("Wrong", "Right"),
    };
    format!("{heading}\n{before}:\n\n{wrong}\n{output}\n\n{after}:\n\n{right}")
}

fn explain_change(code: Code) -> String {
    let row = code.row();
    let heading = heading(&code.to_string(), row.class.name(), row.title, row.why);
    let help = row.help.map(|help| format!("\nhelp: {help}\n"));
    heading + &help.unwrap_or_default()
}

fn heading(code: &str, kind: &str, title: &str, why: &str) -> String {
    format!("{code} ({kind}): {title}\n\n{why}\n")
}

fn indented(definition: &str) -> String {
    let shown = definition.replace('\0', "\u{2400}");
    shown.lines().map(|line| format!("    {line}\n")).collect()
}

fn unknown(code: &str) -> String {
    let changes = Code::all().map(|code| code.to_string());
    let rules = rules().map(|row| row.code.to_owned());
    let known: Vec<_> = rules.chain(changes).collect();
    match nearest(code, known.iter().map(String::as_str)) {
        Some(near) => format!("there is no code `{code}`; near it is `{near}`"),
        None => format!("there is no code `{code}`; `svcgen explain` lists all"),
    }
}
