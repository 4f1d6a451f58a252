//! Prints scalars: plain where every YAML reader reads the same text back, otherwise quoted.

use svcgen_language::yaml::{Content, Node, ScalarStyle, can_be_block, scalar, value};

/// Writes a scalar on one line, plain or quoted as needed. `flow` is whether it is in a flow
/// collection.
pub(super) fn in_line(node: &Node, flow: bool) -> String {
    let Content::Scalar { text, style } = &node.content else {
        return String::new();
    };
    match style {
        ScalarStyle::Plain if !is_wrapped(node) => value(text, flow),
        _ => scalar(text, flow),
    }
}

/// Whether a scalar was written on several lines.
pub(super) fn is_wrapped(node: &Node) -> bool {
    node.end.line > node.start.line
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

/// Returns the lines of a multi-line scalar; `None` if they would not read back the same at every
/// indentation.
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
    // The content starts below the header; `start` is the offset of its first character that is not
    // white space.
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
