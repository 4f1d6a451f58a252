//! The service: its names, its address, its namespace.

use crate::codes::Kind;
use crate::finding::{Dependents, Finding, Subject};
use crate::matching::matched;
use crate::message::{Direction, Reading};
use crate::sides::Sides;
use crate::usage::{Usage, Uses};
use svcgen_codegen::model::{Bindings, Element, Fault, Method, Service, Style, TypeRef};

impl Sides<'_> {
    pub(crate) fn service(&mut self) {
        let subject = Subject::new("the service", "service");
        let module = subject.part("the module");
        match (&self.old.service, &self.new.service) {
            (Some(old), Some(new)) => {
                self.service_renamed(&subject, old, new);
                self.namespace_changed(old, new);
                self.path_changed(old, new);
                self.element_form_changed(old, new);
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
        let (was, is) = (&self.old.documentation, &self.new.documentation);
        self.documentation(&module, Kind::ServiceDoc, was, is);
    }

    fn service_renamed(&mut self, subject: &Subject, old: &Service, new: &Service) {
        let (was, is) = (&old.name.xml, &new.name.xml);
        if was != is {
            let said = format!("is called `{is}` where it was called `{was}`");
            self.find(subject.finding(Kind::ServiceName, &said));
        }
        let (was, is) = (&self.old.module, &self.new.module);
        let (old, new) = (&old.items.handler, &new.items.handler);
        if old != new || was != is {
            let handler = Subject::new("in Rust the handler", "rust");
            let said =
                format!("is `{new}` where it was `{old}`, and so are module, server and client");
            let why = format!("`{old}` is `{new}` now, and the module `{was}` is `{is}`");
            let finding = handler.finding(Kind::ServiceRustName, &said);
            self.find(finding.in_source(Dependents::Users, why));
        }
    }

    fn namespace_changed(&mut self, old: &Service, new: &Service) {
        let subject = Subject::new("the namespace", "namespace");
        let changed = subject.changed(Kind::Namespace, &old.namespace, &new.namespace);
        let Some(finding) = changed else {
            return;
        };
        let finding = finding.in_messages(&self.all_messages(), |message| {
            Some(Reading::breaks(
                match (message.is_soap(), message.direction) {
                    (true, Direction::Request) => {
                        "elements and actions of another namespace are not known: refused"
                    }
                    (true, Direction::Response) => "the answer is an element of another namespace",
                    (false, Direction::Request) => return None,
                    (false, Direction::Response) => "the result is an element of another namespace",
                },
            ))
        });
        self.find(finding);
    }

    fn path_changed(&mut self, old: &Service, new: &Service) {
        let (was, is) = (&old.path, &new.path);
        let changed = Subject::new("the path", "path").changed(Kind::Path, was, is);
        let Some(finding) = changed else {
            return;
        };
        let finding = finding.in_messages(&self.all_messages(), |message| {
            let is_same = was.eq_ignore_ascii_case(is);
            (message.direction == Direction::Request).then(|| {
                if is_same {
                    Reading::works("paths are read in any letter case")
                } else {
                    Reading::breaks("nothing is served at that path: 404")
                }
            })
        });
        self.find(finding);
    }

    fn element_form_changed(&mut self, old: &Service, new: &Service) {
        if old.element_form == new.element_form {
            return;
        }
        let subject = Subject::new("the elements of types", "element_form");
        let said = "have moved into the service's namespace, or out of it";
        let finding = subject.finding(Kind::ElementForm, said);
        self.find(finding.in_messages(&self.messages_that_move(), |message| {
            let what = message.direction.parts();
            Reading::breaks(format!(
                "elements of {what} are not found in the other namespace: they are taken for absent"
            ))
        }));
    }

    /// The messages that hold elements whose namespace `element_form` decides on.
    fn messages_that_move(&self) -> Uses {
        let mut uses = Uses::new();
        for (old, new) in self.both_operations() {
            let has_elements = |element: &Element| {
                let type_ref = &element.type_ref;
                type_ref.simple().is_none() && !matches!(type_ref, TypeRef::Enumeration(_))
            };
            let is_document = old.style == Style::Document;
            let parameters = &old.request.elements;
            if parameters
                .iter()
                .any(|element| is_document || has_elements(element))
            {
                uses.extend(Usage::of(old, new, Direction::Request, Bindings::SOAP).wire);
            }
            if let Some(result) = &old.result {
                let among = if has_elements(&result.element) {
                    Bindings::ALL
                } else if is_document {
                    Bindings::SOAP
                } else {
                    continue;
                };
                uses.extend(Usage::of(old, new, Direction::Response, among).wire);
            }
        }
        uses
    }

    /// All messages that hold anything, of the operations that both sides have.
    fn all_messages(&self) -> Uses {
        let mut uses = Uses::new();
        for (old, new) in self.both_operations() {
            let among = match old.result {
                Some(_) => Bindings::ALL,
                None => Bindings::SOAP,
            };
            uses.extend(Usage::of(old, new, Direction::Request, Bindings::ALL).wire);
            uses.extend(Usage::of(old, new, Direction::Response, among).wire);
        }
        uses
    }

    fn both_operations(&self) -> impl Iterator<Item = (&Method, &Method)> {
        let (old, new) = (self.old.operations(), self.new.operations());
        let matched = matched(old, new, |operation| &operation.name.xml, |_, _| false);
        let both = matched.both.into_iter();
        both.map(move |(was, is)| (&old[was], &new[is]))
    }

    fn faults(&mut self, old: &Service, new: &Service) {
        let (old, new) = (&old.faults, &new.faults);
        let is_same = |old: &Fault, new: &Fault| {
            self.is_same(&TypeRef::Complex(old.detail), &TypeRef::Complex(new.detail))
        };
        let matched = matched(old, new, |fault| &fault.name, is_same);
        let both = matched.both.into_iter();
        let both: Vec<_> = both
            .map(|(was, is)| (&old[was], &new[is], is_same(&old[was], &new[is])))
            .collect();
        for added in matched.added {
            self.find(subject(&new[added]).added(Kind::FaultAdded));
        }
        for removed in matched.removed {
            let finding = subject(&old[removed]).removed(Kind::FaultRemoved);
            self.fault_gone(&old[removed], finding, true);
        }
        for (old, new, is_same) in both {
            let (was, is) = (subject(old), subject(new));
            if old.name != new.name {
                let finding =
                    was.renamed(Kind::FaultRenamed, &is, &new.name, " with the same detail");
                self.fault_gone(old, finding, false);
                continue;
            }
            if !is_same {
                let detail = is.part(format!("the detail of {}", is.words));
                let finding = detail.finding(Kind::FaultType, "is of another type");
                self.fault_gone(old, finding, true);
            }
            self.documentation(&is, Kind::FaultDoc, &old.documentation, &new.documentation);
        }
    }

    /// A detail that callers do not find any more.
    fn fault_gone(&mut self, old: &Fault, finding: Finding, in_source: bool) {
        let name = &old.name;
        let mut finding = finding.in_messages(&self.messages_with_fault(name), |message| {
            let why = format!("callers that look for the detail `{name}` do not find it");
            message.is_any_caller().then(|| Reading::breaks(why))
        });
        if in_source {
            let detail = &self.old.complex_types[old.detail.0].name.rust;
            let why = format!("`{detail}` is not the detail of the fault `{name}` any more");
            finding = finding.in_source(Dependents::Users, why);
        }
        self.find(finding);
    }

    /// The answers of operations that name a fault; of all if none does.
    fn messages_with_fault(&self, fault: &str) -> Uses {
        let names_it = |operation: &Method| operation.faults.iter().any(|name| name == fault);
        let is_named = self.old.operations().iter().any(names_it);
        let answers = self
            .both_operations()
            .filter(|(old, new)| !new.one_way && (!is_named || names_it(old)));
        answers
            .flat_map(|(old, new)| Usage::of(old, new, Direction::Response, Bindings::SOAP).wire)
            .collect()
    }
}

fn subject(fault: &Fault) -> Subject {
    let name = &fault.name;
    Subject::new(format!("the fault `{name}`"), format!("faults/{name}"))
}
