//! Parts of messages that are read, and then checked if that is asked for.

use super::element::Element;
#[cfg(feature = "facets")]
use super::facets::walk::Walk;
use crate::xml::error::ReadError;

#[cfg(feature = "facets")]
impl<'i> Element<'i> {
    /// Reads the part of the message that is expected with `read`, and checks it.
    pub fn checked(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some((known, operation, part)) = self.checks.expected() else {
            return read(self);
        };
        let mut copy = self.copy();
        read(self)?;
        Walk { known, operation }.part(part, &mut copy)
    }

    /// Reads the SOAP header of this index with `read`, and checks it.
    pub(crate) fn checked_header(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some((known, operation, part)) = self.checks.expected() else {
            return read(self);
        };
        let mut copy = self.copy();
        read(self)?;
        Walk { known, operation }.header(part, index, &mut copy)
    }
}

#[cfg(not(feature = "facets"))]
impl Element<'_> {
    pub fn checked(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        read(self)
    }

    pub(crate) fn checked_header(
        &mut self,
        _: usize,
        read: impl FnOnce(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        read(self)
    }
}
