//! Types that contain themselves by derivation, as list items or as union members.

use super::reader::Reader;
use super::{Content, Derivation, Kind, Type, TypeRef, Variety};
use crate::rules::Rule;

/// The state of a type in the depth-first search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// Reports types that derive from themselves, or are lists or unions of themselves, and breaks
/// these cycles.
pub(super) fn cut(reader: &mut Reader<'_, '_>) {
    let types = &mut reader.schemas.types;
    let mut states = vec![State::New; types.len()];
    for start in 0..types.len() {
        // The path to the current type: for each type its targets, and the number of targets that
        // were visited.
        let mut path = Vec::new();
        if states[start] == State::New {
            path.push((start, targets(&mut types[start]), 0));
            states[start] = State::Open;
        }
        while let Some((at, targets_of, next)) = path.last_mut() {
            let (at, edge) = (*at, *next);
            *next += 1;
            let Some(target) = targets_of.get(edge) else {
                states[at] = State::Done;
                path.pop();
                continue;
            };
            let TypeRef::Declared(id) = *target else {
                continue;
            };
            let within = id.0 as usize;
            match states[within] {
                State::New => {
                    states[within] = State::Open;
                    path.push((within, targets(&mut types[within]), 0));
                }
                State::Open => {
                    *references(&mut types[at])[edge] = TypeRef::Builtin("anyType");
                    let found = &types[within];
                    let name = found.name.map_or("", |name| name.local);
                    let message = format!("type `{name}` is made of itself");
                    reader.report.add(Rule::Wsdl, found.place, message, None);
                }
                State::Done => {}
            }
        }
    }
}

fn targets<'s>(one: &mut Type<'s>) -> Vec<TypeRef<'s>> {
    let references = references(one).into_iter();
    references.map(|reference| *reference).collect()
}

/// The references of a type to its base, its list items or its union members.
fn references<'t, 's>(one: &'t mut Type<'s>) -> Vec<&'t mut TypeRef<'s>> {
    match &mut one.kind {
        Kind::Simple(simple) => match &mut simple.variety {
            Variety::Restriction(base) | Variety::List(base) => vec![base],
            Variety::Union(members) => members.iter_mut().collect(),
        },
        Kind::Complex(complex) => {
            let mut references = Vec::new();
            match &mut complex.derivation {
                Derivation::Extension(base) | Derivation::Restriction(base) => {
                    references.push(base);
                }
                Derivation::None => {}
            }
            if let Content::Simple(value) = &mut complex.content {
                references.push(value);
            }
            references
        }
    }
}
