//! Every legal XML name gives legal Rust, or is refused with both places named; and text of a definition stays data.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use svcgen_codegen::Config;
use syn::visit::Visit;

use crate::scratch::{self, Crate};

/// Names of XML: of every script, with marks and joiners, with dots, hyphens and digits, long, and such as Rust takes for its own.
fn xml_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z_][A-Za-z0-9_.-]{0,12}",
        "_[0-9][A-Za-z0-9._-]{0,4}",
        "[A-Za-z]{1,3}([._-][A-Za-z0-9]{1,3}){1,4}",
        "[a-z]{200,300}",
        "[\\u{C0}-\\u{D6}\\u{370}-\\u{37D}\\u{410}-\\u{44F}\\u{3041}-\\u{3096}\\u{4E00}-\\u{4E20}\\u{20000}-\\u{20010}][\\u{300}-\\u{36F}\\u{B7}\\u{200C}\\u{200D}a-z\\u{430}-\\u{440}-]{0,6}",
        rust_word(),
    ]
}

/// Keywords of all editions, names of the prelude and of emitted items and their parts.
fn rust_word() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "abstract",
        "as",
        "async",
        "await",
        "become",
        "box",
        "break",
        "const",
        "crate",
        "do",
        "dyn",
        "enum",
        "extern",
        "final",
        "fn",
        "gen",
        "impl",
        "in",
        "let",
        "macro",
        "match",
        "mod",
        "move",
        "mut",
        "override",
        "priv",
        "pub",
        "raw",
        "ref",
        "return",
        "safe",
        "self",
        "Self",
        "static",
        "struct",
        "super",
        "trait",
        "true",
        "try",
        "type",
        "typeof",
        "union",
        "unsafe",
        "unsized",
        "use",
        "virtual",
        "where",
        "yield",
        "macro_rules",
        "Option",
        "Some",
        "None",
        "Result",
        "Ok",
        "Err",
        "Vec",
        "String",
        "Box",
        "Default",
        "From",
        "Into",
        "AsRef",
        "Send",
        "Sync",
        "Sized",
        "Copy",
        "Clone",
        "Debug",
        "PartialEq",
        "Eq",
        "Hash",
        "Drop",
        "Fn",
        "Iterator",
        "ToString",
        "TryFrom",
        "FromIterator",
        "Future",
        "str",
        "bool",
        "u8",
        "i32",
        "f64",
        "usize",
        "core",
        "std",
        "alloc",
        "svcgen",
        "T",
        "H",
        "S",
        "MODULE",
        "DOCUMENTATION",
        "Module",
        "Simple",
        "Complex",
        "List",
        "TypeId",
        "Output",
        "context",
        "request",
        "operation",
        "handler",
        "call",
        "clone",
        "default",
        "from",
        "into",
        "eq",
        "fmt",
        "drop",
        "with_binding",
        "new",
        "transport",
        "client",
        "server",
        "Any",
        "AnyBase",
        "Request",
        "Headers",
        "SHandler",
        "value",
        "element",
        "reader",
        "writer",
        "index",
        "result",
        "_",
    ];
    prop::sample::select(WORDS).prop_map(str::to_owned)
}

/// Text that would end a literal, a comment, an attribute or a line, if it were code.
fn hostile_text() -> impl Strategy<Value = String> {
    let nasty = prop::sample::select(vec![
        "*/ fn x() {} /*",
        "\"#; fn x() {} //",
        "\\",
        "\\u{202e}",
        "\u{202e}",
        "\r\n",
        "]",
        ")]",
        "#![x]",
        "{}",
        "}}",
        "${x}",
        "'",
        "\"",
        "///",
        "//!",
        "/*",
        "```",
        "`",
        "\t",
        "\u{2028}",
        "\u{0301}",
        "😀",
        "<b>",
        "[x]",
        "| ",
    ]);
    prop::collection::vec(
        prop_oneof![nasty.prop_map(str::to_owned), "\\PC{0,4}"],
        0..6,
    )
    .prop_map(|parts| parts.concat())
}

/// A text in double quotes, as YAML reads it.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_ascii_graphic() || c == ' ' => c.to_string(),
        c => format!("\\U{:08X}", u32::from(c)),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

const SIMPLE: &[&str] = &[
    "string",
    "string?",
    "int",
    "int?",
    "boolean",
    "base64Binary?",
    "long[]",
    "string?[]?",
];

/// A definition whose Rust names are all given, and those names.
fn renamed() -> impl Strategy<Value = (String, BTreeSet<String>)> {
    let members = || prop::collection::btree_map(xml_name(), prop::sample::select(SIMPLE), 0..4);
    let types = prop::collection::btree_map(xml_name(), members(), 0..4);
    let enums = prop::collection::btree_map(
        xml_name(),
        prop::collection::btree_set(xml_name(), 1..4),
        0..3,
    );
    let operations = prop::collection::btree_map(xml_name(), members(), 1..4);
    let uri = "urn:s[a-z#!'()*+,;=%&$@?/~-]{1,12}";
    (types, enums, operations, hostile_text(), uri).prop_map(|(types, mut enums, operations, doc, uri)| {
        enums.retain(|name, _| !types.contains_key(name));
        let is_simple = |name: &String| ["string", "int"].contains(&name.as_str());
        let mut items: BTreeSet<String> = ["ShopHandler", "ShopServer", "ShopService", "ShopClient", "operation"].map(str::to_owned).into();
        let doc = quoted(&doc);
        let uri = quoted(&uri);
        let mut text = format!("service: Shop\nnamespace: {uri}\npath: /s\nbindings: [soap11]\ndoc: {doc}\noperations:\n");
        let fields = |members: &std::collections::BTreeMap<String, &str>| {
            let entries = members.iter().enumerate();
            entries.map(|(index, (name, shape))| format!("{}: {{ type: {shape:?}, rust: field{index}, doc: {doc}, secret: false }}", quoted(name))).collect::<Vec<_>>().join(", ")
        };
        for (index, (name, parameters)) in operations.iter().enumerate() {
            if !parameters.is_empty() {
                items.insert(format!("Operation{index}Request"));
            }
            let name = quoted(name);
            text += &format!("  {name}: {{ rust: operation{index}, doc: {doc}, action: \"urn:{index}\", request: a{index}, response: b{index}, parameters: {{ {} }} }}\n", fields(parameters));
        }
        text += "types:\n";
        for (index, (name, elements)) in types.iter().filter(|(name, _)| !is_simple(name)).enumerate() {
            items.insert(format!("Type{index}"));
            text += &format!("  {}: {{ rust: Type{index}, doc: {doc}, elements: {{ {} }} }}\n", quoted(name), fields(elements));
        }
        text += "enums:\n";
        for (index, (name, values)) in enums.iter().filter(|(name, _)| !is_simple(name)).enumerate() {
            items.insert(format!("Enum{index}"));
            let values = values.iter().enumerate().map(|(index, value)| format!("{}: {{ rust: Value{index}, doc: {doc} }}", quoted(value)));
            let values: Vec<_> = values.map(|value| format!("{{ {value} }}")).collect();
            text += &format!("  {}: {{ rust: Enum{index}, doc: {doc}, values: [{}] }}\n", quoted(name), values.join(", "));
        }
        (text, items)
    })
}

/// A definition whose Rust names svcgen makes.
fn named() -> impl Strategy<Value = String> {
    let ascii = || prop_oneof![rust_word(), "[A-Za-z_][A-Za-z0-9_.-]{0,8}", "_[0-9][a-z]"];
    let shape = prop_oneof![
        3 => prop::sample::select(SIMPLE).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["Part", "Part?", "Part[]", "Tone", "Tone?"]).prop_map(str::to_owned),
    ];
    let members = move || prop::collection::btree_map(ascii(), shape.clone(), 0..4);
    let body = prop_oneof![
        3 => members().prop_map(|elements| format!("elements: {{ {} }}", entries(&elements))),
        1 => members().prop_map(|elements| format!("extends: Part, elements: {{ {} }}", entries(&elements))),
        1 => (ascii(), ascii(), ascii()).prop_map(|(choice, one, other)| {
            format!("elements: {{ {choice:?}: {{ choice: {{ {one:?}: string, {other:?}: Part }} }} }}")
        }),
        1 => (ascii(), ascii()).prop_map(|(one, other)| format!("text: string, attributes: {{ {one:?}: int, {other:?}: Tone? }}")),
    ];
    let types = prop::collection::btree_map(ascii(), body, 0..3);
    let enums =
        prop::collection::btree_map(ascii(), prop::collection::btree_set(ascii(), 1..4), 0..3);
    let operations = prop::collection::btree_map(ascii(), members(), 1..4);
    (ascii(), types, enums, operations).prop_map(|(service, types, enums, operations)| {
        let mut text = format!(
            "service: {service:?}\nnamespace: urn:s\npath: /s\nbindings: [soap11]\noperations:\n"
        );
        for (index, (name, parameters)) in operations.iter().enumerate() {
            let result = ["int", "\"Part?\"", "\"Tone[]\"", "string"][index % 4];
            text += &format!(
                "  {name:?}: {{ result: {result}, parameters: {{ {} }} }}\n",
                entries(parameters)
            );
        }
        text += "types:\n  Part: { elements: { Inner: \"Part?\" } }\n";
        types
            .iter()
            .for_each(|(name, body)| text += &format!("  {name:?}: {{ {body} }}\n"));
        text += "enums:\n  Tone: [Plain, Friendly]\n";
        enums.iter().for_each(|(name, values)| {
            text += &format!(
                "  {name:?}: [{}]\n",
                values
                    .iter()
                    .map(|value| quoted(value))
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        });
        text
    })
}

fn entries(members: &std::collections::BTreeMap<String, String>) -> String {
    let entries = members
        .iter()
        .map(|(name, shape)| format!("{name:?}: {shape:?}"));
    entries.collect::<Vec<_>>().join(", ")
}

/// What a module has for others.
fn public_items(file: &syn::File) -> BTreeSet<String> {
    let named = file.items.iter().filter_map(|item| match item {
        syn::Item::Struct(item) => Some(&item.ident),
        syn::Item::Enum(item) => Some(&item.ident),
        syn::Item::Trait(item) => Some(&item.ident),
        syn::Item::Type(item) => Some(&item.ident),
        syn::Item::Fn(item) => Some(&item.sig.ident),
        syn::Item::Mod(item) => Some(&item.ident),
        syn::Item::Macro(item) => Some(&item.mac.path.segments[0].ident),
        _ => None,
    });
    named.map(ToString::to_string).collect()
}

/// The texts in a file.
#[derive(Default)]
struct Texts(BTreeSet<String>);

impl Visit<'_> for Texts {
    fn visit_lit_str(&mut self, literal: &syn::LitStr) {
        self.0.insert(literal.value());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_definition_says_never_becomes_code((text, items) in renamed()) {
        match Config::new().generate("shop.yaml", &text) {
            Ok(output) => {
                let file = syn::parse_file(&output.code);
                prop_assert!(file.is_ok(), "{text}\n{}", output.code);
                prop_assert_eq!(public_items(&file.unwrap()), items, "{}", text);
                let again = Config::new().generate("shop.yaml", &text).unwrap();
                prop_assert_eq!(again.code, output.code);
            }
            // Names of simple types are taken, and documentation may hold what is no text.
            Err(diagnostics) => {
                let mut expected = diagnostics.iter().map(|diagnostic| diagnostic.code());
                prop_assert!(expected.all(|code| ["SVC001", "SVC013"].contains(&code)), "{text}\n{diagnostics}");
            }
        }
    }

    #[test]
    fn names_become_rust_or_are_refused_with_both_places(text in named()) {
        match Config::new().generate("shop.yaml", &text) {
            Ok(output) => prop_assert!(syn::parse_file(&output.code).is_ok(), "{}", output.code),
            Err(diagnostics) => for diagnostic in diagnostics.iter() {
                prop_assert!(diagnostic.spans().next().is_some());
                let clash = ["SVC012", "SVC013"].contains(&diagnostic.code());
                let told = diagnostic.spans().count() > 1
                    || diagnostic.message().contains("already")
                    || diagnostic.message().contains("simple type")
                    || diagnostic.spans().any(|span| span.label.contains("the other one"));
                prop_assert!(!clash || told, "{}", diagnostic);
            },
        }
    }
}

#[test]
fn wire_names_stand_in_the_code_letter_for_letter() {
    let name = "Gr\u{F6}\u{301}\u{DF}e.\u{4E00}-\u{20000}";
    let text = format!(
        "service: S\nnamespace: urn:s\npath: /s\noperations:\n  {name}: {{ rust: greet, parameters: {{ {name}: {{ rust: size, type: int }} }} }}\n"
    );
    let output = Config::new().generate("s.yaml", &text).unwrap();
    let mut texts = Texts::default();
    texts.visit_file(&syn::parse_file(&output.code).unwrap());
    assert!(texts.0.contains(name), "{}", output.code);
}

/// The definitions a run that rustc judges.
const SAMPLE: usize = 12;

#[test]
fn a_sample_compiles_without_warnings_in_each_edition() {
    let mut runner = TestRunner::new(ProptestConfig::default());
    let mut modules = Vec::new();
    while modules.len() < SAMPLE {
        let text = match modules.len() % 2 {
            0 => named().new_tree(&mut runner).unwrap().current(),
            _ => renamed().new_tree(&mut runner).unwrap().current().0,
        };
        if let Ok(output) = Config::new().generate("shop.yaml", &text) {
            modules.push((text, output.code));
        }
    }
    let paths: Vec<_> = (0..SAMPLE)
        .map(|index| format!("src/module{index}.rs"))
        .collect();
    let crates = ["2021", "2024"].map(|edition| {
        let names = (0..SAMPLE).map(|index| format!("/// Emitted.\npub mod module{index};\n"));
        let library = format!(
            "//! Emitted code.\n#![deny(warnings)]\n{}",
            names.collect::<String>()
        );
        let modules = paths
            .iter()
            .zip(&modules)
            .map(|(path, (_, code))| (path.as_str(), code.clone()));
        let name = if edition == "2021" {
            "sample2021"
        } else {
            "sample2024"
        };
        Crate {
            name,
            edition,
            runtime: scratch::RUNTIME,
            beside: &[],
            files: modules.chain([("src/lib.rs", library)]).collect(),
        }
    });
    let output = scratch::cargo("check", "names", &crates);
    let texts: Vec<_> = modules.iter().map(|(text, _)| text.as_str()).collect();
    assert!(
        output.status.success(),
        "{}\n{}",
        texts.join("\n"),
        String::from_utf8_lossy(&output.stderr)
    );
}
