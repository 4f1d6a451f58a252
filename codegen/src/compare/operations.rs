//! Operations: their names and addresses on the wire, what they take and answer.

mod parts;
mod wire;

use super::effects::{Code, Messages, keep_on_wire, wire};
use super::matching::matched;
use super::members::notation;
use super::reach::{Role, uses_of};
use super::reading::{Reading, Road};
use super::{Compare, Subject, operations};
use crate::model::{Binding, Bindings, Element, Method, Model};

impl<'m> Compare<'m> {
    pub(super) fn operations(&mut self) {
        let (old, new) = (operations(self.old), operations(self.new));
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
        let subject = subject(new);
        if old.faults != new.faults {
            let said = "names other faults that it may answer with";
            self.find_in_words(subject.at("faults").finding("faults", said));
        }
        self.documentation(&subject, &old.documentation, &new.documentation);
        self.parameters(old, new);
        self.result(old, new);
        self.headers(old, new, Role::Request);
        self.headers(old, new, Role::Answer);
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
        let uses = uses_of(operation, Role::Request, operation.bindings);
        let finding = in_full(operation).added().on_wire(&uses, |road| {
            (!road.is_forward()).then(|| Reading::breaks("the old server does not have it"))
        });
        let why = format!("the handler lacks the method `{}`", operation.name.rust);
        let source = match self.options.has_default_method(&operation.name.xml) {
            true => Vec::new(),
            false => self.source(&Messages::everywhere(), Code::Handlers, &why),
        };
        self.find(finding.with(source).help(
            "the option `default_methods` gives it a body, so that handlers compile without it",
        ));
    }

    fn operation_removed(&mut self, operation: &Method) {
        let uses = uses_of(operation, Role::Request, operation.bindings);
        let finding = in_full(operation).removed().on_wire(&uses, |road| {
            road.is_forward()
                .then(|| Reading::breaks("the new server does not have it"))
        });
        let why = format!("the method `{}` is gone", operation.name.rust);
        self.find(finding.with(self.all_source(&why)).help(
            "keep it until nobody calls it; its handler may answer a fault that says what to call instead",
        ));
    }

    fn operation_renamed(&mut self, old: &Method, new: &Method) {
        let (from, to) = (&old.name.xml, &new.name.xml);
        let is_same_in_soap = messages(old) == messages(new);
        let read = |road: Road, server: &str, known: &str| match road.is_soap() && is_same_in_soap {
            true => Reading::works("SOAP goes by the action and the elements, which are the same"),
            false => Reading::breaks(format!("the {server} server knows `{known}` only")),
        };
        let callers = wire(&uses_of(old, Role::Request, old.bindings), |road| {
            road.is_forward().then(|| read(road, "new", to))
        });
        let clients = wire(&uses_of(new, Role::Request, new.bindings), |road| {
            (!road.is_forward()).then(|| read(road, "old", from))
        });
        let item = format!("the method `{}`", old.name.rust);
        let code = Messages::everywhere();
        let source = self.renamed_source(&code, &item, &old.name.rust, &new.name.rust);
        let like = ", which takes and answers the same,";
        let finding = in_full(old).renamed(&in_full(new), to, like);
        let finding = finding.with(callers).with(clients).with(source);
        self.find(finding.help(keep_on_wire(from)));
    }

    /// Bindings that one side alone has.
    fn bindings_changed(&mut self, operation: &Method, bindings: Bindings, is_gone: bool) {
        if bindings.is_empty() {
            return;
        }
        let (code, now, server) = match is_gone {
            true => ("removed", "is not offered any more", "new"),
            false => ("added", "is offered", "old"),
        };
        let list: Vec<_> = bindings.iter().map(Binding::key).collect();
        let said = format!("{now} over {}", list.join(", "));
        let subject = subject(operation);
        let finding = subject.part("bindings", subject.words.clone());
        let finding = finding.at("bindings").finding(code, &said);
        let uses = uses_of(operation, Role::Request, bindings);
        self.find(finding.on_wire(&uses, |road| {
            let why = || format!("the {server} server does not serve it there");
            (road.is_forward() == is_gone).then(|| Reading::breaks(why()))
        }));
    }

    fn method_changed(&mut self, old: &Method, new: &Method) {
        let (was, is) = (&old.name.rust, &new.name.rust);
        if was == is {
            return;
        }
        let said = format!("is `{is}` in Rust where it was `{was}`");
        let why = format!("the method `{was}` is `{is}` now, and its request struct follows");
        let finding = subject(new).at("rust").finding("rust-name", &said);
        self.find(finding.with(self.all_source(&why)));
    }
}

fn subject(operation: &Method) -> Subject {
    let name = &operation.name.xml;
    Subject::new(
        "operation",
        format!("`{name}`"),
        format!("operations/{name}"),
    )
}

/// The same in words that do not speak of its parts.
fn in_full(operation: &Method) -> Subject {
    let words = format!("the operation `{}`", operation.name.xml);
    subject(operation).part("operation", words)
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
