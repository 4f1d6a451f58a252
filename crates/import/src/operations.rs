//! Services → definitions: the keys of the file, `operations`, `headers` and `faults`.

mod bodies;
mod headers;
mod paths;
mod write;
mod writer;

use std::collections::{HashMap, HashSet};
use std::iter::once;

use svcgen_model::{Bindings, literal_types, numbered};
use svcgen_wsdl::report::Report;
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{Content, Kind, Name, Schemas, TypeId, TypeRef};
use svcgen_wsdl::wsdl::{Message, Operation, PartContent, Service, Soap, Style};

use super::draft::{Content as DraftContent, Draft};
use super::types::Types;
use paths::path;
pub(crate) use paths::path_of;
use writer::{Declarations, Writer};

/// Writes the definition of a service, without the steps that finish all definitions.
pub(crate) fn definition<'s>(
    service: &Service<'s>,
    schemas: &Schemas<'s>,
    report: &Report<'s>,
) -> Draft {
    let home = home(service, schemas);
    let file = Defaults::of(service, schemas, home);
    let mut types = Types::new(schemas, report, home, file.is_turned);
    types.messages.extend(encoded_messages(service));
    let is_unqualified = types.is_unqualified(home);
    let mut writer = Writer {
        types,
        home,
        is_unqualified,
        file,
        uses: uses(service),
        declared: Declarations::default(),
    };
    let (mut operations, offered) = operations(&mut writer, service, report);
    let mut draft = Draft::map().at(service.place);
    let comments = service.comments.iter();
    comments.for_each(|comment| draft.comment(comment));
    draft.set("service", service.name.as_str());
    let namespace = draft.set("namespace", home);
    namespace.place = Some(service.place);
    if home != service.namespace && !service.namespace.is_empty() {
        // Callers never see this namespace.
        namespace.comment(format!("the WSDL itself is in `{}`", service.namespace));
    }
    let (path, comments) = path(service, report);
    let path = draft.set("path", path);
    comments.iter().for_each(|comment| path.comment(comment));
    let by_default = default_bindings(&offered);
    if by_default != Bindings::DEFAULT {
        draft.set("bindings", bindings(by_default));
    }
    for ((_, operation), offered) in operations.entries_mut().iter_mut().zip(offered) {
        if offered != by_default {
            operation.set("bindings", bindings(offered));
        }
    }
    let style = default_style(&mut operations, file.is_turned);
    draft.set_some("style", (style != "document").then_some(style));
    if file.is_encoded {
        draft.set("use", "encoded");
    }
    if is_unqualified && !file.is_encoded {
        draft.set("element_form", "unqualified");
    }
    draft.set_some("doc", service.doc.as_deref().map(Draft::doc));
    let written = writer.types.finish();
    draft.set_filled("namespaces", written.namespaces);
    for (key, section) in [
        ("operations", operations),
        ("headers", writer.declared.headers),
        ("faults", writer.declared.faults),
        ("types", written.types),
        ("enums", written.enums),
    ] {
        if !section.entries().is_empty() || !section.comments.is_empty() {
            draft.set(key, section);
        }
    }
    draft
}

/// Writes the operations that can be expressed, with the bindings of each.
fn operations<'s>(
    writer: &mut Writer<'_, 's>,
    service: &Service<'s>,
    report: &Report<'s>,
) -> (Draft, Vec<Bindings>) {
    let (mut operations, mut offered) = (Draft::map(), Vec::new());
    for (operation, key) in service.operations.iter().zip(keys(service)) {
        match writer.operation(operation, &key) {
            Ok((draft, bindings)) => {
                operations.push(key, draft);
                offered.push(bindings);
            }
            Err((place, why)) => {
                let what = format!("the operation `{}` is left out: {why}", operation.name);
                operations.comment(&what);
                report.add_of_operation(Rule::OperationLeftOut, place, operation.name, what, None);
            }
        }
    }
    (operations, offered)
}

/// The defaults of a file, for operations that do not override them.
#[derive(Debug, Clone, Copy)]
struct Defaults {
    is_encoded: bool,
    /// Whether the service is a class with `[SoapRpcService]`: encoded and in rpc style by default.
    is_turned: bool,
}

impl Defaults {
    /// The defaults that make the definition shortest.
    fn of(service: &Service<'_>, schemas: &Schemas<'_>, home: &str) -> Self {
        let operations = &service.operations;
        let soap = || operations.iter().filter_map(|one| one.soap.as_ref());
        let is_most = |count: usize| count * 2 > soap().count();
        let encoded = soap().filter(|soap| is_encoded(soap)).count();
        let rpc = soap().filter(|soap| soap.style == Style::Rpc).count();
        // The encoded types of a class with `[SoapRpcService]` are in its namespace; those of other
        // classes are below it.
        let mut encoded_messages = messages(service).filter(|message| message.is_encoded);
        let is_below = encoded_messages.any(|message| {
            let mut parts = message.parts.iter();
            parts.any(|part| match part.content {
                PartContent::Type(type_ref) => type_namespace(schemas, type_ref)
                    .is_some_and(|namespace| namespace.ends_with("/encodedTypes")),
                _ => false,
            })
        });
        // Only such classes produce these.
        let literal = literal_types(home);
        let mut literal_messages = messages(service).filter(|message| !message.is_encoded);
        let has_literal_types = literal_messages.any(|message| {
            let mut parts = message.parts.iter();
            message.namespace == Some(&literal)
                || parts.any(|part| matches!(part.content, PartContent::Element(name) if name.namespace == literal))
        });
        let is_turned = encoded > 0
            && rpc > 0
            && !is_below
            && (has_literal_types || (is_most(encoded) && is_most(rpc)));
        Self {
            is_encoded: is_turned || (is_most(encoded) && !is_most(rpc)),
            is_turned,
        }
    }
}

/// The default bindings that make the definition shortest: those of most operations, which then
/// omit them.
fn default_bindings(offered: &[Bindings]) -> Bindings {
    let mut counts: Vec<(Bindings, usize)> = Vec::new();
    for bindings in offered {
        match counts.iter_mut().find(|(one, _)| one == bindings) {
            Some((_, count)) => *count += 1,
            None => counts.push((*bindings, 1)),
        }
    }
    let by_default = counts.iter().find(|(one, _)| *one == Bindings::DEFAULT);
    let by_default = by_default.map_or(0, |(_, count)| *count);
    let most = counts.iter().rev().max_by_key(|(_, count)| *count);
    // Setting the key costs one line, and another for each operation with the built-in default.
    let most = most.filter(|(_, count)| counts.len() == 1 || *count > by_default + 1);
    most.map_or(Bindings::DEFAULT, |(bindings, _)| *bindings)
}

/// The default style that makes the definition shortest: that of most operations, which then omit
/// it.
fn default_style(operations: &mut Draft, is_turned: bool) -> &'static str {
    let count = |operations: &Draft, style: &str| {
        let all = operations.entries().iter();
        let styles = all.filter_map(|(_, operation)| operation.get("style")?.text());
        styles.filter(|one| *one == style).count()
    };
    let styles = ["rpc", "bare", "document"];
    let most = styles
        .into_iter()
        .max_by_key(|style| count(operations, style));
    let most = most
        .filter(|_| !is_turned)
        .unwrap_or(if is_turned { "rpc" } else { "document" });
    for (_, operation) in operations.entries_mut() {
        let is_default = operation.get("style").and_then(Draft::text) == Some(most);
        operation.retain(|key, _| key != "style" || !is_default);
        if operation.entries().is_empty() {
            // `Logout:`
            operation.content = DraftContent::Nothing;
        }
    }
    most
}

/// Whether a SOAP operation is encoded.
fn is_encoded(soap: &Soap<'_>) -> bool {
    soap.input.is_encoded || soap.output.as_ref().is_some_and(|output| output.is_encoded)
}

/// The value of the key `bindings`.
fn bindings(bindings: Bindings) -> Draft {
    Draft::list(bindings.iter().map(|binding| Draft::from(binding.key())))
}

/// The namespace of the definition: that of most messages and of encoded types, whose namespace
/// nothing else states.
fn home<'s>(service: &Service<'s>, schemas: &Schemas<'s>) -> &'s str {
    let typed = |message: &Message<'s>| -> Vec<_> {
        let parts = message.parts.iter();
        let parts = parts.filter_map(|part| match part.content {
            // Literal types of a service that is encoded by default are below its namespace.
            PartContent::Element(name) => Some(below(name.namespace, "/literalTypes")),
            PartContent::Type(type_ref) if message.is_encoded => {
                let namespace = type_namespace(schemas, type_ref);
                namespace.map(|namespace| below(namespace, "/encodedTypes"))
            }
            _ => None,
        });
        let mut found: Vec<_> = parts.collect();
        if found.is_empty() && !message.is_encoded {
            found.extend(message.namespace.map(|one| below(one, "/literalTypes")));
        }
        found
    };
    let wrapped = |message: &Message<'s>| message.namespace.into_iter().collect();
    let typed = most_common(service, &typed);
    let home = typed.or_else(|| most_common(service, &wrapped));
    home.unwrap_or(service.namespace)
}

/// The most common of the namespaces in messages; of equally common ones the WSDL's own, then the
/// first.
fn most_common<'s>(
    service: &Service<'s>,
    namespaces: &dyn Fn(&Message<'s>) -> Vec<&'s str>,
) -> Option<&'s str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut best = (0, None);
    let all = messages(service).flat_map(namespaces);
    for namespace in all.filter(|one| !one.is_empty()) {
        let count = counts.entry(namespace).or_default();
        *count += 2;
        let weight = *count + usize::from(namespace == service.namespace);
        if weight > best.0 {
            best = (weight, Some(namespace));
        }
    }
    best.1
}

/// The namespace of a type, or of the items of an array.
fn type_namespace<'s>(schemas: &Schemas<'s>, type_ref: TypeRef<'s>) -> Option<&'s str> {
    let TypeRef::Declared(id) = type_ref else {
        return None;
    };
    let declared = schemas.get(id);
    let items = match &declared.kind {
        Kind::Complex(complex) => match complex.content {
            Content::EncodedArray(array) => match array.item {
                TypeRef::Declared(item) => schemas.get(item).name,
                _ => return None,
            },
            _ => None,
        },
        Kind::Simple(_) => None,
    };
    Some(items.or(declared.name)?.namespace)
}

/// The parent of a namespace that ends with `suffix`; other namespaces as they are.
fn below<'s>(namespace: &'s str, suffix: &str) -> &'s str {
    namespace.strip_suffix(suffix).unwrap_or(namespace)
}

/// The messages of all operations over SOAP.
fn messages<'m, 's>(service: &'m Service<'s>) -> impl Iterator<Item = &'m Message<'s>> {
    let operations = service.operations.iter();
    let soap = operations.filter_map(|operation| operation.soap.as_ref());
    soap.flat_map(|soap| once(&soap.input).chain(&soap.output))
}

/// The types that are messages themselves: encoded ones in document style.
fn encoded_messages(service: &Service<'_>) -> impl Iterator<Item = TypeId> {
    let soap = service
        .operations
        .iter()
        .filter_map(|one| one.soap.as_ref());
    let soap = soap.filter(|soap| soap.style == Style::Document);
    let all = soap.flat_map(|soap| once(&soap.input).chain(&soap.output));
    let parts = all
        .filter(|message| message.is_encoded)
        .flat_map(|message| &message.parts);
    parts.filter_map(|part| match part.content {
        PartContent::Type(TypeRef::Declared(id)) => Some(id),
        _ => None,
    })
}

/// The number of messages that use each element.
fn uses<'s>(service: &Service<'s>) -> HashMap<Name<'s>, usize> {
    let mut uses = HashMap::new();
    for message in messages(service) {
        for part in &message.parts {
            if let PartContent::Element(name) = part.content {
                *uses.entry(name).or_default() += 1;
            }
        }
    }
    uses
}

/// The keys of operations: their names, or for overloads the names of their inputs.
fn keys(service: &Service<'_>) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for operation in &service.operations {
        *counts.entry(operation.name).or_default() += 1;
    }
    let mut taken = HashSet::new();
    let keys = service.operations.iter().map(|operation| {
        let is_overload = counts[operation.name] > 1;
        let wanted = match operation.input_name {
            Some(input) if is_overload || is_wrapper(operation, input) => input,
            _ => operation.name,
        };
        numbered(wanted.to_owned(), |name| taken.insert(name.clone()))
    });
    keys.collect()
}

/// Whether the element of a request has a name of its own, as with `MessageName` in ASMX.
fn is_wrapper(operation: &Operation<'_>, input: &str) -> bool {
    let Some(soap) = &operation.soap else {
        return true;
    };
    let mut parts = soap.input.parts.iter();
    soap.style == Style::Document
        && parts
            .any(|part| matches!(part.content, PartContent::Element(name) if name.local == input))
}
