//! Joins the ports of one service, which offer it over several bindings.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::iter::once;

use svcgen_model::Bindings;

use super::bindings::BindingItem;
use super::index::Item;
use super::messages::Reader;
use super::namespaces::{HTTP, SOAP11, SOAP12};
use super::policies::{Requirement, required_extensions};
use crate::report::DocumentSpan;
use crate::rules::Rule;

/// The maximum number of ports of one service.
const MOST_PORTS: usize = 256;

/// Port types that are offered at the same place, with their bindings; imported as one definition.
#[derive(Debug, Default)]
pub(super) struct Contract<'s> {
    /// The positions of the port types in the index; port types over SOAP come first.
    pub port_types: Vec<usize>,
    pub ports: Vec<Port<'s>>,
}

/// A port, or a binding without one.
#[derive(Debug)]
pub(super) struct Port<'s> {
    pub binding: BindingItem<'s>,
    pub port_type: usize,
    pub addresses: Vec<&'s str>,
    /// The message security that the port requires.
    pub security: Option<String>,
}

impl<'s> Reader<'_, 's> {
    /// Returns the ports of a service that can be imported.
    pub fn ports(&self, service: Item<'s>) -> Vec<Port<'s>> {
        let ports = service.children("port").filter_map(|port| {
            let addresses = [SOAP11, SOAP12, HTTP].into_iter();
            let mut addresses =
                addresses.flat_map(|namespace| port.extensions(namespace, "address"));
            let address = addresses.find_map(|address| address.attribute("location"));
            let binding = self.index.bindings.get(port, "binding", self.report);
            let name = port.attribute("binding").unwrap_or_default();
            let index = &self.index;
            match (binding, &*index.port_types.all) {
                (Some(binding), _) => self.port(binding, Some(port), address),
                (None, [_]) if index.bindings.all.is_empty() => Some(self.assumed(0, address)),
                (None, _) => {
                    let what = format!(
                        "the port `{}` is left out: the binding `{name}` is not declared",
                        port.name()
                    );
                    let why = self.missing(what);
                    let what = why.to_string();
                    self.report.add(why.rule(), port.place(), what, None);
                    None
                }
            }
        });
        ports.collect()
    }

    /// Creates a port for a port type without a binding.
    pub fn assumed(&self, port_type: usize, address: Option<&'s str>) -> Port<'s> {
        let item = self.index.port_types.all[port_type];
        let what = format!(
            "`{}` has no binding: SOAP 1.1 in document style is assumed",
            item.name()
        );
        self.report.add(Rule::NotInWsdl, item.place(), what, None);
        Port {
            binding: BindingItem::assumed(),
            port_type,
            addresses: address.into_iter().collect(),
            security: None,
        }
    }

    /// Creates a port for a binding at an address.
    pub fn port(
        &self,
        binding: Item<'s>,
        port: Option<Item<'s>>,
        address: Option<&'s str>,
    ) -> Option<Port<'s>> {
        let port_type = self.index.port_types.referred(binding, "type", self.report);
        let read = BindingItem::new(binding, self.report).and_then(|read| {
            let name = binding.attribute("type").unwrap_or_default();
            let port_type = port_type
                .ok_or_else(|| self.missing(format!("its port type `{name}` is not declared")))?;
            let mut security = None;
            // The policies of the service and of the port type apply to each port, too
            // (WS-PolicyAttachment 1.5 §4.1).
            let service = port.and_then(Item::parent);
            let items = once(binding).chain(port).chain(service);
            let items = items.chain(once(self.index.port_types.all[port_type]));
            let of_items = items.flat_map(|item| self.policies.of(item));
            let root = binding.parent().into_iter();
            for requirement in of_items.chain(root.flat_map(required_extensions)) {
                match requirement {
                    Requirement::Security(what) => security = security.or(Some(what)),
                    Requirement::Protocol(what) => return Err(format!("it requires {what}").into()),
                    extra => {
                        let of = format!("the binding `{}`", binding.name());
                        if let Some((what, hint)) = extra.left_out(&of) {
                            self.report.add(Rule::LeftOut, binding.place(), what, hint);
                        }
                    }
                }
            }
            Ok(Port {
                binding: read,
                port_type,
                addresses: address.into_iter().collect(),
                security,
            })
        });
        match read {
            Ok(port) => Some(port),
            Err(why) => {
                let what = format!("the binding `{}` is left out: {why}", binding.name());
                self.report.add(why.rule(), binding.place(), what, None);
                None
            }
        }
    }

    /// Joins ports to contracts. ASMX declares a port type for each of SOAP, HTTP GET and HTTP
    /// POST, and another for SOAP 1.2 if SOAP 1.2 offers other operations.
    pub fn contracts(&self, ports: Vec<Port<'s>>) -> Vec<Contract<'s>> {
        let ports = self.callable(ports);
        let (soap, forms): (Vec<_>, Vec<_>) = ports
            .into_iter()
            .partition(|port| port.binding.binding.is_soap());
        let mut contracts: Vec<Contract<'s>> = Vec::new();
        let mut by_port_type = HashMap::new();
        for port in soap {
            let of = *by_port_type
                .entry(port.port_type)
                .or_insert(contracts.len());
            if of == contracts.len() {
                contracts.push(Contract::default());
            }
            contracts[of].push(port);
        }
        let mut contracts = self.joined_over_soap(contracts);
        let mut by_name = HashMap::new();
        for (number, contract) in contracts.iter().enumerate() {
            for operation in self.operations_of(contract) {
                by_name.entry(operation.name()).or_insert(number);
            }
        }
        for port in forms {
            // The port belongs to the contract with most of its operations.
            let mut votes: HashMap<usize, usize> = HashMap::new();
            for operation in self.index.port_types.all[port.port_type].children("operation") {
                if let Some(number) = by_name.get(operation.name()) {
                    *votes.entry(*number).or_default() += 1;
                }
            }
            let best = votes
                .into_iter()
                .max_by_key(|(number, votes)| (*votes, Reverse(*number)));
            let best = best.map(|(number, _)| number);
            // Otherwise it belongs to the contract at its address, or else to a new contract.
            let is_there = |contract: &Contract<'s>| {
                let mut addresses = contract.addresses();
                addresses.any(|address| port.addresses.contains(&address))
            };
            let best = best.or_else(|| contracts.iter().position(is_there));
            let number = best.unwrap_or(contracts.len());
            if number == contracts.len() {
                contracts.push(Contract::default());
            }
            for operation in self.index.port_types.all[port.port_type].children("operation") {
                by_name.entry(operation.name()).or_insert(number);
            }
            contracts[number].push(port);
        }
        contracts
    }

    /// Joins contracts that offer the same messages over another version of SOAP, or other
    /// operations at the same address.
    fn joined_over_soap(&self, contracts: Vec<Contract<'s>>) -> Vec<Contract<'s>> {
        let mut joined: Vec<Contract<'s>> = Vec::new();
        let mut by_address = HashMap::new();
        // Keyed by the name of an operation and its messages.
        let mut by_messages = HashMap::new();
        for contract in contracts {
            let addresses: Vec<_> = contract.addresses().collect();
            let messages: Vec<_> = self.messages_of(&contract).collect();
            let twin = messages
                .iter()
                .find_map(|one| by_messages.get(one))
                .copied();
            let neighbour = addresses
                .iter()
                .find_map(|one| by_address.get(one))
                .copied();
            let is_twin = |of: &usize| {
                let versions = |contract: &Contract<'s>| {
                    let ports = contract.ports.iter();
                    let bindings = ports.map(|port| port.binding.binding);
                    bindings.fold(Bindings::NONE, Bindings::with)
                };
                versions(&joined[*of]).and(versions(&contract)).is_empty()
            };
            let twin = twin.filter(is_twin).filter(|of| {
                let known: HashMap<_, _> = self.messages_of(&joined[*of]).collect();
                let is_other = |(name, message): &(&str, _)| {
                    known.get(name).is_some_and(|known| known != message)
                };
                !messages.iter().any(is_other)
            });
            let neighbour = neighbour.filter(|of: &usize| joined[*of].ports.len() < MOST_PORTS);
            let neighbour = neighbour.filter(|of: &usize| {
                let names: HashSet<_> = self.operations_of(&joined[*of]).map(Item::name).collect();
                let mut operations = self.operations_of(&contract);
                !operations.any(|operation| names.contains(operation.name()))
            });
            let number = match twin.or(neighbour) {
                Some(of) => {
                    contract
                        .ports
                        .into_iter()
                        .for_each(|port| joined[of].push(port));
                    of
                }
                None => {
                    joined.push(contract);
                    joined.len() - 1
                }
            };
            for address in addresses {
                by_address.entry(address).or_insert(number);
            }
            for message in messages {
                by_messages.entry(message).or_insert(number);
            }
        }
        joined
    }

    /// Returns the operations of the port types of a contract.
    fn operations_of(&self, contract: &Contract<'s>) -> impl Iterator<Item = Item<'s>> {
        let types = contract.port_types.iter();
        types.flat_map(|of| self.index.port_types.all[*of].children("operation"))
    }

    /// Returns the names of the operations with the places of their messages.
    fn messages_of(
        &self,
        contract: &Contract<'s>,
    ) -> impl Iterator<Item = (&'s str, [Option<DocumentSpan>; 2])> {
        self.operations_of(contract).map(|operation| {
            let message = |direction| {
                let message = self.message(operation.child(direction)?);
                message.ok().map(Item::place)
            };
            (operation.name(), [message("input"), message("output")])
        })
    }

    /// Returns the ports that require no message security, one for each binding. Reports an error
    /// if all ports require it.
    fn callable(&self, ports: Vec<Port<'s>>) -> Vec<Port<'s>> {
        let (secured, open): (Vec<_>, Vec<_>) =
            ports.into_iter().partition(|port| port.security.is_some());
        for port in secured {
            let (Some(item), Some(security)) = (port.binding.item, port.security) else {
                continue;
            };
            let name = item.name();
            if open.is_empty() {
                let what = format!(
                    "the binding `{name}` requires security in messages (`{security}`), which is not spoken"
                );
                let hint =
                    "ask for an endpoint that uses TLS alone, or let a gateway add the security";
                self.report
                    .add(Rule::Policy, item.place(), what, Some(hint));
            } else {
                let what = format!(
                    "the binding `{name}` is left out: it requires security in messages (`{security}`)"
                );
                self.report.add(Rule::LeftOut, item.place(), what, None);
            }
        }
        let mut bindings = HashMap::new();
        let mut distinct: Vec<Port<'s>> = Vec::new();
        for port in open {
            // A binding may be used at several addresses.
            let place = port.binding.item.map(Item::place);
            let known = place.and_then(|place| bindings.get(&place).copied());
            match known {
                Some(known) => {
                    let known: &mut Port<'s> = &mut distinct[known];
                    known.addresses.extend(port.addresses);
                }
                None if distinct.len() < MOST_PORTS => {
                    bindings.extend(place.map(|place| (place, distinct.len())));
                    distinct.push(port);
                }
                None => {
                    let place = place.unwrap_or(self.index.port_types.all[port.port_type].place());
                    let what = format!(
                        "of more than {MOST_PORTS} bindings of a service the others are left out"
                    );
                    self.report.add(Rule::LeftOut, place, what, None);
                    break;
                }
            }
        }
        distinct
    }
}

impl<'s> Contract<'s> {
    fn push(&mut self, port: Port<'s>) {
        if !self.port_types.contains(&port.port_type) {
            self.port_types.push(port.port_type);
        }
        self.ports.push(port);
    }

    /// Returns the addresses of the ports.
    pub fn addresses(&self) -> impl Iterator<Item = &'s str> {
        let ports = self.ports.iter();
        ports.flat_map(|port| port.addresses.iter().copied())
    }
}
