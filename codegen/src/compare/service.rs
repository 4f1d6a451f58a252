//! The service: its names, its address, its namespace.

use super::effects::messages_of;
use super::matching::matched;
use super::reach::{Role, Uses};
use super::reading::Reading;
use super::{Compare, Finding, Subject, operations};
use crate::model::{Bindings, Element, Fault, Method, Service, Style, TypeRef};

impl Compare<'_> {
    pub(super) fn service(&mut self) {
        let subject = Subject::new("service", "the service", "service");
        let module = subject.part("service", "the module".to_owned());
        match (&self.old.service, &self.new.service) {
            (Some(old), Some(new)) => {
                self.service_renamed(&subject, old, new);
                self.namespace_changed(old, new);
                self.path_changed(old, new);
                self.element_form_changed(old, new);
                self.faults(old, new);
            }
            (Some(_), None) => {
                let source = self.all_source("handler, server and client are gone");
                self.find(subject.removed().with(source));
            }
            (None, Some(_)) => self.find(subject.added()),
            (None, None) => {}
        }
        self.documentation(&module, &self.old.documentation, &self.new.documentation);
    }

    fn service_renamed(&mut self, subject: &Subject, old: &Service, new: &Service) {
        let (was, is) = (&old.name.xml, &new.name.xml);
        if was != is {
            let said = format!("is called `{is}` where it was called `{was}`");
            let help = "no message holds the name: it stands in descriptions and help pages";
            self.find(subject.finding("name", &said).help(help));
        }
        let (was, is) = (&self.old.module, &self.new.module);
        let (old, new) = (&old.items.handler, &new.items.handler);
        if old != new || was != is {
            let handler = subject.part("service", "in Rust the handler".to_owned());
            let said =
                format!("is `{new}` where it was `{old}`, and so are module, server and client");
            let why = format!("`{old}` is `{new}` now, and the module `{was}` is `{is}`");
            let finding = handler.at("rust").finding("rust-name", &said);
            self.find(finding.with(self.all_source(&why)));
        }
    }

    fn namespace_changed(&mut self, old: &Service, new: &Service) {
        let (was, is) = (&old.namespace, &new.namespace);
        if was == is {
            return;
        }
        let finding = changed(
            "namespace",
            format!("the namespace is `{is}` where it was `{was}`"),
        );
        let finding = finding.on_wire(&self.all_messages(), |road| {
            Some(Reading::breaks(match (road.is_soap(), road.role) {
                (true, Role::Request) => {
                    "elements and actions of another namespace are not known: refused"
                }
                (true, Role::Answer) => "the answer is an element of another namespace",
                (false, Role::Request) => return None,
                (false, Role::Answer) => "the result is an element of another namespace",
            }))
        });
        self.find(
            finding.help(
                "serve the old definition beside the new one: a router takes several services",
            ),
        );
    }

    fn path_changed(&mut self, old: &Service, new: &Service) {
        let (was, is) = (&old.path, &new.path);
        if was == is {
            return;
        }
        let finding = changed("path", format!("the path is `{is}` where it was `{was}`"));
        let finding = finding.on_wire(&self.all_messages(), |road| {
            let is_same = was.eq_ignore_ascii_case(is);
            (road.role == Role::Request).then(|| match is_same {
                true => Reading::works("paths are read in any letter case"),
                false => Reading::breaks("nothing is served at that path: 404"),
            })
        });
        self.find(finding.help(
            "serve the old path too: a router takes several services, a proxy can rewrite paths",
        ));
    }

    fn element_form_changed(&mut self, old: &Service, new: &Service) {
        if old.element_form == new.element_form {
            return;
        }
        let words = "the elements of types";
        let subject = Subject::new("element", words, "service/element_form");
        let said = "have moved into the service's namespace, or out of it";
        let finding = subject.finding("form", said);
        self.find(finding.on_wire(&self.messages_that_move(), |road| {
            let what = road.role.parts();
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
                uses.extend(messages_of(old, new, Role::Request, Bindings::SOAP).wire);
            }
            if let Some(result) = &old.result {
                let among = match has_elements(&result.element) {
                    true => Bindings::ALL,
                    false if is_document => Bindings::SOAP,
                    false => continue,
                };
                uses.extend(messages_of(old, new, Role::Answer, among).wire);
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
            uses.extend(messages_of(old, new, Role::Request, Bindings::ALL).wire);
            uses.extend(messages_of(old, new, Role::Answer, among).wire);
        }
        uses
    }

    fn both_operations(&self) -> impl Iterator<Item = (&Method, &Method)> {
        let (old, new) = (operations(self.old), operations(self.new));
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
            self.find(subject(&new[added]).added());
        }
        for removed in matched.removed {
            let finding = subject(&old[removed]).removed();
            self.fault_gone(&old[removed], finding, true);
        }
        for (old, new, is_same) in both {
            let (was, is) = (subject(old), subject(new));
            if old.name != new.name {
                let finding = was.renamed(&is, &new.name, " with the same detail");
                self.fault_gone(old, finding, false);
                continue;
            }
            if !is_same {
                let words = format!("the detail of {}", is.words);
                let finding = is.part("fault", words);
                self.fault_gone(old, finding.finding("type", "is of another type"), true);
            }
            self.documentation(&is, &old.documentation, &new.documentation);
        }
    }

    /// A detail that callers do not find any more.
    fn fault_gone(&mut self, old: &Fault, finding: Finding, in_source: bool) {
        let name = &old.name;
        let mut finding = finding.on_wire(&self.messages_with_fault(name), |road| {
            let why = format!("callers that look for the detail `{name}` do not find it");
            road.is_any_caller().then(|| Reading::breaks(why))
        });
        if in_source {
            let detail = &self.old.complex_types[old.detail.0].name.rust;
            let why = format!("`{detail}` is not the detail of the fault `{name}` any more");
            finding = finding.with(self.all_source(&why));
        }
        self.find(finding);
    }

    /// The answers of operations that name a fault; of all if none does.
    fn messages_with_fault(&self, fault: &str) -> Uses {
        let names_it = |operation: &Method| operation.faults.iter().any(|name| name == fault);
        let is_named = operations(self.old).iter().any(names_it);
        let answers = self
            .both_operations()
            .filter(|(old, new)| !new.one_way && (!is_named || names_it(old)));
        answers
            .flat_map(|(old, new)| messages_of(old, new, Role::Answer, Bindings::SOAP).wire)
            .collect()
    }
}

/// Something of the service that its key says.
fn changed(key: &str, what: String) -> Finding {
    let keys = Some(key.to_owned());
    Finding::new(key.to_owned(), what, keys.clone(), keys)
}

fn subject(fault: &Fault) -> Subject {
    let name = &fault.name;
    Subject::new(
        "fault",
        format!("the fault `{name}`"),
        format!("faults/{name}"),
    )
}
