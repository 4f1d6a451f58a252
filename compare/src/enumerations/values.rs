//! Values of enumerations.

use crate::codes::Kind;
use crate::finding::{Dependents, Subject};
use crate::matching::matched;
use crate::message::{Direction, Message, Reading};
use crate::sides::Sides;
use svcgen_codegen::model::{Enumeration, EnumerationValue};

/// An enumeration on both sides.
pub(crate) struct Both<'m> {
    pub old: &'m Enumeration,
    pub new: &'m Enumeration,
    pub subject: Subject,
}

impl Both<'_> {
    fn value(&self, name: &str) -> Subject {
        let words = format!("the value `{name}` of `{}`", self.new.name.xml);
        let values = self.subject.part(words);
        values.at(&format!("values/{name}"))
    }
}

impl Sides<'_> {
    pub(crate) fn values(&mut self, both: &Both<'_>) {
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
                let (item, names) = (variant(both, was), (&was.name, &is.name));
                self.rust_name(&subject, Kind::ValueRustName, &item, names);
                let (was, is) = (&was.documentation, &is.documentation);
                self.documentation(&subject, Kind::ValueDoc, was, is);
            } else {
                self.value_renamed(both, was, is);
            }
        }
    }

    fn value_added(&mut self, both: &Both<'_>, value: &EnumerationValue) {
        let (name, rust) = (&value.name.xml, &both.new.name.rust);
        let why = format!("a `match` on `{rust}` that names every variant lacks one");
        let finding = both.value(name).added(Kind::ValueAdded);
        let finding = finding.on_wire(|message| {
            if message.is_forward() {
                return Reading::works(format!("no `{name}` is sent"));
            }
            unknown_name(both, name, message)
        });
        self.find(finding.in_source(Dependents::Readers, why));
    }

    fn value_removed(&mut self, both: &Both<'_>, value: &EnumerationValue) {
        let name = &value.name.xml;
        let why = format!("{} is gone", variant(both, value));
        let finding = both.value(name).removed(Kind::ValueRemoved);
        let finding = finding.on_wire(|message| {
            if message.is_forward() {
                return unknown_name(both, name, message);
            }
            Reading::works(format!("no `{name}` is sent"))
        });
        self.find(finding.in_source(Dependents::Users, why));
    }

    fn value_renamed(&mut self, both: &Both<'_>, was: &EnumerationValue, is: &EnumerationValue) {
        let (from, to) = (&was.name, &is.name);
        let said = format!(
            "is gone and `{}` stands in its place: probably renamed",
            to.xml
        );
        let subject = both.value(&from.xml).to(&both.value(&to.xml));
        let finding = subject.finding(Kind::ValueRenamed, &said);
        let finding = finding
            .on_wire(|message| unknown_name(both, message.ends(&from.xml, &to.xml).0, message));
        let item = variant(both, was);
        let finding = finding.renamed_in_rust(&item, &from.rust, &to.rust);
        self.find(finding.help(format!(
            "keep `{}` on the wire and rename it in Rust only: `- {}: {{ rust: … }}`",
            from.xml, from.xml
        )));
    }
}

/// `` `Pet::Cat` ``.
fn variant(both: &Both<'_>, value: &EnumerationValue) -> String {
    format!("`{}::{}`", both.new.name.rust, value.name.rust)
}

fn unknown_name(both: &Both<'_>, name: &str, message: Message) -> Reading {
    let (_, reader_is_open) = message.ends(both.old.is_open, both.new.is_open);
    match (reader_is_open, message.direction) {
        (true, _) if message.is_any_caller() => Reading::depends(format!(
            "callers of svcgen keep `{name}` as a name that is not listed, those that know the listed ones alone refuse it"
        )),
        (true, _) => Reading::works(format!("`{name}` is kept as a name that is not listed")),
        (false, Direction::Request) => {
            Reading::breaks(format!("a request with `{name}` is refused"))
        }
        (false, Direction::Response) => {
            let reader = message.reader();
            Reading::breaks(format!(
                "an answer with `{name}` is refused: {reader} do not know it"
            ))
        }
    }
}
