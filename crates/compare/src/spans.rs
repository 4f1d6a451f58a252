//! The places of items in a definition, by paths of keys: `operations/Login/parameters/username`.

use std::collections::HashMap;

use svcgen_codegen::Described;
use svcgen_language::yaml::{self, Content, Node, Position, Slot};

use crate::change::Span;

/// The maximum number of keys in the path of an item:
/// `types/Trip/elements/Leg/sequence/By/choice/Foot/sequence/Hours`. Items below have the place of
/// the item around them.
const MOST_KEYS: usize = 10;

/// The places in a definition, and those of the types in included files, whose names are distinct.
pub(crate) struct Spans {
    files: Vec<String>,
    /// By keys: the index of the file, and the place in it.
    known: HashMap<String, (usize, Position)>,
}

impl Spans {
    pub fn new(described: &Described) -> Self {
        let (mut files, mut known) = (Vec::new(), HashMap::new());
        for (number, (file, text)) in described.files().enumerate() {
            let tree = yaml::parse(&file, text.as_bytes()).expect("it was read before");
            add(String::new(), 0, &tree.root, &mut |keys, start| {
                if number == 0 || keys.starts_with("types/") || keys.starts_with("enums/") {
                    known.entry(keys).or_insert((number, start));
                }
            });
            files.push(file);
        }
        Self { files, known }
    }

    /// Returns the place of a path of keys, or else of the nearest item around it, or of the
    /// service's name.
    pub fn find(&self, keys: &str) -> Span {
        let around = std::iter::successors(Some(keys), |keys| Some(keys.rsplit_once('/')?.0));
        let mut around = around.chain(["service"]);
        let top = || {
            (
                0,
                Position {
                    line: 1,
                    ..Position::default()
                },
            )
        };
        let known = around.find_map(|keys| self.known.get(keys).copied());
        let (number, start) = known.unwrap_or_else(top);
        Span {
            number,
            file: self.files[number].clone(),
            line: start.line,
            column: start.column + 1,
        }
    }
}

/// Adds the places in a node at the end of a path of `count` keys. Keys of the language and names
/// of items alternate: the place of a name is that of the name itself, the place of a key that of
/// its value.
fn add(keys: String, count: usize, node: &Node, known: &mut impl FnMut(String, Position)) {
    let Content::Collection(collection) = &node.target().content else {
        return;
    };
    // An enumeration may be the list of its values alone.
    let (keys, count) = if !collection.is_map && count == 2 && keys.starts_with("enums/") {
        (format!("{keys}/values"), count + 1)
    } else {
        (keys, count)
    };
    if count == MOST_KEYS {
        return;
    }
    let slots = collection.slots.iter();
    let (merged, own): (Vec<_>, Vec<_>) = slots.partition(|slot| name(slot) == Some("<<"));
    // Entries of a map override those of its merge keys.
    for slot in own.into_iter().chain(merged) {
        let first = slot.first();
        let Some(text) = name(slot).filter(|name| *name != "<<") else {
            add(keys.clone(), count, &slot.value, known);
            continue;
        };
        let keys = if count == 0 {
            text.to_owned()
        } else {
            format!("{keys}/{text}")
        };
        let is_name = count % 2 == 1;
        if is_name {
            known(keys.clone(), first.start);
        } else if text == "result" || !is_map(&slot.value) {
            known(keys.clone(), slot.value.start);
        }
        if slot.key.is_some() {
            add(keys, count + 1, &slot.value, known);
        }
    }
}

/// Whether a node is a map. Keys whose values are maps have no place, so that the item around them
/// is found.
fn is_map(node: &Node) -> bool {
    matches!(&node.target().content, Content::Collection(collection) if collection.is_map)
}

/// The key of an entry, or an item that is a name.
fn name(slot: &Slot) -> Option<&str> {
    match &slot.first().target().content {
        Content::Scalar { text, .. } => Some(text),
        _ => None,
    }
}
