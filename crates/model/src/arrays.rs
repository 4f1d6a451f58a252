//! The names of list types.

use std::collections::{HashMap, HashSet};
use std::iter::once;

use crate::{
    At, Element, ElementForm, Facet, Form, Occurs, Scope, Service, SimpleType, TypeAt, Types,
    header_elements,
};

/// A namespace, and the form of the elements that its types declare.
type Declared<'m> = (&'m str, ElementForm);

/// Returns the name of the list type for items of the type `item`: .NET writes a name of one or two
/// letters in upper case.
pub fn array_name(item: &str) -> String {
    let mut rest = item.chars();
    if item.chars().count() <= 2 {
        return format!("ArrayOf{}", item.to_uppercase());
    }
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    format!("ArrayOf{}{}", first.collect::<String>(), rest.as_str())
}

/// The names of list types in a service. If a type with other items has a name already, .NET adds a
/// number, in the order in which it imports types: those of items before those of their lists,
/// members of a type before the types after it. An item without a name is named after its type, as
/// .NET does for lists in lists.
#[derive(Debug)]
pub struct ArrayNames<'m> {
    service: Declared<'m>,
    /// The names of the types that the service defines, with their namespaces.
    defined: HashSet<(&'m str, &'m str)>,
    /// The items of list types, by the namespace and the name of the type.
    items: HashMap<(&'m str, String), Items<'m>>,
    /// The types whose lists are named.
    visited: HashSet<(&'m str, &'m str)>,
}

/// The items of a list type: the row from one list, and the columns that all lists share.
#[derive(Debug)]
struct Items<'m> {
    one: At<'m, Element<'m>>,
    facets: &'m [(Facet, &'m str)],
    union: &'m [Element<'m>],
    occurs: Occurs,
}

impl<'m> ArrayNames<'m> {
    /// Names the list types in SOAP messages, and then in other results.
    pub fn of_messages(service: At<'m, Service<'m>>, types: &Types<'m>) -> Self {
        let mut names = Self::new(service, types);
        let scope = names.service;
        // Encoded messages have types of their own.
        let literal = service.operations();
        for operation in literal.filter(|operation| operation.encoded.is_none()) {
            let (request, response) = (operation.parameters(), operation.response());
            let of_lists =
                |declared: Scope<&'m str>| operation.style.of_lists(declared.within(scope), scope);
            let (requests, responses) = (of_lists(request.scope), of_lists(response.scope));
            let parameters = request.elements().map(|element| (element, requests));
            let results = operation.results().map(|element| (element, responses));
            let others = header_elements(operation).chain(operation.faults());
            let others = others.map(|element| (element, global_scope(element, scope)));
            names.import(parameters.chain(results).chain(others), types);
        }
        let results = service.operations();
        let results = results.filter_map(|operation| operation.result_over_http());
        names.import(results.map(|result| (result, scope)), types);
        names
    }

    /// Names the list types in the results that HTTP GET and POST return.
    pub fn of_roots(service: At<'m, Service<'m>>, types: &Types<'m>) -> Self {
        let mut names = Self::new(service, types);
        let scope = names.service;
        let operations = service.operations();
        let operations = operations.filter(|operation| operation.bindings.has_form());
        let results = operations.filter_map(|operation| operation.result_over_http());
        names.import(results.map(|result| (result, scope)), types);
        names
    }

    fn new(service: At<'m, Service<'m>>, types: &Types<'m>) -> Self {
        let scope = service.scope();
        let qualified = |one: TypeAt<'m>| (namespace_of(one, scope), one.name());
        Self {
            service: scope,
            defined: types.definitions().map(qualified).collect(),
            items: HashMap::new(),
            visited: HashSet::new(),
        }
    }

    fn import(
        &mut self,
        elements: impl Iterator<Item = (At<'m, Element<'m>>, Declared<'m>)>,
        types: &Types<'m>,
    ) {
        enum Step<'m> {
            Visit(TypeAt<'m>, Declared<'m>),
            Name(At<'m, Element<'m>>, &'m str),
        }
        let visit = |(element, declared): (At<'m, Element<'m>>, _)| {
            Step::Visit(element.type_at(), declared)
        };
        let mut steps: Vec<_> = elements.map(visit).collect();
        steps.reverse();
        while let Some(step) = steps.pop() {
            match step {
                Step::Name(item, namespace) => _ = self.name(item, namespace),
                Step::Visit(list @ TypeAt::List(item), declared) => {
                    let namespace = namespace_of(list, declared);
                    let inner = Step::Visit(item.type_at(), (namespace, declared.1));
                    steps.extend([Step::Name(item, namespace), inner]);
                }
                Step::Visit(TypeAt::Complex(complex), _) => {
                    let declared = complex.scope.within(self.service);
                    if !self.visited.insert((declared.0, complex.name)) {
                        continue;
                    }
                    let derived = types.derived(complex).map(TypeAt::Complex);
                    steps.extend(derived.map(|derived| Step::Visit(derived, declared)));
                    let members = steps.len();
                    let elements = complex.elements().map(|element| (element, declared));
                    steps.extend(elements.map(visit));
                    steps[members..].reverse();
                }
                Step::Visit(..) => {}
            }
        }
    }

    /// Returns the name of the type of a list with these items in a namespace.
    pub fn name(&mut self, item: At<'m, Element<'m>>, namespace: &'m str) -> String {
        let (name, row) = (self.find(item, namespace), item.row());
        let items = self.items.entry((namespace, name.clone()));
        let items = items.or_insert(Items {
            one: item,
            facets: row.facets,
            union: row.union,
            occurs: row.occurs,
        });
        if (items.facets, items.union) != (row.facets, row.union) {
            items.facets = &[];
            items.union = &[];
        }
        items.occurs = items.occurs.or(row.occurs);
        name
    }

    /// Returns the row of a list type's items, with the columns that all its lists share, by the
    /// namespace and the name of the type: .NET ignores facets and counts, in which lists may
    /// differ.
    pub fn common(
        &self,
        (namespace, name): (&'m str, &str),
        item: At<'m, Element<'m>>,
    ) -> Element<'m> {
        let known = self.items.get(&(namespace, name.to_owned()));
        let (facets, union) = known.map_or((&[][..], &[][..]), |known| (known.facets, known.union));
        let occurs = known.map_or(Occurs::ANY, |known| known.occurs);
        Element {
            facets,
            union,
            occurs,
            ..*item.row()
        }
    }

    /// Like `name`, but `None` if the list is not named yet.
    pub fn known(&self, item: At<'m, Element<'m>>, namespace: &'m str) -> Option<String> {
        let key = (namespace, self.find(item, namespace));
        self.items.contains_key(&key).then_some(key.1)
    }

    /// Returns the lists that are items of lists: their items, and the namespace and the name of
    /// their type.
    pub fn nested(&self) -> impl Iterator<Item = (At<'m, Element<'m>>, &'m str, String)> {
        self.items.iter().filter_map(|((namespace, _), items)| {
            let list = items.one.type_at();
            let TypeAt::List(inner) = list else {
                return None;
            };
            let namespace = namespace_of(list, (namespace, self.service.1));
            Some((inner, namespace, self.find(inner, namespace)))
        })
    }

    fn find(&self, item: At<'m, Element<'m>>, namespace: &'m str) -> String {
        let name = array_name(&self.type_of_items(item, namespace));
        numbered(name, |name| {
            match self.items.get(&(namespace, name.clone())) {
                Some(known) => self.is_same_item(known.one, item, namespace),
                None => !self.defined.contains(&(namespace, name.as_str())),
            }
        })
    }

    /// The name of the type of items.
    fn type_of_items(&self, item: At<'m, Element<'m>>, namespace: &'m str) -> String {
        match item.type_at() {
            list @ TypeAt::List(inner) => {
                let namespace = namespace_of(list, (namespace, self.service.1));
                self.find(inner, namespace)
            }
            // A list of `XmlNode[]`.
            TypeAt::Simple(SimpleType::Any) if item.name == "XmlNode" => item.name.to_owned(),
            TypeAt::Simple(simple) => simple.item_name().to_owned(),
            type_at => type_at.name().to_owned(),
        }
    }

    /// Whether two list items are equal. Their rows may differ: an included module has its own.
    fn is_same_item(
        &self,
        one: At<'m, Element<'m>>,
        other: At<'m, Element<'m>>,
        namespace: &'m str,
    ) -> bool {
        let name = |item: At<'m, Element<'m>>| match item.name {
            "" => self.type_of_items(item, namespace),
            name => name.to_owned(),
        };
        is_alike(one, other) && (one.name == other.name || name(one) == name(other))
    }
}

/// Whether two types are equal.
pub fn is_same_type(one: TypeAt<'_>, other: TypeAt<'_>) -> bool {
    match (one, other) {
        (TypeAt::List(one), TypeAt::List(other)) => one.name == other.name && is_alike(one, other),
        (TypeAt::Dictionary(one), TypeAt::Dictionary(other)) => is_alike(one, other),
        _ => one == other,
    }
}

/// Whether two list items are equal except for their names, and for facets and counts, which .NET
/// ignores.
fn is_alike(one: At<'_, Element<'_>>, other: At<'_, Element<'_>>) -> bool {
    one.form == other.form
        && one.absence == other.absence
        && is_same_type(one.type_at(), other.type_at())
}

/// Returns the scope that a header or the detail of a fault declares, which is always in a
/// namespace.
pub fn global_scope<'m>(
    element: At<'m, Element<'m>>,
    (namespace, form): Declared<'m>,
) -> Declared<'m> {
    let qualified = (namespace, ElementForm::Qualified);
    (element.form.of_element(qualified), form)
}

/// Returns the namespace of a type; a list type is in the namespace of its items.
pub fn namespace_of<'m>(type_at: TypeAt<'m>, (namespace, form): Declared<'m>) -> &'m str {
    match type_at {
        TypeAt::Complex(complex) => complex.scope.within((namespace, form)).0,
        TypeAt::Enumeration(enumeration) => enumeration.namespace.unwrap_or(namespace),
        TypeAt::List(item) => match item.form {
            Form::Reference(other) => other,
            _ => namespace,
        },
        TypeAt::Simple(_) | TypeAt::Dictionary(_) => namespace,
    }
}

/// Returns the name, or the name with the first number that fits.
pub fn numbered(name: String, fits: impl FnMut(&String) -> bool) -> String {
    let others = (1..).map(|number| format!("{name}{number}"));
    let mut names = once(name.clone()).chain(others);
    names.find(fits).unwrap_or_default()
}
