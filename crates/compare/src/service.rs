//! The service: its names, its path, its namespace, its faults.

use crate::allowed::Allowed;
use crate::codes::Kind;
use crate::finding::{Dependents, Finding, Subject};
use crate::matching::matched;
use crate::message::{Direction, Messages, Reading, Usage};
use crate::sides::Sides;
use svcgen_codegen::model::{Bindings, Element, Fault, Method, Routing, Service, Style, TypeRef};

impl Sides<'_> {
    pub(crate) fn service(&mut self) {
        let subject = Subject::new("the service", "service");
        let (old, new) = (self.old.model, self.new.model);
        let (was, is) = (&old.documentation, &new.documentation);
        self.documentation(&subject.part("the module"), Kind::ServiceDoc, was, is);
        match (&old.service, &new.service) {
            (Some(old), Some(new)) => {
                self.service_names(&subject, old, new);
                self.namespace(old, new);
                self.path(old, new);
                self.element_form(old, new);
                self.routing(old, new);
                self.time_zone(old, new);
                self.service_net();
                self.faults(old, new);
            }
            (Some(_), None) => {
                let finding = subject.removed(Kind::ServiceRemoved);
                let why = "handler, server and client are gone";
                self.find(finding.in_source(Dependents::Users, why));
            }
            (None, Some(_)) => self.find(subject.added(Kind::ServiceAdded)),
            (None, None) => {}
        }
    }

    fn service_names(&mut self, subject: &Subject, old: &Service, new: &Service) {
        let (was, is) = (&old.name.xml, &new.name.xml);
        if was != is {
            let what = format!("is called `{is}` where it was called `{was}`");
            self.find(subject.finding(Kind::ServiceName, what));
        }
        let (was, is) = (&self.old.model.module, &self.new.model.module);
        let (old, new) = (&old.items.handler, &new.items.handler);
        if old != new || was != is {
            let handler = Subject::new("in Rust the handler", "rust");
            let what =
                format!("is `{new}` where it was `{old}`, and so are module, server and client");
            let why = format!("`{old}` is `{new}` now, and the module `{was}` is `{is}`");
            let finding = handler.finding(Kind::ServiceRustName, what);
            self.find(finding.in_source(Dependents::Users, why));
        }
    }

    fn namespace(&mut self, old: &Service, new: &Service) {
        let subject = Subject::new("the namespace", "namespace");
        let changed = subject.changed(Kind::Namespace, &old.namespace, &new.namespace);
        let Some(finding) = changed else { return };
        self.find(finding.in_messages(&self.all_messages(), |message| {
            // Messages in JSON do not contain it, nor do answers in XML over a binding of page
            // scripts.
            if Bindings::SCRIPT.contains(message.binding) {
                return None;
            }
            let why = match (message.is_soap(), message.direction) {
                (true, Direction::Request) => {
                    "elements and actions of another namespace are not known: refused"
                }
                (true, Direction::Response) => "the answer is an element of another namespace",
                (false, Direction::Request) => return None,
                (false, Direction::Response) => "the result is an element of another namespace",
            };
            Some(Reading::breaks(why))
        }));
    }

    fn path(&mut self, old: &Service, new: &Service) {
        let (was, is) = (&old.path, &new.path);
        let changed = Subject::new("the path", "path").changed(Kind::Path, was, is);
        let Some(finding) = changed else { return };
        self.find(finding.in_messages(&self.all_messages(), |message| {
            let reading = if was.eq_ignore_ascii_case(is) {
                Reading::works("paths are read in any letter case")
            } else {
                Reading::breaks("nothing is served at that path: 404")
            };
            (message.direction == Direction::Request).then_some(reading)
        }));
    }

    fn element_form(&mut self, old: &Service, new: &Service) {
        if old.element_form == new.element_form {
            return;
        }
        let subject = Subject::new("the elements of types", "element_form");
        let what = "have moved into the service's namespace, or out of it";
        let messages = self.messages(|old, _, direction| moved_by_form(old, direction));
        let finding = subject.finding(Kind::ElementForm, what);
        self.find(finding.in_messages(&messages, |message| {
            let what = message.direction.parts();
            Reading::breaks(format!(
                "elements of {what} are not found in the other namespace: they are taken for absent"
            ))
        }));
    }

    fn routing(&mut self, old: &Service, new: &Service) {
        if old.routing == new.routing {
            return;
        }
        let subject = Subject::new("SOAP requests", "routing");
        let what = match new.routing {
            Routing::Action => "find their operation by the action where they went by the element",
            Routing::Element => "find their operation by the element where they went by the action",
        };
        let messages = self.messages(|_, _, direction| match direction {
            Direction::Request => Bindings::SOAP,
            Direction::Response => Bindings::NONE,
        });
        let finding = subject.finding(Kind::ServiceRouting, what);
        self.find(finding.in_messages(&messages, |message| {
            match message.ends(old.routing, new.routing).1 {
                Routing::Element => Reading::works("whatever the action says is served"),
                Routing::Action => Reading::depends(
                    "an action that is empty, unknown or that of another operation is refused",
                ),
            }
        }));
    }

    fn time_zone(&mut self, old: &Service, new: &Service) {
        let zone = |service: &'_ Service| service.time_zone.clone().unwrap_or_default();
        let subject = Subject::new("the time zone", "time_zone");
        let changed = subject.changed(Kind::TimeZone, &zone(old), &zone(new));
        let Some(finding) = changed else { return };
        self.find(finding.in_messages(&self.all_messages(), |_| {
            Reading::depends("dates and times are shown in another time zone")
        }));
    }

    /// The messages of operations that both definitions have, over the bindings that `among`
    /// returns for each direction.
    pub(crate) fn messages(
        &self,
        among: impl Fn(&Method, &Method, Direction) -> Bindings,
    ) -> Messages {
        let mut messages = Messages::new();
        for (old, new) in self.both_operations() {
            for direction in Direction::ALL {
                let bindings = among(old, new, direction);
                messages.extend(Usage::of(old, new, direction, bindings).shared);
            }
        }
        messages
    }

    /// The messages that contain anything.
    fn all_messages(&self) -> Messages {
        self.messages(|old, _, direction| match (direction, old.root()) {
            (Direction::Response, None) => Bindings::SOAP,
            _ => Bindings::ALL,
        })
    }

    fn faults(&mut self, old: &Service, new: &Service) {
        let (old, new) = (&old.faults, &new.faults);
        let is_same =
            |old: &Fault, new: &Fault| self.is_same(&old.detail.type_ref, &new.detail.type_ref);
        let matched = matched(old, new, |fault| &fault.name, is_same);
        for added in matched.added {
            self.find(subject(&new[added]).added(Kind::FaultAdded));
        }
        for removed in matched.removed {
            let finding = subject(&old[removed]).removed(Kind::FaultRemoved);
            self.fault_gone(&old[removed], finding, true);
        }
        for (was, is) in matched.both {
            let (old, new) = (&old[was], &new[is]);
            let (was, is) = (subject(old), subject(new));
            if old.name != new.name {
                let like = " with the same detail";
                let names = (&old.detail.name, &new.detail.name);
                let finding = was.renamed(Kind::FaultRenamed, &is, names, like);
                self.fault_gone(old, finding, false);
                continue;
            }
            let detail = is.part(format!("the detail of {}", is.words));
            let was = Allowed::of(&old.detail, self.old.model);
            let allowed = Allowed::of(&new.detail, self.new.model);
            if !self.is_same(&old.detail.type_ref, &new.detail.type_ref) {
                let finding = detail.finding(Kind::FaultType, "is of another type");
                self.fault_gone(old, finding, true);
            } else if let Some(what) = Allowed::change(&was, &allowed) {
                let messages = self.messages_with_fault(&old.name);
                let finding = detail.finding(Kind::FaultFacets, what);
                self.find(finding.in_messages(&messages, |message| {
                    Allowed::reading(&was, &allowed, message)
                }));
            }
            if old.detail.form != new.detail.form {
                let finding = detail.finding(Kind::FaultNamespace, "is in another namespace");
                self.fault_gone(old, finding, false);
            }
            self.documentation(&is, Kind::FaultDoc, &old.documentation, &new.documentation);
        }
    }

    /// Reports a detail that callers no longer find.
    fn fault_gone(&mut self, old: &Fault, finding: Finding, in_source: bool) {
        let name = &old.name;
        let mut finding = finding.in_messages(&self.messages_with_fault(name), |message| {
            let why = format!("callers that look for the detail `{name}` do not find it");
            message.is_any_caller().then(|| Reading::breaks(why))
        });
        if in_source {
            let types = &self.old.model.complex_types;
            let detail = match (&old.holder, old.own_type()) {
                (None, Some(id)) => &types[id.0].name.rust,
                (holder, _) => holder.as_ref().unwrap_or(name),
            };
            let why = format!("`{detail}` is not the detail of the fault `{name}` any more");
            finding = finding.in_source(Dependents::Users, why);
        }
        self.find(finding);
    }

    /// The responses of operations that name a fault, or of all operations if none does.
    fn messages_with_fault(&self, fault: &str) -> Messages {
        let names_it = |operation: &Method| operation.faults.iter().any(|name| name == fault);
        let is_named = self.old.model.operations().iter().any(names_it);
        self.messages(|old, new, direction| {
            let is_answered = direction == Direction::Response && !new.one_way;
            if is_answered && (!is_named || names_it(old)) {
                Bindings::SOAP
            } else {
                Bindings::NONE
            }
        })
    }
}

fn subject(fault: &Fault) -> Subject {
    let name = &fault.name;
    Subject::new(format!("the fault `{name}`"), format!("faults/{name}"))
}

/// The bindings over which messages of an operation contain elements whose namespace depends on
/// `element_form`.
fn moved_by_form(operation: &Method, direction: Direction) -> Bindings {
    let has_elements = |element: &Element| {
        let type_ref = &element.type_ref;
        type_ref.simple().is_none() && !matches!(type_ref, TypeRef::Enumeration(_))
    };
    let is_document = operation.style == Style::Document;
    let parameters = &operation.request.elements;
    let mut results = operation.result_elements();
    let has_results = results.clone().next().is_some();
    match direction {
        Direction::Request if is_document && !parameters.is_empty() => Bindings::SOAP,
        Direction::Request if parameters.iter().any(has_elements) => Bindings::SOAP,
        Direction::Response if results.any(has_elements) => Bindings::ALL.without(Bindings::SCRIPT),
        Direction::Response if has_results && is_document => Bindings::SOAP,
        _ => Bindings::NONE,
    }
}
