//! The worst definitions, in any size.

use svcgen_codegen::Config;
use svcgen_documents::samples::Samples;
use svcgen_documents::{WsdlOptions, reference, wsdl};

/// Writes a definition with this number of items, from its fifth line on.
pub(crate) type Make = fn(usize) -> String;

/// Definitions by their number of items.
pub(crate) const DEFINITIONS: [(&str, Make); 10] = [
    ("types in a row", |count| {
        types(count, |id| {
            format!("elements: {{ next: T{}? }}", id.saturating_sub(1))
        })
    }),
    ("types in a circle", |count| {
        types(count, |id| {
            format!("elements: {{ next: T{}? }}", (id + 1) % count)
        })
    }),
    ("types of two elements of the next one", |count| {
        types(count, |id| match id {
            0 => "elements: {}".to_owned(),
            _ => format!("elements: {{ a: T{0}?, b: T{0}? }}", id - 1),
        })
    }),
    ("types that all extend one", |count| {
        types(count, |id| match id {
            0 => "abstract: true".to_owned(),
            _ => "extends: T0".to_owned(),
        })
    }),
    ("types that extend one another without end", |count| {
        types(count, |id| format!("extends: T{}", id.saturating_sub(1)))
    }),
    ("unknown types", |count| {
        types(count, |id| format!("elements: {{ a: Unknown{id} }}"))
    }),
    (
        "types with elements of all names but for letter case",
        |count| {
            let names = (0..count).map(|id| {
                let cased = (b'a'..=b'p')
                    .enumerate()
                    .map(|(bit, letter)| match id >> bit & 1 {
                        0 => char::from(letter),
                        _ => char::from(letter.to_ascii_uppercase()),
                    });
                format!("{}: int", cased.collect::<String>())
            });
            let names: Vec<_> = names.collect();
            types(1, |_| format!("elements: {{ {} }}", names.join(", ")))
        },
    ),
    ("headers of one operation", |count| {
        let names: Vec<_> = (0..count).map(|id| format!("H{id}")).collect();
        let headers: Vec<_> = names.iter().map(|name| format!("{name}: string")).collect();
        let (names, headers) = (names.join(", "), headers.join(", "));
        format!(
            "headers: {{ {headers} }}\noperations: {{ A: {{ headers: {{ in: [{names}] }} }} }}\n"
        )
    }),
    ("keys that are merged", |count| {
        let elements: String = (0..count).map(|id| format!("      e{id}: int\n")).collect();
        let merges = "      <<: *a\n".repeat(count);
        format!(
            "operations: {{ A: {{ result: T }} }}\ntypes:\n  S: {{ elements: &a {{ a: int }} }}\n  T:\n    elements:\n{merges}{elements}"
        )
    }),
    ("operations with a fault each", |count| {
        let list =
            |entry: fn(usize) -> String| (0..count).map(entry).collect::<Vec<_>>().join(", ");
        format!(
            "faults: {{ {} }}\noperations: {{ {} }}\ntypes: {{ {} }}\n",
            list(|id| format!("F{id}: T{id}")),
            list(|id| format!("A{id}: {{ faults: [F{id}] }}")),
            list(|id| format!("T{id}: {{ elements: {{ a: int }} }}"))
        )
    }),
];

/// Writes a service with an operation for each type.
fn types(count: usize, body: impl Fn(usize) -> String) -> String {
    let operations = (0..count).map(|id| format!("  A{id}: {{ result: T{id}? }}\n"));
    let bodies = (0..count).map(|id| format!("  T{id}: {{ {} }}\n", body(id)));
    let (operations, bodies): (String, String) = (operations.collect(), bodies.collect());
    format!("operations:\n{operations}types:\n{bodies}")
}

/// Generates the code and the documents of a definition, each in a call of `stage`.
pub(crate) fn generate(make: Make, count: usize, stage: &mut dyn FnMut(&dyn Fn())) {
    let text = format!(
        "service: S\nnamespace: urn:s\npath: /s\nbindings: [soap11]\n{}",
        make(count)
    );
    let config = Config::new();
    stage(&|| match config.generate("s.yaml", &text) {
        Ok(output) => drop(output),
        Err(diagnostics) => drop(diagnostics.to_string()),
    });
    let Ok(described) = config.describe("s.yaml", &text) else {
        return;
    };
    described.with(|service| {
        stage(&|| drop(reference::html(service)));
        stage(&|| {
            let samples = Samples::new(service);
            let operations = service.operations();
            operations.for_each(|operation| drop(samples.of(operation, "host")));
        });
        stage(&|| drop(wsdl(service, "http://host", WsdlOptions::default())));
    });
}
