//! Enumerations and their values.

mod values;

use super::change::{Audience, Effect};
use super::effects::{Code, Messages, wire};
use super::matching::enumerations;
use super::reach::Role;
use super::reading::Reading;
use super::{Compare, Finding};
use crate::model::{Enumeration, EnumerationValue};

/// An enumeration on both sides.
struct Both<'m> {
    old: &'m Enumeration,
    new: &'m Enumeration,
    messages: Messages,
}

/// A rule about an enumeration that is on both sides.
type Rule<'m> = fn(&Compare<'m>, &Both<'_>) -> Option<Finding>;

impl<'m> Compare<'m> {
    const ENUMERATION_RULES: [Rule<'m>; 7] = [
        Self::enumeration_renamed,
        Self::enumeration_rust_name,
        Self::enumeration_rust_type,
        Self::openness_changed,
        Self::values_moved,
        Self::default_value_changed,
        Self::enumeration_documentation,
    ];

    pub(super) fn enumerations(&mut self) {
        let (old, new) = (self.old, self.new);
        let matched = enumerations(old, new);
        let mut found = Vec::new();
        for enumeration in matched.added {
            let what = format!("the enumeration `{}` is new", enumeration.name.xml);
            let keys = Some(format!("enums/{}", enumeration.name.xml));
            found.push(Finding::at("enumeration-added", "", what).moved(None, keys));
        }
        for enumeration in matched.removed {
            let (name, rust) = (&enumeration.name.xml, &enumeration.name.rust);
            let finding = Finding::at(
                "enumeration-removed",
                "",
                format!("the enumeration `{name}` is gone"),
            );
            let finding = finding.moved(Some(format!("enums/{name}")), None);
            found.push(finding.with(self.all_source(&format!("`{rust}` is gone"))));
        }
        let mut pairs: Vec<_> = self.pairs.enumerations.iter().copied().collect();
        pairs.sort_unstable();
        for (old_id, new_id) in pairs {
            let both = Both {
                old: &old.enumerations[old_id],
                new: &new.enumerations[new_id],
                messages: self.messages_with(
                    &self.old_reach.enumerations[old_id],
                    &self.new_reach.enumerations[new_id],
                ),
            };
            found.extend(
                Self::ENUMERATION_RULES
                    .iter()
                    .filter_map(|rule| rule(self, &both)),
            );
            found.extend(self.values(&both));
        }
        self.findings.extend(found);
    }

    fn enumeration_renamed(&self, both: &Both<'_>) -> Option<Finding> {
        let (was, is) = (&both.old.name.xml, &both.new.name.xml);
        let what = format!(
            "the enumeration `{was}` is gone and `{is}` with the same values has come: probably renamed"
        );
        let effects = || {
            wire(&both.messages.wire, |_| {
                Some(Reading::works(
                    "the name of an enumeration is on the wire only where the changes of results and lists say so",
                ))
            })
        };
        (was != is).then(|| {
            Finding::at("enumeration-renamed", "", what)
                .moved(keys(both.old), keys(both.new))
                .with(effects())
                .help(format!(
                    "keep `{was}` on the wire and rename it in Rust only: `rust: …`"
                ))
        })
    }

    fn enumeration_rust_name(&self, both: &Both<'_>) -> Option<Finding> {
        let (was, is) = (&both.old.name.rust, &both.new.name.rust);
        let what = format!(
            "the enumeration `{}` is `{is}` in Rust where it was `{was}`",
            both.new.name.xml
        );
        (was != is).then(|| {
            Finding::at("enumeration-rust-name", "", what)
                .moved(keys(both.old), keys(both.new))
                .with(self.source(
                    &both.messages,
                    Code::Users,
                    &format!("`{was}` is `{is}` now"),
                ))
        })
    }

    fn enumeration_rust_type(&self, both: &Both<'_>) -> Option<Finding> {
        let name = &both.new.name;
        let what = format!(
            "the enumeration `{}` is another type of Rust; its values on the wire are not compared if it is not of this module",
            name.xml
        );
        (both.old.rust_type != both.new.rust_type).then(|| {
            Finding::at("enumeration-rust-type", "", what)
                .moved(keys(both.old), keys(both.new))
                .with(self.source(
                    &both.messages,
                    Code::Users,
                    &format!("`{}` is another type", name.rust),
                ))
        })
    }

    /// Whether names that are not listed are kept.
    fn openness_changed(&self, both: &Both<'_>) -> Option<Finding> {
        let (was, is) = (both.old.is_open, both.new.is_open);
        let name = &both.new.name;
        let (now, why) = match is {
            true => (
                "is open now: it keeps names that it does not list",
                "has a variant for other names, and is no `Copy` any more",
            ),
            false => (
                "is not open any more",
                "has no variant for other names any more",
            ),
        };
        let effects = || {
            wire(&both.messages.wire, |road| {
                Some(match road.ends(was, is) {
                    (true, _) if is => Reading::depends("a name that is not listed is refused"),
                    (true, _) => {
                        Reading::breaks("a name that is not listed was kept, and is refused")
                    }
                    (false, _) => Reading::works("the names that are listed read as before"),
                })
            })
        };
        (was != is).then(|| {
            let keys = |side: &Enumeration| Some(format!("enums/{}/open", side.name.xml));
            Finding::at(
                "enumeration-open",
                "",
                format!("the enumeration `{}` {now}", name.xml),
            )
            .moved(keys(both.old), keys(both.new))
            .with(effects())
            .with(self.source(
                &both.messages,
                Code::Users,
                &format!("`{}` {why}", name.rust),
            ))
        })
    }

    /// Forms may hold the index of a value instead of its name.
    fn values_moved(&self, both: &Both<'_>) -> Option<Finding> {
        let index = |values: &[EnumerationValue], name: &str| {
            values.iter().position(|value| value.name.xml == name)
        };
        let moved = both.old.values.iter().enumerate().find_map(|(was, value)| {
            let is = index(&both.new.values, &value.name.xml)?;
            (was != is).then_some((&value.name.xml, was, is))
        });
        let (name, was, is) = moved?;
        let effects = wire(&both.messages.wire, |road| {
            let why = format!(
                "a form that holds an index, as .NET allows, means another value: `{name}` was {was} and is {is}"
            );
            road.is_form().then(|| Reading::depends(why))
        });
        let effects = match effects.is_empty() {
            true => wire(&both.messages.wire, |_| {
                Some(Reading::works("values are told apart by their names"))
            }),
            false => effects,
        };
        let what = format!("the values of `{}` have other indexes", both.new.name.xml);
        Some(
            Finding::at("value-order", "", what)
                .moved(keys(both.old), keys(both.new))
                .with(effects)
                .help("put new values at the end and leave the others where they are"),
        )
    }

    /// What is missing is read as the first value.
    fn default_value_changed(&self, both: &Both<'_>) -> Option<Finding> {
        let (was, is) = (both.old.values.first()?, both.new.values.first()?);
        let (was, is) = (&was.name.xml, &is.name.xml);
        if was == is {
            return None;
        }
        let effects: Vec<Effect> = wire(&both.messages.wire, |road| {
            let why =
                format!("a request without the element is read as `{is}`, and was read as `{was}`");
            (road.role == Role::Request && !road.is_form() && road.audience == Audience::Callers)
                .then(|| Reading::depends(why))
        });
        let what = format!(
            "the default of `{}` is `{is}` where it was `{was}`",
            both.new.name.xml
        );
        Some(
            Finding::at("value-default", "", what)
                .moved(keys(both.old), keys(both.new))
                .with(effects),
        )
    }

    fn enumeration_documentation(&self, both: &Both<'_>) -> Option<Finding> {
        let what = format!(
            "the enumeration `{}` is documented otherwise",
            both.new.name.xml
        );
        (both.old.documentation != both.new.documentation).then(|| {
            Finding::documentation("enumeration-doc", "", what)
                .moved(keys(both.old), keys(both.new))
        })
    }
}

fn keys(enumeration: &Enumeration) -> Option<String> {
    Some(format!("enums/{}", enumeration.name.xml))
}
