//! Recognizes well-known kinds of documents that are not WSDL.

use roxmltree::Node;

use super::bounds::Complaint;

const ADDRESS: &str = "give the address of the WSDL, which usually ends in `?wsdl`";

/// The kind of a document that is not XML.
pub(crate) fn no_xml(text: &str) -> Option<Complaint> {
    let start = text.trim_start();
    let at = text.len() - start.len();
    let first = start.lines().next().unwrap_or_default();
    let complain = |kind: &'static str, quoted: String, hint| {
        Some(Complaint {
            span: at..at + first.len(),
            message: format!("{kind}{quoted}"),
            kind,
            hint: Some(hint),
        })
    };
    let complain_of = |kind, hint| complain(kind, String::new(), hint);
    if start.is_empty() {
        return complain_of("the document is empty", ADDRESS);
    }
    if is_html(start) {
        let title = title(start).map(|title| format!(": its title is `{title}`"));
        let kind = "the document is an HTML page, no WSDL";
        return complain(kind, title.unwrap_or_default(), HTML);
    }
    if start.starts_with('<') {
        return None;
    }
    if start.starts_with(['{', '[']) {
        return complain_of("the document is JSON, no WSDL", ADDRESS);
    }
    let is_definition =
        |line: &str| line.starts_with("service:") || line.starts_with("operations:");
    if start.lines().any(is_definition) {
        return complain_of(
            "the document is a definition already, no WSDL",
            "`svcgen check` checks definitions, `svcgen generate` generates Rust from them",
        );
    }
    let shown: String = first.chars().take(60).collect();
    let quoted = format!(": it starts with `{shown}`");
    complain("the document is not XML", quoted, ADDRESS)
}

const HTML: &str = "a page to log in, of an error or of help is answered in place of the WSDL: open the address in a browser, \
    and save what it shows after `?wsdl`";

fn is_html(text: &str) -> bool {
    let mut rest = text;
    // Skips comments and the declaration of XHTML.
    loop {
        rest = rest.trim_start();
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ => break,
        };
        let Some((_, after)) = rest.split_once(end) else {
            break;
        };
        rest = after;
    }
    let starts_with = |name: &str| {
        let start = rest.get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    starts_with("<!doctype html")
        || starts_with("<html")
        || starts_with("<head")
        || starts_with("<body")
}

/// The title of an HTML page.
fn title(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let at = lower.find("<title")?;
    let start = at + lower[at..].find('>')? + 1;
    let end = start + lower[start..].find('<')?;
    let words: Vec<_> = text[start..end].split_whitespace().collect();
    let title: String = words.join(" ").chars().take(100).collect();
    (!title.is_empty()).then_some(title)
}

/// The kind of a document whose root shows that it is neither WSDL 1.1 nor a schema.
pub(crate) fn other_root(root: Node<'_, '_>) -> (String, &'static str) {
    let name = root.tag_name();
    let namespace = name.namespace().unwrap_or_default();
    if name.name() == "description" && namespace.contains("/wsdl") {
        return (
            "the document is WSDL 2.0, and WSDL 1.1 is read".to_owned(),
            "ASMX and nearly all other services write WSDL 1.1 at `?wsdl`: ask for that",
        );
    }
    if name.name() == "Envelope" {
        let is_reason = |node: &Node<'_, '_>| {
            matches!(node.tag_name().name(), "faultstring" | "Text") && node.text().is_some()
        };
        let reason = root
            .descendants()
            .find(is_reason)
            .and_then(|node| node.text());
        let message = reason.map_or_else(
            || "the document is a SOAP message, no WSDL".to_owned(),
            |reason| format!("the document is a SOAP fault, `{}`, no WSDL", reason.trim()),
        );
        return (message, ADDRESS);
    }
    if name.name() == "definitions" {
        let message = format!("`definitions` is in the namespace `{namespace}`, and no WSDL 1.1");
        return (message, NAMESPACE);
    }
    let message = format!(
        "the document is not a WSDL: its root element is `{}`",
        name.name()
    );
    (message, ADDRESS)
}

/// The namespace that WSDL 1.1 has.
const NAMESPACE: &str = "the namespace of WSDL 1.1 is `http://schemas.xmlsoap.org/wsdl/`";

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::{NAMESPACE, no_xml, other_root};
    use crate::WSDL;

    #[test]
    fn what_is_no_xml_is_named() {
        for (text, message) in [
            ("", "the document is empty"),
            ("\n \n", "the document is empty"),
            ("{\"swagger\": 2}", "the document is JSON, no WSDL"),
            (
                "<!-- old -->\n<!DOCTYPE html><html><head><TITLE lang='en'>\n Log  in</title>",
                "the document is an HTML page, no WSDL: its title is `Log in`",
            ),
            ("<HTML><body>", "the document is an HTML page, no WSDL"),
            (
                "# mine\nservice: Greeter\n",
                "the document is a definition already, no WSDL",
            ),
            (
                "Not found",
                "the document is not XML: it starts with `Not found`",
            ),
        ] {
            assert_eq!(no_xml(text).expect(text).message, message);
        }
        assert_eq!(
            no_xml("<?xml version='1.0'?><!-- <html> --><definitions/>"),
            None
        );
    }

    #[test]
    fn other_languages_are_named() {
        assert!(NAMESPACE.contains(WSDL));
        for (text, message) in [
            (
                "<description xmlns='http://www.w3.org/ns/wsdl'/>",
                "the document is WSDL 2.0, and WSDL 1.1 is read",
            ),
            (
                "<s:Envelope xmlns:s='s'><s:Body><s:Fault><faultstring> No\n</faultstring></s:Fault></s:Body></s:Envelope>",
                "the document is a SOAP fault, `No`, no WSDL",
            ),
            (
                "<application/>",
                "the document is not a WSDL: its root element is `application`",
            ),
            (
                "<definitions/>",
                "`definitions` is in the namespace ``, and no WSDL 1.1",
            ),
        ] {
            let tree = Document::parse(text).unwrap();
            assert_eq!(other_root(tree.root_element()).0, message);
        }
    }
}
