//! What operations take and answer.

use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, Subject};
use crate::members::{Owner, members_of, notation};
use crate::message::{Direction, Message, Reading};
use crate::reading::Member;
use crate::sides::Sides;
use svcgen_codegen::model::{Absence, Bindings, Element, Headers, Method, Model};

impl<'m> Sides<'m> {
    pub(crate) fn parameters(&mut self, old: &'m Method, new: &'m Method) {
        let place = Subject::in_messages((old, new), Direction::Request, Bindings::ALL);
        let (item, place) = (&new.request.name.rust, place.at("parameters"));
        let owner = Owner::new(MemberKind::Parameter, &new.name, item, place);
        let was = members_of(owner.member, self.old, &old.request.elements);
        let is = members_of(owner.member, self.new, &new.request.elements);
        self.members(&owner, &was, &is);
        if was.is_empty() != is.is_empty() {
            self.signature_changed(new, "takes a request", !is.is_empty());
        }
    }

    /// The methods of an operation take or answer something where they did not, or the other way round.
    fn signature_changed(&mut self, operation: &Method, part: &str, has: bool) {
        let now = if has { "" } else { "no longer " };
        let what = format!("the method `{}` {now}{part}", operation.name.rust);
        let finding = Subject::operation(operation).part("in Rust").at("rust");
        let finding = finding.finding(Kind::OperationSignature, &what);
        self.find(finding.in_source(Dependents::Users, what));
    }

    pub(crate) fn result(&mut self, old: &'m Method, new: &'m Method) {
        let place = Subject::in_messages((old, new), Direction::Response, Bindings::ALL);
        let owner = Owner::new(MemberKind::Result, &new.name, &new.name.rust, place);
        let kind = owner.member;
        let [old, new] = [(self.old, old), (self.new, new)].map(|(model, operation)| {
            let result = operation.result.as_ref()?;
            let element = std::slice::from_ref(&result.element);
            members_of(kind, model, element).pop()
        });
        match (old, new) {
            (Some(old), Some(new)) => self.both(&owner, old, new),
            (None, Some(result)) => self.result_changed(&owner, result.element, true),
            (Some(result), None) => self.result_changed(&owner, result.element, false),
            (None, None) => {}
        }
    }

    /// A result that one side alone has.
    fn result_changed(&mut self, owner: &Owner, result: &Element, is_new: bool) {
        let subject = owner.subject(result);
        let finding = if is_new {
            let said = format!("is new: {}", notation(self.new, result));
            subject.finding(Kind::MemberAdded, &said)
        } else {
            subject.finding(Kind::MemberRemoved, "is gone")
        };
        let finding = finding.on_wire(|message| {
            if message.is_forward() == is_new {
                return no_result(result, message);
            }
            if !is_new {
                return Reading::works("new clients skip the result");
            }
            Reading::depends(
                "callers do not know the result: those of svcgen and .NET skip it, those that hold to the old schema may refuse it",
            )
        });
        let why = format!("the method `{}` answers something else", owner.item);
        self.find(finding.in_source(Dependents::Users, why));
    }

    pub(crate) fn headers(&mut self, old: &'m Method, new: &'m Method, direction: Direction) {
        let (member, key, part) = match direction {
            Direction::Request => (MemberKind::Header, "headers/in", "takes headers"),
            Direction::Response => (MemberKind::ResponseHeader, "headers/out", "answers headers"),
        };
        let [old_headers, new_headers] = [old, new].map(|operation| match direction {
            Direction::Request => operation.headers.as_ref(),
            Direction::Response => operation.response_headers.as_ref(),
        });
        let Some(either) = new_headers.or(old_headers) else {
            return;
        };
        let item = &either.complex_type.name.rust;
        let place = Subject::in_messages((old, new), direction, Bindings::SOAP).at(key);
        let owner = Owner::new(member, &new.name, item, place);
        let was = header_members(member, self.old, old_headers);
        let is = header_members(member, self.new, new_headers);
        self.members(&owner, &was, &is);
        if old_headers.is_some() != new_headers.is_some() {
            self.signature_changed(new, part, new_headers.is_some());
        }
    }
}

fn header_members<'m>(
    kind: MemberKind,
    model: &'m Model,
    headers: Option<&'m Headers>,
) -> Vec<Member<'m>> {
    let Some(Headers {
        complex_type,
        rules,
    }) = headers
    else {
        return Vec::new();
    };
    let mut members = members_of(kind, model, &complex_type.elements);
    for (member, rule) in members.iter_mut().zip(rules) {
        member.header = Some(*rule);
    }
    members
}

/// A result that its reader looks for and its writer does not have.
fn no_result(result: &Element, message: Message) -> Reading {
    if result.absence != Absence::Required {
        return Reading::works("the result is taken for absent");
    }
    if message.is_any_caller() {
        Reading::breaks("the result is not sent any more: callers miss it")
    } else {
        Reading::breaks("the old server sends no result: new clients miss it")
    }
}
