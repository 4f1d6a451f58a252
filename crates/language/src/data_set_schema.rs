//! The schemas of typed sets of tables, as .NET writes them.

use roxmltree::{Document, Node, ParsingOptions};

use crate::text::{MOST_BYTES, without_mark};

const XML_SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";
const MSDATA: &str = "urn:schemas-microsoft-com:xml-msdata";

/// The maximum number of nodes of a schema.
const MOST_NODES: u32 = 500_000;

/// The schema of a set of tables, as [`svcgen_model::DataSetSchema`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSetSchema {
    /// The name of the set.
    pub name: String,
    /// The namespace of its elements; empty for none.
    pub namespace: String,
    /// The element `xs:schema`.
    pub schema: String,
}

impl DataSetSchema {
    /// Reads the schema in a file.
    ///
    /// # Errors
    ///
    /// The file contains no such schema: the reason, with the place in the file.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > MOST_BYTES {
            return Err(format!("it has more than {} MiB", MOST_BYTES >> 20));
        }
        let text = str::from_utf8(bytes);
        let text =
            text.map_err(|error| format!("byte {} is not UTF-8", error.valid_up_to() + 1))?;
        let (text, _) = without_mark(text);
        // No message quotes a file of another kind.
        if !text.trim_start().starts_with('<') {
            return Err("it is not XML".to_owned());
        }
        // A checkout may have changed the line ends.
        let text = text.replace("\r\n", "\n");
        let options = ParsingOptions {
            nodes_limit: MOST_NODES,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(&text, options).map_err(|e| e.to_string())?;
        let root = document.root_element();
        let at = |node: Node<'_, '_>| {
            let place = document.text_pos_at(node.range().start);
            format!(" at {place}")
        };
        if !root.has_tag_name((XML_SCHEMA, "schema")) {
            return Err(format!("its root is not an `xs:schema`{}", at(root)));
        }
        let is_set = |node: &Node<'_, '_>| {
            let says = node.attribute((MSDATA, "IsDataSet"));
            node.has_tag_name((XML_SCHEMA, "element")) && says == Some("true")
        };
        let mut sets = root.children().filter(is_set);
        let Some(set) = sets.next() else {
            let place = at(root);
            return Err(format!(
                "no element in it has `msdata:IsDataSet=\"true\"`{place}"
            ));
        };
        if let Some(other) = sets.next() {
            return Err(format!("it has a second set{}", at(other)));
        }
        let name = set.attribute("name").unwrap_or_default();
        if name.is_empty() {
            return Err(format!("its set has no name{}", at(set)));
        }
        Ok(Self {
            name: name.to_owned(),
            namespace: root
                .attribute("targetNamespace")
                .unwrap_or_default()
                .to_owned(),
            schema: text[root.range()].to_owned(),
        })
    }
}
