//! The values of options: how they are written, which of them hold, and what is wrong with them.

use std::ops::Deref;

use syn::Attribute;
use syn::parse::Parser;

use crate::config::{Config, OptionForm, Options, check};
use crate::model::{Binding, Bindings};
use crate::naming;
use crate::options_file;
use crate::pattern::{matches, matches_member};
use crate::rules::Rule;
use crate::sink::{Place, Sink};
use crate::text::without_mark;

/// One value that an option was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub option: &'static str,
    /// What a pair speaks of; empty for other forms.
    pub key: String,
    pub value: String,
    pub place: Place,
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
            place: Place::Nowhere,
            layer: Layer::Call,
        }
    }
}

impl Setting {
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

/// A form of options: its text, and what several settings come to.
pub(crate) trait Kind: Sized {
    const FORM: OptionForm;

    /// The settings that a text makes; `example` is what it should look like.
    fn parse(option: &'static str, text: &str, _example: &str) -> Result<Vec<Setting>, String> {
        Ok(vec![Setting::new(option, "", text)])
    }

    /// What the settings of an option come to.
    fn of(settings: &[Setting], option: &str, default: &str) -> Self;
}

/// `true` or `false`.
pub(crate) type Switch = bool;

/// One text.
pub(crate) type Text = String;

/// Several values.
#[derive(Debug)]
pub(crate) struct List(Vec<Setting>);

/// Several values, each with what it speaks of.
#[derive(Debug)]
pub(crate) struct Pairs(Vec<Setting>);

impl Kind for Switch {
    const FORM: OptionForm = OptionForm::Switch;

    fn of(settings: &[Setting], option: &str, default: &str) -> Self {
        Text::of(settings, option, default) == "true"
    }
}

impl Kind for Text {
    const FORM: OptionForm = OptionForm::Text;

    fn of(settings: &[Setting], option: &str, default: &str) -> Self {
        let last = named(settings, option).next_back();
        last.map_or(default, |setting| setting.value.as_str())
            .to_owned()
    }
}

/// The items of a list that is written as one text, with commas between them.
pub(crate) fn listed(text: &str) -> impl Iterator<Item = &str> {
    let items = text.split(',').map(str::trim);
    items.filter(|item| !item.is_empty())
}

impl Kind for List {
    const FORM: OptionForm = OptionForm::List;

    fn parse(option: &'static str, text: &str, _: &str) -> Result<Vec<Setting>, String> {
        let items = listed(text);
        Ok(items.map(|item| Setting::new(option, "", item)).collect())
    }

    /// Those that were said nearest: a call does not add to what a file says.
    fn of(settings: &[Setting], option: &str, _: &str) -> Self {
        let nearest = named(settings, option).map(|setting| setting.layer).max();
        let settings = named(settings, option).filter(|setting| Some(setting.layer) == nearest);
        Self(settings.cloned().collect())
    }
}

impl Kind for Pairs {
    const FORM: OptionForm = OptionForm::Pairs;

    fn parse(option: &'static str, text: &str, example: &str) -> Result<Vec<Setting>, String> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let (key, value) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` is not written like `{example}`"))?;
        Ok(vec![Setting::new(option, key, value)])
    }

    fn of(settings: &[Setting], option: &str, _: &str) -> Self {
        Self(named(settings, option).cloned().collect())
    }
}

impl Deref for List {
    type Target = [Setting];

    fn deref(&self) -> &[Setting] {
        &self.0
    }
}

impl Deref for Pairs {
    type Target = [Setting];

    fn deref(&self) -> &[Setting] {
        &self.0
    }
}

impl Pairs {
    /// The value for a key that was given last.
    pub fn last(&self, key: &str) -> Option<&str> {
        let settings = self.iter().rev();
        let mut settings = settings.filter(|setting| setting.key == key);
        settings.next().map(|setting| setting.value.as_str())
    }
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
            let (text, mark) = without_mark(&file.text);
            sink.set_options_file(&file.name, text, mark);
            settings = options_file::read(text, service, sink);
        }
        settings.extend(config.settings.iter().cloned());
        settings.retain(|setting| {
            let Err(complaint) = check(setting) else {
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

    /// The Rust type for text, if that is not `String`.
    pub fn other_string_type(&self) -> Option<&str> {
        Some(self.string_type.as_str()).filter(|path| *path != "String")
    }
}

fn of_pattern(pairs: &Pairs, speaks: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let settings = pairs.iter().filter(move |setting| speaks(&setting.key));
    settings.map(|setting| setting.value.as_str())
}

fn has(patterns: &List, name: &str) -> bool {
    let mut patterns = patterns.iter();
    patterns.any(|setting| matches(&setting.value, name))
}

pub(crate) fn is_switch(setting: &Setting) -> Result<(), String> {
    match setting.value.as_str() {
        "true" | "false" => Ok(()),
        other => Err(format!("`{other}` is neither `true` nor `false`")),
    }
}

pub(crate) fn is_path(setting: &Setting) -> Result<(), String> {
    match naming::is_rust_path(&setting.value) {
        true => Ok(()),
        false => Err(format!(
            "`{}` is not a path like `svcgen` or `crate::svcgen`",
            setting.value
        )),
    }
}

pub(crate) fn is_rust_type(setting: &Setting) -> Result<(), String> {
    match naming::is_rust_type(&setting.value) {
        true => Ok(()),
        false => Err(format!(
            "`{}` is not the path of a Rust type",
            setting.value
        )),
    }
}

/// What the key names is for lowering to find.
pub(crate) fn is_extern_path(setting: &Setting) -> Result<(), String> {
    is_rust_type(setting)
}

pub(crate) fn is_pattern(setting: &Setting) -> Result<(), String> {
    let pattern = setting.pattern();
    match pattern.is_empty() || pattern.contains(char::is_whitespace) {
        true => Err(format!(
            "`{pattern}` is not a pattern like `LoginResult`, `*Request` or `.`"
        )),
        false => Ok(()),
    }
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
    if nesting(&setting.value) > MOST_NESTED {
        return Err(format!(
            "an attribute has at most {MOST_NESTED} brackets open at a time"
        ));
    }
    let attributes = Attribute::parse_outer.parse_str(&setting.value);
    match attributes.is_ok_and(|attributes| !attributes.is_empty()) {
        true => Ok(()),
        false => Err(format!(
            "`{}` is not an attribute like `#[must_use]`",
            setting.value
        )),
    }
}

pub(crate) fn is_derive(setting: &Setting) -> Result<(), String> {
    is_pattern(setting)?;
    let mut paths = setting.value.split(',').map(str::trim);
    match paths.find(|path| !naming::is_rust_path(path)) {
        Some(path) => Err(format!(
            "`{path}` is not the path of a derive macro, like `Eq` or `serde::Serialize`"
        )),
        None => Ok(()),
    }
}

pub(crate) fn is_visibility(setting: &Setting) -> Result<(), String> {
    match setting.value.as_str() {
        "pub" | "pub(crate)" => Ok(()),
        other => Err(format!("`{other}` is neither `pub` nor `pub(crate)`")),
    }
}

pub(crate) fn is_binding(setting: &Setting) -> Result<(), String> {
    let value = setting.value.as_str();
    let known = Binding::ALL.map(Binding::key);
    if known.contains(&value) {
        return Ok(());
    }
    Err(match naming::nearest(value, known) {
        Some(near) => format!("unknown binding `{value}`; did you mean `{near}`?"),
        None => format!(
            "unknown binding `{value}`; there are `{}`",
            known.join("`, `")
        ),
    })
}
