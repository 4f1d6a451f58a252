//! Sets with a schema from a definition.

use std::borrow::Cow;
use std::sync::OnceLock;

use svcgen_model::ComplexType;
use svcgen_wire::types::XmlFragment;

use crate::set::DataSet;

/// The empty set of a type with a schema (`data_set` in a definition), for emitted code. The schema
/// is read once.
#[derive(Debug)]
pub struct EmptySet {
    row: &'static ComplexType<'static>,
    set: OnceLock<DataSet>,
}

impl EmptySet {
    /// Creates the set for the type with this row.
    pub const fn of(row: &'static ComplexType<'static>) -> Self {
        Self {
            row,
            set: OnceLock::new(),
        }
    }

    /// Returns the set: tables without rows. It takes no memory until it changes.
    pub fn get(&'static self) -> DataSet {
        let set = self.set.get_or_init(|| {
            let schema = self.row.data_set.map_or("", |set| set.schema);
            let read: Result<DataSet, _> = format!("<set>{schema}</set>").parse();
            read.unwrap_or_else(|error| DataSet::of_unread(XmlFragment::new(), error.to_string()))
        });
        DataSet {
            name: Cow::Borrowed(&set.name),
            namespace: Cow::Borrowed(&set.namespace),
            tables: Cow::Borrowed(&set.tables),
            relations: Cow::Borrowed(&set.relations),
            properties: Cow::Borrowed(&set.properties),
            unread: set.unread.clone(),
        }
    }
}
