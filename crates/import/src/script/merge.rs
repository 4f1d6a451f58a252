//! Merges the content of a script into the draft of a service: the binding, and the names and
//! numbers of .NET.

use std::collections::HashSet;

use svcgen_model::{Binding, Bindings, numbers};

use super::{Enumeration, Script};
use crate::draft::{Content, Draft};

/// Adds the content of a script to the definition of a service. Returns the names in the script
/// that are not in the definition.
pub(crate) fn merge(draft: &mut Draft, script: &Script) -> Vec<String> {
    let namespace = script
        .class
        .rsplit_once('.')
        .map_or("", |(namespace, _)| namespace);
    let mut unknown = Vec::new();
    let service = draft
        .get("service")
        .and_then(Draft::text)
        .unwrap_or_default();
    if script.class != service {
        insert(draft, "net", script.class.as_str(), &["service"]);
    }
    functions(draft, script, &mut unknown);
    let reached = reached(draft);
    for (class, id) in &script.types {
        // An object carries the full name of its class, or else a name that the class defines.
        let (net, id) = if in_script(id) == *class {
            (id, None)
        } else {
            (class, Some(id))
        };
        match find(draft, "types", net) {
            Some((name, known)) => net_of(known, &name, net, id, namespace, &reached),
            None => unknown.push(net.clone()),
        }
    }
    for one in &script.enumerations {
        match find(draft, "enums", &one.class) {
            Some((name, known)) => {
                values(known, one, &mut unknown);
                net_of(known, &name, &one.class, None, namespace, &reached);
            }
            None => unknown.push(one.class.clone()),
        }
    }
    unknown
}

/// Adds the binding, and the details that functions have of their operations.
fn functions(draft: &mut Draft, script: &Script, unknown: &mut Vec<String>) {
    let others = draft.get("bindings").cloned();
    let others = others.unwrap_or_else(|| bindings(Bindings::DEFAULT.iter()));
    let json = Draft::from(Binding::Json.key());
    let Some(Content::Map(operations)) = draft.get_mut("operations").map(|one| &mut one.content)
    else {
        return;
    };
    let mut names: HashSet<_> = script
        .functions
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let mut is_offered = false;
    for (name, operation) in operations {
        let function = script.functions.iter().find(|one| one.name == *name);
        names.remove(name.as_str());
        // A call over JSON cannot have several results.
        match function.filter(|_| operation.get("results").is_none()) {
            Some(function) => {
                is_offered = true;
                if let Some(Content::List(own)) =
                    operation.get_mut("bindings").map(|own| &mut own.content)
                {
                    own.push(json.clone());
                }
                parameters(operation, &function.parameters);
                if function.by_get {
                    let mut method = Draft::flow_map();
                    method.set("use_http_get", true);
                    operation.set("script_method", method);
                }
            }
            None if operation.get("bindings").is_none() => {
                insert(operation, "bindings", others.clone(), &[]);
            }
            None => {}
        }
    }
    unknown.extend(names.into_iter().map(str::to_owned));
    unknown.sort_unstable();
    if is_offered {
        let mut all = others;
        if let Content::List(items) = &mut all.content {
            items.push(json);
        }
        insert(
            draft,
            "bindings",
            all,
            &["path", "namespace", "net", "service"],
        );
    }
}

fn bindings(bindings: impl Iterator<Item = Binding>) -> Draft {
    Draft::list(bindings.map(|binding| Draft::from(binding.key())))
}

/// Sets the .NET names of parameters that have other names in XML.
fn parameters(operation: &mut Draft, names: &[String]) {
    let Some(Content::Map(parameters)) =
        operation.get_mut("parameters").map(|one| &mut one.content)
    else {
        return;
    };
    if parameters.len() == names.len() {
        for ((key, parameter), name) in parameters.iter_mut().zip(names) {
            if key != name {
                parameter.long("type").set("net", name.as_str());
            }
        }
    }
}

/// Sets the names of a type in .NET and in JSON where they are not the default, and marks the type
/// as known to callers where no operation implies that.
fn net_of(
    known: &mut Draft,
    name: &str,
    net: &str,
    id: Option<&String>,
    namespace: &str,
    reached: &HashSet<String>,
) {
    let default = [namespace, name].join(".");
    let list = matches!(known.content, Content::List(_));
    let is_default = net == default.trim_start_matches('.');
    let is_said = id.is_some() || !reached.contains(name);
    if list && (!is_default || is_said) {
        known.long("values").flow = false;
    }
    if !is_default {
        insert(known, "net", net, &[]);
    }
    if is_said {
        let value = id.map_or_else(|| Draft::from(true), |id| Draft::from(id.as_str()));
        insert(known, "script_type", value, &["net"]);
    }
}

/// Sets the numbers of values in .NET where they are not one more than the preceding number, and
/// their names.
fn values(known: &mut Draft, script: &Enumeration, unknown: &mut Vec<String>) {
    let flags = known.get("flags").is_some();
    let list = match known.content {
        Content::List(_) => Some(known),
        _ => known.get_mut("values"),
    };
    let Some(Draft {
        content: Content::List(items),
        flow,
        ..
    }) = list
    else {
        return;
    };
    let is_of = |item: &Draft, name: &str| match item.entries() {
        [(text, keys)] => keys.get("net").and_then(Draft::text).unwrap_or(text) == name,
        _ => item.text() == Some(name),
    };
    let mut given: Vec<Option<i64>> = items
        .iter()
        .map(|item| {
            let mut values = script.values.iter();
            values.find_map(|(name, number)| is_of(item, name).then_some(*number))
        })
        .collect();
    let mut others = script.values.iter();
    let others: Vec<_> = others
        .by_ref()
        .filter(|(name, _)| !items.iter().any(|item| is_of(item, name)))
        .collect();
    let nameless: Vec<_> = (0..items.len()).filter(|at| given[*at].is_none()).collect();
    match (others.as_slice(), nameless.as_slice()) {
        // XML has another name for this value.
        ([(name, number)], [at]) => {
            given[*at] = Some(*number);
            value_keys(&mut items[*at]).set("net", name.as_str());
        }
        (others, _) => {
            unknown.extend(
                others
                    .iter()
                    .map(|(name, _)| format!("{}.{name}", script.class)),
            );
        }
    }
    // The number that a value has without a key: one more than the preceding one, or for flags the
    // next higher bit.
    let mut before = None;
    for (item, number) in items.iter_mut().zip(given) {
        let default = match before {
            Some(_) => numbers(flags, [before, None].into_iter()).nth(1),
            None => numbers(flags, [None].into_iter()).next(),
        };
        let default = default.unwrap_or_default();
        if let Some(number) = number.filter(|number| *number != default) {
            value_keys(item).set("number", number.to_string());
        }
        let number = number.unwrap_or(default);
        before = Some(before.filter(|_| flags).map_or(number, |all| all | number));
    }
    // Laid out as blocks if a value has more than its text.
    *flow = items.iter().all(|item| item.text().is_some());
}

/// The keys of a value, which is converted to a map from its text to them.
fn value_keys(item: &mut Draft) -> &mut Draft {
    if let Some(text) = item.text().map(str::to_owned) {
        let comments = std::mem::take(&mut item.comments);
        *item = Draft {
            place: item.place,
            comments,
            ..Draft::flow_map()
        };
        item.push(text, Draft::flow_map());
    }
    let name = item.entries().first().map(|(name, _)| name.clone());
    let name = name.unwrap_or_default();
    if item.get(&name).is_none() {
        return item;
    }
    item.get_mut(&name).expect("it has the key")
}

/// Sets a key after the first of `behind` that exists, or at the start.
fn insert(draft: &mut Draft, key: &str, value: impl Into<Draft>, behind: &[&str]) {
    if draft.get(key).is_some() || !matches!(draft.content, Content::Map(_)) {
        draft.set(key, value);
        return;
    }
    let Content::Map(entries) = &mut draft.content else {
        return;
    };
    let position = |name: &&str| entries.iter().position(|(key, _)| key == name);
    let at = behind.iter().find_map(position).map_or(0, |at| at + 1);
    entries.insert(at, (key.to_owned(), value.into()));
}

/// The entry of a section for a class in .NET: by the last part of the name, also for a nested
/// class.
fn find<'d>(draft: &'d mut Draft, section: &str, class: &str) -> Option<(String, &'d mut Draft)> {
    let last = class.rsplit(['.', '+']).next().unwrap_or(class);
    let Content::Map(entries) = &mut draft.get_mut(section)?.content else {
        return None;
    };
    let is_named = |(key, entry): &(String, Draft)| {
        let name = entry.get("name").and_then(Draft::text).unwrap_or(key);
        let outer = last.strip_suffix(name);
        outer.is_some_and(|outer| outer.is_empty() || outer.ends_with('_'))
    };
    let exact = entries.iter().position(|(key, _)| key == last);
    let at = exact.or_else(|| entries.iter().position(is_named))?;
    let (name, entry) = &mut entries[at];
    Some((name.clone(), entry))
}

/// The types of the parameters and results of operations that are offered over JSON: callers know
/// these in any case.
fn reached(draft: &Draft) -> HashSet<String> {
    let has_json = |draft: &Draft| match draft.get("bindings").map(|own| &own.content) {
        Some(Content::List(own)) => Some(own.iter().any(|one| one.text() == Some("json"))),
        _ => None,
    };
    let all = has_json(draft).unwrap_or_default();
    let operations = draft
        .get("operations")
        .map_or(&[][..], Draft::entries)
        .iter();
    let offered = operations.filter(|(_, one)| has_json(one).unwrap_or(all));
    let elements = offered.flat_map(|(_, one)| {
        let parameters = one.get("parameters").map_or(&[][..], Draft::entries);
        let result = one.get("result").into_iter();
        parameters
            .iter()
            .map(|(_, parameter)| parameter)
            .chain(result)
    });
    let types = elements.filter_map(|one| one.text().or_else(|| one.get("type")?.text()));
    let named = types.map(|one| one.trim_end_matches(['?', '[', ']']).to_owned());
    named.collect()
}

/// The name of a class in a script.
fn in_script(class: &str) -> String {
    class.replace(
        |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '.'),
        "_",
    )
}
