//! Messages and their parts.

use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};
use std::fmt;

use roxmltree::Node;

use super::index::{Index, Item, local};
use super::policies::Policies;
use super::{MessagePart, PartContent};
use crate::report::{DocumentSpan, Report};
use crate::rules::Rule;
use crate::schema::{Name, Schemas, TypeRef, builtin};

/// The reason why something is left out.
#[derive(Debug)]
pub(super) struct Why {
    /// A sentence without a full stop.
    text: String,
    /// Whether the WSDL refers to something that it does not contain, so that no caller can know
    /// it.
    is_missing: bool,
}

/// The parts of an operation that are left out: rules, places and sentences.
pub(super) type LeftOut = Vec<(Rule, DocumentSpan, String)>;

impl Why {
    /// The rule for something optional that is left out.
    pub fn rule(&self) -> Rule {
        if self.is_missing {
            Rule::NotInWsdl
        } else {
            Rule::LeftOut
        }
    }
}

impl From<String> for Why {
    fn from(text: String) -> Self {
        Self {
            text,
            is_missing: false,
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The type that represents a `Message` of WCF.
const ANY_BODY: Name<'_> = Name {
    namespace: "http://schemas.microsoft.com/Message",
    local: "MessageBody",
};

/// The maximum number of parts and operations of all services together; several may refer to one
/// message.
const MOST_PARTS: usize = 1_000_000;

/// Reads services and everything that they refer to.
#[derive(Debug)]
pub(super) struct Reader<'m, 's> {
    pub index: Index<'s>,
    pub policies: Policies<'s>,
    pub report: &'m Report<'s>,
    /// The rule because of which something is left out: a missing declaration, or security.
    pub obstacle: Cell<Option<Rule>>,
    /// The number of parts and operations that may still be read.
    left: Cell<usize>,
    /// The operations that bindings have: the number of the port type, and the name.
    bound: OnceCell<HashSet<(usize, &'s str)>>,
    schemas: &'m Schemas<'s>,
    /// Global elements by their local names; `None` if several have the same.
    elements: HashMap<&'s str, Option<Name<'s>>>,
}

impl<'m, 's> Reader<'m, 's> {
    pub fn new(
        definitions: &[(u32, Node<'s, 's>)],
        schemas: &'m Schemas<'s>,
        report: &'m Report<'s>,
    ) -> Self {
        let mut elements = HashMap::new();
        for name in schemas.elements.keys() {
            let by_local_name = elements.entry(name.local);
            by_local_name
                .and_modify(|one| *one = None)
                .or_insert(Some(*name));
        }
        Self {
            index: Index::new(definitions, report),
            policies: Policies::new(definitions),
            obstacle: Cell::new(None),
            left: Cell::new(MOST_PARTS),
            bound: OnceCell::new(),
            report,
            schemas,
            elements,
        }
    }

    /// Counts parts or operations that are read.
    pub fn spend(&self, number: usize) {
        self.left.set(self.left.get().saturating_sub(number));
    }

    /// Whether there are too many parts and operations. That is an error, which is reported once.
    pub fn is_spent(&self, place: DocumentSpan) -> bool {
        if self.left.get() == 0 && self.obstacle.get() != Some(Rule::Wsdl) {
            self.obstacle.set(Some(Rule::Wsdl));
            let message = format!(
                "the services have more than {MOST_PARTS} operations and parts of messages in all"
            );
            let hint = "import them one by one";
            self.report.add(Rule::Wsdl, place, message, Some(hint));
        }
        self.left.get() == 0
    }

    /// Whether a binding contains an operation of a port type, whether or not it can be imported.
    pub fn is_bound(&self, port_type: usize, name: &'s str) -> bool {
        let bound = self.bound.get_or_init(|| {
            let bindings = self.index.bindings.all.iter();
            let known = bindings.filter_map(|binding| {
                let port_types = &self.index.port_types;
                let port_type = port_types.referred(*binding, "type", self.report)?;
                let operations = binding.children("operation");
                Some(operations.map(move |operation| (port_type, operation.name())))
            });
            known.flatten().collect()
        });
        bound.contains(&(port_type, name))
    }

    /// Creates the reason for a missing declaration, and records that there is one.
    pub fn missing(&self, text: String) -> Why {
        self.obstacle.set(Some(Rule::WsdlReference));
        Why {
            text,
            is_missing: true,
        }
    }

    /// The message that an element refers to.
    pub fn message(&self, item: Item<'s>) -> Result<Item<'s>, Why> {
        let name = item.attribute("message").unwrap_or_default();
        let message = self.index.messages.get(item, "message", self.report);
        message.ok_or_else(|| self.missing(format!("the message `{name}` is not declared")))
    }

    /// A part of a message.
    pub fn part(&self, message: Item<'s>, part: Item<'s>) -> Result<MessagePart<'s>, Why> {
        let content = if let Some(text) = part.attribute("element") {
            let element = self.element(part, text);
            PartContent::Element(element.ok_or_else(|| {
                let (part, message) = (part.name(), message.name());
                self.missing(format!("the element `{text}` of the part `{part}` of the message `{message}` is not declared"))
            })?)
        } else if let Some(text) = part.attribute("type") {
            match self.type_ref(part, text) {
                // The type that WCF declares for the whole content of a Body.
                _ if part.qualified(text) == Some(ANY_BODY) => PartContent::Any,
                Some(type_ref) => PartContent::Type(type_ref),
                // The undeclared type that ASMX writes for any element in the Body.
                None if text == "tns:any" => PartContent::Any,
                None => {
                    let (part, message) = (part.name(), message.name());
                    return Err(self.missing(format!("the type `{text}` of the part `{part}` of the message `{message}` is not declared")));
                }
            }
        } else {
            PartContent::Any
        };
        Ok(MessagePart {
            name: part.name(),
            content,
            place: part.place(),
        })
    }

    /// The global element with a name; if the prefix is undeclared or wrong, the only element with
    /// that local name, which is reported.
    fn element(&self, item: Item<'s>, text: &'s str) -> Option<Name<'s>> {
        let name = item.qualified(text);
        let known = name.filter(|name| self.schemas.elements.contains_key(name));
        known.or_else(|| {
            let only = (*self.elements.get(local(text))?)?;
            item.report_other_prefix("element", only.namespace, self.report);
            Some(only)
        })
    }

    fn type_ref(&self, item: Item<'s>, text: &'s str) -> Option<TypeRef<'s>> {
        let name = item.qualified(text)?;
        let declared = || self.schemas.named.get(&name).copied();
        let builtin = builtin(name).map(TypeRef::Builtin);
        builtin.or_else(|| declared().map(TypeRef::Declared))
    }
}
