//! SOAP headers with the attributes that say whom they are for.

use super::content::Content;
use super::element::Element;
use super::value::Value;
use crate::xml::error::ReadError;
use crate::xml::namespaces::ENVELOPES;

/// A SOAP header and the attributes of SOAP in its start tag (SOAP 1.1 §4.2, SOAP 1.2 part 1 §5.2), as the properties of `SoapHeader` in .NET.
/// It is the type of a header with `soap_attributes: true`.
///
/// ```
/// use svcgen::types::SoapHeader;
///
/// let mut session = SoapHeader::from("7f".to_owned());
/// session.must_understand = true;
/// session.actor = Some("http://example.com/gateway".to_owned());
/// assert_eq!(session.value, "7f");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SoapHeader<T> {
    /// The header itself.
    pub value: T,
    /// Whom it is for: `actor` of SOAP 1.1, `role` of SOAP 1.2.
    #[cfg_attr(feature = "serde", serde(default))]
    pub actor: Option<String>,
    /// Whether its receiver has to understand it or refuse the message.
    #[cfg_attr(feature = "serde", serde(default))]
    pub must_understand: bool,
    /// Whether who does not understand it passes it on. SOAP 1.1 has no such attribute: it is left out there.
    #[cfg_attr(feature = "serde", serde(default))]
    pub relay: bool,
}

impl<T> From<T> for SoapHeader<T> {
    fn from(value: T) -> Self {
        Self {
            value,
            actor: None,
            must_understand: false,
            relay: false,
        }
    }
}

impl<T: Value> Value for SoapHeader<T> {
    /// Reads the attributes of either version of SOAP, as .NET does.
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        let attribute = |name| {
            let mut each = ENVELOPES.iter();
            each.find_map(|namespace| element.tokens.attribute_of(namespace, name))
        };
        let is_true =
            |name| attribute(name).is_some_and(|value| matches!(value.trim(), "1" | "true"));
        (self.must_understand, self.relay) = (is_true("mustUnderstand"), is_true("relay"));
        let actor = attribute("actor").or_else(|| attribute("role"));
        let actor = actor.filter(|actor| !actor.is_empty()).map(str::to_owned);
        element
            .tokens
            .take_room(actor.as_ref().map_or(0, String::len))?;
        self.actor = actor;
        self.value.read(element)
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        let before = out.len();
        self.value.write(name, out);
        let actor = self.actor.as_deref().filter(|actor| !actor.is_empty());
        if out.len() > before {
            out.add_soap_attributes(before, self.must_understand, actor, self.relay);
        }
    }
}
