//! Start tags: names, attributes, namespace declarations.

use std::borrow::Cow;
use std::collections::HashSet;

use super::characters::{is_space, trim};
use super::error::{CONCEALED, ReadErrorKind};
use super::namespaces::{Identity, Namespace, SCHEMA_INSTANCE, XML, XMLNS};
use super::scan::{attribute_stop, equal};
use super::tokens::{Attribute, Nil, Open, Result, Tokens};
use crate::accept::Accept;

/// Up to this number of attributes, comparing all pairs is the fastest way to find a duplicate.
const FEW: usize = 24;

impl<'i> Tokens<'i> {
    /// Reads `<name a="b">` or `<name a="b"/>`.
    pub(crate) fn start_tag(&mut self) -> Result<()> {
        self.at += 1;
        let start = self.at;
        let (name, prefix) = self.qualified("a name after '<' ('<' itself is written '&lt;')")?;
        let prefix_name = &name[..prefix as usize];
        let bindings = self.namespaces.count();
        self.forget_attributes();
        let parent = self.open.last().copied();
        self.enter(Open {
            start,
            length: name.len() as u32,
            prefix,
            namespace: Namespace::NONE,
            bindings,
        })?;
        if self.rest().first() == Some(&b'>') {
            self.at += 1;
        } else {
            self.attributes(bindings)?;
        }
        let namespace = match parent {
            Some(parent)
                if equal(self.prefix_of(&parent), prefix_name)
                    && self.namespaces.count() == bindings =>
            {
                parent.namespace
            }
            _ => self.resolve(prefix_name, name)?,
        };
        if let Some(open) = self.open.last_mut() {
            open.namespace = namespace;
        }
        self.resolve_attributes()
    }

    /// Reads the attributes and the end of a start tag.
    fn attributes(&mut self, outer: u32) -> Result<()> {
        let mut count = 0;
        loop {
            let spaced = self.skip_space();
            match self.rest() {
                [b'>', ..] => {
                    self.at += 1;
                    return Ok(());
                }
                [b'/', b'>', ..] => {
                    self.at += 2;
                    self.empty = true;
                    return Ok(());
                }
                [b'/', ..] => {
                    self.at += 1;
                    return Err(self.unexpected("'>' after '/'"));
                }
                [] => return Err(self.unfinished()),
                _ if !spaced => {
                    return Err(self.unexpected("white space, '>' or '/>' in a start tag"));
                }
                _ if count == self.limits.attributes => {
                    return Err(self.over(
                        self.at,
                        "attributes of one element",
                        self.limits.attributes,
                    ));
                }
                _ => self.attribute(outer)?,
            }
            count += 1;
        }
    }

    fn attribute(&mut self, outer: u32) -> Result<()> {
        let at = self.at;
        let (name, prefix_length) = self.qualified("the name of an attribute, '>' or '/>'")?;
        self.skip_space();
        self.expect(b"=", "'=' after the name of an attribute")?;
        self.skip_space();
        let value = self.attribute_value()?;
        let (prefix, local_name) = match prefix_length {
            0 => ("", name),
            length => (&name[..length as usize], &name[length as usize + 1..]),
        };
        match (prefix, local_name) {
            ("", "xmlns") => self.declare(at, outer, "", value),
            ("xmlns", prefix) => self.declare(at, outer, prefix, value),
            _ => {
                let attribute = Attribute {
                    prefix,
                    local_name,
                    namespace: Namespace::NONE,
                    value,
                };
                let pushed = self.room.push(&mut self.attributes, attribute);
                pushed.map_err(|error| self.here(error))
            }
        }
    }

    /// Reads a quoted value and normalizes its white space (XML 1.0 §3.3.3).
    fn attribute_value(&mut self) -> Result<Cow<'i, str>> {
        let start = self.at + 1;
        let quote = match self.rest() {
            [quote @ (b'"' | b'\''), ..] => *quote,
            _ => return Err(self.unexpected("a quoted value after '='")),
        };
        self.at = start;
        if let Some(length) = attribute_stop(self.rest(), quote)
            && self.rest()[length] == quote
            && length <= self.limits.attribute_value
        {
            self.at += length + 1;
            return Ok(Cow::Borrowed(&self.input[start..start + length]));
        }
        self.normalised_value(quote).map(Cow::Owned)
    }

    /// Reads a value after its opening quote.
    fn normalised_value(&mut self, quote: u8) -> Result<String> {
        let start = self.at;
        let Some(length) = memchr::memchr(quote, self.rest()) else {
            return Err(self.endless(start - 1, "The value of an attribute"));
        };
        let raw = &self.input[start..start + length];
        if let Some(at) = memchr::memchr(b'<', raw.as_bytes()) {
            return Err(self.error(
                start + at,
                "'<' in the value of an attribute; it is written '&lt;'.",
            ));
        }
        if length > self.limits.attribute_value {
            return Err(self.over(
                start,
                "bytes in the value of an attribute",
                self.limits.attribute_value,
            ));
        }
        let end = start + length;
        let mut value = String::with_capacity(length);
        while self.at < end {
            match self.rest() {
                [b'&', ..] => value.push(self.reference()?),
                [b'\r', b'\n', ..] => {
                    value.push(' ');
                    self.at += 2;
                }
                [byte, ..] if is_space(*byte) => {
                    value.push(' ');
                    self.at += 1;
                }
                _ => {
                    let run = &self.input[self.at..end];
                    let run = &run[..run
                        .bytes()
                        .position(|byte| byte == b'&' || is_space(byte))
                        .unwrap_or(run.len())];
                    value.push_str(run);
                    self.at += run.len();
                }
            }
        }
        self.at = end + 1;
        Ok(value)
    }

    /// Declares a namespace; checks the constraints on `xml`, `xmlns` and empty names (Namespaces
    /// in XML 1.0 §3).
    fn declare(
        &mut self,
        at: usize,
        outer: u32,
        prefix: &'i str,
        name: Cow<'i, str>,
    ) -> Result<()> {
        let wrong = match (prefix, &*name) {
            ("xmlns", _) => "The prefix 'xmlns' is not to be declared.",
            ("xml", XML) => "",
            ("xml", _) => "The prefix 'xml' is not to be declared for another namespace.",
            (_, XML) => "The namespace of 'xml' is not to be declared for another prefix.",
            (_, XMLNS) => "The namespace of 'xmlns' is not to be declared.",
            ("", _) => "",
            (_, "") => "A prefix is declared with an empty namespace name.",
            _ => "",
        };
        if !wrong.is_empty() {
            return Err(self.error(at, wrong));
        }
        let limit = self.limits.namespaces;
        if self.namespaces.count() as usize >= limit {
            return Err(self.over(at, "namespace declarations in force", limit));
        }
        self.take_room(self.namespaces.growth())?;
        if !self.namespaces.declare(outer, prefix, name) {
            return Err(self.error(at, "A start tag declares one namespace prefix twice."));
        }
        Ok(())
    }

    /// The namespace of a prefix; an error is reported at `name`.
    fn resolve(&self, prefix: &str, name: &'i str) -> Result<Namespace> {
        let namespace = match prefix {
            "xmlns" => None,
            _ => self.namespaces.resolve(prefix),
        };
        namespace.ok_or_else(|| {
            let say = |prefix: &str| format!("The prefix '{prefix}' is not declared.");
            self.error(self.offset(name), say(prefix))
                .or_concealed(say(CONCEALED))
        })
    }

    /// Resolves the namespaces of the attributes and refuses duplicates.
    fn resolve_attributes(&mut self) -> Result<()> {
        if self.attributes.is_empty() {
            return Ok(());
        }
        for index in 0..self.attributes.len() {
            let Attribute {
                prefix, local_name, ..
            } = self.attributes[index];
            if !prefix.is_empty() {
                self.attributes[index].namespace = self.resolve(prefix, prefix)?;
            }
            if local_name == "nil"
                && self.namespaces.name(self.attributes[index].namespace) == SCHEMA_INSTANCE
            {
                self.nil = match trim(&self.attributes[index].value) {
                    "true" | "1" => Nil::Yes,
                    "false" | "0" => Nil::No,
                    _ => Nil::Wrong,
                };
            }
        }
        let keys = self.keys_of_attributes();
        self.take_room(keys)?;
        let duplicate = self.duplicate();
        self.room.give_back(keys);
        match duplicate {
            Some(name) => Err(self.error(
                self.offset(name),
                "A start tag has two attributes of one name.",
            )),
            None => Ok(()),
        }
    }

    /// The bytes that are needed to compare the names of many attributes.
    fn keys_of_attributes(&self) -> usize {
        let count = self.attributes.len();
        let key = size_of::<(&str, Identity<'_>)>() + 1;
        if count > FEW { 3 * count * key } else { 0 }
    }

    /// The local name of the first attribute that repeats the expanded name of another.
    fn duplicate(&self) -> Option<&'i str> {
        let key = |attribute: &Attribute<'i>| {
            (
                attribute.local_name,
                self.namespaces.identity(attribute.namespace),
            )
        };
        if self.attributes.len() > FEW {
            let mut seen = HashSet::with_capacity(self.attributes.len());
            return self
                .attributes
                .iter()
                .find(|attribute| !seen.insert(key(attribute)))
                .map(|duplicate| duplicate.local_name);
        }
        let is_duplicate = |(index, attribute): &(usize, &Attribute<'i>)| {
            self.attributes[..*index]
                .iter()
                .any(|other| key(other) == key(attribute))
        };
        self.attributes
            .iter()
            .enumerate()
            .find(is_duplicate)
            .map(|(_, duplicate)| duplicate.local_name)
    }

    /// The name of the innermost open element, with its prefix.
    pub fn name(&self) -> &'i str {
        self.open.last().map_or("", |open| self.name_of(open))
    }

    /// The name of the innermost open element, without its prefix.
    pub fn local_name(&self) -> &'i str {
        self.open.last().map_or("", |open| self.local_name_of(open))
    }

    /// The namespace of the innermost open element.
    pub fn namespace(&self) -> &str {
        self.open
            .last()
            .map_or("", |open| self.namespaces.name(open.namespace))
    }

    /// The value of an attribute of the last start tag.
    pub fn attribute_of(&self, namespace: &str, local_name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|attribute| {
            attribute.local_name == local_name
                && self.namespaces.name(attribute.namespace) == namespace
        });
        found.map(|attribute| &*attribute.value)
    }

    /// Reads the text of the innermost open element as a qualified name. Returns its namespace,
    /// empty for an undeclared prefix, and its local name.
    pub(crate) fn code_name(&mut self) -> Result<(String, String)> {
        let text = self.text()?;
        let text = trim(&text);
        let (prefix, local_name) = text.split_once(':').unwrap_or(("", text));
        // Must come before the element is closed, which ends its own declarations.
        let namespace = self.namespaces.resolve(prefix).unwrap_or(Namespace::NONE);
        let namespace = self.namespaces.name(namespace).to_owned();
        self.take_room(namespace.len())?;
        let name = (namespace, local_name.to_owned());
        self.close();
        Ok(name)
    }
}

impl Tokens<'_> {
    /// Whether the last start tag has `xsi:nil="true"`.
    #[inline]
    pub fn is_nil(&self) -> bool {
        self.nil == Nil::Yes
    }

    /// Whether the last start tag has `xsi:nil="true"`. Other values than booleans are refused, as
    /// in .NET where nil is a value.
    pub(crate) fn takes_nil(&self) -> Result<bool> {
        if self.nil != Nil::Wrong {
            return Ok(self.is_nil());
        }
        let nil = self
            .attribute_of(SCHEMA_INSTANCE, "nil")
            .unwrap_or_default();
        let message = |nil: &str| format!("The string '{nil}' is not a valid Boolean value.");
        let error = self.error_at_element(ReadErrorKind::Value, message(nil));
        Err(error.or_concealed(message(CONCEALED)))
    }

    /// The namespace of types that have no namespace of their own.
    pub(crate) fn type_namespace(&self) -> &str {
        self.scopes
            .map_or_else(|| self.namespace(), |scopes| scopes.service.0)
    }

    /// The namespace and the name in the `xsi:type` of the last start tag.
    pub fn type_name(&self) -> Result<Option<(&str, &str)>> {
        let Some(name) = self.attribute_of(SCHEMA_INSTANCE, "type") else {
            return Ok(None);
        };
        self.resolved(trim(name)).map(Some)
    }

    /// The namespace and the local name of a qualified name in the last start tag.
    pub(crate) fn resolved<'n>(&'n self, name: &'n str) -> Result<(&'n str, &'n str)> {
        let (prefix, local_name) = name.rsplit_once(':').unwrap_or(("", name));
        match self.namespaces.resolve(prefix) {
            Some(namespace) => Ok((self.namespaces.name(namespace), local_name)),
            None if self.accepted.has(Accept::TypeNames) => Ok(("", local_name)),
            None => Err(self.error_at_element(
                ReadErrorKind::Value,
                format!("Namespace prefix '{prefix}' is not defined."),
            )),
        }
    }
}
