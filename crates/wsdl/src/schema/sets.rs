//! The schemas of typed sets of tables, from which .NET generates classes. A WSDL refers to such a
//! schema by a wildcard for its namespace.

use std::collections::{BTreeMap, HashMap, HashSet};

use roxmltree::Node;
use svcgen_language::data_set_schema::DataSetSchema;

use super::declarations::local;
use crate::WSDL;
use crate::file_names::file_stem;
use crate::names::is_set;
use crate::report::DocumentSpan;
use crate::sources::{SchemaDocument, is_of_set};
use crate::xml::elements;

const TABLES: &str = "values have their schema with them: the set is any `dataSet`";
const WHERE_FROM: &str = "the original answers the schema at `?schema=` and the name of the set: save it beside the WSDL, and import again";

/// The set of tables in a namespace.
#[derive(Debug)]
pub enum TypedSet<'s> {
    /// Its schema is among the documents.
    Known(SetSchema<'s>),
    /// Its tables cannot be described: the place, the reason, and a hint.
    Unknown(DocumentSpan, String, &'static str),
}

/// The schema of a set.
#[derive(Debug)]
pub struct SetSchema<'s> {
    /// The name of the set.
    pub name: &'s str,
    /// Its `targetNamespace`.
    pub namespace: &'s str,
    /// The place where it is declared.
    pub place: DocumentSpan,
    node: Node<'s, 's>,
    /// The file that it is written into.
    pub file: String,
    /// The schema as a document.
    pub text: String,
}

impl SetSchema<'_> {
    /// Whether two schemas have equal content; they include .NET's relations, which are in
    /// annotations.
    pub fn is_same(&self, other: &SetSchema<'_>) -> bool {
        let [one, other] = [self.node, other.node].map(|node| {
            let within = node.descendants().filter(Node::is_element);
            within.map(attributes_of).collect::<Vec<_>>()
        });
        one == other
    }
}

/// The comparable part of an element: its name, attributes and text, and the number of child
/// elements.
fn attributes_of<'s>(node: Node<'s, 's>) -> impl PartialEq + use<'s> {
    let attributes = node.attributes();
    let attributes = attributes.map(|one| ((one.namespace(), one.name()), one.value()));
    let attributes: BTreeMap<_, _> = attributes.collect();
    let text = node.text().unwrap_or_default().trim();
    (node.tag_name(), attributes, text, elements(node).count())
}

/// The sets of schemas, and the sets that documents refer to but whose schema is missing, by
/// namespace.
pub(super) fn typed_sets<'s>(documents: &[SchemaDocument<'s>]) -> HashMap<&'s str, TypedSet<'s>> {
    let mut found = HashMap::new();
    let mut files = HashSet::new();
    for schema in documents {
        let is_own =
            schema.node.attribute("targetNamespace").unwrap_or_default() == schema.namespace;
        let mut around = schema.node.ancestors().skip(1);
        if !is_own || around.any(|node| local(node).is_some()) {
            continue;
        }
        let Some(set) = elements(schema.node).find(|node| is_set(*node)) else {
            continue;
        };
        let (name, place) = (
            set.attribute("name").unwrap_or_default(),
            DocumentSpan::of(schema.document, set),
        );
        let read = match found.get(schema.namespace) {
            None => {
                let text = alone(schema.node);
                DataSetSchema::read(text.as_bytes()).map(|_| text)
            }
            Some(TypedSet::Known(first)) if first.name != name => {
                Err(format!("its namespace is also that of `{}`", first.name))
            }
            Some(_) => continue,
        };
        let read = match read {
            Ok(text) => TypedSet::Known(SetSchema {
                name,
                namespace: schema.namespace,
                place,
                node: schema.node,
                file: format!("{}.xsd", file_stem(name, "data_set", &mut files)),
                text,
            }),
            Err(why) => TypedSet::Unknown(place, why, TABLES),
        };
        found.insert(schema.namespace, read);
    }
    let mut seen = HashSet::new();
    for schema in documents {
        let is_new = seen.insert(schema.document);
        let root = schema.node.document().root_element();
        let of_wsdl = elements(root).filter(|node| is_new && node.has_tag_name((WSDL, "import")));
        let of_schema = elements(schema.node).filter(|node| local(*node) == Some("import"));
        for import in of_wsdl.chain(of_schema) {
            let attribute = match local(import) {
                Some(_) => "schemaLocation",
                None => "location",
            };
            let at = import.attribute(attribute).unwrap_or_default();
            if !is_of_set(at) {
                continue;
            }
            let namespace = import.attribute("namespace").unwrap_or_default();
            found.entry(namespace).or_insert_with(|| {
                let place = DocumentSpan::of_attribute(schema.document, import, attribute);
                TypedSet::Unknown(
                    place,
                    format!("its schema at `{at}` is missing"),
                    WHERE_FROM,
                )
            });
        }
    }
    found
}

/// Writes a schema as a document of its own: unchanged, or with the namespace declarations of its
/// ancestors that it may need.
fn alone(schema: Node<'_, '_>) -> String {
    let document = schema.document();
    let head = document.input_text()[..schema.range().start].to_ascii_lowercase();
    let is_utf8 = head.contains("utf-8") || !head.contains("encoding");
    if schema == document.root_element() && is_utf8 {
        return document.input_text().to_owned();
    }
    let text = &document.input_text()[schema.range()];
    let name = text.find(|c: char| c.is_whitespace() || "/>".contains(c));
    let (tag, rest) = text.split_at(name.unwrap_or(text.len()));
    let own: Vec<_> = attributes(rest).collect();
    let used = prefixes(text);
    let mut declared = String::new();
    for namespace in schema.namespaces() {
        let attribute = match namespace.name() {
            Some("xml") => continue,
            Some(prefix) if !used.contains(prefix) => continue,
            Some(prefix) => format!("xmlns:{prefix}"),
            None => "xmlns".to_owned(),
        };
        if !own.contains(&&*attribute) {
            let uri = namespace.uri().replace('&', "&amp;");
            let uri = uri.replace('<', "&lt;").replace('"', "&quot;");
            declared += &format!(" {attribute}=\"{uri}\"");
        }
    }
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{tag}{declared}{rest}\n")
}

/// The names of the attributes in a well-formed start tag as they are written, including namespace
/// declarations. `rest` is the text after the tag's name.
fn attributes(mut rest: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once('=')?;
        if name.contains('>') {
            return None;
        }
        let after = after.trim_start();
        let quote = after.chars().next()?;
        (_, rest) = after[1..].split_once(quote)?;
        Some(name.trim())
    })
}

/// The words in a text that may be prefixes.
fn prefixes(text: &str) -> HashSet<&str> {
    let before = text.match_indices(':').map(|(at, _)| &text[..at]);
    let is_other = |c: char| !c.is_alphanumeric() && !"-_.".contains(c);
    before
        .filter_map(|before| before.rsplit(is_other).next())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_alone_declares_what_is_around_it_and_nothing_twice() {
        for start in [
            "<x:schema xmlns:x='urn:x' xmlns:y='urn:y'",
            "<x:schema a='>' xmlns:x='urn:x' xmlns:y='urn:y'",
            "<x:schema a=\">'\" xmlns:y = 'urn:y'",
            "<x:schema a='xmlns:x=\"\" xmlns:y=\"\"'",
        ] {
            let text = format!(
                "<w xmlns='urn:w' xmlns:x='urn:x' xmlns:y='urn:y'>{start}><x:a b='y:c'/></x:schema></w>"
            );
            let document = roxmltree::Document::parse(&text).unwrap();
            let schema = document.root_element().first_child().unwrap();
            let alone = alone(schema);
            let alone = roxmltree::Document::parse(&alone).unwrap_or_else(|error| {
                panic!("{error}: {alone}");
            });
            let root = alone.root_element();
            assert_eq!(root.lookup_namespace_uri(Some("x")), Some("urn:x"));
            assert_eq!(root.lookup_namespace_uri(Some("y")), Some("urn:y"));
            assert_eq!(root.lookup_namespace_uri(None), Some("urn:w"));
            assert_eq!(root.attribute("a"), schema.attribute("a"));
        }
    }
}
