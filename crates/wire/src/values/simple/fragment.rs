//! XML content that no type describes.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::text_value::cannot_convert;
use svcgen_model::SimpleType;

use crate::limits::Limits;
use crate::values::content::Content;
use crate::values::element::Element;
use crate::values::nodes::Nodes;
use crate::values::value::Value;
use crate::values::xml_attributes::XmlAttributes;
use crate::xml::characters::trim;
use crate::xml::error::{Position, ReadError, WriteError};
use crate::xml::escape::{push_attribute, push_text};
use crate::xml::room::Room;
use crate::xml::tokens::Tokens;

/// A piece of well-formed XML content: text, elements, comments and processing instructions, in any
/// number and order (XML Schema `any`, .NET `XmlElement`). It also has the attributes of the
/// element that contains it, such as `xsi:type`.
///
/// It is self-contained: each of its outermost elements declares the namespaces that it needs, so
/// it means the same wherever it is inserted. There are two ways to create one, and both refuse
/// content that is not well-formed.
///
/// ```
/// use svcgen::types::XmlFragment;
///
/// let built = XmlFragment::element("Locked")
///     .with_namespace("http://example.com/svc")
///     .with_attribute("attempts", "3")
///     .with_child(XmlFragment::element("Reason").with_text("a < b"))
///     .build()?;
/// assert_eq!(built.as_str(), r#"<Locked xmlns="http://example.com/svc" attempts="3"><Reason>a &lt; b</Reason></Locked>"#);
///
/// let parsed = XmlFragment::parse("<a/> and <b/>")?;
/// assert_eq!(parsed.as_str(), r#"<a xmlns="" /> and <b xmlns="" />"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An empty tag is written `<a />`, as in .NET. In a message, outermost elements omit declarations
/// that are already in scope.
///
/// As a result over HTTP GET and POST it is the whole document: it has one outermost element, is
/// indented, and loses the attributes of the element that would contain it.
///
/// Two fragments are equal if their markup and their attributes are.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct XmlFragment {
    markup: String,
    attributes: XmlAttributes,
}

impl XmlFragment {
    /// Creates an empty fragment.
    pub const fn new() -> Self {
        Self {
            markup: String::new(),
            attributes: XmlAttributes::new(),
        }
    }

    /// Creates a fragment of text.
    ///
    /// # Errors
    ///
    /// Returns an error for a character that XML cannot carry.
    pub fn text(text: &str) -> Result<Self, WriteError> {
        let mut markup = String::new();
        push_text(&mut markup, text)?;
        Ok(Self::trusted(markup))
    }

    /// Checks a piece of XML content, by the same strict rules as a message: no document type
    /// definition, no XML declaration, every prefix declared.
    ///
    /// # Errors
    ///
    /// Returns an error if the content is not well-formed, or exceeds the default [`Limits`].
    pub fn parse(markup: &str) -> Result<Self, ReadError> {
        parse_alone(markup).map(Self::trusted)
    }

    /// Creates a fragment of markup that was already checked.
    pub fn trusted(markup: String) -> Self {
        Self {
            markup,
            attributes: XmlAttributes::new(),
        }
    }

    /// The markup, which is valid between any two tags of a document.
    pub fn as_str(&self) -> &str {
        &self.markup
    }

    /// Whether it has no content; the element that contains it may have attributes.
    pub fn is_empty(&self) -> bool {
        self.markup.is_empty()
    }

    /// The attributes of the element that contains it.
    pub fn attributes(&self) -> &XmlAttributes {
        &self.attributes
    }

    /// The same content in an element with these attributes.
    #[must_use]
    pub fn with_attributes(mut self, attributes: XmlAttributes) -> Self {
        self.attributes = attributes;
        self
    }

    /// The first element or text of the content, without the attributes of the containing element:
    /// the value of a .NET parameter of the type `XmlNode` or `XmlElement`. White space, comments
    /// and processing instructions before it are skipped.
    ///
    /// ```
    /// # use svcgen::types::XmlFragment;
    /// let content = XmlFragment::parse(" <!-- first --> <a>1</a> and more")?;
    /// assert_eq!(content.first_node(), Some(XmlFragment::parse("<a>1</a>")?));
    /// assert_eq!(XmlFragment::new().first_node(), None);
    /// # Ok::<(), svcgen::ReadError>(())
    /// ```
    pub fn first_node(&self) -> Option<Self> {
        let mut nodes = Nodes::new(&self.markup).map(|node| &self.markup[node]);
        let node = nodes.find(|node| {
            let is_passed = ["<!--", "<?"].iter().any(|start| node.starts_with(start));
            !is_passed && !trim(node).is_empty()
        });
        node.map(|node| Self::trusted(node.to_owned()))
    }
}

impl fmt::Display for XmlFragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.markup)
    }
}

impl FromStr for XmlFragment {
    type Err = ReadError;

    fn from_str(markup: &str) -> Result<Self, ReadError> {
        Self::parse(markup)
    }
}

const START: &str = "<x";
const END: &str = "</x>";

/// Checks content outside a document.
fn parse_alone(markup: &str) -> Result<String, ReadError> {
    let limits = Limits::default();
    let mut room = Room::of_message(markup.len(), markup.len(), &limits);
    parse(markup, &[], &limits, &mut room)
}

/// Checks content in the scope of declared namespaces, innermost last, and adds the declarations
/// that it needs to its outermost elements. Long names repeated in many elements take `room`.
///
/// # Errors
///
/// Returns an error if the content is not well-formed, or if there is no room. Its place is
/// relative to the content.
fn parse(
    markup: &str,
    declared: &[(&str, &str)],
    limits: &Limits,
    room: &mut Room,
) -> Result<String, ReadError> {
    let markup = normalise_lines(markup);
    let needed = needed_declarations(&markup, declared);
    let texts = needed.iter().map(|declaration| &*declaration.text);
    let texts: usize = texts.map(str::len).sum();
    // The declarations are in the document and in the fragment, too.
    room.take(3 * texts)?;
    let before = START.len() + texts + 1;
    let mut document = String::with_capacity(before + markup.len() + END.len());
    document.push_str(START);
    for declaration in &needed {
        document.push_str(&declaration.text);
    }
    document.push('>');
    document.push_str(&markup);
    document.push_str(END);
    // The element around the content does not count.
    let limits = limits.with_depth(limits.depth.saturating_add(1));
    let mut tokens = Tokens::new(&document, &limits);
    // Lifts the cap of `Tokens::new`: the message was within it.
    tokens.limits.depth = limits.depth;
    let result = redeclare(&mut tokens, before, &needed, room);
    room.give_back(2 * texts);
    result
        .and_then(|fragment| tokens.finish().map(|()| fragment))
        .map_err(|error| inside(&error, before))
}

/// Moves an error to its place in the content.
fn inside(error: &ReadError, before: usize) -> ReadError {
    let path = error
        .path()
        .strip_prefix('x')
        .unwrap_or_default()
        .trim_start_matches('/');
    let moved = ReadError::new(error.kind(), error.message());
    let (Some(line), Some(column)) = (error.line(), error.column()) else {
        return moved;
    };
    let column = match line {
        1 => column.saturating_sub(before),
        _ => column,
    };
    moved.at(Position { line, column }, path.to_owned())
}

/// Normalizes line ends (XML 1.0 §2.11). Carriage returns that belong to the text are written as
/// references.
fn normalise_lines(markup: &str) -> Cow<'_, str> {
    if markup.contains('\r') {
        Cow::Owned(markup.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(markup)
    }
}

/// A namespace declaration to insert into a start tag.
struct Declaration<'d> {
    /// Empty for the default namespace.
    prefix: &'d str,
    /// ` xmlns:prefix="namespace"`.
    text: String,
}

/// The declarations of the default namespace and of all prefixes that occur before a colon, also in
/// values.
fn needed_declarations<'d>(
    markup: &str,
    declared: &'d [(&'d str, &'d str)],
) -> Vec<Declaration<'d>> {
    let innermost = |index: usize| {
        declared[index + 1..]
            .iter()
            .all(|(prefix, _)| *prefix != declared[index].0)
    };
    let needs = |prefix: &str| {
        let mut colons = memchr::memchr_iter(b':', markup.as_bytes());
        let is_prefix = |at: usize| {
            let before = markup[..at].strip_suffix(prefix)?.bytes().next_back();
            let is_name =
                |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
            Some(!before.is_some_and(is_name))
        };
        prefix.is_empty() || colons.any(|at| is_prefix(at) == Some(true))
    };
    let mut needed = Vec::new();
    if declared.iter().all(|(prefix, _)| !prefix.is_empty()) {
        needed.push(Declaration {
            prefix: "",
            text: " xmlns=\"\"".to_owned(),
        });
    }
    for (index, (prefix, namespace)) in declared.iter().enumerate() {
        if *prefix == "xml" || !needs(prefix) || !innermost(index) {
            continue;
        }
        let name = if prefix.is_empty() {
            "xmlns".to_owned()
        } else {
            format!("xmlns:{prefix}")
        };
        let mut text = String::new();
        // It was read from XML, so XML can carry it.
        let _ = push_attribute(&mut text, &name, namespace);
        needed.push(Declaration { prefix, text });
    }
    needed
}

/// Reads the content of a root, inserts declarations into the start tags of its children, and a
/// blank into empty tags.
fn redeclare(
    tokens: &mut Tokens<'_>,
    before: usize,
    needed: &[Declaration<'_>],
    room: &mut Room,
) -> Result<String, ReadError> {
    tokens.root()?;
    let document = tokens.input;
    let mut fragment = String::with_capacity(document.len());
    let mut copied = before;
    while !tokens.open.is_empty() {
        if !tokens.child()? {
            continue;
        }
        if tokens.open.len() == 2 {
            let name = tokens.name();
            let after_name = tokens.offset(name) + name.len();
            room.push_str(&mut fragment, &document[copied..after_name])?;
            copied = after_name;
            let own: Vec<_> = tokens.declared_here().map(|(prefix, _)| prefix).collect();
            for declaration in needed
                .iter()
                .filter(|declaration| !own.contains(&declaration.prefix))
            {
                room.push_str(&mut fragment, &declaration.text)?;
            }
        }
        if tokens.empty {
            let end = tokens.at - "/>".len();
            if !document[..end].ends_with([' ', '\t', '\n', '\r']) {
                room.push_str(&mut fragment, &document[copied..end])?;
                room.push_str(&mut fragment, " ")?;
                copied = end;
            }
        }
    }
    room.push_str(&mut fragment, &document[copied..tokens.at - END.len()])?;
    Ok(fragment)
}

/// Checks content of the message in the scope of the declarations in force and of `own`.
fn in_scope<'i>(
    tokens: &mut Tokens<'i>,
    markup: &str,
    own: &[(&'i str, Cow<'i, str>)],
) -> Result<String, ReadError> {
    let outer = tokens.namespaces.declared(0);
    let declared = outer.chain(own.iter().map(|(prefix, name)| (*prefix, name)));
    let declared: Vec<_> = declared.map(|(prefix, name)| (prefix, &**name)).collect();
    // `skip` has already checked the limits of the message.
    let most = usize::MAX;
    let limits = Limits {
        depth: most,
        elements: most,
        attributes: most,
        namespaces: most,
        name: most,
        attribute_value: most,
        text: tokens.limits.text,
        ..Limits::default()
    };
    let mut room = tokens.room.clone();
    let parsed = parse(markup, &declared, &limits, &mut room);
    let parsed = parsed.map_err(|error| tokens.here(error))?;
    tokens.room = room;
    Ok(parsed)
}

impl Element<'_> {
    /// Reads the whole element, including its tags, as the element for a wildcard.
    pub fn any(&mut self, value: &mut Option<XmlFragment>) -> Result<(), ReadError> {
        self.any_one(value.insert(XmlFragment::new()))
    }

    /// Reads the element for a wildcard in a choice.
    pub fn any_one(&mut self, value: &mut XmlFragment) -> Result<(), ReadError> {
        // It may be the document of an answer over HTTP GET and POST.
        self.take_whole();
        value.read_whole(self)
    }

    /// Reads the content of the element and its attributes, even if it is `xsi:nil`.
    ///
    /// # Errors
    ///
    /// Returns an error if the content is malformed.
    pub fn raw(&mut self) -> Result<XmlFragment, ReadError> {
        self.open_leaf();
        let tokens = &mut self.tokens;
        let mut attributes = XmlAttributes::new();
        attributes.keep(tokens)?;
        // Must come before the element is closed, which ends its own declarations.
        let own = tokens.declared_here();
        let own: Vec<_> = own.map(|(prefix, name)| (prefix, name.clone())).collect();
        let markup = tokens.skip()?;
        let markup = in_scope(tokens, markup, &own)?;
        Ok(XmlFragment { markup, attributes })
    }

    /// Reads the whole element, including its tags, as one of the elements for a wildcard.
    pub fn push_any(&mut self, values: &mut Vec<XmlFragment>) -> Result<(), ReadError> {
        self.add(values)?.read_whole(self)
    }
}

impl Content<'_> {
    /// Writes the elements for a wildcard.
    pub fn any<'f>(&mut self, elements: impl IntoIterator<Item = &'f XmlFragment>) {
        for element in elements {
            if !self.is_element() {
                return self.no_form("any", "XML");
            }
            self.markup(&element.markup);
        }
    }
}

impl XmlFragment {
    pub(crate) fn read_whole(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.no_form("XML")?;
        element.open_leaf();
        let tokens = &mut element.tokens;
        let name = tokens.name();
        let start = tokens.offset(name) - "<".len();
        tokens.skip()?;
        let markup = &tokens.input[start..tokens.at];
        self.markup = in_scope(tokens, markup, &[])?;
        Ok(())
    }
}

/// The content of the element; in answers over HTTP GET and POST the whole document. A form has the
/// markup as text; an attribute cannot hold it.
impl Value for XmlFragment {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        if element.is_form() {
            let markup = element.text()?;
            let markup = markup.as_ref();
            let room = &mut element.tokens.room;
            let parsed = parse(markup, &[], &Limits::default(), room);
            let parsed = parsed.map_err(|error| {
                cannot_convert(element, markup, "System.Xml.XmlElement", error.message())
            })?;
            *self = Self::trusted(parsed);
            return Ok(());
        }
        if element.is_attribute() || element.source().is_some() {
            return Err(element.no_place("XML"));
        }
        if element.take_whole() {
            return self.read_whole(element);
        }
        if element.take_absent(false)? {
            *self = Self::new();
            return Ok(());
        }
        *self = element.raw()?;
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        if out.is_attribute() || out.is_sink() {
            return out.no_form(name, "XML");
        }
        if out.is_form() {
            return out.plain(name, self.markup.as_bytes(), SimpleType::Any);
        }
        out.open_inline(name);
        if out.is_element() {
            self.attributes.write_in_tag(out);
        }
        if out.is_element() {
            out.mixed(name, &mut |out| out.markup(&self.markup));
        } else {
            out.markup(&self.markup);
        }
    }
}
