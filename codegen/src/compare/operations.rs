//! Operations: their names and addresses on the wire, what they take and answer.

use super::effects::{Messages, names, wire};
use super::matching::{Matched, matched};
use super::members::{Owner, notation};
use super::reach::{Role, Uses, soap_only, uses_of};
use super::reading::{Member, Reading};
use super::{Compare, Finding, operations};
use crate::model::{
    Absence, Bindings, Element, ElementForm, Headers, Model, Operation, OperationResult, Root,
    Style,
};

/// A rule about an operation that is on both sides.
type Rule<'m> = fn(&Compare<'m>, &Operation, &Operation) -> Option<Finding>;

impl<'m> Compare<'m> {
    const OPERATION_RULES: [Rule<'m>; 12] = [
        Self::bindings_removed,
        Self::bindings_added,
        Self::action_changed,
        Self::request_changed,
        Self::response_changed,
        Self::result_element_changed,
        Self::root_changed,
        Self::style_changed,
        Self::one_way_changed,
        Self::method_changed,
        Self::faults_changed,
        Self::operation_documentation_changed,
    ];

    pub(super) fn operations(&mut self) {
        let (old, new) = (operations(self.old), operations(self.new));
        let Matched {
            both,
            renamed,
            removed,
            added,
        } = matched(
            old,
            new,
            |operation| &operation.name.xml,
            |old, new| self.is_alike_operation(old, new),
        );
        let gone = removed
            .iter()
            .map(|operation| self.operation_removed(operation));
        let come = added
            .iter()
            .map(|operation| self.operation_added(operation));
        let moved = renamed
            .iter()
            .map(|(old, new)| self.operation_renamed(old, new));
        let found: Vec<_> = gone.chain(come).chain(moved).collect();
        self.findings.extend(found);
        for (old, new) in both {
            self.operation(old, new);
        }
    }

    fn operation(&mut self, old: &'m Operation, new: &'m Operation) {
        let found: Vec<_> = Self::OPERATION_RULES
            .iter()
            .filter_map(|rule| rule(self, old, new))
            .collect();
        self.findings.extend(found);
        self.parameters(old, new);
        self.result(old, new);
        self.headers(old, new, Role::Request);
        self.headers(old, new, Role::Answer);
    }

    /// Whether two operations take and answer the same, and something at all.
    fn is_alike_operation(&self, old: &Operation, new: &Operation) -> bool {
        let shape = |operation: &Operation, compare: &Self, is_old: bool| {
            let model = if is_old { compare.old } else { compare.new };
            let typed = |element: &Element| notation(model, element);
            let parameters = operation.request.elements.iter();
            let parameters: Vec<_> = parameters
                .map(|element| (element.name.xml.clone(), typed(element)))
                .collect();
            (
                parameters,
                operation
                    .result
                    .as_ref()
                    .map(|result| typed(&result.element)),
            )
        };
        let old_shape = shape(old, self, true);
        let says_something = !old_shape.0.is_empty() || old_shape.1.is_some();
        says_something && old_shape == shape(new, self, false)
    }

    fn operation_added(&self, operation: &Operation) -> Finding {
        let name = &operation.name.xml;
        let effects = wire(
            &uses_of(operation, Role::Request, operation.bindings),
            |road| (!road.is_forward()).then(|| Reading::breaks("the old server does not have it")),
        );
        let why = format!("the handler lacks the method `{}`", operation.name.rust);
        let implementors = match self.options.has_default_method(name) {
            true => Vec::new(),
            false => self.implementors(&why),
        };
        Finding::at(
            "operation-added",
            String::new(),
            format!("the operation `{name}` is new"),
        )
        .moved(None, Some(format!("operations/{name}")))
        .with(effects)
        .with(implementors)
        .help("the option `default_methods` gives it a body, so that handlers compile without it")
    }

    fn operation_removed(&self, operation: &Operation) -> Finding {
        let name = &operation.name.xml;
        let effects = wire(
            &uses_of(operation, Role::Request, operation.bindings),
            |road| {
                road.is_forward()
                    .then(|| Reading::breaks("the new server does not have it"))
            },
        );
        let why = format!("the method `{}` is gone", operation.name.rust);
        Finding::at("operation-removed", String::new(), format!("the operation `{name}` is gone"))
            .moved(Some(format!("operations/{name}")), None)
            .with(effects)
            .with(self.all_source(&why))
            .help("keep it until nobody calls it; its handler may answer a fault that says what to call instead")
    }

    fn operation_renamed(&self, old: &Operation, new: &Operation) -> Finding {
        let (from, to) = (&old.name.xml, &new.name.xml);
        let what = format!(
            "the operation `{from}` is gone and `{to}`, which takes and answers the same, has come: probably renamed"
        );
        let callers = wire(&uses_of(old, Role::Request, old.bindings), |road| {
            let why = format!("the new server knows `{to}` only");
            road.is_forward().then(|| Reading::breaks(why))
        });
        let clients = wire(&uses_of(new, Role::Request, new.bindings), |road| {
            let why = format!("the old server knows `{from}` only");
            (!road.is_forward()).then(|| Reading::breaks(why))
        });
        let why = format!("the method `{}` is `{}` now", old.name.rust, new.name.rust);
        let source = match old.name.rust == new.name.rust {
            true => Vec::new(),
            false => self.all_source(&why),
        };
        Finding::at("operation-renamed", String::new(), what)
            .moved(
                Some(format!("operations/{from}")),
                Some(format!("operations/{to}")),
            )
            .with(callers)
            .with(clients)
            .with(source)
            .help(format!(
                "keep `{from}` on the wire and rename it in Rust only: `rust: …`"
            ))
    }

    fn bindings_removed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let gone = without(old.bindings, new.bindings);
        self.bindings_changed(
            new,
            gone,
            "bindings-removed",
            "not offered any more",
            |is_forward| {
                is_forward.then(|| Reading::breaks("the new server does not serve it there"))
            },
        )
    }

    fn bindings_added(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let come = without(new.bindings, old.bindings);
        self.bindings_changed(new, come, "bindings-added", "offered", |is_forward| {
            (!is_forward).then(|| Reading::breaks("the old server does not serve it there"))
        })
    }

    fn bindings_changed(
        &self,
        operation: &Operation,
        bindings: Bindings,
        code: &str,
        now: &str,
        read: impl Fn(bool) -> Option<Reading>,
    ) -> Option<Finding> {
        if bindings == Bindings::NONE {
            return None;
        }
        let name = &operation.name.xml;
        let list = names(bindings).collect::<Vec<_>>().join(", ");
        let effects = wire(&uses_of(operation, Role::Request, bindings), |road| {
            read(road.is_forward())
        });
        let what = format!("`{name}` is {now} over {list}");
        Some(Finding::at(code, format!("operations/{name}/bindings"), what).with(effects))
    }

    /// SOAP 1.1 goes by the SOAPAction; SOAP 1.2 by the element if it does not know the action.
    fn action_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let is_default = |operation: &Operation, namespace: &str| {
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
        let is_others = |action: &str, operations: &[Operation]| {
            operations
                .iter()
                .any(|operation| operation.action == action)
        };
        let uses = self.soap_messages(old, new, Role::Request);
        let effects = wire(&uses, |road| {
            let (sent, _) = road.ends(&old.action, &new.action);
            let (_, served) = road.ends(&old_service.operations, &new_service.operations);
            Some(match (is_others(sent, served), road.binding) {
                (true, _) => Reading::breaks(format!(
                    "`{sent}` is the action of another operation there: refused"
                )),
                (false, "soap11") => {
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

    fn request_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let (was, is) = (&old.request.name.xml, &new.request.name.xml);
        let uses = self.soap_messages(old, new, Role::Request);
        let effects = || {
            wire(&uses, |road| {
                let (sent, known) = road.ends(was, is);
                Some(Reading::breaks(format!(
                    "the element `{sent}` is refused where `{known}` is known"
                )))
            })
        };
        let what = format!(
            "the request element of `{}` is `{is}` where it was `{was}`",
            new.name.xml
        );
        (was != is).then(|| {
            self.of_operation("request-element", "request", new, what)
                .with(effects())
        })
    }

    fn response_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let (was, is) = (&old.response, &new.response);
        let uses = self.soap_messages(old, new, Role::Answer);
        let effects = || {
            wire(&uses, |road| {
                let (sent, known) = road.ends(was, is);
                let is_heard = !old.one_way && !new.one_way;
                is_heard.then(|| {
                    Reading::breaks(format!(
                        "the answer holds `{sent}` where `{known}` is looked for"
                    ))
                })
            })
        };
        let what = format!(
            "the response element of `{}` is `{is}` where it was `{was}`",
            new.name.xml
        );
        (was != is).then(|| {
            self.of_operation("response-element", "response", new, what)
                .with(effects())
        })
    }

    fn result_element_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let (was, is) = (old.result.as_ref()?, new.result.as_ref()?);
        let (was, is) = (&was.element.name.xml, &is.element.name.xml);
        let uses = self.soap_messages(old, new, Role::Answer);
        let effects = || {
            wire(&uses, |road| {
                let (sent, known) = road.ends(was, is);
                Some(Reading::breaks(format!(
                    "the result stands in `{sent}` where `{known}` is looked for: it is missing"
                )))
            })
        };
        let what = format!(
            "the result element of `{}` is `{is}` where it was `{was}`",
            new.name.xml
        );
        (was != is).then(|| {
            self.of_operation("result-element", "result_element", new, what)
                .with(effects())
        })
    }

    /// Over HTTP GET and POST a result is named after its type.
    fn root_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let name = |result: &OperationResult| match &result.root {
            Root::Simple(name) | Root::Complex(name) => name.clone(),
        };
        let (was, is) = (name(old.result.as_ref()?), name(new.result.as_ref()?));
        let uses = self.messages_of(old, new, Role::Answer).wire;
        let effects = wire(&uses, |road| {
            let (sent, known) = road.ends(&was, &is);
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

    fn style_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
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
                uses.extend(self.soap_messages(old, new, role));
            }
        }
        let effects = wire(&uses, |road| {
            Some(match self.parts_move(old, new) {
                true => Reading::breaks(format!(
                    "{} stand in no namespace in one style and in the service's in the other: they are not found",
                    if road.role == Role::Request {
                        "parameters"
                    } else {
                        "results"
                    }
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
    fn parts_move(&self, old: &Operation, new: &Operation) -> bool {
        let is_qualified = |operation: &Operation, form| {
            operation.style == Style::Document && form == ElementForm::Qualified
        };
        is_qualified(old, form_of(self.old)) != is_qualified(new, form_of(self.new))
    }

    fn one_way_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
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

    fn method_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let (was, is) = (&old.name.rust, &new.name.rust);
        let what = format!("`{}` is `{is}` in Rust where it was `{was}`", new.name.xml);
        let why = format!("the method `{was}` is `{is}` now, and its request struct follows");
        (was != is).then(|| {
            self.of_operation("rust-name", "rust", new, what)
                .with(self.all_source(&why))
        })
    }

    fn faults_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let what = format!(
            "`{}` names other faults that it may answer with",
            new.name.xml
        );
        let keys = format!("operations/{}/faults", new.name.xml);
        (old.faults != new.faults).then(|| Finding::documentation("operation-faults", keys, what))
    }

    fn operation_documentation_changed(&self, old: &Operation, new: &Operation) -> Option<Finding> {
        let what = format!("`{}` is documented otherwise", new.name.xml);
        let keys = format!("operations/{}/doc", new.name.xml);
        (old.documentation != new.documentation)
            .then(|| Finding::documentation("operation-doc", keys, what))
    }

    fn parameters(&mut self, old: &'m Operation, new: &'m Operation) {
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
    fn signature_changed(&mut self, operation: &Operation, part: &str, has: bool) {
        let method = &operation.name.rust;
        let what = match has {
            true => format!("the method `{method}` {part}"),
            false => format!("the method `{method}` no longer {part}"),
        };
        let effects = self.all_source(&what);
        let finding = self.of_operation("signature", "rust", operation, format!("in Rust {what}"));
        self.find(finding.with(effects));
    }

    fn result(&mut self, old: &'m Operation, new: &'m Operation) {
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
        effects: Vec<super::Effect>,
    ) {
        let why = format!("the method `{}` answers something else", owner.item);
        let finding = owner.finding(code, result, result, what);
        let finding = finding.with(effects).with(self.all_source(&why));
        self.find(finding);
    }

    fn headers(&mut self, old: &'m Operation, new: &'m Operation, role: Role) {
        let (noun, way, part) = match role {
            Role::Request => ("header", "in", "takes headers"),
            Role::Answer => ("response header", "out", "answers headers"),
        };
        let of = |operation: &'m Operation| match role {
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
            messages: Messages::new(
                &uses_of(old, role, soap_only(old.bindings)),
                &uses_of(new, role, soap_only(new.bindings)),
            ),
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

    fn soap_messages(&self, old: &Operation, new: &Operation, role: Role) -> Uses {
        let messages = Messages::new(
            &uses_of(old, role, soap_only(old.bindings)),
            &uses_of(new, role, soap_only(new.bindings)),
        );
        messages.wire
    }

    fn of_operation(&self, code: &str, key: &str, operation: &Operation, what: String) -> Finding {
        let keys = format!("operations/{}/{key}", operation.name.xml);
        Finding::at(format!("operation-{code}"), keys, what)
    }
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
fn no_result(result: &Element, road: super::reading::Road) -> Reading {
    let may_be_absent = result.absence != Absence::Required;
    match may_be_absent {
        true => Reading::works("the result is taken for absent"),
        false if road.is_any_caller() => {
            Reading::breaks("the result is not sent any more: callers miss it")
        }
        false => Reading::breaks("the old server sends no result: new clients miss it"),
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

fn without(one: Bindings, other: Bindings) -> Bindings {
    Bindings {
        soap11: one.soap11 && !other.soap11,
        soap12: one.soap12 && !other.soap12,
        http_get: one.http_get && !other.http_get,
        http_post: one.http_post && !other.http_post,
    }
}
