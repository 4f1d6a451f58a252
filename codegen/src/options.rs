//! Which options hold for a service.

use std::sync::Arc;

use crate::config::{Config, Options, Settings};
use crate::model::Bindings;
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

    /// The Rust type that stands for what is called so.
    pub fn extern_path(&self, name: &str) -> Option<&str> {
        let mut paths = self.extern_path.of(|pattern| pattern.as_str() == name);
        paths.next_back().map(String::as_str)
    }
}
