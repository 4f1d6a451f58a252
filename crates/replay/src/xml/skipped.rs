//! Parts of documents that do not count.

use std::ops::Range;

/// The ranges of values that do not count, and the found texts that replace the expected ones.
#[derive(Default)]
pub(crate) struct Skipped {
    /// The ranges of the elements in both documents.
    pub(super) ranges: [Vec<Range<usize>>; 2],
    /// The ranges of texts in the expected document that are replaced before it is read, with the
    /// found texts.
    pub(super) fills: Vec<(Range<usize>, String)>,
}

impl Skipped {
    /// Returns the expected document with values that do not count replaced by the found ones.
    pub(crate) fn filled(&self, text: &str) -> String {
        let fills = self.fills.iter();
        replaced(text, fills.map(|(range, fill)| (range, fill.as_str())))
    }

    /// Whether two documents are the same except for the parts that do not count.
    pub(super) fn leaves_same(&self, texts: [&str; 2]) -> bool {
        let [one, other] = [0, 1].map(|side| {
            let ranges = self.ranges[side].iter();
            replaced(texts[side], ranges.map(|range| (range, "")))
        });
        one == other
    }
}

/// Replaces ranges of a text.
pub(super) fn replaced<'t>(
    text: &str,
    parts: impl Iterator<Item = (&'t Range<usize>, &'t str)>,
) -> String {
    let mut parts: Vec<_> = parts.collect();
    parts.sort_by_key(|(range, _)| range.start);
    let mut whole = String::with_capacity(text.len());
    let mut at = 0;
    for (range, fill) in parts {
        // An element that is skipped within another skipped element.
        if range.start < at {
            continue;
        }
        whole += &text[at..range.start];
        whole += fill;
        at = range.end;
    }
    whole + &text[at..]
}
