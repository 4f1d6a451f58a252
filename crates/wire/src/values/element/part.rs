//! Bytes of an element that are in a binary part of the message.

#[cfg(feature = "facets")]
use svcgen_model::SimpleType;

use super::Element;
use crate::error_text::printable;
use crate::values::binary_parts::{BinaryParts, XOP};
use crate::values::large_bytes::LargeBytes;
use crate::xml::error::{ReadError, ReadErrorKind};

impl<'i> Element<'i> {
    /// Takes the bytes of the part that an `xop:Include` in the element refers to; `None` if there
    /// is no `xop:Include`, and the element is still to be read.
    #[cold]
    pub(crate) fn take_part(&mut self) -> Result<Option<LargeBytes>, ReadError> {
        self.part(|parts, href| parts.take(href))
    }

    /// Takes the bytes like [`take_part`](Self::take_part), for a value in memory.
    #[cold]
    pub(crate) fn take_part_in_memory(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        self.part(|parts, href| {
            let taken = parts.take(href)?;
            if taken.in_memory().is_some() {
                return taken.into_vec().map_err(|error| error.to_string());
            }
            // The limit of the bytes of a part in memory applies to the bytes of its value, too.
            Err(format!(
                "The part '{}' has {} bytes, more than are held in memory. A value of the type LargeBytes may have them on disk, and a Vec<u8> may not.",
                printable(href),
                taken.len()
            ))
        })
    }

    /// Returns the length of the part that an `xop:Include` in the element refers to, if values of
    /// the simple type may be in parts.
    #[cfg(feature = "facets")]
    pub(crate) fn length_of_part(
        &mut self,
        simple: SimpleType,
    ) -> Result<Option<usize>, ReadError> {
        if self.parts.is_none() || simple != SimpleType::Base64Binary {
            return Ok(None);
        }
        self.part(|parts, href| parts.length(href))
    }

    fn part<T>(
        &mut self,
        ask: impl FnOnce(&'i dyn BinaryParts, &str) -> Result<T, String>,
    ) -> Result<Option<T>, ReadError> {
        let Some(parts) = self.parts.filter(|_| !self.is_given()) else {
            return Ok(None);
        };
        self.open_leaf();
        if !self.tokens.is_before_child() {
            return Ok(None);
        }
        self.tokens.child()?;
        if self.tokens.local_name() != "Include" || self.tokens.namespace() != XOP {
            let message = "The bytes are neither base64 nor an xop:Include.".to_owned();
            return Err(self.error(ReadErrorKind::Malformed, message));
        }
        let href = self.tokens.attribute_of("", "href");
        let href = href.ok_or_else(|| "The xop:Include has no 'href'.".to_owned());
        let value = href.and_then(|href| ask(parts, href));
        let value = value.map_err(|message| self.error(ReadErrorKind::Malformed, message))?;
        self.tokens.skip()?;
        if !self.tokens.is_blank() {
            let message = "Something stands beside an xop:Include.".to_owned();
            return Err(self.error(ReadErrorKind::Malformed, message));
        }
        self.tokens.child()?;
        Ok(Some(value))
    }
}
