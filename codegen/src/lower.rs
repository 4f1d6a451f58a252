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
use std::fmt;

use included::Foreign;

use crate::config::Options;
use crate::definition::{Definition, Entries, Located, NodeId};
use crate::file::Included;
use crate::model::{Choice, ElementForm, Model, Name, Service, ServiceItems, TypeRef};
use crate::naming::{self, Case};
use crate::rules::Rule;
use crate::sink::{Pending, Sink};

pub(crate) use mistakes::report;

/// A definition, and what else its model depends on.
#[derive(Clone, Copy)]
pub(crate) struct Input<'i> {
    pub definition: &'i Definition,
    /// Whether nothing of the file was left out.
    pub whole: bool,
    /// The name of its file, without folder and ending.
    pub stem: &'i str,
    pub included: &'i [Included],
    /// Whether another file includes it, so that what options speak of may stand there.
    pub is_included: bool,
    pub options: &'i Options,
}

/// Makes the model of a definition; `None` if `sink` then has an error, or an included file is wrong.
pub(crate) fn lower(input: Input<'_>, sink: &mut Sink) -> Option<Model> {
    let Input {
        definition,
        whole,
        included,
        is_included,
        options,
        ..
    } = input;
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
    lower.include(included);
    if !is_included {
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
        None => lower.name_of_types(input.stem),
    };
    lower.review();
    // What is wrong with options does not keep their patterns from being looked at.
    if lower.sink.definition_has_errors() {
        return None;
    }
    let (choices, foreign) = (lower.choices, lower.foreign);
    let items = lower.items.into_keys().collect();
    let mut complex_types: Vec<_> = complex_types.into_iter().collect::<Option<_>>()?;
    complex_types.extend(foreign.complex_types);
    let mut enumerations: Vec<_> = enumerations.into_iter().collect::<Option<_>>()?;
    enumerations.extend(foreign.enumerations);
    let model = Model {
        module: module?,
        documentation: definition.doc.clone(),
        service: service.map_or(Some(None), |service| service.map(Some))?,
        includes: foreign.includes,
        imports: foreign.imports,
        complex_types,
        choices,
        enumerations,
        items,
    };
    if !is_included {
        patterns::check(&model, included, options, sink);
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
        self.sink.add(rule, node, message)
    }

    /// Reports a key or a value that does not fit the others.
    fn misfit(&mut self, node: NodeId, message: impl Into<String>) -> &mut Pending {
        self.error(Rule::KeyDoesNotFit, node, message)
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
                ("client", &items.client),
            ];
            for (part, rust) in parts {
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
            let message = format!("`{namespace}` is not an absolute URI");
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
            let message = format!("the path `{path}` {complaint}");
            let pending = self.error(Rule::Path, path.node, message);
            match path_of(&path.value) {
                Some(meant) => pending.fix(&path.value, &meant).hint(format!("write `{meant}`")),
                None => pending.hint("a path is what follows the host in the service's URL, like `/SvcDotNet/Authenticator.asmx`"),
            };
        }
        Some(path.value.clone())
    }

    fn element_form(&mut self) -> ElementForm {
        let words = [
            ("qualified", ElementForm::Qualified),
            ("unqualified", ElementForm::Unqualified),
        ];
        let written = self.definition.element_form.as_ref();
        let hint = "it is `qualified` or `unqualified`, as `elementFormDefault` of a schema";
        self.word("element_form", written, &words, hint)
    }

    /// What one of a few words stands for, the first one if none is written.
    fn word<T: Copy>(
        &mut self,
        key: &str,
        written: Option<&Located<String>>,
        words: &[(&str, T)],
        hint: &str,
    ) -> T {
        let Some(written) = written else {
            return words[0].1;
        };
        let known = words.iter().find(|(word, _)| *word == written.value);
        if known.is_none() {
            let message = format!("`{key}` cannot be `{written}`");
            self.misfit(written.node, message).hint(hint);
        }
        known.unwrap_or(&words[0]).1
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
            let message = format!("no Rust name can be made from `{xml}`");
            self.error(Rule::RustName, xml.node, message).hint(
                "give one with the key `rust`: Rust names here are of ASCII letters and digits",
            );
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
            let message = format!("`{asked}` is not a Rust name for {what}");
            self.error(Rule::RustName, asked.node, message)
                .hint(format!("it is written like `{like}`, in ASCII"));
        }
        rust
    }

    /// Takes a Rust name for an item of the emitted module.
    fn claim_item(&mut self, rust: &str, node: NodeId, what: String) {
        match self.items.get(rust).cloned() {
            Some((other, other_what)) => {
                let message = format!("two items would be called `{rust}` in Rust");
                self.error(Rule::RustNameClash, node, message)
                    .label(&what)
                    .other(other, other_what)
                    .hint("rename one of them with the key `rust`");
            }
            None => {
                self.items.insert(rust.to_owned(), (node, what));
            }
        }
    }

    /// The members of one thing (`elements of `X``) with distinct names, unless one is wrong.
    fn members<T>(
        &mut self,
        lowered: Vec<(Option<T>, NodeId)>,
        members: &str,
        name: fn(&T) -> &Name,
    ) -> Option<Vec<T>> {
        self.check_distinct(&lowered, members, name);
        lowered.into_iter().map(|(member, _)| member).collect()
    }

    /// Holds that members of one thing have distinct names, on the wire and in Rust.
    fn check_distinct<T>(
        &mut self,
        lowered: &[(Option<T>, NodeId)],
        members: &str,
        name: fn(&T) -> &Name,
    ) {
        let mut seen: HashMap<&str, (NodeId, &str)> = HashMap::new();
        for (member, node) in lowered {
            let Some(Name { xml, rust }) = member.as_ref().map(name) else {
                continue;
            };
            let Some((first, first_xml)) = seen.get(rust.as_str()).copied() else {
                seen.insert(rust, (*node, xml));
                continue;
            };
            let pending = if first_xml == xml {
                let message = format!("two {members} are called `{xml}`");
                self.error(Rule::XmlNameClash, *node, message)
            } else {
                let message = format!("two {members} would be called `{rust}` in Rust");
                self.error(Rule::RustNameClash, *node, message)
                    .hint("rename one of them with the key `rust`")
            };
            pending.other(first, "the other one");
        }
    }

    /// The entry of the file that an operation names, if there is one.
    fn declared<'e, T>(
        &mut self,
        what: &str,
        entries: &'e Entries<T>,
        name: &Located<String>,
    ) -> Option<&'e (Located<String>, T)> {
        let found = entries.0.iter().find(|(key, _)| key.value == name.value);
        if found.is_none() {
            let known = entries.0.iter().map(|(key, _)| key.value.as_str());
            let hint = format!("declare it under the `{what}s` of the file");
            let message = format!("the service has no {what} `{name}`");
            self.error(Rule::Undeclared, name.node, message)
                .nearest(&name.value, known, &hint);
        }
        found
    }
}

impl fmt::Display for Located<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

/// Whether a key says `true`.
fn is_true(key: &Option<Located<bool>>) -> bool {
    key.as_ref().is_some_and(|given| given.value)
}

/// The name of the struct of a message, which is called after its operation.
fn message_name(operation: &Name, xml: String, ending: &str) -> Option<Name> {
    let base = naming::rust_name(operation.unraw(), Case::Type)?;
    let rust = format!("{}{ending}", base.trim_end_matches('_'));
    Some(Name { xml, rust })
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
    let texts = [
        &definition.service,
        &definition.path,
        &definition.style,
        &definition.element_form,
    ];
    texts.into_iter().any(Option::is_some)
        || definition.bindings.is_some()
        || !(definition.operations.0.is_empty()
            && definition.headers.0.is_empty()
            && definition.faults.0.is_empty())
        || (definition.types.0.is_empty() && definition.enums.0.is_empty())
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
    if let [others @ .., last] = missing.as_slice() {
        let others = others.join(", ");
        let and = if others.is_empty() { "" } else { " and " };
        let message = format!("the definition lacks {others}{and}{last}");
        sink.add(Rule::MissingKey, NodeId(0), message)
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
