//! Messages and their parts.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use super::index::{Index, Item};
use super::policies::Policies;
use super::{Part, PartContent};
use crate::import::place::{Place, Report};
use crate::import::schema::{Name, Schemas, TypeRef, builtin};
use crate::rules::Rule;

/// Why something is left out: a sentence without a full stop.
pub(super) type Why = String;

/// What of an operation is left out: places and sentences.
pub(super) type LeftOut = Vec<(Place, String)>;

/// The most parts and operations that all services have together, as several may refer to one message.
const MOST_PARTS: usize = 1_000_000;

/// Reads what services say, with all that they refer to.
#[derive(Debug)]
pub(super) struct Reader<'m, 's> {
    pub index: Index<'s>,
    pub policies: Policies<'s>,
    pub report: &'m Report<'s>,
    /// The rule that something is left out for: what is missing, or security.
    pub obstacle: Cell<Option<Rule>>,
    /// How many parts and operations may still be read.
    left: Cell<usize>,
    /// The bindings of which something is noted.
    pub noted: RefCell<HashSet<Place>>,
    schemas: &'m Schemas<'s>,
    /// Global elements by their local names: `None` if several have it.
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
            index: Index::new(definitions),
            policies: Policies::new(definitions),
            obstacle: Cell::new(None),
            left: Cell::new(MOST_PARTS),
            noted: RefCell::default(),
            report,
            schemas,
            elements,
        }
    }

    /// Counts parts or operations that are read.
    pub fn spend(&self, number: usize) {
        self.left.set(self.left.get().saturating_sub(number));
    }

    /// Whether there are too many parts and operations. That is an error, which is said once.
    pub fn is_spent(&self, place: Place) -> bool {
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

    /// Notes that something is not declared.
    pub fn missing(&self, why: Why) -> Why {
        self.obstacle.set(Some(Rule::WsdlReference));
        why
    }

    /// The message that an element refers to.
    pub fn message(&self, item: Item<'s>) -> Result<Item<'s>, Why> {
        let name = item.attribute("message").unwrap_or_default();
        let message = self.index.messages.get(item, "message");
        message.ok_or_else(|| self.missing(format!("the message `{name}` is not declared")))
    }

    /// A part of a message.
    pub fn part(&self, message: Item<'s>, part: Item<'s>) -> Result<Part<'s>, Why> {
        let content = if let Some(text) = part.attribute("element") {
            let element = self.element(part, text);
            PartContent::Element(element.ok_or_else(|| {
                let (part, message) = (part.name(), message.name());
                self.missing(format!("the element `{text}` of the part `{part}` of the message `{message}` is not declared"))
            })?)
        } else if let Some(text) = part.attribute("type") {
            match self.type_ref(part, text) {
                Some(type_ref) => PartContent::Type(type_ref),
                // ASMX calls any element in the Body so, and declares nothing.
                None if text == "tns:any" => PartContent::Any,
                None => {
                    let (part, message) = (part.name(), message.name());
                    return Err(self.missing(format!("the type `{text}` of the part `{part}` of the message `{message}` is not declared")));
                }
            }
        } else {
            PartContent::Any
        };
        Ok(Part {
            name: part.name(),
            content,
            place: part.place(),
        })
    }

    /// A global element; where the prefix is not declared or another one, the only one of the local name.
    fn element(&self, item: Item<'s>, text: &'s str) -> Option<Name<'s>> {
        let name = item.qualified(text);
        let known = name.filter(|name| self.schemas.elements.contains_key(name));
        let local = text.rsplit(':').next().unwrap_or(text);
        known.or_else(|| *self.elements.get(local)?)
    }

    fn type_ref(&self, item: Item<'s>, text: &'s str) -> Option<TypeRef<'s>> {
        let name = item.qualified(text)?;
        let declared = || self.schemas.named.get(&name).copied();
        let builtin = builtin(name).map(TypeRef::Builtin);
        builtin.or_else(|| declared().map(TypeRef::Declared))
    }
}
