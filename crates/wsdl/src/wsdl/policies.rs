//! WS-Policy: requirements for callers beyond sending messages, as far as they are not met by
//! default.

use std::cell::RefCell;
use std::collections::HashMap;

use std::borrow::Cow;

use roxmltree::Node;

use super::index::Item;
use super::namespaces::{DIME, HTTP, MIME, SOAP11, SOAP12};
use super::security_policies::{asymmetric_binding, endorsing_tokens, signed_headers};
use crate::WSDL;
use crate::xml::elements;

/// The namespaces of the versions of WS-Policy.
const POLICIES: [&str; 3] = [
    "http://schemas.xmlsoap.org/ws/2004/09/policy",
    "http://www.w3.org/ns/ws-policy",
    "http://schemas.xmlsoap.org/ws/2002/12/policy",
];

const UTILITY: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

/// A requirement of a policy that is not met by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Requirement {
    /// Signatures, encryption or tokens in messages, by the name of the assertion.
    Security(String),
    /// Another format of messages, or additional messages between them.
    Protocol(&'static str),
    /// A requirement that leaves the messages unchanged, and a hint on how a server or a client
    /// meets it.
    Extra(Cow<'static, str>, Option<Cow<'static, str>>),
    /// An extra that callers may use or not, and its hint.
    Choice(&'static str, &'static str),
}

/// The assertions of WS-SecurityPolicy that name parts. Over TLS, all parts are signed and
/// encrypted.
const PARTS: [&str; 5] = [
    "SignedParts",
    "SignedElements",
    "EncryptedParts",
    "EncryptedElements",
    "ContentEncryptedElements",
];

/// The assertions of WS-SecurityPolicy that add no requirements for messages: TLS is supported, and
/// the others choose among versions of what bindings and tokens require.
const SPOKEN: [&str; 6] = [
    "TransportBinding",
    "Wss10",
    "Wss11",
    "Trust10",
    "Trust13",
    "Layout",
];

const ADDRESSING: Requirement = Requirement::Extra(
    Cow::Borrowed("headers of WS-Addressing"),
    Some(Cow::Borrowed(
        "`with_ws_addressing` of servers and clients of the crate `svcgen-ws` reads and writes them",
    )),
);

const USERNAME_TOKEN: Requirement = Requirement::Extra(
    Cow::Borrowed("tokens of WS-Security with a user name"),
    Some(Cow::Borrowed(
        "`with_ws_security` of servers and clients of the crate `svcgen-ws` reads and writes them",
    )),
);

const ATTACHMENTS: &str = "attachments (MTOM)";
const WITH_ATTACHMENTS: &str = "`with_attachments` of servers and clients of the crate `svcgen-attachments` reads and writes them, `Attachments::with_policy` says so in the WSDL";

const MTOM: Requirement = Requirement::Extra(
    Cow::Borrowed(ATTACHMENTS),
    Some(Cow::Borrowed(WITH_ATTACHMENTS)),
);

/// MTOM that callers may use or not. Clients of .NET use it wherever it is allowed.
const OPTIONAL_MTOM: Requirement = Requirement::Choice(ATTACHMENTS, WITH_ATTACHMENTS);

/// The policies of documents by their identifiers.
#[derive(Debug, Default)]
pub(super) struct Policies<'s> {
    by_id: HashMap<&'s str, Node<'s, 's>>,
    /// Whether messages of a binding are signed themselves, instead of being protected by TLS.
    signs: bool,
    /// The requirements of policies that were evaluated; empty during evaluation, so that cycles
    /// end.
    known: RefCell<HashMap<&'s str, Vec<Requirement>>>,
}

impl<'s> Policies<'s> {
    pub fn new(definitions: &[(u32, Node<'s, 's>)]) -> Self {
        let (mut by_id, mut signs) = (HashMap::new(), false);
        for (_, root) in definitions {
            signs |= root
                .descendants()
                .any(|node| is_security(node) && node.tag_name().name() == "AsymmetricBinding");
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
            signs,
            known: RefCell::default(),
        }
    }

    /// Returns the requirements of the policies of a WSDL element.
    pub fn of(&self, item: Item<'s>) -> Vec<Requirement> {
        let namespaces = POLICIES.into_iter();
        let mut attributes = namespaces.filter_map(|of| item.node.attribute((of, "PolicyURIs")));
        let listed = attributes.next().unwrap_or_default().split_whitespace();
        let mut found: Vec<_> = listed.flat_map(|uri| self.referred(uri)).collect();
        found.extend(
            elements(item.node)
                .filter(|node| is_of_policy(*node))
                .flat_map(|node| self.of_node(node)),
        );
        found.extend(required_extensions(item));
        found
    }

    fn referred(&self, uri: &'s str) -> Vec<Requirement> {
        let id = uri.trim_start_matches('#');
        if let Some(known) = self.known.borrow().get(id) {
            return known.clone();
        }
        let Some(policy) = self.by_id.get(id) else {
            return vec![terms(format!("the missing policy `{uri}`"))];
        };
        self.known.borrow_mut().insert(id, Vec::new());
        let found = self.of_all(*policy);
        self.known.borrow_mut().insert(id, found.clone());
        found
    }

    fn of_node(&self, node: Node<'s, 's>) -> Vec<Requirement> {
        let required = |of: &str, name: &str| node.attribute((of, name)).map(str::trim);
        let name = node.tag_name().name();
        let is_mtom = matches!(name, "OptimizedMimeSerialization" | "MTOM");
        let mut policies = POLICIES.into_iter();
        if policies.any(|of| required(of, "Optional") == Some("true")) {
            return is_mtom.then_some(OPTIONAL_MTOM).into_iter().collect();
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
            let alternatives: Vec<_> = alternatives.map(|one| self.of_node(one)).collect();
            let has_mtom = alternatives.iter().flatten().any(|one| *one == MTOM);
            // The service accepts any of the alternatives, so the importer chooses the one that
            // leaves out least.
            let least = alternatives.into_iter().min_by_key(|one| {
                let is_refused = one.iter().any(Requirement::is_refused);
                (is_refused, one.len())
            });
            let mut least = least.unwrap_or_default();
            if has_mtom && !least.contains(&MTOM) {
                least.push(OPTIONAL_MTOM);
            }
            return least;
        }
        let namespace = node.tag_name().namespace().unwrap_or_default();
        let is_security = is_security(node);
        match name {
            "SymmetricBinding" if is_security => vec![Requirement::Security(name.to_owned())],
            "AsymmetricBinding" if is_security => vec![match asymmetric_binding(node) {
                Ok(hint) => signatures(String::new(), hint),
                Err(refused) => Requirement::Security(refused),
            }],
            name if is_security && PARTS.contains(&name) => self.of_parts(node),
            name if is_security && name.ends_with("SupportingTokens") => self.of_tokens(node),
            "BinaryEncoding" => vec![Requirement::Protocol("messages in a binary encoding")],
            "RMAssertion" => vec![Requirement::Protocol("WS-ReliableMessaging")],
            _ if is_mtom => vec![MTOM],
            "Addressing" if namespace.contains("addressing") => vec![ADDRESSING],
            "UsingAddressing" if required(WSDL, "required") == Some("true") => {
                vec![ADDRESSING]
            }
            // Without `wsdl:required` the headers are optional for callers.
            "UsingAddressing" => Vec::new(),
            name if is_security && SPOKEN.contains(&name) => Vec::new(),
            _ => vec![unknown(node, "policy assertion")],
        }
    }

    /// Returns the requirements of an assertion about tokens, besides the signatures of an
    /// `AsymmetricBinding`.
    fn of_tokens(&self, node: Node<'s, 's>) -> Vec<Requirement> {
        let name = node.tag_name().name();
        let is_encrypted = self.signs && name.contains("Encrypted");
        let endorsing = endorsing_tokens(node).filter(|_| !self.signs);
        if elements(node).next().is_none() {
            Vec::new()
        } else if has_user_names(node) && !is_encrypted {
            vec![USERNAME_TOKEN]
        } else if let Some(hint) = endorsing {
            vec![signatures(" of their `Timestamp`".to_owned(), hint)]
        } else {
            vec![Requirement::Security(name.to_owned())]
        }
    }

    /// Returns the requirements of an assertion about parts, unless TLS meets them.
    fn of_parts(&self, node: Node<'s, 's>) -> Vec<Requirement> {
        let mut beside = node.parent().into_iter().flat_map(elements);
        let has_tls = beside.any(|node| node.tag_name().name() == "TransportBinding");
        match node.tag_name().name() {
            _ if !self.signs || has_tls => Vec::new(),
            "SignedParts" => match signed_headers(node) {
                headers if headers.is_empty() => Vec::new(),
                headers => vec![signatures(
                    format!(" of the SOAP headers {}", headers.join(", ")),
                    "`with_signed_header` of a `Signer` and a `SignaturePolicy` of the crate `svcgen-signatures` names each of them",
                )],
            },
            name => vec![Requirement::Security(name.to_owned())],
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

impl Requirement {
    /// Whether a service with this requirement cannot be called.
    fn is_refused(&self) -> bool {
        !matches!(self, Self::Extra(..) | Self::Choice(..))
    }

    /// Returns the message for an item with this requirement, and the hint; `None` if the
    /// requirement is not supported.
    pub fn left_out(&self, of: &str) -> Option<(String, Option<&str>)> {
        let (said, hint) = match self {
            Self::Extra(what, hint) => (format!("{of} requires {what}"), hint.as_deref()),
            Self::Choice(what, hint) => (format!("callers of {of} may use {what}"), Some(*hint)),
            Self::Security(_) | Self::Protocol(_) => return None,
        };
        Some((format!("{said}, which are left out"), hint))
    }
}

/// Returns the requirement of signatures of messages, or of parts of them.
fn signatures(of: String, hint: impl Into<Cow<'static, str>>) -> Requirement {
    let what = format!("signatures{of} (WS-Security with X.509 certificates)");
    Requirement::Extra(what.into(), Some(hint.into()))
}

/// Returns the requirement of an unknown extension or assertion.
fn unknown(node: Node<'_, '_>, kind: &str) -> Requirement {
    let (name, namespace) = (node.tag_name().name(), node.tag_name().namespace());
    let namespace = namespace.unwrap_or_default();
    terms(format!("the {kind} `{name}` of `{namespace}`"))
}

/// Returns the requirement of something unknown.
fn terms(of: String) -> Requirement {
    let hint = "ask whoever offers the service what callers have to do for it";
    Requirement::Extra(format!("the terms of {of}").into(), Some(hint.into()))
}

/// Returns the requirements of an element's extensions that are unknown but must be understood.
pub(super) fn required_extensions(item: Item<'_>) -> impl Iterator<Item = Requirement> {
    let extensions = elements(item.node).filter(move |node| {
        let node = *node;
        let namespace = node.tag_name().namespace().unwrap_or_default();
        let is_read = [WSDL, SOAP11, SOAP12, HTTP, MIME, DIME].contains(&namespace)
            || POLICIES.contains(&namespace)
            || is_of_policy(node);
        Item { node, ..item }.is_required() && !is_read
    });
    extensions.map(|node| unknown(node, "extension"))
}

/// Whether an element states requirements for callers.
fn is_of_policy(node: Node<'_, '_>) -> bool {
    is(node, "Policy") || is(node, "PolicyReference") || node.tag_name().name() == "UsingAddressing"
}

/// Whether the only tokens of an assertion are user names, with passwords or their digests.
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

/// Whether an element is an assertion of WS-SecurityPolicy.
fn is_security(node: Node<'_, '_>) -> bool {
    let namespace = node.tag_name().namespace().unwrap_or_default();
    namespace.contains("securitypolicy")
}

/// Whether an element is one of WS-Policy.
fn is(node: Node<'_, '_>, name: &str) -> bool {
    let tag = node.tag_name();
    tag.name() == name && tag.namespace().is_some_and(|of| POLICIES.contains(&of))
}
