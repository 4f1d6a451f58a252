//! Elements and element groups.

use std::borrow::Cow;
use std::mem;
use std::rc::Rc;

use roxmltree::Node;

use super::declarations::{Scope, declared_elements, local, unknown};
use super::reader::{Group, MOST_NESTED, Particles, Reader, doc, hints, size};
use super::{Element, Name, Particle, Symbol, Term, TypeRef, Wildcard, XML_SCHEMA};
use crate::names::{builtin, is_soap_encoding, is_xml_schema};
use crate::report::DocumentSpan;
use crate::rules::Rule;

const ANY: TypeRef<'static> = TypeRef::Builtin("anyType");

impl<'s> Reader<'_, 's> {
    /// Reads the particles within a group.
    fn particles(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        own: Option<usize>,
        depth: u32,
    ) -> Vec<Particle<'s>> {
        let children = declared_elements(node);
        let particles = children.filter_map(|child| {
            if is_particle(child) {
                return self.particle(child, scope, own, depth + 1);
            }
            unknown(child, scope, self.report);
            None
        });
        particles.collect()
    }

    /// Reads a particle; `None` if it never occurs. `own` is the declaration of the group that
    /// contains it.
    pub fn particle(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        own: Option<usize>,
        depth: u32,
    ) -> Option<Particle<'s>> {
        if !self.may_nest(depth, node, scope) {
            return None;
        }
        let place = DocumentSpan::of(scope.document, node);
        let (min, max) = self.occurs(node, scope);
        if max == Some(0) {
            return None;
        }
        let term = match local(node)? {
            "element" => Term::Element(Box::new(self.element(node, scope)?)),
            "any" => Term::Any(wildcard(node, place)),
            "sequence" => Term::Sequence(self.particles(node, scope, own, depth)),
            "choice" => Term::Choice(self.particles(node, scope, own, depth)),
            "all" => Term::All(self.particles(node, scope, own, depth)),
            _ => {
                let group = self.group(node, scope, own, depth)?;
                return Some(occurring(group, min, max));
            }
        };
        let is_group = !matches!(term, Term::Element(_) | Term::Any(_));
        simplest(Particle {
            min,
            max,
            term,
            doc: is_group.then(|| doc(node)).flatten(),
            place,
        })
    }

    /// The content of the group that an element refers to.
    fn group(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        own: Option<usize>,
        depth: u32,
    ) -> Option<Particle<'s>> {
        let place = DocumentSpan::of_attribute(scope.document, node, "ref");
        let (name, found) = self.reference(Symbol::Group, node, scope);
        let name = name?;
        let Some(found) = found else {
            self.missing(Symbol::Group, name, place);
            return None;
        };
        // A redefining group refers to the redefined one by the name that both have.
        let before = self.declarations.all[found].redefines;
        let found = before.filter(|_| own == Some(found)).unwrap_or(found);
        let group = match self.groups.get(&found) {
            Some(Group::Open) => {
                self.circle(Symbol::Group, name, node, scope);
                return None;
            }
            Some(Group::Read(group)) => Rc::clone(group),
            None => {
                self.groups.insert(found, Group::Open);
                let declared = self.declarations.all[found];
                let within = declared_elements(declared.node).find(|child| is_particle(*child));
                let mut content = within
                    .and_then(|child| self.particle(child, declared.scope, Some(found), depth + 1));
                if let Some(content) = &mut content {
                    document(content, doc(declared.node));
                }
                let (bytes, levels) = content.as_ref().map_or((0, 0), measure);
                let group = Rc::new(Particles {
                    content,
                    bytes,
                    levels,
                });
                self.groups.insert(found, Group::Read(Rc::clone(&group)));
                group
            }
        };
        let content = group.content.as_ref()?;
        let fits = self.may_nest((depth + group.levels).min(MOST_NESTED), node, scope);
        (fits && self.may_expand(group.bytes, place)).then(|| {
            let mut content = content.clone();
            document(&mut content, doc(node));
            content
        })
    }

    /// `minOccurs` and `maxOccurs`.
    fn occurs(&mut self, node: Node<'s, 's>, scope: Scope<'s>) -> (u32, Option<u32>) {
        let min = self.occurrence(node, "minOccurs", scope).flatten();
        let max = self.occurrence(node, "maxOccurs", scope);
        let min = min.unwrap_or(1);
        let max = max.unwrap_or(Some(1));
        let Some(most) = max.filter(|most| *most < min) else {
            return (min, max);
        };
        // A bare `maxOccurs="0"` excludes a particle, and is not a mistake.
        if node.has_attribute("minOccurs") {
            let message = format!("`minOccurs` is {min}, but `maxOccurs` {most}");
            let place = DocumentSpan::of_attribute(scope.document, node, "minOccurs");
            let hint = format!("it is taken as `maxOccurs=\"{min}\"`");
            self.report.add(Rule::LeftOut, place, message, Some(&hint));
            return (min, Some(min));
        }
        (most, max)
    }

    fn occurrence(
        &mut self,
        node: Node<'s, 's>,
        name: &'static str,
        scope: Scope<'s>,
    ) -> Option<Option<u32>> {
        let text = node.attribute(name)?.trim();
        // The drafts of XML Schema have `*`.
        if matches!(text, "unbounded" | "*") && name == "maxOccurs" {
            return Some(None);
        }
        let digits = text.strip_prefix('+').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("`{name}` is not a number");
            let place = DocumentSpan::of_attribute(scope.document, node, name);
            self.report.add(Rule::Wsdl, place, message, None);
            return None;
        }
        Some(Some(digits.parse().unwrap_or(u32::MAX)))
    }

    /// Reads a local element, or a reference to a global one.
    fn element(&mut self, node: Node<'s, 's>, scope: Scope<'s>) -> Option<Element<'s>> {
        if node.has_attribute("ref") {
            return self.element_reference(node, scope);
        }
        let is_qualified = match node.attribute("form").map(str::trim) {
            Some(form) => form == "qualified",
            None => scope.has_qualified_elements,
        };
        let namespace = if is_qualified { scope.target } else { "" };
        self.declared_element(node, scope, namespace)
    }

    /// Reads an element that is declared here.
    pub fn declared_element(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        namespace: &'s str,
    ) -> Option<Element<'s>> {
        let place = DocumentSpan::of(scope.document, node);
        let Some(local_name) = node.attribute("name").map(str::trim) else {
            let message = "this element has no `name`";
            self.report.add(Rule::Wsdl, place, message, None);
            return None;
        };
        let mut type_ref = self.type_ref(node, "type", scope);
        for child in declared_elements(node) {
            match local(child) {
                Some("simpleType" | "complexType") if type_ref.is_none() => {
                    type_ref = Some(TypeRef::Declared(self.number(child, scope, None, None)));
                }
                Some("key" | "keyref" | "unique" | "alternative") => {}
                _ => unknown(child, scope, self.report),
            }
        }
        let head = node.attribute("substitutionGroup");
        let substitutes = head.and_then(|head| {
            let place = DocumentSpan::of_attribute(scope.document, node, "substitutionGroup");
            self.qname(node, head, scope, place)
        });
        Some(Element {
            name: Name {
                namespace,
                local: local_name,
            },
            type_ref: type_ref.unwrap_or(ANY),
            is_reference: false,
            is_nillable: is_true(node, "nillable"),
            is_abstract: is_true(node, "abstract"),
            default: node.attribute("default"),
            fixed: node.attribute("fixed"),
            substitutes,
            doc: doc(node),
            hints: hints(node),
            place,
        })
    }

    fn element_reference(&mut self, node: Node<'s, 's>, scope: Scope<'s>) -> Option<Element<'s>> {
        let place = DocumentSpan::of(scope.document, node);
        let at = DocumentSpan::of_attribute(scope.document, node, "ref");
        let (name, found) = self.reference(Symbol::Element, node, scope);
        let name = name?;
        let empty = |name, type_ref| Element {
            name,
            type_ref,
            is_reference: true,
            is_nillable: false,
            is_abstract: false,
            default: None,
            fixed: None,
            substitutes: None,
            doc: doc(node),
            hints: hints(node),
            place,
        };
        if is_xml_schema(name.namespace) && name.local == "schema" {
            let name = Name {
                namespace: XML_SCHEMA,
                local: "schema",
            };
            return Some(empty(name, TypeRef::Builtin("schema")));
        }
        // The SOAP encoding declares an element for each of its types.
        if let Some(builtin) = builtin(name).filter(|_| is_soap_encoding(name.namespace)) {
            return Some(empty(name, TypeRef::Builtin(builtin)));
        }
        let found = found.map(|found| self.declarations.all[found].name);
        let Some(global) = found.and_then(|name| self.schemas.elements.get(&name)) else {
            self.missing(Symbol::Element, name, at);
            return Some(empty(name, TypeRef::Missing(name)));
        };
        let bytes = size(global) + self.size_of_substitutes(name);
        if !self.may_expand(bytes, at) {
            return None;
        }
        let mut element = self.schemas.elements[&found?].clone();
        element.is_reference = true;
        element.place = place;
        element.doc = doc(node).or(element.doc);
        element.hints.extend(hints(node));
        Some(element)
    }
}

/// The approximate size of a particle in bytes, and the depth of groups in it.
fn measure(particle: &Particle<'_>) -> (usize, u32) {
    match &particle.term {
        Term::Element(element) => (size(element), 1),
        Term::Any(wildcard) => {
            let words = wildcard.doc.as_ref().map_or(0, |doc| doc.len());
            (wildcard.namespaces.len() + words + 50, 1)
        }
        Term::Sequence(within) | Term::Choice(within) | Term::All(within) => {
            let measures = within.iter().map(measure);
            let words = particle.doc.as_ref().map_or(0, |doc| doc.len());
            measures.fold((50 + words, 1), |(bytes, levels), (more, below)| {
                (bytes + more, levels.max(below + 1))
            })
        }
    }
}

/// Sets the documentation of a group from its declaration or a reference to it, which replaces that
/// of its content.
fn document<'s>(particle: &mut Particle<'s>, words: Option<Cow<'s, str>>) {
    let is_group = !matches!(particle.term, Term::Element(_) | Term::Any(_));
    if is_group && words.is_some() {
        particle.doc = words;
    }
}

/// Whether an element is a particle.
pub(super) fn is_particle<'s>(node: Node<'s, 's>) -> bool {
    matches!(
        local(node),
        Some("element" | "any" | "sequence" | "choice" | "all" | "group")
    )
}

/// Reads a wildcard for elements or attributes.
pub(super) fn wildcard<'s>(node: Node<'s, 's>, place: DocumentSpan) -> Wildcard<'s> {
    Wildcard {
        namespaces: node.attribute("namespace").map_or("##any", str::trim),
        doc: doc(node),
        place,
    }
}

/// Whether an attribute is `true`.
pub(super) fn is_true<'s>(node: Node<'s, 's>, attribute: &str) -> bool {
    matches!(node.attribute(attribute).map(str::trim), Some("true" | "1"))
}

/// Multiplies the occurrences of a particle.
fn occurring<'s>(particle: Particle<'s>, min: u32, max: Option<u32>) -> Particle<'s> {
    if (min, max) == (1, Some(1)) {
        return particle;
    }
    // If its minimum is at most one, all numbers between the products are possible.
    if (particle.min, particle.max) == (1, Some(1)) || particle.min <= 1 {
        return Particle {
            min: min.saturating_mul(particle.min),
            max: max
                .zip(particle.max)
                .map(|(one, other)| one.saturating_mul(other)),
            ..particle
        };
    }
    let place = particle.place;
    Particle {
        min,
        max,
        term: Term::Sequence(vec![particle]),
        doc: None,
        place,
    }
}

/// Simplifies a particle whose parts are in simplest form; `None` if it is empty.
fn simplest<'s>(mut particle: Particle<'s>) -> Option<Particle<'s>> {
    let is_once = |one: &Particle<'s>| (one.min, one.max) == (1, Some(1));
    let is_choice = match &particle.term {
        Term::Sequence(_) => false,
        Term::Choice(_) => true,
        Term::All(within) => return (!within.is_empty()).then_some(particle),
        Term::Element(_) | Term::Any(_) => return Some(particle),
    };
    let (Term::Sequence(within) | Term::Choice(within)) = &mut particle.term else {
        unreachable!("others are returned");
    };
    let mut spliced = Vec::with_capacity(within.len());
    for mut one in mem::take(within) {
        let occurs = (one.min, one.max);
        match &mut one.term {
            Term::Sequence(inner) if !is_choice && occurs == (1, Some(1)) => spliced.append(inner),
            Term::Choice(inner) if is_choice && occurs == (1, Some(1)) => spliced.append(inner),
            _ => spliced.push(one),
        }
    }
    *within = spliced;
    match within.len() {
        0 => None,
        1 if is_once(&within[0]) || within[0].min <= 1 => {
            let only = within.pop()?;
            Some(occurring(only, particle.min, particle.max))
        }
        _ => Some(particle),
    }
}
