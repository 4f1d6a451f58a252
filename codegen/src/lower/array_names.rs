//! The names of lists in lists, and of lists over HTTP GET and POST: .NET numbers list types whose
//! names would clash.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;
use svcgen_model::{
    ArrayNames, At, ComplexType, Element, ElementForm, Storage, TypeAt, Types, array_name,
    namespace_of,
};

use crate::file::Included;
use crate::model::{self, Group, ListType, Model, TypeRef};
use crate::rows::{self, RowContent};

/// The names that depend on the whole service.
struct Names {
    /// The names of items that are named after their type, a list, in the order of [`name_arrays`].
    items: Vec<String>,
    /// The names of the root elements of operations whose results are lists.
    roots: Vec<Option<String>>,
    list_names: Vec<(String, String)>,
    others: Vec<OtherName>,
}

/// A list of lists of an included file, whose lists have another name in this service.
struct OtherName {
    file: Arc<Path>,
    /// `` `Rows` of `Grid` ``.
    place: String,
    /// The name there, and here.
    names: [String; 2],
    /// The name of the items of its lists.
    innermost: String,
}

/// Sets the names that definitions leave open; `None` if an included file is wrong.
pub(super) fn name_arrays(model: &mut Model, included: &[Included], sink: &mut Sink) -> Option<()> {
    if !is_needed(model) {
        return Some(());
    }
    let names = names(model, included)?;
    warn(&names.others, included, sink);
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
        let only = operation.result.as_mut().map(|only| &mut only.element);
        for result in only.into_iter().chain(&mut operation.http_result) {
            name_items(std::slice::from_mut(result), groups, &mut items);
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

fn warn(others: &[OtherName], included: &[Included], sink: &mut Sink) {
    // Only the first of each file is reported: the others follow once it is corrected.
    let mut seen = HashSet::new();
    for other in others.iter().filter(|other| seen.insert(&other.file)) {
        let mut files = included.iter();
        let Some(one) = files.find(|one| one.file.has(&other.file)) else {
            continue;
        };
        let (place, innermost) = (&other.place, &other.innermost);
        let [there, here] = &other.names;
        let message = format!(
            "the lists in {place} are called `{there}`, and .NET would call them `{here}` in this service"
        );
        let hint = format!(
            "say in the included file how callers know them: `item: [{here}, {innermost}]`; or here `allow: [SVC060]`, if there are no callers yet"
        );
        sink.add(Rule::OtherListName, one.node, message).hint(hint);
    }
}

/// Whether there are lists in lists, or HTTP GET and POST return a list.
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
                list.by_type = true;
            }
        }
    }
}

/// The names in the rows of a model, in which unnamed items have an empty name.
fn names(model: &Model, included: &[Included]) -> Option<Names> {
    let storage = Storage::default();
    let mut done = HashMap::new();
    let includes = included.iter();
    let content = RowContent {
        documentation: false,
        by_type: false,
        masked: false,
    };
    let includes = includes.map(|one| rows::file(&one.file, &storage, content, &mut done));
    let includes: Vec<_> = includes.collect::<Option<_>>()?;
    let (mut module, _) = rows::rows(model, &storage, content);
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
            others: Vec::new(),
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
        let results = with(operation.results(), response.scope.within(scope));
        let over_http = operation.row().http_result.is_some();
        let over_http = operation.result_over_http().filter(|_| over_http);
        parameters
            .chain(results)
            .chain(with(over_http.into_iter(), scope))
    });
    let faults = with(service.each(service.row().faults), scope);
    let elements = types.chain(messages).chain(faults);
    let inner = elements.filter_map(|(element, declared)| unnamed(element, declared));
    let items = inner.map(|(inner, namespace)| soap.name(inner, namespace));
    let items = items.collect();
    let others = other_names(model, &reached, &mut soap, scope);
    let roots = service.operations().map(|operation| {
        let root = operation.result_over_http();
        let root = root.map(At::<Element<'_>>::type_at);
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
        others,
    })
}

/// The lists of lists of included files whose lists have another name in this service than there.
fn other_names<'m>(
    model: &Model,
    reached: &Types<'m>,
    soap: &mut ArrayNames<'m>,
    scope: (&'m str, ElementForm),
) -> Vec<OtherName> {
    let reached = reached.definitions().filter_map(|one| match one {
        TypeAt::Complex(complex) => Some((one.qualified_name(), complex)),
        _ => None,
    });
    let reached: HashMap<_, _> = reached.collect();
    let mut others = Vec::new();
    for complex in &model.complex_types {
        let (namespace, name) = (complex.scope.namespace.as_deref(), &complex.name);
        let row = reached.get(&(namespace, name.xml.as_str()));
        let (Some(origin), Some(row)) = (&complex.included, row) else {
            continue;
        };
        let elements = complex.elements.iter();
        let elements = elements.flat_map(|element| model.on_wire(element));
        let declared = row.scope.within(scope);
        for (element, row) in elements.zip(row.elements()) {
            let (Some(list), Some((inner, namespace))) = (list(element), unnamed(row, declared))
            else {
                continue;
            };
            let here = soap.name(inner, namespace);
            if list.item != here {
                others.push(OtherName {
                    file: Arc::clone(&origin.file),
                    place: format!("`{}` of `{}`", element.name.key, name.key),
                    names: [list.item.clone(), here],
                    innermost: inner.name.to_owned(),
                });
            }
        }
    }
    others
}

/// Elements, each with the namespace and form that its type or message declares.
fn with<'m>(
    elements: impl Iterator<Item = At<'m, Element<'m>>>,
    declared: (&'m str, ElementForm),
) -> impl Iterator<Item = (At<'m, Element<'m>>, (&'m str, ElementForm))> {
    elements.map(move |element| (element, declared))
}

/// The items of the inner lists in a list of lists that does not name them, and the namespace of
/// their type.
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
