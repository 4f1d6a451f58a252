//! Which ports are one service: those that offer the same over several bindings.

use std::collections::{HashMap, HashSet};

use super::bindings::{BindingItem, HTTP, SOAP11, SOAP12};
use super::index::Item;
use super::messages::Reader;
use crate::rules::Rule;

/// Port types that are called at one place, with their bindings: what becomes one definition.
#[derive(Debug, Default)]
pub(super) struct Contract<'s> {
    /// The numbers of its port types in the index, those over SOAP first.
    pub port_types: Vec<usize>,
    pub ports: Vec<Port<'s>>,
}

/// A port, or a binding without one.
#[derive(Debug)]
pub(super) struct Port<'s> {
    pub binding: BindingItem<'s>,
    pub port_type: usize,
    pub address: Option<&'s str>,
}

impl<'s> Reader<'_, 's> {
    /// The ports of a service that can be imported.
    pub fn ports(&self, service: Item<'s>) -> Vec<Port<'s>> {
        let ports = service.children("port").filter_map(|port| {
            let binding = self.index.bindings.get(port, "binding");
            let name = port.attribute("binding").unwrap_or_default();
            let Some(binding) = binding else {
                let what = format!(
                    "the port `{}` is left out: the binding `{name}` is not declared",
                    port.name()
                );
                self.report.add(Rule::LeftOut, port.place(), what, None);
                return None;
            };
            let addresses = [SOAP11, SOAP12, HTTP].into_iter();
            let mut addresses =
                addresses.flat_map(|namespace| port.extensions(namespace, "address"));
            let address = addresses.find_map(|address| address.attribute("location"));
            self.port(binding, address)
        });
        ports.collect()
    }

    /// A binding at an address.
    pub fn port(&self, binding: Item<'s>, address: Option<&'s str>) -> Option<Port<'s>> {
        let port_type = self.index.port_types.referred(binding, "type");
        let read = BindingItem::new(binding).and_then(|read| {
            let name = binding.attribute("type").unwrap_or_default();
            let port_type =
                port_type.ok_or_else(|| format!("its port type `{name}` is not declared"))?;
            Ok((read, port_type))
        });
        match read {
            Ok((binding, port_type)) => Some(Port {
                binding,
                port_type,
                address,
            }),
            Err(why) => {
                let what = format!("the binding `{}` is left out: {why}", binding.name());
                self.report.add(Rule::LeftOut, binding.place(), what, None);
                None
            }
        }
    }

    /// Joins ports to contracts. ASMX has a port type for each of SOAP, HTTP GET and HTTP POST, and one for SOAP 1.2 if that offers others.
    pub fn contracts(&self, ports: Vec<Port<'s>>) -> Vec<Contract<'s>> {
        let (soap, forms): (Vec<_>, Vec<_>) = ports
            .into_iter()
            .partition(|port| port.binding.binding.is_soap());
        let mut contracts: Vec<Contract<'s>> = Vec::new();
        for port in soap {
            let known = contracts
                .iter_mut()
                .find(|contract| contract.port_types.contains(&port.port_type));
            match known {
                Some(contract) => contract.ports.push(port),
                None => contracts.push(Contract {
                    port_types: vec![port.port_type],
                    ports: vec![port],
                }),
            }
        }
        let mut joined: Vec<Contract<'s>> = Vec::new();
        for contract in contracts {
            match joined
                .iter_mut()
                .find(|other| self.is_one(other, &contract))
            {
                Some(other) => other.join(contract),
                None => joined.push(contract),
            }
        }
        for port in forms {
            let common = |contract: &Contract<'s>| {
                let types = contract.port_types.iter();
                let names = types.map(|of| self.common(*of, port.port_type));
                names.sum::<usize>()
            };
            let best = joined
                .iter_mut()
                .rev()
                .max_by_key(|contract| common(contract));
            let contract = Contract {
                port_types: vec![port.port_type],
                ports: vec![port],
            };
            match best {
                Some(best) => best.join(contract),
                None => joined.push(contract),
            }
        }
        joined
    }

    /// The number of operations whose names two port types share.
    fn common(&self, one: usize, other: usize) -> usize {
        let names = |of: usize| self.index.port_types.all[of].children("operation");
        let known: HashSet<_> = names(one).map(Item::name).collect();
        names(other)
            .filter(|each| known.contains(each.name()))
            .count()
    }

    /// Whether two contracts are one: other versions of SOAP for the same messages, or other operations at the same address.
    fn is_one(&self, one: &Contract<'s>, other: &Contract<'s>) -> bool {
        let versions = |contract: &Contract<'s>| -> HashSet<_> {
            let ports = contract.ports.iter();
            ports.map(|port| port.binding.binding).collect()
        };
        let addresses = |contract: &Contract<'s>| -> HashSet<_> {
            let ports = contract.ports.iter();
            ports.filter_map(|port| port.address).collect()
        };
        let messages = |contract: &Contract<'s>| {
            let types = contract.port_types.iter();
            let operations =
                types.flat_map(|of| self.index.port_types.all[*of].children("operation"));
            let messages = operations.map(|operation| {
                let message = |direction| {
                    let message = self.message(operation.child(direction)?);
                    message.ok().map(|message| message.place())
                };
                (operation.name(), [message("input"), message("output")])
            });
            messages.collect::<HashMap<_, _>>()
        };
        let (known, others) = (messages(one), messages(other));
        let mut shared = others
            .iter()
            .filter_map(|(name, other)| Some((known.get(name)?, other)));
        let shared: Vec<_> = shared.by_ref().collect();
        let is_same = shared.iter().all(|(one, other)| one == other);
        let is_twin = versions(one).is_disjoint(&versions(other)) && !shared.is_empty();
        let is_at_same = !addresses(one).is_disjoint(&addresses(other)) && shared.is_empty();
        is_same && (is_twin || is_at_same)
    }
}

impl Contract<'_> {
    fn join(&mut self, other: Self) {
        let mut known: HashSet<_> = self.port_types.iter().copied().collect();
        let new = other.port_types.into_iter().filter(|of| known.insert(*of));
        self.port_types.extend(new);
        self.ports.extend(other.ports);
    }
}
