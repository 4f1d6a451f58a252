//! What simple types allow, whatever steps of restriction say it.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::schema::{Kind, Schemas, Simple, TypeRef, Variety};

/// The values of a simple type.
#[derive(Debug)]
pub(super) struct Values<'m, 's> {
    pub of: Of<'m, 's>,
    /// The facets by name; all patterns hold.
    pub facets: BTreeMap<&'s str, BTreeSet<String>>,
    /// Those that are listed, if any are.
    pub listed: Option<BTreeSet<&'m str>>,
}

#[derive(Debug)]
pub(super) enum Of<'m, 's> {
    Builtin(&'s str),
    List(TypeRef<'s>),
    Union(&'m [TypeRef<'s>]),
    Missing(&'s str),
}

impl<'m, 's> Values<'m, 's> {
    pub fn new(schemas: &'m Schemas<'s>, mut type_ref: TypeRef<'s>) -> Self {
        let mut values = Self {
            of: Of::Missing(""),
            facets: BTreeMap::new(),
            listed: None,
        };
        // Schemas without circles have no longer chains.
        for _ in 0..=schemas.types.len() {
            match type_ref {
                // Any text is a value of both.
                TypeRef::Builtin("anySimpleType") => {
                    values.of = Of::Builtin("string");
                    break;
                }
                TypeRef::Builtin(name) => {
                    values.of = Of::Builtin(name);
                    break;
                }
                TypeRef::Missing(name) => {
                    values.of = Of::Missing(name.local);
                    break;
                }
                TypeRef::Declared(id) => {
                    let Kind::Simple(simple) = &schemas.get(id).kind else {
                        break;
                    };
                    values.add(simple);
                    match &simple.variety {
                        Variety::Restriction(base) => type_ref = *base,
                        Variety::List(item) => {
                            values.of = Of::List(*item);
                            break;
                        }
                        Variety::Union(members) => {
                            values.of = Of::Union(members);
                            break;
                        }
                    }
                }
            }
        }
        values.leave_out_what_says_nothing();
        values
    }

    /// Adds a step of restriction; those before it are of derived types.
    fn add(&mut self, simple: &'m Simple<'s>) {
        let mut own: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for facet in &simple.facets {
            let texts = own.entry(facet.name).or_default();
            texts.insert(plain(facet.name, facet.value));
        }
        for (name, texts) in own {
            if name == "pattern" {
                // Patterns of one step are alternatives, those of several steps all hold.
                let texts: Vec<_> = texts.into_iter().collect();
                let all = self.facets.entry(name).or_default();
                all.insert(texts.join("|"));
            } else {
                self.facets.entry(name).or_insert(texts);
            }
        }
        if self.listed.is_none() && !simple.values.is_empty() {
            let listed = simple.values.iter();
            self.listed = Some(listed.map(|value| value.text.trim()).collect());
        }
    }

    fn leave_out_what_says_nothing(&mut self) {
        let is_string = matches!(self.of, Of::Builtin("string"));
        if let Some(listed) = &self.listed {
            let lengths: Vec<_> = listed.iter().map(|text| text.chars().count()).collect();
            self.facets.retain(|name, texts| {
                let limit = texts.first().and_then(|text| text.parse().ok());
                let Some(limit) = limit.filter(|_: &usize| is_string) else {
                    return true;
                };
                !lengths.iter().all(|length| match *name {
                    "length" => *length == limit,
                    "minLength" => *length >= limit,
                    "maxLength" => *length <= limit,
                    _ => false,
                })
            });
        }
        self.facets.retain(|name, texts| {
            let text = texts.first().map(String::as_str).unwrap_or_default();
            match (*name, text) {
                ("minLength", "0") | ("whiteSpace", "preserve") => false,
                ("whiteSpace", "collapse") => is_string,
                _ => true,
            }
        });
    }
}

/// The value of a facet, without what numbers can do without.
fn plain(name: &str, value: &str) -> String {
    if name == "pattern" {
        return value.to_owned();
    }
    let value = value.trim();
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", value.strip_prefix('+').unwrap_or(value)),
    };
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    if digits.is_empty() || !digits.chars().all(is_number) {
        return value.to_owned();
    }
    let digits = match digits.split_once('.') {
        Some(_) => digits.trim_end_matches('0').trim_end_matches('.'),
        None => digits,
    };
    let digits = digits.trim_start_matches('0');
    match digits {
        "" => "0".to_owned(),
        digits if digits.starts_with('.') => format!("{sign}0{digits}"),
        digits => format!("{sign}{digits}"),
    }
}
