//! Texts at the edges of types and beyond, and headers that callers send or should not send, from
//! `edges.json`.

use std::sync::LazyLock;

use serde_json::Value as Json;
use svcgen::Binding;
use svcgen_model::{Facet, SimpleType, TypeAt};

use crate::place::Row;

static EDGES: LazyLock<Json> =
    LazyLock::new(|| serde_json::from_str(include_str!("edges.json")).unwrap_or_default());

/// Returns headers of requests over a binding; the value `None` stands for a request without the
/// header.
pub(crate) fn headers(
    binding: Binding,
) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let named = EDGES["headers"][binding.key()]
        .as_object()
        .into_iter()
        .flatten();
    named.flat_map(|(name, values)| {
        let values = values.as_array().into_iter().flatten();
        values.map(|value| (name.as_str(), value.as_str()))
    })
}

fn listed(name: &str) -> Vec<String> {
    let mut lists = EDGES["texts"].as_object().into_iter().flatten();
    let list = lists.find(|(names, _)| names.split(' ').any(|one| one == name));
    let texts = list
        .and_then(|(_, texts)| texts.as_array())
        .into_iter()
        .flatten();
    texts
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}

/// Returns texts for a place that a row describes.
pub(crate) fn texts(row: Option<Row>) -> Vec<String> {
    let Some(row) = row else {
        return listed("string");
    };
    let mut texts = match row.type_at() {
        TypeAt::Simple(simple) => of_simple(simple),
        TypeAt::Enumeration(one) => {
            let names: Vec<_> = one.values().map(|value| value.name.to_owned()).collect();
            let first = names.first().cloned().unwrap_or_default();
            let several = names[..names.len().min(3)].join(" ");
            let wrong = [first.to_lowercase(), format!(" {first} "), several].into_iter();
            let wrong = wrong.chain(["", "0", "NoSuchValue"].map(str::to_owned));
            names.into_iter().chain(wrong).collect()
        }
        _ => listed("boolean"),
    };
    let facets = row.facets.iter();
    texts.extend(facets.flat_map(|(facet, limit)| at_limit(*facet, limit)));
    texts
}

fn of_simple(simple: SimpleType) -> Vec<String> {
    let mut texts = listed(simple.name());
    if simple.is_integer() || simple == SimpleType::Char {
        texts.extend(listed("integer"));
    }
    if texts.is_empty() || simple.is_text() {
        texts = listed("string");
        texts.push("x".repeat(5000));
    }
    texts
}

/// Returns texts at the limit of a facet.
fn at_limit(facet: Facet, limit: &str) -> Vec<String> {
    let number: Option<i128> = limit.parse().ok();
    let Some(number) = number.filter(|_| facet != Facet::Pattern) else {
        return vec![limit.to_owned()];
    };
    let near = [number - 1, number, number + 1];
    if !matches!(facet, Facet::Length | Facet::MinLength | Facet::MaxLength) {
        return near.map(|one| one.to_string()).to_vec();
    }
    let length = |length| usize::try_from(length).unwrap_or_default().min(100_000);
    near.map(|one| "x".repeat(length(one))).to_vec()
}
