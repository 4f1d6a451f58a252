//! What a binding of HTTP GET or POST says of an operation.

use svcgen_model::Binding;

use super::bindings::{BindingItem, HTTP};
use super::index::Item;
use super::messages::{Reader, Why};
use super::{Form, PartContent};
use crate::import::schema::TypeRef;

const MIME: &str = "http://schemas.xmlsoap.org/wsdl/mime/";

impl<'s> Reader<'_, 's> {
    /// Joins an operation of a port type with what a binding says of it.
    pub fn form(
        &self,
        operation: Item<'s>,
        binding: &BindingItem<'s>,
        bound: Item<'s>,
        names: [&str; 2],
    ) -> Result<Form<'s>, Why> {
        let location = bound.extensions(HTTP, "operation").next();
        let location = location.and_then(|location| location.attribute("location"));
        let location = location.unwrap_or_default();
        let is_own = |name: &str| location.strip_prefix('/') == Some(name);
        if !names.into_iter().any(is_own) {
            let name = names[0];
            return Err(format!("its address is `{location}` and not `/{name}`"));
        }
        let is_form = bound.child("input").is_some_and(|input| {
            let mut contents = input.extensions(MIME, "content");
            match binding.binding {
                Binding::HttpGet => input.extensions(HTTP, "urlEncoded").next().is_some(),
                _ => contents.any(|content| {
                    content.attribute("type") == Some("application/x-www-form-urlencoded")
                }),
            }
        });
        if !is_form {
            return Err("its parameters are not sent as a form".to_owned());
        }
        let input = operation
            .child("input")
            .ok_or_else(|| "it has no input".to_owned())?;
        let message = self.message(input)?;
        let parts = message.children("part");
        let parameters: Result<Vec<_>, _> = parts.map(|part| self.part(message, part)).collect();
        let parameters = parameters?;
        if let Some(part) = parameters.iter().find(|part| {
            !matches!(
                part.content,
                PartContent::Type(TypeRef::Builtin(_) | TypeRef::Declared(_))
            )
        }) {
            return Err(format!("the parameter `{}` is no simple value", part.name));
        }
        let result = match operation.child("output") {
            Some(output) => {
                let message = self.message(output)?;
                let part = message.children("part").next();
                part.map(|part| self.part(message, part)).transpose()?
            }
            None => None,
        };
        Ok(Form { parameters, result })
    }
}
