//! Where something stands in a definition, by the keys that lead to it: `operations/Login/parameters/username`.

use std::collections::HashMap;

use svcgen_codegen::Described;
use svcgen_codegen::yaml::{self, Content, Node, Position};

use crate::change::Span;

/// The most keys that lead to anything: `types/Order/elements/Payment/choice/Card`.
const MOST_KEYS: usize = 6;

/// The places in the files of a definition: in itself, and those of types in what it includes. Types of all files have distinct names.
pub(crate) struct Spans {
    files: Vec<String>,
    /// Each with the number of its file.
    known: HashMap<String, (usize, Position)>,
}

impl Spans {
    pub fn new(described: &Described) -> Self {
        let (mut files, mut known) = (Vec::new(), HashMap::new());
        for (number, (file, text)) in described.files().enumerate() {
            let tree = yaml::parse(&file, text.as_bytes()).expect("it was read before");
            add(String::new(), 0, &tree.root, &mut |keys, start| {
                if number == 0 || keys.starts_with("types/") || keys.starts_with("enums/") {
                    known.insert(keys, (number, start));
                }
            });
            files.push(file);
        }
        Self { files, known }
    }

    /// The place of what these keys lead to, or of the nearest thing around it, or of the name of the service.
    pub fn find(&self, keys: &str) -> Span {
        let around = std::iter::successors(Some(keys), |keys| Some(keys.rsplit_once('/')?.0));
        let mut known = around
            .chain(["service"])
            .filter_map(|keys| self.known.get(keys));
        let top = Position {
            line: 1,
            ..Position::default()
        };
        let (number, start) = known.next().copied().unwrap_or((0, top));
        Span {
            number,
            file: self.files[number].clone(),
            line: start.line,
            column: start.column + 1,
        }
    }
}

/// Adds what stands in a node that `count` keys lead to. Names and keys of the language alternate: what a name stands for is at the name,
/// what a key says at its value.
fn add(keys: String, count: usize, node: &Node, known: &mut impl FnMut(String, Position)) {
    let Content::Collection(collection) = &node.target().content else {
        return;
    };
    // The values of an enumeration may stand where the map around them could.
    let (keys, count) = if !collection.is_map && count == 2 && keys.starts_with("enums/") {
        (format!("{keys}/values"), count + 1)
    } else {
        (keys, count)
    };
    if count == MOST_KEYS {
        return;
    }
    for slot in &collection.slots {
        let first = slot.first();
        let Content::Scalar { text, .. } = &first.target().content else {
            // An item of a list that is more than a name.
            add(keys.clone(), count, first, known);
            continue;
        };
        let keys = if count == 0 {
            text.clone()
        } else {
            format!("{keys}/{text}")
        };
        let is_name = count % 2 == 1;
        let start = if is_name {
            first.start
        } else {
            slot.value.start
        };
        known(keys.clone(), start);
        if slot.key.is_some() {
            add(keys, count + 1, &slot.value, known);
        }
    }
}
