//! Reads forms, and other objects that are not the children of an element.

use svcgen_model::{self as model, ComplexType};

use super::children::Children;
use super::element::{Element, FormFields, Given};
use crate::xml::error::{ReadError, ReadErrorKind};

impl<'i> Element<'i> {
    /// Reads an object with `read` if it is not given as the children of the element. Returns
    /// whether it was read.
    pub(crate) fn take_given(
        &mut self,
        complex: &ComplexType<'i>,
        read: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
    ) -> Result<bool, ReadError> {
        match self.given.take() {
            None => return Ok(false),
            Some(Given::Fields(fields)) => read_fields(self, complex, fields, read)?,
            Some(Given::Node(source, node)) => self.members((source, node), complex, read)?,
            Some(Given::Parts(rows)) => self.parts(Children::of(complex), rows, read)?,
            other => {
                self.given = other;
                return Err(self.no_place("An object"));
            }
        }
        Ok(true)
    }
}

/// Reads the fields of a form as the elements of a type.
fn read_fields<'i>(
    element: &mut Element<'i>,
    complex: &ComplexType<'i>,
    fields: &'i FormFields<'i>,
    read: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    for (index, row) in complex.elements.iter().enumerate() {
        element.given = Some(Given::Form {
            name: row.field_name(),
            fields,
            only: None,
        });
        let group = complex.groups.iter().find(|group| group.contains(index));
        if group.map_or(row.repeated, |group| group.repeated) {
            element.each(&mut |_, element| read(index, element))?;
        } else if group.is_none() || element.fields().next().is_some() {
            read(index, element)?;
        }
    }
    Ok(())
}

/// Returns an error if a form has a field that is not a parameter.
pub fn refuse_unknown_fields(
    elements: &[model::Element<'_>],
    fields: &FormFields<'_>,
) -> Result<(), ReadError> {
    let is_known = |name: &str| {
        let mut elements = elements.iter();
        elements.any(|known| known.field_name().eq_ignore_ascii_case(name))
    };
    let Some(index) = fields.iter().position(|(name, _)| !is_known(name)) else {
        return Ok(());
    };
    // The name is not quoted: it may be the rest of a password with unescaped `&` and `=` in it.
    let known: Vec<_> = elements.iter().map(|known| known.field_name()).collect();
    let known = known.join(", ");
    let number = index + 1;
    let message = format!("Field {number} of the form is not a parameter. Parameters: {known}.");
    Err(ReadError::new(ReadErrorKind::Value, message))
}
