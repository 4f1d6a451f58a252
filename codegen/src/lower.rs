//! LOWER: [`Definition`] → [`Model`]. The only stage that can refuse; it looks at everything before it does.

mod choices;
mod components;
mod cycles;
mod elements;
mod headers;
mod included;
mod inheritance;
mod mistakes;
mod operations;
mod patterns;
mod review;
mod type_expressions;
mod types;
mod unused;

use std::collections::HashMap;

use included::Foreign;
pub(crate) use included::Included;

use crate::config::Options;
use crate::definition::{Definition, Located, NodeId};
use crate::model::{Choice, ElementForm, Model, Name, Service, ServiceItems, TypeRef};
use crate::naming::{self, Case};
use crate::rules::Rule;
use crate::sink::{Pending, Place, Sink};

pub(crate) use mistakes::report;

/// Where a definition stands.
#[derive(Clone, Copy)]
pub(crate) struct Site<'s> {
    /// The name of its file, without folder and ending.
    pub stem: &'s str,
    pub included: &'s [Included],
    /// Whether another file includes it, so that what options speak of may stand there.
    pub is_included: bool,
}

/// Makes the model of a definition; `None` if `sink` then has an error, or an included file is wrong.
/// `whole` says whether nothing of it was left out.
pub(crate) fn lower(
    site: Site<'_>,
    definition: &Definition,
    whole: bool,
    options: &Options,
    sink: &mut Sink,
) -> Option<Model> {
    let is_service = is_service(definition);
    // What was left out may be the very key that is required.
    if whole && is_service {
        check_required_keys(definition, sink);
    }
    let mut lower = Lower {
        definition,
        sink,
        whole,
        types: HashMap::new(),
        items: HashMap::new(),
        choices: Vec::new(),
        options,
        foreign: Foreign::default(),
    };
    lower.allow();
    lower.declare_types();
    lower.include(site.included);
    if !site.is_included {
        lower.check_extern_paths();
    }
    let mut complex_types = lower.complex_types();
    lower.extend_types(&mut complex_types);
    let enumerations = lower.enumerations();
    lower.break_cycles(&mut complex_types);
    let service = is_service.then(|| lower.service());
    let module = match &service {
        Some(service) => service
            .as_ref()
            .map(|service| module_name(&service.name.rust)),
        None => lower.name_of_types(site.stem),
    };
    lower.review();
    // What is wrong with options does not keep their patterns from being looked at.
    if lower.sink.definition_has_errors() {
        return None;
    }
    let (choices, foreign) = (lower.choices, lower.foreign);
    let mut complex_types: Vec<_> = complex_types.into_iter().collect::<Option<_>>()?;
    complex_types.extend(foreign.complex_types);
    let mut enumerations: Vec<_> = enumerations.into_iter().collect::<Option<_>>()?;
    enumerations.extend(foreign.enumerations);
    let model = Model {
        module: module?,
        documentation: definition.doc.clone(),
        service: match service {
            Some(service) => Some(service?),
            None => None,
        },
        includes: foreign.includes,
        imports: foreign.imports,
        complex_types,
        choices,
        enumerations,
    };
    if !site.is_included {
        patterns::check(&model, site.included, options, sink);
    }
    (!sink.has_errors()).then_some(model)
}

/// A definition on its way to a model.
struct Lower<'d> {
    definition: &'d Definition,
    sink: &'d mut Sink,
    /// Whether nothing of the file had to be left out.
    whole: bool,
    /// The types and enumerations of the definition, by their names on the wire.
    types: HashMap<&'d str, (NodeId, TypeRef)>,
    /// The Rust names of emitted items, with what they name.
    items: HashMap<String, (NodeId, String)>,
    choices: Vec<Choice>,
    options: &'d Options,
    foreign: Foreign<'d>,
}

impl<'d> Lower<'d> {
    /// Reports what is wrong or unwise at a node, as severe as its rule.
    fn error(&mut self, rule: Rule, node: NodeId, message: impl Into<String>) -> &mut Pending {
        self.sink.add(rule, Place::Node(node), message)
    }

    fn service(&mut self) -> Option<Service> {
        let definition = self.definition;
        let written = definition.service.as_ref();
        let name =
            written.and_then(|written| self.name(written, definition.rust.as_ref(), Case::Type));
        let items = name.as_ref().map(service_items);
        if let (Some(items), Some(written)) = (&items, written) {
            let parts = [
                ("handler", &items.handler),
                ("server", &items.server),
                ("description", &items.service),
            ];
            for (part, rust) in parts.into_iter().chain([("client", &items.client)]) {
                self.claim_item(rust, written.node, format!("the {part} of the service"));
            }
        }
        let namespace = self.namespace();
        let path = self.path();
        let element_form = self.element_form();
        let faults = self.faults();
        let operations = self.operations(namespace.as_deref().unwrap_or_default());
        Some(Service {
            name: name?,
            namespace: namespace?,
            path: path?,
            element_form,
            operations: operations?,
            faults: faults?,
            items: items?,
        })
    }

    /// The name of the module for a file of types.
    fn name_of_types(&mut self, stem: &str) -> Option<String> {
        self.namespace();
        let name = match &self.definition.rust {
            Some(asked) => self.asked_rust_name(asked, Case::Type)?,
            None => stem.to_owned(),
        };
        let module = naming::rust_name(naming::unraw(&name), Case::Value);
        if module.is_none() {
            let message = format!("no Rust name can be made from the name of the file, `{stem}`");
            self.error(Rule::RustName, NodeId(0), message)
                .hint("give one with the key `rust`: `rust: SharedTypes`");
        }
        module
    }

    fn namespace(&mut self) -> Option<String> {
        let namespace = self.definition.namespace.as_ref()?;
        if !is_absolute_uri(&namespace.value) {
            let message = format!("`{}` is not an absolute URI", namespace.value);
            let with_scheme = format!("http://{}", namespace.value.trim_start_matches('/'));
            let fits = is_absolute_uri(&with_scheme);
            let pending = self.error(Rule::Namespace, namespace.node, message).hint(
                "a namespace is written like `http://example.com/svc/auth` or `urn:example:auth`",
            );
            if fits && !namespace.value.contains(':') {
                pending.fix(&namespace.value, with_scheme).certain(false);
            }
        }
        Some(namespace.value.clone())
    }

    fn path(&mut self) -> Option<String> {
        let path = self.definition.path.as_ref()?;
        if let Some(complaint) = path_complaint(&path.value) {
            let message = format!("the path `{}` {complaint}", path.value);
            let pending = self.error(Rule::Path, path.node, message);
            match path_of(&path.value) {
                Some(meant) => pending.fix(&path.value, &meant).hint(format!("write `{meant}`")),
                None => pending.hint("a path is what follows the host in the service's URL, like `/SvcDotNet/Authenticator.asmx`"),
            };
        }
        Some(path.value.clone())
    }

    fn element_form(&mut self) -> ElementForm {
        let Some(written) = &self.definition.element_form else {
            return ElementForm::Qualified;
        };
        match written.value.as_str() {
            "qualified" => ElementForm::Qualified,
            "unqualified" => ElementForm::Unqualified,
            other => {
                let message = format!("`element_form` cannot be `{other}`");
                self.error(Rule::KeyDoesNotFit, written.node, message).hint(
                    "it is `qualified` or `unqualified`, as `elementFormDefault` of a schema",
                );
                ElementForm::Qualified
            }
        }
    }

    /// Both forms of a name that the file holds.
    fn name(
        &mut self,
        xml: &Located<String>,
        asked: Option<&Located<String>>,
        case: Case,
    ) -> Option<Name> {
        if !self.is_xml_name(xml) {
            return None;
        }
        let rust = match asked {
            Some(asked) => self.asked_rust_name(asked, case)?,
            None => self.rust_name(xml, case)?,
        };
        Some(Name {
            xml: xml.value.clone(),
            rust,
        })
    }

    fn is_xml_name(&mut self, name: &Located<String>) -> bool {
        let fits = naming::is_ncname(&name.value);
        if !fits {
            let message = match name.value.as_str() {
                "" => "the name is empty".to_owned(),
                name => format!("`{name}` is not an XML name"),
            };
            self.error(Rule::XmlName, name.node, message).hint(
                "an XML name starts with a letter or `_` and goes on with letters, digits, `-`, `.` and `_`; it has no prefix",
            );
        }
        fits
    }

    fn rust_name(&mut self, xml: &Located<String>, case: Case) -> Option<String> {
        let rust = naming::rust_name(&xml.value, case);
        if rust.is_none() {
            self.error(
                Rule::RustName,
                xml.node,
                format!("no Rust name can be made from `{}`", xml.value),
            )
            .hint("give one with the key `rust`: Rust names here are of ASCII letters and digits");
        }
        rust
    }

    fn asked_rust_name(&mut self, asked: &Located<String>, case: Case) -> Option<String> {
        let rust = naming::asked_rust_name(&asked.value, case);
        if rust.is_none() {
            let (what, like) = match case {
                Case::Type => ("a type or a value", "LoginResult"),
                Case::Value => ("a field or a method", "mac_address"),
            };
            self.error(
                Rule::RustName,
                asked.node,
                format!("`{}` is not a Rust name for {what}", asked.value),
            )
            .hint(format!("it is written like `{like}`, in ASCII"));
        }
        rust
    }

    /// Takes a Rust name for an item of the emitted module.
    fn claim_item(&mut self, rust: &str, node: NodeId, what: String) {
        match self.items.get(rust).cloned() {
            Some((other, other_what)) => {
                self.error(
                    Rule::RustNameClash,
                    node,
                    format!("two items would be called `{rust}` in Rust"),
                )
                .label(&what)
                .other(other, other_what)
                .hint("rename one of them with the key `rust`");
            }
            None => {
                self.items.insert(rust.to_owned(), (node, what));
            }
        }
    }

    /// Holds that members of one thing (`elements of `X``) have distinct names, on the wire and in Rust.
    fn check_distinct<'n>(
        &mut self,
        names: impl IntoIterator<Item = (&'n Name, NodeId)>,
        members: &str,
    ) {
        let mut seen: HashMap<&str, (NodeId, &str)> = HashMap::new();
        for (name, node) in names {
            let Some((first, first_xml)) = seen.get(name.rust.as_str()).copied() else {
                seen.insert(&name.rust, (node, &name.xml));
                continue;
            };
            let pending = if first_xml == name.xml {
                self.error(
                    Rule::XmlNameClash,
                    node,
                    format!("two {members} are called `{}`", name.xml),
                )
            } else {
                let message = format!("two {members} would be called `{}` in Rust", name.rust);
                self.error(Rule::RustNameClash, node, message)
                    .hint("rename one of them with the key `rust`")
            };
            pending.other(first, "the other one");
        }
    }
}

fn service_items(name: &Name) -> ServiceItems {
    let base = name.rust.trim_end_matches('_');
    ServiceItems {
        handler: format!("{base}Handler"),
        server: format!("{base}Server"),
        service: format!("{base}Service"),
        client: format!("{base}Client"),
    }
}

fn module_name(rust: &str) -> String {
    naming::rust_name(rust.trim_end_matches('_'), Case::Value).unwrap_or_default()
}

/// Whether a file describes a service. One with types alone is for services to include.
fn is_service(definition: &Definition) -> bool {
    let Definition {
        service,
        path,
        bindings,
        style,
        element_form,
        operations,
        headers,
        faults,
        types,
        enums,
        ..
    } = definition;
    let texts = [service, path, style, element_form];
    texts.into_iter().any(Option::is_some)
        || bindings.is_some()
        || !(operations.0.is_empty() && headers.0.is_empty() && faults.0.is_empty())
        || (types.0.is_empty() && enums.0.is_empty())
}

fn check_required_keys(definition: &Definition, sink: &mut Sink) {
    let keys = [
        ("service", definition.service.is_none()),
        ("namespace", definition.namespace.is_none()),
        ("path", definition.path.is_none()),
    ];
    let missing: Vec<_> = keys
        .iter()
        .filter(|(_, missing)| *missing)
        .map(|(key, _)| format!("`{key}`"))
        .collect();
    if let [.., last] = missing.as_slice() {
        let others = missing[..missing.len() - 1].join(", ");
        let and = if others.is_empty() { "" } else { " and " };
        let message = format!("the definition lacks {others}{and}{last}");
        sink.add(Rule::MissingKey, Place::Node(NodeId(0)), message)
            .hint("every definition says `service: NAME`, `namespace: URI` and `path: /PATH`");
    }
}

/// A scheme and something after it, in the characters of RFC 3986.
fn is_absolute_uri(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !rest.trim_matches('/').is_empty()
        && rest.chars().all(is_uri_character)
}

fn is_uri_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c)
}

/// The path that was meant by a URL, or by a path with something missing or too much.
fn path_of(written: &str) -> Option<String> {
    let path = written.split_once("://").map_or(written, |(_, rest)| {
        rest.find('/').map_or("", |at| &rest[at..])
    });
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = format!("/{}", path.trim_matches('/'));
    path_complaint(&path).is_none().then_some(path)
}

fn starts_with_two_hex_digits(text: &str) -> bool {
    let digits = text.get(..2);
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn path_complaint(path: &str) -> Option<&'static str> {
    if !path.starts_with('/') {
        Some("does not start with `/`")
    } else if path.contains(['?', '#']) {
        Some("has a query or a fragment")
    } else if path.contains(char::is_whitespace) {
        Some("holds white space")
    } else if !path.chars().all(is_uri_character) || path.contains(['[', ']']) {
        Some("holds characters that a URL cannot hold as they are")
    } else if !path.split('%').skip(1).all(starts_with_two_hex_digits) {
        Some("has a `%` without two hexadecimal digits behind it")
    } else if path.ends_with('/') {
        Some("ends with `/`")
    } else if path
        .split('/')
        .skip(1)
        .any(|segment| matches!(segment, "" | "." | ".."))
    {
        Some("has a segment that is empty, `.` or `..`")
    } else {
        None
    }
}
