//! The layout of the messages of an operation: wrapped, bare or in rpc style.

use std::borrow::Cow;

use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{Content, Derivation, Element, Kind, Name, TypeRef};
use svcgen_wsdl::wsdl::{Message, MessagePart, PartContent};

use super::writer::{Body, Writer};
use crate::draft::Draft;

impl<'s> Writer<'_, 's> {
    /// Converts a message to an element around parameters or results; `None` if it is not one.
    /// `expected` is the default name of that element.
    pub fn wrapped(&mut self, message: &Message<'s>, expected: &str) -> Option<Body<'s>> {
        let [part] = message.parts.as_slice() else {
            return None;
        };
        let element = match part.content {
            PartContent::Element(name) if !message.is_encoded => {
                let element = self.types.global(name)?;
                // An element that two messages share does not name an operation.
                let is_shared = self.uses.get(&name).is_some_and(|uses| *uses > 1);
                (!is_shared && self.is_wrapper(element, expected)).then(|| element.clone())?
            }
            PartContent::Type(type_ref @ TypeRef::Declared(id)) if message.is_encoded => {
                part_element(part, self.types.schemas.get(id).name?, type_ref)
            }
            _ => return None,
        };
        if element.name.namespace.is_empty() && !message.is_encoded {
            return None;
        }
        let members = self.types.members(&element)?;
        // The type of an encoded element may be in another namespace.
        let namespace = message
            .namespace
            .filter(|one| message.is_encoded && !one.is_empty());
        Some(Body {
            wrapper: Some((
                namespace.unwrap_or(element.name.namespace),
                element.name.local.into(),
            )),
            members,
        })
    }

    /// Whether the type of an element exists for this element only: it has no name, or the
    /// element's own, as Java tools write it.
    fn is_wrapper(&self, element: &Element<'s>, expected: &str) -> bool {
        let TypeRef::Declared(id) = element.type_ref else {
            return false;
        };
        let declared = self.types.schemas.get(id);
        let Kind::Complex(complex) = &declared.kind else {
            return false;
        };
        let is_its_own = declared
            .name
            .is_none_or(|name| name.local == element.name.local && element.name.local == expected);
        is_its_own
            && !element.is_nillable
            && !element.is_abstract
            && !complex.is_abstract
            && complex.derivation == Derivation::None
            && complex.attributes.is_empty()
            && complex.any_attribute.is_none()
            && matches!(complex.content, Content::Empty | Content::Elements(_))
    }

    /// The parts of a message as elements in the Body.
    pub fn bare(&mut self, message: &Message<'s>) -> Body<'s> {
        let parts = message.parts.iter().map(|part| match part.content {
            PartContent::Element(name) if name.namespace.is_empty() => {
                let element = self.global(part, name);
                self.in_no_namespace(&element)
            }
            PartContent::Element(name) => {
                let mut element = self.global(part, name);
                // In the Body it is not a reference, but it has its own namespace.
                element.is_reference = true;
                self.types.in_body(&element)
            }
            PartContent::Type(TypeRef::Builtin("anyType")) | PartContent::Any => {
                let mut draft = Draft::flow_map().at(part.place);
                draft.set("any", "element");
                (part.name.to_owned(), draft)
            }
            PartContent::Type(type_ref) => {
                let what = format!(
                    "the part `{}` is a type, and in document style the Body holds elements: it is imported as an element of its name in no namespace",
                    part.name
                );
                let hint = "callers do not agree on what is sent then: PHP, gSOAP and SoapUI send that; see what the original answers";
                let report = self.types.report;
                report.add(Rule::NotInWsdl, part.place, what, Some(hint));
                let (namespace, local) = ("", part.name);
                let element = part_element(part, Name { namespace, local }, type_ref);
                self.in_no_namespace(&element)
            }
        });
        Body {
            members: parts.collect(),
            wrapper: None,
        }
    }

    /// An element in the Body without a namespace.
    fn in_no_namespace(&mut self, element: &Element<'s>) -> (String, Draft) {
        let (name, mut draft) = self.types.in_body(element);
        draft.long("type").set("form", "unqualified");
        (name, draft)
    }

    /// The parts of a message in rpc style.
    pub fn rpc(
        &mut self,
        message: &Message<'s>,
        wrapper: impl Into<Cow<'s, str>>,
    ) -> Result<Body<'s>, String> {
        // Rpc parts are in no namespace, so the key is omitted.
        let namespace = if self.is_unqualified { "" } else { self.home };
        let parts = message.parts.iter().map(|part| match part.content {
            PartContent::Type(type_ref) => {
                let local = part.name;
                let element = part_element(part, Name { namespace, local }, type_ref);
                Ok(self.types.in_body(&element))
            }
            _ => Err(format!(
                "the part `{}` is an element, and in rpc style parts are types: callers do not agree on what is sent then",
                part.name
            )),
        });
        let members = parts.collect::<Result<_, _>>()?;
        Ok(Body {
            // Where the binding states no namespace, .NET and others send and expect none.
            wrapper: Some((message.namespace.unwrap_or_default(), wrapper.into())),
            members,
        })
    }

    /// The type of a part, without `?`.
    pub fn part(&mut self, part: &MessagePart<'s>) -> Draft {
        let (type_ref, name) = match part.content {
            PartContent::Element(name) => (self.global(part, name).type_ref, name),
            PartContent::Type(type_ref) => {
                let (namespace, local) = (self.home, part.name);
                (type_ref, Name { namespace, local })
            }
            PartContent::Any => {
                let mut draft = Draft::flow_map().at(part.place);
                draft.set("type", "any");
                return draft;
            }
        };
        self.types.part(type_ref, name, part.place)
    }

    /// The name of a named type.
    pub fn type_name(&self, type_ref: TypeRef<'s>) -> Option<&'s str> {
        match type_ref {
            TypeRef::Declared(id) => Some(self.types.schemas.get(id).name?.local),
            _ => None,
        }
    }

    fn global(&self, part: &MessagePart<'s>, name: Name<'s>) -> Element<'s> {
        let element = self.types.global(name).cloned();
        element.unwrap_or_else(|| part_element(part, name, TypeRef::Missing(name)))
    }
}

/// Creates an element for a part of a message.
fn part_element<'s>(part: &MessagePart<'s>, name: Name<'s>, type_ref: TypeRef<'s>) -> Element<'s> {
    Element {
        name,
        type_ref,
        is_reference: false,
        is_nillable: false,
        is_abstract: false,
        default: None,
        fixed: None,
        substitutes: None,
        doc: None,
        hints: Vec::new(),
        place: part.place,
    }
}
