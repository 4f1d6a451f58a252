//! Operations: their bindings, their names in messages and in Rust, their parameters and results.

mod wire;

use std::rc::Rc;

use crate::codes::{Kind, MemberKind};
use crate::finding::{Dependents, Finding, Subject};
use crate::matching::notation;
use crate::member::Member;
use crate::members::{Owner, members_of};
use crate::message::{Direction, Message, Reading, messages_of};
use crate::sides::Sides;
use svcgen_codegen::model::{Absence, Binding, Bindings, Element, Headers, Method, Model};

impl<'m> Sides<'m> {
    pub(crate) fn operations(&mut self) {
        let (old, new) = (self.old.model.operations(), self.new.model.operations());
        let matched = Rc::clone(&self.operations);
        for removed in &matched.removed {
            self.operation_removed(&old[*removed]);
        }
        for added in &matched.added {
            self.operation_added(&new[*added]);
        }
        for (was, is) in &matched.both {
            let (old, new) = (&old[*was], &new[*is]);
            if old.name.xml == new.name.xml {
                self.operation(old, new);
            } else {
                self.operation_renamed(old, new);
            }
        }
    }

    fn operation(&mut self, old: &'m Method, new: &'m Method) {
        self.bindings(new, old.bindings.without(new.bindings), true);
        self.bindings(new, new.bindings.without(old.bindings), false);
        self.action(old, new);
        self.element_names(old, new);
        self.root(old, new);
        self.style(old, new);
        self.encoding(old, new);
        self.one_way(old, new);
        self.script_method(old, new);
        self.method_name(old, new);
        self.unknown_headers(old, new);
        if old.cached != new.cached {
            let what = "has other headers for caches in its answers";
            let subject = Subject::operation(new).at("cache");
            self.find(subject.finding(Kind::OperationCache, what));
        }
        self.session(old, new);
        if old.wsdl_name != new.wsdl_name {
            let what = "has another name in the WSDL; calls are the same";
            let subject = Subject::operation(new).at("wsdl_name");
            self.find(subject.finding(Kind::OperationWsdlName, what));
        }
        let subject = Subject::operation(new);
        if old.faults != new.faults {
            let what = "names other faults that it may answer with";
            self.find(subject.at("faults").finding(Kind::OperationFaults, what));
        }
        let (was, is) = (&old.documentation, &new.documentation);
        self.documentation(&subject, Kind::OperationDoc, was, is);
        self.parameters(old, new);
        self.result(old, new);
        for kind in HEADERS {
            self.headers(old, new, kind);
        }
    }

    fn unknown_headers(&mut self, old: &Method, new: &Method) {
        let (was, is) = (old.unknown_headers, new.unknown_headers);
        let now = [
            "gets headers that it does not declare",
            "does not get headers any more that it does not declare",
        ];
        let subject = Subject::in_messages((old, new), Direction::Request, Bindings::SOAP);
        let subject = subject.at("headers/unknown");
        let switched = subject.switched(Kind::OperationUnknownHeaders, [was, is], now);
        let Some(finding) = switched else { return };
        self.find(finding.on_wire(|message| {
            if message.ends(was, is).1 {
                Reading::works("the handler decides on the headers that must be understood")
            } else {
                Reading::depends("headers that must be understood and are not declared are refused")
            }
        }));
    }

    fn session(&mut self, old: &Method, new: &Method) {
        let (was, is) = (old.session, new.session);
        let now = ["has sessions", "has no sessions any more"];
        let subject = Subject::in_messages((old, new), Direction::Request, old.bindings);
        let subject = subject.at("session");
        let switched = subject.switched(Kind::OperationSession, [was, is], now);
        let Some(finding) = switched else { return };
        self.find(finding.on_wire(|message| {
            if message.ends(was, is).1 {
                Reading::works("a caller that keeps no cookies begins a session with each call")
            } else {
                Reading::depends("the handler does not learn which calls are of one caller")
            }
        }));
    }

    fn operation_added(&mut self, operation: &Method) {
        let finding = in_full(operation).added(Kind::OperationAdded);
        let why = "the old server does not have it";
        let mut finding = refuse(finding, operation, operation.bindings, false, why);
        let with_body = &self.new.options.optional_methods;
        if !with_body.contains(&operation.name.xml) {
            let why = format!("the handler lacks the method `{}`", operation.name.rust);
            finding = finding.in_source(Dependents::Handlers, why);
        }
        self.find(finding);
    }

    fn operation_removed(&mut self, operation: &Method) {
        let finding = in_full(operation).removed(Kind::OperationRemoved);
        let why = "the new server does not have it";
        let finding = refuse(finding, operation, operation.bindings, true, why);
        let why = format!("the method `{}` is gone", operation.name.rust);
        self.find(finding.in_source(Dependents::Users, why));
    }

    fn operation_renamed(&mut self, old: &Method, new: &Method) {
        let (from, to) = (&old.name.xml, &new.name.xml);
        let is_same_in_soap = soap_names(old) == soap_names(new);
        let read = |message: Message| {
            if message.is_soap() && is_same_in_soap {
                return Reading::works(
                    "SOAP goes by the action and the elements, which are the same",
                );
            }
            if message.is_json() && from.eq_ignore_ascii_case(to) {
                return Reading::depends(
                    "calls find it in any letter case; page scripts that call through the script proxy know a function of the old name",
                );
            }
            Reading::breaks(if message.is_forward() {
                format!("the new server knows `{to}` only")
            } else {
                format!("the old server knows `{from}` only")
            })
        };
        let [callers, clients] = [old, new]
            .map(|operation| messages_of(operation, Direction::Request, operation.bindings));
        let like = ", which takes and answers the same,";
        let names = (&old.name, &new.name);
        let finding = in_full(old)
            .renamed(Kind::OperationRenamed, &in_full(new), names, like)
            .in_messages(&callers, |message| {
                message.is_forward().then(|| read(message))
            })
            .in_messages(&clients, |message| {
                (!message.is_forward()).then(|| read(message))
            });
        let item = format!("the method `{}`", old.name.rust);
        let finding = finding.renamed_in_rust(&item, &old.name.rust, &new.name.rust);
        self.find(finding.keep_on_wire(from));
    }

    /// Reports bindings that only one definition offers.
    fn bindings(&mut self, operation: &Method, bindings: Bindings, is_gone: bool) {
        if bindings.is_empty() {
            return;
        }
        let list: Vec<_> = bindings.iter().map(Binding::key).collect();
        let list = list.join(", ");
        let subject = Subject::operation(operation).at("bindings");
        let (finding, why) = if is_gone {
            let what = format!("is not offered any more over {list}");
            let why = "the new server does not serve it there";
            (subject.finding(Kind::BindingsRemoved, what), why)
        } else {
            let what = format!("is offered over {list}");
            let why = "the old server does not serve it there";
            (subject.finding(Kind::BindingsAdded, what), why)
        };
        self.find(refuse(finding, operation, bindings, is_gone, why));
    }

    fn method_name(&mut self, old: &Method, new: &Method) {
        let (was, is) = (&old.name.rust, &new.name.rust);
        if was != is {
            let what = format!("is `{is}` in Rust where it was `{was}`");
            let why = format!("the method `{was}` is `{is}` now, and its request struct follows");
            let subject = Subject::operation(new).at("rust");
            let finding = subject.finding(Kind::OperationRustName, what);
            self.find(finding.in_source(Dependents::Users, why));
        }
    }

    fn parameters(&mut self, old: &'m Method, new: &'m Method) {
        let place = Subject::in_messages((old, new), Direction::Request, Bindings::ALL);
        let (item, place) = (&new.request.name.rust, place.at("parameters"));
        let owner = Owner::new(MemberKind::Parameter, &new.name, item, place);
        let [was, is] = [(self.old.model, old), (self.new.model, new)].map(|(model, operation)| {
            let request = &operation.request;
            members_of(owner.member, model, &request.scope, &request.elements)
        });
        self.members(&owner, &was, &is);
        if was.is_empty() != is.is_empty() {
            self.signature(new, "takes a request", !is.is_empty());
        }
    }

    /// Adds that the methods of an operation have gained or lost a parameter or result.
    fn signature(&mut self, operation: &Method, part: &str, has: bool) {
        let now = if has { "" } else { "no longer " };
        let what = format!("the method `{}` {now}{part}", operation.name.rust);
        let finding = Subject::operation(operation).part("in Rust").at("rust");
        let finding = finding.finding(Kind::OperationSignature, &what);
        self.find(finding.in_source(Dependents::Users, what));
    }

    fn result(&mut self, old: &'m Method, new: &'m Method) {
        if old.results().or(new.results()).is_some() {
            return self.results(old, new);
        }
        let place = Subject::in_messages((old, new), Direction::Response, Bindings::ALL);
        let owner = Owner {
            is_method: true,
            ..Owner::new(MemberKind::Result, &new.name, &new.name.rust, place)
        };
        match (&old.result, &new.result) {
            (Some(was), Some(is)) => {
                let [scope, new_scope] = [old, new].map(|operation| &operation.response.scope);
                let old = Member::new(owner.member, self.old.model, scope, &was.element);
                let new = Member::new(owner.member, self.new.model, new_scope, &is.element);
                self.member(&owner, old, new);
            }
            (None, Some(result)) => self.one_result(&owner, &result.element, true),
            (Some(result), None) => self.one_result(&owner, &result.element, false),
            (None, None) => {}
        }
    }

    /// Compares results of which at least one definition has several. A single one is in the
    /// response like each of several. HTTP GET and POST return only one, whose name is that of its
    /// type.
    fn results(&mut self, old: &'m Method, new: &'m Method) {
        let place = Subject::in_messages((old, new), Direction::Response, Bindings::SOAP);
        let place = place.at("results");
        let item = &new.response.name.rust;
        let is_moved = old.results().is_some() != new.results().is_some();
        let owner = Owner {
            is_moved,
            ..Owner::new(MemberKind::Result, &new.name, item, place)
        };
        let [was, is] = [(self.old.model, old), (self.new.model, new)].map(|(model, operation)| {
            let results = operation.result_elements();
            let scope = &operation.response.scope;
            let results = results.map(|result| Member::new(owner.member, model, scope, result));
            results.collect::<Vec<_>>()
        });
        self.members(&owner, &was, &is);
        if is_moved {
            let answers = format!("answers a `{item}`");
            self.signature(new, &answers, new.results().is_some());
        }
    }

    /// Reports a result that only one definition has.
    fn one_result(&mut self, owner: &Owner, result: &Element, is_new: bool) {
        let subject = owner.subject(result);
        let finding = if is_new {
            let notation = notation(self.new.model, result);
            subject.finding(Kind::MemberAdded, format!("is new: {notation}"))
        } else {
            subject.finding(Kind::MemberRemoved, "is gone")
        };
        let finding = finding.on_wire(|message| {
            if message.is_forward() == is_new {
                return no_result(result, message);
            }
            if !is_new {
                return Reading::works("new clients skip the result");
            }
            if message.is_json() {
                return Reading::works("callers read `d` as before, which was null");
            }
            Reading::depends(
                "callers do not know the result: those of svcgen and .NET skip it, those that hold to the old schema may refuse it",
            )
        });
        let why = format!("the method `{}` answers something else", owner.item);
        self.find(finding.in_source(Dependents::Users, why));
    }

    fn headers(&mut self, old: &'m Method, new: &'m Method, kind: HeadersIn) {
        let HeadersIn {
            member,
            direction,
            key,
            part,
            of,
        } = kind;
        let [old_headers, new_headers] = [old, new].map(of);
        let Some(either) = new_headers.or(old_headers) else {
            return;
        };
        let item = &either.complex_type.name.rust;
        let place = Subject::in_messages((old, new), direction, Bindings::SOAP).at(key);
        let owner = Owner::new(member, &new.name, item, place);
        let was = header_members(member, self.old.model, old_headers);
        let is = header_members(member, self.new.model, new_headers);
        self.members(&owner, &was, &is);
        let part = part.filter(|_| old_headers.is_some() != new_headers.is_some());
        if let Some(part) = part {
            self.signature(new, part, new_headers.is_some());
        }
    }
}

/// The SOAP headers of one kind of message.
#[derive(Clone, Copy)]
struct HeadersIn {
    member: MemberKind,
    direction: Direction,
    /// The key under which the definition lists them.
    key: &'static str,
    /// The use of the headers in the signatures of methods, if any.
    part: Option<&'static str>,
    of: fn(&Method) -> Option<&Headers>,
}

const HEADERS: [HeadersIn; 3] = [
    HeadersIn {
        member: MemberKind::Header,
        direction: Direction::Request,
        key: "headers/in",
        part: Some("takes headers"),
        of: |operation| operation.headers.as_ref(),
    },
    HeadersIn {
        member: MemberKind::ResponseHeader,
        direction: Direction::Response,
        key: "headers/out",
        part: Some("answers headers"),
        of: |operation| operation.response_headers.as_ref(),
    },
    HeadersIn {
        member: MemberKind::FaultHeader,
        direction: Direction::Response,
        key: "headers/fault",
        part: None,
        of: |operation| operation.fault_headers.as_ref(),
    },
];

/// Adds that calls are refused: those of existing callers by the new server if `is_gone`, otherwise
/// those of new clients by the old one.
fn refuse(
    finding: Finding,
    operation: &Method,
    bindings: Bindings,
    is_gone: bool,
    why: &str,
) -> Finding {
    let messages = messages_of(operation, Direction::Request, bindings);
    finding.in_messages(&messages, |message| {
        (message.is_forward() == is_gone).then(|| Reading::breaks(why))
    })
}

/// An operation, as the subject of sentences about all of it.
fn in_full(operation: &Method) -> Subject {
    Subject::operation(operation).part(format!("the operation `{}`", operation.name.xml))
}

/// All names that identify an operation and its messages in SOAP.
fn soap_names(operation: &Method) -> impl PartialEq {
    let results = operation.result_elements();
    let [_, _, headers @ ..] = operation.structs().map(|complex| {
        let elements = complex.into_iter().flat_map(|complex| &complex.elements);
        let names = elements.map(|element| &element.name.xml);
        names.collect::<Vec<_>>()
    });
    (
        headers,
        &operation.action,
        &operation.request.name.xml,
        &operation.response.name.xml,
        results.map(|result| &result.name.xml).collect::<Vec<_>>(),
        operation.style,
        operation.one_way,
        operation.bindings,
    )
}

fn header_members<'m>(
    kind: MemberKind,
    model: &'m Model,
    headers: Option<&'m Headers>,
) -> Vec<Member<'m>> {
    let headers = headers.into_iter();
    let members = headers.flat_map(|headers| {
        let complex = &headers.complex_type;
        let rules = complex.elements.iter().zip(&headers.rules);
        rules.map(move |(element, rule)| Member {
            header: Some(*rule),
            ..Member::new(kind, model, &complex.scope, element)
        })
    });
    members.collect()
}

/// The reading of a missing result.
fn no_result(result: &Element, message: Message) -> Reading {
    if result.absence != Absence::Required {
        return Reading::works("the result is taken for absent");
    }
    if message.is_any_caller() {
        Reading::breaks("the result is not sent any more: callers miss it")
    } else {
        Reading::breaks("the old server sends no result: new clients miss it")
    }
}
