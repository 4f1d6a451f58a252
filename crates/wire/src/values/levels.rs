//! The namespaces that a writer has declared, if not all elements are in the same one.

use svcgen_model::{self as model, ComplexType, ElementForm, Service, TextForm};

use crate::xml::names::expanded_name;
use crate::xml::namespaces::XML;
use crate::xml::scopes::{Declared, Rows, Scopes};

/// The open elements and the prefixes declared in them.
#[derive(Debug)]
pub struct Levels<'a> {
    /// The namespace of the service, and the form of the elements of its types.
    service: Declared<'a>,
    /// The level of the outermost element in the message, from 1; it is part of the names of
    /// prefixes.
    first: usize,
    open: Vec<Level<'a>>,
    /// The prefixes declared in open elements, with their namespaces.
    prefixes: Vec<(String, &'a str)>,
    /// The number of prefixes for the types of values.
    types: usize,
}

/// An open element.
#[derive(Debug)]
struct Level<'a> {
    /// The elements that it may contain, and the index of the one that is probably next.
    rows: Rows<'a>,
    next: usize,
    attributes: &'a [model::Element<'a>],
    /// The form of its text, if it is an object.
    text: TextForm,
    /// The default namespace; empty for none.
    default: &'a str,
    /// The number of prefixes declared around it.
    outer: usize,
    /// The index of its prefix.
    prefix: Option<usize>,
    /// The number of prefixes that were generated for its attributes.
    generated: usize,
}

/// A name for which a prefix may have to be declared.
pub(super) struct Prefixed<'a> {
    /// The name with its prefix.
    pub(super) name: String,
    /// The prefix and the namespace to declare.
    pub(super) declared: Option<(String, &'a str)>,
}

impl<'a> Levels<'a> {
    /// Creates the levels for a message of a service; `None` if all elements are in its namespace.
    /// The outermost element is one of `rows`, `first` levels deep in the message, counted from 1.
    #[inline]
    pub fn of(service: &Service<'a>, rows: Rows<'a>, first: usize) -> Option<Self> {
        let declared = Scopes::of(service)?.service;
        Some(Self::new(declared, rows, first))
    }

    /// Creates the levels for a message with the types of a service.
    pub fn new(service: Declared<'a>, rows: Rows<'a>, first: usize) -> Self {
        Self {
            service,
            first,
            open: vec![Level::new(rows, "", 0)],
            prefixes: Vec::new(),
            types: 0,
        }
    }

    fn level(&mut self) -> Option<&mut Level<'a>> {
        self.open.last_mut()
    }

    /// Opens an element. Returns the default namespace that it must declare.
    pub(super) fn start(&mut self, name: &str) -> Option<&'a str> {
        let outer = self.prefixes.len();
        let parent = self.open.last_mut()?;
        let found = parent.find(name);
        let declared = parent.rows.declared;
        let namespace = found.map_or_else(
            || model::Form::Default.of_element(declared),
            |index| parent.rows.namespace_of(index),
        );
        let items = found.and_then(|index| parent.rows.items(index, self.service));
        let rows = items.unwrap_or(Rows {
            elements: &[],
            ..parent.rows
        });
        let mut level = Level::new(rows, parent.default, outer);
        let mut prefixes = self.prefixes.iter();
        level.prefix = prefixes.rposition(|(_, known)| *known == namespace);
        let is_declared = level.default == namespace || level.prefix.is_some();
        if level.prefix.is_none() {
            level.default = namespace;
        }
        self.open.push(level);
        (!is_declared).then_some(namespace)
    }

    /// Opens an element of a message with the rows of its children.
    pub(super) fn start_message(&mut self, namespace: &'a str, rows: Rows<'a>) {
        let level = Level::new(rows, namespace, self.prefixes.len());
        self.open.push(level);
    }

    /// Closes the innermost element. Returns its prefix.
    pub(super) fn end(&mut self) -> Option<String> {
        let level = self.open.pop()?;
        let prefix = level.prefix.map(|index| self.prefixes[index].0.clone());
        self.prefixes.truncate(level.outer);
        prefix
    }

    /// The default namespace in the innermost element.
    pub(super) fn default_namespace(&self) -> &'a str {
        self.open.last().map_or("", |level| level.default)
    }

    /// The prefix of the innermost element.
    pub(super) fn prefix(&self) -> Option<&str> {
        let index = self.open.last()?.prefix?;
        Some(&self.prefixes[index].0)
    }

    /// Sets the type of the innermost element.
    #[cold]
    pub(super) fn describe(&mut self, complex: &ComplexType<'a>) {
        let declared = complex.scope.within(self.service);
        if let Some(level) = self.level() {
            level.rows = Rows::new(declared, complex.elements);
            level.next = 0;
            level.attributes = complex.attributes;
            level.text = complex.text.map_or(TextForm::AsIs, |text| text.text_form());
        }
    }

    /// The form of the text in the next element, which has this name.
    pub(super) fn form_of_element(&self, name: &str) -> TextForm {
        let level = self.open.last();
        let row = level.and_then(|level| Some(&level.rows.elements[level.index_of(name)?]));
        row.map_or(TextForm::AsIs, model::Element::text_form)
    }

    /// The form of the text in an attribute of the innermost element.
    pub(super) fn form_of_attribute(&self, name: &str) -> TextForm {
        let attributes = self.open.last().map_or(&[][..], |level| level.attributes);
        let row = attributes.iter().find(|row| is_row(row, name));
        row.map_or(TextForm::AsIs, model::Element::text_form)
    }

    /// The form of the text in the innermost element, an object.
    pub(super) fn form_of_text(&self) -> TextForm {
        self.open.last().map_or(TextForm::AsIs, |level| level.text)
    }

    /// The name of an attribute of the innermost element; `None` if it needs no prefix.
    pub(super) fn attribute(&mut self, name: &str) -> Option<Prefixed<'a>> {
        let depth = self.first + self.open.len() - 2;
        let level = self.open.last_mut()?;
        let mut attributes = level.attributes.iter();
        let row = attributes.find(|row| is_row(row, name))?;
        let name = row.name;
        let namespace = match row.form {
            model::Form::Default => return None,
            form => form.of_attribute(level.rows.declared.0),
        };
        let mut prefixes = self.prefixes.iter().rev();
        let known = prefixes.find(|(_, known)| *known == namespace);
        let (prefix, declared) = match (namespace, known) {
            ("", _) => return None,
            (XML, _) => ("xml".to_owned(), None),
            (_, Some((prefix, _))) => (prefix.clone(), None),
            _ => {
                level.generated += 1;
                let prefix = format!("d{depth}p{}", level.generated);
                self.prefixes.push((prefix.clone(), namespace));
                (prefix.clone(), Some((prefix, namespace)))
            }
        };
        Some(Prefixed {
            name: format!("{prefix}:{name}"),
            declared,
        })
    }

    /// The name of a type as a value of `xsi:type`. A name in a namespace of its own is given as
    /// `{NAMESPACE}NAME`.
    pub(super) fn type_name(&mut self, name: &'a str) -> Prefixed<'a> {
        let (namespace, name) = expanded_name(name).unwrap_or((self.service.0, name));
        // No prefix can be declared for this namespace.
        if namespace.is_empty() {
            return Prefixed {
                name: name.to_owned(),
                declared: None,
            };
        }
        let mut prefixes = self.prefixes.iter().rev();
        let known = prefixes.find(|(_, known)| *known == namespace);
        let is_default = self
            .open
            .last()
            .is_some_and(|level| level.default == namespace);
        let (prefix, declared) = match known {
            Some((prefix, _)) => (prefix.clone(), None),
            None if is_default => {
                let name = name.to_owned();
                return Prefixed {
                    name,
                    declared: None,
                };
            }
            None => {
                self.types += 1;
                let prefix = format!("q{}", self.types);
                self.prefixes.push((prefix.clone(), namespace));
                (prefix.clone(), Some((prefix, namespace)))
            }
        };
        Prefixed {
            name: format!("{prefix}:{name}"),
            declared,
        }
    }
}

impl<'a> Level<'a> {
    fn new(rows: Rows<'a>, default: &'a str, outer: usize) -> Self {
        Self {
            rows,
            next: 0,
            attributes: &[],
            text: TextForm::AsIs,
            default,
            outer,
            prefix: None,
            generated: 0,
        }
    }

    /// The index of the next element of this name. Items of a list have local names.
    fn index_of(&self, name: &str) -> Option<usize> {
        let elements = self.rows.elements;
        let mut indexes = (self.next..elements.len()).chain(0..self.next);
        let found = indexes.find(|index| is_row(&elements[*index], name));
        found.or_else(|| elements.iter().position(|row| row.name == name))
    }

    /// Advances to the next element of this name.
    fn find(&mut self, name: &str) -> Option<usize> {
        let index = self.index_of(name)?;
        let is_repeated = self.rows.elements[index].repeated;
        self.next = if is_repeated { index } else { index + 1 };
        Some(index)
    }
}

/// Whether a name refers to a row: `{NAMESPACE}NAME`, or the local name if the row has no namespace
/// of its own.
#[inline]
pub fn is_row(row: &model::Element<'_>, name: &str) -> bool {
    let (namespace, name) = match expanded_name(name) {
        Some((namespace, name)) => (Some(namespace), name),
        None => (None, name),
    };
    row.name == name && row.form.own_namespace() == namespace
}

/// The rows in an element that is not part of the definition: none.
pub const fn no_rows(namespace: &str) -> Rows<'_> {
    Rows::new((namespace, ElementForm::Qualified), &[])
}
