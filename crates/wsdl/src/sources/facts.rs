//! The kind of a document, and its references.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use roxmltree::{Document, Node};

use super::address;
use crate::WSDL;
use crate::names::{XML_SCHEMA, is_set, is_xml_schema};
use crate::report::DocumentSpan;

const DISCO: &str = "http://schemas.xmlsoap.org/disco/";
const DISCO_CONTRACT: &str = "http://schemas.xmlsoap.org/disco/scl/";
const DISCO_SCHEMA: &str = "http://schemas.xmlsoap.org/disco/schema/";
const SERVICE_MAP: &str = "urn:schemas-microsoft-com:xml-wcfservicemap";
const METADATA: &str = "http://schemas.xmlsoap.org/ws/2004/09/mex";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Root {
    Wsdl,
    Schema,
    /// A document that contains documents of both kinds.
    Metadata,
    /// A list of documents and the files they were saved as: `.disco`, `.map`, `.discomap`,
    /// `.svcmap`.
    Directory,
    Other,
}

/// The facts about a document, without borrowing from it.
#[derive(Debug)]
pub(crate) struct Facts {
    pub root: Root,
    /// The target namespaces of its WSDL.
    pub services: Vec<String>,
    /// Whether its WSDL has more than messages and types.
    pub has_services: bool,
    /// The target namespaces of its schemas; empty strings for none.
    pub schemas: Vec<String>,
    pub references: Vec<Reference>,
    /// The namespaces of the components that it refers to.
    pub used: HashSet<String>,
    /// The addresses of documents, and the files that they were saved as.
    pub saved: Vec<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ReferenceKind {
    Wsdl,
    Schema,
    /// `include` or `redefine`: the same namespace.
    Include,
    /// An entry of a directory.
    Document,
}

#[derive(Debug)]
pub(crate) struct Reference {
    pub span: Range<usize>,
    pub kind: ReferenceKind,
    /// Whether it refers to the schema of a typed set of tables, whose declarations nothing refers
    /// to by name.
    pub is_of_set: bool,
    pub namespace: Option<String>,
    pub location: Option<String>,
    /// The `xml:base` of its ancestors, from the outermost.
    pub bases: Vec<String>,
}

/// The symbol space of a component and its qualified name: types, elements, attributes and groups
/// may share names.
pub(crate) type ComponentName<'t> = (Symbols, &'t str, &'t str);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Symbols {
    Type,
    Element,
    Attribute,
    Group,
    AttributeGroup,
    Message,
    PortType,
    Binding,
}

impl Facts {
    pub fn of(tree: &Document<'_>) -> Self {
        let root = tree.root_element();
        let mut facts = Self {
            root: root_of(root),
            services: Vec::new(),
            has_services: false,
            schemas: Vec::new(),
            references: Vec::new(),
            used: HashSet::new(),
            saved: Vec::new(),
        };
        for node in root.descendants().filter(Node::is_element) {
            let target = || {
                node.attribute("targetNamespace")
                    .unwrap_or_default()
                    .to_owned()
            };
            let name = node.tag_name();
            match (namespace_of(node), name.name()) {
                (WSDL, "definitions") => facts.services.push(target()),
                (WSDL, "portType" | "binding" | "service") => facts.has_services = true,
                (XML_SCHEMA, "schema") => facts.schemas.push(target()),
                (WSDL, "import") => facts.refer(node, ReferenceKind::Wsdl, "location"),
                (XML_SCHEMA, "import") => {
                    facts.refer(node, ReferenceKind::Schema, "schemaLocation");
                }
                (XML_SCHEMA, "include" | "redefine") => {
                    facts.refer(node, ReferenceKind::Include, "schemaLocation");
                }
                (DISCO, "discoveryRef")
                | (DISCO_CONTRACT, "contractRef")
                | (DISCO_SCHEMA, "schemaRef") => facts.refer(node, ReferenceKind::Document, "ref"),
                (_, "DiscoveryClientResult") => {
                    facts.save(node, "referenceType", "filename", "url")
                }
                (SERVICE_MAP, "MetadataFile") => {
                    facts.save(node, "MetadataType", "FileName", "SourceUrl");
                }
                _ => {}
            }
        }
        for (_, namespace, _) in used(tree) {
            if !facts.used.contains(namespace) {
                facts.used.insert(namespace.to_owned());
            }
        }
        facts
    }

    /// The namespaces that it has declarations in.
    pub fn namespaces(&self) -> impl Iterator<Item = &str> {
        let namespaces = self.services.iter().chain(&self.schemas);
        namespaces.map(String::as_str)
    }

    /// Whether it has declarations in a namespace.
    pub fn is_of(&self, namespace: &str) -> bool {
        self.namespaces().any(|one| one == namespace)
    }

    fn refer(&mut self, node: Node<'_, '_>, kind: ReferenceKind, location: &str) {
        if node.attribute("namespace").is_some_and(is_xml_schema) {
            return;
        }
        let base = |node: Node<'_, '_>| {
            let base = node.attribute((roxmltree::NS_XML_URI, "base"));
            base.map(str::to_owned)
        };
        let mut bases: Vec<_> = node.ancestors().filter_map(base).collect();
        bases.reverse();
        let place = DocumentSpan::of(0, node);
        let location = node.attribute(location).map(str::trim);
        let is_of_set = location.is_some_and(address::is_of_set);
        self.references.push(Reference {
            span: place.start as usize..place.end as usize,
            // .NET 1.1 imports it next to the other documents.
            kind: if is_of_set {
                ReferenceKind::Schema
            } else {
                kind
            },
            is_of_set,
            namespace: node.attribute("namespace").map(str::to_owned),
            location: location.filter(|one| !one.is_empty()).map(str::to_owned),
            bases,
        });
    }

    /// Reads an entry of a directory of saved files.
    fn save(&mut self, node: Node<'_, '_>, kind: &str, file: &str, address: &str) {
        let Some(file_name) = node.attribute(file) else {
            return;
        };
        if let Some(address) = node.attribute(address) {
            self.saved.push((address.to_owned(), file_name.to_owned()));
        }
        let kind = node.attribute(kind).unwrap_or_default();
        if ["ContractReference", "SchemaReference", "Wsdl", "Schema"]
            .iter()
            .any(|one| kind.ends_with(one))
        {
            self.refer(node, ReferenceKind::Document, file);
        }
    }
}

/// Whether a document is the schema of a typed set of tables.
pub(crate) fn is_of_set(tree: &Document<'_>) -> bool {
    let root = tree.root_element();
    root_of(root) == Root::Schema && root.children().any(|node| is_set(node))
}

/// The namespace of an element, with drafts of XML Schema mapped to XML Schema.
fn namespace_of<'t>(node: Node<'t, '_>) -> &'t str {
    match node.tag_name().namespace() {
        Some(namespace) if is_xml_schema(namespace) => XML_SCHEMA,
        Some(namespace) => namespace,
        None => "",
    }
}

fn root_of(root: Node<'_, '_>) -> Root {
    let name = root.tag_name();
    match (namespace_of(root), name.name()) {
        (WSDL, "definitions") => Root::Wsdl,
        (XML_SCHEMA, "schema") => Root::Schema,
        (METADATA, "Metadata") => Root::Metadata,
        (DISCO, "discovery")
        | (SERVICE_MAP, "ReferenceGroup")
        | (_, "DiscoveryClientResultsFile") => Root::Directory,
        _ => Root::Other,
    }
}

/// The components that a document refers to, except those of XML Schema.
pub(crate) fn used<'t>(tree: &'t Document<'_>) -> impl Iterator<Item = ComponentName<'t>> {
    let elements = tree.descendants().filter(Node::is_element);
    elements.flat_map(|node| {
        let is_of_schema = matches!(namespace_of(node), XML_SCHEMA | WSDL);
        let attributes = node.attributes().filter(move |_| is_of_schema);
        let attributes = attributes.filter(|attribute| attribute.namespace().is_none());
        attributes.flat_map(move |attribute| {
            let symbols = match (attribute.name(), node.tag_name().name()) {
                ("type", "binding") => Some(Symbols::PortType),
                ("binding", "port") => Some(Symbols::Binding),
                ("message", _) => Some(Symbols::Message),
                ("type" | "base" | "itemType" | "memberTypes", _) => Some(Symbols::Type),
                ("element" | "substitutionGroup", _) | ("ref", "element") => Some(Symbols::Element),
                ("ref", "attribute") => Some(Symbols::Attribute),
                ("ref", "group") => Some(Symbols::Group),
                ("ref", "attributeGroup") => Some(Symbols::AttributeGroup),
                _ => None,
            };
            let names = attribute.value().split_ascii_whitespace();
            names.filter_map(move |name| {
                let (prefix, local) = match name.split_once(':') {
                    Some((prefix, local)) => (Some(prefix), local),
                    None => (None, name),
                };
                let namespace = match node.lookup_namespace_uri(prefix) {
                    _ if prefix == Some("xml") => roxmltree::NS_XML_URI,
                    None if prefix.is_none() => "",
                    found => found?,
                };
                (!is_xml_schema(namespace)).then_some((symbols?, namespace, local))
            })
        })
    })
}

/// The components that a document declares.
pub(crate) fn declared<'t>(tree: &'t Document<'_>) -> impl Iterator<Item = ComponentName<'t>> {
    let is_root = |node: &Node<'_, '_>| {
        matches!(
            (namespace_of(*node), node.tag_name().name()),
            (XML_SCHEMA, "schema") | (WSDL, "definitions")
        )
    };
    tree.descendants().filter(is_root).flat_map(|root| {
        let namespace = root.attribute("targetNamespace").unwrap_or_default();
        // The declarations in `redefine` are its children.
        let children = root.children().flat_map(|child| {
            let is_redefinition =
                namespace_of(child) == XML_SCHEMA && child.tag_name().name() == "redefine";
            let within = is_redefinition.then(|| child.children());
            std::iter::once(child).chain(within.into_iter().flatten())
        });
        children.filter_map(move |child| {
            let symbols = match child.tag_name().name() {
                "complexType" | "simpleType" => Symbols::Type,
                "element" => Symbols::Element,
                "attribute" => Symbols::Attribute,
                "group" => Symbols::Group,
                "attributeGroup" => Symbols::AttributeGroup,
                "message" => Symbols::Message,
                "portType" => Symbols::PortType,
                "binding" => Symbols::Binding,
                _ => return None,
            };
            Some((symbols, namespace, child.attribute("name")?))
        })
    })
}

/// The names that are not declared, by namespace.
#[derive(Debug, Default)]
pub(crate) struct MissingNames {
    declared: HashSet<(Symbols, String, String)>,
    missing: HashMap<String, HashSet<(Symbols, String)>>,
}

impl MissingNames {
    /// Adds the declarations and references of a document.
    pub fn add(&mut self, tree: &Document<'_>) {
        for (symbols, namespace, name) in declared(tree) {
            if let Some(missing) = self.missing.get_mut(namespace) {
                missing.remove(&(symbols, name.to_owned()));
            }
            self.declared
                .insert((symbols, namespace.to_owned(), name.to_owned()));
        }
        for (symbols, namespace, name) in used(tree) {
            let key = (symbols, namespace.to_owned(), name.to_owned());
            if !self.declared.contains(&key) {
                let missing = self.missing.entry(key.1).or_default();
                missing.insert((symbols, key.2));
            }
        }
    }

    /// Whether names of a namespace are missing.
    pub fn is_any(&self, namespace: &str) -> bool {
        let missing = self.missing.get(namespace);
        missing.is_some_and(|names| {
            names.iter().any(|(symbols, name)| {
                // It may be declared in a schema without a namespace, which takes that of the
                // including schema.
                !self
                    .declared
                    .contains(&(*symbols, String::new(), name.clone()))
            })
        })
    }

    /// Whether a document declares one of the missing names. A declaration in no namespace is in
    /// that of the schema that includes it.
    pub fn is_any_of(&self, namespace: &str, tree: &Document<'_>) -> bool {
        let missing = self.missing.get(namespace);
        missing.is_some_and(|missing| {
            declared(tree).any(|(symbols, of, name)| {
                (of.is_empty() || of == namespace) && missing.contains(&(symbols, name.to_owned()))
            })
        })
    }
}
