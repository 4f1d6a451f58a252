//! What operations are called in messages, and how these are built.

use super::parts::soap_messages;
use crate::compare::effects::wire;
use crate::compare::reach::{Role, Uses};
use crate::compare::reading::Reading;
use crate::compare::{Compare, Finding};
use crate::model::{Binding, ElementForm, Method, Model, Style};

impl Compare<'_> {
    /// SOAP 1.1 goes by the SOAPAction; SOAP 1.2 by the element if it does not know the action.
    pub(super) fn action_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        let is_default = |operation: &Method, namespace: &str| {
            let namespace = namespace.strip_suffix('/').unwrap_or(namespace);
            operation.action == format!("{namespace}/{}", operation.name.xml)
        };
        let (old_service, new_service) = (self.old.service.as_ref()?, self.new.service.as_ref()?);
        // Then the change of the namespace says it.
        let follows =
            is_default(old, &old_service.namespace) && is_default(new, &new_service.namespace);
        if old.action == new.action || follows {
            return None;
        }
        let is_others = |action: &str, operations: &[Method]| {
            operations
                .iter()
                .any(|operation| operation.action == action)
        };
        let uses = soap_messages(old, new, Role::Request).wire;
        let effects = wire(&uses, |road| {
            let (sent, _) = road.ends(&old.action, &new.action);
            let (_, served) = road.ends(&old_service.operations, &new_service.operations);
            Some(match (is_others(sent, served), road.binding) {
                (true, _) => Reading::breaks(format!(
                    "`{sent}` is the action of another operation there: refused"
                )),
                (false, Binding::Soap11) => {
                    Reading::breaks(format!("the SOAPAction `{sent}` is not known: refused"))
                }
                _ => Reading::works(
                    "SOAP 1.2 goes by the element in the Body if the action is not known",
                ),
            })
        });
        let what = format!(
            "the action of `{}` is `{}` where it was `{}`",
            new.name.xml, new.action, old.action
        );
        Some(
            self.of_operation("action", "action", new, what)
                .with(effects),
        )
    }

    pub(super) fn request_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        let names = (&*old.request.name.xml, &*new.request.name.xml);
        self.element_changed(
            "request",
            Role::Request,
            (old, new),
            names,
            |sent, known| format!("the element `{sent}` is refused where `{known}` is known"),
        )
    }

    pub(super) fn response_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        let names = (&*old.response, &*new.response);
        self.element_changed(
            "response",
            Role::Answer,
            (old, new),
            names,
            |sent, known| format!("the answer holds `{sent}` where `{known}` is looked for"),
        )
    }

    pub(super) fn result_element_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        let (was, is) = (old.result.as_ref()?, new.result.as_ref()?);
        let names = (&*was.element.name.xml, &*is.element.name.xml);
        self.element_changed("result", Role::Answer, (old, new), names, |sent, known| {
            format!("the result stands in `{sent}` where `{known}` is looked for: it is missing")
        })
    }

    /// An element of SOAP messages has another name. Nobody hears an answer that one side does not give.
    fn element_changed(
        &self,
        of: &str,
        role: Role,
        (old, new): (&Method, &Method),
        (was, is): (&str, &str),
        why: impl Fn(&str, &str) -> String,
    ) -> Option<Finding> {
        if was == is {
            return None;
        }
        let is_heard = role == Role::Request || !(old.one_way || new.one_way);
        let effects = wire(&soap_messages(old, new, role).wire, |road| {
            let (sent, known) = road.ends(was, is);
            is_heard.then(|| Reading::breaks(why(sent, known)))
        });
        let key = match of {
            "result" => "result_element",
            of => of,
        };
        let name = &new.name.xml;
        let what = format!("the {of} element of `{name}` is `{is}` where it was `{was}`");
        let finding = self.of_operation(&format!("{of}-element"), key, new, what);
        Some(finding.with(effects))
    }

    /// Over HTTP GET and POST a result is named after its type.
    pub(super) fn root_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        let (was, is) = (&old.result.as_ref()?.root, &new.result.as_ref()?.root);
        let uses = self.messages_of(old, new, Role::Answer).wire;
        let effects = wire(&uses, |road| {
            let (sent, known) = road.ends(was, is);
            let why = format!("the result is the element `{sent}` where `{known}` is looked for");
            (!road.is_soap()).then(|| Reading::breaks(why))
        });
        let what = format!(
            "over HTTP GET and POST the result of `{}` is the element `{is}` where it was `{was}`",
            new.name.xml
        );
        (was != is && !effects.is_empty()).then(|| {
            self.of_operation("result-root", "result", new, what)
                .with(effects)
        })
    }

    pub(super) fn style_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        if old.style == new.style {
            return None;
        }
        let (was, is) = (word(old.style), word(new.style));
        let mut uses = Uses::new();
        for role in [Role::Request, Role::Answer] {
            let has_parts = match role {
                Role::Request => !old.request.elements.is_empty(),
                Role::Answer => old.result.is_some(),
            };
            if has_parts {
                uses.extend(soap_messages(old, new, role).wire);
            }
        }
        let effects = wire(&uses, |road| {
            Some(match self.parts_move(old, new) {
                true => Reading::breaks(format!(
                    "{} stand in no namespace in one style and in the service's in the other: they are not found",
                    road.role.parts()
                )),
                false => {
                    Reading::works("parameters and results stand in no namespace in both styles")
                }
            })
        });
        let what = format!(
            "`{}` is of the style `{is}` where it was `{was}`",
            new.name.xml
        );
        Some(self.of_operation("style", "style", new, what).with(effects))
    }

    /// Whether the style decides on the namespace of parameters.
    fn parts_move(&self, old: &Method, new: &Method) -> bool {
        let is_qualified = |operation: &Method, form| {
            operation.style == Style::Document && form == ElementForm::Qualified
        };
        is_qualified(old, form_of(self.old)) != is_qualified(new, form_of(self.new))
    }

    pub(super) fn one_way_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        if old.one_way == new.one_way {
            return None;
        }
        let uses = self.messages_of(old, new, Role::Answer).wire;
        let effects = wire(&uses, |road| {
            let (is_answered, _) = road.ends(!old.one_way, !new.one_way);
            Some(match (is_answered, road.is_any_caller()) {
                (true, _) => {
                    Reading::works("the answer is read, and holds nothing; a fault is heard of")
                }
                (false, true) => Reading::depends(
                    "`202 Accepted` without a message: callers of svcgen take it for the answer; whatever fails after that is not heard of",
                ),
                (false, false) => Reading::works("`202 Accepted` is taken for the answer"),
            })
        });
        let now = match new.one_way {
            true => "is not answered any more",
            false => "is answered where it was not",
        };
        let what = format!("`{}` {now}", new.name.xml);
        Some(
            self.of_operation("one-way", "one_way", new, what)
                .with(effects),
        )
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
