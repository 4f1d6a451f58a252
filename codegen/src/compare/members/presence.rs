//! Members that one side alone has, or that stand elsewhere.

use super::Owner;
use super::notation::notation;
use crate::compare::Compare;
use crate::compare::change::{Audience, Verdict};
use crate::compare::effects::{Code, keep_on_wire};
use crate::compare::reading::{Member, Reading, Road, missing, unknown};
use crate::model::{Absence, Binding, ChoiceId, Model};

impl Compare<'_> {
    pub(super) fn member_added(&mut self, owner: &Owner, member: Member<'_>) {
        let element = member.element;
        let mut subject = owner.subject(element);
        subject.old = None;
        let said = format!("is new: {}", notation(self.new, element));
        let finding = subject.finding("added", &said);
        let finding = finding.on_wire(&owner.messages.wire, |road| match road.is_forward() {
            true => self.missing(owner, self.new, member, road),
            false => self.unknown(owner, self.new, member, road),
        });
        let is_form =
            |key: &&'static str| Binding::of_key(key).is_some_and(|binding| !binding.is_soap());
        let refused_in_forms = finding.change.effects.iter().any(|effect| {
            effect.audience == Audience::Callers
                && effect.verdict == Verdict::Breaks
                && effect.bindings.iter().any(is_form)
        });
        let is_required = element.absence == Absence::Required;
        let optional =
            "an optional one (`T?`) tells the handler that an old caller did not send it";
        let in_forms = "over HTTP GET and POST every parameter but lists and bytes is required: a new operation leaves old callers alone";
        let help = match owner.noun {
            "parameter" if refused_in_forms && is_required => &format!("{optional}; {in_forms}"),
            "parameter" if refused_in_forms => in_forms,
            "parameter" if is_required => optional,
            "header" if member.header.is_some_and(|rule| rule.required) => {
                "leave `required` out until all callers send it"
            }
            "alternative" => "answer it only to callers that know it",
            _ => "callers generated anew know it",
        };
        let item = &owner.item;
        let (code, why) = match owner.is_choice() {
            true => (
                Code::Readers,
                format!("a `match` on `{item}` that names every variant lacks one"),
            ),
            false => (
                Code::Builders,
                format!(
                    "a `{item} {{ … }}` that lists all fields lacks one; one that ends with `..Default::default()` does not"
                ),
            ),
        };
        let source = self.source(&owner.messages, code, &why);
        self.find(finding.with(source).help(help));
    }

    pub(super) fn member_removed(&mut self, owner: &Owner, member: Member<'_>) {
        let finding = owner.subject(member.element).removed();
        let finding = finding.on_wire(&owner.messages.wire, |road| match road.is_forward() {
            true => self.unknown(owner, self.old, member, road),
            false => self.missing(owner, self.old, member, road),
        });
        let why = format!("{} is gone", owner.field(member.element));
        let source = self.source(&owner.messages, Code::Users, &why);
        let help = "keep it, and say in its `doc` that it is not used any more";
        self.find(finding.with(source).help(help));
    }

    pub(super) fn member_renamed(&mut self, owner: &Owner, old: Member<'_>, new: Member<'_>) {
        let (from, to) = (&old.element.name, &new.element.name);
        let subject = owner.subject(old.element);
        let new_subject = owner.subject(new.element);
        let finding = subject.renamed(&new_subject, &to.xml, " of the same type");
        let finding = finding.on_wire(&owner.messages.wire, |road| {
            self.read_renamed(owner, old, new, road)
        });
        let field = owner.field(old.element);
        let source = self.renamed_source(&owner.messages, &field, &from.rust, &to.rust);
        self.find(finding.with(source).help(keep_on_wire(&from.xml)));
    }

    fn read_renamed(&self, owner: &Owner, old: Member<'_>, new: Member<'_>, road: Road) -> Reading {
        let (from, to) = (&old.element.name.xml, &new.element.name.xml);
        let is_choice = |member: Member<'_>| member.element.type_ref.choice().is_some();
        if is_choice(old) && is_choice(new) {
            return Reading::works("the name of a choice is not on the wire");
        }
        if road.is_form() && from.eq_ignore_ascii_case(to) {
            return Reading::works("names of fields are read in any letter case");
        }
        let (writer, reader) = road.ends((self.old, old), (self.new, new));
        let lost = self.missing(owner, reader.0, reader.1, road);
        if lost.verdict == Verdict::Breaks {
            return lost;
        }
        let (written, read) = (&writer.1.element.name.xml, &reader.1.element.name.xml);
        Reading::breaks(format!(
            "what is sent as `{written}` is ignored, `{read}` is taken for absent"
        ))
    }

    /// A member that its reader does not know. What stands beside an unknown alternative is nothing.
    fn unknown(&self, owner: &Owner, model: &Model, member: Member<'_>, road: Road) -> Reading {
        let name = &member.element.name.xml;
        if owner.is_choice() {
            return Reading::breaks(format!(
                "`{name}` is not known to its reader, which takes the choice for absent or for its default"
            ));
        }
        let Some(ChoiceId(id)) = member.element.type_ref.choice() else {
            return unknown(member, road);
        };
        unknown((&model.choices[id].alternatives[0]).into(), road)
    }

    fn missing(&self, owner: &Owner, model: &Model, member: Member<'_>, road: Road) -> Reading {
        match owner.is_choice() {
            true => Reading::works(format!("`{}` is not chosen", member.element.name.xml)),
            false => missing(model, member, road),
        }
    }
    pub(super) fn reordered(&mut self, owner: &Owner) {
        let words = format!("the {}s{}", owner.noun, owner.of);
        let mut subject = owner.place.part(owner.noun, words);
        for keys in [&mut subject.old, &mut subject.new] {
            let within = keys.as_ref().and_then(|keys| keys.rsplit_once('/'));
            *keys = within.map(|(owner, _)| owner.to_owned());
        }
        let finding = subject.finding("order", "have another order");
        let finding = finding.on_wire(&owner.messages.wire, |road| match road.is_any_caller() {
            false => Reading::works("children are read in any order"),
            true => Reading::depends(
                "callers of svcgen and .NET read children in any order, those that hold to the sequence of the old schema do not",
            ),
        });
        self.find(finding.help("put new elements at the end and leave the others where they are"));
    }
}
