//! How a text is written: without quotes where it reads back the same, and for every other reader of YAML too.

use granit_parser::ScalarStyle;

use super::WIDTH;
use super::tree::Scalar;

/// What YAML 1.1 or 1.2 takes for something else than a text.
const NO_TEXTS: [&str; 9] = [
    "null", "~", "true", "false", "yes", "no", "on", "off", ".nan",
];

/// What a text cannot start with where it stands without quotes.
const INDICATORS: &[char] = &[
    '-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`',
    '=', '<',
];

/// A text in one line: without quotes, or in the quotes that it needs. `flow` says whether it stands in braces.
pub(super) fn in_line(scalar: &Scalar, flow: bool) -> String {
    let text = &scalar.text;
    let is_bare = scalar.style == ScalarStyle::Plain && !scalar.wrapped;
    if is_bare || (is_plain(text, flow) && !is_taken_for_something_else(text)) {
        return text.clone();
    }
    match text.contains(['"', '\\']) && !text.chars().any(needs_escape) {
        true => format!("'{}'", text.replace('\'', "''")),
        false => double_quoted(text),
    }
}

/// Whether a text can stand without quotes.
fn is_plain(text: &str, flow: bool) -> bool {
    !text.is_empty()
        && !text.starts_with(INDICATORS)
        && !text.starts_with("...")
        && !text.starts_with(' ')
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.chars().any(needs_escape)
        && !(flow && (text.contains([',', '[', ']', '{', '}']) || text.contains(":?")))
}

fn is_taken_for_something_else(text: &str) -> bool {
    let number = text.trim_start_matches(['+', '-', '.']);
    let lower = text.to_ascii_lowercase();
    number.starts_with(|c: char| c.is_ascii_digit())
        || number.eq_ignore_ascii_case("inf")
        || matches!(lower.as_str(), "y" | "n")
        || NO_TEXTS.contains(&lower.as_str())
}

/// Control characters, and those that hide or turn what stands around them.
fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{FFFE}'..='\u{FFFF}')
}

fn double_quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if needs_escape(c) => match u32::from(c) {
                code @ 0..=0xFF => quoted.push_str(&format!("\\x{code:02X}")),
                code @ 0x100..=0xFFFF => quoted.push_str(&format!("\\u{code:04X}")),
                code => quoted.push_str(&format!("\\U{code:08X}")),
            },
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A text in lines of its own, as in `doc: |`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// `|`, `>-`.
    pub header: String,
    pub lines: Vec<String>,
}

/// The block of a text that was written in several lines and does not fit into one; `indent` is that of its lines, `room` what is
/// left of the line that it would stand in.
pub(super) fn in_block(scalar: &Scalar, indent: usize, room: usize) -> Option<Block> {
    let text = &scalar.text;
    let is_block = matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded);
    let fits = !text.contains('\n') && in_line(scalar, false).chars().count() <= room;
    if !can_be_block(text) || (!is_block && (fits || !scalar.wrapped)) {
        return None;
    }
    let (body, chomp) = match text.strip_suffix('\n') {
        Some(body) => (body, ""),
        None => (text.as_str(), "-"),
    };
    let can_fold = !body.lines().any(|line| line.starts_with(' '));
    let is_folded = scalar.style == ScalarStyle::Folded || (!is_block && !text.contains('\n'));
    if can_fold && is_folded {
        let lines = fold(body, WIDTH.saturating_sub(indent));
        return Some(Block {
            header: format!(">{chomp}"),
            lines,
        });
    }
    let first = body
        .lines()
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let indicator = if first.starts_with(' ') { "2" } else { "" };
    let lines = body.split('\n').map(str::to_owned).collect();
    Some(Block {
        header: format!("|{indicator}{chomp}"),
        lines,
    })
}

/// Whether every reader gives a block's text back: line ends alone are no characters of its own.
fn can_be_block(text: &str) -> bool {
    let is_clean = |line: &str| !line.ends_with(' ') && !line.chars().any(needs_escape);
    let body = text.strip_suffix('\n').unwrap_or(text);
    !body.is_empty() && !body.ends_with('\n') && body.split('\n').all(is_clean)
}

/// Fills lines with the words of each line of a text; an end of a line in the text is an empty line more.
fn fold(body: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, paragraph) in body.split('\n').enumerate() {
        if number > 0 {
            lines.push(String::new());
        }
        if !paragraph.is_empty() {
            lines.extend(fill(paragraph, width));
        }
    }
    lines
}

fn fill(paragraph: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words(paragraph) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The parts between single spaces; longer gaps stay within a part, since a line cannot end there.
fn words(paragraph: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let bytes = paragraph.as_bytes();
    for (at, _) in paragraph.match_indices(' ') {
        let is_single =
            at > 0 && bytes[at - 1] != b' ' && bytes.get(at + 1).is_some_and(|next| *next != b' ');
        if is_single {
            words.push(&paragraph[start..at]);
            start = at + 1;
        }
    }
    words.push(&paragraph[start..]);
    words
}
