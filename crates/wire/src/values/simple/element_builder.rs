//! Building XML content element by element.

use std::fmt::Write as _;

use super::fragment::XmlFragment;
use crate::xml::error::WriteError;
use crate::xml::escape::{push_attribute, push_text};
use crate::xml::names::is_ncname;
use crate::xml::namespaces::{XML, XMLNS};

/// Builds an element of an [`XmlFragment`].
///
/// [`build`](Self::build) returns the first error.
#[derive(Debug, Clone)]
#[must_use = "call `build`"]
pub struct ElementBuilder {
    name: String,
    namespace: Option<String>,
    /// ` name="value"` of each attribute.
    attributes: String,
    content: String,
    error: Option<WriteError>,
}

impl XmlFragment {
    /// Starts building an element with a local name.
    pub fn element(name: &str) -> ElementBuilder {
        ElementBuilder::new(name)
    }
}

impl ElementBuilder {
    fn new(name: &str) -> Self {
        let mut builder = Self {
            name: name.to_owned(),
            namespace: None,
            attributes: String::new(),
            content: String::new(),
            error: None,
        };
        if !is_ncname(name) {
            builder.fail(format!("'{name}' is not an element name; such a name is made of letters, digits, '.', '-' and '_', and starts with a letter or '_'."));
        }
        builder
    }

    /// Sets the namespace of the element. By default it is that of the parent, or none for the
    /// outermost element.
    pub fn with_namespace(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.to_owned());
        self
    }

    /// Adds an attribute, which is in no namespace.
    pub fn with_attribute(mut self, name: &str, value: &str) -> Self {
        if !is_ncname(name) || name == "xmlns" {
            self.fail(format!("'{name}' is not an attribute name."));
        } else if self.attributes.contains(&format!(" {name}=\"")) {
            // Values contain no quotes, so this is the name of an attribute.
            self.fail(format!("'{}' has two attributes '{name}'.", self.name));
        }
        let written = push_attribute(&mut self.attributes, name, value);
        self.keep_error(written)
    }

    /// Adds text.
    pub fn with_text(mut self, text: &str) -> Self {
        let written = push_text(&mut self.content, text);
        self.keep_error(written)
    }

    /// Adds an element.
    pub fn with_child(mut self, child: ElementBuilder) -> Self {
        let written = child.write(&mut self.content, None);
        self.keep_error(written)
    }

    /// Adds a fragment.
    pub fn with_fragment(mut self, fragment: &XmlFragment) -> Self {
        self.content.push_str(fragment.as_str());
        self
    }

    /// Returns the element as a fragment.
    ///
    /// # Errors
    ///
    /// Returns the first malformed name, duplicate attribute or text that XML cannot carry.
    pub fn build(self) -> Result<XmlFragment, WriteError> {
        let mut markup = String::new();
        self.write(&mut markup, Some(""))?;
        Ok(XmlFragment::trusted(markup))
    }

    /// Appends the element; `namespace` is its namespace if none was set.
    fn write(self, out: &mut String, namespace: Option<&str>) -> Result<(), WriteError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        out.push('<');
        out.push_str(&self.name);
        if let Some(namespace) = self.namespace.as_deref().or(namespace) {
            // Namespaces in XML 1.0 §3: these have prefixes of their own and are never the default
            // namespace.
            if matches!(namespace, XML | XMLNS) {
                let message = format!("No element can be put into the namespace '{namespace}'.");
                return Err(WriteError::new(message));
            }
            push_attribute(out, "xmlns", namespace)?;
        }
        out.push_str(&self.attributes);
        if self.content.is_empty() {
            out.push_str(" />");
            return Ok(());
        }
        out.push('>');
        out.push_str(&self.content);
        // Writing to a `String` cannot fail.
        let _ = write!(out, "</{}>", self.name);
        Ok(())
    }

    fn fail(&mut self, message: String) {
        self.error.get_or_insert_with(|| WriteError::new(message));
    }

    fn keep_error(mut self, written: Result<(), WriteError>) -> Self {
        if let Err(error) = written {
            self.error.get_or_insert(error);
        }
        self
    }
}
