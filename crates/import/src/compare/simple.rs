//! The values that simple types allow, however many steps of restriction they are written in.

use std::collections::{BTreeMap, BTreeSet};

use svcgen_model::SimpleType;
use svcgen_wsdl::schema::{Kind, Schemas, Simple, TypeRef, Variety};

/// The values of a simple type.
#[derive(Debug)]
pub(super) struct Values<'m, 's> {
    pub of: Of<'s>,
    /// The facets by name; every pattern must match.
    pub facets: BTreeMap<&'s str, BTreeSet<String>>,
    /// The enumerated values, if there are any.
    pub listed: Option<BTreeSet<&'m str>>,
}

#[derive(Debug)]
pub(super) enum Of<'s> {
    Builtin(&'s str),
    List(TypeRef<'s>),
    Union(Vec<TypeRef<'s>>),
    Missing(&'s str),
}

impl<'m, 's> Values<'m, 's> {
    pub fn new(schemas: &'m Schemas<'s>, mut type_ref: TypeRef<'s>) -> Self {
        let mut values = Self {
            of: Of::Missing(""),
            facets: BTreeMap::new(),
            listed: None,
        };
        // Schemas without cycles have no longer chains.
        for _ in 0..=schemas.types.len() {
            match type_ref {
                // Any text is a value of both types.
                TypeRef::Builtin("anySimpleType") => {
                    values.of = Of::Builtin("string");
                    break;
                }
                TypeRef::Builtin("Struct") => {
                    values.of = Of::Builtin("anyType");
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
                            values.of = Of::Union(
                                schemas
                                    .members_of_union(members)
                                    .unwrap_or_else(|| members.clone()),
                            );
                            break;
                        }
                    }
                }
            }
        }
        values.leave_out_what_says_nothing();
        values
    }

    /// Adds a step of restriction; the steps added before it belong to derived types.
    fn add(&mut self, simple: &'m Simple<'s>) {
        // Enumerated values are values of the restricted type (XML Schema 1.0 part 2 §4.3.5.4), so
        // its own facets add nothing.
        if self.listed.is_some() {
            return;
        }
        let mut own: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for facet in &simple.facets {
            let texts = own.entry(facet.name).or_default();
            texts.push(plain(facet.name, facet.value));
        }
        for (name, texts) in own {
            if name == "pattern" {
                // Patterns of one step are alternatives; patterns of several steps must all match.
                let all = self.facets.entry(name).or_default();
                all.insert(texts.join("|"));
            } else {
                let texts = texts.into_iter().collect();
                self.facets.entry(name).or_insert(texts);
            }
        }
        if !simple.values.is_empty() {
            let listed = simple.values.iter();
            self.listed = Some(listed.map(|value| value.text.trim()).collect());
        }
    }

    fn leave_out_what_says_nothing(&mut self) {
        let is_string = matches!(self.of, Of::Builtin("string"));
        let simple = match self.of {
            Of::Builtin(name) => SimpleType::of_name(name),
            _ => None,
        };
        let is_text = simple.is_some_and(|simple| simple.is_text() && !simple.is_time());
        if let Some(listed) = &self.listed {
            let lengths: Vec<_> = listed.iter().map(|text| text.chars().count()).collect();
            self.facets.retain(|name, texts| {
                let limit = texts.first().and_then(|text| text.parse().ok());
                let Some(limit) = limit.filter(|_: &usize| is_text) else {
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

/// The value of a facet, without redundant signs and zeros of numbers.
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
