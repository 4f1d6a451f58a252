//! Values of YAML, by the types of their places.

use std::fmt;

use serde_json::{Map, Value as Json};
use svcgen_codegen::Diagnostics;
use svcgen_language::yaml::{Collection, Content, Node, ScalarStyle, parse};

use crate::place::Place;
use crate::value_path::ValuePath;

/// The reason why YAML is not a value of a place.
#[derive(Debug)]
#[non_exhaustive]
pub enum YamlError {
    /// It is not YAML.
    Syntax(Diagnostics),
    /// A value is not of its type, or has an unknown name.
    Value {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The path of the value, and the expected kind of value. It contains no value.
        message: String,
    },
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(diagnostics) => diagnostics.fmt(f),
            Self::Value {
                file,
                line,
                column,
                message,
            } => write!(f, "{file}:{line}:{column}: {message}"),
        }
    }
}

impl std::error::Error for YamlError {}

impl Place {
    /// Converts YAML or JSON to a value. A scalar is converted by the type of its place, from its
    /// text, so that `1.10` is a decimal with two digits and `no` a string; `null`, `~` and an
    /// empty value are absent. `file` is its name in errors.
    ///
    /// ```
    /// use serde_json::json;
    /// use svcgen_messages::Service;
    ///
    /// # let definition = "
    /// # service: Prices
    /// # namespace: http://example.com/prices
    /// # path: /Prices.asmx
    /// # operations:
    /// #   Set: { parameters: { article: string, price: decimal, from: 'date?' } }
    /// # ";
    /// let set = Service::of_definition("prices.yaml", definition)?.operation("Set")?;
    /// let yaml = "article: 0042\nprice: 1.10\nfrom: 2024-01-31\n";
    /// let parameters = set.parameter_place().value_of_yaml("set.yaml", yaml.as_bytes())?;
    /// assert_eq!(parameters, json!({ "article": "0042", "price": "1.10", "from": "2024-01-31" }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// It is not YAML, has more than a megabyte, or a value in it does not fit.
    pub fn value_of_yaml(self, file: &str, bytes: &[u8]) -> Result<Json, YamlError> {
        let tree = parse(file, bytes).map_err(YamlError::Syntax)?;
        let refused = |Refused { at, message }| YamlError::Value {
            file: file.to_owned(),
            line: at.0,
            column: at.1 + 1,
            message,
        };
        self.value(&tree.root, None).map_err(refused)
    }

    fn value(self, node: &Node, path: Option<&ValuePath<'_>>) -> Result<Json, Refused> {
        match &node.target().content {
            Content::Nothing => Ok(Json::Null),
            Content::Scalar { text, style } => {
                let is_plain = *style == ScalarStyle::Plain;
                if is_plain && matches!(&**text, "null" | "~") {
                    return Ok(Json::Null);
                }
                let value = self.value_of_text(text);
                value.map_err(|message| Refused::at(node, path, message))
            }
            Content::Collection(within) => match self.tables().filter(|_| !is_xml(within)) {
                Some(tables) => {
                    let value = self.value_of_rows(tables, node);
                    value.map_err(|refused| refused.within(path))
                }
                None => self.collection(node, within, path),
            },
            // The target of an alias is never an alias.
            Content::Alias { .. } => Ok(Json::Null),
        }
    }

    fn collection(
        self,
        node: &Node,
        within: &Collection,
        path: Option<&ValuePath<'_>>,
    ) -> Result<Json, Refused> {
        if within.is_map {
            return self.object(node, within, path);
        }
        let Some(item) = self.item() else {
            let message = format!("{} is expected, not a list", self.expected());
            return Err(Refused::at(node, path, message));
        };
        let items = within.slots.iter().enumerate().map(|(index, slot)| {
            let path = path.map_or_else(|| ValuePath::of(""), |path| path.item(index));
            item.value(&slot.value, Some(&path))
        });
        items.collect()
    }

    fn object(
        self,
        node: &Node,
        map: &Collection,
        path: Option<&ValuePath<'_>>,
    ) -> Result<Json, Refused> {
        let members = self.members();
        // Only an object without members has no member to name.
        if members.is_empty() && (self.is_simple() || self.item().is_some()) {
            let message = format!("{} is expected, not an object", self.expected());
            return Err(Refused::at(node, path, message));
        }
        let mut object = Map::new();
        for slot in &map.slots {
            let key = slot.first();
            let Content::Scalar { text: name, .. } = &key.target().content else {
                return Err(Refused::at(key, path, "a name is expected"));
            };
            let Some(member) = self.member(name) else {
                let message = self.no_member(name);
                return Err(Refused::at(key, path, message));
            };
            let path = match path {
                Some(path) => path.member(name),
                None => ValuePath::of(name),
            };
            let value = member.value(&slot.value, Some(&path))?;
            if object.insert(name.clone(), value).is_some() {
                return Err(Refused::at(key, Some(&path), "it is there twice"));
            }
        }
        Ok(Json::Object(object))
    }
}

/// Whether it is a typed set with its XML.
fn is_xml(within: &Collection) -> bool {
    let mut keys = within
        .slots
        .iter()
        .map(|slot| &slot.first().target().content);
    within.is_map && keys.any(|key| matches!(key, Content::Scalar { text, .. } if text == "$text"))
}

/// A node that is not a value of its place.
pub(crate) struct Refused {
    at: (usize, usize),
    message: String,
}

impl Refused {
    /// Adds a path around that of the value.
    fn within(self, path: Option<&ValuePath<'_>>) -> Self {
        let message = match path {
            Some(path) => format!("{path}: {}", self.message),
            None => self.message,
        };
        Self { message, ..self }
    }

    pub(crate) fn at(
        node: &Node,
        path: Option<&ValuePath<'_>>,
        message: impl fmt::Display,
    ) -> Self {
        let message = match path {
            Some(path) => format!("{path}: {message}"),
            None => message.to_string(),
        };
        Self {
            at: (node.start.line, node.start.column),
            message,
        }
    }
}
