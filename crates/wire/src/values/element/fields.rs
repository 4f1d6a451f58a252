//! Elements that are form fields.

use std::borrow::Cow;

use super::{Element, FormFields, Given};
use crate::accept::Accept;
use crate::xml::characters::trim;
use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::tokens::Tokens;

impl<'i> Element<'i> {
    /// The values of the field.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'i str> + use<'i> {
        let (name, fields, only) = match self.given {
            Some(Given::Form { name, fields, only }) => (name, fields, only),
            _ => ("", &[] as &FormFields<'i>, None),
        };
        // A list reads each of its fields alone, without searching all fields for each.
        let fields = if only.is_some() { &[] } else { fields };
        let all = fields
            .iter()
            .filter(move |(other, _)| other.eq_ignore_ascii_case(name));
        only.into_iter().chain(all.map(|(_, value)| &**value))
    }

    /// Whether there is a single field without text after `=`, or an accepted empty attribute.
    pub(crate) fn is_blank_field(&self) -> bool {
        if let Some((source, node)) = self.source() {
            return source.is_blank(node);
        }
        if let Some(Given::Attribute(_, value)) = &self.given {
            return self.tokens.accepted.has(Accept::EmptyNumbers) && trim(value).is_empty();
        }
        let mut fields = self.fields();
        fields.next() == Some("") && fields.next().is_none()
    }

    /// The state before the element is read, if it is empty and may therefore be an absent number
    /// ([`Accept::EmptyNumbers`]).
    pub(crate) fn accepted_blank(&self) -> Option<Tokens<'i>> {
        let is_accepted = self.tokens.accepted.has(Accept::EmptyNumbers);
        let is_blank = is_accepted && self.given.is_none() && self.tokens.is_blank();
        is_blank.then(|| self.tokens.clone())
    }

    /// The values of the field, joined by commas.
    pub(super) fn joined(&self) -> Result<Cow<'i, str>, ReadError> {
        let mut fields = self.fields();
        match (fields.next(), fields.next()) {
            (None, _) => {
                let name = match self.given {
                    Some(Given::Form { name, .. }) => name,
                    _ => "",
                };
                let message = format!("Missing parameter: {name}.");
                Err(self.error(ReadErrorKind::Missing, message))
            }
            (Some(only), None) => Ok(Cow::Borrowed(only)),
            _ => {
                let length = self.fields().map(|value| value.len() + 1).sum();
                let mut joined = String::with_capacity(length);
                for (index, value) in self.fields().enumerate() {
                    joined.push_str(if index > 0 { "," } else { "" });
                    joined.push_str(value);
                }
                Ok(Cow::Owned(joined))
            }
        }
    }

    /// Calls `push` with each value of the field, as a field of its own.
    pub fn each(
        &mut self,
        push: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if let Some(list) = self.source() {
            return self.each_item(list, push);
        }
        for value in self.fields() {
            if let Some(Given::Form { only, .. }) = &mut self.given {
                *only = Some(value);
            }
            push(0, self)?;
        }
        Ok(())
    }
}
