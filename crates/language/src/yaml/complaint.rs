//! Diagnostics of text that is not YAML.

use std::ops::Range;

use granit_parser::ErrorKind;

use crate::rules::Rule;
use crate::sink::{Pending, PendingSpan, Sink};

/// The maximum number of nodes of a file with aliases followed.
pub(super) const MOST_NODES: usize = 500_000;

/// The maximum depth of nested lists and maps with aliases followed: readers of the tree may
/// recurse.
pub(super) const MOST_NESTED: usize = 128;

/// The maximum number of characters of a key before its `:`.
const MOST_IN_KEY: usize = 1024;

/// A list or map that is being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub start: usize,
    pub flow: bool,
}

/// An offset at which the parser refuses the text, and the state of reading there.
pub(super) struct Complaint<'t> {
    pub text: &'t str,
    pub at: usize,
    /// The end of the last token that was read.
    pub read: usize,
    /// The innermost list or map around it.
    pub open: Option<Open>,
}

impl Complaint<'_> {
    pub fn empty(&self, sink: &mut Sink) {
        let hint = "every definition says `service: NAME`, `namespace: URI`, `path: /PATH` and its `operations`";
        add(sink, "the definition is empty", self.at..self.at, hint);
    }

    pub fn too_deep(&self, sink: &mut Sink) {
        let hint = format!("lists and maps go {MOST_NESTED} deep at most");
        self.token_is(sink, "the definition is nested too deep", hint);
    }

    pub fn too_many_nodes(&self, sink: &mut Sink) {
        let message = format!("a definition has at most {MOST_NODES} nodes");
        let hint = "each key, each value and each item is one; an alias repeats all that it names";
        self.token_is(sink, message, hint);
    }

    pub fn alias_of_itself(&self, sink: &mut Sink) {
        let message = format!("`{}` stands within what it repeats", self.written());
        self.token_is(
            sink,
            message,
            "`*name` repeats a value that ends before it: write this one out",
        );
    }

    pub fn tag(&self, sink: &mut Sink) {
        let rest = &self.text[self.at..];
        let end = if rest.starts_with("!<") {
            rest.find('>').map(|at| at + 1)
        } else {
            rest.find(|c: char| c.is_whitespace() || ",[]{}".contains(c))
        };
        let line = self.line(self.at).end - self.at;
        let tag = &rest[..end.unwrap_or(line).min(line)];
        let message = format!("the YAML tag `{tag}` means nothing here");
        let hint = "leave it out; text that starts with `!` stands in quotes";
        add(sink, message, self.at..self.at + tag.len(), hint);
    }

    pub fn second_document(&self, sink: &mut Sink) {
        let hint = "a definition is one document: put what follows into a file of its own";
        self.token_is(sink, "the file holds more than one YAML document", hint);
    }

    pub fn nothing(&self, sink: &mut Sink) {
        self.other(&ErrorKind::ExpectedNodeContent, sink);
    }

    /// Reports an error of the parser.
    pub fn syntax(&self, kind: &ErrorKind, sink: &mut Sink) {
        use ErrorKind as E;
        let is_tab = |at: &usize| self.indent(*at).contains('\t');
        let line_beneath = self.line(self.line(self.at).end + 1).start;
        match kind {
            E::TabInPlainScalar | E::TabAtBlockScalarStart if is_tab(&line_beneath) => {
                tab(sink, self.indent_span(line_beneath));
            }
            _ if is_tab(&self.at) && self.line_before().trim().is_empty() => {
                tab(sink, self.indent_span(self.at));
            }
            E::TabNotAllowed | E::TabInPlainScalar | E::TabAtBlockScalarStart => {
                let hint = "write blanks in its place, or quotes around the text";
                self.token_is(sink, "a tab stands where YAML has none", hint);
            }
            _ if self.long_key(sink) => {}
            E::UnexpectedCharacter { .. } | E::PlainScalarStartsWithDashFlowIndicator => {
                self.indicator(sink);
            }
            E::UnclosedQuotedScalar
            | E::DocumentIndicatorInQuotedScalar
            | E::InvalidQuotedScalarIndent => self.unclosed_quotes(sink),
            E::UnknownQuotedScalarEscape
            | E::InvalidQuotedScalarHexEscape
            | E::InvalidLowSurrogateHexEscape
            | E::InvalidLowSurrogate
            | E::MissingLowSurrogate
            | E::UnpairedLowSurrogate
            | E::InvalidUnicodeEscape => self.escape(sink),
            E::InvalidTrailingSingleQuotedScalar | E::InvalidTrailingDoubleQuotedScalar => {
                match self.open {
                    Some(Open { flow: true, .. }) => self.flow(sink),
                    _ => self.behind_value(sink),
                }
            }
            E::MappingValueNotAllowed => self.second_colon(sink),
            E::SimpleKeyExpected | E::InvalidSimpleKey => self.missing_colon(self.at, sink),
            E::ExpectedBlockMappingKey => self.block_map(sink),
            E::ExpectedFlowMappingSeparator
            | E::ExpectedFlowSequenceSeparator
            | E::FlowMappingValueAdjacentCollection
            | E::InvalidColonPlacement => self.flow(sink),
            E::UnclosedFlowCollection { .. } => self.unclosed(self.character(self.at), sink),
            E::MismatchedFlowCollectionEnd { close, .. } => self.closed_wrong(*close, sink),
            E::ExpectedDocumentStart if self.read > 0 => self.behind_value(sink),
            // A tag has no effect in any case.
            _ if self.text[self.at..].starts_with('!') => self.tag(sink),
            E::RecursionLimitExceeded => self.too_deep(sink),
            _ => self.other(kind, sink),
        }
    }

    fn other(&self, kind: &ErrorKind, sink: &mut Sink) {
        use ErrorKind as E;
        let nothing = "`{}` stands here for nothing";
        let (message, hint) = match kind {
            E::BlockSequenceEntryNotAllowed => (
                "a list cannot start here",
                "start its items on lines of their own, beneath the key, or write them as `[a, b]`",
            ),
            E::BlockEntryInFlowCollection => (
                nothing,
                "between brackets and braces items have no `-`: write `[a, b]`",
            ),
            E::ExpectedBlockSequenceEntry => (
                "this line does not belong to the list above",
                "the lines of a list start with `- `, those of a map with `key:`; a value is one of both",
            ),
            E::UnknownAnchor => (
                "there is nothing before this that `{}` could repeat",
                "`&name` before a value gives it a name, `*name` repeats it; text that starts with `*` stands in quotes",
            ),
            E::MissingAnchorOrAliasName => (
                nothing,
                "`&name` before a value gives it a name, `*name` repeats it; text that starts with either stands in quotes",
            ),
            E::ZeroBlockScalarIndent | E::InvalidBlockScalarHeader => (
                "text in lines of its own does not start with `{}`",
                "behind `|` or `>` stands nothing but a comment: the text goes on the lines beneath, in a deeper column",
            ),
            E::InvalidBlockScalarIndent => (
                "this line is not as deep as the text that it belongs to",
                "the lines of a text start in the column of its first one, or in a deeper one",
            ),
            E::CommentNotSeparated => (
                "no blank stands before this comment",
                "a comment starts with a blank and `#`; text that holds ` #` stands in quotes",
            ),
            E::CommentInterceptedScalar => (
                "a comment stands within this text",
                "put it above the text, or write the text on the lines beneath `|`",
            ),
            E::InvalidDocumentEnd => (
                "`{}` stands behind the end of the document",
                "`...` at the start of a line ends it; text that starts with it stands in quotes",
            ),
            E::ExpectedDocumentStart => (
                "this stands where `---` should",
                "`---` separates lines that start with `%` from the definition: leave these out, or write it",
            ),
            E::UnsupportedYamlMajorVersion => (
                "this version of YAML is not supported",
                "leave the line out, or write `%YAML 1.2`",
            ),
            _ if self.text[self.line(self.at)].starts_with('%') => (
                "this directive of YAML is unknown",
                "a line that starts with `%` is none of the definition: leave it out",
            ),
            _ => (nothing, "text that starts with it stands in quotes"),
        };
        self.token_is(sink, message.replace("{}", self.written()), hint);
    }

    fn indicator(&self, sink: &mut Sink) {
        let rest = &self.text[self.at..self.line(self.at).end];
        let end = rest.find([',', '}', ']']).unwrap_or(rest.len());
        let value = rest[..end].trim_end();
        let first = value.chars().next().unwrap_or_default();
        let message = format!("a text cannot start with `{}`", first.escape_default());
        let pending = add(
            sink,
            message,
            self.at..self.at + value.len(),
            "put it in quotes",
        );
        if !value.contains(['"', '\\']) && !first.is_whitespace() {
            pending.fix(value, format!("\"{value}\""));
        }
    }

    fn unclosed_quotes(&self, sink: &mut Sink) {
        // The parser returns their start, or the line on which they should have been closed.
        let quotes = if self.text[self.at..].starts_with(['"', '\'']) {
            Some(self.at)
        } else {
            let unread = self.text.get(self.read..self.at).unwrap_or_default();
            unread.find(['"', '\'']).map(|at| self.read + at)
        };
        let start = quotes.unwrap_or(self.at);
        let quote = self.text[start..].chars().next().unwrap_or('"');
        let message = "the quotes that open here are never closed";
        let hint = format!("close them with `{quote}`");
        add(sink, message, self.token(start), hint);
    }

    /// Reports an escape in the double quotes that start here.
    fn escape(&self, sink: &mut Sink) {
        let rest = &self.text[self.at..];
        let mut escapes = rest.match_indices('\\').map(|(at, _)| at);
        let mut next = escapes.next();
        while let Some(at) = next.filter(|at| is_escape(&rest[at + 1..])) {
            next = escapes.find(|other| *other > at + 1);
        }
        let at = self.at + next.unwrap_or_default();
        let letter = at + 1 + self.character(at + 1).len();
        let message = "`\\` starts an escape that YAML does not have";
        let hint =
            "in single quotes `\\` stands for itself: `'a\\b'`; in double quotes write `\\\\`";
        let quotes = PendingSpan::Text(self.token(self.at));
        add(sink, message, at..letter.min(self.text.len()), hint).other(quotes, "in these quotes");
    }

    /// Reports a `: ` where no key is expected: after another one, or because the line before is
    /// not a map.
    fn second_colon(&self, sink: &mut Sink) {
        let line = self.line(self.at);
        let written = &self.text[line.clone()];
        if let Some(first) = self.text[line.start..self.at].find(": ") {
            let value = written[first + 2..].trim();
            let start = line.start + written.find(value).unwrap_or_default();
            return two_values(value, start..start + value.len(), sink);
        }
        let before = self.text[..line.start].trim_end();
        let line_before = self.line(before.len());
        if !self.text[line_before.clone()].contains(':') && !before.is_empty() {
            return self.missing_colon(line_before.start, sink);
        }
        let message = "this line belongs beneath a key, and the line before has its value already";
        let hint = "lines of one map start in the same column";
        add(sink, message, self.content(line.start), hint);
    }

    /// Reports a `:` after a text that is too long for a key. Returns whether there is one.
    fn long_key(&self, sink: &mut Sink) -> bool {
        let span = self.line(self.at);
        let line = &self.text[span.clone()];
        let colon = if self.text[self.at..].starts_with(':') {
            Some(self.at - span.start)
        } else {
            line.find(": ").or(line.strip_suffix(':').map(str::len))
        };
        let before = line[..colon.unwrap_or_default()].trim_end();
        let opening = before
            .strip_suffix(['"', '\''])
            .and_then(|quoted| quoted.rfind(&before[quoted.len()..]));
        let key_start = match (opening, self.open) {
            (Some(quotes), _) => quotes,
            (None, Some(Open { flow: true, .. })) => {
                before.rfind(['[', '{', ',']).map_or(0, |at| at + 1)
            }
            (None, _) => 0,
        };
        let key = before[key_start..].trim_start_matches(['-', ' ']);
        let length = key.chars().count();
        let is_key = length > MOST_IN_KEY && (opening.is_some() || !key.contains(": "));
        if is_key {
            let end = span.start + before.len();
            let message =
                format!("a key has at most {MOST_IN_KEY} characters, and this has {length}");
            let hint = "give it a shorter name; text that holds `: ` stands in quotes";
            add(sink, message, end - key.len()..end, hint);
        }
        is_key
    }

    fn missing_colon(&self, at: usize, sink: &mut Sink) {
        let span = self.content(at);
        let written = &self.text[span.clone()];
        let key = &written[..token_length(written)];
        let message = format!("`{key}` has no `:` behind it");
        let hint =
            format!("a key is written `{key}:`, its value behind a blank or on the lines beneath");
        add(sink, message, span, hint)
            .fix(key, format!("{key}:"))
            .certain(false);
    }

    /// Reports text that does not start in the column of its map, or follows a complete value.
    fn block_map(&self, sink: &mut Sink) {
        let before = self.line_before();
        if !before.trim_matches([' ', '-']).is_empty() {
            return self.behind_value(sink);
        }
        let message = "this line starts in a column of its own";
        let hint = "lines of one map start in the same column, those beneath a key in a deeper one";
        let span = self.content(self.line(self.at).start);
        let pending = add(sink, message, span, hint);
        if let Some(open) = self.open {
            let start = PendingSpan::Text(self.token(open.start));
            pending.other(start, "the map around it starts here");
        }
    }

    /// Reports text after a complete value.
    fn behind_value(&self, sink: &mut Sink) {
        let line = self.line(self.at);
        let before = self.line_before();
        let key = before.find(": ").map_or(0, |at| at + 2);
        let value = self.text[line.start + key..line.end].trim_start();
        let start = line.end - value.len();
        let value = value.trim_end();
        if !value.starts_with(['"', '\'']) {
            let message = "nothing can stand behind a value that is complete";
            let hint =
                "a value is one text, one list or one map; an alias is one without anchor and tag";
            add(sink, message, self.content(self.at), hint);
            return;
        }
        let message = "nothing can stand behind closing quotes";
        let hint = "take all of it into the quotes";
        let bare = value.replace(['"', '\''], "");
        if value.contains('\\') {
            add(sink, message, self.at..line.end, hint);
        } else {
            add(sink, message, start..start + value.len(), hint).fix(value, format!("\"{bare}\""));
        }
    }

    /// Reports an error between brackets or braces.
    fn flow(&self, sink: &mut Sink) {
        let Some(Open { start, .. }) = self.open else {
            return self.nothing(sink);
        };
        let is_here = self.line(start) == self.line(self.at);
        match self.text[self.at..].chars().next() {
            Some('[') => self.brackets(sink),
            Some(':') if is_here => {
                let message = "there is a second `:` in this entry";
                let hint = "between `{` and `}` entries are separated by commas, and text with `: ` stands in quotes";
                add(sink, message, self.at..self.at + 1, hint);
            }
            Some(found) if is_here && !found.is_control() => {
                let hint = "entries are separated by commas; text with blanks and brackets stands in quotes";
                self.token_is(sink, "a comma is missing before this", hint);
            }
            _ => self.unclosed(self.character(start), sink),
        }
    }

    /// Reports a type with brackets between braces.
    fn brackets(&self, sink: &mut Sink) {
        let before = self.line_before();
        let start = before
            .rfind([' ', ',', '{', '[', ':'])
            .map_or(0, |at| at + 1);
        let start = self.at - (before.len() - start);
        let end = self.text[self.at..].find(|c| !"[]?".contains(c));
        let span = start..end.map_or(self.text.len(), |end| self.at + end);
        let written = &self.text[span.clone()];
        let hint = "between `{` and `}` a type with brackets stands in quotes";
        add(sink, "brackets start a list here", span, hint).fix(written, format!("\"{written}\""));
    }

    /// Reports a closing bracket that does not match the opening one here.
    fn closed_wrong(&self, close: char, sink: &mut Sink) {
        let opening = self.character(self.at);
        let behind = self.read.max(opening.end);
        let at = self.text[behind..].find(close).map(|at| behind + at);
        let Some(at) = at.filter(|at| self.line(*at) == self.line(self.at)) else {
            return self.unclosed(opening, sink);
        };
        let message = format!("`{close}` does not close what was opened last");
        let hint = "brackets and braces close in the order in which they were opened";
        add(sink, message, at..at + 1, hint).other(PendingSpan::Text(opening), "opened here");
    }

    fn unclosed(&self, opening: Range<usize>, sink: &mut Sink) {
        let bracket = &self.text[opening.clone()];
        let closing = if bracket == "[" { "]" } else { "}" };
        let message = format!("the `{bracket}` that opens here is not closed");
        add(sink, message, opening, format!("close it with `{closing}`"));
    }

    /// Adds a complaint about the token here.
    fn token_is(&self, sink: &mut Sink, message: impl Into<String>, hint: impl Into<String>) {
        add(sink, message, self.token(self.at), hint);
    }

    fn written(&self) -> &str {
        &self.text[self.token(self.at)]
    }

    fn character(&self, at: usize) -> Range<usize> {
        let rest = self.text.get(at..).unwrap_or_default();
        at..at + rest.chars().next().map_or(0, char::len_utf8)
    }

    fn token(&self, at: usize) -> Range<usize> {
        at..at + token_length(&self.text[at..])
    }

    /// The line of a byte, without its line end.
    fn line(&self, at: usize) -> Range<usize> {
        let at = at.min(self.text.len());
        let start = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[at..]
            .find('\n')
            .map_or(self.text.len(), |end| at + end);
        start..end
    }

    /// The content of a line from an offset on, without surrounding white space and without a
    /// comment.
    fn content(&self, at: usize) -> Range<usize> {
        let rest = &self.text[at..self.line(at).end];
        let blanks = rest.len() - rest.trim_start().len();
        let content = rest.split(" #").next().unwrap_or_default().trim();
        at + blanks..at + blanks + content.len()
    }

    fn line_before(&self) -> &str {
        &self.text[self.line(self.at).start..self.at]
    }

    fn indent_span(&self, at: usize) -> Range<usize> {
        let line = self.line(at);
        let content = self.text[line.clone()].trim_start_matches([' ', '\t']);
        line.start..line.end - content.len()
    }

    fn indent(&self, at: usize) -> &str {
        &self.text[self.indent_span(at)]
    }
}

fn add(
    sink: &mut Sink,
    message: impl Into<String>,
    span: Range<usize>,
    hint: impl Into<String>,
) -> &mut Pending {
    sink.add(Rule::Yaml, PendingSpan::Text(span), message)
        .hint(hint)
}

fn tab(sink: &mut Sink, span: Range<usize>) {
    let hint = "YAML is indented with spaces: replace all tabs that start lines";
    add(sink, "a tab indents this line", span, hint);
}

/// `key: value: more`.
fn two_values(value: &str, span: Range<usize>, sink: &mut Sink) {
    let list = value.split_once(':').filter(|(word, item)| {
        let word = word.trim().to_ascii_lowercase();
        ["list", "array"].contains(&word.as_str()) && !item.trim().contains(char::is_whitespace)
    });
    let message = "one line takes one `key: value`";
    match list {
        Some((_, item)) => {
            let list = format!("{}[]", item.trim());
            add(sink, message, span, format!("a list is written `{list}`")).fix(value, list);
        }
        None => {
            let hint = "text that holds `: ` stands in quotes; a map goes on the lines beneath, or between `{` and `}`";
            add(sink, message, span, hint);
        }
    }
}

/// Whether a text, after a `\`, is an escape of YAML.
fn is_escape(rest: &str) -> bool {
    let Some(letter) = rest.chars().next() else {
        return false;
    };
    let digits = match letter {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => return "0abt\tnvfre \"/\\N_LP\r\n".contains(letter),
    };
    let code = rest.get(1..=digits);
    let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
    code.and_then(char::from_u32).is_some()
}

/// The length of the quoted text, or of the run of other characters, at the start of a text. It
/// ends at the end of the line at the latest, and nothing after it is scanned: the line may be the
/// whole file.
pub(super) fn token_length(text: &str) -> usize {
    let is_end = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | ',' | '{' | '}' | ']');
    let end = match text.chars().next() {
        None | Some('\n' | '\r') => return 0,
        Some(quote @ ('"' | '\'')) => quoted_length(text, quote),
        Some('[' | ']' | '{' | '}' | ',') => Some(1),
        Some(first) => text.find(is_end).map(|at| at.max(first.len_utf8())),
    };
    let token = &text[..end.unwrap_or(text.len())];
    token.strip_suffix(':').unwrap_or(token).len()
}

fn quoted_length(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\n' | '\r' => return Some(at),
            '\\' if quote == '"' => _ = characters.next(),
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}
