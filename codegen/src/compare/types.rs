//! Complex types.

use std::collections::HashSet;

use super::effects::{Code, Messages, wire};
use super::matching::complex_types;
use super::members::{Owner, members_of};
use super::reach::ancestors;
use super::reading::{Member, Reading};
use super::{Compare, Finding};
use crate::model::{ComplexType, Element, Model};

/// A type on both sides: its numbers and itself.
struct Both<'m> {
    old_id: usize,
    new_id: usize,
    old: &'m ComplexType,
    new: &'m ComplexType,
    messages: Messages,
}

/// The attributes of a type, or its elements.
type List = fn(&ComplexType) -> &Vec<Element>;

/// A rule about a type that is on both sides.
type Rule<'m> = fn(&Compare<'m>, &Both<'_>) -> Vec<Finding>;

impl<'m> Compare<'m> {
    const TYPE_RULES: [Rule<'m>; 7] = [
        Self::type_renamed,
        Self::type_rust_name,
        Self::type_rust_type,
        Self::type_abstract,
        Self::family_changed,
        Self::content_changed,
        Self::type_documentation,
    ];

    pub(super) fn types(&mut self) {
        let (old, new) = (self.old, self.new);
        let matched = complex_types(old, new);
        for complex in matched.added {
            let what = format!("the type `{}` is new", complex.name.xml);
            let keys = format!("types/{}", complex.name.xml);
            self.find(Finding::at("type-added", "", what).moved(None, Some(keys)));
        }
        for complex in matched.removed {
            let finding = self.type_removed(complex);
            self.find(finding);
        }
        let mut pairs: Vec<_> = self.pairs.complex.iter().copied().collect();
        pairs.sort_unstable();
        for (old_id, new_id) in pairs {
            self.type_on_both_sides(old_id, new_id);
        }
    }

    fn type_removed(&self, complex: &ComplexType) -> Finding {
        let (name, rust) = (&complex.name.xml, &complex.name.rust);
        Finding::at("type-removed", "", format!("the type `{name}` is gone"))
            .moved(Some(format!("types/{name}")), None)
            .with(self.all_source(&format!("`{rust}` is gone")))
    }

    fn type_on_both_sides(&mut self, old_id: usize, new_id: usize) {
        let both = Both {
            old_id,
            new_id,
            old: &self.old.complex_types[old_id],
            new: &self.new.complex_types[new_id],
            messages: self.messages_with(
                &self.old_reach.complex[old_id],
                &self.new_reach.complex[new_id],
            ),
        };
        let found: Vec<_> = Self::TYPE_RULES
            .iter()
            .flat_map(|rule| rule(self, &both))
            .collect();
        self.findings.extend(found);
        self.attributes(&both);
        if both.old.text.is_some() == both.new.text.is_some() {
            self.text(&both);
            self.elements_of(&both);
        }
    }

    fn owner(&self, both: &Both<'_>, noun: &'static str, keys: &str) -> Owner {
        let within = |complex: &ComplexType| format!("types/{}{keys}", complex.name.xml);
        Owner {
            noun,
            of: format!(" of `{}`", both.new.name.xml),
            item: self.structs(both.new),
            old_keys: within(both.old),
            new_keys: within(both.new),
            inherited: (0, 0),
            messages: both.messages.clone(),
        }
    }

    /// The structs that have the fields of a type: its own, and those of the types that extend it.
    fn structs(&self, complex: &ComplexType) -> String {
        let Some(family) = &complex.family else {
            return complex.name.rust.clone();
        };
        let members = family.members.iter();
        let names = members.map(|member| {
            self.new.complex_types[member.complex_type.0]
                .name
                .rust
                .as_str()
        });
        names.collect::<Vec<_>>().join("` and `")
    }

    fn attributes(&mut self, both: &Both<'m>) {
        let owner = self.owner(both, "attribute", "/attributes");
        self.own(owner, both, |complex| &complex.attributes);
    }

    fn elements_of(&mut self, both: &Both<'m>) {
        let owner = self.owner(both, "element", "/elements");
        self.own(owner, both, |complex| &complex.elements);
    }

    /// The members of a type. One that moved between it and types that extend it is told to those alone that one side is without.
    fn own(&mut self, mut owner: Owner, both: &Both<'m>, list: List) {
        owner.inherited = self.inherited(both, list);
        let (old_types, new_types) = (&self.old.complex_types, &self.new.complex_types);
        let has = |complex: &ComplexType, member: &Member<'_>| {
            let mut members = list(complex).iter();
            members.any(|own| own.name.xml == member.element.name.xml)
        };
        let heirs = self.heirs(both);
        let heir_had =
            |member: &Member<'_>| heirs.iter().any(|(old, _)| has(&old_types[*old], member));
        let heir_has =
            |member: &Member<'_>| heirs.iter().any(|(_, new)| has(&new_types[*new], member));
        let (mut old, mut new) = (members_of(list(both.old)), members_of(list(both.new)));
        let (from_old, from_new) = owner.inherited;
        let down = old.extract_if(from_old.., |member| {
            !has(both.new, member) && heir_has(member)
        });
        let up = new.extract_if(from_new.., |member| {
            !has(both.old, member) && heir_had(member)
        });
        let down = down.map(|member| (member, true));
        let moved: Vec<_> = down.chain(up.map(|member| (member, false))).collect();
        self.members(&owner, &old, &new);
        for (member, is_gone) in moved {
            let is_noticed = |(old_id, new_id): &(usize, usize)| {
                let (was, is) = (&old_types[*old_id], &new_types[*new_id]);
                let has_values = !(was.is_abstract && is.is_abstract);
                has_values && !(has(was, &member) && has(is, &member))
            };
            let all = std::iter::once((both.old_id, both.new_id)).chain(heirs.iter().copied());
            let types: Vec<_> = all.filter(is_noticed).collect();
            if types.is_empty() {
                continue;
            }
            let owner = self.owner_in(&owner, &types);
            match is_gone {
                true => self.members(&owner, &[member], &[]),
                false => self.members(&owner, &[], &[member]),
            }
        }
    }

    /// The same owner, of whose members these types alone are told.
    fn owner_in(&self, owner: &Owner, types: &[(usize, usize)]) -> Owner {
        let names = types
            .iter()
            .map(|(_, new)| &self.new.complex_types[*new].name.rust);
        let names: Vec<_> = names.map(String::as_str).collect();
        let old = self.old_reach.of_values(types.iter().map(|(old, _)| *old));
        let new = self.new_reach.of_values(types.iter().map(|(_, new)| *new));
        Owner {
            item: names.join("` and `"),
            inherited: (0, 0),
            messages: self.messages_with(&old, &new),
            ..owner.clone()
        }
    }

    /// The numbers of the types that extend a type on both sides.
    fn heirs(&self, both: &Both<'_>) -> Vec<(usize, usize)> {
        let extends = |bases: &[Option<usize>], id: usize, base: usize| {
            ancestors(bases, id).any(|ancestor| ancestor == base)
        };
        let pairs = self.pairs.complex.iter().copied().filter(|(old, new)| {
            extends(&self.old_bases, *old, both.old_id)
                && extends(&self.new_bases, *new, both.new_id)
        });
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs
    }

    /// How many members come from a type that both sides extend, where what changes in them is told.
    fn inherited(&self, both: &Both<'_>, members: List) -> (usize, usize) {
        let of_old: Vec<_> = ancestors(&self.old_bases, both.old_id).collect();
        let mut shared = ancestors(&self.new_bases, both.new_id).filter_map(|new| {
            let old = of_old
                .iter()
                .find(|old| self.pairs.complex.contains(&(**old, new)))?;
            Some((
                members(&self.old.complex_types[*old]).len(),
                members(&self.new.complex_types[new]).len(),
            ))
        });
        shared.next().unwrap_or_default()
    }

    fn text(&mut self, both: &Both<'m>) {
        let (Some(old), Some(new)) = (&both.old.text, &both.new.text) else {
            return;
        };
        let owner = self.owner(both, "text", "");
        let (old, new) = (std::slice::from_ref(old), std::slice::from_ref(new));
        self.members(&owner, &members_of(old), &members_of(new));
    }

    fn type_renamed(&self, both: &Both<'_>) -> Vec<Finding> {
        let (was, is) = (&both.old.name.xml, &both.new.name.xml);
        if was == is {
            return Vec::new();
        }
        let is_said = self.is_told_by_its_name(both);
        let effects = wire(&both.messages.wire, |_| {
            Some(match is_said {
                true => Reading::breaks(format!(
                    "`xsi:type` says `{is}` on one side and `{was}` on the other: not recognized"
                )),
                false => Reading::works(
                    "the name of a type is on the wire only where the changes of results and lists say so",
                ),
            })
        });
        let what = format!(
            "the type `{was}` is gone and `{is}` with the same elements has come: probably renamed"
        );
        vec![
            Finding::at("type-renamed", "", what)
                .moved(Some(format!("types/{was}")), Some(format!("types/{is}")))
                .with(effects)
                .help(format!(
                    "keep `{was}` on the wire and rename it in Rust only: `rust: …`"
                )),
        ]
    }

    /// Whether `xsi:type` tells values of a type from others.
    fn is_told_by_its_name(&self, both: &Both<'_>) -> bool {
        self.new_bases[both.new_id].is_some() || both.new.family.is_some()
    }

    fn type_rust_name(&self, both: &Both<'_>) -> Vec<Finding> {
        let (was, is) = (&both.old.name.rust, &both.new.name.rust);
        if was == is {
            return Vec::new();
        }
        let why = format!("`{was}` is `{is}` now");
        let what = format!(
            "the type `{}` is `{is}` in Rust where it was `{was}`",
            both.new.name.xml
        );
        vec![
            Finding::at("type-rust-name", "", what)
                .moved(keys(both.old, "rust"), keys(both.new, "rust"))
                .with(self.source(&both.messages, Code::Users, &why)),
        ]
    }

    fn type_rust_type(&self, both: &Both<'_>) -> Vec<Finding> {
        if both.old.rust_type == both.new.rust_type {
            return Vec::new();
        }
        let what = match &both.new.rust_type {
            Some(path) => format!(
                "the type `{}` is imported from `{path}`; what that one is on the wire is not compared",
                both.new.name.xml
            ),
            None => format!(
                "the type `{}` is a struct of this module; what it was on the wire is not compared",
                both.new.name.xml
            ),
        };
        let why = format!("`{}` is another type", both.new.name.rust);
        vec![
            Finding::at("type-rust-type", "", what)
                .moved(keys(both.old, "rust_type"), keys(both.new, "rust_type"))
                .with(self.source(&both.messages, Code::Users, &why)),
        ]
    }

    fn type_abstract(&self, both: &Both<'_>) -> Vec<Finding> {
        if both.old.is_abstract == both.new.is_abstract {
            return Vec::new();
        }
        let name = &both.new.name.xml;
        let effects = wire(&both.messages.wire, |road| {
            let (written, _) = road.ends(both.old.is_abstract, both.new.is_abstract);
            Some(match written {
                false => Reading::breaks(format!(
                    "a `{name}` without `xsi:type` is refused where `{name}` is abstract"
                )),
                true => Reading::works(format!(
                    "every value says by `xsi:type` which type that extends `{name}` it is"
                )),
            })
        });
        let (now, why) = match both.new.is_abstract {
            true => ("abstract", "and has no struct any more"),
            false => ("not abstract any more", "and has a struct and a variant"),
        };
        let why = format!("`{}` is {now} {why}", both.new.name.rust);
        let source = self.source(&both.messages, Code::Users, &why);
        let what = format!("the type `{name}` is {now}");
        vec![
            Finding::at("type-abstract", "", what)
                .moved(keys(both.old, "abstract"), keys(both.new, "abstract"))
                .with(effects)
                .with(source),
        ]
    }

    /// Which types may stand where this one is asked for.
    fn family_changed(&self, both: &Both<'_>) -> Vec<Finding> {
        let old = members(self.old, both.old);
        let new = members(self.new, both.new);
        let is_paired = |old: &usize, new: &usize| self.pairs.complex.contains(&(*old, *new));
        let gone = old
            .iter()
            .filter(|old| !new.iter().any(|new| is_paired(old, new)));
        let come = new
            .iter()
            .filter(|new| !old.iter().any(|old| is_paired(old, new)));
        let had_family = both.old.family.is_some();
        let has_family = both.new.family.is_some();
        let gone = gone.map(|id| (&self.old.complex_types[*id], false));
        let come = come.map(|id| (&self.new.complex_types[*id], true));
        let itself = |complex: &ComplexType| complex.name.xml == both.new.name.xml;
        gone.chain(come)
            .filter(|(member, _)| !itself(member))
            .map(|(member, is_new)| {
                self.member_changed(both, member, is_new, had_family && has_family)
            })
            .collect()
    }

    fn member_changed(
        &self,
        both: &Both<'_>,
        member: &ComplexType,
        is_new: bool,
        is_told: bool,
    ) -> Finding {
        let (base, name) = (&both.new.name.xml, &member.name.xml);
        let effects = wire(&both.messages.wire, |road| {
            let is_written = road.is_forward() != is_new;
            Some(match (is_written, is_told) {
                (false, _) => Reading::works(format!("no `{name}` is sent where `{base}` stands")),
                (true, true) => Reading::breaks(format!(
                    "a `{name}` is refused where `{base}` stands: its `xsi:type` is not known"
                )),
                (true, false) => Reading::depends(format!(
                    "a `{name}` reads as a `{base}`: readers of svcgen skip what it has besides, those of .NET refuse its `xsi:type`"
                )),
            })
        });
        let family = format!("Any{base}");
        let why = match is_told {
            true => format!("the enum of all that extends `{base}` has other variants"),
            false => format!(
                "what is asked for as `{base}` is an enum, `{family}`, on one side and a struct on the other"
            ),
        };
        let code = if is_new {
            "family-added"
        } else {
            "family-removed"
        };
        let what = match is_new {
            true => format!("`{name}` may stand where `{base}` is asked for"),
            false => format!("`{name}` may not stand any more where `{base}` is asked for"),
        };
        let at = Some(format!("types/{name}"));
        let of_base = Some(format!("types/{base}"));
        let (old, new) = if is_new { (of_base, at) } else { (at, of_base) };
        let code_hit = if is_told && is_new {
            Code::Readers
        } else {
            Code::Users
        };
        Finding::at(code, "", what)
            .moved(old, new)
            .with(effects)
            .with(self.source(&both.messages, code_hit, &why))
    }

    /// Text where there were elements, or the other way round.
    fn content_changed(&self, both: &Both<'_>) -> Vec<Finding> {
        let (had, has) = (both.old.text.is_some(), both.new.text.is_some());
        if had == has {
            return Vec::new();
        }
        let now = if has {
            "text where it held elements"
        } else {
            "elements where it held text"
        };
        let what = format!("the type `{}` holds {now}", both.new.name.xml);
        let effects = wire(&both.messages.wire, |_| {
            Some(Reading::breaks(
                "text does not read as elements, nor the other way round",
            ))
        });
        let why = format!("`{}` has other fields", both.new.name.rust);
        vec![
            Finding::at("type-content", "", what)
                .moved(keys(both.old, "text"), keys(both.new, "text"))
                .with(effects)
                .with(self.source(&both.messages, Code::Users, &why)),
        ]
    }

    fn type_documentation(&self, both: &Both<'_>) -> Vec<Finding> {
        let what = format!("the type `{}` is documented otherwise", both.new.name.xml);
        let differs = both.old.documentation != both.new.documentation;
        let finding = || {
            Finding::documentation("type-doc", "", what)
                .moved(keys(both.old, "doc"), keys(both.new, "doc"))
        };
        differs.then(finding).into_iter().collect()
    }
}

fn keys(complex: &ComplexType, key: &str) -> Option<String> {
    Some(format!("types/{}/{key}", complex.name.xml))
}

/// The types that may stand where a type is asked for, by their numbers.
fn members(model: &Model, complex: &ComplexType) -> HashSet<usize> {
    let family = complex.family.iter().flat_map(|family| &family.members);
    let members: HashSet<_> = family.map(|member| member.complex_type.0).collect();
    match members.is_empty() {
        true => model
            .complex_types
            .iter()
            .position(|other| std::ptr::eq(other, complex))
            .into_iter()
            .collect(),
        false => members,
    }
}
