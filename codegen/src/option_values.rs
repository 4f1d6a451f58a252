//! The values of options, and how each is read from text. What is wrong with a text is said in a sentence.

use std::fmt;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Attribute;
use syn::parse::Parser;

use crate::model::Binding;
use crate::naming;
use crate::pattern::Pattern;
use crate::sink::PendingSpan;

/// Where a value of an option is said; what is later here holds over what is before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    /// At the top of a file, for many services.
    Shared,
    /// In the table of a service.
    Service,
    Call,
}

/// A value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting<V> {
    /// What a pair or a list of patterns speaks of.
    pub pattern: Pattern,
    pub value: V,
    pub layer: Layer,
    pub span: PendingSpan,
}

impl<V> Setting<V> {
    /// Whether it may speak of nothing in a definition.
    pub fn may_match_nothing(&self) -> bool {
        let pattern = self.pattern.as_str();
        pattern == "." || (self.layer == Layer::Shared && pattern.contains('*'))
    }
}

/// The values of an option, in the order in which they were said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Values<V>(pub Vec<Setting<V>>);

impl<V> Default for Values<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Values<V> {
    /// Adds a value that a call gives.
    pub fn say(&mut self, value: V) {
        self.0.push(Setting {
            pattern: Pattern::default(),
            value,
            layer: Layer::Call,
            span: PendingSpan::Nowhere,
        });
    }

    /// The value that was said last.
    pub fn last(mut self) -> Option<V> {
        self.0.pop().map(|setting| setting.value)
    }

    /// Those that were said nearest to the code: a list stands for the one that it holds over.
    pub fn nearest(mut self) -> Self {
        let layer = self.0.iter().map(|setting| setting.layer).max();
        self.0.retain(|setting| Some(setting.layer) == layer);
        self
    }

    /// The values of those that speak of something.
    pub fn of(&self, speaks: impl Fn(&Pattern) -> bool) -> impl DoubleEndedIterator<Item = &V> {
        let settings = self.0.iter();
        let settings = settings.filter(move |setting| speaks(&setting.pattern));
        settings.map(|setting| &setting.value)
    }

    /// The values of those that speak of a name.
    pub fn matching(&self, name: &str) -> impl Iterator<Item = &V> {
        self.of(|pattern| pattern.matches(name))
    }

    /// Whether one of them speaks of a name.
    pub fn matches(&self, name: &str) -> bool {
        self.matching(name).next().is_some()
    }
}

/// How visible generated items are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Visibility {
    /// `pub`.
    Public,
    /// `pub(crate)`.
    Crate,
}

impl fmt::Display for Visibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Public => "pub",
            Self::Crate => "pub(crate)",
        })
    }
}

impl ToTokens for Visibility {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Public => quote! { pub },
            Self::Crate => quote! { pub(crate) },
        });
    }
}

/// Attributes, as they stand over an item.
// Text and not tokens, which are not `Send`: a `Config` is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attributes(String);

impl ToTokens for Attributes {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.parse::<TokenStream>());
    }
}

pub(crate) fn switch(text: &str) -> Result<bool, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is neither `true` nor `false`"))
}

pub(crate) fn visibility(text: &str) -> Result<Visibility, String> {
    match text {
        "pub" => Ok(Visibility::Public),
        "pub(crate)" => Ok(Visibility::Crate),
        _ => Err(format!("`{text}` is neither `pub` nor `pub(crate)`")),
    }
}

pub(crate) fn rust_path(text: &str) -> Result<String, String> {
    let path = naming::is_rust_path(text).then(|| text.to_owned());
    path.ok_or_else(|| format!("`{text}` is not a path like `svcgen` or `crate::svcgen`"))
}

pub(crate) fn rust_type(text: &str) -> Result<String, String> {
    let path = naming::is_rust_type(text).then(|| text.to_owned());
    path.ok_or_else(|| format!("`{text}` is not the path of a Rust type"))
}

/// The most brackets that an attribute may have open at a time. Parsers of Rust recurse over them, and have no bound of their own.
const MOST_NESTED: usize = 64;

fn nesting(text: &str) -> usize {
    let mut open = 0_usize;
    let depths = text.chars().map(|c| {
        match c {
            '(' | '[' | '{' | '<' => open += 1,
            ')' | ']' | '}' | '>' => open = open.saturating_sub(1),
            _ => {}
        }
        open
    });
    depths.max().unwrap_or_default()
}

pub(crate) fn attributes(text: &str) -> Result<Attributes, String> {
    if nesting(text) > MOST_NESTED {
        let most = format!("an attribute has at most {MOST_NESTED} brackets open at a time");
        return Err(most);
    }
    match Attribute::parse_outer.parse_str(text) {
        Ok(parsed) if !parsed.is_empty() => Ok(Attributes(text.to_owned())),
        _ => Err(format!("`{text}` is not an attribute like `#[must_use]`")),
    }
}

/// The paths of derive macros.
pub(crate) fn derives(text: &str) -> Result<Vec<String>, String> {
    let like = "like `Eq` or `serde::Serialize`";
    let paths = text.split(',').map(str::trim);
    let paths = paths.map(|path| match rust_path(path) {
        Err(_) => Err(format!(
            "`{path}` is not the path of a derive macro, {like}"
        )),
        path => path,
    });
    paths.collect()
}

pub(crate) fn binding(text: &str) -> Result<Binding, String> {
    let known = Binding::ALL.map(Binding::key);
    Binding::of_key(text).ok_or_else(|| unknown("binding", text, &known))
}

/// Words for a name that is none of those known: the one that it is near, or all that there are.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match naming::nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!(
            "unknown {what} `{name}`; there are `{}`",
            known.join("`, `")
        ),
    }
}
