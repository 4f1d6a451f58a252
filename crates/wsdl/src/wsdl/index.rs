//! The components of WSDL documents by their names.

use std::borrow::Cow;
use std::collections::HashMap;

use roxmltree::Node;

use crate::WSDL;
use crate::report::{DocumentSpan, Report};
use crate::rules::Rule;
use crate::schema::Name;
use crate::xml::says_the_same;

/// An element of a WSDL document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'s> {
    pub document: u32,
    pub node: Node<'s, 's>,
    /// The `targetNamespace` of its document.
    pub target: &'s str,
}

/// The declarations of the documents.
#[derive(Debug)]
pub(super) struct Index<'s> {
    pub messages: Declared<'s>,
    pub port_types: Declared<'s>,
    pub bindings: Declared<'s>,
    pub services: Declared<'s>,
}

/// The components of a kind.
#[derive(Debug, Default)]
pub(super) struct Declared<'s> {
    /// In the order of the documents, the first of each name.
    pub all: Vec<Item<'s>>,
    by_name: HashMap<Name<'s>, usize>,
    /// By local name: `None` if several have it.
    by_local_name: HashMap<&'s str, Option<usize>>,
}

impl<'s> Index<'s> {
    /// Collects the declarations of documents. A second, different declaration of the same name is
    /// reported.
    pub fn new(definitions: &[(u32, Node<'s, 's>)], report: &Report<'s>) -> Self {
        let all = |kind| {
            let mut declared = Declared::default();
            for (document, node) in definitions {
                let target = node.attribute("targetNamespace").unwrap_or_default();
                let root = Item {
                    document: *document,
                    node: *node,
                    target,
                };
                for item in root.children(kind) {
                    let Some(first) = declared.add(item) else {
                        continue;
                    };
                    if !says_the_same(first.node, item.node) {
                        let message = format!("the {kind} `{}` is declared twice", item.name());
                        let place = DocumentSpan::of_attribute(*document, item.node, "name");
                        let hint = "the first one is imported: import the other one by itself";
                        report.add(Rule::LeftOut, place, message, Some(hint));
                    }
                }
            }
            declared
        };
        Self {
            messages: all("message"),
            port_types: all("portType"),
            bindings: all("binding"),
            services: all("service"),
        }
    }
}

impl<'s> Declared<'s> {
    /// Adds a component, or returns the existing one of the same name.
    fn add(&mut self, item: Item<'s>) -> Option<Item<'s>> {
        let local = item.name();
        let name = Name {
            namespace: item.target,
            local,
        };
        let number = self.all.len();
        let first = *self.by_name.entry(name).or_insert(number);
        if first < number {
            return Some(self.all[first]);
        }
        self.all.push(item);
        let by_local_name = self.by_local_name.entry(local);
        by_local_name
            .and_modify(|one| *one = None)
            .or_insert(Some(number));
        None
    }

    /// The index in `all` of the component that an attribute refers to. If its prefix is undeclared
    /// or wrong, as in documents that were edited by hand, the only component with that local name
    /// is used, and reported.
    pub fn referred(&self, item: Item<'s>, attribute: &str, report: &Report<'s>) -> Option<usize> {
        let text = item.attribute(attribute)?;
        let by_name = item.qualified(text);
        let by_name = by_name.and_then(|name| self.by_name.get(&name));
        by_name.copied().or_else(|| {
            let only = (*self.by_local_name.get(local(text))?)?;
            item.report_other_prefix(attribute, self.all[only].target, report);
            Some(only)
        })
    }

    /// The component that an attribute refers to.
    pub fn get(&self, item: Item<'s>, attribute: &str, report: &Report<'s>) -> Option<Item<'s>> {
        let number = self.referred(item, attribute, report)?;
        Some(self.all[number])
    }
}

/// A name without its prefix.
pub(super) fn local(text: &str) -> &str {
    text.rsplit(':').next().unwrap_or(text)
}

impl<'s> Item<'s> {
    pub fn place(self) -> DocumentSpan {
        DocumentSpan::of(self.document, self.node)
    }

    /// The element around it.
    pub fn parent(self) -> Option<Self> {
        let node = self.node.parent_element()?;
        Some(Self { node, ..self })
    }

    /// The child elements of WSDL with a name.
    pub fn children(self, local: &'static str) -> impl Iterator<Item = Self> {
        self.extensions(WSDL, local)
    }

    /// The first child element of WSDL with a name.
    pub fn child(self, local: &'static str) -> Option<Self> {
        self.children(local).next()
    }

    /// The child elements of a namespace with a name.
    pub fn extensions(
        self,
        namespace: &'static str,
        local: &'static str,
    ) -> impl Iterator<Item = Self> {
        let children = self.node.children();
        let named = children.filter(move |node| node.has_tag_name((namespace, local)));
        named.map(move |node| Self { node, ..self })
    }

    /// Reports that an attribute refers to something in another namespace than that of its prefix.
    pub fn report_other_prefix(self, attribute: &str, namespace: &str, report: &Report<'s>) {
        let text = self.attribute(attribute).unwrap_or_default();
        let place = DocumentSpan::of_attribute(self.document, self.node, attribute);
        let message = format!(
            "`{text}` is not declared: the only `{}`, of the namespace `{namespace}`, is taken in its place",
            local(text)
        );
        report.add(Rule::NotInWsdl, place, message, None);
    }

    /// The value of an attribute without surrounding blanks: attributes of WSDL are names, URIs and
    /// tokens, for which such blanks are insignificant (XML Schema Part 2 §4.3.6).
    pub fn attribute(self, name: &str) -> Option<&'s str> {
        self.node.attribute(name).map(str::trim)
    }

    /// Whether it is an extension that must be understood: `wsdl:required="true"`.
    pub fn is_required(self) -> bool {
        let required = self.node.attribute((WSDL, "required"));
        matches!(required.map(str::trim), Some("true" | "1"))
    }

    /// The attribute `name`.
    pub fn name(self) -> &'s str {
        self.attribute("name").unwrap_or_default()
    }

    /// Resolves a qualified name; `None` if its prefix is not declared.
    pub fn qualified(self, text: &'s str) -> Option<Name<'s>> {
        let (prefix, local) = match text.split_once(':') {
            Some((prefix, local)) => (Some(prefix), local),
            None => (None, text),
        };
        let namespace = match prefix {
            Some("xml") => Some("http://www.w3.org/XML/1998/namespace"),
            _ => self.node.lookup_namespace_uri(prefix),
        };
        match (namespace, prefix) {
            (None, Some(_)) => None,
            (namespace, _) => Some(Name {
                namespace: namespace.unwrap_or_default(),
                local,
            }),
        }
    }

    /// The text of its `wsdl:documentation`; `None` if that is blank. Elements in it are left out,
    /// which is reported once for each document.
    pub fn documentation(self) -> Option<Cow<'s, str>> {
        let node = self.child("documentation")?.node;
        let texts: Vec<&'s str> = node
            .descendants()
            .filter(|node| node.is_text())
            .filter_map(|node| node.text())
            .collect();
        let text = match *texts.as_slice() {
            [text] => Cow::Borrowed(text.trim()),
            _ => Cow::Owned(texts.concat().trim().to_owned()),
        };
        (!text.is_empty()).then_some(text)
    }
}
