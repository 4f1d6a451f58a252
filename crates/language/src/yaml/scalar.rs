//! Writes scalars on one line: plain if every YAML reader reads the same text back, otherwise
//! quoted.

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

/// Writes a value of the language on one line: numbers and switches that every reader reads alike
/// are plain, everything else is a text.
pub fn value(text: &str, flow: bool) -> String {
    if is_number(text) || ["true", "false"].contains(&text) {
        return text.to_owned();
    }
    scalar(text, flow)
}

/// Writes a text as a scalar on one line, plain or quoted as needed. `flow` is whether it is in a
/// flow collection.
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
fn is_plain(text: &str, flow: bool) -> bool {
    !text.is_empty()
        && !text.starts_with(INDICATORS)
        && !text.starts_with("...")
        && !text.starts_with(' ')
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.chars().any(needs_escape)
        // PyYAML and yamllint refuse `?` there.
        && !(flow && text.contains([',', '[', ']', '{', '}', '?']))
}

/// Whether a text is the shortest form of a number, which no reader takes for an octal one or
/// rounds.
fn is_number(text: &str) -> bool {
    let is_shortest = |number: f64| number.is_finite() && number.to_string() == text;
    text.len() <= 15 && text != "-0" && text.parse().is_ok_and(is_shortest)
}

/// Whether a reader takes a plain scalar for null, a boolean, a number or a time, such as `1:20`
/// and `2026-11-28 10:00:00 Z`.
fn is_taken_for_something_else(text: &str) -> bool {
    let number = text.trim_start_matches(['+', '-', '.']);
    let lower = text.to_ascii_lowercase();
    let is_of_number = |c: char| c.is_ascii_hexdigit() || "xotz_.:+- ".contains(c);
    number.starts_with(|c: char| c.is_ascii_digit()) && lower.chars().all(is_of_number)
        || number.eq_ignore_ascii_case("inf")
        || NO_TEXTS.contains(&lower.as_str())
}

/// Whether every reader reads the same text back from a block scalar.
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

/// Writes a text in double quotes, with the escapes of JSON, whose strings are strings of YAML.
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
