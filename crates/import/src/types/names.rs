//! Keys of types, and short names of namespaces.

use std::collections::{HashMap, HashSet};

use svcgen_model::{SimpleType, numbered};
use svcgen_wsdl::schema::{Name, Schemas, TypeId};

use super::super::draft::Draft;

/// The names that the definition assigns.
#[derive(Debug)]
pub(super) struct Names<'s> {
    home: &'s str,
    /// The namespace of types that do not state one.
    literal: &'s str,
    /// The names of types in the namespace of the definition.
    own: HashSet<&'s str>,
    /// The names of types in all namespaces, which types without a name must not use.
    declared: HashSet<&'s str>,
    keys: HashMap<TypeId, String>,
    taken: HashSet<String>,
    /// Namespaces with their short names, in the order of their first use.
    namespaces: Vec<(&'s str, String)>,
    /// The namespaces of types.
    of_types: HashSet<&'s str>,
    /// The prefixes of the WSDL that are meaningful, by their namespaces.
    prefixes: HashMap<&'s str, &'s str>,
    /// The number of namespaces that contain each word.
    words: HashMap<String, usize>,
}

impl<'s> Names<'s> {
    pub fn new(schemas: &Schemas<'s>, home: &'s str, literal: &'s str) -> Self {
        let own = schemas.named.keys();
        let own = own.filter(|name| [home, literal].contains(&name.namespace));
        let declared = schemas.named.keys().map(|name| name.local);
        let namespaces = schemas.namespaces.iter().copied();
        let namespaces: HashSet<_> = namespaces.chain([home]).collect();
        let mut words = HashMap::new();
        for namespace in namespaces {
            let distinct: HashSet<_> = words_of(namespace).into_iter().collect();
            for word in distinct {
                *words.entry(word).or_default() += 1;
            }
        }
        Self {
            home,
            literal,
            own: own.map(|name| name.local).collect(),
            declared: declared.collect(),
            keys: HashMap::new(),
            taken: HashSet::new(),
            namespaces: Vec::new(),
            of_types: HashSet::new(),
            prefixes: schemas.prefixes.clone(),
            words,
        }
    }

    /// The key of a type, if it has one.
    pub fn known(&self, id: TypeId) -> Option<&str> {
        self.keys.get(&id).map(String::as_str)
    }

    /// The key of a named type: the name, unless it is taken.
    pub fn of_named(&mut self, id: TypeId, name: Name<'s>) -> String {
        if let Some(key) = self.keys.get(&id) {
            return key.clone();
        }
        let is_own = [self.home, self.literal].contains(&name.namespace);
        let is_free = (is_own || !self.own.contains(name.local)) && self.is_free(name.local);
        let key = if is_free {
            name.local.to_owned()
        } else {
            let prefix = self.short(name.namespace).unwrap_or_default();
            let wanted = format!("{}{}", pascal(&prefix), pascal(name.local));
            let wanted = match SimpleType::of_name(&wanted) {
                Some(_) => format!("{wanted}Type"),
                None => wanted,
            };
            numbered(wanted, |key| {
                self.is_free(key) && !self.declared.contains(key.as_str())
            })
        };
        self.keep(id, key)
    }

    /// The key of a type without a name, which is named after its holder and its element.
    pub fn of_anonymous(&mut self, id: TypeId, holder: &str, element: &str) -> String {
        if let Some(key) = self.keys.get(&id) {
            return key.clone();
        }
        // WCF declares the entries of a dictionary, whose type has no name, within its list.
        let is_of_list = svcgen_model::array_name(element) == holder;
        let holder = if is_of_list { "" } else { holder };
        let wanted = format!("{}{}", pascal(holder), pascal(element));
        let key = numbered(wanted, |key| {
            self.is_free(key) && !self.declared.contains(key.as_str())
        });
        self.keep(id, key)
    }

    fn is_free(&self, key: &str) -> bool {
        SimpleType::of_name(key).is_none() && !self.taken.contains(key)
    }

    pub fn keep(&mut self, id: TypeId, key: String) -> String {
        self.taken.insert(key.clone());
        self.keys.insert(id, key.clone());
        key
    }

    /// The short name of a namespace; `None` for that of the definition and for no namespace.
    pub fn short(&mut self, namespace: &'s str) -> Option<String> {
        if ["", self.home, self.literal].contains(&namespace) {
            return None;
        }
        if namespace == XML {
            return Some("xml".to_owned());
        }
        let mut known = self.namespaces.iter();
        if let Some((_, short)) = known.find(|(known, _)| *known == namespace) {
            return Some(short.clone());
        }
        let short = self.free(namespace);
        self.namespaces.push((namespace, short.clone()));
        Some(short)
    }

    fn free(&self, namespace: &str) -> String {
        let words = words_of(namespace);
        let mut alone = words
            .iter()
            .filter(|word| self.words.get(*word) == Some(&1));
        let prefix = self
            .prefixes
            .get(namespace)
            .map(|prefix| (*prefix).to_owned());
        let telling = prefix.or_else(|| alone.next().or(words.first()).cloned());
        let telling = telling.unwrap_or_else(|| "other".to_owned());
        numbered(telling, |short| {
            let mut others = self.namespaces.iter().map(|(_, other)| other);
            short != "xml" && others.all(|other| other != short)
        })
    }

    /// The short name of a namespace, including that of the definition.
    pub fn short_or_home(&mut self, namespace: &'s str) -> String {
        if let Some(short) = self.short(namespace) {
            return short;
        }
        let mut known = self.namespaces.iter();
        if let Some((_, short)) = known.find(|(known, _)| *known == namespace) {
            return short.clone();
        }
        let short = self.free(namespace);
        self.namespaces.push((namespace, short.clone()));
        short
    }

    /// The short name of the namespace of a type.
    pub fn short_of_type(&mut self, namespace: &'s str) -> Option<String> {
        if namespace == self.literal {
            return None;
        }
        let short = if namespace == self.home {
            self.short_or_home(namespace)
        } else {
            self.short(namespace)?
        };
        self.of_types.insert(namespace);
        Some(short)
    }

    /// The entries of `namespaces`.
    pub fn entries(&self, is_qualified: impl Fn(&str) -> bool) -> Draft {
        let mut entries = Draft::map();
        for (namespace, short) in &self.namespaces {
            let mut entry = Draft::flow_map();
            entry.set("uri", *namespace);
            if self.of_types.contains(namespace) && !is_qualified(namespace) {
                entry.set("element_form", "unqualified");
            }
            entries.push(short, entry.short("uri"));
        }
        entries
    }
}

/// The namespace of `xml:lang` and its kin.
pub(super) const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The Rust name of the entries of a WCF dictionary, and of types named after them:
/// `KeyValueOfStringInt` for `KeyValueOfstringint`. `None` for other names.
pub(super) fn of_entries(key: &str) -> Option<String> {
    const ENTRIES: &str = "KeyValueOf";
    let (before, mut rest) = key.split_once(ENTRIES)?;
    let mut name = format!("{before}{ENTRIES}");
    let is_lower = |name: &&str| name.starts_with(char::is_lowercase);
    for _ in ["Key", "Value"] {
        let known = SimpleType::ALL.iter().map(|simple| simple.name());
        let known = known.filter(|known| is_lower(known) && rest.starts_with(known));
        let Some(known) = known.max_by_key(|known| known.len()) else {
            break;
        };
        name += &pascal(known);
        rest = &rest[known.len()..];
    }
    name += rest;
    (name != key).then_some(name)
}

/// Converts the first letter of a name to upper case.
pub(super) fn pascal(name: &str) -> String {
    let mut rest = name.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest.as_str().chars()).collect()
}

/// The words of a namespace that may distinguish it from others, in lower case, the last ones
/// first; numbers and versions are left out.
fn words_of(namespace: &str) -> Vec<String> {
    let uri = namespace.trim_end_matches(['/', '#']);
    let (host, path) = match uri.split_once("://") {
        Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
        None => ("", uri),
    };
    let parts = path.rsplit(['/', ':', '#', '.', '?', '=', ',', ';', '&']);
    let host = host.split(':').next().unwrap_or_default();
    let hosts = host.rsplit('.').skip(1).chain([host]);
    let words = parts.chain(hosts).map(word);
    words.filter(|word| is_telling(word)).collect()
}

fn word(part: &str) -> String {
    let part = part.to_lowercase();
    part.chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect()
}

fn is_telling(word: &str) -> bool {
    const NONE: [&str; 12] = [
        "xsd", "wsdl", "asmx", "svc", "schema", "schemas", "www", "com", "urn", "http", "types",
        "php",
    ];
    let digits = word.strip_prefix('v').unwrap_or(word);
    let is_version = digits
        .chars()
        .all(|c| c.is_ascii_digit() || "-_".contains(c));
    word.starts_with(char::is_alphabetic) && !is_version && !NONE.contains(&word)
}
