//! Completion in bash, which treats `=` and `:` as ends of words: clap's adapter loses the text
//! before them.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap_complete::engine::complete;
use clap_complete::env::EnvCompleter;

/// The variable with the command line up to the cursor.
const LINE: &str = "_SVCGEN_LINE";

/// The variable with the text that bash replaces by a candidate.
const WORD: &str = "_SVCGEN_WORD";

/// The separator of candidates.
const DIVIDER: char = '\x0b';

/// The adapter for bash, whose candidates are the text after the last end of a word.
pub(super) struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        variable: &str,
        name: &str,
        binary: &str,
        completer: &str,
        script: &mut dyn Write,
    ) -> io::Result<()> {
        let completer = shlex::try_quote(completer).map_err(io::Error::other)?;
        // Versions before 4 have no `compopt`, and those before 4.4 no `nosort`.
        write!(
            script,
            r#"_{name}() {{
    COMPREPLY=()
    IFS=$'\013' read -r -d '' -a COMPREPLY < <({LINE}="${{COMP_LINE:0:COMP_POINT}}" {WORD}="$2" {variable}=bash {completer} -- 2>/dev/null)
    if [[ "${{COMPREPLY-}}" =~ [=/:.]$ ]]; then
        compopt -o nospace 2>/dev/null
    fi
    return 0
}}
complete -o bashdefault -o nosort -F _{name} {binary} 2>/dev/null || complete -o bashdefault -F _{name} {binary}
"#
        )
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        answer: &mut dyn Write,
    ) -> io::Result<()> {
        let index = words.len().saturating_sub(1);
        let current = words[index].to_string_lossy().into_owned();
        let line = env::var(LINE).unwrap_or_default();
        let word = env::var(WORD).unwrap_or_default();
        let before = before(&current, &word);
        let is_quoted = shlex::split(&line).is_none();
        for (number, candidate) in complete(command, words, index, folder)?.iter().enumerate() {
            let candidate = candidate.get_value().to_string_lossy();
            let candidate = candidate.strip_prefix(before).unwrap_or(&candidate);
            if number > 0 {
                write!(answer, "{DIVIDER}")?;
            }
            let shown = if is_quoted {
                Cow::Borrowed(candidate)
            } else {
                quoted(candidate)
            };
            write!(answer, "{shown}")?;
        }
        Ok(())
    }
}

/// Returns the words up to the cursor, the last of which is being completed; `None` if another
/// shell asks.
pub(super) fn words() -> Option<Vec<OsString>> {
    let line = env::var(LINE).ok()?;
    // An added letter keeps the last word, which may be empty or in an open quote.
    let ends = ["x", "x'", "x\""];
    let mut words = ends
        .iter()
        .find_map(|end| shlex::split(&format!("{line}{end}")))?;
    words.last_mut()?.pop();
    Some(words.into_iter().map(OsString::from).collect())
}

/// Returns the part of a word before the text that bash replaces.
fn before<'w>(current: &'w str, replaced: &str) -> &'w str {
    let replaced = replaced.trim_start_matches(['\'', '"']);
    current.strip_suffix(replaced).unwrap_or_else(|| {
        let end = current.rfind(['=', ':']).map_or(0, |at| at + 1);
        &current[..end]
    })
}

/// Quotes a candidate for the shell. Brackets are not quoted: they stand for themselves unless they
/// match a file.
fn quoted(candidate: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-+.,/=:@%~[]".contains(letter);
    if candidate.chars().all(is_plain) {
        return Cow::Borrowed(candidate);
    }
    shlex::try_quote(candidate).unwrap_or(Cow::Borrowed(candidate))
}
