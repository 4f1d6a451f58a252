//! Comparing two documents of XML.

mod children;
mod fill;
mod notation;
mod start;
mod tag;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use roxmltree::{Document, Node};
use svcgen::mask::SECRET;
use svcgen_messages::Operation;

use crate::decode::Decoded;
use crate::findings::{Findings, NIL, NOTHING, shown};
use crate::kind::DifferenceKind as Kind;
use crate::known::Known;
use crate::place::Place;
use children::pairs;
pub(crate) use fill::filled;
pub(crate) use notation::encodings;
pub(crate) use start::fault_text;

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
const SOAP_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// The texts of values that do not count, in the expected document, with those of the found one.
pub(crate) struct Skipped {
    /// Where the elements stand, in both.
    ranges: [Vec<Range<usize>>; 2],
    /// What the expected document is filled with before it is read.
    fills: Vec<(Range<usize>, String)>,
}

impl Skipped {
    /// The expected document with the found values in the place of those that do not count.
    pub(crate) fn filled(&self, text: &str) -> String {
        let fills = self.fills.iter();
        replaced(text, fills.map(|(range, fill)| (range, fill.as_str())))
    }

    /// Whether two documents are the same but for what does not count.
    fn leaves_same(&self, texts: [&str; 2]) -> bool {
        let [one, other] = [0, 1].map(|side| {
            let ranges = self.ranges[side].iter();
            replaced(texts[side], ranges.map(|range| (range, "")))
        });
        one == other
    }
}

fn replaced<'t>(text: &str, parts: impl Iterator<Item = (&'t Range<usize>, &'t str)>) -> String {
    let mut parts: Vec<_> = parts.collect();
    parts.sort_by_key(|(range, _)| range.start);
    let mut whole = String::with_capacity(text.len());
    let mut at = 0;
    for (range, fill) in parts {
        // A document that is skipped within one that is skipped.
        if range.start < at {
            continue;
        }
        whole += &text[at..range.start];
        whole += fill;
        at = range.end;
    }
    whole + &text[at..]
}

/// What an element is in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Envelope,
    Header,
    Body,
    /// The element around results: places begin with those.
    Wrapper,
    Fault,
    /// A part of a fault, whose values are of this kind.
    FaultPart(Kind),
    Detail,
    Value,
}

/// Elements that are compared.
struct Task<'a, 'i> {
    nodes: [Node<'a, 'i>; 2],
    known: Known,
    place: Place,
    role: Role,
}

struct Walk<'f, 'r, 'a, 'i> {
    findings: &'f mut Findings<'r>,
    operation: Option<Operation>,
    texts: [&'a str; 2],
    skipped: Skipped,
    /// Namespaces that were told to stand for others.
    renamed: Vec<[String; 2]>,
    open: Vec<Task<'a, 'i>>,
}

/// Compares two documents. `None` if one is not well-formed.
pub(crate) fn compare(
    bodies: [&Decoded; 2],
    operation: Option<Operation>,
    findings: &mut Findings<'_>,
) -> Option<Skipped> {
    let texts = bodies.map(|body| body.text.as_str());
    let [expected, found] = texts.map(Document::parse);
    if expected.is_err() || found.is_err() {
        if texts[0] != texts[1] {
            let told = |parsed: &Result<_, roxmltree::Error>| match parsed {
                Ok(_) => "a document of XML".to_owned(),
                Err(error) => error.to_string(),
            };
            let is_cut = texts[0].trim_end().ends_with(svcgen::mask::CUT);
            let kind = if is_cut {
                Kind::CutOff
            } else {
                Kind::Malformed
            };
            findings.add(kind, "body", told(&expected), told(&found));
        }
        return None;
    }
    let (Ok(expected), Ok(found)) = (expected, found) else {
        return None;
    };
    let before = findings.found.len();
    notation::prologs(bodies, [&expected, &found], findings);
    let mut walk = Walk {
        findings,
        operation,
        texts,
        skipped: Skipped {
            ranges: [Vec::new(), Vec::new()],
            fills: Vec::new(),
        },
        renamed: Vec::new(),
        open: Vec::new(),
    };
    walk.start([expected.root_element(), found.root_element()]);
    while let Some(task) = walk.open.pop() {
        walk.element(task);
    }
    let skipped = walk.skipped;
    if findings.found.len() == before && !skipped.leaves_same(texts) {
        findings.add(Kind::Markup, "body", "one notation", "another one");
    }
    Some(skipped)
}

impl<'a, 'i> Walk<'_, '_, 'a, 'i> {
    fn element(&mut self, task: Task<'a, 'i>) {
        let [expected, found] = task.nodes;
        let is_leaf = children::is_leaf(expected) && children::is_leaf(found);
        let texts = [expected, found].map(text);
        let pair = is_leaf.then_some((texts[0].as_str(), texts[1].as_str()));
        let is_value = matches!(task.role, Role::Value | Role::FaultPart(_));
        let is_hidden = children::is_leaf(expected) && is_masked(&texts[0]);
        if is_value && self.findings.passes(task.known, &task.place, pair) || is_hidden {
            self.skip(&task, is_leaf);
            return;
        }
        self.names(&task);
        let place = &task.place;
        let [one, other] = task.nodes.map(|node| node.tag_name().namespace());
        notation::tags(self.sources(task.nodes), one == other, place, self.findings);
        let is_nil = [expected, found].map(children::is_nil);
        self.attributes(&task);
        if is_nil[0] != is_nil[1] {
            let [one, other] = [0, 1].map(|side| match is_nil[side] {
                true => NIL.to_owned(),
                false if is_leaf => shown(task.known, &texts[side]),
                false => children::names(task.nodes[side]),
            });
            self.findings.add_at(Kind::Nil, place, one, other);
        } else if is_leaf {
            self.leaf(&task, [&texts[0], &texts[1]]);
        } else {
            notation::gaps(task.nodes, self.texts, place, self.findings);
            self.children(&task);
        }
    }

    fn sources(&self, nodes: [Node<'a, 'i>; 2]) -> [&'a str; 2] {
        [0, 1].map(|side| &self.texts[side][nodes[side].range()])
    }

    fn skip(&mut self, task: &Task<'a, 'i>, is_leaf: bool) {
        self.findings.settle(&task.place);
        let sources = self.sources(task.nodes);
        for side in [0, 1] {
            self.skipped.ranges[side].push(task.nodes[side].range());
        }
        if is_leaf {
            let [content, fill] = sources.map(tag::content);
            // An element without an end tag has no place for a text.
            if !content.is_empty() {
                let start = task.nodes[0].range().start;
                let range = start + content.start..start + content.end;
                self.skipped
                    .fills
                    .push((range, sources[1][fill].to_owned()));
            }
        }
    }

    /// Names and namespaces.
    fn names(&mut self, task: &Task<'a, 'i>) {
        let [one, other] = task.nodes.map(|node| node.tag_name());
        let (name, other_name) = (one.name(), other.name());
        if name != other_name {
            let kind = if name.eq_ignore_ascii_case(other_name) {
                Kind::NameCase
            } else {
                Kind::ElementName
            };
            self.findings.add_at(kind, &task.place, name, other_name);
        }
        let kind = match task.role {
            Role::Envelope => Kind::SoapVersion,
            _ => Kind::Namespace,
        };
        self.namespaces(kind, &task.place, [one.namespace(), other.namespace()]);
    }

    fn namespaces(&mut self, kind: Kind, place: &Place, namespaces: [Option<&str>; 2]) {
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
        let [one, other] = &renamed;
        self.findings.add_at(kind, place, one, other);
        self.renamed.push(renamed);
    }

    fn attributes(&mut self, task: &Task<'a, 'i>) {
        let [expected, found] = task.nodes;
        let all = found
            .attributes()
            .map(|one| ((one.namespace(), one.name()), one));
        let all: HashMap<_, _> = all.collect();
        let own = expected
            .attributes()
            .map(|one| (one.namespace(), one.name()));
        let own: HashSet<_> = own.collect();
        // One of the same name, in a namespace in which none is expected.
        let moved = all
            .values()
            .filter(|one| !own.contains(&(one.namespace(), one.name())));
        let mut moved: HashMap<_, _> = moved.map(|one| (one.name(), *one)).collect();
        for attribute in expected.attributes() {
            let (namespace, name) = (attribute.namespace(), attribute.name());
            let place = task.place.member(name);
            let known = self.attribute_known(task.known, namespace, name);
            let other = all.get(&(namespace, name)).copied();
            let other = other.or_else(|| moved.remove(name));
            let Some(other) = other else {
                if namespace == Some(XSI) && name == "nil" {
                    continue;
                }
                if !self.findings.rules.ignores(&place) && !is_masked(attribute.value()) {
                    let value = shown(known, attribute.value());
                    let kind = Kind::MissingAttribute;
                    self.findings.add_at(kind, &place, value, NOTHING);
                }
                continue;
            };
            if other.namespace() != namespace {
                self.namespaces(Kind::Namespace, &place, [namespace, other.namespace()]);
            }
            self.attribute(task, known, &place, [attribute, other]);
        }
        for other in found.attributes() {
            let (namespace, name) = (other.namespace(), other.name());
            let is_left = moved
                .get(name)
                .is_some_and(|one| one.namespace() == namespace);
            let place = task.place.member(name);
            let is_nil = namespace == Some(XSI) && name == "nil";
            if !is_left || is_nil || self.findings.rules.ignores(&place) {
                continue;
            }
            let known = self.attribute_known(task.known, namespace, name);
            let kind = match known {
                Known::Undescribed => Kind::UnknownAttribute,
                _ => Kind::ExtraAttribute,
            };
            let value = shown(known, other.value());
            self.findings.add_at(kind, &place, NOTHING, value);
        }
    }

    /// Attributes of XML Schema, SOAP and XML are those of every definition.
    fn attribute_known(&self, known: Known, namespace: Option<&str>, name: &str) -> Known {
        match namespace {
            Some(namespace)
                if [XSI, SOAP_11, SOAP_12, roxmltree::NS_XML_URI].contains(&namespace) =>
            {
                Known::Free
            }
            _ => known.attribute(name),
        }
    }

    fn attribute(
        &mut self,
        task: &Task<'a, 'i>,
        known: Known,
        place: &Place,
        attributes: [roxmltree::Attribute<'a, 'i>; 2],
    ) {
        let [one, other] = attributes;
        let is_of_instance = one.namespace() == Some(XSI);
        if one.value() == other.value() {
            let sources = [0, 1].map(|side| &self.texts[side][attributes[side].range_value()]);
            if sources[0] != sources[1] {
                let [one, other] = sources.map(|source| shown(known, source));
                let kind = Kind::CharacterReference;
                self.findings.add_at(kind, place, one, other);
            }
            return;
        }
        if is_of_instance && one.name() == "nil"
            || self
                .findings
                .passes(known, place, Some((one.value(), other.value())))
        {
            return;
        }
        let (kind, place) = match (is_of_instance, one.name()) {
            (true, "type") => {
                let names = [0, 1]
                    .map(|side| children::qualified(task.nodes[side], attributes[side].value()));
                let kind = if names[0] == names[1] {
                    Kind::Prefix
                } else {
                    Kind::Type
                };
                (kind, &task.place)
            }
            _ if known.equates(one.value(), other.value()) => (Kind::LexicalForm, place),
            _ => (Kind::Attribute, place),
        };
        let [one, other] = [one, other].map(|attribute| match kind {
            Kind::Prefix => notation::prefix_of(attribute.value()),
            _ => shown(known, attribute.value()),
        });
        self.findings.add_at(kind, place, one, other);
    }

    /// Elements without elements.
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
        let told = |text: &str| match kind {
            Kind::FaultText if self.findings.hides_fault_text => SECRET.to_owned(),
            _ => shown(task.known, text),
        };
        let (mut one, mut other) = (told(expected), told(found));
        if kind == Kind::Prefix {
            [one, other] = texts.map(notation::prefix_of);
        }
        self.findings.add_at(kind, place, one, other);
    }

    fn children(&mut self, task: &Task<'a, 'i>) {
        let matched = match task.role {
            // An answer has one element, whatever its name.
            Role::Body => children::lone_pair(task.nodes).unwrap_or_else(|| pairs(task.nodes)),
            _ => pairs(task.nodes),
        };
        if let Some([one, other]) = matched.orders {
            self.findings
                .add_at(Kind::ElementOrder, &task.place, one, other);
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
                }),
                [Some(one), None] => self.lone(task, pair.is_item, (0, one), known, &place),
                [None, Some(other)] => self.lone(task, pair.is_item, (1, other), known, &place),
                [None, None] => {}
            }
        }
        self.open.extend(tasks.into_iter().rev());
    }

    /// An element that is missing (side 0), or that is one more (side 1).
    fn lone(
        &mut self,
        task: &Task<'a, 'i>,
        is_item: bool,
        (side, node): (usize, Node<'a, 'i>),
        known: Known,
        place: &Place,
    ) {
        let is_hidden = side == 0 && is_masked(&text(node)) && !known.is_secret();
        if self.findings.rules.ignores(place) || is_hidden {
            self.findings.settle(place);
            return;
        }
        let kind = match task.role {
            Role::Header | Role::Envelope => Kind::SoapHeader,
            Role::Fault | Role::FaultPart(_) => part_of_fault(node),
            Role::Detail => Kind::FaultDetail,
            _ if side == 1 && matches!(known, Known::Undescribed) => Kind::UnknownElement,
            _ if is_item || task.known.is_list() => [Kind::MissingItem, Kind::ExtraItem][side],
            _ if children::is_nil(node) => [Kind::AbsentForNil, Kind::NilForAbsent][side],
            _ if children::is_empty(node) => [Kind::AbsentForEmpty, Kind::EmptyForAbsent][side],
            _ => [Kind::MissingElement, Kind::ExtraElement][side],
        };
        let mut told = [NOTHING.to_owned(), NOTHING.to_owned()];
        told[side] = self.told(kind, node, known);
        let [one, other] = told;
        self.findings.add_at(kind, place, one, other);
    }

    /// An element that stands on one side alone.
    fn told(&self, kind: Kind, node: Node<'_, '_>, known: Known) -> String {
        if kind == Kind::FaultText && self.findings.hides_fault_text {
            SECRET.to_owned()
        } else if children::is_nil(node) {
            NIL.to_owned()
        } else if known.is_secret() {
            SECRET.to_owned()
        } else if children::is_leaf(node) {
            shown(known, &text(node))
        } else {
            children::names(node)
        }
    }
}

/// What a part of a fault is.
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

/// The text of an element, without that of elements in it.
fn text(node: Node<'_, '_>) -> String {
    let texts = node.children().filter(Node::is_text);
    texts.filter_map(|text| text.text()).collect()
}

/// How two texts differ.
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
