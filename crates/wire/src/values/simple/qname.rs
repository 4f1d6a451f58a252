//! QName.

use std::fmt;
use std::str::FromStr;

use super::number::trim;
use super::text_value::{LexicalError, cannot_convert};
use crate::values::content::Content;
use crate::values::element::Element;
use crate::values::value::Value;
use crate::xml::error::{CONCEALED, ReadError};
use crate::xml::names::is_ncname;
use crate::xml::namespaces::{Namespaces, XML};

/// A name in a namespace (XML Schema QName, .NET `XmlQualifiedName`).
///
/// ```
/// let code = svcgen::types::QName::new("http://example.com/codes", "Locked");
/// assert_eq!(code.to_string(), "{http://example.com/codes}Locked");
/// ```
///
/// In XML, prefixes are resolved by the declarations in scope, and a name without a prefix is in
/// the default namespace. A name is written with its own prefix, as in .NET:
/// `<Code xmlns:q1="http://example.com/codes">q1:Locked</Code>`. A name in no namespace is written
/// without a prefix, as in .NET, so readers resolve it by the default namespace; prefer names in a
/// namespace. An empty element is the empty name, as in .NET.
///
/// As text, and in a form, where there are no prefixes, it is `{namespace}local`, or `local` if it
/// is in no namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct QName {
    #[doc(hidden)]
    pub namespace: String,
    #[doc(hidden)]
    pub local: String,
}

impl QName {
    /// Creates a name in a namespace, which is empty for none. For texts that may be malformed,
    /// parse instead.
    ///
    /// # Panics
    ///
    /// Panics if `local` is not an NCName of XML, a name without a prefix.
    #[track_caller]
    pub fn new(namespace: impl Into<String>, local: impl Into<String>) -> Self {
        let local = local.into();
        assert!(
            is_ncname(&local),
            "{local:?} is not a name without a prefix"
        );
        Self {
            namespace: namespace.into(),
            local,
        }
    }

    /// The namespace, empty for none.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The local name, without a prefix.
    pub fn local(&self) -> &str {
        &self.local
    }

    fn is_empty(&self) -> bool {
        self.namespace.is_empty() && self.local.is_empty()
    }
}

impl fmt::Display for QName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.namespace.is_empty() {
            write!(f, "{{{}}}", self.namespace)?;
        }
        f.write_str(&self.local)
    }
}

impl FromStr for QName {
    type Err = LexicalError;

    fn from_str(text: &str) -> Result<Self, LexicalError> {
        let (namespace, local) = match text.strip_prefix('{') {
            // A local name contains no brace, but a namespace may.
            Some(rest) => rest.rsplit_once('}').ok_or(LexicalError::new("QName"))?,
            None => ("", text),
        };
        if is_ncname(local) {
            Ok(Self::new(namespace, local))
        } else {
            Err(LexicalError::new("QName"))
        }
    }
}

/// Resolves `prefix:local` by the declarations in scope.
///
/// # Errors
///
/// Returns the message of the error.
fn resolve(text: &str, declared: &Namespaces<'_>) -> Result<QName, String> {
    let name = trim(text);
    if name.is_empty() {
        return Ok(QName::default());
    }
    let (prefix, local) = name.split_once(':').unwrap_or(("", name));
    let has_prefix = local.len() < name.len();
    if !is_ncname(local) || (has_prefix && !is_ncname(prefix)) {
        return Err(not_one(text));
    }
    match declared.resolve(prefix) {
        Some(namespace) => Ok(QName::new(declared.name(namespace), local)),
        None => Err(format!("Namespace prefix '{prefix}' is not defined.")),
    }
}

fn not_one(text: &str) -> String {
    format!("The string '{text}' is not a valid QName value.")
}

impl Value for QName {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        if element.is_form() {
            let text = element.text()?;
            let not_one = "The string is not a valid QName value.";
            *self = trim(&text)
                .parse()
                .map_err(|_| cannot_convert(element, &text, "QName", not_one))?;
            return Ok(());
        }
        let text = element.text_to_check()?;
        // Must come before the element is closed, which ends its own declarations.
        *self = resolve(&text, &element.tokens.namespaces).map_err(|message| {
            let error = element.no_value(message).or_concealed(not_one(CONCEALED));
            if element.is_attribute() {
                error
            } else {
                // .NET also resolves the prefix here.
                element.before_end_tag(error)
            }
        })?;
        element.tokens.take_room(self.namespace.len())?;
        element.close();
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        if out.is_sink() {
            return out.no_form(name, "a qualified name");
        }
        if self.is_empty() {
            return out.text(name, "");
        }
        if !is_ncname(&self.local) {
            return out.fail(format!(
                "'{name}' holds a qualified name whose local name is none."
            ));
        }
        if out.is_form() {
            return out.text(name, &self.to_string());
        }
        let prefix = match &*self.namespace {
            "" => return out.text(name, &self.local),
            XML => return out.text(name, &format!("xml:{}", self.local)),
            // Several attributes of an element may have names in different namespaces.
            _ if out.is_attribute() => format!("q1.{name}"),
            _ => "q1".to_owned(),
        };
        let (declaration, text) = (
            format!("xmlns:{prefix}"),
            format!("{prefix}:{}", self.local),
        );
        if out.is_attribute() {
            out.text(&declaration, &self.namespace);
            return out.text(name, &text);
        }
        out.start(name, &[(&declaration, &self.namespace)]);
        out.escaped(&text);
        out.end_inline(name);
    }
}
