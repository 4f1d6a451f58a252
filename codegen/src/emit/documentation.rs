//! Documentation comments, in which the texts of a definition are plain text.

use proc_macro2::TokenStream;
use quote::quote;
use svcgen_language::naming;
use svcgen_model::is_hidden;

use crate::model::{Method, Name, words};

/// The `#[doc]` attributes for a text, one for each line.
pub(super) fn docs(text: &str) -> TokenStream {
    let lines = lines(text);
    quote! { #(#[doc = #lines])* }
}

/// The documentation of the module, or a default, as inner attributes.
pub(super) fn inner_docs_or(given: &Option<String>, otherwise: &str) -> TokenStream {
    let lines = lines(words(given).unwrap_or(otherwise));
    quote! { #(#![doc = #lines])* }
}

fn lines(text: &str) -> impl Iterator<Item = String> {
    text.trim().lines().map(|line| match escape(line.trim()) {
        line if line.is_empty() => String::new(),
        line => format!(" {line}"),
    })
}

/// The documentation of a definition, or a default.
pub(super) fn docs_or(given: &Option<String>, otherwise: &str) -> TokenStream {
    docs(words(given).unwrap_or(otherwise))
}

/// A paragraph on the faults of an operation.
pub(super) fn fault_docs(operation: &Method) -> Option<TokenStream> {
    let names = operation.faults.iter().map(|name| format!("`{name}`"));
    let names: Vec<_> = names.collect();
    let docs = docs(&format!("Faults: {}.", names.join(", ")));
    (!names.is_empty()).then(|| quote! { #[doc = ""] #docs })
}

/// The name on the wire, unless it can be derived from the Rust name, then the documentation of a
/// definition.
pub(super) fn named_docs(name: &Name, given: &Option<String>) -> Option<TokenStream> {
    let xml = (!naming::gives_back(name.unraw(), &name.xml)).then_some(&name.xml);
    match (xml, words(given)) {
        (Some(xml), Some(text)) => Some(docs(&format!("`{xml}`: {text}"))),
        (Some(xml), None) => Some(docs(&format!("`{xml}`"))),
        (None, Some(text)) => Some(docs(text)),
        (None, None) => None,
    }
}

/// Escapes characters that rustdoc would interpret as a list, a link, a tag or a block of code,
/// which it would run.
fn escape(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    if line.starts_with(['#', '>', '-', '+', '*', '=', '|', '~', '_']) {
        escaped.push('\\');
    }
    let mut in_code = false;
    let closed = line.matches('`').count().is_multiple_of(2) && !line.contains("``");
    for (at, c) in line.char_indices() {
        match c {
            '`' if closed => in_code = !in_code,
            '`' => escaped.push('\\'),
            '[' | ']' | '<' | '>' | '\\' if !in_code && at > 0 => escaped.push('\\'),
            '[' | '<' | '\\' if !in_code => escaped.push('\\'),
            '.' | ')' if at > 0 && line[..at].bytes().all(|byte| byte.is_ascii_digit()) => {
                escaped.push('\\')
            }
            '\t' => {
                escaped.push(' ');
                continue;
            }
            // Compilers refuse comments with some of these characters, which can hide the order of
            // the displayed text.
            _ if is_hidden(c) => continue,
            _ => {}
        }
        escaped.push(c);
    }
    escaped
}
