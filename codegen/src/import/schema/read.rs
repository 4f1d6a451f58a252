//! Schema documents → components.

use super::Schemas;
use crate::import::place::Report;
use crate::import::sources::SchemaDocument;

/// Reads the components of schemas.
pub(crate) fn read<'s>(_documents: &[SchemaDocument<'s>], _report: &Report<'s>) -> Schemas<'s> {
    Schemas::default()
}
