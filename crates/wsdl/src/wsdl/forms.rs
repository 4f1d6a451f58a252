//! The HTTP GET or POST binding of an operation.

use svcgen_model::base_path;

use super::bindings::refuse_request;
use super::index::Item;
use super::messages::{Reader, Why};
use super::namespaces::{HTTP, MIME};
use super::ports::Port;
use super::{Form, PartContent};
use crate::schema::TypeRef;

impl<'s> Reader<'_, 's> {
    /// Joins an operation of a port type with the binding of a port.
    pub fn form(
        &self,
        operation: Item<'s>,
        port: &Port<'s>,
        bound: Item<'s>,
        names: [&str; 2],
    ) -> Result<Form<'s>, Why> {
        refuse_request(port.binding.binding, bound)?;
        let location = bound.extensions(HTTP, "operation").next();
        let location = location.and_then(|location| location.attribute("location"));
        let location = location.unwrap_or_default();
        let mut names = names.into_iter();
        let name = names.find(|name| is_address_of(name, location, &port.addresses));
        if name.is_none() {
            let name = operation.name();
            return Err(format!("its address is `{location}` and not `/{name}`").into());
        }
        if let Some(media_type) = bound.child("output").and_then(other_answer) {
            return Err(format!("it answers `{media_type}` and not XML").into());
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
            return Err(format!("the parameter `{}` is not a simple value", part.name).into());
        }
        let result = match operation.child("output") {
            Some(output) => {
                let message = self.message(output)?;
                let mut parts = message.children("part");
                let part = parts.next();
                if parts.next().is_some() {
                    return Err("its answer has several parts".to_owned().into());
                }
                part.map(|part| self.part(message, part)).transpose()?
            }
            None => None,
        };
        Ok(Form { parameters, result })
    }
}

/// Whether a location is that of the form with this name: ASMX's, which is appended to the address
/// of the service, or a relative URI that resolves to the same (WSDL 1.1 §4.4).
fn is_address_of(name: &str, location: &str, addresses: &[&str]) -> bool {
    let leads_there = |address: &&str| {
        let path = address.split('?').next().unwrap_or_default();
        let folder = path.rfind('/').map_or("", |end| &path[..=end]);
        let service = base_path(address);
        format!("{folder}{location}") == format!("{service}/{name}")
    };
    location.strip_prefix('/') == Some(name)
        || (addresses.is_empty() && location == name)
        || addresses.iter().any(leads_there)
}

/// The media type of a response that is not XML.
fn other_answer(output: Item<'_>) -> Option<&str> {
    let contents = output.extensions(MIME, "content");
    let types: Vec<_> = contents
        .filter_map(|content| content.attribute("type"))
        .collect();
    let has_xml = types.iter().any(|media_type| media_type.ends_with("xml"));
    let is_xml = has_xml || output.extensions(MIME, "mimeXml").next().is_some();
    types.first().copied().filter(|_| !is_xml)
}
