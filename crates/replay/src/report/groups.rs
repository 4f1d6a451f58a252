//! Groups of equal findings in several exchanges.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{Replayed, Report};
use crate::comparison::Difference;
use crate::kind::DifferenceKind;
use crate::likeness::Likeness;

/// A finding that several exchanges of an operation have in common: a difference of one kind at one
/// place, or the reason why there is no comparison.
pub(super) struct Group<'r> {
    /// The operation, or the method and the path if the operation is not known.
    pub(super) subject: &'r str,
    /// The exchange, if it was generated for a comparison: each such exchange has groups of its
    /// own.
    pub(super) made: Option<&'r Replayed>,
    /// The name of the likeness of answers that differ only in this, or of the outcome.
    pub(super) result: &'static str,
    pub(super) finding: Finding<'r>,
    /// The names of the exchanges, in their order.
    pub(super) exchanges: Vec<&'r str>,
    /// The number of exchanges whose differing values are not those of the first.
    pub(super) others: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Finding<'r> {
    /// The difference in the first exchange.
    Difference(&'r Difference),
    /// The reason why there is no comparison.
    Uncompared(&'r str),
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'r> {
    Difference(DifferenceKind, Likeness, String),
    Uncompared(&'static str, &'r str),
}

impl Report {
    /// Returns the groups of differences beyond the accepted likeness, and of missing answers, in
    /// the order of the first exchange of each. All items of a list are one place.
    pub(super) fn groups(&self, accepted: Likeness) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut known = BTreeMap::<_, usize>::new();
        for exchange in &self.exchanges {
            let subject = exchange.subject();
            let made = exchange.asks.is_some().then_some(exchange);
            let apart = made.map(|made| &made.name);
            let differences = exchange.differences_beyond(accepted);
            let differences = differences.map(|one| {
                let key = Key::Difference(one.kind, one.likeness, one.place_of_all_items());
                (key, one.likeness.name(), Finding::Difference(one))
            });
            let result = exchange.result();
            let missing = exchange.why().map(|why| {
                let key = Key::Uncompared(result, why);
                (key, result, Finding::Uncompared(why))
            });
            for (key, result, finding) in differences.chain(missing) {
                match known.entry((subject, apart, key)) {
                    Entry::Occupied(at) => groups[*at.get()].add(exchange, finding),
                    Entry::Vacant(place) => {
                        place.insert(groups.len());
                        groups.push(Group {
                            subject,
                            made,
                            result,
                            finding,
                            exchanges: vec![&exchange.name],
                            others: 0,
                        });
                    }
                }
            }
        }
        groups
    }
}

impl<'r> Group<'r> {
    fn add(&mut self, exchange: &'r Replayed, finding: Finding<'r>) {
        if self.exchanges.last() == Some(&&*exchange.name) {
            return;
        }
        self.exchanges.push(&exchange.name);
        if let (Finding::Difference(first), Finding::Difference(one)) = (self.finding, finding) {
            let is_same = (&first.expected, &first.found) == (&one.expected, &one.found);
            self.others += usize::from(!is_same);
        }
    }

    /// Writes the number of exchanges, and the names of the first:
    /// `2 exchanges: 00000001, 00000002`.
    pub(super) fn told(&self) -> String {
        let count = self.exchanges.len();
        let others = match self.others {
            0 => String::new(),
            others => format!(", with other values in {others}"),
        };
        format!("{}{others}: {}", counted(count), first(&self.exchanges))
    }
}

pub(super) fn counted(exchanges: usize) -> String {
    match exchanges {
        1 => "1 exchange".to_owned(),
        count => format!("{count} exchanges"),
    }
}

/// Lists the first of some texts, and the number of further ones.
pub(super) fn first(texts: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<_> = texts.iter().take(SHOWN).map(AsRef::as_ref).collect();
    let more = match texts.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}
