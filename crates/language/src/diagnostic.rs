//! Diagnostics of a definition: messages, places and hints.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use svcgen_model::is_hidden;

use crate::rules::{Rule, RuleRow, Severity};

/// All diagnostics of one definition and the files that it includes, file by file in the order of
/// the text.
///
/// `Display` writes all of them, as plain text. For a file with more than a hundred diagnostics the
/// first hundred are kept, errors before warnings.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    left_out: usize,
}

/// The maximum number of diagnostics of a file that are kept.
const MOST_KEPT: usize = 100;

/// One problem of a definition.
///
/// `Display` writes it as rustc would: message, file, line and column, the source line, the hint.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    pub(crate) rule: &'static RuleRow,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) source: Arc<Source>,
    /// The wrong span, then related ones; empty if the file could not be read.
    pub(crate) spans: Vec<LabeledSpan>,
    pub(crate) fix: Option<Fix>,
}

/// A part of the text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span<'d> {
    /// The name of the file.
    pub file: &'d str,
    /// The bytes of the file.
    pub bytes: Range<usize>,
    /// Line and column of the first character: both from 1, columns in characters.
    pub start: (usize, usize),
    /// Line and column after the last character.
    pub end: (usize, usize),
    /// The lines of the span, without the logins of URLs.
    pub text: Cow<'d, str>,
    /// A label; may be empty.
    pub label: &'d str,
}

/// A replacement that fixes a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suggestion<'d> {
    /// The replaced text; empty for an insertion.
    pub span: Span<'d>,
    /// The new text.
    pub replacement: &'d str,
    /// Whether this is certainly the intended text, and not a guess from a similar name.
    pub is_certain: bool,
}

/// The maximum number of bytes of a line that are shown before and after a span.
const MOST_AROUND: usize = 1000;

/// A file and its text, without byte order mark.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// The name of the file.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The bytes of the file before the text.
    bytes_before: usize,
    /// The offset of each line's first byte.
    line_starts: Vec<usize>,
}

/// Bytes of the text, and a label.
#[derive(Debug, Clone)]
pub(crate) struct LabeledSpan {
    pub span: Range<usize>,
    pub label: String,
}

/// A replacement of a part of the text.
#[derive(Debug, Clone)]
pub(crate) struct Fix {
    pub span: Range<usize>,
    pub replacement: String,
    pub is_certain: bool,
}

impl Diagnostics {
    /// Returns the diagnostic for a file that cannot be read.
    pub fn unreadable(file: &str, message: String, hint: Option<&str>) -> Self {
        Self::without_place(Rule::File, file, message, hint)
    }

    /// Returns a diagnostic about a file, without a place in it.
    pub fn without_place(
        rule: impl Into<&'static RuleRow>,
        file: &str,
        message: String,
        hint: Option<&str>,
    ) -> Self {
        Self::all_of_file(vec![Diagnostic {
            rule: rule.into(),
            message,
            hint: hint.map(str::to_owned),
            source: Arc::new(Source::new(file, "", 0)),
            spans: Vec::new(),
            fix: None,
        }])
    }

    /// Returns the diagnostics of a file, in the order of the text.
    pub fn of_file(mut kept: Vec<Diagnostic>) -> Self {
        let left_out = kept.len().saturating_sub(MOST_KEPT);
        if left_out > 0 {
            let is_error = |one: &Diagnostic| one.severity() == Severity::Error;
            let mut errors = MOST_KEPT;
            let mut warnings =
                MOST_KEPT.saturating_sub(kept.iter().filter(|one| is_error(one)).count());
            kept.retain(|one| {
                let left = if is_error(one) {
                    &mut errors
                } else {
                    &mut warnings
                };
                let keeps = *left > 0;
                *left -= usize::from(keeps);
                keeps
            });
        }
        Self { kept, left_out }
    }

    /// All diagnostics of a file.
    pub(crate) fn all_of_file(kept: Vec<Diagnostic>) -> Self {
        Self { kept, left_out: 0 }
    }

    /// Returns the number of diagnostics that were found but not kept, in a sentence; `None` if all
    /// are kept.
    pub fn left_out(&self) -> Option<String> {
        let message = || format!("{} more errors or warnings are not shown", self.left_out);
        (self.left_out > 0).then(message)
    }

    /// Returns the diagnostics, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kept.iter()
    }

    /// Returns the number of diagnostics.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether there is an error, so that no code is generated.
    pub fn has_errors(&self) -> bool {
        self.iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

impl FromIterator<Self> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Self>>(files: I) -> Self {
        let mut all = Self::default();
        for file in files {
            all.kept.extend(file.kept);
            all.left_out += file.left_out;
        }
        all
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{diagnostic}")?;
        }
        match self.left_out() {
            Some(note) => write!(f, "\n\nnote: {note}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostics {}

impl Diagnostic {
    /// Creates a diagnostic about a span of a file.
    pub fn new(
        rule: impl Into<&'static RuleRow>,
        message: String,
        hint: Option<&str>,
        source: &Arc<Source>,
        span: Range<usize>,
    ) -> Self {
        Self {
            rule: rule.into(),
            message,
            hint: hint.map(str::to_owned),
            source: Arc::clone(source),
            spans: vec![LabeledSpan {
                span,
                label: String::new(),
            }],
            fix: None,
        }
    }

    /// Returns the broken rule.
    pub fn rule(&self) -> &'static RuleRow {
        self.rule
    }

    /// Returns the code of the broken rule: `SVC015`.
    pub fn code(&self) -> &'static str {
        self.rule.code
    }

    /// Whether code can still be generated.
    pub fn severity(&self) -> Severity {
        self.rule.severity
    }

    /// Returns the message, in one sentence, without the logins of URLs.
    pub fn message(&self) -> Cow<'_, str> {
        without_logins(&self.message)
    }

    /// Returns the hint.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Returns the name of the file.
    pub fn file(&self) -> &str {
        &self.source.file
    }

    /// Returns the wrong span, then related ones; none if the file could not be read.
    pub fn spans(&self) -> impl Iterator<Item = Span<'_>> {
        let spans = self.spans.iter();
        spans.map(|one| self.source.span(&one.span, &one.label))
    }

    /// Returns a replacement that fixes it, if there is one.
    pub fn suggestion(&self) -> Option<Suggestion<'_>> {
        let fix = self.fix.as_ref()?;
        Some(Suggestion {
            span: self.source.span(&fix.span, ""),
            replacement: &fix.replacement,
            is_certain: fix.is_certain,
        })
    }

    pub(crate) fn start(&self) -> Option<usize> {
        self.spans.first().map(|first| first.span.start)
    }

    /// Renders the diagnostic like rustc, with terminal colours or without.
    pub fn render(&self, colours: bool) -> String {
        let renderer = if colours {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let mut groups = vec![self.group()];
        groups.extend(self.help());
        let rendered = renderer.decor_style(DecorStyle::Ascii).render(&groups);
        // The renderer shows some lines of a file unchanged. A style starts with an escape.
        let is_shown = |c: char| c == '\u{1B}' || !is_hidden(c);
        let rendered = rendered.replace(|c| !is_shown(c), "\u{FFFD}");
        let Some(at) = self.start() else {
            return rendered;
        };
        // If the start of a line is not shown, the renderer counts columns from the first shown
        // character.
        let (line, column) = self.source.line_column(at);
        let shown = self.source.shown(self.spans.iter().map(|one| &one.span));
        let start = shown.start.max(self.source.line_starts[line - 1]);
        let rendered_column = self.source.text[start..at].chars().count() + 1;
        let wrong = format!(":{line}:{rendered_column}");
        rendered.replacen(&wrong, &format!(":{line}:{column}"), 1)
    }

    fn group(&self) -> Group<'_> {
        let level = match self.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let group = Group::with_title(level.primary_title(self.message()).id(self.code()));
        let group = if self.spans.is_empty() {
            group.element(Origin::path(sanitize(&self.source.file)))
        } else {
            group.element(self.snippet())
        };
        match (&self.hint, &self.fix) {
            (Some(hint), None) => group.element(Level::HELP.message(hint)),
            _ => group,
        }
    }

    fn snippet(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let kinds = std::iter::once(AnnotationKind::Primary)
            .chain(std::iter::repeat(AnnotationKind::Context));
        let spans = self.spans.iter().zip(kinds);
        let (snippet, start) = self.source.snippet(self.spans.iter().map(|one| &one.span));
        snippet
            .path(sanitize(&self.source.file))
            .annotations(spans.map(|(one, kind)| {
                kind.span(one.span.start - start..one.span.end - start)
                    .label(&one.label)
            }))
    }

    /// The hint, above the fixed text.
    fn help(&self) -> Option<Group<'_>> {
        let (fix, hint) = (self.fix.as_ref()?, self.hint()?);
        let (snippet, start) = self.source.snippet([&fix.span]);
        let span = fix.span.start - start..fix.span.end - start;
        let snippet = snippet.patch(Patch::new(span, &fix.replacement));
        Some((Level::HELP.secondary_title(hint)).element(snippet))
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl Source {
    /// Creates the source of a file from its text, which `bytes_before` bytes precede in the file.
    pub fn new(file: &str, text: &str, bytes_before: usize) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            file: file.to_owned(),
            text: text.to_owned(),
            bytes_before,
            line_starts: std::iter::once(0).chain(ends).collect(),
        }
    }

    /// The line of a byte, from 0.
    fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= at) - 1
    }

    /// Line and column of a byte, both from 1, columns in characters.
    pub fn line_column(&self, at: usize) -> (usize, usize) {
        let line = self.line(at);
        let before = &self.text[self.line_starts[line]..at];
        (line + 1, before.chars().count() + 1)
    }

    /// Returns the offset of a line and column, both from 1, columns in characters; the end of the
    /// text if it is shorter.
    pub fn byte(&self, line: u32, column: u32) -> usize {
        let start = (line as usize).checked_sub(1);
        let start = start.and_then(|line| self.line_starts.get(line));
        let start = start.copied().unwrap_or(self.text.len());
        let mut characters = self.text[start..].char_indices();
        let at = characters.nth((column as usize).saturating_sub(1));
        at.map_or(self.text.len(), |(at, _)| start + at)
    }

    /// The bytes from the start of one byte's line to the end of another's.
    fn lines(&self, first: usize, last: usize) -> Range<usize> {
        let next = self.line_starts.get(self.line(last) + 1);
        let end = next.copied().unwrap_or(self.text.len());
        self.line_starts[self.line(first)]..end
    }

    /// The part of the text to show for spans, and its offset.
    fn snippet<'s, T: Clone>(
        &self,
        spans: impl IntoIterator<Item = &'s Range<usize>> + Clone,
    ) -> (Snippet<'_, T>, usize) {
        let shown = self.shown(spans);
        let start = shown.start;
        let snippet = Snippet::source(without_logins(&self.text[shown]));
        let snippet = snippet.line_start(self.line(start) + 1);
        (snippet, start)
    }

    /// The lines of spans, without text that is far from them: the time for rendering grows with
    /// the text.
    fn shown<'s>(&self, spans: impl IntoIterator<Item = &'s Range<usize>> + Clone) -> Range<usize> {
        let first = spans.clone().into_iter().map(|span| span.start).min();
        let last = spans.into_iter().map(|span| span.end).max();
        // A span at the end of the text is shown at the end of its last line.
        let first = first.map(|at| at.min(self.text.len().saturating_sub(1)));
        let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
        let lines = self.lines(first, last);
        let start = lines.start.max(first.saturating_sub(MOST_AROUND));
        let end = lines.end.min(last + MOST_AROUND);
        let is_boundary = |at: &usize| self.text.is_char_boundary(*at);
        (start..end).find(is_boundary).unwrap_or(end)..(end..).find(is_boundary).unwrap_or(end)
    }

    fn span<'d>(&'d self, span: &Range<usize>, label: &'d str) -> Span<'d> {
        let text = &self.text[self.lines(span.start, span.end)];
        let text = (text.strip_suffix('\n').unwrap_or(text)).trim_end_matches('\r');
        Span {
            file: &self.file,
            bytes: self.bytes_before + span.start..self.bytes_before + span.end,
            start: self.line_column(span.start),
            end: self.line_column(span.end),
            text: without_logins(text),
            label,
        }
    }
}

/// Replaces the logins of URLs, `http://ann:4711@host`, by as many asterisks, so that offsets in
/// the text stay the same.
fn without_logins(text: &str) -> Cow<'_, str> {
    let mut shown = Cow::Borrowed(text);
    for (at, mark) in text.match_indices("://") {
        let start = at + mark.len();
        let ends = |c: char| c.is_whitespace() || "/?#\"'<>`".contains(c);
        let authority = text[start..].split(ends).next().unwrap_or_default();
        if let Some((login, _)) = authority.rsplit_once('@') {
            let hidden = "*".repeat(login.len());
            shown
                .to_mut()
                .replace_range(start..start + login.len(), &hidden);
        }
    }
    shown
}

/// Replaces control characters and characters that set the direction of text, so that a terminal
/// shows the real content of a text on one line.
pub fn sanitize(text: &str) -> String {
    text.replace(|c: char| c.is_control() || is_hidden(c), "?")
}
