//! Places in documents, and what is to be said about them.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use roxmltree::Node;

use crate::diagnostic::{Diagnostic, Diagnostics, LabeledSpan, Source};
use crate::rules::{Rule, Severity};

/// A place in a document: the bytes of the name of an element, or of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The number of the document.
    pub document: u32,
    pub start: u32,
    pub end: u32,
}

impl Place {
    /// Bytes of a document.
    pub fn new(document: u32, span: Range<usize>) -> Self {
        // Documents have less than 4 GiB.
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self {
            document,
            start: byte(span.start),
            end: byte(span.end),
        }
    }

    /// The start tag of an element in a document, up to the end of its name.
    pub fn of(document: u32, node: Node<'_, '_>) -> Self {
        let text = node.document().input_text();
        let start = node.range().start;
        let name = text[start..].find(|c: char| c.is_whitespace() || "/>".contains(c));
        Self::new(document, start..start + name.unwrap_or(0))
    }

    /// The value of an attribute of an element, or the element if it has no such attribute.
    pub fn of_attribute(document: u32, node: Node<'_, '_>, name: &str) -> Self {
        match node.attribute_node(name) {
            Some(attribute) => Self::new(document, attribute.range_value()),
            None => Self::of(document, node),
        }
    }
}

/// What is not said of a value: the rule, the place in the document, and a sentence.
pub(crate) type Loss = (Rule, Place, String);

/// Collects what is to be said about documents.
#[derive(Debug)]
pub(crate) struct Report<'s> {
    sources: &'s [Arc<Source>],
    found: RefCell<Vec<(Place, Diagnostic)>>,
    said: RefCell<HashSet<(Place, String)>>,
}

impl<'s> Report<'s> {
    /// A report about documents.
    pub fn new(sources: &'s [Arc<Source>]) -> Self {
        Self {
            sources,
            found: RefCell::default(),
            said: RefCell::default(),
        }
    }

    /// Says something about a place, once however often it is met.
    pub fn add(&self, rule: Rule, place: Place, message: impl Into<String>, hint: Option<&str>) {
        let message = message.into();
        if !self.said.borrow_mut().insert((place, message.clone())) {
            return;
        }
        let source = &self.sources[place.document as usize];
        let span = place.start as usize..place.end as usize;
        let diagnostic = Diagnostic {
            rule,
            message,
            hint: hint.map(str::to_owned),
            source: Arc::clone(source),
            spans: vec![LabeledSpan {
                span,
                label: String::new(),
            }],
            fix: None,
        };
        self.found.borrow_mut().push((place, diagnostic));
    }

    /// Whether a document was written by ASMX, and by nothing that only writes like it.
    pub fn is_of_asmx(&self) -> bool {
        // It writes no empty sequences and no documentation of types.
        let is_other =
            |text: &str| text.contains("<s:sequence />") || text.contains(":annotation>");
        let mut all = self.sources.iter().map(|source| source.text.as_ref());
        all.any(|text: &str| is_like_asmx(text) && !is_other(text))
    }

    /// Whether ASMX wrote a document, or something that writes like it.
    pub fn is_like_asmx(&self) -> bool {
        self.sources.iter().any(|source| is_like_asmx(&source.text))
    }

    /// Whether an error was found.
    pub fn has_errors(&self) -> bool {
        let found = self.found.borrow();
        found
            .iter()
            .any(|(_, one)| one.severity() == Severity::Error)
    }

    /// How often rules were broken.
    pub fn count(&self, is_one: impl Fn(Rule) -> bool) -> usize {
        let found = self.found.borrow();
        found.iter().filter(|(_, one)| is_one(one.rule)).count()
    }

    /// All that was found, document by document in the order of the text.
    pub fn finish(self) -> Diagnostics {
        let mut found = self.found.into_inner();
        found.sort_by_key(|(place, _)| *place);
        let mut documents: Vec<Vec<Diagnostic>> = vec![Vec::new(); self.sources.len()];
        for (place, diagnostic) in found {
            documents[place.document as usize].push(diagnostic);
        }
        documents.into_iter().map(Diagnostics::of_file).collect()
    }
}

/// Whether a text is a WSDL of ASMX, which declares this prefix in each, and has no use for it.
fn is_like_asmx(text: &str) -> bool {
    text.contains("http://microsoft.com/wsdl/mime/textMatching/")
}
