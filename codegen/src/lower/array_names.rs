//! The names of lists in lists, and those of lists over HTTP GET and POST: .NET numbers types of lists that would have one name.

use std::collections::{BTreeSet, HashMap};

use svcgen_model::{
    ArrayNames, At, ComplexType, Element, ElementForm, Storage, TypeAt, Types, array_name,
    namespace_of,
};

use crate::file::Included;
use crate::model::{self, Group, ListType, Model, TypeRef};
use crate::rows;

/// The names that depend on all of a service.
struct Names {
    /// Of the items that are called as their type, a list, in the order of [`name_arrays`].
    items: Vec<String>,
    /// Of the root elements of operations whose results are lists.
    roots: Vec<Option<String>>,
    list_names: Vec<(String, String)>,
}

/// Names what no definition names; `None` if an included file is wrong.
pub(super) fn name_arrays(model: &mut Model, included: &[Included]) -> Option<()> {
    if !is_needed(model) {
        return Some(());
    }
    let names = names(model, included)?;
    let mut items = names.items.into_iter();
    let (types, groups) = (&mut model.complex_types, &mut model.groups);
    for complex in types
        .iter_mut()
        .filter(|complex| complex.included.is_none())
    {
        name_items(&mut complex.elements, groups, &mut items);
    }
    let Some(service) = &mut model.service else {
        return Some(());
    };
    service.list_names = names.list_names;
    for (operation, root) in service.operations.iter_mut().zip(names.roots) {
        for message in [&mut operation.request, &mut operation.response] {
            name_items(&mut message.elements, groups, &mut items);
        }
        if let Some(result) = &mut operation.result {
            name_items(
                std::slice::from_mut(&mut result.element),
                groups,
                &mut items,
            );
        }
        let only = operation.result.as_mut().map(|result| &mut result.root);
        let returned = operation.returned.as_mut();
        let place = only.or(returned.map(|returned| &mut returned.root));
        if let (Some(place), Some(root)) = (place, root) {
            place.name = root;
        }
    }
    for fault in &mut service.faults {
        name_items(std::slice::from_mut(&mut fault.detail), groups, &mut items);
    }
    Some(())
}

/// Whether there are lists in lists, or HTTP GET and POST answer a list.
fn is_needed(model: &Model) -> bool {
    let structs = model.complex_types.iter();
    let messages = model.operations().iter().flat_map(|operation| {
        let (request, results) = (&operation.request.elements, operation.result_elements());
        request.iter().chain(results)
    });
    let faults = model.service.iter().flat_map(|service| &service.faults);
    let mut lists = structs
        .flat_map(|complex| &complex.elements)
        .chain(messages)
        .chain(faults.map(|fault| &fault.detail))
        .flat_map(|element| model::on_wire(element, &model.groups))
        .filter_map(list);
    let mut operations = model.operations().iter();
    lists.any(|list| list.inner().is_some())
        || operations.any(|operation| {
            let mut results = operation.result_elements();
            operation.bindings.has_form() && results.any(|result| list(result).is_some())
        })
}

fn list(element: &model::Element) -> Option<&ListType> {
    match &element.type_ref {
        TypeRef::List(list) => Some(list),
        _ => None,
    }
}

fn name_items(
    elements: &mut [model::Element],
    groups: &mut [Group],
    names: &mut impl Iterator<Item = String>,
) {
    for element in elements {
        let on_wire = match element.type_ref.group() {
            Some(id) => &mut groups[id.0].elements[..],
            None => std::slice::from_mut(element),
        };
        for element in on_wire {
            if let TypeRef::List(list) = &mut element.type_ref
                && list.item.is_empty()
                && list.inner().is_some()
            {
                list.item = names.next().unwrap_or_default();
            }
        }
    }
}

/// The names in the rows of a model, in which items without a name have an empty one.
fn names(model: &Model, included: &[Included]) -> Option<Names> {
    let storage = Storage::default();
    let mut done = HashMap::new();
    let includes = included.iter();
    let includes = includes.map(|one| rows::file(&one.file, &storage, &mut done));
    let includes: Vec<_> = includes.collect::<Option<_>>()?;
    let (mut module, _) = rows::rows(model, &storage, false);
    module.includes = storage
        .includes
        .keep(includes.into_iter().map(|rows| rows.0));
    let types = At::new(&module, None).types();
    let Some(service) = At::service(&module, None) else {
        let elements = types.flat_map(At::<ComplexType<'_>>::elements);
        let inner = elements.filter_map(|element| unnamed(element, ("", ElementForm::Qualified)));
        let items = inner.map(|(inner, _)| array_name(inner.type_name()));
        return Some(Names {
            items: items.collect(),
            roots: Vec::new(),
            list_names: Vec::new(),
        });
    };
    let reached = Types::of(service);
    let mut soap = ArrayNames::of_messages(service, &reached);
    let http = ArrayNames::of_roots(service, &reached);
    let scope = service.scope();
    let types = types.map(|complex| (complex, complex.scope.within(scope)));
    let types = types.flat_map(|(complex, declared)| with(complex.elements(), declared));
    let messages = service.operations().flat_map(|operation| {
        let (request, response) = (operation.parameters(), operation.response());
        let parameters = with(request.elements(), request.scope.within(scope));
        parameters.chain(with(operation.results(), response.scope.within(scope)))
    });
    let faults = with(service.each(service.row().faults), scope);
    let elements = types.chain(messages).chain(faults);
    let inner = elements.filter_map(|(element, declared)| unnamed(element, declared));
    let items = inner.map(|(inner, namespace)| soap.name(inner, namespace));
    let items = items.collect();
    let roots = service.operations().map(|operation| {
        let root = operation.result().map(At::<Element<'_>>::type_at);
        match root {
            Some(list @ TypeAt::List(item)) => http.known(item, namespace_of(list, scope)),
            _ => None,
        }
    });
    let roots = roots.collect();
    let nested: BTreeSet<_> = http
        .nested()
        .filter_map(|(inner, namespace, name)| Some((soap.known(inner, namespace)?, name)))
        .filter(|(over_soap, over_http)| over_soap != over_http)
        .collect();
    Some(Names {
        items,
        roots,
        list_names: nested.into_iter().collect(),
    })
}

/// Elements with what their type or message declares.
fn with<'m>(
    elements: impl Iterator<Item = At<'m, Element<'m>>>,
    declared: (&'m str, ElementForm),
) -> impl Iterator<Item = (At<'m, Element<'m>>, (&'m str, ElementForm))> {
    elements.map(move |element| (element, declared))
}

/// The items of the lists in a list of lists that does not name these, and the namespace of their type.
fn unnamed<'m>(
    element: At<'m, Element<'m>>,
    declared: (&'m str, ElementForm),
) -> Option<(At<'m, Element<'m>>, &'m str)> {
    let list = element.type_at();
    let TypeAt::List(item) = list else {
        return None;
    };
    let inner_list = item.type_at();
    let TypeAt::List(inner) = inner_list else {
        return None;
    };
    let declared = (namespace_of(list, declared), declared.1);
    (item.name.is_empty()).then(|| (inner, namespace_of(inner_list, declared)))
}
