//! The sessions in `crates/cli/README.md` and in the help are true.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::help::subcommands;
use crate::shell::shell;
use crate::svcgen;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// Returns the fenced blocks of a kind.
pub(crate) fn blocks<'t>(text: &'t str, kind: &str) -> Vec<&'t str> {
    let start = format!("```{kind}\n");
    let blocks = text.split(start.as_str()).skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

#[test]
fn the_sessions_go_as_they_are_shown() {
    let (readme, folder) = (readme(), tempfile::tempdir().unwrap());
    for definition in blocks(&readme, "yaml") {
        let (name, text) = definition
            .strip_prefix("# ")
            .unwrap()
            .split_once('\n')
            .unwrap();
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut code = 0;
    for session in blocks(&readme, "console") {
        let mut happened = String::new();
        for line in session.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let said;
            (code, said) = shell(folder.path(), code, line);
            happened.push_str(&format!("$ {line}\n{said}"));
        }
        assert_eq!(happened, session);
    }
}

#[test]
fn every_subcommand_has_a_section_in_the_order_of_the_help() {
    let readme = readme();
    let sections: Vec<_> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("## svcgen "))
        .collect();
    assert_eq!(sections, subcommands());
}

#[test]
fn exit_codes_are_those_of_the_help() {
    let help = svcgen(&[&"--help"]).stdout;
    let codes: Vec<_> = help
        .split("Exit codes:\n")
        .nth(1)
        .unwrap()
        .lines()
        .collect();
    let readme = readme();
    for line in &codes {
        let (code, meaning) = line.trim().split_once("  ").unwrap();
        assert!(
            readme.contains(&format!("| {code} | {meaning} |")),
            "{line}"
        );
    }
    assert_eq!(codes.len(), 6);
}

/// Returns the calls in the help of a subcommand, without their descriptions.
fn examples(subcommand: &str) -> Vec<String> {
    let help = svcgen(&[&subcommand, &"--help"]).stdout;
    let examples = help.split("Examples:\n").nth(1).unwrap();
    let lines = examples.lines().take_while(|line| !line.is_empty());
    let call = |line: &str| {
        line.trim()
            .split("   ")
            .next()
            .unwrap()
            .split("  ")
            .next()
            .unwrap()
            .to_owned()
    };
    lines.map(call).collect()
}

/// Creates the files that a call names: definitions, their WSDL, and folders for redirected output.
fn prepare(folder: &Path, call: &str) {
    let readme = readme();
    let definition = blocks(&readme, "yaml")[0];
    for wsdl in ["Orders.wsdl", "Service References/Orders"] {
        if call.contains(wsdl) {
            let mut file = folder.join(wsdl);
            if !wsdl.ends_with(".wsdl") {
                file = file.join("Orders.wsdl");
            }
            let source = folder.join("greeter.yaml");
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&source, definition).unwrap();
            let wsdl = svcgen(&[&"wsdl", &source]).stdout;
            fs::write(file, wsdl).unwrap();
            fs::remove_file(source).unwrap();
        }
    }
    let words = call
        .split([' ', '\'', ':'])
        .filter(|word| word.ends_with(".yaml") || *word == "draft");
    for word in words {
        let path = folder.join(word.replace("**/", "").replace('*', "greeter"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, definition).unwrap();
    }
    for word in call.split(' ').filter_map(|word| word.strip_prefix("~/")) {
        fs::create_dir_all(folder.join(word).parent().unwrap()).unwrap();
    }
}

#[test]
fn the_examples_of_the_help_can_be_called() {
    // These run forever or need a server, and a reader of manual pages may not be installed.
    let endless = [
        "call", "mock", "prove", "record", "replay", "shadow", "watch",
    ];
    let endless = endless.map(|name| format!("svcgen {name}"));
    let cannot = |call: &str| endless.iter().any(|start| call.starts_with(start.as_str()));
    let mut tried: HashMap<String, usize> = HashMap::new();
    for subcommand in subcommands() {
        for call in examples(&subcommand) {
            if cannot(&call) {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            prepare(folder.path(), &call);
            let call = call
                .replace(" | man -l -", "")
                .replace("$PROFILE", "profile")
                .replace("../svcgen", concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
            if subcommand == "diff" {
                shell(
                    folder.path(),
                    0,
                    "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm a && git tag v1.4.0 && git update-ref refs/remotes/origin/main HEAD",
                );
            }
            let (code, said) = shell(folder.path(), 0, &call);
            // The hosts of the examples cannot be reached.
            assert!(code < 2 || code == 4, "{call}: {code}: {said}");
            *tried.entry(subcommand.clone()).or_default() += 1;
        }
    }
    assert_eq!(
        tried.len(),
        subcommands().len() - endless.len(),
        "{tried:?}"
    );
}
