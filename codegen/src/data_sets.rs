//! The schemas of sets of tables that a definition names: files of XML Schema, with the annotations
//! that .NET writes for a `DataSet`.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use svcgen_language::data_set_schema::DataSetSchema;
use svcgen_language::definition::Definition;
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use crate::include::{ALLOW, fold};

const RELATIVE: &str = "a path is relative to the file that names it";
const WHERE_FROM: &str = "Visual Studio keeps such a schema beside a typed DataSet; the original answers it at `?schema=` and the name of the set";

/// The readable schemas, with their files, by their paths in the definition.
pub(crate) type DataSets = HashMap<String, (PathBuf, DataSetSchema)>;

/// Loads the schemas that a definition in a folder names. `admit` refuses files that must not be
/// loaded.
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
        let schema =
            text.and_then(|bytes| DataSetSchema::read(&bytes).map_err(|why| (why, WHERE_FROM)));
        match schema {
            Ok(schema) => drop(read.insert(name.clone(), (path, schema))),
            Err((complaint, hint)) => {
                let message = format!("`{name}` is not the schema of a DataSet: {complaint}");
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
