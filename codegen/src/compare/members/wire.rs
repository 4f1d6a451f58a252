//! Members of other types, and members that are absent otherwise.

use super::Owner;
use super::notation::notation;
use crate::compare::effects::{Code, wire};
use crate::compare::reading::{Member, Reading, absent, absent_result, other_absence};
use crate::compare::{Compare, Finding};
use crate::model::{Absence, Element, ListType, TypeRef};

impl Compare<'_> {
    pub(super) fn type_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        if self.is_same(&old.type_ref, &new.type_ref) {
            return None;
        }
        let code = self.type_code(&old.type_ref, &new.type_ref);
        let subject = owner.subject(new);
        let what = match (&old.type_ref, &new.type_ref) {
            (TypeRef::List(was), TypeRef::List(is)) if code == "item" => {
                let (was, is) = (item_names(was), item_names(is));
                format!("the items of {subject} are called {is} where they were called {was}")
            }
            _ => {
                let (was, is) = (notation(self.old, old), notation(self.new, new));
                format!("{subject} is {is} where it was {was}")
            }
        };
        let effects = wire(&owner.messages.wire, |road| {
            Some(self.retyped(&old.type_ref, &new.type_ref, road))
        });
        let source = match self.is_same_in_rust(&old.type_ref, &new.type_ref) {
            true => Vec::new(),
            false => self.source(
                &owner.messages,
                Code::Users,
                &format!("{} is of another type", owner.field(new)),
            ),
        };
        Some(owner.finding(code, old, new, what).with(effects).with(source).help(
            "give what is of another type another name, and keep the old one for old callers",
        ))
    }

    /// In which way a type is another one.
    fn type_code(&self, old: &TypeRef, new: &TypeRef) -> &'static str {
        let (TypeRef::List(old), TypeRef::List(new)) = (old, new) else {
            let lists = [old, new].map(|type_ref| matches!(type_ref, TypeRef::List(_)));
            return if lists.contains(&true) {
                "list"
            } else {
                "type"
            };
        };
        if !self.is_same(&old.item_type, &new.item_type) {
            return self.type_code(&old.item_type, &new.item_type);
        }
        match (old.wrapped == new.wrapped, old.item == new.item) {
            (false, _) => "wrapping",
            (true, false) => "item",
            (true, true) => "nil-items",
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

    pub(super) fn optionality_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let is_required = |member: Member<'_>| member.element.absence == Absence::Required;
        let demands = |member: Member<'_>| member.header.is_some_and(|rule| rule.required);
        if is_required(old) == is_required(new) || demands(old) != demands(new) {
            return None;
        }
        let is_header = new.header.is_some();
        let (old, new) = (old.element, new.element);
        let (code, now) = match new.absence {
            Absence::Required => ("required", "is always there where it could be absent"),
            _ => ("optional", "can be absent where it was always there"),
        };
        let effects = wire(&owner.messages.wire, |road| {
            let (writer, reader) = road.ends((self.old, old), (self.new, new));
            let reading = match owner.noun {
                "result" => absent_result(writer.1, reader.1, road),
                _ => None,
            };
            let reading = reading.or_else(|| absent(reader.0, writer.1, reader.1, road));
            let works = || Reading::works("what is always there reads as what can be absent");
            (!is_header).then(|| reading.unwrap_or_else(works))
        });
        let why = format!(
            "{} is {} where it was {}",
            owner.field(new),
            option(new),
            option(old)
        );
        Some(
            owner
                .finding(code, old, new, format!("{} {now}", owner.subject(new)))
                .with(effects)
                .with(self.source(&owner.messages, Code::Users, &why)),
        )
    }

    pub(super) fn absence_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        let both = [old.absence, new.absence];
        if old.absence == new.absence || both.contains(&Absence::Required) {
            return None;
        }
        let now = match new.absence {
            Absence::Nil => "says `xsi:nil` when it is absent, and was left out",
            _ => "is left out when it is absent, and said `xsi:nil`",
        };
        let effects = wire(&owner.messages.wire, |road| {
            (!road.is_form()).then(|| other_absence(new, road))
        });
        let what = format!("{} {now}", owner.subject(new));
        Some(owner.finding("absence", old, new, what).with(effects))
    }

    pub(super) fn header_required(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (was, is) = (old.header?.required, new.header?.required);
        if was == is || owner.noun != "header" {
            return None;
        }
        let name = &new.element.name.xml;
        let (code, now) = match is {
            true => ("required", "is required"),
            false => ("optional", "is not required any more"),
        };
        let effects = wire(&owner.messages.wire, |road| {
            let (_, reader) = road.ends(was, is);
            Some(match reader {
                true => Reading::breaks(format!("without the header `{name}` a call is refused")),
                false => Reading::works(format!("the header `{name}` may be missing")),
            })
        });
        let (old, new) = (old.element, new.element);
        let why = format!(
            "{} is {} where it was {}",
            owner.field(new),
            option(new),
            option(old)
        );
        let source = match old.absence == new.absence {
            true => Vec::new(),
            false => self.source(&owner.messages, Code::Users, &why),
        };
        let what = format!("{} {now}", owner.subject(new));
        Some(
            owner
                .finding(code, old, new, what)
                .with(effects)
                .with(source),
        )
    }

    pub(super) fn header_understood(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        if old.header?.must_understand == new.header?.must_understand {
            return None;
        }
        let what = format!(
            "{} is sent {} `mustUnderstand`",
            owner.subject(new.element),
            if new.header?.must_understand {
                "with"
            } else {
                "without"
            }
        );
        let effects = wire(&owner.messages.wire, |_| {
            Some(Reading::works(
                "both sides know the header and understand it",
            ))
        });
        Some(
            owner
                .finding("must-understand", old.element, new.element, what)
                .with(effects),
        )
    }
}

/// The names of the items of a list, the outermost first.
fn item_names(list: &ListType) -> String {
    let inner = list.inner().map(item_names);
    let inner = inner.map_or_else(String::new, |inner| format!(" and {inner}"));
    format!("`{}`{inner}", list.item)
}

fn option(element: &Element) -> &'static str {
    match element.absence {
        Absence::Required => "no `Option`",
        _ => "an `Option`",
    }
}
