//! One file of the model decides how elements are read and written. Emitted code and messages by
//! rows use it, and nothing else.

use crate::sources::{Source, sources};

/// The file of emitted code with the names of the runtime's methods that read and write elements.
const EMITTED: &str = "codegen/src/emit/fields.rs";

/// The methods that a rule selects, without those that read or write any value.
const METHODS: [&str; 16] = [
    "any",
    "any_one",
    "attribute",
    "attribute_texts",
    "attribute_unless",
    "characters",
    "collection",
    "content_texts",
    "element_unless",
    "items",
    "nillable",
    "nillable_list",
    "nillable_texts",
    "push",
    "push_any",
    "read_unless_empty",
];

/// The parts of a row that determine the rule by which it is read and written.
const FACTS: [&str; 9] = [
    "absence",
    "characters",
    "collection",
    "is_list()",
    "is_nillable()",
    "is_omitted()",
    "repeated",
    "texts",
    "wildcard",
];

fn emitters() -> Vec<Source> {
    let mut emitters = sources("codegen/src/emit");
    emitters.extend(sources("codegen/src/emit.rs"));
    emitters
}

#[test]
fn emitted_code_names_the_methods_of_rules_in_one_place() {
    for method in METHODS {
        let name = format!("\"{method}\"");
        let calls = ["element", "attribute", "text", "out"].map(|one| format!("{one}.{method}("));
        let mut named = Vec::new();
        for source in emitters() {
            for line in &source.code {
                let call = calls.iter().find(|call| line.contains(*call));
                assert!(call.is_none(), "{} emits a call: {line}", source.file);
                // The names of row builders, and of an argument.
                let is_other = line.contains("self.method(") || line.contains("by_index(");
                if line.contains(&name) && !is_other {
                    named.push(source.file.clone());
                }
            }
        }
        named.dedup();
        assert_eq!(named, [EMITTED], "{method}");
    }
}

/// Emitters that use the facts of an element decide something else: the form of its row, and the
/// Rust type of its field.
#[test]
fn emitted_code_is_chosen_by_rules_alone() {
    let fields: Vec<_> = emitters()
        .into_iter()
        .filter(|source| source.file == EMITTED)
        .collect();
    assert_eq!(fields.len(), 1);
    for fact in [
        "ListForm",
        "Absence::Nil",
        "Absence::Either",
        ".wildcard",
        ".characters",
    ] {
        assert!(
            !fields[0].text().contains(fact),
            "{EMITTED} looks at {fact}"
        );
    }
}

#[test]
fn messages_are_read_and_written_by_rules_alone() {
    let mut files = sources("crates/messages/src/read.rs");
    files.extend(sources("crates/messages/src/write.rs"));
    files.extend(sources("crates/messages/src/write"));
    let mut rules = 0;
    for source in files {
        for line in &source.code {
            rules += usize::from(line.contains("Reading::") || line.contains("Writing::"));
            // Choices and sequences are not elements, and the runtime handles absent values by
            // their types.
            let others = ["group.repeated", "inner.repeated", "type_at()).repeated"];
            let rest = others
                .iter()
                .fold(line.clone(), |rest, other| rest.replace(other, ""));
            let fact = FACTS.iter().find(|fact| {
                let fact = format!(".{fact}");
                // Methods of the runtime have such names, too.
                let mut found = rest.match_indices(&fact);
                found.any(|(at, _)| !rest[at + fact.len()..].starts_with(['(', '_']))
            });
            assert!(fact.is_none(), "{} looks at {fact:?}: {line}", source.file);
        }
    }
    assert!(rules > 20, "{rules} lines follow a rule");
}
