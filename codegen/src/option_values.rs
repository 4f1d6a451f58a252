//! The values of options, and their parsers. Errors are sentences.

use std::path::PathBuf;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use svcgen_language::naming;
use svcgen_language::sink::PendingSpan;
use syn::Attribute;
use syn::parse::Parser;

use crate::model::Binding;
use crate::pattern::Pattern;

/// The place where an option is set; later layers override earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    /// The top of an options file, for many services.
    Shared,
    /// The table of a service in an options file.
    Service,
    /// A call of the API, or an argument of the command.
    Call,
}

/// A value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting<V> {
    /// The key of a pair or an item of a list of patterns.
    pub pattern: Pattern,
    pub value: V,
    pub layer: Layer,
    pub span: PendingSpan,
}

impl<V> Setting<V> {
    /// Whether the pattern may match nothing in a definition.
    pub fn may_match_nothing(&self) -> bool {
        let pattern = self.pattern.as_str();
        pattern == "." || (self.layer == Layer::Shared && pattern.contains('*'))
    }
}

/// The values of an option, in the order in which they were set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Values<V>(pub Vec<Setting<V>>);

impl<V> Default for Values<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Values<V> {
    /// Adds a value that was set by a call.
    pub fn push(&mut self, value: V) {
        self.0.push(Setting {
            pattern: Pattern::default(),
            value,
            layer: Layer::Call,
            span: PendingSpan::Nowhere,
        });
    }

    /// Returns the value that was set last.
    pub fn last(mut self) -> Option<V> {
        self.0.pop().map(|setting| setting.value)
    }

    /// Returns the values of the last layer: a list replaces that of an earlier layer.
    pub fn of_last_layer(mut self) -> Self {
        let layer = self.0.iter().map(|setting| setting.layer).max();
        self.0.retain(|setting| Some(setting.layer) == layer);
        self
    }

    /// Returns the values with a pattern that fits.
    pub fn of(&self, fits: impl Fn(&Pattern) -> bool) -> impl DoubleEndedIterator<Item = &V> {
        let settings = self.0.iter();
        let settings = settings.filter(move |setting| fits(&setting.pattern));
        settings.map(|setting| &setting.value)
    }

    /// Returns the values whose pattern matches a name.
    pub fn matching(&self, name: &str) -> impl Iterator<Item = &V> {
        self.of(|pattern| pattern.matches(name))
    }

    /// Whether a pattern matches a name.
    pub fn matches(&self, name: &str) -> bool {
        self.matching(name).next().is_some()
    }
}

/// The visibility of generated items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Visibility {
    /// `pub`.
    Public,
    /// `pub(crate)`.
    Crate,
}

impl ToTokens for Visibility {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Public => quote! { pub },
            Self::Crate => quote! { pub(crate) },
        });
    }
}

/// Outer attributes of an item.
// Text instead of tokens, as tokens are not `Send`, but a `Config` is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attributes(String);

impl Attributes {
    pub fn text(&self) -> &str {
        &self.0
    }
}

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

pub(crate) fn folder(text: &str) -> Result<PathBuf, String> {
    let folder = (!text.is_empty()).then(|| PathBuf::from(text));
    folder.ok_or_else(|| "the path of a folder is not empty".to_owned())
}

pub(crate) fn rust_type(text: &str) -> Result<String, String> {
    let path = naming::is_rust_type(text).then(|| text.to_owned());
    path.ok_or_else(|| format!("`{text}` is not the path of a Rust type"))
}

/// The maximum depth of brackets in an attribute: syn recurses without a limit.
const MOST_NESTED: usize = 64;

pub(crate) fn attributes(text: &str) -> Result<Attributes, String> {
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST_NESTED {
            let most = format!("an attribute has at most {MOST_NESTED} brackets open at a time");
            return Err(most);
        }
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
    let refused = |path| format!("`{path}` is not the path of a derive macro, {like}");
    paths
        .map(|path| rust_path(path).map_err(|_| refused(path)))
        .collect()
}

pub(crate) fn binding(text: &str) -> Result<Binding, String> {
    let known = Binding::ALL.map(Binding::key);
    Binding::of_key(text).ok_or_else(|| unknown("binding", text, &known))
}

/// Returns the message for an unknown name, with the nearest known one, or all of them.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match naming::nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!(
            "unknown {what} `{name}`; there are `{}`",
            known.join("`, `")
        ),
    }
}
