//! Messages between sides with different definitions, and sets of messages that contain an item.

use std::collections::BTreeMap;

use svcgen_codegen::model::{Binding, Bindings, Method, ResponseFormat};

use crate::class::{Audience, Verdict};

/// The direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Direction {
    Request,
    Response,
}

impl Direction {
    pub const ALL: [Self; 2] = [Self::Request, Self::Response];

    /// Returns the parts of such messages.
    pub fn parts(self) -> &'static str {
        match self {
            Self::Request => "parameters",
            Self::Response => "results",
        }
    }
}

/// The notation of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Notation {
    Xml,
    Form,
    Json,
}

impl Notation {
    fn of(operation: &Method, direction: Direction, binding: Binding) -> Self {
        let is_request = direction == Direction::Request;
        let answers_json = operation.script.response_format == ResponseFormat::Json;
        if Bindings::SCRIPT.contains(binding) && (is_request || answers_json) {
            Self::Json
        } else if Bindings::FORMS.contains(binding) && is_request {
            Self::Form
        } else {
            Self::Xml
        }
    }
}

/// One message, from a writer to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Message {
    /// The client's side of the call: an existing caller of the new server, or a new client of the
    /// old server.
    pub audience: Audience,
    pub direction: Direction,
    pub binding: Binding,
    pub notation: Notation,
}

/// The result of reading a message.
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

    pub fn is_xml(self) -> bool {
        self.notation == Notation::Xml
    }

    pub fn is_form(self) -> bool {
        self.notation == Notation::Form
    }

    pub fn is_json(self) -> bool {
        self.notation == Notation::Json
    }

    /// Orders the values of both definitions by writer and reader.
    pub fn ends<T>(self, old: T, new: T) -> (T, T) {
        if self.is_forward() {
            (old, new)
        } else {
            (new, old)
        }
    }

    /// Whether the reader is an existing caller, which can use any SOAP stack.
    pub fn is_any_caller(self) -> bool {
        self.audience == Audience::Callers && self.direction == Direction::Response
    }

    /// Whether the reader is an existing caller that may validate the message against the schema.
    pub fn may_be_held_to_schema(self) -> bool {
        self.is_xml() && self.is_any_caller()
    }

    /// Returns the name of the attribute or member with the type of an object.
    pub fn type_mark(self) -> &'static str {
        if self.is_json() {
            "`__type`"
        } else {
            "`xsi:type`"
        }
    }

    /// Returns the reader and its verb: `callers read`.
    pub fn reads(self) -> &'static str {
        match (self.audience, self.direction) {
            (Audience::Callers, Direction::Request) => "the handler sees",
            (Audience::Callers, Direction::Response) => "callers read",
            (_, Direction::Request) => "the old server reads",
            (_, Direction::Response) => "new clients read",
        }
    }

    /// Returns the reader of a response.
    pub fn caller(self) -> &'static str {
        match self.audience {
            Audience::Callers => "callers",
            _ => "new clients",
        }
    }
}

/// A set of messages: an operation, a direction and a notation, with the bindings over which they
/// are sent.
pub(crate) type Messages = BTreeMap<(String, Direction, Notation), Bindings>;

/// The messages of one operation in one direction.
pub(crate) fn messages_of(
    operation: &Method,
    direction: Direction,
    bindings: Bindings,
) -> Messages {
    let mut messages = Messages::new();
    for binding in bindings.iter() {
        let notation = Notation::of(operation, direction, binding);
        let key = (operation.name.xml.clone(), direction, notation);
        let known = messages.entry(key).or_insert(Bindings::NONE);
        *known = known.with(binding);
    }
    messages
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

/// The messages that contain an item.
#[derive(Debug, Clone)]
pub(crate) struct Usage {
    /// The messages that are in both definitions.
    pub shared: Messages,
    /// Whether requests of either definition contain it.
    pub in_requests: bool,
    /// Whether responses of either definition contain it.
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
                .any(|(_, direction, _)| *direction == Direction::Request),
            in_responses: all.any(|(_, direction, _)| *direction == Direction::Response),
        }
    }

    /// Returns the messages of an operation in one direction and notation, over the bindings that
    /// both definitions offer.
    pub fn of(old: &Method, new: &Method, direction: Direction, bindings: Bindings) -> Self {
        let bindings = bindings.and(old.bindings).and(new.bindings);
        let notation = |operation, binding| Notation::of(operation, direction, binding);
        let is_same = |binding: &Binding| notation(old, *binding) == notation(new, *binding);
        let bindings = bindings.iter().filter(is_same).collect();
        Self {
            shared: messages_of(new, direction, bindings),
            in_requests: direction == Direction::Request,
            in_responses: direction == Direction::Response,
        }
    }

    /// Returns the usage of an item in no known message, but in all Rust code.
    pub fn in_all_code() -> Self {
        Self {
            shared: Messages::new(),
            in_requests: true,
            in_responses: true,
        }
    }
}
