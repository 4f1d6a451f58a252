//! The text of documentation: paragraphs, with `code` in backquotes.

/// A part of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span<'t> {
    Text(&'t str),
    Code(&'t str),
}

/// The paragraphs of documentation, each on one line.
pub(crate) fn paragraphs(documentation: Option<&str>) -> Vec<String> {
    let lines = documentation.unwrap_or_default().lines();
    let lines: Vec<_> = lines.map(str::trim).collect();
    let paragraphs = lines.split(|line| line.is_empty());
    let paragraphs = paragraphs.filter(|lines| !lines.is_empty());
    paragraphs.map(|lines| lines.join(" ")).collect()
}

/// The parts of a paragraph; a backquote without a partner is text.
pub(crate) fn spans(paragraph: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut rest = paragraph;
    while let Some((text, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else {
            break;
        };
        spans.push(Span::Text(text));
        match code.trim() {
            "" => spans.push(Span::Text("``")),
            code => spans.push(Span::Code(code)),
        }
        rest = after;
    }
    spans.push(Span::Text(rest));
    spans.retain(|span| *span != Span::Text(""));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_part_paragraphs() {
        assert!(paragraphs(None).is_empty());
        assert_eq!(
            paragraphs(Some("\n a\n  b\n\n\nc \n")),
            ["a b".to_owned(), "c".to_owned()]
        );
    }

    #[test]
    fn backquotes_in_pairs_are_code() {
        assert_eq!(
            spans("`None` when ` it"),
            [Span::Code("None"), Span::Text(" when ` it")]
        );
        assert_eq!(spans("``"), [Span::Text("``")]);
    }
}
