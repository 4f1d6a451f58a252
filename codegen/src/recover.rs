//! What can still be made of a definition that is wrong, for callers that go on after reporting.

use std::collections::HashSet;

use crate::definition::{Definition, Edits, Located, NodeId};
use crate::lower::{self, Input};
use crate::model::Model;
use crate::sink::Sink;
use crate::yaml::Tree;

/// The most times that a definition is looked at. What one mistake hides, the next look finds.
const MOST_LOOKS: usize = 20;

/// The model of what is right, and of what was meant where that can be guessed; the rest is left out.
pub(crate) fn recover(input: Input<'_>, tree: &Tree) -> Option<Model> {
    let (mut edits, mut mended) = (Edits::default(), HashSet::new());
    for _ in 0..MOST_LOOKS {
        let mut sink = Sink::of_definitions_alone();
        let (mut definition, _) = Definition::read(tree, &edits, &mut sink);
        stand_in(&mut definition);
        let input = Input {
            definition: &definition,
            whole: false,
            ..input
        };
        let model = lower::lower(input, &mut sink);
        let wrong = sink.wrong_nodes();
        if model.is_some() {
            return model;
        }
        let mut changed = false;
        for (node, fix) in wrong {
            changed |= match fix.filter(|_| mended.insert(node)) {
                Some(fix) => {
                    edits.replace(node, &fix.wrong, fix.right.trim_matches('"'));
                    true
                }
                None => edits.remove(node),
            };
        }
        if !changed {
            return None;
        }
    }
    None
}

/// Gives a service what it has to have and no name is made of.
fn stand_in(definition: &mut Definition) {
    // What cannot be included is missing, like any other type.
    definition.include.clear();
    if definition.service.is_some() {
        let located = |value: &str| Located {
            value: value.to_owned(),
            node: NodeId(0),
        };
        definition.namespace.get_or_insert(located("urn:svcgen"));
        definition.path.get_or_insert(located("/svcgen"));
    }
}
