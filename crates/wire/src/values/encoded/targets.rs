//! The elements that references point to.

use std::borrow::Cow;

use super::scheme::ENCODINGS;
use crate::xml::namespaces::Namespaces;
use crate::xml::tokens::{Attribute, Result, Tokens};

/// The elements of a Body that have an id.
pub(super) struct Targets<'i> {
    /// The targets with their ids, sorted by id, and those with one id in the order of the message.
    all: Vec<(Cow<'i, str>, Target)>,
    /// The namespaces around targets that are not direct children of the Body, if they differ from
    /// those of the Body.
    contexts: Vec<Namespaces<'i>>,
    /// A reader in the Body, which is cloned for targets; `idle` are clones that are not in use.
    body: Tokens<'i>,
    idle: Vec<Tokens<'i>>,
    /// The place of a .NET reader after the last element in the Body, where it reports a missing
    /// target.
    pub(super) end: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) struct Target {
    /// The offset of its start tag.
    at: u32,
    /// The number of its context, from 1; 0 for the context of the Body.
    context: u32,
}

impl<'i> Targets<'i> {
    /// Reads the rest of the Body ahead.
    pub(super) fn of(tokens: &mut Tokens<'i>) -> Result<Self> {
        let mut body = tokens.clone();
        body.empty = false;
        let around = body.open.pop().map_or(0, |open| open.bindings);
        body.namespaces.truncate(around);
        body.scopes = None;
        body.forget_attributes();
        let mut ahead = tokens.clone();
        let level = body.open.len();
        let mut targets = Self {
            all: Vec::new(),
            contexts: Vec::new(),
            body,
            idle: Vec::new(),
            end: 0,
        };
        loop {
            targets.add(&mut ahead, around)?;
            while !ahead.child()? {
                if ahead.open.len() < level {
                    targets.end = ahead.end_tag_name();
                    tokens.room = ahead.room;
                    targets.all.sort_by(|one, other| one.0.cmp(&other.0));
                    return Ok(targets);
                }
            }
        }
    }

    /// Adds the current element, if it has an id.
    fn add(&mut self, ahead: &mut Tokens<'i>, of_body: u32) -> Result<()> {
        let Some(id) = id(ahead).cloned() else {
            return Ok(());
        };
        let Some(open) = ahead.open.last().copied() else {
            return Ok(());
        };
        let mut context = 0;
        if open.bindings != of_body {
            let mut around = ahead.namespaces.clone();
            around.truncate(open.bindings);
            ahead.take_room(around.size())?;
            ahead
                .room
                .push(&mut self.contexts, around)
                .map_err(|error| ahead.here(error))?;
            context = self.contexts.len() as u32;
        }
        let at = open.start as u32 - 1;
        let target = (id, Target { at, context });
        ahead.push(&mut self.all, target)
    }

    pub(super) fn find(&self, id: &str) -> Option<Target> {
        let first = self.all.partition_point(|(known, _)| **known < *id);
        let (known, target) = self.all.get(first)?;
        (known == id).then_some(*target)
    }

    /// A reader before the start tag of a target, which continues with the limits of another
    /// reader.
    pub(super) fn reader(&mut self, target: Target, from: &mut Tokens<'i>) -> Result<Tokens<'i>> {
        let idle = if target.context == 0 {
            self.idle.pop()
        } else {
            None
        };
        let mut tokens = match idle {
            Some(tokens) => tokens,
            None => {
                let context = (target.context as usize).checked_sub(1);
                let namespaces = context.map(|index| &self.contexts[index]);
                // Names with references are copied.
                from.take_room(namespaces.unwrap_or(&self.body.namespaces).size())?;
                let mut tokens = self.body.clone();
                if let Some(namespaces) = namespaces {
                    tokens.namespaces = namespaces.clone();
                }
                tokens
            }
        };
        tokens.at = target.at as usize;
        tokens.elements = from.elements;
        tokens.room = from.room.clone();
        Ok(tokens)
    }

    /// Continues with the limits that the reader of a target has left.
    pub(super) fn leave(
        &mut self,
        target: Target,
        tokens: Tokens<'i>,
        from: &mut Tokens<'i>,
    ) -> Result<()> {
        from.elements = tokens.elements;
        from.room = tokens.room.clone();
        // Reading a target again takes as much time again.
        from.take_room(tokens.at - target.at as usize)?;
        if target.context == 0 {
            self.idle.push(tokens);
        }
        Ok(())
    }
}

/// The id of the current element, in either version of the encoding.
pub(super) fn id<'t, 'i>(tokens: &'t Tokens<'i>) -> Option<&'t Cow<'i, str>> {
    let is_id = |attribute: &&Attribute<'i>| {
        let namespace = tokens.namespaces.name(attribute.namespace);
        attribute.local_name == "id" && (namespace.is_empty() || namespace == ENCODINGS[1])
    };
    tokens.attributes.iter().find(is_id).map(|id| &id.value)
}

/// The id that the current element refers to. Both versions of the encoding are read in either
/// version of SOAP, and PHP writes the `#` of SOAP 1.1 in SOAP 1.2, too. A reference to another
/// document is the id of nothing, and one to an attachment is none.
pub(super) fn reference(tokens: &Tokens<'_>) -> Option<String> {
    let href = tokens.attribute_of("", "href");
    let href = href.filter(|href| !href.starts_with("cid:"));
    let id = href.or_else(|| tokens.attribute_of(ENCODINGS[1], "ref"))?;
    Some(id.strip_prefix('#').unwrap_or(id).to_owned())
}
