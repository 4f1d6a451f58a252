//! Elements of a schema and their attributes.

use svcgen_wire::internals::name_text::decode;
use svcgen_wire::internals::{Tokens, XML_SCHEMA};

use crate::namespaces::{MSDATA, MSPROP};
use crate::unknown::{Stop, unknown};

/// The attributes of an element: those without a namespace, and those of .NET's namespaces with
/// their usual prefixes.
#[derive(Default)]
pub(super) struct Attributes(pub(super) Vec<(String, String)>);

impl Attributes {
    pub(super) fn of(tokens: &Tokens<'_>) -> Self {
        let attributes = tokens.attributes.iter().filter_map(|attribute| {
            let local = attribute.local_name;
            let name = match tokens.namespaces.name(attribute.namespace) {
                "" => local.to_owned(),
                MSDATA => format!("msdata:{local}"),
                MSPROP => format!("msprop:{local}"),
                _ => return None,
            };
            Some((name, attribute.value.clone().into_owned()))
        });
        Self(attributes.collect())
    }

    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes a name, decoded; `None` if it is empty.
    pub(super) fn take_name(&mut self, name: &str) -> Option<String> {
        let name = self.take(name).filter(|name| !name.is_empty())?;
        Some(decode(&name).into_owned())
    }

    /// The remaining attributes of .NET.
    pub(super) fn rest(mut self, tokens: &mut Tokens<'_>) -> Result<Vec<(String, String)>, Stop> {
        self.0.retain(|(name, _)| name.contains(':'));
        tokens.take_room(self.0.len() * size_of::<(String, String)>())?;
        Ok(self.0)
    }
}

/// The name of the current element, if it is one of XML Schema.
pub(super) fn kind<'i>(tokens: &Tokens<'i>) -> Option<&'i str> {
    (tokens.namespace() == XML_SCHEMA).then(|| tokens.local_name())
}

pub(super) fn no_place<T>(tokens: &Tokens<'_>, parent: &str) -> Result<T, Stop> {
    unknown(format!("its schema has '{}' in {parent}", tokens.name()))
}
