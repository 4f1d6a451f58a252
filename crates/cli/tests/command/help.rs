//! The help of the command.

use svcgen_codegen::{OPTIONS, OptionForm};

use crate::svcgen;

/// Returns the subcommands in the help of the command.
pub(crate) fn subcommands() -> Vec<String> {
    let help = svcgen(&[&"--help"]).stdout;
    let list = help
        .split("Commands:\n")
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
    // Continued lines are indented deeper.
    list.lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .filter(|subcommand| subcommand != "help")
        .collect()
}

#[test]
fn every_subcommand_has_an_example_and_the_exit_codes_are_told_once() {
    let all = svcgen(&[&"--help"]).stdout;
    assert!(all.contains("\nExit codes:\n  0 "), "{all}");
    let subcommands = subcommands();
    assert!(
        subcommands.contains(&"generate".to_owned()),
        "{subcommands:?}"
    );
    for subcommand in subcommands {
        let help = svcgen(&[&subcommand, &"--help"]);
        assert_eq!(help.code, Some(0));
        assert!(
            help.stdout.contains(&format!("\n  svcgen {subcommand}")),
            "{help:?}"
        );
        assert!(!help.stdout.contains("Exit codes:"), "{help:?}");
        let width = help.stdout.lines().map(|line| line.chars().count()).max();
        assert!(width <= Some(80), "{width:?}: {help:?}");
    }
}

#[test]
fn options_of_the_code_show_how_their_values_are_written() {
    let help = svcgen(&[&"generate", &"--help"]).stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for option in OPTIONS {
        let shown = match option.form {
            OptionForm::Switch => format!("--{} <true|false>", option.name),
            _ => format!("[example: {}]", option.example),
        };
        assert!(help.contains(&shown), "{shown}: {help}");
    }
}

#[test]
fn options_of_the_code_are_shown_once_and_taken_where_there_is_code() {
    for command in subcommands() {
        let help = svcgen(&[&command, &"--help"]).stdout;
        let refers = help.contains("see `svcgen generate --help`");
        let is_of_code = ["check", "watch", "diff"].contains(&command.as_str());
        assert_eq!(refers, is_of_code, "{help}");
        let shows = help.contains("--extern-path");
        assert_eq!(shows, command == "generate", "{help}");
        let given = svcgen(&[&command, &"--extern-path", &"int=i32", &"--help"]);
        let is_taken = refers || shows;
        assert_eq!(given.code, Some(if is_taken { 0 } else { 2 }), "{given:?}");
    }
}

#[test]
fn options_about_soap_headers_stand_apart() {
    for command in ["call", "prove", "mock"] {
        let help = svcgen(&[&command, &"--help"]).stdout;
        let lines = help.lines().skip_while(|line| *line != "SOAP headers:");
        let section = lines
            .skip(1)
            .take_while(|line| !line.ends_with(':') || line.starts_with(' '));
        let options = section.filter(|line| line.trim_start().starts_with("--"));
        let options: Vec<_> = options.map(str::trim_start).collect();
        assert_eq!(options.len(), 4, "{options:?}");
        let starts = ["--soap-header", "--understand", "--ws-"];
        let is_of_headers = |option: &&str| starts.iter().any(|start| option.starts_with(start));
        assert!(options.iter().all(is_of_headers), "{options:?}");
    }
}

#[test]
fn wrong_calls_end_with_2() {
    for arguments in [
        &[] as &[&str],
        &["generate"],
        &["regenerate"],
        &["check", "--frobnicate", "a.yaml"],
    ] {
        let arguments: Vec<&dyn AsRef<std::ffi::OsStr>> =
            arguments.iter().map(|a| a as _).collect();
        let ended = svcgen(&arguments);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains("Usage: svcgen"), "{ended:?}");
    }
}
