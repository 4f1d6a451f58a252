//! Definitions with names of every kind.

use std::collections::BTreeSet;

use proptest::prelude::*;

/// XML names: in every script, with marks and joiners, with dots, hyphens and digits, long names,
/// and names that are reserved in Rust.
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
        "SERVICE",
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

/// Returns a text in double quotes for YAML.
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

/// A definition that sets all Rust names, and these names.
pub(crate) fn renamed() -> impl Strategy<Value = (String, BTreeSet<String>)> {
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
        let mut items: BTreeSet<String> = ["ShopHandler", "ShopServer", "ShopService", "ShopClient"].map(str::to_owned).into();
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

/// A definition whose Rust names are derived by svcgen.
pub(crate) fn named() -> impl Strategy<Value = String> {
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
