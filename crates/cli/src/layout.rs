//! The canonical layout of a definition, with the same nodes, comments and anchors.
//!
//! Kept as written: block or flow style, single blank lines, the lines of multi-line scalars, and
//! the order of everything but the top-level keys. Normalised: the order of top-level keys,
//! indentation, spaces, quotes, and flow collections that do not fit on a line.

mod comments;
mod order;
mod print;
mod same;
mod scalar;

use svcgen_language::yaml::{Collection, Content, Tree};

pub(crate) use same::holds;

/// The maximum length of a line with a flow collection.
const WIDTH: usize = 120;

/// Formats a text; `None` if it is not a map or not all of its keys are names. `keys` are the
/// top-level keys in canonical order; others stay after the key that they follow.
pub(crate) fn lay_out(text: &str, tree: &Tree, keys: &[String]) -> Option<String> {
    let file = match &tree.root.content {
        Content::Collection(file) if file.is_map && has_names(file) => file,
        _ => return None,
    };
    let mut notes = comments::notes(text, tree, file);
    let order = order::sort(file, keys);
    let header = order::take_header(file, &order, &mut notes);
    Some(print::print(text, &order, &header, &notes))
}

/// Whether all keys are scalars.
fn has_names(collection: &Collection) -> bool {
    collection.slots.iter().all(|slot| {
        let key = slot.key.as_ref().map(|key| &key.target().content);
        let within = match &slot.value.content {
            Content::Collection(within) => has_names(within),
            _ => true,
        };
        within && matches!(key, None | Some(Content::Scalar { .. }))
    })
}
