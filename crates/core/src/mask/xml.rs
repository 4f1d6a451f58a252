//! Masks XML: walks through its tokens, along with the matching parts of the model.

use std::collections::{HashMap, HashSet};

use svcgen_model::Shown;

use super::marks::{CUT, OMITTED, SECRET};
use super::message_part::{MessagePart, Text};
use super::secrets::{Secrets, unescaped};
use super::service_rows::ServiceRows;
use svcgen_wire::Limits;
use svcgen_wire::ReadError;
use svcgen_wire::internals::{Accepted, SCHEMA_INSTANCE, Tokens, XML};

/// The attributes of SOAP and XML Schema that are shown. All except those of SOAP encoding have a
/// prefix.
const PROTOCOL: [&str; 16] = [
    "actor",
    "arraySize",
    "arrayType",
    "encodingStyle",
    "href",
    "id",
    "itemType",
    "lang",
    "mustUnderstand",
    "nil",
    "offset",
    "position",
    "ref",
    "relay",
    "role",
    "type",
];

/// The beginnings of the namespaces of these attributes. Diffgrams of DataSets have an `id`, too.
const PROTOCOL_NAMESPACES: [&str; 5] = [
    "http://schemas.xmlsoap.org/soap/",
    "http://www.w3.org/2003/05/soap-",
    "urn:schemas-microsoft-com:xml-diffgram-v1",
    SCHEMA_INSTANCE,
    XML,
];

/// The elements of WS-Security that are secrets, even if a definition describes them differently. A
/// nonce is one because it is part of its digest.
const SECURITY: [&str; 3] = ["BinarySecurityToken", "Nonce", "Password"];
const WSSE: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

/// Masks a document, or the beginning of one. Secrets in a request are added to the known secrets;
/// secrets that a fault quotes are not shown.
pub(super) fn mask<'m>(
    described: &ServiceRows<'m>,
    (text, is_cut): (&str, bool),
    root: MessagePart<'m>,
    known: &mut Option<&mut Secrets>,
) -> String {
    let mut tokens = Tokens::new(text, &Limits::default());
    tokens.fast = false;
    tokens.accepted = Accepted::WRITTEN_BY_NET;
    let mut walk = Walk {
        described,
        tokens,
        out: String::with_capacity(text.len()),
        open: Vec::new(),
        known,
        references: HashMap::new(),
        shown: HashSet::new(),
        is_told: false,
    };
    let outcome = walk.document(root);
    if walk.is_told {
        return OMITTED.to_owned();
    }
    if is_cut {
        walk.out.push_str(CUT);
    } else if outcome.is_err() {
        walk.out.push_str(OMITTED);
        if let Some(known) = walk.known.as_deref_mut() {
            known.add_unread();
        }
    }
    walk.out
}

struct Walk<'w, 'm, 'i, 'k> {
    described: &'w ServiceRows<'m>,
    tokens: Tokens<'i>,
    out: String,
    /// The parts of the model for the open elements.
    open: Vec<MessagePart<'m>>,
    known: &'w mut Option<&'k mut Secrets>,
    /// The descriptions of elements that others refer to in encoded messages, by id; `None` for
    /// secrets.
    references: HashMap<String, Option<Vec<Shown<'m>>>>,
    /// The ids of elements that were shown.
    shown: HashSet<String>,
    /// Whether an element was shown that later turned out to be a secret.
    is_told: bool,
}

impl<'m, 'i> Walk<'_, 'm, 'i, '_> {
    fn document(&mut self, root: MessagePart<'m>) -> Result<(), ReadError> {
        self.tokens.root()?;
        let start = self.tokens.element_start() - 1;
        let prolog = &self.tokens.input[..start];
        let declaration = prolog.strip_prefix("<?xml");
        match prolog.find("?>") {
            Some(end) if declaration.is_some_and(|rest| rest.starts_with(char::is_whitespace)) => {
                self.out.push_str(&prolog[..end + 2]);
                self.gap(&prolog[end + 2..], Text::Unknown);
            }
            _ => self.gap(prolog, Text::Unknown),
        }
        let place = match root {
            MessagePart::Root(_) => root.child(self.tokens.local_name(), self.described),
            place => place,
        };
        self.element(place)?;
        while let Some(place) = self.open.last() {
            let (text, before, empty) = (place.text(), self.tokens.at, self.tokens.empty);
            if self.tokens.child()? {
                let place = self.child(self.open.len() - 1);
                let start = self.tokens.element_start() - 1;
                self.gap(&self.tokens.input[before..start], text);
                self.element(place)?;
            } else {
                if !empty {
                    let end = self.tokens.end_tag_at;
                    self.gap(&self.tokens.input[before..end], text);
                    self.out.push_str(&self.tokens.input[end..self.tokens.at]);
                }
                self.open.pop();
            }
        }
        let end = self.tokens.at;
        self.tokens.finish()?;
        self.gap(&self.tokens.input[end..], Text::Unknown);
        Ok(())
    }

    /// Returns the part of the model for the child whose start tag was read last, in the open
    /// element with an index.
    fn child(&self, parent: usize) -> MessagePart<'m> {
        self.open[parent].child(self.tokens.local_name(), self.described)
    }

    /// Masks the element whose start tag was read last, or only this tag if the element has shown
    /// content.
    fn element(&mut self, mut place: MessagePart<'m>) -> Result<(), ReadError> {
        if self.described.encoded {
            place = self.referred(place);
        }
        self.add_named_types(&mut place);
        let is_security = SECURITY.contains(&self.tokens.local_name());
        if is_security && self.tokens.namespace() == WSSE {
            place = MessagePart::Secret;
        }
        let (start, name) = (self.tokens.element_start(), self.tokens.name());
        let tag = &self.tokens.input[start..self.tokens.at];
        self.out.push('<');
        self.out.push_str(name);
        self.attributes(&tag[name.len()..], &place);
        let instead = match place.text() {
            Text::Secret => SECRET,
            _ if matches!(place, MessagePart::Unknown) && !self.tokens.is_blank() => OMITTED,
            _ => {
                let end = if self.tokens.empty { " />" } else { ">" };
                self.out.push_str(end);
                self.open.push(place);
                return Ok(());
            }
        };
        self.out.push('>');
        self.out.push_str(instead);
        let content = self.tokens.skip()?;
        if let Some(known) = self.known.as_deref_mut() {
            collect(content, instead, known);
        }
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
        Ok(())
    }

    /// Adds the types that the element names: an object may have a derived type, and a value of any
    /// type names its type.
    fn add_named_types(&self, place: &mut MessagePart<'m>) {
        if !place.is_open() {
            return;
        }
        let Ok(Some((_, name))) = self.tokens.type_name() else {
            return;
        };
        for complex in self.described.types(name) {
            place.add_type(*complex);
        }
    }

    /// Returns the part of the model for an element that another element of an encoded message
    /// refers to (SOAP 1.1 §5.4.1, SOAP 1.2 part 2 §3.1.5).
    fn referred(&mut self, place: MessagePart<'m>) -> MessagePart<'m> {
        let attribute = |names: &[&str]| {
            let mut attributes = self.tokens.attributes.iter();
            let found = attributes.find(|attribute| names.contains(&attribute.local_name));
            found.map(|attribute| attribute.value.clone().into_owned())
        };
        let (to, id) = (attribute(&["href", "ref"]), attribute(&["id"]));
        let mut place = place;
        if let Some(id) = &id
            && let Some(all) = self.references.get(id)
        {
            place = match (all, place) {
                (None, _) | (_, MessagePart::Secret) => MessagePart::Secret,
                (Some(all), _) => MessagePart::Shown(all.clone()),
            };
        }
        if let Some(to) = to {
            let to = to.strip_prefix('#').unwrap_or(&to).to_owned();
            match &place {
                MessagePart::Shown(all) => {
                    let known = self
                        .references
                        .entry(to)
                        .or_insert_with(|| Some(Vec::new()));
                    if let Some(known) = known {
                        let more = all.iter().filter(|one| !known.contains(one));
                        let more: Vec<_> = more.copied().collect();
                        known.extend(more);
                    }
                }
                MessagePart::Secret => {
                    self.is_told |= self.shown.contains(&to);
                    self.references.insert(to, None);
                }
                _ => {}
            }
        }
        if let (Some(id), MessagePart::Shown(_)) = (id, &place) {
            self.shown.insert(id);
        }
        place
    }

    /// Masks the attributes of a start tag, which is well-formed.
    fn attributes(&mut self, mut tag: &str, place: &MessagePart<'m>) {
        while let Some((name, after)) = tag.split_once('=') {
            let name = name.trim();
            let after = after.trim_start();
            let Some(quote) = after.chars().next() else {
                return;
            };
            let Some((value, rest)) = after[1..].split_once(quote) else {
                return;
            };
            tag = rest;
            let shown = match self.attribute(name, place) {
                Text::Shown => value,
                Text::Secret => SECRET,
                _ => OMITTED,
            };
            if let (false, Some(known)) = (shown == value, self.known.as_deref_mut()) {
                collect(value, shown, known);
            }
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push('=');
            self.out.push(quote);
            self.out.push_str(shown);
            self.out.push(quote);
        }
    }

    fn attribute(&self, name: &str, place: &MessagePart<'m>) -> Text {
        let (prefix, local_name) = name.split_once(':').unwrap_or(("", name));
        if prefix == "xmlns" || name == "xmlns" {
            return Text::Shown;
        }
        if let Some(text) = place.attribute(local_name) {
            return text;
        }
        let is_known = match prefix {
            "" => self.described.encoded,
            prefix => self.is_protocol_prefix(prefix),
        };
        if is_known && is_of_protocol(local_name) {
            return Text::Shown;
        }
        match place {
            MessagePart::Secret => Text::Secret,
            _ => Text::Unknown,
        }
    }

    /// Whether a prefix is declared for a namespace of SOAP or XML Schema. Links (`xlink:href`) and
    /// others of the same name may hold secrets.
    fn is_protocol_prefix(&self, prefix: &str) -> bool {
        let namespaces = &self.tokens.namespaces;
        let namespace = namespaces.resolve(prefix);
        let name = namespace.map_or("", |namespace| namespaces.name(namespace));
        let mut known = PROTOCOL_NAMESPACES.iter();
        known.any(|known| name.starts_with(known))
    }

    /// Masks the text between tags.
    fn gap(&mut self, gap: &str, text: Text) {
        let is_blank = gap.trim_ascii().is_empty();
        let has_markup =
            || memchr::memmem::find(gap.as_bytes(), b"<!--").is_some() || gap.contains("<?");
        let shown = match text {
            _ if is_blank => gap,
            _ if has_markup() => OMITTED,
            Text::Shown => gap,
            Text::Secret => SECRET,
            Text::Unknown => OMITTED,
            Text::OfFault => match self.known.as_deref() {
                Some(known) => known.text(gap).into_inner(),
                None => SECRET,
            },
        };
        self.out.push_str(shown);
    }
}

/// Adds the texts in markup that is not shown, and the values of its attributes, to the known
/// secrets.
fn collect(markup: &str, instead: &str, known: &mut Secrets) {
    let mut add = |text: &str| {
        let text = unescaped(text);
        if instead == SECRET {
            known.add_found(&text);
        } else {
            known.add_omitted(&text);
        }
    };
    let (mut text, mut rest) = (String::new(), markup);
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let is_section = rest.starts_with("<![CDATA[");
        let end = if is_section { "]]>" } else { ">" };
        let length = rest
            .find(end)
            .map_or(rest.len(), |end_at| end_at + end.len());
        let (tag, after) = rest.split_at(length);
        rest = after;
        if is_section {
            text.push_str(tag);
            continue;
        }
        add(&std::mem::take(&mut text));
        tag.split(['"', '\'']).skip(1).step_by(2).for_each(&mut add);
        if let Some(comment) = tag.strip_prefix("<!--") {
            add(comment.trim_end_matches("-->"));
        }
    }
    add(&(text + rest));
    add(markup);
}

/// Whether an attribute belongs to SOAP or XML Schema, so that its value is shown.
pub(super) fn is_of_protocol(name: &str) -> bool {
    PROTOCOL.binary_search(&name).is_ok()
}
