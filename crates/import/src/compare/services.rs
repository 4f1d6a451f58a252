//! Compares services: operations, their bindings, and the elements and parts of messages.

use std::collections::HashMap;

use svcgen_model::{Binding, Bindings};
use svcgen_wsdl::schema::Name;
use svcgen_wsdl::wsdl::{
    Form, Header, Message, MessagePart, Operation, PartContent, Service, Soap, Style,
};

use super::comparer::{Comparer, Places, Within};
use super::difference::Aspect;
use crate::operations::path_of;

/// A pair of services of two documents.
pub(super) type Services<'m, 's> = (&'m Service<'s>, &'m Service<'s>);

/// How similar two services are, the most significant field first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Likeness {
    has_name: bool,
    has_path: bool,
    /// The number of operations that both have.
    operations: usize,
}

impl Likeness {
    /// Whether the services have their name or any operation in common.
    pub fn is_any(&self) -> bool {
        self.has_name || self.operations > 0
    }
}

/// Measures how similar two services are.
pub(super) fn likeness(original: &Service<'_>, other: &Service<'_>) -> Likeness {
    let others: HashMap<_, _> = by_key(other).into_iter().collect();
    let common = by_key(original).into_iter();
    let common = common.filter(|(key, _)| others.contains_key(key));
    Likeness {
        has_name: original.name == other.name,
        has_path: paths(original).any(|path| paths(other).any(|other| path == other)),
        operations: common.count(),
    }
}

/// Whether two documents describe the same service.
pub(super) fn is_twin(one: &Service<'_>, other: &Service<'_>) -> bool {
    one.name == other.name && one.addresses == other.addresses
}

/// The paths of a service's addresses.
fn paths(service: &Service<'_>) -> impl Iterator<Item = String> {
    service.addresses.iter().filter_map(|one| path_of(one))
}

/// The key of an operation: the name; for overloads, the name of the input; and the number of
/// operations with both up to this one.
type Key<'s> = (&'s str, Option<&'s str>, usize);

/// The operations by their keys.
fn by_key<'m, 's>(service: &'m Service<'s>) -> Vec<(Key<'s>, &'m Operation<'s>)> {
    let mut names: HashMap<_, usize> = HashMap::new();
    for operation in &service.operations {
        *names.entry(operation.name).or_default() += 1;
    }
    let mut counts: HashMap<_, usize> = HashMap::new();
    let keys = service.operations.iter().map(|operation| {
        let input = operation.input_name.filter(|_| names[operation.name] > 1);
        let count = counts.entry((operation.name, input)).or_default();
        *count += 1;
        ((operation.name, input, *count), operation)
    });
    keys.collect()
}

/// Operations of two services that are compared with each other, or an operation that only one of
/// them has.
type Pair<'m, 's> = (
    Key<'s>,
    Option<&'m Operation<'s>>,
    Option<&'m Operation<'s>>,
);

/// The operations of the original paired with those of the other, then the added ones. Overloads
/// whose inputs are named in only one of the two (the original may distinguish them by their
/// messages) are paired by the name of the operation, in order.
fn pairs<'m, 's>(original: &'m Service<'s>, other: &'m Service<'s>) -> Vec<Pair<'m, 's>> {
    let mut left: HashMap<_, _> = by_key(other).into_iter().collect();
    let originals = by_key(original).into_iter();
    let mut pairs: Vec<Pair<'m, 's>> = originals
        .map(|(key, operation)| (key, Some(operation), left.remove(&key)))
        .collect();
    let mut by_name: HashMap<_, Vec<Key<'s>>> = HashMap::new();
    let is_left = |(key, _): &(Key<'s>, _)| left.contains_key(key);
    for (key, _) in by_key(other).into_iter().filter(is_left) {
        by_name.entry(key.0).or_default().push(key);
    }
    for (key, _, pair) in pairs.iter_mut().filter(|(.., pair)| pair.is_none()) {
        let is_like = |one: &Key<'s>| one.1.is_none() || key.1.is_none();
        if let Some(keys) = by_name.get_mut(key.0)
            && let Some(at) = keys.iter().position(is_like)
        {
            *pair = left.remove(&keys.remove(at));
        }
    }
    let added = by_key(other).into_iter();
    let added = added.filter(|(key, _)| left.contains_key(key));
    pairs.extend(added.map(|(key, operation)| (key, None, Some(operation))));
    pairs
}

/// The name of an operation in diagnostics.
fn called<'s>((name, input, _): Key<'s>) -> &'s str {
    input.unwrap_or(name)
}

fn quoted(text: &str) -> String {
    format!("`{text}`")
}

/// The key of a part of a message: its element or its name.
fn key<'s>(part: &MessagePart<'s>) -> Name<'s> {
    match part.content {
        PartContent::Element(name) => name,
        PartContent::Type(_) | PartContent::Any => Name {
            namespace: "",
            local: part.name,
        },
    }
}

/// A part of a message, and where it is used.
type Used<'s> = (MessagePart<'s>, Within);

/// Compares services.
#[derive(Debug)]
pub(super) struct Messages<'c, 'm, 's> {
    pub comparer: &'c mut Comparer<'m, 's>,
    /// The number of messages that were compared.
    pub count: usize,
}

impl<'m, 's> Messages<'_, 'm, 's> {
    pub fn service(&mut self, (original, other): Services<'m, 's>) {
        let at = self.comparer.start(&*original.name);
        let places = Places {
            at,
            original: original.place,
            other: other.place,
        };
        let (paths, path): (Vec<_>, _) = (paths(original).collect(), paths(other).next());
        if let ([first, ..], Some(path)) = (&*paths, path)
            && !paths.contains(&path)
        {
            let differ = (Some(quoted(first)), Some(quoted(&path)));
            self.comparer
                .differ(Aspect::Address, places, differ.0, differ.1);
        }
        for (key, one, two) in pairs(original, other) {
            if let (Some(one), Some(two)) = (one, two) {
                self.operation(called(key), one, two);
                continue;
            }
            let places = Places {
                original: one.map_or(places.original, |one| one.place),
                other: two.map_or(places.other, |two| two.place),
                ..places
            };
            let name = |operation: Option<_>| operation.map(|_| quoted(called(key)));
            self.comparer
                .differ(Aspect::Operation, places, name(one), name(two));
        }
    }

    fn operation(&mut self, called: &str, original: &Operation<'s>, other: &Operation<'s>) {
        let places = Places {
            at: self.comparer.start(called),
            original: original.place,
            other: other.place,
        };
        let comparer = &mut *self.comparer;
        for binding in Binding::ALL {
            let name =
                |bindings: Bindings| bindings.contains(binding).then(|| quoted(binding.key()));
            let both = (name(original.bindings), name(other.bindings));
            comparer.differ(Aspect::Binding, places, both.0, both.1);
        }
        if let (Some(one), Some(two)) = (&original.soap, &other.soap) {
            self.soap(places, one, two);
        }
        if let (Some(one), Some(two)) = (&original.form, &other.form) {
            self.fields(places, one, two);
            if original.soap.is_none() || other.soap.is_none() {
                self.form(places, one, two);
            }
        }
    }

    fn soap(&mut self, places: Places, original: &Soap<'s>, other: &Soap<'s>) {
        let comparer = &mut *self.comparer;
        let actions = (quoted(original.action), quoted(other.action));
        comparer.differ(Aspect::Action, places, Some(actions.0), Some(actions.1));
        let style = |soap: &Soap<'_>| match soap.style {
            Style::Document => "document",
            Style::Rpc => "rpc",
        };
        let styles = (style(original), style(other));
        comparer.differ(Aspect::Style, places, Some(styles.0), Some(styles.1));
        let is_rpc = original.style == Style::Rpc;
        let request = self.under(places, "/request");
        self.message(request, is_rpc, &original.input, &other.input);
        let response = self.under(places, "/response");
        match (&original.output, &other.output) {
            (Some(one), Some(two)) => self.message(response, is_rpc, one, two),
            (one, two) => {
                let in_words = |is_there: bool| Some("an answer").filter(|_| is_there);
                let both = (in_words(one.is_some()), in_words(two.is_some()));
                self.comparer
                    .differ(Aspect::Message, response, both.0, both.1);
            }
        }
        let headers = original.headers().into_iter().zip(other.headers());
        let of = [
            (request, "/header "),
            (response, "/header "),
            (places, "/fault header "),
        ];
        for ((places, step), (original, other)) in of.into_iter().zip(headers) {
            self.headers(places, step, &original, &other);
        }
        let faults = |soap: &Soap<'s>| -> Vec<_> {
            let faults = soap.faults.iter();
            let of = |encoded| {
                if encoded {
                    Within::Encoded
                } else {
                    Within::Fault
                }
            };
            faults.map(|one| (one.part, of(one.is_encoded))).collect()
        };
        let both = (faults(original), faults(other));
        self.by_part(places, (Aspect::Fault, "/fault "), (&both.0, &both.1));
    }

    fn under(&mut self, places: Places, text: &str) -> Places {
        Places {
            at: self.comparer.step(places.at, text),
            ..places
        }
    }

    fn message(
        &mut self,
        places: Places,
        is_rpc: bool,
        original: &Message<'s>,
        other: &Message<'s>,
    ) {
        self.count += 1;
        let places = Places {
            original: original.place,
            other: other.place,
            ..places
        };
        let used = |message: &Message<'_>| {
            Some(if message.is_encoded {
                "encoded"
            } else {
                "literal"
            })
        };
        let both = (used(original), used(other));
        self.comparer.differ(Aspect::Style, places, both.0, both.1);
        if is_rpc {
            let namespace = |message: &Message<'_>| Some(quoted(message.namespace.unwrap_or("")));
            let both = (namespace(original), namespace(other));
            self.comparer
                .differ(Aspect::Namespace, places, both.0, both.1);
        }
        let within = if original.is_encoded {
            Within::Encoded
        } else {
            Within::Body
        };
        match (&*original.parts, &*other.parts) {
            // The name of the only part of a document message is never sent.
            ([one], [two]) if !is_rpc => self.part(places, *one, *two, within),
            _ => {
                let parts = |parts: &[MessagePart<'s>]| -> Vec<_> {
                    parts.iter().map(|part| (*part, within)).collect()
                };
                let both = (parts(&original.parts), parts(&other.parts));
                self.by_part(places, (Aspect::Message, "/"), (&both.0, &both.1));
                let order = |one: &[Used<'s>], two: &[Used<'s>]| -> Vec<_> {
                    let names = one.iter().map(|(part, _)| key(part));
                    let of_both =
                        names.filter(|name| two.iter().any(|(part, _)| key(part) == *name));
                    of_both.map(|name| name.local).collect()
                };
                let orders = (order(&both.0, &both.1), order(&both.1, &both.0));
                let orders = (quoted(&orders.0.join(", ")), quoted(&orders.1.join(", ")));
                self.comparer
                    .differ(Aspect::Order, places, Some(orders.0), Some(orders.1));
            }
        }
    }

    fn part(
        &mut self,
        places: Places,
        original: MessagePart<'s>,
        other: MessagePart<'s>,
        within: Within,
    ) {
        let places = Places {
            original: original.place,
            other: other.place,
            ..places
        };
        match (original.content, other.content) {
            (PartContent::Element(one), PartContent::Element(two)) => {
                let in_words =
                    |name: Name<'_>| Some(format!("`{{{}}}{}`", name.namespace, name.local));
                let names = (in_words(one), in_words(two));
                self.comparer
                    .differ(Aspect::Message, places, names.0, names.1);
                self.comparer.global(places, one, two, within);
            }
            (PartContent::Type(one), PartContent::Type(two)) => {
                self.comparer.types_of(places, one, two, within);
            }
            (PartContent::Any, PartContent::Any) => {}
            (one, two) => {
                let in_words = |content: PartContent<'_>| match content {
                    PartContent::Element(name) => Some(format!("the element `{}`", name.local)),
                    PartContent::Type(_) => Some("a type".to_owned()),
                    PartContent::Any => Some("any XML".to_owned()),
                };
                let both = (in_words(one), in_words(two));
                self.comparer
                    .differ(Aspect::Message, places, both.0, both.1);
            }
        }
    }

    /// Compares parts by their elements or names.
    fn by_part(
        &mut self,
        places: Places,
        (aspect, step): (Aspect, &str),
        (original, other): (&[Used<'s>], &[Used<'s>]),
    ) {
        let others: HashMap<_, _> = other.iter().map(|(part, _)| (key(part), part)).collect();
        let originals: HashMap<_, _> = original.iter().map(|(part, _)| (key(part), ())).collect();
        for (one, within) in original {
            let name = key(one);
            match others.get(&name) {
                Some(two) => {
                    let places = self.under(places, &format!("{step}{}", name.local));
                    self.part(places, *one, **two, *within);
                }
                None => {
                    let places = Places {
                        original: one.place,
                        ..places
                    };
                    let name = Some(quoted(name.local));
                    self.comparer.differ(aspect, places, name, None);
                }
            }
        }
        for (two, _) in other {
            if !originals.contains_key(&key(two)) {
                let places = Places {
                    other: two.place,
                    ..places
                };
                let name = Some(quoted(key(two).local));
                self.comparer.differ(aspect, places, None, name);
            }
        }
    }

    fn headers(
        &mut self,
        places: Places,
        step: &str,
        original: &[&Header<'s>],
        other: &[&Header<'s>],
    ) {
        let used = |headers: &[&Header<'s>]| -> Vec<_> {
            let of = |header: &&Header<'s>| {
                let within = if header.is_encoded {
                    Within::Encoded
                } else {
                    Within::Header
                };
                (header.part, within)
            };
            headers.iter().map(of).collect()
        };
        self.count += original.len();
        let both = (used(original), used(other));
        self.by_part(places, (Aspect::Header, step), (&both.0, &both.1));
    }

    fn fields(&mut self, places: Places, original: &Form<'s>, other: &Form<'s>) {
        let request = self.under(places, "/form");
        // Values of forms are texts, whatever type is declared for them.
        let names = |form: &Form<'_>| {
            let names: Vec<_> = form.parameters.iter().map(|part| part.name).collect();
            Some(quoted(&names.join(", ")))
        };
        let both = (names(original), names(other));
        self.comparer
            .differ(Aspect::Message, request, both.0, both.1);
    }

    fn form(&mut self, places: Places, original: &Form<'s>, other: &Form<'s>) {
        self.count += 1 + usize::from(original.result.is_some());
        let response = self.under(places, "/response");
        match (original.result, other.result) {
            (Some(one), Some(two)) => self.part(response, one, two, Within::Body),
            (one, two) => {
                let in_words = |part: Option<MessagePart<'_>>| part.map(|_| "a result");
                let both = (in_words(one), in_words(two));
                self.comparer
                    .differ(Aspect::Message, response, both.0, both.1);
            }
        }
    }
}
