//! Complex types.

use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, Subject, keep_on_wire};
use crate::members::{Owner, members_of};
use crate::message::Reading;
use crate::reading::Member;
use crate::sides::Sides;
use std::rc::Rc;

use svcgen_codegen::model::{ComplexType, Element, Model};

/// A type on both sides: its numbers and itself.
struct Both<'m> {
    old_id: usize,
    new_id: usize,
    old: &'m ComplexType,
    new: &'m ComplexType,
    subject: Subject,
}

/// The attributes of a type, or its elements.
type List = fn(&ComplexType) -> &Vec<Element>;

impl<'m> Sides<'m> {
    pub(crate) fn types(&mut self) {
        let (old, new) = (&self.old.complex_types, &self.new.complex_types);
        for added in &self.types.added {
            self.findings
                .push(subject(&new[*added]).added(Kind::TypeAdded));
        }
        for removed in self.types.removed.clone() {
            let removed = &old[removed];
            let why = format!("`{}` is gone", removed.name.rust);
            let finding = subject(removed).removed(Kind::TypeRemoved);
            self.find(finding.in_source(Dependents::Users, why));
        }
        for (old_id, new_id) in self.types.both.clone() {
            let old_uses = &self.old_reachability.complex[old_id];
            let new_uses = &self.new_reachability.complex[new_id];
            let usage = self.usage_in(old_uses, new_uses);
            let (old, new) = (&old[old_id], &new[new_id]);
            self.type_on_both_sides(&Both {
                old_id,
                new_id,
                old,
                new,
                subject: subject(new).from(&subject(old)).used(usage),
            });
        }
    }

    fn type_on_both_sides(&mut self, both: &Both<'m>) {
        let Both { old, new, .. } = both;
        self.type_renamed(both);
        let item = format!("`{}`", old.name.rust);
        let (subject, names) = (both.subject.at("rust"), (&old.name, &new.name));
        self.rust_name(&subject, Kind::TypeRustName, &item, names);
        self.type_rust_type(both);
        self.type_abstract(both);
        self.family_changed(both);
        self.content_changed(both);
        let (was, is) = (&old.documentation, &new.documentation);
        self.documentation(&both.subject, Kind::TypeDoc, was, is);
        self.own(MemberKind::Attribute, "attributes", both, |complex| {
            &complex.attributes
        });
        if old.text.is_some() == new.text.is_some() {
            self.text(both);
            self.own(MemberKind::Element, "elements", both, |complex| {
                &complex.elements
            });
        }
    }

    fn owner(&self, both: &Both<'_>, member: MemberKind, place: Subject) -> Owner {
        // The structs that have its fields: its own, and those of the types that extend it.
        let structs = rust_names(family(self.new, both.new, both.new_id));
        Owner::new(member, &both.new.name, &structs, place)
    }

    /// The members of a type. One that moved between it and types that extend it is told to those alone that one side is without.
    fn own(&mut self, member: MemberKind, key: &str, both: &Both<'m>, list: List) {
        let mut owner = self.owner(both, member, both.subject.at(key));
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
        let mut old = members_of(member, self.old, list(both.old));
        let mut new = members_of(member, self.new, list(both.new));
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
            if is_gone {
                self.members(&owner, &[member], &[])
            } else {
                self.members(&owner, &[], &[member])
            }
        }
    }

    /// The same owner, of whose members these types alone are told.
    fn owner_in(&self, owner: &Owner, types: &[(usize, usize)]) -> Owner {
        let structs = types
            .iter()
            .map(|(_, new)| (*new, &self.new.complex_types[*new]));
        let old = self
            .old_reachability
            .of_values(types.iter().map(|(old, _)| *old));
        let new = self
            .new_reachability
            .of_values(types.iter().map(|(_, new)| *new));
        Owner {
            item: rust_names(structs),
            inherited: (0, 0),
            place: owner.place.clone().used(self.usage_in(&old, &new)),
            ..owner.clone()
        }
    }

    /// The numbers of the types that extend a type on both sides.
    fn heirs(&self, both: &Both<'_>) -> Vec<(usize, usize)> {
        if both.old.family.is_none() || both.new.family.is_none() {
            return Vec::new();
        }
        let mut pairs = self.types.both.clone();
        pairs.retain(|(old, new)| {
            let mut was = self.old_reachability.ancestors(*old);
            let mut is = self.new_reachability.ancestors(*new);
            was.any(|id| id == both.old_id) && is.any(|id| id == both.new_id)
        });
        pairs
    }

    /// How many members come from a type that both sides extend, where what changes in them is told.
    fn inherited(&self, both: &Both<'_>, members: List) -> (usize, usize) {
        let mut shared = self
            .new_reachability
            .ancestors(both.new_id)
            .filter_map(|new| {
                let mut of_old = self.old_reachability.ancestors(both.old_id);
                let old = of_old.find(|old| self.types.has(*old, new))?;
                Some((
                    members(&self.old.complex_types[old]).len(),
                    members(&self.new.complex_types[new]).len(),
                ))
            });
        shared.next().unwrap_or_default()
    }

    fn text(&mut self, both: &Both<'m>) {
        let [old, new] = [both.old, both.new].map(|complex| complex.text.as_slice());
        let owner = self.owner(both, MemberKind::Text, both.subject.clone());
        let old = members_of(owner.member, self.old, old);
        self.members(&owner, &old, &members_of(owner.member, self.new, new));
    }

    fn type_renamed(&mut self, both: &Both<'_>) {
        let (was, is) = (&both.old.name.xml, &both.new.name.xml);
        if was == is {
            return;
        }
        // Then `xsi:type` tells values of it from others.
        let is_said = both.new.extends.is_some() || both.new.family.is_some();
        let finding = both.subject.part(subject(both.old).words).renamed(
            Kind::TypeRenamed,
            &both.subject,
            is,
            " with the same elements",
        );
        let finding = finding.on_wire(|_| {
            if !is_said {
                return Reading::works(
                    "the name of a type is on the wire only where the changes of results and lists say so",
                );
            }
            Reading::breaks(format!(
                "`xsi:type` says `{is}` on one side and `{was}` on the other: not recognized"
            ))
        });
        self.find(finding.help(keep_on_wire(was)));
    }

    fn type_rust_type(&mut self, both: &Both<'_>) {
        if both.old.rust_type == both.new.rust_type {
            return;
        }
        let said = match &both.new.rust_type {
            Some(path) => {
                format!("is imported from `{path}`; what that one is on the wire is not compared")
            }
            None => {
                "is a struct of this module; what it was on the wire is not compared".to_owned()
            }
        };
        let why = format!("`{}` is another type", both.new.name.rust);
        let finding = both
            .subject
            .at("rust_type")
            .finding(Kind::TypeRustType, &said);
        self.find(finding.in_source(Dependents::Users, why));
    }

    fn type_abstract(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.is_abstract, both.new.is_abstract);
        if was == is {
            return;
        }
        let name = &both.new.name.xml;
        let (now, why) = if is {
            ("abstract", "and has no struct any more")
        } else {
            ("not abstract any more", "and has a struct and a variant")
        };
        let why = format!("`{}` is {now} {why}", both.new.name.rust);
        let subject = both.subject.at("abstract");
        let finding = subject.finding(Kind::TypeAbstract, &format!("is {now}"));
        let finding = finding.on_wire(|message| match message.ends(was, is) {
            (false, _) => Reading::breaks(format!(
                "a `{name}` without `xsi:type` is refused where `{name}` is abstract"
            )),
            (true, _) => Reading::works(format!(
                "every value says by `xsi:type` which type that extends `{name}` it is"
            )),
        });
        self.find(finding.in_source(Dependents::Users, why));
    }

    /// Which types may stand where this one is asked for.
    fn family_changed(&mut self, both: &Both<'_>) {
        let old = family(self.old, both.old, both.old_id);
        let new = family(self.new, both.new, both.new_id);
        let is_told = both.old.family.is_some() && both.new.family.is_some();
        let mut changed = Vec::new();
        for (id, member) in &old {
            if !new.iter().any(|(new, _)| self.types.has(*id, *new)) {
                changed.push((*member, false));
            }
        }
        for (id, member) in &new {
            if !old.iter().any(|(old, _)| self.types.has(*old, *id)) {
                changed.push((*member, true));
            }
        }
        for (member, is_new) in changed {
            if member.name.xml != both.new.name.xml {
                self.family_member_changed(both, member, is_new, is_told);
            }
        }
    }

    fn family_member_changed(
        &mut self,
        both: &Both<'_>,
        member: &ComplexType,
        is_new: bool,
        is_told: bool,
    ) {
        let (base, name) = (&both.new.name.xml, &member.name.xml);
        let (why, dependents) = if is_told {
            (
                format!("the enum of all that extends `{base}` has other variants"),
                if is_new {
                    Dependents::Readers
                } else {
                    Dependents::Users
                },
            )
        } else {
            (
                format!(
                    "what is asked for as `{base}` is an enum, `Any{base}`, on one side and a struct on the other"
                ),
                Dependents::Users,
            )
        };
        let subject = Subject {
            usage: Rc::clone(&both.subject.usage),
            ..Subject::new(format!("`{name}`"), format!("types/{name}"))
        };
        let of_base = Subject::new("", format!("types/{base}"));
        let finding = if is_new {
            subject.from(&of_base).finding(
                Kind::FamilyAdded,
                &format!("may stand where `{base}` is asked for"),
            )
        } else {
            subject.to(&of_base).finding(
                Kind::FamilyRemoved,
                &format!("may not stand any more where `{base}` is asked for"),
            )
        };
        let finding = finding.on_wire(|message| {
            let is_written = message.is_forward() != is_new;
            match (is_written, is_told) {
                (false, _) => Reading::works(format!("no `{name}` is sent where `{base}` stands")),
                (true, true) => Reading::breaks(format!(
                    "a `{name}` is refused where `{base}` stands: its `xsi:type` is not known"
                )),
                (true, false) => Reading::depends(format!(
                    "a `{name}` reads as a `{base}`: readers of svcgen skip what it has besides, those of .NET refuse its `xsi:type`"
                )),
            }
        });
        self.find(finding.in_source(dependents, why));
    }

    /// Text where there were elements, or the other way round.
    fn content_changed(&mut self, both: &Both<'_>) {
        let has_text = both.new.text.is_some();
        if both.old.text.is_some() == has_text {
            return;
        }
        let said = if has_text {
            "holds text where it held elements"
        } else {
            "holds elements where it held text"
        };
        let finding = both.subject.at("text").finding(Kind::TypeContent, said);
        let finding = finding.on_wire(|_| {
            Reading::breaks("text does not read as elements, nor the other way round")
        });
        let why = format!("`{}` has other fields", both.new.name.rust);
        self.find(finding.in_source(Dependents::Users, why));
    }
}

fn subject(complex: &ComplexType) -> Subject {
    let name = &complex.name.xml;
    let words = format!("the type `{name}`");
    Subject::new(words, format!("types/{name}"))
}

/// The types that may stand where a type is asked for, with their numbers.
fn family<'m>(
    model: &'m Model,
    complex: &'m ComplexType,
    id: usize,
) -> Vec<(usize, &'m ComplexType)> {
    let Some(family) = &complex.family else {
        return vec![(id, complex)];
    };
    let members = family.members.iter();
    let members = members.map(|member| member.complex_type.0);
    members.map(|id| (id, &model.complex_types[id])).collect()
}

fn rust_names<'m>(types: impl IntoIterator<Item = (usize, &'m ComplexType)>) -> String {
    let types = types.into_iter();
    let names: Vec<_> = types.map(|(_, complex)| &*complex.name.rust).collect();
    names.join("` and `")
}
