//! What operations take and answer.

use crate::compare::effects::{Messages, wire};
use crate::compare::members::{Owner, notation};
use crate::compare::reach::{Role, uses_of};
use crate::compare::reading::{Member, Reading, Road};
use crate::compare::{Compare, Effect};
use crate::model::{Absence, Bindings, Element, Headers, Method};

impl<'m> Compare<'m> {
    pub(super) fn parameters(&mut self, old: &'m Method, new: &'m Method) {
        let (old_parameters, new_parameters) = (&old.request.elements, &new.request.elements);
        let keys = format!("operations/{}/parameters", new.name.xml);
        let owner = Owner {
            noun: "parameter",
            of: format!(" of `{}`", new.name.xml),
            item: new.request.name.rust.clone(),
            old_keys: keys.clone(),
            new_keys: keys,
            inherited: (0, 0),
            messages: self.messages_of(old, new, Role::Request),
        };
        self.elements(&owner, old_parameters, new_parameters);
        if old_parameters.is_empty() != new_parameters.is_empty() {
            self.signature_changed(new, "takes a request", !new_parameters.is_empty());
        }
    }

    /// The methods of an operation take or answer something where they did not, or the other way round.
    fn signature_changed(&mut self, operation: &Method, part: &str, has: bool) {
        let method = &operation.name.rust;
        let what = match has {
            true => format!("the method `{method}` {part}"),
            false => format!("the method `{method}` no longer {part}"),
        };
        let effects = self.all_source(&what);
        let finding = self.of_operation("signature", "rust", operation, format!("in Rust {what}"));
        self.find(finding.with(effects));
    }

    pub(super) fn result(&mut self, old: &'m Method, new: &'m Method) {
        let owner = Owner {
            noun: "result",
            of: format!(" of `{}`", new.name.xml),
            item: new.name.rust.clone(),
            old_keys: format!("operations/{}", new.name.xml),
            new_keys: format!("operations/{}", new.name.xml),
            inherited: (0, 0),
            messages: self.messages_of(old, new, Role::Answer),
        };
        match (&old.result, &new.result) {
            (Some(old), Some(new)) => self.both(&owner, member(&old.element), member(&new.element)),
            (None, Some(result)) => self.result_added(&owner, &result.element),
            (Some(result), None) => self.result_removed(&owner, &result.element),
            (None, None) => {}
        }
    }

    fn result_added(&mut self, owner: &Owner, result: &Element) {
        let effects = wire(&owner.messages.wire, |road| {
            Some(match road.is_forward() {
                false => Reading::depends(
                    "callers do not know the result: those of svcgen and .NET skip it, those that hold to the old schema may refuse it",
                ),
                true => no_result(result, road),
            })
        });
        let what = format!(
            "{} is new: {}",
            owner.subject(result),
            notation(self.new, result)
        );
        self.result_finding(owner, result, "added", what, effects);
    }

    fn result_removed(&mut self, owner: &Owner, result: &Element) {
        let effects = wire(&owner.messages.wire, |road| {
            Some(match road.is_forward() {
                true => Reading::works("new clients skip the result"),
                false => no_result(result, road),
            })
        });
        let what = format!("{} is gone", owner.subject(result));
        self.result_finding(owner, result, "removed", what, effects);
    }

    fn result_finding(
        &mut self,
        owner: &Owner,
        result: &Element,
        code: &str,
        what: String,
        effects: Vec<Effect>,
    ) {
        let why = format!("the method `{}` answers something else", owner.item);
        let finding = owner.finding(code, result, result, what);
        let finding = finding.with(effects).with(self.all_source(&why));
        self.find(finding);
    }

    pub(super) fn headers(&mut self, old: &'m Method, new: &'m Method, role: Role) {
        let (noun, way, part) = match role {
            Role::Request => ("header", "in", "takes headers"),
            Role::Answer => ("response header", "out", "answers headers"),
        };
        let of = |operation: &'m Method| match role {
            Role::Request => operation.headers.as_ref(),
            Role::Answer => operation.response_headers.as_ref(),
        };
        let (old_headers, new_headers) = (of(old), of(new));
        let Some(either) = new_headers.or(old_headers) else {
            return;
        };
        let keys = format!("operations/{}/headers/{way}", new.name.xml);
        let owner = Owner {
            noun,
            of: format!(" of `{}`", new.name.xml),
            item: either.complex_type.name.rust.clone(),
            old_keys: keys.clone(),
            new_keys: keys,
            inherited: (0, 0),
            messages: soap_messages(old, new, role),
        };
        self.members(
            &owner,
            &header_members(old_headers),
            &header_members(new_headers),
        );
        if old_headers.is_some() != new_headers.is_some() {
            self.signature_changed(new, part, new_headers.is_some());
        }
    }
}

/// The messages of these operations that go one way over SOAP.
pub(super) fn soap_messages(old: &Method, new: &Method, role: Role) -> Messages {
    Messages::new(
        &uses_of(old, role, old.bindings.and(Bindings::SOAP)),
        &uses_of(new, role, new.bindings.and(Bindings::SOAP)),
    )
}

fn member(element: &Element) -> Member<'_> {
    Member {
        element,
        header: None,
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
    let may_be_absent = result.absence != Absence::Required;
    match may_be_absent {
        true => Reading::works("the result is taken for absent"),
        false if road.is_any_caller() => {
            Reading::breaks("the result is not sent any more: callers miss it")
        }
        false => Reading::breaks("the old server sends no result: new clients miss it"),
    }
}
