//! A rule of reading, applied to all messages that it concerns; and what Rust code hears of a change.

use std::collections::BTreeMap;

use super::Compare;
use super::change::{Audience, Effect, Verdict};
use super::reach::{Role, Uses, in_both};
use super::reading::{Reading, Road};
use crate::model::Method;

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

    fn everywhere(self) -> Self {
        Self {
            in_requests: true,
            in_answers: true,
            ..self
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
}

/// What a rule of reading means for old callers and for new clients.
pub(super) fn wire(uses: &Uses, read: impl Fn(Road) -> Option<Reading>) -> Vec<Effect> {
    let mut found: BTreeMap<_, Vec<&'static str>> = BTreeMap::new();
    let audiences = [Audience::Callers, Audience::NewClients];
    for ((operation, role), bindings) in uses {
        for (audience, binding) in audiences
            .into_iter()
            .flat_map(|audience| bindings.iter().map(move |binding| (audience, binding)))
        {
            let road = Road {
                audience,
                role: *role,
                binding,
            };
            if let Some(Reading { verdict, why }) = read(road) {
                let key = (audience, std::cmp::Reverse(verdict), *role, why, operation);
                found.entry(key).or_default().push(binding.key());
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
    /// The messages that hold a type. Of files of types, nobody knows which: all code that uses the types is taken to notice.
    pub(super) fn messages_with(&self, old: &Uses, new: &Uses) -> Messages {
        let messages = Messages::new(old, new);
        match self.old.service.is_none() && self.new.service.is_none() {
            true => messages.everywhere(),
            false => messages,
        }
    }

    /// Code that does not compile any more.
    pub(super) fn source(&self, messages: &Messages, code: Code, why: &str) -> Vec<Effect> {
        let Messages {
            in_requests,
            in_answers,
            ..
        } = *messages;
        let is_used = in_requests || in_answers;
        let (implementors, users) = match code {
            Code::Users => (is_used, is_used),
            Code::Builders => (in_answers, in_requests),
            Code::Readers => (in_requests, in_answers),
        };
        let audiences = [
            (Audience::Implementors, implementors && self.options.server),
            (Audience::ClientUsers, users && self.options.client),
        ];
        let hit = audiences.into_iter().filter(|(_, is_hit)| *is_hit);
        hit.map(|(audience, _)| in_source(audience, why)).collect()
    }

    /// Code of implementors and of client users that does not compile any more.
    pub(super) fn all_source(&self, why: &str) -> Vec<Effect> {
        let all = Messages::new(&Uses::new(), &Uses::new()).everywhere();
        self.source(&all, Code::Users, why)
    }

    /// Code of implementors that does not compile any more.
    pub(super) fn implementors(&self, why: &str) -> Vec<Effect> {
        let effects = self.all_source(why).into_iter();
        effects
            .filter(|effect| effect.audience == Audience::Implementors)
            .collect()
    }

    /// The messages of these operations that go one way.
    pub(super) fn messages_of(&self, old: &Method, new: &Method, role: Role) -> Messages {
        use super::reach::uses_of;
        Messages::new(
            &uses_of(old, role, old.bindings),
            &uses_of(new, role, new.bindings),
        )
    }
}

fn in_source(audience: Audience, why: &str) -> Effect {
    Effect {
        audience,
        verdict: Verdict::Breaks,
        bindings: Vec::new(),
        operations: Vec::new(),
        why: why.to_owned(),
    }
}
