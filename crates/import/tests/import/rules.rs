//! The rules of imports: `svcgen explain` shows the messages and the definition for an example.

use svcgen_codegen::{Config, Severity};
use svcgen_import::Importer;
use svcgen_import::rules::RULES;

/// The rule of `svcgen import --verify`, which compares two WSDLs.
const DIFFERS: &str = "SVC078";

#[test]
fn what_explains_a_rule_of_imports_breaks_it_and_no_other() {
    for row in RULES.iter().filter(|row| row.code != DIFFERS) {
        let load = |address: &str| match address {
            "example.wsdl" => Ok(row.wrong.as_bytes().to_vec()),
            _ => Err("there is no such file".to_owned()),
        };
        let imported = Importer::new(load).import(&["example.wsdl".to_owned()]);
        let is_error = row.severity == Severity::Error;
        assert_eq!(imported.is_err(), is_error, "{}", row.code);
        let said = match imported {
            Ok(imported) => {
                let written: Vec<_> = imported.files.iter().map(|(_, text)| &**text).collect();
                assert_eq!(written, [row.right], "right.yaml of {}", row.code);
                imported.warnings
            }
            Err(said) => said,
        };
        assert_eq!(said.to_string(), row.output, "output of {}", row.code);
        // Besides the error, warnings say why nothing is imported.
        let own = said.iter().filter(|one| one.severity() == row.severity);
        let codes: Vec<_> = own.map(|diagnostic| diagnostic.code()).collect();
        assert_eq!(codes, [row.code], "{said}");
        let output = Config::new().generate("example.yaml", row.right).unwrap();
        assert!(output.warnings.is_empty(), "{}", output.warnings);
        let ends = row.title.ends_with('.') && row.why.ends_with('.');
        assert!(ends, "{}", row.code);
    }
}

#[test]
fn what_cannot_be_said_in_full_is_refused_strictly() {
    for row in RULES {
        let load = |_: &str| Ok(row.wrong.as_bytes().to_vec());
        let mut importer = Importer::new(load).with_strict(true);
        let imported = importer.import(&["example.wsdl".to_owned()]);
        let is_note = row.severity == Severity::Note;
        assert_eq!(imported.is_ok(), is_note, "{}", row.code);
    }
}
