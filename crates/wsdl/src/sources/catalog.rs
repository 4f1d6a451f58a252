//! OASIS catalogues (XML Catalogs 1.1): the actual locations of documents.

use roxmltree::{Document, Node};

use super::address;
use super::bounds::Complaint;
use crate::report::DocumentSpan;

const CATALOG: &str = "urn:oasis:names:tc:entity:xmlns:xml:catalog";

/// The entries of catalogues.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    /// Addresses or namespaces, and the addresses that replace them.
    exact: Vec<(String, String)>,
    /// Prefixes of addresses, and their replacements.
    rewritten: Vec<(String, String)>,
}

impl Catalog {
    /// Adds the entries of a catalogue, and returns the addresses of those that it refers to.
    ///
    /// # Errors
    ///
    /// Returns an error if the document is not a catalogue, or has an entry that cannot be read.
    pub fn add(&mut self, at: &str, tree: &Document<'_>) -> Result<Vec<String>, Complaint> {
        let root = tree.root_element();
        if !root.has_tag_name((CATALOG, "catalog")) {
            let name = root.tag_name().name();
            let message = format!("it is not a catalogue: its root element is `{name}`");
            return Err(complaint(root, message));
        }
        let mut next = Vec::new();
        for node in root.descendants() {
            // Elements of other namespaces are not entries.
            if node.tag_name().namespace() != Some(CATALOG) {
                continue;
            }
            let name = node.tag_name().name();
            let attribute = |key: &str| {
                let missing = || complaint(node, format!("this entry has no `{key}`"));
                node.attribute(key).ok_or_else(missing)
            };
            let address = |key: &str| {
                let text = attribute(key)?;
                let unknown = || complaint(node, format!("`{text}` is not an address"));
                resolve(at, node, text).ok_or_else(unknown)
            };
            let entry = |from: &str, to: &str| Ok((attribute(from)?.to_owned(), address(to)?));
            match name {
                "uri" => self.exact.push(entry("name", "uri")?),
                "system" => self.exact.push(entry("systemId", "uri")?),
                "rewriteURI" => self
                    .rewritten
                    .push(entry("uriStartString", "rewritePrefix")?),
                "rewriteSystem" => self
                    .rewritten
                    .push(entry("systemIdStartString", "rewritePrefix")?),
                "nextCatalog" => next.push(address("catalog")?),
                "catalog" | "group" => {}
                // WSDLs and schemas never refer to public identifiers.
                "public" | "delegatePublic" => {}
                _ => {
                    let message = format!("the entry `{name}` of a catalogue is not read");
                    return Err(complaint(node, message));
                }
            }
        }
        Ok(next)
    }

    /// The address that replaces an address or a namespace.
    pub fn find(&self, name: &str) -> Option<String> {
        let exact = self.exact.iter().find(|(from, _)| from == name);
        if let Some((_, to)) = exact {
            return Some(to.clone());
        }
        // The longest matching prefix applies.
        let starts = self
            .rewritten
            .iter()
            .filter(|(from, _)| name.starts_with(from));
        let (from, to) = starts.max_by_key(|(from, _)| from.len())?;
        Some(format!("{to}{}", &name[from.len()..]))
    }
}

fn complaint(node: Node<'_, '_>, message: String) -> Complaint {
    let place = DocumentSpan::of(0, node);
    Complaint {
        span: place.start as usize..place.end as usize,
        message,
        kind: "it is not a catalogue that can be read",
        hint: Some(
            "write `system`, `uri`, `rewriteSystem`, `rewriteURI` or `nextCatalog` of XML Catalogs 1.1",
        ),
    }
}

fn resolve(at: &str, node: Node<'_, '_>, reference: &str) -> Option<String> {
    let bases = node
        .ancestors()
        .filter_map(|one| one.attribute((roxmltree::NS_XML_URI, "base")));
    let bases: Vec<_> = bases.collect();
    let base = bases
        .iter()
        .rev()
        .try_fold(at.to_owned(), |base, one| address::join(&base, one))?;
    address::join(&base, reference)
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::Catalog;

    #[test]
    fn addresses_are_replaced_and_rewritten() {
        let text = "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog' xml:base='lib/'>
            <uri name='urn:types' uri='types.xsd'/>
            <group xml:base='http://mirror/'><system systemId='http://host/a.xsd' uri='a.xsd'/></group>
            <rewriteURI uriStartString='http://host/' rewritePrefix='host/'/>
            <rewriteSystem systemIdStartString='http://host/deep/' rewritePrefix='../deep/'/>
            <nextCatalog catalog='more.xml'/>
        </catalog>";
        let tree = Document::parse(text).unwrap();
        let mut catalog = Catalog::default();
        let next = catalog.add("folder/catalog.xml", &tree);
        assert_eq!(next, Ok(vec!["folder/lib/more.xml".to_owned()]));
        let find = |name: &str| catalog.find(name).unwrap_or_default();
        assert_eq!(find("urn:types"), "folder/lib/types.xsd");
        assert_eq!(find("http://host/a.xsd"), "http://mirror/a.xsd");
        assert_eq!(find("http://host/b/c.xsd"), "folder/lib/host/b/c.xsd");
        assert_eq!(find("http://host/deep/c.xsd"), "folder/deep/c.xsd");
        assert_eq!(catalog.find("http://other/"), None);
    }

    #[test]
    fn entries_that_cannot_be_read_are_refused() {
        for (entry, expected) in [
            (
                "<systemSuffix systemIdSuffix='a.xsd' uri='a.xsd'/>",
                "the entry `systemSuffix` of a catalogue is not read",
            ),
            ("<uri name='urn:types'/>", "this entry has no `uri`"),
            ("<public publicId='-//A//B' uri='a.dtd'/>", ""),
            ("<more xmlns='urn:other'/>", ""),
        ] {
            let text = format!(
                "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>{entry}</catalog>"
            );
            let tree = Document::parse(&text).unwrap();
            let refused = Catalog::default().add("catalog.xml", &tree).err();
            let message = refused.map(|refused| refused.message);
            assert_eq!(message.as_deref().unwrap_or_default(), expected, "{entry}");
        }
    }
}
