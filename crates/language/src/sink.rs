//! Collects the diagnostics of all stages, whose spans are looked up at the end.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Diagnostics, Fix, LabeledSpan, Source, sanitize};
use crate::naming;
use crate::rules::{Rule, Severity};
use crate::span::{NodeId, Spans};

/// The maximum number of known names that the misspelt ones of a file are compared with: comparing
/// all with all takes quadratic time.
const MOST_COMPARED: usize = 100_000;

/// A span that is not looked up yet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PendingSpan {
    /// A node of the definition.
    Node(NodeId),
    /// Bytes of the definition.
    Text(Range<usize>),
    /// Bytes of the options file.
    OptionsFile(Range<usize>),
    /// No text.
    Nowhere,
}

impl From<NodeId> for PendingSpan {
    fn from(node: NodeId) -> Self {
        Self::Node(node)
    }
}

impl PendingSpan {
    fn is_in_definition(&self) -> bool {
        matches!(self, Self::Node(_) | Self::Text(_))
    }
}

/// A diagnostic whose spans are not looked up yet.
#[derive(Debug)]
pub struct Pending {
    rule: Rule,
    span: PendingSpan,
    message: String,
    label: String,
    others: Vec<(PendingSpan, String)>,
    hint: Option<String>,
    fix: Option<PendingFix>,
    compared: Rc<Cell<usize>>,
}

/// A fix: the first `wrong` in the text of the span becomes `right`. There is none for text that is
/// written with escapes.
#[derive(Debug, Clone)]
pub struct PendingFix {
    /// The replaced text.
    pub wrong: String,
    /// The replacement.
    pub right: String,
    is_certain: bool,
}

impl Pending {
    /// Labels the span itself.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = label.into();
        self
    }

    /// Adds a related span.
    pub fn other(&mut self, span: impl Into<PendingSpan>, label: impl Into<String>) -> &mut Self {
        self.others.push((span.into(), label.into()));
        self
    }

    /// Adds a hint.
    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = Some(hint.into());
        self
    }

    /// Suggests to replace `wrong` by `right`. Quotes around `right` are omitted if the text is in
    /// quotes.
    pub fn fix(&mut self, wrong: impl Into<String>, right: impl Into<String>) -> &mut Self {
        self.fix = Some(PendingFix {
            wrong: wrong.into(),
            right: right.into(),
            is_certain: true,
        });
        self
    }

    /// Marks the fix as certain or as a guess.
    pub fn certain(&mut self, is_certain: bool) -> &mut Self {
        if let Some(fix) = &mut self.fix {
            fix.is_certain = is_certain;
        }
        self
    }

    /// Suggests the nearest known name; adds `else_hint` if none is near.
    pub fn nearest<'k>(
        &mut self,
        name: &str,
        known: impl IntoIterator<Item = &'k str>,
        else_hint: &str,
    ) -> &mut Self {
        let known: Vec<_> = known.into_iter().collect();
        let compared = self.compared.get() + known.len();
        if compared > MOST_COMPARED {
            return self.hint(else_hint);
        }
        self.compared.set(compared);
        match naming::nearest(name, known) {
            None => self.hint(else_hint),
            Some(near) => self
                .fix(name, near)
                .certain(near.eq_ignore_ascii_case(name))
                .hint(format!("did you mean `{near}`?")),
        }
    }
}

/// Collects diagnostics.
#[derive(Debug, Default)]
pub struct Sink {
    pending: Vec<Pending>,
    /// The spans that have a diagnostic or are muted.
    reported: HashSet<PendingSpan>,
    /// The file of [`PendingSpan::OptionsFile`].
    pub options_file: Option<Arc<Source>>,
    /// The number of known names that misspelt ones were compared with.
    compared: Rc<Cell<usize>>,
    /// The codes of suppressed warnings.
    allowed: HashSet<&'static str>,
    /// Whether errors outside of the definition are ignored.
    of_definitions_alone: bool,
    /// Whether all diagnostics of the file are kept, however many there are.
    pub keeps_all: bool,
}

impl Sink {
    /// Creates a sink for which errors of options do not count.
    pub fn of_definitions_alone() -> Self {
        Self {
            of_definitions_alone: true,
            ..Self::default()
        }
    }

    /// Adds a diagnostic. Of several at the same span only the first is kept, an error rather than
    /// a warning.
    pub fn add(
        &mut self,
        rule: Rule,
        span: impl Into<PendingSpan>,
        message: impl Into<String>,
    ) -> &mut Pending {
        self.pending.push(Pending {
            rule,
            span: span.into(),
            message: message.into(),
            label: String::new(),
            others: Vec::new(),
            hint: None,
            fix: None,
            compared: Rc::clone(&self.compared),
        });
        self.pending.last_mut().expect("one was pushed")
    }

    /// Whether a misspelt name may still be compared with so many known ones.
    pub fn may_compare(&self, known: usize) -> bool {
        self.compared.get() + known <= MOST_COMPARED
    }

    /// Drops the diagnostics of a node, which only follow from others.
    pub(crate) fn mute(&mut self, node: NodeId) {
        self.reported.insert(node.into());
    }

    /// Suppresses the warnings of a code.
    pub fn allow(&mut self, code: &'static str) {
        self.allowed.insert(code);
    }

    /// Whether an error prevents the generation of code.
    pub fn has_errors(&self) -> bool {
        let mut errors = self.errors();
        errors.any(|error| !self.of_definitions_alone || error.span.is_in_definition())
    }

    /// Whether the definition itself is wrong, regardless of options.
    pub fn definition_has_errors(&self) -> bool {
        self.errors().any(|error| error.span.is_in_definition())
    }

    fn errors(&self) -> impl Iterator<Item = &Pending> {
        let pending = self.pending.iter();
        pending.filter(|pending| pending.rule.row().severity == Severity::Error)
    }

    /// Returns the nodes with errors, and their fixes.
    pub fn wrong_nodes(&self) -> Vec<(NodeId, Option<PendingFix>)> {
        let errors = self.errors();
        let wrong = errors.filter_map(|pending| match &pending.span {
            PendingSpan::Node(node) => Some((*node, pending.fix.clone())),
            _ => None,
        });
        wrong.collect()
    }

    /// Looks up all spans.
    pub fn finish(
        mut self,
        file: &str,
        text: &str,
        bytes_before: usize,
        spans: &Spans,
    ) -> Diagnostics {
        let source = Arc::new(Source::new(file, text, bytes_before));
        let mut diagnostics = Vec::new();
        // A warning must not hide an error of its span.
        self.pending.sort_by_key(|one| one.rule.row().severity);
        for pending in self.pending {
            let is_allowed = self.allowed.contains(pending.rule.row().code);
            let has_span = pending.span != PendingSpan::Nowhere;
            if is_allowed || (has_span && !self.reported.insert(pending.span.clone())) {
                continue;
            }
            diagnostics.push(match (&pending.span, &self.options_file) {
                (PendingSpan::OptionsFile(_), Some(file)) => pending.look_up(file, spans),
                _ => pending.look_up(&source, spans),
            });
        }
        diagnostics.sort_by_key(|one| (one.file() != file, one.start()));
        // A mistake that an alias repeats is reported once.
        diagnostics
            .dedup_by(|one, other| one.start() == other.start() && one.message == other.message);
        if self.keeps_all {
            return Diagnostics::all_of_file(diagnostics);
        }
        Diagnostics::of_file(diagnostics)
    }
}

impl Pending {
    fn look_up(self, source: &Arc<Source>, spans: &Spans) -> Diagnostic {
        let look_up = |pending: &PendingSpan| match pending {
            PendingSpan::Node(node) => Some(spans.of(*node)),
            PendingSpan::Text(span) | PendingSpan::OptionsFile(span) => Some(span.clone()),
            PendingSpan::Nowhere => None,
        };
        let first = look_up(&self.span);
        let spans = std::iter::once((self.span, self.label)).chain(self.others);
        let spans = spans.filter_map(|(span, label)| {
            let span = look_up(&span)?;
            let label = sanitize(&label);
            Some(LabeledSpan { span, label })
        });
        Diagnostic {
            rule: self.rule.row(),
            message: sanitize(&self.message),
            hint: self.hint.as_deref().map(sanitize),
            spans: spans.collect(),
            fix: (self.fix).and_then(|fix| fix.look_up(source, &first?)),
            source: Arc::clone(source),
        }
    }
}

impl PendingFix {
    fn look_up(self, source: &Source, within: &Range<usize>) -> Option<Fix> {
        let text = &source.text;
        let start = within.start + text[within.clone()].find(&self.wrong)?;
        let span = start..start + self.wrong.len();
        let in_quotes = text[..start].ends_with(['"', '\'']);
        let replacement = match self.right.strip_prefix('"') {
            Some(bare) if in_quotes => bare.trim_end_matches('"').to_owned(),
            // Quotes around a part of a text would become a part of it.
            Some(_) if span != *within => return None,
            _ => self.right,
        };
        Some(Fix {
            span,
            replacement,
            is_certain: self.is_certain,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_warning_hides_an_error_of_its_span() {
        let mut sink = Sink::default();
        sink.add(Rule::Unused, NodeId(0), "nothing uses this");
        sink.add(Rule::XmlNameClash, NodeId(0), "two are called so");
        sink.add(Rule::RustNameClash, NodeId(0), "two are called so in Rust");
        let mut spans = Spans::default();
        spans.push(0..1);
        let diagnostics = sink.finish("a.yaml", "A", 0, &spans);
        let codes: Vec<_> = diagnostics.iter().map(Diagnostic::code).collect();
        assert_eq!(codes, ["SVC013"]);
    }
}
