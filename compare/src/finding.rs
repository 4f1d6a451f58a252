//! Something found, whose places are not looked up yet.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

use svcgen_codegen::model::{Bindings, Method};

use crate::change::{Change, Effect};
use crate::class::{Audience, Verdict};
use crate::codes::{Code, Kind, MemberKind};
use crate::message::{Direction, Message, Reading};
use crate::usage::{Usage, Uses};

/// Something found, with the keys of the definition that lead to it, on each side that has it.
#[derive(Debug)]
pub(crate) struct Finding {
    pub change: Change,
    pub old: Option<String>,
    pub new: Option<String>,
    usage: Rc<Usage>,
}

/// Whose Rust code a change breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dependents {
    /// All that names it.
    Users,
    /// That which makes values of it.
    Builders,
    /// That which looks at values of it.
    Readers,
    /// The handler.
    Handlers,
}

impl Finding {
    /// What a rule of reading makes of the messages that hold the subject.
    pub fn on_wire<R: Into<Option<Reading>>>(self, read: impl Fn(Message) -> R) -> Self {
        let usage = Rc::clone(&self.usage);
        self.in_messages(&usage.wire, read)
    }

    /// What a rule of reading makes of these messages.
    pub fn in_messages<R: Into<Option<Reading>>>(
        mut self,
        uses: &Uses,
        read: impl Fn(Message) -> R,
    ) -> Self {
        self.change.effects.extend(wire(uses, read));
        self
    }

    /// Rust code does not compile any more.
    pub fn in_source(mut self, dependents: Dependents, why: impl Into<String>) -> Self {
        let (requests, responses) = (self.usage.in_requests, self.usage.in_responses);
        let (implementors, users) = match dependents {
            Dependents::Users => (requests || responses, requests || responses),
            Dependents::Builders => (responses, requests),
            Dependents::Readers => (requests, responses),
            Dependents::Handlers => (true, false),
        };
        let why = why.into();
        let audiences = [
            (Audience::Implementors, implementors),
            (Audience::ClientUsers, users),
        ];
        let hit = audiences.into_iter().filter(|(_, is_hit)| *is_hit);
        self.change.effects.extend(hit.map(|(audience, _)| Effect {
            audience,
            verdict: Verdict::Breaks,
            bindings: Bindings::NONE,
            operations: Vec::new(),
            why: why.clone(),
        }));
        self
    }

    /// Rust code may name it otherwise, as `item` before.
    pub fn renamed_in_rust(self, item: &str, was: &str, is: &str) -> Self {
        if was == is {
            return self;
        }
        self.in_source(Dependents::Users, format!("{item} is `{is}` now"))
    }

    /// Other help than the table has for such changes.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.change.help = Some(help.into());
        self
    }
}

/// What something is found of.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    /// What it is, if codes are of members.
    pub member: Option<MemberKind>,
    /// What sentences begin with: `` the type `Pet` ``.
    pub words: String,
    /// The keys of the definition that lead to it, on each side that has it.
    pub old: Option<String>,
    pub new: Option<String>,
    /// The messages that hold it.
    pub usage: Rc<Usage>,
}

impl Subject {
    /// Something at one place of both sides, which all code is taken to notice.
    pub fn new(words: impl Into<String>, key: impl Into<String>) -> Self {
        let key = key.into();
        Self {
            member: None,
            words: words.into(),
            old: Some(key.clone()),
            new: Some(key),
            usage: Rc::new(Usage::everywhere()),
        }
    }

    /// The same with the messages that hold it.
    pub fn used(self, usage: Usage) -> Self {
        let usage = Rc::new(usage);
        Self { usage, ..self }
    }

    pub fn operation(operation: &Method) -> Self {
        let name = &operation.name.xml;
        Self::new(format!("`{name}`"), format!("operations/{name}"))
    }

    /// An operation in its messages of one direction over these bindings.
    pub fn in_messages(
        (old, new): (&Method, &Method),
        direction: Direction,
        among: Bindings,
    ) -> Self {
        Self::operation(new).used(Usage::of(old, new, direction, among))
    }

    /// Something that stands in no definition.
    pub fn nowhere() -> Self {
        Self {
            old: None,
            new: None,
            ..Self::new("", "")
        }
    }

    /// The same with where another one stood.
    pub fn from(self, old: &Self) -> Self {
        let old = old.old.clone();
        Self { old, ..self }
    }

    /// The same with where another one stands.
    pub fn to(self, new: &Self) -> Self {
        let new = new.new.clone();
        Self { new, ..self }
    }

    /// A part of it without a place of its own.
    pub fn part(&self, words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            words,
            ..self.clone()
        }
    }

    /// The same at a key of it.
    pub fn at(&self, key: &str) -> Self {
        self.moved(|keys| Some(format!("{keys}/{key}")))
    }

    /// The same at what it is a part of.
    pub fn around(&self) -> Self {
        self.moved(|keys| Some(keys.rsplit_once('/')?.0.to_owned()))
    }

    fn moved(&self, to: impl Fn(&str) -> Option<String>) -> Self {
        let mut moved = self.clone();
        for keys in [&mut moved.old, &mut moved.new] {
            *keys = keys.as_deref().and_then(&to);
        }
        moved
    }

    /// It is another one than it was.
    pub fn changed(&self, kind: Kind, was: &str, is: &str) -> Option<Finding> {
        let said = format!("is `{is}` where it was `{was}`");
        (was != is).then(|| self.finding(kind, &said))
    }

    pub fn finding(&self, kind: Kind, said: &str) -> Finding {
        let code = Code::new(kind, self.member);
        let change = Change {
            code,
            what: format!("{} {said}", self.words).trim_start().to_owned(),
            old: None,
            new: None,
            effects: Vec::new(),
            help: code.row().help.map(str::to_owned),
        };
        Finding {
            change,
            old: self.old.clone(),
            new: self.new.clone(),
            usage: Rc::clone(&self.usage),
        }
    }

    /// It is on the new side alone.
    pub fn added(self, kind: Kind) -> Finding {
        Self { old: None, ..self }.finding(kind, "is new")
    }

    /// It is on the old side alone.
    pub fn removed(self, kind: Kind) -> Finding {
        Self { new: None, ..self }.finding(kind, "is gone")
    }

    /// It is on the old side alone, and something `like` it is on the new one.
    pub fn renamed(self, kind: Kind, new: &Self, name: &str, like: &str) -> Finding {
        let said = format!("is gone and `{name}`{like} has come: probably renamed");
        self.to(new).finding(kind, &said)
    }
}

/// What keeps a name on the wire.
pub(crate) fn keep_on_wire(name: &str) -> String {
    format!("keep `{name}` on the wire and rename it in Rust only: `rust: …`")
}

/// What a rule of reading means for old callers and for new clients.
fn wire<R: Into<Option<Reading>>>(uses: &Uses, read: impl Fn(Message) -> R) -> Vec<Effect> {
    let mut found: BTreeMap<_, Bindings> = BTreeMap::new();
    for ((operation, direction), bindings) in uses {
        for audience in [Audience::Callers, Audience::NewClients] {
            for binding in bindings.iter() {
                let message = Message {
                    audience,
                    direction: *direction,
                    binding,
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
    for ((audience, verdict, _, why, operation), bindings) in found {
        let same = effects.iter_mut().find(|effect| {
            effect.audience == audience && effect.why == why && effect.bindings == bindings
        });
        match same {
            Some(effect) if effect.operations.contains(operation) => {}
            Some(effect) => effect.operations.push(operation.clone()),
            None => effects.push(Effect {
                audience,
                verdict: verdict.0,
                bindings,
                operations: vec![operation.clone()],
                why,
            }),
        }
    }
    effects
}
