//! A message, and what becomes of it.

use svcgen_codegen::model::Binding;

use crate::class::{Audience, Verdict};

/// The direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Direction {
    Request,
    Response,
}

impl Direction {
    /// What stands in such messages.
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
    /// Whose call it is.
    pub audience: Audience,
    pub direction: Direction,
    pub binding: Binding,
}

/// What becomes of a message.
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

    /// Of two sides, that of the writer and that of the reader.
    pub fn ends<T>(self, old: T, new: T) -> (T, T) {
        if self.is_forward() {
            (old, new)
        } else {
            (new, old)
        }
    }

    /// Whether the reader is any stack there is.
    pub fn is_any_caller(self) -> bool {
        self.audience == Audience::Callers && self.direction == Direction::Response
    }

    /// The reader, in words.
    pub fn reader(self) -> &'static str {
        match (self.audience, self.direction) {
            (Audience::Callers, Direction::Request) => "the handler",
            (Audience::Callers, Direction::Response) => "callers",
            (_, Direction::Request) => "the old server",
            (_, Direction::Response) => "new clients",
        }
    }

    /// `the handler sees`, `callers read`.
    pub fn reads(self) -> &'static str {
        match (self.audience, self.direction) {
            (Audience::Callers, Direction::Request) => "the handler sees",
            (Audience::Callers, Direction::Response) => "callers read",
            (_, Direction::Request) => "the old server reads",
            (_, Direction::Response) => "new clients read",
        }
    }
}
