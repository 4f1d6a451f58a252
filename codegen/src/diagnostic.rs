//! What is wrong with a definition, where, and what would help.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::definition::NodeId;
use crate::locate;

/// Everything that is wrong with one definition, in the order of its text.
///
/// `Display` writes all of it, as plain text.
#[derive(Debug, Clone)]
pub struct Diagnostics(Vec<Diagnostic>);

/// One thing that is wrong with a definition.
///
/// `Display` writes it as rustc would: message, file, line and column, the source line, a hint.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    rule: Rule,
    message: String,
    hint: Option<String>,
    source: Arc<Source>,
    primary: Option<Marked>,
    others: Vec<Marked>,
}

/// Whether code can still be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Severity {
    /// No code can be generated.
    Error,
    /// Code is generated, and its author might wish that it were not.
    Warning,
}

#[derive(Debug)]
struct Source {
    file: String,
    text: String,
}

#[derive(Debug, Clone)]
struct Marked {
    span: Range<usize>,
    label: String,
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident = $code:literal $severity:ident,)+) => {
        /// The rules of the language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Rule { $($(#[doc = $doc])+ $rule),+ }

        impl Rule {
            fn code(self) -> &'static str {
                match self { $(Self::$rule => $code),+ }
            }
            fn severity(self) -> Severity {
                match self { $(Self::$rule => Severity::$severity),+ }
            }
        }
    };
}

rules! {
    /// The file can be read and holds UTF-8.
    File = "SVC001" Error,
    /// The file is one YAML document of a sensible size.
    Yaml = "SVC002" Error,
    /// Every key is one of the language.
    UnknownKey = "SVC003" Error,
    /// A key stands once in its map.
    RepeatedKey = "SVC004" Error,
    /// Lists, maps and texts stand where they are expected.
    WrongKind = "SVC005" Error,
    /// Keys without a default are there.
    MissingKey = "SVC006" Error,
    /// A namespace is an absolute URI.
    Namespace = "SVC007" Error,
    /// A path is the path of a URL and nothing more.
    Path = "SVC008" Error,
    /// Bindings are the four that there are.
    UnknownBinding = "SVC009" Error,
    /// Names on the wire are XML names.
    XmlName = "SVC010" Error,
    /// Rust names are Rust names.
    RustName = "SVC011" Error,
    /// Two things do not have one Rust name.
    RustNameClash = "SVC012" Error,
    /// Two things do not have one name on the wire.
    XmlNameClash = "SVC013" Error,
    /// Types are written as C# writes them.
    TypeSyntax = "SVC014" Error,
    /// Types are defined.
    UnknownType = "SVC015" Error,
    /// Services have operations, enumerations values, lists of bindings bindings.
    Empty = "SVC016" Error,
    /// The form bindings carry simple values and lists of them.
    FormParameter = "SVC017" Error,
    /// No type holds itself.
    InfiniteType = "SVC018" Error,
    /// A key fits what it is said about.
    KeyDoesNotFit = "SVC019" Error,
    /// Secrets stay out of URLs.
    SecretInUrl = "SVC020" Warning,
    /// Types extend complex types, and not themselves; abstract types are extended.
    Inheritance = "SVC021" Error,
    /// A choice is between two or more objects or simple values.
    Choice = "SVC022" Error,
    /// Operations speak of headers and faults that the service has.
    Undeclared = "SVC023" Error,
}

impl Diagnostics {
    /// A definition whose text cannot be had.
    pub(crate) fn unreadable(file: &str, message: String, hint: Option<String>) -> Self {
        let source = Arc::new(Source {
            file: file.to_owned(),
            text: String::new(),
        });
        Self(vec![Diagnostic {
            rule: Rule::File,
            message,
            hint,
            source,
            primary: None,
            others: Vec::new(),
        }])
    }

    /// The diagnostics, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them keeps code from being generated.
    pub fn has_errors(&self) -> bool {
        self.iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

impl Diagnostic {
    /// The rule that does not hold: `SVC015`.
    pub fn code(&self) -> &'static str {
        self.rule.code()
    }

    /// Whether code can still be generated.
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }

    /// What is wrong, in one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What would help.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The definition's file, as it was named.
    pub fn file(&self) -> &str {
        &self.source.file
    }

    /// Line and column, both from 1, columns in characters; `None` if the file could not be read.
    pub fn place(&self) -> Option<(usize, usize)> {
        let before = &self.source.text[..self.primary.as_ref()?.span.start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Some((
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        ))
    }

    fn start(&self) -> Option<usize> {
        self.primary.as_ref().map(|primary| primary.span.start)
    }

    /// The diagnostic as rustc would print it, with terminal colours or without.
    pub fn render(&self, colours: bool) -> String {
        let level = match self.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(&self.message).id(self.code()));
        match &self.primary {
            Some(primary) => {
                let mut snippet = Snippet::source(&self.source.text)
                    .path(&self.source.file)
                    .annotation(
                        AnnotationKind::Primary
                            .span(primary.span.clone())
                            .label(&primary.label),
                    );
                for other in &self.others {
                    snippet = snippet.annotation(
                        AnnotationKind::Context
                            .span(other.span.clone())
                            .label(&other.label),
                    );
                }
                group = group.element(snippet);
            }
            None => group = group.element(annotate_snippets::Origin::path(&self.source.file)),
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint));
        }
        let renderer = if colours {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

/// Where a mistake stands: at a node, or at a line and column that reading the YAML gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Node(NodeId),
    LineColumn(usize, usize),
}

/// A diagnostic whose places are not looked up yet.
#[derive(Debug)]
pub(crate) struct Pending {
    rule: Rule,
    place: Place,
    message: String,
    label: String,
    others: Vec<(NodeId, String)>,
    hint: Option<String>,
}

impl Pending {
    /// Words for the place itself.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = label.into();
        self
    }

    /// Another place that matters.
    pub fn other(&mut self, node: NodeId, label: impl Into<String>) -> &mut Self {
        self.others.push((node, label.into()));
        self
    }

    /// What would help.
    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = Some(hint.into());
        self
    }

    /// `did you mean`, if something known is near; else what there is.
    pub fn nearest<'k>(
        &mut self,
        name: &str,
        known: impl IntoIterator<Item = &'k str>,
        else_hint: &str,
    ) -> &mut Self {
        match crate::naming::nearest(name, known) {
            Some(near) => self.hint(format!("did you mean `{near}`?")),
            None => self.hint(else_hint),
        }
    }
}

/// Collects what is wrong; dropping it unread is a mistake of ours, and panics.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    pending: Vec<Pending>,
    said: HashSet<Place>,
    read: bool,
}

impl Sink {
    /// Adds what is wrong at a place. The first thing said about a place is the one that is kept.
    pub fn add(&mut self, rule: Rule, place: Place, message: impl Into<String>) -> &mut Pending {
        self.pending.push(Pending {
            rule,
            place,
            message: message.into(),
            label: String::new(),
            others: Vec::new(),
            hint: None,
        });
        self.pending.last_mut().expect("one was pushed")
    }

    /// Drops what will be said about a place: it follows from what was said already.
    pub fn mute(&mut self, place: Place) {
        self.said.insert(place);
    }

    /// Whether no code can be generated.
    pub fn has_errors(&self) -> bool {
        self.pending
            .iter()
            .any(|pending| pending.rule.severity() == Severity::Error)
    }

    /// Looks all places up.
    pub fn finish(mut self, file: &str, text: &str) -> Diagnostics {
        self.read = true;
        let source = Arc::new(Source {
            file: file.to_owned(),
            text: text.to_owned(),
        });
        let mut diagnostics = Vec::new();
        for pending in std::mem::take(&mut self.pending) {
            if self.said.insert(pending.place) {
                diagnostics.push(pending.look_up(&source));
            }
        }
        diagnostics.sort_by_key(Diagnostic::start);
        // What an alias repeats is wrong once.
        diagnostics
            .dedup_by(|one, other| one.start() == other.start() && one.message == other.message);
        Diagnostics(diagnostics)
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        assert!(
            self.read || std::thread::panicking(),
            "diagnostics were dropped unread"
        );
    }
}

impl Pending {
    fn look_up(self, source: &Arc<Source>) -> Diagnostic {
        let text = &source.text;
        let span = match self.place {
            Place::Node(node) => locate::span(text, node),
            Place::LineColumn(line, column) => locate::span_at(text, line, column),
        };
        let others = self.others.into_iter();
        Diagnostic {
            rule: self.rule,
            message: self.message,
            hint: self.hint,
            source: Arc::clone(source),
            primary: Some(Marked {
                span,
                label: self.label,
            }),
            others: others
                .map(|(node, label)| Marked {
                    span: locate::span(text, node),
                    label,
                })
                .collect(),
        }
    }
}
