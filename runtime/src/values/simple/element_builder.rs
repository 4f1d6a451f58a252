//! Building XML content element by element.

use std::fmt::Write as _;

use super::fragment::XmlFragment;
use crate::xml::error::WriteError;
use crate::xml::escape::{push_attribute, push_text};
use crate::xml::names::is_ncname;
use crate::xml::namespaces::{XML, XMLNS};

/// An element of an [`XmlFragment`] while it is being built.
///
/// Nothing fails before [`build`](Self::build), which returns the first mistake.
#[derive(Debug, Clone)]
#[must_use = "call `build`"]
pub struct ElementBuilder {
    name: String,
    namespace: Option<String>,
    /// ` name="value"` of each attribute.
    attributes: String,
    attribute_names: Vec<String>,
    content: String,
    error: Option<WriteError>,
}

impl XmlFragment {
    /// Starts an element with a local name, to be built.
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
            attribute_names: Vec::new(),
            content: String::new(),
            error: None,
        };
        if !is_ncname(name) {
            builder.fail(format!("'{name}' is no name of an element; it is made of letters, digits, '.', '-' and '_', and starts with a letter or '_'."));
        }
        builder
    }

    /// Puts the element into a namespace. By default it is in that of the element around it, the outermost one in none.
    pub fn with_namespace(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.to_owned());
        self
    }

    /// Adds an attribute, which is in no namespace.
    pub fn with_attribute(mut self, name: &str, value: &str) -> Self {
        if !is_ncname(name) || name == "xmlns" {
            self.fail(format!("'{name}' is no name of an attribute."));
        } else if self.attribute_names.iter().any(|known| known == name) {
            self.fail(format!("'{}' has two attributes '{name}'.", self.name));
        }
        let written = push_attribute(&mut self.attributes, name, value);
        self.attribute_names.push(name.to_owned());
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

    /// Adds a fragment, as it stands.
    pub fn with_fragment(mut self, fragment: &XmlFragment) -> Self {
        self.content.push_str(fragment.as_str());
        self
    }

    /// Ends the building.
    ///
    /// # Errors
    ///
    /// The first thing that was no name, was there twice, or that XML cannot carry.
    pub fn build(self) -> Result<XmlFragment, WriteError> {
        let mut markup = String::new();
        self.write(&mut markup, Some(""))?;
        Ok(XmlFragment::trusted(markup))
    }

    /// Appends the element; `namespace` is that of an element which has been put into none.
    fn write(self, out: &mut String, namespace: Option<&str>) -> Result<(), WriteError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        out.push('<');
        out.push_str(&self.name);
        if let Some(namespace) = self.namespace.as_deref().or(namespace) {
            // Namespaces in XML 1.0 §3: these have prefixes of their own and are never the default one.
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
