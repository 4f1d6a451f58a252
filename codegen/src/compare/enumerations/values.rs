//! Values of enumerations.

use super::Both;
use crate::compare::effects::{Code, wire};
use crate::compare::matching::{Matched, matched};
use crate::compare::reach::Role;
use crate::compare::reading::{Reading, Road};
use crate::compare::{Compare, Finding};
use crate::model::{Enumeration, EnumerationValue};

impl Compare<'_> {
    pub(super) fn values(&self, both: &Both<'_>) -> Vec<Finding> {
        let (old, new) = (&both.old.values, &both.new.values);
        let place = |values: &[EnumerationValue], wanted: &EnumerationValue| {
            values.iter().position(|value| std::ptr::eq(value, wanted))
        };
        let Matched {
            both: values,
            renamed,
            removed,
            added,
        } = matched(
            old,
            new,
            |value| &value.name.xml,
            |was, is| place(old, was) == place(new, is) && old.len() == new.len(),
        );
        let mut found = Vec::new();
        found.extend(added.iter().map(|value| self.value_added(both, value)));
        found.extend(removed.iter().map(|value| self.value_removed(both, value)));
        found.extend(
            renamed
                .iter()
                .map(|(was, is)| self.value_renamed(both, was, is)),
        );
        for (was, is) in values {
            found.extend(self.value_rust_name(both, was, is));
            found.extend(value_documentation(both, was, is));
        }
        found
    }

    fn value_added(&self, both: &Both<'_>, value: &EnumerationValue) -> Finding {
        let (name, rust) = (&value.name.xml, &both.new.name.rust);
        let what = format!("{} is new", subject(both, value));
        let why = format!("a `match` on `{rust}` that names every variant lacks one");
        Finding::at("value-added", "", what)
            .moved(None, value_keys(both.new, value))
            .with(wire(&both.messages.wire, |road| {
                Some(match road.is_forward() {
                    true => Reading::works(format!("no `{name}` is sent")),
                    false => unknown_name(both, name, road),
                })
            }))
            .with(self.source(&both.messages, Code::Readers, &why))
            .help("answer it only to callers that know it: an operation of its own, or a value that they sent first")
    }

    fn value_removed(&self, both: &Both<'_>, value: &EnumerationValue) -> Finding {
        let (name, rust) = (&value.name.xml, &value.name.rust);
        let why = format!("`{}::{rust}` is gone", both.new.name.rust);
        Finding::at(
            "value-removed",
            "",
            format!("{} is gone", subject(both, value)),
        )
        .moved(value_keys(both.old, value), None)
        .with(wire(&both.messages.wire, |road| {
            Some(match road.is_forward() {
                true => unknown_name(both, name, road),
                false => Reading::works(format!("no `{name}` is sent")),
            })
        }))
        .with(self.source(&both.messages, Code::Users, &why))
        .help("keep it, and let the handler refuse it with a fault that says why")
    }

    fn value_renamed(
        &self,
        both: &Both<'_>,
        was: &EnumerationValue,
        is: &EnumerationValue,
    ) -> Finding {
        let (from, to) = (&was.name, &is.name);
        let what = format!(
            "{} is gone and `{}` stands in its place: probably renamed",
            subject(both, was),
            to.xml
        );
        let why = format!(
            "`{}::{}` is `{}` now",
            both.new.name.rust, from.rust, to.rust
        );
        let source = match from.rust == to.rust {
            true => Vec::new(),
            false => self.source(&both.messages, Code::Users, &why),
        };
        Finding::at("value-renamed", "", what)
            .moved(value_keys(both.old, was), value_keys(both.new, is))
            .with(wire(&both.messages.wire, |road| {
                let (sent, _) = road.ends(&from.xml, &to.xml);
                Some(unknown_name(both, sent, road))
            }))
            .with(source)
            .help(format!(
                "keep `{}` on the wire and rename it in Rust only: `- {}: {{ rust: … }}`",
                from.xml, from.xml
            ))
    }

    fn value_rust_name(
        &self,
        both: &Both<'_>,
        was: &EnumerationValue,
        is: &EnumerationValue,
    ) -> Option<Finding> {
        let (from, to) = (&was.name.rust, &is.name.rust);
        let what = format!(
            "{} is `{to}` in Rust where it was `{from}`",
            subject(both, is)
        );
        let why = format!("`{}::{from}` is `{to}` now", both.new.name.rust);
        (from != to).then(|| {
            Finding::at("value-rust-name", "", what)
                .moved(value_keys(both.old, was), value_keys(both.new, is))
                .with(self.source(&both.messages, Code::Users, &why))
        })
    }
}

fn value_documentation(
    both: &Both<'_>,
    was: &EnumerationValue,
    is: &EnumerationValue,
) -> Option<Finding> {
    let what = format!("{} is documented otherwise", subject(both, is));
    (was.documentation != is.documentation).then(|| {
        Finding::documentation("value-doc", "", what)
            .moved(value_keys(both.old, was), value_keys(both.new, is))
    })
}

fn unknown_name(both: &Both<'_>, name: &str, road: Road) -> Reading {
    let (_, reader_is_open) = road.ends(both.old.is_open, both.new.is_open);
    match (reader_is_open, road.is_any_caller()) {
        (true, false) => {
            return Reading::works(format!("`{name}` is kept as a name that is not listed"));
        }
        (true, true) => {
            return Reading::depends(format!(
                "callers of svcgen keep `{name}` as a name that is not listed, those that know the listed ones alone refuse it"
            ));
        }
        (false, _) => {}
    }
    Reading::breaks(match road.role {
        Role::Request => format!("a request with `{name}` is refused"),
        Role::Answer => {
            let reader = road.reader();
            format!("an answer with `{name}` is refused: {reader} do not know it")
        }
    })
}

fn subject(both: &Both<'_>, value: &EnumerationValue) -> String {
    format!("the value `{}` of `{}`", value.name.xml, both.new.name.xml)
}

fn value_keys(enumeration: &Enumeration, value: &EnumerationValue) -> Option<String> {
    Some(format!(
        "enums/{}/values/{}",
        enumeration.name.xml, value.name.xml
    ))
}
