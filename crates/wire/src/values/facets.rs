//! Checks of facets: after its values are read, a message is read a second time by its rows.
//! Without the feature `facets` nothing is checked.

#[cfg(feature = "facets")]
mod walk;

use super::element::Element;
use crate::xml::error::ReadError;
#[cfg(feature = "facets")]
use walk::Walk;

impl Element<'_> {
    /// Reads the expected part of the message with `read`, and checks it.
    #[doc(hidden)]
    pub fn checked(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        #[cfg(feature = "facets")]
        if let Some((rules, operation, part)) = self.checks.expected() {
            let mut copy = self.copy();
            read(self)?;
            return Walk { rules, operation }.part(part, &mut copy);
        }
        read(self)
    }

    /// Reads the SOAP header with this index with `read`, and checks it.
    pub(crate) fn checked_header(
        &mut self,
        _index: usize,
        read: impl FnOnce(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        #[cfg(feature = "facets")]
        if let Some((rules, operation, part)) = self.checks.expected() {
            let mut copy = self.copy();
            read(self)?;
            return Walk { rules, operation }.header(part, _index, &mut copy);
        }
        read(self)
    }
}
