//! Parameters and SOAP headers from the command line.

use std::collections::HashSet;
use std::fs::File;
use std::io::stdin;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json};
use svcgen::mask::Secrets;
use svcgen_messages::{Place, YamlError};

use crate::input::{bounded, up_to};
use crate::secret_text::{SecretText, can_prompt};

/// The maximum length of a file with one value, in bytes.
const MOST_BYTES: usize = 64 << 20;

/// Adds the values of all secrets of an object, which no message shows.
fn add_secrets(secrets: &mut Secrets, place: Place, value: &Json) {
    match value {
        Json::Object(map) => {
            for (name, value) in map {
                if let Some(member) = place.member(name) {
                    add_secrets(secrets, member, value);
                }
            }
        }
        Json::Array(items) => {
            for (item, value) in place.item().into_iter().cycle().zip(items) {
                add_secrets(secrets, item, value);
            }
        }
        Json::String(text) if place.is_secret() => secrets.add(text),
        Json::Number(number) if place.is_secret() => secrets.add(&number.to_string()),
        _ => {}
    }
}

/// An object of the values given so far.
pub(crate) struct GivenValues<'n> {
    place: Place,
    /// The name of what is given, for messages.
    of: &'n str,
    value: Json,
    paths: HashSet<String>,
}

impl<'n> GivenValues<'n> {
    pub fn new(place: Place, of: &'n str, sample: Option<Json>) -> Self {
        Self {
            place,
            of,
            value: sample.unwrap_or_else(|| Json::Object(Map::new())),
            paths: HashSet::new(),
        }
    }

    /// Adds the values of all arguments: files first, then single values.
    ///
    /// # Errors
    ///
    /// Returns an error if an argument is wrong. It quotes no secret.
    pub fn with_all(mut self, arguments: &[String], secrets: &mut Secrets) -> Result<Json, String> {
        let is_file = |argument: &&String| argument.starts_with('@');
        for file in arguments.iter().filter(is_file) {
            let (name, bytes) = read(&file[1..])?;
            let value = self.place.value_of_yaml(&name, &bytes);
            let value = value.map_err(|error| error.to_string().trim_end().to_owned())?;
            merge(self.place, &mut self.value, value);
        }
        for argument in arguments.iter().filter(|argument| !is_file(argument)) {
            let Some((path, text)) = argument.split_once('=') else {
                return Err(format!(
                    "`{argument}` is not an argument of {}: write it as `name=value`, or `@FILE`",
                    self.of
                ));
            };
            if !self.paths.insert(path.to_owned()) {
                return Err(format!(
                    "{path} is given twice: items of a list are `{path}[0]=…`, `{path}[1]=…`"
                ));
            }
            let named = |complaint| format!("{path}: {complaint}");
            set(self.place, &mut self.value, path, path, text).map_err(named)?;
        }
        if can_prompt() {
            ask(self.place, &mut self.value)?;
        }
        add_secrets(secrets, self.place, &self.value);
        Ok(self.value)
    }
}

/// Replaces values by new ones, member by member.
fn merge(place: Place, old: &mut Json, new: Json) {
    match (old, new) {
        (Json::Object(old), Json::Object(new)) => {
            for (name, value) in new {
                choose(place, old, &name);
                match (place.member(&name), old.get_mut(&name)) {
                    (Some(member), Some(old)) => merge(member, old, value),
                    _ => drop(old.insert(name, value)),
                }
            }
        }
        (old, new) => *old = new,
    }
}

/// Removes all alternatives of a choice except one.
fn choose(place: Place, object: &mut Map<String, Json>, name: &str) {
    if place.is_choice() {
        object.retain(|other, _| other == name);
    }
}

/// Returns the member that a path begins with, and the rest of the path.
pub(crate) fn first_member(place: Place, path: &str) -> Option<(&'static str, Place, &str)> {
    let path = path.strip_prefix('.').unwrap_or(path);
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
    let mut names = place.members();
    // Longer names first, as names may contain dots.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.into_iter().find_map(|name| {
        let rest = path.strip_prefix(name).filter(|rest| ends(rest))?;
        Some((name, place.member(name)?, rest))
    })
}

/// Returns the index of an item, after the opening bracket, and the rest of the path.
pub(super) fn first_item(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

/// Sets the value at a path.
fn set(place: Place, value: &mut Json, path: &str, rest: &str, text: &str) -> Result<(), String> {
    if rest.is_empty() {
        *value = read_value(place, path, text)?;
        return Ok(());
    }
    if let Some(rest) = rest.strip_prefix('[') {
        let Some(item) = place.item() else {
            return Err(format!("{} is expected here, not a list", place.expected()));
        };
        let (index, rest) = first_item(rest).ok_or("the number of an item is written as `[0]`")?;
        if !value.is_array() {
            *value = Json::Array(Vec::new());
        }
        let Json::Array(items) = value else {
            return Ok(());
        };
        if index > items.len() {
            return Err(format!("give the item [{}] first", items.len()));
        }
        if index == items.len() {
            items.push(Json::Null);
        }
        return set(item, &mut items[index], path, rest, text);
    }
    let Some((name, member, rest)) = first_member(place, rest) else {
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        if place.item().is_some() {
            return Err("it is a list: its items are `[0]`, `[1]`".to_owned());
        }
        return Err(place.no_member(rest.split(['.', '[']).next().unwrap_or(rest)));
    };
    if !value.is_object() {
        *value = Json::Object(Map::new());
    }
    let Json::Object(object) = value else {
        return Ok(());
    };
    choose(place, object, name);
    set(
        member,
        object.entry(name).or_insert(Json::Null),
        path,
        rest,
        text,
    )
}

/// Reads the value from the text after `=`.
fn read_value(place: Place, path: &str, text: &str) -> Result<Json, String> {
    if !place.is_simple() || place.is_tables() {
        let Some(file) = text.strip_prefix('@') else {
            return match of_structure(place, path, text.as_bytes()) {
                // The caller adds the place.
                Err(YamlError::Value { message, .. }) => Err(message),
                value => value.map_err(|error| error.to_string().trim_end().to_owned()),
            };
        };
        let (name, bytes) = read(file)?;
        let value = of_structure(place, &name, &bytes);
        return value.map_err(|error| error.to_string().trim_end().to_owned());
    }
    if place.is_secret() {
        let Ok(secret) = text.parse::<SecretText>();
        return place.value_of_text(secret.read(path)?.as_str());
    }
    let refuse = |complaint: String, text: &str| {
        let shown: String = text.chars().take(60).collect();
        format!("`{shown}` does not fit: {complaint}")
    };
    let value = |text: &str| {
        let value = place.value_of_text(text);
        value.map_err(|complaint| refuse(complaint, text))
    };
    match text.strip_prefix('@') {
        Some(rest) if rest.starts_with('@') => value(rest),
        Some(file) => {
            let (name, bytes) = read(file)?;
            if place.is_bytes() {
                return Ok(Json::from(STANDARD.encode(bytes)));
            }
            let text = String::from_utf8(bytes).map_err(|_| format!("{name} is not UTF-8"))?;
            value(&text)
        }
        None => value(text),
    }
}

/// Reads a value from YAML or JSON, or from the XML of tables.
fn of_structure(place: Place, name: &str, bytes: &[u8]) -> Result<Json, YamlError> {
    let is_xml = place.is_tables() && bytes.trim_ascii_start().starts_with(b"<");
    let xml = std::str::from_utf8(bytes).ok().filter(|_| is_xml);
    match xml.and_then(|xml| place.value_of_text(xml).ok()) {
        Some(value) => Ok(value),
        None => place.value_of_yaml(name, bytes),
    }
}

/// Reads a file. Returns its name and its bytes; `-` is standard input.
fn read(path: &str) -> Result<(String, Vec<u8>), String> {
    if path == "-" {
        let bytes = bounded(stdin().lock());
        let bytes = bytes.map_err(|error| format!("standard input cannot be read: {error}"))?;
        return Ok(("standard input".to_owned(), bytes));
    }
    let bytes = File::open(path).and_then(|file| up_to(MOST_BYTES, file));
    let bytes = bytes.map_err(|error| format!("{path} cannot be read: {error}"))?;
    if bytes.len() > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(format!("{path} is too large: at most {most} MiB are read"));
    }
    Ok((path.to_owned(), bytes))
}

/// Asks for missing secrets on the terminal. An optional secret is left out if nothing is typed.
fn ask(place: Place, value: &mut Json) -> Result<(), String> {
    let Json::Object(object) = value else {
        return Ok(());
    };
    for name in place.members() {
        let Some(member) = place.member(name) else {
            continue;
        };
        match object.get_mut(name) {
            Some(value) => ask(member, value)?,
            None if member.is_secret() && member.is_simple() => {
                let typed = SecretText::Prompt.read(name)?;
                if !(typed.is_empty() && member.may_be_missing()) {
                    let value = member.value_of_text(typed.as_str());
                    let value = value.map_err(|complaint| format!("{name}: {complaint}"))?;
                    object.insert(name.to_owned(), value);
                }
            }
            None => {}
        }
    }
    Ok(())
}
