//! The messages that hold something.

use std::collections::BTreeMap;

use svcgen_codegen::model::{Bindings, Method};

use crate::message::Direction;

/// Messages: those of an operation in one direction, with the bindings that they go over.
pub(crate) type Uses = BTreeMap<(String, Direction), Bindings>;

/// The messages of one operation in one direction.
pub(crate) fn uses_of(operation: &Method, direction: Direction, bindings: Bindings) -> Uses {
    Uses::from([((operation.name.xml.clone(), direction), bindings)])
}

/// Whether anything was new.
pub(crate) fn merge(into: &mut Uses, uses: &Uses) -> bool {
    let mut is_new = false;
    for (message, bindings) in uses {
        let known = into.entry(message.clone()).or_insert(Bindings::NONE);
        let all = known.or(*bindings);
        is_new |= all != *known;
        *known = all;
    }
    is_new
}

/// The messages that hold something, on both sides.
#[derive(Debug, Clone)]
pub(crate) struct Usage {
    /// Those that both sides have.
    pub wire: Uses,
    /// Whether callers write it, on any side.
    pub in_requests: bool,
    /// Whether callers read it, on any side.
    pub in_responses: bool,
}

impl Usage {
    pub fn new(old: &Uses, new: &Uses) -> Self {
        let has = |direction| {
            old.keys()
                .chain(new.keys())
                .any(|(_, other)| *other == direction)
        };
        let both = old.iter().filter_map(|(message, bindings)| {
            let bindings = bindings.and(*new.get(message)?);
            Some((message.clone(), bindings))
        });
        Self {
            wire: both.collect(),
            in_requests: has(Direction::Request),
            in_responses: has(Direction::Response),
        }
    }

    /// That of the messages of an operation in one direction over these bindings.
    pub fn of(old: &Method, new: &Method, direction: Direction, among: Bindings) -> Self {
        Self::new(
            &uses_of(old, direction, old.bindings.and(among)),
            &uses_of(new, direction, new.bindings.and(among)),
        )
    }

    /// Nobody knows which: all code is taken to notice.
    pub fn everywhere() -> Self {
        Self {
            wire: Uses::new(),
            in_requests: true,
            in_responses: true,
        }
    }
}
