//! Members of other types, and members that are absent otherwise.

use super::owner::{Both, notation};
use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, Finding};
use crate::message::Reading;
use crate::reading::{absent, other_absence};
use crate::sides::Sides;
use svcgen_codegen::model::{Absence, Element, ListType, TypeRef};

impl Sides<'_> {
    pub(crate) fn type_changed(&mut self, both: &Both<'_>) {
        let (old, new) = (&both.old.element.type_ref, &both.new.element.type_ref);
        if self.is_same(old, new) {
            return;
        }
        let kind = self.kind_of_change(old, new);
        let mut finding = match (old, new) {
            (TypeRef::List(was), TypeRef::List(is)) if kind == Kind::MemberItem => {
                let words = format!("the items of {}", both.subject.words);
                let subject = both.subject.part(words);
                let (was, is) = (item_names(was), item_names(is));
                let said = format!("are called {is} where they were called {was}");
                subject.finding(kind, &said)
            }
            _ => {
                let (was, is) = (
                    notation(self.old, both.old.element),
                    notation(self.new, both.new.element),
                );
                let said = format!("is {is} where it was {was}");
                both.subject.finding(kind, &said)
            }
        };
        finding = finding.on_wire(|message| self.retyped(old, new, message));
        if !self.is_same_in_rust(old, new) {
            let why = format!("{} is of another type", both.owner.field(both.new.element));
            finding = finding.in_source(Dependents::Users, why);
        }
        self.find(finding);
    }

    /// In which way a type is another one.
    fn kind_of_change(&self, old: &TypeRef, new: &TypeRef) -> Kind {
        let (TypeRef::List(old), TypeRef::List(new)) = (old, new) else {
            let lists = [old, new].map(|type_ref| matches!(type_ref, TypeRef::List(_)));
            return if lists.contains(&true) {
                Kind::MemberList
            } else {
                Kind::MemberType
            };
        };
        if !self.is_same(&old.item_type, &new.item_type) {
            return self.kind_of_change(&old.item_type, &new.item_type);
        }
        match (old.wrapped == new.wrapped, old.item == new.item) {
            (false, _) => Kind::MemberWrapping,
            (true, false) => Kind::MemberItem,
            (true, true) => Kind::MemberNilItems,
        }
    }

    /// Whether Rust keeps the values of two types alike though they differ on the wire.
    fn is_same_in_rust(&self, old: &TypeRef, new: &TypeRef) -> bool {
        match (old, new) {
            (TypeRef::List(old), TypeRef::List(new)) => {
                old.nillable_items == new.nillable_items
                    && self.is_same_in_rust(&old.item_type, &new.item_type)
            }
            (TypeRef::Simple(old), TypeRef::Simple(new)) => old.row().rust == new.row().rust,
            (old, new) => self.is_same(old, new),
        }
    }

    pub(crate) fn optionality_changed(&mut self, both: &Both<'_>) {
        let (old, new) = (both.old, both.new);
        let rules = old.header.zip(new.header);
        let is_header_rule = rules.is_some_and(|(was, is)| was.required != is.required);
        if old.is_required() == new.is_required() || is_header_rule {
            return;
        }
        let (kind, said) = if new.is_required() {
            (
                Kind::MemberRequired,
                "is always there where it could be absent",
            )
        } else {
            (
                Kind::MemberOptional,
                "can be absent where it was always there",
            )
        };
        let finding = both.subject.finding(kind, said);
        let finding = finding.on_wire(|message| {
            let (writer, reader) = message.ends(old, new);
            rules.is_none().then(|| absent(writer, reader, message))
        });
        self.find(option_in_source(finding, both));
    }

    pub(crate) fn absence_changed(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.element.absence, both.new.element.absence);
        if was == is || [was, is].contains(&Absence::Required) {
            return;
        }
        let said = match is {
            Absence::Nil => "says `xsi:nil` when it is absent, and was left out",
            _ => "is left out when it is absent, and said `xsi:nil`",
        };
        let finding = both.subject.finding(Kind::MemberAbsence, said);
        self.find(finding.on_wire(|message| {
            (!message.is_form()).then(|| other_absence(both.new.element, message))
        }));
    }

    pub(crate) fn header_changed(&mut self, both: &Both<'_>) {
        let Some((was, is)) = both.old.header.zip(both.new.header) else {
            return;
        };
        if was.required != is.required && both.owner.member == MemberKind::Header {
            self.header_required(both, was.required, is.required);
        }
        if was.must_understand != is.must_understand {
            let with = if is.must_understand {
                "with"
            } else {
                "without"
            };
            let said = format!("is sent {with} `mustUnderstand`");
            let finding = both.subject.finding(Kind::MemberMustUnderstand, &said);
            self.find(
                finding.on_wire(|_| Reading::works("both sides know the header and understand it")),
            );
        }
    }

    fn header_required(&mut self, both: &Both<'_>, was: bool, is: bool) {
        let name = &both.new.element.name.xml;
        let (kind, said) = if is {
            (Kind::MemberRequired, "is required")
        } else {
            (Kind::MemberOptional, "is not required any more")
        };
        let finding = both.subject.finding(kind, said);
        let mut finding = finding.on_wire(|message| match message.ends(was, is) {
            (_, true) => Reading::breaks(format!("without the header `{name}` a call is refused")),
            (_, false) => Reading::works(format!("the header `{name}` may be missing")),
        });
        if both.old.element.absence != both.new.element.absence {
            finding = option_in_source(finding, both);
        }
        self.find(finding);
    }
}

/// The names of the items of a list, the outermost first.
fn item_names(list: &ListType) -> String {
    let inner = list.inner().map(item_names);
    let inner = inner.map_or_else(String::new, |inner| format!(" and {inner}"));
    format!("`{}`{inner}", list.item)
}

/// Code of a field that is an `Option` on one side alone.
fn option_in_source(finding: Finding, both: &Both<'_>) -> Finding {
    let (was, is) = (option(both.old.element), option(both.new.element));
    let why = format!(
        "{} is {is} where it was {was}",
        both.owner.field(both.new.element)
    );
    finding.in_source(Dependents::Users, why)
}

fn option(element: &Element) -> &'static str {
    match element.absence {
        Absence::Required => "no `Option`",
        _ => "an `Option`",
    }
}
