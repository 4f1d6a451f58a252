//! Reading forms.

use svcgen_model::{self as model, ComplexType};

use super::element::{Element, FormFields};
use crate::xml::error::{ReadError, ReadErrorKind};

/// Reads the fields of a form as the elements of a type.
pub(super) fn read_fields<'i>(
    element: &mut Element<'i>,
    complex: &ComplexType<'i>,
    fields: &'i FormFields<'i>,
    read: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    for (index, row) in complex.elements.iter().enumerate() {
        element.set_field(row.field_name(), fields);
        let choice = complex.choices.iter().find(|choice| choice.contains(index));
        if choice.map_or(row.repeated, |choice| choice.repeated) {
            element.each(&mut |_, element| read(index, element))?;
        } else if choice.is_none() || element.fields().next().is_some() {
            read(index, element)?;
        }
    }
    Ok(())
}

/// Refuses a form with a field that is no parameter.
pub(crate) fn refuse_unknown_fields(
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
    // The name is not quoted: it may be the rest of a password with `&` and `=` in it that was not escaped.
    let known: Vec<_> = elements.iter().map(|known| known.field_name()).collect();
    let known = known.join(", ");
    let number = index + 1;
    let message = format!("Field {number} of the form is no parameter. Parameters: {known}.");
    Err(ReadError::new(ReadErrorKind::Value, message))
}
