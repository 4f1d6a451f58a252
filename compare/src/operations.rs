//! Operations: their bindings, their names in messages and in Rust, what they take and return.

mod wire;

use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, Subject};
use crate::members::{Owner, members_of, notation};
use crate::message::{Direction, Message, Reading, messages_of};
use crate::reading::Member;
use crate::sides::Sides;
use std::rc::Rc;

use svcgen_codegen::model::{Absence, Binding, Bindings, Element, Headers, Method, Model};

impl<'m> Sides<'m> {
    pub(crate) fn operations(&mut self) {
        let (old, new) = (self.old.model.operations(), self.new.model.operations());
        let matched = Rc::clone(&self.operations);
        for removed in &matched.removed {
            self.operation_removed(&old[*removed]);
        }
        for added in &matched.added {
            self.operation_added(&new[*added]);
        }
        for (was, is) in &matched.both {
            let (old, new) = (&old[*was], &new[*is]);
            if old.name.xml == new.name.xml {
                self.operation(old, new);
            } else {
                self.operation_renamed(old, new);
            }
        }
    }

    fn operation(&mut self, old: &'m Method, new: &'m Method) {
        self.bindings(new, old.bindings.without(new.bindings), true);
        self.bindings(new, new.bindings.without(old.bindings), false);
        self.action(old, new);
        self.element_names(old, new);
        self.root(old, new);
        self.style(old, new);
        self.one_way(old, new);
        self.method_name(old, new);
        let subject = Subject::operation(new);
        if old.faults != new.faults {
            let what = "names other faults that it may answer with";
            self.find(subject.at("faults").finding(Kind::OperationFaults, what));
        }
        let (was, is) = (&old.documentation, &new.documentation);
        self.documentation(&subject, Kind::OperationDoc, was, is);
        self.parameters(old, new);
        self.result(old, new);
        self.headers(old, new, Direction::Request);
        self.headers(old, new, Direction::Response);
    }

    fn operation_added(&mut self, operation: &Method) {
        let messages = messages_of(operation, Direction::Request, operation.bindings);
        let finding = in_full(operation).added(Kind::OperationAdded);
        let finding = finding.in_messages(&messages, |message| {
            (!message.is_forward()).then(|| Reading::breaks("the old server does not have it"))
        });
        let has_body = self
            .new
            .options
            .default_methods
            .contains(&operation.name.xml);
        self.find(if has_body {
            finding
        } else {
            let why = format!("the handler lacks the method `{}`", operation.name.rust);
            finding.in_source(Dependents::Handlers, why)
        });
    }

    fn operation_removed(&mut self, operation: &Method) {
        let messages = messages_of(operation, Direction::Request, operation.bindings);
        let finding = in_full(operation).removed(Kind::OperationRemoved);
        let finding = finding.in_messages(&messages, |message| {
            (message.is_forward()).then(|| Reading::breaks("the new server does not have it"))
        });
        let why = format!("the method `{}` is gone", operation.name.rust);
        self.find(finding.in_source(Dependents::Users, why));
    }

    fn operation_renamed(&mut self, old: &Method, new: &Method) {
        let (from, to) = (&old.name.xml, &new.name.xml);
        let is_same_in_soap = soap_names(old) == soap_names(new);
        let read = |message: Message| {
            if message.is_soap() && is_same_in_soap {
                return Reading::works(
                    "SOAP goes by the action and the elements, which are the same",
                );
            }
            let (server, known) = if message.is_forward() {
                ("new", to)
            } else {
                ("old", from)
            };
            Reading::breaks(format!("the {server} server knows `{known}` only"))
        };
        let like = ", which takes and answers the same,";
        let finding = in_full(old)
            .renamed(Kind::OperationRenamed, &in_full(new), to, like)
            .in_messages(
                &messages_of(old, Direction::Request, old.bindings),
                |message| message.is_forward().then(|| read(message)),
            )
            .in_messages(
                &messages_of(new, Direction::Request, new.bindings),
                |message| (!message.is_forward()).then(|| read(message)),
            );
        let item = format!("the method `{}`", old.name.rust);
        let finding = finding.renamed_in_rust(&item, &old.name.rust, &new.name.rust);
        self.find(finding.keep_on_wire(from));
    }

    /// Bindings that one definition alone offers.
    fn bindings(&mut self, operation: &Method, bindings: Bindings, is_gone: bool) {
        if bindings.is_empty() {
            return;
        }
        let (kind, now, server) = if is_gone {
            (Kind::BindingsRemoved, "is not offered any more", "new")
        } else {
            (Kind::BindingsAdded, "is offered", "old")
        };
        let list: Vec<_> = bindings.iter().map(Binding::key).collect();
        let what = format!("{now} over {}", list.join(", "));
        let subject = Subject::operation(operation).at("bindings");
        let messages = messages_of(operation, Direction::Request, bindings);
        self.find(
            subject
                .finding(kind, what)
                .in_messages(&messages, |message| {
                    let why = format!("the {server} server does not serve it there");
                    (message.is_forward() == is_gone).then_some(Reading::breaks(why))
                }),
        );
    }

    fn method_name(&mut self, old: &Method, new: &Method) {
        let (was, is) = (&old.name.rust, &new.name.rust);
        if was != is {
            let what = format!("is `{is}` in Rust where it was `{was}`");
            let why = format!("the method `{was}` is `{is}` now, and its request struct follows");
            let subject = Subject::operation(new).at("rust");
            let finding = subject.finding(Kind::OperationRustName, what);
            self.find(finding.in_source(Dependents::Users, why));
        }
    }

    fn parameters(&mut self, old: &'m Method, new: &'m Method) {
        let place = Subject::in_messages((old, new), Direction::Request, Bindings::ALL);
        let (item, place) = (&new.request.name.rust, place.at("parameters"));
        let owner = Owner::new(MemberKind::Parameter, &new.name, item, place);
        let was = members_of(owner.member, self.old.model, &old.request.elements);
        let is = members_of(owner.member, self.new.model, &new.request.elements);
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

    fn result(&mut self, old: &'m Method, new: &'m Method) {
        let place = Subject::in_messages((old, new), Direction::Response, Bindings::ALL);
        let owner = Owner::new(MemberKind::Result, &new.name, &new.name.rust, place);
        let kind = owner.member;
        let [old, new] =
            [(self.old.model, old), (self.new.model, new)].map(|(model, operation)| {
                let result = operation.result.as_ref()?;
                let element = std::slice::from_ref(&result.element);
                members_of(kind, model, element).pop()
            });
        match (old, new) {
            (Some(old), Some(new)) => self.member(&owner, old, new),
            (None, Some(result)) => self.result_changed(&owner, result.element, true),
            (Some(result), None) => self.result_changed(&owner, result.element, false),
            (None, None) => {}
        }
    }

    /// A result that one side alone has.
    fn result_changed(&mut self, owner: &Owner, result: &Element, is_new: bool) {
        let subject = owner.subject(result);
        let finding = if is_new {
            let notation = notation(self.new.model, result);
            subject.finding(Kind::MemberAdded, format!("is new: {notation}"))
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

    fn headers(&mut self, old: &'m Method, new: &'m Method, direction: Direction) {
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
        let was = header_members(member, self.old.model, old_headers);
        let is = header_members(member, self.new.model, new_headers);
        self.members(&owner, &was, &is);
        if old_headers.is_some() != new_headers.is_some() {
            self.signature_changed(new, part, new_headers.is_some());
        }
    }
}

/// An operation, in sentences about all of it.
fn in_full(operation: &Method) -> Subject {
    Subject::operation(operation).part(format!("the operation `{}`", operation.name.xml))
}

/// What SOAP calls an operation and its messages.
fn soap_names(operation: &Method) -> impl PartialEq {
    let result = operation.result.as_ref();
    let [_, headers, response_headers] = operation.structs().map(|complex| {
        let elements = complex.into_iter().flat_map(|complex| &complex.elements);
        elements
            .map(|element| &element.name.xml)
            .collect::<Vec<_>>()
    });
    (
        (headers, response_headers),
        &operation.action,
        &operation.request.name.xml,
        &operation.response,
        result.map(|result| &result.element.name.xml),
        operation.style,
        operation.one_way,
        operation.bindings,
    )
}

fn header_members<'m>(
    kind: MemberKind,
    model: &'m Model,
    headers: Option<&'m Headers>,
) -> Vec<Member<'m>> {
    let Some(headers) = headers else {
        return Vec::new();
    };
    let mut members = members_of(kind, model, &headers.complex_type.elements);
    for (member, rule) in members.iter_mut().zip(&headers.rules) {
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
