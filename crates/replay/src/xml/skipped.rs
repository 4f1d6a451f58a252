//! Parts of documents that do not count.

use std::ops::Range;

/// The texts of values that do not count, in the expected document, with those of the found one.
#[derive(Default)]
pub(crate) struct Skipped {
    /// Where the elements stand, in both.
    pub(super) ranges: [Vec<Range<usize>>; 2],
    /// What the expected document is filled with before it is read.
    pub(super) fills: Vec<(Range<usize>, String)>,
}

impl Skipped {
    /// The expected document with the found values in the place of those that do not count.
    pub(crate) fn filled(&self, text: &str) -> String {
        let fills = self.fills.iter();
        replaced(text, fills.map(|(range, fill)| (range, fill.as_str())))
    }

    /// Whether two documents are the same but for what does not count.
    pub(super) fn leaves_same(&self, texts: [&str; 2]) -> bool {
        let [one, other] = [0, 1].map(|side| {
            let ranges = self.ranges[side].iter();
            replaced(texts[side], ranges.map(|range| (range, "")))
        });
        one == other
    }
}

/// A text with other parts.
pub(super) fn replaced<'t>(
    text: &str,
    parts: impl Iterator<Item = (&'t Range<usize>, &'t str)>,
) -> String {
    let mut parts: Vec<_> = parts.collect();
    parts.sort_by_key(|(range, _)| range.start);
    let mut whole = String::with_capacity(text.len());
    let mut at = 0;
    for (range, fill) in parts {
        // A document that is skipped within one that is skipped.
        if range.start < at {
            continue;
        }
        whole += &text[at..range.start];
        whole += fill;
        at = range.end;
    }
    whole + &text[at..]
}
