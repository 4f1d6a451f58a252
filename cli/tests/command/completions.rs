//! `svcgen completions`.

use std::process::Command;

use crate::help::subcommands;
use crate::svcgen;

#[test]
fn every_shell_is_told_every_subcommand_and_option() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let completions = svcgen(&[&"completions", &shell]);
        assert_eq!(completions.code, Some(0));
        for word in subcommands()
            .iter()
            .map(String::as_str)
            .chain(["extern-path"])
        {
            assert!(
                completions.stdout.contains(word),
                "{shell} is not told {word}"
            );
        }
    }
    let unknown = svcgen(&[&"completions", &"csh"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.stderr.contains("possible values: bash, "),
        "{unknown:?}"
    );
}

/// What bash offers after these words.
fn offered(words: &[&str]) -> Vec<String> {
    let script = svcgen(&[&"completions", &"bash"]).stdout;
    let (last, before) = words.split_last().unwrap();
    let call = format!(
        "{script}\nCOMP_WORDS=({}); COMP_CWORD={}\n_svcgen svcgen '{last}' '{}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        before.len(),
        before.last().unwrap()
    );
    let shell = Command::new("bash").args(["-uc", &call]).output().unwrap();
    let offered = String::from_utf8(shell.stdout).unwrap();
    offered.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_subcommands_and_options() {
    assert_eq!(offered(&["svcgen", "gen"]), ["generate"]);
    assert_eq!(offered(&["svcgen", "generate", "--che"]), ["--check"]);
}
