//! Places in documents, and what is to be said about them.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
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

/// An operation that no definition can say.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOutOperation {
    /// Its name.
    pub name: String,
    /// A sentence without a full stop that says why.
    pub message: String,
}

/// What was found at a place.
#[derive(Debug)]
struct Found {
    place: Place,
    diagnostic: Diagnostic,
    /// The operation that it is about, and what is said without its name: it is said once for all operations.
    of: Option<(String, String)>,
}

/// The most names in a sentence.
const MOST_NAMED: usize = 20;

/// Names in a sentence; of many the first ones, and how many more there are.
pub(crate) fn listed(names: &[String]) -> String {
    let mut listed = names[..names.len().min(MOST_NAMED)].join(", ");
    if names.len() > MOST_NAMED {
        listed += &format!(" and {} more", names.len() - MOST_NAMED);
    }
    listed
}

/// Collects what is to be said about documents.
#[derive(Debug)]
pub(crate) struct Report<'s> {
    sources: &'s [Arc<Source>],
    /// The documents that are read together; all, if there are none.
    group: BTreeSet<u32>,
    found: Rc<RefCell<Vec<Found>>>,
    said: Rc<RefCell<HashSet<(Place, String)>>>,
    /// Why documents describe nothing that can be imported: the rule that is broken, and the place.
    obstacle: Rc<Cell<Option<(Rule, Place)>>>,
}

impl<'s> Report<'s> {
    /// A report about documents.
    pub fn new(sources: &'s [Arc<Source>]) -> Self {
        Self {
            sources,
            group: BTreeSet::new(),
            found: Rc::default(),
            said: Rc::default(),
            obstacle: Rc::default(),
        }
    }

    /// The same report, while documents are read that belong together.
    pub fn within(&self, group: &BTreeSet<u32>) -> Self {
        Self {
            sources: self.sources,
            group: group.clone(),
            found: Rc::clone(&self.found),
            said: Rc::clone(&self.said),
            obstacle: Rc::clone(&self.obstacle),
        }
    }

    /// The texts of the documents that are read together.
    fn texts(&self) -> impl Iterator<Item = &'s str> {
        let sources = self.sources.iter().zip(0..);
        let read = sources.filter(|(_, one)| self.group.is_empty() || self.group.contains(one));
        read.map(|(source, _)| &*source.text)
    }

    /// Says something about a place, once however often it is met.
    pub fn add(&self, rule: Rule, place: Place, message: impl Into<String>, hint: Option<&str>) {
        self.add_found(rule, place, message.into(), hint, None);
    }

    /// Says something of an operation. What is the same of many is said at the first of them.
    pub fn add_of_operation(
        &self,
        rule: Rule,
        place: Place,
        operation: &str,
        message: String,
        hint: Option<&str>,
    ) {
        let what = message.replace(&format!("`{operation}`"), "``");
        self.add_found(
            rule,
            place,
            message,
            hint,
            Some((operation.to_owned(), what)),
        );
    }

    fn add_found(
        &self,
        rule: Rule,
        place: Place,
        message: String,
        hint: Option<&str>,
        of: Option<(String, String)>,
    ) {
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
        self.found.borrow_mut().push(Found {
            place,
            diagnostic,
            of,
        });
    }

    /// Whether a document was written by ASMX, and by nothing that only writes like it.
    pub fn is_of_asmx(&self) -> bool {
        // It writes no empty sequences and no documentation of types.
        let is_other =
            |text: &str| text.contains("<s:sequence />") || text.contains(":annotation>");
        self.texts()
            .any(|text| is_like_asmx(text) && !is_other(text))
    }

    /// Whether ASMX wrote a document, or something that writes like it.
    pub fn is_like_asmx(&self) -> bool {
        self.texts().any(is_like_asmx)
    }

    /// Notes why documents describe nothing that can be imported. Others may describe something.
    pub fn obstruct(&self, rule: Rule, place: Place) {
        let known = self.obstacle.get();
        self.obstacle.set(known.or(Some((rule, place))));
    }

    /// Refuses documents of which nothing is imported, if nothing else does.
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

    /// Whether an error was found.
    pub fn has_errors(&self) -> bool {
        let found = self.found.borrow();
        found
            .iter()
            .any(|one| one.diagnostic.severity() == Severity::Error)
    }

    /// How often rules were broken.
    pub fn count(&self, is_one: impl Fn(Rule) -> bool) -> usize {
        let found = self.found.borrow();
        let rules = found.iter().map(|one| one.diagnostic.rule);
        rules.filter(|rule| is_one(*rule)).count()
    }

    /// The operations that are left out, in the order of the text.
    pub fn operations_left_out(&self) -> Vec<LeftOutOperation> {
        let mut found: Vec<_> = self
            .found
            .borrow()
            .iter()
            .filter(|one| one.diagnostic.rule == Rule::OperationLeftOut)
            .filter_map(|one| {
                let (name, _) = one.of.clone()?;
                let message = one.diagnostic.message.clone();
                Some((one.place, LeftOutOperation { name, message }))
            })
            .collect();
        found.sort_by_key(|(place, _)| *place);
        found.into_iter().map(|(_, operation)| operation).collect()
    }

    /// All that was found, document by document in the order of the text.
    pub fn finish(self) -> Diagnostics {
        let mut found = self.found.take();
        found.sort_by_key(|one| one.place);
        let mut documents: Vec<Vec<Diagnostic>> = vec![Vec::new(); self.sources.len()];
        // By what is said of operations: the number of the first diagnostic, and the names of the other operations.
        let mut likewise: HashMap<(u32, Rule, String), (usize, Vec<String>)> = HashMap::new();
        for Found {
            place,
            diagnostic,
            of,
        } in found
        {
            let said = &mut documents[place.document as usize];
            if let Some((operation, what)) = of {
                let key = (place.document, diagnostic.rule, what);
                if let Some((_, others)) = likewise.get_mut(&key) {
                    others.push(format!("`{operation}`"));
                    continue;
                }
                likewise.insert(key, (said.len(), Vec::new()));
            }
            said.push(diagnostic);
        }
        for ((document, ..), (first, others)) in likewise {
            if others.is_empty() {
                continue;
            }
            let noun = if others.len() == 1 {
                "operation"
            } else {
                "operations"
            };
            documents[document as usize][first].message += &format!(
                "; likewise {} other {noun}: {}",
                others.len(),
                listed(&others)
            );
        }
        documents.into_iter().map(Diagnostics::of_file).collect()
    }
}

/// Whether a text is a WSDL of ASMX, which declares this prefix in each, and has no use for it.
fn is_like_asmx(text: &str) -> bool {
    text.contains("http://microsoft.com/wsdl/mime/textMatching/")
}
