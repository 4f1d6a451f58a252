//! Messages between sides that know different definitions, and sets of messages that hold something.

use std::collections::BTreeMap;

use svcgen_codegen::model::{Binding, Bindings, Method};

use crate::class::{Audience, Verdict};

/// The direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Direction {
    Request,
    Response,
}

impl Direction {
    pub const ALL: [Self; 2] = [Self::Request, Self::Response];

    /// What such messages hold.
    pub fn parts(self) -> &'static str {
        match self {
            Self::Request => "parameters",
            Self::Response => "results",
        }
    }
}

/// One message, from a writer to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Message {
    /// The client's side of the call: an existing caller of the new server, or a new client of the old server.
    pub audience: Audience,
    pub direction: Direction,
    pub binding: Binding,
}

/// What a reader makes of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    pub verdict: Verdict,
    pub why: String,
}

impl Reading {
    fn new(verdict: Verdict, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { verdict, why }
    }

    pub fn works(why: impl Into<String>) -> Self {
        Self::new(Verdict::Works, why)
    }

    pub fn depends(why: impl Into<String>) -> Self {
        Self::new(Verdict::Depends, why)
    }

    pub fn breaks(why: impl Into<String>) -> Self {
        Self::new(Verdict::Breaks, why)
    }
}

impl Message {
    /// Whether the writer knows the old definition and the reader the new one.
    pub fn is_forward(self) -> bool {
        (self.audience == Audience::Callers) == (self.direction == Direction::Request)
    }

    pub fn is_soap(self) -> bool {
        self.binding.is_soap()
    }

    /// Whether the message is a form.
    pub fn is_form(self) -> bool {
        self.direction == Direction::Request && !self.is_soap()
    }

    /// Orders the values of both definitions as that of the writer and that of the reader.
    pub fn ends<T>(self, old: T, new: T) -> (T, T) {
        if self.is_forward() {
            (old, new)
        } else {
            (new, old)
        }
    }

    /// Whether the reader is an existing caller, whose SOAP stack can be any.
    pub fn is_any_caller(self) -> bool {
        self.audience == Audience::Callers && self.direction == Direction::Response
    }

    /// The reader and its verb: `callers read`.
    pub fn reads(self) -> &'static str {
        match (self.audience, self.direction) {
            (Audience::Callers, Direction::Request) => "the handler sees",
            (Audience::Callers, Direction::Response) => "callers read",
            (_, Direction::Request) => "the old server reads",
            (_, Direction::Response) => "new clients read",
        }
    }

    /// The reader of a response.
    pub fn caller(self) -> &'static str {
        match self.audience {
            Audience::Callers => "callers",
            _ => "new clients",
        }
    }
}

/// A set of messages: an operation and a direction, with the bindings that they go over.
pub(crate) type Messages = BTreeMap<(String, Direction), Bindings>;

/// The messages of one operation in one direction.
pub(crate) fn messages_of(
    operation: &Method,
    direction: Direction,
    bindings: Bindings,
) -> Messages {
    Messages::from([((operation.name.xml.clone(), direction), bindings)])
}

/// Adds messages to a set, and returns whether any of them was not in it.
pub(crate) fn merge(into: &mut Messages, messages: &Messages) -> bool {
    let mut is_new = false;
    for (message, bindings) in messages {
        let known = into.entry(message.clone()).or_insert(Bindings::NONE);
        is_new |= !bindings.without(*known).is_empty();
        *known = known.or(*bindings);
    }
    is_new
}

/// The messages that hold something.
#[derive(Debug, Clone)]
pub(crate) struct Usage {
    /// Those that are in both definitions.
    pub shared: Messages,
    /// Whether requests of either definition hold it.
    pub in_requests: bool,
    /// Whether responses of either definition hold it.
    pub in_responses: bool,
}

impl Usage {
    pub fn new(old: &Messages, new: &Messages) -> Self {
        let mut all = old.keys().chain(new.keys());
        let shared = old.iter().filter_map(|(message, bindings)| {
            let bindings = bindings.and(*new.get(message)?);
            Some((message.clone(), bindings))
        });
        Self {
            shared: shared.collect(),
            in_requests: all
                .clone()
                .any(|(_, direction)| *direction == Direction::Request),
            in_responses: all.any(|(_, direction)| *direction == Direction::Response),
        }
    }

    /// The messages of an operation in one direction, over those of the bindings that both definitions offer.
    pub fn of(old: &Method, new: &Method, direction: Direction, bindings: Bindings) -> Self {
        let bindings = bindings.and(old.bindings).and(new.bindings);
        Self {
            shared: messages_of(new, direction, bindings),
            in_requests: direction == Direction::Request,
            in_responses: direction == Direction::Response,
        }
    }

    /// No known message, but all Rust code.
    pub fn in_all_code() -> Self {
        Self {
            shared: Messages::new(),
            in_requests: true,
            in_responses: true,
        }
    }
}
