//! Loads documents and everything that they refer to.

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

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::rules::Rule;
pub(crate) use address::is_of_set;
pub use address::is_step_down;
pub use bounds::parse_bounded;
use roxmltree::{Document, Node};
use svcgen_language::diagnostic::{Diagnostics, Source};

use super::WSDL;
use super::load::Load;
use super::names::is_xml_schema;
use super::report::{DocumentSpan, Report};
use super::xml::elements;

/// The texts of documents with their addresses.
#[derive(Debug, Default)]
pub struct Sources {
    /// The text of each document, by its number.
    pub texts: Vec<Arc<Source>>,
    /// The documents that references resolve to, by document and first byte of the reference.
    pub(super) targets: HashMap<(u32, u32), u32>,
    /// The documents that are read together: a group for each WSDL that is imported.
    pub groups: Vec<BTreeSet<u32>>,
}

/// The trees of documents.
#[derive(Debug)]
pub struct Documents<'s> {
    pub(crate) trees: Vec<Document<'s>>,
    sources: &'s Sources,
}

/// An `xs:schema`.
#[derive(Debug, Clone, Copy)]
pub struct SchemaDocument<'s> {
    pub(crate) node: Node<'s, 's>,
    /// The number of its document.
    pub(crate) document: u32,
    /// Its target namespace; for a schema without one, that of the including schema; empty for
    /// none.
    pub(crate) namespace: &'s str,
}

impl Sources {
    /// Loads documents by their addresses, with everything that they import and include; catalogues
    /// may redirect addresses.
    ///
    /// # Errors
    ///
    /// Returns an error if a document cannot be loaded, is not a WSDL or schema, or refers to a
    /// missing document.
    pub fn load(
        addresses: &[String],
        catalogs: &[String],
        loader: &mut dyn Load,
    ) -> Result<Self, Diagnostics> {
        let follow::Followed {
            texts,
            targets,
            groups,
        } = follow::follow(addresses, catalogs, loader)?;
        let in_all = groups.iter().flatten();
        let bytes: usize = in_all.map(|one| texts[*one as usize].text.len()).sum();
        if groups.len() > 1 && bytes > bounds::ALL_BYTES {
            let message = format!(
                "the documents are too large: with what each WSDL refers to, at most {} MiB are read in all",
                bounds::ALL_BYTES >> 20
            );
            let file = &texts[0].file;
            let hint = Some("import some of them after the others");
            return Err(Diagnostics::without_place(Rule::Wsdl, file, message, hint));
        }
        Ok(Self {
            texts,
            targets,
            groups,
        })
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
    /// The schemas of documents that are read together; a schema without a target namespace occurs
    /// once for each namespace that includes it.
    ///
    /// # Errors
    ///
    /// Returns an error if schemas without a target namespace are included in so many namespaces
    /// that all copies together are too large.
    pub fn schemas(&self, group: &BTreeSet<u32>) -> Result<Vec<SchemaDocument<'_>>, Diagnostics> {
        let mut schemas: Vec<_> = self.declared(group).collect();
        let mut seen: HashSet<(u32, &str)> = HashSet::new();
        let mut bytes = 0;
        let mut queue: VecDeque<_> = schemas.iter().copied().collect();
        // Schemas that are only included have no namespace of their own.
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

    /// The schemas of documents with their own namespaces.
    fn declared(&self, group: &BTreeSet<u32>) -> impl Iterator<Item = SchemaDocument<'_>> {
        self.trees(group).flat_map(|(document, tree)| {
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
            let place = DocumentSpan::of(schema.document, node);
            self.sources.targets.get(&(place.document, place.start))
        });
        targets.copied().collect::<Vec<_>>().into_iter()
    }

    /// Reports documents whose documentation contains elements, of which only the text is kept, as
    /// in .NET.
    pub fn report_markup(&self, group: &BTreeSet<u32>, report: &Report<'_>) {
        let is_documentation = |node: &Node<'_, '_>| {
            let tag = node.tag_name();
            let is_known = |namespace| namespace == WSDL || is_xml_schema(namespace);
            tag.name() == "documentation" && tag.namespace().is_some_and(is_known)
        };
        for (document, tree) in self.trees(group) {
            let all = tree.descendants().filter(is_documentation);
            let mut marked = all.filter(|node| elements(*node).next().is_some());
            let Some(first) = marked.next() else {
                continue;
            };
            let mut message =
                "the elements in documentation are left out: its text is kept".to_owned();
            let others = marked.count();
            if others > 0 {
                message += &format!("; likewise {others} times more");
            }
            report.add(
                Rule::LeftOut,
                DocumentSpan::of(document, first),
                message,
                None,
            );
        }
    }

    /// The trees of a group of documents, with their numbers.
    fn trees(&self, group: &BTreeSet<u32>) -> impl Iterator<Item = (u32, &Document<'_>)> {
        group.iter().map(|one| (*one, &self.trees[*one as usize]))
    }

    /// The `wsdl:definitions` of documents that are read together, with the document numbers.
    pub fn definitions(&self, group: &BTreeSet<u32>) -> Vec<(u32, Node<'_, '_>)> {
        let nodes = self.trees(group).flat_map(|(document, tree)| {
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
