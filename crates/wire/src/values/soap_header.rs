//! SOAP headers with the attributes that state their receiver.

use super::content::Content;
use super::element::Element;
use super::value::Value;
use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::namespaces::ENVELOPES;
use crate::xml::tokens::Tokens;

/// A SOAP header with the SOAP attributes of its start tag (SOAP 1.1 §4.2, SOAP 1.2 part 1 §5.2),
/// like the properties of `SoapHeader` in .NET. It is the type of a header with
/// `soap_attributes: true`.
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
    /// The receiver: `actor` of SOAP 1.1, `role` of SOAP 1.2.
    #[cfg_attr(feature = "serde", serde(default))]
    pub actor: Option<String>,
    /// Whether the receiver must understand it or refuse the message.
    #[cfg_attr(feature = "serde", serde(default))]
    pub must_understand: bool,
    /// Whether a receiver that does not understand it passes it on. SOAP 1.1 has no such attribute,
    /// so it is omitted there.
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
        let said = element.tokens.soap_attributes()?;
        (self.must_understand, self.relay) = (said.must_understand, said.relay);
        let actor = (!said.actor.is_empty()).then(|| said.actor.to_owned());
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

/// The attributes of SOAP in a start tag.
#[derive(Default)]
pub(super) struct SoapAttributes<'t> {
    must_understand: bool,
    relay: bool,
    actor: &'t str,
}

impl Tokens<'_> {
    /// The SOAP attributes in the last start tag, of either version; of several of one kind the
    /// last counts, as in .NET.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is not a boolean in a form that .NET accepts.
    pub(super) fn soap_attributes(&self) -> Result<SoapAttributes<'_>, ReadError> {
        let mut said = SoapAttributes::default();
        let [soap11, soap12] = ENVELOPES;
        for attribute in &self.attributes {
            let (namespace, value) = (self.namespaces.name(attribute.namespace), &*attribute.value);
            let flag = |what: &str| match value {
                "0" | "false" => Ok(false),
                "1" | "true" => Ok(true),
                _ => {
                    let message = format!(
                        "'{value}' is not a valid value for the {what}. Valid values are '0', '1', 'true', and 'false'."
                    );
                    let error = ReadError::new(ReadErrorKind::Value, message);
                    Err(self.placed(error, self.offset(attribute.prefix)))
                }
            };
            match attribute.local_name {
                "mustUnderstand" if ENVELOPES.contains(&namespace) => {
                    said.must_understand = flag("field EncodedMustUnderstand")?;
                }
                "relay" if namespace == soap12 => said.relay = flag("'relay' attribute")?,
                "actor" if namespace == soap11 => said.actor = value,
                "role" if namespace == soap12 => said.actor = value,
                _ => {}
            }
        }
        Ok(said)
    }
}
