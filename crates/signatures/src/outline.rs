//! The places of the parts of a message that can be signed.
//!
//! # One reader
//!
//! A signature is useful only if it covers the same bytes that are read. The classic vulnerability
//! is two readers of XML that disagree about a message. So this crate has only one: the tokens of
//! `svcgen-wire`, with which the bindings read values, over the same text and with the same limits.
//! This file finds the parts with them, and `canonical.rs` builds the tree to canonicalise from
//! them. The parser of the canonicaliser's own tree never gets a message.
//!
//! Parts are found by their place, never by searching for a name or an id: the Body is the child
//! `Body` of the Envelope, a header is a child of its `Header`, a token or the `Timestamp` a child
//! of the one `Security` header for this receiver. Elements that the bindings would skip, such as a
//! second Body, are refused.

use svcgen_core::internals::is_for_us;
use svcgen_wire::internals::{ENVELOPES, Piece, Tokens};
use svcgen_wire::{Limits, ReadError};

use crate::error::SignatureError;
use crate::names::{DS, WSSE, WSSE_11, WSU, XENC};

/// The largest number of elements in the `Security` header.
const MOST_ELEMENTS: usize = 1_000;
/// The length of the longest `Security` header in bytes. It contains certificates.
const MOST_BYTES: usize = 256 << 10;

/// The parts of a message.
#[derive(Debug)]
pub(crate) struct Outline {
    /// The prefix of the Envelope, with its colon if there is one.
    pub(crate) prefix: String,
    /// The prefixes that the Envelope declares, for values such as `xsi:type`.
    pub(crate) prefixes: Vec<String>,
    /// The namespace of the Envelope.
    pub(crate) namespace: &'static str,
    /// Whether there is a Header.
    pub(crate) has_header: bool,
    /// The offset after the start tag of the Header, unless that is `<Header/>`.
    pub(crate) header_content: Option<usize>,
    /// The children of the Header.
    pub(crate) headers: Vec<Part>,
    /// The one `Security` header that is for this receiver.
    pub(crate) security: Option<Security>,
    pub(crate) body: Part,
}

/// An element that can be signed.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// The offset of the element's name, to find the element again.
    pub(crate) start: usize,
    /// The end of the element's name.
    pub(crate) name_end: usize,
    pub(crate) id: Option<String>,
    /// Whether its start tag declares the prefix `wsu`.
    pub(crate) declares_wsu: bool,
}

impl Part {
    /// Whether the element belongs to WS-Security, which has no types.
    pub(crate) fn is_of_security(&self) -> bool {
        [WSSE, WSSE_11, WSU].contains(&&*self.namespace)
    }

    pub(crate) fn is(&self, namespace: &str, name: &str) -> bool {
        self.name == name && self.namespace == namespace
    }
}

/// The `Security` header for this receiver.
#[derive(Debug)]
pub(crate) struct Security {
    /// The children, which can be signed. The header itself cannot, because it contains the
    /// signature.
    pub(crate) children: Vec<(Part, Node)>,
    /// The offset of the end tag; `None` if there is none.
    pub(crate) end: Option<usize>,
}

/// An element in the `Security` header.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// The offset of the element's name.
    pub(crate) start: usize,
    /// The attributes without a namespace.
    attributes: Vec<(String, String)>,
    pub(crate) text: String,
    pub(crate) children: Vec<Node>,
}

impl Node {
    pub(crate) fn is(&self, namespace: &str, name: &str) -> bool {
        self.name == name && self.namespace == namespace
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(known, _)| known == name);
        found.map(|(_, value)| value.trim())
    }
}

impl Outline {
    /// Returns the part with an id: the Body, a header, or an element of WS-Security in the
    /// `Security` header for this receiver. Anywhere else, a header or such an element would count
    /// as signed, but not be read.
    pub(crate) fn part(&self, id: &str) -> Option<&Part> {
        let headers = self.headers.iter();
        let headers = headers.filter(|part| !part.is_of_security());
        let children = self.security.iter().flat_map(|security| &security.children);
        let children = children.map(|(part, _)| part);
        let children = children.filter(|part| part.is_of_security());
        let mut all = headers.chain(children).chain([&self.body]);
        all.find(|part| part.id.as_deref() == Some(id))
    }

    /// Finds the parts of a message.
    ///
    /// # Errors
    ///
    /// The message is malformed, exceeds a limit, is not an envelope, has more than the Header and
    /// the Body in its Envelope, or has two `Security` headers for this receiver.
    pub(crate) fn of(text: &str, limits: &Limits) -> Result<Self, SignatureError> {
        let mut tokens = tokens(text, limits);
        let outline = read(&mut tokens).map_err(SignatureError::unreadable)??;
        tokens.finish().map_err(SignatureError::unreadable)?;
        Ok(outline)
    }
}

/// Returns the tokens of a message. Processing instructions are refused, as in SOAP: they would be
/// signed, but not read.
pub(crate) fn tokens<'i>(text: &'i str, limits: &Limits) -> Tokens<'i> {
    let limits = limits.with_processing_instructions(false);
    let mut tokens = Tokens::new(text, &limits);
    tokens.fast = false;
    tokens
}

/// Returns the `Id` of the last start tag: `wsu:Id`, or `Id` of an element of XML Signature.
pub(crate) fn id_of<'t>(tokens: &'t Tokens<'_>) -> Option<&'t str> {
    let own = || {
        let is_signature = tokens.namespace() == DS;
        is_signature.then(|| tokens.attribute_of("", "Id"))?
    };
    tokens.attribute_of(WSU, "Id").or_else(own)
}

type Read<T> = Result<Result<T, SignatureError>, ReadError>;

fn read(tokens: &mut Tokens<'_>) -> Read<Outline> {
    tokens.root()?;
    let found = ENVELOPES.into_iter().find(|it| *it == tokens.namespace());
    let Some(namespace) = found.filter(|_| tokens.local_name() == "Envelope") else {
        let why = "the message is not a SOAP envelope.";
        return Ok(Err(SignatureError::security(why)));
    };
    let prefix = tokens.name().strip_suffix("Envelope").unwrap_or_default();
    let declared = tokens.declared_here().map(|(declared, _)| declared);
    let prefixes = declared
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect();
    let (mut has_header, mut header_content, mut headers) = (false, None, Vec::new());
    let (mut security, mut body) = (None, None);
    while tokens.child()? {
        let is = |name| tokens.namespace() == namespace && tokens.local_name() == name;
        if body.is_none() && is("Body") {
            body = Some(part(tokens));
            if let Err(error) = read_body(tokens)? {
                return Ok(Err(error));
            }
        } else if body.is_none() && !has_header && is("Header") {
            has_header = true;
            header_content = (!tokens.empty).then_some(tokens.at);
            match read_headers(tokens, namespace, &mut headers)? {
                Ok(found) => security = found,
                Err(error) => return Ok(Err(error)),
            }
        } else {
            let why = "the Envelope holds something beside one Header and one Body.";
            return Ok(Err(SignatureError::security(why)));
        }
    }
    let lacks_body = || SignatureError::security("the Envelope has no Body.");
    Ok(body.ok_or_else(lacks_body).map(|body| Outline {
        prefix: prefix.to_owned(),
        prefixes,
        namespace,
        has_header,
        header_content,
        headers,
        security,
        body,
    }))
}

/// Skips the Body. Fails if it is encrypted.
fn read_body(tokens: &mut Tokens<'_>) -> Read<()> {
    let mut is_encrypted = false;
    while tokens.child()? {
        is_encrypted |= tokens.namespace() == XENC;
        tokens.skip()?;
    }
    Ok(if is_encrypted {
        Err(encrypted())
    } else {
        Ok(())
    })
}

fn encrypted() -> SignatureError {
    SignatureError::algorithm("encrypted parts are not read.")
}

fn read_headers(
    tokens: &mut Tokens<'_>,
    envelope: &str,
    headers: &mut Vec<Part>,
) -> Read<Option<Security>> {
    let mut security = None;
    while tokens.child()? {
        headers.push(part(tokens));
        let is_security = tokens.namespace() == WSSE && tokens.local_name() == "Security";
        let attribute = |name| tokens.attribute_of(envelope, name);
        if !(is_security && is_for_us(envelope, attribute)) {
            tokens.skip()?;
            continue;
        }
        let start = tokens.at;
        let mut children = Vec::new();
        let (mut room, is_empty) = (MOST_ELEMENTS, tokens.empty);
        while tokens.child()? {
            if tokens.namespace() == XENC {
                return Ok(Err(encrypted()));
            }
            let part = part(tokens);
            let Some(node) = node(tokens, &mut room)? else {
                return Ok(Err(too_large()));
            };
            children.push((part, node));
        }
        let end = (!is_empty).then_some(tokens.end_tag_at);
        if end.is_some_and(|end| end - start > MOST_BYTES) {
            return Ok(Err(too_large()));
        }
        if security.replace(Security { children, end }).is_some() {
            let why = "there are two wsse:Security headers for this receiver.";
            return Ok(Err(SignatureError::security(why)));
        }
    }
    Ok(Ok(security))
}

fn too_large() -> SignatureError {
    SignatureError::security("the wsse:Security header is larger than what signatures need.")
}

/// Returns the part of the last start tag.
fn part(tokens: &Tokens<'_>) -> Part {
    let start = tokens.element_start();
    Part {
        namespace: tokens.namespace().to_owned(),
        name: tokens.local_name().to_owned(),
        start,
        name_end: start + tokens.name().len(),
        id: id_of(tokens).map(str::to_owned),
        declares_wsu: tokens.declared_here().any(|(prefix, _)| prefix == "wsu"),
    }
}

/// Reads the element of the last start tag. Returns `None` if there are too many elements.
fn node(tokens: &mut Tokens<'_>, room: &mut usize) -> Result<Option<Node>, ReadError> {
    let Some(left) = room.checked_sub(1) else {
        return Ok(None);
    };
    *room = left;
    let plain = tokens.attributes.iter().filter(|it| it.prefix.is_empty());
    let attributes = plain.map(|it| (it.local_name.to_owned(), it.value.to_string()));
    let mut element = Node {
        namespace: tokens.namespace().to_owned(),
        name: tokens.local_name().to_owned(),
        start: tokens.element_start(),
        attributes: attributes.collect(),
        ..Node::default()
    };
    loop {
        match tokens.piece()? {
            Piece::Text(text) => element.text.push_str(&text),
            Piece::Start => match node(tokens, room)? {
                Some(child) => element.children.push(child),
                None => return Ok(None),
            },
            Piece::End => return Ok(Some(element)),
        }
    }
}
