//! Splits markup into nodes.

use std::collections::HashMap;

/// The names of the innermost `depth` open elements of markup, outermost first; siblings with the
/// same name are numbered, as in `Row[3]`.
pub(super) fn open_elements(markup: &[u8], depth: usize) -> Vec<String> {
    let markup = String::from_utf8_lossy(markup);
    let (mut open, mut counts) = (Vec::new(), vec![HashMap::new()]);
    let mut at = 0;
    while let Some(before) = memchr::memchr(b'<', &markup.as_bytes()[at..]) {
        let rest = &markup[at + before..];
        let tag = &rest[..Nodes::tag(rest)];
        at += before + tag.len();
        if tag.starts_with("</") {
            open.pop();
            counts.pop();
        } else if let Some(length) = name_length(tag) {
            let name = &tag[1..=length];
            let name = name.rsplit(':').next().unwrap_or(name);
            let Some(beside) = counts.last_mut() else {
                break;
            };
            let number: &mut usize = beside.entry(name).or_default();
            *number += 1;
            if !tag.ends_with("/>") {
                open.push((name, *number));
                counts.push(HashMap::new());
            }
        }
    }
    let open = open.iter().skip(open.len().saturating_sub(depth));
    let open = open.map(|(name, number)| match number {
        1 => (*name).to_owned(),
        _ => format!("{name}[{number}]"),
    });
    open.collect()
}

/// The length of the name of the element that starts a node.
pub(super) fn name_length(node: &str) -> Option<usize> {
    let rest = node.strip_prefix('<')?;
    if rest.starts_with(['!', '?']) {
        return None;
    }
    rest.find([' ', '\t', '\n', '\r', '>', '/'])
}

/// The outermost nodes of well-formed content: elements, texts, comments, sections and
/// instructions.
pub(super) struct Nodes<'m> {
    markup: &'m str,
    at: usize,
}

impl<'m> Nodes<'m> {
    pub(super) fn new(markup: &'m str) -> Self {
        Self { markup, at: 0 }
    }

    /// The length of the tag, comment, section or instruction at the start of the rest.
    pub(super) fn tag(rest: &str) -> usize {
        let end = |end: &str| rest.find(end).map(|at| at + end.len());
        let length = if let Some(comment) = rest.strip_prefix("<!--") {
            comment.find("-->").map(|at| at + "<!---->".len())
        } else if rest.starts_with("<![CDATA[") {
            end("]]>")
        } else if rest.starts_with("<?") {
            end("?>")
        } else {
            let mut quote = None;
            let mut bytes = rest.bytes();
            let end = bytes.position(|byte| match (quote, byte) {
                (None, b'"' | b'\'') => {
                    quote = Some(byte);
                    false
                }
                (Some(open), _) if open == byte => {
                    quote = None;
                    false
                }
                (open, _) => open.is_none() && byte == b'>',
            });
            end.map(|at| at + 1)
        };
        length.unwrap_or(rest.len())
    }
}

impl Iterator for Nodes<'_> {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            let rest = &self.markup[self.at..];
            if rest.is_empty() {
                return (self.at > start).then_some(start..self.at);
            }
            if !rest.starts_with('<') {
                self.at += memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
            } else {
                let length = Self::tag(rest);
                let tag = &rest[..length];
                self.at += length;
                if tag.starts_with("</") {
                    depth = depth.saturating_sub(1);
                } else if !tag.starts_with("<!") && !tag.starts_with("<?") && !tag.ends_with("/>") {
                    depth += 1;
                }
            }
            if depth == 0 {
                return Some(start..self.at);
            }
        }
    }
}
