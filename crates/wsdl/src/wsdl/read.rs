//! WSDL documents → services.

use std::collections::{HashMap, HashSet};
use std::fmt;

use roxmltree::Node;
use svcgen_model::{Bindings, numbered};

use super::index::Item;
use super::messages::{LeftOut, Reader};
use super::ports::Contract;
use super::{Form, Operation, PartContent, Service, Soap};
use crate::report::{DocumentSpan, Report};
use crate::rules::Rule;
use crate::schema::Schemas;

/// Reads the services of documents that are read together: their port types joined with their
/// bindings.
pub fn read<'s>(
    definitions: &[(u32, Node<'s, 's>)],
    schemas: &Schemas<'s>,
    report: &Report<'s>,
) -> Vec<Service<'s>> {
    let reader = Reader::new(definitions, schemas, report);
    let mut services = Vec::new();
    let mut taken = HashSet::new();
    for (item, contracts) in reader.all_contracts() {
        let is_only = contracts.len() == 1;
        for contract in contracts {
            let port_type = reader.index.port_types.all[contract.port_types[0]];
            let named = item.filter(|item| is_only && !item.name().is_empty());
            let wanted = match named {
                Some(service) => service.name(),
                None => stem(port_type.name()),
            };
            let name = numbered(file_name(wanted), |name| taken.insert(name.to_lowercase()));
            let mut comments = Vec::new();
            if name != wanted {
                comments.push(format!("In the WSDL it is called `{wanted}`."));
            }
            if reader.is_spent(port_type.place()) {
                break;
            }
            let operations = reader.operations(&contract);
            if operations.is_empty() {
                continue;
            }
            let doc = item.and_then(Item::documentation);
            services.push(Service {
                name,
                namespace: port_type.target,
                doc: doc.or_else(|| port_type.documentation()).or_else(|| {
                    let root = port_type.parent()?;
                    root.documentation()
                }),
                addresses: contract.addresses().collect(),
                operations,
                comments,
                place: item.unwrap_or(port_type).place(),
            });
        }
    }
    if let (true, Some((document, root))) = (services.is_empty(), definitions.first()) {
        let mut port_types = reader.index.port_types.all.iter();
        let is_any = port_types.any(|port_type| port_type.child("operation").is_some());
        let rule = match reader.obstacle.get() {
            Some(rule) => rule,
            None if is_any => Rule::NothingImported,
            None => Rule::Wsdl,
        };
        report.obstruct(rule, DocumentSpan::of(*document, *root));
    }
    let operations = services.iter().flat_map(|service| &service.operations);
    let parts: Vec<_> = operations.flat_map(|operation| operation.parts()).collect();
    let types = parts.iter().filter_map(|part| match part.content {
        PartContent::Type(type_ref) => Some(type_ref),
        _ => None,
    });
    let elements = parts.iter().filter_map(|part| match part.content {
        PartContent::Element(name) => Some(name),
        _ => None,
    });
    schemas.report_missing(types, elements, report);
    services
}

/// The name of a port type without the suffixes of ASMX and others.
fn stem(port_type: &str) -> &str {
    let suffixes = ["Soap", "HttpGet", "HttpPost", "PortType"].into_iter();
    let mut stems = suffixes.filter_map(|suffix| port_type.strip_suffix(suffix));
    let stem = stems.find(|stem| !stem.is_empty());
    stem.unwrap_or(port_type)
}

/// Converts a name to one for a service and the file of its definition.
fn file_name(name: &str) -> String {
    let is_known = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let name = name.replace(|c| !is_known(c), "_");
    match name.chars().next() {
        Some(first) if first.is_alphabetic() || first == '_' => name,
        _ => format!("_{name}"),
    }
}

/// The key of an operation: the name and, for overloads, the name of the input.
type Key<'s> = (&'s str, Option<&'s str>);

/// An operation in each port type that has it.
struct Joined<'s> {
    key: Key<'s>,
    /// For each port type its number, the operation, and its index among operations of the same
    /// name.
    items: Vec<(usize, Item<'s>, usize)>,
}

impl<'s> Reader<'_, 's> {
    /// The services with their contracts. Without a service each binding has a port, and without a
    /// binding each port type.
    fn all_contracts(&self) -> Vec<(Option<Item<'s>>, Vec<Contract<'s>>)> {
        let index = &self.index;
        if !index.services.all.is_empty() {
            let services = index.services.all.iter();
            let contracts = services.map(|service| {
                let ports = self.ports(*service);
                (Some(*service), self.contracts(ports))
            });
            return contracts.collect();
        }
        let bindings = index.bindings.all.iter();
        let mut ports: Vec<_> = bindings
            .filter_map(|binding| self.port(*binding, None, None))
            .collect();
        if index.bindings.all.is_empty() {
            let types = 0..index.port_types.all.len();
            ports.extend(types.map(|port_type| self.assumed(port_type, None)));
        }
        vec![(None, self.contracts(ports))]
    }

    fn operations(&self, contract: &Contract<'s>) -> Vec<Operation<'s>> {
        let mut operations = Vec::new();
        for joined in self.joined(contract) {
            self.spend(1);
            let (_, item, _) = joined.items[0];
            if self.is_spent(item.place()) {
                break;
            }
            operations.extend(self.operation(contract, &joined));
        }
        operations
    }

    /// The operations of all port types, in the order of the first; those of other port types are
    /// inserted after the operations that they follow there.
    fn joined(&self, contract: &Contract<'s>) -> Vec<Joined<'s>> {
        let all = contract.port_types.iter();
        let all: Vec<(usize, Vec<Item<'s>>)> = all
            .map(|of| {
                (
                    *of,
                    self.index.port_types.all[*of]
                        .children("operation")
                        .collect(),
                )
            })
            .collect();
        let mut overloaded = HashSet::new();
        for (_, operations) in &all {
            let mut seen = HashSet::new();
            let names = operations.iter().map(|operation| operation.name());
            overloaded.extend(names.filter(|name| !seen.insert(*name)));
        }
        let mut joined: Vec<Joined<'s>> = Vec::new();
        for (of, operations) in all {
            let known: HashMap<_, _> = joined
                .iter()
                .enumerate()
                .map(|(at, one)| (one.key, at))
                .collect();
            let mut new: Vec<Vec<Joined<'s>>> = Vec::new();
            new.resize_with(joined.len() + 1, Vec::new);
            let key = |item: Item<'s>| {
                let input = item.child("input");
                let input = input.and_then(|input| input.attribute("name"));
                let name = item.name();
                (name, input.filter(|_| overloaded.contains(name)))
            };
            // Operations before the first known one are inserted before it.
            let mut places = operations.iter().filter_map(|item| known.get(&key(*item)));
            let mut after = places.next().map_or(joined.len(), |first| *first);
            let mut numbers: HashMap<_, usize> = HashMap::new();
            for item in operations {
                let key = key(item);
                let number = numbers.entry(item.name()).or_default();
                let place = (of, item, *number);
                *number += 1;
                if let Some(at) = known.get(&key) {
                    let items = &mut joined[*at].items;
                    // Overloads without input names are distinguished by their messages.
                    if items.iter().all(|(other, ..)| *other != of) {
                        items.push(place);
                        after = at + 1;
                        continue;
                    }
                }
                new[after].push(Joined {
                    key,
                    items: vec![place],
                });
            }
            let mut merged = Vec::new();
            let mut new = new.into_iter();
            merged.extend(new.next().into_iter().flatten());
            for (old, new) in joined.into_iter().zip(new) {
                merged.push(old);
                merged.extend(new);
            }
            joined = merged;
        }
        joined
    }

    fn operation(&self, contract: &Contract<'s>, joined: &Joined<'s>) -> Option<Operation<'s>> {
        let (_, item, _) = joined.items[0];
        let input_name = input_name(item);
        let offered = self.offered(contract, joined, input_name);
        if offered.bindings.is_empty() {
            // An operation that no binding contains cannot be called by anyone.
            let mut items = joined.items.iter();
            let rule = if items.any(|(of, item, _)| self.is_bound(*of, item.name())) {
                Rule::OperationLeftOut
            } else {
                Rule::NotInWsdl
            };
            let why = match offered.obstacles.as_slice() {
                [] if item.name().is_empty() => "it has no name".to_owned(),
                [] => "no binding offers it".to_owned(),
                obstacles => obstacles.join("; "),
            };
            let what = format!("the operation `{}` is left out: {why}", item.name());
            self.report
                .add_of_operation(rule, item.place(), item.name(), what, None);
            return None;
        }
        let mut comments: Vec<String> = Vec::new();
        for (rule, place, what) in offered.left_out {
            // Bindings of SOAP 1.1 and 1.2 produce the same message.
            if !comments.contains(&what) {
                self.report
                    .add_of_operation(rule, place, item.name(), what.clone(), None);
                comments.push(what);
            }
        }
        Some(Operation {
            name: item.name(),
            input_name,
            doc: item.documentation(),
            form: offered.form,
            soap: offered.soap,
            bindings: offered.bindings,
            comments,
            place: item.place(),
        })
    }

    /// The bindings that offer an operation, and its messages over them.
    fn offered(
        &self,
        contract: &Contract<'s>,
        joined: &Joined<'s>,
        input_name: Option<&'s str>,
    ) -> Offered<'s> {
        let mut offered = Offered {
            bindings: Bindings::NONE,
            soap: None,
            form: None,
            left_out: LeftOut::new(),
            obstacles: Vec::new(),
        };
        for port in &contract.ports {
            let mut items = joined.items.iter();
            let Some((_, item, number)) = items.find(|(of, ..)| *of == port.port_type) else {
                continue;
            };
            let bound = port.binding.operation(*item, *number);
            if bound.is_none() && port.binding.item.is_some() {
                continue;
            }
            let binding = port.binding.binding;
            let place = bound.map_or(item.place(), Item::place);
            let left_out = |rule, why: &dyn fmt::Display| {
                let what = format!("`{}` is left out over {binding}: {why}", item.name());
                (rule, place, what)
            };
            if !binding.is_soap() {
                let Some(bound) = bound else { continue };
                let names = [input_name.unwrap_or(item.name()), item.name()];
                match self.form(*item, port, bound, names) {
                    Ok(read) => {
                        offered.bindings = offered.bindings.with(binding);
                        offered.form.get_or_insert(read);
                    }
                    Err(why) => {
                        offered.left_out.push(left_out(why.rule(), &why));
                        offered.refuse(format!("over {binding} {why}"));
                    }
                }
                continue;
            }
            let read = self.soap(*item, &port.binding, bound, &mut offered.left_out);
            match (read, &offered.soap) {
                (Err(why), _) => {
                    offered.left_out.push(left_out(why.rule(), &why));
                    offered.refuse(why.to_string());
                }
                (Ok(read), Some(known)) if !known.is_same(&read) => {
                    let why = "its messages are others there";
                    offered.left_out.push(left_out(Rule::LeftOut, &why));
                }
                (Ok(read), _) => {
                    offered.bindings = offered.bindings.with(binding);
                    offered.soap.get_or_insert(read);
                }
            }
        }
        offered
    }
}

/// The ways in which an operation can be called.
struct Offered<'s> {
    bindings: Bindings,
    soap: Option<Soap<'s>>,
    form: Option<Form<'s>>,
    left_out: LeftOut,
    /// The reasons why bindings do not offer it, each once.
    obstacles: Vec<String>,
}

impl Offered<'_> {
    fn refuse(&mut self, obstacle: String) {
        if !self.obstacles.contains(&obstacle) {
            self.obstacles.push(obstacle);
        }
    }
}

/// The name of the input, if it differs from the default (WSDL 1.1 §2.4.5).
fn input_name<'s>(item: Item<'s>) -> Option<&'s str> {
    let input = item.child("input")?.attribute("name")?;
    let suffix = match item.child("output") {
        Some(_) => "Request",
        None => "",
    };
    let rest = input.strip_prefix(item.name());
    let is_default = rest.is_some_and(|rest| rest == suffix || rest.is_empty());
    (!input.is_empty() && !is_default).then_some(input)
}
