//! Members that one side alone has, or that stand elsewhere.

use super::owner::{Owner, notation};
use crate::class::{Audience, Verdict};
use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, keep_on_wire};
use crate::message::{Message, Reading};
use crate::reading::Member;
use crate::sides::Sides;

impl Sides<'_> {
    pub(crate) fn member_added(&mut self, owner: &Owner, member: Member<'_>) {
        let element = member.element;
        let mut subject = owner.subject(element);
        subject.old = None;
        let said = format!("is new: {}", notation(self.new, element));
        let finding = subject.finding(Kind::MemberAdded, &said);
        let finding = finding.on_wire(|message| {
            if message.is_forward() {
                member.missing(message)
            } else {
                member.unknown(message)
            }
        });
        let refused_in_forms = finding.change.effects.iter().any(|effect| {
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
        let (dependents, why) = if owner.is_choice() {
            (
                Dependents::Readers,
                format!("a `match` on `{item}` that names every variant lacks one"),
            )
        } else {
            (
                Dependents::Builders,
                format!(
                    "a `{item} {{ … }}` that lists all fields lacks one; one that ends with `..Default::default()` does not"
                ),
            )
        };
        self.find(finding.in_source(dependents, why).help(help));
    }

    pub(crate) fn member_removed(&mut self, owner: &Owner, member: Member<'_>) {
        let finding = owner.subject(member.element);
        let finding = finding.removed(Kind::MemberRemoved);
        let finding = finding.on_wire(|message| {
            if message.is_forward() {
                member.unknown(message)
            } else {
                member.missing(message)
            }
        });
        let why = format!("{} is gone", owner.field(member.element));
        self.find(finding.in_source(Dependents::Users, why));
    }

    pub(crate) fn member_renamed(&mut self, owner: &Owner, old: Member<'_>, new: Member<'_>) {
        let (from, to) = (&old.element.name, &new.element.name);
        let subject = owner.subject(old.element);
        let new_subject = owner.subject(new.element);
        let finding = subject.renamed(
            Kind::MemberRenamed,
            &new_subject,
            &to.xml,
            " of the same type",
        );
        let finding = finding.on_wire(|message| read_renamed(old, new, message));
        let field = owner.field(old.element);
        let finding = finding.renamed_in_rust(&field, &from.rust, &to.rust);
        self.find(finding.help(keep_on_wire(&from.xml)));
    }

    pub(crate) fn reordered(&mut self, owner: &Owner) {
        let words = format!("the {}s{}", owner.noun(), owner.of);
        let subject = owner.named(words).around();
        let finding = subject.finding(Kind::MemberOrder, "have another order");
        let finding = finding.on_wire(|message| {
            if !message.is_any_caller() {
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
    let is_choice = |member: Member<'_>| member.element.type_ref.choice().is_some();
    if is_choice(old) && is_choice(new) {
        return Reading::works("the name of a choice is not on the wire");
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
