//! The emitted code: a snapshot for each definition, and checks that it compiles wherever it is
//! included.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use svcgen_codegen::{Config, Output};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn generate(definition: &str) -> Output {
    generate_with(&Config::new(), definition)
}

fn generate_with(config: &Config, definition: &str) -> Output {
    let path = repository().join(definition);
    config
        .generate_file(path)
        .unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

/// Returns the items of an emitted file, each with its documentation.
fn items(code: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for part in code.split("\n\n") {
        match items.last_mut() {
            Some(last) if part.starts_with([' ', '}']) => {
                last.push_str("\n\n");
                last.push_str(part);
            }
            _ => items.push(part.to_owned()),
        }
    }
    items
}

fn item(items: &[String], definition: &str, holds: &str) -> String {
    let mut found = items.iter().filter(|item| item.contains(holds));
    let item = found
        .next()
        .unwrap_or_else(|| panic!("no item of {definition} holds {holds}"));
    assert!(
        found.next().is_none(),
        "several items of {definition} hold {holds}"
    );
    item.clone()
}

/// Compares these items of a definition, each under its name, with the snapshot.
fn snapshot(config: &Config, snapshot: &str, definition: &str, named: &[(&str, &str)]) {
    let emitted = items(&generate_with(config, definition).code);
    let items = named
        .iter()
        .map(|(name, holds)| format!("==== {name}\n{}\n", item(&emitted, definition, holds)));
    let items: Vec<_> = items.collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(snapshot, items.join("\n")));
}

const AUTHENTICATOR: &str = "service-defs/authenticator.yaml";
const SHAPES: &str = "tests/definitions/valid/every_shape.yaml";
const TYPES: &str = "tests/definitions/valid/simple_types.yaml";
const OBJECTS: &str = "tests/definitions/valid/objects.yaml";
const MODELS: &str = "tests/definitions/valid/content_models.yaml";
const MIXED: &str = "tests/definitions/valid/mixed_content.yaml";
const DRAWINGS: &str = "tests/definitions/valid/drawings.yaml";
const MESSAGES: &str = "tests/definitions/valid/messages.yaml";
const MANY: &str = "tests/definitions/valid/many_operations.yaml";
const UNQUALIFIED: &str = "tests/definitions/valid/unqualified.yaml";
const SHARED: &str = "tests/definitions/valid/shared_types.yaml";
const ORDERS: &str = "tests/definitions/valid/orders.yaml";
const SCRIPT: &str = "tests/definitions/valid/script.yaml";
const COMMON: &str = "tests/definitions/valid/common.yaml";
const RESULTS: &str = "tests/definitions/lab/messages.yaml";
const LISTS: &str = "tests/definitions/lab/lists.yaml";
const OBJECT: &str = "tests/definitions/lab/objects.yaml";
const DATA: &str = "tests/definitions/lab/data.yaml";
const STOCK: &str = "tests/definitions/lab/stock.yaml";
const CONTENT: &str = "tests/definitions/lab/content.yaml";
const SOAP_HEADERS: &str = "tests/definitions/lab/soap_headers.yaml";
const VALUES: &str = "tests/definitions/lab/values.yaml";
const HOSTILE: &str = "tests/definitions/valid/hostile_names.yaml";

#[test]
fn time_zone_is_in_the_row_and_a_name_needs_its_feature() {
    let generate = |zone: &str| {
        let text = format!(
            "{{ service: S, namespace: 'urn:s', path: /s, time_zone: '{zone}', operations: {{ A: }} }}"
        );
        Config::new().generate("s", text).unwrap().code
    };
    for (zone, named) in [("UTC", false), ("-05:00", false), ("Asia/Kolkata", true)] {
        let code = generate(zone);
        assert!(
            code.contains(&format!(".in_time_zone(\"{zone}\")")),
            "{code}"
        );
        assert_eq!(code.contains("NAMES_OF_TIME_ZONES"), named, "{code}");
    }
}

#[test]
fn operations_stand_beside_functions_of_their_name() {
    let generate = |operations: &str| {
        let text =
            format!("{{ service: S, namespace: 'urn:s', path: /s, operations: {operations} }}");
        Config::new().generate("s", text).unwrap().code
    };
    let [plain, beside] = ["{ A: }", "{ Connect: , With: , New: , withBinding: }"].map(generate);
    for method in ["connect_", "with_", "new_", "with_binding_"] {
        let holds = |code: &str| code.contains(&format!("fn {method}(&self"));
        assert!(!holds(&plain) && holds(&beside), "{method}: {beside}");
    }
    syn::parse_file(&beside).unwrap();
}

/// The features of the runtime, with the items that they add to its modules `types` and `codegen`.
const FEATURES: &[(&str, &[&str])] = &[
    ("data-sets", &["DataSet", "DataTable", "EmptySet"]),
    ("decimal", &["Decimal"]),
    ("guid", &["Guid"]),
    ("json", &["JSON"]),
    ("sessions", &["SESSIONS"]),
    ("time", &["Date", "DateTime", "Time"]),
    ("time-zones", &["NAMES_OF_TIME_ZONES"]),
];

#[test]
fn features_are_those_of_what_the_code_names() {
    let configs = [
        Config::new(),
        Config::new().server(false),
        Config::new().server(false).client(false),
        Config::new().extern_path("dateTime", "crate::Moment"),
    ];
    let mut needed = BTreeMap::new();
    for definition in definitions() {
        for (number, config) in configs.iter().enumerate() {
            let Ok(output) = config.generate_file(repository().join(&definition)) else {
                assert_ne!(number, 0, "{definition}");
                continue;
            };
            let names: Vec<_> = ["types::", "codegen::"]
                .iter()
                .flat_map(|module| output.code.split(module).skip(1))
                .filter_map(|rest| {
                    rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                        .next()
                })
                .collect();
            let named = FEATURES.iter();
            let named = named.filter(|(_, items)| items.iter().any(|item| names.contains(item)));
            let named: Vec<_> = named.map(|(feature, _)| *feature).collect();
            let features: Vec<_> = output.features().collect();
            assert_eq!(features, named, "{definition}, configuration {number}");
            for feature in features {
                *needed.entry(feature).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(needed.len(), FEATURES.len(), "{needed:?}");
}

#[test]
fn a_crate_of_the_application_may_be_called_as_the_module_of_the_runtime() {
    let generate = |path: &str| {
        let text = format!(
            "service: S\nnamespace: urn:s\npath: /s\noperations:\n  A: {{ result: {{ type: int, rust_type: {path} }} }}\n"
        );
        Config::new().generate("s.yaml", text).unwrap().code
    };
    let import = "use svcgen::codegen;\n";
    assert!(generate("crate::Number").contains(import));
    let beside = generate("codegen::Number");
    assert!(!beside.contains(import), "{beside}");
    for written in [
        "const _: () = svcgen::codegen::GENERATED_CODE_V2;",
        "svcgen::codegen::client! {\n    /// Calls `S`.",
        "Result<codegen::Number, svcgen::Fault>",
    ] {
        assert!(beside.contains(written), "{written}: {beside}");
    }
}

#[test]
fn clippy_allows_lists_of_what_may_be_absent_beside_headers() {
    for (headers, allowed) in [("", false), ("headers: { out: [Visit] }, ", true)] {
        let text = format!(
            "service: S\nnamespace: urn:s\npath: /s\nbindings: [soap11]\noperations: {{ Get: {{ {headers}result: \"string?[]\" }} }}\nheaders: {{ Visit: string? }}\nallow: [SVC026]\n"
        );
        let code = Config::new().generate("s", text).unwrap().code;
        let lint = "#[allow(clippy::type_complexity)]";
        assert_eq!(code.contains(lint), allowed, "{code}");
    }
}

#[test]
fn a_file_without_a_service_has_types_alone() {
    let text = "types: { Point: { elements: { X: int } } }\nenums: { Colour: [Red] }\n";
    let output = Config::new().generate("defs/map-types.yaml", text).unwrap();
    assert_eq!(output.name, "map_types");
    assert!(output.code.contains("//! The types of `map_types`.\n"));
    assert!(output.code.contains("pub struct Point") && output.code.contains("pub enum Colour"));
    assert!(output.code.contains("pub static MODULE") && !output.code.contains("with_service"));
    let renamed = Config::new().generate("9", format!("rust: Shapes\n{text}"));
    assert_eq!(renamed.unwrap().name, "shapes");
}

#[test]
fn items_are_as_a_person_would_write_them() {
    let snapshots = [
        ("header", AUTHENTICATOR, "@generated"),
        ("handshake", AUTHENTICATOR, "const _"),
        ("complex_type", AUTHENTICATOR, "pub struct LoginResult"),
        ("complex_type_row", AUTHENTICATOR, "complex!(LoginResult"),
        (
            "complex_type_implementation",
            AUTHENTICATOR,
            "Fields for LoginResult",
        ),
        ("about", AUTHENTICATOR, "#![allow"),
        ("flags", LISTS, "pub struct Access"),
        ("defaults", VALUES, "Default for Presets"),
        ("defaults_struct", VALUES, "pub struct Defaults"),
        ("defaults_row", VALUES, "complex!(Presets "),
        (
            "defaults_implementation",
            VALUES,
            "codegen::Fields for Presets {",
        ),
        ("texts_of_an_object", VALUES, "codegen::Fields for Row {"),
        ("enumeration_of_numbers", VALUES, "pub enum Level"),
        ("module_of_values", VALUES, "static MODULE"),
        ("texts", LISTS, "pub struct Arrays"),
        ("texts_implementation", LISTS, "Fields for Arrays"),
        ("collections", LISTS, "pub struct Lists"),
        ("collections_implementation", LISTS, "Fields for Lists"),
        ("nils_implementation", LISTS, "Fields for Nils"),
        ("module_of_lists", LISTS, "static MODULE"),
        ("request", AUTHENTICATOR, "pub struct LoginRequest"),
        ("request_row", AUTHENTICATOR, "complex!(LoginRequest"),
        (
            "request_implementation",
            AUTHENTICATOR,
            "Fields for LoginRequest",
        ),
        ("handler", AUTHENTICATOR, "trait AuthenticatorHandler"),
        ("server", AUTHENTICATOR, "type AuthenticatorServer"),
        ("service", AUTHENTICATOR, "pub struct AuthenticatorService"),
        (
            "service_implementation",
            AUTHENTICATOR,
            "DispatchTo<H> for AuthenticatorService",
        ),
        ("module", AUTHENTICATOR, "static MODULE"),
        ("protocols", AUTHENTICATOR, "static SERVICE"),
        ("module_of_every_shape", SHAPES, "static MODULE"),
        ("module_of_objects", OBJECTS, "static MODULE"),
        ("module_of_messages", MESSAGES, "static MODULE"),
        ("module_of_unqualified", UNQUALIFIED, "static MODULE"),
        ("module_of_orders", ORDERS, "static MODULE"),
        ("module_of_script", SCRIPT, "static MODULE"),
        ("protocols_of_script", SCRIPT, "static SERVICE"),
        ("dictionaries", SCRIPT, "pub struct Tally"),
        ("dictionaries_implementation", SCRIPT, "Fields for Tally"),
        ("client_of_script", SCRIPT, "impl<T: svcgen::Transport>"),
        ("module_of_types", COMMON, "static MODULE"),
        ("module_of_content", CONTENT, "static MODULE"),
        ("fault_detail", CONTENT, "pub struct CodesDetail"),
        ("fault_detail_value", CONTENT, "Value for CodesDetail"),
        ("fault_detail_name", CONTENT, "FaultDetail for CodesDetail"),
        ("object_types", OBJECT, "pub enum AnyObject"),
        ("object_types_value", OBJECT, "ObjectTypes for AnyObject"),
        ("objects", OBJECT, "pub struct Bag"),
        ("objects_implementation", OBJECT, "Fields for Bag"),
        ("sets_of_tables", DATA, "pub struct Holder"),
        ("sets_of_tables_implementation", DATA, "Fields for Holder"),
        ("typed_set", STOCK, "pub struct StockSet"),
        ("typed_set_default", STOCK, "Default for StockSet"),
        ("typed_set_implementation", STOCK, "Fields for StockSet"),
        ("wildcards", CONTENT, "pub struct Open"),
        ("wildcards_implementation", CONTENT, "Fields for Open"),
        (
            "wildcard_implementation",
            CONTENT,
            "Fields for AnyOneRequest",
        ),
        ("documentation", AUTHENTICATOR, "static DOCUMENTATION"),
        ("documentation_of_orders", ORDERS, "static DOCUMENTATION"),
        ("documentation_of_types", COMMON, "static DOCUMENTATION"),
        ("client", AUTHENTICATOR, "pub struct AuthenticatorClient"),
        (
            "client_implementation",
            AUTHENTICATOR,
            "impl<T: svcgen::Transport>",
        ),
        ("enumeration", SHAPES, "pub enum Colour"),
        ("empty_type", SHAPES, "Fields for Empty"),
        ("type_of_one_element", SHAPES, "Fields for One"),
        ("recursive_type", SHAPES, "pub struct Tree"),
        ("recursive_type_implementation", SHAPES, "Fields for Tree"),
        ("every_simple_type", SHAPES, "pub struct SimpleRequest"),
        ("lists", SHAPES, "pub struct ListsRequest"),
        ("lists_implementation", SHAPES, "Fields for ListsRequest"),
        ("handler_of_every_shape", SHAPES, "trait ShapesHandler"),
        (
            "service_of_every_shape",
            SHAPES,
            "DispatchTo<H> for ShapesService",
        ),
        (
            "client_of_every_shape",
            SHAPES,
            "impl<T: svcgen::Transport>",
        ),
        ("simple_types", TYPES, "pub struct Everything"),
        ("shared_type", SHARED, "pub use super::objects::Price"),
        ("shared_type_of_another_name", SHARED, "as Place"),
        ("shared_enumeration", SHARED, "objects::Colour"),
        ("included_type", ORDERS, "pub use super::common::Address;"),
        ("included_family", ORDERS, "pub use super::common::AnyParty"),
        (
            "included_type_of_a_module_elsewhere",
            "tests/definitions/valid/billing.yaml",
            "pub use crate::common::Address",
        ),
        ("attributes", OBJECTS, "Fields for Attributed"),
        ("text", OBJECTS, "pub struct Price"),
        ("text_implementation", OBJECTS, "Fields for Price"),
        ("choice_with_lists", MODELS, "pub enum PersonRemarks"),
        ("choice_with_lists_reading", MODELS, "impl PersonRemarks"),
        ("choices_with_lists", MODELS, "Fields for Person "),
        ("choice_with_wildcard", MODELS, "impl OpenKnown "),
        ("module_of_drawings", DRAWINGS, "static MODULE"),
        ("module_of_content_models", MODELS, "static MODULE"),
        ("text_between", MIXED, "pub enum NoteParts"),
        ("text_between_reading", MIXED, "impl NoteParts"),
        ("text_between_parameters", MIXED, "Fields for SayRequest"),
        ("module_of_mixed_content", MIXED, "static MODULE"),
        ("sequence", MODELS, "pub struct TripLeg "),
        ("sequence_reading", MODELS, "impl TripLeg "),
        ("choice_of_sequences", MODELS, "impl TripPay "),
        ("recursive_sequence", MODELS, "impl ExpressionKind "),
        ("sequences", MODELS, "Fields for Trip "),
        ("choices", OBJECTS, "pub struct Person {"),
        ("choices_implementation", OBJECTS, "Fields for Person "),
        ("choice", OBJECTS, "pub enum PersonContact"),
        ("choice_default", OBJECTS, "Default for PersonContact"),
        ("choice_writing", OBJECTS, "impl PersonContact"),
        ("recursive_choice", OBJECTS, "pub enum PersonOthers"),
        ("derived_type", OBJECTS, "pub struct Dog"),
        ("family", OBJECTS, "pub enum AnyAnimal"),
        ("family_conversion", OBJECTS, "From<Dog> for AnyAnimal"),
        ("family_value", OBJECTS, "Value for AnyAnimal"),
        ("abstract_family_value", OBJECTS, "Value for AnyShape"),
        ("lists_of_lists", OBJECTS, "pub struct MatrixRequest"),
        (
            "lists_of_lists_implementation",
            OBJECTS,
            "Fields for MatrixRequest",
        ),
        ("headers", MESSAGES, "pub struct LoginHeaders"),
        (
            "headers_of_answers",
            MESSAGES,
            "pub struct LoginResponseHeaders",
        ),
        ("fault", MESSAGES, "FaultDetail for Account"),
        ("handler_of_messages", MESSAGES, "trait MessagesHandler"),
        (
            "service_of_messages",
            MESSAGES,
            "DispatchTo<H> for MessagesService",
        ),
        (
            "service_of_many_operations",
            MANY,
            "DispatchTo<H> for ManyOperationsService",
        ),
        ("client_of_messages", MESSAGES, "impl<T: svcgen::Transport>"),
        ("unqualified_fault", UNQUALIFIED, "FaultDetail for Point"),
        ("results", RESULTS, "pub struct OutMiddleResponse"),
        (
            "results_implementation",
            RESULTS,
            "Fields for OutMiddleResponse",
        ),
        ("module_of_results", RESULTS, "static MODULE"),
        ("handler_of_results", RESULTS, "trait WideMessagesHandler"),
        (
            "service_of_results",
            RESULTS,
            "DispatchTo<H> for WideMessagesService",
        ),
        ("client_of_results", RESULTS, "impl<T: svcgen::Transport>"),
        (
            "module_of_routing",
            "tests/definitions/lab/routing.yaml",
            "static MODULE",
        ),
        (
            "module_of_unknown_headers",
            "tests/definitions/lab/headers.yaml",
            "static MODULE",
        ),
        (
            "headers_with_soap_attributes",
            SOAP_HEADERS,
            "pub struct GuardHeaders",
        ),
        (
            "headers_of_faults",
            SOAP_HEADERS,
            "FaultHeaders for GuardFaultHeaders",
        ),
        ("module_of_soap_headers", SOAP_HEADERS, "static MODULE"),
        (
            "module_of_overloads",
            "tests/definitions/lab/overloads.yaml",
            "static MODULE",
        ),
        (
            "module_of_sessions",
            "tests/definitions/lab/sessions.yaml",
            "static MODULE",
        ),
        (
            "module_of_encoding",
            "tests/definitions/lab/rpc.yaml",
            "static MODULE",
        ),
        (
            "protocols_of_encoding",
            "tests/definitions/lab/rpc.yaml",
            "static SERVICE",
        ),
        (
            "variants_of_one_word",
            "tests/definitions/public/exchange_services.yaml",
            "pub enum AnyItemType",
        ),
        ("hostile_request", HOSTILE, "pub struct IntoRequest"),
        ("hostile_handler", HOSTILE, "trait SelfHandler"),
        ("hostile_client", HOSTILE, "svcgen::Transport>"),
    ];
    let mut of_definitions: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (name, definition, holds) in snapshots {
        let items = of_definitions.entry(definition).or_default();
        items.push((name, holds));
    }
    for (definition, items) in of_definitions {
        let name = definition.strip_suffix(".yaml").unwrap();
        let name = name.trim_start_matches("tests/definitions/");
        let name = name.trim_start_matches("service-defs/").replace('/', "_");
        snapshot(&Config::new(), &name, definition, &items);
    }
}

#[test]
fn mocks() {
    let config = Config::new().mocks(true);
    let items = [
        ("mock", "pub struct MockAuthenticator {"),
        ("mock_default", "Default for MockAuthenticator {"),
        ("mock_implementation", "impl MockAuthenticator {"),
        ("mock_handler", "Handler for MockAuthenticator {"),
    ];
    snapshot(&config, "authenticator_mock", AUTHENTICATOR, &items);
}

#[test]
fn servers_with_sessions_need_their_feature() {
    let generate = |keys: &str, config: Config| {
        let text =
            format!("{{ service: S, namespace: 'urn:s', path: /s, operations: {{ A: {keys} }} }}");
        config.generate("s.yaml", &text).unwrap().code
    };
    for (keys, config, needed) in [
        ("{ session: true }", Config::new(), true),
        ("{ session: true }", Config::new().server(false), false),
        ("{ session: false }", Config::new(), false),
    ] {
        let code = generate(keys, config);
        assert_eq!(code.contains("codegen::SESSIONS"), needed, "{code}");
    }
}

#[test]
fn no_function_calls_many_operations() {
    let code = generate(MANY).code;
    let functions = code.split("fn call").skip(1);
    let calls = functions.map(|function| function.matches("handler.op").count());
    assert_eq!(calls.collect::<Vec<_>>(), [0, 32, 32, 6]);
}

#[test]
fn both_services_of_the_example_are_short() {
    let services = [AUTHENTICATOR, "service-defs/device_login_service.yaml"];
    let lines = services.map(|service| generate(service).code.lines().count());
    assert!(lines.iter().sum::<usize>() <= 1_050, "{lines:?}");
}

#[test]
fn each_side_can_be_left_out() {
    let text = fs::read_to_string(repository().join(AUTHENTICATOR)).unwrap();
    let generate = |config: Config| config.generate("authenticator.yaml", &text).unwrap().code;
    let server = generate(Config::new().client(false));
    assert!(server.contains("AuthenticatorHandler") && !server.contains("AuthenticatorClient"));
    let client = generate(Config::new().server(false));
    assert!(client.contains("AuthenticatorClient") && !client.contains("AuthenticatorHandler"));
    let types = generate(Config::new().server(false).client(false));
    assert!(types.contains("LoginRequest") && !types.contains("AuthenticatorService"));
    let elsewhere = generate(Config::new().runtime("crate::runtime"));
    assert!(elsewhere.contains("use crate::runtime::codegen;") && !elsewhere.contains(" svcgen::"));
}

#[test]
fn values_can_be_kept_in_types_of_the_application() {
    let text = "service: S\nnamespace: urn:s\npath: /s\noperations:\n  A:\n    parameters:\n      \
                one: { type: int, rust_type: crate::Number }\n      all: \"dateTime?[]\"\n      \
                hidden: { type: string?, secret: true }\n    result: dateTime?\n    bindings: [soap11]\n";
    let config = Config::new().extern_path("dateTime", "crate::Moment");
    let config = config.extern_path("string", "::text::Text");
    let code = config.generate("s.yaml", text).unwrap().code;
    for expected in [
        "pub one: crate::Number,",
        "pub all: Vec<Option<crate::Moment>>,",
        "pub hidden: Option<svcgen::Secret<String>>,",
        "Result<Option<crate::Moment>, svcgen::Fault>",
    ] {
        assert!(code.contains(expected), "{expected} is not in {code}");
    }
}

/// Parses the code of the definitions that no library or test compiles.
#[test]
fn all_that_is_emitted_is_rust() {
    let compiled = include_str!("../build.rs");
    let is_compiled =
        |definition: &String| compiled.contains(definition.trim_start_matches("tests/"));
    for definition in definitions() {
        if is_compiled(&definition) {
            continue;
        }
        let code = generate_with(&Config::new().mocks(true), &definition).code;
        assert!(syn::parse_file(&code).is_ok(), "{definition}");
    }
}

/// Returns the definitions of both services, and all valid definitions of the tests.
fn definitions() -> Vec<String> {
    let mut definitions = vec![
        AUTHENTICATOR.to_owned(),
        "service-defs/device_login_service.yaml".to_owned(),
    ];
    for folder in ["valid", "lab"] {
        for entry in fs::read_dir(repository().join("tests/definitions").join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            definitions.push(format!("tests/definitions/{folder}/{name}"));
        }
    }
    definitions.sort();
    definitions
}

/// Names with another meaning in Rust, XML or YAML, and some texts that are not names.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z_][A-Za-z0-9_.-]{0,8}",
        prop::sample::select(vec![
            "self", "Self", "super", "crate", "_", "type", "gen", "async", "Option", "String",
            "Result", "Vec", "Ok", "None", "Some", "Box", "T", "H", "Default", "Send", "int",
            "string", "r#type", "a b", "\"); }", "é", "1a", "",
        ])
        .prop_map(str::to_owned),
    ]
}

fn type_text() -> impl Strategy<Value = String> {
    (
        name(),
        prop::sample::select(vec!["", "?", "[]", "?[]", "[]?", "?[]?", "[][]"]),
    )
        .prop_map(|(name, suffix)| format!("{name}{suffix}"))
}

fn definition() -> impl Strategy<Value = String> {
    let elements = || prop::collection::vec((name(), type_text()), 0..4);
    let simple = prop::sample::select(vec![
        "string?", "int", "boolean?", "int[]", "A", "A[]?", "B", "B?",
    ]);
    let calm = prop::collection::vec(("[a-c]{1,2}", simple.prop_map(str::to_owned)), 0..4);
    let operations = prop::collection::vec(
        (
            name(),
            prop_oneof![elements().boxed(), calm.boxed()],
            type_text(),
        ),
        1..4,
    );
    let shapes = prop::sample::select(vec![
        "extends: A",
        "extends: T0, abstract: true",
        "extends: T1, attributes: { b: int, c: T }",
        "attributes: { a: int, x: string? }",
        "text: { type: int, rust: a }, attributes: { value: B }",
        "abstract: true",
        "elements: { c: { choice: { a: T0, b: T1 } }, d: T0? }",
        "extends: A, elements: { c: { choice: { a: int, b: T2 }, optional: true } }",
        "extends: T0, elements: { c: { choice: { y: int, z: A }, list: unwrapped }, T: \"T1[][]\" }",
        "elements: { any: T2?, AnyT: T1 }",
        "elements: { s: { sequence: { a: A, c: { choice: { b: T0, p: { sequence: { e: T1, f: int? } } } } }, list: unwrapped }, o: { sequence: { g: T2 }, optional: true } }",
        "elements: { c: { choice: { a: A, l: { type: \"T0[]\", list: unwrapped } }, list: unwrapped } }",
    ]);
    let shaped = prop::collection::vec(shapes, 0..4);
    let types = prop::collection::vec((name(), elements()), 0..3);
    (operations, types, shaped, ".*").prop_map(|(operations, types, shaped, doc)| {
        let mut text = format!("service: S\nnamespace: urn:s\npath: /s\nbindings: [soap11]\ndoc: {doc:?}\noperations:\n");
        for (name, parameters, result) in operations {
            text += &format!("  {name:?}:\n    result: {result:?}\n    doc: {doc:?}\n    parameters:\n");
            parameters.iter().for_each(|(name, shape)| text += &format!("      {name:?}: {shape:?}\n"));
        }
        text += "enums:\n  B: [x, y]\ntypes:\n  A: { elements: { a: A? } }\n";
        for (index, shape) in shaped.into_iter().enumerate() {
            text += &format!("  T{index}: {{ {shape} }}\n");
        }
        for (name, elements) in types {
            text += &format!("  {name:?}:\n    elements:\n");
            elements.iter().for_each(|(name, shape)| text += &format!("      {name:?}: {shape:?}\n"));
        }
        text
    })
}

/// Returns a name that two types, two fields of a struct or two variants of an enum share.
fn clash(file: &syn::File) -> Option<String> {
    let mut names = Vec::new();
    for item in &file.items {
        let (name, members): (_, Vec<_>) = match item {
            syn::Item::Struct(item) => (
                &item.ident,
                item.fields
                    .iter()
                    .filter_map(|field| field.ident.as_ref())
                    .collect(),
            ),
            syn::Item::Enum(item) => (
                &item.ident,
                item.variants.iter().map(|variant| &variant.ident).collect(),
            ),
            _ => continue,
        };
        names.push(name.to_string());
        names.extend(members.iter().map(|member| format!("{name}.{member}")));
    }
    let mut seen = std::collections::HashSet::new();
    names.into_iter().find(|name| !seen.insert(name.clone()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_definition_is_refused_with_a_place_or_gives_rust(text in definition()) {
        let generate = || Config::new().generate("s.yaml", &text);
        match (generate(), generate()) {
            (Ok(first), Ok(second)) => {
                let file = syn::parse_file(&first.code);
                prop_assert!(file.is_ok(), "{}", first.code);
                prop_assert_eq!(clash(&file.unwrap()), None, "{}", first.code);
                prop_assert_eq!(first.code, second.code);
            }
            (Err(first), Err(second)) => {
                prop_assert!(!first.is_empty());
                prop_assert!(first.iter().all(|diagnostic| diagnostic.spans().next().is_some()));
                prop_assert_eq!(first.to_string(), second.to_string());
            }
            _ => prop_assert!(false, "one definition was once refused and once not"),
        }
    }

    #[test]
    fn any_text_is_refused_or_gives_rust(text in "\\PC*") {
        let _ = Config::new().generate("s.yaml", &text);
    }
}
