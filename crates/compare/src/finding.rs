//! A change, with its effects on the wire and on Rust code.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::rc::Rc;

use svcgen_codegen::model::{Bindings, Method, Name};

use crate::change::Effect;
use crate::class::{Audience, Verdict};
use crate::codes::{Code, Kind, MemberKind};
use crate::message::{Direction, Message, Messages, Reading, Usage};

/// A change whose places are not looked up yet.
#[derive(Debug)]
pub(crate) struct Finding {
    pub subject: Subject,
    pub code: Code,
    pub what: String,
    pub effects: Vec<Effect>,
    pub help: Option<String>,
}

/// The Rust code that a change breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dependents {
    /// All code that names the item.
    Users,
    /// Code that creates values.
    Writers,
    /// Code that reads values.
    Readers,
    /// Implementations of the handler trait.
    Handlers,
}

impl Finding {
    /// Adds the effects that `read` returns for the messages that contain the subject.
    pub fn on_wire<R: Into<Option<Reading>>>(self, read: impl Fn(Message) -> R) -> Self {
        let usage = Rc::clone(&self.subject.usage);
        self.in_messages(&usage.shared, read)
    }

    /// Adds the effects that `read` returns for these messages.
    pub fn in_messages<R: Into<Option<Reading>>>(
        mut self,
        messages: &Messages,
        read: impl Fn(Message) -> R,
    ) -> Self {
        self.effects.extend(effects(messages, read));
        self
    }

    /// Adds that Rust code no longer compiles.
    pub fn in_source(mut self, dependents: Dependents, why: impl Into<String>) -> Self {
        let usage = &self.subject.usage;
        let (requests, responses) = (usage.in_requests, usage.in_responses);
        let (implementors, users) = match dependents {
            Dependents::Users => (requests || responses, requests || responses),
            Dependents::Writers => (responses, requests),
            Dependents::Readers => (requests, responses),
            Dependents::Handlers => (true, false),
        };
        let why = why.into();
        let audiences = [
            (Audience::Implementors, implementors),
            (Audience::ClientUsers, users),
        ];
        let affected = audiences
            .into_iter()
            .filter(|(_, is_affected)| *is_affected);
        self.effects.extend(affected.map(|(audience, _)| Effect {
            audience,
            verdict: Verdict::Breaks,
            bindings: Bindings::NONE,
            operations: Vec::new(),
            why: why.clone(),
        }));
        self
    }

    /// Adds that the name of `item` in Rust changed, if it did.
    pub fn renamed_in_rust(self, item: &str, was: &str, is: &str) -> Self {
        if was == is {
            return self;
        }
        self.in_source(Dependents::Users, format!("{item} is `{is}` now"))
    }

    /// Replaces the hint from the table.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Advises to keep a name on the wire.
    pub fn keep_on_wire(self, name: &str) -> Self {
        self.help(format!(
            "keep `{name}` on the wire and rename it in Rust only: `rust: …`"
        ))
    }
}

/// The part of a definition to which a finding applies.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    /// The kind of member, for the codes of members.
    pub member: Option<MemberKind>,
    /// The start of sentences: `` the type `Pet` ``.
    pub words: String,
    /// The path of keys to it in the old definition, unless it is new.
    pub old: Option<String>,
    /// The path of keys to it in the new definition, unless it was removed.
    pub new: Option<String>,
    /// The messages that contain it.
    pub usage: Rc<Usage>,
}

impl Subject {
    /// Creates a subject at the same place of both definitions.
    pub fn new(words: impl Into<String>, key: impl Into<String>) -> Self {
        let key = key.into();
        Self {
            member: None,
            words: words.into(),
            old: Some(key.clone()),
            new: Some(key),
            usage: Rc::new(Usage::in_all_code()),
        }
    }

    pub fn operation(operation: &Method) -> Self {
        let name = &operation.name.xml;
        Self::new(format!("`{name}`"), format!("operations/{name}"))
    }

    /// Creates the subject for an operation, in its messages of one direction over these bindings.
    pub fn in_messages(
        (old, new): (&Method, &Method),
        direction: Direction,
        bindings: Bindings,
    ) -> Self {
        Self::operation(new).used(Usage::of(old, new, direction, bindings))
    }

    /// Returns the same subject, at the old place of another one.
    pub fn moved_from(self, old: Self) -> Self {
        Self {
            old: old.old,
            ..self
        }
    }

    pub fn used(self, usage: Usage) -> Self {
        let usage = Rc::new(usage);
        Self { usage, ..self }
    }

    /// Creates a subject for a part without a place of its own.
    pub fn part(&self, words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            ..self.clone()
        }
    }

    /// Returns the same subject, at a key below its own.
    pub fn at(&self, key: &str) -> Self {
        let mut below = self.clone();
        for keys in [&mut below.old, &mut below.new].into_iter().flatten() {
            *keys = format!("{keys}/{key}");
        }
        below
    }

    pub fn finding(&self, kind: Kind, what: impl Display) -> Finding {
        let code = Code::new(kind, self.member);
        Finding {
            subject: self.clone(),
            code,
            what: format!("{} {what}", self.words).trim_start().to_owned(),
            effects: Vec::new(),
            help: code.row().help.map(str::to_owned),
        }
    }

    /// Returns a finding if a text differs.
    pub fn changed(&self, kind: Kind, was: &str, is: &str) -> Option<Finding> {
        let what = format_args!("is `{is}` where it was `{was}`");
        (was != is).then(|| self.finding(kind, what))
    }

    /// Returns a finding if a switch is on in one definition only. `now` has the words for a new
    /// definition with the switch on, and off.
    pub fn switched(&self, kind: Kind, says: [bool; 2], now: [&str; 2]) -> Option<Finding> {
        let [was, is] = says;
        (was != is).then(|| self.finding(kind, if is { now[0] } else { now[1] }))
    }

    pub fn added(self, kind: Kind) -> Finding {
        Self { old: None, ..self }.finding(kind, "is new")
    }

    pub fn removed(self, kind: Kind) -> Finding {
        Self { new: None, ..self }.finding(kind, "is gone")
    }

    /// Returns the finding for another name on the wire. If the name in definitions differs, too,
    /// the member was removed, and a new one was added, which is `like` it.
    pub fn renamed(self, kind: Kind, new: &Self, (was, is): (&Name, &Name), like: &str) -> Finding {
        let new = new.new.clone();
        let what = if was.key == is.key {
            format!("is `{}` on the wire where it was `{}`", is.xml, was.xml)
        } else {
            format!("is gone and `{}`{like} has come: probably renamed", is.key)
        };
        Self { new, ..self }.finding(kind, what)
    }
}

/// The effects that `read` returns for messages, for existing callers and for new clients.
fn effects<R: Into<Option<Reading>>>(
    messages: &Messages,
    read: impl Fn(Message) -> R,
) -> Vec<Effect> {
    let mut found: BTreeMap<_, Bindings> = BTreeMap::new();
    for ((operation, direction, notation), bindings) in messages {
        for audience in [Audience::Callers, Audience::NewClients] {
            for binding in bindings.iter() {
                let message = Message {
                    audience,
                    direction: *direction,
                    binding,
                    notation: *notation,
                };
                if let Some(Reading { verdict, why }) = read(message).into() {
                    let key = (audience, Reverse(verdict), *direction, why, operation);
                    let known = found.entry(key).or_insert(Bindings::NONE);
                    *known = known.with(binding);
                }
            }
        }
    }
    let mut effects: Vec<Effect> = Vec::new();
    for ((audience, Reverse(verdict), _, why, operation), bindings) in found {
        let same = effects.iter_mut().find(|effect| {
            effect.audience == audience && effect.why == why && effect.bindings == bindings
        });
        match same {
            Some(effect) if effect.operations.contains(operation) => {}
            Some(effect) => effect.operations.push(operation.clone()),
            None => effects.push(Effect {
                audience,
                verdict,
                bindings,
                operations: vec![operation.clone()],
                why,
            }),
        }
    }
    effects
}
