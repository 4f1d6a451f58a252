//! The names of operations in messages, and the form of the messages.

use crate::codes::Kind;
use crate::finding::Subject;
use crate::message::{Direction, Messages, Reading, Usage};
use crate::sides::Sides;
use svcgen_codegen::model::{Bindings, ElementForm, Method, Model, Root, Routing, Service, Style};

impl Sides<'_> {
    /// Compares the action: SOAP 1.1 requests are routed by the SOAPAction; SOAP 1.2 requests by
    /// the element if the action is unknown.
    pub(crate) fn action(&mut self, old: &Method, new: &Method) {
        let is_default = |operation: &Method, service: &Service| {
            let namespace = &service.namespace;
            let namespace = namespace.strip_suffix('/').unwrap_or(namespace);
            operation.action == format!("{namespace}/{}", operation.name.xml)
        };
        let (Some(old_service), Some(new_service)) =
            (&self.old.model.service, &self.new.model.service)
        else {
            return;
        };
        // Default actions change with the namespace, which is reported separately.
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
            let (_, server) = message.ends(old_service, new_service);
            if server.routing == Routing::Element {
                return Reading::works("the element in the Body names the operation");
            }
            if server
                .operations
                .iter()
                .any(|operation| operation.action == *sent)
            {
                return Reading::breaks(format!(
                    "`{sent}` is the action of another operation there: refused"
                ));
            }
            if message.binding.has_operation_in_body() {
                let soap = message.binding;
                Reading::works(format!(
                    "{soap} goes by the element in the Body if the action is not known"
                ))
            } else {
                Reading::breaks(format!("the SOAPAction `{sent}` is not known: refused"))
            }
        }));
    }

    /// Compares the elements of a SOAP request, of a response, and of the result in it.
    pub(crate) fn element_names(&mut self, old: &Method, new: &Method) {
        let results = old.result.as_ref().zip(new.result.as_ref());
        let results = results.map(|(old, new)| (&old.element.name.xml, &new.element.name.xml));
        // Bare messages have no elements around the parameters and results.
        let is_wrapped = old.style != Style::Bare && new.style != Style::Bare;
        let requests = is_wrapped.then_some((&old.request.name.xml, &new.request.name.xml));
        let responses = is_wrapped.then_some((&old.response.name.xml, &new.response.name.xml));
        for (kind, key, names) in [
            (Kind::OperationRequestElement, "request", requests),
            (Kind::OperationResponseElement, "response", responses),
            (Kind::OperationResultElement, "result_element", results),
        ] {
            let Some((was, is)) = names else { continue };
            // A response that one of the definitions does not have is never read.
            let (direction, is_read) = match kind {
                Kind::OperationRequestElement => (Direction::Request, true),
                _ => (Direction::Response, !(old.one_way || new.one_way)),
            };
            let of = key.trim_end_matches("_element");
            let subject = Subject::in_messages((old, new), direction, Bindings::SOAP)
                .part(format!("the {of} element of `{}`", new.name.xml))
                .at(key);
            let changed = subject.changed(kind, was, is);
            let Some(finding) = changed else { continue };
            self.find(finding.on_wire(|message| {
                let (sent, known) = message.ends(was, is);
                let why = match kind {
                    Kind::OperationRequestElement => {
                        format!("the element `{sent}` is refused where `{known}` is known")
                    }
                    Kind::OperationResponseElement => {
                        format!("the answer holds `{sent}` where `{known}` is looked for")
                    }
                    _ => format!(
                        "the result stands in `{sent}` where `{known}` is looked for: it is missing"
                    ),
                };
                is_read.then_some(Reading::breaks(why))
            }));
        }
    }

    /// Compares the name of a result over HTTP GET and POST, which is that of its type.
    pub(crate) fn root(&mut self, old: &Method, new: &Method) {
        let (Some(was), Some(is)) = (old.root(), new.root()) else {
            return;
        };
        let words = format!("over HTTP GET and POST the result of `{}`", new.name.xml);
        let what = format!(
            "is the element {} where it was {}",
            element(is),
            element(was)
        );
        let finding = Subject::in_messages((old, new), Direction::Response, Bindings::ALL)
            .part(words)
            .at("result")
            .finding(Kind::OperationResultRoot, what);
        let finding = finding.on_wire(|message| {
            let (sent, known) = message.ends(was, is);
            let why = format!(
                "the result is the element {} where {} is looked for",
                element(sent),
                element(known)
            );
            (message.is_xml() && !message.is_soap()).then_some(Reading::breaks(why))
        });
        if was != is && !finding.effects.is_empty() {
            self.find(finding);
        }
    }

    pub(crate) fn style(&mut self, old: &Method, new: &Method) {
        if old.style == new.style {
            return;
        }
        let messages_in = |direction| Usage::of(old, new, direction, Bindings::SOAP).shared;
        let mut messages = Messages::new();
        if !old.request.elements.is_empty() {
            messages.extend(messages_in(Direction::Request));
        }
        if old.result_elements().next().is_some() {
            messages.extend(messages_in(Direction::Response));
        }
        let is_qualified = |model: &Model, operation: &Method| {
            let form = model.service.as_ref().map(|service| service.element_form);
            operation.style == Style::Document && form == Some(ElementForm::Qualified)
        };
        let moves = is_qualified(self.old.model, old) != is_qualified(self.new.model, new);
        let word = |style| match style {
            Style::Document => "document",
            Style::Rpc => "rpc",
            Style::Bare => "bare",
        };
        let (was, is) = (word(old.style), word(new.style));
        let what = format!("is of the style `{is}` where it was `{was}`");
        let subject = Subject::operation(new).at("style");
        let finding = subject.finding(Kind::OperationStyle, what);
        self.find(finding.in_messages(&messages, |message| {
            if old.style == Style::Bare || new.style == Style::Bare {
                return Reading::breaks(format!(
                    "{} stand in the Body themselves in one style and in an element there in the other: they are not found",
                    message.direction.parts()
                ));
            }
            if !moves {
                return Reading::works("parameters and results stand in no namespace in both styles");
            }
            Reading::breaks(format!(
                "{} stand in no namespace in one style and in the service's in the other: they are not found",
                message.direction.parts()
            ))
        }));
    }

    /// Compares whether messages are encoded, and the namespaces of types.
    pub(crate) fn encoding(&mut self, old: &Method, new: &Method) {
        let (Some(old_service), Some(new_service)) =
            (&self.old.model.service, &self.new.model.service)
        else {
            return;
        };
        // A change of the service's namespace is reported separately.
        let within = |namespace: &Option<String>, service: &Service| {
            let namespace = namespace.as_deref()?;
            let below = namespace.strip_prefix(service.namespace.as_str());
            Some(below.unwrap_or(namespace).trim_matches('/').to_owned())
        };
        let encoded = [(old, old_service), (new, new_service)]
            .map(|(operation, service)| within(&operation.encoded, service));
        let literal =
            [old_service, new_service].map(|service| within(&service.literal_namespace, service));
        let is_soap_changed = match &encoded {
            [None, None] => literal[0] != literal[1],
            [was, is] => was != is,
        };
        let is_root_changed = literal[0] != literal[1];
        let mut messages = Messages::new();
        let mut shared = |direction, bindings| {
            messages.extend(Usage::of(old, new, direction, bindings).shared);
        };
        if is_soap_changed {
            shared(Direction::Request, Bindings::SOAP);
            shared(Direction::Response, Bindings::SOAP);
        }
        if is_root_changed && old.root().is_some() {
            shared(Direction::Response, Bindings::FORMS);
        }
        if !is_soap_changed && !is_root_changed {
            return;
        }
        let what = match &encoded {
            [None, Some(_)] => "is encoded where it was literal",
            [Some(_), None] => "is literal where it was encoded",
            _ => "has its types in another namespace",
        };
        let subject = Subject::operation(new).at("use");
        let finding = subject.finding(Kind::OperationUse, what);
        self.find(finding.in_messages(&messages, |message| {
            let why = match &encoded {
                [None, None] => "types are in another namespace: their elements are not found",
                _ if !message.is_soap() => "the result is an element of another namespace",
                [Some(_), Some(_)] => "`xsi:type` names types of another namespace: refused",
                _ => {
                    "objects and arrays stand in another place, and say their types in one of both"
                }
            };
            Reading::breaks(why)
        }));
    }

    pub(crate) fn one_way(&mut self, old: &Method, new: &Method) {
        let (was, is) = (old.one_way, new.one_way);
        let now = ["is not answered any more", "is answered where it was not"];
        let subject = Subject::in_messages((old, new), Direction::Response, Bindings::SOAP);
        let subject = subject.at("one_way");
        let switched = subject.switched(Kind::OperationOneWay, [was, is], now);
        let Some(finding) = switched else { return };
        self.find(finding.on_wire(|message| {
            let (is_unanswered, _) = message.ends(was, is);
            if !is_unanswered {
                Reading::works("the answer is read, and holds nothing; a fault is heard of")
            } else if message.is_any_caller() {
                Reading::depends(
                    "`202 Accepted` without a message: callers of svcgen take it for the answer; whatever fails after that is not heard of",
                )
            } else {
                Reading::works("`202 Accepted` is taken for the answer")
            }
        }));
    }
}

/// The root element of a result, in words.
fn element(root: &Root) -> String {
    match &root.namespace {
        Some(namespace) => format!("`{}` of namespace `{namespace}`", root.name),
        None => format!("`{}`", root.name),
    }
}
