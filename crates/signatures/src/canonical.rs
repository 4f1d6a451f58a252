//! Exclusive canonicalisation of parts of a message.
//!
//! The tree of a part is built from the same tokens that the bindings read: see `outline.rs`.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use bergshamra_c14n::{C14nMode, canonicalize_doc};
use svcgen_wire::Limits;
use svcgen_wire::internals::{Piece, SCHEMA_INSTANCE, Tokens, XML_SCHEMA, XOP};
use uppsala::{Attribute, Document, NodeId, QName};

use crate::error::SignatureError;
use crate::outline::{id_of, tokens};

/// A part to canonicalise.
#[derive(Debug, Clone)]
pub(crate) struct Target<'t> {
    /// The offset of the element's name.
    pub(crate) start: usize,
    /// The prefixes whose namespaces are written even if they are not used.
    pub(crate) prefixes: Vec<&'t str>,
    /// The id that no other element of the message may have.
    pub(crate) id: Option<&'t str>,
    /// Whether types may have prefixes that the canonical form does not declare.
    pub(crate) allows_unsigned_prefixes: bool,
}

/// Canonicalises parts of a message. No part may contain another.
///
/// # Errors
///
/// The message is malformed or over a limit, an id is not unique, a qualified name in a value has a
/// prefix that the canonical form does not declare, or bytes of a part are outside of the message.
pub(crate) fn canonical(
    text: &str,
    limits: &Limits,
    targets: &[Target<'_>],
) -> Result<Vec<Vec<u8>>, SignatureError> {
    let unreadable = SignatureError::unreadable;
    let mut tokens = tokens(text, limits);
    let mut found = vec![Vec::new(); targets.len()];
    let ids = targets.iter().filter_map(|target| target.id);
    let mut ids: HashMap<&str, usize> = ids.map(|id| (id, 0)).collect();
    tokens.root().map_err(unreadable)?;
    let mut open = 1_usize;
    while open > 0 {
        count_id(&tokens, &mut ids);
        let start = tokens.element_start();
        if let Some(at) = targets.iter().position(|target| target.start == start) {
            found[at] = canonical_part(&mut tokens, &targets[at], &mut ids)?;
            open -= 1;
        }
        // Reads up to the next start tag.
        while open > 0 {
            if tokens.child().map_err(unreadable)? {
                open += 1;
                break;
            }
            open -= 1;
        }
    }
    tokens.finish().map_err(unreadable)?;
    match ids.iter().find(|(_, count)| **count != 1) {
        Some((id, _)) => Err(SignatureError::security(format!(
            "the id '{id}' is not that of one element."
        ))),
        None => Ok(found),
    }
}

/// Refuses an element that refers to bytes outside of the message (XOP §2.1). A signature would
/// cover only its `href`, and anybody could exchange the bytes.
fn refuse_include(tokens: &Tokens<'_>) -> Result<(), SignatureError> {
    if tokens.local_name() == "Include" && tokens.namespace() == XOP {
        let why = "a signature does not cover the bytes of an xop:Include; send them in base64.";
        return Err(SignatureError::algorithm(why));
    }
    Ok(())
}

fn count_id(tokens: &Tokens<'_>, ids: &mut HashMap<&str, usize>) {
    if let Some(count) = id_of(tokens).and_then(|id| ids.get_mut(id)) {
        *count += 1;
    }
}

/// Canonicalises the element whose start tag was read last, through its end tag.
fn canonical_part<'i>(
    tokens: &mut Tokens<'i>,
    target: &Target<'_>,
    ids: &mut HashMap<&str, usize>,
) -> Result<Vec<u8>, SignatureError> {
    let (unreadable, prefixes) = (SignatureError::unreadable, &target.prefixes);
    let mut document: Document<'i> = Document::new();
    let root = element(&mut document, tokens);
    // Declarations of outer elements apply in the part, too.
    for (prefix, name) in tokens.declared() {
        document.declare_namespace(root, Some(prefix), name.clone());
    }
    document.append_child(document.root(), root);
    let check = |document: &Document<'_>, open: &[NodeId], tokens: &Tokens<'_>| {
        if target.allows_unsigned_prefixes {
            return Ok(());
        }
        check_types(document, open, tokens, prefixes)
    };
    let mut open = vec![root];
    check(&document, &open, tokens)?;
    while let Some(parent) = open.last().copied() {
        match tokens.piece().map_err(unreadable)? {
            Piece::Text(text) => {
                let text = document.create_text(text);
                document.append_child(parent, text);
            }
            Piece::Start => {
                count_id(tokens, ids);
                refuse_include(tokens)?;
                let child = element(&mut document, tokens);
                for (prefix, name) in tokens.declared_here() {
                    document.declare_namespace(child, Some(prefix), name.clone());
                }
                document.append_child(parent, child);
                open.push(child);
                check(&document, &open, tokens)?;
            }
            Piece::End => drop(open.pop()),
        }
    }
    let form = canonicalize_doc(&document, C14nMode::Exclusive, None, prefixes);
    form.map_err(SignatureError::unreadable)
}

/// Creates the element of the last start tag, without its declarations. The canonical form contains
/// prefixes, so only the namespaces of attributes are needed, to sort them.
fn element<'i>(document: &mut Document<'i>, tokens: &Tokens<'i>) -> NodeId {
    let optional = |text: &'i str| (!text.is_empty()).then_some(Cow::Borrowed(text));
    let prefix = tokens.name().strip_suffix(tokens.local_name());
    let prefix = prefix.and_then(|prefix| prefix.strip_suffix(':'));
    let id = document.create_element(QName {
        namespace_uri: None,
        prefix: optional(prefix.unwrap_or_default()),
        local_name: Cow::Borrowed(tokens.local_name()),
    });
    let attributes = tokens.attributes.iter().map(|attribute| {
        let namespace = tokens.namespaces.name(attribute.namespace);
        Attribute {
            name: QName {
                namespace_uri: (!namespace.is_empty()).then(|| namespace.to_owned().into()),
                prefix: optional(attribute.prefix),
                local_name: Cow::Borrowed(attribute.local_name),
            },
            value: attribute.value.clone(),
        }
    });
    let attributes = attributes.collect();
    if let Some(element) = document.element_mut(id) {
        element.attributes = attributes;
    }
    id
}

/// Returns the prefixes of qualified names in the attributes of the last start tag: in `xsi:type`,
/// and in the types of SOAP's encoded arrays. Prefixes of XML Schema and of SOAP's encoding are
/// omitted.
///
/// Exclusive canonicalisation omits declarations that only values use. Unless the prefix is listed,
/// an attacker could declare it for another namespace, and so change the type of a value. Many
/// senders declare the prefix of XML Schema on the Envelope and list nothing. This is safe, because
/// the prefix is refused for every other namespace.
fn prefixes_of_types<'t>(tokens: &'t Tokens<'_>) -> impl Iterator<Item = &'t str> {
    const ENCODINGS: [&str; 2] = [
        "http://schemas.xmlsoap.org/soap/encoding/",
        "http://www.w3.org/2003/05/soap-encoding",
    ];
    let types = tokens.attributes.iter().filter(|attribute| {
        let namespace = tokens.namespaces.name(attribute.namespace);
        match attribute.local_name {
            "type" => namespace == SCHEMA_INSTANCE,
            "arrayType" | "itemType" => ENCODINGS.contains(&namespace),
            _ => false,
        }
    });
    let prefixes = types.map(|attribute| match attribute.value.split_once(':') {
        Some((prefix, _)) => prefix.trim(),
        None => "",
    });
    prefixes.filter(|prefix| {
        let bound = tokens.namespaces.resolve(prefix);
        let bound = bound.map_or("", |namespace| tokens.namespaces.name(namespace));
        bound != XML_SCHEMA && !ENCODINGS.contains(&bound)
    })
}

/// Returns a prefix as written in `InclusiveNamespaces`.
fn listed(prefix: &str) -> &str {
    if prefix.is_empty() {
        "#default"
    } else {
        prefix
    }
}

/// Returns the prefixes of types in a message, as written in `InclusiveNamespaces`.
pub(crate) fn all_prefixes_of_types(
    text: &str,
    limits: &Limits,
) -> Result<BTreeSet<String>, SignatureError> {
    let mut tokens = tokens(text, limits);
    let mut found = BTreeSet::new();
    let mut open = 0_usize;
    let mut started = tokens.root().map(|()| true);
    loop {
        if started.map_err(SignatureError::unreadable)? {
            open += 1;
            found.extend(prefixes_of_types(&tokens).map(|prefix| listed(prefix).to_owned()));
        } else {
            open -= 1;
        }
        if open == 0 {
            return Ok(found);
        }
        started = tokens.child();
    }
}

/// Checks that the canonical form declares the prefixes of types. `open` are the elements from the
/// part to the one of the last start tag.
fn check_types(
    document: &Document<'_>,
    open: &[NodeId],
    tokens: &Tokens<'_>,
    prefixes: &[&str],
) -> Result<(), SignatureError> {
    let is_safe =
        |prefix: &&str| prefixes.contains(&listed(prefix)) || is_written(document, open, prefix);
    match prefixes_of_types(tokens).find(|prefix| !is_safe(prefix)) {
        None => Ok(()),
        Some(prefix) => Err(SignatureError::security(format!(
            "the namespace of the prefix '{prefix}', which a type has, is not signed; name the prefix in InclusiveNamespaces."
        ))),
    }
}

/// Whether the canonical form contains the declaration of a prefix because a name uses it.
fn is_written(document: &Document<'_>, open: &[NodeId], prefix: &str) -> bool {
    let elements = open.iter().rev().filter_map(|id| document.element(*id));
    for element in elements {
        let is_it = |name: &QName<'_>| name.prefix.as_deref().unwrap_or_default() == prefix;
        let mut attributes = element.attributes.iter();
        if is_it(&element.name)
            || (!prefix.is_empty() && attributes.any(|attribute| is_it(&attribute.name)))
        {
            return true;
        }
        let mut declared = element.namespace_declarations.iter();
        if declared.any(|(declared, _)| declared == prefix) {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str, element: &str, prefixes: &[&str]) -> String {
        let target = Target {
            start: text.find(&format!("<{element}")).unwrap() + 1,
            prefixes: prefixes.to_vec(),
            id: None,
            allows_unsigned_prefixes: false,
        };
        let forms = canonical(text, &Limits::default(), &[target]).unwrap();
        String::from_utf8(forms.concat()).unwrap()
    }

    /// Examples of Canonical XML 1.0 (§3.2 to §3.4), which need no DTD. The results are those of
    /// libxml2.
    #[test]
    fn examples_of_canonical_xml() {
        let text = "<doc>\n   <clean>   </clean>\n   <mixed>\n      A\n      <dirty>   A   B   </dirty>\n      C\n   </mixed>\n</doc>";
        assert_eq!(form(text, "doc", &[]), text);
        let tags = r#"<doc>
   <e1   />
   <e2   ></e2>
   <e3   name = "elem3"   id="elem3"   />
   <e5 a:attr="out" b:attr="sorted" attr2="all" attr="I'm"
      xmlns:b="http://www.ietf.org"
      xmlns:a="http://www.w3.org"
      xmlns="http://example.org"/>
   <e6 xmlns="" xmlns:a="http://www.w3.org">
      <e7 xmlns="http://www.ietf.org">
         <e8 xmlns="" xmlns:a="http://www.w3.org">
            <e9 xmlns="" xmlns:a="http://www.ietf.org"/>
         </e8>
      </e7>
   </e6>
</doc>"#;
        let expected = r#"<doc>
   <e1></e1>
   <e2></e2>
   <e3 id="elem3" name="elem3"></e3>
   <e5 xmlns="http://example.org" xmlns:a="http://www.w3.org" xmlns:b="http://www.ietf.org" attr="I'm" attr2="all" b:attr="sorted" a:attr="out"></e5>
   <e6>
      <e7 xmlns="http://www.ietf.org">
         <e8 xmlns="">
            <e9></e9>
         </e8>
      </e7>
   </e6>
</doc>"#;
        assert_eq!(form(tags, "doc", &[]), expected);
        let characters = r#"<doc>
   <text>First line&#x0d;&#10;Second line</text>
   <value>&#x32;</value>
   <compute><![CDATA[value>"0" && value<"10" ?"valid":"error"]]></compute>
   <compute expr='value>"0" &amp;&amp; value&lt;"10" ?"valid":"error"'>valid</compute>
   <norm attr=' &apos;   &#x20;&#13;&#xa;&#9;   &apos; '/>
</doc>"#;
        let expected = r#"<doc>
   <text>First line&#xD;
Second line</text>
   <value>2</value>
   <compute>value&gt;"0" &amp;&amp; value&lt;"10" ?"valid":"error"</compute>
   <compute expr="value>&quot;0&quot; &amp;&amp; value&lt;&quot;10&quot; ?&quot;valid&quot;:&quot;error&quot;">valid</compute>
   <norm attr=" '    &#xD;&#xA;&#x9;   ' "></norm>
</doc>"#;
        assert_eq!(form(characters, "doc", &[]), expected);
    }

    /// Examples of Exclusive XML Canonicalization 1.0 (§2.2), and its list of prefixes.
    #[test]
    fn examples_of_exclusive_canonicalisation() {
        let expected = r#"<n1:elem2 xmlns:n1="http://example.net" xml:lang="en"><n3:stuff xmlns:n3="ftp://example.org"></n3:stuff></n1:elem2>"#;
        for text in [
            r#"<n0:local xmlns:n0="foo:bar" xmlns:n3="ftp://example.org"><n1:elem2 xmlns:n1="http://example.net" xml:lang="en"><n3:stuff xmlns:n3="ftp://example.org"/></n1:elem2></n0:local>"#,
            r#"<n2:pdu xmlns:n1="http://example.com" xmlns:n2="http://foo.example" xml:lang="fr" xml:space="retain"><n1:elem2 xmlns:n1="http://example.net" xml:lang="en"><n3:stuff xmlns:n3="ftp://example.org"/></n1:elem2></n2:pdu>"#,
        ] {
            assert_eq!(form(text, "n1:elem2", &[]), expected);
        }
        let text = r#"<n2:pdu xmlns:n2="http://foo.example" xmlns="urn:d"><n1:elem2 xmlns:n1="http://example.net"><!-- left out --><plain xmlns=""/></n1:elem2></n2:pdu>"#;
        let listed = r#"<n1:elem2 xmlns="urn:d" xmlns:n1="http://example.net" xmlns:n2="http://foo.example"><plain xmlns=""></plain></n1:elem2>"#;
        assert_eq!(form(text, "n1:elem2", &["n2", "#default", "none"]), listed);
        let unlisted = r#"<n1:elem2 xmlns:n1="http://example.net"><plain></plain></n1:elem2>"#;
        assert_eq!(form(text, "n1:elem2", &[]), unlisted);
    }
}
