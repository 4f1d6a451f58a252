//! The replacement of values in documents.

use roxmltree::Node;
use svcgen_wsdl::sources::parse_bounded;

use super::tag;

/// Replaces the values for which a function returns a new one for their name and recorded text.
/// `None` if the document cannot be read.
pub(crate) fn filled(
    text: &str,
    value: &mut dyn FnMut(&str, &str) -> Option<String>,
) -> Option<String> {
    let document = parse_bounded(text).ok()?;
    let mut parts = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        for attribute in node.attributes() {
            if let Some(now) = value(attribute.name(), attribute.value()) {
                parts.push((attribute.range_value(), escaped(&now)));
            }
        }
        if !super::is_leaf(node) {
            continue;
        }
        let range = node.range();
        let content = tag::content(&text[range.clone()]);
        if content.is_empty() {
            continue;
        }
        if let Some(now) = value(node.tag_name().name(), &super::text(node)) {
            let content = range.start + content.start..range.start + content.end;
            parts.push((content, escaped(&now)));
        }
    }
    let parts = parts.iter().map(|(range, now)| (range, now.as_str()));
    Some(super::skipped::replaced(text, parts))
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '"' => escaped += "&quot;",
            '\r' => escaped += "&#xD;",
            c => escaped.push(c),
        }
    }
    escaped
}
