//! What operations are called in messages, and how these are built.

use super::subject;
use crate::compare::Compare;
use crate::compare::effects::messages_of;
use crate::compare::reach::{Role, Uses};
use crate::compare::reading::Reading;
use crate::model::{Binding, Bindings, ElementForm, Method, Model, Service, Style};

impl Compare<'_> {
    /// SOAP 1.1 goes by the SOAPAction; SOAP 1.2 by the element if it does not know the action.
    pub(super) fn action_changed(&mut self, old: &Method, new: &Method) {
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
        if old.action == new.action || follows {
            return;
        }
        let said = format!("is `{}` where it was `{}`", new.action, old.action);
        let words = format!("the action of `{}`", new.name.xml);
        let finding = subject(new).part("operation", words);
        let finding = finding.at("action").finding("action", &said);
        let uses = messages_of(old, new, Role::Request, Bindings::SOAP).wire;
        self.find(finding.on_wire(&uses, |road| {
            let (sent, _) = road.ends(&old.action, &new.action);
            let (_, served) = road.ends(&old_service.operations, &new_service.operations);
            if served.iter().any(|operation| operation.action == *sent) {
                return Reading::breaks(format!(
                    "`{sent}` is the action of another operation there: refused"
                ));
            }
            match road.binding {
                Binding::Soap11 => {
                    Reading::breaks(format!("the SOAPAction `{sent}` is not known: refused"))
                }
                _ => Reading::works(
                    "SOAP 1.2 goes by the element in the Body if the action is not known",
                ),
            }
        }));
    }

    /// Elements of SOAP messages may have other names. Nobody hears an answer that one side does not give.
    pub(super) fn names_changed(&mut self, old: &Method, new: &Method) {
        let mut names = vec![
            ("request", &old.request.name.xml, &new.request.name.xml),
            ("response", &old.response, &new.response),
        ];
        if let (Some(was), Some(is)) = (&old.result, &new.result) {
            names.push(("result", &was.element.name.xml, &is.element.name.xml));
        }
        for (of, was, is) in names {
            if was == is {
                continue;
            }
            let (key, role) = match of {
                "request" => (of, Role::Request),
                "response" => (of, Role::Answer),
                _ => ("result_element", Role::Answer),
            };
            let words = format!("the {of} element of `{}`", new.name.xml);
            let finding = subject(new).part("operation", words).at(key);
            let said = format!("is `{is}` where it was `{was}`");
            let finding = finding.finding(&format!("{of}-element"), &said);
            let is_heard = role == Role::Request || !(old.one_way || new.one_way);
            let uses = messages_of(old, new, role, Bindings::SOAP).wire;
            self.find(finding.on_wire(&uses, |road| {
                let (sent, known) = road.ends(was, is);
                is_heard.then(|| Reading::breaks(match of {
                    "request" => format!("the element `{sent}` is refused where `{known}` is known"),
                    "response" => format!("the answer holds `{sent}` where `{known}` is looked for"),
                    _ => format!("the result stands in `{sent}` where `{known}` is looked for: it is missing"),
                }))
            }));
        }
    }

    /// Over HTTP GET and POST a result is named after its type.
    pub(super) fn root_changed(&mut self, old: &Method, new: &Method) {
        let (Some(was), Some(is)) = (&old.result, &new.result) else {
            return;
        };
        let (was, is) = (&was.root, &is.root);
        let words = format!("over HTTP GET and POST the result of `{}`", new.name.xml);
        let finding = subject(new).part("operation", words).at("result");
        let said = format!("is the element `{is}` where it was `{was}`");
        let uses = messages_of(old, new, Role::Answer, Bindings::ALL).wire;
        let finding = finding
            .finding("result-root", &said)
            .on_wire(&uses, |road| {
                let (sent, known) = road.ends(was, is);
                let why =
                    format!("the result is the element `{sent}` where `{known}` is looked for");
                (!road.is_soap()).then(|| Reading::breaks(why))
            });
        if was != is && !finding.change.effects.is_empty() {
            self.find(finding);
        }
    }

    pub(super) fn style_changed(&mut self, old: &Method, new: &Method) {
        if old.style == new.style {
            return;
        }
        let (was, is) = (word(old.style), word(new.style));
        let mut uses = Uses::new();
        if !old.request.elements.is_empty() {
            uses.extend(messages_of(old, new, Role::Request, Bindings::SOAP).wire);
        }
        if old.result.is_some() {
            uses.extend(messages_of(old, new, Role::Answer, Bindings::SOAP).wire);
        }
        let said = format!("is of the style `{is}` where it was `{was}`");
        let finding = subject(new).at("style").finding("style", &said);
        self.find(finding.on_wire(&uses, |road| match self.parts_move(old, new) {
            true => Reading::breaks(format!(
                "{} stand in no namespace in one style and in the service's in the other: they are not found",
                road.role.parts()
            )),
            false => Reading::works("parameters and results stand in no namespace in both styles"),
        }));
    }

    /// Whether the style decides on the namespace of parameters.
    fn parts_move(&self, old: &Method, new: &Method) -> bool {
        let is_qualified = |operation: &Method, form| {
            operation.style == Style::Document && form == ElementForm::Qualified
        };
        is_qualified(old, form_of(self.old)) != is_qualified(new, form_of(self.new))
    }

    pub(super) fn one_way_changed(&mut self, old: &Method, new: &Method) {
        if old.one_way == new.one_way {
            return;
        }
        let said = match new.one_way {
            true => "is not answered any more",
            false => "is answered where it was not",
        };
        let finding = subject(new).at("one_way").finding("one-way", said);
        let uses = messages_of(old, new, Role::Answer, Bindings::ALL).wire;
        self.find(finding.on_wire(&uses, |road| {
            let (is_answered, _) = road.ends(!old.one_way, !new.one_way);
            match (is_answered, road.is_any_caller()) {
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
