//! Parameters, elements, attributes, SOAP headers, alternatives of choices, results: whatever has a name and a type.

use super::change::{Effect, Verdict};
use super::effects::{Code, Messages, wire};
use super::matching::{is_reordered, matched};
use super::reading::{
    Member, Reading, Road, absent, absent_result, missing, other_absence, unknown,
};
use super::{Compare, Finding};
use crate::model::{Absence, ChoiceId, Element, ListType, Model, TypeRef};

/// What a member is a member of.
#[derive(Debug, Clone)]
pub(super) struct Owner {
    /// What the members are: `parameter`, `element`, `attribute`, `header`, `alternative`.
    pub noun: &'static str,
    /// Whose they are, in words: `` of `Greet` ``.
    pub of: String,
    /// The struct of Rust that they are fields of, or the enum that they are variants of.
    pub item: String,
    /// The keys that lead to them, on each side.
    pub old_keys: String,
    pub new_keys: String,
    /// How many of them, the first ones, come from a type that both sides extend: what changes in those is told there.
    pub inherited: (usize, usize),
    pub messages: Messages,
}

impl Owner {
    fn is_ordered(&self) -> bool {
        matches!(self.noun, "parameter" | "element")
    }

    fn is_choice(&self) -> bool {
        self.noun == "alternative"
    }

    pub fn finding(&self, code: &str, old: &Element, new: &Element, what: String) -> Finding {
        self.found(code, Some(old), Some(new), what)
    }

    fn found(
        &self,
        code: &str,
        old: Option<&Element>,
        new: Option<&Element>,
        what: String,
    ) -> Finding {
        let keys = |keys: &str, element: &Element| match self.noun {
            "result" => format!("{keys}/result"),
            _ => format!("{keys}/{}", element.name.xml),
        };
        Finding {
            code: format!("{}-{code}", self.noun.replace(' ', "-")),
            what,
            old: old.map(|element| keys(&self.old_keys, element)),
            new: new.map(|element| keys(&self.new_keys, element)),
            effects: Vec::new(),
            help: None,
            is_documentation: false,
        }
    }

    /// `` the parameter `name` of `Greet` ``.
    pub fn subject(&self, element: &Element) -> String {
        match self.noun {
            "result" | "text" => format!("the {}{}", self.noun, self.of),
            noun => format!("the {noun} `{}`{}", element.name.xml, self.of),
        }
    }

    /// `` `name` of `GreetRequest` ``.
    fn field(&self, element: &Element) -> String {
        match self.noun {
            "result" => format!("what `{}` answers", self.item),
            _ => format!("`{}` of `{}`", element.name.rust, self.item),
        }
    }
}

/// A rule about a member that is on both sides.
type Rule<'m> = fn(&Compare<'m>, &Owner, Member<'_>, Member<'_>) -> Option<Finding>;

impl<'m> Compare<'m> {
    const MEMBER_RULES: [Rule<'m>; 9] = [
        Self::type_changed,
        Self::optionality_changed,
        Self::absence_changed,
        Self::header_required,
        Self::header_understood,
        Self::secret_changed,
        Self::rust_name_changed,
        Self::rust_type_changed,
        Self::documentation_changed,
    ];

    pub(super) fn elements(&mut self, owner: &Owner, old: &'m [Element], new: &'m [Element]) {
        self.members(owner, &members_of(old), &members_of(new));
    }

    pub(super) fn members(&mut self, owner: &Owner, old: &[Member<'m>], new: &[Member<'m>]) {
        let matched = matched(
            old,
            new,
            |member| &member.element.name.xml,
            |old, new| self.is_alike(old.element, new.element),
        );
        let (inherited_old, inherited_new) = owner.inherited;
        let is_own = |list: &[Member<'m>], inherited: usize, member: &Member<'_>| {
            let told = list.iter().take(inherited);
            !told
                .into_iter()
                .any(|told| std::ptr::eq(told.element, member.element))
        };
        let old_own = |member: &Member<'_>| is_own(old, inherited_old, member);
        let new_own = |member: &Member<'_>| is_own(new, inherited_new, member);
        let mut both = matched.both;
        both.retain(|(old, new)| old_own(old) || new_own(new));
        let removed = matched.removed.iter().filter(|member| old_own(member));
        let added = matched.added.iter().filter(|member| new_own(member));
        let renamed = (matched.renamed.iter()).filter(|(old, new)| old_own(old) || new_own(new));
        let mut found: Vec<_> = removed
            .map(|member| self.removed(owner, **member))
            .chain(added.map(|member| self.added(owner, **member)))
            .chain(renamed.map(|(old, new)| self.renamed(owner, **old, **new)))
            .collect();
        if owner.is_ordered() && is_reordered(&both, new, |member| &member.element.name.xml) {
            found.push(reordered(owner));
        }
        self.findings.extend(found);
        for (old, new) in both {
            self.both(owner, *old, *new);
        }
    }

    /// A member that both sides have.
    pub(super) fn both(&mut self, owner: &Owner, old: Member<'m>, new: Member<'m>) {
        let found: Vec<_> = (Self::MEMBER_RULES.iter())
            .filter_map(|rule| rule(self, owner, old, new))
            .collect();
        self.findings.extend(found);
        self.alternatives(owner, old.element, new.element);
    }

    /// Whether two elements differ by their names alone.
    fn is_alike(&self, old: &Element, new: &Element) -> bool {
        let mut type_ref = new.type_ref.clone();
        // The items of an unwrapped list are called as the list is.
        if let (TypeRef::List(old), TypeRef::List(new)) = (&old.type_ref, &mut type_ref)
            && !old.wrapped
        {
            new.item.clone_from(&old.item);
        }
        self.is_same(&old.type_ref, &type_ref) && old.absence == new.absence
    }

    /// The alternatives of a choice that both sides have.
    fn alternatives(&mut self, owner: &Owner, old: &'m Element, new: &'m Element) {
        let (Some(ChoiceId(old_id)), Some(ChoiceId(new_id))) =
            (old.type_ref.choice(), new.type_ref.choice())
        else {
            return;
        };
        let (old_choice, new_choice) = (&self.old.choices[old_id], &self.new.choices[new_id]);
        let choice = Owner {
            noun: "alternative",
            of: format!(" of the choice `{}`{}", new.name.xml, owner.of),
            item: new_choice.rust.clone(),
            old_keys: format!("{}/{}/choice", owner.old_keys, old.name.xml),
            new_keys: format!("{}/{}/choice", owner.new_keys, new.name.xml),
            inherited: (0, 0),
            messages: owner.messages.clone(),
        };
        self.elements(&choice, &old_choice.alternatives, &new_choice.alternatives);
    }

    fn added(&self, owner: &Owner, member: Member<'_>) -> Finding {
        let element = member.element;
        let what = format!(
            "{} is new: {}",
            owner.subject(element),
            notation(self.new, element)
        );
        let effects = wire(&owner.messages.wire, |road| {
            Some(match road.is_forward() {
                true => self.missing(owner, self.new, member, road),
                false => self.unknown(owner, self.new, member, road),
            })
        });
        owner
            .found("added", None, Some(element), what)
            .with(effects)
            .with(self.source_of_added(owner))
            .help(match (owner.noun, element.absence) {
                ("parameter", Absence::Required) => "an optional one (`T?`) tells the handler that an old caller did not send it; over HTTP GET and POST every parameter is required: a new operation leaves old callers alone",
                ("parameter", _) => "over HTTP GET and POST every parameter is required: a new operation leaves old callers alone",
                ("header", _) if member.header.is_some_and(|rule| rule.required) => "leave `required` out until all callers send it",
                ("alternative", _) => "answer it only to callers that know it",
                _ => "callers generated anew know it",
            })
    }

    fn source_of_added(&self, owner: &Owner) -> Vec<Effect> {
        let item = &owner.item;
        match owner.is_choice() {
            true => self.source(
                &owner.messages,
                Code::Readers,
                &format!("a `match` on `{item}` that names every variant lacks one"),
            ),
            false => self.source(
                &owner.messages,
                Code::Builders,
                &format!("a `{item} {{ … }}` that lists all fields lacks one; one that ends with `..Default::default()` does not"),
            ),
        }
    }

    fn removed(&self, owner: &Owner, member: Member<'_>) -> Finding {
        let element = member.element;
        let what = format!("{} is gone", owner.subject(element));
        let effects = wire(&owner.messages.wire, |road| {
            Some(match road.is_forward() {
                true => self.unknown(owner, self.old, member, road),
                false => self.missing(owner, self.old, member, road),
            })
        });
        let why = format!("{} is gone", owner.field(element));
        owner
            .found("removed", Some(element), None, what)
            .with(effects)
            .with(self.source(&owner.messages, Code::Users, &why))
            .help("keep it, and say in its `doc` that it is not used any more")
    }

    fn renamed(&self, owner: &Owner, old: Member<'_>, new: Member<'_>) -> Finding {
        let (from, to) = (&old.element.name, &new.element.name);
        let what = format!(
            "{} is gone and `{}` of the same type has come: probably renamed",
            owner.subject(old.element),
            to.xml
        );
        let effects = wire(&owner.messages.wire, |road| {
            Some(self.read_renamed(owner, old, new, road))
        });
        let source = match from.rust == to.rust {
            true => Vec::new(),
            false => self.source(
                &owner.messages,
                Code::Users,
                &format!("{} is `{}` now", owner.field(old.element), to.rust),
            ),
        };
        owner
            .finding("renamed", old.element, new.element, what)
            .with(effects)
            .with(source)
            .help(format!(
                "keep `{}` on the wire and rename it in Rust only: `rust: …`",
                from.xml
            ))
    }

    fn read_renamed(&self, owner: &Owner, old: Member<'_>, new: Member<'_>, road: Road) -> Reading {
        let (from, to) = (&old.element.name.xml, &new.element.name.xml);
        let (old_choice, new_choice) =
            (old.element.type_ref.choice(), new.element.type_ref.choice());
        if old_choice.is_some() && new_choice.is_some() {
            return Reading::works("the name of a choice is not on the wire");
        }
        if road.is_form() && from.eq_ignore_ascii_case(to) {
            return Reading::works("names of fields are read in any letter case");
        }
        let (writer, reader) = road.ends((self.old, old), (self.new, new));
        let lost = self.missing(owner, reader.0, reader.1, road);
        match lost.verdict {
            Verdict::Breaks => lost,
            _ => {
                let (written, read) = (&writer.1.element.name.xml, &reader.1.element.name.xml);
                Reading::breaks(format!(
                    "what is sent as `{written}` is ignored, `{read}` is taken for absent"
                ))
            }
        }
    }

    /// A member that its reader does not know. What stands beside an unknown alternative is nothing.
    fn unknown(&self, owner: &Owner, model: &Model, member: Member<'_>, road: Road) -> Reading {
        let name = &member.element.name.xml;
        match (owner.is_choice(), member.element.type_ref.choice()) {
            (true, _) => Reading::breaks(format!(
                "`{name}` is not known to its reader, which takes the choice for absent or for its default"
            )),
            (false, Some(ChoiceId(id))) => {
                let first = &model.choices[id].alternatives[0];
                unknown(
                    Member {
                        element: first,
                        header: None,
                    },
                    road,
                )
            }
            _ => unknown(member, road),
        }
    }

    fn missing(&self, owner: &Owner, model: &Model, member: Member<'_>, road: Road) -> Reading {
        match owner.is_choice() {
            true => Reading::works(format!("`{}` is not chosen", member.element.name.xml)),
            false => missing(model, member, road),
        }
    }

    fn type_changed(&self, owner: &Owner, old: Member<'_>, new: Member<'_>) -> Option<Finding> {
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
        let code = self.type_code(&old.type_ref, &new.type_ref);
        Some(owner.finding(code, old, new, what).with(effects).with(source).help(
            "give what is of another type another name, and keep the old one for old callers",
        ))
    }

    fn optionality_changed(
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

    fn absence_changed(&self, owner: &Owner, old: Member<'_>, new: Member<'_>) -> Option<Finding> {
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

    fn header_required(&self, owner: &Owner, old: Member<'_>, new: Member<'_>) -> Option<Finding> {
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

    fn header_understood(
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

    fn secret_changed(&self, owner: &Owner, old: Member<'_>, new: Member<'_>) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        if old.secret == new.secret {
            return None;
        }
        let (now, why) = match new.secret {
            true => ("a secret", "is in a `Secret` now"),
            false => ("no secret any more", "is in no `Secret` any more"),
        };
        let why = format!("{} {why}", owner.field(new));
        let what = format!("{} is {now}; the wire is the same", owner.subject(new));
        let finding = owner.finding("secret", old, new, what);
        Some(finding.with(self.source(&owner.messages, Code::Users, &why)))
    }

    fn rust_name_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        if old.name.rust == new.name.rust {
            return None;
        }
        let why = format!("{} is `{}` now", owner.field(old), new.name.rust);
        let what = format!(
            "{} is `{}` in Rust where it was `{}`",
            owner.subject(new),
            new.name.rust,
            old.name.rust
        );
        let finding = owner.finding("rust-name", old, new, what);
        Some(finding.with(self.source(&owner.messages, Code::Users, &why)))
    }

    /// Another Rust type for the same simple type; or a `Box`, since a type has come to hold itself.
    fn rust_type_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        let path = |element: &Element| match &element.type_ref {
            TypeRef::Custom(_, path) => Some(path.clone()),
            _ => None,
        };
        let differs = path(old) != path(new) || old.boxed != new.boxed;
        if !differs || !self.is_same(&old.type_ref, &new.type_ref) {
            return None;
        }
        let what = format!(
            "{} is kept in another Rust type; the wire is the same",
            owner.subject(new)
        );
        let why = format!("{} is of another type", owner.field(new));
        let finding = owner.finding("rust-type", old, new, what);
        Some(finding.with(self.source(&owner.messages, Code::Users, &why)))
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
            (TypeRef::Simple(old), TypeRef::Simple(new)) => old.rust == new.rust,
            (old, new) => self.is_same(old, new),
        }
    }

    fn documentation_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        (old.documentation != new.documentation).then(|| {
            let what = format!("{} is documented otherwise", owner.subject(new));
            Finding {
                is_documentation: true,
                ..owner.finding("doc", old, new, what)
            }
        })
    }
}

fn reordered(owner: &Owner) -> Finding {
    let effects = wire(&owner.messages.wire, |road| {
        Some(match road.is_any_caller() {
            false => Reading::works("children are read in any order"),
            true => Reading::depends(
                "callers of svcgen and .NET read children in any order, those that hold to the sequence of the old schema do not",
            ),
        })
    });
    let what = format!("the {}s{} have another order", owner.noun, owner.of);
    let keys = |keys: &str| keys.rsplit_once('/').map(|(owner, _)| owner.to_owned());
    Finding::at(format!("{}-order", owner.noun), String::new(), what)
        .moved(keys(&owner.old_keys), keys(&owner.new_keys))
        .with(effects)
        .help("put new elements at the end and leave the others where they are")
}

pub(super) fn members_of(elements: &[Element]) -> Vec<Member<'_>> {
    let members = elements.iter();
    members
        .map(|element| Member {
            element,
            header: None,
        })
        .collect()
}

fn option(element: &Element) -> &'static str {
    match element.absence {
        Absence::Required => "no `Option`",
        _ => "an `Option`",
    }
}

/// The names of the items of a list, the outermost first.
fn item_names(list: &ListType) -> String {
    let inner = list.inner().map(item_names);
    let inner = inner.map_or_else(String::new, |inner| format!(" and {inner}"));
    format!("`{}`{inner}", list.item)
}

/// The type of an element as definitions write it.
pub(super) fn notation(model: &Model, element: &Element) -> String {
    let mark = match element.absence {
        Absence::Required => "",
        _ => "?",
    };
    let unwrapped = match &element.type_ref {
        TypeRef::List(list) if !list.wrapped => " (unwrapped)",
        _ => "",
    };
    let written = type_notation(model, &element.type_ref);
    format!("`{written}{mark}`{unwrapped}")
}

fn type_notation(model: &Model, type_ref: &TypeRef) -> String {
    match type_ref {
        TypeRef::Complex(id) => model.complex_types[id.0].name.xml.clone(),
        TypeRef::Enumeration(id) => model.enumerations[id.0].name.xml.clone(),
        TypeRef::Choice(_) => "choice".to_owned(),
        TypeRef::List(list) => {
            let mark = if list.nillable_items { "?" } else { "" };
            format!("{}{mark}[]", type_notation(model, &list.item_type))
        }
        type_ref => type_ref
            .simple()
            .map_or("", |simple| simple.name)
            .to_owned(),
    }
}
