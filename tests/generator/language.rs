//! `service-defs/README.md` describes every part of a definition, and its examples are correct.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use svcgen_codegen::{Config, Generator};
use svcgen_model::SimpleType;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

/// The structs of the maps in the language, and the sections that document them.
const SECTIONS: &[(&str, &str)] = &[
    ("Definition", "## The file"),
    ("NamespaceKeys", "### Short names"),
    ("IncludeKeys", "## Included files"),
    ("OperationDefinition", "## Operations"),
    ("ScriptMethodKeys", "## JSON"),
    ("HeadersOfOperation", "### Headers of an operation"),
    ("HeaderKeys", "## Headers"),
    ("FaultKeys", "## Faults"),
    ("TypeDefinition", "## Types"),
    ("SimpleKeys", "### Attributes and text"),
    ("ElementKeys", "## Elements"),
    ("FacetKeys", "### Facets"),
    ("MemberKeys", "#### Unions"),
    ("NameKeys", "### Names with a namespace"),
    ("EnumKeys", "## Enumerations"),
    ("ValueKeys", "### Values"),
];

/// Returns the fields of the maps in the language.
fn keys(source: &str) -> Vec<(String, Vec<String>)> {
    let file = syn::parse_file(source).unwrap();
    let maps = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Macro(item) if item.mac.path.is_ident("map") => Some(item.mac.tokens),
        _ => None,
    });
    let structs = maps.map(|map| syn::parse2::<syn::ItemStruct>(map).unwrap());
    let field = |field: &syn::Field| {
        field
            .ident
            .as_ref()
            .unwrap()
            .to_string()
            .trim_start_matches("r#")
            .to_owned()
    };
    structs
        .map(|item| {
            (
                item.ident.to_string(),
                item.fields.iter().map(field).collect(),
            )
        })
        .collect()
}

fn section<'t>(text: &'t str, heading: &str) -> &'t str {
    let start = text
        .find(&format!("{heading}\n"))
        .unwrap_or_else(|| panic!("no section {heading}"));
    let rest = &text[start + heading.len()..];
    &rest[..rest.find("\n#").unwrap_or(rest.len())]
}

#[test]
fn every_key_has_a_row_with_default_and_example() {
    let readme = read("service-defs/README.md");
    let structs = keys(&read("crates/language/src/definition.rs"));
    assert_eq!(
        structs
            .iter()
            .map(|(name, _)| name.as_str())
            .collect::<Vec<_>>(),
        SECTIONS.iter().map(|(name, _)| *name).collect::<Vec<_>>()
    );
    for ((_, keys), (_, heading)) in structs.iter().zip(SECTIONS) {
        let section = section(&readme, heading);
        let table = section
            .split("| key |")
            .nth(1)
            .unwrap_or_else(|| panic!("{heading} has no table of keys"));
        let rows: Vec<Vec<&str>> = table
            .lines()
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
            .collect();
        let documented: Vec<_> = rows
            .iter()
            .map(|row| row[0].trim_matches('`').to_owned())
            .collect();
        assert_eq!(&documented, keys, "the keys under {heading}");
        for row in rows {
            assert_eq!(row.len(), 4, "{row:?}");
            assert!(row.iter().all(|cell| !cell.is_empty()), "{row:?}");
            assert!(
                row[3].starts_with(&format!("`{}:", row[0].trim_matches('`'))),
                "the example of {row:?}"
            );
        }
    }
}

#[test]
fn every_simple_type_has_a_row() {
    let readme = read("service-defs/README.md");
    let documented: Vec<_> = section(&readme, "## Simple types")
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|line| line.split('`').next().unwrap())
        .collect();
    let all = SimpleType::ALL.iter().map(|simple| simple.name());
    assert_eq!(
        documented.iter().copied().collect::<BTreeSet<_>>(),
        all.collect()
    );
    assert_eq!(documented.len(), SimpleType::ALL.len());
}

#[test]
fn the_first_example_is_right_and_gives_no_warning() {
    let readme = read("README.md");
    let example = readme.split("```yaml\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let output = Config::new().generate("greeter.yaml", example).unwrap();
    assert!(output.warnings.is_empty(), "{}", output.warnings);
}

#[test]
fn examples_are_valid() {
    let readme = read("service-defs/README.md");
    let examples: Vec<_> = readme
        .split("```yaml\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(examples.len() >= 2);
    // The first line of an included example has its name.
    let load = |path: &Path| {
        if path.extension().is_some_and(|extension| extension == "xsd") {
            let schema = Path::new("tests/definitions/schemas").join(path);
            return Ok(read(schema.to_str().unwrap()).into());
        }
        let name = format!("# {}\n", path.display());
        let mut named = examples.iter().filter(|example| example.starts_with(&name));
        Ok(named
            .next()
            .expect("an example has this name")
            .as_bytes()
            .to_vec())
    };
    for example in &examples {
        let generated =
            Generator::new(&Config::new(), load).generate_bytes("README.md", example.as_bytes());
        if let Err(diagnostics) = generated {
            panic!("{diagnostics}");
        }
    }
}
