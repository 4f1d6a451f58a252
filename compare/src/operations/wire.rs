//! What operations are called in messages, and how these are built.

use crate::codes::Kind;
use crate::finding::Subject;
use crate::message::{Direction, Reading};
use crate::sides::Sides;
use crate::usage::{Usage, Uses};
use svcgen_codegen::model::{Bindings, ElementForm, Method, Model, Service, Style};

impl Sides<'_> {
    /// SOAP 1.1 goes by the SOAPAction; SOAP 1.2 by the element if it does not know the action.
    pub(crate) fn action_changed(&mut self, old: &Method, new: &Method) {
        let is_default = |operation: &Method, service: &Service| {
            let namespace = &service.namespace;
            let namespace = namespace.strip_suffix('/').unwrap_or(namespace);
            operation.action == format!("{namespace}/{}", operation.name.xml)
        };
        let (Some(old_service), Some(new_service)) = (&self.old.service, &self.new.service) else {
            return;
        };
        // Then the change of the namespace says it.
        let follows = is_default(old, old_service) && is_default(new, new_service);
        let subject = Subject::in_messages((old, new), Direction::Request, Bindings::SOAP)
            .part(format!("the action of `{}`", new.name.xml))
            .at("action");
        let changed = subject.changed(Kind::OperationAction, &old.action, &new.action);
        let Some(finding) = changed.filter(|_| !follows) else {
            return;
        };
        self.find(finding.on_wire(|message| {
            let (sent, _) = message.ends(&old.action, &new.action);
            let (_, served) = message.ends(&old_service.operations, &new_service.operations);
            if served.iter().any(|operation| operation.action == *sent) {
                return Reading::breaks(format!(
                    "`{sent}` is the action of another operation there: refused"
                ));
            }
            if message.binding.has_operation_in_body() {
                Reading::works(format!(
                    "{} goes by the element in the Body if the action is not known",
                    message.binding
                ))
            } else {
                Reading::breaks(format!("the SOAPAction `{sent}` is not known: refused"))
            }
        }));
    }

    /// Elements of SOAP messages may have other names. Nobody hears an answer that one side does not give.
    pub(crate) fn names_changed(&mut self, old: &Method, new: &Method) {
        let names = (&*old.request.name.xml, &*new.request.name.xml);
        let kind = Kind::OperationRequestElement;
        self.name_changed((old, new), kind, "request", names, |sent, known| {
            format!("the element `{sent}` is refused where `{known}` is known")
        });
        let names = (&*old.response, &*new.response);
        let kind = Kind::OperationResponseElement;
        self.name_changed((old, new), kind, "response", names, |sent, known| {
            format!("the answer holds `{sent}` where `{known}` is looked for")
        });
        if let (Some(was), Some(is)) = (&old.result, &new.result) {
            let names = (&*was.element.name.xml, &*is.element.name.xml);
            let kind = Kind::OperationResultElement;
            self.name_changed((old, new), kind, "result", names, |sent, known| {
                format!(
                    "the result stands in `{sent}` where `{known}` is looked for: it is missing"
                )
            });
        }
    }

    fn name_changed(
        &mut self,
        (old, new): (&Method, &Method),
        kind: Kind,
        of: &str,
        (was, is): (&str, &str),
        why: impl Fn(&str, &str) -> String,
    ) {
        let (key, direction) = match kind {
            Kind::OperationRequestElement => ("request", Direction::Request),
            Kind::OperationResponseElement => ("response", Direction::Response),
            _ => ("result_element", Direction::Response),
        };
        let subject = Subject::in_messages((old, new), direction, Bindings::SOAP)
            .part(format!("the {of} element of `{}`", new.name.xml))
            .at(key);
        let is_heard = direction == Direction::Request || !(old.one_way || new.one_way);
        let changed = subject.changed(kind, was, is).into_iter();
        self.findings.extend(changed.map(|finding| {
            finding.on_wire(|message| {
                let (sent, known) = message.ends(was, is);
                is_heard.then(|| Reading::breaks(why(sent, known)))
            })
        }));
    }

    /// Over HTTP GET and POST a result is named after its type.
    pub(crate) fn root_changed(&mut self, old: &Method, new: &Method) {
        let (Some(was), Some(is)) = (&old.result, &new.result) else {
            return;
        };
        let (was, is) = (&was.root, &is.root);
        let words = format!("over HTTP GET and POST the result of `{}`", new.name.xml);
        let said = format!("is the element `{is}` where it was `{was}`");
        let finding = Subject::in_messages((old, new), Direction::Response, Bindings::ALL)
            .part(words)
            .at("result")
            .finding(Kind::OperationResultRoot, &said)
            .on_wire(|message| {
                let (sent, known) = message.ends(was, is);
                let why =
                    format!("the result is the element `{sent}` where `{known}` is looked for");
                (!message.is_soap()).then(|| Reading::breaks(why))
            });
        if was != is && !finding.change.effects.is_empty() {
            self.find(finding);
        }
    }

    pub(crate) fn style_changed(&mut self, old: &Method, new: &Method) {
        if old.style == new.style {
            return;
        }
        let (was, is) = (word(old.style), word(new.style));
        let mut uses = Uses::new();
        if !old.request.elements.is_empty() {
            uses.extend(Usage::of(old, new, Direction::Request, Bindings::SOAP).wire);
        }
        if old.result.is_some() {
            uses.extend(Usage::of(old, new, Direction::Response, Bindings::SOAP).wire);
        }
        let said = format!("is of the style `{is}` where it was `{was}`");
        let finding = Subject::operation(new)
            .at("style")
            .finding(Kind::OperationStyle, &said);
        self.find(finding.in_messages(&uses, |message| {
            if !self.parts_move(old, new) {
                return Reading::works("parameters and results stand in no namespace in both styles");
            }
            Reading::breaks(format!(
                "{} stand in no namespace in one style and in the service's in the other: they are not found",
                message.direction.parts()
            ))
        }));
    }

    /// Whether the style decides on the namespace of parameters.
    fn parts_move(&self, old: &Method, new: &Method) -> bool {
        let is_qualified = |operation: &Method, form| {
            operation.style == Style::Document && form == ElementForm::Qualified
        };
        is_qualified(old, form_of(self.old)) != is_qualified(new, form_of(self.new))
    }

    pub(crate) fn one_way_changed(&mut self, old: &Method, new: &Method) {
        if old.one_way == new.one_way {
            return;
        }
        let said = if new.one_way {
            "is not answered any more"
        } else {
            "is answered where it was not"
        };
        let finding = Subject::in_messages((old, new), Direction::Response, Bindings::ALL)
            .at("one_way")
            .finding(Kind::OperationOneWay, said);
        self.find(finding.on_wire(|message| {
            let (is_answered, _) = message.ends(!old.one_way, !new.one_way);
            match (is_answered, message.is_any_caller()) {
                (true, _) => {
                    Reading::works("the answer is read, and holds nothing; a fault is heard of")
                }
                (false, true) => Reading::depends(
                    "`202 Accepted` without a message: callers of svcgen take it for the answer; whatever fails after that is not heard of",
                ),
                (false, false) => Reading::works("`202 Accepted` is taken for the answer"),
            }
        }));
    }
}

fn form_of(model: &Model) -> ElementForm {
    let service = model.service.as_ref();
    service.map_or(ElementForm::Qualified, |service| service.element_form)
}

fn word(style: Style) -> &'static str {
    match style {
        Style::Document => "document",
        Style::Rpc => "rpc",
    }
}
