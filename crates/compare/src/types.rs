//! Complex types: their names, the types that extend them, their members.

use std::rc::Rc;

use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, Subject};
use crate::member::{Member, in_words};
use crate::members::{Owner, members_of};
use crate::message::{Direction, Reading};
use crate::reachability::inherited_types;
use crate::sides::Sides;
use svcgen_codegen::model::{ComplexType, ComplexTypeId, Element, ElementForm, Model, TypeRef};

/// A type in both definitions, with its indexes.
struct Both<'m> {
    old_id: usize,
    new_id: usize,
    old: &'m ComplexType,
    new: &'m ComplexType,
    subject: Subject,
}

/// Returns the attributes of a type, or its elements.
type List = fn(&ComplexType) -> &Vec<Element>;

impl<'m> Sides<'m> {
    pub(crate) fn types(&mut self) {
        let (old, new) = (&self.old.model.complex_types, &self.new.model.complex_types);
        let matched = Rc::clone(&self.types);
        for added in &matched.added {
            self.find(subject(&new[*added]).added(Kind::TypeAdded));
        }
        for removed in &matched.removed {
            let removed = &old[*removed];
            let why = format!("`{}` is gone", removed.name.rust);
            let finding = subject(removed).removed(Kind::TypeRemoved);
            self.find(finding.in_source(Dependents::Users, why));
        }
        for (old_id, new_id) in matched.both.iter().copied() {
            let (old, new) = (&old[old_id], &new[new_id]);
            let usage = self.usage(
                &self.old.reachability.complex[old_id],
                &self.new.reachability.complex[new_id],
            );
            let subject = subject(new).moved_from(subject(old)).used(usage);
            self.complex_type(&Both {
                old_id,
                new_id,
                old,
                new,
                subject,
            });
        }
    }

    fn complex_type(&mut self, both: &Both<'m>) {
        let (old, new, subject) = (both.old, both.new, &both.subject);
        self.type_name(both);
        self.type_namespace(both);
        let (at, item) = (subject.at("rust"), format!("`{}`", old.name.rust));
        let names = (&old.name, &new.name);
        self.rust_name(&at, Kind::TypeRustName, &item, names);
        self.type_rust_type(both);
        self.type_abstract(both);
        self.type_by_value(both);
        self.type_data_set(both);
        self.type_unordered(both);
        let [was, is] = [both.old_id, both.new_id].map(|id| TypeRef::Complex(ComplexTypeId(id)));
        self.script_type(subject, &was, &is);
        self.family(both);
        let (was, is) = (&old.documentation, &new.documentation);
        self.documentation(subject, Kind::TypeDoc, was, is);
        let list: List = |complex| &complex.attributes;
        self.own_members(MemberKind::Attribute, "attributes", both, list);
        if old.text.is_some() != new.text.is_some() {
            return self.content(both);
        }
        let owner = self.owner(both, MemberKind::Text, subject.clone());
        let was = members_of(
            owner.member,
            self.old.model,
            &old.scope,
            old.text.as_slice(),
        );
        let is = members_of(
            owner.member,
            self.new.model,
            &new.scope,
            new.text.as_slice(),
        );
        self.members(&owner, &was, &is);
        let list: List = |complex| &complex.elements;
        self.own_members(MemberKind::Element, "elements", both, list);
    }

    /// The owner of a type's members, which are also in the structs of all types that extend it.
    fn owner(&self, both: &Both<'_>, member: MemberKind, place: Subject) -> Owner {
        let structs = rust_names(self.new.model, &family(self.new.model, both.new_id));
        let of_both = both.new.fields().filter(|new| {
            let mut old = both.old.fields();
            old.any(|old| old.field_name() == new.field_name() && self.is_alike(old, new))
        });
        Owner {
            net_names: of_both.map(|one| one.field_name().to_owned()).collect(),
            ..Owner::new(member, &both.new.name, &structs, place)
        }
    }

    /// Compares the members of a type without those that it inherits.
    ///
    /// A member that moved between the type and one that extends it is only new or removed in those
    /// of these types that have it in a single definition.
    fn own_members(&mut self, member: MemberKind, key: &str, both: &Both<'m>, list: List) {
        let mut owner = self.owner(both, member, both.subject.at(key));
        owner.inherited = self.inherited(both, list);
        let old_types = &self.old.model.complex_types;
        let new_types = &self.new.model.complex_types;
        let has = |complex: &ComplexType, member: &Member<'_>| {
            let mut members = list(complex).iter();
            members.any(|own| own.name == member.element.name)
        };
        let heirs = self.heirs(both);
        let (was, is) = (both.old, both.new);
        let mut old = members_of(member, self.old.model, &was.scope, list(was));
        let mut new = members_of(member, self.new.model, &is.scope, list(is));
        let (from_old, from_new) = owner.inherited;
        let down = old.extract_if(from_old.., |member| {
            let heir_has = || heirs.iter().any(|(_, new)| has(&new_types[*new], member));
            !has(both.new, member) && heir_has()
        });
        let up = new.extract_if(from_new.., |member| {
            let heir_had = || heirs.iter().any(|(old, _)| has(&old_types[*old], member));
            !has(both.old, member) && heir_had()
        });
        let down = down.map(|member| (member, true));
        let moved: Vec<_> = down.chain(up.map(|member| (member, false))).collect();
        self.members(&owner, &old, &new);
        for (member, is_gone) in moved {
            let all = std::iter::once((both.old_id, both.new_id)).chain(heirs.iter().copied());
            let (old_ids, new_ids): (Vec<_>, Vec<_>) = all
                .filter(|(old_id, new_id)| {
                    let (was, is) = (&old_types[*old_id], &new_types[*new_id]);
                    let has_values = !(was.is_abstract && is.is_abstract);
                    has_values && !(has(was, &member) && has(is, &member))
                })
                .unzip();
            if old_ids.is_empty() {
                continue;
            }
            let usage = self.usage(
                &self.old.reachability.of_values(&old_ids),
                &self.new.reachability.of_values(&new_ids),
            );
            let owner = Owner {
                item: rust_names(self.new.model, &new_ids),
                inherited: (0, 0),
                place: owner.place.clone().used(usage),
                ..owner.clone()
            };
            if is_gone {
                self.members(&owner, &[member], &[])
            } else {
                self.members(&owner, &[], &[member])
            }
        }
    }

    /// The indexes of the types that extend a type in both definitions.
    fn heirs(&self, both: &Both<'_>) -> Vec<(usize, usize)> {
        if both.old.family.is_none() || both.new.family.is_none() {
            return Vec::new();
        }
        let mut pairs = self.types.both.clone();
        pairs.retain(|(old, new)| {
            inherited_types(self.old.model, *old).any(|id| id == both.old_id)
                && inherited_types(self.new.model, *new).any(|id| id == both.new_id)
        });
        pairs
    }

    /// The numbers of old and new members that come from a type that both extend.
    fn inherited(&self, both: &Both<'_>, members: List) -> (usize, usize) {
        let mut shared = inherited_types(self.new.model, both.new_id).filter_map(|new| {
            let mut of_old = inherited_types(self.old.model, both.old_id);
            let old = of_old.find(|old| self.types.has(*old, new))?;
            let old = members(&self.old.model.complex_types[old]);
            let new = members(&self.new.model.complex_types[new]);
            Some((old.len(), new.len()))
        });
        shared.next().unwrap_or_default()
    }

    fn type_name(&mut self, both: &Both<'_>) {
        let (was, is) = (&both.old.name.xml, &both.new.name.xml);
        if was == is {
            return;
        }
        // Only types that extend one another have `xsi:type`.
        let is_written = both.new.extends.is_some() || both.new.family.is_some();
        let old = both.subject.part(subject(both.old).words);
        let like = " with the same elements";
        let names = (&both.old.name, &both.new.name);
        let finding = old.renamed(Kind::TypeRenamed, &both.subject, names, like);
        let finding = finding.on_wire(|message| {
            if message.is_json() {
                return Reading::works("objects in JSON say the name in .NET");
            }
            if !is_written {
                return Reading::works(
                    "the name of a type is on the wire only where the changes of results and lists say so",
                );
            }
            Reading::breaks(format!(
                "`xsi:type` says `{is}` on one side and `{was}` on the other: not recognized"
            ))
        });
        self.find(finding.keep_on_wire(was));
    }

    fn type_namespace(&mut self, both: &Both<'_>) {
        let scopes = [&both.old.scope, &both.new.scope];
        // A change of the service's own namespace is reported for the service.
        if scopes.iter().all(|scope| scope.namespace.is_none()) {
            return;
        }
        let [was, is] = [
            in_service(self.old.model, both.old),
            in_service(self.new.model, both.new),
        ];
        if was == is {
            return;
        }
        let what = if was.0 == is.0 {
            "has elements of another form".to_owned()
        } else {
            let was = in_words(self.old.model, was.0);
            let is = in_words(self.new.model, is.0);
            format!("is in {is} where it was in {was}")
        };
        let finding = both
            .subject
            .at("namespace")
            .finding(Kind::TypeNamespace, what);
        let why =
            "elements of the type are not found in the other namespace: they are taken for absent";
        self.find(finding.on_wire(|message| message.is_xml().then(|| Reading::breaks(why))));
    }

    fn type_rust_type(&mut self, both: &Both<'_>) {
        if both.old.rust_type == both.new.rust_type {
            return;
        }
        let what = match &both.new.rust_type {
            Some(path) => {
                &format!("is imported from `{path}`; what that one is on the wire is not compared")
            }
            None => "is a struct of this module; what it was on the wire is not compared",
        };
        let why = format!("`{}` is another type", both.new.name.rust);
        let subject = both.subject.at("rust_type");
        let finding = subject.finding(Kind::TypeRustType, what);
        self.find(finding.in_source(Dependents::Users, why));
    }

    /// Compares whether it is a struct in .NET.
    fn type_by_value(&mut self, both: &Both<'_>) {
        let says = [both.old.by_value, both.new.by_value];
        let now = ["is a struct in .NET now", "is a class in .NET now"];
        let subject = both.subject.at("by_value");
        if let Some(finding) = subject.switched(Kind::TypeByValue, says, now) {
            self.find(finding.on_wire(|_| Reading::works("its values are written as before")));
        }
    }

    fn type_data_set(&mut self, both: &Both<'_>) {
        if let (Some(old), Some(new)) = (&both.old.data_set, &both.new.data_set)
            && old != new
        {
            let subject = both.subject.at("data_set");
            let finding = subject.finding(Kind::TypeDataSet, "has another schema");
            let why =
                "rows without a schema are read as those of the tables that the definition has";
            self.find(finding.on_wire(|_| Reading::depends(why)));
        }
    }

    /// Compares whether its elements may be in any order.
    fn type_unordered(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.unordered, both.new.unordered);
        let now = [
            "has its elements in any order now",
            "has its elements in one order now",
        ];
        let subject = both.subject.at("unordered");
        let switched = subject.switched(Kind::TypeUnordered, [was, is], now);
        let Some(finding) = switched else { return };
        self.find(finding.on_wire(|message| {
            // Callers may use the freedom that the old schema gave them.
            let is_free = was && message.is_forward() && message.direction == Direction::Request;
            if is_free {
                return Reading::depends("the new server reads any order unless it is strict");
            }
            Reading::works("elements are written in the order of the definition, and read in any")
        }));
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
        let finding = subject.finding(Kind::TypeAbstract, format!("is {now}"));
        let finding = finding.on_wire(|message| {
            let (writer_is_abstract, _) = message.ends(was, is);
            let mark = message.type_mark();
            if writer_is_abstract {
                Reading::works(format!(
                    "every value says by {mark} which type that extends `{name}` it is"
                ))
            } else {
                Reading::breaks(format!(
                    "a `{name}` without {mark} is refused where `{name}` is abstract"
                ))
            }
        });
        self.find(finding.in_source(Dependents::Users, why));
    }

    /// Compares the types that may replace this one.
    fn family(&mut self, both: &Both<'_>) {
        let old = family(self.old.model, both.old_id);
        let new = family(self.new.model, both.new_id);
        let (old_types, new_types) = (&self.old.model.complex_types, &self.new.model.complex_types);
        let gone = old
            .iter()
            .filter(|old| !new.iter().any(|new| self.types.has(**old, *new)));
        let added = new
            .iter()
            .filter(|new| !old.iter().any(|old| self.types.has(*old, **new)));
        let gone = gone.map(|id| (&old_types[*id].name.key, false));
        let added = added.map(|id| (&new_types[*id].name.key, true));
        let others = gone
            .chain(added)
            .filter(|(name, _)| **name != both.new.name.key);
        for (name, is_new) in others.collect::<Vec<_>>() {
            self.family_member(both, name, is_new);
        }
    }

    fn family_member(&mut self, both: &Both<'_>, name: &str, is_new: bool) {
        let base = &both.new.name.key;
        // Readers of svcgen ignore `xsi:type` if they know no type that extends the base.
        let has_families = both.old.family.is_some() && both.new.family.is_some();
        let why = if has_families {
            format!("the enum of all that extends `{base}` has other variants")
        } else {
            format!(
                "what is asked for as `{base}` is an enum, `Any{base}`, on one side and a struct on the other"
            )
        };
        let dependents = if has_families && is_new {
            Dependents::Readers
        } else {
            Dependents::Users
        };
        let [member, of_base] = [name, base].map(|name| Some(format!("types/{name}")));
        let (kind, may_stand, old, new) = if is_new {
            (Kind::FamilyAdded, "may stand", of_base, member)
        } else {
            (
                Kind::FamilyRemoved,
                "may not stand any more",
                member,
                of_base,
            )
        };
        let subject = both.subject.part(format!("`{name}`"));
        let subject = Subject {
            old,
            new,
            ..subject
        };
        let finding = subject.finding(kind, format!("{may_stand} where `{base}` is asked for"));
        let finding = finding.on_wire(|message| {
            let is_written = message.is_forward() != is_new;
            let mark = message.type_mark();
            if !is_written {
                Reading::works(format!("no `{name}` is sent where `{base}` stands"))
            } else if has_families || message.is_json() {
                Reading::breaks(format!(
                    "a `{name}` is refused where `{base}` stands: its {mark} is not known"
                ))
            } else {
                Reading::depends(format!(
                    "a `{name}` reads as a `{base}`: readers of svcgen skip what it has besides, those of .NET refuse its `xsi:type`"
                ))
            }
        });
        self.find(finding.in_source(dependents, why));
    }

    /// Compares whether the content is text or elements.
    fn content(&mut self, both: &Both<'_>) {
        let what = if both.new.text.is_some() {
            "holds text where it held elements"
        } else {
            "holds elements where it held text"
        };
        let finding = both.subject.at("text").finding(Kind::TypeContent, what);
        let why = "text does not read as elements, nor the other way round";
        let finding = finding.on_wire(|_| Reading::breaks(why));
        let why = format!("`{}` has other fields", both.new.name.rust);
        self.find(finding.in_source(Dependents::Users, why));
    }
}

/// The namespace of a type and the form of its elements, which are those of the service unless it
/// has its own.
fn in_service<'m>(
    model: &'m Model,
    complex: &'m ComplexType,
) -> (Option<&'m str>, Option<ElementForm>) {
    let service = model.service.as_ref();
    let namespace = service.map(|service| service.namespace.as_str());
    let form = service.map(|service| service.element_form);
    let scope = &complex.scope;
    (
        scope.namespace.as_deref().or(namespace),
        scope.element_form.or(form),
    )
}

fn subject(complex: &ComplexType) -> Subject {
    let name = &complex.name.key;
    Subject::new(format!("the type `{name}`"), format!("types/{name}"))
}

/// The indexes of the possible types of a type's values.
fn family(model: &Model, id: usize) -> Vec<usize> {
    match &model.complex_types[id].family {
        Some(family) => family
            .members
            .iter()
            .map(|member| member.complex_type.0)
            .collect(),
        None => vec![id],
    }
}

fn rust_names(model: &Model, types: &[usize]) -> String {
    let names = types.iter().map(|id| &*model.complex_types[*id].name.rust);
    names.collect::<Vec<_>>().join("` and `")
}
