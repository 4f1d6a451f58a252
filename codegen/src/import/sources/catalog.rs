//! Catalogues of OASIS (XML Catalogs 1.1): where documents are instead of where they are said to be.

use roxmltree::{Document, Node};

use super::address;

const CATALOG: &str = "urn:oasis:names:tc:entity:xmlns:xml:catalog";

/// The entries of catalogues.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    /// Addresses or namespaces, and the addresses in their place.
    exact: Vec<(String, String)>,
    /// Starts of addresses, and what they become.
    rewritten: Vec<(String, String)>,
}

impl Catalog {
    /// Adds the entries of a catalogue, and returns the addresses of those that it refers to. `None` if it is none.
    pub fn add(&mut self, at: &str, tree: &Document<'_>) -> Option<Vec<String>> {
        let root = tree.root_element();
        if !root.has_tag_name((CATALOG, "catalog")) {
            return None;
        }
        let mut next = Vec::new();
        for node in root.descendants() {
            if node.tag_name().namespace() != Some(CATALOG) {
                continue;
            }
            let entry = |from: &str, to: &str| {
                let from = node.attribute(from)?;
                Some((from.to_owned(), resolve(at, node, node.attribute(to)?)?))
            };
            match node.tag_name().name() {
                "uri" => self.exact.extend(entry("name", "uri")),
                "system" => self.exact.extend(entry("systemId", "uri")),
                "rewriteURI" => self
                    .rewritten
                    .extend(entry("uriStartString", "rewritePrefix")),
                "rewriteSystem" => {
                    self.rewritten
                        .extend(entry("systemIdStartString", "rewritePrefix"));
                }
                "nextCatalog" => {
                    let catalog = node.attribute("catalog");
                    next.extend(catalog.and_then(|one| resolve(at, node, one)));
                }
                _ => {}
            }
        }
        Some(next)
    }

    /// The address in place of an address or a namespace.
    pub fn find(&self, name: &str) -> Option<String> {
        let exact = self.exact.iter().find(|(from, _)| from == name);
        if let Some((_, to)) = exact {
            return Some(to.clone());
        }
        // The longest start counts.
        let starts = self
            .rewritten
            .iter()
            .filter(|(from, _)| name.starts_with(from));
        let (from, to) = starts.max_by_key(|(from, _)| from.len())?;
        Some(format!("{to}{}", &name[from.len()..]))
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
        assert_eq!(next, Some(vec!["folder/lib/more.xml".to_owned()]));
        let find = |name: &str| catalog.find(name).unwrap_or_default();
        assert_eq!(find("urn:types"), "folder/lib/types.xsd");
        assert_eq!(find("http://host/a.xsd"), "http://mirror/a.xsd");
        assert_eq!(find("http://host/b/c.xsd"), "folder/lib/host/b/c.xsd");
        assert_eq!(find("http://host/deep/c.xsd"), "folder/deep/c.xsd");
        assert_eq!(catalog.find("http://other/"), None);
    }
}
