//! Loads documents, and all that they refer to.

mod address;
mod bounds;
mod catalog;
mod decode;
mod facts;
mod folder;
mod follow;
mod known;
mod open;
mod refusal;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

pub(crate) use address::is_of_set;
use roxmltree::{Document, Node};

use crate::diagnostic::{Diagnostics, Source};

use super::WSDL;
use super::load::Load;
use super::place::Place;
use super::schema::is_xml_schema;
use crate::rules::Rule;

/// Texts of documents with their addresses.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// The text of each document, by its number.
    pub texts: Vec<Arc<Source>>,
    /// The documents that references point to, by the documents and first bytes of these.
    pub(super) targets: HashMap<(u32, u32), u32>,
}

/// The trees of documents.
#[derive(Debug)]
pub(crate) struct Documents<'s> {
    pub trees: Vec<Document<'s>>,
    sources: &'s Sources,
}

/// An `xs:schema`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SchemaDocument<'s> {
    pub node: Node<'s, 's>,
    /// The number of its document.
    pub document: u32,
    /// Its target namespace, of a schema without one that of the schema that includes it; empty for none.
    pub namespace: &'s str,
}

impl Sources {
    /// Loads documents by their addresses, and what they import and include; catalogues say where that is.
    ///
    /// # Errors
    ///
    /// One cannot be loaded, is no WSDL or schema, or refers to one that is missing.
    pub fn load(
        addresses: &[String],
        catalogs: &[String],
        loader: &mut dyn Load,
    ) -> Result<Self, Diagnostics> {
        let follow::Followed { texts, targets } = follow::follow(addresses, catalogs, loader)?;
        Ok(Self { texts, targets })
    }

    /// Parses the documents.
    pub fn parse(&self) -> Result<Documents<'_>, Diagnostics> {
        let trees = self.texts.iter().map(open::parse);
        Ok(Documents {
            trees: trees
                .collect::<Result<_, _>>()
                .map_err(open::Unreadable::quoted)?,
            sources: self,
        })
    }
}

impl Documents<'_> {
    /// The schemas of all documents; one without target namespace once for each namespace that it is included in.
    ///
    /// # Errors
    ///
    /// Schemas without target namespace are included in so many that all together are too large.
    pub fn schemas(&self) -> Result<Vec<SchemaDocument<'_>>, Diagnostics> {
        let mut schemas: Vec<_> = self.declared().collect();
        let mut seen: HashSet<(u32, &str)> = HashSet::new();
        let mut bytes = 0;
        let mut queue: VecDeque<_> = schemas.iter().copied().collect();
        // Those that are included alone are in no namespace of their own.
        let included: HashSet<u32> = queue.iter().flat_map(|one| self.included(*one)).collect();
        let imported: HashSet<u32> = queue.iter().flat_map(|one| self.imported(*one)).collect();
        schemas.retain(|one| {
            !one.namespace.is_empty()
                || !included.contains(&one.document)
                || imported.contains(&one.document)
        });
        while let Some(schema) = queue.pop_front() {
            if schema.namespace.is_empty() {
                continue;
            }
            for document in self.included(schema) {
                let node = self.trees[document as usize].root_element();
                let has_namespace = node.attribute("targetNamespace").is_some();
                if has_namespace || !is_schema(node) || !seen.insert((document, schema.namespace)) {
                    continue;
                }
                let source = &self.sources.texts[document as usize];
                bytes += source.text.len();
                if bytes > bounds::ALL_BYTES {
                    let message = format!(
                        "this schema without target namespace is included in too many namespaces: all together are larger than {} MiB",
                        bounds::ALL_BYTES >> 20
                    );
                    return Err(Diagnostics::without_place(
                        Rule::Wsdl,
                        &source.file,
                        message,
                        None,
                    ));
                }
                let chameleon = SchemaDocument {
                    node,
                    document,
                    namespace: schema.namespace,
                };
                schemas.push(chameleon);
                queue.push_back(chameleon);
            }
        }
        schemas.sort_by_key(|one| (one.document, one.node.range().start));
        Ok(schemas)
    }

    /// The schemas of all documents with their own namespaces.
    fn declared(&self) -> impl Iterator<Item = SchemaDocument<'_>> {
        let trees = (0..).zip(&self.trees);
        trees.flat_map(|(document, tree)| {
            let nodes = tree.descendants().filter(|node| is_schema(*node));
            nodes.map(move |node| SchemaDocument {
                node,
                document,
                namespace: node.attribute("targetNamespace").unwrap_or_default(),
            })
        })
    }

    /// The documents that a schema includes.
    fn included(&self, schema: SchemaDocument<'_>) -> impl Iterator<Item = u32> {
        self.targets(schema, &["include", "redefine"])
    }

    fn imported(&self, schema: SchemaDocument<'_>) -> impl Iterator<Item = u32> {
        self.targets(schema, &["import"])
    }

    fn targets(&self, schema: SchemaDocument<'_>, names: &[&str]) -> impl Iterator<Item = u32> {
        let references = schema.node.children().filter(|node| {
            let name = node.tag_name();
            name.namespace().is_some_and(is_xml_schema) && names.contains(&name.name())
        });
        let targets = references.filter_map(|node| {
            let place = Place::of(schema.document, node);
            self.sources.targets.get(&(place.document, place.start))
        });
        targets.copied().collect::<Vec<_>>().into_iter()
    }

    /// The `wsdl:definitions` of all documents, with the numbers of these.
    pub fn definitions(&self) -> Vec<(u32, Node<'_, '_>)> {
        let trees = (0..).zip(&self.trees);
        let nodes = trees.flat_map(|(document, tree)| {
            let nodes = tree.descendants();
            nodes.map(move |node| (document, node))
        });
        nodes
            .filter(|(_, node)| node.has_tag_name((WSDL, "definitions")))
            .collect()
    }
}

fn is_schema(node: Node<'_, '_>) -> bool {
    node.tag_name().name() == "schema" && node.tag_name().namespace().is_some_and(is_xml_schema)
}
