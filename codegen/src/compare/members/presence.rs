//! Members that one side alone has, or that stand elsewhere.

use super::Owner;
use super::notation::notation;
use crate::compare::change::{Audience, Effect, Verdict};
use crate::compare::effects::{Code, wire};
use crate::compare::reading::{Member, Reading, Road, missing, unknown};
use crate::compare::{Compare, Finding};
use crate::model::{Absence, Binding, ChoiceId, Model};

impl Compare<'_> {
    pub(super) fn added(&self, owner: &Owner, member: Member<'_>) -> Finding {
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
        let is_form =
            |key: &&'static str| Binding::of_key(key).is_some_and(|binding| !binding.is_soap());
        let refused_in_forms = effects.iter().any(|effect| {
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
        owner
            .found("added", None, Some(element), what)
            .with(effects)
            .with(self.source_of_added(owner))
            .help(help)
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

    pub(super) fn removed(&self, owner: &Owner, member: Member<'_>) -> Finding {
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

    pub(super) fn renamed(&self, owner: &Owner, old: Member<'_>, new: Member<'_>) -> Finding {
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
}

pub(super) fn reordered(owner: &Owner) -> Finding {
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
