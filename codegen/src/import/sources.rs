//! Loads documents, and all that they refer to.

mod bounds;
mod decode;
mod open;
mod refusal;

use std::sync::Arc;

use roxmltree::{Document, Node};

use crate::diagnostic::{Diagnostics, Source};

use super::WSDL;
use super::load::Load;
use super::schema::XML_SCHEMA;
use crate::rules::Rule;

/// Texts of documents with their addresses.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// The text of each document, by its number.
    pub texts: Vec<Arc<Source>>,
}

/// The trees of documents.
#[derive(Debug)]
pub(crate) struct Documents<'s> {
    pub trees: Vec<Document<'s>>,
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
    /// Loads documents by their addresses, and what they import and include.
    ///
    /// # Errors
    ///
    /// One cannot be loaded or is no XML.
    pub fn load(addresses: &[String], loader: &mut dyn Load) -> Result<Self, Diagnostics> {
        let mut texts = Vec::new();
        for address in addresses {
            let loaded = loader.load(address).map_err(|complaint| {
                Diagnostics::without_place(Rule::Wsdl, address, complaint, None)
            })?;
            texts.push(open::read(address, &loaded.bytes)?);
        }
        Ok(Self { texts })
    }

    /// Parses the documents.
    pub fn parse(&self) -> Result<Documents<'_>, Diagnostics> {
        let trees = self
            .texts
            .iter()
            .map(open::parse)
            .collect::<Result<_, _>>()?;
        Ok(Documents { trees })
    }
}

impl Documents<'_> {
    /// The schemas of all documents, each once.
    pub fn schemas(&self) -> Vec<SchemaDocument<'_>> {
        let mut schemas = Vec::new();
        for (document, tree) in (0..).zip(&self.trees) {
            for node in tree.descendants() {
                if node.has_tag_name((XML_SCHEMA, "schema")) {
                    let namespace = node.attribute("targetNamespace").unwrap_or_default();
                    schemas.push(SchemaDocument {
                        node,
                        document,
                        namespace,
                    });
                }
            }
        }
        schemas
    }

    /// The `wsdl:definitions` of all documents, with the numbers of these.
    pub fn definitions(&self) -> Vec<(u32, Node<'_, '_>)> {
        let trees = (0..).zip(&self.trees);
        let roots = trees.map(|(document, tree)| (document, tree.root_element()));
        roots
            .filter(|(_, root)| root.has_tag_name((WSDL, "definitions")))
            .collect()
    }
}
