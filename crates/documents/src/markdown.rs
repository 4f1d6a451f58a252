//! Markdown (CommonMark with GitHub tables). All text of a definition is escaped.

use std::borrow::Borrow;
use std::fmt::{self, Write};

use svcgen_model::is_hidden;

use crate::escape::escaped;
use crate::prose::{Span, paragraphs, spans};

/// A document being written.
#[derive(Default)]
pub(crate) struct Markdown(String);

impl Markdown {
    pub fn put(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(text);
    }

    pub fn finish(self) -> String {
        let mut text = self.0;
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    /// Writes a heading with an anchor.
    pub fn heading(&mut self, level: usize, id: &str, text: &str) {
        let marks = "#".repeat(level);
        self.put(format_args!(
            "<a id=\"{}\"></a>\n\n{marks} {}\n\n",
            escaped(id),
            plain(text)
        ));
    }

    pub fn documentation(&mut self, documentation: Option<&str>) {
        for paragraph in paragraphs(documentation) {
            self.paragraph(&prose(&paragraph));
        }
    }

    pub fn paragraph(&mut self, markup: &str) {
        self.put(format_args!("{markup}\n\n"));
    }

    /// Writes a table with headings such as `| Path | |`.
    pub fn table<Row: AsRef<[Cell]>, Cell: Borrow<str>>(
        &mut self,
        headings: &str,
        rows: impl IntoIterator<Item = Row>,
    ) {
        let columns = headings.matches('|').count() - 1;
        self.put(format_args!("{headings}\n|{}\n", "---|".repeat(columns)));
        for row in rows {
            self.put(format_args!("| {} |\n", row.as_ref().join(" | ")));
        }
        self.put(format_args!("\n"));
    }

    /// Writes a fenced block, with a fence longer than any in the text.
    pub fn block(&mut self, language: &str, text: &str) {
        let longest = text.split(|c| c != '`').map(str::len).max();
        let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
        self.put(format_args!(
            "{fence}{language}\n{}\n{fence}\n\n",
            text.trim_end()
        ));
    }
}

/// Documentation on one line.
pub(crate) fn line(documentation: Option<&str>) -> String {
    let paragraphs = paragraphs(documentation);
    let lines: Vec<_> = paragraphs.iter().map(|text| prose(text)).collect();
    lines.join("<br>")
}

fn prose(paragraph: &str) -> String {
    let spans = spans(paragraph);
    let mut text: String = spans
        .into_iter()
        .map(|span| match span {
            Span::Text(text) => plain(text),
            Span::Code(text) => code(text),
        })
        .collect();
    if starts_a_list(&text) {
        let mark = text.find(['-', '+', '.', ')']).unwrap_or(0);
        text.insert(mark, '\\');
    }
    text
}

fn starts_a_list(text: &str) -> bool {
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.starts_with(['-', '+'])
        || (after_number.len() < text.len() && after_number.starts_with(['.', ')']))
}

/// Escapes text, and omits invisible characters.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '&' => plain.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' | ':' | '@' => {
                plain.push('\\');
                plain.push(character);
            }
            '\n' | '\r' => plain.push(' '),
            other if is_hidden(other) => {}
            other => plain.push(other),
        }
    }
    plain
}

/// A name or value as code.
pub(crate) fn code(text: &str) -> String {
    format!("`{}`", text.replace(is_hidden, "").replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        assert_eq!(
            plain("a_b <b> [x](y) | #"),
            "a\\_b &lt;b&gt; \\[x\\](y) \\| \\#"
        );
        assert_eq!(prose("- `a|b\u{202E}`\u{200F}"), "\\- `a\\|b`");
        assert_eq!(prose("12. x"), "12\\. x");
        assert_eq!(prose("12 x. y"), "12 x. y");
    }

    #[test]
    fn a_fence_is_longer_than_those_inside() {
        let mut markdown = Markdown::default();
        markdown.block("http", "```\nx");
        assert_eq!(markdown.finish(), "````http\n```\nx\n````\n");
    }
}
