//! Operations: their names and addresses on the wire, what they take and answer.

mod parts;
mod wire;

use crate::codes::Kind;
use crate::finding::{Dependents, Subject, keep_on_wire};
use crate::matching::matched;
use crate::members::notation;
use crate::message::{Direction, Message, Reading};
use crate::sides::Sides;
use crate::usage::uses_of;
use svcgen_codegen::model::{Binding, Bindings, Element, Method, Model};

impl<'m> Sides<'m> {
    pub(crate) fn operations(&mut self) {
        let (old, new) = (self.old.operations(), self.new.operations());
        let matched = matched(
            old,
            new,
            |operation| &operation.name.xml,
            |old, new| self.is_alike_operation(old, new),
        );
        for removed in matched.removed {
            self.operation_removed(&old[removed]);
        }
        for added in matched.added {
            self.operation_added(&new[added]);
        }
        for (was, is) in matched.both {
            let (old, new) = (&old[was], &new[is]);
            if old.name.xml == new.name.xml {
                self.operation(old, new);
            } else {
                self.operation_renamed(old, new);
            }
        }
    }

    fn operation(&mut self, old: &'m Method, new: &'m Method) {
        let offered = new.bindings.without(old.bindings);
        let gone = old.bindings.without(new.bindings);
        self.bindings_changed(new, gone, true);
        self.bindings_changed(new, offered, false);
        self.action_changed(old, new);
        self.names_changed(old, new);
        self.root_changed(old, new);
        self.style_changed(old, new);
        self.one_way_changed(old, new);
        self.method_changed(old, new);
        let subject = Subject::operation(new);
        if old.faults != new.faults {
            let said = "names other faults that it may answer with";
            self.find(subject.at("faults").finding(Kind::OperationFaults, said));
        }
        let (was, is) = (&old.documentation, &new.documentation);
        self.documentation(&subject, Kind::OperationDoc, was, is);
        self.parameters(old, new);
        self.result(old, new);
        self.headers(old, new, Direction::Request);
        self.headers(old, new, Direction::Response);
    }

    /// Whether two operations take and answer the same, and something at all.
    fn is_alike_operation(&self, old: &Method, new: &Method) -> bool {
        let shape = |model: &Model, operation: &Method| {
            let typed = |element: &Element| notation(model, element);
            let parameters = operation.request.elements.iter();
            let parameters: Vec<_> = parameters
                .map(|element| (element.name.xml.clone(), typed(element)))
                .collect();
            let result = operation.result.as_ref();
            (parameters, result.map(|result| typed(&result.element)))
        };
        let says_something = !old.request.elements.is_empty() || old.result.is_some();
        says_something && shape(self.old, old) == shape(self.new, new)
    }

    fn operation_added(&mut self, operation: &Method) {
        let uses = uses_of(operation, Direction::Request, operation.bindings);
        let finding =
            in_full(operation)
                .added(Kind::OperationAdded)
                .in_messages(&uses, |message| {
                    (!message.is_forward())
                        .then(|| Reading::breaks("the old server does not have it"))
                });
        let why = format!("the handler lacks the method `{}`", operation.name.rust);
        let has_body = self.options.default_methods.contains(&operation.name.xml);
        self.find(if has_body {
            finding
        } else {
            finding.in_source(Dependents::Handlers, why)
        });
    }

    fn operation_removed(&mut self, operation: &Method) {
        let uses = uses_of(operation, Direction::Request, operation.bindings);
        let finding = in_full(operation)
            .removed(Kind::OperationRemoved)
            .in_messages(&uses, |message| {
                message
                    .is_forward()
                    .then(|| Reading::breaks("the new server does not have it"))
            });
        let why = format!("the method `{}` is gone", operation.name.rust);
        self.find(finding.in_source(Dependents::Users, why));
    }

    fn operation_renamed(&mut self, old: &Method, new: &Method) {
        let (from, to) = (&old.name.xml, &new.name.xml);
        let is_same_in_soap = messages(old) == messages(new);
        let read = |message: Message, server: &str, known: &str| {
            if message.is_soap() && is_same_in_soap {
                Reading::works("SOAP goes by the action and the elements, which are the same")
            } else {
                Reading::breaks(format!("the {server} server knows `{known}` only"))
            }
        };
        let callers = uses_of(old, Direction::Request, old.bindings);
        let clients = uses_of(new, Direction::Request, new.bindings);
        let item = format!("the method `{}`", old.name.rust);
        let like = ", which takes and answers the same,";
        let finding = in_full(old)
            .renamed(Kind::OperationRenamed, &in_full(new), to, like)
            .in_messages(&callers, |message| {
                message.is_forward().then(|| read(message, "new", to))
            })
            .in_messages(&clients, |message| {
                (!message.is_forward()).then(|| read(message, "old", from))
            })
            .renamed_in_rust(&item, &old.name.rust, &new.name.rust);
        self.find(finding.help(keep_on_wire(from)));
    }

    /// Bindings that one side alone has.
    fn bindings_changed(&mut self, operation: &Method, bindings: Bindings, is_gone: bool) {
        if bindings.is_empty() {
            return;
        }
        let (kind, now, server) = if is_gone {
            (Kind::BindingsRemoved, "is not offered any more", "new")
        } else {
            (Kind::BindingsAdded, "is offered", "old")
        };
        let list: Vec<_> = bindings.iter().map(Binding::key).collect();
        let said = format!("{now} over {}", list.join(", "));
        let finding = Subject::operation(operation)
            .at("bindings")
            .finding(kind, &said);
        let uses = uses_of(operation, Direction::Request, bindings);
        self.find(finding.in_messages(&uses, |message| {
            let why = || format!("the {server} server does not serve it there");
            (message.is_forward() == is_gone).then(|| Reading::breaks(why()))
        }));
    }

    fn method_changed(&mut self, old: &Method, new: &Method) {
        let (was, is) = (&old.name.rust, &new.name.rust);
        if was == is {
            return;
        }
        let said = format!("is `{is}` in Rust where it was `{was}`");
        let why = format!("the method `{was}` is `{is}` now, and its request struct follows");
        let finding = Subject::operation(new)
            .at("rust")
            .finding(Kind::OperationRustName, &said);
        self.find(finding.in_source(Dependents::Users, why));
    }
}

/// The same in words that do not speak of its parts.
fn in_full(operation: &Method) -> Subject {
    Subject::operation(operation).part(format!("the operation `{}`", operation.name.xml))
}

/// What SOAP calls an operation and its messages.
fn messages(operation: &Method) -> impl PartialEq {
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
