//! Attributes that no type describes.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::content::Content;
use super::element::Element;
use super::value::Value;
use crate::limits::Limits;
use crate::xml::characters::trim;
use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::names::is_ncname;
use crate::xml::namespaces::{SCHEMA_INSTANCE, XML, XML_SCHEMA, XMLNS};
use crate::xml::room::Room;
use crate::xml::tokens::{Attribute, Tokens};

/// Attributes with their namespaces, in the order of the message (XML Schema `anyAttribute`, .NET
/// `XmlAttribute[]`).
///
/// ```
/// use svcgen::types::XmlAttributes;
///
/// let mut attributes = XmlAttributes::new();
/// attributes.set("", "lang", "en");
/// attributes.set("urn:codes", "unit", "kg");
/// assert_eq!(attributes.get("urn:codes", "unit"), Some("kg"));
/// assert_eq!(attributes.iter().count(), 2);
/// ```
///
/// Prefixes that were read are kept, also those in values such as `xsi:type="p:Dog"`. Namespace
/// declarations are not among the attributes: they are written where they are needed. As text they
/// look as in a start tag: `p:unit="kg" xmlns:p="urn:codes"`; `xsi` need not be declared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct XmlAttributes(Vec<XmlAttribute>);

/// An attribute; or, with the namespace [`XMLNS`], the declaration of the prefix `name` that a
/// value needs (of the default namespace if `name` is empty).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct XmlAttribute {
    namespace: Cow<'static, str>,
    prefix: Box<str>,
    name: Box<str>,
    value: Box<str>,
}

/// The namespaces that most messages declare, so that attributes need no copies of them.
const USUAL: [&str; 3] = [SCHEMA_INSTANCE, XML_SCHEMA, XMLNS];

/// The name of a namespace to store. A copy takes room.
fn kept(namespace: &str, room: &mut Room) -> Result<Cow<'static, str>, ReadError> {
    let mut usual = USUAL.into_iter();
    if let Some(usual) = usual.find(|usual| *usual == namespace) {
        return Ok(Cow::Borrowed(usual));
    }
    room.take(namespace.len())?;
    Ok(Cow::Owned(namespace.to_owned()))
}

impl XmlAttribute {
    fn is_declaration(&self) -> bool {
        self.namespace == XMLNS
    }

    fn is_type(&self) -> bool {
        self.namespace == SCHEMA_INSTANCE && *self.name == *"type"
    }
}

impl XmlAttributes {
    /// Creates a value without attributes.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The namespace of each attribute, empty for none, its local name and its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let attributes = self.0.iter().filter(|one| !one.is_declaration());
        attributes.map(|one| (&*one.namespace, &*one.name, &*one.value))
    }

    /// The value of an attribute; the namespace is empty for none.
    pub fn get(&self, namespace: &str, name: &str) -> Option<&str> {
        let mut all = self.iter();
        let found = all.find(|(of, called, _)| *of == namespace && *called == name);
        found.map(|(_, _, value)| value)
    }

    /// Adds an attribute, or replaces its value. Writing fails for a name that is not an NCName,
    /// and for a value that XML cannot carry.
    pub fn set(&mut self, namespace: &str, name: &str, value: &str) {
        let is_it = |one: &&mut XmlAttribute| one.namespace == namespace && *one.name == *name;
        match self.0.iter_mut().find(is_it) {
            Some(known) => known.value = value.into(),
            None => self.0.push(XmlAttribute {
                namespace: namespace.to_owned().into(),
                prefix: "".into(),
                name: name.into(),
                value: value.into(),
            }),
        }
    }

    /// Stores the attributes of the last start tag.
    pub(crate) fn keep(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        self.0.clear();
        let attributes = std::mem::take(&mut tokens.attributes);
        let mut all = attributes.iter();
        let kept = all.try_for_each(|one| self.keep_one(tokens, one));
        tokens.attributes = attributes;
        kept.map_err(|error| tokens.here(error))
    }

    fn keep_one(
        &mut self,
        tokens: &mut Tokens<'_>,
        attribute: &Attribute<'_>,
    ) -> Result<(), ReadError> {
        let (room, namespaces) = (&mut tokens.room, &tokens.namespaces);
        let one = XmlAttribute {
            namespace: kept(namespaces.name(attribute.namespace), room)?,
            prefix: attribute.prefix.into(),
            name: attribute.local_name.into(),
            value: attribute.value.as_ref().into(),
        };
        let is_type = one.is_type();
        self.push(one, room)?;
        // Any value may be a qualified name, as there is no schema; that of `xsi:type` always is.
        let prefix = match trim(&attribute.value).split_once(':') {
            Some((prefix, _)) if is_ncname(prefix) && prefix != "xml" => prefix,
            None if is_type => "",
            _ => return Ok(()),
        };
        let is_known = |one: &XmlAttribute| one.is_declaration() && *one.name == *prefix;
        let Some(namespace) = namespaces.resolve(prefix) else {
            return Ok(());
        };
        let namespace = namespaces.name(namespace);
        if namespace.is_empty() || self.0.iter().any(is_known) {
            return Ok(());
        }
        room.take(namespace.len())?;
        let declaration = XmlAttribute {
            namespace: Cow::Borrowed(XMLNS),
            prefix: "xmlns".into(),
            name: prefix.into(),
            value: namespace.into(),
        };
        self.push(declaration, room)
    }

    /// Adds an attribute. The list grows by one only, because there may be many lists.
    fn push(&mut self, one: XmlAttribute, room: &mut Room) -> Result<(), ReadError> {
        room.take(size_of::<XmlAttribute>())?;
        self.0.reserve_exact(1);
        self.0.push(one);
        Ok(())
    }

    /// Writes the attributes in the last start tag, then the declarations that they need, the last
    /// one first, as .NET does.
    pub(crate) fn write_in_tag(&self, out: &mut Content<'_>) {
        let declarations = self.0.iter().filter(|one| one.is_declaration());
        let mut scope = Scope::default();
        for declaration in declarations.filter(|one| !one.name.is_empty()) {
            scope.declare(declaration.name.to_string(), &declaration.value, out);
        }
        for one in self.0.iter().filter(|one| !one.is_declaration()) {
            if !is_ncname(&one.name) || (one.namespace.is_empty() && *one.name == *"xmlns") {
                return out.fail(format!("'{}' is not an attribute name.", one.name));
            }
            let name = match scope.prefix(&one.namespace, &one.prefix, out) {
                Some(prefix) => format!("{prefix}:{}", one.name),
                None => one.name.to_string(),
            };
            if out.has_attribute(&name) {
                return out.fail(format!("The element has two attributes '{name}'."));
            }
            match self.namespace_of_type(one, out) {
                Some(namespace) => {
                    let prefix = scope.prefix(namespace, "", out).unwrap_or_default();
                    out.attribute_text(&name, &format!("{prefix}:{}", trim(&one.value)));
                }
                None => out.attribute_text(&name, &one.value),
            }
        }
        for (prefix, namespace) in scope.declared.iter().rev() {
            out.attribute_text(&format!("xmlns:{prefix}"), namespace);
        }
    }

    /// The namespace of the type that `xsi:type` names without a prefix, if it is not the default
    /// namespace where it is written.
    fn namespace_of_type(&self, one: &XmlAttribute, out: &Content<'_>) -> Option<&str> {
        if !one.is_type() || one.value.contains(':') {
            return None;
        }
        let mut declarations = self.0.iter().filter(|one| one.is_declaration());
        let default = declarations.find(|one| one.name.is_empty())?;
        let is_said = out.default_namespace() == Some(&*default.value);
        (!is_said).then_some(&*default.value)
    }
}

/// The attributes for a wildcard, without those that state the type of the value and whether it is
/// nil.
impl Value for XmlAttributes {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        self.keep(&mut element.tokens)?;
        let is_said = |name: &str| matches!(name, "type" | "nil");
        self.0
            .retain(|one| one.namespace != SCHEMA_INSTANCE || !is_said(&one.name));
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        if !out.is_attribute() {
            return out.fail(format!("'{name}' has a place in a start tag only."));
        }
        self.write_in_tag(out);
    }
}

impl fmt::Display for XmlAttributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tag = Vec::new();
        let mut out = Content::compact(&mut tag);
        out.start("a", &[]);
        self.write_in_tag(&mut out);
        out.finish().map_err(|_| fmt::Error)?;
        let tag = String::from_utf8_lossy(&tag);
        f.write_str(tag.trim_start_matches("<a").trim_end_matches('>').trim())
    }
}

impl FromStr for XmlAttributes {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let document = format!("<x xmlns:xsi=\"{SCHEMA_INSTANCE}\"><a {text}/></x>");
        let mut tokens = Tokens::new(&document, &Limits::default());
        let mut attributes = Self::new();
        tokens.root()?;
        tokens.child()?;
        attributes.keep(&mut tokens)?;
        if !tokens.empty || tokens.child()? || tokens.child()? {
            let message = "These are not the attributes of one tag.".to_owned();
            return Err(ReadError::new(ReadErrorKind::Malformed, message));
        }
        tokens.finish()?;
        Ok(attributes)
    }
}

/// The prefixes that the attributes of an element use.
#[derive(Default)]
struct Scope<'n> {
    /// The prefixes that must be declared.
    declared: Vec<(String, &'n str)>,
    /// The prefixes that are declared around the element.
    outer: Vec<(String, &'n str)>,
}

impl<'n> Scope<'n> {
    fn declare(&mut self, prefix: String, namespace: &'n str, out: &Content<'_>) {
        let list = if out.is_declared(&prefix, namespace) {
            &mut self.outer
        } else {
            &mut self.declared
        };
        list.push((prefix, namespace));
    }

    /// The prefix for a namespace, preferably the `wanted` one; `None` for no namespace.
    fn prefix(&mut self, namespace: &'n str, wanted: &str, out: &Content<'_>) -> Option<String> {
        match namespace {
            "" => return None,
            XML => return Some("xml".to_owned()),
            _ => {}
        }
        let mut known = self.declared.iter().chain(&self.outer);
        if let Some((prefix, _)) = known.find(|(_, name)| *name == namespace) {
            return Some(prefix.clone());
        }
        let is_free = |prefix: &str| {
            let mut known = self.declared.iter().chain(&self.outer);
            let is_used = known.any(|(used, _)| used == prefix);
            !is_used && !out.has_attribute(&format!("xmlns:{prefix}"))
        };
        let usual = if namespace == SCHEMA_INSTANCE {
            "xsi"
        } else {
            wanted
        };
        let fits = is_ncname(usual) && !matches!(usual, "xml" | "xmlns") && is_free(usual);
        let prefix = if fits {
            usual.to_owned()
        } else {
            let mut numbered = (1..).map(|number| format!("q{number}"));
            numbered.find(|prefix| is_free(prefix)).unwrap_or_default()
        };
        self.declare(prefix.clone(), namespace, out);
        Some(prefix)
    }
}
