//! The values of options: how they are written, which of them hold, and what is wrong with them.

use std::sync::Arc;

use syn::Attribute;
use syn::parse::Parser;

use crate::config::{Config, OPTIONS, OptionForm, OptionRow, Options};
use crate::model::{Binding, Bindings};
use crate::naming;
use crate::options_file;
use crate::pattern::{matches, matches_member};
use crate::rules::Rule;
use crate::sink::{PendingSpan, Sink};

/// One value that an option was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub option: &'static str,
    /// What a pair speaks of; empty for other forms.
    pub key: String,
    pub value: String,
    pub place: PendingSpan,
    pub layer: Layer,
}

/// Where a setting was said; what is later here holds over what is before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    File,
    ServiceOfFile,
    Call,
}

impl Setting {
    pub fn new(option: &'static str, key: &str, value: &str) -> Self {
        Self {
            option,
            key: key.trim().to_owned(),
            value: value.trim().to_owned(),
            place: PendingSpan::Nowhere,
            layer: Layer::Call,
        }
    }

    /// Whether it may speak of nothing in a definition: it is said of everything, or at the top of a file for many.
    pub fn may_match_nothing(&self) -> bool {
        let pattern = self.pattern();
        pattern == "." || (self.layer == Layer::File && pattern.contains('*'))
    }

    /// What the setting speaks of.
    pub fn pattern(&self) -> &str {
        match self.key.as_str() {
            "" => &self.value,
            key => key,
        }
    }
}

/// `true` or `false`.
pub(crate) type Switch = bool;

/// One text.
pub(crate) type Text = String;

/// Several values.
pub(crate) type List = Vec<Setting>;

/// Several values, each with what it speaks of.
pub(crate) type Pairs = Vec<Setting>;

impl OptionRow {
    /// Sets the option from text.
    ///
    /// # Errors
    ///
    /// The option cannot have the value: why, in a sentence.
    pub fn set(&self, config: &mut Config, text: &str) -> Result<(), String> {
        let settings = self.parse(text)?;
        settings.iter().try_for_each(self.check)?;
        config.settings.extend(settings);
        Ok(())
    }

    /// The settings that a text makes.
    fn parse(&self, text: &str) -> Result<Vec<Setting>, String> {
        let setting = |key, value| Setting::new(self.name, key, value);
        Ok(match self.form {
            OptionForm::Switch | OptionForm::Text => vec![setting("", text)],
            OptionForm::List => listed(text).map(|item| setting("", item)).collect(),
            OptionForm::Pairs if text.is_empty() => Vec::new(),
            OptionForm::Pairs => match text.split_once('=') {
                Some((key, value)) => vec![setting(key, value)],
                None => return Err(format!("`{text}` is not written like `{}`", self.example)),
            },
        })
    }
}

/// The items of a list that is written as one text, with commas between them.
pub(crate) fn listed(text: &str) -> impl Iterator<Item = &str> {
    let items = text.split(',').map(str::trim);
    items.filter(|item| !item.is_empty())
}

/// The text that was said last.
pub(crate) fn text(settings: &[Setting], option: &str, default: &str) -> Text {
    let last = named(settings, option).next_back();
    last.map_or(default, |setting| &setting.value).to_owned()
}

/// The items that were said nearest: a call does not add to what a file says.
pub(crate) fn list(settings: &[Setting], option: &str) -> List {
    let nearest = named(settings, option).map(|setting| setting.layer).max();
    let settings = named(settings, option).filter(|setting| Some(setting.layer) == nearest);
    settings.cloned().collect()
}

/// All pairs that were said.
pub(crate) fn pairs(settings: &[Setting], option: &str) -> Pairs {
    named(settings, option).cloned().collect()
}

fn named<'s>(
    settings: &'s [Setting],
    option: &str,
) -> impl DoubleEndedIterator<Item = &'s Setting> {
    settings
        .iter()
        .filter(move |setting| setting.option == option)
}

impl Options {
    /// The options for a service; `sink` is told of values that they cannot have.
    pub fn resolve(config: &Config, service: &str, sink: &mut Sink) -> Self {
        let mut settings = Vec::new();
        if let Some(file) = &config.file {
            sink.options_file = Some(Arc::clone(file));
            settings = options_file::read(&file.text, service, sink);
        }
        settings.extend(config.settings.iter().cloned());
        settings.retain(|setting| {
            let mut rows = OPTIONS.iter();
            let row = rows.find(|row| row.name == setting.option);
            let Some(Err(complaint)) = row.map(|row| (row.check)(setting)) else {
                return true;
            };
            let message = format!("the option `{}`: {complaint}", setting.option);
            sink.add(Rule::OptionValue, setting.place.clone(), message);
            false
        });
        Self::of(&settings)
    }

    /// The bindings that are left of those that a definition offers.
    pub fn restrict(&self, offered: Bindings) -> Bindings {
        if self.bindings.is_empty() {
            return offered;
        }
        let named = self.bindings.iter();
        let named: Bindings = named
            .filter_map(|setting| Binding::of_key(&setting.value))
            .collect();
        offered.and(named)
    }

    /// The attributes of a type.
    pub fn type_attributes(&self, name: &str) -> impl Iterator<Item = &str> {
        of_pattern(&self.type_attribute, move |pattern| matches(pattern, name))
    }

    /// The attributes of a field or a variant.
    pub fn field_attributes(&self, owner: &str, member: &str) -> impl Iterator<Item = &str> {
        of_pattern(&self.field_attribute, move |pattern| {
            matches_member(pattern, owner, member)
        })
    }

    /// What a type derives beside what every one does.
    pub fn derives(&self, name: &str) -> impl Iterator<Item = &str> {
        let lists = of_pattern(&self.type_derive, move |pattern| matches(pattern, name));
        lists.flat_map(|list| list.split(',').map(str::trim))
    }

    /// Whether other crates may not rely on what a type holds.
    pub fn is_non_exhaustive(&self, name: &str) -> bool {
        has(&self.non_exhaustive, name)
    }

    /// Whether a struct has functions that make it step by step.
    pub fn has_builder(&self, name: &str) -> bool {
        has(&self.builders, name)
    }

    /// Whether an enumeration keeps names that it does not know.
    pub fn is_open_enum(&self, name: &str) -> bool {
        has(&self.open_enums, name)
    }

    /// Whether a method of the handler has a body.
    pub fn has_default_method(&self, operation: &str) -> bool {
        has(&self.default_methods, operation)
    }

    /// The Rust type that stands for what is called so.
    pub fn extern_path(&self, name: &str) -> Option<&str> {
        of_pattern(&self.extern_path, |key| key == name).last()
    }

    /// The Rust type for text, if that is not `String`.
    pub fn other_string_type(&self) -> Option<&str> {
        Some(self.string_type.as_str()).filter(|path| *path != "String")
    }
}

fn of_pattern(pairs: &[Setting], speaks: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let settings = pairs.iter().filter(move |setting| speaks(&setting.key));
    settings.map(|setting| setting.value.as_str())
}

fn has(patterns: &[Setting], name: &str) -> bool {
    let mut patterns = patterns.iter();
    patterns.any(|setting| matches(&setting.value, name))
}

fn hold(holds: bool, complaint: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(complaint()) }
}

fn is_either(value: &str, one: &str, other: &str) -> Result<(), String> {
    let complaint = || format!("`{value}` is neither `{one}` nor `{other}`");
    hold(value == one || value == other, complaint)
}

pub(crate) fn is_switch(setting: &Setting) -> Result<(), String> {
    is_either(&setting.value, "true", "false")
}

pub(crate) fn is_visibility(setting: &Setting) -> Result<(), String> {
    is_either(&setting.value, "pub", "pub(crate)")
}

pub(crate) fn is_path(Setting { value, .. }: &Setting) -> Result<(), String> {
    let complaint = || format!("`{value}` is not a path like `svcgen` or `crate::svcgen`");
    hold(naming::is_rust_path(value), complaint)
}

pub(crate) fn is_rust_type(Setting { value, .. }: &Setting) -> Result<(), String> {
    let complaint = || format!("`{value}` is not the path of a Rust type");
    hold(naming::is_rust_type(value), complaint)
}

pub(crate) fn is_pattern(setting: &Setting) -> Result<(), String> {
    let pattern = setting.pattern();
    let complaint =
        || format!("`{pattern}` is not a pattern like `LoginResult`, `*Request` or `.`");
    hold(
        !pattern.is_empty() && !pattern.contains(char::is_whitespace),
        complaint,
    )
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

pub(crate) fn is_attribute(setting: &Setting) -> Result<(), String> {
    is_pattern(setting)?;
    let value = &setting.value;
    hold(nesting(value) <= MOST_NESTED, || {
        format!("an attribute has at most {MOST_NESTED} brackets open at a time")
    })?;
    let attributes = Attribute::parse_outer.parse_str(value);
    let complaint = || format!("`{value}` is not an attribute like `#[must_use]`");
    hold(
        attributes.is_ok_and(|attributes| !attributes.is_empty()),
        complaint,
    )
}

pub(crate) fn is_derive(setting: &Setting) -> Result<(), String> {
    is_pattern(setting)?;
    setting
        .value
        .split(',')
        .map(str::trim)
        .try_for_each(|path| {
            hold(naming::is_rust_path(path), || {
                format!(
                    "`{path}` is not the path of a derive macro, like `Eq` or `serde::Serialize`"
                )
            })
        })
}

pub(crate) fn is_binding(setting: &Setting) -> Result<(), String> {
    let value = setting.value.as_str();
    let known = Binding::ALL.map(Binding::key);
    hold(known.contains(&value), || unknown("binding", value, &known))
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
