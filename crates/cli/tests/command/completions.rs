//! `svcgen completions`, and the candidates that shells get.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::help::subcommands;
use crate::{command, svcgen, svcgen_in};

const SHOP: &str = "
service: Shop
namespace: urn:shop
path: /Shop.asmx
headers: { Session: { type: SessionHeader } }
operations:
  Echo:
    doc: Says the same.
    parameters: { text: string?, urgent: boolean, tone: Tone }
    result: string?
  Order:
    bindings: [soap11, soap12]
    headers: { in: [Session] }
    parameters: { order: Order, password: { type: string?, secret: true } }
types:
  Order: { elements: { Note: string?, Tags: 'string[]?', Lines: 'Line[]?' } }
  Line: { elements: { Article: string, Count: int } }
  SessionHeader: { elements: { Token: { type: string?, secret: true }, Id: int } }
enums:
  Tone: [Plain, Friendly]
";

/// Creates a folder with a definition, its WSDL, a broken definition, and a file that is not a
/// definition.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("shop.yaml", SHOP);
    let wsdl = svcgen_in(folder.path(), &[&"wsdl", &"shop.yaml"], b"");
    put("shop.wsdl", &wsdl.stdout);
    put("broken.yaml", "service: [");
    put("my notes.txt", "nothing");
    folder
}

/// Returns the answer to a shell, by the protocol of its script.
fn answer(folder: &Path, shell: &str, words: &[&str]) -> String {
    let mut asked = command(&[]);
    asked
        .current_dir(folder)
        .env("SVCGEN_COMPLETE", shell)
        .env("_CLAP_IFS", "\n")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .args(["--", "svcgen"])
        .args(words);
    let answered = asked.output().unwrap();
    assert!(answered.stderr.is_empty(), "{words:?}: {answered:?}");
    String::from_utf8(answered.stdout).unwrap()
}

/// Returns the candidates of fish, without their descriptions.
fn offered(folder: &Path, words: &[&str]) -> Vec<String> {
    let answered = answer(folder, "fish", words);
    let candidate = |line: &str| line.split('\t').next().unwrap().to_owned();
    answered.lines().map(candidate).collect()
}

/// Returns the candidates of a real bash after a line whose last word it replaces.
fn in_bash(folder: &Path, line: &str, replaced: &str) -> Vec<String> {
    let script = svcgen(&[&"completions", &"bash"]).stdout;
    let asked = format!(
        "{script}\nfor word in $(complete -p svcgen); do [[ $word == _* ]] && name=$word; done\n\
         COMP_LINE=$1 COMP_POINT=${{#1}}\n$name svcgen \"$2\" ''\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let shell = Command::new("bash")
        .args(["-uc", &asked, "bash", line, replaced])
        .current_dir(folder)
        .output();
    let offered = String::from_utf8(shell.unwrap().stdout).unwrap();
    offered.lines().map(str::to_owned).collect()
}

#[test]
fn every_shell_has_a_script() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = svcgen(&[&"completions", &shell]);
        assert_eq!(script.code, Some(0), "{script:?}");
        assert!(script.stdout.contains("SVCGEN_COMPLETE"), "{script:?}");
        let offered = answer(Path::new("."), shell, &["gen"]);
        assert!(shell == "bash" || offered.contains("generate"), "{offered}");
    }
    let unknown = svcgen(&[&"completions", &"csh"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.stderr.contains("possible values: bash, "),
        "{unknown:?}"
    );
}

#[test]
fn subcommands_options_and_files_are_offered() {
    let folder = folder();
    let all = offered(folder.path(), &[""]);
    for subcommand in subcommands() {
        assert!(all.contains(&subcommand), "{subcommand}: {all:?}");
    }
    let offered = |words: &[&str]| offered(folder.path(), words);
    assert_eq!(offered(&["generate", "--che"]), ["--check"]);
    for subcommand in ["call", "check", "replay", "mock"] {
        let files = offered(&[subcommand, "s"]);
        assert!(files.contains(&"shop.yaml".to_owned()), "{files:?}");
        let files = offered(&[subcommand, "my"]);
        assert_eq!(files, ["my notes.txt"], "{subcommand}");
    }
}

#[test]
fn operations_parameters_and_values_are_those_of_the_definition() {
    let folder = folder();
    let told = answer(folder.path(), "fish", &["call", "shop.yaml", ""]);
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(
        lines,
        [
            "Echo\tSays the same.",
            "Order\tOrder(order: Order, password: string?)"
        ]
    );
    let told = answer(folder.path(), "zsh", &["call", "shop.yaml", "E"]);
    assert_eq!(told, "Echo:Says the same.");
    for (words, expected) in [
        (&["Echo", ""][..], &["text=", "urgent=", "tone="][..]),
        (&["Echo", "text=a", "t"], &["tone="]),
        (&["Echo", "tone="], &["tone=Plain", "tone=Friendly"]),
        (&["Echo", "urgent=t"], &["urgent=true"]),
        (&["Echo", "text="], &[]),
        (&["Echo", "nope="], &[]),
        (&["Order", ""], &["order.", "password="]),
        (&["Order", "order={}", ""], &["password="]),
        (
            &["Order", "order."],
            &["order.Note=", "order.Tags[0]=", "order.Lines[0]."],
        ),
        (
            &["Order", "order.Lines[0].Article=a", "order.Lines["],
            &["order.Lines[0].", "order.Lines[1]."],
        ),
        (
            &["Order", "order.Lines[0].Article=a", "order.Lines[0]."],
            &["order.Lines[0].Count="],
        ),
        (
            &["Order", "password="],
            &["password=env:", "password=file:", "password=prompt:"],
        ),
        (
            &["Order", "password=file:m"],
            &["password=file:my notes.txt"],
        ),
        (&["Order", "order=@m"], &["order=@my notes.txt"]),
        (&["Order", "@m"], &["@my notes.txt"]),
        (&["Order", "--binding", ""], &["soap11", "soap12"]),
        (&["--binding", "http"], &["http-get", "http-post"]),
        (
            &["Order", "--soap-header", "Session."],
            &["Session.Token=", "Session.Id="],
        ),
    ] {
        for file in ["shop.yaml", "shop.wsdl"] {
            // A WSDL does not mark secrets; values whose names resemble `password` are treated as
            // secret.
            let words = [&["call", file], words].concat();
            assert_eq!(offered(folder.path(), &words), expected, "{words:?}");
        }
    }
}

#[test]
fn what_cannot_be_read_has_no_candidates() {
    let folder = folder();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/Shop.asmx?wsdl", listener.local_addr().unwrap());
    for file in ["broken.yaml", "my notes.txt", "gone.yaml", &url] {
        assert!(offered(folder.path(), &["call", file, "E"]).is_empty());
        assert!(offered(folder.path(), &["call", file, "Echo", "t"]).is_empty());
        assert_eq!(
            offered(folder.path(), &["call", file, "--binding", "http"]),
            ["http-get", "http-post"]
        );
    }
    let asked = listener.accept();
    assert!(asked.is_err(), "{asked:?}");
}

#[test]
fn bash_completes_after_its_ends_of_words() {
    let folder = folder();
    let offered = |line: &str, replaced: &str| in_bash(folder.path(), line, replaced);
    assert_eq!(offered("svcgen gen", "gen"), ["generate"]);
    assert_eq!(offered("svcgen generate --che", "--che"), ["--check"]);
    assert_eq!(offered("svcgen call shop.yaml ", ""), ["Echo", "Order"]);
    let echo = "svcgen call shop.yaml Echo ";
    assert_eq!(offered(echo, ""), ["text=", "urgent=", "tone="]);
    assert_eq!(offered(&format!("{echo}text='a b' t"), "t"), ["tone="]);
    assert_eq!(offered(&format!("{echo}tone="), ""), ["Plain", "Friendly"]);
    assert_eq!(offered(&format!("{echo}tone=F"), "F"), ["Friendly"]);
    let order = "svcgen call --url http://localhost shop.yaml Order ";
    assert_eq!(offered(&format!("{order}password=e"), "e"), ["env:"]);
    assert_eq!(
        offered(&format!("{order}'order.Lines["), "order.Lines["),
        ["order.Lines[0]."]
    );
    assert_eq!(offered("svcgen check my", "my"), ["'my notes.txt'"]);
    assert_eq!(offered("svcgen check 'my", "my"), ["my notes.txt"]);
}
