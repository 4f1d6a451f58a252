//! Nodes of a definition and their spans. Stages refer to nodes; only diagnostics look up spans.

use std::fmt;
use std::ops::Range;

/// The index of a node, in the order of the text; 0 for the root. A key and its value are nodes of
/// their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Returns the node of this key's value.
    pub fn value(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The bytes of each node: all of a scalar on one line, the first token of any other node.
#[derive(Debug, Default)]
pub struct Spans(Vec<Range<usize>>);

impl Spans {
    /// Adds the span of the next node.
    pub fn push(&mut self, span: Range<usize>) -> NodeId {
        let id = NodeId(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        self.0.push(span);
        id
    }

    /// Returns the bytes of a node.
    pub fn of(&self, node: NodeId) -> Range<usize> {
        self.0.get(node.0 as usize).cloned().unwrap_or_default()
    }
}

/// A value and the node that it was read from.
#[derive(Debug, Clone)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its node.
    pub node: NodeId,
}

impl fmt::Display for Located<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}
