//! Where in the file something is defined, by the keys that lead to it: `operations/Login/parameters/username`.

use std::collections::HashMap;
use std::rc::Rc;

use super::change::Spot;
use crate::definition::{
    Definition, ElementKeys, Entries, EnumKeys, Located, NameOrMap, NodeId, OperationDefinition,
    TypeDefinition, TypeOrMap,
};
use crate::diagnostic::Source;
use crate::include::File;

/// The place of what each of these keys leads to, or of the nearest thing around it, in a definition and what it includes.
pub(super) fn spots<'k>(
    files: &[Rc<File>],
    keys: impl Iterator<Item = &'k str>,
) -> HashMap<&'k str, Spot> {
    let mut nodes = Nodes::default();
    for (number, file) in files.iter().enumerate() {
        nodes.file = number;
        nodes.add_file(file);
    }
    let wanted: HashMap<_, _> = keys.map(|keys| (keys, nodes.find(keys))).collect();
    let mut spots = HashMap::new();
    for (number, file) in files.iter().enumerate() {
        let here = wanted.iter().filter(|(_, (file, _))| *file == number);
        let source = Source::new(&file.name, &file.text, 0);
        spots.extend(here.map(|(keys, (_, node))| {
            let (line, column) = source.line_column(file.places.span(*node).start);
            let file = file.name.clone();
            (
                *keys,
                Spot {
                    number,
                    file,
                    line,
                    column,
                },
            )
        }));
    }
    spots
}

/// Nodes by their keys, each with the number of its file. Types of all files have distinct names.
#[derive(Default)]
struct Nodes {
    known: HashMap<String, (usize, NodeId)>,
    file: usize,
}

impl Nodes {
    fn find(&self, keys: &str) -> (usize, NodeId) {
        let around = std::iter::successors(Some(keys), |keys| Some(keys.rsplit_once('/')?.0));
        let mut known = around.filter_map(|keys| self.known.get(keys));
        known.next().copied().unwrap_or((0, NodeId(0)))
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

    fn scalar<T>(&mut self, keys: String, scalar: Option<&Located<T>>) {
        if let Some(scalar) = scalar {
            self.add(keys, scalar.node);
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
            ("service/rust", &definition.rust),
            ("namespace", &definition.namespace),
            ("path", &definition.path),
            ("service/element_form", &definition.element_form),
        ];
        for (key, scalar) in scalars {
            self.scalar(key.to_owned(), scalar.as_ref());
        }
        for (key, operation) in &definition.operations.0 {
            self.add(format!("operations/{}", key.value), key.node);
            self.operation(&format!("operations/{}", key.value), operation);
        }
        self.entries("headers", &definition.headers);
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
        self.scalar(format!("{at}/result"), body.result.as_ref());
        self.scalar(format!("{at}/bindings"), body.bindings.as_ref());
        self.scalar(format!("{at}/one_way"), body.one_way.as_ref());
        let scalars = [
            ("rust", &body.rust),
            ("action", &body.action),
            ("request", &body.request),
            ("response", &body.response),
            ("result_element", &body.result_element),
            ("style", &body.style),
        ];
        for (key, scalar) in scalars {
            self.scalar(format!("{at}/{key}"), scalar.as_ref());
        }
        for (key, names) in [("in", &body.headers.r#in), ("out", &body.headers.out)] {
            for name in names {
                self.add(format!("{at}/headers/{key}/{}", name.value), name.node);
            }
        }
        for name in &body.faults {
            self.add(format!("{at}/faults/{}", name.value), name.node);
        }
    }

    fn complex_type(&mut self, at: &str, body: &TypeDefinition) {
        self.elements(&format!("{at}/elements"), &body.elements);
        self.entries(&format!("{at}/attributes"), &body.attributes);
        self.scalar(format!("{at}/text"), body.text.as_ref());
        self.scalar(format!("{at}/rust"), body.rust.as_ref());
        self.scalar(format!("{at}/rust_type"), body.rust_type.as_ref());
        self.scalar(format!("{at}/abstract"), body.r#abstract.as_ref());
        self.scalar(format!("{at}/extends"), body.extends.as_ref());
    }

    fn elements(&mut self, at: &str, entries: &Entries<Located<TypeOrMap>>) {
        self.entries(at, entries);
        for (key, shape) in &entries.0 {
            if let TypeOrMap::Map(ElementKeys {
                choice: Some(choice),
                ..
            }) = &shape.value
            {
                self.entries(&format!("{at}/{}/choice", key.value), &choice.value);
            }
        }
    }

    fn enumeration(&mut self, at: &str, body: &EnumKeys) {
        self.scalar(format!("{at}/rust"), body.rust.as_ref());
        self.scalar(format!("{at}/rust_type"), body.rust_type.as_ref());
        self.scalar(format!("{at}/open"), body.open.as_ref());
        for value in &body.values {
            match &value.value {
                NameOrMap::Name(name) => self.add(format!("{at}/values/{name}"), value.node),
                NameOrMap::Map(entries) => self.entries(&format!("{at}/values"), entries),
            }
        }
    }
}
