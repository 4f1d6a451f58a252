//! Changes of a member that exists in both definitions.

use super::{Owner, notation, read_net};
use crate::allowed::Allowed;
use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, Finding, Subject};
use crate::member::{Member, in_words};
use crate::message::Reading;
use crate::reading::{absent, other_absence};
use crate::sides::Sides;
use svcgen_codegen::model::{Absence, Element, GroupId, ListType, Occurs, TypeRef};

/// A member in both definitions.
struct Both<'a> {
    owner: &'a Owner,
    subject: Subject,
    old: Member<'a>,
    new: Member<'a>,
}

impl<'m> Sides<'m> {
    pub(crate) fn member(&mut self, owner: &Owner, old: Member<'m>, new: Member<'m>) {
        let both = Both {
            owner,
            subject: owner.subject(new.element),
            old,
            new,
        };
        self.member_type(&both);
        self.member_namespace(&both);
        self.optionality(&both);
        self.absence(&both);
        self.header_rules(&both);
        self.secret(&both);
        // For another type they differ anyway.
        if self.is_same(&old.element.type_ref, &new.element.type_ref) {
            self.other_occurs(&both);
            self.other_facets(&both);
            self.other_default(&both);
        }
        self.other_fixed(&both);
        self.net(&both);
        let names = (&old.element.name, &new.element.name);
        let item = owner.field(old.element);
        if !owner.is_moved {
            self.rust_name(&both.subject, Kind::MemberRustName, &item, names);
        }
        self.member_rust_type(&both);
        let [was, is] = [old, new].map(|member| &member.element.documentation);
        self.documentation(&both.subject, Kind::MemberDoc, was, is);
        self.other_head(&both);
        self.alternatives(owner, old, new);
    }

    fn member_type(&mut self, both: &Both<'_>) {
        let [was, is] = [both.old.element, both.new.element];
        if was.wildcard != is.wildcard || was.characters != is.characters {
            return self.wildcard(both);
        }
        let (old, new) = (&both.old.element.type_ref, &both.new.element.type_ref);
        if self.is_same(old, new) {
            return;
        }
        let kind = self.kind_of_change(old, new);
        let finding = match (old, new) {
            (TypeRef::List(was), TypeRef::List(is)) if kind == Kind::MemberItem => {
                let words = format!("the items of {}", both.subject.words);
                let (was, is) = (item_names(was), item_names(is));
                let what = format!("are called {is} where they were called {was}");
                both.subject.part(words).finding(kind, what)
            }
            _ => {
                let was = notation(self.old.model, both.old.element);
                let is = notation(self.new.model, both.new.element);
                let what = format!("is {is} where it was {was}");
                both.subject.finding(kind, what)
            }
        };
        let is_soap_alone = kind == Kind::MemberItem && both.new.kind == MemberKind::Result;
        let mut finding = finding.on_wire(|message| {
            if is_soap_alone && !message.is_soap() {
                return Reading::works("over HTTP the items of a result are called as their types");
            }
            self.retyped(old, new, message)
        });
        if !self.is_same_in_rust(old, new) {
            let why = format!("{} is of another type", both.owner.field(both.new.element));
            finding = finding.in_source(Dependents::Users, why);
        }
        self.find(finding);
    }

    /// Compares wildcards: a wildcard or the text between elements that becomes a named member or
    /// the other way round, or a wildcard whose namespaces change.
    fn wildcard(&mut self, both: &Both<'_>) {
        let [old, new] = [both.old.element, both.new.element];
        let [was, is] = [notation(self.old.model, old), notation(self.new.model, new)];
        let what = format!("is {is} where it was {was}");
        let finding = both.subject.finding(Kind::MemberType, what);
        // Text of any XML is a wildcard of all namespaces.
        let is_text =
            both.new.kind == MemberKind::Text && self.is_same(&old.type_ref, &new.type_ref);
        let is_wildcard = is_text || (old.wildcard.is_some() && new.wildcard.is_some());
        let mut finding = finding.on_wire(|message| match is_wildcard {
            true if message.may_be_held_to_schema() => Reading::depends(
                "svcgen and .NET read any namespace, callers that hold to the schema do not",
            ),
            true => Reading::works("a wildcard is read whatever its namespaces are"),
            false => Reading::breaks(
                "one has a name on the wire, the other stands for what has none in the type",
            ),
        });
        let is_same = is_wildcard && self.is_same_in_rust(&old.type_ref, &new.type_ref);
        if !is_same || old.absence != new.absence {
            let why = format!("{} is of another type", both.owner.field(new));
            finding = finding.in_source(Dependents::Users, why);
        }
        self.find(finding);
    }

    /// The kind of change between two types that are not the same.
    fn kind_of_change(&self, old: &TypeRef, new: &TypeRef) -> Kind {
        let (TypeRef::List(old), TypeRef::List(new)) = (old, new) else {
            return match (old, new) {
                (TypeRef::List(_), _) | (_, TypeRef::List(_)) => Kind::MemberList,
                _ => Kind::MemberType,
            };
        };
        if !self.is_same(&old.item_type, &new.item_type) {
            return self.kind_of_change(&old.item_type, &new.item_type);
        }
        if old.form != new.form {
            Kind::MemberWrapping
        } else if old.item != new.item {
            Kind::MemberItem
        } else {
            Kind::MemberNilItems
        }
    }

    /// Whether two types are the same type in Rust.
    fn is_same_in_rust(&self, old: &TypeRef, new: &TypeRef) -> bool {
        match (old, new) {
            (TypeRef::List(old), TypeRef::List(new)) => {
                old.nillable_items == new.nillable_items
                    && self.is_same_in_rust(&old.item_type, &new.item_type)
            }
            (TypeRef::Dictionary(old), TypeRef::Dictionary(new)) => {
                old.nullable_values == new.nullable_values
                    && self.is_same_in_rust(&old.value_type, &new.value_type)
            }
            (TypeRef::Simple(old), TypeRef::Simple(new)) => old.row().rust == new.row().rust,
            (old, new) => self.is_same(old, new),
        }
    }

    fn optionality(&mut self, both: &Both<'_>) {
        let (old, new) = (both.old, both.new);
        let rules = old.header.zip(new.header);
        let is_header_rule = rules.is_some_and(|(was, is)| was.required != is.required);
        if old.is_required() == new.is_required() || is_header_rule {
            return;
        }
        let finding = if new.is_required() {
            let what = "is always there where it could be absent";
            both.subject.finding(Kind::MemberRequired, what)
        } else {
            let what = "can be absent where it was always there";
            both.subject.finding(Kind::MemberOptional, what)
        };
        let finding = finding.on_wire(|message| {
            let (writer, reader) = message.ends(old, new);
            rules.is_none().then(|| absent(writer, reader, message))
        });
        self.find(option_in_source(finding, both));
    }

    fn absence(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.element.absence, both.new.element.absence);
        if was == is || [was, is].contains(&Absence::Required) {
            return;
        }
        let what = match is {
            Absence::Nil => "says `xsi:nil` when it is absent, and was left out",
            Absence::Either => "may be left out or say `xsi:nil` when it is absent",
            _ => "is left out when it is absent, and could say `xsi:nil`",
        };
        let finding = both.subject.finding(Kind::MemberAbsence, what);
        self.find(finding.on_wire(|message| {
            (!message.is_form()).then(|| other_absence(both.old, both.new, message))
        }));
    }

    fn header_rules(&mut self, both: &Both<'_>) {
        let Some((was, is)) = both.old.header.zip(both.new.header) else {
            return;
        };
        if was.required != is.required && both.owner.member == MemberKind::Header {
            self.header_required(both, was.required, is.required);
        }
        let says = [was, is].map(|rule| rule.must_understand);
        let now = [
            "is sent with `mustUnderstand`",
            "is sent without `mustUnderstand`",
        ];
        let subject = &both.subject;
        if let Some(finding) = subject.switched(Kind::MemberMustUnderstand, says, now) {
            let why = "both sides know the header and understand it";
            self.find(finding.on_wire(|_| Reading::works(why)));
        }
    }

    fn header_required(&mut self, both: &Both<'_>, was: bool, is: bool) {
        let name = &both.new.element.name.xml;
        let finding = if is {
            both.subject.finding(Kind::MemberRequired, "is required")
        } else {
            let what = "is not required any more";
            both.subject.finding(Kind::MemberOptional, what)
        };
        let mut finding = finding.on_wire(|message| {
            let (_, is_required) = message.ends(was, is);
            if is_required {
                Reading::breaks(format!("without the header `{name}` a call is refused"))
            } else {
                Reading::works(format!("the header `{name}` may be missing"))
            }
        });
        if both.old.element.absence != both.new.element.absence {
            finding = option_in_source(finding, both);
        }
        self.find(finding);
    }

    fn member_namespace(&mut self, both: &Both<'_>) {
        let place = |member: Member<'_>, form| in_words(member.model, member.namespace_of(form));
        let [old, new] = [both.old, both.new].map(Member::forms);
        // Levels that a change of the type adds have no other namespace.
        let mut differing = old
            .into_iter()
            .zip(new)
            .enumerate()
            .filter_map(|(level, forms)| {
                let (was, is) = (place(both.old, forms.0), place(both.new, forms.1));
                // If neither form specifies a namespace, that of the type or the service has
                // changed, which is reported there.
                (forms.0 != forms.1 && was != is).then_some((level, was, is))
            });
        let Some((level, was, is)) = differing.next() else {
            return;
        };
        let (subject, what) = if level == 0 {
            let what = format!("is in {is} where it was in {was}");
            (both.subject.clone(), what)
        } else {
            let words = format!("the items of {}", both.subject.words);
            let what = format!("are in {is} where they were in {was}");
            (both.subject.part(words), what)
        };
        let finding = subject.finding(Kind::MemberNamespace, what);
        let why = "it is not found in the other namespace: it is taken for absent";
        self.find(finding.on_wire(|message| message.is_xml().then(|| Reading::breaks(why))));
    }

    /// Compares the number of items that the schema allows.
    fn other_occurs(&mut self, both: &Both<'_>) {
        let [was, is] = [both.old, both.new].map(|member| member.element.occurs);
        if was == is {
            return;
        }
        let numbers = |occurs: Occurs| match occurs.most {
            Some(most) => format!("{} to {most}", occurs.least),
            None => format!("{} or more", occurs.least),
        };
        let what = format!("has {} items where it had {}", numbers(is), numbers(was));
        let finding = both.subject.finding(Kind::MemberOccurs, what);
        self.find(finding.on_wire(|message| {
            let (writer, reader) = message.ends(was, is);
            let least_fits = writer.least >= reader.least;
            let most = reader
                .most
                .is_none_or(|most| writer.most.is_some_and(|own| own <= most));
            if !message.may_be_held_to_schema() || (least_fits && most) {
                return Reading::works("lists of any length are read");
            }
            Reading::depends(
                "svcgen and .NET read any number of items, callers that hold to the schema do not",
            )
        }));
    }

    /// Compares the head of a substitution group.
    fn other_head(&mut self, both: &Both<'_>) {
        let [was, is] = [both.old, both.new].map(|member| {
            let GroupId(id) = member.element.type_ref.group()?;
            member.model.groups[id].head.as_deref()
        });
        if was == is {
            return;
        }
        let named = |head: Option<&str>| head.map_or("none".to_owned(), |head| format!("`{head}`"));
        let what = format!("has the head {} where it had {}", named(is), named(was));
        let finding = both.subject.finding(Kind::MemberHead, what);
        self.find(finding.on_wire(|_| Reading::works("a head is not on the wire")));
    }

    /// Compares the values that the schema allows.
    fn other_facets(&mut self, both: &Both<'_>) {
        let [was, is] =
            [both.old, both.new].map(|member| Allowed::of(member.element, member.model));
        if let Some(what) = Allowed::change(&was, &is) {
            let finding = both.subject.finding(Kind::MemberFacets, what);
            self.find(finding.on_wire(|message| Allowed::reading(&was, &is, message)));
        }
    }

    /// Compares the value that a missing element stands for.
    fn other_default(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.element.missing(), both.new.element.missing());
        let left_out = [both.old, both.new].map(|member| member.element.default());
        if was == is && left_out[0] == left_out[1] {
            return;
        }
        let what = match (was, is) {
            (Some(was), Some(is)) if was == is && left_out[1].is_some() => {
                format!("is left out where it is `{is}`, and was always written")
            }
            (Some(was), Some(is)) if was == is => {
                format!("is always written, and was left out where it was `{is}`")
            }
            (Some(was), Some(is)) => format!("is `{is}` where it is not there, and was `{was}`"),
            (None, Some(is)) if both.new.element.default().is_none() => {
                format!("is `{is}` where it is not there")
            }
            (None, Some(is)) => format!("is left out where it is `{is}`"),
            _ => "has no default any more".to_owned(),
        };
        let finding = both.subject.finding(Kind::MemberDefault, what);
        self.find(finding.on_wire(|message| {
            let (writer, reader) = message.ends(both.old, both.new);
            let default = writer.element.default().filter(|_| message.is_xml());
            match default {
                None => Reading::works("it is always written, and read as it is"),
                Some(default)
                    if reader.element.missing() == Some(default)
                        && reader.element.default().is_none()
                        && message.may_be_held_to_schema() =>
                {
                    Reading::depends(format!(
                        "`{default}` is left out: svcgen and .NET take what is missing for it, callers that hold to the schema miss it"
                    ))
                }
                Some(default) if reader.element.initial() == Some(default) => {
                    Reading::works("both sides take a missing value for the same")
                }
                Some(default) => {
                    let reads = message.reads();
                    let read = reader.default_value();
                    Reading::breaks(format!("`{default}` is left out, and {reads} {read}"))
                }
            }
        }));
    }

    /// Compares the only value that the schema allows.
    fn other_fixed(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.element.fixed(), both.new.element.fixed());
        if was == is {
            return;
        }
        let what = match is {
            Some(is) => format!("is to be `{is}`"),
            None => "may be any value".to_owned(),
        };
        let finding = both.subject.finding(Kind::MemberFixed, what);
        self.find(finding.on_wire(|message| {
            if !message.may_be_held_to_schema() {
                return Reading::works("it is written, and any value is read");
            }
            Reading::depends(
                "svcgen and .NET read any value, callers that hold to the schema refuse another one",
            )
        }));
    }

    /// Compares the name of a parameter in forms, and of any member in JSON.
    fn net(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.element.field_name(), both.new.element.field_name());
        if was == is || both.old.element.name.xml != both.new.element.name.xml {
            return;
        }
        let what = format!("is called `{is}` in .NET, forms and JSON, where it was `{was}`");
        let finding = both.subject.finding(Kind::MemberNet, what);
        self.find(finding.on_wire(|message| {
            let (_, read) = message.ends(was, is);
            if message.is_form() {
                Reading::breaks(format!("a form without `{read}` is refused"))
            } else if message.is_json() {
                read_net(both.old, both.new, message)
            } else {
                Reading::works("the name in XML is the same")
            }
        }));
    }

    fn secret(&mut self, both: &Both<'_>) {
        if both.old.element.secret != both.new.element.secret {
            let (what, why) = if both.new.element.secret {
                ("is a secret", "is in a `Secret` now")
            } else {
                ("is not a secret any more", "is in no `Secret` any more")
            };
            self.changed_in_rust(both, Kind::MemberSecret, what, why);
        }
    }

    /// Compares the Rust type of the same simple type, a `Box` that recursion of types needs, or a
    /// `SoapHeader`.
    fn member_rust_type(&mut self, both: &Both<'_>) {
        let path = |element: &Element| match &element.type_ref {
            TypeRef::Custom(_, path) => Some(path.clone()),
            _ => None,
        };
        let (old, new) = (both.old.element, both.new.element);
        let differs = path(old) != path(new)
            || old.boxed != new.boxed
            || old.soap_attributes != new.soap_attributes;
        if differs && self.is_same(&old.type_ref, &new.type_ref) {
            let now = "is kept in another Rust type";
            self.changed_in_rust(both, Kind::MemberRustType, now, "is of another type");
        }
    }

    fn changed_in_rust(&mut self, both: &Both<'_>, kind: Kind, what: &str, why: &str) {
        let why = format!("{} {why}", both.owner.field(both.new.element));
        let what = format!("{what}; the wire is the same");
        let finding = both.subject.finding(kind, what);
        self.find(finding.in_source(Dependents::Users, why));
    }
}

/// The names of the items of a list, the outermost first.
fn item_names(list: &ListType) -> String {
    let inner = list.inner().map(item_names);
    let inner = inner.map_or_else(String::new, |inner| format!(" and {inner}"));
    format!("`{}`{inner}", list.item)
}

/// Adds that a field is an `Option` in one definition only.
fn option_in_source(finding: Finding, both: &Both<'_>) -> Finding {
    let [was, is] = [both.old, both.new].map(|member| match member.element.absence {
        Absence::Required => "no `Option`",
        _ => "an `Option`",
    });
    let field = both.owner.field(both.new.element);
    let why = format!("{field} is {is} where it was {was}");
    finding.in_source(Dependents::Users, why)
}
