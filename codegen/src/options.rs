//! Which options hold for a service, and what they say of its types and operations.

use std::sync::Arc;

use crate::config::{Config, Options, Settings};
use crate::model::Bindings;
use crate::option_values::Attributes;
use crate::options_file;
use crate::rules::Rule;
use crate::sink::{PendingSpan, Sink};

impl Options {
    /// The options for a service; `sink` is told of values that they cannot have.
    pub fn resolve(config: &Config, service: &str, sink: &mut Sink) -> Self {
        let mut settings = Settings::default();
        if let Some(file) = &config.file {
            sink.options_file = Some(Arc::clone(file));
            settings = options_file::read(&file.text, service, sink);
        }
        for (option, complaint) in &config.refused {
            let message = format!("the option `{option}`: {complaint}");
            sink.add(Rule::OptionValue, PendingSpan::Nowhere, message);
        }
        settings.extend(config.settings.clone());
        settings.options()
    }

    /// The bindings that are left of those that a definition offers.
    pub fn restrict(&self, offered: Bindings) -> Bindings {
        if self.bindings.0.is_empty() {
            return offered;
        }
        offered.and(self.bindings.of(|_| true).copied().collect())
    }

    /// The attributes of a type.
    pub fn type_attributes(&self, name: &str) -> impl Iterator<Item = &Attributes> {
        self.type_attribute.of(|pattern| pattern.matches(name))
    }

    /// The attributes of a field or a variant.
    pub fn field_attributes(&self, owner: &str, member: &str) -> impl Iterator<Item = &Attributes> {
        let attributes = &self.field_attribute;
        attributes.of(|pattern| pattern.matches_member(owner, member))
    }

    /// What a type derives beside what every one does.
    pub fn derives(&self, name: &str) -> impl Iterator<Item = &String> {
        let lists = self.type_derive.of(|pattern| pattern.matches(name));
        lists.flatten()
    }

    /// The Rust type that stands for what is called so.
    pub fn extern_path(&self, name: &str) -> Option<&str> {
        let mut paths = self.extern_path.of(|pattern| pattern.as_str() == name);
        paths.next_back().map(String::as_str)
    }
}
