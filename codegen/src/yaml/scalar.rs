//! Writes scalars on one line: plain where every YAML reader reads the same text back, otherwise quoted.

use std::fmt::Write;

/// Texts that YAML 1.1 or 1.2 reads as null, a boolean or a number.
const NO_TEXTS: [&str; 9] = [
    "null", "~", "true", "false", "yes", "no", "on", "off", ".nan",
];

/// Characters that a plain scalar cannot start with.
const INDICATORS: &[char] = &[
    '-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`',
    '=', '<',
];

/// A text as a scalar on one line, plain or quoted as needed. `flow` is whether it is in a flow collection.
pub fn scalar(text: &str, flow: bool) -> String {
    if is_plain(text, flow) && !is_taken_for_something_else(text) {
        return text.to_owned();
    }
    if text.contains(['"', '\\']) && !text.chars().any(needs_escape) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    double_quoted(text)
}

/// Whether a text can be a plain scalar.
pub fn is_plain(text: &str, flow: bool) -> bool {
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

/// Whether every reader reads a block scalar of a text back.
pub fn can_be_block(text: &str) -> bool {
    let is_clean = |line: &str| !line.ends_with(' ') && !line.chars().any(needs_escape);
    let body = text.strip_suffix('\n').unwrap_or(text);
    !body.is_empty() && !body.ends_with('\n') && body.split('\n').all(is_clean)
}

/// Whether a character is a control character, invisible, or changes the text direction.
fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{FFFE}'..='\u{FFFF}')
}

/// A text in double quotes, with the escapes of JSON, whose strings are strings of YAML.
fn double_quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{C}' => quoted.push_str("\\f"),
            c if c < ' ' => _ = write!(quoted, "\\u{:04x}", u32::from(c)),
            c if needs_escape(c) => _ = write!(quoted, "\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
