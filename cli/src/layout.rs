//! The canonical layout of a definition: the same nodes in the same order, its comments and anchors, and one way to write them.
//!
//! Kept from the author: what is written in blocks and what in braces, blank lines that separate (one at most), the lines of
//! texts, the order of everything but the keys of the file. Decided here: order of the keys of the file, indentation, spaces,
//! quotes, and where braces do not fit on a line.

mod comments;
mod order;
mod print;
mod same;
mod scalar;

use svcgen_codegen::yaml::{Collection, Content, Tree};

pub(crate) use same::holds;

/// The longest line that braces are written in.
const WIDTH: usize = 120;

/// Lays a text out; `None` if it is no map, or not all of its keys are names. `keys` are those of the file, in their order;
/// others stay behind the key that they follow.
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

/// Whether all keys are names.
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
