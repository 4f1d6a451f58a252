//! The global components of all schemas, by name.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use super::{Name, Symbol};
use crate::names::{is_soap_encoding, is_xml_schema};
use crate::report::{DocumentSpan, Report};
use crate::rules::Rule;
use crate::sources::SchemaDocument;
use crate::xml::{elements, says_the_same};

/// The properties of a schema that apply to everything in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'s> {
    /// The number of its document.
    pub document: u32,
    pub target: &'s str,
    /// Whether it has no target namespace, and takes that of the schema that includes it.
    pub is_chameleon: bool,
    /// `elementFormDefault`.
    pub has_qualified_elements: bool,
    /// `attributeFormDefault`.
    pub has_qualified_attributes: bool,
}

/// A global component.
#[derive(Debug, Clone, Copy)]
pub(super) struct Declaration<'s> {
    pub node: Node<'s, 's>,
    pub scope: Scope<'s>,
    pub symbol: Symbol,
    pub name: Name<'s>,
    /// The declaration that it redefines, by number.
    pub redefines: Option<usize>,
}

/// The global components of all schemas.
#[derive(Debug, Default)]
pub(super) struct Declarations<'s> {
    /// All declarations, in the order of the documents.
    pub all: Vec<Declaration<'s>>,
    /// The declaration for each name; of several that redefine each other, the last.
    by_name: HashMap<(Symbol, Name<'s>), usize>,
    pub namespaces: Vec<&'s str>,
}

impl<'s> Declarations<'s> {
    /// Collects the declarations of schemas.
    pub fn of(documents: &[SchemaDocument<'s>], report: &Report<'s>) -> Self {
        let mut found = Self::default();
        let mut redefinitions = Vec::new();
        let mut namespaces = HashSet::new();
        for schema in documents {
            let scope = Scope::of(schema);
            if is_xml_schema(scope.target) || is_soap_encoding(scope.target) {
                continue;
            }
            if namespaces.insert(scope.target) {
                found.namespaces.push(scope.target);
            }
            for node in elements(schema.node) {
                let local = local(node);
                if local == Some("redefine") {
                    redefinitions.push((node, scope));
                } else if let Some(symbol) = local.and_then(symbol_of) {
                    found.declare(symbol, node, scope, false, report);
                } else if !matches!(
                    local,
                    Some("annotation" | "import" | "include" | "notation" | "defaultOpenContent")
                ) {
                    unknown(node, scope, report);
                }
            }
        }
        for (node, scope) in redefinitions {
            for node in elements(node) {
                match local(node).and_then(symbol_of) {
                    Some(symbol) => found.declare(symbol, node, scope, true, report),
                    None if local(node) == Some("annotation") => {}
                    None => unknown(node, scope, report),
                }
            }
        }
        found
    }

    /// The number of the declaration of a name.
    pub fn find(&self, symbol: Symbol, name: Name<'s>) -> Option<usize> {
        self.by_name.get(&(symbol, name)).copied()
    }

    /// Adds a declaration unless an equal one exists. A redefinition replaces the earlier one; any
    /// other different declaration is left out and reported.
    fn declare(
        &mut self,
        symbol: Symbol,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        is_redefinition: bool,
        report: &Report<'s>,
    ) {
        let Some(name) = declared_name(node, scope, report) else {
            return;
        };
        let before = self.find(symbol, name);
        if let Some(first) = before {
            // The same document may be loaded twice.
            if says_the_same(self.all[first].node, node) {
                return;
            }
            if !is_redefinition {
                let message = format!("{} `{}` is declared twice", symbol.noun(), name.local);
                let place = DocumentSpan::of_attribute(scope.document, node, "name");
                let hint = "the first one is imported";
                report.add(Rule::LeftOut, place, message, Some(hint));
                return;
            }
        }
        self.by_name.insert((symbol, name), self.all.len());
        self.all.push(Declaration {
            node,
            scope,
            symbol,
            name,
            redefines: before,
        });
    }
}

impl<'s> Scope<'s> {
    fn of(schema: &SchemaDocument<'s>) -> Self {
        let is_qualified = |name| schema.node.attribute(name).map(str::trim) == Some("qualified");
        Self {
            document: schema.document,
            target: schema.namespace,
            is_chameleon: schema.node.attribute("targetNamespace").is_none(),
            has_qualified_elements: is_qualified("elementFormDefault"),
            has_qualified_attributes: is_qualified("attributeFormDefault"),
        }
    }
}

fn symbol_of(local: &str) -> Option<Symbol> {
    match local {
        "simpleType" | "complexType" => Some(Symbol::Type),
        "element" => Some(Symbol::Element),
        "attribute" => Some(Symbol::Attribute),
        "group" => Some(Symbol::Group),
        "attributeGroup" => Some(Symbol::AttributeGroup),
        _ => None,
    }
}

/// The local name of an element of XML Schema.
pub(super) fn local<'s>(node: Node<'s, 's>) -> Option<&'s str> {
    let name = node.tag_name();
    let is_schema = name.namespace().is_some_and(is_xml_schema);
    is_schema.then_some(name.name())
}

/// Reports that an element has no effect at this place.
pub(super) fn unknown<'s>(node: Node<'s, 's>, scope: Scope<'s>, report: &Report<'s>) {
    let name = node.tag_name().name();
    let message = match (local(node), node.parent_element().and_then(local)) {
        (Some(_), Some(parent)) => format!("`{name}` has no meaning in `{parent}`"),
        _ => format!("`{name}` is not an element of XML Schema"),
    };
    let place = DocumentSpan::of(scope.document, node);
    let hint = "it is ignored";
    report.add(Rule::LeftOut, place, message, Some(hint));
}

fn declared_name<'s>(
    node: Node<'s, 's>,
    scope: Scope<'s>,
    report: &Report<'s>,
) -> Option<Name<'s>> {
    let name = node.attribute("name").map(str::trim).unwrap_or_default();
    if name.is_empty() {
        let message = format!("this {} has no `name`", node.tag_name().name());
        let place = DocumentSpan::of(scope.document, node);
        report.add(Rule::Wsdl, place, message, None);
        return None;
    }
    Some(Name {
        namespace: scope.target,
        local: name,
    })
}

/// The child elements without annotations.
pub(super) fn declared_elements<'s>(node: Node<'s, 's>) -> impl Iterator<Item = Node<'s, 's>> {
    elements(node).filter(|child| local(*child) != Some("annotation"))
}
