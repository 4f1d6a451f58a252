//! Schema documents → components.

use std::collections::{HashMap, HashSet};
use std::mem;

use super::circles;
use super::declarations::Declarations;
use super::meaning::derived;
use super::prefixes;
use super::reader::{Reader, Unread, doc, hints};
use super::sets;
use super::{Content, Derivation, Kind, Name, Schemas, Symbol, Type, TypeId, TypeRef, Variety};
use crate::report::{DocumentSpan, Report};
use crate::rules::Rule;
use crate::sources::SchemaDocument;

/// Reads the components of schemas, and reports what is wrong with them.
pub fn read<'s>(documents: &[SchemaDocument<'s>], report: &Report<'s>) -> Schemas<'s> {
    let declarations = Declarations::of(documents, report);
    let mut reader = Reader::new(declarations, report);
    // Numbers come first so that everything else can refer to types; nested types get numbers when
    // their outer type is read.
    number_types(&mut reader);
    read_attributes(&mut reader);
    read_elements(&mut reader);
    while let Some(unread) = reader.unread.pop_front() {
        read_type(&mut reader, &unread);
    }
    reader.finish_types();
    circles::cut(&mut reader);
    restrict_content(&mut reader);
    reader.schemas.derived = derived(&reader.schemas.types);
    substitute(&mut reader);
    reader.finish_missing();
    reader.schemas.sets = sets::typed_sets(documents);
    reader.schemas.prefixes = prefixes::of(documents);
    reader.schemas
}

fn number_types(reader: &mut Reader<'_, '_>) {
    for at in 0..reader.declarations.all.len() {
        let declaration = reader.declarations.all[at];
        if declaration.symbol != Symbol::Type {
            continue;
        }
        // A redefined type has lost its name to the type that redefines it.
        let before = declaration.redefines;
        let before = before.and_then(|before| reader.type_ids.get(&before).copied());
        let name = declaration.name;
        let id = reader.number(declaration.node, declaration.scope, Some(name), before);
        reader.type_ids.insert(at, id);
        reader.schemas.named.insert(name, id);
    }
}

fn read_attributes(reader: &mut Reader<'_, '_>) {
    for at in 0..reader.declarations.all.len() {
        let declaration = reader.declarations.all[at];
        if declaration.symbol == Symbol::Attribute {
            let (node, scope) = (declaration.node, declaration.scope);
            let attribute = reader.declared_attribute(node, scope, scope.target);
            reader.attributes.extend(attribute.map(|one| (at, one)));
        }
    }
}

fn read_elements(reader: &mut Reader<'_, '_>) {
    for at in 0..reader.declarations.all.len() {
        let declaration = reader.declarations.all[at];
        if declaration.symbol == Symbol::Element {
            let (node, scope) = (declaration.node, declaration.scope);
            let Some(element) = reader.declared_element(node, scope, scope.target) else {
                continue;
            };
            if let Some(head) = element.substitutes {
                let members = reader.schemas.substitutions.entry(head).or_default();
                members.push(element.name);
            }
            reader.schemas.elements.insert(element.name, element);
        }
    }
}

fn read_type<'s>(reader: &mut Reader<'_, 's>, unread: &Unread<'s>) {
    let kind = if reader.is_simple(TypeRef::Declared(unread.id)) {
        Kind::Simple(reader.simple(unread))
    } else {
        Kind::Complex(reader.complex(unread))
    };
    let is_current = |name: &Name<'s>| reader.schemas.named.get(name) == Some(&unread.id);
    let read = Type {
        name: unread.name.filter(is_current),
        place: DocumentSpan::of(unread.scope.document, unread.node),
        doc: doc(unread.node),
        hints: hints(unread.node),
        kind,
    };
    reader.read_type(unread.id, read);
}

/// Changes simple types that restrict a complex type to restrict its simple content.
fn restrict_content(reader: &mut Reader<'_, '_>) {
    let mut contents = HashMap::new();
    for (id, base) in mem::take(&mut reader.restricts) {
        let mut path = Vec::new();
        let mut at = base;
        // Cycles are already broken.
        let content = loop {
            if let Some(known) = contents.get(&at) {
                break *known;
            }
            path.push(at);
            let Kind::Complex(complex) = &reader.schemas.get(at).kind else {
                break TypeRef::Declared(at);
            };
            match (&complex.content, complex.derivation) {
                (Content::Simple(content), _) => break *content,
                (
                    _,
                    Derivation::Extension(TypeRef::Declared(base))
                    | Derivation::Restriction(TypeRef::Declared(base)),
                ) => at = base,
                _ => break TypeRef::Builtin("anySimpleType"),
            }
        };
        contents.extend(path.into_iter().map(|at| (at, content)));
        let TypeId(number) = id;
        if let Kind::Simple(simple) = &mut reader.schemas.types[number as usize].kind {
            simple.variety = Variety::Restriction(content);
        }
    }
}

/// Gives elements without a type the type of the head of their substitution group.
fn substitute(reader: &mut Reader<'_, '_>) {
    let elements = &mut reader.schemas.elements;
    let members: Vec<_> = reader.schemas.substitutions.values().flatten().collect();
    for name in members {
        let mut seen = HashSet::new();
        let mut element = elements.get(name);
        let mut found = TypeRef::Builtin("anyType");
        while let Some(one) = element {
            found = one.type_ref;
            let (TypeRef::Builtin("anyType"), Some(head)) = (found, one.substitutes) else {
                break;
            };
            if !seen.insert(one.name) {
                let message = format!("element `{}` substitutes itself", name.local);
                reader.report.add(Rule::Wsdl, one.place, message, None);
                break;
            }
            element = elements.get(&head);
        }
        if let Some(element) = elements.get_mut(name) {
            element.type_ref = found;
        }
    }
}
