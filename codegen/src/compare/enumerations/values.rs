//! Values of enumerations.

use super::Both;
use crate::compare::Compare;
use crate::compare::effects::Code;
use crate::compare::matching::matched;
use crate::compare::reach::Role;
use crate::compare::reading::{Reading, Road};
use crate::model::EnumerationValue;

impl Compare<'_> {
    pub(super) fn values(&mut self, both: &Both<'_>) {
        let (old, new) = (&both.old.values, &both.new.values);
        let place = |values: &[EnumerationValue], wanted: &EnumerationValue| {
            values.iter().position(|value| std::ptr::eq(value, wanted))
        };
        let values = matched(
            old,
            new,
            |value| &value.name.xml,
            |was, is| place(old, was) == place(new, is) && old.len() == new.len(),
        );
        for added in values.added {
            self.value_added(both, &new[added]);
        }
        for removed in values.removed {
            self.value_removed(both, &old[removed]);
        }
        for (was, is) in values.both {
            let (was, is) = (&old[was], &new[is]);
            if was.name.xml == is.name.xml {
                let subject = both.value(&is.name.xml);
                let names = (&*was.name.rust, &*is.name.rust);
                self.rust_name(&subject, &both.messages, &variant(both, was), names);
                self.documentation(&subject, &was.documentation, &is.documentation);
            } else {
                self.value_renamed(both, was, is);
            }
        }
    }

    fn value_added(&mut self, both: &Both<'_>, value: &EnumerationValue) {
        let (name, rust) = (&value.name.xml, &both.new.name.rust);
        let why = format!("a `match` on `{rust}` that names every variant lacks one");
        let finding = both.value(name).added();
        let finding = finding.on_wire(&both.messages.wire, |road| {
            if road.is_forward() {
                return Reading::works(format!("no `{name}` is sent"));
            }
            unknown_name(both, name, road)
        });
        let source = self.source(&both.messages, Code::Readers, &why);
        self.find(finding.with(source).help(
            "answer it only to callers that know it: an operation of its own, or a value that they sent first",
        ));
    }

    fn value_removed(&mut self, both: &Both<'_>, value: &EnumerationValue) {
        let name = &value.name.xml;
        let why = format!("{} is gone", variant(both, value));
        let finding = both.value(name).removed();
        let finding = finding.on_wire(&both.messages.wire, |road| {
            if road.is_forward() {
                return unknown_name(both, name, road);
            }
            Reading::works(format!("no `{name}` is sent"))
        });
        let source = self.source(&both.messages, Code::Users, &why);
        self.find(
            finding
                .with(source)
                .help("keep it, and let the handler refuse it with a fault that says why"),
        );
    }

    fn value_renamed(&mut self, both: &Both<'_>, was: &EnumerationValue, is: &EnumerationValue) {
        let (from, to) = (&was.name, &is.name);
        let said = format!(
            "is gone and `{}` stands in its place: probably renamed",
            to.xml
        );
        let subject = both.value(&from.xml).to(&both.value(&to.xml));
        let finding = subject.finding("renamed", &said);
        let finding = finding.on_wire(&both.messages.wire, |road| {
            unknown_name(both, road.ends(&from.xml, &to.xml).0, road)
        });
        let item = variant(both, was);
        let source = self.renamed_source(&both.messages, &item, &from.rust, &to.rust);
        self.find(finding.with(source).help(format!(
            "keep `{}` on the wire and rename it in Rust only: `- {}: {{ rust: … }}`",
            from.xml, from.xml
        )));
    }
}

/// `` `Pet::Cat` ``.
fn variant(both: &Both<'_>, value: &EnumerationValue) -> String {
    format!("`{}::{}`", both.new.name.rust, value.name.rust)
}

fn unknown_name(both: &Both<'_>, name: &str, road: Road) -> Reading {
    let (_, reader_is_open) = road.ends(both.old.is_open, both.new.is_open);
    match (reader_is_open, road.role) {
        (true, _) if road.is_any_caller() => Reading::depends(format!(
            "callers of svcgen keep `{name}` as a name that is not listed, those that know the listed ones alone refuse it"
        )),
        (true, _) => Reading::works(format!("`{name}` is kept as a name that is not listed")),
        (false, Role::Request) => Reading::breaks(format!("a request with `{name}` is refused")),
        (false, Role::Answer) => {
            let reader = road.reader();
            Reading::breaks(format!(
                "an answer with `{name}` is refused: {reader} do not know it"
            ))
        }
    }
}
