//! The service: its names, its address, its namespace.

use super::change::Effect;
use super::effects::wire;
use super::matching::{Matched, matched};
use super::reach::{Role, Uses};
use super::reading::{Reading, Road};
use super::{Compare, Finding, operations};
use crate::model::{Bindings, Element, Fault, Method, Service, Style, TypeRef};

/// A rule about the service.
type Rule<'m> = fn(&Compare<'m>, &Service, &Service) -> Option<Finding>;

impl<'m> Compare<'m> {
    const SERVICE_RULES: [Rule<'m>; 5] = [
        Self::service_renamed,
        Self::service_items_renamed,
        Self::namespace_changed,
        Self::path_changed,
        Self::element_form_changed,
    ];

    pub(super) fn service(&mut self) {
        let (name, gone, come) = ("service", "the service is gone", "the service is new");
        match (&self.old.service, &self.new.service) {
            (Some(old), Some(new)) => {
                let rules = Self::SERVICE_RULES.iter();
                let found: Vec<_> = rules.filter_map(|rule| rule(self, old, new)).collect();
                self.findings.extend(found);
                self.faults(old, new);
            }
            (Some(_), None) => {
                let finding = Finding::at("service-removed", name, gone.to_owned());
                let finding = finding.moved(Some(name.to_owned()), None);
                let source = self.all_source("handler, server and client are gone");
                self.find(finding.with(source));
            }
            (None, Some(_)) => {
                let finding = Finding::at("service-added", name, come.to_owned());
                self.find(finding.moved(None, Some(name.to_owned())));
            }
            (None, None) => {}
        }
        let what = "the module is documented otherwise".to_owned();
        if self.old.documentation != self.new.documentation {
            self.find(Finding::documentation("service-doc", "service/doc", what));
        }
    }

    fn service_renamed(&self, old: &Service, new: &Service) -> Option<Finding> {
        let (was, is) = (&old.name.xml, &new.name.xml);
        let what = format!("the service is called `{is}` where it was called `{was}`");
        (was != is).then(|| {
            Finding::at("service-name", "service", what)
                .help("no message holds the name: it stands in descriptions and help pages")
        })
    }

    fn service_items_renamed(&self, old: &Service, new: &Service) -> Option<Finding> {
        let (was, is) = (&self.old.module, &self.new.module);
        let (old, new) = (&old.items.handler, &new.items.handler);
        let what = format!(
            "in Rust the handler is `{new}` where it was `{old}`, and so are module, server and client"
        );
        let why = format!("`{old}` is `{new}` now, and the module `{was}` is `{is}`");
        let differs = old != new || was != is;
        differs.then(|| {
            Finding::at("service-rust-name", "service/rust", what).with(self.all_source(&why))
        })
    }

    fn namespace_changed(&self, old: &Service, new: &Service) -> Option<Finding> {
        let (was, is) = (&old.namespace, &new.namespace);
        if was == is {
            return None;
        }
        let effects = self.on_all_messages(|road| match (road.is_soap(), road.role) {
            (true, Role::Request) => Some(Reading::breaks(
                "elements and actions of another namespace are not known: refused",
            )),
            (true, Role::Answer) => Some(Reading::breaks(
                "the answer is an element of another namespace",
            )),
            (false, Role::Request) => None,
            (false, Role::Answer) => Some(Reading::breaks(
                "the result is an element of another namespace",
            )),
        });
        let what = format!("the namespace is `{is}` where it was `{was}`");
        Some(
            Finding::at("namespace", "namespace", what)
                .with(effects)
                .help(
                    "serve the old definition beside the new one: a router takes several services",
                ),
        )
    }

    fn path_changed(&self, old: &Service, new: &Service) -> Option<Finding> {
        let (was, is) = (&old.path, &new.path);
        if was == is {
            return None;
        }
        let effects = self.on_all_messages(|road| {
            let is_same = was.eq_ignore_ascii_case(is);
            (road.role == Role::Request).then(|| match is_same {
                true => Reading::works("paths are read in any letter case"),
                false => Reading::breaks("nothing is served at that path: 404"),
            })
        });
        let what = format!("the path is `{is}` where it was `{was}`");
        Some(Finding::at("path", "path", what).with(effects).help(
            "serve the old path too: a router takes several services, a proxy can rewrite paths",
        ))
    }

    fn element_form_changed(&self, old: &Service, new: &Service) -> Option<Finding> {
        if old.element_form == new.element_form {
            return None;
        }
        let effects = wire(&self.messages_that_move(), |road| {
            let what = road.role.parts();
            Some(Reading::breaks(format!(
                "elements of {what} are not found in the other namespace: they are taken for absent"
            )))
        });
        let what = "the elements of types have moved into the service's namespace, or out of it";
        Some(Finding::at("element-form", "service/element_form", what.to_owned()).with(effects))
    }

    /// The messages that hold elements whose namespace `element_form` decides on.
    fn messages_that_move(&self) -> Uses {
        let mut uses = Uses::new();
        for (old, new) in self.both_operations() {
            let is_document = old.style == Style::Document;
            let holds = |element: &Element| {
                let inside = element.type_ref.simple().is_none()
                    && !matches!(element.type_ref, TypeRef::Enumeration(_));
                (inside, is_document || inside)
            };
            if old.request.elements.iter().any(|element| holds(element).1) {
                uses.extend(soap(self.messages_of(old, new, Role::Request).wire));
            }
            match old.result.as_ref().map(|result| holds(&result.element)) {
                Some((true, _)) => uses.extend(self.messages_of(old, new, Role::Answer).wire),
                Some((false, true)) => {
                    uses.extend(soap(self.messages_of(old, new, Role::Answer).wire))
                }
                _ => {}
            }
        }
        uses
    }

    /// All messages that hold anything, of the operations that both sides have.
    fn on_all_messages(&self, read: impl Fn(Road) -> Option<Reading>) -> Vec<Effect> {
        let mut uses = Uses::new();
        for (old, new) in self.both_operations() {
            uses.extend(self.messages_of(old, new, Role::Request).wire);
            let answer = self.messages_of(old, new, Role::Answer).wire;
            match old.result {
                Some(_) => uses.extend(answer),
                None => uses.extend(soap(answer)),
            }
        }
        wire(&uses, read)
    }

    fn both_operations(&self) -> Vec<(&Method, &Method)> {
        let (old, new) = (operations(self.old), operations(self.new));
        matched(old, new, |operation| &operation.name.xml, |_, _| false).both
    }

    fn faults(&mut self, old: &Service, new: &Service) {
        let Matched {
            both,
            renamed,
            removed,
            added,
        } = matched(
            &old.faults,
            &new.faults,
            |fault| &fault.name,
            |old, new| self.is_same(&TypeRef::Complex(old.detail), &TypeRef::Complex(new.detail)),
        );
        let mut found = Vec::new();
        for fault in added {
            let what = format!("the fault `{}` is new", fault.name);
            found.push(Finding::at("fault-added", "", what).moved(None, Some(fault_keys(fault))));
        }
        for fault in removed {
            found.push(self.fault_gone(
                "fault-removed",
                fault,
                None,
                format!("the fault `{}` is gone", fault.name),
            ));
        }
        for (old, new) in renamed {
            let what = format!(
                "the fault `{}` is gone and `{}` with the same detail has come: probably renamed",
                old.name, new.name
            );
            found.push(self.fault_gone("fault-renamed", old, Some(new), what));
        }
        for (old, new) in both {
            found.extend(self.fault(old, new));
        }
        self.findings.extend(found);
    }

    fn fault(&self, old: &Fault, new: &Fault) -> Vec<Finding> {
        let mut found = Vec::new();
        if !self.is_same(&TypeRef::Complex(old.detail), &TypeRef::Complex(new.detail)) {
            let what = format!("the detail of the fault `{}` is of another type", new.name);
            found.push(self.fault_gone("fault-type", old, Some(new), what));
        }
        if old.documentation != new.documentation {
            let what = format!("the fault `{}` is documented otherwise", new.name);
            found.push(Finding::documentation("fault-doc", fault_keys(new), what));
        }
        found
    }

    /// A detail that callers do not find any more.
    fn fault_gone(&self, code: &str, old: &Fault, new: Option<&Fault>, what: String) -> Finding {
        let effects = wire(&self.messages_with_fault(&old.name), |road| {
            let why = format!(
                "callers that look for the detail `{}` do not find it",
                old.name
            );
            road.is_any_caller().then(|| Reading::breaks(why))
        });
        let detail = &self.old.complex_types[old.detail.0].name.rust;
        let why = format!(
            "`{detail}` is not the detail of the fault `{}` any more",
            old.name
        );
        let source = match new.is_some_and(|new| new.name != old.name) {
            true => Vec::new(),
            false => self.all_source(&why),
        };
        Finding::at(code, "", what)
            .moved(Some(fault_keys(old)), new.map(fault_keys))
            .with(effects)
            .with(source)
    }

    /// The answers of operations that name a fault; of all if none does.
    fn messages_with_fault(&self, fault: &str) -> Uses {
        let all = operations(self.old);
        let names_it = |operation: &&Method| operation.faults.iter().any(|name| name == fault);
        let is_named = all.iter().any(|operation| names_it(&operation));
        let mut uses = Uses::new();
        for old in all
            .iter()
            .filter(|operation| !is_named || names_it(operation))
        {
            let mut new = operations(self.new).iter();
            if let Some(new) = new.find(|new| new.name.xml == old.name.xml && !new.one_way) {
                let answers = self.messages_of(old, new, Role::Answer).wire;
                uses.extend(soap(answers));
            }
        }
        uses
    }
}

fn soap(uses: Uses) -> Uses {
    let uses = uses.into_iter();
    uses.map(|(message, bindings)| (message, bindings.and(Bindings::SOAP)))
        .collect()
}

fn fault_keys(fault: &Fault) -> String {
    format!("faults/{}", fault.name)
}
