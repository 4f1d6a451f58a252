//! Enumerations and their values.

use std::collections::HashMap;
use std::rc::Rc;

use crate::class::Audience;
use crate::codes::Kind;
use crate::finding::{Dependents, Subject};
use crate::matching::matched;
use crate::member::in_words;
use crate::message::{Direction, Message, Reading};
use crate::sides::Sides;
use svcgen_codegen::model::{Enumeration, EnumerationId, EnumerationValue, TypeRef};

/// An enumeration in both definitions.
struct Both<'m> {
    old: &'m Enumeration,
    new: &'m Enumeration,
    subject: Subject,
}

impl Both<'_> {
    fn value(&self, name: &str) -> Subject {
        let words = format!("the value `{name}` of `{}`", self.new.name.xml);
        self.subject.part(words).at(&format!("values/{name}"))
    }

    /// `` `Pet::Cat` ``.
    fn variant(&self, value: &EnumerationValue) -> String {
        format!("`{}::{}`", self.new.name.rust, value.name.rust)
    }

    /// The reading of a value that the reader does not know.
    fn unknown(&self, name: &str, message: Message) -> Reading {
        let (_, reader_is_open) = message.ends(self.old.is_open, self.new.is_open);
        if reader_is_open && message.is_any_caller() {
            Reading::depends(format!(
                "callers of svcgen keep `{name}` as a name that is not listed, those that know the listed ones alone refuse it"
            ))
        } else if reader_is_open {
            Reading::works(format!("`{name}` is kept as a name that is not listed"))
        } else if message.direction == Direction::Request {
            Reading::breaks(format!("a request with `{name}` is refused"))
        } else {
            let caller = message.caller();
            Reading::breaks(format!(
                "an answer with `{name}` is refused: {caller} do not know it"
            ))
        }
    }
}

impl Sides<'_> {
    pub(crate) fn enumerations(&mut self) {
        let (old, new) = (&self.old.model.enumerations, &self.new.model.enumerations);
        let matched = Rc::clone(&self.enumerations);
        for added in &matched.added {
            self.find(subject(&new[*added]).added(Kind::EnumerationAdded));
        }
        for removed in &matched.removed {
            let removed = &old[*removed];
            let why = format!("`{}` is gone", removed.name.rust);
            let finding = subject(removed).removed(Kind::EnumerationRemoved);
            self.find(finding.in_source(Dependents::Users, why));
        }
        for (old_id, new_id) in &matched.both {
            let (old, new) = (&old[*old_id], &new[*new_id]);
            let usage = self.usage(
                &self.old.reachability.enumerations[*old_id],
                &self.new.reachability.enumerations[*new_id],
            );
            let subject = subject(new).moved_from(subject(old)).used(usage);
            let [was, is] = [*old_id, *new_id].map(|id| TypeRef::Enumeration(EnumerationId(id)));
            self.script_type(&subject, &was, &is);
            self.enumeration(&Both { old, new, subject });
        }
    }

    fn enumeration(&mut self, both: &Both<'_>) {
        let Both { old, new, subject } = both;
        self.enumeration_name(both);
        let item = format!("`{}`", old.name.rust);
        let names = (&old.name, &new.name);
        self.rust_name(subject, Kind::EnumerationRustName, &item, names);
        if old.rust_type != new.rust_type {
            let what = "is another type of Rust; its values on the wire are not compared if it is not of this module";
            let why = format!("`{}` is another type", new.name.rust);
            let finding = subject.finding(Kind::EnumerationRustType, what);
            self.find(finding.in_source(Dependents::Users, why));
        }
        self.openness(both);
        self.flags(both);
        self.enumeration_namespace(both);
        self.base(both);
        self.enumeration_net(both);
        self.numbers(both);
        self.default_value(both);
        let (was, is) = (&old.documentation, &new.documentation);
        self.documentation(subject, Kind::EnumerationDoc, was, is);
        self.values(both);
    }

    fn enumeration_name(&mut self, both: &Both<'_>) {
        let (was, is) = (&both.old.name.xml, &both.new.name.xml);
        if was != is {
            let old = both.subject.part(subject(both.old).words);
            let like = " with the same values";
            let names = (&both.old.name, &both.new.name);
            let finding = old.renamed(Kind::EnumerationRenamed, &both.subject, names, like);
            let why = "the name of an enumeration is on the wire only where the changes of results and lists say so";
            self.find(finding.on_wire(|_| Reading::works(why)).keep_on_wire(was));
        }
    }

    /// Compares whether unlisted names are kept.
    fn openness(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.is_open, both.new.is_open);
        if was == is {
            return;
        }
        let (what, why) = if is {
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
        let finding = both.subject.at("open").finding(Kind::EnumerationOpen, what);
        let finding = finding.on_wire(|message| {
            let (writer_is_open, _) = message.ends(was, is);
            if !writer_is_open {
                Reading::works("the names that are listed read as before")
            } else if is {
                Reading::depends("a name that is not listed is refused")
            } else {
                Reading::breaks("a name that is not listed was kept, and is refused")
            }
        });
        self.find(finding.in_source(Dependents::Users, why));
    }

    /// Compares whether a value is a set of the listed ones.
    fn flags(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.is_flags, both.new.is_flags);
        let now = ["has sets of its values now", "has single values now"];
        let subject = both.subject.at("flags");
        let switched = subject.switched(Kind::EnumerationFlags, [was, is], now);
        let Some(finding) = switched else { return };
        let finding = finding.on_wire(|message| {
            let (_, reads_sets) = message.ends(was, is);
            if reads_sets {
                Reading::works("one name is a set of one")
            } else {
                Reading::breaks("a set of several names, or of none, is refused")
            }
        });
        let why = format!("`{}` is an enum or a struct", both.new.name.rust);
        self.find(finding.in_source(Dependents::Users, why));
    }

    /// Compares the namespace, which values of any type contain.
    fn enumeration_namespace(&mut self, both: &Both<'_>) {
        let (was, is) = (&both.old.namespace, &both.new.namespace);
        let [was_in, is_in] = [
            in_words(self.old.model, was.as_deref()),
            in_words(self.new.model, is.as_deref()),
        ];
        // A change of the service's own namespace is reported for the service.
        if was == is || was_in == is_in {
            return;
        }
        let what = format!("is in {is_in} where it was in {was_in}");
        let subject = both.subject.at("namespace");
        let finding = subject.finding(Kind::EnumerationNamespace, what);
        self.find(finding.on_wire(|message| {
            if !message.is_xml() {
                return Reading::works("forms and JSON hold no namespaces");
            }
            Reading::depends(
                "a value of `anyType` names the type with its namespace; as an element its text is the same",
            )
        }));
    }

    /// Compares the simple types of the values' texts.
    fn base(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.base, both.new.base);
        if was == is {
            return;
        }
        let what = format!(
            "has values of `{}` where it had `{}`",
            is.name(),
            was.name()
        );
        let finding = both.subject.at("base").finding(Kind::EnumerationBase, what);
        self.find(finding.on_wire(|_| Reading::works("values are compared as texts")));
    }

    /// Compares the name of the type in .NET, which errors contain.
    fn enumeration_net(&mut self, both: &Both<'_>) {
        if both.old.net != both.new.net {
            let what = "has another name in .NET";
            let finding = both.subject.at("net").finding(Kind::EnumerationNet, what);
            self.find(finding.on_wire(|_| Reading::works("values are written without it")));
        }
    }

    /// Compares the numbers of values. Forms may contain them instead of names, JSON contains only
    /// them.
    fn numbers(&mut self, both: &Both<'_>) {
        let new = both.new.values.iter().zip(both.new.numbers());
        let number: HashMap<&str, i64> = new.map(|(value, is)| (&*value.name.xml, is)).collect();
        let mut old = both.old.values.iter().zip(both.old.numbers());
        let moved = old.find_map(|(value, was)| {
            let is = *number.get(&*value.name.xml)?;
            (was != is).then_some((&value.name.xml, was, is))
        });
        let Some((name, was, is)) = moved else { return };
        let subject = both
            .subject
            .part(format!("the values of `{}`", both.new.name.xml));
        let finding = subject.finding(Kind::ValueOrder, "have other numbers");
        let mut finding = finding.on_wire(|message| {
            if message.is_form() {
                return Some(Reading::depends(format!(
                    "a form that holds a number, as .NET allows, means another value: `{name}` was {was} and is {is}"
                )));
            }
            message.is_json().then(|| Reading::breaks(format!(
                "values are numbers in JSON: `{name}` was {was} and is {is}"
            )))
        });
        if finding.effects.is_empty() {
            finding = finding.on_wire(|_| Reading::works("values are told apart by their names"));
        }
        self.find(finding);
    }

    /// Compares the first value, as which a missing value is read.
    fn default_value(&mut self, both: &Both<'_>) {
        let [was, is] = [both.old, both.new].map(|side| Some(&*side.values.first()?.name.xml));
        let (Some(was), Some(is)) = (was, is) else {
            return;
        };
        // Missing flags are the empty set.
        if both.old.is_flags || both.new.is_flags {
            return;
        }
        let subject = both
            .subject
            .part(format!("the default of `{}`", both.new.name.xml));
        let changed = subject.changed(Kind::ValueDefault, was, is);
        let Some(finding) = changed else { return };
        self.find(finding.on_wire(|message| {
            let is_element = message.direction == Direction::Request && !message.is_form();
            (is_element && message.audience == Audience::Callers).then(|| {
                Reading::depends(format!(
                    "a request without the element is read as `{is}`, and was read as `{was}`"
                ))
            })
        }));
    }

    fn values(&mut self, both: &Both<'_>) {
        let (old, new) = (&both.old.values, &both.new.values);
        let place = |values: &[EnumerationValue], wanted: &EnumerationValue| {
            values.iter().position(|value| std::ptr::eq(value, wanted))
        };
        let matched = matched(
            old,
            new,
            |value| &value.name.xml,
            |was, is| place(old, was) == place(new, is) && old.len() == new.len(),
        );
        for added in matched.added {
            self.value_added(both, &new[added]);
        }
        for removed in matched.removed {
            self.value_removed(both, &old[removed]);
        }
        for (was, is) in matched.both {
            let (old, new) = (&old[was], &new[is]);
            if old.name.xml == new.name.xml {
                let subject = both.value(&new.name.xml);
                let item = both.variant(old);
                let names = (&old.name, &new.name);
                self.rust_name(&subject, Kind::ValueRustName, &item, names);
                self.value_net(&subject, old, new);
                let (was, is) = (&old.documentation, &new.documentation);
                self.documentation(&subject, Kind::ValueDoc, was, is);
            } else {
                self.value_renamed(both, old, new);
            }
        }
    }

    /// Compares the name of a value in forms.
    fn value_net(&mut self, subject: &Subject, old: &EnumerationValue, new: &EnumerationValue) {
        let (was, is) = (old.field_name(), new.field_name());
        let finding = subject.changed(Kind::ValueNet, was, is);
        let Some(finding) = finding else { return };
        self.find(finding.on_wire(|message| {
            let (written, _) = message.ends(was, is);
            if message.is_json() {
                Reading::works("values are numbers in JSON")
            } else if !message.is_form() {
                Reading::works("the text in XML is the same")
            } else if written == new.name.xml {
                Reading::works("a server reads the text on the wire, too")
            } else {
                Reading::breaks(format!("a form with `{written}` is refused"))
            }
        }));
    }

    fn value_added(&mut self, both: &Both<'_>, value: &EnumerationValue) {
        let (name, rust) = (&value.name.xml, &both.new.name.rust);
        let finding = both.value(name).added(Kind::ValueAdded);
        let finding = finding.on_wire(|message| {
            if message.is_forward() {
                Reading::works(format!("no `{name}` is sent"))
            } else {
                both.unknown(name, message)
            }
        });
        let why = format!("a `match` on `{rust}` that names every variant lacks one");
        self.find(finding.in_source(Dependents::Readers, why));
    }

    fn value_removed(&mut self, both: &Both<'_>, value: &EnumerationValue) {
        let name = &value.name.xml;
        let finding = both.value(name).removed(Kind::ValueRemoved);
        let finding = finding.on_wire(|message| {
            if message.is_forward() {
                both.unknown(name, message)
            } else {
                Reading::works(format!("no `{name}` is sent"))
            }
        });
        let why = format!("{} is gone", both.variant(value));
        self.find(finding.in_source(Dependents::Users, why));
    }

    fn value_renamed(&mut self, both: &Both<'_>, old: &EnumerationValue, new: &EnumerationValue) {
        let (from, to) = (&old.name.xml, &new.name.xml);
        let (old_value, new_value) = (both.value(from), both.value(to));
        let what = format!("is gone and `{to}` stands in its place: probably renamed");
        let finding = new_value
            .part(old_value.words.clone())
            .moved_from(old_value)
            .finding(Kind::ValueRenamed, what)
            .on_wire(|message| {
                if message.is_json() && number(both.old, old) == number(both.new, new) {
                    return Reading::works("values are numbers in JSON, and this one is the same");
                }
                both.unknown(message.ends(from, to).0, message)
            })
            .renamed_in_rust(&both.variant(old), &old.name.rust, &new.name.rust);
        self.find(finding.help(format!(
            "keep `{from}` on the wire and rename it in Rust only: `- {from}: {{ rust: … }}`"
        )));
    }
}

/// The number of a value in .NET.
fn number(enumeration: &Enumeration, value: &EnumerationValue) -> Option<i64> {
    let mut values = enumeration.values.iter().zip(enumeration.numbers());
    let (_, number) = values.find(|(known, _)| known.name == value.name)?;
    Some(number)
}

fn subject(enumeration: &Enumeration) -> Subject {
    let name = &enumeration.name.key;
    Subject::new(format!("the enumeration `{name}`"), format!("enums/{name}"))
}
