//! The comparison of two XML documents.

mod attributes;
mod children;
mod fill;
mod follow;
mod links;
mod notation;
mod skipped;
mod start;
mod tag;

use std::collections::HashSet;

use roxmltree::{Node, NodeId};
use svcgen::mask::{Masked, SECRET};
use svcgen_messages::Operation;
use svcgen_wsdl::sources::parse_bounded;

use crate::content::words;
use crate::decode::Decoded;
use crate::description::Description;
use crate::findings::{Findings, NIL, NOTHING};
use crate::kind::DifferenceKind as Kind;
use crate::value_path::ValuePath;
use children::pairs;
pub(crate) use fill::filled;
use follow::Followed;
use links::Links;
pub(crate) use notation::encodings;
use skipped::Skipped;

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
const SOAP_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// The elements in SOAP headers whose values are never the same in two answers.
const OF_THE_MOMENT: [(&str, &str); 3] = [
    ("http://www.w3.org/2005/08/addressing", "MessageID"),
    (
        "http://schemas.xmlsoap.org/ws/2004/08/addressing",
        "MessageID",
    ),
    (
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd",
        "Timestamp",
    ),
];

/// The role of an element in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Envelope,
    Header,
    Body,
    /// The element around the results, which begin places.
    Wrapper,
    Fault,
    /// A part of a fault, whose values are of this kind.
    FaultPart(Kind),
    Detail,
    Value,
}

/// Two elements to compare.
struct Task<'a, 'i> {
    nodes: [Node<'a, 'i>; 2],
    known: Description,
    place: ValuePath,
    role: Role,
    /// For each element, whether it was reached by a reference.
    refers: [bool; 2],
    /// The pairs of elements around them that were reached by references.
    within: Vec<[NodeId; 2]>,
}

struct Walk<'f, 'r, 'a, 'i> {
    findings: &'f mut Findings<'r>,
    operation: Option<Operation>,
    texts: [&'a str; 2],
    links: [Links<'a, 'i>; 2],
    followed: Followed,
    skipped: Skipped,
    /// The pairs of differing namespaces that have been reported.
    renamed: HashSet<[String; 2]>,
    open: Vec<Task<'a, 'i>>,
}

/// Compares two documents. `None` if one cannot be read.
pub(crate) fn compare(
    bodies: [&Decoded; 2],
    operation: Option<Operation>,
    findings: &mut Findings<'_>,
) -> Option<Skipped> {
    let texts = bodies.map(|body| body.text.as_str());
    let [expected, found] = texts.map(parse_bounded);
    if expected.is_err() || found.is_err() {
        if texts[0] != texts[1] {
            let told = |parsed: &Result<_, String>| match parsed {
                Ok(_) => words("a document of XML"),
                Err(error) => findings.content.text(error),
            };
            let is_cut = texts[0].trim_end().ends_with(svcgen::mask::CUT);
            let kind = if is_cut {
                Kind::CutOff
            } else {
                Kind::Malformed
            };
            findings.add(kind, "body", [told(&expected), told(&found)]);
        }
        return None;
    }
    let (Ok(expected), Ok(found)) = (expected, found) else {
        return None;
    };
    let before = findings.found.len();
    notation::prologs(bodies, [&expected, &found], findings);
    let is_encoded = operation.map(|operation| operation.row().encoded.is_some());
    let mut walk = Walk {
        findings,
        operation,
        texts,
        links: [&expected, &found].map(|document| Links::of(document, is_encoded)),
        followed: Followed::new(texts),
        skipped: Skipped::default(),
        renamed: HashSet::new(),
        open: Vec::new(),
    };
    walk.start([expected.root_element(), found.root_element()]);
    while let Some(task) = walk.open.pop() {
        walk.element(task);
    }
    walk.end();
    let skipped = walk.skipped;
    if findings.found.len() == before && !skipped.leaves_same(texts) {
        let told = ["one notation", "another one"].map(words);
        findings.add(Kind::Markup, "body", told);
    }
    Some(skipped)
}

impl<'a, 'i> Walk<'_, '_, 'a, 'i> {
    fn element(&mut self, mut task: Task<'a, 'i>) {
        let nodes = [0, 1].map(|side| self.links[side].resolved(task.nodes[side]));
        let [expected, found] = nodes;
        let are_leaves = is_leaf(expected) && is_leaf(found);
        let texts = [expected, found].map(text);
        let pair = are_leaves.then_some((texts[0].as_str(), texts[1].as_str()));
        let is_value = matches!(task.role, Role::Value | Role::FaultPart(_));
        let is_hidden = is_leaf(expected) && is_masked(&texts[0]);
        let passes = nodes.into_iter().all(is_of_the_moment)
            || self.findings.passes(task.known, &task.place, pair);
        if is_value && passes || is_hidden {
            self.skip(&task, nodes, are_leaves, is_hidden);
            return;
        }
        if nodes != task.nodes && !self.follow(&mut task, nodes) {
            return;
        }
        let has_same_tags = match task.refers {
            [false, false] => {
                self.names(&task);
                true
            }
            _ => self.target_names(&task),
        };
        let place = &task.place;
        if has_same_tags {
            let [one, other] = nodes.map(|node| node.tag_name().namespace());
            notation::tags(self.sources(nodes), one == other, place, self.findings);
        }
        let is_nil = [expected, found].map(children::is_nil);
        let content = self.findings.content;
        self.attributes(&task);
        if is_nil[0] != is_nil[1] {
            let told = [0, 1].map(|side| match is_nil[side] {
                true => words(NIL),
                false if are_leaves => content.value(task.known, &texts[side]),
                false => content.text(&children::names(task.nodes[side])),
            });
            self.findings.add_at(Kind::Nil, place, told);
        } else if are_leaves {
            self.leaf(&task, [&texts[0], &texts[1]]);
        } else {
            notation::gaps(task.nodes, self.texts, place, self.findings);
            self.children(&task);
        }
    }

    fn sources(&self, nodes: [Node<'a, 'i>; 2]) -> [&'a str; 2] {
        [0, 1].map(|side| &self.texts[side][nodes[side].range()])
    }

    fn skip(
        &mut self,
        task: &Task<'a, 'i>,
        nodes: [Node<'a, 'i>; 2],
        is_leaf: bool,
        is_hidden: bool,
    ) {
        self.findings.settle(&task.place);
        let sources = self.sources(nodes);
        for side in [0, 1] {
            self.skipped.ranges[side].push(nodes[side].range());
        }
        // An element that others refer to may count at another place.
        let is_shared = nodes != task.nodes || !task.within.is_empty();
        if is_leaf && (is_hidden || !is_shared) {
            let [content, fill] = sources.map(tag::content);
            // An element without an end tag has no place for a text.
            if !content.is_empty() {
                let start = nodes[0].range().start;
                let range = start + content.start..start + content.end;
                self.skipped
                    .fills
                    .push((range, sources[1][fill].to_owned()));
            }
        }
    }

    /// Compares names and namespaces.
    fn names(&mut self, task: &Task<'a, 'i>) {
        let [one, other] = task.nodes.map(|node| node.tag_name());
        let (name, other_name) = (one.name(), other.name());
        if name != other_name {
            let kind = if name.eq_ignore_ascii_case(other_name) {
                Kind::NameCase
            } else {
                Kind::ElementName
            };
            let told = [name, other_name].map(|name| self.findings.content.text(name));
            self.findings.add_at(kind, &task.place, told);
        }
        let kind = match task.role {
            Role::Envelope => Kind::SoapVersion,
            _ => Kind::Namespace,
        };
        self.namespaces(kind, &task.place, [one.namespace(), other.namespace()]);
    }

    fn namespaces(&mut self, kind: Kind, place: &ValuePath, namespaces: [Option<&str>; 2]) {
        let [one, other] = namespaces.map(|namespace| namespace.unwrap_or(NOTHING).to_owned());
        let renamed = [one, other];
        if renamed[0] == renamed[1] || self.renamed.contains(&renamed) {
            return;
        }
        let is_version = [SOAP_11, SOAP_12].map(|soap| renamed.iter().any(|one| one == soap));
        let kind = match is_version {
            [true, true] => Kind::SoapVersion,
            _ if kind == Kind::SoapVersion => Kind::Namespace,
            _ => kind,
        };
        let content = self.findings.content;
        let told = renamed.each_ref().map(|namespace| content.text(namespace));
        self.findings.add_at(kind, place, told);
        self.renamed.insert(renamed);
    }

    /// Compares elements without child elements.
    fn leaf(&mut self, task: &Task<'a, 'i>, texts: [&str; 2]) {
        let [expected, found] = texts;
        let place = &task.place;
        if expected == found {
            let sources = self.sources(task.nodes);
            let contents = sources.map(|source| &source[tag::content(source)]);
            notation::texts(contents, task.known, place, self.findings);
            return;
        }
        let names = task
            .nodes
            .map(|node| children::qualified(node, &text(node)));
        let kind = match task.role {
            Role::FaultPart(Kind::FaultCode) if names[0] == names[1] => Kind::Prefix,
            Role::FaultPart(Kind::FaultCode) => Kind::FaultCode,
            Role::FaultPart(kind) => kind,
            Role::Detail => Kind::FaultDetail,
            _ if task.known.equates(expected, found) => {
                self.findings.settle(place);
                match kind_of_texts(expected, found) {
                    Kind::TextSpace => Kind::TextSpace,
                    _ => Kind::LexicalForm,
                }
            }
            _ => kind_of_texts(expected, found),
        };
        let content = self.findings.content;
        let told = texts.map(|text| match kind {
            Kind::Prefix => content.text(notation::prefix_of(text)),
            _ => content.value(task.known, text),
        });
        self.findings.add_at(kind, place, told);
    }

    fn children(&mut self, task: &Task<'a, 'i>) {
        let elements = self.elements(task);
        let lone = match task.role {
            // The Body of an answer has one element, so that the two belong together even under
            // different names.
            Role::Body => children::lone_pair(&elements),
            _ => None,
        };
        let matched = lone.unwrap_or_else(|| pairs(&elements, &self.links));
        if let Some(orders) = matched.orders {
            let content = self.findings.content;
            let told = orders.map(|names| content.text(&names));
            self.findings.add_at(Kind::ElementOrder, &task.place, told);
        }
        let mut tasks = Vec::new();
        for pair in matched.pairs {
            let (role, known, place) = self.child(task, &pair);
            match pair.nodes {
                [Some(one), Some(other)] => tasks.push(Task {
                    nodes: [one, other],
                    known,
                    place,
                    role,
                    refers: [false; 2],
                    within: task.within.clone(),
                }),
                [Some(one), None] => self.lone(task, pair.is_item, (0, one), known, &place),
                [None, Some(other)] => self.lone(task, pair.is_item, (1, other), known, &place),
                [None, None] => {}
            }
        }
        self.open.extend(tasks.into_iter().rev());
    }

    /// Reports an element that is missing (side 0) or extra (side 1).
    fn lone(
        &mut self,
        task: &Task<'a, 'i>,
        is_item: bool,
        (side, node): (usize, Node<'a, 'i>),
        known: Description,
        place: &ValuePath,
    ) {
        let node = self.links[side].resolved(node);
        let is_hidden = side == 0 && is_masked(&text(node)) && !known.is_secret();
        if self.findings.rules.ignores(place) || is_hidden {
            self.findings.settle(place);
            self.skipped.ranges[side].push(node.range());
            return;
        }
        let kind = match task.role {
            // A target to which nothing refers.
            Role::Body if self.links[side].is_target(node) => Kind::Reference,
            Role::Header | Role::Envelope => Kind::SoapHeader,
            Role::Fault | Role::FaultPart(_) => part_of_fault(node),
            Role::Detail => Kind::FaultDetail,
            _ if side == 1 && matches!(known, Description::Undescribed) => Kind::UnknownElement,
            _ if is_item || task.known.is_list() => [Kind::MissingItem, Kind::ExtraItem][side],
            _ if children::is_nil(node) => [Kind::AbsentForNil, Kind::NilForAbsent][side],
            _ if is_empty(node) => [Kind::AbsentForEmpty, Kind::EmptyForAbsent][side],
            _ => [Kind::MissingElement, Kind::ExtraElement][side],
        };
        let mut told = [NOTHING; 2].map(words);
        told[side] = self.told(node, known);
        self.findings.add_at(kind, place, told);
    }

    /// Describes an element that is present on one side only.
    fn told(&self, node: Node<'_, '_>, known: Description) -> Masked<String> {
        let content = self.findings.content;
        if children::is_nil(node) {
            words(NIL)
        } else if known.is_secret() {
            words(SECRET)
        } else if is_leaf(node) {
            content.value(known, &text(node))
        } else {
            content.text(&children::names(node))
        }
    }
}

fn is_soap(node: Node<'_, '_>, name: &str) -> bool {
    let named = node.tag_name();
    named.name() == name && matches!(named.namespace(), Some(SOAP_11 | SOAP_12))
}

/// Whether an element is in a SOAP header, and its value differs in each answer.
fn is_of_the_moment(node: Node<'_, '_>) -> bool {
    let name = node.tag_name();
    OF_THE_MOMENT.contains(&(name.namespace().unwrap_or_default(), name.name()))
        && node.ancestors().any(|one| is_soap(one, "Header"))
}

/// Returns the kind of differences in a part of a fault.
fn part_of_fault(node: Node<'_, '_>) -> Kind {
    match node.tag_name().name() {
        "faultcode" | "Code" | "Subcode" | "Value" => Kind::FaultCode,
        "faultstring" | "Reason" | "Text" => Kind::FaultText,
        "detail" | "Detail" => Kind::FaultDetail,
        _ => Kind::FaultActor,
    }
}

fn is_masked(text: &str) -> bool {
    crate::findings::is_placeholder(text)
}

fn is_leaf(node: Node<'_, '_>) -> bool {
    !node.children().any(|child| child.is_element())
}

fn is_empty(node: Node<'_, '_>) -> bool {
    is_leaf(node) && text(node).is_empty()
}

/// Returns the text of an element, without the text of its child elements.
fn text(node: Node<'_, '_>) -> String {
    let texts = node.children().filter(Node::is_text);
    texts.filter_map(|text| text.text()).collect()
}

/// Returns the kind of difference between two texts.
pub(crate) fn kind_of_texts(one: &str, other: &str) -> Kind {
    let without = |text: &str, is: fn(char) -> bool| text.replace(is, "");
    if without(one, |c| c == '\r') == without(other, |c| c == '\r') {
        Kind::CarriageReturn
    } else if without(one, char::is_whitespace) == without(other, char::is_whitespace) {
        Kind::TextSpace
    } else if one.to_lowercase() == other.to_lowercase() {
        Kind::TextCase
    } else {
        Kind::Value
    }
}
