//! Members: parameters, elements, attributes, texts, SOAP headers, alternatives of choices,
//! results.

mod changes;

use crate::class::{Audience, Verdict};
use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, Subject};
use crate::matching::{self, notation};
use crate::member::Member;
use crate::message::{Direction, Message, Reading};
use crate::reading::is_same_member;
use crate::sides::Sides;
use svcgen_codegen::model::{Element, GroupId, GroupKind, ListForm, Model, Name, Scope, TypeRef};

/// The owner of members of one kind.
#[derive(Debug, Clone)]
pub(crate) struct Owner {
    pub member: MemberKind,
    /// The end of sentences about the members: `` of `Greet` ``.
    pub of: String,
    /// The Rust struct or enum with the members as fields or variants; for results, the method.
    pub item: String,
    pub place: Subject,
    /// The .NET names of the members that a type has in both definitions, whether element,
    /// attribute or text.
    pub net_names: Vec<String>,
    /// The numbers of members, old and new, that come first and from a type that both definitions
    /// extend. They are compared as members of that type.
    pub inherited: (usize, usize),
    /// Whether there is one member, which the method `item` returns.
    pub is_method: bool,
    /// Whether the member is a field in one definition and the result of a method in the other.
    pub is_moved: bool,
}

impl Owner {
    pub fn new(member: MemberKind, of: &Name, item: &str, place: Subject) -> Self {
        Self {
            member,
            of: format!(" of `{}`", of.key),
            item: item.to_owned(),
            place,
            net_names: Vec::new(),
            inherited: (0, 0),
            is_method: false,
            is_moved: false,
        }
    }

    /// Returns the subject of a finding: `` the parameter `name` of `Greet` ``.
    pub fn subject(&self, element: &Element) -> Subject {
        let (of, name) = (&self.of, &element.name.key);
        let noun = self.noun();
        match self.member {
            _ if self.is_method => self.named(format!("the {noun}{of}")).at("result"),
            MemberKind::Text => self.named(format!("the {noun}{of}")).at(name),
            _ => self.named(format!("the {noun} `{name}`{of}")).at(name),
        }
    }

    /// The place of the members, as the subject of a finding.
    fn named(&self, words: String) -> Subject {
        let member = Some(self.member);
        let subject = self.place.part(words);
        Subject { member, ..subject }
    }

    /// The reading of a member that is new or removed, but has the same name in JSON as one of
    /// another kind.
    fn of_another_kind(&self, member: Member<'_>, message: Message) -> Option<Reading> {
        let name = member.element.field_name();
        let is_same = message.is_json() && self.net_names.iter().any(|known| known == name);
        is_same.then(|| {
            Reading::works("in JSON it is a member of this name, be it an element or an attribute")
        })
    }

    fn noun(&self) -> String {
        self.member.name().replace('-', " ")
    }

    /// Describes a member in terms of Rust code: `` `name` of `GreetRequest` ``.
    pub fn field(&self, element: &Element) -> String {
        if self.is_method {
            format!("what `{}` answers", self.item)
        } else {
            format!("`{}` of `{}`", element.name.rust, self.item)
        }
    }
}

impl<'m> Sides<'m> {
    pub(crate) fn members(&mut self, owner: &Owner, old: &[Member<'m>], new: &[Member<'m>]) {
        let is_alike = |old: &Member<'m>, new: &Member<'m>| self.is_alike(old.element, new.element);
        let matched = matching::members(old, new, is_alike);
        let (inherited_old, inherited_new) = owner.inherited;
        for removed in matched
            .removed
            .into_iter()
            .filter(|was| *was >= inherited_old)
        {
            self.member_removed(owner, old[removed]);
        }
        for added in matched.added.into_iter().filter(|is| *is >= inherited_new) {
            self.member_added(owner, new[added]);
        }
        let ordered = [
            MemberKind::Parameter,
            MemberKind::Element,
            MemberKind::Result,
        ];
        let is_ordered = ordered.contains(&owner.member);
        let own = matched.both.into_iter();
        let own = own.filter(|(was, is)| *was >= inherited_old || *is >= inherited_new);
        let (both, renamed): (Vec<_>, Vec<_>) =
            own.partition(|(was, is)| old[*was].element.name.xml == new[*is].element.name.xml);
        for (was, is) in renamed {
            self.member_renamed(owner, old[was], new[is]);
        }
        if is_ordered && !both.iter().is_sorted_by_key(|(_, is)| is) {
            self.member_order(owner);
        }
        for (was, is) in both {
            self.member(owner, old[was], new[is]);
        }
    }

    /// Whether two elements differ only in their names.
    pub(crate) fn is_alike(&self, old: &Element, new: &Element) -> bool {
        let mut type_ref = new.type_ref.clone();
        // The items of an unwrapped list have the name of the list.
        if let (TypeRef::List(old), TypeRef::List(new)) = (&old.type_ref, &mut type_ref)
            && old.form == ListForm::Unwrapped
        {
            new.item.clone_from(&old.item);
        }
        self.is_same(&old.type_ref, &type_ref)
            && old.absence == new.absence
            && old.wildcard.is_some() == new.wildcard.is_some()
            && old.characters == new.characters
    }

    /// Compares the alternatives of a choice, or the elements of a sequence, in both definitions.
    fn alternatives(&mut self, owner: &Owner, old: Member<'m>, new: Member<'m>) {
        let [old_group, new_group] = [old, new].map(|member| member.element.type_ref.group());
        let (Some(GroupId(old_id)), Some(GroupId(new_id))) = (old_group, new_group) else {
            return;
        };
        let old_group = &self.old.model.groups[old_id];
        let new_group = &self.new.model.groups[new_id];
        if old_group.kind != new_group.kind {
            return;
        }
        let member = match new_group.kind {
            GroupKind::Choice => MemberKind::Alternative,
            GroupKind::Sequence => MemberKind::Element,
        };
        let what = new_group.kind.name();
        let name = &new.element.name;
        let place = owner.place.at(&name.key).at(what);
        let group = Owner {
            of: format!(" of the {what} `{}`{}", name.key, owner.of),
            ..Owner::new(member, name, &new_group.rust, place)
        };
        let [old, new] = [(old, old_group), (new, new_group)]
            .map(|(outer, group)| members_of(member, outer.model, outer.scope, &group.elements));
        self.members(&group, &old, &new);
    }

    fn member_added(&mut self, owner: &Owner, member: Member<'_>) {
        let element = member.element;
        let subject = Subject {
            old: None,
            ..owner.subject(element)
        };
        let notation = notation(self.new.model, element);
        let finding = subject.finding(Kind::MemberAdded, format!("is new: {notation}"));
        let finding = finding.on_wire(|message| match owner.of_another_kind(member, message) {
            Some(reading) => reading,
            None if message.is_forward() => member.missing(message),
            None => member.unknown(message),
        });
        let refused_in_forms = finding.effects.iter().any(|effect| {
            effect.audience == Audience::Callers
                && effect.verdict == Verdict::Breaks
                && effect.bindings.has_form()
        });
        let is_required = member.is_required();
        let optional =
            "an optional one (`T?`) tells the handler that an old caller did not send it";
        let in_forms = "over HTTP GET and POST every parameter but lists and bytes is required: a new operation leaves old callers alone";
        let help = match owner.member {
            MemberKind::Parameter if refused_in_forms && is_required => {
                &format!("{optional}; {in_forms}")
            }
            MemberKind::Parameter if refused_in_forms => in_forms,
            MemberKind::Parameter if is_required => optional,
            MemberKind::Header if member.header.is_some_and(|rule| rule.required) => {
                "leave `required` out until all callers send it"
            }
            MemberKind::Alternative => "answer it only to callers that know it",
            _ => "callers generated anew know it",
        };
        let item = &owner.item;
        let (dependents, why) = if owner.member == MemberKind::Alternative {
            let why = format!("a `match` on `{item}` that names every variant lacks one");
            (Dependents::Readers, why)
        } else {
            let why = format!(
                "a `{item} {{ … }}` that lists all fields lacks one; one that ends with `..Default::default()` does not"
            );
            (Dependents::Writers, why)
        };
        self.find(finding.in_source(dependents, why).help(help));
    }

    fn member_removed(&mut self, owner: &Owner, member: Member<'_>) {
        let finding = owner.subject(member.element).removed(Kind::MemberRemoved);
        let finding = finding.on_wire(|message| match owner.of_another_kind(member, message) {
            Some(reading) => reading,
            None if message.is_forward() => member.unknown(message),
            None => member.missing(message),
        });
        let why = format!("{} is gone", owner.field(member.element));
        self.find(finding.in_source(Dependents::Users, why));
    }

    fn member_renamed(&mut self, owner: &Owner, old: Member<'_>, new: Member<'_>) {
        let (from, to) = (&old.element.name, &new.element.name);
        let [subject, renamed] = [old, new].map(|member| owner.subject(member.element));
        let like = " of the same type";
        let finding = subject
            .renamed(Kind::MemberRenamed, &renamed, (from, to), like)
            .on_wire(|message| read_renamed(old, new, message))
            .renamed_in_rust(&owner.field(old.element), &from.rust, &to.rust);
        self.find(finding.keep_on_wire(&from.xml));
    }

    fn member_order(&mut self, owner: &Owner) {
        let words = format!("the {}s{}", owner.noun(), owner.of);
        let subject = owner.named(words);
        let finding = subject.finding(Kind::MemberOrder, "have another order");
        let finding = finding.on_wire(|message| {
            let is_old_request =
                message.is_forward() && message.direction == Direction::Request;
            if message.is_json() && is_old_request && owner.member == MemberKind::Parameter {
                return Reading::depends(
                    "page scripts that call through the script proxy give it the parameters in their order, others by their names",
                );
            }
            if !message.may_be_held_to_schema() {
                return Reading::works("children are read in any order");
            }
            Reading::depends(
                "callers of svcgen and .NET read children in any order, those that hold to the sequence of the old schema do not",
            )
        });
        self.find(finding);
    }
}

fn read_renamed(old: Member<'_>, new: Member<'_>, message: Message) -> Reading {
    let (from, to) = (&old.element.name.xml, &new.element.name.xml);
    let is_group = |member: Member<'_>| member.element.type_ref.group().is_some();
    if is_group(old) && is_group(new) {
        return Reading::works("the name of a choice or a sequence is not on the wire");
    }
    if [old, new].iter().all(|one| one.element.wildcard.is_some()) {
        return Reading::works("the name of a wildcard is not on the wire");
    }
    if [old, new].iter().all(|one| one.element.characters) {
        return Reading::works("the text between elements has no name on the wire");
    }
    if message.is_json() && old.kind == MemberKind::Result {
        return Reading::works("a result has no name in JSON");
    }
    if message.is_json() {
        return read_net(old, new, message);
    }
    if message.is_form() && from.eq_ignore_ascii_case(to) {
        return Reading::works("names of fields are read in any letter case");
    }
    let lost = message.ends(old, new).1.missing(message);
    if lost.verdict == Verdict::Breaks {
        return lost;
    }
    let (written, read) = message.ends(from, to);
    Reading::breaks(format!(
        "what is sent as `{written}` is ignored, `{read}` is taken for absent"
    ))
}

/// The reading of a member whose name in .NET, and thus in JSON, may have changed.
fn read_net(old: Member<'_>, new: Member<'_>, message: Message) -> Reading {
    let (writer, reader) = message.ends(old, new);
    let [written, read] = [writer, reader].map(|member| member.element.field_name());
    if written == read {
        return Reading::works("the name in .NET is the same, which JSON holds");
    }
    if reader.kind == MemberKind::Parameter {
        return reader.missing(message);
    }
    if is_same_member(writer.element, reader.element, message) {
        return Reading::works("names of members are read in any letter case");
    }
    Reading::breaks(format!(
        "what is sent as `{written}` is ignored, `{read}` is taken for absent"
    ))
}

pub(crate) fn members_of<'m>(
    kind: MemberKind,
    model: &'m Model,
    scope: &'m Scope<String>,
    elements: &'m [Element],
) -> Vec<Member<'m>> {
    let members = elements.iter();
    members
        .map(|element| Member::new(kind, model, scope, element))
        .collect()
}
