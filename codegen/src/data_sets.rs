//! The schemas of sets of tables that a definition names: files of XML Schema, with what .NET says in them of a `DataSet`.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};

use crate::definition::Definition;
use crate::include::{ALLOW, fold};
use crate::model::DataSetSchema;
use crate::rules::Rule;
use crate::sink::Sink;
use crate::text::{MOST_BYTES, without_mark};

const XML_SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";
const MSDATA: &str = "urn:schemas-microsoft-com:xml-msdata";

/// The most nodes of a schema.
const MOST_NODES: u32 = 500_000;

const RELATIVE: &str = "a path is relative to the file that names it";
const WHERE_FROM: &str = "Visual Studio keeps such a schema beside a typed DataSet; the original answers it at `?schema=` and the name of the set";

/// The schemas that can be read, with their files, by the paths that the definition has.
pub(crate) type DataSets = HashMap<String, (PathBuf, DataSetSchema)>;

/// Loads the schemas that a definition in a folder names. `admit` refuses files that must not be loaded.
pub(crate) fn data_sets(
    definition: &Definition,
    folder: &Path,
    sink: &mut Sink,
    admit: impl Fn(&Path) -> Result<(), String>,
    mut load: impl FnMut(&Path) -> io::Result<Vec<u8>>,
) -> DataSets {
    let mut read = DataSets::new();
    for (_, body) in &definition.types.0 {
        let Some(written) = &body.data_set else {
            continue;
        };
        let name = &written.value;
        if read.contains_key(name) {
            continue;
        }
        let path = fold(&folder.join(name));
        let text = admit(&path)
            .map_err(|complaint| (complaint, ALLOW))
            .and_then(|()| load(&path).map_err(|error| (complaint(&error), RELATIVE)));
        let schema = text.and_then(|bytes| schema_of(&bytes).map_err(|why| (why, WHERE_FROM)));
        match schema {
            Ok(schema) => drop(read.insert(name.clone(), (path, schema))),
            Err((complaint, hint)) => {
                let message = format!("`{name}` is no schema of a set of tables: {complaint}");
                sink.add(Rule::DataSet, written.node, message).hint(hint);
            }
        }
    }
    read
}

fn complaint(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => format!("it cannot be read: {error}"),
    }
}

/// The schema in a file; an error is the reason why there is none, with the place in the file.
pub(crate) fn schema_of(bytes: &[u8]) -> Result<DataSetSchema, String> {
    if bytes.len() > MOST_BYTES {
        return Err(format!("it has more than {} MiB", MOST_BYTES >> 20));
    }
    let text = str::from_utf8(bytes);
    let text = text.map_err(|error| format!("byte {} is not UTF-8", error.valid_up_to() + 1))?;
    let (text, _) = without_mark(text);
    // Nothing is said of a file that is something else.
    if !text.trim_start().starts_with('<') {
        return Err("it is no XML".to_owned());
    }
    // A checkout may have changed the ends of lines.
    let text = text.replace("\r\n", "\n");
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, options).map_err(|e| e.to_string())?;
    let root = document.root_element();
    let at = |node: Node<'_, '_>| {
        let place = document.text_pos_at(node.range().start);
        format!(" at {place}")
    };
    if !root.has_tag_name((XML_SCHEMA, "schema")) {
        return Err(format!("its root is no `xs:schema`{}", at(root)));
    }
    let is_set = |node: &Node<'_, '_>| {
        let says = node.attribute((MSDATA, "IsDataSet"));
        node.has_tag_name((XML_SCHEMA, "element")) && says == Some("true")
    };
    let mut sets = root.children().filter(is_set);
    let Some(set) = sets.next() else {
        let place = at(root);
        return Err(format!(
            "no element in it has `msdata:IsDataSet=\"true\"`{place}"
        ));
    };
    if let Some(other) = sets.next() {
        return Err(format!("it has a second set{}", at(other)));
    }
    let name = set.attribute("name").unwrap_or_default();
    if name.is_empty() {
        return Err(format!("its set has no name{}", at(set)));
    }
    Ok(DataSetSchema {
        name: name.to_owned(),
        namespace: root
            .attribute("targetNamespace")
            .unwrap_or_default()
            .to_owned(),
        schema: text[root.range()].to_owned(),
    })
}
