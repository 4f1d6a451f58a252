//! Enumerations.

mod values;

use std::collections::HashMap;

use crate::class::Audience;
use crate::codes::Kind;
use crate::finding::{Dependents, Subject, keep_on_wire};
use crate::message::{Direction, Reading};
use crate::sides::Sides;
use svcgen_codegen::model::Enumeration;
use values::Both;

impl Sides<'_> {
    pub(crate) fn enumerations(&mut self) {
        let (old, new) = (&self.old.enumerations, &self.new.enumerations);
        for added in &self.enumerations.added {
            self.findings
                .push(subject(&new[*added]).added(Kind::EnumerationAdded));
        }
        for removed in self.enumerations.removed.clone() {
            let removed = &old[removed];
            let why = format!("`{}` is gone", removed.name.rust);
            let finding = subject(removed).removed(Kind::EnumerationRemoved);
            self.find(finding.in_source(Dependents::Users, why));
        }
        for (old_id, new_id) in self.enumerations.both.clone() {
            let (old, new) = (&old[old_id], &new[new_id]);
            let old_uses = &self.old_reachability.enumerations[old_id];
            let new_uses = &self.new_reachability.enumerations[new_id];
            let usage = self.usage_in(old_uses, new_uses);
            let both = Both {
                old,
                new,
                subject: subject(new).from(&subject(old)).used(usage),
            };
            self.enumeration(&both);
            self.values(&both);
        }
    }

    fn enumeration(&mut self, both: &Both<'_>) {
        let Both { old, new, .. } = both;
        self.enumeration_renamed(both);
        let item = format!("`{}`", old.name.rust);
        let (subject, names) = (&both.subject, (&old.name, &new.name));
        self.rust_name(subject, Kind::EnumerationRustName, &item, names);
        if old.rust_type != new.rust_type {
            let said = "is another type of Rust; its values on the wire are not compared if it is not of this module";
            let why = format!("`{}` is another type", new.name.rust);
            let finding = subject.finding(Kind::EnumerationRustType, said);
            self.find(finding.in_source(Dependents::Users, why));
        }
        self.openness_changed(both);
        self.values_moved(both);
        self.default_value_changed(both);
        let (was, is) = (&old.documentation, &new.documentation);
        self.documentation(&both.subject, Kind::EnumerationDoc, was, is);
    }

    fn enumeration_renamed(&mut self, both: &Both<'_>) {
        let (was, is) = (&both.old.name.xml, &both.new.name.xml);
        if was == is {
            return;
        }
        let finding = both.subject.part(subject(both.old).words).renamed(
            Kind::EnumerationRenamed,
            &both.subject,
            is,
            " with the same values",
        );
        let finding = finding.on_wire(|_| {
            Reading::works(
                "the name of an enumeration is on the wire only where the changes of results and lists say so",
            )
        });
        self.find(finding.help(keep_on_wire(was)));
    }

    /// Whether names that are not listed are kept.
    fn openness_changed(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.is_open, both.new.is_open);
        if was == is {
            return;
        }
        let (said, why) = if is {
            (
                "is open now: it keeps names that it does not list",
                "has a variant for other names, and is no `Copy` any more",
            )
        } else {
            (
                "is not open any more",
                "has no variant for other names any more",
            )
        };
        let why = format!("`{}` {why}", both.new.name.rust);
        let finding = both.subject.at("open").finding(Kind::EnumerationOpen, said);
        let finding = finding.on_wire(|message| match message.ends(was, is) {
            (true, _) if is => Reading::depends("a name that is not listed is refused"),
            (true, _) => Reading::breaks("a name that is not listed was kept, and is refused"),
            (false, _) => Reading::works("the names that are listed read as before"),
        });
        self.find(finding.in_source(Dependents::Users, why));
    }

    /// Forms may hold the index of a value instead of its name.
    fn values_moved(&mut self, both: &Both<'_>) {
        let new = both.new.values.iter().zip(0..);
        let index: HashMap<&str, usize> = new.map(|(value, is)| (&*value.name.xml, is)).collect();
        let moved = both.old.values.iter().enumerate().find_map(|(was, value)| {
            let is = *index.get(&*value.name.xml)?;
            (was != is).then_some((&value.name.xml, was, is))
        });
        let Some((name, was, is)) = moved else {
            return;
        };
        let words = format!("the values of `{}`", both.new.name.xml);
        let finding = both.subject.part(words);
        let finding = finding.finding(Kind::ValueOrder, "have other indexes");
        let mut finding = finding.on_wire(|message| {
            message.is_form().then(|| Reading::depends(format!(
                "a form that holds an index, as .NET allows, means another value: `{name}` was {was} and is {is}"
            )))
        });
        if finding.change.effects.is_empty() {
            finding = finding.on_wire(|_| Reading::works("values are told apart by their names"));
        }
        self.find(finding);
    }

    /// What is missing is read as the first value.
    fn default_value_changed(&mut self, both: &Both<'_>) {
        let (Some(was), Some(is)) = (both.old.values.first(), both.new.values.first()) else {
            return;
        };
        let (was, is) = (&was.name.xml, &is.name.xml);
        if was == is {
            return;
        }
        let words = format!("the default of `{}`", both.new.name.xml);
        let said = format!("is `{is}` where it was `{was}`");
        let finding = both.subject.part(words).finding(Kind::ValueDefault, &said);
        self.find(finding.on_wire(|message| {
            let is_element = message.direction == Direction::Request && !message.is_form();
            (is_element && message.audience == Audience::Callers).then(|| {
                Reading::depends(format!(
                    "a request without the element is read as `{is}`, and was read as `{was}`"
                ))
            })
        }));
    }
}

fn subject(enumeration: &Enumeration) -> Subject {
    let name = &enumeration.name.xml;
    let words = format!("the enumeration `{name}`");
    Subject::new(words, format!("enums/{name}"))
}
