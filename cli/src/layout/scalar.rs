//! Prints scalars: plain where every YAML reader reads the same text back, otherwise quoted.

use serde_json::Value;
use svcgen_codegen::yaml::{Content, Node, ScalarStyle};

/// Texts that YAML 1.1 or 1.2 reads as null, a boolean or a number.
const NO_TEXTS: [&str; 9] = [
    "null", "~", "true", "false", "yes", "no", "on", "off", ".nan",
];

/// Characters that a plain scalar cannot start with.
const INDICATORS: &[char] = &[
    '-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`',
    '=', '<',
];

/// A scalar on one line, plain or quoted as needed. `flow` is whether it is in a flow collection.
pub(super) fn in_line(node: &Node, flow: bool) -> String {
    let Content::Scalar { text, style } = &node.content else {
        return String::new();
    };
    let is_bare = *style == ScalarStyle::Plain && !is_wrapped(node);
    if is_bare || (is_plain(text, flow) && !is_taken_for_something_else(text)) {
        return text.clone();
    }
    if text.contains(['"', '\\']) && !text.chars().any(needs_escape) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    double_quoted(text)
}

/// Whether a scalar was written on several lines.
pub(super) fn is_wrapped(node: &Node) -> bool {
    node.end.line > node.start.line
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

/// Whether a character is a control character, invisible, or changes the text direction.
fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{FFFE}'..='\u{FFFF}')
}

fn double_quoted(text: &str) -> String {
    // A JSON string is a YAML string.
    let json = Value::from(text).to_string();
    let escaped = json.chars().map(|c| match c {
        c if needs_escape(c) => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    });
    escaped.collect()
}

/// A scalar in its original lines.
pub(super) struct Lines {
    /// The header of a block scalar, or the first line.
    pub first: String,
    /// The other lines, without their indentation.
    pub rest: Vec<String>,
    /// Whether it is a block scalar, as in `doc: |`.
    pub is_block: bool,
}

/// The lines of a multi-line scalar; `None` if they would not read back the same at every indentation.
pub(super) fn in_lines(node: &Node, source: &str) -> Option<Lines> {
    let Content::Scalar { text, style } = &node.content else {
        return None;
    };
    match style {
        ScalarStyle::Literal => block('|', node, text, source),
        ScalarStyle::Folded => block('>', node, text, source),
        _ if is_wrapped(node) => {
            let mut lines = source[node.start.byte..node.end.byte].lines();
            let first = lines.next()?.trim_end().to_owned();
            let rest: Vec<_> = lines.map(|line| line.trim().to_owned()).collect();
            // A lone carriage return ends a line as well, but few editors show it.
            if first.contains('\r') || rest.iter().any(|line| line.contains('\r')) {
                return None;
            }
            Some(Lines {
                first,
                rest,
                is_block: false,
            })
        }
        _ => None,
    }
}

fn block(style: char, node: &Node, text: &str, source: &str) -> Option<Lines> {
    if !can_be_block(text) {
        return None;
    }
    // The content starts below the header; `start` is that of its first line that is not empty.
    let empty = text.bytes().take_while(|byte| *byte == b'\n').count();
    let start = source[node.start.byte..].find(|c: char| !c.is_whitespace())? + node.start.byte;
    let start_of_line = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let inner = text[empty..]
        .bytes()
        .take_while(|byte| *byte == b' ')
        .count();
    let outer = (start - start_of_line).checked_sub(inner)?;
    let mut rest = vec![String::new(); empty];
    for line in source[start_of_line..].lines() {
        let content = line.trim_start_matches(' ');
        if !content.is_empty() && line.len() - content.len() < outer {
            break;
        }
        rest.push(line.get(outer..).unwrap_or_default().to_owned());
    }
    while rest.last().is_some_and(String::is_empty) {
        rest.pop();
    }
    let indicator = if inner > 0 { "2" } else { "" };
    let chomp = if text.ends_with('\n') { "" } else { "-" };
    Some(Lines {
        first: format!("{style}{indicator}{chomp}"),
        rest,
        is_block: true,
    })
}

/// Whether every reader reads a block scalar of this text back.
fn can_be_block(text: &str) -> bool {
    let is_clean = |line: &str| !line.ends_with(' ') && !line.chars().any(needs_escape);
    let body = text.strip_suffix('\n').unwrap_or(text);
    !body.is_empty() && !body.ends_with('\n') && body.split('\n').all(is_clean)
}
