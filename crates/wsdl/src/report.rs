//! Places in documents, and the diagnostics about them.

use std::cell::{Cell, RefCell};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use roxmltree::Node;
use svcgen_language::diagnostic::{Diagnostic, Diagnostics, Source};
use svcgen_language::rules::{RuleRow, Severity};

use crate::rules::Rule;

/// A place in a document: the byte range of the name of an element, or of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentSpan {
    /// The number of the document.
    pub document: u32,
    /// The first byte.
    pub start: u32,
    /// The end, exclusive.
    pub end: u32,
}

impl DocumentSpan {
    /// Creates a place from a range of bytes.
    pub(crate) fn new(document: u32, span: Range<usize>) -> Self {
        // Documents have less than 4 GiB.
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self {
            document,
            start: byte(span.start),
            end: byte(span.end),
        }
    }

    /// The place of an element's start tag, up to the end of its name.
    pub(crate) fn of(document: u32, node: Node<'_, '_>) -> Self {
        let text = node.document().input_text();
        let start = node.range().start;
        let name = text[start..].find(|c: char| c.is_whitespace() || "/>".contains(c));
        Self::new(document, start..start + name.unwrap_or(0))
    }

    /// The place of an attribute's value, or of the element if it has no such attribute.
    pub(crate) fn of_attribute(document: u32, node: Node<'_, '_>, name: &str) -> Self {
        match node.attribute_node(name) {
            Some(attribute) => Self::new(document, attribute.range_value()),
            None => Self::of(document, node),
        }
    }

    /// Creates a diagnostic at this place, in a document with this text.
    pub fn diagnostic(
        self,
        rule: impl Into<&'static RuleRow>,
        message: String,
        hint: Option<&str>,
        source: &Arc<Source>,
    ) -> Diagnostic {
        let span = self.start as usize..self.end as usize;
        Diagnostic::new(rule, message, hint, source, span)
    }
}

/// A property of a value that is lost: the rule, the place in the document, and a sentence.
pub type Loss = (Rule, DocumentSpan, String);

/// An operation that is left out because no definition can express it, or something that is left out
/// of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationLoss {
    /// The name of the operation.
    pub operation: String,
    /// Whether the whole operation is left out.
    pub is_whole: bool,
    /// What is left out, and why: a sentence without a full stop.
    pub message: String,
}

/// A diagnostic at a place.
#[derive(Debug)]
struct Found {
    rule: &'static RuleRow,
    place: DocumentSpan,
    message: String,
    hint: Option<String>,
    /// The operation that it is about, and the message without its name: the same message about
    /// several operations is reported once.
    of: Option<(String, String)>,
}

/// The maximum number of names in a sentence.
const MOST_NAMED: usize = 20;

/// Lists names in a sentence; of many names the first ones, and the number of others.
pub fn listed(names: &[String]) -> String {
    let mut listed = names[..names.len().min(MOST_NAMED)].join(", ");
    if names.len() > MOST_NAMED {
        listed += &format!(" and {} more", names.len() - MOST_NAMED);
    }
    listed
}

/// Collects the diagnostics about documents.
#[derive(Debug)]
pub struct Report<'s> {
    sources: &'s [Arc<Source>],
    /// The documents that are read together; all documents if it is empty.
    group: BTreeSet<u32>,
    found: Rc<RefCell<Vec<Found>>>,
    reported: Rc<RefCell<HashSet<(DocumentSpan, String)>>>,
    /// The reason why documents describe nothing that can be imported: the broken rule, and the
    /// place.
    obstacle: Rc<Cell<Option<(Rule, DocumentSpan)>>>,
}

impl<'s> Report<'s> {
    /// Creates a report about documents.
    pub fn new(sources: &'s [Arc<Source>]) -> Self {
        Self {
            sources,
            group: BTreeSet::new(),
            found: Rc::default(),
            reported: Rc::default(),
            obstacle: Rc::default(),
        }
    }

    /// The same report, restricted to documents that are read together.
    pub fn within(&self, group: &BTreeSet<u32>) -> Self {
        Self {
            sources: self.sources,
            group: group.clone(),
            found: Rc::clone(&self.found),
            reported: Rc::clone(&self.reported),
            obstacle: Rc::clone(&self.obstacle),
        }
    }

    /// The texts of the documents that are read together.
    fn texts(&self) -> impl Iterator<Item = &'s str> {
        let sources = self.sources.iter().zip(0..);
        let read = sources.filter(|(_, one)| self.group.is_empty() || self.group.contains(one));
        read.map(|(source, _)| &*source.text)
    }

    /// Adds a diagnostic; the same message at the same place is added only once.
    pub fn add(
        &self,
        rule: impl Into<&'static RuleRow>,
        place: DocumentSpan,
        message: impl Into<String>,
        hint: Option<&str>,
    ) {
        self.add_found(rule.into(), place, message.into(), hint, None);
    }

    /// Adds a diagnostic about an operation. The same message about several operations is reported
    /// at the first of them.
    pub fn add_of_operation(
        &self,
        rule: Rule,
        place: DocumentSpan,
        operation: &str,
        message: String,
        hint: Option<&str>,
    ) {
        let what = message.replace(&format!("`{operation}`"), "``");
        let of = Some((operation.to_owned(), what));
        self.add_found(rule.row(), place, message, hint, of);
    }

    fn add_found(
        &self,
        rule: &'static RuleRow,
        place: DocumentSpan,
        message: String,
        hint: Option<&str>,
        of: Option<(String, String)>,
    ) {
        if self.reported.borrow_mut().insert((place, message.clone())) {
            self.found.borrow_mut().push(Found {
                rule,
                place,
                message,
                hint: hint.map(str::to_owned),
                of,
            });
        }
    }

    /// Whether a document was written by ASMX itself, not by another tool whose output is similar.
    pub fn is_of_asmx(&self) -> bool {
        // ASMX writes no empty sequences and no documentation of types.
        let is_other =
            |text: &str| text.contains("<s:sequence />") || text.contains(":annotation>");
        self.texts()
            .any(|text| is_like_asmx(text) && !is_other(text))
    }

    /// Whether a document was written by ASMX or by a tool whose output is similar.
    pub fn is_like_asmx(&self) -> bool {
        self.texts().any(is_like_asmx)
    }

    /// Records the reason why documents describe nothing that can be imported. It is no error yet,
    /// because other documents may describe something.
    pub fn obstruct(&self, rule: Rule, place: DocumentSpan) {
        let known = self.obstacle.get();
        self.obstacle.set(known.or(Some((rule, place))));
    }

    /// Reports as an error that nothing is imported, unless there is another error.
    pub fn refuse_nothing(&self) {
        let Some((rule, place)) = self.obstacle.get().filter(|_| !self.has_errors()) else {
            return;
        };
        let (message, hint) = match rule {
            Rule::NothingImported => (
                "nothing is imported: no definition can say any of its operations",
                None,
            ),
            _ => (
                "it describes no operation that can be imported",
                Some("name the file that declares the service, with those that it imports"),
            ),
        };
        self.add(rule, place, message, hint);
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        let found = self.found.borrow();
        found.iter().any(|one| one.rule.severity == Severity::Error)
    }

    /// The number of diagnostics of any of these rules.
    pub fn count(&self, rules: &[Rule]) -> usize {
        let found = self.found.borrow();
        let rules: Vec<_> = rules.iter().map(|rule| rule.row().code).collect();
        (found.iter())
            .filter(|one| rules.contains(&one.rule.code))
            .count()
    }

    /// The operations that are left out, and what is left out of others, in document order.
    pub fn operation_losses(&self) -> Vec<OperationLoss> {
        let mut found: Vec<_> = self
            .found
            .borrow()
            .iter()
            .filter_map(|one| {
                let is_whole = one.rule.code == Rule::OperationLeftOut.row().code;
                let is_loss = is_whole || one.rule.code == Rule::LeftOut.row().code;
                let (operation, _) = one.of.clone().filter(|_| is_loss)?;
                let loss = OperationLoss {
                    operation,
                    is_whole,
                    message: one.message.clone(),
                };
                Some((one.place, loss))
            })
            .collect();
        found.sort_by_key(|(place, _)| *place);
        found.into_iter().map(|(_, loss)| loss).collect()
    }

    /// Returns all diagnostics, document by document in the order of the text.
    pub fn finish(self) -> Diagnostics {
        let mut found = self.found.take();
        found.sort_by_key(|one| one.place);
        let mut documents: Vec<Vec<Found>> = self.sources.iter().map(|_| Vec::new()).collect();
        // By document and message: the index of the first operation with this message, and the
        // names of the others.
        let mut likewise: HashMap<(u32, &str, String), (usize, Vec<String>)> = HashMap::new();
        for mut one in found {
            let document = one.place.document;
            let found = &mut documents[document as usize];
            if let Some((operation, what)) = one.of.take() {
                match likewise.entry((document, one.rule.code, what)) {
                    Entry::Occupied(first) => {
                        first.into_mut().1.push(format!("`{operation}`"));
                        continue;
                    }
                    Entry::Vacant(first) => drop(first.insert((found.len(), Vec::new()))),
                }
            }
            found.push(one);
        }
        for ((document, ..), (first, others)) in likewise {
            let number = others.len();
            let noun = match number {
                0 => continue,
                1 => "operation",
                _ => "operations",
            };
            documents[document as usize][first].message +=
                &format!("; likewise {number} other {noun}: {}", listed(&others));
        }
        let documents = documents.into_iter().zip(self.sources);
        let documents = documents.map(|(found, source)| {
            let diagnostics = found.into_iter().map(|one| {
                one.place
                    .diagnostic(one.rule, one.message, one.hint.as_deref(), source)
            });
            Diagnostics::of_file(diagnostics.collect())
        });
        documents.collect()
    }
}

/// Whether a text is a WSDL of ASMX, which declares this prefix in every WSDL without using it.
fn is_like_asmx(text: &str) -> bool {
    text.contains("http://microsoft.com/wsdl/mime/textMatching/")
}
