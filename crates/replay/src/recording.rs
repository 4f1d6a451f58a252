//! The information about a recorded exchange.

use std::fs;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::fill::Scopes;

/// The contents of `exchange.json`, which `svcgen record` writes. Other recordings may not have
/// this file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct About {
    begun: Option<DateTime<Utc>>,
    connection: Option<u64>,
    caller: Option<String>,
    is_whole: Option<bool>,
    pub(crate) unread: Option<String>,
    pub(crate) is_masked: bool,
}

impl About {
    pub(crate) fn of(folder: &Path) -> Result<Self, String> {
        let path = folder.join("exchange.json");
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Whether a message was broken off, or not kept completely.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.is_whole == Some(false)
    }

    /// Returns the key of the exchanges that keep their order: the calls of one connection. All
    /// exchanges without this information share one key.
    pub(crate) fn lane(&self) -> String {
        let connection = self
            .connection
            .map_or(String::new(), |number| number.to_string());
        format!(
            "{} {connection}",
            self.caller.as_deref().unwrap_or_default()
        )
    }

    /// Returns the scopes whose values the request may contain: its connection, the address of its
    /// caller, and the global scope.
    pub(crate) fn scopes(&self) -> Scopes {
        let caller = self.caller.as_deref().unwrap_or_default();
        let address = caller
            .rsplit_once(':')
            .map_or(caller, |(address, _)| address);
        [self.lane(), address.to_owned(), String::new()]
    }

    /// Returns the time from the beginning of another exchange to that of this one.
    pub(crate) fn after(&self, first: &Self) -> Option<Duration> {
        (self.begun? - first.begun?).to_std().ok()
    }
}
