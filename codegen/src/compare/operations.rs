//! Operations: their names and addresses on the wire, what they take and answer.

mod parts;
mod wire;

use super::effects::wire;
use super::matching::{Matched, matched};
use super::members::notation;
use super::reach::{Role, uses_of};
use super::reading::{Reading, Road};
use super::{Compare, Finding, operations};
use crate::model::{Binding, Bindings, Element, Method};

/// A rule about an operation that is on both sides.
type Rule<'m> = fn(&Compare<'m>, &Method, &Method) -> Option<Finding>;

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

    fn operation(&mut self, old: &'m Method, new: &'m Method) {
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
    fn is_alike_operation(&self, old: &Method, new: &Method) -> bool {
        let shape = |operation: &Method, compare: &Self, is_old: bool| {
            let model = if is_old { compare.old } else { compare.new };
            let typed = |element: &Element| notation(model, element);
            let parameters = operation.request.elements.iter();
            let parameters: Vec<_> = parameters
                .map(|element| (element.name.xml.clone(), typed(element)))
                .collect();
            let result = operation.result.as_ref();
            (parameters, result.map(|result| typed(&result.element)))
        };
        let old_shape = shape(old, self, true);
        let says_something = !old_shape.0.is_empty() || old_shape.1.is_some();
        says_something && old_shape == shape(new, self, false)
    }

    fn operation_added(&self, operation: &Method) -> Finding {
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

    fn operation_removed(&self, operation: &Method) -> Finding {
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

    fn operation_renamed(&self, old: &Method, new: &Method) -> Finding {
        let (from, to) = (&old.name.xml, &new.name.xml);
        let what = format!(
            "the operation `{from}` is gone and `{to}`, which takes and answers the same, has come: probably renamed"
        );
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

    fn bindings_removed(&self, old: &Method, new: &Method) -> Option<Finding> {
        let gone = old.bindings.without(new.bindings);
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

    fn bindings_added(&self, old: &Method, new: &Method) -> Option<Finding> {
        let come = new.bindings.without(old.bindings);
        self.bindings_changed(new, come, "bindings-added", "offered", |is_forward| {
            (!is_forward).then(|| Reading::breaks("the old server does not serve it there"))
        })
    }

    fn bindings_changed(
        &self,
        operation: &Method,
        bindings: Bindings,
        code: &str,
        now: &str,
        read: impl Fn(bool) -> Option<Reading>,
    ) -> Option<Finding> {
        if bindings.is_empty() {
            return None;
        }
        let name = &operation.name.xml;
        let list: Vec<_> = bindings.iter().map(Binding::key).collect();
        let list = list.join(", ");
        let effects = wire(&uses_of(operation, Role::Request, bindings), |road| {
            read(road.is_forward())
        });
        let what = format!("`{name}` is {now} over {list}");
        Some(Finding::at(code, format!("operations/{name}/bindings"), what).with(effects))
    }

    fn method_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        let (was, is) = (&old.name.rust, &new.name.rust);
        let what = format!("`{}` is `{is}` in Rust where it was `{was}`", new.name.xml);
        let why = format!("the method `{was}` is `{is}` now, and its request struct follows");
        (was != is).then(|| {
            self.of_operation("rust-name", "rust", new, what)
                .with(self.all_source(&why))
        })
    }

    fn faults_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        let what = format!(
            "`{}` names other faults that it may answer with",
            new.name.xml
        );
        let keys = format!("operations/{}/faults", new.name.xml);
        (old.faults != new.faults).then(|| Finding::documentation("operation-faults", keys, what))
    }

    fn operation_documentation_changed(&self, old: &Method, new: &Method) -> Option<Finding> {
        let what = format!("`{}` is documented otherwise", new.name.xml);
        let keys = format!("operations/{}/doc", new.name.xml);
        (old.documentation != new.documentation)
            .then(|| Finding::documentation("operation-doc", keys, what))
    }

    fn of_operation(&self, code: &str, key: &str, operation: &Method, what: String) -> Finding {
        let keys = format!("operations/{}/{key}", operation.name.xml);
        Finding::at(format!("operation-{code}"), keys, what)
    }
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
