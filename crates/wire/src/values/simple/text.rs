//! Text, in `String` and in the other text types.

use std::sync::Arc;

use crate::values::content::Content;
use crate::values::element::Element;
use crate::values::value::Value;
use crate::xml::error::ReadError;

impl Value for String {
    #[inline]
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        *self = match element.plain_text(|text| Some(text.to_owned())) {
            Some(text) => text,
            None => element.mixed_text()?,
        };
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.text(name, self);
    }
}

macro_rules! owned_text {
    ($($type:ty)*) => {
        $(
            impl Value for $type {
                fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
                    *self = match element.plain_text(|text| Some(text.into())) {
                        Some(text) => text,
                        None => (*element.text()?).into(),
                    };
                    Ok(())
                }

                fn write(&self, name: &str, out: &mut Content<'_>) {
                    out.text(name, self);
                }
            }
        )*
    };
}

owned_text!(Box<str> Arc<str>);
#[cfg(feature = "compact_str")]
owned_text!(compact_str::CompactString);
