//! Recovers a model from a definition with errors, for callers that continue after reporting.

use std::collections::HashSet;

use svcgen_language::definition::{Definition, Edits, Located, NodeId};
use svcgen_language::sink::Sink;
use svcgen_language::yaml::Tree;

use crate::lower::{self, Input};
use crate::model::Model;

/// The maximum number of attempts: each may find mistakes that were hidden before.
const MOST_ATTEMPTS: usize = 20;

/// The model of the definition with fixes applied, and without the parts that have no fix.
pub(crate) fn recover(input: Input<'_>, tree: &Tree) -> Option<Model> {
    let (mut edits, mut mended) = (Edits::default(), HashSet::new());
    for _ in 0..MOST_ATTEMPTS {
        let mut sink = Sink::of_definitions_alone();
        let (mut definition, _) = Definition::read(tree, &edits, &mut sink);
        add_required_keys(&mut definition);
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

/// Adds the required keys of a service on which no Rust name depends.
fn add_required_keys(definition: &mut Definition) {
    // A file that cannot be included is treated like a missing type.
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
