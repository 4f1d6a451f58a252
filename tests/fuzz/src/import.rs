//! Any bytes as a WSDL with its neighbouring documents: messages, or definitions that pass `check`
//! and are always the same; never a panic.
//!
//! A line `==== NAME` starts a further document.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use svcgen_codegen::{Config, Generator};
use svcgen_import::{Imported, Importer, Load, Loaded};

const SERVICE: &str = "service.wsdl";

struct Documents<'b>(HashMap<String, &'b [u8]>);

impl Load for &Documents<'_> {
    fn load(&mut self, address: &str) -> Result<Loaded, String> {
        let bytes = self.0.get(address).ok_or("there is no such document")?;
        Ok(bytes.to_vec().into())
    }

    fn siblings(&mut self, _address: &str) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// Splits the input into documents with their names.
fn documents(input: &[u8]) -> Documents<'_> {
    const START: &[u8] = b"\n==== ";
    let mut documents = HashMap::new();
    let (mut name, mut rest) = (SERVICE.to_owned(), input);
    while let Some(at) = rest.windows(START.len()).position(|bytes| bytes == START) {
        let after = &rest[at + START.len()..];
        let end = after
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap_or(after.len());
        documents.insert(name, &rest[..at]);
        name = String::from_utf8_lossy(&after[..end]).into_owned();
        rest = &after[end..];
    }
    documents.insert(name, rest);
    Documents(documents)
}

pub fn check(input: &[u8]) {
    let documents = documents(input);
    let import = || Importer::new(&documents).import(&[SERVICE.to_owned()]);
    let Imported { files, .. } = match import() {
        Ok(import) => import,
        Err(diagnostics) => {
            assert!(!diagnostics.to_string().is_empty());
            return;
        }
    };
    assert_eq!(import().expect("the same again").files, files);
    let texts: HashMap<_, _> = files.iter().cloned().collect();
    let load = |path: &Path| {
        let text = path.to_str().and_then(|path| texts.get(path));
        text.map(|text| text.clone().into_bytes())
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    let config = Config::new();
    let mut generator = Generator::new(&config, load);
    // The other files are schemas that definitions refer to.
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".yaml")) {
        if let Err(diagnostics) = generator.generate(name) {
            panic!("{diagnostics}\n{text}");
        }
    }
}
