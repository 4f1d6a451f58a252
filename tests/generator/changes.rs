//! The effects of changes to a definition: what they break, and for whom.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use svcgen_codegen::{Config, Described, Generator};
use svcgen_compare::{Audience, CODES, Change, Class, Code, Comparison};
use svcgen_model::Binding;

const SHOP: &str = include_str!("changes/shop.yaml");
const SCRIPTED: &str = include_str!("changes/scripted.yaml");

mod calls;
mod scripted;
mod table;
mod texts;

fn described(config: &Config, definition: &str) -> Described {
    let schema = |path: &Path| {
        let name = path.display();
        let schema = format!(
            r#"<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema"><s:element name="{name}" m:IsDataSet="true" xmlns:m="urn:schemas-microsoft-com:xml-msdata" /></s:schema>"#
        );
        Ok(schema.into())
    };
    let mut generator = Generator::new(config, schema);
    match generator.describe_bytes("definition.yaml", definition.as_bytes()) {
        Ok(described) => described,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

fn compare_options(old: &str, new: &str) -> Comparison {
    let [old, new] = [old, new].map(|options| {
        let config = Config::new().options_file("svcgen.toml", options);
        described(&config, SHOP)
    });
    svcgen_compare::compare(&old, &new)
}

fn compare(old: &str, new: &str) -> Comparison {
    let [old, new] = [old, new].map(|definition| described(&Config::new(), definition));
    svcgen_compare::compare(&old, &new)
}

/// Returns the definition with a part replaced that occurs once.
fn replaced(definition: &str, from: &str, to: &str) -> String {
    assert_eq!(definition.matches(from).count(), 1, "{from:?}");
    definition.replace(from, to)
}

/// Formats the effects of a change, as `callers breaks http`; without bindings, all are affected.
fn effects(change: &Change) -> String {
    let mut words: Vec<String> = Vec::new();
    for audience in Audience::ALL {
        let of = change
            .effects
            .iter()
            .filter(|effect| effect.audience == *audience);
        let mut said: Vec<String> = of
            .map(|effect| {
                let keys: Vec<_> = effect.bindings.iter().map(Binding::key).collect();
                let bindings = match keys.join(" ").as_str() {
                    "soap11 soap12" => " soap",
                    "http-get http-post" => " http",
                    "soap11 soap12 http-get http-post" | "" => "",
                    other => &format!(" {other}"),
                };
                format!("{} {}{bindings}", audience.name(), effect.verdict.name())
            })
            .collect();
        said.dedup();
        words.extend(said);
    }
    words.join(", ")
}

fn found(comparison: &Comparison) -> Vec<String> {
    comparison
        .changes()
        .iter()
        .map(|change| {
            format!(
                "{} {}: {}",
                change.class().name(),
                change.code,
                effects(change)
            )
        })
        .collect()
}

/// A comparison with the found and the expected changes.
struct Case {
    name: String,
    found: Vec<String>,
    codes: Vec<(Code, Class)>,
    expected: &'static [&'static str],
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let case = |[from, to]: [&str; 2], comparison: Comparison, expected| {
        let codes = comparison.changes().iter();
        Case {
            name: format!("{from:?}, {to:?}"),
            found: found(&comparison),
            codes: codes.map(|change| (change.code, change.class())).collect(),
            expected,
        }
    };
    let changes_of = |definition: &'static str, changes: &[_]| {
        let old = described(&Config::new(), definition);
        let cases = changes.iter().map(|&(from, to, expected)| {
            let new = described(&Config::new(), &replaced(definition, from, to));
            case([from, to], svcgen_compare::compare(&old, &new), expected)
        });
        cases.collect::<Vec<_>>()
    };
    let mut cases = changes_of(SHOP, table::CHANGES);
    cases.extend(changes_of(SCRIPTED, scripted::CHANGES));
    let pairs = table::PAIRS.iter();
    cases.extend(pairs.map(|&(old, new, expected)| case([old, new], compare(old, new), expected)));
    let options = table::OPTIONS.iter();
    cases.extend(
        options.map(|&(old, new, expected)| case([old, new], compare_options(old, new), expected)),
    );
    cases
});

#[test]
fn changes_are_classed() {
    let mut wrong = String::new();
    for case in &*CASES {
        if case.found != case.expected {
            wrong += &format!("({}, &{:?}),\n", case.name, case.found);
        }
    }
    assert!(wrong.is_empty(), "found:\n{wrong}");
}

#[test]
fn help_for_new_parameters_speaks_of_forms_where_these_refuse() {
    let help = |bindings: &str, parameter: &str| {
        let definition = |parameters: &str| {
            format!(
                "{{ service: S, namespace: 'urn:s', path: /s, bindings: {bindings}, operations: {{ A: {{ parameters: {{ {parameters} }} }} }} }}"
            )
        };
        let new = definition(&format!("a: int, b: '{parameter}'"));
        let comparison = compare(&definition("a: int"), &new);
        comparison.changes()[0].help.clone().unwrap()
    };
    for (bindings, parameter, of_forms, of_absence) in [
        ("[soap11, http-get]", "int", true, true),
        ("[soap11, http-get]", "int?", true, false),
        ("[soap11, http-get]", "int[]", false, true),
        ("[soap11, http-get]", "int[]?", false, false),
        ("[soap11]", "int", false, true),
        ("[soap11]", "int?", false, false),
    ] {
        let help = help(bindings, parameter);
        let said = (
            help.contains("over HTTP GET and POST"),
            help.contains("`T?`"),
        );
        assert_eq!(said, (of_forms, of_absence), "{parameter}: {help}");
    }
}

#[test]
fn what_shares_a_name_is_told_apart_by_its_key_and_place() {
    let definition = |order: &str, common: &str, country: &str| {
        format!(
            "service: S\nnamespace: urn:s\npath: /s\nbindings: [soap11]\nnamespaces: {{ c: 'urn:c', d: 'urn:d' }}\noperations: {{ Find: {{ result: Order }} }}\ntypes:\n  Order:\n    elements:\n{order}\n{common}\nenums:\n{country}"
        )
    };
    let old = definition(
        "      Name: string\n      Common: { name: Name, type: CommonOrder, namespace: c }\n      Lines: { type: 'int[]', item: { name: l, namespace: c } }",
        "  CommonOrder: { name: Order, namespace: c, elements: { Number: int } }",
        "  Country: [NL]",
    );
    let new = definition(
        "      Name: { type: string, form: unqualified }\n      Common: { name: Name, type: CommonOrder, namespace: d }\n      Lines: { type: 'int[]', item: { name: l, namespace: d } }",
        "  CommonOrder: { name: Order, namespace: d, elements: { Number: long } }",
        "  Country: { namespace: d, values: [NL] }",
    );
    let comparison = compare(&old, &new);
    let changes = comparison.changes().iter().map(|change| {
        let line = |span: &Option<svcgen_compare::Span>| span.as_ref().map_or(0, |span| span.line);
        let (old, new) = (line(&change.old), line(&change.new));
        format!("{old} {new}: {}", change.what)
    });
    let changes: BTreeSet<_> = changes.collect();
    let expected = [
        "10 10: the element `Name` of `Order` is in no namespace where it was in the namespace `urn:s`",
        "11 11: the element `Common` of `Order` is in the namespace `urn:d` where it was in the namespace `urn:c`",
        "12 12: the items of the element `Lines` of `Order` are in the namespace `urn:d` where they were in the namespace `urn:c`",
        "13 13: the element `Number` of `CommonOrder` is `long` where it was `int`",
        "13 13: the type `CommonOrder` is in the namespace `urn:d` where it was in the namespace `urn:c`",
        "15 15: the enumeration `Country` is in the namespace `urn:d` where it was in the namespace `urn:s`",
    ];
    assert_eq!(changes, expected.map(str::to_owned).into());
}

#[test]
fn renames_are_guessed_up_to_a_bound() {
    let codes = |count: usize| {
        let definition = |end: &str| {
            let types = (0..count)
                .map(|number| format!("T{number}{end}: {{ elements: {{ A{number}: int }} }}"));
            format!(
                "{{ types: {{ {} }} }}",
                types.collect::<Vec<_>>().join(", ")
            )
        };
        let comparison = compare(&definition("a"), &definition("b"));
        let codes = comparison
            .changes()
            .iter()
            .map(|change| change.code.to_string());
        codes.collect::<BTreeSet<_>>()
    };
    let renamed = ["type-renamed", "type-rust-name"];
    assert_eq!(codes(100), renamed.map(str::to_owned).into());
    assert_eq!(
        codes(101),
        ["type-added", "type-removed"].map(str::to_owned).into()
    );
}

#[test]
fn the_table_has_every_code_and_the_worst_class_of_each() {
    let mut shown = BTreeMap::new();
    for (code, class) in CASES.iter().flat_map(|case| &case.codes) {
        assert_eq!(Code::of(&code.to_string()), Some(*code));
        let worst = shown.entry(code.row().code).or_insert(*class);
        *worst = *class.min(worst);
    }
    let table = CODES.iter().map(|row| (row.code, row.class));
    assert_eq!(shown, table.collect());
}
