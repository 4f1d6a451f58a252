//! WS-Policy: what callers have to do beside sending messages, as far as that is not spoken.

use std::cell::RefCell;
use std::collections::HashMap;

use roxmltree::Node;

use super::index::Item;

/// The namespaces of the versions of WS-Policy.
const POLICIES: [&str; 3] = [
    "http://schemas.xmlsoap.org/ws/2004/09/policy",
    "http://www.w3.org/ns/ws-policy",
    "http://schemas.xmlsoap.org/ws/2002/12/policy",
];

const UTILITY: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

/// What a policy requires that is not spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Requirement {
    /// Signatures, encryption or tokens in messages, by the name of the assertion.
    Security(String),
    /// Messages in another form, or between others.
    Protocol(&'static str),
    /// What is beside the messages, which are the same without it; and what a server or a client does for it.
    Extra(&'static str, Option<&'static str>),
}

const ADDRESSING: Requirement = Requirement::Extra(
    "headers of WS-Addressing",
    Some(
        "`with_ws_addressing` of servers and clients (feature `ws-addressing`) reads and writes them",
    ),
);

const USERNAME_TOKEN: Requirement = Requirement::Extra(
    "tokens of WS-Security with a user name",
    Some("`with_ws_security` of servers and clients (feature `ws-security`) reads and writes them"),
);

/// The policies of documents by their identifiers.
#[derive(Debug, Default)]
pub(super) struct Policies<'s> {
    by_id: HashMap<&'s str, Node<'s, 's>>,
    /// What those that were looked at require; nothing while they are looked at, so that circles end.
    known: RefCell<HashMap<&'s str, Vec<Requirement>>>,
}

impl<'s> Policies<'s> {
    pub fn new(definitions: &[(u32, Node<'s, 's>)]) -> Self {
        let mut by_id = HashMap::new();
        for (_, root) in definitions {
            let policies = root.descendants().filter(|node| is(*node, "Policy"));
            for policy in policies {
                let id = policy.attribute((UTILITY, "Id"));
                let id = id.or_else(|| policy.attribute("Name"));
                if let Some(id) = id {
                    by_id.entry(id).or_insert(policy);
                }
            }
        }
        Self {
            by_id,
            known: RefCell::default(),
        }
    }

    /// What the policies of an element of a WSDL require.
    pub fn of(&self, item: Item<'s>) -> Vec<Requirement> {
        let namespaces = POLICIES.into_iter();
        let mut attributes = namespaces.filter_map(|of| item.node.attribute((of, "PolicyURIs")));
        let listed = attributes.next().unwrap_or_default().split_whitespace();
        let mut found: Vec<_> = listed.flat_map(|uri| self.referred(uri)).collect();
        for node in item.node.children().filter(|node| node.is_element()) {
            let is_policy = is(node, "Policy") || is(node, "PolicyReference");
            if is_policy || node.tag_name().name() == "UsingAddressing" {
                found.extend(self.of_node(node));
            }
        }
        found
    }

    fn referred(&self, uri: &'s str) -> Vec<Requirement> {
        let id = uri.trim_start_matches('#');
        if let Some(known) = self.known.borrow().get(id) {
            return known.clone();
        }
        let Some(policy) = self.by_id.get(id) else {
            return Vec::new();
        };
        self.known.borrow_mut().insert(id, Vec::new());
        let found = self.of_all(*policy);
        self.known.borrow_mut().insert(id, found.clone());
        found
    }

    fn of_node(&self, node: Node<'s, 's>) -> Vec<Requirement> {
        let required = |of: &str, name: &str| node.attribute((of, name)).map(str::trim);
        if POLICIES
            .into_iter()
            .any(|of| required(of, "Optional") == Some("true"))
        {
            return Vec::new();
        }
        if is(node, "PolicyReference") {
            let uri = node.attribute("URI").unwrap_or_default();
            return self.referred(uri.trim());
        }
        if is(node, "Policy") || is(node, "All") {
            return self.of_all(node);
        }
        if is(node, "ExactlyOne") {
            let alternatives = node.children().filter(|node| node.is_element());
            let alternatives = alternatives.map(|one| self.of_node(one));
            return alternatives.min_by_key(Vec::len).unwrap_or_default();
        }
        let name = node.tag_name().name();
        let namespace = node.tag_name().namespace().unwrap_or_default();
        let is_security = namespace.contains("securitypolicy");
        let has_content = node.children().any(|node| node.is_element());
        match name {
            "SymmetricBinding" | "AsymmetricBinding" if is_security => {
                vec![Requirement::Security(name.to_owned())]
            }
            name if is_security && name.ends_with("SupportingTokens") && has_user_names(node) => {
                vec![USERNAME_TOKEN]
            }
            name if is_security && name.ends_with("SupportingTokens") && has_content => {
                vec![Requirement::Security(name.to_owned())]
            }
            "BinaryEncoding" => vec![Requirement::Protocol("messages in a binary encoding")],
            "RMAssertion" => vec![Requirement::Protocol("WS-ReliableMessaging")],
            "OptimizedMimeSerialization" | "MTOM" => {
                vec![Requirement::Extra("attachments (MTOM)", None)]
            }
            "Addressing" if namespace.contains("addressing") => vec![ADDRESSING],
            "UsingAddressing" if required(crate::import::WSDL, "required") == Some("true") => {
                vec![ADDRESSING]
            }
            _ => Vec::new(),
        }
    }

    fn of_all(&self, node: Node<'s, 's>) -> Vec<Requirement> {
        let assertions = node.children().filter(|node| node.is_element());
        let mut all = Vec::new();
        for found in assertions.flat_map(|one| self.of_node(one)) {
            if !all.contains(&found) {
                all.push(found);
            }
        }
        all
    }
}

/// Whether the tokens of an assertion are user names alone, with passwords or their digests.
fn has_user_names(node: Node<'_, '_>) -> bool {
    let is_part = |part: &Node<'_, '_>| {
        part.is_element() && !is(*part, "Policy") && !is(*part, "ExactlyOne") && !is(*part, "All")
    };
    let mut parts = node.descendants().skip(1).filter(is_part).peekable();
    parts.peek().is_some()
        && parts.all(|part| {
            let name = part.tag_name().name();
            matches!(
                name,
                "UsernameToken" | "HashPassword" | "WssUsernameToken10" | "WssUsernameToken11"
            )
        })
}

/// Whether an element is one of WS-Policy.
fn is(node: Node<'_, '_>, name: &str) -> bool {
    let tag = node.tag_name();
    tag.name() == name && tag.namespace().is_some_and(|of| POLICIES.contains(&of))
}
