//! Where in the file something is defined, by the keys that lead to it: `operations/Login/parameters/username`.

use std::collections::HashMap;
use std::rc::Rc;

use super::change::Spot;
use crate::definition::{
    Definition, Entries, EnumKeys, Located, NameOrMap, NodeId, OperationDefinition, TypeDefinition,
    TypeOrMap,
};
use crate::diagnostic::Source;
use crate::file::File;

/// The nodes of a definition and of what it includes, by their keys. Types of all files have distinct names.
pub(super) struct Places<'f> {
    files: &'f [Rc<File>],
    sources: Vec<Source>,
    /// Each with the number of its file.
    known: HashMap<String, (usize, NodeId)>,
    file: usize,
}

impl<'f> Places<'f> {
    pub fn new(files: &'f [Rc<File>]) -> Self {
        let source = |file: &Rc<File>| Source::new(&file.name, &file.text, 0);
        let mut places = Self {
            files,
            sources: files.iter().map(source).collect(),
            known: HashMap::new(),
            file: 0,
        };
        for (number, file) in files.iter().enumerate() {
            places.file = number;
            places.add_file(file);
        }
        places
    }

    /// The place of what these keys lead to, or of the nearest thing around it.
    pub fn spot(&self, keys: &str) -> Spot {
        let around = std::iter::successors(Some(keys), |keys| Some(keys.rsplit_once('/')?.0));
        let mut known = around.filter_map(|keys| self.known.get(keys));
        let (number, node) = known.next().copied().unwrap_or((0, NodeId(0)));
        let file = &self.files[number];
        let (line, column) = self.sources[number].line_column(file.spans.of(node).start);
        Spot {
            number,
            file: file.name.clone(),
            line,
            column,
        }
    }

    /// Of a file that is included, its types count.
    fn add_file(&mut self, file: &File) {
        let Some(definition) = &file.definition else {
            return;
        };
        if self.file == 0 {
            self.service(definition);
        }
        self.types(definition);
    }

    fn add(&mut self, keys: impl Into<String>, node: NodeId) {
        self.known.insert(keys.into(), (self.file, node));
    }

    fn scalar<T>(&mut self, within: &str, key: &str, scalar: &Option<Located<T>>) {
        if let Some(scalar) = scalar {
            self.add(format!("{within}/{key}"), scalar.node);
        }
    }

    fn entries<T>(&mut self, within: &str, entries: &Entries<T>) {
        for (key, _) in &entries.0 {
            self.add(format!("{within}/{}", key.value), key.node);
        }
    }

    fn service(&mut self, definition: &Definition) {
        let scalars = [
            ("service", &definition.service),
            ("namespace", &definition.namespace),
            ("path", &definition.path),
        ];
        for (key, scalar) in scalars {
            if let Some(scalar) = scalar {
                self.add(key, scalar.node);
            }
        }
        self.scalar("service", "rust", &definition.rust);
        self.scalar("service", "element_form", &definition.element_form);
        for (key, operation) in &definition.operations.0 {
            self.add(format!("operations/{}", key.value), key.node);
            self.operation(&format!("operations/{}", key.value), operation);
        }
        self.entries("faults", &definition.faults);
    }

    fn types(&mut self, definition: &Definition) {
        for (key, body) in &definition.types.0 {
            self.add(format!("types/{}", key.value), key.node);
            self.complex_type(&format!("types/{}", key.value), body);
        }
        for (key, body) in &definition.enums.0 {
            self.add(format!("enums/{}", key.value), key.node);
            self.enumeration(&format!("enums/{}", key.value), &body.0);
        }
    }

    fn operation(&mut self, at: &str, body: &OperationDefinition) {
        self.elements(&format!("{at}/parameters"), &body.parameters);
        self.scalar(at, "result", &body.result);
        self.scalar(at, "bindings", &body.bindings);
        self.scalar(at, "one_way", &body.one_way);
        self.scalar(at, "rust", &body.rust);
        self.scalar(at, "action", &body.action);
        self.scalar(at, "request", &body.request);
        self.scalar(at, "response", &body.response);
        self.scalar(at, "result_element", &body.result_element);
        self.scalar(at, "style", &body.style);
        for (key, names) in [("in", &body.headers.r#in), ("out", &body.headers.out)] {
            for name in names {
                self.add(format!("{at}/headers/{key}/{}", name.value), name.node);
            }
        }
    }

    fn complex_type(&mut self, at: &str, body: &TypeDefinition) {
        self.elements(&format!("{at}/elements"), &body.elements);
        self.entries(&format!("{at}/attributes"), &body.attributes);
        self.scalar(at, "text", &body.text);
        self.scalar(at, "rust", &body.rust);
        self.scalar(at, "rust_type", &body.rust_type);
        self.scalar(at, "abstract", &body.r#abstract);
    }

    fn elements(&mut self, at: &str, entries: &Entries<Located<TypeOrMap>>) {
        self.entries(at, entries);
        for (key, shape) in &entries.0 {
            if let TypeOrMap::Map(keys) = &shape.value
                && let Some(choice) = &keys.choice
            {
                self.entries(&format!("{at}/{}/choice", key.value), &choice.value);
            }
        }
    }

    fn enumeration(&mut self, at: &str, body: &EnumKeys) {
        self.scalar(at, "rust", &body.rust);
        self.scalar(at, "rust_type", &body.rust_type);
        self.scalar(at, "open", &body.open);
        for value in &body.values {
            match &value.value {
                NameOrMap::Name(name) => self.add(format!("{at}/values/{name}"), value.node),
                NameOrMap::Map(entries) => self.entries(&format!("{at}/values"), entries),
            }
        }
    }
}
