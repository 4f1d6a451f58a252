//! A rule of reading, applied to all messages that it concerns; and what Rust code hears of a change.

use std::collections::BTreeMap;

use super::change::{Audience, Effect, Verdict};
use super::reach::{Role, Uses, in_both, uses_of};
use super::reading::{Reading, Road};
use super::{Compare, Subject};
use crate::model::{Bindings, Method};

/// The messages that hold something, on both sides.
#[derive(Debug, Clone)]
pub(super) struct Messages {
    /// Those that both sides have.
    pub wire: Uses,
    /// Whether callers write it, on any side.
    pub in_requests: bool,
    /// Whether callers read it, on any side.
    pub in_answers: bool,
}

impl Messages {
    pub fn new(old: &Uses, new: &Uses) -> Self {
        let has = |role| {
            old.keys()
                .chain(new.keys())
                .any(|(_, other)| *other == role)
        };
        Self {
            wire: in_both(old, new),
            in_requests: has(Role::Request),
            in_answers: has(Role::Answer),
        }
    }

    /// Nobody knows which: all code is taken to notice.
    pub fn everywhere() -> Self {
        Self {
            wire: Uses::new(),
            in_requests: true,
            in_answers: true,
        }
    }
}

/// Whose Rust code a change breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// All that names it.
    Users,
    /// That which makes values of it.
    Builders,
    /// That which looks at values of it.
    Readers,
    /// The handler.
    Handlers,
}

/// What a rule of reading means for old callers and for new clients.
pub(super) fn wire<R: Into<Option<Reading>>>(uses: &Uses, read: impl Fn(Road) -> R) -> Vec<Effect> {
    let mut found: BTreeMap<_, Vec<&'static str>> = BTreeMap::new();
    for ((operation, role), bindings) in uses {
        let role = *role;
        for audience in [Audience::Callers, Audience::NewClients] {
            for binding in bindings.iter() {
                let road = Road {
                    audience,
                    role,
                    binding,
                };
                if let Some(Reading { verdict, why }) = read(road).into() {
                    let key = (audience, std::cmp::Reverse(verdict), role, why, operation);
                    found.entry(key).or_default().push(binding.key());
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

impl Compare<'_> {
    /// The messages that hold a type. Of files of types, nobody knows which.
    pub(super) fn messages_with(&self, old: &Uses, new: &Uses) -> Messages {
        if self.old.service.is_none() && self.new.service.is_none() {
            return Messages::everywhere();
        }
        Messages::new(old, new)
    }

    /// Code that does not compile any more.
    pub(super) fn source(&self, messages: &Messages, code: Code, why: &str) -> Vec<Effect> {
        let (requests, answers) = (messages.in_requests, messages.in_answers);
        let (implementors, users) = match code {
            Code::Users => (requests || answers, requests || answers),
            Code::Builders => (answers, requests),
            Code::Readers => (requests, answers),
            Code::Handlers => (true, false),
        };
        let audiences = [
            (Audience::Implementors, implementors && self.options.server),
            (Audience::ClientUsers, users && self.options.client),
        ];
        let hit = audiences.into_iter().filter(|(_, is_hit)| *is_hit);
        hit.map(|(audience, _)| Effect {
            audience,
            verdict: Verdict::Breaks,
            bindings: Vec::new(),
            operations: Vec::new(),
            why: why.to_owned(),
        })
        .collect()
    }

    /// Code of implementors and of client users that does not compile any more.
    pub(super) fn all_source(&self, why: &str) -> Vec<Effect> {
        self.source(&Messages::everywhere(), Code::Users, why)
    }

    /// Code that names something whose name in Rust may be another one.
    pub(super) fn renamed_source(
        &self,
        messages: &Messages,
        item: &str,
        was: &str,
        is: &str,
    ) -> Vec<Effect> {
        if was == is {
            return Vec::new();
        }
        self.source(messages, Code::Users, &format!("{item} is `{is}` now"))
    }

    /// Something may have another name in Rust, by which code refers to it as `item`.
    pub(super) fn rust_name(
        &mut self,
        subject: &Subject,
        messages: &Messages,
        item: &str,
        (was, is): (&str, &str),
    ) {
        if was != is {
            let said = format!("is `{is}` in Rust where it was `{was}`");
            let source = self.renamed_source(messages, item, was, is);
            self.find(subject.finding("rust-name", &said).with(source));
        }
    }
}

/// What keeps a name on the wire.
pub(super) fn keep_on_wire(name: &str) -> String {
    format!("keep `{name}` on the wire and rename it in Rust only: `rust: …`")
}

/// The messages of these operations that go one way over these bindings.
pub(super) fn messages_of(old: &Method, new: &Method, role: Role, among: Bindings) -> Messages {
    Messages::new(
        &uses_of(old, role, old.bindings.and(among)),
        &uses_of(new, role, new.bindings.and(among)),
    )
}
