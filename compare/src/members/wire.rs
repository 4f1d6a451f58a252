//! Members of other types, and members that are absent otherwise.

use super::owner::{Both, notation};
use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, Finding};
use crate::message::Reading;
use crate::reading::{absent, absent_result, other_absence};
use crate::sides::Sides;
use svcgen_codegen::model::{Absence, Element, ListType, TypeRef};

impl Sides<'_> {
    pub(crate) fn type_changed(&mut self, both: &Both<'_>) {
        let (old, new) = (&both.old.type_ref, &both.new.type_ref);
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
                let (was, is) = (notation(self.old, both.old), notation(self.new, both.new));
                let said = format!("is {is} where it was {was}");
                both.subject.finding(kind, &said)
            }
        };
        finding = finding.on_wire(|message| self.retyped(old, new, message));
        if !self.is_same_in_rust(old, new) {
            let why = format!("{} is of another type", both.owner.field(both.new));
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
        let is_required = |element: &Element| element.absence == Absence::Required;
        let is_header_rule = both
            .rules
            .is_some_and(|(was, is)| was.required != is.required);
        if is_required(old) == is_required(new) || is_header_rule {
            return;
        }
        let (kind, said) = if is_required(new) {
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
            let (writer, reader) = message.ends((self.old, old), (self.new, new));
            let result = absent_result(writer.1, reader.1, message);
            let reading = result
                .filter(|_| both.owner.member == MemberKind::Result)
                .or_else(|| absent(reader.0, writer.1, reader.1, message));
            let works = || Reading::works("what is always there reads as what can be absent");
            both.rules.is_none().then(|| reading.unwrap_or_else(works))
        });
        self.find(option_in_source(finding, both));
    }

    pub(crate) fn absence_changed(&mut self, both: &Both<'_>) {
        let (was, is) = (both.old.absence, both.new.absence);
        if was == is || [was, is].contains(&Absence::Required) {
            return;
        }
        let said = match is {
            Absence::Nil => "says `xsi:nil` when it is absent, and was left out",
            _ => "is left out when it is absent, and said `xsi:nil`",
        };
        let finding = both.subject.finding(Kind::MemberAbsence, said);
        self.find(
            finding
                .on_wire(|message| (!message.is_form()).then(|| other_absence(both.new, message))),
        );
    }

    pub(crate) fn header_changed(&mut self, both: &Both<'_>) {
        let Some((was, is)) = both.rules else {
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
        let name = &both.new.name.xml;
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
        if both.old.absence != both.new.absence {
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
    let (was, is) = (option(both.old), option(both.new));
    let why = format!("{} is {is} where it was {was}", both.owner.field(both.new));
    finding.in_source(Dependents::Users, why)
}

fn option(element: &Element) -> &'static str {
    match element.absence {
        Absence::Required => "no `Option`",
        _ => "an `Option`",
    }
}
