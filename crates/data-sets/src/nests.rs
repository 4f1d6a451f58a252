//! Rows that are nested in other rows.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::constraints::{numbers, values};
use crate::row::{Cells, Row, RowState};
use crate::write_schema::View;

/// A row, by the indexes of its table and of itself.
pub(crate) type RowAt = (usize, usize);

/// The nested rows of a set, and the deleted rows that were nested.
#[derive(Default)]
pub(crate) struct Nests {
    inner: HashMap<RowAt, Vec<RowAt>>,
    outer: HashMap<RowAt, RowAt>,
}

impl Nests {
    pub(crate) fn of(view: &View<'_>) -> Self {
        let mut nests = Self::default();
        for relation in view.relations.iter().filter(|one| one.nested) {
            let sides = [&relation.parent, &relation.child];
            let [Some(parent), Some(child)] = sides.map(|side| view.number_of(&side.table)) else {
                continue;
            };
            let (parents, children) = (&view.tables[parent], &view.tables[child]);
            let keys = numbers(parents, &relation.parent.columns);
            let columns = numbers(children, &relation.child.columns);
            let key = |cells, columns| key(cells, columns, view.ignores_case());
            let (mut now, mut before) = (HashMap::new(), HashMap::new());
            for (index, row) in parents.rows.iter().enumerate().rev() {
                now.extend(present(row).and_then(|cells| Some((key(cells, &keys)?, index))));
                before.extend(original(row).and_then(|cells| Some((key(cells, &keys)?, index))));
            }
            for (index, row) in children.rows.iter().enumerate() {
                let is_deleted = row.state == RowState::Deleted;
                let known = if is_deleted { &before } else { &now };
                let found = key(&row.cells, &columns).and_then(|key| known.get(&key));
                if let Some(around) = found {
                    let (around, within) = ((parent, *around), (child, index));
                    nests.outer.insert(within, around);
                    if !is_deleted {
                        nests.inner.entry(around).or_default().push(within);
                    }
                }
            }
        }
        nests
    }

    /// The rows nested in a row.
    pub(crate) fn inner(&self, row: RowAt) -> &[RowAt] {
        self.inner.get(&row).map_or(&[], Vec::as_slice)
    }

    /// The row in which a row is nested, or was before it was deleted.
    pub(crate) fn outer(&self, row: RowAt) -> Option<RowAt> {
        self.outer.get(&row).copied()
    }
}

fn present(row: &Row) -> Option<&Cells> {
    (row.state != RowState::Deleted).then_some(&row.cells)
}

fn original(row: &Row) -> Option<&Cells> {
    (row.state != RowState::Inserted).then(|| row.original.as_deref().unwrap_or(&row.cells))
}

/// The values in columns; `None` if one is null.
fn key<'c>(cells: &'c Cells, columns: &[usize], ignores_case: bool) -> Option<Vec<Cow<'c, str>>> {
    values(cells, columns, ignores_case).collect()
}
