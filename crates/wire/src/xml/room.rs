//! The memory that the values of a message may take.

use std::borrow::Cow;

use super::error::{ReadError, ReadErrorKind};
use crate::limits::Limits;

/// The part of [`Limits::values`] that the message itself takes: its bytes, the texts that values
/// copy, and two more copies of a text that is read.
const COPIES: usize = 4;

/// The part of [`Limits::LEAST_VALUES`] that a call takes before it reads anything: parameters and
/// result by value, of at most 64 KiB each, and stacks of names.
const CALL: usize = 192 << 10;

/// The number of bytes that the values of a message may still take.
///
/// Code that allocates more bytes than it reads takes room first: for a list the bytes that it
/// grows by, for a box its content. Texts that are copied unchanged take none.
#[derive(Clone, Debug)]
pub struct Room {
    left: usize,
    /// [`Limits::values`].
    values: usize,
}

impl Room {
    /// The room of a message with this number of bytes; `text` is the length of its text, which is
    /// the same unless it was decoded.
    pub fn of_message(bytes: usize, text: usize, limits: &Limits) -> Self {
        let all = bytes.saturating_mul(limits.values);
        let decoded = if text == bytes { 0 } else { bytes };
        let message = text.saturating_mul(COPIES).saturating_add(decoded);
        Self {
            left: all
                .saturating_add(Limits::LEAST_VALUES - CALL)
                .saturating_sub(message),
            values: limits.values,
        }
    }

    /// The room of the values of a form, by its decoded fields.
    pub fn of_fields(fields: &[(Cow<'_, str>, Cow<'_, str>)], limits: &Limits) -> Self {
        // Includes `=` and `&`.
        let lengths = fields
            .iter()
            .map(|(name, value)| name.len() + value.len() + 2);
        let bytes = lengths.sum();
        let mut room = Self::of_message(bytes, bytes, limits);
        room.left = room.left.saturating_sub(size_of_val(fields));
        room
    }

    /// Takes room.
    ///
    /// # Errors
    ///
    /// Returns an error without a place if there is too little room.
    #[inline]
    pub fn take(&mut self, bytes: usize) -> Result<(), ReadError> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.full()),
        }
    }

    /// Takes room for more bytes of a text that values are read from, in addition to the message.
    pub(crate) fn take_text(&mut self, bytes: usize) -> Result<(), ReadError> {
        self.take(bytes.saturating_mul(COPIES))
    }

    /// Gives room back.
    pub fn give_back(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes);
    }

    #[cold]
    fn full(&self) -> ReadError {
        let message = format!(
            "The values take more than {} bytes of memory for each byte of the message and {} bytes besides; `Limits::with_values` allows more.",
            self.values,
            Limits::LEAST_VALUES,
        );
        ReadError::new(ReadErrorKind::Limit, message)
    }

    /// The room that is left if the remaining `rest` bytes of the message take as much as they may.
    fn spare(&self, rest: usize) -> usize {
        let rest = rest.saturating_mul(self.values.saturating_sub(COPIES));
        self.left.saturating_sub(rest)
    }

    /// Takes room for more items of `size` bytes in a full list, but at most for `ahead` items,
    /// while `rest` bytes of the message remain. Returns the number of items.
    ///
    /// A list doubles, like other vectors, as long as that leaves enough for the rest; then it
    /// grows by an eighth, so that growing takes linear time in total.
    pub fn for_items(
        &mut self,
        size: usize,
        capacity: usize,
        rest: usize,
        ahead: usize,
    ) -> Result<usize, ReadError> {
        let size = size.max(1);
        let (least, most) = match capacity {
            0 => (1, FIRST / size),
            _ => ((capacity / 8).max(capacity.min(4)), capacity),
        };
        let count = (self.spare(rest) / size).min(most).max(least).min(ahead);
        self.take(count.saturating_mul(size))?;
        Ok(count)
    }

    /// Appends to a list.
    pub fn push<T>(&mut self, list: &mut Vec<T>, value: T) -> Result<(), ReadError> {
        if list.len() == list.capacity() {
            let more = list.len().max(4);
            self.take(more * size_of::<T>())?;
            list.reserve_exact(more);
        }
        list.push(value);
        Ok(())
    }

    /// Appends to a text.
    pub(crate) fn push_str(&mut self, text: &mut String, more: &str) -> Result<(), ReadError> {
        if more.len() > text.capacity() - text.len() {
            let more = more.len().max(text.len());
            self.take(more)?;
            text.reserve_exact(more);
        }
        text.push_str(more);
        Ok(())
    }
}

/// The bytes to reserve for the first items of a list, so that most lists never grow.
const FIRST: usize = 512;
