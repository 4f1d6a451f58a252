//! `svcgen.toml`: options for all definitions in and below its folder, and for single services.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use svcgen_language::naming;
use svcgen_language::rules::Rule;
use svcgen_language::sink::{PendingSpan, Sink};

use crate::config::{Config, OPTIONS, OptionForm, OptionRow, Options, Settings, listed};
use crate::option_values::Layer;

impl Options {
    /// Resolves the options for a service. Reports invalid values.
    pub fn resolve(config: &Config, service: &str, sink: &mut Sink) -> Self {
        let mut settings = Settings::default();
        if let Some(file) = &config.file {
            sink.options_file = Some(Arc::clone(file));
            settings = read(&file.file, &file.text, service, sink);
        }
        for (option, complaint) in &config.refused {
            let message = format!("the option `{option}`: {complaint}");
            sink.add(Rule::OptionValue, PendingSpan::Nowhere, message);
        }
        settings.extend(config.settings.clone());
        settings.options()
    }
}

/// The table that contains the tables of single services.
const SERVICES: &str = "services";

/// The maximum depth of nested lists, tables and parts of keys.
const MOST_NESTED: usize = 32;

/// A value of TOML, restricted to the types that options have. Text without escapes borrows from
/// the file, so that its span is known.
enum Toml<'f> {
    Text(Cow<'f, str>),
    Switch(bool),
    Number,
    List(Vec<Toml<'f>>),
    Table(Vec<(Cow<'f, str>, Toml<'f>)>),
}

impl Toml<'_> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Switch(_) => "`true` or `false`",
            Self::Number => "a number",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

/// The settings of a file for a service: the top-level ones, overridden by those of the service's
/// table.
fn read(name: &str, text: &str, service: &str, sink: &mut Sink) -> Settings {
    let mut reader = Reader {
        folder: Path::new(name).parent().unwrap_or(Path::new("")),
        text,
        sink,
        settings: Settings::default(),
        layer: Some(Layer::Shared),
        option: 0..0,
    };
    let entries = reader.entries();
    for (key, value) in entries.iter().filter(|(key, _)| key != SERVICES) {
        reader.option(key, value);
    }
    for (_, value) in entries.iter().filter(|(key, _)| key == SERVICES) {
        reader.services(value, service);
    }
    reader.settings
}

struct Reader<'r> {
    /// The folder of the file, to which paths in it are relative.
    folder: &'r Path,
    text: &'r str,
    sink: &'r mut Sink,
    settings: Settings,
    /// The layer that is being read; `None` in the table of another service.
    layer: Option<Layer>,
    /// The span of the key of the option that is being read.
    option: Range<usize>,
}

impl<'r> Reader<'r> {
    /// The top-level entries; none if the text is not TOML.
    fn entries(&mut self) -> Vec<(Cow<'r, str>, Toml<'r>)> {
        // The parser recurses without a limit.
        if let Some(at) = too_deep(self.text) {
            let span = PendingSpan::OptionsFile(at..at + 1);
            self.sink
                .add(Rule::OptionsFile, span, "this is nested too deep")
                .hint(format!("tables and lists go {MOST_NESTED} deep at most"));
            return Vec::new();
        }
        match basic_toml::from_str(self.text) {
            Ok(Toml::Table(entries)) => entries,
            Ok(_) => Vec::new(),
            Err(error) => {
                self.refuse_syntax(&error);
                Vec::new()
            }
        }
    }

    fn refuse_syntax(&mut self, error: &basic_toml::Error) {
        let (line, column) = error.line_col().unwrap_or_default();
        let lines = self.text.split_inclusive('\n').take(line);
        let start = (lines.map(str::len).sum::<usize>() + column).min(self.text.len());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let span = PendingSpan::OptionsFile(start..start);
        self.sink
            .add(Rule::OptionsFile, span, format!("this is not TOML: {message}"))
            .hint("a line is written like `client = false`, a table like `[type_derive]`; names with `*` or `.` are in quotes");
    }

    /// Reads the tables of all services, and takes the settings of one.
    fn services(&mut self, value: &Toml<'_>, service: &str) {
        let Toml::Table(services) = value else {
            return self.refuse_kind(SERVICES, value, "holds a table for each service");
        };
        for (name, options) in services {
            let Toml::Table(entries) = options else {
                self.refuse_kind(name, options, "is a table of options");
                continue;
            };
            self.layer = (name == service).then_some(Layer::Service);
            for (key, value) in entries {
                self.option(key, value);
            }
        }
        let names = || services.iter().map(|(name, _)| name.as_ref());
        if names().all(|name| name != service) {
            names().for_each(|name| self.warn_if_misspelt(name, service));
        }
    }

    /// Warns of a table that would be ignored because its name is misspelt.
    fn warn_if_misspelt(&mut self, name: &str, service: &str) {
        if !naming::is_misspelt(name, service) {
            return;
        }
        let span = self.pending_span(name);
        let message = format!("the options of `{name}` are not for the service `{service}`");
        self.sink
            .add(Rule::MisspeltService, span, message)
            .fix(name, service)
            .certain(false)
            .hint(format!(
                "did you mean `{service}`? if these are two services, give that one a table, too"
            ));
    }

    fn option(&mut self, key: &str, value: &Toml<'_>) {
        let Some(row) = OPTIONS.iter().find(|row| row.name == key) else {
            let else_hint = match value {
                Toml::Table(_) => format!(
                    "the options of a service are in the table `[{SERVICES}.{key}]`; options that are tables are {}",
                    names(OPTIONS.iter().filter(|row| row.form == OptionForm::Pairs))
                ),
                _ => format!("the options are {}, `{SERVICES}`", names(OPTIONS.iter())),
            };
            let known = OPTIONS.iter().map(|row| row.name).chain([SERVICES]);
            let span = self.pending_span(key);
            self.sink
                .add(Rule::UnknownOption, span, format!("unknown option `{key}`"))
                .nearest(key, known, &else_hint);
            return;
        };
        self.option = self.span(key).unwrap_or_default();
        match (row.form, value) {
            (OptionForm::Switch, Toml::Switch(value)) => {
                self.add(row, "", if *value { "true" } else { "false" }, key);
            }
            (OptionForm::Text, Toml::Text(text)) => self.add(row, "", text, text),
            (OptionForm::Folder, Toml::Text(text)) => self.add(row, "", text, text),
            (OptionForm::Folder, Toml::List(items)) => self.items(row, "", items),
            (OptionForm::List, Toml::Text(text)) => {
                for item in listed(text) {
                    self.add(row, "", item, item);
                }
            }
            (OptionForm::List, Toml::List(items)) => self.items(row, "", items),
            (OptionForm::Pairs, Toml::Table(pairs)) => {
                for (of, value) in pairs {
                    self.pair(row, of, value);
                }
            }
            (form, other) => self.refuse_kind(key, other, expected(form)),
        }
    }

    fn pair(&mut self, row: &OptionRow, of: &str, value: &Toml<'_>) {
        match value {
            Toml::Text(text) => self.add(row, of, text, of),
            Toml::List(items) => self.items(row, of, items),
            other => self.refuse_kind(of, other, "is a text, or a list of texts"),
        }
    }

    fn items(&mut self, row: &OptionRow, of: &str, items: &[Toml<'_>]) {
        for item in items {
            match item {
                Toml::Text(text) => self.add(row, of, text, text),
                other => self.refuse_kind(row.name, other, "is of texts"),
            }
        }
    }

    /// Adds a value unless it is of another service. Its span is that of `part` in the text.
    fn add(&mut self, row: &OptionRow, of: &str, value: &str, part: &str) {
        let Some(layer) = self.layer else { return };
        let span = self.pending_span(part);
        let mut value = Cow::Borrowed(value);
        if row.form == OptionForm::Folder {
            value = Cow::Owned(self.folder.join(&*value).display().to_string());
        }
        let added = (row.add)(&mut self.settings, of, &value, layer, span.clone());
        if let Err(complaint) = added {
            let message = format!("the option `{}`: {complaint}", row.name);
            self.sink.add(Rule::OptionValue, span, message);
        }
    }

    fn refuse_kind(&mut self, key: &str, found: &Toml<'_>, expected: &str) {
        let span = self.pending_span(key);
        let message = format!("`{key}` {expected}; here it is {}", found.kind());
        self.sink.add(Rule::OptionValue, span, message);
    }

    /// The span of a part of the text, or of its option if the part is a copy without escapes.
    fn pending_span(&self, part: &str) -> PendingSpan {
        PendingSpan::OptionsFile(self.span(part).unwrap_or_else(|| self.option.clone()))
    }

    fn span(&self, part: &str) -> Option<Range<usize>> {
        let text = self.text.as_bytes().as_ptr_range();
        let start = (part.as_ptr() as usize).checked_sub(text.start as usize)?;
        text.contains(&part.as_ptr())
            .then_some(start..start + part.len())
    }
}

fn names<'r>(rows: impl Iterator<Item = &'r OptionRow>) -> String {
    let names: Vec<_> = rows.map(|row| format!("`{}`", row.name)).collect();
    names.join(", ")
}

/// The offset where brackets or the dots of a key exceed the maximum depth.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut dots, mut at) = (0_usize, 0, 0);
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'.' => dots += 1,
            b'\n' => dots = 0,
            _ => {}
        }
        if depth + dots > MOST_NESTED {
            return Some(at);
        }
        at += match byte {
            b'"' | b'\'' => quoted(&text[at..]),
            b'#' => text[at..].find('\n').unwrap_or(text.len() - at),
            _ => 1,
        };
    }
    None
}

/// The length of the quoted text at the start; without a closing quote, the text ends with its
/// line, or with the file if it has three quotes.
fn quoted(text: &str) -> usize {
    let quote = &text[..1];
    let (quotes, end) = if text.starts_with(&quote.repeat(3)) {
        (quote.repeat(3), text.len())
    } else {
        (quote.to_owned(), text.find('\n').unwrap_or(text.len()))
    };
    let mut at = quotes.len();
    while at < end && !text[at..].starts_with(&quotes) {
        let is_escape = quote == "\"" && text[at..].starts_with('\\');
        let characters = text[at..].chars().take(if is_escape { 2 } else { 1 });
        at += characters.map(char::len_utf8).sum::<usize>();
    }
    (at + quotes.len()).min(end)
}

fn expected(form: OptionForm) -> &'static str {
    match form {
        OptionForm::Switch => "is `true` or `false`",
        OptionForm::Text => "is a text",
        OptionForm::Folder => "is the path of a folder, or a list of such paths",
        OptionForm::List => "is a list of texts",
        OptionForm::Pairs => "is a table from names to texts",
    }
}

impl<'de> Deserialize<'de> for Toml<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyToml)
    }
}

struct AnyToml;

impl<'de> Visitor<'de> for AnyToml {
    type Value = Toml<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Toml::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Toml::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Toml::Switch(value))
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Toml::Number)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Toml::Number)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Toml::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = map.next_entry()? {
            if let Toml::Text(key) = key {
                entries.push((key, value));
            }
        }
        Ok(Toml::Table(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Settings {
        let mut sink = Sink::default();
        let settings = read("svcgen.toml", text, "Shop", &mut sink);
        assert!(!sink.has_errors());
        settings
    }

    #[test]
    fn settings_know_where_they_stand() {
        let text =
            "builders = [\"A\", 'B']\nopen_enums = \"C, D,\"\n[type_derive]\n\"*\" = \"Eq\"\n";
        let settings = settings(text);
        let lists = settings.builders.0.iter().chain(&settings.open_enums.0);
        let lists = lists.map(|setting| (&setting.pattern, &setting.span));
        let pairs = settings.type_derive.0.iter();
        let pairs = pairs.map(|setting| (&setting.pattern, &setting.span));
        let spans = lists.chain(pairs).map(|(pattern, span)| match span {
            PendingSpan::OptionsFile(span) => (pattern.as_str(), &text[span.clone()]),
            span => panic!("{span:?}"),
        });
        let expected = ["A", "B", "C", "D", "*"].map(|pattern| (pattern, pattern));
        assert_eq!(spans.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn nesting_is_bounded_and_text_is_no_nesting() {
        let list = |depth: usize| format!("a = {}{}", "[".repeat(depth), "]".repeat(depth));
        let key = |parts: usize| vec!["a"; parts].join(".");
        assert_eq!(too_deep(&list(MOST_NESTED)), None);
        assert_eq!(too_deep(&list(MOST_NESTED + 1)), Some(4 + MOST_NESTED));
        assert_eq!(too_deep(&format!("[{}]", key(MOST_NESTED))), None);
        assert!(too_deep(&format!("[{}]", key(MOST_NESTED + 1))).is_some());
        assert!(too_deep(&format!("{} = 1", key(40_000))).is_some());
        let deep = "[{.".repeat(40);
        for quoted in [
            format!("# {deep}\n"),
            format!("a = '{deep}'"),
            format!("a = \"\\\"{deep}\""),
            format!("a = \"\"\"\n\"{deep}\\\"\"\"\"\n"),
            format!("a = '''\n{deep}\\'''\n"),
        ] {
            assert_eq!(too_deep(&quoted), None, "{quoted}");
            assert!(too_deep(&format!("{quoted}\n{deep}")).is_some(), "{quoted}");
        }
    }

    #[test]
    fn a_service_takes_its_own_table() {
        let text =
            "client = false\n[services.Shop]\nclient = true\n[services.Other]\nserver = false\n";
        let settings = settings(text);
        assert_eq!((settings.client.0.len(), settings.server.0.len()), (2, 0));
    }
}
