//! What operations take and answer.

use super::subject;
use crate::compare::Compare;
use crate::compare::effects::{messages_of, wire};
use crate::compare::members::{Owner, members_of, notation};
use crate::compare::reach::Role;
use crate::compare::reading::{Member, Reading, Road};
use crate::model::{Absence, Bindings, Element, Headers, Method};

impl<'m> Compare<'m> {
    pub(super) fn parameters(&mut self, old: &'m Method, new: &'m Method) {
        let messages = messages_of(old, new, Role::Request, Bindings::ALL);
        let (item, place) = (&new.request.name.rust, subject(new).at("parameters"));
        let owner = Owner::new("parameter", &new.name, item, place, messages);
        let [was, is] = [old, new].map(|operation| members_of(&operation.request.elements));
        self.members(&owner, &was, &is);
        if was.is_empty() != is.is_empty() {
            self.signature_changed(new, "takes a request", !is.is_empty());
        }
    }

    /// The methods of an operation take or answer something where they did not, or the other way round.
    fn signature_changed(&mut self, operation: &Method, part: &str, has: bool) {
        let now = if has { "" } else { "no longer " };
        let what = format!("the method `{}` {now}{part}", operation.name.rust);
        let finding = subject(operation).part("operation", "in Rust".to_owned());
        let finding = finding.at("rust").finding("signature", &what);
        self.find(finding.with(self.all_source(&what)));
    }

    pub(super) fn result(&mut self, old: &'m Method, new: &'m Method) {
        let messages = messages_of(old, new, Role::Answer, Bindings::ALL);
        let owner = Owner::new("result", &new.name, &new.name.rust, subject(new), messages);
        let [old, new] = [old, new].map(|operation| operation.result.as_ref());
        match (old, new) {
            (Some(old), Some(new)) => {
                self.both(&owner, (&old.element).into(), (&new.element).into())
            }
            (None, Some(result)) => self.result_changed(&owner, &result.element, true),
            (Some(result), None) => self.result_changed(&owner, &result.element, false),
            (None, None) => {}
        }
    }

    /// A result that one side alone has.
    fn result_changed(&mut self, owner: &Owner, result: &Element, is_new: bool) {
        let effects = wire(&owner.messages.wire, |road| {
            if road.is_forward() == is_new {
                return no_result(result, road);
            }
            match is_new {
                true => Reading::depends(
                    "callers do not know the result: those of svcgen and .NET skip it, those that hold to the old schema may refuse it",
                ),
                false => Reading::works("new clients skip the result"),
            }
        });
        let subject = owner.subject(result);
        let finding = match is_new {
            true => subject.finding("added", &format!("is new: {}", notation(self.new, result))),
            false => subject.finding("removed", "is gone"),
        };
        let why = format!("the method `{}` answers something else", owner.item);
        self.find(finding.with(effects).with(self.all_source(&why)));
    }

    pub(super) fn headers(&mut self, old: &'m Method, new: &'m Method, role: Role) {
        let (noun, key, part) = match role {
            Role::Request => ("header", "headers/in", "takes headers"),
            Role::Answer => ("response header", "headers/out", "answers headers"),
        };
        let [old_headers, new_headers] = [old, new].map(|operation| match role {
            Role::Request => operation.headers.as_ref(),
            Role::Answer => operation.response_headers.as_ref(),
        });
        let Some(either) = new_headers.or(old_headers) else {
            return;
        };
        let messages = messages_of(old, new, role, Bindings::SOAP);
        let (item, place) = (&either.complex_type.name.rust, subject(new).at(key));
        let owner = Owner::new(noun, &new.name, item, place, messages);
        let [was, is] = [old_headers, new_headers].map(header_members);
        self.members(&owner, &was, &is);
        if old_headers.is_some() != new_headers.is_some() {
            self.signature_changed(new, part, new_headers.is_some());
        }
    }
}

fn header_members(headers: Option<&Headers>) -> Vec<Member<'_>> {
    let headers = headers.into_iter();
    headers
        .flat_map(|headers| headers.complex_type.elements.iter().zip(&headers.rules))
        .map(|(element, rule)| Member {
            element,
            header: Some(*rule),
        })
        .collect()
}

/// A result that its reader looks for and its writer does not have.
fn no_result(result: &Element, road: Road) -> Reading {
    if result.absence != Absence::Required {
        return Reading::works("the result is taken for absent");
    }
    match road.is_any_caller() {
        true => Reading::breaks("the result is not sent any more: callers miss it"),
        false => Reading::breaks("the old server sends no result: new clients miss it"),
    }
}
